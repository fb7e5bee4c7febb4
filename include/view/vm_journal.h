/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal, a row a command, newest first: when, who, what, and what came of it. A command that was sent and has no outcome in the journal
 * is told as such; one that is being carried out by this very console is under way.
 * The key of a row is the command's id as text (core/record). Filter words: vm_journal_words.
 * Thread: as view/vm_topics.h.
 */
#ifndef VIEW_VM_JOURNAL_H
#define VIEW_VM_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "core/intents.h"
#include "core/record.h"
#include "view/query.h"
#include "view/table.h"

struct vm_journal;

/* What is known of the journal. Borrowed for the time of the call. */
struct journal_facts {
	const struct record *const *records; /* oldest first */
	size_t n, n_left_out;
	const struct intents *open;
	size_t n_bad;                  /* lines that are no records, with the last one when that has no end */
	uint64_t bad_at;               /* where the last of them begins, in bytes */
	const char *error;             /* why it can't be read; NULL: it can */
	uint64_t running;              /* id of the command that this console is carrying out; 0 none */
	/* The open intent is carried out by another program, which is alive: its outcome may still come. NULL: none is. */
	bool (*is_elsewhere)(const struct record *re, wall_ms now);
	uint64_t version;              /* of all before `running`: another number when anything differs; 0: it may differ at any time */
};

extern const struct query_own vm_journal_words[];
extern const size_t vm_journal_n_words;

struct vm_journal *vm_journal_new(void);
void vm_journal_free(struct vm_journal **pp);
/* True: anything shown may differ. Keeps nothing of the facts; rows are made again when these, or the query, are others. */
bool vm_journal_update(struct vm_journal *vm, const struct journal_facts *jf, const struct query *qu, wall_ms now);
const struct table *vm_journal_table(const struct vm_journal *vm);

#endif
