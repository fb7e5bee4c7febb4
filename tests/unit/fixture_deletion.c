/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fixture_deletion.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

static const char tree[] =
	"/controller\t{\"version\":1,\"brokerid\":4,\"timestamp\":\"1700000000000\"}\n"
	"/controller_epoch\t7\n"
	"/brokers/ids\t\n"
	"/brokers/topics/t\t{\"version\":2,\"partitions\":{\"0\":[1,2,3]},\"adding_replicas\":{},\"removing_replicas\":{}}\n"
	"/brokers/topics/t/partitions/0/state\t{\"controller_epoch\":7,\"leader\":1,\"version\":1,\"leader_epoch\":5,\"isr\":[1,2,3]}\n"
	"/admin/delete_topics\t\n"
	"/cluster/id\t{\"version\":\"1\",\"id\":\"Zml4dHVyZS1jbHVzdGVyLQ\"}\n";

struct stage *stage_new(void)
{
	struct stage *st = mem_zalloc(sizeof(*st));

	st->fx = fixture_new();
	st->ds = deletions_new();
	st->epoch = 7;
	fixture_load_text(st->fx, tree);
	for (int32_t id = 1; id <= 4; id++)
		stage_up(st, id);
	for (int32_t id = 1; id <= 4; id++) {
		char line[64];

		str_printf(line, sizeof(line), "link %d up\n", id);
		stage_said(st, line);
		stage_holds(st, id, id < 4 ? 1000 * id : -1);
	}
	stage_rest(st, 60000);
	for (int32_t id = 1; id <= 4; id++)
		stage_holds(st, id, id < 4 ? 1000 * id : -1);
	return st;
}

static void drop_list(struct stage *st)
{
	witness_free(&st->list[0]);
	witness_free(&st->list[1]);
	witness_free(&st->list[2]);
}

void stage_free(struct stage **pp)
{
	struct stage *st = *pp;

	drop_list(st);
	witness_free(&st->other);
	deletions_free(&st->ds);
	fixture_free(&st->fx);
	mem_free(pp);
}

/* ---- what happens --------------------------------------------------------------------- */

void stage_mark(struct stage *st)
{
	static const char *const names[] = { "t", NULL };

	fixture_children(st->fx, "/admin/delete_topics", names);
	fixture_znode(st->fx, "/admin/delete_topics/t", "");
}

void stage_unmark(struct stage *st)
{
	static const char *const none[] = { NULL };

	fixture_children(st->fx, "/admin/delete_topics", none);
}

void stage_state(struct stage *st, int32_t leader, const char *isr, int32_t epoch)
{
	char data[256];

	str_printf(data, sizeof(data), "{\"controller_epoch\":%d,\"leader\":%d,\"version\":1,\"leader_epoch\":8,\"isr\":[%s]}", epoch, leader, isr);
	fixture_znode(st->fx, "/brokers/topics/t/partitions/0/state", data);
}

void stage_pass(struct stage *st)
{
	stage_state(st, -1, "1", st->epoch);
}

void stage_assign(struct stage *st, const char *adding, const char *removing)
{
	char data[256];

	str_printf(data, sizeof(data), "{\"version\":2,\"partitions\":{\"0\":[1,2,3]},\"adding_replicas\":{\"0\":[%s]},\"removing_replicas\":{\"0\":[%s]}}",
		adding, removing);
	fixture_znode(st->fx, "/brokers/topics/t", data);
}

void stage_said(struct stage *st, const char *lines)
{
	fixture_said(st->fx, lines);
}

static void tell(struct stage *st, int32_t broker, const char *bad, int64_t size)
{
	char lines[512], holds[64];

	str_printf(holds, sizeof(holds), "holds t 0 size=%lld\n", (long long)size);
	str_printf(lines, sizeof(lines), "dir /d1%s\n%sdir /d2%s\ndisks %d\n", bad != NULL && strcmp(bad, "/d1") == 0 ? " error=56" : "", size >= 0 ? holds : "",
		bad != NULL && strcmp(bad, "/d2") == 0 ? " error=56" : "", broker);
	stage_said(st, lines);
}

void stage_holds(struct stage *st, int32_t broker, int64_t size)
{
	tell(st, broker, NULL, size);
}

void stage_bad_dir(struct stage *st, int32_t broker, const char *bad, int64_t size)
{
	tell(st, broker, bad, size);
}

void stage_all_gone(struct stage *st)
{
	for (int32_t id = 1; id <= 3; id++)
		if (st->up & (1u << id))
			stage_holds(st, id, -1);
}

static void list_brokers(struct stage *st)
{
	static const char *const words[] = { "1", "2", "3", "4" };
	const char *names[5] = { NULL };
	size_t n = 0;

	for (size_t i = 0; i < 4; i++)
		if (st->up & (2u << i))
			names[n++] = words[i];
	fixture_children(st->fx, "/brokers/ids", names);
}

static void put_broker(struct stage *st, int32_t broker)
{
	char path[64], data[320];

	str_printf(path, sizeof(path), "/brokers/ids/%d", broker);
	str_printf(data, sizeof(data), "{\"listener_security_protocol_map\":{\"PLAINTEXT\":\"PLAINTEXT\"},\"endpoints\":[\"PLAINTEXT://b%d.example:9092\"],"
		"\"jmx_port\":-1,\"port\":9092,\"host\":\"b.example\",\"version\":5,\"timestamp\":\"1700000000000\",\"features\":{}}", broker);
	fixture_znode(st->fx, path, data);
}

void stage_down(struct stage *st, int32_t broker)
{
	st->up &= ~(1u << broker);
	list_brokers(st);
}

void stage_up(struct stage *st, int32_t broker)
{
	if (st->up & (1u << broker))
		stage_down(st, broker);
	st->up |= 1u << broker;
	list_brokers(st);
	put_broker(st, broker);
}

void stage_elect(struct stage *st, int32_t broker)
{
	char data[128];

	str_printf(data, sizeof(data), "{\"version\":1,\"brokerid\":%d,\"timestamp\":\"1700000000000\"}", broker);
	fixture_znode(st->fx, "/controller", NULL);
	fixture_znode(st->fx, "/controller", data);
	st->epoch++;
	str_printf(data, sizeof(data), "%d", st->epoch);
	fixture_znode(st->fx, "/controller_epoch", data);
}

void stage_no_controller(struct stage *st)
{
	fixture_znode(st->fx, "/controller", NULL);
}

void stage_rest(struct stage *st, int64_t ms)
{
	st->fx->at += ms;
}

/* ---- what is told ----------------------------------------------------------------------- */

static void take_witness(struct stage *st)
{
	const struct witness *wi = cluster_witness_find(fixture_cluster(st->fx), "t");
	size_t n = 0;

	drop_list(st);
	if (st->other != NULL && strcmp(st->other->topic, "t") < 0)
		st->list[n++] = witness_copy(st->other);
	if (wi != NULL) {
		struct witness *own = witness_copy(wi);

		if (st->ctrl != KNOW_UNKNOWN) {
			own->ctrl_lists = st->ctrl;
			own->ctrl_polls = 3;
			own->ctrl_epoch = st->epoch;
		}
		if (st->edit != NULL)
			st->edit(own);
		st->list[n++] = own;
	}
	if (st->other != NULL && strcmp(st->other->topic, "t") > 0)
		st->list[n++] = witness_copy(st->other);
	st->cl = *fixture_cluster(st->fx);
	st->cl.witnesses = st->list;
	st->cl.n_witnesses = n;
}

void stage_turn(struct stage *st)
{
	take_witness(st);
	deletions_update(st->ds, &st->cl, NULL, (mono_ms){ 1 + st->fx->at }, fixture_now(st->fx));
}

const struct deletion *stage_look(struct stage *st)
{
	stage_turn(st);
	st->de = deletions_find(st->ds, "t");
	assert(st->de != NULL);
	return st->de;
}

static const struct deletion_replica *replica(struct stage *st, int32_t broker)
{
	stage_look(st);
	for (size_t i = 0; i < st->de->n_replicas; i++)
		if (st->de->replicas[i].broker == broker && st->de->replicas[i].partition == 0)
			return &st->de->replicas[i];
	assert(!"no such replica");
	return NULL;
}

const char *stage_replica(struct stage *st, int32_t broker)
{
	static char text[128];
	const struct deletion_replica *dr = replica(st, broker);

	str_printf(text, sizeof(text), "%s %s %s %s %s", dr->rule, deletion_phase_name((enum deletion_phase)dr->phase),
		certainty_name((enum certainty)dr->phase_certainty), rsm_state_short((enum rsm_state)dr->state), certainty_name((enum certainty)dr->certainty));
	return text;
}

const char *stage_evidence(struct stage *st, int32_t broker)
{
	return replica(st, broker)->evidence;
}

const char *stage_topic(struct stage *st)
{
	static char text[512];
	struct strbuf sb;

	stage_look(st);
	strbuf_init(&sb);
	strbuf_printf(&sb, "%s %s %s", st->de->rule, deletion_state_name(st->de->state), certainty_name((enum certainty)st->de->certainty));
	for (size_t i = 0; i < st->de->n_blockers; i++) {
		const struct deletion_blocker *bl = &st->de->blockers[i];

		strbuf_printf(&sb, "%s %s", i > 0 ? "," : ":", blocker_kind_name(bl->kind));
		if (bl->broker != BROKER_NONE)
			strbuf_printf(&sb, " %d", bl->broker);
		if (bl->log_dir != NULL)
			strbuf_printf(&sb, " %s", bl->log_dir);
		strbuf_printf(&sb, " %s", certainty_name((enum certainty)bl->certainty));
	}
	str_printf(text, sizeof(text), "%s", sb.s);
	strbuf_fini(&sb);
	return text;
}
