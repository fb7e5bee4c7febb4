/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filter text and sort order, parsed once and applied to any view model.
 *
 * Filter text: words separated by blanks, all must hold. A word is
 *   one of the state and filter words below (the same on screen, in batch, in the manual), or
 *   text found anywhere in the name, ASCII case ignored;
 *   !word turns it round.
 * A word that hangs on what isn't known is undecided, turned round or not; so is the whole where no other word says no.
 * Words: offline unavailable-partitions, under-min under-min-isr-partitions, at-min at-min-isr-partitions,
 *   under under-replicated-partitions, deleting, moving, internal, overrides topics-with-overrides,
 *   unreadable, not-preferred, ok.
 * A topic whose name is itself such a word is found by quoting: "ok".
 * Thread: UI thread; pure.
 */
#ifndef VIEW_QUERY_H
#define VIEW_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/health.h"

struct err;

enum { QUERY_TEXT_MAX = 256, QUERY_WORDS_MAX = 16 };

struct query_word {
	bool negated;
	bool quoted;        /* plain text, whatever it says */
	uint8_t what;       /* 0: text, else a word of the table in query.c */
	char text[QUERY_TEXT_MAX];
};

struct query {
	char text[QUERY_TEXT_MAX];          /* as typed; "" shows all */
	struct query_word words[QUERY_WORDS_MAX];
	size_t n_words;
	int sort_col;                       /* -1: the view's own order */
	bool sort_desc;
};

void query_init(struct query *qu);
/* False (and `qu` as before) with a sentence when the text is too long or has too many words. */
bool query_set_text(struct query *qu, const char *text, struct err *err) __attribute__((warn_unused_result));
/* Next column in turn (of n), direction back to the column's natural one; the view says which columns sort. */
void query_sort_by(struct query *qu, int col, bool desc);

enum verdict query_topic(const struct query *qu, const struct topic *tp);
/* For rows that are not topics: text words only are held against `text`. */
bool query_text(const struct query *qu, const char *text);
/* For the partitions of one topic: state words are held against the partition's own verdicts, text against its number;
 * the words about whole topics (deleting, internal, overrides) hold for each. */
enum verdict query_partition(const struct query *qu, const struct partition *pt);
/* For a replica of a partition: text is held against "topic-partition", a partition's verdict against its own, words about
 * whole topics against the topic. */
enum verdict query_replica(const struct query *qu, const struct topic *tp, const struct partition *pt);

/* Words that a view of rows of its own kind has, and what they mean, for help and completion. */
struct query_own {
	const char *word, *help;
};
/* For such a row: holds(row, i) decides the i-th of the view's words; any other word is text, held against `text`. */
enum verdict query_row(const struct query *qu, const struct query_own *words, size_t n_words,
	enum verdict (*holds)(const void *row, size_t i), const void *row, const char *text);

/* ", 3 not known" for rows that are not shown because they are undecided; "" for none. */
enum { QUERY_OPEN_MAX = 48 };
const char *query_open_text(char out[QUERY_OPEN_MAX], size_t n);
/* The same text and the same order. */
bool query_equal(const struct query *a, const struct query *b);

/* Calls back with each word of the filter language and its help, for help and manual; Kafka's own words follow the short ones. */
void query_each_word(void (*fn)(const char *word, const char *help, void *ctx), void *ctx);

#endif
