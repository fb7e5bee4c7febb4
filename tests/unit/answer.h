/* SPDX-License-Identifier: Apache-2.0 */
/* What a batch command answers about a fixture, to compare. */
#ifndef TESTS_UNIT_ANSWER_H
#define TESTS_UNIT_ANSWER_H

#include "batch/job.h"
#include "tests/unit/fixture.h"

/* No option given, but that the form is JSON. */
struct options no_options(void);

/* Each item on a line, then "! " and each warning; items have the fields that the command names, in that order. `decided` says
 * whether all filters were. The caller's to mem_free. */
char *answer_of(const struct fixture *fx, const struct batch_command *command, const struct options *opt, bool decided);
void assert_answer(const struct fixture *fx, const struct batch_command *command, const struct options *opt, bool decided, const char *expected);

/* The values of one field of all items, each with a blank. */
void assert_field(const struct fixture *fx, const struct batch_command *command, const struct options *opt, bool decided,
	const char *field, const char *expected);

#endif
