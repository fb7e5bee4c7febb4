/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one change that is on its way from this console: looked at, confirmed by what is typed, sent, and what came of it. It goes through the gate
 * (app/gate); in read-only mode the same is shown up to the last key, which the gate then refuses. In a replay there is no gate.
 * Thread: UI thread.
 */
#ifndef UI_CHANGE_H
#define UI_CHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "core/appraisal.h"
#include "core/command.h"
#include "view/vm_confirm.h"

struct appraise;
struct arena;
struct changes;
struct deletions;
struct gate_facts;
struct operate;
struct options;
struct outcome;
struct session;

enum { CHANGE_TEXT_MAX = 640, CHANGE_LABEL_MAX = 96 };

struct change {
	struct session *ss;
	const struct options *opt;
	const struct deletions *ds;     /* NULL: not known */
	struct operate *op;             /* NULL: none, and `why_not` says why */
	struct err why_not;
	struct command *cm;             /* NULL: there is no change on its way */
	enum confirm_step step;
	struct appraise *asking;        /* what is asked of brokers meanwhile; NULL: nothing */
	struct appraisal seen;          /* what of that the last look took; {0} without `asking` */
	struct findings findings;       /* of the last look */
	struct findings shown;          /* of the look that the operator went on from, or began with */
	char *difference;               /* what changed between these two, a line each; NULL: nothing */
	char *refused;                  /* by the gate, at the last key; NULL: not, or gone on from since */
	char *first, *second;           /* to be typed; second NULL: nothing */
	bool is_first_typed;
	uint64_t token;                 /* 0: the gate has not been asked */
	bool offers_znode;
};

void change_init(struct change *cg, struct session *ss, const struct options *opt);
void change_fini(struct change *cg);
/* Takes `cm`, looks at it, and asks for nothing. Not while one is being sent. */
void change_begin(struct change *cg, struct command *cm);
/* The same topics by markers in ZooKeeper. */
void change_by_znode(struct change *cg);
/* Looks again where `ch` (NULL: at all) touches what it is about, until it is sent. True: something else is found than before. Then a question
 * that was open is taken back, with what was typed: it is at the check again, which tells the difference. */
bool change_update(struct change *cg, const struct changes *ch);
/* On to what has to be typed. False: why not, and it is at the check again. */
bool change_ask(struct change *cg, char why[CHANGE_TEXT_MAX]);
/* What is to be typed now, as the question before it. */
void change_question(const struct change *cg, char out[CHANGE_LABEL_MAX]);

enum change_news {
	CHANGE_NO_NEWS,
	CHANGE_TOLD,     /* of what is asked of brokers: to be shown */
	CHANGE_WARNED,   /* a warning came while it was typed: what is typed should be typed anew */
	CHANGE_UNDONE    /* the gate refuses it by now, and it is at the check again: `why` says it */
};
/* Something was told, and not taken by change_news yet. */
bool change_has_news(const struct change *cg);
/* What came of what is asked of brokers. With each turn. */
enum change_news change_news(struct change *cg, char why[CHANGE_TEXT_MAX]);

enum change_typed {
	CHANGE_NOT_IT,   /* it is something else: `why` says what */
	CHANGE_MORE,     /* and now the next question */
	CHANGE_SENT,
	CHANGE_BACK      /* refused, or the facts changed: back at the check; `why` says it */
};
enum change_typed change_type(struct change *cg, const char *typed, char why[CHANGE_TEXT_MAX]);

bool change_is_sending(const struct change *cg);
/* The id, in the journal, of what is being sent; 0: nothing is. */
uint64_t change_running(const struct change *cg);
/* "delete-topics 0193a7c4f2b81c07": its kind and its id in the journal. False: none is. */
bool change_running_text(const struct change *cg, char out[CHANGE_LABEL_MAX]);
/* Leaves it, unless it is being sent: then it goes on. */
void change_drop(struct change *cg);
void change_stop(struct change *cg);
void change_outcome(struct change *cg, const struct outcome *oc);
/* True once, when all of what was sent has an outcome; *is_well: everything was taken. */
bool change_ends(struct change *cg, bool *is_well);
/* As change_ends finds it: which topics were taken. */
void change_each_taken(const struct change *cg, void (*fn)(void *ctx, const char *topic), void *ctx);
/* While it is being sent: the topics that have been asked for. */
void change_each_sent(const struct change *cg, void (*fn)(void *ctx, const char *topic), void *ctx);
bool change_take_message(struct change *cg, char *out, size_t size, bool *is_bad);
/* For the page; texts live in `ar` or as long as the change. False: there is none. */
bool change_facts(const struct change *cg, struct arena *ar, struct confirm_facts *out);

#endif
