/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of ui/console share, and nobody else. Thread: UI thread. */
#ifndef UI_CONSOLE_PARTS_H
#define UI_CONSOLE_PARTS_H

#include "ui/console.h"

struct outcome;

/* console.c */
void console_move(struct console *co, enum action a);

/* console_told.c: the line of messages (console.h); requests of which nobody knows the outcome */
void console_quit(struct console *co);          /* the first time with a request out that is said instead */
void console_look_back(struct console *co, bool is_start); /* at the start, and when something was sent: what the journal has */
bool console_needs_look(const struct console *co, const char *view); /* line 2 marks it */

/* console_query.c: filter and order of the screen on view */
void console_filter(struct console *co, const char *text);
void console_filter_live(struct console *co);
void console_filter_open(struct console *co);
void console_filter_cancel(struct console *co);
void console_sort_by(struct console *co, int col);
void console_sort_named(struct console *co, const char *name);
void console_sort_next(struct console *co);
void console_sort_reverse(struct console *co);

/* console_out.c: what leaves the program: a row's name, a view as a file */
void console_copy(struct console *co);
void console_write_open(struct console *co);
void console_write(struct console *co, const char *path, bool overwrite);

/* console_marks.c: topics marked by hand, and sets of them as files */
void console_mark(struct console *co);
void console_mark_range(struct console *co);
bool console_range_drop(struct console *co); /* true: there was one */
void console_mark_all(struct console *co);
void console_mark_invert(struct console *co);
void console_mark_none(struct console *co);
void console_marks_save(struct console *co, const char *path, bool overwrite);
void console_marks_load(struct console *co, const char *path);
/* With every change: marks go with their topics. */
void console_marks_update(struct console *co, const struct changes *ch);
void console_marks_count(struct console *co);
/* "marked 2 topics, 8 partitions, 800 GiB; struck out: ..." */
void console_marks_say(struct console *co, const struct choice_tally *tally);

/* console_pattern.c: marking by a pattern, with what it would take */
void console_pattern_open(struct console *co);
void console_pattern_live(struct console *co);
/* True: it is done, and the prompt may close. */
bool console_pattern_accept(struct console *co);
void console_pattern_close(struct console *co);
void console_pattern_update(struct console *co, const struct changes *ch);
bool console_is_frozen(struct console *co);

/* console_change.c: changes of the cluster, through ui/change */
void console_delete(struct console *co);        /* the marked topics, else the one under the cursor */
void console_say_elsewhere(struct console *co, int32_t key); /* of a key that does nothing where one is: where it does */
void console_acts(struct console *co);          /* what would help a deletion */
bool console_acts_enter(struct console *co);    /* false: that is not on view */
void console_change_go_on(struct console *co);
void console_change_znode(struct console *co);
bool console_change_key(struct console *co, const struct term_event *ev); /* while it is typed; true: nothing else is done */
void console_change_leave(struct console *co);
void console_change_away(struct console *co);
void console_change_stop(struct console *co);
void console_change_follow(struct console *co);
void console_change_update(struct console *co, const struct changes *ch); /* what the facts do to it; `ch` NULL: look anyway */
void console_change_turn(struct console *co);   /* with every change, and after what is typed */
void console_on_outcome(void *ctx, const struct outcome *oc);

#endif
