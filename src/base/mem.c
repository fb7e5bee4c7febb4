/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocation over malloc(3) and free(3), so that what a library allocated may
 * be given to mem_free() and the other way round.
 *
 * Out of memory can strike in any thread, while another one draws. So the end
 * does not run exit handlers: last words, then _exit().
 */
#include "base/mem.h"

#include <assert.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { LARGE_BYTES = 128 * 1024 };

#define ARENA_MAGIC 0x4152454eu

enum { ARENA_BLOCK_DEFAULT_BYTES = 16 * 1024, ARENA_BLOCK_MIN_BYTES = 64 };

typedef void (*mem_words_fn)(const char *text);

struct arena_block {
	struct arena_block *next;
	size_t size; /* bytes in data */
	size_t used;
	alignas(max_align_t) unsigned char data[];
};

/* The first block has the default size and outlives arena_clear. New default
 * blocks become `top`; outsized ones are linked behind it, so that the room
 * left in `top` is not lost. */
struct arena {
	unsigned magic;
	size_t block_bytes;
	size_t handed_out;
	struct arena_block *first;
	struct arena_block *top;
};

static _Atomic(mem_words_fn) mem_words;
static atomic_flag mem_is_ending = ATOMIC_FLAG_INIT;
static _Thread_local bool mem_ends_here;

static void mem_say(const char *text)
{
	static const char nl = '\n';

	/* Nothing is left to be done when standard error is gone, too. */
	if (write(STDERR_FILENO, text, strlen(text)) < 0 ||
	    write(STDERR_FILENO, &nl, 1) < 0)
		return;
}

/* One thread ends the program; others that run dry meanwhile wait for it, so
 * as not to cut its last words short. */
static void mem_enter_end(void)
{
	if (atomic_flag_test_and_set(&mem_is_ending) && !mem_ends_here)
		for (;;)
			pause();
	mem_ends_here = true;
}

static _Noreturn void mem_exhausted(size_t size)
{
	char text[64];
	mem_words_fn words;

	mem_enter_end();
	if (size == SIZE_MAX)
		snprintf(text, sizeof(text), "out of memory: a size overflows");
	else
		snprintf(text, sizeof(text), "out of memory: %zu bytes are not to be had", size);
	/* Taken away first: should they allocate in turn, we come back without. */
	words = atomic_exchange(&mem_words, NULL);
	if (words)
		words(text);
	else
		mem_say(text);
	_exit(EXIT_FAILURE);
}

static size_t mem_times(size_t n, size_t size)
{
	size_t total;

	if (__builtin_mul_overflow(n, size, &total))
		mem_exhausted(SIZE_MAX);
	return total;
}

static size_t mem_plus(size_t a, size_t b)
{
	size_t total;

	if (__builtin_add_overflow(a, b, &total))
		mem_exhausted(SIZE_MAX);
	return total;
}

void mem_on_exhausted(void (*last_words)(const char *text))
{
	atomic_store(&mem_words, last_words);
}

/*
 * glibc raises its threshold for blocks of their own (mmap) with each such block that is freed, up to 32 MiB. Answers of a large
 * cluster then lie among small blocks, and what they leave free is not given back: it grows for minutes.
 */
void mem_return_large(void)
{
#ifdef M_MMAP_THRESHOLD
	(void)mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
#endif
}

void *mem_alloc(size_t size)
{
	void *p;

	assert(size > 0);
	p = malloc(size);
	if (!p)
		mem_exhausted(size);
	return p;
}

void *mem_zalloc(size_t size)
{
	return mem_array(1, size);
}

void *mem_array(size_t n, size_t size)
{
	size_t total = mem_times(n, size);
	void *p;

	assert(total > 0);
	p = calloc(1, total);
	if (!p)
		mem_exhausted(total);
	return p;
}

void *mem_realloc_array(void *p, size_t n, size_t size)
{
	size_t total = mem_times(n, size);
	void *grown;

	assert(total > 0);
	grown = realloc(p, total);
	if (!grown)
		mem_exhausted(total);
	return grown;
}

char *mem_strdup(const char *s)
{
	return mem_dup(s, strlen(s) + 1);
}

char *mem_strndup(const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *copy = mem_alloc(mem_plus(len, 1));

	memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

void *mem_dup(const void *p, size_t size)
{
	void *copy = mem_alloc(size);

	memcpy(copy, p, size);
	return copy;
}

void mem_free_(const void *p)
{
	/* By way of an integer, for a pointer to const may own, too. */
	free((void *)(uintptr_t)p);
}

/* ---- arena --------------------------------------------------------------- */

static size_t arena_round_up(size_t size)
{
	size_t align = alignof(max_align_t);

	return mem_plus(size, align - 1) / align * align;
}

static struct arena_block *arena_block_new(size_t size, struct arena_block *next)
{
	struct arena_block *block = mem_alloc(mem_plus(sizeof(*block), size));

	block->next = next;
	block->size = size;
	block->used = 0;
	return block;
}

/* A block with room for `size` bytes. */
static struct arena_block *arena_make_room(struct arena *ar, size_t size)
{
	struct arena_block *top = ar->top;

	if (top->size - top->used >= size)
		return top;
	if (size > ar->block_bytes / 2) {
		top->next = arena_block_new(size, top->next);
		return top->next;
	}
	ar->top = arena_block_new(ar->block_bytes, top);
	return ar->top;
}

/* Frees every block but `keep` (may be NULL). */
static void arena_drop_blocks(struct arena *ar, const struct arena_block *keep)
{
	struct arena_block *block = ar->top;

	while (block) {
		struct arena_block *next = block->next;

		if (block != keep)
			mem_free(&block);
		block = next;
	}
}

struct arena *arena_new(size_t block_size_bytes)
{
	struct arena *ar = mem_zalloc(sizeof(*ar));

	if (block_size_bytes == 0)
		block_size_bytes = ARENA_BLOCK_DEFAULT_BYTES;
	if (block_size_bytes < ARENA_BLOCK_MIN_BYTES)
		block_size_bytes = ARENA_BLOCK_MIN_BYTES;
	ar->magic = ARENA_MAGIC;
	ar->block_bytes = arena_round_up(block_size_bytes);
	ar->first = arena_block_new(ar->block_bytes, NULL);
	ar->top = ar->first;
	return ar;
}

void arena_free(struct arena **pp)
{
	struct arena *ar = *pp;

	if (!ar)
		return;
	assert(ar->magic == ARENA_MAGIC);
	arena_drop_blocks(ar, NULL);
	ar->magic = 0;
	mem_free(pp);
}

void arena_clear(struct arena *ar)
{
	assert(ar->magic == ARENA_MAGIC);
	arena_drop_blocks(ar, ar->first);
	ar->first->next = NULL;
	ar->first->used = 0;
	ar->top = ar->first;
	ar->handed_out = 0;
}

void *arena_alloc(struct arena *ar, size_t size)
{
	size_t room = arena_round_up(size);
	struct arena_block *block;
	void *p;

	assert(ar->magic == ARENA_MAGIC);
	assert(size > 0);
	block = arena_make_room(ar, room);
	p = block->data + block->used;
	block->used += room;
	ar->handed_out += size;
	return memset(p, 0, size);
}

char *arena_strdup(struct arena *ar, const char *s)
{
	return arena_strndup(ar, s, strlen(s));
}

char *arena_strndup(struct arena *ar, const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *copy = arena_alloc(ar, mem_plus(len, 1));

	memcpy(copy, s, len);
	return copy;
}

char *arena_printf(struct arena *ar, const char *fmt, ...)
{
	char *text;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	assert(n >= 0);
	text = arena_alloc(ar, (size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(text, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return text;
}

size_t arena_used(const struct arena *ar)
{
	assert(ar->magic == ARENA_MAGIC);
	return ar->handed_out;
}
