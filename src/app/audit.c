/* SPDX-License-Identifier: Apache-2.0 */
#include "app/audit.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/outcome.h"
#include "io/journal.h"
#include "io/who.h"

struct audit {
	char path[JOURNAL_PATH_MAX];
	struct journal_place place;
	struct record **records;
	size_t n, cap, n_items, n_left_out;
	struct intents open;
	struct audit_bad bad[AUDIT_BAD_MAX];
	size_t n_bad, n_bad_all;
	struct err error;         /* code ERR_NONE: none */
	uint64_t version;
};

struct audit *audit_new(void)
{
	struct audit *au = mem_zalloc(sizeof(*au));

	err_init(&au->error);
	intents_init(&au->open);
	return au;
}

static void forget(struct audit *au)
{
	for (size_t i = 0; i < au->n; i++)
		record_free(&au->records[i]);
	intents_fini(&au->open);
	intents_init(&au->open);
	au->n = au->n_items = au->n_left_out = au->n_bad = au->n_bad_all = 0;
}

void audit_free(struct audit **pp)
{
	struct audit *au = *pp;

	if (au == NULL)
		return;
	forget(au);
	mem_free(&au->records);
	mem_free(pp);
}

/* A tenth at a time, so that a long journal isn't moved about for each record. */
static void make_room(struct audit *au)
{
	size_t n = 0, target = AUDIT_RECORDS_MAX - AUDIT_RECORDS_MAX / 10;

	while (n < au->n && (au->n - n > target || au->n_items > AUDIT_ITEMS_MAX)) {
		au->n_items -= au->records[n]->n_items;
		record_free(&au->records[n++]);
	}
	memmove(au->records, au->records + n, (au->n - n) * sizeof(*au->records));
	au->n -= n;
	au->n_left_out += n;
}

static void take_record(void *ctx, struct record *re, uint64_t offset)
{
	struct audit *au = ctx;

	(void)offset;
	intents_take(&au->open, re);
	if (au->n == AUDIT_RECORDS_MAX || (au->n > 0 && au->n_items > AUDIT_ITEMS_MAX))
		make_room(au);
	if (au->n == au->cap) {
		au->cap = au->cap > 0 ? 2 * au->cap : 64;
		au->records = mem_realloc_array(au->records, au->cap, sizeof(*au->records));
	}
	au->records[au->n++] = re;
	au->n_items += re->n_items;
	au->version++;
}

static void take_bad(void *ctx, uint64_t offset, const char *why)
{
	struct audit *au = ctx;

	if (au->n_bad == AUDIT_BAD_MAX)
		memmove(au->bad, au->bad + 1, --au->n_bad * sizeof(au->bad[0]));
	au->bad[au->n_bad].offset = offset;
	str_printf(au->bad[au->n_bad].why, sizeof(au->bad[0].why), "%s", why);
	au->n_bad++;
	au->n_bad_all++;
	au->version++;
}

/* What was read belongs to a file that is no longer there: begun anew, so that it is not told twice. */
static bool read_anew(struct audit *au, const struct journal_reader *rd, struct err *err)
{
	forget(au);
	au->place = (struct journal_place){ .offset = 0 };
	au->version++;
	return journal_read(au->path, &au->place, rd, NULL, err);
}

bool audit_refresh(struct audit *au)
{
	struct journal_reader rd = { .ctx = au, .record = take_record, .bad = take_bad };
	uint64_t before = au->version;
	bool was_torn = au->place.is_torn, is_new = false, ok;
	struct err err;

	err_init(&err);
	ok = (au->path[0] != '\0' || journal_default_path(au->path, &err)) && journal_read(au->path, &au->place, &rd, &is_new, &err);
	if (ok && is_new)
		ok = read_anew(au, &rd, &err);
	if (au->place.is_torn != was_torn || strcmp(err.text, au->error.text) != 0)
		au->version++;
	au->error = err;
	return au->version != before;
}

/* ---- what is not known ------------------------------------------------------------------------------ */

bool audit_is_under_way(const struct record *re, wall_ms now)
{
	return now.ms - re->at.ms < AUDIT_UNKNOWN_MS && who_is_alive(&re->who);
}

static void keep_later(struct audit_unknown *un, const struct record *re)
{
	if (re->at.ms < un->at.ms)
		return;
	un->id = re->id;
	un->at = re->at;
	str_printf(un->command, sizeof(un->command), "%.30s", re->command != NULL ? re->command : "?");
}

static bool has_unknown(const struct record *re)
{
	for (size_t i = 0; i < re->n_items; i++)
		if (re->phase == RECORD_OUTCOME && re->items[i].outcome == OUTCOME_UNKNOWN)
			return true;
	return false;
}

struct audit_unknown audit_last_unknown(wall_ms now)
{
	struct audit_unknown un = { .id = 0, .at = { now.ms - AUDIT_UNKNOWN_MS } };
	struct audit *au = audit_new();

	audit_refresh(au);
	for (size_t i = 0; i < au->n; i++)
		if (has_unknown(au->records[i]))
			keep_later(&un, au->records[i]);
	for (size_t i = 0; i < au->open.n; i++)
		if (!audit_is_under_way(au->open.v[i], now))
			keep_later(&un, au->open.v[i]);
	audit_free(&au);
	if (un.id == 0)
		un.at = (wall_ms){ 0 };
	return un;
}

struct audit_state audit_state(const struct audit *au)
{
	return (struct audit_state){
		.path = au->path, .records = (const struct record *const *)au->records, .n = au->n, .n_left_out = au->n_left_out, .open = &au->open,
		.bad = au->bad, .n_bad = au->n_bad, .n_bad_all = au->n_bad_all, .is_torn = au->place.is_torn, .torn_at = au->place.offset,
		.error = au->error.code != ERR_NONE ? au->error.text : NULL, .version = au->version,
	};
}
