/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/asking.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "app/exit.h"
#include "app/reach.h"
#include "base/str.h"
#include "batch/job.h"
#include "core/servers.h"

/* ---- whom ------------------------------------------------------------------------------ */

static bool has_bootstrap(const struct reach *reach)
{
	return reach_bootstrap(reach)->n > 0;
}

bool asking_init(struct asking *as, const struct options *opt, const struct reach *reach, const struct batch_command *command,
	struct err *err)
{
	bool is_detailed = opt->with_replicas && command->detail_fields != NULL;
	unsigned of_brokers = is_detailed ? command->detail_asks : command->asks;
	char profiles[ERR_TEXT_MAX];

	memset(as, 0, sizeof(*as));
	if (opt->from == FROM_ZOOKEEPER && !opt->has_zookeeper)
		return err_set(err, ERR_USAGE, "which cluster? Say --zookeeper zk1:2181,zk2:2181/kafka");
	if (!opt->has_zookeeper && !has_bootstrap(reach)) {
		options_profiles_text(opt, profiles, sizeof(profiles));
		return err_set(err, ERR_USAGE, "which cluster? Say --zookeeper zk1:2181,zk2:2181/kafka%s%s",
			opt->from == FROM_BROKERS ? ", or --bootstrap-server kafka1:9092" : "", profiles);
	}
	if (command->needs_zookeeper && (opt->from == FROM_BROKERS || !opt->has_zookeeper))
		return err_set(err, ERR_USAGE, "%s is what ZooKeeper says: it can't be had %s", opt->command,
			opt->from == FROM_BROKERS ? "--from brokers" : "without --zookeeper");
	/* Without bootstrap servers it is ZooKeeper that says where brokers are. */
	as->ask.zookeeper = opt->has_zookeeper && (opt->from != FROM_BROKERS || !has_bootstrap(reach));
	as->ask.only_brokers = opt->from == FROM_BROKERS;
	as->ask.no_states = command->no_states;
	as->ask.watch = opt->watch || command->act != NULL;
	as->ask.operate = command->act != NULL && opt->execute && opt->policy.operate;
	as->ask.memory = command->remembers;
	/* Metadata for want of ZooKeeper; and where they may be of another cluster, for that stands there. */
	if (opt->from != FROM_ZOOKEEPER)
		as->ask.brokers = of_brokers | (as->ask.zookeeper && opt->from == FROM_BOTH && !has_bootstrap(reach) ? 0 : ASK_METADATA);
	as->ask.patience_ms = opt->value[OPT_TIMEOUT] != NULL ? opt->timeout * 3 / 4 : ASKING_PATIENCE_MS;
	as->zookeeper.is_asked = as->ask.zookeeper;
	as->brokers.is_asked = as->ask.brokers != 0;
	if (opt->from == FROM_ZOOKEEPER && command->needs_brokers)
		return err_set(err, ERR_USAGE, "%s is what brokers say: it can't be had --from zookeeper", opt->command);
	return true;
}

/* ---- what can go wrong -------------------------------------------------------------------- */

static const char failed_word[] = "failed: ";

void asked_fail(struct asked *sd, const struct err *why)
{
	sd->has_failed = true;
	str_printf(sd->text, sizeof(sd->text), "%s%s", failed_word, why->text);
}

const char *asked_reason(const struct asked *sd)
{
	return sd->text + strlen(failed_word);
}

/* What can't get better by waiting: the root of the cluster isn't there. */
static bool is_wrong_root(const struct cluster *cl, const char *zookeeper, struct err *err)
{
	if (cl->root.know == KNOW_UNREADABLE) {
		err_set(err, ERR_REFUSED, "%s: the chroot can't be looked at: %s", zookeeper, why_text(cl->root_why));
		return true;
	}
	if (cl->root.know == KNOW_ABSENT) {
		err_set(err, ERR_NOT_FOUND, "%s: %s does not exist on this ensemble. A chroot stands once, at the end, as in zk1:2181,zk2:2181/kafka",
			zookeeper, cl->root_missing ? cl->root_missing : "/");
		return true;
	}
	if (cl->loaded_once && cl->broker_ids_fact.know == KNOW_ABSENT && cl->topics_fact.know == KNOW_ABSENT) {
		err_set(err, ERR_NOT_FOUND, "%s: there is no /brokers here: not the root of a Kafka cluster. "
			"If Kafka has a chroot, put it at the end, as in zk1:2181,zk2:2181/kafka", zookeeper);
		return true;
	}
	return false;
}

static void set_timed_out(const struct cluster *cl, const char *zookeeper, const char *within, struct err *err)
{
	const struct conn_info *co = &cl->conn;
	char tries[32] = "";

	if (co->tries > 0)
		str_printf(tries, sizeof(tries), " (%d %s)", co->tries, co->tries == 1 ? "try" : "tries");
	if (co->state == CONN_UP)
		err_set(err, ERR_TIMEOUT, "%s: not all was read within %s (%u of %u nodes); --timeout gives it longer",
			zookeeper, within, cl->load_done, cl->load_total);
	else if (co->error[0])
		err_set(err, ERR_TIMEOUT, "%s: no ZooKeeper session within %s: %s %s%s%s", zookeeper, within,
			co->server[0] ? co->server : "server", co->error, tries, strstr(co->error, "resolve") ? "" : "; is that ZooKeeper's client port?");
	else
		err_set(err, ERR_TIMEOUT, "%s: no ZooKeeper session within %s: no server answered", zookeeper, within);
}

/* The first connection that has something to say about itself. */
static const struct broker *link_with_error(const struct cluster *cl)
{
	for (size_t i = 0; i < cl->n_brokers; i++)
		if (cl->brokers[i]->link.error[0] != '\0')
			return cl->brokers[i];
	return NULL;
}

static void set_brokers_timed_out(const struct cluster *cl, const char *within, struct err *err)
{
	const struct broker *br = link_with_error(cl);

	if (br != NULL)
		err_set(err, ERR_TIMEOUT, "not all brokers answered within %s; broker %d: %s", within, br->id, br->link.error);
	else
		err_set(err, ERR_TIMEOUT, "not all brokers answered within %s; --timeout gives them longer, --from zookeeper leaves them out", within);
}

/* ---- waiting ------------------------------------------------------------------------------- */

enum { LOOK_EVERY_MS = 1000 /* for not every event wakes (session_fd) */ };

/* Sleeps until something happens, at most `wait`. */
static void sleep_until(const struct session *ss, dur_ms wait)
{
	struct pollfd fds[2] = {
		{ .fd = session_fd(ss), .events = POLLIN },
		{ .fd = exit_fd(), .events = POLLIN },
	};
	dur_ms own = session_wait(ss);

	if (own >= 0 && own < wait)
		wait = own;
	/* Interrupted or not: the loop looks at everything again. */
	if (poll(fds, 2, wait > LOOK_EVERY_MS ? LOOK_EVERY_MS : (int)wait) < 0 && errno != EINTR)
		exit_die(EXIT_FAILED, "poll: %s", strerror(errno));
}

static bool is_settled(const struct asked *sd)
{
	return !sd->is_asked || sd->has_failed || sd->text[0] != '\0';
}

static void settle(struct asked *sd, const char *text)
{
	str_printf(sd->text, sizeof(sd->text), "%s", text);
}

/* The sources that have said all, or can't. */
static void look(struct asking *as, const struct session *ss)
{
	const struct cluster *cl = session_cluster(ss);
	struct err err;

	err_init(&err);
	if (!is_settled(&as->zookeeper)) {
		if (is_wrong_root(cl, session_zookeeper(ss), &err))
			asked_fail(&as->zookeeper, &err);
		else if (cl->loaded_once) /* the session of a batch command may be closed by now: what counts is that all was read */
			settle(&as->zookeeper, "live");
	}
	/* ZooKeeper may say so after the brokers have said all. */
	if (as->brokers.is_asked && !as->brokers.has_failed && cl->foreign_id != NULL) {
		err_set(&err, ERR_REFUSED, "the brokers are of another cluster, %s; ZooKeeper's is %s", cl->foreign_id, cl->cluster_id);
		asked_fail(&as->brokers, &err);
	}
	if (is_settled(&as->brokers))
		return;
	if (cl->asked_fact.know == KNOW_UNREADABLE) {
		err_set(&err, ERR_NET, "%s", why_text(cl->asked_why));
		asked_fail(&as->brokers, &err);
	} else if (cl->asked_fact.know == KNOW_PRESENT) {
		settle(&as->brokers, "live");
	} else if (as->zookeeper.has_failed && !session_has_bootstrap(ss)) {
		err_set(&err, ERR_NET, "where they are is not known without ZooKeeper; --bootstrap-server says it");
		asked_fail(&as->brokers, &err);
	}
}

static void time_out(struct asking *as, const struct session *ss, dur_ms timeout)
{
	const struct cluster *cl = session_cluster(ss);
	char within[UNITS_TEXT_MAX];
	struct err err;

	units_limit(within, timeout);
	if (!is_settled(&as->zookeeper)) {
		err_init(&err);
		set_timed_out(cl, session_zookeeper(ss), within, &err);
		asked_fail(&as->zookeeper, &err);
	}
	look(as, ss);
	if (is_settled(&as->brokers))
		return;
	err_init(&err);
	set_brokers_timed_out(cl, within, &err);
	asked_fail(&as->brokers, &err);
}

static void wait_for_all(struct asking *as, struct session *ss, dur_ms timeout)
{
	mono_ms begun;

	session_tick(ss);
	begun = session_mono(ss);
	for (;;) {
		dur_ms left;

		session_tick(ss);
		while (session_drain(ss))
			if ((as->signal = exit_signal()) != 0)
				return;
		if ((as->signal = exit_signal()) != 0)
			return;
		look(as, ss);
		if (is_settled(&as->zookeeper) && is_settled(&as->brokers))
			return;
		left = timeout - mono_since(session_mono(ss), begun);
		if (left <= 0) {
			time_out(as, ss, timeout);
			return;
		}
		sleep_until(ss, left);
	}
}

void asking_nobody(struct asking *as)
{
	memset(as, 0, sizeof(*as));
	settle(&as->zookeeper, "not asked");
	settle(&as->brokers, "not asked");
}

void asking_wait(struct asking *as, struct session *ss, const struct options *opt)
{
	wait_for_all(as, ss, opt->timeout);
	if (!as->zookeeper.is_asked)
		settle(&as->zookeeper, "not asked");
	if (!as->brokers.is_asked)
		settle(&as->brokers, "not asked");
}

bool asking_has_answer(const struct asking *as)
{
	return (as->zookeeper.is_asked && !as->zookeeper.has_failed) || (as->brokers.is_asked && !as->brokers.has_failed);
}

/* ---- warnings --------------------------------------------------------------------------------- */

/* One reason, and the brokers that gave it. */
static void warn_brokers(struct batch_job *job, const char *what, const struct fact *(*fact)(const struct broker *br),
	const char *(*why)(const struct broker *br), bool *is_partial)
{
	const struct cluster *cl = job->cl;

	for (size_t i = 0; i < cl->n_brokers; i++) {
		struct strbuf ids;
		size_t n = 0;
		bool is_first = true;

		if (fact(cl->brokers[i])->know != KNOW_UNREADABLE)
			continue;
		for (size_t j = 0; j < i; j++)
			is_first &= fact(cl->brokers[j])->know != KNOW_UNREADABLE || strcmp(why(cl->brokers[j]), why(cl->brokers[i])) != 0;
		if (!is_first)
			continue;
		strbuf_init(&ids);
		for (size_t j = i; j < cl->n_brokers; j++)
			if (fact(cl->brokers[j])->know == KNOW_UNREADABLE && strcmp(why(cl->brokers[j]), why(cl->brokers[i])) == 0)
				strbuf_printf(&ids, "%s%d", n++ > 0 ? ", " : "", cl->brokers[j]->id);
		batch_warn(job, "%s of broker%s %s not known: %s", what, n == 1 ? "" : "s", ids.s, why(cl->brokers[i]));
		strbuf_fini(&ids);
		*is_partial = true;
	}
}

static const struct fact *disks_fact(const struct broker *br) { return &br->disks_fact; }
static const char *disks_why(const struct broker *br) { return why_text(br->disks_why); }
static const struct fact *settings_fact(const struct broker *br) { return &br->settings_fact; }
static const char *settings_why(const struct broker *br) { return why_text(br->settings_why); }

bool asking_warn(const struct asking *as, struct batch_job *job)
{
	bool is_partial = false;

	if (as->zookeeper.has_failed)
		batch_warn(job, "%s", asked_reason(&as->zookeeper));
	if (as->brokers.has_failed)
		batch_warn(job, "brokers: %s", asked_reason(&as->brokers));
	if (as->brokers.is_asked && !as->brokers.has_failed) {
		warn_brokers(job, "log dirs", disks_fact, disks_why, &is_partial);
		warn_brokers(job, "settings", settings_fact, settings_why, &is_partial);
		if (job->cl->metadata_fact.know == KNOW_UNREADABLE && (as->ask.brokers & ASK_METADATA)) {
			batch_warn(job, "the brokers' metadata is not known");
			is_partial = true;
		}
	}
	return is_partial || as->zookeeper.has_failed || as->brokers.has_failed;
}
