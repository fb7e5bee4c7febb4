/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Throttles that no move needs (core/throttle decides). Kafka's tools set them before the moves begin, on every
 * broker of a plan at once, and keep them until somebody asks for --verify: so they are told only where nothing has moved
 * by them for minutes.
 */
#include "core/throttle.h"
#include "core/truths_parts.h"

static const char dir_next[] = "It limits the next move between the broker's log dirs.";

static void see_left(const struct look *lo, const struct throttle *to)
{
	struct sighting si = SIGHTING(TRUTH_THROTTLE_LEFT);
	const char *name = throttle_setting_name(to->setting);

	si.topic = to->topic;
	si.broker = to->broker;
	si.place = name;
	si.next = to->setting == THROTTLE_DIR_RATE ? dir_next : NULL;
	if (to->topic != NULL)
		truths_see(lo->tr, &si, "%s of the topic is %.60s; nobody moves a replica that it names.", name, to->value);
	else if (to->broker != BROKER_NONE)
		truths_see(lo->tr, &si, "%s of the broker is %.60s; nobody moves anything by it.", name, to->value);
	else
		truths_see(lo->tr, &si, "%s of all brokers (<default>) is %.60s; nobody moves anything by it.", name, to->value);
}

void look_throttles(const struct look *lo)
{
	const struct throttles *th = throttles_memo_of(truths_throttles(lo->tr), lo->cl);

	for (size_t i = 0; i < th->n; i++)
		if (th->v[i].use == THROTTLE_LEFT)
			see_left(lo, &th->v[i]);
}
