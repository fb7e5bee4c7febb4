/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of io/memory share, and nobody else: the text of the file. Pure. */
#ifndef IO_MEMORY_PARTS_H
#define IO_MEMORY_PARTS_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct strbuf;
struct witness;

struct witness_list {
	struct witness **v;
	size_t n;
};
void witness_list_fini(struct witness_list *l);

/*
 * Version 1: {"kafops_memory":1,"cluster":"...","deletions":[
 * one object a line
 * ]}
 * Times are milliseconds since 1970, missing where not known; names that are no UTF-8 stand base64 as "topic64", "dir64".
 */
void memory_text(struct strbuf *out, const char *cluster_id, const struct witness_list *l, size_t max_bytes);
/* ERR_FORMAT, ERR_LIMIT: it is none of ours, or damaged; ERR_UNSUPPORTED: of a newer version. `out` then is empty. */
bool memory_parse(const char *text, size_t n, const char *cluster_id, struct witness_list *out, struct err *err) __attribute__((warn_unused_result));

#endif
