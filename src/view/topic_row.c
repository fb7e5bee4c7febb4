/* SPDX-License-Identifier: Apache-2.0 */
#include "view/topic_row.h"

#include "base/mem.h"
#include "core/cluster.h"
#include "core/health.h"
#include "view/topic_facts.h"

const struct column topic_row_columns[TOPIC_COLS] = {
	[TOPIC_COL_TOPIC] = { "TOPIC", "topic", .min = TOPIC_NAME_MIN, .max = TOPIC_NAME_MIN, .grows = true },
	[TOPIC_COL_PARTS] = { "PARTS", "partitions", .right = true, .min = 5, .max = 5, .need = 3, .big_first = true },
	[TOPIC_COL_RF] = { "RF", "replication_factor", .right = true, .min = 3, .max = 3, .need = 4 },
	[TOPIC_COL_STATE] = { "STATE", "state", .min = 10, .max = 10 },
	[TOPIC_COL_FOR] = { "FOR", "state_for", .right = true, .min = 5, .max = 5, .need = 2, .big_first = true },
	[TOPIC_COL_URP] = { "URP", "under_replicated", .right = true, .min = 4, .max = 4, .big_first = true },
	[TOPIC_COL_OFFL] = { "OFFL", "offline", .right = true, .min = 4, .max = 4, .need = 1, .big_first = true },
	[TOPIC_COL_SIZE] = { "SIZE", "bytes", .right = true, .min = 8, .max = 8, .need = 5, .big_first = true },
	[TOPIC_COL_AGE] = { "AGE", "age", .right = true, .min = 4, .max = 4, .need = 6, .big_first = true },
	[TOPIC_COL_ISR] = { "WORST ISR", "worst_isr", .right = true, .min = 9, .max = 9, .need = 7 },
	[TOPIC_COL_LEADERS] = { "LEADERS", "leaders", .right = true, .min = 11, .max = 11, .need = 8 },
	[TOPIC_COL_OVERRIDES] = { "OVERR", "overrides", .right = true, .min = 5, .max = 5, .need = 9, .big_first = true },
	[TOPIC_COL_ID] = { "TOPIC ID", "topic_id", .min = 22, .max = 22, .need = 10 },
	[TOPIC_COL_CHANGED] = { "CHANGED", "changed", .right = true, .min = 7, .max = 7, .need = 11 },
};

/* ---- sort keys --------------------------------------------------------------- */

/* The first bytes of a text as a number that sorts like them. */
static int64_t key_of_text(const char *s)
{
	uint64_t key = 0;

	for (size_t i = 0; i < sizeof(key); i++) {
		key = key << 8 | (unsigned char)*s;
		s += *s != '\0';
	}
	return (int64_t)(key >> 1);
}

static int64_t key_of_count(const struct topic *tp, unsigned flag)
{
	uint32_t n = topic_count(&tp->counts, flag);

	return n > 0 || topic_count_is_whole(tp, flag) ? (int64_t)n : TOPIC_ROW_UNKNOWN;
}

/* Worst first; unknown as ok, so that rows stay while details come in. */
static int64_t key_of_state(const struct topic *tp)
{
	enum topic_state st = health_topic(tp);

	return st == TOPIC_UNKNOWN ? TOPIC_OK : st;
}

static int64_t key_of_isr(const struct topic *tp)
{
	const struct partition *pt = topic_worst(tp);

	return pt ? (int64_t)pt->n_isr * (REPLICAS_MAX + 1) - partition_rf(pt) : TOPIC_ROW_UNKNOWN;
}

/* The older, the larger. */
static int64_t key_of_age(wall_ms at)
{
	return at.ms ? -at.ms : TOPIC_ROW_UNKNOWN;
}

int64_t topic_row_key(const struct topic *tp, int col, size_t index)
{
	switch (col) {
	case TOPIC_COL_TOPIC:
		return (int64_t)index;
	case TOPIC_COL_PARTS:
		return topic_is_read(tp) ? (int64_t)tp->n_parts : TOPIC_ROW_UNKNOWN;
	case TOPIC_COL_RF:
		return topic_is_read(tp) && tp->rf >= 0 ? tp->rf : TOPIC_ROW_UNKNOWN;
	case TOPIC_COL_URP:
		return key_of_count(tp, PT_UNDER);
	case TOPIC_COL_OFFL:
		return key_of_count(tp, PT_OFFLINE);
	case TOPIC_COL_FOR:
		return key_of_age(topic_state_since(tp).at);
	case TOPIC_COL_SIZE:
		return tp->n_sized > 0 ? tp->size_bytes : TOPIC_ROW_UNKNOWN;
	case TOPIC_COL_AGE:
		return key_of_age(tp->created);
	case TOPIC_COL_ISR:
		return key_of_isr(tp);
	case TOPIC_COL_LEADERS:
		return topic_count(&tp->counts, PT_KNOWN) > 0 ? (int64_t)topic_leaders(tp) : TOPIC_ROW_UNKNOWN;
	case TOPIC_COL_OVERRIDES:
		return tp->config_fact.know == KNOW_PRESENT ? (int64_t)tp->config.n :
		       tp->config_fact.know == KNOW_ABSENT ? 0 : TOPIC_ROW_UNKNOWN;
	case TOPIC_COL_ID:
		return tp->topic_id ? key_of_text(tp->topic_id) : TOPIC_ROW_UNKNOWN;
	case TOPIC_COL_CHANGED:
		return key_of_age(tp->last_change);
	default:
		return key_of_state(tp);
	}
}

/* ---- cells ------------------------------------------------------------------- */

static enum cell_style state_style(enum topic_state st)
{
	switch (st) {
	case TOPIC_OFFLINE:
	case TOPIC_UNDER_MIN:
	case TOPIC_UNDER:
	case TOPIC_UNREADABLE:
		return CELL_WRONG;
	case TOPIC_DELETING:
	case TOPIC_MOVING:
		return CELL_BUSY;
	case TOPIC_UNKNOWN:
		return CELL_DIM;
	case TOPIC_OK:
		break;
	}
	return CELL_NORMAL;
}

static void fill_age(struct row *ro, size_t col, wall_ms at, wall_ms now, struct arena *ar)
{
	char text[UNITS_TEXT_MAX];

	if (at.ms == 0)
		row_unknown(ro, col);
	else
		row_put(ro, col, arena_strdup(ar, units_age(text, now.ms - at.ms)), CELL_NORMAL);
}

static void fill_rf(struct row *ro, const struct topic *tp, struct arena *ar)
{
	int32_t low, high;

	if (!topic_is_read(tp) || tp->rf < 0) {
		row_unknown(ro, TOPIC_COL_RF);
		return;
	}
	topic_rf_range(tp, &low, &high);
	if (low == high)
		row_put(ro, TOPIC_COL_RF, arena_printf(ar, "%d", low), CELL_NORMAL);
	else
		row_put(ro, TOPIC_COL_RF, arena_printf(ar, "%d-%d", low, high), CELL_NORMAL);
}

static void fill_count(struct row *ro, size_t col, const struct topic *tp, unsigned flag, struct arena *ar)
{
	row_count_so_far(ro, col, topic_count(&tp->counts, flag), topic_count_is_whole(tp, flag), CELL_WRONG, ar);
}

static void fill_wide(struct row *ro, const struct topic *tp, wall_ms now, struct arena *ar)
{
	const struct partition *worst = topic_worst(tp);

	if (worst) {
		size_t leaders = topic_leaders(tp);
		/* What is not read yet may be worse, and led by others. */
		const char *open = topic_is_whole(tp) ? "" : "?";

		row_put(ro, TOPIC_COL_ISR, arena_printf(ar, "%d/%d%s", worst->n_isr, partition_rf(worst), open),
			worst->n_isr < partition_rf(worst) ? CELL_WRONG : CELL_NORMAL);
		row_put(ro, TOPIC_COL_LEADERS, arena_printf(ar, "%zu%s broker%s", leaders, open, leaders == 1 ? "" : "s"), CELL_NORMAL);
	} else {
		row_unknown(ro, TOPIC_COL_ISR);
		row_unknown(ro, TOPIC_COL_LEADERS);
	}
	if (tp->config_fact.know == KNOW_PRESENT || tp->config_fact.know == KNOW_ABSENT)
		row_count(ro, TOPIC_COL_OVERRIDES, (int64_t)tp->config.n, CELL_NORMAL, ar);
	else
		row_unknown(ro, TOPIC_COL_OVERRIDES);
	if (tp->topic_id)
		row_put(ro, TOPIC_COL_ID, tp->topic_id, CELL_NORMAL);
	else if (topic_is_read(tp))
		row_absent(ro, TOPIC_COL_ID);
	else
		row_unknown(ro, TOPIC_COL_ID);
	fill_age(ro, TOPIC_COL_CHANGED, tp->last_change, now, ar);
}

/* How long the state word has been so; "≥" before what is only a bound. Seconds would make a sick list flicker. */
static void fill_for(struct row *ro, const struct topic *tp, enum topic_state st, wall_ms now, struct arena *ar)
{
	char text[UNITS_TEXT_MAX];
	enum { MINUTE_MS = 60000 };
	struct since since;

	if (st == TOPIC_OK) {
		row_absent(ro, TOPIC_COL_FOR);
		return;
	}
	since = topic_state_since(tp);
	if (since.at.ms == 0)
		row_unknown(ro, TOPIC_COL_FOR);
	else if (now.ms - since.at.ms < MINUTE_MS)
		row_put(ro, TOPIC_COL_FOR, since.exact ? "<1m" : "?", since.exact ? state_style(st) : CELL_DIM);
	else
		row_put(ro, TOPIC_COL_FOR, arena_printf(ar, "%s%s", since.exact ? "" : "\xe2\x89\xa5", units_age(text, now.ms - since.at.ms)),
			state_style(st));
}

void topic_row_fill(struct row *ro, const struct cluster *cl, const struct topic *tp, wall_ms now, struct arena *ar)
{
	enum topic_state st = health_topic(tp);

	if (topic_is_read(tp))
		row_count(ro, TOPIC_COL_PARTS, (int64_t)tp->n_parts, CELL_NORMAL, ar);
	else
		row_unknown(ro, TOPIC_COL_PARTS);
	fill_rf(ro, tp, ar);
	row_put(ro, TOPIC_COL_STATE, health_topic_word(st), state_style(st));
	fill_for(ro, tp, st, now, ar);
	fill_count(ro, TOPIC_COL_URP, tp, PT_UNDER, ar);
	fill_count(ro, TOPIC_COL_OFFL, tp, PT_OFFLINE, ar);
	row_bytes_so_far(ro, TOPIC_COL_SIZE, tp->size_bytes, cluster_size_is_whole(cl, tp), CELL_NORMAL, ar);
	fill_age(ro, TOPIC_COL_AGE, tp->created, now, ar);
	fill_wide(ro, tp, now, ar);
	if (topic_is_old(cl, tp))
		row_set_old(ro);
	else if (topic_is_said(tp))
		ro->style = CELL_DIM;
}
