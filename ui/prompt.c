/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/prompt.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "ui/keymap.h"

void prompt_init(struct prompt *pr)
{
	*pr = (struct prompt){ .kind = PROMPT_NONE };
}

void prompt_fini(struct prompt *pr)
{
	for (size_t k = 0; k < PROMPT_KINDS; k++)
		for (size_t i = 0; i < pr->history[k].n; i++)
			mem_free(&pr->history[k].lines[i]);
	prompt_init(pr);
}

void prompt_open(struct prompt *pr, enum prompt_kind kind, const char *text)
{
	assert(kind > PROMPT_NONE && kind < PROMPT_KINDS);
	pr->kind = kind;
	pr->question[0] = '\0';
	pr->note[0] = '\0';
	pr->at = pr->history[kind].n;
	lineedit_set(&pr->le, text);
	pr->is_proposed = kind == PROMPT_FILE && *text;
}

static void prompt_remember(struct prompt_history *hi, const char *line)
{
	if (!*line || (hi->n && !strcmp(hi->lines[hi->n - 1], line)))
		return;
	if (hi->n == PROMPT_HISTORY_MAX) {
		mem_free(&hi->lines[0]);
		memmove(hi->lines, hi->lines + 1, (PROMPT_HISTORY_MAX - 1) * sizeof(hi->lines[0]));
		hi->n--;
	}
	hi->lines[hi->n++] = mem_strdup(line);
}

void prompt_close(struct prompt *pr, bool accepted)
{
	if (accepted && pr->kind != PROMPT_OVERWRITE && pr->kind != PROMPT_CONFIRM)
		prompt_remember(&pr->history[pr->kind], pr->le.text);
	pr->kind = PROMPT_NONE;
	lineedit_clear(&pr->le);
	pr->note[0] = '\0';
}

const char *prompt_label(const struct prompt *pr)
{
	switch (pr->kind) {
	case PROMPT_FILTER: return "/";
	case PROMPT_COMMAND: return ":";
	case PROMPT_PATTERN: return "mark by pattern: ";
	case PROMPT_CONFIRM: return pr->question;
	case PROMPT_FILE: return "write to: ";
	case PROMPT_OVERWRITE: return "this file is there already, overwrite it? (yes or no) ";
	default: return "";
	}
}

/* ---- history ----------------------------------------------------------------- */

static enum prompt_result prompt_recall(struct prompt *pr, int by)
{
	struct prompt_history *hi = &pr->history[pr->kind];

	if ((by < 0 && pr->at == 0) || (by > 0 && pr->at == hi->n))
		return PROMPT_IGNORED;
	if (pr->at == hi->n)
		memcpy(pr->typed, pr->le.text, pr->le.len + 1);
	pr->at = by < 0 ? pr->at - 1 : pr->at + 1;
	lineedit_set(&pr->le, pr->at == hi->n ? pr->typed : hi->lines[pr->at]);
	return PROMPT_EDITED;
}

/* ---- keys ----------------------------------------------------------------------- */

static enum prompt_result prompt_edit(struct prompt *pr, void (*edit)(struct lineedit *))
{
	size_t before = pr->le.len;

	edit(&pr->le);
	return pr->le.len == before ? PROMPT_MOVED : PROMPT_EDITED;
}

static enum prompt_result prompt_insert(struct prompt *pr, int32_t key, bool replaces)
{
	struct lineedit before = pr->le;

	if (replaces)
		lineedit_clear(&pr->le);
	if (lineedit_insert(&pr->le, key))
		return PROMPT_EDITED;
	pr->le = before;
	return PROMPT_IGNORED;
}

enum prompt_result prompt_key(struct prompt *pr, int32_t key)
{
	bool replaces = pr->is_proposed;

	pr->is_proposed = false;
	pr->note[0] = '\0';
	switch (keymap_find(IN_PROMPT, key)) {
	case ACTION_LINE_ACCEPT: return PROMPT_ACCEPTED;
	case ACTION_LINE_CANCEL: return PROMPT_CANCELLED;
	case ACTION_LINE_COMPLETE: return PROMPT_COMPLETE;
	case ACTION_LINE_OLDER: return prompt_recall(pr, -1);
	case ACTION_LINE_NEWER: return prompt_recall(pr, 1);
	case ACTION_LINE_LEFT: return prompt_edit(pr, lineedit_left);
	case ACTION_LINE_RIGHT: return prompt_edit(pr, lineedit_right);
	case ACTION_LINE_FIRST: return prompt_edit(pr, lineedit_first);
	case ACTION_LINE_LAST: return prompt_edit(pr, lineedit_last);
	case ACTION_LINE_BACKSPACE: return prompt_edit(pr, lineedit_backspace);
	case ACTION_LINE_DELETE: return prompt_edit(pr, lineedit_delete);
	case ACTION_LINE_WORD: return prompt_edit(pr, lineedit_delete_word);
	case ACTION_LINE_CLEAR: return prompt_edit(pr, lineedit_clear);
	default: return prompt_insert(pr, key, replaces);
	}
}

/* False: it does not fit. */
static bool prompt_insert_all(struct lineedit *le, const char *text, size_t n)
{
	int32_t cp;

	for (size_t used; n > 0; text += used, n -= used) {
		used = utf8_decode(text, n, &cp);
		if (cp >= 0x20 && utf8_cp_columns(cp) >= 0 && !lineedit_insert(le, cp))
			return false;
	}
	return true;
}

enum prompt_result prompt_paste(struct prompt *pr, const char *text, size_t n)
{
	struct lineedit le = pr->le;

	if (pr->is_proposed)
		lineedit_clear(&le);
	pr->note[0] = '\0';
	if (!prompt_insert_all(&le, text, n)) {
		str_printf(pr->note, sizeof(pr->note), "too long: not pasted");
		return PROMPT_IGNORED;
	}
	if (le.len == pr->le.len && !pr->is_proposed)
		return PROMPT_IGNORED;
	pr->is_proposed = false;
	pr->le = le;
	return PROMPT_EDITED;
}

/* ---- completion ----------------------------------------------------------------- */

struct prompt_match {
	const char *typed;
	size_t typed_len, n;
	char common[LINEEDIT_MAX];
	char note[PROMPT_NOTE_MAX];
};

static void prompt_match(void *ctx, const char *candidate)
{
	struct prompt_match *pm = ctx;
	size_t used = strlen(pm->note), i = 0;

	if (strncmp(candidate, pm->typed, pm->typed_len) != 0)
		return;
	if (pm->n++ == 0) {
		if (!str_copy(pm->common, sizeof(pm->common), candidate))
			pm->common[0] = '\0';
	} else {
		while (pm->common[i] && pm->common[i] == candidate[i])
			i++;
		while (i > 0 && ((unsigned char)pm->common[i] & 0xc0) == 0x80)
			i--;
		pm->common[i] = '\0';
	}
	if (used + strlen(candidate) + 2 < sizeof(pm->note))
		str_printf(pm->note + used, sizeof(pm->note) - used, "%s%s", used ? " " : "", candidate);
}

bool prompt_complete(struct prompt *pr, void (*each)(void *ctx, prompt_take_fn *take, void *take_ctx), void *ctx)
{
	struct prompt_match pm = { .typed = pr->le.text, .typed_len = pr->le.len };
	bool grew;

	each(ctx, prompt_match, &pm);
	if (!pm.n) {
		str_printf(pr->note, sizeof(pr->note), "nothing begins so");
		return false;
	}
	grew = strlen(pm.common) > pr->le.len;
	if (grew)
		lineedit_set(&pr->le, pm.common);
	if (pm.n > 1 && !str_copy(pr->note, sizeof(pr->note), pm.note))
		pr->note[0] = '\0';
	return grew;
}
