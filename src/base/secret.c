/* SPDX-License-Identifier: Apache-2.0 */
/* realloc(3) may leave the old bytes behind, so growing is copying and wiping. */
#include "base/secret.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"

enum { SECRET_FIRST_BYTES = 64 };

void secret_init(struct secret *sc)
{
	*sc = (struct secret){ NULL, 0, 0 };
}

void secret_fini(struct secret *sc)
{
	if (sc->bytes)
		explicit_bzero(sc->bytes, sc->cap);
	mem_free(&sc->bytes);
	secret_init(sc);
}

/* Room for `n` bytes and the NUL. */
static void grow(struct secret *sc, size_t n)
{
	struct secret bigger;

	assert(n < SIZE_MAX / 2);
	if (n < sc->cap)
		return;
	bigger.cap = sc->cap * 2 > n + 1 ? sc->cap * 2 : n + 1;
	if (bigger.cap < SECRET_FIRST_BYTES)
		bigger.cap = SECRET_FIRST_BYTES;
	bigger.bytes = mem_alloc(bigger.cap);
	bigger.n = sc->n;
	if (sc->bytes)
		memcpy(bigger.bytes, sc->bytes, sc->n);
	bigger.bytes[bigger.n] = '\0';
	secret_fini(sc);
	*sc = bigger;
}

void secret_setn(struct secret *sc, const void *bytes, size_t n)
{
	struct secret fresh;

	secret_init(&fresh);
	secret_putn(&fresh, bytes, n);
	secret_move(sc, &fresh);
}

void secret_set(struct secret *sc, const char *s)
{
	secret_setn(sc, s, strlen(s));
}

void secret_putn(struct secret *sc, const void *bytes, size_t n)
{
	grow(sc, sc->n + n);
	if (n > 0)
		memcpy(sc->bytes + sc->n, bytes, n);
	sc->n += n;
	sc->bytes[sc->n] = '\0';
}

void secret_putc(struct secret *sc, char c)
{
	secret_putn(sc, &c, 1);
}

void secret_move(struct secret *to, struct secret *from)
{
	struct secret moved = *from;

	secret_init(from);
	secret_fini(to);
	*to = moved;
}

bool secret_is_set(const struct secret *sc)
{
	return sc->bytes != NULL;
}

const char *secret_reveal(const struct secret *sc)
{
	return sc->bytes ? sc->bytes : "";
}

const char *secret_text(const struct secret *sc)
{
	return sc->n > 0 ? "***" : "";
}

void secret_free_text(char **pp)
{
	if (*pp)
		explicit_bzero(*pp, strlen(*pp));
	mem_free(pp);
}
