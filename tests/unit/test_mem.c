/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Out of memory is tried in child processes: each reports by its exit status
 * and by what it writes into a pipe.
 */
#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Address space can't be limited under a sanitizer; this limits it from within. */
#define SANITIZER_OPTIONS "allocator_may_return_null=1:max_allocation_size_mb=512"
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return SANITIZER_OPTIONS;
}
const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
	return SANITIZER_OPTIONS;
}

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#endif
#ifndef HAS_SANITIZER
#define HAS_SANITIZER 0
#endif

enum { WORDS_MAX = 4096 };

static void free_nulls_the_pointer(void **state)
{
	char *p = mem_strdup("x");
	const char *fixed = mem_strdup("y");

	mem_free(&p);
	assert_null(p);
	mem_free(&p);
	assert_null(p);
	mem_free(&fixed);
	assert_null(fixed);
}

static void cleared_memory_is_cleared(void **state)
{
	static const char zeros[300];
	char *p = mem_zalloc(sizeof(zeros));
	char *q = mem_array(30, 10);

	assert_memory_equal(p, zeros, sizeof(zeros));
	assert_memory_equal(q, zeros, sizeof(zeros));
	mem_free(&p);
	mem_free(&q);
}

static void array_keeps_its_bytes_when_it_grows(void **state)
{
	int *p = NULL;

	for (size_t n = 1; n <= 100; n++) {
		p = mem_realloc_array(p, n, sizeof(*p));
		p[n - 1] = (int)n;
	}
	for (int i = 0; i < 100; i++)
		assert_int_equal(p[i], i + 1);
	mem_free(&p);
}

static void strndup_always_terminates(void **state)
{
	char *p = mem_strndup("broker", 3);
	char *q = mem_strndup("broker", 99);
	char *r = mem_strndup("broker", 0);

	assert_string_equal(p, "bro");
	assert_string_equal(q, "broker");
	assert_string_equal(r, "");
	mem_free(&p);
	mem_free(&q);
	mem_free(&r);
}

static void dup_copies_nuls_too(void **state)
{
	char *p = mem_dup("a\0b", 4);

	assert_memory_equal(p, "a\0b", 4);
	mem_free(&p);
}

/* ---- out of memory ------------------------------------------------------- */

/* Runs `fn` in a child whose standard error is a pipe; gives its exit status
 * (-1 when a signal ended it) and what it wrote. */
static int run_child(void (*fn)(void), char words[WORDS_MAX])
{
	int fds[2], status;
	size_t n = 0;
	ssize_t got;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		dup2(fds[1], STDERR_FILENO);
		close(fds[0]);
		close(fds[1]);
		fn();
		_exit(99);
	}
	close(fds[1]);
	while ((got = read(fds[0], words + n, WORDS_MAX - 1 - n)) > 0)
		n += (size_t)got;
	words[n] = '\0';
	close(fds[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void say(const char *text)
{
	if (write(STDERR_FILENO, "<", 1) < 0 ||
	    write(STDERR_FILENO, text, strlen(text)) < 0 || write(STDERR_FILENO, ">", 1) < 0)
		_exit(98);
}

static void greedy_words(const char *text)
{
	volatile size_t half = SIZE_MAX / 2;

	say("first");
	mem_array(half, 4);
}

static void fail_at_exit(void)
{
	_exit(97);
}

static void overflow(void)
{
	volatile size_t half = SIZE_MAX / 2;

	atexit(fail_at_exit);
	mem_array(half, 4);
}

static void overflow_with_words(void)
{
	mem_on_exhausted(say);
	overflow();
}

static void overflow_with_words_taken_away(void)
{
	mem_on_exhausted(say);
	mem_on_exhausted(NULL);
	overflow();
}

static void overflow_in_last_words(void)
{
	mem_on_exhausted(greedy_words);
	overflow();
}

static void overflow_in_realloc(void)
{
	volatile size_t half = SIZE_MAX / 2;

	mem_realloc_array(NULL, half, 4);
}

static void overflow_in_arena(void)
{
	volatile size_t all = SIZE_MAX;
	struct arena *ar = arena_new(0);

	arena_alloc(ar, all);
}

static void ask_for_more_than_there_is(void)
{
	const struct rlimit limit = { 512 << 20, 512 << 20 };
	volatile size_t size = 1 << 30;

	mem_on_exhausted(say);
	if (!HAS_SANITIZER && setrlimit(RLIMIT_AS, &limit) != 0)
		_exit(96);
	mem_alloc(size);
}

static void overflowing_size_ends_the_program(void **state)
{
	char words[WORDS_MAX];

	assert_int_equal(run_child(overflow, words), EXIT_FAILURE);
	assert_string_equal(words, "out of memory: a size overflows\n");
	assert_int_equal(run_child(overflow_in_realloc, words), EXIT_FAILURE);
	assert_int_equal(run_child(overflow_in_arena, words), EXIT_FAILURE);
}

static void last_words_are_said_before_the_end(void **state)
{
	char words[WORDS_MAX];

	assert_int_equal(run_child(overflow_with_words, words), EXIT_FAILURE);
	assert_string_equal(words, "<out of memory: a size overflows>");
}

static void last_words_can_be_taken_away(void **state)
{
	char words[WORDS_MAX];

	assert_int_equal(run_child(overflow_with_words_taken_away, words), EXIT_FAILURE);
	assert_string_equal(words, "out of memory: a size overflows\n");
}

static void last_words_that_allocate_do_not_come_twice(void **state)
{
	char words[WORDS_MAX];

	assert_int_equal(run_child(overflow_in_last_words, words), EXIT_FAILURE);
	assert_string_equal(words, "<first>out of memory: a size overflows\n");
}

static void memory_that_is_gone_ends_the_program(void **state)
{
	char words[WORDS_MAX];

	assert_int_equal(run_child(ask_for_more_than_there_is, words), EXIT_FAILURE);
	/* A sanitizer warns before. */
	assert_non_null(strstr(words, "<out of memory: 1073741824 bytes are not to be had>"));
}

/* ---- arena --------------------------------------------------------------- */

static void arena_hands_out_aligned_cleared_memory(void **state)
{
	struct arena *ar = arena_new(100);

	for (int round = 0; round < 3; round++) {
		for (size_t size = 1; size < 300; size++) {
			unsigned char *p = arena_alloc(ar, size);

			assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
			for (size_t i = 0; i < size; i++)
				assert_int_equal(p[i], 0);
			memset(p, 0xee, size);
		}
		arena_clear(ar);
	}
	arena_free(&ar);
	assert_null(ar);
	arena_free(&ar);
}

static void arena_pieces_do_not_overlap(void **state)
{
	struct arena *ar = arena_new(0);
	unsigned char *pieces[500];

	for (size_t i = 0; i < 500; i++) {
		pieces[i] = arena_alloc(ar, 1 + i * 37 % 400);
		memset(pieces[i], (int)(i % 251), 1 + i * 37 % 400);
	}
	for (size_t i = 0; i < 500; i++)
		for (size_t at = 0; at < 1 + i * 37 % 400; at++)
			assert_int_equal(pieces[i][at], i % 251);
	arena_free(&ar);
}

static void arena_serves_what_exceeds_a_block(void **state)
{
	struct arena *ar = arena_new(64);
	char *small = arena_strdup(ar, "small"), *big = arena_alloc(ar, 100000);

	memset(big, 'x', 100000);
	assert_string_equal(small, "small");
	/* What is left of the first block is still in use. */
	assert_true(arena_strdup(ar, "next") - small < 64);
	arena_free(&ar);
}

static void arena_counts_what_it_handed_out(void **state)
{
	struct arena *ar = arena_new(0);

	assert_int_equal(arena_used(ar), 0);
	arena_alloc(ar, 3);
	arena_strdup(ar, "four");
	assert_int_equal(arena_used(ar), 8);
	arena_clear(ar);
	assert_int_equal(arena_used(ar), 0);
	arena_free(&ar);
}

static void arena_keeps_its_first_block(void **state)
{
	struct arena *ar = arena_new(0);
	void *before = arena_alloc(ar, 10);

	for (int i = 0; i < 100; i++)
		arena_alloc(ar, 1000);
	arena_clear(ar);
	assert_ptr_equal(arena_alloc(ar, 10), before);
	arena_free(&ar);
}

static void arena_copies_and_formats(void **state)
{
	struct arena *ar = arena_new(0);

	assert_string_equal(arena_strndup(ar, "partition", 4), "part");
	assert_string_equal(arena_strndup(ar, "p", 4), "p");
	assert_string_equal(arena_strdup(ar, ""), "");
	assert_string_equal(arena_printf(ar, "%s-%d", "orders", 7), "orders-7");
	assert_int_equal(strlen(arena_printf(ar, "%050000d", 1)), 50000);
	arena_free(&ar);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(free_nulls_the_pointer),
		cmocka_unit_test(cleared_memory_is_cleared),
		cmocka_unit_test(array_keeps_its_bytes_when_it_grows),
		cmocka_unit_test(strndup_always_terminates),
		cmocka_unit_test(dup_copies_nuls_too),
		cmocka_unit_test(overflowing_size_ends_the_program),
		cmocka_unit_test(last_words_are_said_before_the_end),
		cmocka_unit_test(last_words_can_be_taken_away),
		cmocka_unit_test(last_words_that_allocate_do_not_come_twice),
		cmocka_unit_test(memory_that_is_gone_ends_the_program),
		cmocka_unit_test(arena_hands_out_aligned_cleared_memory),
		cmocka_unit_test(arena_pieces_do_not_overlap),
		cmocka_unit_test(arena_serves_what_exceeds_a_block),
		cmocka_unit_test(arena_counts_what_it_handed_out),
		cmocka_unit_test(arena_keeps_its_first_block),
		cmocka_unit_test(arena_copies_and_formats),
	};

	return cmocka_run_group_tests_name("mem", tests, NULL, NULL);
}
