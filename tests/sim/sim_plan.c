/* SPDX-License-Identifier: Apache-2.0 */
/* What happens in a run: made of a seed, or read from a file, line by line; and how each thing is done to the world. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/sim.h"

/* ---- the actions ------------------------------------------------------------------------------------------------ */

static const struct { const char *name; uint8_t n_args, weight; } actions[SIM_DOS] = {
#define SIM_DO(id, name, n_args, weight) [SIM_DO_##id] = { name, n_args, weight },
#include "tests/sim/actions.def"
};

/* ---- made of a seed ------------------------------------------------------------------------------------------------ */

static uint64_t roll(uint64_t *state, uint64_t n)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (z ^ (z >> 31)) % n;
}

static enum sim_do choose(uint64_t *rnd)
{
	uint64_t sum = 0, at;
	int i = 0;

	for (int k = 0; k < SIM_DOS; k++)
		sum += actions[k].weight;
	for (at = roll(rnd, sum); at >= actions[i].weight; i++)
		at -= actions[i].weight;
	return (enum sim_do)i;
}

static void choose_args(uint64_t *rnd, struct sim_action *ac)
{
	ac->a = 1 + (int32_t)roll(rnd, SIM_BROKERS);
	ac->b = (int32_t)roll(rnd, SIM_DIRS);
	switch (ac->what) {
	case SIM_DO_MARK:
	case SIM_DO_UNMARK:
	case SIM_DO_CHILD:
	case SIM_DO_CREATE:
		ac->a = (int32_t)roll(rnd, SIM_TOPICS);
		break;
	case SIM_DO_MOVE:
		ac->a = (int32_t)roll(rnd, SIM_TOPICS);
		ac->b = (int32_t)roll(rnd, SIM_PARTS);
		break;
	case SIM_DO_DELETE:
	case SIM_DO_DELETE_MARK:
		ac->a = 1 + (int32_t)roll(rnd, (1u << SIM_TOPICS) - 1);
		break;
	case SIM_DO_SESSION:
	case SIM_DO_SLOW_ZK:
		ac->a = 200 + (int32_t)roll(rnd, 8000);
		break;
	case SIM_DO_SLOW_BROKER:
		ac->b = 1000 + (int32_t)roll(rnd, 15000);
		break;
	default:
		break;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct sim_action *x = a, *y = b;

	return x->at != y->at ? (x->at > y->at ? 1 : -1) : (x->what > y->what) - (x->what < y->what);
}

void sim_plan_make(struct sim_plan *pl, uint64_t seed, unsigned steps)
{
	uint64_t rnd = seed ^ UINT64_C(0x5851f42d4c957f2d);
	int64_t end = (int64_t)steps * 120;

	*pl = (struct sim_plan){ .seed = seed, .steps = steps };
	pl->n = 3 + roll(&rnd, 9);
	if (pl->n > 3 && steps > 1000)
		pl->n = SIM_ACTIONS < steps / 100 ? SIM_ACTIONS : pl->n + steps / 200;
	for (size_t i = 0; i < pl->n; i++) {
		struct sim_action *ac = &pl->v[i];

		/* Without a deletion there is little to see. */
		ac->what = i == 0 ? (roll(&rnd, 2) ? SIM_DO_DELETE : SIM_DO_MARK) : choose(&rnd);
		ac->at = 300 + (int64_t)roll(&rnd, (uint64_t)(i == 0 ? end / 3 : end));
		choose_args(&rnd, ac);
	}
	qsort(pl->v, pl->n, sizeof(pl->v[0]), by_time);
}

/* ---- as text ------------------------------------------------------------------------------------------------------------ */

void sim_plan_print(const struct sim_plan *pl, struct strbuf *out)
{
	strbuf_printf(out, "seed %llu\nsteps %u\n", (unsigned long long)pl->seed, pl->steps);
	for (size_t i = 0; i < pl->n; i++) {
		const struct sim_action *ac = &pl->v[i];

		strbuf_printf(out, "at %lld %s", (long long)ac->at, actions[ac->what].name);
		if (actions[ac->what].n_args > 0)
			strbuf_printf(out, " %d", ac->a);
		if (actions[ac->what].n_args > 1)
			strbuf_printf(out, " %d", ac->b);
		strbuf_putc(out, '\n');
	}
}

static bool read_action(struct sim_plan *pl, const char *line)
{
	struct sim_action ac = { 0 };
	char name[32];
	long long at;
	int n = sscanf(line, "at %lld %31s %d %d", &at, name, &ac.a, &ac.b), what = 0;

	while (n >= 2 && what < SIM_DOS && strcmp(actions[what].name, name) != 0)
		what++;
	if (n < 2 || what == SIM_DOS || n - 2 != actions[what].n_args || at < 0 || pl->n == SIM_ACTIONS)
		return false;
	ac.at = at;
	ac.what = (enum sim_do)what;
	pl->v[pl->n++] = ac;
	return true;
}

static bool read_line(struct sim_plan *pl, const char *line)
{
	unsigned long long seed;

	if (*line == '\0' || *line == '#')
		return true;
	if (sscanf(line, "seed %llu", &seed) == 1) {
		pl->seed = seed;
		return true;
	}
	return sscanf(line, "steps %u", &pl->steps) == 1 || read_action(pl, line);
}

bool sim_plan_read(struct sim_plan *pl, const char *text, char *why, size_t size)
{
	char line[256];

	*pl = (struct sim_plan){ .steps = 200 };
	while (*text != '\0') {
		size_t n = strcspn(text, "\n");

		if (!str_copyn(line, sizeof(line), text, n) || !read_line(pl, line)) {
			str_printf(why, size, "not understood: %.80s", line);
			return false;
		}
		text += n + (text[n] == '\n');
	}
	return true;
}

/* ---- done to the world ------------------------------------------------------------------------------------------------------ */

static bool is_broker(const struct sim *si, int32_t id)
{
	return id >= 1 && id <= si->n_brokers;
}

static void marker_path(char out[SIM_PATH], int topic)
{
	str_printf(out, SIM_PATH, "/admin/delete_topics/%s", sim_name(topic));
}

static void do_marker(struct sim *si, const struct sim_action *ac)
{
	char path[SIM_PATH];

	if (ac->a < 0 || ac->a >= si->n_topics)
		return;
	marker_path(path, ac->a);
	if (ac->what == SIM_DO_MARK && sim_zk_find(si, path) == NULL && si->node[ac->a].is_known)
		sim_zk_put(si, path, "", 0);
	else if (ac->what == SIM_DO_UNMARK)
		sim_zk_remove(si, path);
	if (ac->what != SIM_DO_CHILD || sim_zk_find(si, path) == NULL)
		return;
	str_printf(path, sizeof(path), "/admin/delete_topics/%s/child", sim_name(ac->a));
	sim_zk_put(si, path, "", 0);
}

static void session_back(struct sim *si, int64_t session, int64_t b, void *p)
{
	(void)b;
	(void)p;
	if (si->zk.is_up || si->zk.session != (uint32_t)session)
		return;
	sim_zk_session(si, true);
	sim_console_session(si, true);
}

static void lose_session(struct sim *si, int64_t ms)
{
	if (!si->zk.is_up)
		return;
	sim_zk_session(si, false);
	sim_console_session(si, false);
	sim_after(si, ms, session_back, si->zk.session, 0, NULL);
}

static void restart_console(struct sim *si, bool with_memory)
{
	sim_zk_session(si, false);
	sim_console_begin(si, with_memory);
	sim_after(si, 200, session_back, si->zk.session, 0, NULL);
}

static void do_broker(struct sim *si, const struct sim_action *ac)
{
	bool is_dir = ac->b >= 0 && ac->b < si->n_dirs;

	if (!is_broker(si, ac->a))
		return;
	switch (ac->what) {
	case SIM_DO_KILL: sim_broker_kill(si, ac->a); break;
	case SIM_DO_STOP: sim_broker_stop(si, ac->a); break;
	case SIM_DO_START: sim_broker_start(si, ac->a); break;
	case SIM_DO_FREEZE: sim_broker_freeze(si, ac->a); break;
	case SIM_DO_THAW: sim_broker_thaw(si, ac->a); break;
	case SIM_DO_BLOCK_DELETES: si->b[ac->a].deletes = false; break;
	case SIM_DO_SLOW_BROKER: si->b[ac->a].slow_until = si->now + ac->b; break;
	case SIM_DO_BREAK_DIR:
		if (is_dir)
			sim_broker_break_dir(si, ac->a, ac->b);
		break;
	case SIM_DO_MEND_DIR:
		if (is_dir)
			si->b[ac->a].is_broken[ac->b] = false;
		break;
	default:
		if (is_dir)
			si->b[ac->a].to_drop[ac->b] = true;
		break;
	}
}

void sim_do(struct sim *si, const struct sim_action *ac)
{
	sim_say(si, "do: %s %d %d", actions[ac->what].name, ac->a, ac->b);
	switch (ac->what) {
	case SIM_DO_MARK:
	case SIM_DO_UNMARK:
	case SIM_DO_CHILD: do_marker(si, ac); break;
	case SIM_DO_MARK_NOTHING:
		if (sim_zk_find(si, "/admin/delete_topics/nothing") == NULL)
			sim_zk_put(si, "/admin/delete_topics/nothing", "", 0);
		break;
	case SIM_DO_DELETE:
	case SIM_DO_DELETE_MARK: sim_console_delete(si, (uint8_t)ac->a, ac->what == SIM_DO_DELETE_MARK); break;
	case SIM_DO_CREATE:
		if (ac->a >= 0 && ac->a < SIM_TOPICS)
			sim_topic_create(si, ac->a, true);
		break;
	case SIM_DO_MOVE:
		if (ac->a >= 0 && ac->a < si->n_topics && ac->b >= 0 && ac->b < SIM_PARTS && si->ctl.is_active) {
			struct sim_todo td = { .what = SIM_EV_MOVE, .a = ac->a * 8 + ac->b, .b = 1 + (int32_t)sim_below(si, (uint32_t)si->n_brokers) };

			sim_controller_push(si, &td);
		}
		break;
	case SIM_DO_ELECT: sim_controller_gone(si); break;
	case SIM_DO_CONSOLE_ELECT: sim_console_move_controller(si); break;
	case SIM_DO_SESSION: lose_session(si, ac->a); break;
	case SIM_DO_SLOW_ZK: si->zk.slow_until = si->now + ac->a; break;
	case SIM_DO_RESTART:
	case SIM_DO_FORGET: restart_console(si, ac->what == SIM_DO_RESTART); break;
	case SIM_DO_JOURNAL: sim_console_journal_fails(si, ac->a); break;
	default: do_broker(si, ac); break;
	}
}

/* ---- the end of all faults ------------------------------------------------------------------------------------------------------- */

static void start(struct sim *si, int64_t id, int64_t b, void *p)
{
	(void)b;
	(void)p;
	sim_broker_start(si, (int32_t)id);
}

static void bounce(struct sim *si, int64_t id, int64_t b, void *p)
{
	(void)b;
	(void)p;
	sim_broker_stop(si, (int32_t)id);
	sim_after(si, 1000, start, id, 0, NULL);
	si->is_bounced |= id == si->n_brokers;
}

static void remove_children(struct sim *si)
{
	char path[SIM_PATH];
	bool has_one = false;

	for (int t = 0; t < SIM_TOPICS; t++) {
		str_printf(path, sizeof(path), "/admin/delete_topics/%s/child", sim_name(t));
		has_one |= sim_zk_remove(si, path);
	}
	if (has_one)
		sim_controller_gone(si);
}

/* In one run of four every broker is started anew after a while: that moves on what nothing else does. */
void sim_heal(struct sim *si)
{
	si->zk.slow_until = 0;
	for (int id = 1; id <= si->n_brokers; id++) {
		struct sim_broker *br = &si->b[id];
		bool is_hurt = br->is_offline[0] || br->is_offline[1] || br->is_dropped[0] || br->is_dropped[1];

		memset(br->is_broken, 0, sizeof(br->is_broken));
		memset(br->to_drop, 0, sizeof(br->to_drop));
		br->slow_until = 0;
		sim_broker_thaw(si, id);
		if (is_hurt)
			sim_broker_stop(si, id);
		sim_after(si, 500, start, id, 0, NULL);
		if (si->plan.seed % 4 == 0)
			sim_after(si, 40000 + 8000 * id, bounce, id, 0, NULL);
	}
	remove_children(si);
}
