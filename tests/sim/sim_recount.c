/* SPDX-License-Identifier: Apache-2.0 */
/* What the model keeps in step is what counting it all anew gives; what is inferred or shown bit by bit is what doing it all at once gives. */
#include <string.h>

#include "base/mem.h"
#include "core/disks.h"
#include "core/health.h"
#include "tests/sim/sim_console.h"

/* ---- tallies ------------------------------------------------------------------------------------------------- */

struct tally {
	struct topic_counts totals;
	size_t n_partitions, n_replicas, n_read, n_disks, n_links;
	uint32_t leaders[SIM_BROKERS + 1], replicas[SIM_BROKERS + 1], under[SIM_BROKERS + 1];
};

static void count_partition(struct sim *si, struct tally *ta, struct topic_counts *of_topic, const struct topic *tp, const struct partition *pt)
{
	const struct cluster *cl = model_cluster(si->con->md);

	if (health_partition(cl, tp, pt) != pt->flags)
		sim_fail(si, "model: %s-%d has other verdicts (%x) than its state (%x)", tp->name, pt->id, pt->flags, health_partition(cl, tp, pt));
	for (unsigned i = 0; i < PT_FLAGS; i++)
		if (pt->flags & (1u << i)) {
			of_topic->by_flag[i]++;
			ta->totals.by_flag[i]++;
		}
	ta->n_partitions++;
	ta->n_replicas += pt->n_replicas;
	for (uint32_t i = 0; i < pt->n_replicas; i++) {
		ta->replicas[pt->ids[i]]++;
		ta->under[pt->ids[i]] += (pt->flags & PT_UNDER) && health_misses(pt, pt->ids[i]);
	}
	if ((pt->flags & PT_KNOWN) && pt->leader >= 0)
		ta->leaders[pt->leader]++;
}

static void count_size(struct sim *si, const struct topic *tp)
{
	const struct cluster *cl = model_cluster(si->con->md);
	int64_t size = 0;
	uint32_t n = 0;

	for (size_t i = 0; i < cl->n_brokers; i++) {
		size_t n_of = 0;
		const struct disk_replica *of = cl->brokers[i]->disks != NULL ? disks_topic(cl->brokers[i]->disks, tp->name, &n_of) : NULL;

		for (size_t k = 0; k < n_of; k++)
			if (!of[k].is_future) {
				size += of[k].size_bytes;
				n++;
			}
	}
	if (size != tp->size_bytes || n != tp->n_sized)
		sim_fail(si, "model: %s has %lld bytes in %u replicas, counted %lld in %u", tp->name, (long long)tp->size_bytes, tp->n_sized, (long long)size, n);
}

static void count_topic(struct sim *si, struct tally *ta, const struct topic *tp)
{
	struct topic_counts counts;

	memset(&counts, 0, sizeof(counts));
	for (size_t i = 0; i < tp->n_parts; i++)
		count_partition(si, ta, &counts, tp, &tp->parts[i]);
	if (memcmp(&counts, &tp->counts, sizeof(counts)) != 0)
		sim_fail(si, "model: the counts of %s are not those of its partitions", tp->name);
	count_size(si, tp);
	if (tp->deleting != event_list_has(&model_cluster(si->con->md)->markers, tp->name))
		sim_fail(si, "model: %s is %sbeing deleted, and its marker says otherwise", tp->name, tp->deleting ? "" : "not ");
}

static void compare_brokers(struct sim *si, struct tally *ta)
{
	const struct cluster *cl = model_cluster(si->con->md);

	for (size_t i = 0; i < cl->n_brokers; i++) {
		const struct broker *br = cl->brokers[i];

		ta->n_disks += br->disks != NULL;
		ta->n_links += br->link.state == LINK_UP;
		if (br->leaders != ta->leaders[br->id] || br->replicas != ta->replicas[br->id] || br->under_followers != ta->under[br->id])
			sim_fail(si, "model: broker %d has %u leaders, %u replicas, %u behind; counted %u, %u, %u", br->id, br->leaders, br->replicas,
				br->under_followers, ta->leaders[br->id], ta->replicas[br->id], ta->under[br->id]);
	}
}

void sim_check_model(struct sim *si)
{
	const struct cluster *cl = model_cluster(si->con->md);
	struct tally ta;

	memset(&ta, 0, sizeof(ta));
	for (size_t i = 0; i < cl->n_topics; i++)
		count_topic(si, &ta, cl->topics[i]);
	compare_brokers(si, &ta);
	if (si->broken == SIM_BROKEN_COUNT && si->now > SIM_BROKEN_MS)
		ta.n_replicas++;
	if (memcmp(&ta.totals, &cl->totals, sizeof(ta.totals)) != 0)
		sim_fail(si, "model: the totals are not those of all partitions");
	if (ta.n_partitions != cl->n_partitions || ta.n_replicas != cl->n_replicas)
		sim_fail(si, "model: %zu partitions, %zu replicas; counted %zu, %zu", cl->n_partitions, cl->n_replicas, ta.n_partitions, ta.n_replicas);
	if (ta.n_disks != cl->n_disks || ta.n_links != cl->n_links_up)
		sim_fail(si, "model: %zu brokers told their log dirs, %zu are connected; counted %zu, %zu", cl->n_disks, cl->n_links_up, ta.n_disks, ta.n_links);
}

/* ---- all at once ------------------------------------------------------------------------------------------------ */

static void put_deletion(struct strbuf *sb, const struct deletion *de)
{
	strbuf_printf(sb, "%s/%lld %d %d %s left %lld as of %lld why %s next %s act %s orphans %d free %lld new %lld\n", de->topic, (long long)de->czxid, de->state,
		de->certainty, de->rule, (long long)de->bytes_left, (long long)de->bytes_as_of.ms, de->why, de->next, de->act, de->orphans,
		(long long)de->space_free_at.ms, (long long)de->new_czxid);
	for (size_t i = 0; i < de->n_replicas; i++) {
		const struct deletion_replica *dr = &de->replicas[i];

		strbuf_printf(sb, "  %d on %d: %d %d %d %d %s %s %lld: %s\n", dr->partition, dr->broker, dr->phase, dr->phase_certainty, dr->state, dr->certainty,
			dr->rule, dr->dir != NULL ? dr->dir : "-", (long long)dr->size_bytes, dr->evidence != NULL ? dr->evidence : "-");
	}
	for (size_t i = 0; i < de->n_blockers; i++)
		strbuf_printf(sb, "  blocked: %s %d: %s\n", blocker_kind_name(de->blockers[i].kind), de->blockers[i].certainty, de->blockers[i].text);
	for (size_t i = 0; i < de->n_attempts; i++)
		strbuf_printf(sb, "  tried: %s: %s\n", de->attempts[i].trigger, de->attempts[i].outcome != NULL ? de->attempts[i].outcome : "-");
}

static void put_deletions(struct strbuf *sb, const struct deletions *ds)
{
	for (size_t i = 0; i < deletions_count(ds); i++)
		put_deletion(sb, deletions_at(ds, i));
}

/* What differs first, of each the line. */
static void tell_difference(struct sim *si, const char *what, const char *a, const char *b)
{
	size_t at = 0, line = 0;

	for (; a[at] != '\0' && a[at] == b[at]; at++)
		if (a[at] == '\n')
			line = at + 1;
	sim_fail(si, "%s: told \"%.*s\", anew \"%.*s\"", what, (int)strcspn(a + line, "\n"), a + line, (int)strcspn(b + line, "\n"), b + line);
}

static void compare(struct sim *si, const char *what, const struct strbuf *a, const struct strbuf *b)
{
	if (strcmp(a->s, b->s) != 0)
		tell_difference(si, what, a->s, b->s);
}

static void check_deletions(struct sim *si)
{
	struct strbuf told, anew;

	strbuf_init(&told);
	strbuf_init(&anew);
	put_deletions(&told, si->con->ds);
	put_deletions(&anew, si->con->whole);
	compare(si, "deletions", &told, &anew);
	if (si->tape != NULL && si->con->told != NULL && strcmp(si->con->told, told.s) != 0)
		sim_say(si, "told:\n%s", told.s);
	mem_free(&si->con->told);
	si->con->told = strbuf_take(&told);
	strbuf_fini(&told);
	strbuf_fini(&anew);
}

/* ---- views --------------------------------------------------------------------------------------------------------- */

static void compare_tables(struct sim *si, const char *what, const struct table *told, const struct table *anew)
{
	struct strbuf a, b;

	strbuf_init(&a);
	strbuf_init(&b);
	strbuf_printf(&a, "%s\n%s\n", told->title, told->empty);
	strbuf_printf(&b, "%s\n%s\n", anew->title, anew->empty);
	table_tsv(told, &a);
	table_tsv(anew, &b);
	compare(si, what, &a, &b);
	strbuf_fini(&a);
	strbuf_fini(&b);
}

static const struct changes everything = { .bits = UINT32_MAX };

static void check_list(struct sim *si)
{
	struct sim_console *co = si->con;
	const struct table *tb = vm_deletions_table(co->vm_list);
	struct vm_deletions *anew = vm_deletions_new(model_cluster(co->md));

	if (tb->n_rows != deletions_count(co->ds))
		sim_fail(si, "the list has %zu rows for %zu deletions", tb->n_rows, deletions_count(co->ds));
	for (size_t i = 0; i < tb->n_rows && !si->has_failed; i++)
		if (deletion_of_key(co->ds, tb->key(tb, i)) == NULL)
			sim_fail(si, "the list has a row %s that is no deletion", tb->key(tb, i));
	vm_deletions_take(anew, co->ds);
	vm_deletions_update(anew, &everything, &co->qu, sim_view_clock(si));
	if (!si->has_failed)
		compare_tables(si, "list of deletions", tb, vm_deletions_table(anew));
	vm_deletions_free(&anew);
}

static void check_one(struct sim *si)
{
	struct sim_console *co = si->con;
	struct vm_deletion *anew;

	if (co->vm_one == NULL)
		return;
	anew = vm_deletion_new(model_cluster(co->md), vm_deletion_key(co->vm_one), -1);
	vm_deletion_resize(anew, 100);
	vm_deletion_take(anew, co->ds);
	vm_deletion_update(anew, &everything, sim_view_clock(si));
	compare_tables(si, "page of a deletion", vm_deletion_table(co->vm_one), vm_deletion_table(anew));
	vm_deletion_free(&anew);
}

static void check_topics(struct sim *si)
{
	struct sim_console *co = si->con;
	struct vm_topics *anew = vm_topics_new(model_cluster(co->md));
	struct vm_brokers *brokers = vm_brokers_new(model_cluster(co->md));

	vm_topics_update(anew, &everything, &co->qu, sim_view_clock(si));
	compare_tables(si, "topics", vm_topics_table(co->vm_topics), vm_topics_table(anew));
	vm_brokers_update(brokers, &everything, &co->qu, sim_view_clock(si));
	compare_tables(si, "brokers", vm_brokers_table(co->vm_brokers), vm_brokers_table(brokers));
	vm_topics_free(&anew);
	vm_brokers_free(&brokers);
}

void sim_check_views(struct sim *si)
{
	check_deletions(si);
	if (si->has_failed)
		return;
	check_list(si);
	check_one(si);
	if (++si->con->n_turns % 8 == 0)
		check_topics(si);
}
