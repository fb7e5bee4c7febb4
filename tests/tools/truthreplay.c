/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plays a recorded trace as fast as it goes, looks for disagreements after each event and at each moment at which one may
 * ripen between two, and prints the list whenever it differs, as truthprint does: no moment is missed.
 *
 *   truthreplay TRACE      0: there was none; 1: there was one; 2: no answer
 *
 * The last line is "events N, seconds N, lists N". The trace's clock is the only one.
 */
#include <stdio.h>

#include "base/err.h"
#include "core/event.h"
#include "core/model.h"
#include "core/truths.h"
#include "io/trace.h"

static struct model *md;
static struct truths *tr;
static wall_ms started;
static size_t n_lists, n_told;

static void print_list(dur_ms at)
{
	printf("at %.1f\n", (double)at / 1000);
	for (size_t i = 0; i < truths_count(tr); i++) {
		const struct truth *tt = truths_at(tr, i);

		printf("%s %s: %s | %s\n", tt->is_poison ? "POISON" : "-", truth_kind_name(tt->kind), tt->subject, tt->what);
	}
	printf("end\n");
	n_lists++;
	n_told += truths_count(tr);
}

/* One look at that moment. */
static void look(dur_ms at)
{
	struct changes ch = model_changes(md);

	if (truths_update(tr, model_cluster(md), &ch, (mono_ms){ 1 + at }, (wall_ms){ started.ms + at }))
		print_list(at);
	model_changes_clear(md);
}

/* What ripens between `at` and `next`. */
static void wait_until(dur_ms at, dur_ms next)
{
	for (;;) {
		dur_ms wait = truths_wait(tr, (mono_ms){ 1 + at });

		if (wait < 0 || at + wait >= next)
			return;
		at += wait;
		look(at);
		if (wait == 0)
			return;
	}
}

int main(int argc, char **argv)
{
	struct trace *trace;
	struct err err;
	dur_ms at = 0;

	err_init(&err);
	trace = argc == 2 ? trace_open(argv[1], &err) : NULL;
	if (trace == NULL) {
		fprintf(stderr, "truthreplay: %s\n", argc == 2 ? err.text : "give a trace");
		return 2;
	}
	started = trace_started_at(trace);
	md = model_new();
	tr = truths_new();
	for (size_t i = 0; i < trace_count(trace); i++) {
		wait_until(at, trace_time(trace, i));
		at = trace_time(trace, i);
		model_apply(md, trace_event(trace, i));
		look(at);
	}
	printf("events %zu, seconds %.0f, lists %zu\n", trace_count(trace), (double)trace_length(trace) / 1000, n_lists);
	if (!model_cluster(md)->loaded_once)
		fprintf(stderr, "truthreplay: %s: nothing was read\n", argv[1]);
	at = model_cluster(md)->loaded_once ? n_told > 0 : 2;
	trace_free(&trace);
	truths_free(&tr);
	model_free(&md);
	return (int)at;
}
