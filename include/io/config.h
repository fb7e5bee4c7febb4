/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file of profiles, $XDG_CONFIG_HOME/kafops/config: how each cluster is reached, and what may be done there. kafops-config(5)
 * describes it for operators.
 *
 *   # a comment
 *   [profile prod-eu]
 *   zookeeper = zk1:2181,zk2:2181/kafka     # also behind a value, after a blank
 *   protected = "gold\..*"                  # quotes keep blanks and #
 *
 * The whole file is read, and an error in any profile is one: a slip in a section's name would give its keys to another.
 * Errors read "FILE: line 3, column 1: ...". A file's name in a value may begin with ~/, and else is looked for beside the file itself.
 * Thread: any (config_parse and what takes a struct config are pure).
 */
#ifndef IO_CONFIG_H
#define IO_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct policy;

enum { CONFIG_MAX_BYTES = 256 * 1024, CONFIG_PROFILES_MAX = 1000, CONFIG_NAME_MAX = 32, CONFIG_VALUE_MAX = 4096, CONFIG_PATTERNS_MAX = 256 };

struct config_value {
	const char *key;       /* static */
	char *text;            /* printable UTF-8, not empty */
	char *place;           /* "FILE:3", to say where it came from */
	unsigned line, column; /* of the value */
};

/* One profile of a file. */
struct config {
	char *file;
	char *profile;
	struct config_value *v; /* in the file's order */
	size_t n;
	char **names;           /* all profiles of the file, in its order */
	size_t n_names;
	bool others_may_read, others_may_write;
};

/* Reads the file; `profile` NULL: only the names. ERR_NOT_FOUND: there is no such file, or profile; its names are told. On failure
 * `out` holds nothing. */
bool config_read(const char *file, const char *profile, struct config *out, struct err *err) __attribute__((warn_unused_result));
/* The same of data[0..n); `file` is its name, for messages and for files named beside it. */
bool config_parse(const char *data, size_t n, const char *file, const char *profile, struct config *out, struct err *err)
	__attribute__((warn_unused_result));
void config_fini(struct config *cf);

/* $XDG_CONFIG_HOME/kafops/config, else ~/.config/kafops/config; NULL where neither is known. mem_free() it. */
char *config_default_file(void);

/* The value of a key; NULL when the profile has none. The first, of `protected`. */
const struct config_value *config_find(const struct config *cf, const char *key);
/* Puts "FILE: line 3, column 8: KEY" before the text of an err about that value. Always false. */
bool config_wrap(const struct config *cf, const struct config_value *cv, struct err *err);
/* "yes" and "no" as a bool. */
bool config_yes(const struct config_value *cv);
/* The i-th key that there is and what it means, for the manual's check; NULL behind the last. */
const char *config_key(size_t i);

/* What the profile says of what may be done, into `po`, which is initialised: profile, cluster-id, protected, internal-by-hand, protected-by-hand,
 * many-topics, many-percent, group-topics, and operate. */
bool config_policy(const struct config *cf, struct policy *po, struct err *err) __attribute__((warn_unused_result));
/* The i-th thing about the file itself that the operator should know, a sentence; "" behind the last. */
void config_file_note(const struct config *cf, size_t i, char *out, size_t size);

#endif
