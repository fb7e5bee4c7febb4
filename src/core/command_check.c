/* SPDX-License-Identifier: Apache-2.0 */
/* All that is found when a command is checked, in order, with a digest by which two checks are compared. The rules: command_check_*.c. */
#include <stdarg.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/command_parts.h"

/* FNV-1a. Nobody gains by making two checks look alike: the facts are looked at again by the brokers. */
static const uint64_t hash_start = 14695981039346656037u;

static uint64_t hash_bytes(uint64_t h, const void *data, size_t n)
{
	const unsigned char *s = data;

	for (size_t i = 0; i < n; i++)
		h = (h ^ s[i]) * 1099511628211u;
	return h;
}

static uint64_t hash_text(uint64_t h, const char *s)
{
	return s != NULL ? hash_bytes(h, s, strlen(s) + 1) : hash_bytes(h, "", 1);
}

static struct finding *push(struct check *ck, enum severity sv, const char *kind, const char *topic, const char *fmt, va_list ap)
	__attribute__((format(printf, 5, 0)));
static struct finding *push(struct check *ck, enum severity sv, const char *kind, const char *topic, const char *fmt, va_list ap)
{
	struct findings *fs = ck->out;
	struct finding *fi;
	struct strbuf text;

	strbuf_init(&text);
	strbuf_vprintf(&text, fmt, ap);
	fs->v = mem_realloc_array(fs->v, fs->n + 1, sizeof(*fs->v));
	fi = &fs->v[fs->n++];
	*fi = (struct finding){
		.severity = sv, .kind = kind, .topic = topic != NULL ? mem_strdup(topic) : NULL, .text = strbuf_take(&text),
	};
	strbuf_fini(&text);
	fs->n_errors += sv == SEVERITY_ERROR;
	fs->n_warnings += sv == SEVERITY_WARNING;
	fi->digest = hash_text(hash_text(hash_bytes(hash_start, &(uint8_t){ (uint8_t)sv }, 1), kind), topic);
	return fi;
}

void check_say(struct check *ck, enum severity sv, const char *kind, const char *topic, const char *fmt, ...)
{
	struct finding *fi;
	va_list ap;

	va_start(ap, fmt);
	fi = push(ck, sv, kind, topic, fmt, ap);
	va_end(ap);
	fi->digest = hash_text(fi->digest, fi->text);
}

void check_say_where(struct check *ck, struct ids *brokers, size_t n_replicas)
{
	struct finding *fi = &ck->out->v[ck->out->n - 1];

	fi->brokers = *brokers;
	fi->n_replicas = n_replicas;
	*brokers = (struct ids){ NULL, 0 };
}

void check_mention(struct check *ck, enum severity sv, const char *kind, const char *topic, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	push(ck, sv, kind, topic, fmt, ap);
	va_end(ap);
}

void check_put_ids(struct strbuf *out, const struct ids *l)
{
	enum { SHOWN_MAX = 8 };

	for (uint32_t i = 0; i < l->n && i < SHOWN_MAX; i++)
		strbuf_printf(out, "%s%d", i > 0 ? ", " : "", (int)l->v[i]);
	if (l->n > SHOWN_MAX)
		strbuf_printf(out, " and %u more", (unsigned)(l->n - SHOWN_MAX));
}

static int finding_cmp(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;
	int by_topic;

	if (x->severity != y->severity)
		return x->severity > y->severity ? -1 : 1;
	if (x->topic == NULL || y->topic == NULL)
		by_topic = (x->topic != NULL) - (y->topic != NULL);
	else
		by_topic = topic_name_cmp(x->topic, y->topic);
	if (by_topic != 0)
		return by_topic;
	return strcmp(x->kind, y->kind);
}

static uint64_t hash_command(const struct command *cm)
{
	uint64_t h = hash_bytes(hash_start, &cm->kind, sizeof(cm->kind));

	h = hash_bytes(h, &cm->controller_czxid, sizeof(cm->controller_czxid));
	for (size_t i = 0; i < cm->n_topics; i++) {
		h = hash_text(h, cm->topics[i].name);
		h = hash_bytes(h, &cm->topics[i].czxid, sizeof(cm->topics[i].czxid));
	}
	return h;
}

void command_check(const struct command *cm, const struct cluster *cl, const struct deletions *ds, const struct policy *po,
	const struct appraisal *ap, wall_ms now, struct findings *out)
{
	static const struct appraisal nobody_asked;
	struct check ck = {
		.cm = cm, .cl = cl, .ds = ds, .po = po, .ap = ap != NULL ? ap : &nobody_asked, .now = now, .is_appraised = ap != NULL, .out = out,
	};

	memset(out, 0, sizeof(*out));
	check_cluster(&ck);
	check_topics(&ck);
	if (out->n > 1)
		qsort(out->v, out->n, sizeof(*out->v), finding_cmp);
	out->digest = hash_command(cm);
	for (size_t i = 0; i < out->n; i++)
		out->digest = hash_bytes(out->digest, &out->v[i].digest, sizeof(out->v[i].digest));
}

void findings_fini(struct findings *fs)
{
	for (size_t i = 0; i < fs->n; i++) {
		mem_free(&fs->v[i].topic);
		mem_free(&fs->v[i].text);
		ids_fini(&fs->v[i].brokers);
	}
	mem_free(&fs->v);
	memset(fs, 0, sizeof(*fs));
}

const struct finding *findings_find(const struct findings *fs, const char *kind, const char *topic)
{
	for (size_t i = 0; i < fs->n; i++) {
		const struct finding *fi = &fs->v[i];

		if (strcmp(fi->kind, kind) == 0 && (topic != NULL ? fi->topic != NULL && strcmp(fi->topic, topic) == 0 : fi->topic == NULL))
			return fi;
	}
	return NULL;
}

const char *severity_name(enum severity sv)
{
	static const char *const names[] = { [SEVERITY_INFO] = "info", [SEVERITY_WARNING] = "warning", [SEVERITY_ERROR] = "error" };

	return names[sv];
}
