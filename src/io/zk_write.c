/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The life of a change. [ui] puts it into the inbox → [owner] asks for what must be known first (the parent's access list; the version of
 * /controller_epoch) → [completion] asks on, makes the change → [completion] its answer is told. Between [owner] and the end it stands among
 * `out`: those that the library never answers, for it forgets them when it is closed, are told by [owner] when the handle is gone.
 * `is_sent` alone decides what is certain of a failure.
 */
#include "io/zk_write.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/ids.h"
#include "core/outcome.h"
#include "io/clock.h"
#include "io/zk_parts.h"

enum { CHANGE_MAGIC = 0x7a6b7731, PATH_SIZE = ZKCONNECT_CHROOT_MAX + ZKPATH_MAX };

#define MARKERS "/admin/delete_topics"
#define CONTROLLER "/controller"
#define EPOCH "/controller_epoch"

enum change_kind { CHANGE_MARK, CHANGE_MOVE };

struct zk_change {
	uint32_t magic;
	struct zk_change *next;
	struct zk_handle *h;    /* NULL in the inbox */
	uint8_t kind;           /* enum change_kind */
	bool is_sent;           /* the change itself is with the library */
	uint64_t id;
	char *name;             /* topic; "" */
	int64_t czxid;          /* of /controller */
	int32_t epoch_version;  /* of /controller_epoch */
	char path[PATH_SIZE], other[PATH_SIZE]; /* as the server has them: what is changed; what is looked at first */
	zoo_op_result_t results[2];
};

/* Under zk->lock. */
struct zk_write {
	struct zk_change *in, **in_end;
	struct zk_change *out;
};

/* ---- the end of one ---------------------------------------------------------------------------- */

static void change_free(struct zk_change **pp)
{
	(*pp)->magic = 0;
	mem_free(&(*pp)->name);
	mem_free(pp);
}

static void leave_out(struct zk *zk, struct zk_change *ch)
{
	struct zk_change **at = &zk->write->out;

	pthread_mutex_lock(&zk->lock);
	while (*at != NULL && *at != ch)
		at = &(*at)->next;
	if (*at == ch)
		*at = ch->next;
	pthread_mutex_unlock(&zk->lock);
}

static void tell(struct zk *zk, struct zk_change *ch, enum outcome_code code, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
static void tell(struct zk *zk, struct zk_change *ch, enum outcome_code code, const char *fmt, ...)
{
	struct outcome *oc = outcome_new(ch->id, 1);
	struct strbuf sb;
	va_list ap;

	leave_out(zk, ch);
	strbuf_init(&sb);
	va_start(ap, fmt);
	strbuf_vprintf(&sb, fmt, ap);
	va_end(ap);
	log_put(code == OUTCOME_DONE ? LOG_INFO : LOG_WARN, "zk_write", "request %llu: %s: %s", (unsigned long long)ch->id, ch->path, sb.s);
	oc->items[0] = (struct outcome_item){ .name = mem_strdup(ch->name), .code = (uint8_t)code, .text = strbuf_take(&sb) };
	strbuf_fini(&sb);
	zk_emit(zk, event_outcome(oc, clock_mono(), clock_wall()));
	change_free(&ch);
}

static void tell_unknown(struct zk *zk, struct zk_change *ch, const char *why)
{
	if (ch->kind == CHANGE_MARK)
		tell(zk, ch, OUTCOME_UNKNOWN, "sent, and no answer: %s; it was made, if " MARKERS "/%s is there, or the topic is gone", why, ch->name);
	else
		tell(zk, ch, OUTCOME_UNKNOWN, "sent, and no answer: %s; it was deleted, if " CONTROLLER " is another one now", why);
}

/* The session went, and whether the change was made with it. */
static void tell_lost(struct zk *zk, struct zk_change *ch)
{
	if (ch->is_sent)
		tell_unknown(zk, ch, "the session with ZooKeeper was lost");
	else
		tell(zk, ch, OUTCOME_REFUSED, "nothing was changed: the session with ZooKeeper was lost");
}

/* The library would not take a call: nothing left. */
static void tell_not_taken(struct zk *zk, struct zk_change *ch, int rc)
{
	tell(zk, ch, OUTCOME_REFUSED, "nothing was changed: ZooKeeper's client says \"%s\" (%d)", zerror(rc), rc);
}

/* What an answer says against it. What is none of the server's own codes may come from anywhere. */
static void tell_failed(struct zk *zk, struct zk_change *ch, int rc, const char *right)
{
	char why[160];

	if (zk_is_session_gone(rc)) {
		tell_lost(zk, ch);
	} else if (rc == ZNOAUTH) {
		tell(zk, ch, OUTCOME_REFUSED, "nothing was changed: no permission: %s is missing%s", right,
		     zk->opt.digest == NULL ? "; see --zk-auth" : " to the user of --zk-auth");
	} else if (rc == ZNOTREADONLY) {
		tell(zk, ch, OUTCOME_REFUSED, "nothing was changed: this ZooKeeper server has lost its quorum and is read-only");
	} else if (rc < ZAPIERROR || !ch->is_sent) {
		tell(zk, ch, OUTCOME_REFUSED, "nothing was changed: ZooKeeper answers \"%s\" (%d)", zerror(rc), rc);
	} else {
		str_printf(why, sizeof(why), "ZooKeeper's client says \"%s\" (%d)", zerror(rc), rc);
		tell_unknown(zk, ch, why);
	}
}

/* ---- steps ---------------------------------------------------------------------------------------- */

static struct zk_change *change_of(const void *data)
{
	/* The library carries a const pointer for us; the change behind it is ours. */
	struct zk_change *ch = (struct zk_change *)(uintptr_t)data;

	assert(ch->magic == CHANGE_MAGIC);
	return ch;
}

/* After a call that is to be answered: then the change may be over by now, and gone. */
static void called(struct zk_change *ch, int rc)
{
	struct zk_handle *h;

	if (rc == ZOK)
		return;
	h = ch->h;
	ch->is_sent = false;
	tell_not_taken(h->zk, ch, rc);
	zk_out_minus_one(h);
}

/* An answer to what was to be known first: false when it goes no further, which is told. */
static bool goes_on(struct zk_change *ch, int rc)
{
	struct zk_handle *h = ch->h;

	if (zk_answer_begins(h, rc))
		return true;
	tell_lost(h->zk, ch);
	return false;
}

/* ---- a marker --------------------------------------------------------------------------------------- */

static void on_created(int rc, const char *value, const void *data)
{
	struct zk_change *ch = change_of(data);
	struct zk_handle *h = ch->h;

	if (rc == ZOK)
		tell(h->zk, ch, OUTCOME_DONE, "marked for deletion in ZooKeeper");
	else if (rc == ZNODEEXISTS)
		tell(h->zk, ch, OUTCOME_DONE, "it was marked for deletion already");
	else if (rc == ZNONODE)
		tell(h->zk, ch, OUTCOME_REFUSED, "nothing was changed: " MARKERS " is not there");
	else
		tell_failed(h->zk, ch, rc, "the right c (create) on " MARKERS);
	zk_answer_begins(h, rc);
}

/* Who may not administrate a node sees digests as "user:x" (DataTree.getACL since ZooKeeper 3.5.6): a copy would shut everybody out. */
static bool is_whole(const struct ACL_vector *acl)
{
	for (int32_t i = 0; i < acl->count; i++)
		if (strcmp(acl->data[i].id.scheme, "digest") == 0 && str_ends(acl->data[i].id.id, ":x"))
			return false;
	return true;
}

static void on_acl(int rc, struct ACL_vector *acl, struct Stat *st, const void *data)
{
	struct zk_change *ch = change_of(data);
	struct zk_handle *h = ch->h;

	if (!goes_on(ch, rc))
		return;
	if (rc == ZNONODE) {
		tell(h->zk, ch, OUTCOME_REFUSED, "nothing was changed: " MARKERS " is not there: no broker has ever run here (is the chroot right?)");
	} else if (rc != ZOK) {
		tell_failed(h->zk, ch, rc, "a right to read the access list of " MARKERS ", which the marker is to have");
	} else if (!is_whole(acl)) {
		tell(h->zk, ch, OUTCOME_REFUSED, "nothing was changed: ZooKeeper hides a part of the access list of " MARKERS
		     ", which the marker is to have: the right a (admin) is missing");
	} else {
		ch->is_sent = true;
		atomic_fetch_add(&h->out, 1);
		called(ch, zoo_acreate(h->zh, ch->path, NULL, -1, acl, 0, on_created, ch));
	}
}

/* ---- the controller ------------------------------------------------------------------------------------ */

static void on_moved(int rc, const void *data)
{
	struct zk_change *ch = change_of(data);
	struct zk_handle *h = ch->h;

	if (rc == ZOK)
		tell(h->zk, ch, OUTCOME_DONE, CONTROLLER " is deleted: the brokers elect a controller");
	else if (rc == ZBADVERSION || rc == ZNONODE)
		tell(h->zk, ch, OUTCOME_REFUSED, "nothing was changed: another controller was elected meanwhile");
	else
		tell_failed(h->zk, ch, rc, "the right d (delete) on the node above " CONTROLLER ", or r (read) on " EPOCH ",");
	zk_answer_begins(h, rc);
}

static void move(struct zk_change *ch, int32_t version)
{
	struct zk_handle *h = ch->h;
	zoo_op_t ops[2];

	zoo_check_op_init(&ops[0], ch->other, ch->epoch_version);
	zoo_delete_op_init(&ops[1], ch->path, version);
	ch->is_sent = true;
	atomic_fetch_add(&h->out, 1);
	called(ch, zoo_amulti(h->zh, 2, ops, ch->results, on_moved, ch));
}

static void on_controller(int rc, const struct Stat *st, const void *data)
{
	struct zk_change *ch = change_of(data);
	struct zk_handle *h = ch->h;

	if (!goes_on(ch, rc))
		return;
	if (rc == ZNONODE)
		tell(h->zk, ch, OUTCOME_REFUSED, "nothing was changed: there is no controller at present");
	else if (rc != ZOK)
		tell_failed(h->zk, ch, rc, "a right on " CONTROLLER);
	else if (st->czxid != ch->czxid)
		tell(h->zk, ch, OUTCOME_REFUSED, "nothing was changed: another controller was elected meanwhile");
	else
		move(ch, st->version);
}

/* First the version that each election raises, then who was elected: an election after either is noticed. */
static void on_epoch(int rc, const struct Stat *st, const void *data)
{
	struct zk_change *ch = change_of(data);
	struct zk_handle *h = ch->h;

	if (!goes_on(ch, rc))
		return;
	if (rc == ZNONODE) {
		tell(h->zk, ch, OUTCOME_REFUSED, "nothing was changed: there is no " EPOCH ": no controller was ever elected here");
	} else if (rc != ZOK) {
		tell_failed(h->zk, ch, rc, "a right on " EPOCH);
	} else {
		ch->epoch_version = st->version;
		atomic_fetch_add(&h->out, 1);
		called(ch, zoo_aexists(h->zh, ch->path, 0, on_controller, ch));
	}
}

/* ---- owner -------------------------------------------------------------------------------------------------- */

bool zk_write_has_some(const struct zk *zk)
{
	return zk->write != NULL && zk->write->in != NULL;
}

static struct zk_change *take(struct zk *zk, struct zk_handle *h)
{
	struct zk_write *zw = zk->write;
	struct zk_change *ch;

	pthread_mutex_lock(&zk->lock);
	ch = zw->in;
	if (ch != NULL) {
		zw->in = ch->next;
		if (zw->in == NULL)
			zw->in_end = &zw->in;
		ch->h = h;
		ch->next = zw->out;
		zw->out = ch;
	}
	pthread_mutex_unlock(&zk->lock);
	return ch;
}

void zk_write_begin(struct zk_handle *h)
{
	struct zk_change *ch;

	while ((ch = take(h->zk, h)) != NULL) {
		atomic_fetch_add(&h->out, 1);
		called(ch, ch->kind == CHANGE_MARK ? zoo_aget_acl(h->owners_zh, ch->other, on_acl, ch) :
			   zoo_aexists(h->owners_zh, ch->other, 0, on_epoch, ch));
	}
}

static struct zk_change *first_left(struct zk *zk)
{
	struct zk_change *ch;

	pthread_mutex_lock(&zk->lock);
	ch = zk->write->out != NULL ? zk->write->out : zk->write->in;
	if (ch != NULL && ch == zk->write->in) {
		zk->write->in = ch->next;
		if (ch->next == NULL)
			zk->write->in_end = &zk->write->in;
	}
	pthread_mutex_unlock(&zk->lock);
	return ch;
}

void zk_write_settle(struct zk *zk)
{
	struct zk_change *ch;

	while (zk->write != NULL && (ch = first_left(zk)) != NULL)
		tell_lost(zk, ch);
}

struct zk_write *zk_write_new(void)
{
	struct zk_write *zw = mem_zalloc(sizeof(*zw));

	zw->in_end = &zw->in;
	return zw;
}

void zk_write_free(struct zk_write **pp)
{
	assert(*pp == NULL || ((*pp)->in == NULL && (*pp)->out == NULL));
	mem_free(pp);
}

/* ---- the UI's side --------------------------------------------------------------------------------------------- */

/* Takes `ch`, unless there is no session. */
static bool put(struct zk *zk, struct zk_change *ch, struct err *err)
{
	bool is_up;

	pthread_mutex_lock(&zk->lock);
	is_up = zk->h != NULL && zk->h->is_up && !zk->is_lost;
	if (is_up) {
		*zk->write->in_end = ch;
		zk->write->in_end = &ch->next;
		pthread_cond_signal(&zk->changed);
	}
	pthread_mutex_unlock(&zk->lock);
	if (is_up)
		return true;
	change_free(&ch);
	return err_set(err, ERR_NET, "there is no session with ZooKeeper at present");
}

static struct zk_change *change_new(struct zk *zk, enum change_kind kind, uint64_t id, const char *name)
{
	struct zk_change *ch = mem_zalloc(sizeof(*ch));
	const char *chroot = zk->opt.connect.chroot;
	bool fits;

	assert(zk->magic == ZK_MAGIC && zk->write != NULL);
	ch->magic = CHANGE_MAGIC;
	ch->kind = (uint8_t)kind;
	ch->id = id;
	ch->name = mem_strdup(name);
	if (kind == CHANGE_MARK)
		fits = str_printf(ch->path, sizeof(ch->path), "%s" MARKERS "/%s", chroot, name) &&
			str_printf(ch->other, sizeof(ch->other), "%s" MARKERS, chroot);
	else
		fits = str_printf(ch->path, sizeof(ch->path), "%s" CONTROLLER, chroot) && str_printf(ch->other, sizeof(ch->other), "%s" EPOCH, chroot);
	assert(fits); /* PATH_SIZE has room for a chroot and a topic's name */
	return ch;
}

bool zk_write_create_marker(struct zk *zk, uint64_t id, const char *name, struct err *err)
{
	if (!topic_name_is_legal(name))
		return err_set(err, ERR_USAGE, "no topic can have the name \"%s\"", name);
	return put(zk, change_new(zk, CHANGE_MARK, id, name), err);
}

bool zk_write_move_controller(struct zk *zk, uint64_t id, int64_t czxid, struct err *err)
{
	struct zk_change *ch = change_new(zk, CHANGE_MOVE, id, "");

	ch->czxid = czxid;
	return put(zk, ch, err);
}
