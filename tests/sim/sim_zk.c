/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ensemble: a tree with one-shot watches, which hold what ZooKeeper promises: a session's requests are served in their order, its answers
 * and firings come in the order in which they were made, a change before the firing for it.
 */
#include <string.h>

#include "base/mem.h"
#include "core/event.h"
#include "io/zk_watch.h"
#include "tests/sim/sim.h"

/* ---- towards the console ------------------------------------------------------------------------------ */

static void arrive(struct sim *si, int64_t session, int64_t b, void *p)
{
	struct sim_zk *zk = &si->zk;

	(void)b;
	if (!zk->is_up || (uint32_t)session != zk->session)
		return;
	zk->n_out--;
	sim_console_zk_answer(si, p);
}

/* On its way; it arrives after what was sent before. */
static void send(struct sim *si, const struct sim_message *ms)
{
	struct sim_zk *zk = &si->zk;
	int64_t late = si->now < zk->slow_until ? sim_between(si, 200, 1500) : 0, at = si->now + sim_between(si, 1, 6) + late;

	if (at < zk->last_out)
		at = zk->last_out;
	zk->last_out = at;
	zk->n_out++;
	sim_after(si, at - si->now, arrive, zk->session, 0, mem_dup(ms, sizeof(*ms)));
}

static void fire(struct sim *si, const char *path, bool is_of_children)
{
	struct sim_zk *zk = &si->zk;

	for (size_t i = 0; i < zk->n_watches; i++) {
		struct sim_message ms = { .is_firing = true };

		if (zk->watches[i].is_of_children != is_of_children || strcmp(zk->watches[i].path, path) != 0)
			continue;
		str_printf(ms.path, sizeof(ms.path), "%s", path);
		zk->watches[i] = zk->watches[--zk->n_watches];
		send(si, &ms);
		return;
	}
}

static void watch(struct sim *si, const char *path, bool is_of_children)
{
	struct sim_zk *zk = &si->zk;

	for (size_t i = 0; i < zk->n_watches; i++)
		if (zk->watches[i].is_of_children == is_of_children && strcmp(zk->watches[i].path, path) == 0)
			return;
	if (zk->n_watches == sizeof(zk->watches) / sizeof(zk->watches[0])) {
		sim_fail(si, "simulator: too many watches");
		return;
	}
	zk->watches[zk->n_watches].is_of_children = is_of_children;
	str_printf(zk->watches[zk->n_watches++].path, SIM_PATH, "%s", path);
}

/* ---- the tree -------------------------------------------------------------------------------------------- */

struct sim_znode *sim_zk_find(struct sim *si, const char *path)
{
	for (size_t i = 0; i < si->zk.n; i++)
		if (strcmp(si->zk.v[i].path, path) == 0)
			return &si->zk.v[i];
	return NULL;
}

static void parent_of(const char *path, char out[SIM_PATH])
{
	const char *end = strrchr(path, '/');

	str_printf(out, SIM_PATH, "%.*s", (int)(end - path), path);
}

/* Whoever watches the list, the controller among them. */
static void children_changed(struct sim *si, const char *path, int change)
{
	char parent[SIM_PATH];
	struct sim_znode *zn;

	parent_of(path, parent);
	zn = sim_zk_find(si, parent);
	if (zn != NULL) {
		zn->stat.cversion++;
		zn->stat.n_children += change;
	}
	fire(si, parent, true);
	if (strcmp(parent, "/brokers/ids") == 0)
		sim_controller_zk_changed(si, SIM_EV_BROKERS);
	else if (strcmp(parent, "/brokers/topics") == 0)
		sim_controller_zk_changed(si, SIM_EV_TOPICS);
	else if (strcmp(parent, "/admin/delete_topics") == 0)
		sim_controller_zk_changed(si, SIM_EV_MARKERS);
}

static wall_ms zk_clock(const struct sim *si)
{
	return (wall_ms){ SIM_WALL_0 + si->now + si->skew };
}

void sim_zk_put(struct sim *si, const char *path, const char *data, int32_t owner)
{
	struct sim_znode *zn = sim_zk_find(si, path);
	bool is_new = zn == NULL;

	if (is_new && si->zk.n == SIM_ZNODES) {
		sim_fail(si, "simulator: too many znodes");
		return;
	}
	if (is_new) {
		zn = &si->zk.v[si->zk.n++];
		memset(zn, 0, sizeof(*zn));
		str_printf(zn->path, sizeof(zn->path), "%s", path);
		zn->stat.czxid = si->zk.zxid + 1;
		zn->stat.ctime = zk_clock(si);
		zn->stat.ephemeral_owner = owner != 0 ? 1000 + owner : 0;
		zn->owner = owner;
	} else {
		zn->stat.version++;
	}
	str_printf(zn->data, sizeof(zn->data), "%s", data);
	zn->stat.mzxid = ++si->zk.zxid;
	zn->stat.mtime = zk_clock(si);
	sim_say(si, "zk %s %s %s", is_new ? "create" : "set", path, data);
	fire(si, path, false);
	if (is_new)
		children_changed(si, path, 1);
}

bool sim_zk_remove(struct sim *si, const char *path)
{
	struct sim_znode *zn = sim_zk_find(si, path);
	char names[SIM_NAMES][40];

	if (zn == NULL || sim_zk_children(si, path, names) > 0)
		return false;
	*zn = si->zk.v[--si->zk.n];
	si->zk.zxid++;
	sim_say(si, "zk delete %s", path);
	fire(si, path, false);
	fire(si, path, true);
	children_changed(si, path, -1);
	return true;
}

/* Of /brokers/topics the topics alone: what stands deeper has longer paths. */
size_t sim_zk_children(struct sim *si, const char *path, char names[SIM_NAMES][40])
{
	size_t len = strlen(path), n = 0;

	for (size_t i = 0; i < si->zk.n && n < SIM_NAMES; i++) {
		const char *name = si->zk.v[i].path + len + 1;

		if (strncmp(si->zk.v[i].path, path, len) == 0 && si->zk.v[i].path[len] == '/' && strchr(name, '/') == NULL)
			str_printf(names[n++], 40, "%s", name);
	}
	return n;
}

bool sim_zk_has_marker(struct sim *si, int topic)
{
	char path[SIM_PATH];

	str_printf(path, sizeof(path), "/admin/delete_topics/%s", sim_name(topic));
	return sim_zk_find(si, path) != NULL;
}

void sim_zk_begin(struct sim *si)
{
	static const char *const lists[] = { "/brokers/ids", "/brokers/topics", "/admin/delete_topics", "/config/topics", "/config/brokers",
		"/config/changes", "/brokers", "/admin", "/config" };

	si->zk.zxid = 100;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		sim_zk_put(si, lists[i], "", 0);
	sim_zk_put(si, "/cluster/id", "{\"version\":\"1\",\"id\":\"c2ltdWxhdGVkLWNsdXN0ZQ\"}", 0);
}

/* ---- reads ------------------------------------------------------------------------------------------------ */

/* What is wrong on purpose with what the console is told. */
static void break_list(struct sim *si, struct sim_message *ms, const char *path)
{
	bool is_ids = si->broken == SIM_BROKEN_IDS && strcmp(path, "/brokers/ids") == 0;
	bool is_topics = si->broken == SIM_BROKEN_TOPICS && strcmp(path, "/brokers/topics") == 0;
	bool is_markers = si->broken == SIM_BROKEN_LOSS && strcmp(path, "/admin/delete_topics") == 0;

	if (ms->n_names > 0 && si->now > SIM_BROKEN_MS && (is_ids || is_topics))
		ms->n_names--;
	if (is_markers && si->now > SIM_BROKEN_MS)
		ms->n_names = 0;
}

static void break_data(const struct sim *si, struct sim_message *ms, const char *path)
{
	if (si->broken == SIM_BROKEN_STATE && str_ends(path, "/state") && si->now > SIM_BROKEN_MS)
		str_printf(ms->data, sizeof(ms->data), "{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":9,\"isr\":[1]}");
}

static void fill(struct sim *si, struct sim_message *ms, const char *path)
{
	struct sim_znode *zn = sim_zk_find(si, path);

	ms->rc = zn != NULL ? ZNODE_OK : ZNODE_ABSENT;
	if (zn == NULL)
		return;
	ms->has_stat = true;
	ms->stat = zn->stat;
	memcpy(ms->data, zn->data, sizeof(ms->data));
	if (ms->how != WREAD_CHILDREN)
		break_data(si, ms, path);
	if (ms->how == WREAD_CHILDREN) {
		ms->n_names = sim_zk_children(si, path, ms->names);
		break_list(si, ms, path);
	}
}

/* The server takes it: the watch stands from here. */
static void serve(struct sim *si, int64_t session, int64_t b, void *p)
{
	struct sim_message *ms = p;
	struct sim_zk *zk = &si->zk;

	(void)b;
	if (!zk->is_up || (uint32_t)session != zk->session)
		return;
	zk->n_out--;
	fill(si, ms, ms->path);
	if (ms->how == WREAD_EXISTS || ms->rc == ZNODE_OK)
		watch(si, ms->path, ms->how == WREAD_CHILDREN);
	send(si, ms);
}

bool sim_zk_read(struct sim *si, uint8_t how, const char *path, void *token)
{
	struct sim_zk *zk = &si->zk;
	struct sim_message *ms;
	int64_t at = si->now + sim_between(si, 0, 4);

	if (!zk->is_up)
		return false;
	ms = mem_zalloc(sizeof(*ms));
	ms->how = how;
	ms->token = token;
	str_printf(ms->path, sizeof(ms->path), "%s", path);
	if (at < zk->last_in)
		at = zk->last_in;
	zk->last_in = at;
	zk->n_out++;
	sim_after(si, at - si->now, serve, zk->session, 0, ms);
	return true;
}

void sim_zk_session(struct sim *si, bool up)
{
	struct sim_zk *zk = &si->zk;

	zk->session++;
	zk->is_up = up;
	zk->n_watches = zk->n_out = 0;
	zk->last_in = zk->last_out = si->now;
}
