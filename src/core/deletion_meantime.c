/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What holds while a deletion waits: what people ask who find one. Reference 2.5 and 2.6 (others do not wait, nothing is tried by
 * time), 2.8 (an election is a step back), 2.11 and 2.12 (Metadata, CreateTopics, reassignments meanwhile), 3.3 (what is on disk).
 */
#include "core/deletion_parts.h"

/* Made again by an election after they had been deleted, and not deleted since. */
static uint32_t count_refilled(const struct look *lk)
{
	uint32_t n = 0;

	for (size_t i = 0; i < lk->de->n_replicas; i++)
		n += lk->wi->replicas[i].refilled && lk->de->replicas[i].phase != PHASE_DONE;
	return n;
}

static bool is_by_controller(const struct deletion *de)
{
	for (size_t i = 0; i < de->n_blockers; i++)
		if (de->blockers[i].kind == BLOCKER_CONTROLLER_ABSENT || de->blockers[i].kind == BLOCKER_CONTROLLER_SILENT)
			return true;
	return false;
}

static void say_also(struct say *sy, const char *text)
{
	if (sy->n > 0)
		say_text(sy, " ");
	say_text(sy, text);
}

/* Of what is not known to wait for an event of its own nothing can be said: a controller that is stuck looks the same. */
static void say_others(const struct look *lk, struct say *sy)
{
	const struct deletion_blocker *bl = &lk->de->blockers[0];

	if (is_by_controller(lk->de))
		say_text(sy, "Every other deletion waits for the controller, too.");
	else if (bl->kind != BLOCKER_UNKNOWN && bl->certainty >= CERTAINTY_LIKELY)
		say_text(sy, "No other deletion waits behind it; time alone moves nothing on.");
}

static void say_step_back(const struct look *lk, struct say *sy)
{
	uint32_t n = count_refilled(lk);

	if (n == 0)
		return;
	say_also(sy, "An election made ");
	say_int(sy, n);
	say_text(sy, n == 1 ? " deleted replica again, empty." :
		" deleted replicas again, empty.");
}

static void say_clients(const struct look *lk, struct say *sy)
{
	if (lk->is_sure)
		say_also(sy, "Clients are told that there is no such topic; its name is taken until it is gone.");
}

/* Reference 2.12: cancelling answers UNKNOWN_TOPIC_OR_PARTITION. */
static void say_move(const struct look *lk, struct say *sy)
{
	if (lk->is_moving && lk->is_sure)
		say_also(sy, "Its reassignment can't be cancelled any more: the replica being added goes with the others.");
}

static void say_disks(const struct look *lk, struct say *sy)
{
	const struct deletion *de = lk->de;

	if (de->n_by_phase[PHASE_WAITING] > 0)
		say_also(sy, "Replicas that wait keep their files.");
	if (de->n_by_phase[PHASE_DONE] > 0)
		say_also(sy, "Deleted ones were renamed to ...-delete: their space comes after log.segment.delete.delay.ms.");
}

void deletion_meantime(struct look *lk)
{
	struct say sy;

	say_begin(&sy);
	if (lk->de->n_blockers > 0 && (lk->de->state == DELETION_WAITING || lk->de->state == DELETION_QUEUED)) {
		say_others(lk, &sy);
		say_step_back(lk, &sy);
		say_clients(lk, &sy);
		say_move(lk, &sy);
		say_disks(lk, &sy);
	}
	lk->de->meantime = say_take(&sy, lk->ar);
}
