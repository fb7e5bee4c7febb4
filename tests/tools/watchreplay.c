/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plays a recorded trace as fast as it goes and prints what was seen of deletions by its end, or after so many seconds of it.
 *
 *   watchreplay TRACE [SECONDS]      0: done; 2: no answer
 *
 *   deletion TOPIC open|gone|recreated|marker-gone came=yes alive=yes pass=yes lists=absent polls=12 replicas=9 gone=6 epoch=1
 *   attempt TOPIC marked|started|elected|reassigned|found id=-1 epoch=1 after=0.0 effect=yes done=6 left=3      (after: seconds since the marker)
 *   replica TOPIC PARTITION BROKER dir=/d1 size=512 gone=0.4 failed=- refilled=no                                (seconds since the marker)
 *
 * The last line is "events N, seconds N".
 */
#include <stdio.h>

#include "base/err.h"
#include "base/str.h"
#include "core/event.h"
#include "core/model.h"
#include "io/trace.h"

static const char *yes(bool is) { return is ? "yes" : "no"; }

static const char *since(char out[32], const struct witness *wi, wall_ms at)
{
	if (at.ms == 0 || !str_printf(out, 32, "%.1f", (double)(at.ms - wi->marked.ms) / 1000))
		str_printf(out, 32, "-");
	return out;
}

static void print_witness(const struct witness *wi)
{
	static const char *const ends[] = { "open", "gone", "recreated", "marker-gone" };
	static const char *const triggers[] = { "marked", "started", "elected", "reassigned", "found" };
	static const char *const knows[] = { "unknown", "absent", "known", "unreadable" };
	char a[32], b[32];

	printf("deletion %s %s came=%s alive=%s pass=%s lists=%s polls=%d replicas=%zu gone=%u epoch=%d\n", wi->topic, ends[wi->end], yes(wi->came),
	       yes(wi->was_alive), yes(wi->pass_seen.ms != 0), knows[wi->ctrl_lists], wi->ctrl_polls, wi->n_replicas, witness_gone(wi), wi->epoch_first);
	for (size_t i = 0; i < wi->n_attempts; i++) {
		const struct witness_attempt *at = &wi->attempts[i];

		printf("attempt %s %s id=%d epoch=%d after=%s effect=%s done=%u left=%u\n", wi->topic, triggers[at->trigger], at->id, at->epoch,
		       since(a, wi, at->at), yes(at->effect_seen), at->done, at->left);
	}
	for (size_t i = 0; i < wi->n_replicas; i++) {
		const struct witness_replica *wr = &wi->replicas[i];

		printf("replica %s %d %d dir=%s size=%lld gone=%s failed=%s refilled=%s\n", wi->topic, wr->partition, wr->broker,
		       wr->dir != NULL ? wr->dir : "-", (long long)wr->size_bytes, since(a, wi, wr->gone), since(b, wi, wr->dir_failed), yes(wr->refilled));
	}
}

int main(int argc, char **argv)
{
	struct trace *trace;
	struct model *md;
	struct err err;
	int64_t until = INT64_MAX / 1000;

	err_init(&err);
	trace = argc >= 2 && (argc < 3 || str_to_i64(argv[2], 0, until, &until)) ? trace_open(argv[1], &err) : NULL;
	if (trace == NULL) {
		fprintf(stderr, "watchreplay: %s\n", argc >= 2 ? err.text : "give a trace");
		return 2;
	}
	md = model_new();
	for (size_t i = 0; i < trace_count(trace) && trace_time(trace, i) <= until * 1000; i++)
		model_apply(md, trace_event(trace, i));
	for (size_t i = 0; i < model_cluster(md)->n_witnesses; i++)
		print_witness(model_cluster(md)->witnesses[i]);
	printf("events %zu, seconds %.0f\n", trace_count(trace), (double)trace_length(trace) / 1000);
	model_free(&md);
	trace_free(&trace);
	return 0;
}
