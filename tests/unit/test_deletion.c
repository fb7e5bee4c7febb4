/* SPDX-License-Identifier: Apache-2.0 */
/*
 * core/deletion, the list: looking where something changed tells what looking everywhere does, whatever comes in whatever order; the wait; names.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "tests/unit/fixture_deletion.h"

enum { TOPICS = 4, PARTS = 2, BROKERS = 4, STEPS = 6000 };

static uint64_t rng;

static uint32_t roll(uint32_t n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (uint32_t)(rng >> 11) % n;
}

/* ---- a cluster in which this and that happens ---------------------------------------------------- */

/* Some of PREFIX0, PREFIX1, ...; all of them `sure` times out of ten. */
static void list_some(struct fixture *fx, const char *path, const char *prefix, uint32_t first, uint32_t n, uint32_t sure)
{
	char names[8][16];
	const char *v[9] = { NULL };
	size_t at = 0;
	bool is_all = roll(10) < sure;

	for (uint32_t i = 0; i < n; i++) {
		if (!is_all && roll(2) != 0)
			continue;
		str_printf(names[at], sizeof(names[at]), "%s%u", prefix, first + i);
		v[at] = names[at];
		at++;
	}
	fixture_children(fx, path, v);
}

static void put_broker(struct fixture *fx)
{
	char path[64];

	str_printf(path, sizeof(path), "/brokers/ids/%u", 1 + roll(BROKERS));
	fixture_znode(fx, path, "{\"listener_security_protocol_map\":{\"P\":\"PLAINTEXT\"},\"endpoints\":[\"P://b:9092\"],"
		"\"jmx_port\":-1,\"port\":1,\"host\":\"h\",\"version\":4,\"timestamp\":\"1\"}");
}

static void put_topic(struct fixture *fx)
{
	static const char *const datas[] = {
		"{\"version\":2,\"partitions\":{\"0\":[1,2],\"1\":[2,3]}}",
		"{\"version\":2,\"partitions\":{\"0\":[3,1,2],\"1\":[2,3]},\"adding_replicas\":{\"0\":[3]},\"removing_replicas\":{\"0\":[1]}}",
		"{\"version\":2,\"partitions\":{\"0\":[4],\"1\":[1]}}",
	};
	char path[64];

	str_printf(path, sizeof(path), "/brokers/topics/t%u", roll(TOPICS));
	if (roll(12) == 0)
		fixture_unreadable(fx, path, "no permission to read it");
	else
		fixture_znode(fx, path, roll(12) ? datas[roll(3)] : NULL);
}

static void put_state(struct fixture *fx)
{
	char path[96], data[128];

	str_printf(path, sizeof(path), "/brokers/topics/t%u/partitions/%u/state", roll(TOPICS), roll(PARTS));
	str_printf(data, sizeof(data), "{\"controller_epoch\":%u,\"leader\":%d,\"version\":1,\"leader_epoch\":3,\"isr\":[%s]}", 1 + roll(3),
		roll(3) ? -1 : (int)(1 + roll(3)), roll(3) ? "1" : "1,2");
	fixture_znode(fx, path, roll(8) ? data : NULL);
}

static void put_controller(struct fixture *fx)
{
	static uint32_t epoch = 1;
	char data[96];

	str_printf(data, sizeof(data), "{\"version\":1,\"brokerid\":%u,\"timestamp\":\"1\"}", 1 + roll(BROKERS));
	fixture_znode(fx, "/controller", roll(4) ? data : NULL);
	epoch += roll(2);
	str_printf(data, sizeof(data), "%u", epoch);
	fixture_znode(fx, "/controller_epoch", data);
}

static void tell_disks(struct fixture *fx)
{
	struct strbuf sb;

	strbuf_init(&sb);
	for (int d = 1; d <= 2; d++) {
		strbuf_printf(&sb, "dir /d%d%s\n", d, roll(8) ? "" : " error=56");
		for (uint32_t t = 0; t < TOPICS; t++)
			if (roll(3) == 0)
				strbuf_printf(&sb, "holds t%u %u size=%u%s\n", t, roll(PARTS), roll(3) * 100, roll(8) ? "" : " future");
	}
	strbuf_printf(&sb, "disks %u\n", 1 + roll(BROKERS));
	fixture_said(fx, sb.s);
	strbuf_fini(&sb);
}

static void tell_other(struct fixture *fx)
{
	char line[256];

	switch (roll(4)) {
	case 0: str_printf(line, sizeof(line), "link %u %s\n", 1 + roll(BROKERS), roll(2) ? "up" : "failed timed-out"); break;
	case 1: str_printf(line, sizeof(line), "refuses-disks %u\n", 1 + roll(BROKERS)); break;
	case 2: str_printf(line, sizeof(line), "settings %u delete.topic.enable=%s\n", 1 + roll(BROKERS), roll(2) ? "true" : "false"); break;
	default:
		str_printf(line, sizeof(line), "lives 1 2 3 4\nsays-unknown t%u\nmetadata %u some controller=%u\n", roll(TOPICS), 1 + roll(BROKERS), 1 + roll(BROKERS));
		break;
	}
	fixture_said(fx, line);
}

static void step(struct fixture *fx)
{
	char path[64];

	switch (roll(16)) {
	case 0: list_some(fx, "/brokers/ids", "", 1, BROKERS, 4); break;
	case 1:
	case 2: put_broker(fx); break;
	case 3: list_some(fx, "/brokers/topics", "t", 0, TOPICS, 6); break;
	case 4: put_topic(fx); break;
	case 5:
	case 6: put_state(fx); break;
	case 7: list_some(fx, "/admin/delete_topics", "t", 0, TOPICS, 5); break;
	case 8:
		str_printf(path, sizeof(path), "/admin/delete_topics/t%u", roll(TOPICS));
		fixture_znode(fx, path, "");
		break;
	case 9: put_controller(fx); break;
	case 10:
	case 11:
	case 12: tell_disks(fx); break;
	case 13:
		if (roll(10) == 0) {
			fixture_new_epoch(fx);
			fixture_loaded(fx);
		}
		break;
	case 14: fx->at += roll(40000); break;
	default: tell_other(fx); break;
	}
}

/* ---- both lists ------------------------------------------------------------------------------------- */

static void print_deletion(struct strbuf *sb, const struct deletion *de)
{
	strbuf_printf(sb, "%s/%" PRId64 " %s %s %s why=%s next=%s act=%s acts=%u left=%" PRId64 " orphans=%d free=%" PRId64 " ended=%" PRId64 "\n", de->topic, de->czxid,
		de->rule, deletion_state_name(de->state), certainty_name((enum certainty)de->certainty), de->why, de->next, de->act, de->acts, de->bytes_left,
		de->orphans, de->space_free_at.ms, de->ended_at.ms);
	for (size_t i = 0; i < de->n_replicas; i++) {
		const struct deletion_replica *dr = &de->replicas[i];

		strbuf_printf(sb, "  %d %d %s %s %s %s %s %s %s\n", dr->partition, dr->broker, dr->rule, deletion_phase_name((enum deletion_phase)dr->phase),
			certainty_name((enum certainty)dr->phase_certainty), rsm_state_name((enum rsm_state)dr->state),
			certainty_name((enum certainty)dr->certainty), dr->dir != NULL ? dr->dir : "-", dr->evidence);
	}
	for (size_t i = 0; i < de->n_blockers; i++)
		strbuf_printf(sb, "  %s %s %d %u %s\n", blocker_kind_name(de->blockers[i].kind), certainty_name((enum certainty)de->blockers[i].certainty),
			de->blockers[i].broker, de->blockers[i].n_replicas, de->blockers[i].text);
	for (size_t i = 0; i < de->n_attempts; i++)
		strbuf_printf(sb, "  %s: %s\n", de->attempts[i].trigger, de->attempts[i].outcome != NULL ? de->attempts[i].outcome : "-");
}

static char *print_all(const struct deletions *ds)
{
	struct strbuf sb;

	strbuf_init(&sb);
	for (size_t i = 0; i < deletions_count(ds); i++)
		print_deletion(&sb, deletions_at(ds, i));
	return strbuf_take(&sb);
}

/* What must hold of whatever is told. */
static void assert_sound(const struct deletion *de)
{
	uint32_t n = 0;

	for (int ph = 0; ph < PHASES; ph++)
		n += de->n_by_phase[ph];
	assert_int_equal(n, de->n_replicas);
	assert_non_null(de->rule);
	assert_non_null(de->why);
	assert_true(deletion_state_is_end(de->state) || de->next[0] != '\0');
	assert_true(!deletion_state_is_end(de->state) || (de->n_blockers == 0 && de->why[0] == '\0'));
	assert_true((de->n_blockers > 0) == (de->why[0] != '\0'));
	assert_true(de->state != DELETION_WAITING || de->n_blockers > 0);
	for (size_t i = 0; i < de->n_replicas; i++) {
		assert_true(de->replicas[i].evidence[0] != '\0');
		assert_true(de->replicas[i].phase != PHASE_UNKNOWN || de->replicas[i].phase_certainty == CERTAINTY_NONE);
		assert_true(de->replicas[i].state != RSM_UNKNOWN || de->replicas[i].certainty == CERTAINTY_NONE);
	}
}

static void looking_where_something_changed_tells_what_looking_everywhere_does(void **state)
{
	struct fixture *fx = fixture_new();
	struct deletions *some = deletions_new(), *all = deletions_new();
	char *before = mem_strdup("");
	size_t most = 0;

	rng = UINT64_C(88172645463325252);
	for (int i = 0; i < STEPS; i++) {
		struct changes ch;
		mono_ms mono;
		bool differs;
		char *a, *b;

		step(fx);
		mono = (mono_ms){ 1 + fx->at };
		ch = model_changes(fx->md);
		differs = deletions_update(some, fixture_cluster(fx), &ch, mono, fixture_now(fx));
		model_changes_clear(fx->md);
		deletions_update(all, fixture_cluster(fx), NULL, mono, fixture_now(fx));
		a = print_all(some);
		b = print_all(all);
		if (strcmp(a, b) != 0) {
			size_t at = 0;

			while (a[at] == b[at])
				at++;
			at = at > 80 ? at - 80 : 0;
			print_message("step %d, bits %x: '%.160s' and '%.160s'\n", i, ch.bits, a + at, b + at);
		}
		assert_string_equal(a, b);
		assert_true(differs || strcmp(a, before) == 0);
		for (size_t j = 0; j < deletions_count(some); j++)
			assert_sound(deletions_at(some, j));
		if (deletions_count(some) > most)
			most = deletions_count(some);
		mem_free(&before);
		mem_free(&b);
		before = a;
	}
	assert_true(most > TOPICS);
	mem_free(&before);
	deletions_free(&some);
	deletions_free(&all);
	fixture_free(&fx);
}

/* ---- time ------------------------------------------------------------------------------------------------ */

static void time_alone_changes_what_is_told_when_it_said_so(void **state)
{
	static const dur_ms steps[] = { 3000, 7000, 20000 }; /* asked, at rest, stuck */
	struct stage *st = stage_new();
	dur_ms wait;
	mono_ms then;

	assert_int_equal(deletions_wait(st->ds, (mono_ms){ 1 }), -1);
	stage_mark(st);
	stage_pass(st);
	stage_look(st);
	then = (mono_ms){ 1 + st->fx->at };
	wait = deletions_wait(st->ds, then);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		assert_true(wait > 0 && wait <= steps[i]);
		stage_rest(st, wait);
		assert_int_equal(deletions_wait(st->ds, (mono_ms){ 1 + st->fx->at }), 0);
		stage_look(st);
		wait = deletions_wait(st->ds, (mono_ms){ 1 + st->fx->at });
	}
	assert_int_equal(deletions_wait(st->ds, (mono_ms){ 1 + st->fx->at }), -1);
	stage_free(&st);
}

static void nothing_changed_is_told_so(void **state)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_look(st);
	assert_false(deletions_update(st->ds, &st->cl, NULL, (mono_ms){ 1 + st->fx->at }, fixture_now(st->fx)));
	stage_free(&st);
}

static void a_clock_of_zookeeper_that_is_ahead_makes_nothing_settled_too_soon(void **state)
{
	struct stage *st = stage_new();
	const struct deletion *de;

	stage_mark(st);
	stage_pass(st);
	stage_look(st);
	/* We are an hour behind. */
	deletions_free(&st->ds);
	st->ds = deletions_new();
	deletions_update(st->ds, &st->cl, NULL, (mono_ms){ 5000 }, (wall_ms){ fixture_now(st->fx).ms - 3600000 });
	de = deletions_find(st->ds, "t");
	assert_int_equal(de->state, DELETION_RUNNING);
	deletions_update(st->ds, &st->cl, NULL, (mono_ms){ 5000 + 31000 }, (wall_ms){ fixture_now(st->fx).ms - 3600000 + 31000 });
	de = deletions_find(st->ds, "t");
	assert_int_equal(de->state, DELETION_WAITING);
	stage_free(&st);
}

static void turn_at(struct stage *st, int64_t wall)
{
	deletions_free(&st->ds);
	st->ds = deletions_new();
	deletions_update(st->ds, &st->cl, NULL, (mono_ms){ 1 + st->fx->at }, (wall_ms){ wall });
}

/* Until then it can't be compared with what we saw. */
static void a_moment_ahead_of_our_clock_is_looked_at_again_when_it_has_come(void **state)
{
	struct stage *st = stage_new();

	stage_mark(st);
	stage_turn(st);
	turn_at(st, st->list[0]->marked.ms - 700);
	assert_int_equal(deletions_wait(st->ds, (mono_ms){ 1 + st->fx->at }), 700);
	stage_free(&st);
}

static void a_moment_just_ahead_of_our_clock_is_told_as_one_of_today(void **state)
{
	struct stage *st = stage_new();
	const struct deletion *de;

	stage_mark(st);
	stage_pass(st);
	stage_up(st, 3);
	stage_turn(st);
	turn_at(st, fixture_now(st->fx).ms - 1500);
	de = deletions_find(st->ds, "t");
	for (size_t i = 0; i < de->n_replicas; i++)
		assert_null(strchr(de->replicas[i].evidence, 'Z'));
	stage_free(&st);
}

/* ---- names ------------------------------------------------------------------------------------------------ */

static void names_are_those_of_the_batch_contract(void **state)
{
	assert_string_equal(deletion_state_name(DELETION_MARKER_REMOVED), "marker-removed");
	assert_string_equal(deletion_phase_name(PHASE_NOT_BEGUN), "not-begun");
	assert_string_equal(blocker_kind_name(BLOCKER_INELIGIBLE_LEFT_OVER), "ineligible-left-over");
	assert_string_equal(certainty_name(CERTAINTY_CERTAIN), "certain");
	assert_string_equal(rsm_state_name(RSM_DELETION_STARTED), "ReplicaDeletionStarted");
	assert_string_equal(rsm_state_short(RSM_DELETION_STARTED), "Started");
	for (int i = 0; i < DELETION_STATES; i++)
		assert_non_null(deletion_state_name((enum deletion_state)i));
	for (int i = 0; i < BLOCKER_KINDS; i++)
		assert_non_null(blocker_kind_name((enum blocker_kind)i));
	for (int i = 0; i < RSM_STATES; i++)
		assert_true(rsm_state_name((enum rsm_state)i) != NULL && rsm_state_short((enum rsm_state)i) != NULL);
	assert_false(deletion_state_is_end(DELETION_FINISHING));
	assert_true(deletion_state_is_end(DELETION_DONE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(looking_where_something_changed_tells_what_looking_everywhere_does),
		cmocka_unit_test(time_alone_changes_what_is_told_when_it_said_so),
		cmocka_unit_test(nothing_changed_is_told_so),
		cmocka_unit_test(a_clock_of_zookeeper_that_is_ahead_makes_nothing_settled_too_soon),
		cmocka_unit_test(a_moment_ahead_of_our_clock_is_looked_at_again_when_it_has_come),
		cmocka_unit_test(a_moment_just_ahead_of_our_clock_is_told_as_one_of_today),
		cmocka_unit_test(names_are_those_of_the_batch_contract),
	};

	return cmocka_run_group_tests_name("core/deletion", tests, NULL, NULL);
}
