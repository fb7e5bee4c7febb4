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

/* Broken at blanks over the lines there are. */
static void put_wrapped(struct preview_line *lines, size_t n, size_t width, uint8_t style, const char *text)
{
	for (size_t i = 0; i < n && *text; i++) {
		size_t len = i + 1 < n ? utf8_fit_words(text, width) : strlen(text);

		lines[i].style = style;
		if (!str_copyn(lines[i].text, sizeof(lines[i].text), text, len))
			lines[i].text[0] = '\0';
		text += len + strspn(text + len, " ");
	}
}

static bool fits(const char *text, size_t n, size_t width)
{
	for (; n > 0 && *text; n--) {
		size_t len = utf8_fit_words(text, width);

		if (utf8_columnsn(text, len) > width)
			return false;
		text += len + strspn(text + len, " ");
	}
	return *text == '\0';
}

/* Names from the end of all, the last one first; NULL: that is not known. */
static const char *from_end(const struct preview *pr, size_t i)
{
	if (i < pr->n_last)
		return pr->last[pr->n_last - 1 - i];
	return pr->n_first == pr->takes.topics && i < pr->n_first ? pr->first[pr->n_first - 1 - i] : NULL;
}

/* "a b c, 56 more and z" */
static void compose_ends(const struct preview *pr, size_t n_first, size_t n_last, struct strbuf *sb)
{
	char count[UNITS_TEXT_MAX];
	size_t more = pr->takes.topics - n_first - n_last;

	strbuf_clear(sb);
	for (size_t i = 0; i < n_first; i++)
		strbuf_printf(sb, "%s%s", i > 0 ? " " : "", pr->first[i]);
	if (more > 0)
		strbuf_printf(sb, "%s %s more", n_last > 0 ? "," : " and", units_count(count, (int64_t)more));
	for (size_t i = n_last; i-- > 0;)
		strbuf_printf(sb, "%s%s", i + 1 == n_last ? " and " : " ", from_end(pr, i));
}

/* True: all of them stand there. */
static bool compose_names(const struct preview *pr, size_t n, size_t width, struct strbuf *sb)
{
	if (pr->takes.topics == pr->n_first) {
		compose_ends(pr, pr->n_first, 0, sb);
		if (fits(sb->s, n, width))
			return true;
	}
	for (size_t shown = pr->n_first + pr->n_last; shown >= 2; shown--) {
		size_t n_last = shown >= 8 ? shown / 4 : 1, n_first = shown - n_last;

		if (from_end(pr, n_last - 1) == NULL || n_first > pr->n_first || shown >= pr->takes.topics)
			continue;
		compose_ends(pr, n_first, n_last, sb);
		if (fits(sb->s, n, width))
			return false;
	}
	for (size_t shown = pr->n_first; shown >= 1; shown--) {
		compose_ends(pr, shown, 0, sb);
		if (fits(sb->s, n, width))
			return false;
	}
	return false;
}

/* "team13.evidence, 60 begin with team13.events. (team13.events.a to team13.events.z)" */
static void compose_stems(const struct preview *pr, size_t n, bool with_names, struct strbuf *sb)
{
	char count[UNITS_TEXT_MAX];
	size_t left = pr->takes.topics;

	strbuf_clear(sb);
	for (size_t i = 0; i < n; i++) {
		const struct preview_stem *st = &pr->stems[i];

		strbuf_put(sb, i > 0 ? ", " : "");
		if (st->n == 1)
			strbuf_put(sb, st->first);
		else
			strbuf_printf(sb, "%s begin with %.*s", units_count(count, (int64_t)st->n), (int)st->len, st->first);
		if (st->n > 1 && with_names)
			strbuf_printf(sb, " (%s to %s)", st->first, st->last);
		left -= st->n;
	}
	if (left > 0)
		strbuf_printf(sb, " and %s more", units_count(count, (int64_t)left));
}

/* Names that have few like them are told apart. False: there are none, or no room. */
static bool find_stems(const struct preview *pr, size_t width, struct strbuf *sb)
{
	if (pr->n_stems < 2 || pr->n_stems >= pr->takes.topics)
		return false;
	compose_stems(pr, pr->n_stems, true, sb);
	if (fits(sb->s, 1, width))
		return true;
	for (size_t n = pr->n_stems; n >= 1; n--) {
		compose_stems(pr, n, false, sb);
		if (fits(sb->s, 1, width))
			return n > 1 || pr->stems[0].n == 1;
	}
	return false;
}

/* Over n lines: all names if they fit; else the stems, where these say more, and behind them the first and the last names. */
static void put_names(const struct preview *pr, size_t width, struct preview_line *lines, size_t n)
{
	struct strbuf names, stems;
	size_t at = 0;

	strbuf_init(&names);
	strbuf_init(&stems);
	if (!compose_names(pr, n, width, &names) && find_stems(pr, width, &stems)) {
		put(&lines[at++], CELL_NORMAL, stems.s);
		if (at < n)
			(void)compose_names(pr, n - at, width, &names);
	}
	put_wrapped(lines + at, n - at, width, CELL_NORMAL, names.s);
	strbuf_fini(&names);
	strbuf_fini(&stems);
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

static void put_wrong(const struct preview *pr, size_t width, struct preview_line *lines, size_t n)
{
	struct strbuf sb;

	strbuf_init(&sb);
	strbuf_put(&sb, pr->err.text);
	if (pr->is_too_complex)
		strbuf_put(&sb, "; nothing can be marked by it. A repeat within a repeat, as in (a+)*, does that");
	put_wrapped(lines, n, width, CELL_WRONG, sb.s);
	strbuf_fini(&sb);
}

void preview_text(const struct preview *pr, size_t width, struct preview_line *lines, size_t n)
{
	size_t at = 0, hint = pr->hint[0] != '\0', n_names = n > PREVIEW_LINES ? n - PREVIEW_LINES + 1 : 1;

	assert(n <= PREVIEW_LINES_MAX);
	memset(lines, 0, n * sizeof(*lines));
	if (n == 0)
		return;
	if (n >= PREVIEW_LINES)
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
	if (at + 1 + hint < n || (at < n && !hint)) {
		put_names(pr, width, &lines[at], n_names);
		at += n_names;
	}
	if (at + hint < n) {
		put_struck(pr, &lines[at]);
		at += !hint || lines[at].text[0] != '\0';
	}
	if (hint)
		put_wrapped(lines + at, n - at, width, CELL_WRONG, pr->hint);
}
