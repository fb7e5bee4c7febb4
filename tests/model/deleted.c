/* SPDX-License-Identifier: Apache-2.0 */
#include "deleted.h"

#include <string.h>

#include "base/str.h"

struct look {
	char **words;
	size_t n;
	struct strbuf *wrong;
};

static const char *word(const struct look *lo, size_t i)
{
	return i < lo->n ? lo->words[i] : "";
}

static int64_t number(const struct look *lo, size_t i)
{
	int64_t v = 0;

	if (!str_to_i64(word(lo, i), INT64_MIN, INT64_MAX, &v))
		strbuf_printf(lo->wrong, "'%s' is no number", word(lo, i));
	return v;
}

static void same(const struct look *lo, size_t i, const char *what, const char *found)
{
	if (strcmp(word(lo, i), found) != 0)
		strbuf_printf(lo->wrong, "%s: expected '%s', found '%s'; ", what, word(lo, i), found);
}

/* ---- replicas --------------------------------------------------------------------------- */

/* "T replica P B [phase PHASE CERTAINTY] [state STATE CERTAINTY] [rule RULE]" */
static void expect_replica(const struct look *lo, const struct deletion_replica *dr)
{
	for (size_t i = 6; i < lo->n; i++) {
		if (strcmp(lo->words[i], "phase") == 0) {
			same(lo, ++i, "phase", deletion_phase_name((enum deletion_phase)dr->phase));
			same(lo, ++i, "phase's certainty", certainty_name((enum certainty)dr->phase_certainty));
		} else if (strcmp(lo->words[i], "state") == 0) {
			same(lo, ++i, "state", rsm_state_short((enum rsm_state)dr->state));
			same(lo, ++i, "state's certainty", certainty_name((enum certainty)dr->certainty));
		} else if (strcmp(lo->words[i], "rule") == 0) {
			same(lo, ++i, "rule", dr->rule);
		} else {
			strbuf_printf(lo->wrong, "nothing is known of '%s'", lo->words[i]);
		}
	}
}

static void find_replica(const struct look *lo, const struct deletion *de)
{
	int64_t partition = number(lo, 4), broker = number(lo, 5);

	for (size_t i = 0; i < de->n_replicas; i++)
		if (de->replicas[i].partition == partition && de->replicas[i].broker == broker) {
			expect_replica(lo, &de->replicas[i]);
			return;
		}
	strbuf_printf(lo->wrong, "there is no replica of %lld on %lld", (long long)partition, (long long)broker);
}

/* ---- deletions ---------------------------------------------------------------------------- */

/* "T STATE CERTAINTY RULE [KIND BROKER|- CERTAINTY]...": the blockers are all there are, in order. */
static void expect_state(const struct look *lo, const struct deletion *de)
{
	same(lo, 3, "state", deletion_state_name(de->state));
	same(lo, 4, "certainty", certainty_name((enum certainty)de->certainty));
	same(lo, 5, "rule", de->rule);
	for (size_t i = 0; i < de->n_blockers; i++) {
		const struct deletion_blocker *bl = &de->blockers[i];
		char id[16];

		str_printf(id, sizeof(id), "%d", bl->broker);
		same(lo, 6 + 3 * i, "blocker", blocker_kind_name(bl->kind));
		same(lo, 7 + 3 * i, "blocker's broker", bl->broker == BROKER_NONE ? "-" : id);
		same(lo, 8 + 3 * i, "blocker's certainty", certainty_name((enum certainty)bl->certainty));
	}
	if (lo->n > 6 + 3 * de->n_blockers)
		strbuf_printf(lo->wrong, "there is no blocker '%s'", word(lo, 6 + 3 * de->n_blockers));
}

static void expect_text(const struct look *lo, const char *rest, const char *found)
{
	/* Behind the topic and the word. */
	for (int i = 0; i < 2; i++) {
		rest += strcspn(rest, " ");
		rest += strspn(rest, " ");
	}
	if (strstr(found, rest) == NULL)
		strbuf_printf(lo->wrong, "expected '%s' in '%s'", rest, found);
}

static void expect_count(const struct look *lo, const struct deletion *de)
{
	for (int ph = 0; ph < PHASES; ph++)
		if (strcmp(word(lo, 4), deletion_phase_name((enum deletion_phase)ph)) == 0 && number(lo, 5) != de->n_by_phase[ph])
			strbuf_printf(lo->wrong, "%s: expected %s, found %u", word(lo, 4), word(lo, 5), de->n_by_phase[ph]);
}

/* "T attempt I TRIGGER...": the I-th, of 0 on; with "= OUTCOME" behind it */
static void expect_attempt(const struct look *lo, const struct deletion *de, const char *rest)
{
	int64_t i = number(lo, 4);
	char found[512];

	if (i < 0 || (size_t)i >= de->n_attempts) {
		strbuf_printf(lo->wrong, "there are %zu attempts", de->n_attempts);
		return;
	}
	for (int k = 0; k < 3; k++) {
		rest += strcspn(rest, " ");
		rest += strspn(rest, " ");
	}
	str_printf(found, sizeof(found), "%s = %s", de->attempts[i].trigger, de->attempts[i].outcome != NULL ? de->attempts[i].outcome : "-");
	if (strcmp(found, rest) != 0)
		strbuf_printf(lo->wrong, "expected '%s', found '%s'", rest, found);
}

static void expect_one(const struct look *lo, const struct deletion *de, const char *rest)
{
	const char *what = word(lo, 3);

	if (strcmp(what, "replica") == 0)
		find_replica(lo, de);
	else if (strcmp(what, "count") == 0)
		expect_count(lo, de);
	else if (strcmp(what, "why") == 0)
		expect_text(lo, rest, de->why);
	else if (strcmp(what, "next") == 0)
		expect_text(lo, rest, de->next);
	else if (strcmp(what, "act") == 0)
		expect_text(lo, rest, de->act);
	else if (strcmp(what, "attempts") == 0) {
		if (number(lo, 4) != (int64_t)de->n_attempts)
			strbuf_printf(lo->wrong, "expected %s attempts, found %zu", word(lo, 4), de->n_attempts);
	} else if (strcmp(what, "attempt") == 0)
		expect_attempt(lo, de, rest);
	else if (strcmp(what, "orphans") == 0) {
		if (number(lo, 4) != de->orphans)
			strbuf_printf(lo->wrong, "expected %s orphans, found %d", word(lo, 4), de->orphans);
	} else
		expect_state(lo, de);
}

bool deleted_expect(const struct deletions *ds, char **words, size_t n, const char *rest, struct strbuf *wrong)
{
	struct look lo = { words, n, wrong };
	const struct deletion *de;

	if (strcmp(word(&lo, 1), "deletions") == 0) {
		if (number(&lo, 2) != (int64_t)deletions_count(ds))
			strbuf_printf(wrong, "expected %s deletions, found %zu", word(&lo, 2), deletions_count(ds));
		return true;
	}
	if (strcmp(word(&lo, 1), "deletion") != 0)
		return false;
	de = deletions_find(ds, word(&lo, 2));
	if (de == NULL && strcmp(word(&lo, 3), "none") != 0)
		strbuf_printf(wrong, "there is no deletion of %s", word(&lo, 2));
	else if (de != NULL)
		expect_one(&lo, de, rest);
	return true;
}
