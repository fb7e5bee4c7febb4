/* SPDX-License-Identifier: Apache-2.0 */
#include "view/preview_text.h"

#include <assert.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "core/preview.h"
#include "view/table.h"

static void put(struct preview_line *li, uint8_t style, const char *text)
{
	li->style = style;
	if (!str_copy(li->text, sizeof(li->text), text))
		li->text[0] = '\0';
}

/* ---- how it is read ------------------------------------------------------------------- */

static void put_reading(const struct preview *pr, struct preview_line *li)
{
	if (pr->prepared[0] == '\0') {
		put(li, CELL_DIM, "read as kafka-topics --topic does: the whole name, a,b is a or b, .* any text");
		return;
	}
	str_printf(li->text, sizeof(li->text), "as kafka-topics --topic reads it, the whole name: %s", pr->prepared);
	li->style = CELL_DIM;
}

/* ---- what it takes ---------------------------------------------------------------------- */

/* "2.6 %" */
static void percent(char out[UNITS_TEXT_MAX], uint64_t part, uint64_t all)
{
	uint64_t permille = all > 0 ? (part * 1000 + all / 2) / all : 0;

	if (part > 0 && part * 1000 < all)
		str_printf(out, UNITS_TEXT_MAX, "under 0.1 %%");
	else
		str_printf(out, UNITS_TEXT_MAX, "%u.%u %%", (unsigned)(permille / 10), (unsigned)(permille % 10));
}

static void put_count(struct strbuf *sb, uint64_t n, const char *one, const char *more)
{
	char count[UNITS_TEXT_MAX];

	strbuf_printf(sb, "%s %s", units_count(count, (int64_t)n), n == 1 ? one : more);
}

static void put_late(const struct preview *pr, struct strbuf *sb)
{
	char looked[UNITS_TEXT_MAX], all[UNITS_TEXT_MAX];

	strbuf_printf(sb, " so far: looked at %s of %s; Enter looks at all", units_count(looked, (int64_t)pr->n_looked), units_count(all, (int64_t)pr->n_topics));
}

/* "60 topics (5.0 % of all), 480 partitions (2.6 %), 1.2 TiB" */
static void put_amount(const struct preview *pr, struct strbuf *sb)
{
	char size[UNITS_TEXT_MAX], topics[UNITS_TEXT_MAX], parts[UNITS_TEXT_MAX];

	percent(topics, pr->takes.topics, pr->n_topics);
	percent(parts, pr->takes.partitions, pr->cluster_partitions);
	strbuf_printf(sb, " (%s of all), ", topics);
	put_count(sb, pr->takes.partitions, "partition", "partitions");
	strbuf_printf(sb, " (%s), %s", parts, units_bytes_so_far(size, pr->takes.bytes, pr->takes.is_whole));
}

static void put_takes(const struct preview *pr, struct preview_line *li)
{
	char all[UNITS_TEXT_MAX];
	struct strbuf sb;

	strbuf_init(&sb);
	put_count(&sb, pr->takes.topics, "topic", "topics");
	if (pr->is_late)
		put_late(pr, &sb);
	else if (pr->takes.topics > 0)
		put_amount(pr, &sb);
	else if (pr->n_match > 0)
		strbuf_put(&sb, " to mark: all that match are struck out");
	else
		strbuf_printf(&sb, " match, of %s", units_count(all, (int64_t)pr->n_topics));
	put(li, pr->is_late ? CELL_BUSY : CELL_NORMAL, sb.s);
	strbuf_fini(&sb);
}

/* As many names as there is room for, and how many more there are. */
static void put_names(const struct preview *pr, size_t width, struct preview_line *li)
{
	enum { MORE_COLUMNS = 18 }; /* " and 99,999 more" */
	size_t used = 0, shown = 0;
	char count[UNITS_TEXT_MAX];
	struct strbuf sb;

	strbuf_init(&sb);
	for (; shown < pr->n_first; shown++) {
		size_t w = utf8_columns(pr->first[shown]) + (shown > 0);
		bool is_last = shown + 1 == pr->takes.topics;

		if (shown > 0 && used + w + (is_last ? 0 : MORE_COLUMNS) > width)
			break;
		strbuf_printf(&sb, "%s%s", shown > 0 ? " " : "", pr->first[shown]);
		used += w;
	}
	if (pr->takes.topics > shown)
		strbuf_printf(&sb, " and %s more", units_count(count, (int64_t)(pr->takes.topics - shown)));
	put(li, CELL_NORMAL, sb.s);
	strbuf_fini(&sb);
}

static void put_struck(const struct preview *pr, struct preview_line *li)
{
	struct strbuf sb;

	strbuf_init(&sb);
	choice_tally_text(&pr->struck, &sb);
	put(li, CELL_BUSY, sb.s);
	strbuf_fini(&sb);
}

/* ---- all of it --------------------------------------------------------------------------- */

/* Broken at blanks over the lines there are. */
static void put_wrapped(struct preview_line *lines, size_t n, size_t width, const char *text)
{
	for (size_t i = 0; i < n && *text; i++) {
		size_t len = i + 1 < n ? utf8_fit_words(text, width) : strlen(text);

		lines[i].style = CELL_WRONG;
		if (!str_copyn(lines[i].text, sizeof(lines[i].text), text, len))
			lines[i].text[0] = '\0';
		text += len + strspn(text + len, " ");
	}
}

static void put_wrong(const struct preview *pr, size_t width, struct preview_line *lines, size_t n)
{
	struct strbuf sb;

	strbuf_init(&sb);
	strbuf_put(&sb, pr->err.text);
	if (pr->is_too_complex)
		strbuf_put(&sb, "; nothing can be marked by it. A repeat within a repeat, as in (a+)*, does that");
	put_wrapped(lines, n, width, sb.s);
	strbuf_fini(&sb);
}

void preview_text(const struct preview *pr, size_t width, struct preview_line *lines, size_t n)
{
	size_t at = 0, hint = pr->hint[0] != '\0';

	assert(n <= PREVIEW_LINES);
	memset(lines, 0, n * sizeof(*lines));
	if (n == 0)
		return;
	if (n == PREVIEW_LINES)
		put_reading(pr, &lines[at++]);
	if (pr->is_bad || pr->is_too_complex) {
		put_wrong(pr, width, lines + at, n - at);
		return;
	}
	if (pr->is_empty) {
		if (n < PREVIEW_LINES)
			put_reading(pr, &lines[0]);
		return;
	}
	put_takes(pr, &lines[at++]);
	if (at + 1 + hint < n || (at < n && !hint))
		put_names(pr, width, &lines[at++]);
	if (at + hint < n) {
		put_struck(pr, &lines[at]);
		at += !hint || lines[at].text[0] != '\0';
	}
	if (hint)
		put_wrapped(lines + at, n - at, width, pr->hint);
}
