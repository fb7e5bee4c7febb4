/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/help.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/health.h"
#include "ui/keymap.h"
#include "ui/scr_dir.h"
#include "ui/scr_dirs.h"
#include "ui/scr_journal.h"
#include "view/table.h"

enum { HELP_MAGIC = 0x48454c50, HELP_LINES_MAX = 300 };

/* ---- lines ------------------------------------------------------------------- */

struct help_sink {
	void (*fn)(const struct help_line *hl, void *ctx);
	void *ctx;
};

static void help_title(const struct help_sink *si, const char *title)
{
	struct help_line hl = { .is_title = true };

	str_printf(hl.text, sizeof(hl.text), "%s", title);
	si->fn(&hl, si->ctx);
}

static void help_entry(const struct help_sink *si, const char *key, const char *text)
{
	struct help_line hl = { .is_title = false };

	str_printf(hl.key, sizeof(hl.key), "%s", key);
	str_printf(hl.text, sizeof(hl.text), "%s", text);
	si->fn(&hl, si->ctx);
}

static void help_word(const char *word, const char *help, void *ctx)
{
	help_entry(ctx, word, help);
}

/* "Up k", or ":topic" for what has no key. */
static void help_action(const struct help_sink *si, const struct action_row *ar)
{
	char key[64];

	if (*ar->keys)
		str_printf(key, sizeof(key), "%s", ar->keys);
	else
		str_printf(key, sizeof(key), ":%s", ar->name);
	help_entry(si, key, ar->help);
}

/* The keys of the places, a title a place. */
static void help_keys(const struct help_sink *si, const unsigned *places, size_t n)
{
	for (size_t p = 0; p < n; p++) {
		bool has_title = false;

		for (enum action a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
			if (keymap_row(a)->where != places[p])
				continue;
			if (!has_title)
				help_title(si, keymap_place(places[p]));
			has_title = true;
			help_action(si, keymap_row(a));
		}
	}
}

static bool help_has_keys(unsigned place)
{
	for (enum action a = ACTION_NONE + 1; a < ACTION_COUNT; a++)
		if (keymap_row(a)->where == place)
			return true;
	return false;
}

/* The view's own keys first; where it has none, those that it shares with others like it. */
static void help_all_keys(const struct help_sink *si, unsigned where)
{
	static const unsigned places[] = { IN_ALL, IN_LISTS, IN_OPENING, IN_OVERVIEW, IN_TRUTH, IN_TOPICS, IN_TOPIC, IN_BROKERS, IN_BROKER, IN_DIRS, IN_DIR, IN_DELETION, IN_CONFIRM, IN_JOURNAL, IN_RECORD, IN_HELP, IN_REPLAY };
	enum { PLACES = sizeof(places) / sizeof(places[0]) };
	unsigned first = IN_ALL;

	if (where & IN_OPENING)
		first = IN_OPENING;
	if (where & IN_LISTS)
		first = IN_LISTS;
	for (size_t i = 0; i < PLACES; i++)
		if (where == places[i] && help_has_keys(where))
			first = where;
	help_keys(si, &first, 1);
	for (size_t i = 0; i < PLACES; i++)
		if (places[i] != first)
			help_keys(si, &places[i], 1);
}

static void help_states(const struct help_sink *si)
{
	static const struct { enum topic_state st; const char *help; } states[] = {
		{ TOPIC_OFFLINE, "a partition has no live leader: it can be neither written nor read" },
		{ TOPIC_UNDER_MIN, "a partition has fewer in-sync replicas than min.insync.replicas: writes with acks=all fail" },
		{ TOPIC_UNDER, "a partition has a replica that is not in sync" },
		{ TOPIC_UNREADABLE, "the topic's node in ZooKeeper, or a partition's, can't be read" },
		{ TOPIC_DELETING, "queued for deletion" },
		{ TOPIC_MOVING, "replicas are being added or removed" },
		{ TOPIC_UNKNOWN, "not read yet" },
		{ TOPIC_OK, "none of these" },
	};

	help_title(si, "States, worst first");
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		help_entry(si, health_topic_word(states[i].st), states[i].help);
}

static void help_marks(const struct help_sink *si)
{
	static const struct { enum replica_state st; const char *help; } marks[] = {
		{ REPLICA_IN_SYNC, "in sync" },
		{ REPLICA_OUT_OF_SYNC, "out of sync" },
		{ REPLICA_BROKER_DOWN, "its broker is down" },
		{ REPLICA_DIR_OFFLINE, "its log dir is offline" },
		{ REPLICA_ADDING, "being added" },
		{ REPLICA_REMOVING, "being removed" },
		{ REPLICA_UNKNOWN, "unknown" },
	};
	char key[16];

	help_title(si, "Replicas: the broker's id, and a mark");
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		str_printf(key, sizeof(key), "4%s", health_replica_mark(marks[i].st));
		help_entry(si, key, marks[i].help);
	}
	help_entry(si, "4*", "in the LEADER column: leads, but is not the preferred leader");
	help_title(si, "WHERE: the broker's id and its log dir, by the end of the path");
	help_entry(si, "4:d1>d2 63%", "is being copied from d1 to d2 within broker 4, and how far that is");
	help_entry(si, "4:?", "not known: the broker has not told, or has an offline dir");
	help_entry(si, "4:x", "its log dir is offline");
	help_entry(si, "4:-", "not there");
	help_title(si, "In any cell");
	help_entry(si, "1.2 TiB?", "so far: not all brokers have told. A topic's SIZE is of all its replicas, a partition's of its leader's");
	help_entry(si, "?", "unknown, or not read yet");
	help_entry(si, "-", "known to be absent");
	help_entry(si, "≤03:09", "since then at the latest: it was so already when the console first looked");
	help_entry(si, "2/3", "in the DIRS column: of 3 log dirs 2 are in use, the others offline");
	help_entry(si, "≥2h", "so long at least, for the same reason");
}

void help_each(enum help_part part, unsigned where, void (*fn)(const struct help_line *hl, void *ctx), void *ctx)
{
	static const unsigned typing[] = { IN_PROMPT };
	struct help_sink si = { .fn = fn, .ctx = ctx };

	switch (part) {
	case HELP_KEYS:
		help_all_keys(&si, where);
		break;
	case HELP_FILTER:
		help_title(&si, "Filter: all words must hold, !word turns one round, \"word\" is plain text");
		query_each_word(help_word, &si);
		help_entry(&si, "other text", "found anywhere in the name, small and capital letters alike");
		help_title(&si, "Filter words in the list of log dirs; other text: in broker:path, host and state");
		screen_each_word(&scr_dirs, help_word, &si);
		help_title(&si, "Filter words in a log dir");
		screen_each_word(&scr_dir, help_word, &si);
		help_title(&si, "Filter words in the journal; other text: in id, user, host, command, outcome, cluster and what is told");
		screen_each_word(&scr_journal, help_word, &si);
		break;
	case HELP_STATES:
		help_states(&si);
		break;
	case HELP_MARKS:
		help_marks(&si);
		break;
	case HELP_TYPING:
		help_keys(&si, typing, 1);
		break;
	case HELP_PARTS:
		break;
	}
}

/* ---- the screen ----------------------------------------------------------------- */

enum { HELP_KEY_NARROW = 14, HELP_KEY_WIDE = 24, HELP_NARROW = 70, HELP_TEXT_MIN = 16, HELP_TEXT_MAX = 100, HELP_MARGIN = 3 };

struct help_row {
	const char *key, *text; /* both NULL: blank; text NULL: the key over the whole width */
};

struct help {
	uint32_t magic;
	struct help_line *lines;
	size_t n_lines;
	struct arena *ar;       /* of the rows */
	struct help_row *rows;  /* the lines that match, wrapped */
	size_t cap;
	char filter[QUERY_TEXT_MAX];
	int width, built_width;
	struct column cols[2];
	struct table tb;
};

static const struct help *help_of(const struct table *tb)
{
	const struct help *he = tb->vm;

	assert(he->magic == HELP_MAGIC);
	return he;
}

static void help_fill(const struct table *tb, size_t i, struct row *out, struct arena *ar)
{
	const struct help_row *hr = &help_of(tb)->rows[i];

	(void)ar;
	*out = (struct row){ .mark = ' ' };
	out->cells[0].text = hr->key;
	out->cells[1].text = hr->text;
}

static const char *help_row_key(const struct table *tb, size_t i)
{
	const struct help_row *hr = &help_of(tb)->rows[i];

	return hr->text ? hr->text : hr->key ? hr->key : "";
}

static size_t help_find(const struct table *tb, const char *key)
{
	size_t i = 0;

	while (i < tb->n_rows && strcmp(help_row_key(tb, i), key) != 0)
		i++;
	return i;
}

static void help_push(struct help *he, const char *key, const char *text)
{
	if (he->tb.n_rows == he->cap) {
		he->cap = he->cap ? 2 * he->cap : 128;
		he->rows = mem_realloc_array(he->rows, he->cap, sizeof(*he->rows));
	}
	he->rows[he->tb.n_rows++] = (struct help_row){ key, text };
}

static void help_wrap(struct help *he, const struct help_line *hl, size_t key_width, size_t text_width)
{
	const char *s = hl->text, *key = hl->key;

	if (hl->is_title || !*s) {
		help_push(he, *s ? s : NULL, NULL);
		return;
	}
	if (utf8_columns(key) > key_width) {
		help_push(he, key, NULL);
		key = "";
	}
	while (*s) {
		size_t n = utf8_fit_words(s, text_width);

		help_push(he, key, arena_strndup(he->ar, s, n));
		s += n + strspn(s + n, " ");
		key = "";
	}
}

static bool help_matches(const struct query *qu, const struct help_line *hl)
{
	char all[400];

	str_printf(all, sizeof(all), "%s %s", hl->key, hl->text);
	/* As plain text: the words of the filter language are what one looks for here. */
	return !*qu->text || (!hl->is_title && *hl->key && str_casefind(all, qu->text));
}

static void help_build(struct help *he, const struct query *qu)
{
	size_t key_width = he->width < HELP_NARROW ? HELP_KEY_NARROW : HELP_KEY_WIDE;
	size_t text_width = he->width - HELP_MARGIN > (int)key_width + HELP_TEXT_MIN ?
		(size_t)(he->width - HELP_MARGIN) - key_width : HELP_TEXT_MIN;

	text_width = text_width < HELP_TEXT_MAX ? text_width : HELP_TEXT_MAX;
	arena_clear(he->ar);
	he->tb.n_rows = 0;
	for (size_t i = 0; i < he->n_lines; i++)
		if (help_matches(qu, &he->lines[i]))
			help_wrap(he, &he->lines[i], key_width, text_width);
	he->cols[0].min = he->cols[0].max = (uint16_t)key_width;
	he->cols[1].min = he->cols[1].max = (uint16_t)text_width;
	str_printf(he->tb.title, sizeof(he->tb.title), "Help%s%s%s", *qu->text ? ": what matches /" : "", qu->text,
		   *qu->text ? "/" : "");
	str_printf(he->tb.empty, sizeof(he->tb.empty), "no line of the help matches /%s/", qu->text);
}

static void help_add(const struct help_line *hl, void *ctx)
{
	struct help *he = ctx;

	assert(he->n_lines < HELP_LINES_MAX);
	he->lines[he->n_lines++] = *hl;
}

static void help_collect(const struct help_line *hl, void *ctx)
{
	struct help *he = ctx;
	struct help_line blank = { .is_title = false };

	if (hl->is_title && he->n_lines)
		help_add(&blank, he);
	help_add(hl, he);
}

static void *help_open(const struct cluster *cl, const char *arg)
{
	struct help *he = mem_zalloc(sizeof(*he));

	(void)cl;
	he->magic = HELP_MAGIC;
	he->ar = arena_new(0);
	he->lines = mem_array(HELP_LINES_MAX, sizeof(*he->lines));
	he->width = 80;
	for (enum help_part p = HELP_KEYS; p < HELP_PARTS; p++)
		help_each(p, arg ? (unsigned)strtoul(arg, NULL, 10) : 0, help_collect, he);
	he->cols[0] = (struct column){ .title = "KEY", .name = "key" };
	he->cols[1] = (struct column){ .title = "MEANS", .name = "help" };
	he->tb = (struct table){
		.cols = he->cols, .n_cols = 2, .sort_col = -1,
		.fill = help_fill, .key = help_row_key, .find = help_find, .vm = he,
	};
	return he;
}

static void help_close(void **self)
{
	struct help *he = *self;

	arena_free(&he->ar);
	mem_free(&he->lines);
	mem_free(&he->rows);
	he->magic = 0;
	mem_free(self);
}

static void help_resize(void *self, int width)
{
	((struct help *)self)->width = width;
}

static bool help_update(void *self, const struct changes *ch, const struct query *qu, wall_ms now)
{
	struct help *he = self;

	(void)ch, (void)now;
	if (he->built_width == he->width && !strcmp(he->filter, qu->text))
		return false;
	help_build(he, qu);
	he->built_width = he->width;
	str_printf(he->filter, sizeof(he->filter), "%s", qu->text);
	return true;
}

static const struct table *help_table(const void *self)
{
	return &((const struct help *)self)->tb;
}

const struct screen_ops scr_help = {
	.name = "help",
	.where = IN_HELP,
	.has_cursor = false,
	.open = help_open,
	.close = help_close,
	.resize = help_resize,
	.update = help_update,
	.table = help_table,
};
