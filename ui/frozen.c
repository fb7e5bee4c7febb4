/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/frozen.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "view/table.h"

enum { FROZEN_MAGIC = 0x46525a4e };

struct frozen_row {
	const char *key;
	uint8_t style;
	char mark;
};

struct frozen {
	uint32_t magic;
	struct table tb;
	struct arena *ar;
	struct frozen_row *rows;
	struct cell *cells; /* [n_rows * n_cols] */
	struct cell *head;
	size_t n_head;
};

static const struct frozen *frozen_of(const struct table *tb)
{
	const struct frozen *fz = tb->vm;

	assert(fz && fz->magic == FROZEN_MAGIC);
	return fz;
}

static void frozen_fill(const struct table *tb, size_t i, struct row *out, struct arena *ar)
{
	const struct frozen *fz = frozen_of(tb);

	(void)ar;
	assert(i < tb->n_rows);
	*out = (struct row){ .style = fz->rows[i].style, .mark = fz->rows[i].mark };
	memcpy(out->cells, fz->cells + i * tb->n_cols, tb->n_cols * sizeof(out->cells[0]));
}

static const char *frozen_key(const struct table *tb, size_t i)
{
	assert(i < tb->n_rows);
	return frozen_of(tb)->rows[i].key;
}

static size_t frozen_find(const struct table *tb, const char *key)
{
	const struct frozen *fz = frozen_of(tb);
	size_t i = 0;

	while (i < tb->n_rows && strcmp(fz->rows[i].key, key) != 0)
		i++;
	return i;
}

static void frozen_copy_row(struct frozen *fz, const struct table *tb, size_t i, struct arena *scratch)
{
	struct row row = { .mark = ' ' };
	struct cell *cells = fz->cells + i * tb->n_cols;

	arena_clear(scratch);
	tb->fill(tb, i, &row, scratch);
	fz->rows[i].key = arena_strdup(fz->ar, tb->key(tb, i));
	fz->rows[i].style = row.style;
	fz->rows[i].mark = row.mark;
	for (size_t c = 0; c < tb->n_cols; c++) {
		cells[c] = row.cells[c];
		if (cells[c].text)
			cells[c].text = arena_strdup(fz->ar, cells[c].text);
	}
}

struct frozen *frozen_new(const struct table *tb, const struct cell *head, size_t n_head)
{
	struct frozen *fz = mem_zalloc(sizeof(*fz));
	struct arena *scratch = arena_new(0);

	fz->magic = FROZEN_MAGIC;
	fz->ar = arena_new(0);
	fz->tb = *tb;
	fz->tb.vm = fz;
	fz->tb.fill = frozen_fill;
	fz->tb.key = frozen_key;
	fz->tb.find = frozen_find;
	if (tb->n_rows) {
		fz->rows = mem_array(tb->n_rows, sizeof(*fz->rows));
		fz->cells = mem_array(tb->n_rows, tb->n_cols * sizeof(*fz->cells));
	}
	for (size_t i = 0; i < tb->n_rows; i++)
		frozen_copy_row(fz, tb, i, scratch);
	if (n_head)
		fz->head = arena_alloc(fz->ar, n_head * sizeof(*head));
	for (size_t i = 0; i < n_head; i++) {
		fz->head[i] = head[i];
		if (head[i].text)
			fz->head[i].text = arena_strdup(fz->ar, head[i].text);
	}
	fz->n_head = n_head;
	arena_free(&scratch);
	return fz;
}

void frozen_free(struct frozen **pp)
{
	struct frozen *fz = *pp;

	if (!fz)
		return;
	arena_free(&fz->ar);
	mem_free(&fz->rows);
	mem_free(&fz->cells);
	fz->magic = 0;
	mem_free(pp);
}

const struct table *frozen_table(const struct frozen *fz)
{
	return &fz->tb;
}

const struct cell *frozen_head(const struct frozen *fz, size_t *n)
{
	*n = fz->n_head;
	return fz->head;
}
