/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what was found to disagree, lets it ripen, sorts it. Where it is looked for: truths_poison.c, truths_words.c, truths_disks.c, truths_throttles.c. */
#include "core/truths.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/throttle.h"
#include "core/truths_parts.h"

/* A disagreement found: ripe ones are told. */
struct found {
	struct truth t;        /* first: what is handed out */
	enum truth_group group;
	mono_ms first;         /* when it was found, or began anew */
	mono_ms answer;        /* the last that said it */
	int32_t answers;
	dur_ms hold;
	bool is_ripe;
	bool is_seen;          /* in the look that goes on */
};

struct truths {
	struct map *by_key;    /* key -> struct found; owns them */
	const struct truth **list; /* the ripe ones, in order */
	size_t n, cap;
	struct storm storm;
	size_t n_idle;
	struct throttles_memo *throttles;
	bool is_frozen;        /* the data was stale at the last update */
	bool is_changed;       /* something told differs since the last update */
	mono_ms mono;          /* of this update */
	wall_ms now;
	int32_t controller;    /* as it was at the last update */
	wall_ms controller_since;
	int32_t controller_epoch;
};

/* ---- what is found -------------------------------------------------------------------------- */

static void found_free(void *p)
{
	struct found *fo = p;

	mem_free(&fo->t.key);
	mem_free(&fo->t.subject);
	mem_free(&fo->t.what);
	mem_free(&fo->t.topic);
	mem_free(&fo);
}

/* Names of topics can't hold a '/', as no znode's can; log dirs come last. */
static void put_key(struct strbuf *sb, const struct sighting *si)
{
	strbuf_printf(sb, "%d/%s/%d/%d/%s/%s", (int)si->kind, si->topic ? si->topic : "", si->partition, si->broker,
		si->key ? si->key : "", si->place ? si->place : "");
}

static void put_subject(struct strbuf *sb, const struct sighting *si)
{
	if (si->topic != NULL)
		strbuf_put(sb, si->topic);
	if (si->partition >= 0)
		strbuf_printf(sb, " %d", si->partition);
	if (si->broker != BROKER_NONE)
		strbuf_printf(sb, "%sbroker %d", sb->len > 0 ? " on " : "", si->broker);
	if (si->place != NULL)
		strbuf_printf(sb, "%s%s", sb->len > 0 ? ", " : "", si->place);
}

static struct found *found_new(struct truths *tr, const struct sighting *si, const char *key)
{
	struct found *fo = mem_zalloc(sizeof(*fo));
	struct strbuf subject;

	strbuf_init(&subject);
	put_subject(&subject, si);
	fo->t = (struct truth){
		.kind = si->kind, .is_poison = truth_rules[si->kind].is_poison && !si->is_harmless, .key = mem_strdup(key),
		.subject = strbuf_take(&subject), .broker = si->broker, .partition = si->partition,
		.topic = si->topic != NULL ? mem_strdup(si->topic) : NULL, .since = tr->now,
	};
	fo->group = truth_rules[si->kind].group;
	fo->first = tr->mono;
	map_set(tr->by_key, key, fo);
	return fo;
}

/* Takes `what`. */
static void set_what(struct truths *tr, struct found *fo, char *what)
{
	if (fo->t.what != NULL && strcmp(fo->t.what, what) == 0) {
		mem_free(&what);
		return;
	}
	mem_free(&fo->t.what);
	fo->t.what = what;
	tr->is_changed |= fo->is_ripe;
}

static void count_answer(struct found *fo, const struct sighting *si)
{
	if (si->answers > 0)
		fo->answers = si->answers;
	else if (si->answer.ms != 0 && si->answer.ms != fo->answer.ms)
		fo->answers++;
	fo->answer = si->answer;
}

void truths_see(struct truths *tr, const struct sighting *si, const char *fmt, ...)
{
	const struct truth_rule *rule = &truth_rules[si->kind];
	struct strbuf key, what;
	struct found *fo;
	va_list ap;

	strbuf_init(&key);
	put_key(&key, si);
	fo = map_find(tr->by_key, key.s);
	if (fo == NULL)
		fo = found_new(tr, si, key.s);
	strbuf_fini(&key);
	fo->is_seen = true;
	fo->hold = si->hold != 0 ? si->hold : rule->hold;
	if (si->since.ms != 0) {
		fo->t.since = si->since;
		fo->t.since_exact = si->since_exact;
	}
	fo->t.next = si->next != NULL ? si->next : rule->next;
	fo->t.mends = si->mends != NULL ? si->mends : rule->mends;
	count_answer(fo, si);
	strbuf_init(&what);
	va_start(ap, fmt);
	strbuf_vprintf(&what, fmt, ap);
	va_end(ap);
	set_what(tr, fo, strbuf_take(&what));
}

/* ---- ripening --------------------------------------------------------------------------------- */

static void begin_anew(struct truths *tr, struct found *fo)
{
	if (fo->is_ripe)
		return;
	fo->first = tr->mono;
	fo->answers = 0;
}

void truths_begin_anew(struct truths *tr, enum truth_kind kind)
{
	struct map_iter it = map_iter(tr->by_key);
	void *p;

	while (map_next(&it, NULL, &p))
		if (((struct found *)p)->t.kind == kind)
			begin_anew(tr, p);
}

static void all_begin_anew(struct truths *tr, bool by_controller)
{
	for (int k = 0; k < TRUTH_KINDS; k++)
		if (!by_controller || truth_rules[k].by_controller)
			truths_begin_anew(tr, (enum truth_kind)k);
}

static void ripen(struct truths *tr)
{
	struct map_iter it = map_iter(tr->by_key);
	void *p;

	while (map_next(&it, NULL, &p)) {
		struct found *fo = p;

		if (fo->is_ripe || mono_since(tr->mono, fo->first) < fo->hold || fo->answers < truth_rules[fo->t.kind].answers)
			continue;
		fo->is_ripe = true;
		tr->is_changed = true;
	}
}

/* ---- looking ------------------------------------------------------------------------------------- */

/* What each group hangs on. */
static const struct {
	uint32_t bits;
	void (*look)(const struct look *lo);
} groups[TRUTH_GROUPS] = {
	[GROUP_REASSIGN] = { CHG_REASSIGN | CHG_TOPIC | CHG_TOPICS | CHG_DELETIONS | CHG_METADATA | CHG_CLUSTER, look_reassign },
	[GROUP_CLUSTER] = { CHG_CLUSTER | CHG_METADATA | CHG_COUNTS | CHG_BROKERS, look_cluster },
	[GROUP_TOPICS] = { CHG_TOPIC | CHG_TOPICS | CHG_DELETIONS | CHG_METADATA | CHG_COUNTS | CHG_BROKERS | CHG_CLUSTER, look_topics },
	[GROUP_MOVES] = { CHG_TOPIC | CHG_TOPICS | CHG_DELETIONS | CHG_METADATA | CHG_CLUSTER, look_moves },
	[GROUP_NAMES] = { CHG_TOPICS | CHG_DELETIONS | CHG_METADATA | CHG_BROKERS | CHG_CLUSTER, look_names },
	[GROUP_DISKS] = { CHG_DISKS | CHG_TOPICS | CHG_DELETIONS | CHG_BROKERS, look_disks },
	[GROUP_THROTTLES] = { CHG_TOPIC | CHG_TOPICS | CHG_BROKERS | CHG_REASSIGN | CHG_DISKS | CHG_CLUSTER, look_throttles },
};

static void forget(struct truths *tr, struct found *fo)
{
	tr->is_changed |= fo->is_ripe;
	map_remove(tr->by_key, fo->t.key);
	found_free(fo);
}

static void look_group(const struct look *lo, enum truth_group group)
{
	struct map_iter it = map_iter(lo->tr->by_key);
	void *p;

	while (map_next(&it, NULL, &p))
		((struct found *)p)->is_seen = false;
	groups[group].look(lo);
	it = map_iter(lo->tr->by_key);
	while (map_next(&it, NULL, &p)) {
		struct found *fo = p;

		if (fo->group == group && !fo->is_seen)
			forget(lo->tr, fo);
	}
}

/* A new controller takes up what the one before left, and says its own. */
static void note_controller(struct truths *tr, const struct cluster *cl)
{
	if (tr->controller != cl->controller.broker || tr->controller_since.ms != cl->controller_since.ms ||
	    tr->controller_epoch != cl->controller_epoch)
		all_begin_anew(tr, true);
	tr->controller = cl->controller.broker;
	tr->controller_since = cl->controller_since;
	tr->controller_epoch = cl->controller_epoch;
}

/* ---- the list -------------------------------------------------------------------------------------- */

static int by_number(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int truth_cmp(const void *a, const void *b)
{
	const struct truth *p = *(const struct truth *const *)a, *q = *(const struct truth *const *)b;
	int by = q->is_poison - p->is_poison;

	if (by == 0)
		by = by_number(p->kind, q->kind);
	if (by == 0 && p->topic != NULL && q->topic != NULL)
		by = topic_name_cmp(p->topic, q->topic);
	if (by == 0)
		by = by_number(p->partition, q->partition);
	if (by == 0)
		by = by_number(p->broker, q->broker);
	return by != 0 ? by : strcmp(p->subject, q->subject);
}

static void relist(struct truths *tr)
{
	struct map_iter it = map_iter(tr->by_key);
	void *p;

	tr->n = 0;
	if (map_count(tr->by_key) > tr->cap) {
		tr->cap = map_count(tr->by_key) * 2;
		tr->list = mem_realloc_array(tr->list, tr->cap, sizeof(*tr->list));
	}
	while (map_next(&it, NULL, &p))
		if (((struct found *)p)->is_ripe)
			tr->list[tr->n++] = p;
	if (tr->n > 1)
		qsort(tr->list, tr->n, sizeof(*tr->list), truth_cmp);
}

/* ---- what others call ------------------------------------------------------------------------------- */

struct truths *truths_new(void)
{
	struct truths *tr = mem_zalloc(sizeof(*tr));

	tr->by_key = map_new();
	tr->throttles = mem_zalloc(sizeof(*tr->throttles));
	tr->is_frozen = true;
	tr->controller = BROKER_NONE;
	return tr;
}

void truths_free(struct truths **pp)
{
	if (*pp == NULL)
		return;
	map_free(&(*pp)->by_key, found_free);
	mem_free(&(*pp)->list);
	throttles_memo_fini((*pp)->throttles);
	mem_free(&(*pp)->throttles);
	mem_free(pp);
}

/* Nothing new can be known. What is told stands, unless all is forgotten (a trace that is wound back). */
static void freeze(struct truths *tr, const struct cluster *cl)
{
	tr->is_frozen = true;
	tr->storm = (struct storm){ .is_known = false };
	if (cl->loaded_once)
		return;
	tr->is_changed = tr->n > 0;
	map_clear(tr->by_key, found_free);
}

static void look_again(struct truths *tr, const struct cluster *cl, uint32_t bits)
{
	struct look lo = { tr, cl, tr->mono, tr->now, &tr->storm, &tr->n_idle };

	if (tr->is_frozen)
		all_begin_anew(tr, false);
	tr->is_frozen = false;
	note_controller(tr, cl);
	storm_note(&tr->storm, cl, tr->mono, tr->now);
	for (int g = 0; g < TRUTH_GROUPS; g++)
		if (bits & groups[g].bits)
			look_group(&lo, (enum truth_group)g);
	ripen(tr);
}

bool truths_update(struct truths *tr, const struct cluster *cl, const struct changes *ch, mono_ms mono, wall_ms now)
{
	mono_ms over = storm_end(&tr->storm);
	uint32_t bits = ch == NULL || tr->is_frozen ? ~(uint32_t)0 : ch->bits;

	tr->mono = mono;
	tr->now = now;
	tr->is_changed = false;
	if (over.ms != 0 && mono.ms >= over.ms)
		bits |= CHG_CLUSTER;
	if (cluster_is_stale(cl))
		freeze(tr, cl);
	else
		look_again(tr, cl, bits);
	if (tr->is_changed)
		relist(tr);
	return tr->is_changed;
}

static void sooner(dur_ms *wait, dur_ms d)
{
	if (*wait < 0 || d < *wait)
		*wait = d > 0 ? d : 0;
}

dur_ms truths_wait(const struct truths *tr, mono_ms mono)
{
	struct map_iter it = map_iter(tr->by_key);
	mono_ms over = storm_end(&tr->storm);
	dur_ms wait = -1;
	void *p;

	if (tr->is_frozen)
		return -1;
	while (map_next(&it, NULL, &p)) {
		const struct found *fo = p;

		if (!fo->is_ripe && fo->answers >= truth_rules[fo->t.kind].answers)
			sooner(&wait, fo->hold - mono_since(mono, fo->first));
	}
	if (over.ms != 0)
		sooner(&wait, mono_since(over, mono));
	return wait;
}

struct throttles_memo *truths_throttles(const struct truths *tr)
{
	return tr->throttles;
}

size_t truths_count(const struct truths *tr)
{
	return tr->n;
}

size_t truths_poison(const struct truths *tr)
{
	size_t n = 0;

	while (n < tr->n && tr->list[n]->is_poison)
		n++;
	return n;
}

const struct truth *truths_at(const struct truths *tr, size_t i)
{
	assert(i < tr->n);
	return tr->list[i];
}

const char *truth_kind_name(enum truth_kind kind)
{
	return truth_rules[kind].name;
}

/* ---- what the looks share ------------------------------------------------------------------------------ */

bool truths_zk_says(const struct cluster *cl, const struct fact *fact)
{
	return fact->source == SOURCE_ZOOKEEPER && fact->epoch == cl->epoch && (fact->know == KNOW_PRESENT || fact->know == KNOW_ABSENT);
}

bool truths_just_started(const struct look *lo, int32_t broker)
{
	const struct broker *br = cluster_broker_find(lo->cl, broker);

	return br == NULL || !br->up || lo->now.ms - br->since.ms < 60000;
}

char *truths_ids(char out[IDS_TEXT_MAX], const int32_t *v, size_t n)
{
	size_t len = 1;

	str_printf(out, IDS_TEXT_MAX, "[");
	for (size_t i = 0; i < n; i++) {
		if (len > IDS_TEXT_MAX - 20) {
			str_printf(out + len, IDS_TEXT_MAX - len, ",...");
			break;
		}
		str_printf(out + len, IDS_TEXT_MAX - len, "%s%d", i > 0 ? "," : "", v[i]);
		len = strlen(out);
	}
	str_printf(out + strlen(out), IDS_TEXT_MAX - strlen(out), "]");
	return out;
}
