/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The line one types into, above the line of keys: a filter, a command, a file's
 * name, a yes or no, a pattern of topics, what confirms a change; with the history of each kind. What the text means is the caller's affair.
 * Thread: UI thread; pure.
 */
#ifndef UI_PROMPT_H
#define UI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/lineedit.h"

enum prompt_kind { PROMPT_NONE = 0, PROMPT_FILTER, PROMPT_COMMAND, PROMPT_FILE, PROMPT_OVERWRITE, PROMPT_PATTERN, PROMPT_CONFIRM, PROMPT_KINDS };
enum { PROMPT_HISTORY_MAX = 50, PROMPT_NOTE_MAX = 128, PROMPT_QUESTION_MAX = 96 };

struct prompt_history {
	char *lines[PROMPT_HISTORY_MAX]; /* oldest first */
	size_t n;
};

struct prompt {
	enum prompt_kind kind;           /* PROMPT_NONE: not open */
	struct lineedit le;
	bool is_proposed;                /* the text is a proposal: the first character typed replaces it */
	char question[PROMPT_QUESTION_MAX]; /* of PROMPT_CONFIRM, whose lines are not remembered */
	char note[PROMPT_NOTE_MAX];      /* at the right: what is wrong, or could be meant */
	struct prompt_history history[PROMPT_KINDS];
	size_t at;                       /* in the history; n: the line being typed */
	char typed[LINEEDIT_MAX];        /* that line, while another is shown */
};

enum prompt_result {
	PROMPT_IGNORED, PROMPT_EDITED, PROMPT_MOVED, PROMPT_ACCEPTED, PROMPT_CANCELLED, PROMPT_COMPLETE
};

void prompt_init(struct prompt *pr);
void prompt_fini(struct prompt *pr);
void prompt_open(struct prompt *pr, enum prompt_kind kind, const char *text);
/* Closes; remembers the line when it was accepted. */
void prompt_close(struct prompt *pr, bool accepted);
enum prompt_result prompt_key(struct prompt *pr, int32_t key);
/* Pasted text as it was sent, without its line ends and what else can't stand in a line. What does not fit is not taken in part: the note says so. */
enum prompt_result prompt_paste(struct prompt *pr, const char *text, size_t n);
/* "/", ":", "write to: ", ... */
const char *prompt_label(const struct prompt *pr);

/* Completes le->text by what candidates have in common behind it. `each` calls `take` with every candidate. Puts what is left
 * open into the note. True when the text grew. */
typedef void prompt_take_fn(void *ctx, const char *candidate);
bool prompt_complete(struct prompt *pr, void (*each)(void *ctx, prompt_take_fn *take, void *take_ctx), void *ctx);

#endif
