/* SPDX-License-Identifier: Apache-2.0 */
#include "view/dir_row.h"

#include <string.h>

#include "base/mem.h"
#include "view/broker_facts.h"
#include "view/disk_text.h"

bool dir_row_is_told(const struct dir_row *dv)
{
	return dv->dir && dv->dir->error == 0;
}

const char *dir_row_state(const struct dir_row *dv)
{
	if (!dv->dir)
		return "?";
	if (dv->dir->error == 0 && cluster_broker_alive(dv->cl, dv->br->id) == KNOW_ABSENT)
		return "down";
	return disk_dir_word(dv->dir);
}

const char *dir_row_why(const struct dir_row *dv, wall_ms now, struct arena *ar)
{
	const char *why = broker_disks_why(dv->cl, dv->br, ar);
	char when[UNITS_TEXT_MAX];

	if (why && dv->is_old)
		return arena_printf(ar, "%s; told %s", why, units_moment(when, dv->br->disks_seen, now));
	if (!why && dv->dir && dv->dir->error && !disk_dir_is_offline(dv->dir))
		return arena_printf(ar, "Kafka's error %d", dv->dir->error);
	return why;
}

const char *dir_row_host(const struct broker *br, struct arena *ar)
{
	const char *address = broker_address_text(br, ar);

	return address ? address : br->link.address[0] ? br->link.address : NULL;
}

/* ---- filter --------------------------------------------------------------------------- */

enum { WORD_OFFLINE, WORD_ONLINE, WORD_DOWN, WORD_OLD, WORD_UNKNOWN, WORD_FULL, WORD_FUTURE, WORD_ORPHANS };

const struct query_own dir_row_words[] = {
	[WORD_OFFLINE] = { "offline", "Kafka has taken the dir out of use, or it has another error" },
	[WORD_ONLINE] = { "online", "the dir is in use" },
	[WORD_DOWN] = { "down", "its broker is down" },
	[WORD_OLD] = { "old", "told before; its broker can't be asked any more" },
	[WORD_UNKNOWN] = { "unknown", "a broker that has not told its dirs" },
	[WORD_FULL] = { "full", "90 % of the volume or more are used" },
	[WORD_FUTURE] = { "future", "replicas are being copied into it" },
	[WORD_ORPHANS] = { "orphans", "it holds replicas that are assigned to nobody here" },
};
const size_t dir_row_n_words = sizeof(dir_row_words) / sizeof(dir_row_words[0]);

static enum verdict verdict_of(bool holds)
{
	return holds ? VERDICT_YES : VERDICT_NO;
}

enum verdict dir_row_holds(const void *row, size_t word)
{
	const struct dir_row *dv = row;

	switch (word) {
	case WORD_UNKNOWN:
		return verdict_of(!dv->dir);
	case WORD_OLD:
		return verdict_of(dv->is_old);
	case WORD_DOWN:
		return verdict_of(cluster_broker_alive(dv->cl, dv->br->id) == KNOW_ABSENT);
	default:
		break;
	}
	if (!dv->dir)
		return VERDICT_UNDECIDED;
	switch (word) {
	case WORD_OFFLINE:
		return verdict_of(dv->dir->error != 0);
	case WORD_ONLINE:
		return verdict_of(strcmp(dir_row_state(dv), "online") == 0);
	case WORD_FULL:
		return disk_dir_used(dv->dir) < 0 ? VERDICT_UNDECIDED : verdict_of(disk_dir_used(dv->dir) >= DIR_ROW_FULL);
	case WORD_FUTURE:
		return dir_row_is_told(dv) ? verdict_of(dv->dir->n_future > 0) : VERDICT_UNDECIDED;
	default:
		return dir_row_is_told(dv) ? verdict_of(dv->dir->n_orphans > 0) : VERDICT_UNDECIDED;
	}
}
