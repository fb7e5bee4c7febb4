/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/word.h"

#include <string.h>

#include "base/str.h"
#include "core/disks.h"
#include "core/health.h"
#include "view/topic_facts.h"

bool batch_brokers_were_asked(const struct batch_job *job)
{
	const struct cluster *cl = job->cl;

	return cl != NULL && job->opt->from != FROM_ZOOKEEPER &&
	       (cl->asked_fact.know != KNOW_UNKNOWN || cl->brokers_seen.ms != 0 || cl->n_disks > 0);
}

/* ---- log dirs ---------------------------------------------------------------------- */

static void why_unknown(const struct batch_job *job, const struct broker *br, char why[BATCH_WHY_MAX])
{
	const struct cluster *cl = job->cl;

	if (cl->foreign_id != NULL)
		str_printf(why, BATCH_WHY_MAX, "the brokers that answer are of another cluster, %s", cl->foreign_id);
	else if (!batch_brokers_were_asked(job))
		str_printf(why, BATCH_WHY_MAX, "brokers were not asked");
	else if (br->link.error[0])
		str_printf(why, BATCH_WHY_MAX, "%s: %s", br->link.address[0] ? br->link.address : "no connection", br->link.error);
	else if (cl->asked_fact.know == KNOW_UNREADABLE)
		str_printf(why, BATCH_WHY_MAX, "no broker could be reached: %s", why_text(cl->asked_why));
	else
		str_printf(why, BATCH_WHY_MAX, "it has not answered");
}

const struct disks *batch_disks(const struct batch_job *job, const struct broker *br, char why[BATCH_WHY_MAX])
{
	why[0] = '\0';
	if (cluster_broker_alive(job->cl, br->id) == KNOW_ABSENT)
		str_printf(why, BATCH_WHY_MAX, "it is down");
	else if (br->disks_fact.know == KNOW_UNREADABLE)
		str_printf(why, BATCH_WHY_MAX, "%s", why_text(br->disks_why));
	else if (br->disks == NULL)
		why_unknown(job, br, why);
	return why[0] ? NULL : br->disks;
}

/* That a broker is down is said by its state; that it can't be asked or refuses, for all such brokers by asking_warn. */
void batch_warn_disks(struct batch_job *job, const struct broker *br)
{
	char why[BATCH_WHY_MAX];

	if (!batch_brokers_were_asked(job) || br->disks_fact.know == KNOW_UNREADABLE ||
	    cluster_broker_alive(job->cl, br->id) == KNOW_ABSENT)
		return;
	if (batch_disks(job, br, why) == NULL)
		batch_warn(job, "broker %d: its log dirs are not known: %s", br->id, why);
}

const struct disk_replica *batch_disk_replicas(const struct batch_job *job, int32_t broker, const struct topic *tp, int32_t partition,
	size_t *n, bool *is_known)
{
	const struct broker *br = cluster_broker_find(job->cl, broker);
	const struct disk_replica *first;
	const struct disks *ds;
	char why[BATCH_WHY_MAX];

	ds = br != NULL ? batch_disks(job, br, why) : NULL;
	*n = 0;
	*is_known = ds != NULL;
	if (ds == NULL)
		return NULL;
	/* Current ones stand before future ones. */
	first = disks_replica(ds, tp->name, partition, false);
	if (first == NULL)
		first = disks_replica(ds, tp->name, partition, true);
	while (first != NULL && &first[*n] < &ds->replicas[ds->n_replicas] && first[*n].topic == first->topic && first[*n].partition == partition)
		(*n)++;
	return first;
}

json_t *batch_lag(const struct disk_replica *dr)
{
	return batch_count(dr->is_future && dr->lag >= 0, dr->lag);
}

/* ---- sources ------------------------------------------------------------------------- */

static bool is_of_brokers(const struct fact *fa)
{
	return fa->source == SOURCE_BROKERS && fa->know != KNOW_UNKNOWN;
}

json_t *batch_from(const struct topic *tp, const struct partition *pt)
{
	bool brokers = is_of_brokers(&tp->node) || (pt != NULL && is_of_brokers(&pt->state));

	for (size_t i = 0; pt == NULL && !brokers && i < tp->n_parts; i++)
		brokers = is_of_brokers(&tp->parts[i].state);
	return json_text(brokers ? "brokers" : "zookeeper");
}

/* ---- sizes ------------------------------------------------------------------------------ */

static void note_unsized(const struct batch_job *job, struct batch_unsized *un, const struct topic *tp)
{
	un->topics++;
	for (size_t i = 0; i < tp->n_parts; i++)
		for (uint32_t j = 0; j < tp->parts[i].n_replicas; j++) {
			int32_t id = tp->parts[i].ids[j];

			if (!ids_has(un->brokers.v, un->brokers.n, id) && !cluster_replica_is_sized(job->cl, id, tp->name, tp->parts[i].id))
				ids_push(&un->brokers, id);
		}
}

bool batch_is_sized(const struct batch_job *job, struct batch_unsized *un, const struct topic *tp)
{
	if (cluster_size_is_whole(job->cl, tp))
		return true;
	/* A topic that can't be read has its own warning. */
	if (topic_is_read(tp) && batch_brokers_were_asked(job))
		note_unsized(job, un, tp);
	return false;
}

/* " broker 3 (it is down)" */
static void put_missing(const struct batch_job *job, struct strbuf *out, int32_t id)
{
	const struct broker *br = cluster_broker_find(job->cl, id);
	char why[BATCH_WHY_MAX];
	const struct disks *ds = br != NULL ? batch_disks(job, br, why) : NULL;

	strbuf_printf(out, " broker %d (", id);
	if (ds == NULL)
		strbuf_put(out, br != NULL ? why : "it is not known");
	for (size_t i = 0, n = 0; ds != NULL && i < ds->n_dirs; i++)
		if (disk_dir_is_offline(&ds->dirs[i]))
			strbuf_printf(out, "%s%s", n++ ? ", " : "offline: ", ds->dirs[i].path);
	strbuf_putc(out, ')');
}

void batch_warn_unsized(struct batch_job *job, struct batch_unsized *un)
{
	enum { NAMED_MAX = 8 };
	char count[UNITS_TEXT_MAX];
	struct strbuf names;

	strbuf_init(&names);
	ids_sort(&un->brokers);
	for (uint32_t i = 0; i < un->brokers.n && i < NAMED_MAX; i++) {
		strbuf_put(&names, i ? "," : "");
		put_missing(job, &names, un->brokers.v[i]);
	}
	if (un->brokers.n > NAMED_MAX)
		strbuf_printf(&names, " and %u more", un->brokers.n - NAMED_MAX);
	if (un->topics > 0)
		batch_warn(job, "the size%s of %s topic%s not known, for want of the log dirs of%s", un->topics == 1 ? "" : "s",
			   units_count(count, (int64_t)un->topics), un->topics == 1 ? " is" : "s are", names.len ? names.s : " any broker");
	strbuf_fini(&names);
	ids_fini(&un->brokers);
	un->topics = 0;
}

/* ---- two words ---------------------------------------------------------------------------- */

/*
 * Brokers learn of a state from the controller, after it is written: for a moment they say the one before, and that is no
 * disagreement. A console counts answers, and three in a row that differ from one state node are one. A batch command has one
 * answer: it counts when the state node was written well before that. The time of the write is the ZooKeeper server's clock, the
 * time of the answer ours; clocks that differ by more than SETTLE_MS can hide a disagreement (ours behind) or show the moment after a
 * write as one (ours ahead), no more. A leader epoch above the node's is news that we have not read yet, no other word.
 */
enum { SETTLE_MS = 5000, POLLS_CERTAIN = 3 };

static bool differs_for_certain(const struct partition *pt)
{
	const struct word *wd = pt->word;

	if (wd == NULL || !wd->differs || pt->state.know != KNOW_PRESENT || wd->leader_epoch > pt->leader_epoch)
		return false;
	return wd->polls >= POLLS_CERTAIN || (wd->polls > 0 && pt->changed.ms != 0 && wd->since.ms - pt->changed.ms >= SETTLE_MS);
}

static void put_leader(struct strbuf *out, int32_t leader, const int32_t *isr, size_t n)
{
	if (leader < 0)
		strbuf_put(out, "no leader, ISR ");
	else
		strbuf_printf(out, "leader %d, ISR ", leader);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(out, "%s%d", i ? "," : "", isr[i]);
	strbuf_put(out, n ? "" : "none");
}

void batch_warn_word(struct batch_job *job, const struct topic *tp, const struct partition *pt)
{
	struct strbuf ours, theirs;

	if (!differs_for_certain(pt))
		return;
	strbuf_init(&ours);
	strbuf_init(&theirs);
	put_leader(&ours, pt->leader, pt->isr, pt->n_isr);
	put_leader(&theirs, pt->word->leader, pt->word->isr, pt->word->n_isr);
	batch_warn(job, "%s partition %d: ZooKeeper says %s; broker %d says %s", tp->name, pt->id, ours.s, pt->word->from, theirs.s);
	strbuf_fini(&ours);
	strbuf_fini(&theirs);
}

void batch_warn_words(struct batch_job *job, const struct topic *tp)
{
	const struct word *first = NULL;
	size_t n = 0;

	if (topic_count(&tp->counts, PT_DIFFERS) == 0)
		return;
	for (size_t i = 0; i < tp->n_parts; i++)
		if (differs_for_certain(&tp->parts[i])) {
			first = first != NULL ? first : tp->parts[i].word;
			n++;
		}
	if (n > 0)
		batch_warn(job, "%s: of %zu partition%s broker %d says another leader or ISR than ZooKeeper; describe tells which",
			   tp->name, n, n == 1 ? "" : "s", first->from);
}
