/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/pass.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"

void *wire_pass_next(struct wire_pass *ps, int kind)
{
	struct wire_flat *fl = &ps->kinds[kind];
	uint32_t i = fl->n++;

	return fl->v ? fl->v + i * fl->element_bytes : ps->scratch;
}

void *wire_pass_here(struct wire_pass *ps, int kind)
{
	struct wire_flat *fl = &ps->kinds[kind];

	return fl->v ? fl->v + fl->n * fl->element_bytes : NULL;
}

uint32_t wire_pass_ids(struct wire_pass *ps, int kind, const int32_t **v, const char *what)
{
	uint32_t n = wire_get_count(ps->rd, 4, 4, what);

	*v = n > 0 ? wire_pass_here(ps, kind) : NULL;
	for (uint32_t i = 0; i < n; i++)
		*(int32_t *)wire_pass_next(ps, kind) = wire_get_i32(ps->rd, what);
	return n;
}

/* What was counted is taken, and the counts begin anew. */
static void take_arrays(struct wire_pass *ps, struct arena *ar)
{
	for (size_t i = 0; i < WIRE_KINDS_MAX; i++) {
		struct wire_flat *fl = &ps->kinds[i];

		assert(fl->element_bytes <= WIRE_ELEMENT_MAX_BYTES);
		if (fl->n > 0)
			fl->v = arena_alloc(ar, fl->n * fl->element_bytes);
		fl->n = 0;
	}
	ps->ar = ar;
}

bool wire_pass_twice(struct wire_pass *ps, enum wire_api api, wire_read_fn *read, void *out, size_t size, struct err *err)
{
	struct wire_reader begin = *ps->rd;
	struct arena *ar = ps->ar;
	bool is_read;

	assert(wire_api_speaks(api, ps->version) && wire_reader_ok(ps->rd));
	ps->ar = NULL;
	memset(out, 0, size);
	read(ps, out);
	is_read = wire_reader_end(ps->rd, err);
	memset(out, 0, size);
	if (!is_read)
		return err_wrap(err, "%s v%d answer", wire_api_get(api)->name, ps->version);
	*ps->rd = begin;
	take_arrays(ps, ar);
	read(ps, out);
	assert(wire_reader_ok(ps->rd) && wire_reader_left(ps->rd) == 0);
	return true;
}
