/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries stand in an array in order of insertion; an open-addressed table of
 * twice that many slots points into it. A removed entry stays where it is with
 * a NULL key until the array is full, so that iterators keep their place and
 * probes don't stop short. Every slot taken belongs to one entry, dead or
 * alive: the table is never more than half full.
 *
 * The hash is SipHash-1-3 (Aumasson and Bernstein, https://www.aumasson.jp/siphash/),
 * which stays unpredictable without the key. The numbers in it are read in the
 * byte order of the machine: they never leave the process.
 */
#include "base/map.h"

#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef HAVE_GETRANDOM
#include <sys/random.h>
#endif

#include "base/mem.h"

enum { MAP_FIRST_ENTRIES = 8 };

struct map_entry {
	char *key;   /* NULL: removed */
	void *value;
	uint64_t hash;
};

struct map {
	struct map_entry *entries; /* [cap], of which `used` are taken, `count` alive */
	uint32_t *slots;           /* [2 * cap]: 1 + index of an entry, 0 is free */
	size_t cap;                /* a power of two, or 0 */
	size_t used;
	size_t count;
};

static uint64_t map_seed[2];
static pthread_once_t map_seed_once = PTHREAD_ONCE_INIT;

/* ---- hash ---------------------------------------------------------------- */

static bool map_seed_from_system(void)
{
#ifdef HAVE_GETRANDOM
	return getrandom(map_seed, sizeof(map_seed), 0) == (ssize_t)sizeof(map_seed);
#else
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	bool ok = fd >= 0 && read(fd, map_seed, sizeof(map_seed)) == (ssize_t)sizeof(map_seed);

	if (fd >= 0)
		close(fd);
	return ok;
#endif
}

static void map_seed_init(void)
{
	struct timespec ts;

	if (map_seed_from_system())
		return;
	/* Guessable, but the program lives. */
	clock_gettime(CLOCK_MONOTONIC, &ts);
	map_seed[0] = (uint64_t)ts.tv_nsec << 32 ^ (uint64_t)ts.tv_sec;
	map_seed[1] = (uint64_t)(uintptr_t)&ts ^ (uint64_t)getpid();
}

static inline uint64_t map_rotl(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

static inline void map_sip_round(uint64_t v[4])
{
	v[0] += v[1];
	v[1] = map_rotl(v[1], 13) ^ v[0];
	v[0] = map_rotl(v[0], 32);
	v[2] += v[3];
	v[3] = map_rotl(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = map_rotl(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = map_rotl(v[1], 17) ^ v[2];
	v[2] = map_rotl(v[2], 32);
}

static void map_sip_word(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	map_sip_round(v);
	v[0] ^= word;
}

static uint64_t map_hash(const char *key, size_t n)
{
	uint64_t v[4] = {
		map_seed[0] ^ 0x736f6d6570736575u, map_seed[1] ^ 0x646f72616e646f6du,
		map_seed[0] ^ 0x6c7967656e657261u, map_seed[1] ^ 0x7465646279746573u,
	};
	uint64_t word;
	size_t i;

	for (i = 0; i + 8 <= n; i += 8) {
		memcpy(&word, key + i, 8);
		map_sip_word(v, word);
	}
	word = 0;
	memcpy(&word, key + i, n - i);
	map_sip_word(v, word ^ (uint64_t)n << 56);
	v[2] ^= 0xff;
	for (i = 0; i < 3; i++)
		map_sip_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* ---- table --------------------------------------------------------------- */

static void map_link(struct map *mp, size_t entry)
{
	size_t mask = 2 * mp->cap - 1;
	size_t at = mp->entries[entry].hash & mask;

	while (mp->slots[at])
		at = (at + 1) & mask;
	mp->slots[at] = (uint32_t)entry + 1;
}

/* Moves what is alive together. Order stays. */
static void map_squeeze(struct map *mp)
{
	size_t to = 0;

	for (size_t i = 0; i < mp->used; i++)
		if (mp->entries[i].key)
			mp->entries[to++] = mp->entries[i];
	mp->used = to;
}

/* Called when the array is full: frees the places of the dead, and doubles
 * it unless that won back a half. */
static void map_make_room(struct map *mp)
{
	size_t cap = mp->cap;

	map_squeeze(mp);
	if (mp->count >= cap / 2)
		cap = cap ? cap * 2 : MAP_FIRST_ENTRIES;
	assert(cap <= UINT32_MAX / 2);
	mp->entries = mem_realloc_array(mp->entries, cap, sizeof(*mp->entries));
	mem_free(&mp->slots);
	mp->slots = mem_array(2 * cap, sizeof(*mp->slots));
	mp->cap = cap;
	for (size_t i = 0; i < mp->used; i++)
		map_link(mp, i);
}

static struct map_entry *map_lookup(const struct map *mp, const char *key, uint64_t hash)
{
	size_t mask = 2 * mp->cap - 1;

	if (mp->count == 0)
		return NULL;
	for (size_t at = hash & mask; mp->slots[at]; at = (at + 1) & mask) {
		struct map_entry *entry = &mp->entries[mp->slots[at] - 1];

		if (entry->hash == hash && entry->key && strcmp(entry->key, key) == 0)
			return entry;
	}
	return NULL;
}

static void map_append(struct map *mp, const char *key, size_t n, uint64_t hash, void *value)
{
	struct map_entry *entry;

	if (mp->used == mp->cap)
		map_make_room(mp);
	entry = &mp->entries[mp->used];
	entry->key = mem_dup(key, n + 1);
	entry->value = value;
	entry->hash = hash;
	map_link(mp, mp->used);
	mp->used++;
	mp->count++;
}

/* ---- public -------------------------------------------------------------- */

struct map *map_new(void)
{
	pthread_once(&map_seed_once, map_seed_init);
	return mem_zalloc(sizeof(struct map));
}

void map_free(struct map **pp, void (*free_value)(void *value))
{
	struct map *mp = *pp;

	if (!mp)
		return;
	map_clear(mp, free_value);
	mem_free(&mp->entries);
	mem_free(&mp->slots);
	mem_free(pp);
}

size_t map_count(const struct map *mp)
{
	return mp->count;
}

void *map_find(const struct map *mp, const char *key)
{
	struct map_entry *entry = map_lookup(mp, key, map_hash(key, strlen(key)));

	return entry ? entry->value : NULL;
}

void *map_set(struct map *mp, const char *key, void *value)
{
	size_t n = strlen(key);
	uint64_t hash = map_hash(key, n);
	struct map_entry *entry = map_lookup(mp, key, hash);
	void *before;

	assert(value);
	if (!entry) {
		map_append(mp, key, n, hash, value);
		return NULL;
	}
	before = entry->value;
	entry->value = value;
	return before;
}

void *map_remove(struct map *mp, const char *key)
{
	struct map_entry *entry = map_lookup(mp, key, map_hash(key, strlen(key)));
	void *value;

	if (!entry)
		return NULL;
	value = entry->value;
	mem_free(&entry->key);
	entry->value = NULL;
	mp->count--;
	return value;
}

void map_clear(struct map *mp, void (*free_value)(void *value))
{
	for (size_t i = 0; i < mp->used; i++) {
		struct map_entry *entry = &mp->entries[i];

		if (!entry->key)
			continue;
		mem_free(&entry->key);
		if (free_value)
			free_value(entry->value);
	}
	mp->used = 0;
	mp->count = 0;
	if (mp->slots)
		memset(mp->slots, 0, 2 * mp->cap * sizeof(*mp->slots));
}

struct map_iter map_iter(const struct map *mp)
{
	return (struct map_iter){ .mp = mp, .at = 0 };
}

bool map_next(struct map_iter *it, const char **key, void **value)
{
	const struct map *mp = it->mp;

	while (it->at < mp->used) {
		const struct map_entry *entry = &mp->entries[it->at++];

		if (!entry->key)
			continue;
		if (key)
			*key = entry->key;
		if (value)
			*value = entry->value;
		return true;
	}
	return false;
}
