/* SPDX-License-Identifier: Apache-2.0 */
/* The brokers screen: a row a broker, known or registered. Thread: as view/vm_topics.h. */
#ifndef VIEW_VM_BROKERS_H
#define VIEW_VM_BROKERS_H

#include <stdbool.h>

#include "base/units.h"
#include "core/model.h"
#include "view/query.h"
#include "view/table.h"

struct vm_brokers;

struct vm_brokers *vm_brokers_new(const struct cluster *cl);
void vm_brokers_free(struct vm_brokers **pp);
bool vm_brokers_update(struct vm_brokers *vm, const struct changes *ch, const struct query *qu, wall_ms now);
const struct table *vm_brokers_table(const struct vm_brokers *vm);

#endif
