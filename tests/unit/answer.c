/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/answer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

/* An item has the fields that its command names, in that order. */
static void assert_fields(json_t *item, const char *const *fields)
{
	const char *key;
	json_t *v;
	size_t n = 0;

	json_object_foreach(item, key, v) {
		assert_non_null(fields[n]);
		assert_string_equal(key, fields[n]);
		n++;
	}
	assert_null(fields[n]);
}

/* An answer to compare: each item on a line, then "! " and each warning. `decided` says whether all filters were. */
char *answer_of(const struct fixture *fx, const struct batch_command *command, const struct options *opt, bool decided)
{
	struct batch_job job;
	struct strbuf out;
	struct err err;

	err_init(&err);
	assert_true(batch_job_init(&job, opt, fixture_cluster(fx), &err));
	job.links = fixture_cluster(fx);
	command->run(&job);
	batch_job_end(&job);
	assert_int_equal(job.is_undecided, !decided);
	strbuf_init(&out);
	for (size_t i = 0; i < json_array_size(job.items); i++) {
		assert_fields(json_array_get(job.items, i), opt->with_replicas && command->detail_fields ? command->detail_fields : command->fields);
		json_write(&out, json_array_get(job.items, i));
		strbuf_putc(&out, '\n');
	}
	for (size_t i = 0; i < json_array_size(job.warnings); i++)
		strbuf_printf(&out, "! %s\n", json_string_value(json_array_get(job.warnings, i)));
	batch_job_fini(&job);
	return strbuf_take(&out);
}

void assert_answer(const struct fixture *fx, const struct batch_command *command, const struct options *opt, bool decided, const char *expected)
{
	char *text = answer_of(fx, command, opt, decided);

	assert_string_equal(text, expected);
	mem_free(&text);
}

/* The values of one string field of all items, each with a blank. */
void assert_field(const struct fixture *fx, const struct batch_command *command, const struct options *opt, bool decided,
	const char *field, const char *expected)
{
	struct batch_job job;
	struct strbuf out;
	struct err err;

	err_init(&err);
	assert_true(batch_job_init(&job, opt, fixture_cluster(fx), &err));
	command->run(&job);
	batch_job_end(&job);
	assert_int_equal(job.is_undecided, !decided);
	strbuf_init(&out);
	for (size_t i = 0; i < json_array_size(job.items); i++) {
		json_t *v = json_object_get(json_array_get(job.items, i), field);

		if (json_is_string(v))
			strbuf_put(&out, json_string_value(v));
		else
			json_write(&out, v);
		strbuf_putc(&out, ' ');
	}
	assert_string_equal(out.s, expected);
	strbuf_fini(&out);
	batch_job_fini(&job);
}

struct options no_options(void)
{
	struct options opt;

	memset(&opt, 0, sizeof(opt));
	opt.output = OUTPUT_JSON;
	return opt;
}
