/* SPDX-License-Identifier: Apache-2.0 */
#include "app/appraise.h"

#include "app/session.h"
#include "base/err.h"
#include "base/mem.h"
#include "core/appraisal.h"
#include "core/command.h"

struct appraise {
	struct session *ss;
	struct appraisal now;
	mono_ms begun;
	dur_ms most;
	bool has_news;
};

static void on_appraisal(void *ctx, const struct appraisal *ap)
{
	struct appraise *ar = ctx;

	appraisal_fini(&ar->now);
	appraisal_copy(ap, &ar->now);
	ar->has_news = true;
}

struct appraise *appraise_new(struct session *ss, const struct command *cm, dur_ms most_ms)
{
	struct appraise *ar;
	struct err err;

	err_init(&err);
	if (cm->n_topics == 0 || !session_can_inquire(ss))
		return NULL;
	ar = mem_zalloc(sizeof(*ar));
	ar->ss = ss;
	ar->now.writes_pending = ar->now.groups_pending = true;
	ar->begun = session_mono(ss);
	ar->most = most_ms;
	if (!session_inquire(ss, cm, on_appraisal, ar, &err))
		appraisal_give_up(&ar->now, err.text);
	return ar;
}

void appraise_free(struct appraise **pp)
{
	struct appraise *ar = *pp;

	if (ar == NULL)
		return;
	session_inquire_end(ar->ss);
	appraisal_fini(&ar->now);
	mem_free(pp);
}

const struct appraisal *appraise_now(const struct appraise *ar)
{
	return ar != NULL ? &ar->now : NULL;
}

bool appraise_is_over(const struct appraise *ar)
{
	return ar == NULL || (!ar->now.writes_pending && !ar->now.groups_pending);
}

bool appraise_has_news(const struct appraise *ar)
{
	return ar != NULL && ar->has_news;
}

bool appraise_take_news(struct appraise *ar)
{
	bool has_news = appraise_has_news(ar);

	if (has_news)
		ar->has_news = false;
	return has_news;
}

void appraise_turn(struct appraise *ar, mono_ms now)
{
	char within[UNITS_TEXT_MAX];
	struct err err;

	if (appraise_is_over(ar) || mono_since(now, ar->begun) < ar->most)
		return;
	err_init(&err);
	units_limit(within, ar->most);
	err_set(&err, ERR_TIMEOUT, "brokers did not answer all within %s", within);
	session_inquire_end(ar->ss);
	appraisal_give_up(&ar->now, err.text);
	ar->has_news = true;
}
