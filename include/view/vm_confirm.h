/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A change on its way, as a page of text: what the check found, errors and warnings apart; the effect, with what is to be typed below it; and what
 * came of it, topic by topic. Made from facts that the caller has, in four steps.
 * Thread: UI thread; pure.
 */
#ifndef VIEW_VM_CONFIRM_H
#define VIEW_VM_CONFIRM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "view/table.h"

struct appraisal;
struct cluster;
struct command;
struct findings;
struct policy;
struct vm_confirm;

enum confirm_step {
	CONFIRM_CHECK,  /* what was found; nothing has been asked for */
	CONFIRM_TYPE,   /* the effect, while what confirms it is typed */
	CONFIRM_SEND,   /* confirmed, and being sent */
	CONFIRM_END     /* what came of it */
};

enum confirm_state { CONFIRM_WAITS, CONFIRM_OUT, CONFIRM_TAKEN, CONFIRM_REFUSED, CONFIRM_UNKNOWN };

struct confirm_item {
	const char *topic;             /* "" of a command about none */
	uint8_t state;                 /* enum confirm_state */
	const char *text;              /* what came with it; NULL: nothing */
};

struct confirm_facts {
	enum confirm_step step;
	const struct command *cm;
	const struct findings *fs;
	const struct cluster *cl;
	const struct policy *po;
	const char *confirm;           /* last line of the effect */
	const char *difference;        /* what changed since it was shown before, a line each; NULL: nothing */
	const char *refused;           /* why it was not sent when it was confirmed; NULL: it was not refused */
	bool offers_znode;             /* a marker would be let through where the request is not */
	const struct appraisal *ap;    /* what is asked of brokers meanwhile, as far as it is; NULL: nothing */
	mono_ms now;                   /* on its clock */
	const struct confirm_item *items;
	size_t n_items;
	const char *stopped;           /* why nothing more is sent; NULL */
};

struct vm_confirm *vm_confirm_new(void);
void vm_confirm_free(struct vm_confirm **pp);
void vm_confirm_resize(struct vm_confirm *vm, int width);
/* `facts` NULL: there is no change on its way. Keeps nothing of it. False: nothing of what the page says is another than before, so it stays as it is. */
bool vm_confirm_update(struct vm_confirm *vm, const struct confirm_facts *facts);
const struct table *vm_confirm_table(const struct vm_confirm *vm);

#endif
