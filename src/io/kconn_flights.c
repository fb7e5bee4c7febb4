/* SPDX-License-Identifier: Apache-2.0 */
/* Frames out, frames in, and which answer belongs to whom. */
#include "io/kconn_parts.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "io/net.h"

enum { IN_FIRST_BYTES = 16 * 1024, IN_KEPT_BYTES = 1024 * 1024 };

/* ---- lists ---------------------------------------------------------------------------- */

void flights_init(struct flights *fs)
{
	*fs = (struct flights){ .end = &fs->first };
}

void flights_put(struct flights *fs, struct flight *fl)
{
	assert(fl != NULL);
	fl->next = NULL;
	*fs->end = fl;
	fs->end = &fl->next;
	fs->n++;
}

struct flight *flights_take(struct flights *fs)
{
	struct flight *fl = fs->first;

	if (!fl)
		return NULL;
	fs->first = fl->next;
	if (!fs->first)
		fs->end = &fs->first;
	fs->n--;
	fl->next = NULL;
	return fl;
}

static void drop_frame(struct flight *fl)
{
	/* It may hold a password. */
	if (fl->frame)
		explicit_bzero(fl->frame, fl->n);
	mem_free(&fl->frame);
}

void flight_free(struct flight **pp)
{
	drop_frame(*pp);
	mem_free(pp);
}

static const struct flight *earlier(const struct flights *fs, const struct flight *best)
{
	for (const struct flight *fl = fs->first; fl; fl = fl->next)
		if (!best || fl->until.ms < best->until.ms)
			best = fl;
	return best;
}

const struct flight *kconn_first_due(const struct kconn *kc)
{
	return earlier(&kc->queue, earlier(&kc->own, earlier(&kc->flying, NULL)));
}

/* ---- out ---------------------------------------------------------------------------------- */

/* Of what was begun in kc->wr; NULL when it can't be encoded. */
static struct flight *flight_new(struct kconn *kc, struct err *err)
{
	struct flight *fl;

	if (!wire_request_end(&kc->wr, err))
		return NULL;
	fl = mem_zalloc(sizeof(*fl));
	fl->api = kc->wr_api;
	fl->version = kc->wr_version;
	fl->id = kc->wr_id;
	fl->n = kc->wr.n;
	fl->frame = mem_dup(kc->wr.data, kc->wr.n);
	wire_writer_clear(&kc->wr);
	return fl;
}

bool kconn_put(struct kconn *kc, dur_ms timeout_ms, kconn_on_answer *answer, void *ctx, struct err *err)
{
	struct flight *fl = flight_new(kc, err);

	if (!fl)
		return false;
	fl->limit_ms = timeout_ms;
	fl->until = (mono_ms){ kc->now.ms + timeout_ms };
	fl->answer = answer;
	fl->ctx = ctx;
	flights_put(&kc->queue, fl);
	return true;
}

bool kconn_put_own(struct kconn *kc)
{
	struct flight *fl = flight_new(kc, &kc->err);

	if (!fl)
		return false;
	fl->limit_ms = kc->ready_timeout_ms;
	fl->until = kc->until;
	flights_put(&kc->own, fl);
	return true;
}

/* What may go out now: ours first, theirs only when it is ready. */
static struct flights *next_to_write(const struct kconn *kc)
{
	if (kc->own.n > 0)
		return (struct flights *)(uintptr_t)&kc->own;
	return kc->phase == KCONN_UP && kc->queue.n > 0 ? (struct flights *)(uintptr_t)&kc->queue : NULL;
}

bool kconn_has_to_write(const struct kconn *kc)
{
	return kc->writing || next_to_write(kc);
}

static bool write_some(struct kconn *kc, bool *is_blocked)
{
	struct flight *fl = kc->writing;
	size_t n;

	if (!net_write(kc->net, fl->frame + fl->at, fl->n - fl->at, &n, &kc->err))
		return false;
	*is_blocked = n == 0;
	fl->at += n;
	if (fl->at == fl->n) {
		drop_frame(fl);
		kc->writing = NULL;
	}
	return true;
}

bool kconn_write(struct kconn *kc)
{
	bool is_blocked = false;
	struct flights *from;

	while (!is_blocked) {
		from = next_to_write(kc);
		if (!kc->writing && !from)
			return true;
		if (!kc->writing) {
			kc->writing = flights_take(from);
			flights_put(&kc->flying, kc->writing);
		}
		if (!write_some(kc, &is_blocked))
			return net_is_closed(kc->net) ? kconn_closed(kc) : false;
	}
	return true;
}

/* ---- in ----------------------------------------------------------------------------------- */

static int32_t id_of(const struct kconn *kc)
{
	struct wire_reader rd;

	wire_reader_init(&rd, kc->in + WIRE_PREFIX_BYTES, kc->frame_bytes, false);
	return wire_get_i32(&rd, "correlation id");
}

static void hand_over(struct kconn *kc, const struct flight *fl, struct wire_reader *rd)
{
	struct kconn_answer an = { fl->api, fl->version, rd, kc->in + WIRE_PREFIX_BYTES, kc->frame_bytes, NULL };

	kc->was_answered = true;
	fl->answer(fl->ctx, &an);
}

static bool on_frame(struct kconn *kc)
{
	struct flight *fl = kc->flying.first;
	struct wire_reader rd;
	bool is_ok = true;

	if (!fl || fl == kc->writing)
		return err_set(&kc->err, ERR_FORMAT, "an answer that nobody asked for, with the correlation id %d", (int)id_of(kc));
	if (!wire_response_begin(&rd, kc->in + WIRE_PREFIX_BYTES, kc->frame_bytes, fl->api, fl->version, fl->id, &kc->err))
		return false;
	flights_take(&kc->flying);
	if (fl->answer)
		hand_over(kc, fl, &rd);
	else
		is_ok = kconn_on_own(kc, fl, &rd);
	flight_free(&fl);
	return is_ok;
}

static bool on_prefix(struct kconn *kc)
{
	const char *who = net_who_speaks(kc->in, kc->n_in);

	if (who)
		return err_set(&kc->err, ERR_FORMAT, "%s", who);
	if (!wire_frame_size(kc->in, &kc->frame_bytes, &kc->err))
		return false;
	return kc->frame_bytes <= kc->frame_max_bytes ||
	       err_set(&kc->err, ERR_LIMIT, "an answer of %zu bytes, over the bound of %zu: a cluster larger than kafops takes in at once, or not the Kafka protocol",
		       kc->frame_bytes, kc->frame_max_bytes);
}

/* Room for more of it: grows with what comes, not with what is announced. */
static size_t make_room(struct kconn *kc)
{
	size_t want = WIRE_PREFIX_BYTES + kc->frame_bytes, cap = kc->cap_in;

	if (kc->n_in == cap && cap < want) {
		cap = cap == 0 ? IN_FIRST_BYTES : cap * 2;
		kc->in = mem_realloc_array(kc->in, cap, 1);
		kc->cap_in = cap;
	}
	return (want < cap ? want : cap) - kc->n_in;
}

static void end_frame(struct kconn *kc)
{
	kc->n_in = kc->frame_bytes = 0;
	if (kc->cap_in > IN_KEPT_BYTES) {
		mem_free(&kc->in);
		kc->cap_in = 0;
	}
}

/* kc->n_in bytes are there. */
static bool on_bytes(struct kconn *kc)
{
	bool is_ok = true;

	if (kc->frame_bytes == 0 && kc->n_in == WIRE_PREFIX_BYTES)
		is_ok = on_prefix(kc);
	if (is_ok && kc->frame_bytes > 0 && kc->n_in == WIRE_PREFIX_BYTES + kc->frame_bytes) {
		is_ok = on_frame(kc);
		end_frame(kc);
	}
	return is_ok;
}

bool kconn_read(struct kconn *kc)
{
	size_t n, room;

	for (;;) {
		room = make_room(kc);
		if (!net_read(kc->net, kc->in + kc->n_in, room, &n, &kc->err))
			return net_is_closed(kc->net) ? kconn_closed(kc) : false;
		if (n == 0)
			return true;
		kc->n_in += n;
		if (!on_bytes(kc))
			return false;
	}
}
