/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The deletions, a row each: those that are queued, and those that ended while somebody watched (core/deletion).
 *
 * Own order (sort_col -1): those that wait first, then queued ones, those that run, and below them those that ended, the last one first; within
 * these the oldest first, then by name.
 * The key of a row is "topic/czxid": a name can't hold a '/', and the same name may have been deleted twice. Borrowed until the next update.
 * Filter words: the states, and the kinds of what blocks them, as batch has them ("waiting", "broker-down").
 * Thread: as view/vm_topics.h.
 */
#ifndef VIEW_VM_DELETIONS_H
#define VIEW_VM_DELETIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/units.h"
#include "core/model.h"
#include "view/query.h"
#include "view/table.h"

struct deletion;
struct deletions;
struct vm_deletions;

extern const struct query_own vm_deletions_words[];
extern const size_t vm_deletions_n_words;

struct vm_deletions *vm_deletions_new(const struct cluster *cl);
void vm_deletions_free(struct vm_deletions **pp);
/* Where the deletions are: borrowed until another or NULL is given. */
void vm_deletions_take(struct vm_deletions *vm, const struct deletions *ds);
/* As vm_topics_update. */
bool vm_deletions_update(struct vm_deletions *vm, const struct changes *ch, const struct query *qu, wall_ms now);
const struct table *vm_deletions_table(const struct vm_deletions *vm);

/* The parts of a row's key. False where it is none. */
enum { VM_DELETIONS_TOPIC_MAX = 1100 };
bool vm_deletions_key_parse(const char *key, char topic[VM_DELETIONS_TOPIC_MAX], int64_t *czxid) __attribute__((warn_unused_result));
/* The deletion of that topic and czxid; NULL when there is none. */
const struct deletion *deletion_of_key(const struct deletions *ds, const char *key);

#endif
