/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Java property files, read as java.util.Properties.load(InputStream) reads
 * them (JDK 17), which is how Kafka's tools read theirs (Utils.loadProps).
 *
 * The one difference is on purpose. Java takes every byte for ISO-8859-1, so
 * that an e acute typed in a UTF-8 editor becomes two characters. Here an input
 * that is valid UTF-8 as a whole is taken as such, else as ISO-8859-1;
 * `encoding` says which it was and `is_raw` which entries it concerns. A byte
 * order mark at the start is skipped.
 * Refused though Java takes it: a NUL, and half a surrogate pair, for neither
 * has a form in UTF-8 strings.
 *
 * Every value is treated as a secret, for which ones are is known only later.
 * No error quotes the input.
 * Thread: any (pure); a struct properties belongs to its owner.
 */
#ifndef CORE_PROPERTIES_H
#define CORE_PROPERTIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/secret.h"

struct err;
struct map;

enum {
	PROPERTIES_INPUT_MAX_BYTES = 1024 * 1024,
	PROPERTIES_ENTRIES_MAX = 4096,
	PROPERTIES_KEY_MAX = 512 /* bytes of a key */
};

enum properties_encoding { PROPERTIES_ASCII, PROPERTIES_UTF8, PROPERTIES_LATIN1 };

/* A place in the input, both from 1. Lines are those an editor counts (LF, CR or CR LF ends one);
 * a column counts characters, not bytes, a tab as one. */
struct properties_place {
	uint32_t line;
	uint32_t column;
};

#define PROPERTIES_NONE SIZE_MAX

struct property {
	char *key;                        /* UTF-8, may be empty ("=value") */
	struct secret value;              /* UTF-8, always set, no NUL within */
	struct properties_place key_at;
	struct properties_place value_at; /* of its first character; where it would stand when it is empty */
	bool is_raw;                      /* key or value hold a character past ASCII that is not written as \uXXXX */
	size_t later;                     /* index of the next entry with this key, which wins over this one; else PROPERTIES_NONE */
};

struct properties {
	struct property *v;               /* in order of the input, those that are overridden too */
	size_t n;
	enum properties_encoding encoding;
	bool has_bom;
	struct map *last;                 /* key to the last entry of that key */
};

/* Reads data[0..n). ERR_FORMAT and ERR_LIMIT name line and column. On failure `out` holds nothing.
 * `data` stays the caller's, and so does wiping it. */
bool properties_read(const char *data, size_t n, struct properties *out, struct err *err)
	__attribute__((warn_unused_result));
void properties_fini(struct properties *pp);

/* The entry that counts for `key` (the last one), NULL when there is none. Borrowed from `pp`. */
const struct property *properties_find(const struct properties *pp, const char *key);

#endif
