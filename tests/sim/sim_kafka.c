/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The console's connections to brokers, as io/kclient holds them: whom io/kpolls wants asked, and when, and what is told of a connection that fails or falls silent. Answers of two brokers overtake each other, and ZooKeeper's.
 */
#include <string.h>

#include "base/mem.h"
#include "core/metadata.h"
#include "tests/sim/sim_console.h"

enum { HOT_MS = 30000, SILENT_MS = 5000 };

static void pump(struct sim *si);

static struct sim_links *links(const struct sim *si)
{
	return &si->con->li;
}

bool sim_links_is_up(const struct sim *si, int32_t broker)
{
	return si->con != NULL && links(si)->v[broker].state == LINK_UP;
}

/* ---- what is told of connections ------------------------------------------------------------------------------------ */

static void tell_link(struct sim *si, int32_t id)
{
	const struct sim_link *ln = &links(si)->v[id];
	struct link_info li = { .state = ln->state, .tries = ln->tries, .latency = 3 };

	li.last_answer.ms = ln->last_answer != 0 ? 100000 + ln->last_answer : 0;
	str_printf(li.address, sizeof(li.address), "b%d.example:9092", id);
	if (ln->state != LINK_UP || ln->is_silent)
		str_printf(li.error, sizeof(li.error), "%s", ln->error);
	sim_console_event(si, event_link(id, &li, sim_mono(si), sim_wall(si)));
}

static void set_state(struct sim *si, int32_t id, enum link_state state)
{
	struct sim_link *ln = &links(si)->v[id];

	ln->state = (uint8_t)state;
	ln->is_silent = false;
	ln->since = si->now;
	tell_link(si, id);
}

static void give_up(struct sim *si, int32_t id, unsigned kinds)
{
	if (kinds & (1u << KPOLL_DISKS))
		sim_console_event(si, event_of_broker(EV_DISKS, id, "it can't be reached", sim_mono(si), sim_wall(si)));
	if (kinds & (1u << KPOLL_SETTINGS))
		sim_console_event(si, event_of_broker(EV_BROKER_SETTINGS, id, "it can't be reached", sim_mono(si), sim_wall(si)));
}

static void fail(struct sim *si, int32_t id, const char *why)
{
	struct sim_links *li = links(si);
	struct sim_link *ln = &li->v[id];
	unsigned given;

	ln->wants_back |= ln->state == LINK_UP;
	if (ln->state == LINK_UP && si->now - ln->up_at >= 30000)
		ln->backoff = 0;
	ln->conn++;
	str_printf(ln->error, sizeof(ln->error), "%s", why);
	ln->retry_at = si->now + kpolls_retry(li->polls, &ln->backoff, false);
	given = kpolls_link(li->polls, id, KPOLLS_LINK_FAILED, sim_mono(si));
	set_state(si, id, LINK_FAILED);
	give_up(si, id, given);
}

void sim_links_lost(struct sim *si, int32_t broker)
{
	struct sim_link *ln;

	if (si->con == NULL)
		return;
	ln = &links(si)->v[broker];
	if (ln->state == LINK_UP || ln->state == LINK_CONNECTING) {
		fail(si, broker, "connection reset");
		pump(si);
	}
}

/* ---- connecting --------------------------------------------------------------------------------------------------------- */

static bool is_current(const struct sim *si, const struct sim_ask *as)
{
	return si->con != NULL && si->con->no == as->from && links(si)->v[as->broker].conn == as->conn;
}

static void again(struct sim *si, int64_t ms, sim_fn fn, const struct sim_ask *as)
{
	sim_after(si, ms, fn, 0, 0, mem_dup(as, sizeof(*as)));
}

/* A frozen broker's port takes connections, and nothing answers there. */
static void connected(struct sim *si, int64_t a, int64_t b, void *p)
{
	struct sim_ask *as = p;
	struct sim_broker *br = &si->b[as->broker];
	struct sim_link *ln;

	(void)a;
	(void)b;
	if (!is_current(si, as))
		return;
	ln = &links(si)->v[as->broker];
	if (!br->is_running || br->czxid == 0) {
		fail(si, as->broker, "connection refused");
	} else if (!br->is_frozen) {
		ln->tries = 0;
		ln->wants_back = false;
		ln->up_at = si->now;
		kpolls_link(links(si)->polls, as->broker, KPOLLS_LINK_UP, sim_mono(si));
		set_state(si, as->broker, LINK_UP);
	} else if (si->now - as->asked >= SIM_REQUEST_MS) {
		fail(si, as->broker, "no answer");
	} else {
		again(si, 1000, connected, as);
		return;
	}
	pump(si);
}

static void connect_to(struct sim *si, int32_t id)
{
	struct sim_link *ln = &links(si)->v[id];
	struct sim_ask as = { .broker = id, .asked = si->now, .from = si->con->no };

	ln->tries++;
	as.conn = ++ln->conn;
	set_state(si, id, LINK_CONNECTING);
	again(si, sim_between(si, 2, 12), connected, &as);
}

/* ---- questions -------------------------------------------------------------------------------------------------------------------- */

/* How old what it tells is. */
static void note_reading(struct sim *si, const struct sim_ask *as)
{
	struct sim_links *li = links(si);
	struct sim_reading *rd = as->kind == KPOLL_DISKS ? &li->disks[as->broker] : as->kind == KPOLL_QUEUED ? &li->word : NULL;

	if (rd == NULL)
		return;
	/* The first of a row of questions has no reading before it. */
	rd->before = as->kind == KPOLL_QUEUED && as->made - rd->last > 12000 ? as->made : rd->last;
	rd->last = as->made;
}

static void arrived(struct sim *si, int64_t slot, int64_t b, void *p)
{
	struct sim_ask *as = p;
	struct sim_links *li = si->con != NULL ? links(si) : NULL;
	struct sim_link *ln;
	struct event *ev;

	(void)b;
	if (li == NULL || si->con->no != as->from)
		return;
	ev = li->answers[slot];
	li->answers[slot] = NULL;
	if (!is_current(si, as)) {
		event_free(&ev);
		return;
	}
	ln = &li->v[as->broker];
	ln->last_answer = si->now;
	ln->is_silent = false;
	if (ev == NULL) {
		kpolls_not_controller(li->polls, as->broker, sim_mono(si));
		pump(si);
		return;
	}
	note_reading(si, as);
	ev->seen = sim_mono(si);
	ev->seen_wall = sim_wall(si);
	if (ev->kind == EV_METADATA)
		kpolls_controller(li->polls, ev->u.metadata->md.controller);
	kpolls_answered(li->polls, as->kind, as->broker, 200, false, sim_mono(si));
	sim_console_event(si, ev);
	if (si->now - ln->since >= 5000) {
		ln->since = si->now;
		tell_link(si, as->broker);
	}
	pump(si);
}

static size_t free_slot(struct sim *si)
{
	for (size_t i = 0; i < SIM_ANSWERS; i++)
		if (links(si)->answers[i] == NULL)
			return i;
	sim_fail(si, "simulator: too many answers");
	return 0;
}

static void taken(struct sim *si, int64_t a, int64_t b, void *p)
{
	struct sim_ask *as = p;
	struct sim_broker *br = &si->b[as->broker];
	struct sim_link *ln;
	size_t slot;

	(void)a;
	(void)b;
	if (!is_current(si, as))
		return;
	ln = &links(si)->v[as->broker];
	if (br->is_running && !br->is_frozen) {
		int64_t late = si->now < br->slow_until ? sim_between(si, 300, 4000) : 0;

		as->made = si->now;
		slot = free_slot(si);
		links(si)->answers[slot] = sim_answer(si, br, as);
		sim_after(si, sim_between(si, 1, 15) + late, arrived, (int64_t)slot, 0, mem_dup(as, sizeof(*as)));
	} else if (si->now - as->asked >= SIM_REQUEST_MS) {
		fail(si, as->broker, "no answer in time");
		pump(si);
	} else {
		if (!ln->is_silent && si->now - as->asked >= SILENT_MS) {
			ln->is_silent = true;
			str_printf(ln->error, sizeof(ln->error), "no answer for 5s");
			tell_link(si, as->broker);
		}
		again(si, 1000, taken, as);
	}
}

static void ask(struct sim *si, enum kpoll kind, int32_t id)
{
	struct sim_ask as = { .kind = kind, .broker = id, .conn = links(si)->v[id].conn, .asked = si->now, .from = si->con->no };
	const struct cluster *cl = model_cluster(si->con->md);

	for (size_t i = 0; kind == KPOLL_QUEUED && i < cl->n_witnesses && as.n_names < SIM_ASK_NAMES; i++)
		if (witness_is_live(cl->witnesses[i]) && strlen(cl->witnesses[i]->topic) < sizeof(as.names[0]))
			str_printf(as.names[as.n_names++], sizeof(as.names[0]), "%s", cl->witnesses[i]->topic);
	again(si, sim_between(si, 1, 5), taken, &as);
}

/* ---- the loop ------------------------------------------------------------------------------------------------------------------------ */

static bool is_wanted(const struct sim *si, int32_t id)
{
	const struct sim_link *ln = &links(si)->v[id];

	return ln->is_listed && (ln->state == LINK_NONE || ln->state == LINK_FAILED) &&
		(kpolls_needs(links(si)->polls, id, sim_mono(si)) || ln->wants_back);
}

static void wake(struct sim *si, int64_t no, int64_t from, void *p)
{
	(void)p;
	if (si->con != NULL && si->con->no == from && links(si)->wake == (uint32_t)no)
		pump(si);
}

static void sleep_until_due(struct sim *si)
{
	struct sim_links *li = links(si);
	int64_t at = kpolls_deadline(li->polls, sim_mono(si)).ms;

	at = at != 0 ? at - 100000 : INT64_MAX;
	for (int id = 1; id <= si->n_brokers; id++)
		if (is_wanted(si, id) && li->v[id].retry_at < at)
			at = li->v[id].retry_at;
	li->wake++;
	if (at < INT64_MAX)
		sim_after(si, at > si->now ? at - si->now : 1, wake, li->wake, si->con->no, NULL);
}

static void settle_first(struct sim *si)
{
	struct sim_links *li = links(si);
	unsigned given = kpolls_give_up(li->polls);

	if (given & (1u << KPOLL_METADATA))
		sim_console_event(si, event_of_broker(EV_METADATA, BROKER_NONE, "nobody can be reached", sim_mono(si), sim_wall(si)));
	if (given & (1u << KPOLL_REASSIGNING))
		sim_console_event(si, event_of_broker(EV_REASSIGNING, BROKER_NONE, "nobody can be reached", sim_mono(si), sim_wall(si)));
	if (li->is_asked || !kpolls_is_first_over(li->polls))
		return;
	li->is_asked = true;
	sim_console_event(si, event_of_broker(EV_BROKERS_ASKED, BROKER_NONE, NULL, sim_mono(si), sim_wall(si)));
}

static void pump(struct sim *si)
{
	struct sim_links *li = links(si);
	enum kpoll kind;
	int32_t id;

	for (id = 1; id <= si->n_brokers; id++)
		if (is_wanted(si, id) && si->now >= li->v[id].retry_at)
			connect_to(si, id);
	while (kpolls_next(li->polls, sim_mono(si), &kind, &id))
		ask(si, kind, id);
	settle_first(si);
	sleep_until_due(si);
}

/* ---- what the model learns, told to the connections (app/session_live.c, app/session_queue.c) ---------------------------------------------- */

static bool brokers_are_read(const struct cluster *cl)
{
	if (cl->broker_ids_fact.source != SOURCE_ZOOKEEPER || !cluster_brokers_are_known(cl))
		return false;
	for (size_t i = 0; i < cl->n_brokers; i++)
		if (cl->brokers[i]->up && cl->brokers[i]->reg.know == KNOW_UNKNOWN)
			return false;
	return true;
}

static void part_with(struct sim *si, int32_t id)
{
	struct sim_link *ln = &links(si)->v[id];
	bool was_there = ln->state != LINK_NONE;

	kpolls_link(links(si)->polls, id, KPOLLS_LINK_NONE, sim_mono(si));
	ln->conn++;
	if (was_there)
		set_state(si, id, LINK_NONE);
	*ln = (struct sim_link){ .conn = ln->conn };
}

static void tell_brokers(struct sim *si, const struct cluster *cl)
{
	struct sim_links *li = links(si);
	int32_t ids[SIM_BROKERS];
	bool is_listed[SIM_BROKERS + 1] = { false };
	size_t n = 0;
	char text[64] = "";

	for (size_t i = 0; i < cl->n_brokers; i++) {
		const struct broker *br = cl->brokers[i];

		if (br->up && br->reg.know == KNOW_PRESENT && br->id >= 1 && br->id <= SIM_BROKERS) {
			is_listed[br->id] = true;
			ids[n++] = br->id;
			str_printf(text + strlen(text), sizeof(text) - strlen(text), "%d ", br->id);
		}
	}
	if (strcmp(text, li->told) == 0)
		return;
	str_printf(li->told, sizeof(li->told), "%s", text);
	for (int32_t id = 1; id <= si->n_brokers; id++) {
		if (li->v[id].is_listed && !is_listed[id])
			part_with(si, id);
		li->v[id].is_listed = is_listed[id];
	}
	kpolls_brokers(li->polls, ids, n, sim_mono(si));
}

static mono_ms hot_until(const struct sim *si, wall_ms since)
{
	int64_t left = since.ms + HOT_MS - sim_wall(si).ms;

	return (mono_ms){ left <= 0 ? 0 : sim_mono(si).ms + (left < HOT_MS ? left : HOT_MS) };
}

static void tell_queue(struct sim *si, const struct cluster *cl)
{
	struct kpolls_host hosts[SIM_BROKERS];
	size_t n = 0, n_topics = 0;
	mono_ms hot = { 0 };
	bool is_known = cl->controller_fact.know == KNOW_PRESENT && cl->controller_fact.source == SOURCE_ZOOKEEPER;

	for (int32_t id = 1; id <= si->n_brokers; id++) {
		mono_ms until = { 0 };
		bool is_host = false;

		for (size_t i = 0; i < cl->n_witnesses; i++) {
			const struct witness *wi = cl->witnesses[i];
			mono_ms at = hot_until(si, wi->changed);

			for (size_t k = 0; witness_is_live(wi) && k < wi->n_replicas; k++)
				if (wi->replicas[k].broker == id) {
					is_host = true;
					until = at.ms > until.ms ? at : until;
				}
		}
		if (is_host)
			hosts[n++] = (struct kpolls_host){ id, until };
	}
	for (size_t i = 0; i < cl->n_witnesses; i++)
		if (witness_is_live(cl->witnesses[i])) {
			mono_ms at = hot_until(si, cl->witnesses[i]->first_seen);

			n_topics++;
			hot = at.ms > hot.ms ? at : hot;
		}
	kpolls_queued(links(si)->polls, n_topics > 0, hot, is_known ? cl->controller.broker : BROKER_NONE, hosts, n);
}

void sim_links_turn(struct sim *si, uint32_t bits)
{
	const struct cluster *cl = model_cluster(si->con->md);

	if ((bits & CHG_BROKERS) && brokers_are_read(cl))
		tell_brokers(si, cl);
	tell_queue(si, cl);
	pump(si);
}

/* ---- life ------------------------------------------------------------------------------------------------------------------------------------- */

void sim_links_begin(struct sim *si)
{
	unsigned kinds = 1u << KPOLL_METADATA | 1u << KPOLL_QUEUED | 1u << KPOLL_REASSIGNING | 1u << KPOLL_DISKS | 1u << KPOLL_SETTINGS;

	links(si)->polls = kpolls_new(&kpolls_times_usual, kinds, false, si->plan.seed + (uint64_t)si->now);
	for (int id = 1; id <= si->n_brokers; id++)
		links(si)->disks[id].last = links(si)->disks[id].before = si->now;
	links(si)->word.last = links(si)->word.before = si->now;
}

void sim_links_end(struct sim *si)
{
	for (size_t i = 0; i < SIM_ANSWERS; i++)
		event_free(&links(si)->answers[i]);
	kpolls_free(&links(si)->polls);
}

/* What is told may be as old as the reading and the one before. */
int64_t sim_links_told_at(const struct sim *si, int32_t broker)
{
	const struct sim_links *li = &si->con->li;

	if (broker >= 1 && sim_broker_works(&si->b[broker]) && li->disks[broker].before < li->word.before)
		return li->disks[broker].before;
	return li->word.before;
}
