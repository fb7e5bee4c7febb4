/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "batch/print.h"

static const char *const fields[] = { "topic", "partitions", "isr", "states", "settings", "deleting", "size_bytes", NULL };
static const char *const table_fields[] = { "topic", "partitions=PARTS", "isr", "states=STATES", "settings", "deleting", "size_bytes", NULL };

static const char items[] =
	"[{\"topic\":\"orders\",\"partitions\":3,\"isr\":[1,2,3],\"states\":[{\"broker\":1,\"state\":\"in-sync\",\"log_dir\":null}],"
	"\"settings\":{\"a\":\"1\",\"b\":\"x=y\"},\"deleting\":false,\"size_bytes\":9007199254740993},"
	"{\"topic\":\"none\",\"partitions\":null,\"isr\":[],\"states\":[],\"settings\":{},\"deleting\":true,\"size_bytes\":null},"
	"{\"topic\":\"e\\u001b[31m\\tx\\u202e\\\\y\",\"partitions\":12,\"isr\":null,\"states\":null,\"settings\":null,\"deleting\":null,\"size_bytes\":9223372036854775807},"
	"{\"topic\":\"\xe6\x9d\xb1\xe4\xba\xac\",\"partitions\":1,\"isr\":[10],\"states\":null,\"settings\":null,\"deleting\":null,\"size_bytes\":0}]";

static struct envelope envelope_of(const char *json)
{
	struct err err;

	err_init(&err);
	return (struct envelope){
		.command = "topics", .cluster_id = "abc", .taken_at = { INT64_C(1767323045678) },
		.zookeeper = "live", .brokers = "not asked", .complete = true,
		.warnings = json_array(), .items = json_read(json, strlen(json), &err), .fields = fields,
	};
}

static void envelope_drop(struct envelope *env)
{
	json_decref(env->warnings);
	json_decref(env->items);
}

/* What is printed; the caller's to mem_free. */
static char *printed_in(enum output form, const char *json, const char *const *columns)
{
	struct envelope env = envelope_of(json);
	FILE *out = tmpfile();
	struct strbuf text;
	struct err err;
	int c;

	err_init(&err);
	assert_non_null(out);
	assert_true(print_envelope(out, form, &env, columns, &err));
	rewind(out);
	strbuf_init(&text);
	while ((c = fgetc(out)) != EOF)
		strbuf_putc(&text, (char)c);
	fclose(out);
	envelope_drop(&env);
	return strbuf_take(&text);
}

static char *printed(enum output form, const char *json)
{
	return printed_in(form, json, table_fields);
}

static void assert_printed(enum output form, const char *json, const char *expected)
{
	char *text = printed(form, json);

	assert_string_equal(text, expected);
	mem_free(&text);
}

static void json_keeps_order_and_64_bits(void **state)
{
	assert_printed(OUTPUT_JSON, "[{\"z\":1,\"a\":9007199254740993,\"m\":null}]",
		"{\"kafops\":1,\"command\":\"topics\",\"cluster_id\":\"abc\",\"taken_at\":\"2026-01-02T03:04:05.678Z\","
		"\"sources\":{\"zookeeper\":\"live\",\"brokers\":\"not asked\"},\"complete\":true,\"warnings\":[],"
		"\"items\":[{\"z\":1,\"a\":9007199254740993,\"m\":null}]}\n");
}

static void json_is_one_line_that_reads_back(void **state)
{
	char *text = printed(OUTPUT_JSON, items);
	struct err err;
	json_t *back;

	err_init(&err);
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
	for (const char *s = text; s[1]; s++)
		assert_true((unsigned char)*s >= 0x20);
	back = json_read_object(text, strlen(text), &err);
	assert_non_null(back);
	assert_string_equal(json_string_value(json_object_get(json_array_get(json_object_get(back, "items"), 2), "topic")),
		"e\x1b[31m\tx\xe2\x80\xae\\y");
	json_decref(back);
	mem_free(&text);
}

static void tsv_has_every_field_and_tells_unknown_from_none(void **state)
{
	assert_printed(OUTPUT_TSV, items,
		"topic\tpartitions\tisr\tstates\tsettings\tdeleting\tsize_bytes\n"
		"orders\t3\t1,2,3\t[{\"broker\":1,\"state\":\"in-sync\",\"log_dir\":null}]\ta=1,b=x=y\tfalse\t9007199254740993\n"
		"none\t\tnone\tnone\tnone\ttrue\t\n"
		"e\\x1B[31m\\tx\\xE2\\x80\\xAE\\\\y\t12\t\t\t\t\t9223372036854775807\n"
		"\xe6\x9d\xb1\xe4\xba\xac\t1\t10\t\t\t\t0\n");
}

static void table_is_aligned_and_printable(void **state)
{
	assert_printed(OUTPUT_TABLE, items,
		"TOPIC                 PARTS  ISR    STATES     SETTINGS   DELETING  SIZE BYTES\n"
		"orders                    3  1,2,3  1:in-sync  a=1,b=x=y  no           8.0 PiB\n"
		"none                      -                               yes                -\n"
		"e^[[31m^Ix\\u{202E}\\y     12  -      -          -          -            8.0 EiB\n"
		"\xe6\x9d\xb1\xe4\xba\xac                      1  10     -          -          -                0 B\n");
}

static void settings_are_pairs_whose_values_keep_their_commas(void **state)
{
	static const char settings[] =
		"[{\"topic\":\"t\",\"settings\":{\"cleanup.policy\":\"compact,delete\",\"retention.ms\":\"1\",\"x\":\"\",\"y\":null}}]";

	assert_printed(OUTPUT_TSV, settings,
		"topic\tpartitions\tisr\tstates\tsettings\tdeleting\tsize_bytes\n"
		"t\tcleanup.policy=[compact,delete],retention.ms=1,x=,y=\n");
	assert_printed(OUTPUT_TABLE, settings,
		"TOPIC  PARTS  ISR  STATES  SETTINGS                                              DELETING  SIZE BYTES\n"
		"t          -    -       -  cleanup.policy=[compact,delete],retention.ms=1,x=,y=         -           -\n");
}

static void what_is_left_of_a_deletion_is_a_size_too(void **state)
{
	static const char *const columns[] = { "topic", "bytes_left=LEFT", NULL };
	char *text = printed_in(OUTPUT_TABLE, "[{\"topic\":\"a\",\"bytes_left\":59400},{\"topic\":\"b\",\"bytes_left\":null}]", columns);

	assert_string_equal(text, "TOPIC    LEFT\n" "a      58 KiB\n" "b           -\n");
	mem_free(&text);
}

static void an_empty_answer_is_a_header_in_tsv_alone(void **state)
{
	assert_printed(OUTPUT_TABLE, "[]", "");
	assert_printed(OUTPUT_TSV, "[]", "topic\tpartitions\tisr\tstates\tsettings\tdeleting\tsize_bytes\n");
}

static void a_full_device_is_an_error(void **state)
{
	struct envelope env = envelope_of(items);
	FILE *out = fopen("/dev/full", "w");
	struct err err;

	err_init(&err);
	if (!out)
		skip();
	assert_false(print_envelope(out, OUTPUT_JSON, &env, table_fields, &err));
	assert_string_equal(err.text, "write the answer to standard output: No space left on device");
	fclose(out);
	envelope_drop(&env);
}

static void a_closed_descriptor_is_an_error(void **state)
{
	struct envelope env = envelope_of(items);
	FILE *out = tmpfile();
	struct err err;

	err_init(&err);
	assert_non_null(out);
	close(fileno(out));
	assert_false(print_envelope(out, OUTPUT_TABLE, &env, table_fields, &err));
	assert_int_equal(err.code, ERR_IO);
	fclose(out);
	envelope_drop(&env);
}

static bool takes(int fd)
{
	struct err err;

	err_init(&err);
	return print_can(fd, &err) == (err.code == ERR_NONE) && err.code == ERR_NONE;
}

static void a_full_disk_and_a_pipe_that_nobody_reads_take_nothing(void **state)
{
	int full = open("/dev/full", O_WRONLY), null = open("/dev/null", O_WRONLY), ends[2];

	assert_true(full >= 0 && null >= 0 && pipe(ends) == 0);
	assert_false(takes(full));
	assert_true(takes(null));
	assert_true(takes(ends[1]));
	close(ends[0]);
	assert_false(takes(ends[1]));
	close(ends[1]);
	assert_false(takes(ends[1]));
	close(full);
	close(null);
}

static void of_a_file_nothing_is_written_to_find_that_out(void **state)
{
	FILE *fp = tmpfile();
	struct stat st;

	assert_non_null(fp);
	assert_true(takes(fileno(fp)));
	assert_int_equal(fstat(fileno(fp), &st), 0);
	assert_int_equal(st.st_size, 0);
	fclose(fp);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_disk_and_a_pipe_that_nobody_reads_take_nothing),
		cmocka_unit_test(of_a_file_nothing_is_written_to_find_that_out),
		cmocka_unit_test(json_keeps_order_and_64_bits),
		cmocka_unit_test(json_is_one_line_that_reads_back),
		cmocka_unit_test(tsv_has_every_field_and_tells_unknown_from_none),
		cmocka_unit_test(table_is_aligned_and_printable),
		cmocka_unit_test(settings_are_pairs_whose_values_keep_their_commas),
		cmocka_unit_test(what_is_left_of_a_deletion_is_a_size_too),
		cmocka_unit_test(an_empty_answer_is_a_header_in_tsv_alone),
		cmocka_unit_test(a_full_device_is_an_error),
		cmocka_unit_test(a_closed_descriptor_is_an_error),
	};

	return cmocka_run_group_tests_name("batch/print", tests, NULL, NULL);
}
