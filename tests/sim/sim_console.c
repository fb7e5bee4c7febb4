/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The console: events into the model, then a turn as app/session and the screens take it. ZooKeeper is read by io/zk_watch itself; what the gate sends is
 * counted and held against what the journal holds.
 */
#include "tests/sim/sim_console.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/command.h"
#include "core/metadata.h"
#include "core/witness.h"

/* ---- a turn ----------------------------------------------------------------------------------------------------- */

static void turn(struct sim *si, int64_t a, int64_t b, void *p);

static void turn_within(struct sim *si, int64_t ms)
{
	if (si->con->is_turn_due)
		return;
	si->con->is_turn_due = true;
	sim_after(si, ms, turn, 0, 0, NULL);
}

/* Time alone may change what is told. */
static void wake(struct sim *si, int64_t epoch, int64_t at, void *p)
{
	(void)p;
	if (si->con != NULL && si->con->no == epoch && at <= si->now)
		turn_within(si, 0);
}

static void look_at_one(struct sim_console *co)
{
	const struct deletion *de = deletions_count(co->ds) > 0 ? deletions_at(co->ds, 0) : NULL;
	char key[64];

	if (de == NULL) {
		vm_deletion_free(&co->vm_one);
		return;
	}
	str_printf(key, sizeof(key), "%s/%lld", de->topic, (long long)de->czxid);
	if (co->vm_one != NULL && strcmp(vm_deletion_key(co->vm_one), key) == 0)
		return;
	vm_deletion_free(&co->vm_one);
	co->vm_one = vm_deletion_new(model_cluster(co->md), key, -1);
	vm_deletion_resize(co->vm_one, 100);
}

static void update_views(struct sim *si, const struct changes *ch)
{
	struct sim_console *co = si->con;
	bool is_told = si->broken != SIM_BROKEN_VIEW || si->now < SIM_BROKEN_MS;

	vm_deletions_take(co->vm_list, co->ds);
	if (is_told) {
		vm_deletions_update(co->vm_list, ch, &co->qu, sim_view_clock(si));
		vm_topics_update(co->vm_topics, ch, &co->qu, sim_view_clock(si));
		vm_brokers_update(co->vm_brokers, ch, &co->qu, sim_view_clock(si));
	}
	look_at_one(co);
	if (co->vm_one != NULL) {
		vm_deletion_take(co->vm_one, co->ds);
		vm_deletion_update(co->vm_one, ch, sim_view_clock(si));
	}
}

static void turn(struct sim *si, int64_t a, int64_t b, void *p)
{
	struct sim_console *co = si->con;
	struct changes ch;
	dur_ms wait;

	(void)a;
	(void)b;
	(void)p;
	co->is_turn_due = false;
	co->shown_zk = si->zk.n_out == 0 ? si->now : si->zk.clean_at;
	for (int id = 0; id <= si->n_brokers; id++)
		co->shown_of[id] = sim_links_told_at(si, id);
	ch = model_changes(co->md);
	sim_links_turn(si, ch.bits);
	deletions_update(co->ds, model_cluster(co->md), &ch, sim_mono(si), sim_wall(si));
	deletions_update(co->whole, model_cluster(co->md), NULL, sim_mono(si), sim_wall(si));
	update_views(si, &ch);
	sim_check_views(si);
	model_changes_clear(co->md);
	wait = deletions_wait(co->ds, sim_mono(si));
	if (wait >= 0)
		sim_after(si, wait > 0 ? wait : 1, wake, co->no, si->now + wait, NULL);
}

/* ---- events -------------------------------------------------------------------------------------------------------- */

/* io/memory hands over what it has as soon as it is known whose it is. */
static void remember(struct sim_console *co)
{
	for (size_t i = 0; i < co->n_kept; i++)
		model_remember(co->md, co->kept[i]);
	co->n_kept = 0;
}

void sim_console_event(struct sim *si, struct event *ev)
{
	bool is_id = ev->kind == EV_CLUSTER_ID && ev->know == KNOW_PRESENT;

	sim_say(si, "event (%zu on the way) %s %d %s", si->zk.n_out, event_kind_name((enum event_kind)ev->kind), ev->id, ev->name != NULL ? ev->name : "");
	model_apply(si->con->md, ev);
	if (is_id && si->con->n_kept > 0)
		remember(si->con);
	sim_check_model(si);
	turn_within(si, sim_below(si, 3) == 0 ? sim_between(si, 1, 30) : 0);
}

/* ---- ZooKeeper ---------------------------------------------------------------------------------------------------------- */

static bool op_read(void *ctx, enum wread how, const char *path, struct wpath *token)
{
	return sim_zk_read(ctx, (uint8_t)how, path, token);
}

static void op_emit(void *ctx, struct event *ev)
{
	sim_console_event(ctx, ev);
}

static mono_ms op_mono(void *ctx)
{
	return sim_mono(ctx);
}

static wall_ms op_wall(void *ctx)
{
	return sim_wall(ctx);
}

static bool op_is_full(void *ctx)
{
	(void)ctx;
	return false;
}

static const struct zk_watch_ops ops = { op_read, op_emit, op_mono, op_wall, op_is_full };

void sim_console_zk_answer(struct sim *si, const struct sim_message *ms)
{
	const char *names[SIM_NAMES];
	bool is_list = ms->how == WREAD_CHILDREN && ms->rc == ZNODE_OK;

	if (ms->is_firing) {
		zk_watch_fired(si->con->w, ms->path);
		return;
	}
	for (size_t i = 0; i < ms->n_names; i++)
		names[i] = ms->names[i];
	zk_watch_answer(si->con->w, ms->token, (enum wread)ms->how, (enum znode_rc)ms->rc, NULL, is_list ? NULL : ms->data,
		is_list ? 0 : strlen(ms->data), is_list ? names : NULL, ms->n_names, ms->has_stat ? &ms->stat : NULL);
}

static void tell_conn(struct sim *si, enum conn_state state)
{
	struct conn_info ci = { .state = (uint8_t)state, .latency = 2, .session_timeout = 10000, .last_answer = sim_mono(si) };

	if (state == CONN_UP)
		ci.session_id = 0x1234;
	else if (si->con->epoch > 1)
		ci.loss = CONN_LOSS_EXPIRED;
	str_printf(ci.server, sizeof(ci.server), "zk1.example:2181");
	sim_console_event(si, event_conn(si->con->epoch, sim_mono(si), sim_wall(si), &ci));
}

static void zk_tick(struct sim *si, int64_t epoch, int64_t from, void *p)
{
	(void)p;
	if (si->con == NULL || si->con->no != from || si->con->epoch != (uint32_t)epoch || si->con->w == NULL)
		return;
	zk_watch_tick(si->con->w);
	sim_after(si, 5000, zk_tick, epoch, from, NULL);
}

void sim_console_session(struct sim *si, bool up)
{
	struct sim_console *co = si->con;

	sim_say(si, "console: session %s", up ? "up" : "lost");
	zk_watch_free(&co->w);
	if (!up) {
		tell_conn(si, CONN_CONNECTING);
		return;
	}
	co->epoch++;
	tell_conn(si, CONN_UP);
	co->w = zk_watch_new(&ops, si, co->epoch, 64, false, false);
	zk_watch_start(co->w);
	sim_after(si, 5000, zk_tick, co->epoch, co->no, NULL);
}

/* ---- life ------------------------------------------------------------------------------------------------------------------ */

static void begin_views(struct sim_console *co)
{
	const struct cluster *cl = model_cluster(co->md);

	query_init(&co->qu);
	co->vm_list = vm_deletions_new(cl);
	co->vm_topics = vm_topics_new(cl);
	co->vm_brokers = vm_brokers_new(cl);
}

void sim_console_begin(struct sim *si, bool with_memory)
{
	struct sim_console *old = si->con, *co = mem_zalloc(sizeof(*co));

	if (old != NULL && with_memory) {
		const struct cluster *cl = model_cluster(old->md);

		for (size_t i = 0; i < cl->n_witnesses && co->n_kept < SIM_KEPT; i++)
			co->kept[co->n_kept++] = witness_copy(cl->witnesses[i]);
	}
	sim_console_end(si);
	si->con = co;
	co->no = ++si->consoles;
	co->md = model_new();
	co->ds = deletions_new();
	co->whole = deletions_new();
	begin_views(co);
	sim_links_begin(si);
	sim_gate_begin(si);
}

void sim_console_end(struct sim *si)
{
	struct sim_console *co = si->con;

	if (co == NULL)
		return;
	sim_gate_end(si);
	sim_links_end(si);
	vm_deletion_free(&co->vm_one);
	vm_deletions_free(&co->vm_list);
	vm_topics_free(&co->vm_topics);
	vm_brokers_free(&co->vm_brokers);
	zk_watch_free(&co->w);
	deletions_free(&co->ds);
	deletions_free(&co->whole);
	model_free(&co->md);
	for (size_t i = 0; i < co->n_kept; i++)
		witness_free(&co->kept[i]);
	mem_free(&co->told);
	mem_free(&si->con);
}
