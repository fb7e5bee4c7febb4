/* SPDX-License-Identifier: Apache-2.0 */
/* What libFuzzer calls: the target that FUZZ_TARGET names. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

static const struct fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *name = getenv("FUZZ_TARGET");

	target = fuzz_find(name ? name : "");
	if (target)
		return 0;
	fprintf(stderr, "%s: FUZZ_TARGET must name a target:", (*argv)[0]);
	for (size_t i = 0; i < fuzz_n_targets; i++)
		fprintf(stderr, " %s", fuzz_targets[i].name);
	fprintf(stderr, "\n");
	exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	fuzz_run(target, bytes, n);
	return 0;
}
