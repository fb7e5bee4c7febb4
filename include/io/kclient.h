/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kafka thread: a connection to each broker, what is asked of whom and how
 * often, answers as events.
 *
 * It asks the brokers that kclient_brokers names; the bootstrap servers only as long as none is named, and then
 * those that the first answer to Metadata names, too (of these events the id is BROKER_NONE for a bootstrap server).
 * What `asks` says is asked at first as fast as it can be, of all brokers at once:
 *   ASK_METADATA     all topics, of one broker; of the next one when that fails
 *   ASK_DISKS        the log dirs, of every broker
 *   ASK_SETTINGS     the settings that kafops looks at (kanswer_settings), of every broker
 *                    (of bootstrap servers in any case, to know who is there; then there is no event)
 *   ASK_REASSIGNING  of the controller, as Metadata names it (so Metadata is asked for as well)
 * Each gives its event; where a broker can't be asked, or refuses, an unreadable one says why. When all are there,
 * EV_BROKERS_ASKED comes; unreadable if no broker could be reached, with the sentence that helps most. Brokers that are named after that
 * are asked all the same, and EV_BROKERS_ASKED comes again.
 * With `once` that is all, and a broker that is silent for `patience_ms` is given up. Else it is asked again and again (io/kpolls says when). Connections that fail are tried again after 0.25 s,
 * doubling to 30 s; after a refusal (password, certificate) every 30 s. EV_LINK tells each state of a connection, and, long before a
 * time-out, that a broker does not answer what it has answered before.
 *
 * Errors that come as `why` or in EV_LINK begin with the address where the id says the broker, with "broker 3: " in EV_BROKERS_ASKED.
 * They never hold a secret, neither does the log.
 *
 * Thread: UI thread, or any one at a time for a kclient; nothing here waits but kclient_free. The thread that it starts takes the signals that
 * its maker does not block. A KDC and a command for a token are waited for in threads of their own (io/sasl_first).
 */
#ifndef IO_KCLIENT_H
#define IO_KCLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/event.h"

struct client_config;
struct err;
struct evq;
struct kclient;
struct kpolls_times;
struct net_tls;

enum { KCLIENT_WANT_MAX = 200, KCLIENT_FREE_WAIT_MS = 2000 };

struct kclient_address {
	int32_t id;              /* BROKER_NONE of a bootstrap server */
	const char *host;
	int port;
};

/* What is watched of deletions. */
struct kclient_host {
	int32_t id;
	mono_ms hot_until;       /* its log dirs are asked very often until then (io/kpolls) */
};
struct kclient_queue {
	const char *const *topics; /* queued ones */
	size_t n;
	mono_ms hot_until;       /* they are asked for very often until then */
	const struct kclient_host *hosts; /* brokers that host them */
	size_t n_hosts;
};

struct kclient_options {
	const struct client_config *config; /* borrowed until kclient_free */
	struct net_tls *tls;     /* borrowed likewise, used by the kafka thread alone; NULL: plain */
	const struct kclient_address *bootstrap; /* copied; may be none */
	size_t n_bootstrap;
	const char *client_id;   /* copied; NULL: what `config` says, else "kafops" */
	unsigned asks;           /* ASK_* (core/event.h) */
	bool once;
	dur_ms patience_ms;      /* for each step with a broker, connecting or an answer, where that is less than request.timeout.ms; 0: as long as that */
	bool awaits_brokers;     /* kclient_brokers will be called: EV_BROKERS_ASKED waits for that. Always so without bootstrap servers */
	bool awaits_queue;       /* with `once`: kclient_queued will be called, EV_BROKERS_ASKED waits for that */
	bool may_write;          /* io/kafka_write may be used; without it there is nothing that could write */
	bool keep_raw;           /* answers keep their bytes, for a trace */
	const struct kpolls_times *times; /* copied; NULL: kpolls_times_usual. For tests */
};

/* Begins. NULL (ERR_IO) without a thread or a descriptor. */
struct kclient *kclient_new(const struct kclient_options *opt, struct evq *q, struct err *err) __attribute__((warn_unused_result));
/* Ends the thread and its connections; nothing is pushed after that. False when the thread still waits within a login's step after
 * KCLIENT_FREE_WAIT_MS: it is left behind and ends when it can, so `config` and `tls` must stay. */
bool kclient_free(struct kclient **pp);

/* The brokers that are registered, with the listener to use: replaces the list, copies it. A broker that is not in it is let go of, one that has
 * another address is connected to anew. Of two with one id the first counts. None at all: the bootstrap servers stand. */
void kclient_brokers(struct kclient *kc, const struct kclient_address *v, size_t n);
/* Who is the controller, as ZooKeeper says; BROKER_NONE (at first): it does not, and Metadata counts. It is asked of queued topics, and
 * changes go there (io/kafka_write). */
void kclient_controller(struct kclient *kc, int32_t id);
/* What is on view: topics whose Metadata is wanted often (copied, the first KCLIENT_WANT_MAX), and ASK_* of what else is.
 * Without anybody looking nothing is asked (but for what is asked at first); everything that is due is at once when somebody looks again. */
void kclient_want(struct kclient *kc, const char *const *topics, size_t n, unsigned often, bool is_looking);
/* Whose deletions are watched (copied): Metadata of these topics is asked of the controller's own broker, KCLIENT_WANT_MAX names at a time,
 * one after the other (others' word on them means nothing: reference 2.10); log dirs of who hosts them more often. Needs ASK_METADATA, ASK_DISKS. */
void kclient_queued(struct kclient *kc, const struct kclient_queue *qu);

#endif
