/* SPDX-License-Identifier: Apache-2.0 */
#include "io/kafka_outcome.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/units.h"
#include "base/utf8.h"
#include "core/outcome.h"
#include "wire/code.h"
#include "wire/topics.h"

enum { WORDS_MAX_BYTES = 300 };

#define OFF "deletion is switched off: delete.topic.enable is false on the controller, which a restart of that broker alone changes"
#define FIND_OUT "it was taken, if the topic is queued under Deletions, or gone"

/* Codes with words of their own; what follows from them is core/outcome's. */
static const struct meaning {
	int16_t error;
	uint8_t code;
	const char *text;
} meanings[] = {
	{ WIRE_NO_ERROR, OUTCOME_DONE, "queued for deletion" },
	{ 3, OUTCOME_REFUSED, "gone, or already being deleted, or never had a leader: see Deletions" },
	{ 7, OUTCOME_DONE, "queued for deletion, which had not begun when the time given was over" },
	{ 29, OUTCOME_REFUSED, "no permission: DELETE on the topic is missing" },
	{ 41, OUTCOME_REFUSED, "nothing was done: the controller is moving; ask again in a while" },
	{ 73, OUTCOME_REFUSED, OFF },
};

static struct outcome *of_all(const struct kafka_asked *as, enum outcome_code code, const char *text)
{
	struct outcome *oc = outcome_new(as->id, as->n);

	for (size_t i = 0; i < as->n; i++)
		oc->items[i] = (struct outcome_item){ .name = mem_strdup(as->names[i]), .code = (uint8_t)code, .is_for_all = code == OUTCOME_REFUSED, .text = mem_strdup(text) };
	return oc;
}

struct outcome *kafka_outcome_undone(const struct kafka_asked *as, bool was_sent, const char *why)
{
	struct outcome *oc;
	struct strbuf sb;

	strbuf_init(&sb);
	strbuf_printf(&sb, "nothing was %s: %s", was_sent ? "done" : "sent", why);
	oc = of_all(as, OUTCOME_REFUSED, sb.s);
	strbuf_fini(&sb);
	return oc;
}

struct outcome *kafka_outcome_unanswered(const struct kafka_asked *as, const char *why)
{
	struct outcome *oc;
	struct strbuf sb;

	strbuf_init(&sb);
	strbuf_printf(&sb, "sent, and no answer: %s; " FIND_OUT, why);
	oc = of_all(as, OUTCOME_UNKNOWN, sb.s);
	strbuf_fini(&sb);
	return oc;
}

bool kafka_outcome_is_elsewhere(const struct wire_deletes *ds)
{
	for (uint32_t i = 0; i < ds->n; i++)
		if (ds->v[i].error != 41)
			return false;
	return ds->n > 0;
}

/* ---- one topic ------------------------------------------------------------------------------ */

static const struct meaning *meaning_of(int16_t error, int16_t version)
{
	if (error == 42 && version < 3)
		error = 73;
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
		if (meanings[i].error == error)
			return &meanings[i];
	return NULL;
}

/* The broker's own words, made printable, as far as there are any. */
static void put_words(struct strbuf *sb, const char *message)
{
	size_t n = message ? strlen(message) : 0;

	if (n == 0)
		return;
	strbuf_put(sb, " (the broker says: ");
	utf8_printable(sb, message, n < WORDS_MAX_BYTES ? n : WORDS_MAX_BYTES, false);
	strbuf_putc(sb, ')');
}

static uint8_t put_quota(struct strbuf *sb, int32_t throttle_ms)
{
	char wait[UNITS_TEXT_MAX];

	strbuf_put(sb, "nothing was done: over the quota on changes of topics; ask again ");
	if (throttle_ms > 0)
		strbuf_printf(sb, "in %s", units_dur(wait, ((dur_ms)throttle_ms + 999) / 1000 * 1000));
	else
		strbuf_put(sb, "in a while");
	return OUTCOME_REFUSED;
}

/* Of a code without words of its own. */
static uint8_t put_code(struct strbuf *sb, int16_t error)
{
	bool is_known = outcome_meaning(error) & OUTCOME_NOTHING_DONE;
	struct err err;

	err_init(&err);
	(void)wire_code_err(error, NULL, &err);
	strbuf_put(sb, err.text);
	if (!is_known)
		strbuf_put(sb, "; " FIND_OUT);
	return is_known ? OUTCOME_REFUSED : OUTCOME_UNKNOWN;
}

static void take(struct outcome_item *it, int16_t version, const struct wire_deletes *ds, const struct wire_deleted *de)
{
	const struct meaning *me = meaning_of(de->error, version);
	struct strbuf sb;

	strbuf_init(&sb);
	it->kafka_error = de->error;
	if (me) {
		it->code = me->code;
		strbuf_put(&sb, me->text);
	} else {
		it->code = de->error == 89 ? put_quota(&sb, ds->throttle_ms) : put_code(&sb, de->error);
	}
	it->is_for_all = it->code == OUTCOME_REFUSED && (outcome_meaning(de->error) & OUTCOME_SAME_FOR_ALL);
	if (de->error != WIRE_NO_ERROR)
		put_words(&sb, de->message);
	it->text = strbuf_take(&sb);
	strbuf_fini(&sb);
}

/* The first of that name. */
static const struct wire_deleted *answer_of(const struct wire_deletes *ds, const char *name)
{
	for (uint32_t i = 0; i < ds->n; i++)
		if (strcmp(ds->v[i].name, name) == 0)
			return &ds->v[i];
	return NULL;
}

struct outcome *kafka_outcome_answered(const struct kafka_asked *as, int32_t broker, int16_t version, const struct wire_deletes *ds)
{
	struct outcome *oc = outcome_new(as->id, as->n);

	oc->broker = broker;
	for (size_t i = 0; i < as->n; i++) {
		struct outcome_item *it = &oc->items[i];
		const struct wire_deleted *de = answer_of(ds, as->names[i]);

		it->name = mem_strdup(as->names[i]);
		it->code = OUTCOME_UNKNOWN;
		if (de)
			take(it, version, ds, de);
		else
			it->text = mem_strdup("the answer does not name it; " FIND_OUT);
	}
	return oc;
}
