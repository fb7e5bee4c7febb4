/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every codec against the messages of tests/wire/vectors, which Kafka's own
 * classes wrote (tests/wire/Vectors.java): our requests are those bytes, their
 * answers are read as Kafka reads them. Then the same answers cut, lengthened
 * and with bits flipped.
 */
#include <dirent.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "hex.h"
#include "wire_dump.h"
#include "wire/code.h"
#include "wire/configs.h"
#include "wire/header.h"
#include "wire/logdirs.h"
#include "wire/metadata.h"
#include "wire/reassign.h"
#include "wire/sasl.h"
#include "wire/topics.h"
#include "wire/versions.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { VECTORS_MAX = 300, VECTORS_LEAST = 100, FILE_MAX_BYTES = 256 * 1024, FLIPS = 100 };

struct vector {
	char name[96], what[48];
	enum wire_api api;
	int16_t version;
	bool is_request;
	uint8_t *bytes; /* the frame, size first */
	size_t n;
	char *text;     /* the fields, a line each */
};

static struct vector vectors[VECTORS_MAX];
static size_t n_vectors;

/* ---- reading the files -------------------------------------------------------- */

static enum wire_api api_named(const char *name)
{
	for (int api = 0; api < WIRE_APIS; api++)
		if (strcmp(wire_api_get((enum wire_api)api)->name, name) == 0)
			return (enum wire_api)api;
	fail_msg("no API %s", name);
	return WIRE_APIS;
}

static char *read_file(const char *name)
{
	const char *top = getenv("top_srcdir");
	char path[512], *data = mem_zalloc(FILE_MAX_BYTES);
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/wire/%s", top ? top : ".", name);
	f = fopen(path, "rb");
	if (!f)
		fail_msg("no file %s", path);
	assert_true(fread(data, 1, FILE_MAX_BYTES - 1, f) > 0);
	fclose(f);
	return data;
}

/* <api>-v<N>-<kind>-<what>.hex: origin, hex, "---", fields. */
static void read_vector(const char *file)
{
	struct vector *v = &vectors[n_vectors++];
	char api[40], kind[12], path[128], *data, *hex, *fields;
	int version;

	assert_true(n_vectors <= VECTORS_MAX);
	assert_true(str_copy(v->name, sizeof(v->name), file));
	if (sscanf(file, "%39[A-Za-z]-v%d-%11[a-z]-%47[^.].hex", api, &version, kind, v->what) != 4)
		fail_msg("%s", file);
	v->api = api_named(api);
	v->version = (int16_t)version;
	v->is_request = strcmp(kind, "request") == 0;
	assert_true(str_printf(path, sizeof(path), "vectors/%s", file));
	data = read_file(path);
	hex = strchr(data, '\n') + 1;
	fields = strstr(hex, "\n---\n");
	assert_non_null(fields);
	v->bytes = hex_bytes(hex, &v->n);
	v->text = mem_strdup(fields + 5);
	mem_free(&data);
}

static int read_vectors(void **unused)
{
	const char *top = getenv("top_srcdir");
	struct dirent *entry;
	char path[512];
	DIR *dir;

	snprintf(path, sizeof(path), "%s/tests/wire/vectors", top ? top : ".");
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		if (str_ends(entry->d_name, ".hex"))
			read_vector(entry->d_name);
	if (dir)
		closedir(dir);
	return 0;
}

static int free_vectors(void **unused)
{
	for (size_t i = 0; i < n_vectors; i++) {
		mem_free(&vectors[i].bytes);
		mem_free(&vectors[i].text);
	}
	return 0;
}

/* ---- our requests --------------------------------------------------------------- */

static const int32_t two_parts[] = { 0, 7 }, one_part[] = { 999999 };
static const struct wire_topic_parts two_topics[] = { { "orders", two_parts, 2 }, { "t", one_part, 1 } };

static void put_metadata(struct wire_writer *wr, int16_t version, const char *what)
{
	static const char *const names[] = { "orders", "payments.v2" };

	wire_metadata_encode(wr, version, strcmp(what, "all") == 0 ? NULL : names, strcmp(what, "two") == 0 ? 2 : 0);
}

static void put_configs(struct wire_writer *wr, int16_t version, const char *what)
{
	static const char *const keys[] = { "retention.ms", "min.insync.replicas" };
	static const struct wire_config_query broker[] = { { WIRE_RESOURCE_BROKER, "1", NULL, 0 } };
	static const struct wire_config_query two[] = {
		{ WIRE_RESOURCE_TOPIC, "orders", keys, 2 }, { WIRE_RESOURCE_BROKER, "", NULL, 0 },
	};

	if (strcmp(what, "broker") == 0)
		wire_configs_encode(wr, version, broker, 1, false);
	else
		wire_configs_encode(wr, version, two, 2, true);
}

static void put_deletes(struct wire_writer *wr, const struct vector *v)
{
	static const char *const names[] = { "orders", "payments.v2" };

	wire_topics_encode_delete(wr, v->version, names, strcmp(v->what, "two") == 0 ? 2 : 0, 30000);
}

static void put_request(struct wire_writer *wr, const struct vector *v)
{
	const struct wire_topic_parts *topics = strcmp(v->what, "two") == 0 ? two_topics : NULL;

	switch (v->api) {
	case WIRE_METADATA:
		put_metadata(wr, v->version, v->what);
		break;
	case WIRE_SASL_HANDSHAKE:
		wire_sasl_encode_handshake(wr, v->version, "PLAIN");
		break;
	case WIRE_API_VERSIONS:
		wire_versions_encode(wr, v->version, "kafops", "0.1.0");
		break;
	case WIRE_DELETE_TOPICS:
		put_deletes(wr, v);
		break;
	case WIRE_DESCRIBE_CONFIGS:
		put_configs(wr, v->version, v->what);
		break;
	case WIRE_DESCRIBE_LOG_DIRS:
		wire_logdirs_encode(wr, v->version, topics, 2);
		break;
	case WIRE_SASL_AUTHENTICATE:
		wire_sasl_encode_token(wr, v->version, "\0u\0p", 4);
		break;
	case WIRE_LIST_REASSIGNMENTS:
		wire_reassign_encode_list(wr, v->version, 60000, topics, 2);
		break;
	case WIRE_APIS:
		break;
	}
}

/* ---- their answers ------------------------------------------------------------------ */

/* A frame without its size, in a copy of just that many bytes, so that a sanitizer sees a byte past the end. */
static bool read_frame(const struct vector *v, const uint8_t *frame, size_t n, struct strbuf *sb, struct err *err)
{
	struct arena *ar = arena_new(0);
	uint8_t *copy = mem_dup(n > 0 ? frame : (const uint8_t *)"", n > 0 ? n : 1);
	struct wire_reader rd;
	bool is_read;

	err_init(err);
	is_read = wire_response_begin(&rd, copy, n, v->api, v->version, 1, err) && wire_dump_answer(v->api, v->version, &rd, ar, sb, err);
	if (!is_read)
		assert_int_equal(arena_used(ar), 0);
	mem_free(&copy);
	arena_free(&ar);
	return is_read;
}

static void assert_failed(const struct vector *v, const struct err *err)
{
	if (err->code == ERR_NONE || !str_starts(err->text, wire_api_get(v->api)->name))
		fail_msg("%s: \"%s\"", v->name, err->text);
	assert_true(utf8_is_valid(err->text, strlen(err->text)));
}

/* ---- claims -------------------------------------------------------------------------- */

static void there_are_vectors_of_every_version_we_speak(void **unused)
{
	size_t n[2] = { 0, 0 };

	for (size_t i = 0; i < n_vectors; i++)
		n[vectors[i].is_request]++;
	print_message("# %zu requests, %zu answers\n", n[1], n[0]);
	assert_true(n_vectors > VECTORS_LEAST && n[0] > 50 && n[1] > 40);
	for (int api = 0; api < WIRE_APIS; api++) {
		uint32_t seen[2] = { 0, 0 };

		for (size_t i = 0; i < n_vectors; i++)
			if ((int)vectors[i].api == api)
				seen[vectors[i].is_request] |= UINT32_C(1) << vectors[i].version;
		assert_int_equal(seen[0], wire_api_get((enum wire_api)api)->versions);
		assert_int_equal(seen[1], wire_api_get((enum wire_api)api)->versions);
	}
}

static void our_requests_are_kafkas_bytes(void **unused)
{
	for (size_t i = 0; i < n_vectors; i++) {
		const struct vector *v = &vectors[i];
		struct wire_writer wr;

		if (!v->is_request)
			continue;
		wire_writer_init(&wr, WIRE_FRAME_MAX_BYTES);
		wire_request_begin(&wr, v->api, v->version, 1, "kc");
		put_request(&wr, v);
		assert_true(wire_request_end(&wr, NULL));
		if (wr.n != v->n || memcmp(wr.data, v->bytes, v->n) != 0)
			fail_msg("%s: not these bytes", v->name);
		wire_writer_fini(&wr);
	}
}

/* What no codec keeps. */
static bool is_left_out(const char *line, size_t n)
{
	static const char *const fields[] = {
		"AuthorizedOperations ", ".documentation ", "supportedFeatures.size ", "finalizedFeaturesEpoch ",
		"finalizedFeatures.size ", "zkMigrationReady ",
	};
	char copy[256];

	if (!str_copyn(copy, sizeof(copy), line, n))
		return false;
	for (size_t i = 0; i < COUNT(fields); i++)
		if (strstr(copy, fields[i]))
			return true;
	return false;
}

static char *kept_lines(const char *text)
{
	struct strbuf sb;

	strbuf_init(&sb);
	while (*text != '\0') {
		size_t n = strcspn(text, "\n") + 1;

		if (!is_left_out(text, n))
			strbuf_putn(&sb, text, n);
		text += n;
	}
	return strbuf_take(&sb);
}

static void kafkas_answers_are_read_as_kafka_reads_them(void **unused)
{
	for (size_t i = 0; i < n_vectors; i++) {
		const struct vector *v = &vectors[i];
		struct strbuf sb;
		struct err err;
		char *expected;
		size_t size;

		if (v->is_request)
			continue;
		strbuf_init(&sb);
		assert_true(wire_frame_size(v->bytes, &size, NULL));
		assert_int_equal(size, v->n - WIRE_PREFIX_BYTES);
		if (!read_frame(v, v->bytes + WIRE_PREFIX_BYTES, size, &sb, &err))
			fail_msg("%s: %s", v->name, err.text);
		expected = kept_lines(v->text);
		if (strcmp(sb.s, expected) != 0)
			print_message("# %s\n", v->name);
		assert_string_equal(sb.s, expected);
		mem_free(&expected);
		strbuf_fini(&sb);
	}
}

static void an_answer_cut_anywhere_fails_cleanly(void **unused)
{
	for (size_t i = 0; i < n_vectors; i++) {
		const struct vector *v = &vectors[i];
		struct err err;

		for (size_t n = 0; !v->is_request && n < v->n - WIRE_PREFIX_BYTES; n++) {
			if (read_frame(v, v->bytes + WIRE_PREFIX_BYTES, n, NULL, &err))
				fail_msg("%s: read with %zu bytes", v->name, n);
			assert_failed(v, &err);
		}
	}
}

static void an_answer_with_a_byte_too_many_fails(void **unused)
{
	for (size_t i = 0; i < n_vectors; i++) {
		const struct vector *v = &vectors[i];
		size_t n = v->n - WIRE_PREFIX_BYTES + 1;
		uint8_t *longer;
		struct err err;

		if (v->is_request)
			continue;
		longer = mem_zalloc(n);
		memcpy(longer, v->bytes + WIRE_PREFIX_BYTES, n - 1);
		assert_false(read_frame(v, longer, n, NULL, &err));
		assert_failed(v, &err);
		mem_free(&longer);
	}
}

static uint64_t rng;

static size_t below(size_t n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (size_t)(rng % n);
}

static void flip_and_read(const struct vector *v)
{
	size_t n = v->n - WIRE_PREFIX_BYTES;
	uint8_t *frame = mem_dup(v->bytes + WIRE_PREFIX_BYTES, n);
	struct strbuf sb;
	struct err err;

	strbuf_init(&sb);
	for (size_t times = 1 + below(3); times > 0; times--)
		frame[below(n)] ^= (uint8_t)(1 << below(8));
	if (!read_frame(v, frame, n, &sb, &err))
		assert_failed(v, &err);
	strbuf_fini(&sb);
	mem_free(&frame);
}

static void flipped_bits_give_an_answer_or_an_error(void **unused)
{
	const char *text = getenv("KAFOPS_SEED");
	int64_t seed;

	if (!text || !str_to_i64(text, 1, INT64_MAX, &seed))
		seed = (int64_t)time(NULL);
	print_message("# KAFOPS_SEED=%" PRId64 "\n", seed);
	rng = (uint64_t)seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
	for (size_t i = 0; i < n_vectors; i++)
		for (int k = 0; !vectors[i].is_request && k < FLIPS; k++)
			flip_and_read(&vectors[i]);
}

/* tests/wire/errors.tsv: what Kafka's Errors has. */
static void codes_have_kafkas_names(void **unused)
{
	char *data = read_file("errors.tsv"), *line = data;
	size_t n = 0;

	for (int value = INT16_MIN; value <= INT16_MAX; value++) {
		const struct wire_code *code = wire_code_find((int16_t)value);
		char expected[64];

		if (!code)
			continue;
		assert_true(str_printf(expected, sizeof(expected), "%d\t%s\n", value, code->name));
		line = strstr(data, expected);
		if (!line || (line != data && line[-1] != '\n'))
			fail_msg("Kafka has no %s", expected);
		n++;
	}
	assert_true(n > 40);
	mem_free(&data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_are_vectors_of_every_version_we_speak),
		cmocka_unit_test(our_requests_are_kafkas_bytes),
		cmocka_unit_test(kafkas_answers_are_read_as_kafka_reads_them),
		cmocka_unit_test(an_answer_cut_anywhere_fails_cleanly),
		cmocka_unit_test(an_answer_with_a_byte_too_many_fails),
		cmocka_unit_test(flipped_bits_give_an_answer_or_an_error),
		cmocka_unit_test(codes_have_kafkas_names),
	};

	return cmocka_run_group_tests(tests, read_vectors, free_vectors);
}
