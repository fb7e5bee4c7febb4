/* SPDX-License-Identifier: Apache-2.0 */
/* What is looked at once for a command: the cluster it goes to, whether it can be asked now, and by whom it will be answered. */
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/command_parts.h"
#include "core/deletion.h"
#include "core/policy.h"

static bool is_znode(const struct check *ck)
{
	return command_is_znode(ck->cm->kind);
}

/* ---- which cluster, and how fresh -------------------------------------------------------------- */

static void check_identity(struct check *ck)
{
	const char *expected = ck->po->expected_cluster_id, *is = ck->cl->cluster_id;

	if (expected != NULL && (is == NULL || strcmp(expected, is) != 0))
		check_say(ck, SEVERITY_ERROR, "wrong-cluster", NULL, "The profile is for the cluster with id %s, this one's is %s: use the profile of this cluster.",
			  expected, is != NULL ? is : "not known");
	if (ck->cl->foreign_id != NULL && !is_znode(ck))
		check_say(ck, SEVERITY_ERROR, "foreign-brokers", NULL,
			  "The brokers that answer are of another cluster, with id %s: check --bootstrap-server and --zookeeper.", ck->cl->foreign_id);
}

/* A large deletion asks for the cluster's name. Where there is none to ask for, that guard would be gone without a word. */
static void check_name(struct check *ck)
{
	const struct cluster *cl = ck->cl;
	struct strbuf name;

	if (ck->cm->kind != COMMAND_MOVE_CONTROLLER && !command_is_large(ck->cm, cl, ck->po))
		return;
	strbuf_init(&name);
	command_cluster_name(cl, ck->po, &name);
	if (name.len == 0)
		check_say(ck, SEVERITY_ERROR, "cluster-unnamed", NULL, "The cluster's name has to be typed for this, and there is none: /cluster/id %s%s%s. Mend the node, or use a profile.",
			  cl->cluster_id_fact.know == KNOW_UNREADABLE ? "can't be read" : cl->cluster_id_fact.know == KNOW_ABSENT ? "is not there" : "has not been read",
			  cl->cluster_id_fact.know == KNOW_UNREADABLE ? ": " : "", cl->cluster_id_fact.know == KNOW_UNREADABLE ? why_text(cl->cluster_id_why) : "");
	strbuf_fini(&name);
}

static void check_freshness(struct check *ck)
{
	const struct cluster *cl = ck->cl;

	if (cl->conn.state != CONN_UP)
		check_say(ck, SEVERITY_ERROR, "stale", NULL, "There is no ZooKeeper session, so what is known may be old: not now; try again when it is live.");
	else if (!cl->loaded)
		check_say(ck, SEVERITY_ERROR, "stale", NULL, "ZooKeeper is still being read: not now; try again in a moment.");
	if (cl->conn.state == CONN_UP && cl->conn.readonly_server)
		check_say(ck, SEVERITY_ERROR, "zookeeper-read-only", NULL,
			  "The ZooKeeper server is cut off from its quorum, so what it says may be old: not now; try again when the quorum is back.");
}

static void check_migration(struct check *ck)
{
	if (!cluster_in_migration(ck->cl))
		return;
	if (is_znode(ck))
		check_say(ck, SEVERITY_ERROR, "migration", NULL,
			  "The cluster is migrating to KRaft: its znodes are no longer to be written. Use Kafka's own requests (delete-topics).");
	else
		check_say(ck, SEVERITY_WARNING, "migration", NULL,
			  "The cluster is migrating to KRaft: the KRaft controller takes the request, and what is told here of how far it is may be wrong.");
}

/* ---- the controller -------------------------------------------------------------------------------- */

static int32_t controller_of(const struct cluster *cl)
{
	return cl->controller_fact.know == KNOW_PRESENT ? cl->controller.broker : BROKER_NONE;
}

static bool check_has_controller(struct check *ck)
{
	const struct cluster *cl = ck->cl;

	if (cl->controller_fact.know == KNOW_PRESENT)
		return true;
	if (cl->controller_fact.know == KNOW_UNREADABLE)
		check_say(ck, SEVERITY_ERROR, "no-controller", NULL, "/controller can't be read, so nobody can be asked: %s.", why_text(cl->controller_why));
	else
		check_say(ck, SEVERITY_ERROR, "no-controller", NULL, "No broker is the controller, so nobody would act: see why none is elected, then try again.");
	return false;
}

static void check_controller_link(struct check *ck)
{
	int32_t id = controller_of(ck->cl);
	const struct broker *br = cluster_broker_find(ck->cl, id);

	if (br != NULL && br->link.state == LINK_FAILED)
		check_mention(ck, SEVERITY_WARNING, "controller-silent", NULL,
			      "Broker %d, the controller, can't be reached: %s. The request may fail; nothing is sent then.", (int)id, br->link.error);
}

/* delete.topic.enable elsewhere than where the controller is counts after the next election. */
static void check_enabled(struct check *ck)
{
	const struct cluster *cl = ck->cl;
	int32_t controller = controller_of(cl);
	int8_t may_delete = broker_may_delete(cluster_broker_find(cl, controller));
	struct ids others = { NULL, 0 };
	struct strbuf text;

	for (size_t i = 0; i < cl->n_brokers; i++)
		if (cl->brokers[i]->id != controller && cl->brokers[i]->up && broker_may_delete(cl->brokers[i]) == 0)
			ids_push(&others, cl->brokers[i]->id);
	if (may_delete == 0)
		check_say(ck, SEVERITY_ERROR, "deletion-disabled", NULL,
			  "delete.topic.enable is false on broker %d, the controller: it would refuse. Set it to true there and restart that broker.", (int)controller);
	else if (controller != BROKER_NONE && may_delete < 0)
		check_say(ck, SEVERITY_INFO, "deletion-enabled-unknown", NULL,
			  "Whether delete.topic.enable is on is not known of broker %d, the controller; its answer will say.", (int)controller);
	if (others.n > 0) {
		strbuf_init(&text);
		check_put_ids(&text, &others);
		check_say(ck, SEVERITY_WARNING, "deletion-disabled", NULL,
			  "delete.topic.enable is false on broker%s %s: if one of them becomes the controller before the end, the topics stay, or come back emptied.",
			  others.n == 1 ? "" : "s", text.s);
		strbuf_fini(&text);
	}
	ids_fini(&others);
}

static void check_markers(struct check *ck)
{
	const struct cluster *cl = ck->cl;

	if (cl->markers_fact.know == KNOW_PRESENT)
		return;
	if (ck->cm->kind == COMMAND_MARK_TOPICS)
		check_say(ck, SEVERITY_ERROR, "markers-unreadable", NULL, "/admin/delete_topics %s, so no marker can be put there%s%s.",
			  cl->markers_fact.know == KNOW_UNREADABLE ? "can't be read" : "is not there",
			  cl->markers_fact.know == KNOW_UNREADABLE ? ": " : "", cl->markers_fact.know == KNOW_UNREADABLE ? why_text(cl->markers_why) : "");
	else if (cl->markers_fact.know == KNOW_UNREADABLE)
		check_say(ck, SEVERITY_WARNING, "markers-unreadable", NULL,
			  "/admin/delete_topics can't be read, so which topics are queued already, and how far these get, is not known: %s.", why_text(cl->markers_why));
}

/* ---- another election ------------------------------------------------------------------------------- */

static void check_term(struct check *ck)
{
	const struct cluster *cl = ck->cl;

	if (cl->controller_czxid == 0 || cl->controller_czxid != ck->cm->controller_czxid)
		check_say(ck, SEVERITY_ERROR, "controller-changed", NULL, "The controller is another one than when this was asked for (now broker %d): look again whether it is still needed.",
			  (int)cl->controller.broker);
}

/* A topic that the controller still deletes and whose marker is gone comes back emptied by an election (reference 2.11). */
static bool would_resurrect(const struct deletion *de)
{
	return de->state == DELETION_MARKER_REMOVED || (!deletion_state_is_end(de->state) && (de->acts & DELETION_ACT_PUT_MARKER) != 0);
}

static void say_resurrects(struct check *ck, const char *topic)
{
	check_say(ck, SEVERITY_ERROR, "marker-removed", topic,
		  "Its marker was taken away while it was being deleted: with another controller it would come back emptied. Put the marker again first (mark-topics).");
}

static void check_resurrected(struct check *ck)
{
	const struct cluster *cl = ck->cl;

	if (ck->ds != NULL) {
		for (size_t i = 0; i < deletions_count(ck->ds); i++)
			if (would_resurrect(deletions_at(ck->ds, i)))
				say_resurrects(ck, deletions_at(ck->ds, i)->topic);
		return;
	}
	for (size_t i = 0; i < cl->n_witnesses; i++)
		if (cl->witnesses[i]->end == WITNESS_MARKER_GONE && cl->witnesses[i]->ctrl_lists != KNOW_PRESENT)
			say_resurrects(ck, cl->witnesses[i]->topic);
}

/* What stops the next controller from starting (reference 1.12), or is obeyed by it. */
static void check_poison(struct check *ck)
{
	const struct cluster *cl = ck->cl;

	for (size_t i = 0; i < cl->n_topics; i++)
		if (cl->topics[i]->quoted_ids)
			check_say(ck, SEVERITY_ERROR, "poison", cl->topics[i]->name,
				  "Its node has broker ids as strings: no broker could become the controller again. Mend the node first.");
	if (cl->reassign_fact.know != KNOW_PRESENT)
		return;
	if (cl->reassign.shape == ZK_REASSIGN_NO_LIST || cl->reassign.shape == ZK_REASSIGN_QUOTED_IDS)
		check_say(ck, SEVERITY_ERROR, "poison", NULL, "/admin/reassign_partitions would keep every broker from becoming the controller: %s. Mend the node first.",
			  cl->reassign.why);
	else if (cl->reassign.n > 0)
		check_say(ck, SEVERITY_WARNING, "entries-left-over", NULL,
			  "/admin/reassign_partitions has %zu entr%s that the next controller executes: see the disagreements in the overview.",
			  cl->reassign.n, cl->reassign.n == 1 ? "y" : "ies");
}

/* ---- what was asked beyond ---------------------------------------------------------------------------- */

static const char *them(const struct check *ck)
{
	return ck->cm->n_topics == 1 ? "it" : "them";
}

/* What is not known, or not yet. Nobody asked, or it is being asked: that is no warning. */
static void say_unknown(struct check *ck, const char *kind, bool is_pending, const char *what, const char *why)
{
	if (is_pending)
		check_say(ck, SEVERITY_INFO, kind, NULL, "%s %s is not known yet: it is being asked.", what, them(ck));
	else
		check_say(ck, ck->is_appraised ? SEVERITY_WARNING : SEVERITY_INFO, kind, NULL, "%s %s is not known%s%s.", what, them(ck),
			  why != NULL ? ": " : "", why != NULL ? why : "");
}

static void check_writes(struct check *ck)
{
	const struct appraisal *ap = ck->ap;

	if (!ap->writes_known)
		say_unknown(ck, "last-writes-unknown", ap->writes_pending, ap->n_active > 0 ? "Whether anything writes to the others of" : "Whether anything still writes to",
			    ap->why_writes);
	else if (ap->n_active == 0)
		check_say(ck, SEVERITY_INFO, "no-writes", NULL, "No write to %s in %d s.", them(ck), APPRAISAL_APART_S);
}

static void say_groups(struct check *ck)
{
	enum { NAMED_MAX = 8 };
	const struct appraisal *ap = ck->ap;
	char a[UNITS_TEXT_MAX];
	struct strbuf text;

	strbuf_init(&text);
	for (size_t i = 0; i < ap->n_groups && i < NAMED_MAX; i++)
		strbuf_printf(&text, "%s%s", i > 0 ? ", " : "", ap->groups[i]);
	if (ap->n_groups > NAMED_MAX)
		strbuf_printf(&text, " and %s more", units_count(a, (int64_t)(ap->n_groups - NAMED_MAX)));
	check_say(ck, SEVERITY_WARNING, "consumer-groups", NULL, "Consumer groups with offsets on %s: %s.", them(ck), text.s);
	strbuf_fini(&text);
}

static void check_groups(struct check *ck)
{
	const struct appraisal *ap = ck->ap;
	bool is_all = ap->groups_seen == ap->groups_total && ap->why_groups == NULL;
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];

	if (ap->n_groups > 0)
		say_groups(ck);
	if (!ap->groups_known)
		say_unknown(ck, "consumer-groups-unknown", ap->groups_pending, "Which consumer groups have offsets on", ap->why_groups);
	else if (!is_all)
		check_say(ck, SEVERITY_WARNING, "consumer-groups-unknown", NULL, "Looked at %s of %s consumer groups: there may be more with offsets on %s%s%s%s.",
			  units_count(a, (int64_t)ap->groups_seen), units_count(b, (int64_t)ap->groups_total), them(ck), ap->why_groups != NULL ? " (" : "",
			  ap->why_groups != NULL ? ap->why_groups : "", ap->why_groups != NULL ? ")" : "");
	else if (ap->n_groups == 0)
		check_say(ck, SEVERITY_INFO, "no-consumer-groups", NULL, "No consumer group has offsets on %s.", them(ck));
}

/* ---- all ---------------------------------------------------------------------------------------------- */

static void check_deleting(struct check *ck)
{
	if (ck->cm->n_topics == 0) {
		check_say(ck, SEVERITY_ERROR, "nothing", NULL, "No topic was chosen: there is nothing to do.");
		return;
	}
	if (ck->cm->kind == COMMAND_DELETE_TOPICS && check_has_controller(ck))
		check_controller_link(ck);
	check_enabled(ck);
	check_markers(ck);
	check_writes(ck);
	check_groups(ck);
	if (command_is_large(ck->cm, ck->cl, ck->po))
		check_say(ck, SEVERITY_INFO, "many-topics", NULL, "More than %u topics, or %u %% of the partitions: the cluster's name has to be typed as well.",
			  (unsigned)ck->po->many_topics, (unsigned)ck->po->many_percent);
}

void check_cluster(struct check *ck)
{
	check_identity(ck);
	check_name(ck);
	check_freshness(ck);
	check_migration(ck);
	if (ck->cm->kind != COMMAND_MOVE_CONTROLLER) {
		check_deleting(ck);
		return;
	}
	if (check_has_controller(ck))
		check_term(ck);
	check_resurrected(ck);
	check_poison(ck);
}
