/* SPDX-License-Identifier: Apache-2.0 */
#include "view/vm_record.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cluster.h"
#include "core/command.h"
#include "core/outcome.h"
#include "view/finding_text.h"
#include "view/page.h"

enum { VM_RECORD_MAGIC = 0x766d7264 };

enum { LABEL_COLUMNS = 8 };

struct vm_record {
	uint32_t magic;
	const struct cluster *cl;
	uint64_t id;            /* 0: of no record */
	wall_ms now;
	struct page page;
};

/* ---- rows --------------------------------------------------------------------------------------- */

static void push_text(struct vm_record *vm, const char *label, const char *s)
{
	page_text(&vm->page, label, s, CELL_NORMAL);
}

static const char *moment(struct vm_record *vm, wall_ms at)
{
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];

	return arena_printf(vm->page.text, "%s (%s)", units_moment(a, at, vm->now), units_rfc3339(b, at));
}

static const char *or_unknown(const char *s)
{
	return s != NULL && *s ? s : "not known";
}

static void push_head(struct vm_record *vm, const struct record *re)
{
	const struct record_who *who = &re->who;
	char uid[32] = "uid not known";

	if (who->uid >= 0)
		str_printf(uid, sizeof(uid), "uid %lld", (long long)who->uid);
	push_text(vm, "When", moment(vm, re->at));
	push_text(vm, "Who", arena_printf(vm->page.text, "%s (%s) on %s%s%s%s%s", or_unknown(who->login), uid, or_unknown(who->host),
					  who->ssh_client != NULL ? ", from " : "", who->ssh_client != NULL ? who->ssh_client : "",
					  who->tty != NULL ? ", on " : "", who->tty != NULL ? who->tty : ""));
	push_text(vm, "By", arena_printf(vm->page.text, "%s, process %lld, %s", or_unknown(who->version), (long long)who->pid, or_unknown(re->mode)));
	push_text(vm, "Cluster", arena_printf(vm->page.text, "%s, by %s", or_unknown(re->cluster_id), or_unknown(re->zookeeper)));
	push_text(vm, "Command", arena_printf(vm->page.text, "%s, level %d", or_unknown(re->command), re->danger));
	push_text(vm, "Effect", re->effect);
	push_text(vm, "Pattern", re->pattern);
	push_text(vm, "Request", re->request);
	push_text(vm, "Way", re->way);
	if (re->phase == RECORD_REFUSED)
		page_text_keyed(&vm->page, "", "Refused", or_unknown(re->text), CELL_WRONG);
}

/* The record tells severities by name, and not for which brokers a topic would wait: what is said in the same words stands once. */
static enum severity severity_of(const char *name)
{
	for (enum severity sv = SEVERITY_INFO; name != NULL && sv < SEVERITY_ERROR; sv++)
		if (strcmp(name, severity_name(sv)) == 0)
			return sv;
	return SEVERITY_ERROR;
}

static void push_groups(struct vm_record *vm, const struct record *re, const struct finding *v)
{
	size_t n;
	struct finding_group *groups = finding_groups(v, re->n_findings, &n);
	struct strbuf text;

	strbuf_init(&text);
	for (size_t i = 0; i < n; i++) {
		strbuf_clear(&text);
		strbuf_printf(&text, "%s: ", or_unknown(re->findings[groups[i].first - v].severity));
		finding_group_text(&groups[i], &text);
		page_text_keyed(&vm->page, "", i == 0 ? "Shown" : "", text.s, CELL_NORMAL);
	}
	strbuf_fini(&text);
	mem_free(&groups);
}

static void push_findings(struct vm_record *vm, const struct record *re)
{
	struct finding *v = mem_array(re->n_findings + 1, sizeof(*v));

	for (size_t i = 0; i < re->n_findings; i++) {
		const struct record_finding *fi = &re->findings[i];

		v[i] = (struct finding){
			.severity = severity_of(fi->severity), .kind = or_unknown(fi->kind), .topic = fi->topic, .text = (char *)(uintptr_t)or_unknown(fi->text),
		};
	}
	push_groups(vm, re, v);
	mem_free(&v);
}

/* ---- what came of it -------------------------------------------------------------------------------- */

/* What the cluster says of a topic whose outcome is not known; NULL: nothing can be said. */
static const char *now_of(const struct vm_record *vm, const struct record *re, const struct record_item *it)
{
	const struct cluster *cl = vm->cl;
	const struct topic *tp;

	if (re->cluster_id == NULL || cl->cluster_id == NULL || strcmp(re->cluster_id, cl->cluster_id) != 0 || cluster_is_stale(cl) || *it->topic == '\0')
		return NULL;
	tp = cluster_topic_find(cl, it->topic);
	if (tp == NULL)
		return "now: it is gone, so it was taken";
	if (it->czxid != 0 && tp->czxid != 0 && tp->czxid != it->czxid)
		return "now: another topic has its name, so it was taken";
	return tp->deleting ? "now: it is queued for deletion" : "now: it is there and not queued, so it was not taken, or not yet";
}

/* The same of one that was queued: that it is gone by now; NULL otherwise. */
static const char *gone_of(const struct vm_record *vm, const struct record *re, const struct record_item *it)
{
	const struct cluster *cl = vm->cl;
	const struct topic *tp;

	if (now_of(vm, re, it) == NULL || cl->topics_fact.know != KNOW_PRESENT || cl->topics_fact.source != SOURCE_ZOOKEEPER)
		return NULL;
	tp = cluster_topic_find(cl, it->topic);
	return tp == NULL ? "now gone" : it->czxid != 0 && tp->czxid != 0 && tp->czxid != it->czxid ? "now gone; another topic has its name" : NULL;
}

static void push_item(struct vm_record *vm, const struct record *re, const struct record_item *it, const char *label)
{
	static const char *const words[] = { [OUTCOME_DONE] = "queued", [OUTCOME_REFUSED] = "refused", [OUTCOME_UNKNOWN] = "OUTCOME UNKNOWN" };
	bool is_unknown = it->outcome == RECORD_NO_OUTCOME || it->outcome == OUTCOME_UNKNOWN;
	const char *word = is_unknown ? "OUTCOME UNKNOWN" : *it->topic == '\0' && it->outcome == OUTCOME_DONE ? "taken" : words[it->outcome];
	const char *now = is_unknown ? now_of(vm, re, it) : it->outcome == OUTCOME_DONE ? gone_of(vm, re, it) : NULL;
	struct strbuf out;

	strbuf_init(&out);
	strbuf_printf(&out, "%s%s", it->topic, *it->topic ? ": " : "");
	if (it->text == NULL || !str_starts(it->text, word)) /* "queued for deletion" has the word */
		strbuf_printf(&out, "%s%s", word, it->text != NULL ? ": " : "");
	strbuf_put(&out, it->text != NULL ? it->text : "");
	if (it->kafka_error != 0)
		strbuf_printf(&out, " (error %d)", it->kafka_error);
	if (now != NULL)
		strbuf_printf(&out, "%s %s", is_unknown ? ";" : ",", now);
	page_text_keyed(&vm->page, *it->topic ? arena_printf(vm->page.text, "topic:%s", it->topic) : "", label, arena_strdup(vm->page.text, out.s),
		   is_unknown ? CELL_WRONG : CELL_NORMAL);
	strbuf_fini(&out);
}

static void push_outcome(struct vm_record *vm, const struct record *re)
{
	push_text(vm, "Outcome", arena_printf(vm->page.text, "%s%s", moment(vm, re->at), re->broker == BROKER_NONE ? "" : arena_printf(vm->page.text, ", by broker %d", re->broker)));
	for (size_t i = 0; i < re->n_items; i++)
		push_item(vm, re, &re->items[i], "");
}

static void push_refused_topics(struct vm_record *vm, const struct record *re)
{
	for (size_t i = 0; i < re->n_items; i++)
		if (*re->items[i].topic)
			page_row(&vm->page, arena_printf(vm->page.text, "topic:%s", re->items[i].topic), i == 0 ? "Topics" : "", arena_strdup(vm->page.text, re->items[i].topic), CELL_NORMAL);
}

/* How to find out. */
static void push_open(struct vm_record *vm, const struct record *in, const struct journal_facts *jf)
{
	bool is_running = jf->running == in->id;

	if (!is_running && jf->is_elsewhere != NULL && jf->is_elsewhere(in, vm->now)) {
		page_text_keyed(&vm->page, "", "Outcome", arena_printf(vm->page.text, "It is being carried out by process %lld on this host: what has no outcome yet is waited for there.",
								       (long long)in->who.pid), CELL_BUSY);
		return;
	}
	if (is_running) {
		page_text_keyed(&vm->page, "", "Outcome", "It is being carried out by this console: what has no outcome yet is waited for.", CELL_BUSY);
		return;
	}
	page_text_keyed(&vm->page, "", "Unknown", arena_printf(vm->page.text, "What came of %zu of %zu is not written down: it was sent, or was about to be, and the console ended or lost the answer.",
						  intent_n_open(in), in->n_items), CELL_WRONG);
	push_text(vm, "", "To find out: a topic that is gone, or queued for deletion, was taken. One that is still there and not queued may be "
		  "asked for again ten minutes after the request, or once the controller epoch is another: before that a broker may still read it. "
		  "Nothing is asked again by itself.");
	for (size_t i = 0; i < in->n_items; i++)
		if (in->items[i].outcome == RECORD_NO_OUTCOME)
			push_item(vm, in, &in->items[i], "");
}

static void make_rows(struct vm_record *vm, const struct journal_facts *jf)
{
	char id[RECORD_ID_MAX];
	size_t n = 0;

	page_begin(&vm->page);
	for (size_t i = 0; i < jf->n; i++) {
		const struct record *re = jf->records[i];

		if (re->id != vm->id)
			continue;
		if (n++ == 0) {
			const struct record *open = intents_find(jf->open, re->id);

			push_head(vm, re);
			push_findings(vm, re);
			if (open != NULL)
				push_open(vm, open, jf);
		}
		if (re->phase == RECORD_OUTCOME)
			push_outcome(vm, re);
		else if (re->phase == RECORD_REFUSED)
			push_refused_topics(vm, re);
		else if (re->phase == RECORD_NOTE)
			push_text(vm, "Note", arena_printf(vm->page.text, "%s: %s", moment(vm, re->at), or_unknown(re->text)));
	}
	page_end(&vm->page);
	str_printf(vm->page.tb.title, sizeof(vm->page.tb.title), "Record %s", record_id_text(id, vm->id));
}

/* As record_id_text writes it. */
static uint64_t id_of(const char *text)
{
	uint64_t id = 0;

	if (strlen(text) != RECORD_ID_MAX - 1 || strspn(text, "0123456789abcdef") != RECORD_ID_MAX - 1)
		return 0;
	for (; *text; text++)
		id = id << 4 | (uint64_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
	return id;
}

/* ---- life ------------------------------------------------------------------------------------------------- */

struct vm_record *vm_record_new(const struct cluster *cl, const char *id)
{
	struct vm_record *vm = mem_zalloc(sizeof(*vm));

	vm->magic = VM_RECORD_MAGIC;
	vm->cl = cl;
	vm->id = id_of(id);
	page_init(&vm->page, LABEL_COLUMNS);
	str_printf(vm->page.tb.empty, sizeof(vm->page.tb.empty), "there is no such record in the journal now");
	return vm;
}

void vm_record_free(struct vm_record **pp)
{
	struct vm_record *vm = *pp;

	if (!vm)
		return;
	assert(vm->magic == VM_RECORD_MAGIC);
	vm->magic = 0;
	page_fini(&vm->page);
	mem_free(pp);
}

void vm_record_resize(struct vm_record *vm, int width)
{
	vm->page.width = width;
}

bool vm_record_update(struct vm_record *vm, const struct journal_facts *jf, wall_ms now)
{
	vm->now = now;
	make_rows(vm, jf);
	return true;
}

const struct table *vm_record_table(const struct vm_record *vm)
{
	return &vm->page.tb;
}
