/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: a frame taken for the answer of every API that we ask, in every
 * version, becomes an event or an error. Built with libFuzzer by --enable-fuzz;
 * tests/fuzz/replay.c runs it in `make check`, on tests/wire/vectors.
 */
#include "fuzz.h"

#include <assert.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/disks.h"
#include "core/event.h"
#include "core/metadata.h"
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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	if (n < WIRE_PREFIX_BYTES)
		return 0;
	for (int api = 0; api < WIRE_APIS; api++)
		for (int16_t version = 0; version < 32; version++)
			if (kanswer_takes((enum wire_api)api) && wire_api_speaks((enum wire_api)api, version))
				fuzz_answer((enum wire_api)api, version, bytes + WIRE_PREFIX_BYTES, n - WIRE_PREFIX_BYTES);
	return 0;
}
