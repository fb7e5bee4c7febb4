/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One connection to one broker, from the name to answers: io/net below it, the
 * frames and correlation ids of wire/header in it.
 *
 * When it is open it asks for the broker's versions (ApiVersions v3, v0 where the broker
 * does not know that), logs in if there is a login, then it is ready. When the broker says how long a session lasts
 * (KIP-368) it logs in again before, on the same connection; what is sent meanwhile waits. Requests go out in the order of kconn_send, as many
 * at a time as one likes; a broker answers in the same order.
 *   if (kconn_choose(kc, api, &version, err)) { wr = kconn_begin(kc, api, version); the codec's encode;
 *           kconn_send(kc, now, timeout_ms, answer, ctx, err); }
 * What a login has to wait for, a KDC or a command that gives a token, is waited for in a thread (io/sasl_first).
 * The caller polls as with io/net: kconn_poll, kconn_deadline, kconn_on_ready.
 *
 * Whatever goes wrong ends the connection, a request without an answer in time, too: what comes behind it
 * on this connection waits for the same answer (NetworkClient.handleTimedOutRequests). All that were asked are then told, once. Errors
 * stay and say "broker 3: b1:9092: what". A time-out names its limit: for all that comes before it is ready that is `ready_timeout_ms`,
 * whatever was left of it for the step that hung. When to try again is the caller's to decide.
 * Thread: one at a time for a kconn.
 */
#ifndef IO_KCONN_H
#define IO_KCONN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "wire/api.h"
#include "wire/buf.h"

struct client_login;
struct err;
struct kconn;
struct net_tls;
struct pollfd;

/* Of an answer. Metadata of 30,000 topics with 210,000 partitions of three replicas has 9.8 MB, decoded 19 MB; at worst an answer is fourteen
 * times its size then. */
enum { KCONN_FRAME_MAX_BYTES = 32 * 1024 * 1024 };

struct kconn_where {
	int32_t broker;            /* BROKER_NONE: a bootstrap server */
	const char *host;          /* copied, like client_id */
	int port;
	struct net_tls *tls;       /* borrowed; NULL: plain */
	const struct client_login *login; /* borrowed; NULL: none */
	const char *client_id;     /* NULL: "kafops" */
	dur_ms ready_timeout_ms;   /* for all that comes before it is ready */
	bool may_write;            /* else an API that changes a cluster can't be begun: that would be a bug */
	bool was_answered;         /* the cluster's brokers have answered requests with the same settings: they are what they should be */
	size_t frame_max_bytes;    /* of an answer; 0: KCONN_FRAME_MAX_BYTES, which is the most */
};

enum kconn_state { KCONN_OPENING, KCONN_READY, KCONN_FAILED };

/* What came of a request, once for each. Either `err` is set or the rest of it, which is borrowed for the time of the call. */
struct kconn_answer {
	enum wire_api api;
	int16_t version;
	struct wire_reader *rd; /* stands on the body, for the codec's decode */
	const void *frame;      /* all of it, with its header */
	size_t n;
	const struct err *err;
};
/* May send and choose, must not free the kconn. */
typedef void kconn_on_answer(void *ctx, const struct kconn_answer *an);

struct kconn *kconn_new(const struct kconn_where *where, mono_ms now);
void kconn_free(struct kconn **pp); /* who waits for an answer is not told */

enum kconn_state kconn_state(const struct kconn *kc);
const char *kconn_name(const struct kconn *kc); /* "broker 3", "bootstrap server" */
size_t kconn_poll(const struct kconn *kc, struct pollfd *fds); /* fds[NET_FDS_MAX], as net_poll */
mono_ms kconn_deadline(const struct kconn *kc);
/* Reads, calls back, writes. False after a failure. */
bool kconn_on_ready(struct kconn *kc, mono_ms now, struct err *err) __attribute__((warn_unused_result));

/* When ready. The highest version that both speak (wire_api_choose). */
bool kconn_choose(const struct kconn *kc, enum wire_api api, int16_t *version, struct err *err) __attribute__((warn_unused_result));
/* When ready. A request, begun; the writer is the kconn's. */
struct wire_writer *kconn_begin(struct kconn *kc, enum wire_api api, int16_t version);
/* Sends what was begun, at the next kconn_on_ready; false when it can't be encoded or the kconn has failed, and then `answer`
 * is not called. An answer is due within `timeout_ms`. */
bool kconn_send(struct kconn *kc, mono_ms now, dur_ms timeout_ms, kconn_on_answer *answer, void *ctx, struct err *err)
	__attribute__((warn_unused_result));
bool kconn_is_hearing(const struct kconn *kc); /* an answer has come in part */
size_t kconn_waiting(const struct kconn *kc); /* requests without an answer so far */

#endif
