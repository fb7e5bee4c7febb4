/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The console as a thing that is looked at and typed into: the screens that are open, the prompt, the message.
 * Takes keys, runs actions, and says what needs painting; ui/frame paints it, ui/ui keeps the time.
 * Thread: UI thread.
 */
#ifndef UI_CONSOLE_H
#define UI_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/choice.h"
#include "core/preview.h"
#include "ui/change.h"
#include "ui/keymap.h"
#include "ui/prompt.h"
#include "ui/screen.h"
#include "ui/tablewin.h"

struct arena;
struct options;
struct session;
struct changes;
struct deletions;
struct truths;
struct term_event;

enum { CONSOLE_MESSAGE_MAX = 320, CONSOLE_VIEW_MAX = 32 };

struct console {
	struct session *ss;
	const struct options *opt;
	struct screens st;
	struct truths *truths;
	struct deletions *deletions;
	bool truths_begun;               /* both have looked everywhere once */
	struct choice *marks;            /* topics */
	struct choice_totals marked;     /* what they hold */
	char *range_from;                /* the topic where a range begins; NULL: none does */
	struct previewer *previewer;     /* while a pattern is being typed, else NULL */
	struct preview preview;          /* its last look */
	struct change change;            /* of the cluster, that is on its way */
	struct prompt pr;
	struct query before;             /* the filter before the prompt that changes it, */
	struct tablewin_saved before_tw; /* and where the cursor was */
	char file[LINEEDIT_MAX];         /* to be overwritten, if the answer is yes, */
	bool file_is_marks;              /* by the marks; else by the view */
	char message[CONSOLE_MESSAGE_MAX];
	bool is_bad;                     /* the message is about something that failed */
	bool is_shown;                   /* it has been on the screen: the next key may take it away */
	bool dirty;                      /* something typed shows */
	bool quit;
	wall_ms unknown_at;              /* the last request that nobody knows the outcome of; {0} none */
	uint64_t quit_told;              /* the request that has no answer yet, of which was said that another q leaves it alone; 0 none */
	int width, height;               /* of the terminal, as last painted */
	int table_y;                     /* line of the table's header, as last painted */
	uint64_t wanted;                 /* hash of the topics last asked for */
	struct arena *ar;                /* scratch */
};

/* The views of line 2, by number. */
struct console_view {
	const char *key, *name;
	enum action action;
	const struct screen_ops *ops;
};
const struct console_view *console_views(size_t *n);
/* NULL: there is none of that name. */
const struct console_view *console_view_named(const char *name);
/* "2topics", "2topics!": how line 2 has it; marked where it needs a look. */
void console_view_text(const struct console *co, const struct console_view *cv, char out[CONSOLE_VIEW_MAX]);

/* `first` is the view to begin with. */
void console_init(struct console *co, struct session *ss, const struct options *opt, const struct console_view *first);
void console_fini(struct console *co);
void console_key(struct console *co, const struct term_event *ev);
/* Where keys are looked up now: IN_*. */
unsigned console_where(const struct console *co);
bool console_key_works(const struct console *co, enum action a); /* there; now, too: nothing stops while nothing is sent */
/* A message that stays: nobody can have read it yet, or it says what failed and no key was pressed since. What comes by itself waits for that. */
bool console_is_unread(const struct console *co);
void console_say(struct console *co, bool is_bad, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* What is marked, for the line of messages; "" when there is nothing to say. */
void console_marks_text(const struct console *co, char *out, size_t size);
/* Brings all that is looked at up to date with what changed. */
void console_update(struct console *co, const struct changes *ch);
/* Tells the session which topics and what of the brokers' word are on view, when that changed. */
void console_want(struct console *co);
/* The screen is not ours for now: nobody looks. */
void console_look_away(struct console *co);

#endif
