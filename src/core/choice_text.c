/* SPDX-License-Identifier: Apache-2.0 */
/* A set of marks as text: what is written, and what is read of it. */
#include "core/choice.h"

#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"

static const char cluster_words[] = "# cluster ";

/* Topic.validate (Kafka): letters, digits, ".", "_", "-", at most 249, neither "." nor "..". */
static bool is_legal(const char *name, size_t n)
{
	if (n == 0 || n > TOPIC_NAME_MAX || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		char c = name[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-'))
			return false;
	}
	return true;
}

/* ---- written ------------------------------------------------------------------------- */

void choice_put_text(const struct choice *ch, const struct cluster *cl, const char *profile, wall_ms now, struct strbuf *out,
	size_t *n_left_out)
{
	char at[UNITS_TEXT_MAX];
	size_t n;
	struct choice_mark *list = choice_list(ch, &n);

	*n_left_out = 0;
	strbuf_put(out, "# topics marked in kafops, one a line\n");
	strbuf_printf(out, "%s%s\n", cluster_words, cl->cluster_id != NULL && is_legal(cl->cluster_id, strlen(cl->cluster_id)) ? cl->cluster_id : "?");
	if (profile != NULL)
		strbuf_printf(out, "# profile %s\n", profile);
	strbuf_printf(out, "# saved %s\n", units_rfc3339(at, now));
	for (size_t i = 0; i < n; i++) {
		if (is_legal(list[i].name, strlen(list[i].name)))
			strbuf_printf(out, "%s\n", list[i].name);
		else
			++*n_left_out;
	}
	mem_free(&list);
}

/* ---- read ------------------------------------------------------------------------------ */

struct names {
	struct map *seen;    /* name to itself */
	struct arena *ar;
	char cluster_id[64];
};

static void take_comment(struct names *nm, const char *line, size_t n)
{
	size_t head = sizeof(cluster_words) - 1;

	if (n <= head || memcmp(line, cluster_words, head) != 0 || nm->cluster_id[0])
		return;
	if (!str_copyn(nm->cluster_id, sizeof(nm->cluster_id), line + head, n - head) || strcmp(nm->cluster_id, "?") == 0)
		nm->cluster_id[0] = '\0';
}

static bool take_line(struct names *nm, const char *line, size_t n, size_t number, struct err *err)
{
	char name[TOPIC_NAME_MAX + 1];

	while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\t' || line[n - 1] == '\r'))
		n--;
	for (; n > 0 && (*line == ' ' || *line == '\t'); n--)
		line++;
	if (n > 0 && *line == '#')
		take_comment(nm, line, n);
	if (n == 0 || *line == '#')
		return true;
	if (memchr(line, '\0', n) != NULL)
		return err_set(err, ERR_FORMAT, "line %zu: a zero byte: this is no list of topics", number);
	if (!str_copyn(name, sizeof(name), line, n) || !is_legal(name, n))
		return err_set(err, ERR_FORMAT, "line %zu: \"%.*s%s\" can't be a topic's name; write one name a line", number,
			       n > 40 ? 40 : (int)n, line, n > 40 ? "..." : "");
	if (map_find(nm->seen, name) == NULL)
		map_set(nm->seen, name, arena_strdup(nm->ar, name));
	return true;
}

static bool take_lines(struct names *nm, const char *text, size_t n, struct err *err)
{
	size_t number = 1;

	if (n > CHOICE_FILE_MAX_BYTES)
		return err_set(err, ERR_LIMIT, "more than %d bytes: this is no list of topics", CHOICE_FILE_MAX_BYTES);
	for (size_t at = 0; at < n; number++) {
		const char *end = memchr(text + at, '\n', n - at);
		size_t len = end != NULL ? (size_t)(end - text) - at : n - at;

		if (!take_line(nm, text + at, len, number, err))
			return false;
		at += len + 1;
	}
	return true;
}

static void mark_names(struct choice *ch, const struct cluster *cl, const struct policy *po, const struct names *nm, struct choice_loaded *out)
{
	struct map_iter it = map_iter(nm->seen);
	const char *name;

	while (map_next(&it, &name, NULL)) {
		const struct topic *tp = cluster_topic_find(cl, name);
		enum choice_why why = tp != NULL ? choice_may(po, tp, false) : CHOICE_OK;

		out->n_names++;
		if (tp == NULL) {
			if (out->n_gone < CHOICE_NAMES_SHOWN && !str_copy(out->gone[out->n_gone], sizeof(out->gone[0]), name))
				out->gone[out->n_gone][0] = '\0';
			out->n_gone++;
		} else if (choice_has(ch, tp)) {
			out->n_already++;
		} else if (why != CHOICE_OK) {
			choice_tally_strike(&out->tally, why, tp->name);
		} else {
			out->tally.marked += choice_mark(ch, tp, false);
		}
	}
}

bool choice_take_text(struct choice *ch, const struct cluster *cl, const struct policy *po, const char *text, size_t n,
	struct choice_loaded *out, struct err *err)
{
	struct names nm = { .seen = map_new(), .ar = arena_new(0) };
	bool is_ok = take_lines(&nm, text, n, err);

	*out = (struct choice_loaded){ 0 };
	if (is_ok) {
		memcpy(out->cluster_id, nm.cluster_id, sizeof(out->cluster_id));
		mark_names(ch, cl, po, &nm, out);
	}
	map_free(&nm.seen, NULL);
	arena_free(&nm.ar);
	return is_ok;
}
