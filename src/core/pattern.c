/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A topic pattern goes three ways: prepared as Kafka does (kafka.utils.TopicFilter),
 * written anew so that Java and PCRE2 read it alike (pattern_read.c), compiled.
 */
#include "core/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/pattern_read.h"

enum {
	/* A plain pattern takes some hundred steps for one name. A hopeless one is ended within a
	 * few ms; the last two limits are for matching without JIT, which is some ten times slower. */
	MATCH_LIMIT_JIT = 500000,
	MATCH_LIMIT = 50000,
	DEPTH_LIMIT = 10000,
	HEAP_LIMIT_KIB = 8192,
	JIT_STACK_MIN_BYTES = 32 * 1024,
	JIT_STACK_MAX_BYTES = 512 * 1024
};

struct pattern {
	char *prepared;
	pcre2_code *code;
	pcre2_match_data *match_data;
	pcre2_match_context *limits;
	pcre2_jit_stack *jit_stack; /* NULL without JIT */
};

/* ---- preparing ------------------------------------------------------------ */

static bool is_quote(char c)
{
	return c == '"' || c == '\'';
}

/* trim, comma to bar, no blanks, no quotes round it: in this order. */
static char *prepare(const char *typed)
{
	size_t n = strlen(typed), from = 0;
	struct strbuf sb;
	char *prepared;

	while (n > 0 && (unsigned char)typed[n - 1] <= ' ')
		n--;
	while (from < n && (unsigned char)typed[from] <= ' ')
		from++;
	strbuf_init(&sb);
	for (; from < n; from++)
		if (typed[from] != ' ')
			strbuf_putc(&sb, typed[from] == ',' ? '|' : typed[from]);
	for (from = 0; from < sb.len && is_quote(sb.s[from]); from++)
		;
	for (n = sb.len; n > from && is_quote(sb.s[n - 1]); n--)
		;
	prepared = mem_strndup(sb.s + from, n - from);
	strbuf_fini(&sb);
	return prepared;
}

/* ---- compiling and matching ----------------------------------------------- */

static bool compile(struct pattern *pn, const struct strbuf *text, struct err *err)
{
	/* Two optimizations of 10.42 are off, for they lose matches: (?=B)(?i:|a)B does not
	 * match "B" with the one, _?(?>|c). not "_" with the other. */
	const uint32_t options = PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_NEVER_BACKSLASH_C |
				 PCRE2_NEVER_UTF | PCRE2_NEVER_UCP | PCRE2_NO_START_OPTIMIZE |
				 PCRE2_NO_AUTO_POSSESS;
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	PCRE2_UCHAR why[128];
	PCRE2_SIZE at;
	int code;

	assert(context);
	pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
	pn->code = pcre2_compile((PCRE2_SPTR)text->s, text->len, options, &code, &at, context);
	pcre2_compile_context_free(context);
	if (pn->code)
		return true;
	pcre2_get_error_message(code, why, sizeof(why));
	return err_set(err, ERR_USAGE, "pattern \"%.80s%s\": %s", pn->prepared,
		       strlen(pn->prepared) > 80 ? "..." : "", (const char *)why);
}

static void make_ready(struct pattern *pn)
{
	pn->match_data = pcre2_match_data_create(1, NULL);
	pn->limits = pcre2_match_context_create(NULL);
	assert(pn->match_data && pn->limits);
	pcre2_set_match_limit(pn->limits, MATCH_LIMIT);
	pcre2_set_depth_limit(pn->limits, DEPTH_LIMIT);
	pcre2_set_heap_limit(pn->limits, HEAP_LIMIT_KIB);
	if (pcre2_jit_compile(pn->code, PCRE2_JIT_COMPLETE) != 0)
		return; /* not built in, or refused by the system: it works without */
	pn->jit_stack = pcre2_jit_stack_create(JIT_STACK_MIN_BYTES, JIT_STACK_MAX_BYTES, NULL);
	assert(pn->jit_stack);
	pcre2_set_match_limit(pn->limits, MATCH_LIMIT_JIT);
	pcre2_jit_stack_assign(pn->limits, NULL, pn->jit_stack);
}

struct pattern *pattern_new(const char *typed, struct err *err)
{
	struct err why;
	struct strbuf text;
	struct pattern *pn;
	bool ok;

	if (strlen(typed) > PATTERN_MAX_BYTES) {
		err_set(err, ERR_LIMIT, "a pattern of %zu bytes, the limit is %d", strlen(typed),
			PATTERN_MAX_BYTES);
		return NULL;
	}
	err_init(&why);
	pn = mem_zalloc(sizeof(*pn));
	pn->prepared = prepare(typed);
	strbuf_init(&text);
	ok = pattern_rewrite(pn->prepared, &text, &why) && compile(pn, &text, &why);
	strbuf_fini(&text);
	if (ok) {
		make_ready(pn);
	} else {
		err_set(err, why.code, "%s", why.text);
		pattern_free(&pn);
	}
	return pn;
}

void pattern_free(struct pattern **pp)
{
	struct pattern *pn = *pp;

	if (!pn)
		return;
	pcre2_jit_stack_free(pn->jit_stack);
	pcre2_match_context_free(pn->limits);
	pcre2_match_data_free(pn->match_data);
	pcre2_code_free(pn->code);
	mem_free(&pn->prepared);
	mem_free(pp);
}

const char *pattern_prepared(const struct pattern *pn)
{
	return pn->prepared;
}

enum pattern_match pattern_test(struct pattern *pn, const char *name, struct err *err)
{
	PCRE2_UCHAR why[128];
	int rc = pcre2_match(pn->code, (PCRE2_SPTR)name, strlen(name), 0, 0, pn->match_data, pn->limits);

	if (rc >= 0)
		return PATTERN_YES;
	if (rc == PCRE2_ERROR_NOMATCH)
		return PATTERN_NO;
	pcre2_get_error_message(rc, why, sizeof(why));
	err_set(err, ERR_LIMIT, "pattern \"%.80s\" is too complex for the name \"%.80s\": %s",
		pn->prepared, name, (const char *)why);
	return PATTERN_GAVE_UP;
}
