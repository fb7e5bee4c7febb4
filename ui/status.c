/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/status.h"

#include <string.h>

#include "app/session.h"
#include "base/str.h"
#include "core/cluster.h"
#include "core/deletion.h"
#include "core/disks.h"
#include "core/health.h"
#include "core/policy.h"

/* The probe goes out every 2 s (io/zk): two of them without an answer are worth a word. */
enum { STATUS_ID_SHOWN = 6, STATUS_SILENT_MS = 5000, STATUS_OTHER_CLUSTER_MS = 600000, STATUS_NAME_BRIEF = 10 };

/* ---- line 1 ------------------------------------------------------------------ */

/* Since the last answer of any kind; since the state began when there never was one. */
static dur_ms status_silence(const struct cluster *cl, mono_ms now)
{
	mono_ms from = cl->conn.last_answer.ms ? cl->conn.last_answer : cl->conn_seen;
	dur_ms d = from.ms ? mono_since(now, from) : 0;

	return d > 0 ? d : 0;
}

enum status_mood status_conn(const struct cluster *cl, mono_ms now, char out[STATUS_WORD_MAX])
{
	if (cl->conn.state != CONN_UP) {
		if (!cl->loaded_once) {
			str_printf(out, STATUS_WORD_MAX, "%s", cl->conn.state == CONN_CLOSED ? "closed" : "connecting");
			return cl->conn.error[0] ? STATUS_BAD : STATUS_BUSY;
		}
		str_printf(out, STATUS_WORD_MAX, "STALE %lld s", (long long)(status_silence(cl, now) / 1000));
		return STATUS_BAD;
	}
	if (!cl->loaded) {
		unsigned long long done = cl->load_done, total = cl->load_total;

		if (!total)
			str_printf(out, STATUS_WORD_MAX, "reading");
		else
			str_printf(out, STATUS_WORD_MAX, "reading %llu %%", done < total ? done * 100 / total : 100);
		return STATUS_BUSY;
	}
	if (cl->conn.last_answer.ms && status_silence(cl, now) >= STATUS_SILENT_MS) {
		str_printf(out, STATUS_WORD_MAX, "silent %lld s", (long long)(status_silence(cl, now) / 1000));
		return STATUS_BUSY;
	}
	if (cl->conn.latency < 0)
		str_printf(out, STATUS_WORD_MAX, "live");
	else
		str_printf(out, STATUS_WORD_MAX, "live %lld ms", (long long)cl->conn.latency);
	return STATUS_GOOD;
}

void status_cluster(const struct cluster *cl, char out[STATUS_WORD_MAX])
{
	const char *id = cl->cluster_id_fact.know == KNOW_PRESENT ? cl->cluster_id : NULL;

	if (id)
		str_printf(out, STATUS_WORD_MAX, "%.*s", STATUS_ID_SHOWN, id);
	else
		str_printf(out, STATUS_WORD_MAX, "%s", cl->cluster_id_fact.know == KNOW_ABSENT ? "-" : "?");
}

void status_name(const struct cluster *cl, const struct policy *po, char out[STATUS_WORD_MAX], char brief[STATUS_WORD_MAX])
{
	if (po->profile)
		str_printf(out, STATUS_WORD_MAX, "%s", po->profile);
	else
		status_cluster(cl, out);
	if (strlen(out) > STATUS_NAME_BRIEF)
		str_printf(brief, STATUS_WORD_MAX, "%.*s…", STATUS_NAME_BRIEF - 1, out);
	else
		str_printf(brief, STATUS_WORD_MAX, "%s", out);
}

static bool status_is_expected(const struct cluster *cl, const struct policy *po)
{
	if (!po->expected_cluster_id)
		return true;
	return cl->cluster_id_fact.know == KNOW_PRESENT && cl->cluster_id && !strcmp(cl->cluster_id, po->expected_cluster_id);
}

bool status_operates(const struct cluster *cl, const struct policy *po)
{
	return po->operate && status_is_expected(cl, po);
}

const char *status_mode(const struct cluster *cl, const struct policy *po)
{
	return status_operates(cl, po) ? "OPERATE" : "READ-ONLY";
}

enum status_mood status_brokers(const struct cluster *cl, char out[STATUS_WORD_MAX], char brief[STATUS_WORD_MAX])
{
	size_t up = cluster_brokers_up(cl), all = cl->n_brokers;

	if (cluster_brokers_are_known(cl))
		str_printf(brief, STATUS_WORD_MAX, "%zu/%zu", up, all);
	else if (all)
		str_printf(brief, STATUS_WORD_MAX, "?/%zu", all);
	else
		str_printf(brief, STATUS_WORD_MAX, "?/?");
	str_printf(out, STATUS_WORD_MAX, "%s broker%s", brief, all == 1 ? "" : "s");
	return cluster_brokers_are_known(cl) && up < all ? STATUS_BAD : STATUS_GOOD;
}

enum status_mood status_controller(const struct cluster *cl, char out[STATUS_WORD_MAX], char brief[STATUS_WORD_MAX])
{
	bool absent = cl->controller_fact.know == KNOW_ABSENT;
	char id[16] = "?";

	if (cl->controller_fact.know == KNOW_PRESENT)
		str_printf(id, sizeof(id), "%d", cl->controller.broker);
	else if (absent)
		str_printf(id, sizeof(id), "-");
	str_printf(brief, STATUS_WORD_MAX, "ctrl %s", id);
	if (cl->controller_epoch_fact.know == KNOW_PRESENT)
		str_printf(out, STATUS_WORD_MAX, "ctrl %s e%d", id, cl->controller_epoch);
	else
		str_printf(out, STATUS_WORD_MAX, "ctrl %s e?", id);
	return absent && cl->loaded ? STATUS_BAD : STATUS_GOOD;
}

/* ---- line 2 ------------------------------------------------------------------ */

static bool status_has_offline_dir(const struct cluster *cl)
{
	for (size_t i = 0; i < cl->n_brokers; i++)
		if (cl->brokers[i]->disks && disks_offline(cl->brokers[i]->disks) > 0)
			return true;
	return false;
}

static bool status_has_waiting(const struct deletions *ds)
{
	for (size_t i = 0; i < deletions_count(ds); i++)
		if (deletions_at(ds, i)->state == DELETION_WAITING || deletions_at(ds, i)->state == DELETION_RESURRECTED)
			return true;
	return false;
}

bool status_needs_look(const struct cluster *cl, const struct deletions *ds, const char *view)
{
	if (!strcmp(view, "topics"))
		return topic_count(&cl->totals, PT_OFFLINE) + topic_count(&cl->totals, PT_UNDER_MIN) + topic_count(&cl->totals, PT_UNDER) > 0;
	if (!strcmp(view, "brokers"))
		return cluster_brokers_are_known(cl) && cluster_brokers_up(cl) < cl->n_brokers;
	if (!strcmp(view, "deletions"))
		return status_has_waiting(ds);
	return !strcmp(view, "dirs") && status_has_offline_dir(cl);
}

/* ---- line 3, when something must be known ------------------------------------------ */

/* "zk2.example:2181 refused (3 tries)" */
static void status_attempt(const struct cluster *cl, char *out, size_t size)
{
	const struct conn_info *co = &cl->conn;
	char tries[32] = "";

	if (co->tries > 0)
		str_printf(tries, sizeof(tries), " (%d %s)", co->tries, co->tries == 1 ? "try" : "tries");
	str_printf(out, size, "%s%s%s%s", co->server[0] ? co->server : "no server tried yet",
		   co->error[0] ? " " : "", co->error, tries);
}

static void status_stale(const struct cluster *cl, mono_ms now, wall_ms now_wall, char out[STATUS_TEXT_MAX])
{
	wall_ms since = { now_wall.ms - status_silence(cl, now) };
	char clock[UNITS_TEXT_MAX], attempt[STATUS_TEXT_MAX];

	status_attempt(cl, attempt, sizeof(attempt));
	if (cl->conn.loss == CONN_LOSS_EXPIRED)
		str_printf(out, STATUS_TEXT_MAX, "Session expired, reconnecting: %s", attempt);
	else if (cl->conn.loss == CONN_LOSS_AUTH)
		str_printf(out, STATUS_TEXT_MAX, "ZooKeeper refused who we are: %s", attempt);
	else
		str_printf(out, STATUS_TEXT_MAX, "No answer from ZooKeeper since %s: %s",
			   units_moment(clock, since, now_wall), attempt);
}

static bool status_wrong_place(const struct cluster *cl, char out[STATUS_TEXT_MAX])
{
	if (cl->conn.state != CONN_UP)
		return false;
	if (cl->root.know == KNOW_UNREADABLE) {
		str_printf(out, STATUS_TEXT_MAX, "The chroot can't be looked at: %s", why_text(cl->root_why));
		return true;
	}
	if (cl->root.know == KNOW_ABSENT) {
		str_printf(out, STATUS_TEXT_MAX, cl->cluster_id ? "%s is gone from this ensemble: it was there before" :
			   "%s does not exist on this ensemble: is the chroot right?", cl->root_missing ? cl->root_missing : "/");
		return true;
	}
	if (cl->broker_ids_fact.know == KNOW_ABSENT && cl->topics_fact.know != KNOW_PRESENT) {
		str_printf(out, STATUS_TEXT_MAX, "No /brokers here, so no Kafka: is it under a chroot, as in zk1:2181/kafka?");
		return true;
	}
	return false;
}

bool status_other_cluster(const struct cluster *cl, const struct policy *po, char out[STATUS_TEXT_MAX])
{
	const char *profile = po->profile ? po->profile : "?";

	if (cl->cluster_id_fact.know == KNOW_UNKNOWN || status_is_expected(cl, po))
		return false;
	if (cl->cluster_id_fact.know == KNOW_PRESENT)
		str_printf(out, STATUS_TEXT_MAX, "NOT THE CLUSTER %s: nothing can be changed. Its id is %s, the profile has %s", profile,
			   cl->cluster_id, po->expected_cluster_id);
	else if (cl->cluster_id_fact.know == KNOW_UNREADABLE)
		str_printf(out, STATUS_TEXT_MAX, "IS THIS %s? Its id can't be read (%s), so nothing can be changed", profile, why_text(cl->cluster_id_why));
	else
		str_printf(out, STATUS_TEXT_MAX, "NOT THE CLUSTER %s: nothing can be changed. It has no id, the profile has %s", profile,
			   po->expected_cluster_id);
	return true;
}

bool status_banner(const struct cluster *cl, mono_ms now, wall_ms now_wall, char out[STATUS_TEXT_MAX])
{
	if (cl->loaded_once && cl->conn.state != CONN_UP) {
		status_stale(cl, now, now_wall, out);
		return true;
	}
	if (status_wrong_place(cl, out))
		return true;
	if (cl->cluster_id_before && now_wall.ms - cl->cluster_id_changed.ms < STATUS_OTHER_CLUSTER_MS) {
		str_printf(out, STATUS_TEXT_MAX, "ANOTHER CLUSTER: %s has id %s, before it was %s: are these servers one ensemble?",
			   cl->conn.server, cl->cluster_id ? cl->cluster_id : "?", cl->cluster_id_before);
		return true;
	}
	if (cl->loaded_once && !cl->loaded) {
		str_printf(out, STATUS_TEXT_MAX, "%s, reading again: what is dim has not been read since",
			   cl->conn.loss == CONN_LOSS_EXPIRED ? "The session expired" : "The connection was lost");
		return true;
	}
	if (cl->conn.readonly_server) {
		str_printf(out, STATUS_TEXT_MAX, "READ-ONLY SERVER, data may be old: %s has lost its quorum", cl->conn.server);
		return true;
	}
	if (cl->reassign_fact.know == KNOW_PRESENT &&
	    (cl->reassign.shape == ZK_REASSIGN_NO_LIST || cl->reassign.shape == ZK_REASSIGN_QUOTED_IDS)) {
		str_printf(out, STATUS_TEXT_MAX, "/admin/reassign_partitions breaks the next controller election: %s",
			   cl->reassign.why);
		return true;
	}
	if (cluster_in_migration(cl)) {
		str_printf(out, STATUS_TEXT_MAX, "KRaft migration: a KRaft controller owns this cluster, ZooKeeper holds its copy");
		return true;
	}
	return false;
}

/* The error of a connection that failed, of the first broker that is up; NULL: none did. */
static const char *status_link_error(const struct cluster *cl)
{
	for (size_t i = 0; i < cl->n_brokers; i++) {
		const struct broker *br = cl->brokers[i];

		if (br->link.state == LINK_FAILED && cluster_broker_alive(cl, br->id) != KNOW_ABSENT)
			return br->link.error[0] ? br->link.error : "no reason given";
	}
	return NULL;
}

bool status_broker_side(const struct cluster *cl, mono_ms now, wall_ms now_wall, char out[STATUS_TEXT_MAX])
{
	mono_ms from = cl->brokers_seen.ms ? cl->brokers_seen : cl->asked_fact.seen;
	const char *why = status_link_error(cl);
	char clock[UNITS_TEXT_MAX];

	if (cl->foreign_id) {
		str_printf(out, STATUS_TEXT_MAX, "BROKERS OF ANOTHER CLUSTER: they say %s, ZooKeeper %s; nothing they say is taken", cl->foreign_id,
			   cl->cluster_id ? cl->cluster_id : "?");
		return true;
	}
	if (cl->asked_fact.know == KNOW_UNKNOWN || cl->n_links_up > 0)
		return false;
	if (cl->asked_fact.know == KNOW_UNREADABLE && cl->brokers_seen.ms == 0)
		why = why_text(cl->asked_why);
	if (!why)
		return false; /* connections that nothing is to be asked over are closed */
	str_printf(out, STATUS_TEXT_MAX, "BROKERS NOT ANSWERING since %s: %s",
		   units_moment(clock, (wall_ms){ now_wall.ms - (from.ms ? mono_since(now, from) : 0) }, now_wall), why);
	return true;
}

/* ---- nothing yet ------------------------------------------------------------------------ */

static size_t status_advice(const struct cluster *cl, char lines[STATUS_LINES_MAX][STATUS_TEXT_MAX], size_t n)
{
	if (strstr(cl->conn.error, "resolve"))
		str_printf(lines[n++], STATUS_TEXT_MAX, " Is the name spelt right, and known on this machine?");
	else if (strstr(cl->conn.error, "refused"))
		str_printf(lines[n++], STATUS_TEXT_MAX, " The machine answers, but nothing listens there: is it ZooKeeper's client port?");
	else if (strstr(cl->conn.error, "not as ZooKeeper") || strstr(cl->conn.error, "does not answer"))
		str_printf(lines[n++], STATUS_TEXT_MAX, " Something listens there: is it ZooKeeper's client port, and without TLS?");
	else if (strstr(cl->conn.error, "by the server"))
		str_printf(lines[n++], STATUS_TEXT_MAX, " Not ZooKeeper's port, one with TLS, or one that has maxClientCnxns clients?");
	return n;
}

size_t status_nothing(const struct cluster *cl, const char *zookeeper, char lines[STATUS_LINES_MAX][STATUS_TEXT_MAX])
{
	const struct conn_info *co = &cl->conn;
	size_t n = 0;

	if (cl->loaded_once || co->state == CONN_UP || cl->topics_fact.know != KNOW_UNKNOWN)
		return 0;
	str_printf(lines[n++], STATUS_TEXT_MAX, " Connecting to ZooKeeper %s", zookeeper);
	str_printf(lines[n++], STATUS_TEXT_MAX, "%s", "");
	if (co->server[0])
		str_printf(lines[n++], STATUS_TEXT_MAX, " trying      %s", co->server);
	if (co->tries > 0)
		str_printf(lines[n++], STATUS_TEXT_MAX, " tries       %d", co->tries);
	if (co->error[0])
		str_printf(lines[n++], STATUS_TEXT_MAX, " last error  %s", co->error);
	if (co->error[0]) {
		str_printf(lines[n++], STATUS_TEXT_MAX, "%s", "");
		n = status_advice(cl, lines, n);
		str_printf(lines[n++], STATUS_TEXT_MAX, " It goes on trying by itself. q ends.");
	}
	return n;
}

bool status_replay(const struct session *ss, char out[STATUS_WORD_MAX], char brief[STATUS_WORD_MAX])
{
	struct replay_info re = session_replay(ss);
	char at[UNITS_TEXT_MAX], length[UNITS_TEXT_MAX];

	if (!re.is_replay)
		return false;
	units_dur(at, re.at);
	if (re.at_end)
		str_printf(brief, STATUS_WORD_MAX, "REPLAY at its end");
	else
		str_printf(brief, STATUS_WORD_MAX, "REPLAY %s%s", at, re.paused ? ", stopped" : "");
	str_printf(out, STATUS_WORD_MAX, "REPLAY %s of %s%s", at, units_dur(length, re.length),
		   re.at_end ? ", at its end" : re.paused ? ", stopped" : "");
	return true;
}
