/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of io/kconn share. Nobody else includes this. */
#ifndef IO_KCONN_PARTS_H
#define IO_KCONN_PARTS_H

#include "base/err.h"
#include "io/kconn.h"
#include "wire/header.h"

struct arena;
struct client_login;
struct net;
struct sasl_first;
struct sasl_login;

/* A request, from kconn_send to its answer. */
struct flight {
	struct flight *next;
	enum wire_api api;
	int16_t version;
	int32_t id;            /* correlation id */
	mono_ms until;
	dur_ms limit_ms;       /* what of one of ours is told: all of the opening has it together, so it does not depend on the rest */
	kconn_on_answer *answer; /* NULL: our own, of the opening */
	void *ctx;
	uint8_t *frame;        /* NULL when it is written whole */
	size_t n, at;          /* size, and what of it is written */
};

struct flights {
	struct flight *first, **end;
	size_t n;
};

enum kconn_phase { KCONN_TO_CONNECT, KCONN_TO_HEAR_VERSIONS, KCONN_TO_SHAKE_HANDS, KCONN_TO_LOG_IN, KCONN_UP };

struct kconn {
	enum kconn_state state;
	enum kconn_phase phase;
	struct err err;
	char name[32];
	char *client_id;
	struct net *net;
	bool has_tls;
	bool may_write;
	size_t frame_max_bytes;
	mono_ms now;              /* of the turn */
	mono_ms until;            /* to be ready */
	dur_ms ready_timeout_ms;
	struct wire_versions *versions; /* from `memory`; NULL before */
	struct arena *memory;
	struct wire_writer wr;    /* the request that is being made */
	enum wire_api wr_api;
	int16_t wr_version;
	int32_t wr_id, last_id;
	struct flights own, queue, flying; /* ours and theirs, not begun; begun, in the order of the wire */
	struct flight *writing;   /* the last of `flying`, when it is not written whole */
	uint8_t *in;              /* a frame with its prefix, as far as it came */
	size_t n_in, cap_in, frame_bytes; /* frame_bytes: without prefix, 0 when not known yet */
	const struct client_login *login; /* borrowed; NULL: none */
	char *host;
	struct sasl_first *first; /* while our first token is awaited */
	struct sasl_login *sasl;  /* from then on, while logging in */
	bool is_login_done;       /* we are content, the broker isn't yet */
	mono_ms again_at;         /* to log in again; {0}: never */
	bool was_answered;        /* any request of the caller's, here or over another connection */
};

/* ---- kconn_flights ---- */
void flights_init(struct flights *fs);
void flights_put(struct flights *fs, struct flight *fl);
struct flight *flights_take(struct flights *fs); /* NULL when there is none */
void flight_free(struct flight **pp);
/* The one whose time is up first, NULL when there is none. */
const struct flight *kconn_first_due(const struct kconn *kc);
/* Of what was begun in kc->wr. */
bool kconn_put(struct kconn *kc, dur_ms timeout_ms, kconn_on_answer *answer, void *ctx, struct err *err) __attribute__((warn_unused_result));
/* One of ours, due by kc->until. */
bool kconn_put_own(struct kconn *kc) __attribute__((warn_unused_result));
/* As far as possible without waiting. False with kc->err set, without name. */
bool kconn_write(struct kconn *kc) __attribute__((warn_unused_result));
bool kconn_has_to_write(const struct kconn *kc);
bool kconn_read(struct kconn *kc) __attribute__((warn_unused_result));

/* ---- kconn_login ---- */
/* The first time, or again: asks for the handshake. kc->until bounds all of it. */
bool kconn_login_begin(struct kconn *kc) __attribute__((warn_unused_result));
bool kconn_login_on_handshake(struct kconn *kc, int16_t version, struct wire_reader *rd) __attribute__((warn_unused_result));
/* Goes on when our first token is there; false, too, when it is overdue. */
bool kconn_login_on_first(struct kconn *kc) __attribute__((warn_unused_result));
bool kconn_login_on_token(struct kconn *kc, int16_t version, struct wire_reader *rd) __attribute__((warn_unused_result));

/* ---- kconn ---- */
/* All that comes before is done. */
void kconn_up(struct kconn *kc);
struct wire_writer *kconn_begin_own(struct kconn *kc, enum wire_api api, int16_t version);
/* An answer to one of our own requests. False with kc->err set, without name. */
bool kconn_on_own(struct kconn *kc, const struct flight *fl, struct wire_reader *rd) __attribute__((warn_unused_result));
/* Why it was closed, as far as one can guess. */
bool kconn_closed(struct kconn *kc);

#endif
