/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocators that end the program cleanly when memory is gone, and the arena
 * that frees a whole view at once.
 *
 * No mem_* function returns NULL. Asking for zero bytes is a bug (assert).
 * Thread: any; an arena belongs to one thread at a time.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

void *mem_alloc(size_t size);                   /* not cleared */
void *mem_zalloc(size_t size);                  /* cleared */
void *mem_array(size_t n, size_t size);         /* cleared; overflow ends the program */
void *mem_realloc_array(void *p, size_t n, size_t size);
char *mem_strdup(const char *s);
char *mem_strndup(const char *s, size_t n);     /* copies at most n bytes, always terminated */
void *mem_dup(const void *p, size_t size);
/* Frees *pp (may be NULL) and nulls it. `pp` is the address of any object
 * pointer, to const too; a statement, not an expression. */
#define mem_free(pp) \
	do { \
		__typeof__(pp) mem_pp_ = (pp); \
		mem_free_(*mem_pp_); \
		*mem_pp_ = NULL; \
	} while (0)
void mem_free_(const void *p);

/* From here on what is large goes back to the system as soon as it is freed. Before the first thread. Where the C library isn't glibc
 * this does nothing. */
void mem_return_large(void);

/* Called once, with a short message without a newline, before the program ends
 * for want of memory: puts the terminal back and prints the message. Can come
 * in any thread, and must do with async-signal-safe calls. The program then
 * ends by _exit(EXIT_FAILURE): exit handlers do not run. Without it, the
 * message goes to standard error. NULL takes it away. */
void mem_on_exhausted(void (*last_words)(const char *text));

struct arena;
struct arena *arena_new(size_t block_size_bytes); /* 0: a sensible default */
void arena_free(struct arena **pp);               /* frees all that came from it */
void arena_clear(struct arena *ar);               /* keeps the first block for reuse */
void *arena_alloc(struct arena *ar, size_t size); /* cleared, aligned for any type */
char *arena_strdup(struct arena *ar, const char *s);
char *arena_strndup(struct arena *ar, const char *s, size_t n);
char *arena_printf(struct arena *ar, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
size_t arena_used(const struct arena *ar);        /* bytes handed out since the last clear */

#endif
