/* SPDX-License-Identifier: Apache-2.0 */
#include "view/appraisal_text.h"

#include <string.h>

#include "base/str.h"
#include "core/appraisal.h"
#include "core/command.h"

enum { NAMED_MAX = 4 };

static const char *why_or(const char *why)
{
	return why != NULL ? why : "nobody said why";
}

static void put_active(const struct appraisal *ap, struct strbuf *out)
{
	char more[UNITS_TEXT_MAX];

	strbuf_printf(out, "%s", ap->active[0]);
	if (ap->n_active > 1)
		strbuf_printf(out, " and %s more", units_count(more, (int64_t)ap->n_active - 1));
	strbuf_printf(out, " %s written to in the last %d s", ap->n_active == 1 ? "was" : "were", APPRAISAL_APART_S);
	if (!ap->writes_known && !ap->writes_pending)
		strbuf_printf(out, "; of others it is not known: %s", why_or(ap->why_writes));
}

bool appraisal_text_writes(const struct appraisal *ap, mono_ms now, struct strbuf *out)
{
	dur_ms left = ap->writes_again.ms != 0 ? ap->writes_again.ms - now.ms : 0;

	strbuf_printf(out, "writes: ");
	if (ap->n_active > 0)
		put_active(ap, out);
	else if (ap->writes_pending && left > 0)
		strbuf_printf(out, "asking again in %lld s", (long long)((left + 999) / 1000));
	else if (ap->writes_pending)
		strbuf_printf(out, "being asked");
	else if (ap->writes_known)
		strbuf_printf(out, "no write in %d s", APPRAISAL_APART_S);
	else
		strbuf_printf(out, "not known: %s", why_or(ap->why_writes));
	return ap->n_active > 0 || (!ap->writes_pending && !ap->writes_known);
}

static void put_looked(const struct appraisal *ap, struct strbuf *out)
{
	char seen[UNITS_TEXT_MAX], total[UNITS_TEXT_MAX];

	strbuf_printf(out, "looked at %s of %s", units_count(seen, (int64_t)ap->groups_seen), units_count(total, (int64_t)ap->groups_total));
}

static void put_names(const struct appraisal *ap, struct strbuf *out)
{
	char more[UNITS_TEXT_MAX];

	for (size_t i = 0; i < ap->n_groups && i < NAMED_MAX; i++)
		strbuf_printf(out, "%s%s", i > 0 ? ", " : "", ap->groups[i]);
	if (ap->n_groups > NAMED_MAX)
		strbuf_printf(out, " and %s more", units_count(more, (int64_t)(ap->n_groups - NAMED_MAX)));
}

bool appraisal_text_groups(const struct appraisal *ap, struct strbuf *out)
{
	bool is_all = ap->groups_seen == ap->groups_total && ap->why_groups == NULL;

	strbuf_printf(out, "groups: ");
	if (ap->groups_pending && ap->groups_total == 0) {
		strbuf_printf(out, "being asked");
	} else if (ap->groups_pending) {
		put_looked(ap, out);
	} else if (!ap->groups_known) {
		strbuf_printf(out, "not known: %s", why_or(ap->why_groups));
	} else {
		if (ap->n_groups > 0)
			put_names(ap, out);
		else
			strbuf_printf(out, "none has offsets there");
		strbuf_printf(out, " (");
		put_looked(ap, out);
		strbuf_printf(out, ")%s%s%s", is_all ? "" : "; there may be more", ap->why_groups != NULL ? ": " : "", ap->why_groups != NULL ? ap->why_groups : "");
	}
	return !ap->groups_pending && (!ap->groups_known || ap->n_groups > 0 || !is_all);
}

bool appraisal_text_covers(const struct appraisal *ap, const struct finding *fi)
{
	static const char *const kinds[] = { "last-writes-unknown", "no-writes", "consumer-groups", "consumer-groups-unknown", "no-consumer-groups" };

	if (ap == NULL)
		return false;
	if (fi->topic != NULL)
		return ap->n_active == 1 && strcmp(fi->kind, "last-writes") == 0;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(fi->kind, kinds[i]) == 0)
			return true;
	return false;
}
