/* SPDX-License-Identifier: Apache-2.0 */
#include "view/deletion_text.h"

#include "base/mem.h"
#include "base/str.h"

void deletion_put_counts(struct strbuf *sb, const char *lead, const size_t by_state[DELETION_STATES])
{
	static const struct { enum deletion_state st; const char *one, *many; } words[] = {
		{ DELETION_WAITING, "waits", "wait" }, { DELETION_QUEUED, "not begun", "not begun" },
		{ DELETION_RUNNING, "runs", "run" }, { DELETION_FINISHING, "finishes", "finish" },
	};
	char count[UNITS_TEXT_MAX];

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t n = by_state[words[i].st];

		if (n == 0)
			continue;
		strbuf_printf(sb, "%s%s %s", lead, units_count(count, (int64_t)n), n == 1 ? words[i].one : words[i].many);
		lead = ", ";
	}
}

const char *deletion_state_short(const struct deletion *dl)
{
	switch (dl->state) {
	case DELETION_RESURRECTED: return "came back";
	case DELETION_MARKER_REMOVED: return "unmarked";
	default: return deletion_state_name(dl->state);
	}
}

enum cell_style deletion_state_style(const struct deletion *dl)
{
	switch (dl->state) {
	case DELETION_WAITING:
	case DELETION_RESURRECTED:
	case DELETION_REFUSED:
	case DELETION_MARKER_REMOVED:
		return CELL_WRONG;
	case DELETION_DONE:
	case DELETION_RECREATED:
		return CELL_DIM;
	default:
		return CELL_BUSY;
	}
}

static const char *end_text(const struct deletion *dl, wall_ms now, struct arena *ar)
{
	char when[UNITS_TEXT_MAX], left[UNITS_TEXT_MAX];
	const char *at = dl->ended_at.ms ? arena_printf(ar, "at %s", units_moment(when, dl->ended_at, now)) : "";

	if (dl->is_unmarked)
		return arena_printf(ar, "%s%stoo quick to follow", at, *at ? ": " : "");
	if (dl->state == DELETION_DONE && dl->czxid == 0)
		return arena_printf(ar, "%s%sno such topic", at, *at ? ": " : "");
	if (dl->state == DELETION_REFUSED)
		return arena_printf(ar, "%s%sdeletion disabled%s", at, *at ? ": " : "", dl->certainty == CERTAINTY_CERTAIN ? "" : ", probably");
	if (dl->orphans > 0)
		return arena_printf(ar, "%s; %d orphan%s left", at, dl->orphans, dl->orphans == 1 ? "" : "s");
	if (dl->space_free_at.ms > now.ms)
		return arena_printf(ar, "%s; space free in %s", at, units_dur(left, dl->space_free_at.ms - now.ms));
	if (dl->space_free_at.ms)
		return arena_printf(ar, "%s; space freed", at);
	return at;
}

const char *deletion_end_word(enum deletion_state st)
{
	switch (st) {
	case DELETION_DONE: return "gone";
	case DELETION_RECREATED: return "gone, and made again,";
	case DELETION_RESURRECTED: return "alive again, emptied,";
	case DELETION_REFUSED: return "refused";
	default: return "unmarked";
	}
}

const char *deletion_why_text(const struct deletion *dl, wall_ms now, struct arena *ar)
{
	if (deletion_state_is_end(dl->state))
		return end_text(dl, now, ar);
	return dl->why ? dl->why : "";
}

const char *deletion_replica_text(const struct deletion_replica *re, struct arena *ar)
{
	const char *doubt = re->phase_certainty == CERTAINTY_CERTAIN ? "" : "?";
	bool has_state = re->state != RSM_UNKNOWN && re->certainty >= CERTAINTY_LIKELY;
	const char *state = has_state ? rsm_state_short((enum rsm_state)re->state) : NULL;

	switch ((enum deletion_phase)re->phase) {
	case PHASE_DONE: return arena_printf(ar, "%s%s", state ? state : "done", doubt);
	case PHASE_WAITING: return arena_printf(ar, "%s%swaits%s", state ? state : "", state ? ", " : "", doubt);
	case PHASE_RUNNING: return arena_printf(ar, "%s%s", state ? state : "running", doubt);
	case PHASE_NOT_BEGUN: return arena_printf(ar, "not begun%s", doubt);
	default: return "?";
	}
}

enum cell_style deletion_replica_style(const struct deletion_replica *re)
{
	switch ((enum deletion_phase)re->phase) {
	case PHASE_WAITING: return CELL_WRONG;
	case PHASE_RUNNING: return CELL_BUSY;
	case PHASE_DONE: return CELL_NORMAL;
	default: return CELL_DIM;
	}
}

const char *deletion_certainty_text(uint8_t certainty)
{
	return certainty == CERTAINTY_NONE ? "not known" : certainty_name((enum certainty)certainty);
}
