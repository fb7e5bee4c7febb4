/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Watches a cluster as the console does, without a screen, and prints the list of disagreements whenever it differs:
 *
 *   truthprint CONNECT-STRING      until standard input ends
 *
 * A list begins with "at SECONDS" since the start and ends with "end"; a truth is a line, "POISON|- KIND: SUBJECT | WHAT". The first list comes
 * when the first reading is complete. Names are printed as they are: for tests.
 */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "core/client_config.h"
#include "core/model.h"
#include "core/properties.h"
#include "core/truths.h"
#include "io/clock.h"
#include "io/evq.h"
#include "io/kclient.h"
#include "io/zk.h"

enum { ADDRESSES = 64 };

static struct model *md;
static struct truths *tr;
static struct kclient *kc;
static mono_ms begun;
static bool is_told;

static void print_list(mono_ms now)
{
	printf("at %.1f\n", (double)mono_since(now, begun) / 1000);
	for (size_t i = 0; i < truths_count(tr); i++) {
		const struct truth *tt = truths_at(tr, i);

		printf("%s %s: %s | %s\n", tt->is_poison ? "POISON" : "-", truth_kind_name(tt->kind), tt->subject, tt->what);
	}
	printf("end\n");
	fflush(stdout);
}

/* The brokers by their first plain listener. */
static void name_brokers(void)
{
	const struct cluster *cl = model_cluster(md);
	struct kclient_address v[ADDRESSES];
	size_t n = 0;

	for (size_t i = 0; i < cl->n_brokers && n < ADDRESSES; i++) {
		const struct broker *br = cl->brokers[i];
		const struct zk_endpoint *ep = br->up && br->has_info ? zk_broker_main_endpoint(&br->info) : NULL;

		if (ep != NULL)
			v[n++] = (struct kclient_address){ .id = br->id, .host = ep->host, .port = ep->port };
	}
	kclient_brokers(kc, v, n);
}

static void turn(struct evq *q)
{
	struct event *next;
	struct changes ch;
	mono_ms now;

	for (struct event *ev = evq_take(q); ev != NULL; ev = next) {
		next = ev->next;
		model_apply(md, ev);
	}
	ch = model_changes(md);
	if (ch.bits & CHG_BROKERS)
		name_brokers();
	now = clock_mono();
	if (truths_update(tr, model_cluster(md), &ch, now, clock_wall()) || (!is_told && !cluster_is_stale(model_cluster(md)))) {
		print_list(now);
		is_told = true;
	}
	model_changes_clear(md);
}

static void loop(struct evq *q)
{
	struct pollfd fds[2] = { { .fd = evq_fd(q), .events = POLLIN }, { .fd = STDIN_FILENO, .events = POLLIN } };
	char rest[64];

	for (;;) {
		dur_ms wait = truths_wait(tr, clock_mono());

		if (poll(fds, 2, (int)wait) < 0)
			continue;
		turn(q);
		if ((fds[1].revents & (POLLIN | POLLHUP)) && read(STDIN_FILENO, rest, sizeof(rest)) <= 0)
			return;
	}
}

static bool config_empty(struct client_config *cc, struct err *err)
{
	struct properties pp;
	bool is_read;

	memset(&pp, 0, sizeof(pp));
	is_read = client_config_read(&pp, NULL, NULL, cc, err);
	properties_fini(&pp);
	return is_read;
}

int main(int argc, char **argv)
{
	struct zk_options zo = { .session_timeout = 10000 };
	struct client_config cc;
	struct kclient_options ko = { .config = &cc, .asks = ASK_ALL, .awaits_brokers = true };
	struct err err;
	struct evq *q;
	struct zk *zk;

	err_init(&err);
	if (argc != 2 || !zkconnect_parse(argv[1], &zo.connect, &err) || !config_empty(&cc, &err)) {
		fprintf(stderr, "truthprint: %s\n", err.code != ERR_NONE ? err.text : "give a connect string");
		return 2;
	}
	begun = clock_mono();
	md = model_new();
	tr = truths_new();
	q = evq_new(&err);
	kc = q != NULL ? kclient_new(&ko, q, &err) : NULL;
	zk = kc != NULL ? zk_new(&zo, q, &err) : NULL;
	if (zk == NULL) {
		fprintf(stderr, "truthprint: %s\n", err.text);
		return 1;
	}
	kclient_want(kc, NULL, 0, 0, true);
	loop(q);
	zk_free(&zk);
	kclient_free(&kc);
	evq_free(&q);
	client_config_fini(&cc);
	truths_free(&tr);
	model_free(&md);
	return 0;
}
