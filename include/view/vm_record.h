/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One command of the journal, all that is written of it: who, where, what was shown and confirmed, what was sent, what came of each topic. Of topics
 * whose outcome is not known it says what the cluster says of them now, where it is the same cluster, and how to find out.
 * The key of a row is "topic:NAME" where it is about a topic, else "".
 * Thread: as view/vm_topics.h.
 */
#ifndef VIEW_VM_RECORD_H
#define VIEW_VM_RECORD_H

#include "view/vm_journal.h"

struct cluster;
struct vm_record;

struct vm_record *vm_record_new(const struct cluster *cl, const char *id);
void vm_record_free(struct vm_record **pp);
void vm_record_resize(struct vm_record *vm, int width);
bool vm_record_update(struct vm_record *vm, const struct journal_facts *jf, wall_ms now);
const struct table *vm_record_table(const struct vm_record *vm);

#endif
