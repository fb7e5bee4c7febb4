/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is looked at of each topic that is to be deleted: whether it is the one that was chosen, may be deleted at all,
 * and what would keep its deletion from going on (reference 2.1, 2.12, 2.14).
 */
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/command_parts.h"
#include "core/deletion.h"
#include "core/ids.h"
#include "core/policy.h"

struct target {
	const struct command_topic *ct;
	const struct topic *tp;
};

static size_t count_of(const struct topic *tp, unsigned flag)
{
	return tp->counts.by_flag[__builtin_ctz(flag)];
}

/* ---- the one that was chosen ---------------------------------------------------------------------- */

/* False: of this one nothing more can be said. */
static bool check_same(struct check *ck, const struct target *ta)
{
	const char *name = ta->ct->name;

	if (ta->tp == NULL || ta->tp->node.know == KNOW_ABSENT) {
		check_say(ck, SEVERITY_ERROR, "gone", name, "It is gone: take it out.");
		return false;
	}
	if (ta->tp->node.know == KNOW_UNREADABLE) {
		check_say(ck, SEVERITY_ERROR, "unread", name, "Its node can't be read, so whether it is the one that was chosen can't be known: %s.", why_text(ta->tp->why));
		return false;
	}
	if (ta->tp->czxid == 0 || ta->ct->czxid == 0) {
		check_say(ck, SEVERITY_ERROR, "unread", name, "Its node has not been read, so whether it is the one that was chosen is not known: try again in a moment.");
		return false;
	}
	if (ta->tp->czxid != ta->ct->czxid) {
		check_say(ck, SEVERITY_ERROR, "recreated", name, "It was deleted and made again since it was chosen: look at it, and choose it again.");
		return false;
	}
	if (ta->tp->n_parts != ta->ct->n_partitions)
		check_say(ck, SEVERITY_WARNING, "changed", name, "It had %u partitions when it was chosen and has %zu now.", (unsigned)ta->ct->n_partitions, ta->tp->n_parts);
	return true;
}

static void check_queued(struct check *ck, const struct target *ta)
{
	const struct deletion *de = ck->ds != NULL ? deletions_find(ck->ds, ta->ct->name) : NULL;
	struct strbuf text;
	char since[UNITS_TEXT_MAX];

	strbuf_init(&text);
	if (de != NULL && de->marked_at.ms != 0)
		strbuf_printf(&text, " since %s", units_moment(since, de->marked_at, ck->now));
	if (de != NULL && de->why[0] != '\0')
		strbuf_printf(&text, ", and waits: %s", de->why);
	check_mention(ck, SEVERITY_INFO, "already-queued", ta->ct->name, "It is queued for deletion already%s. It is not asked for again.", text.s);
	strbuf_fini(&text);
}

/* A broker that was paused, or is slow, may read it only now; and it names the topic, not which one of that name. */
static void check_asked(struct check *ck, const struct target *ta)
{
	const struct command_asked *as = &ta->ct->asked;
	char at[UNITS_TEXT_MAX], where[32] = "a broker";

	if (!command_topic_is_asked(ta->ct, ck->now))
		return;
	if (as->broker != BROKER_NONE)
		str_printf(where, sizeof(where), "broker %d", (int)as->broker);
	check_mention(ck, SEVERITY_WARNING, "asked-before", ta->ct->name,
		      "It was asked for at %s by %s (%016llx), outcome unknown: the request may still lie unread in %s, and delete it, or one made again under its name, later.",
		      units_moment(at, as->at, ck->now), as->by, (unsigned long long)as->id, where);
}

/* ---- may it be deleted ------------------------------------------------------------------------------ */

static void check_allowed(struct check *ck, const struct target *ta, bool is_it, const char *kind, const char *what, bool consent, const char *key)
{
	if (!is_it)
		return;
	if (!ta->ct->by_hand)
		check_say(ck, SEVERITY_ERROR, kind, ta->ct->name, "It is %s: never by a pattern%s.", what, consent ? "; mark it by hand" : "");
	else if (!consent)
		check_say(ck, SEVERITY_ERROR, kind, ta->ct->name, "It is %s: the profile does not allow to delete it (%s = yes would).", what, key);
	else
		check_say(ck, SEVERITY_WARNING, kind, ta->ct->name, "It is %s.", what);
}

static const char *reassigning_at(const void *list, size_t i)
{
	return ((const struct reassigning_list *)list)->v[i].topic;
}

static const char *asked_at(const void *list, size_t i)
{
	return ((const struct zk_move *const *)list)[i]->topic;
}

static int asked_cmp(const void *a, const void *b)
{
	return topic_name_cmp((*(const struct zk_move *const *)a)->topic, (*(const struct zk_move *const *)b)->topic);
}

/* /admin/reassign_partitions by topic, once for all of them: it may name as many partitions as there are. */
static void index_asked(struct check *ck)
{
	const struct zk_reassign *re = &ck->cl->reassign;

	if (ck->cl->reassign_fact.know != KNOW_PRESENT || re->n == 0 || ck->cm->n_topics == 0)
		return;
	ck->asked = mem_array(re->n, sizeof(*ck->asked));
	for (ck->n_asked = 0; ck->n_asked < re->n; ck->n_asked++)
		ck->asked[ck->n_asked] = &re->v[ck->n_asked];
	qsort(ck->asked, ck->n_asked, sizeof(*ck->asked), asked_cmp);
}

/* Its partitions that move, by the topic node and by the controller's own word. */
static void moves_of(const struct cluster *cl, const struct topic *tp, struct ids *out)
{
	for (size_t i = 0; i < tp->n_parts; i++)
		if ((tp->parts[i].flags & PT_MOVING) || tp->parts[i].n_adding + tp->parts[i].n_removing > 0)
			ids_add(out, tp->parts[i].id);
	if (cl->reassigning_fact.know != KNOW_PRESENT)
		return;
	for (size_t i = names_place(&cl->reassigning, cl->reassigning.n, reassigning_at, tp->name, NULL);
	     i < cl->reassigning.n && strcmp(cl->reassigning.v[i].topic, tp->name) == 0; i++)
		ids_add(out, cl->reassigning.v[i].as.partition);
}

static void asked_moves_of(const struct check *ck, const struct topic *tp, struct ids *out)
{
	size_t i = names_place(ck->asked, ck->n_asked, asked_at, tp->name, NULL);

	for (; i < ck->n_asked && strcmp(ck->asked[i]->topic, tp->name) == 0; i++)
		ids_add(out, ck->asked[i]->partition);
}

/*
 * A deletion would go through, and leave the move in the controller and on the disks (reference 2.12). The tool of 2.6 is the first
 * that can cancel; without --preserve-throttles it takes the throttles of every other move away, too (reference 4.5, 4.8).
 */
static void check_moving(struct check *ck, const struct target *ta)
{
	struct ids moving = { NULL, 0 }, asked = { NULL, 0 };
	struct strbuf text;

	moves_of(ck->cl, ta->tp, &moving);
	asked_moves_of(ck, ta->tp, &asked);
	strbuf_init(&text);
	ids_sort(&moving);
	ids_sort(&asked);
	check_put_ids(&text, moving.n > 0 ? &moving : &asked);
	if (moving.n > 0)
		check_mention(ck, SEVERITY_ERROR, "under-reassignment", ta->tp->name,
			      "Partition%s %s of it %s being moved. A deletion now would leave parts of the move behind, so it is refused. Let the move end, or cancel it "
			      "(kafops does not): kafka-reassign-partitions of Kafka 2.6 or later, with --cancel, --preserve-throttles and the file of the move; older ones can't.",
			      moving.n == 1 ? "" : "s", text.s, moving.n == 1 ? "is" : "are");
	else if (asked.n > 0)
		check_mention(ck, SEVERITY_ERROR, "under-reassignment", ta->tp->name,
			      "/admin/reassign_partitions names its partition%s %s, and the next controller would move a topic made again under its name: take the entry out first.",
			      asked.n == 1 ? "" : "s", text.s);
	strbuf_fini(&text);
	ids_fini(&moving);
	ids_fini(&asked);
}

/* ---- will it go --------------------------------------------------------------------------------------- */

struct held {
	struct ids dead, dirs;
	size_t n_dead, n_dirs;     /* replicas there */
};

static void held_of(const struct cluster *cl, const struct topic *tp, struct held *he)
{
	for (size_t i = 0; i < tp->n_parts; i++) {
		const struct partition *pt = &tp->parts[i];

		for (size_t j = 0; j < pt->n_replicas; j++) {
			if (cluster_broker_alive(cl, pt->ids[j]) == KNOW_ABSENT) {
				ids_add(&he->dead, pt->ids[j]);
				he->n_dead++;
			} else if (pt->word != NULL && ids_has(pt->word->offline, pt->word->n_offline, pt->ids[j])) {
				ids_add(&he->dirs, pt->ids[j]);
				he->n_dirs++;
			}
		}
	}
	ids_sort(&he->dead);
	ids_sort(&he->dirs);
}

static void check_held(struct check *ck, const struct target *ta)
{
	struct held he = { .n_dead = 0 };
	struct strbuf text;

	held_of(ck->cl, ta->tp, &he);
	strbuf_init(&text);
	if (he.dead.n > 0) {
		check_put_ids(&text, &he.dead);
		check_say(ck, SEVERITY_WARNING, "replica-on-dead-broker", ta->tp->name, "Broker%s %s %s down and hold%s %zu of its replicas: it will wait for %s.",
			  he.dead.n == 1 ? "" : "s", text.s, he.dead.n == 1 ? "is" : "are", he.dead.n == 1 ? "s" : "", he.n_dead, he.dead.n == 1 ? "it" : "them");
		check_say_where(ck, &he.dead, he.n_dead);
	}
	strbuf_clear(&text);
	if (he.dirs.n > 0) {
		check_put_ids(&text, &he.dirs);
		check_say(ck, SEVERITY_WARNING, "replica-on-offline-dir", ta->tp->name,
			  "%zu of its replicas lie%s in a log dir that is offline, on broker%s %s: it will wait until the dir is mended and the broker restarted.",
			  he.n_dirs, he.n_dirs == 1 ? "s" : "", he.dirs.n == 1 ? "" : "s", text.s);
		check_say_where(ck, &he.dirs, he.n_dirs);
	}
	strbuf_fini(&text);
	ids_fini(&he.dead);
	ids_fini(&he.dirs);
}

/* Brokers don't know a topic none of whose partitions ever had a leader, nor one without partitions: the API answers 3 (reference 2.1). */
static bool was_never_elected(const struct topic *tp)
{
	return count_of(tp, PT_NO_STATE) == tp->n_parts;
}

/* The controller goes on with it, its marker was taken away, and brokers no longer list it (T10a): putting it again is all that can be done. */
static bool lacks_marker(const struct check *ck, const char *name)
{
	const struct deletion *de = ck->ds != NULL ? deletions_find(ck->ds, name) : NULL;

	return de != NULL && !deletion_state_is_end(de->state) && (de->acts & DELETION_ACT_PUT_MARKER) != 0;
}

/* Nobody would take it, and those chosen with it would stop there. Brokers let a name that is only odd be deleted, once they know it. */
static bool has_no_way(const struct check *ck, const struct target *ta)
{
	const char *name = ta->ct->name;

	return !topic_name_is_legal(name) &&
		(ck->cm->kind == COMMAND_MARK_TOPICS || was_never_elected(ta->tp) || strlen(name) > TOPIC_NAME_MAX);
}

static void check_way(struct check *ck, const struct target *ta)
{
	const struct cluster *cl = ck->cl;
	bool is_silent = cl->n_links_up == 0 && cl->asked_fact.know != KNOW_UNKNOWN;

	if (has_no_way(ck, ta)) {
		check_say(ck, SEVERITY_ERROR, "illegal-name", ta->ct->name,
			  "No topic can have this name, so Kafka is not asked and no marker is put: take it out. Its node was made by hand, and goes by hand.");
		return;
	}
	if (lacks_marker(ck, ta->ct->name)) {
		if (ck->cm->kind == COMMAND_DELETE_TOPICS)
			check_say(ck, SEVERITY_ERROR, "marker-removed", ta->tp->name,
				  "It is being deleted, and its marker was taken away: brokers no longer know it and would refuse (error 3). mark-topics puts the marker again.");
		return;
	}

	if (ck->cm->kind == COMMAND_DELETE_TOPICS && was_never_elected(ta->tp))
		check_say(ck, SEVERITY_ERROR, "never-elected", ta->tp->name,
			  "No partition of it ever had a leader, so brokers don't know it and would refuse (error 3): mark-topics is the way.");
	if (ck->cm->kind == COMMAND_MARK_TOPICS && !is_silent && !was_never_elected(ta->tp))
		check_say(ck, SEVERITY_ERROR, "brokers-answer", ta->tp->name,
			  cl->n_links_up > 0 ? "Brokers answer, and it has had a leader: delete-topics is the way, under Kafka's access control."
					     : "Whether brokers answer is not known yet: try again in a moment; if they do, delete-topics is the way.");
}

/* ---- will it stay away ---------------------------------------------------------------------------------- */

static bool has_name(const char *const *v, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(v[i], name) == 0)
			return true;
	return false;
}

static bool creates_by_itself(const struct cluster *cl)
{
	for (size_t i = 0; i < cl->n_brokers; i++) {
		const char *value = broker_setting(cl->brokers[i], "auto.create.topics.enable");

		if (cl->brokers[i]->up && value != NULL && strcmp(value, "true") == 0)
			return true;
	}
	return false;
}

static void check_writers(struct check *ck, const struct target *ta)
{
	if (!has_name(ck->ap->active, ck->ap->n_active, ta->ct->name))
		return;
	if (creates_by_itself(ck->cl))
		check_say(ck, SEVERITY_WARNING, "auto-create", ta->ct->name,
			  "Something writes to it, and auto.create.topics.enable is on: it may come back at once, empty. Stop the writer first.");
	else
		check_say(ck, SEVERITY_WARNING, "last-writes", ta->ct->name, "Something writes to it: it was written to within 10 s.");
}

/* ---- all -------------------------------------------------------------------------------------------------- */

/* True when it is to be sent. */
static bool check_topic(struct check *ck, const struct command_topic *ct)
{
	struct target ta = { ct, cluster_topic_find(ck->cl, ct->name) };

	if (!check_same(ck, &ta))
		return true;
	check_allowed(ck, &ta, ta.tp->internal || topic_is_internal(ct->name), "internal", "a topic of Kafka's own", ck->po->internal_by_hand, "internal-by-hand");
	check_allowed(ck, &ta, policy_protects(ck->po, ct->name), "protected", "protected by the profile", ck->po->protected_by_hand, "protected-by-hand");
	if (ta.tp->deleting) {
		check_queued(ck, &ta);
		return false;
	}
	check_asked(ck, &ta);
	check_moving(ck, &ta);
	check_held(ck, &ta);
	check_way(ck, &ta);
	check_writers(ck, &ta);
	return true;
}

void check_topics(struct check *ck)
{
	size_t n_left = 0;

	index_asked(ck);
	for (size_t i = 0; i < ck->cm->n_topics; i++)
		n_left += check_topic(ck, &ck->cm->topics[i]);
	mem_free(&ck->asked);
	if (ck->cm->n_topics > 0 && n_left == 0)
		check_say(ck, SEVERITY_ERROR, "nothing", NULL, "All of them are queued for deletion already: there is nothing to ask for.");
}
