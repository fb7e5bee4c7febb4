/* SPDX-License-Identifier: Apache-2.0 */
#include "view/overview_verdict.h"

#include "base/str.h"
#include "core/health.h"
#include "core/truths.h"
#include "view/broker_facts.h"

static void put_piece(struct strbuf *sb, const char *text)
{
	strbuf_printf(sb, "%s%s", sb->len ? "; " : "", text);
}

/* "2 partitions offline"; nothing for none. */
static void put_count(struct strbuf *sb, size_t n, const char *one, const char *many, const char *what)
{
	char count[UNITS_TEXT_MAX];

	if (n > 0)
		strbuf_printf(sb, "%s%s %s%s", sb->len ? "; " : "", units_count(count, (int64_t)n), n == 1 ? one : many, what);
}

static void put_wrong(struct strbuf *sb, const struct cluster *cl, const struct overview_dirs *od, const struct truths *tr)
{
	bool has_brokers = cluster_brokers_are_known(cl);
	size_t n_silent = 0;

	for (size_t i = 0; i < cl->n_brokers; i++)
		n_silent += broker_is_silent(cl, cl->brokers[i]);
	if (cl->broker_ids_fact.know == KNOW_PRESENT && cl->n_brokers == 0)
		put_piece(sb, "no broker is registered");
	if (has_brokers)
		put_count(sb, cl->n_brokers - cluster_brokers_up(cl), "broker", "brokers", " down");
	put_count(sb, n_silent, "broker does not", "brokers do not", " answer");
	put_count(sb, topic_count(&cl->totals, PT_OFFLINE), "partition", "partitions", " offline");
	put_count(sb, topic_count(&cl->totals, PT_UNDER_MIN), "", "", "under min ISR");
	if (cl->controller_fact.know == KNOW_ABSENT && cl->n_brokers > 0)
		put_piece(sb, "no controller");
	put_count(sb, tr ? truths_poison(tr) : 0, "", "", "poison for the controller");
	put_count(sb, od->n_offline, "log dir", "log dirs", " offline");
	put_count(sb, topic_count(&cl->totals, PT_UNDER), "", "", "under-replicated");
}

/* What would have to be known, once all that can be read has been. */
static void put_missing(struct strbuf *sb, const struct cluster *cl)
{
	size_t states = cl->n_partitions - topic_count(&cl->totals, PT_KNOWN);

	if (cl->broker_ids_fact.know == KNOW_ABSENT && cl->topics_fact.know != KNOW_PRESENT)
		put_piece(sb, "there is no Kafka here");
	else if (!cluster_brokers_are_known(cl))
		put_piece(sb, "the list of brokers can't be read");
	if (cl->topics_fact.know == KNOW_UNREADABLE)
		put_piece(sb, "the list of topics can't be read");
	else if (cl->n_topics > cl->n_topics_read)
		put_count(sb, cl->n_topics - cl->n_topics_read, "topic", "topics", " can't be read");
	put_count(sb, states, "partition's state", "partitions' states", " can't be read");
	if (cl->controller_fact.know == KNOW_UNREADABLE)
		put_piece(sb, "the controller's node can't be read");
}

static const char *asked_text(const struct cluster *cl)
{
	if (cl->foreign_id)
		return "the brokers are another cluster's";
	if (cl->n_disks > 0 || cl->asked_fact.know == KNOW_PRESENT)
		return NULL;
	return cl->asked_fact.know == KNOW_UNREADABLE ? "by ZooKeeper alone: no broker could be reached" : "by ZooKeeper alone: no broker was asked";
}

/* What brokers that answer keep to themselves, for want of rights. */
static void put_refused(struct strbuf *sb, const struct cluster *cl)
{
	bool has_no_settings = false, has_no_disks = false;

	for (size_t i = 0; i < cl->n_brokers; i++) {
		has_no_settings |= cl->brokers[i]->settings_fact.know == KNOW_UNREADABLE;
		has_no_disks |= cl->brokers[i]->disks_fact.know == KNOW_UNREADABLE;
	}
	if (has_no_settings)
		put_count(sb, topic_count(&cl->totals, PT_MIN_UNKNOWN), "partition's", "partitions'", " min ISR not known");
	if (has_no_disks)
		put_piece(sb, "log dirs not known");
}

/* Nothing of it is sure: no session, or not all read in this one. */
static const char *stale_text(const struct cluster *cl)
{
	if (cl->conn.state != CONN_UP)
		return cl->loaded_once ? "no answer from ZooKeeper" : "no session with ZooKeeper yet";
	return cl->loaded_once ? "still reading again" : "still reading";
}

static enum overview_verdict judge(const struct cluster *cl, const struct overview_dirs *od, const struct truths *tr, struct strbuf *sb)
{
	struct strbuf wrong;
	enum overview_verdict ve = OVERVIEW_NOT_KNOWN;

	strbuf_init(&wrong);
	put_wrong(&wrong, cl, od, tr);
	if (cluster_is_stale(cl)) {
		put_piece(sb, stale_text(cl));
		if (wrong.len > 0)
			strbuf_printf(sb, "; %s %s", cl->loaded_once ? "before:" : "so far:", wrong.s);
	} else if (wrong.len > 0) {
		ve = OVERVIEW_NOT_WELL;
		put_piece(sb, wrong.s);
		put_missing(sb, cl);
	} else {
		put_missing(sb, cl);
		ve = sb->len > 0 ? OVERVIEW_NOT_KNOWN : OVERVIEW_WELL;
		if (ve == OVERVIEW_WELL && asked_text(cl))
			put_piece(sb, asked_text(cl));
		else if (ve == OVERVIEW_WELL)
			put_refused(sb, cl);
		if (ve == OVERVIEW_WELL && tr)
			put_count(sb, truths_count(tr), "disagreement", "disagreements", "");
	}
	strbuf_fini(&wrong);
	return ve;
}

enum overview_verdict overview_verdict(const struct cluster *cl, const struct overview_dirs *od, const struct truths *tr, char *out, size_t size)
{
	static const char *const words[] = { "WELL", "NOT WELL", "NOT KNOWN" };
	struct strbuf sb;
	enum overview_verdict ve;

	strbuf_init(&sb);
	ve = judge(cl, od, tr, &sb);
	str_printf(out, size, "%s%s%s", words[ve], sb.len ? "   " : "", sb.s);
	strbuf_fini(&sb);
	return ve;
}
