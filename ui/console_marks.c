/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/console_parts.h"

#include <string.h>

#include "app/markfile.h"
#include "app/options.h"
#include "app/session.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cluster.h"
#include "core/model.h"
#include "core/policy.h"
#include "view/table.h"

static const struct policy *console_policy(const struct console *co)
{
	return &co->opt->policy;
}

void console_marks_count(struct console *co)
{
	co->marked = choice_totals(co->marks, session_cluster(co->ss));
}

/* That these go is no news: this console has asked for it. */
static void console_unmark_gone(void *ctx, const char *topic)
{
	struct console *co = ctx;

	if (!cluster_topic_find(session_cluster(co->ss), topic))
		choice_unmark(co->marks, topic);
}

void console_marks_update(struct console *co, const struct changes *ch)
{
	size_t gone;

	if (ch->bits & CHG_TOPICS)
		change_each_sent(&co->change, console_unmark_gone, co);
	gone = choice_sync(co->marks, session_cluster(co->ss), ch);
	if (gone > 0)
		console_say(co, false, "%zu marked topic%s gone, and %s mark%s", gone, gone == 1 ? " is" : "s are", gone == 1 ? "its" : "their", gone == 1 ? "" : "s");
	if (gone > 0 || (ch->bits & (CHG_TOPICS | CHG_TOPIC | CHG_DISKS | CHG_COUNTS)))
		console_marks_count(co);
}

/* ---- one ------------------------------------------------------------------------------ */

static void console_say_why(struct console *co, enum choice_why why, const char *name)
{
	switch (why) {
	case CHOICE_INTERNAL:
		console_say(co, true, "%s is internal: internal-by-hand in the profile allows marks", name);
		break;
	case CHOICE_PROTECTED:
		console_say(co, true, "%s is protected: protected-by-hand in the profile allows marks", name);
		break;
	case CHOICE_UNREAD:
		console_say(co, true, "%s has not been read in ZooKeeper: one made again by its name would be taken for it", name);
		break;
	default:
		break;
	}
}

void console_mark(struct console *co)
{
	struct screen *sc = screens_top(&co->st);
	const struct table *tb = screen_table(sc);
	const char *key = tablewin_key(&sc->tw, tb);
	const struct topic *tp = key ? cluster_topic_find(session_cluster(co->ss), key) : NULL;
	enum choice_why why;

	if (!tp || console_is_frozen(co))
		return;
	why = choice_may(console_policy(co), tp, true);
	if (choice_has(co->marks, tp))
		choice_unmark(co->marks, tp->name);
	else if (why == CHOICE_OK)
		choice_mark(co->marks, tp, true);
	else
		console_say_why(co, why, tp->name);
	console_marks_count(co);
	tablewin_move(&sc->tw, tb, 1);
}

/* ---- many -------------------------------------------------------------------------------- */

void console_marks_say(struct console *co, const struct choice_tally *tally)
{
	char text[CONSOLE_MESSAGE_MAX];
	struct strbuf sb;

	console_marks_count(co);
	console_marks_text(co, text, sizeof(text));
	strbuf_init(&sb);
	choice_tally_text(tally, &sb);
	console_say(co, false, "%s%s%s", text[0] ? text : "nothing is marked", sb.len ? "; " : "", sb.s);
	strbuf_fini(&sb);
}

static const char *console_row_name(const void *list, size_t i)
{
	const struct table *tb = list;

	return tb->key(tb, i);
}

bool console_range_drop(struct console *co)
{
	bool had = co->range_from != NULL;

	mem_free(&co->range_from);
	return had;
}

/* The rows of the range, from *from to before *to. False: its beginning is not on view any more. */
static bool console_range(const struct console *co, size_t *from, size_t *to)
{
	const struct screen *sc = screens_top(&co->st);
	const struct table *tb = screen_table(sc);
	size_t at = tb->find(tb, co->range_from), row = sc->tw.row;

	if (at >= tb->n_rows || row >= tb->n_rows)
		return false;
	*from = at < row ? at : row;
	*to = (at < row ? row : at) + 1;
	return true;
}

void console_mark_range(struct console *co)
{
	const struct screen *sc = screens_top(&co->st);
	const struct table *tb = screen_table(sc);
	const char *key = tablewin_key(&sc->tw, tb);
	struct choice_tally tally = { 0 };
	size_t from, to;

	if (!key || console_is_frozen(co))
		return;
	if (!co->range_from) {
		co->range_from = mem_strdup(key);
		return;
	}
	if (console_range(co, &from, &to)) {
		choice_mark_span(co->marks, session_cluster(co->ss), console_policy(co), console_row_name, tb, from, to, &tally);
		console_range_drop(co);
		console_marks_say(co, &tally);
		return;
	}
	console_say(co, true, "%s, where the range began, is not on view any more: nothing was marked", co->range_from);
	console_range_drop(co);
}

void console_mark_all(struct console *co)
{
	const struct table *tb = screen_table(screens_top(&co->st));
	struct choice_tally tally = { 0 };

	if (console_is_frozen(co))
		return;
	console_range_drop(co);
	choice_mark_span(co->marks, session_cluster(co->ss), console_policy(co), console_row_name, tb, 0, tb->n_rows, &tally);
	console_marks_say(co, &tally);
}

void console_mark_invert(struct console *co)
{
	const struct table *tb = screen_table(screens_top(&co->st));
	struct choice_tally tally = { 0 };

	if (console_is_frozen(co))
		return;
	console_range_drop(co);
	choice_invert_span(co->marks, session_cluster(co->ss), console_policy(co), console_row_name, tb, 0, tb->n_rows, &tally);
	console_marks_say(co, &tally);
}

void console_mark_none(struct console *co)
{
	size_t n = choice_count(co->marks);
	char count[UNITS_TEXT_MAX];

	if (console_is_frozen(co))
		return;
	choice_clear(co->marks);
	console_range_drop(co);
	console_marks_count(co);
	console_say(co, false, "%s mark%s taken away", units_count(count, (int64_t)n), n == 1 ? "" : "s");
}

/* "marked 2 topics, 8 partitions, 800 GiB" */
void console_marks_text(const struct console *co, char *out, size_t size)
{
	const struct choice_totals *ct = &co->marked;
	char topics[UNITS_TEXT_MAX], parts[UNITS_TEXT_MAX], bytes[UNITS_TEXT_MAX];
	size_t from, to;

	out[0] = '\0';
	if (!screens_top(&co->st)->ops->take_marks)
		return;
	if (co->range_from && console_range(co, &from, &to))
		str_printf(out, size, "range of %s row%s; v marks it, Esc leaves it", units_count(topics, (int64_t)(to - from)), to - from == 1 ? "" : "s");
	else if (ct->topics > 0)
		str_printf(out, size, "marked %s topic%s, %s partition%s, %s", units_count(topics, (int64_t)ct->topics), ct->topics == 1 ? "" : "s",
			   units_count(parts, (int64_t)ct->partitions), ct->partitions == 1 ? "" : "s", units_bytes_so_far(bytes, ct->bytes, ct->is_whole));
}

/* ---- files ---------------------------------------------------------------------------------- */

void console_marks_save(struct console *co, const char *path, bool overwrite)
{
	size_t n = choice_count(co->marks), left_out;
	struct err err;

	err_init(&err);
	if (!*path) {
		console_say(co, true, "to which file? as in :save-marks team12.txt");
	} else if (n == 0) {
		console_say(co, true, "nothing is marked: no file was written");
	} else if (markfile_save(path, overwrite, co->marks, session_cluster(co->ss), console_policy(co), session_now(co->ss), &left_out, &err)) {
		console_say(co, left_out > 0, "%zu topic%s saved to %s%s", n - left_out, n - left_out == 1 ? "" : "s", path,
			    left_out > 0 ? "; names that Kafka does not allow are left out" : "");
	} else if (err.code == ERR_REFUSED) {
		str_printf(co->file, sizeof(co->file), "%s", path);
		co->file_is_marks = true;
		prompt_open(&co->pr, PROMPT_OVERWRITE, "");
	} else {
		console_say(co, true, "%s", err.text);
	}
}

/* "marked 57 of 60; 1 was before; gone: 2 (a, b)" */
static void console_say_loaded(struct console *co, const struct choice_loaded *lo)
{
	const char *id = session_cluster(co->ss)->cluster_id;
	bool is_foreign = lo->cluster_id[0] && id && strcmp(lo->cluster_id, id) != 0;
	struct strbuf sb;

	strbuf_init(&sb);
	strbuf_printf(&sb, "marked %zu of %zu", lo->tally.marked, lo->n_names);
	if (is_foreign)
		strbuf_printf(&sb, "; SAVED ON ANOTHER CLUSTER, %.6s", lo->cluster_id);
	if (lo->n_already > 0)
		strbuf_printf(&sb, "; %zu %s before", lo->n_already, lo->n_already == 1 ? "was" : "were");
	if (lo->n_gone > 0)
		strbuf_printf(&sb, "; gone: %zu (", lo->n_gone);
	for (size_t i = 0; i < lo->n_gone && i < CHOICE_NAMES_SHOWN; i++)
		strbuf_printf(&sb, "%s%s", i ? ", " : "", lo->gone[i]);
	if (lo->n_gone > 0)
		strbuf_put(&sb, lo->n_gone > CHOICE_NAMES_SHOWN ? ", ...)" : ")");
	for (int why = CHOICE_OK + 1; why < CHOICE_WHYS; why++)
		if (lo->tally.n_struck[why] > 0) {
			strbuf_put(&sb, "; ");
			choice_tally_text(&lo->tally, &sb);
			break;
		}
	console_say(co, is_foreign || lo->n_gone > 0, "%s", sb.s);
	strbuf_fini(&sb);
}

void console_marks_load(struct console *co, const char *path)
{
	struct choice_loaded lo;
	struct err err;

	err_init(&err);
	if (!*path)
		console_say(co, true, "which file? as in :load-marks team12.txt");
	else if (markfile_load(path, co->marks, session_cluster(co->ss), console_policy(co), &lo, &err))
		console_say_loaded(co, &lo);
	else
		console_say(co, true, "%s", err.text);
	console_marks_count(co);
}
