/* SPDX-License-Identifier: Apache-2.0 */
/* The clock, chance, and a run: events one by one, checks after each. */
#include "tests/sim/sim.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

/* ---- chance, splitmix64 -------------------------------------------------------------------------------- */

static uint64_t next(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

uint32_t sim_below(struct sim *si, uint32_t n)
{
	return n > 0 ? (uint32_t)(next(&si->rnd) % n) : 0;
}

int64_t sim_between(struct sim *si, int64_t lo, int64_t hi)
{
	return lo + (int64_t)sim_below(si, (uint32_t)(hi - lo + 1));
}

/* ---- time ------------------------------------------------------------------------------------------------ */

mono_ms sim_mono(const struct sim *si)
{
	return (mono_ms){ 100000 + si->now };
}

wall_ms sim_wall(const struct sim *si)
{
	return (wall_ms){ SIM_WALL_0 + si->now };
}

wall_ms sim_view_clock(const struct sim *si)
{
	return (wall_ms){ sim_wall(si).ms / 1000 * 1000 };
}

void sim_after(struct sim *si, int64_t ms, sim_fn fn, int64_t a, int64_t b, void *p)
{
	if (si->n_timers == SIM_TIMERS) {
		sim_fail(si, "simulator: too many timers");
		mem_free(&p);
		return;
	}
	si->timers[si->n_timers++] = (struct sim_timer){ .at = si->now + ms, .no = ++si->timer_no, .fn = fn, .a = a, .b = b, .p = p };
}

/* The next one by time, then in the order in which they were set. */
static bool step(struct sim *si)
{
	struct sim_timer ti;
	size_t best = 0;

	if (si->n_timers == 0)
		return false;
	for (size_t i = 1; i < si->n_timers; i++)
		if (si->timers[i].at < si->timers[best].at || (si->timers[i].at == si->timers[best].at && si->timers[i].no < si->timers[best].no))
			best = i;
	ti = si->timers[best];
	si->timers[best] = si->timers[--si->n_timers];
	si->now = ti.at;
	ti.fn(si, ti.a, ti.b, ti.p);
	mem_free(&ti.p);
	return true;
}

/* ---- words ------------------------------------------------------------------------------------------------ */

static const char *const names[SIM_TOPICS] = { "t0", "t1", "t2" };

const char *sim_name(int topic)
{
	return names[topic];
}

int sim_topic_of(const char *name)
{
	for (int i = 0; i < SIM_TOPICS; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

void sim_fail(struct sim *si, const char *fmt, ...)
{
	va_list ap;

	if (si->has_failed)
		return;
	si->has_failed = true;
	va_start(ap, fmt);
	vsnprintf(si->failure, sizeof(si->failure), fmt, ap);
	va_end(ap);
	sim_say(si, "FAILED: %s", si->failure);
}

void sim_say(struct sim *si, const char *fmt, ...)
{
	va_list ap;

	if (si->tape == NULL)
		return;
	strbuf_printf(si->tape, "%7lld ", (long long)si->now);
	va_start(ap, fmt);
	strbuf_vprintf(si->tape, fmt, ap);
	va_end(ap);
	strbuf_putc(si->tape, '\n');
}

/* ---- a run -------------------------------------------------------------------------------------------------- */

static void act(struct sim *si, int64_t i, int64_t b, void *p)
{
	(void)b;
	(void)p;
	if (!si->is_healing)
		sim_do(si, &si->plan.v[i]);
}

static void choose_cluster(struct sim *si)
{
	si->n_brokers = 2 + (int)sim_below(si, 3);
	si->n_dirs = 1 + (int)(sim_below(si, 4) > 0);
	si->n_topics = 1 + (int)sim_below(si, SIM_TOPICS);
	si->is_25 = sim_below(si, 3) == 0;
	si->is_31 = !si->is_25 && sim_below(si, 2) == 0;
	si->leader_writes_isr = si->is_25 || sim_below(si, 3) == 0;
	si->is_slow_controller = sim_below(si, 5) == 0;
	si->skew = sim_below(si, 4) == 0 ? sim_between(si, -400, 400) : 0;
}

/* A cluster that works, before the console looks at it. */
static void begin(struct sim *si)
{
	choose_cluster(si);
	sim_zk_begin(si);
	for (int id = 1; id <= si->n_brokers; id++) {
		si->b[id].id = id;
		si->b[id].deletes = sim_below(si, 12) > 0;
		si->b[id].controller = BROKER_NONE;
		sim_broker_start(si, id);
	}
	while (si->now < 1500 && step(si))
		;
	for (int t = 0; t < si->n_topics; t++)
		sim_topic_create(si, t, false);
	while (si->now < 4000 && step(si))
		;
	sim_console_begin(si, false);
	sim_zk_session(si, true);
	sim_console_session(si, true);
	for (size_t i = 0; i < si->plan.n; i++)
		sim_after(si, si->plan.v[i].at, act, (int64_t)i, 0, NULL);
}

static void check(struct sim *si)
{
	sim_truth_take(si);
	if (si->zk.n_out == 0)
		si->zk.clean_at = si->now;
	sim_check_claims(si);
}

/* Until `end`, or so many events. */
static void go(struct sim *si, int64_t end, unsigned steps)
{
	unsigned n = 0;

	while (!si->has_failed && si->now < end && n < steps && step(si)) {
		n++;
		check(si);
		if (si->stats != NULL)
			si->stats->steps++;
	}
}

static void finish(struct sim *si)
{
	sim_console_end(si);
	for (size_t i = 0; i < si->n_timers; i++)
		mem_free(&si->timers[i].p);
}

enum { HEAL_MS = 150000 };

bool sim_run(const struct sim_plan *pl, enum sim_broken broken, char *failure, size_t size, struct strbuf *tape, struct sim_stats *stats)
{
	struct sim *si = mem_zalloc(sizeof(*si));
	bool ok;

	si->plan = *pl;
	si->broken = broken;
	si->rnd = pl->seed * UINT64_C(0xd1342543de82ef95) + 1;
	si->tape = tape;
	si->stats = stats;
	begin(si);
	go(si, INT64_MAX, pl->steps);
	if (!si->has_failed) {
		sim_say(si, "the faults end");
		si->is_healing = true;
		sim_heal(si);
		go(si, si->now + HEAL_MS, UINT32_MAX);
	}
	if (!si->has_failed)
		sim_check_ends(si);
	finish(si);
	ok = !si->has_failed;
	if (!ok)
		str_printf(failure, size, "%s", si->failure);
	mem_free(&si);
	return ok;
}
