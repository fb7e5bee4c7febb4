/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target `answers`: a frame taken for the answer of an API that we ask
 * becomes an event or an error. A way is a version of one of these APIs. Seeds
 * are the answers in tests/wire/vectors.
 */
#include "fuzz.h"

#include <assert.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/disks.h"
#include "core/event.h"
#include "core/metadata.h"
#include "fuzz_answer.h"
#include "io/kanswer.h"
#include "wire/header.h"

const char *const fuzz_words[] = {
	"\xff\xff\xff\xff", "\x7f\xff\xff\xff", "\xff\xff", "\xff\xff\xff\xff\x0f", "\x80", "\x01", "\x02", "\x7f", "\xff", "a", "topic",
};
const size_t fuzz_n_words = sizeof(fuzz_words) / sizeof(fuzz_words[0]);

static void check_metadata(const struct metadata *md)
{
	for (uint32_t i = 1; i < md->n_topics; i++)
		assert(topic_name_cmp(md->topics[i - 1].name, md->topics[i].name) < 0);
	for (uint32_t i = 0; i < md->n_topics; i++)
		for (uint32_t k = 1; k < md->topics[i].n_partitions; k++)
			assert(md->topics[i].partitions[k - 1].partition < md->topics[i].partitions[k].partition);
}

static void check_disks(const struct disks *ds)
{
	assert(ds->n_dirs <= DISK_DIRS_MAX);
	for (size_t i = 0; i < ds->n_replicas; i++) {
		size_t n;

		assert(ds->replicas[i].dir < ds->n_dirs);
		assert(disks_topic(ds, ds->replicas[i].topic, &n) && n > 0);
	}
}

static void check_reassigning(const struct reassigning_list *l)
{
	for (size_t i = 1; i < l->n; i++)
		assert(topic_name_cmp(l->v[i - 1].topic, l->v[i].topic) <= 0);
}

static void check_settings(const struct zk_config *cfg)
{
	for (size_t i = 1; i < cfg->n; i++)
		assert(strcmp(cfg->v[i - 1].key, cfg->v[i].key) < 0);
}

static void check(const struct event *ev)
{
	if (ev->know == KNOW_UNREADABLE)
		assert(ev->why && ev->why[0]);
	else if (ev->kind == EV_METADATA)
		check_metadata(&ev->u.metadata->md);
	else if (ev->kind == EV_DISKS)
		check_disks(ev->u.disks);
	else if (ev->kind == EV_REASSIGNING)
		check_reassigning(&ev->u.reassigning);
	else
		check_settings(&ev->u.config);
}

static void fuzz_answer(enum wire_api api, int16_t version, const uint8_t *frame, size_t n)
{
	struct wire_reader rd;
	struct kanswer an = { .api = api, .version = version, .broker = 1, .rd = &rd, .seen = { 1 }, .seen_wall = { 1 } };
	struct event *ev;
	struct err err;
	int32_t id;

	err_init(&err);
	wire_reader_init(&rd, frame, n, false);
	id = wire_get_i32(&rd, "correlation id");
	if (!wire_response_begin(&rd, frame, n, api, version, id, &err))
		return;
	ev = kanswer_event(&an, &err);
	assert((ev == NULL) == (err.code != ERR_NONE));
	if (ev)
		check(ev);
	event_free(&ev);
}

enum { N_WAYS = 18 }; /* versions of the APIs that kanswer_takes; way_api holds it against the table */

/* The ways are the versions of these APIs, in the table's order. */
static enum wire_api way_api(size_t way, int16_t *version)
{
	enum wire_api found = WIRE_APIS;
	size_t n_before = 0;

	for (enum wire_api api = 0; api < WIRE_APIS; api++) {
		size_t n = kanswer_takes(api) ? N_VERSIONS(wire_api_get(api)->versions) : 0;

		if (way >= n_before && way < n_before + n) {
			found = api;
			*version = fuzz_version(api, way - n_before);
		}
		n_before += n;
	}
	assert(n_before == N_WAYS && found != WIRE_APIS);
	return found;
}

static void fuzz_way(int which, size_t way, const uint8_t *frame, size_t n)
{
	int16_t version;
	enum wire_api api = way_api(way, &version);

	fuzz_answer(api, version, frame, n);
}

static bool is_answer(int which, size_t way, const char *name)
{
	int16_t version;
	enum wire_api api = way_api(way, &version);

	return fuzz_is_answer(api, version, name);
}

const struct fuzz_target fuzz_targets[] = {
	{ .name = "answers", .n_ways = N_WAYS, .run = fuzz_way, .is_seed = is_answer, .skip = WIRE_PREFIX_BYTES },
};
const size_t fuzz_n_targets = sizeof(fuzz_targets) / sizeof(fuzz_targets[0]);
