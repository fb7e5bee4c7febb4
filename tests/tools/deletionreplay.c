/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plays a recorded trace as fast as it goes, with time as it was, and prints what core/deletion tells of each deletion: whenever that changes, or (with
 * SECONDS) as it stands then.
 *
 *   deletionreplay TRACE [SECONDS]   0: done; 2: no answer
 *
 *   AT deletion TOPIC RULE STATE CERTAINTY done=4 running=0 waiting=2 not-begun=0 unknown=0 why=... | next=... | act=...     (AT: seconds since the trace began)
 *   AT blocker TOPIC KIND CERTAINTY broker=1 dir=- replicas=2
 *   AT replica TOPIC PARTITION BROKER RULE PHASE CERTAINTY STATE CERTAINTY [evidence, with SECONDS]
 *   AT attempt TOPIC TRIGGER: OUTCOME
 */
#include <stdio.h>

#include "base/err.h"
#include "base/str.h"
#include "core/deletion.h"
#include "core/event.h"
#include "core/model.h"
#include "io/trace.h"

struct player {
	struct model *md;
	struct deletions *ds;
	mono_ms mono;
	wall_ms wall;
	int64_t begun;
	bool is_quiet;      /* nothing is printed before the end */
};

static void print_replicas(const struct deletion *de, double at, bool is_whole)
{
	for (size_t i = 0; i < de->n_replicas; i++) {
		const struct deletion_replica *dr = &de->replicas[i];

		printf("%.1f replica %s %d %d %s %s %s %s %s%s%s\n", at, de->topic, dr->partition, dr->broker, dr->rule, deletion_phase_name((enum deletion_phase)dr->phase),
		       certainty_name((enum certainty)dr->phase_certainty), rsm_state_short((enum rsm_state)dr->state),
		       certainty_name((enum certainty)dr->certainty), is_whole ? " " : "", is_whole ? dr->evidence : "");
	}
}

static void print_deletion(const struct deletion *de, double at, bool is_whole)
{
	printf("%.1f deletion %s %s %s %s done=%u running=%u waiting=%u not-begun=%u unknown=%u why=%s | next=%s | act=%s\n", at, de->topic, de->rule,
	       deletion_state_name(de->state), certainty_name((enum certainty)de->certainty), de->n_by_phase[PHASE_DONE], de->n_by_phase[PHASE_RUNNING],
	       de->n_by_phase[PHASE_WAITING], de->n_by_phase[PHASE_NOT_BEGUN], de->n_by_phase[PHASE_UNKNOWN], de->why, de->next, de->act);
	for (size_t i = 0; i < de->n_blockers; i++)
		printf("%.1f blocker %s %s %s broker=%d dir=%s replicas=%u\n", at, de->topic, blocker_kind_name(de->blockers[i].kind),
		       certainty_name((enum certainty)de->blockers[i].certainty), de->blockers[i].broker,
		       de->blockers[i].log_dir != NULL ? de->blockers[i].log_dir : "-", de->blockers[i].n_replicas);
	print_replicas(de, at, is_whole);
	for (size_t i = 0; i < de->n_attempts; i++)
		printf("%.1f attempt %s %s: %s\n", at, de->topic, de->attempts[i].trigger, de->attempts[i].outcome != NULL ? de->attempts[i].outcome : "-");
}

static void print_all(const struct player *pl, bool is_whole)
{
	for (size_t i = 0; i < deletions_count(pl->ds); i++)
		print_deletion(deletions_at(pl->ds, i), (double)(pl->wall.ms - pl->begun) / 1000, is_whole);
}

static void look(struct player *pl)
{
	struct changes ch = model_changes(pl->md);
	bool differs = deletions_update(pl->ds, model_cluster(pl->md), &ch, pl->mono, pl->wall);

	model_changes_clear(pl->md);
	if (differs && !pl->is_quiet)
		print_all(pl, false);
}

/* Lets time go by until `mono`, looking whenever it said that time alone may change something. */
static void pass_time(struct player *pl, mono_ms mono)
{
	for (;;) {
		dur_ms wait = deletions_wait(pl->ds, pl->mono);

		if (wait < 0 || pl->mono.ms + wait >= mono.ms)
			break;
		wait = wait > 0 ? wait : 1;
		pl->mono.ms += wait;
		pl->wall.ms += wait;
		look(pl);
	}
	if (mono.ms > pl->mono.ms) {
		pl->wall.ms += mono.ms - pl->mono.ms;
		pl->mono = mono;
	}
}

static void play(struct player *pl, struct trace *trace, int64_t until)
{
	for (size_t i = 0; i < trace_count(trace) && trace_time(trace, i) <= until; i++) {
		struct event *ev = trace_event(trace, i);

		if (i == 0) {
			pl->mono = ev->seen;
			pl->wall = ev->seen_wall;
			pl->begun = ev->seen_wall.ms - trace_time(trace, i);
		}
		pass_time(pl, ev->seen);
		model_apply(pl->md, ev);
		look(pl);
	}
	if (until < INT64_MAX / 1000)
		pass_time(pl, (mono_ms){ pl->mono.ms + until - (pl->wall.ms - pl->begun) });
}

int main(int argc, char **argv)
{
	struct player pl = { .is_quiet = argc >= 3 };
	struct trace *trace;
	struct err err;
	int64_t until = INT64_MAX / 1000000;

	err_init(&err);
	trace = argc >= 2 && (argc < 3 || str_to_i64(argv[2], 0, until, &until)) ? trace_open(argv[1], &err) : NULL;
	if (trace == NULL) {
		fprintf(stderr, "deletionreplay: %s\n", argc >= 2 ? err.text : "give a trace");
		return 2;
	}
	pl.md = model_new();
	pl.ds = deletions_new();
	play(&pl, trace, argc >= 3 ? until * 1000 : INT64_MAX / 1000);
	if (pl.is_quiet) {
		look(&pl);
		print_all(&pl, true);
	}
	deletions_free(&pl.ds);
	model_free(&pl.md);
	trace_free(&trace);
	return 0;
}
