/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps what is told of each deletion, looks again at those that something changed for, and says whether anything told differs.
 * From what: deletion_scene.c. How it is inferred: deletion_replica.c, deletion_topic.c, deletion_end.c; in which words: deletion_words.c, deletion_advice.c.
 */
#include "core/deletion.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/deletion_parts.h"

/* What is told hangs on of a witness beyond its replicas; the model dates what it observes (dirtied). */
struct witness_stamp {
	int64_t dirtied, pass_seen, ended;
	int32_t n_children, ctrl_epoch, epoch_first;
	uint8_t end, ctrl_lists;
	bool has_polls;
	size_t n_attempts;
};

/* A witness and what is told of it. */
struct entry {
	struct deletion de;     /* first: what is handed out; all it points to lies in `ar` */
	struct arena *ar;
	const struct witness *wi; /* of this update */
	struct witness_stamp stamp; /* of the last look */
	wall_ms moved;          /* the last change, by the times of nodes and answers */
	mono_ms moved_at;       /* when that was, by the monotonic clock */
	mono_ms due;            /* time alone may change it then; {0} never */
	bool is_new, is_stale;  /* to be looked at */
};

/* What is told hangs on of a broker. */
struct host_stamp {
	int32_t id;
	uint8_t word;
	uint16_t n_unread;
	int64_t since, czxid, told, answered, silent;
	uint64_t texts;         /* of its error, its name, its settings */
};

struct deletions {
	struct entry **v;       /* as cl->witnesses */
	size_t n;
	struct host_stamp *stamps; /* of the last update, by id */
	size_t n_stamps;
	struct clock_memo memos[CLOCK_MEMOS];
	struct scene was;       /* what hung over all of them at the last update; its pointers are not to be followed */
	bool is_begun;
};

struct deletions *deletions_new(void)
{
	return mem_zalloc(sizeof(struct deletions));
}

static void entry_free(struct entry **pp)
{
	arena_free(&(*pp)->ar);
	mem_free(pp);
}

void deletions_free(struct deletions **pp)
{
	struct deletions *ds = *pp;

	if (ds == NULL)
		return;
	for (size_t i = 0; i < ds->n; i++)
		entry_free(&ds->v[i]);
	mem_free(&ds->v);
	mem_free(&ds->stamps);
	mem_free(pp);
}

/* ---- what changed ----------------------------------------------------------------------------------------- */

/* FNV-1a; NULL and "" differ. */
static uint64_t mix(uint64_t sum, const char *text)
{
	for (; text != NULL && *text != '\0'; text++)
		sum = (sum ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return (sum ^ (text == NULL ? 256u : 257u)) * UINT64_C(1099511628211);
}

/* When it last answered counts while it is silent only: else it would be news with every answer. */
static struct host_stamp stamp_of(const struct host *ho)
{
	const struct broker *br = ho->br;
	uint64_t texts = mix(UINT64_C(14695981039346656037), ho->name);

	if (ho->word == HOST_SILENT)
		texts = mix(texts, br->link.error);
	texts = mix(texts, br->disks_why);
	texts = mix(texts, broker_setting(br, "delete.topic.enable"));
	texts = mix(texts, zk_config_find(&br->settings, "log.segment.delete.delay.ms"));
	return (struct host_stamp){
		.id = ho->id, .word = ho->word, .n_unread = ho->n_unread, .since = br->since.ms, .czxid = br->czxid, .told = ho->told.ms,
		.answered = ho->word == HOST_SILENT ? br->link.last_answer.ms : 0, .silent = ho->silent.ms, .texts = texts,
	};
}

static bool same_stamp(const struct host_stamp *a, const struct host_stamp *b)
{
	return a->word == b->word && a->n_unread == b->n_unread && a->since == b->since && a->czxid == b->czxid && a->told == b->told &&
		a->answered == b->answered && a->silent == b->silent && a->texts == b->texts;
}

static const struct host_stamp *stamp_find(const struct deletions *ds, int32_t id)
{
	size_t lo = 0, hi = ds->n_stamps;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (ds->stamps[mid].id == id)
			return &ds->stamps[mid];
		if (ds->stamps[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

/* When a broker fell silent is seen here alone; it goes on when its session is over. */
static void time_silence(const struct deletions *ds, struct scene *sc)
{
	for (size_t i = 0; i < sc->n_hosts; i++) {
		struct host *ho = &sc->hosts[i];
		const struct host_stamp *was = stamp_find(ds, ho->id);

		if (ho->word != HOST_SILENT && ho->word != HOST_DOWN)
			continue;
		if (was != NULL && was->silent != 0)
			ho->silent = (wall_ms){ was->silent };
		else if (ho->word == HOST_SILENT)
			ho->silent = sc->now;
	}
}

/* Ids of the brokers that differ since the last update; also those that are known no more. *n of them, sorted. */
static int32_t *changed_hosts(const struct deletions *ds, const struct scene *sc, size_t *n)
{
	int32_t *out = mem_array(sc->n_hosts + ds->n_stamps + 1, sizeof(*out));

	*n = 0;
	for (size_t i = 0; i < sc->n_hosts; i++) {
		struct host_stamp now = stamp_of(&sc->hosts[i]);
		const struct host_stamp *was = stamp_find(ds, now.id);

		if (was == NULL || !same_stamp(was, &now))
			out[(*n)++] = now.id;
	}
	for (size_t i = 0; i < ds->n_stamps; i++)
		if (scene_host(sc, ds->stamps[i].id) == NULL)
			out[(*n)++] = ds->stamps[i].id;
	qsort(out, *n, sizeof(*out), ids_cmp);
	return out;
}

static struct witness_stamp witness_stamp(const struct witness *wi)
{
	struct witness_stamp ws;

	memset(&ws, 0, sizeof(ws)); /* compared as bytes */
	ws.dirtied = wi->dirtied.ms;
	ws.pass_seen = wi->pass_seen.ms;
	ws.ended = wi->ended.ms;
	ws.n_children = wi->n_children;
	ws.ctrl_epoch = wi->ctrl_epoch;
	ws.epoch_first = wi->epoch_first;
	ws.end = wi->end;
	ws.ctrl_lists = wi->ctrl_lists;
	ws.has_polls = wi->ctrl_polls > 0;
	ws.n_attempts = wi->n_attempts;
	return ws;
}

static bool has_changed_witness(const struct entry *en)
{
	struct witness_stamp now = witness_stamp(en->wi);

	return memcmp(&now, &en->stamp, sizeof(now)) != 0;
}

static bool has_changed_host(const struct witness *wi, const int32_t *ids, size_t n)
{
	for (size_t i = 0; n > 0 && i < wi->n_replicas; i++)
		if (bsearch(&wi->replicas[i].broker, ids, n, sizeof(*ids), ids_cmp) != NULL)
			return true;
	return false;
}

static bool scene_differs(const struct deletions *ds, const struct scene *sc)
{
	const struct scene *was = &ds->was;

	return !ds->is_begun || was->is_fresh != sc->is_fresh || was->in_migration != sc->in_migration || was->is_alone != sc->is_alone ||
		was->enabled != sc->enabled || was->controller != sc->controller ||
		was->controller_lasts != sc->controller_lasts || was->controller_id != sc->controller_id || was->epoch != sc->epoch ||
		was->elected.ms != sc->elected.ms || was->processed.ms != sc->processed.ms;
}

static const char *topic_at(const void *list, size_t i)
{
	return ((const struct deletions *)list)->v[i]->de.topic;
}

static bool is_of(const struct deletions *ds, size_t at, const char *topic)
{
	return at < ds->n && strcmp(ds->v[at]->de.topic, topic) == 0;
}

/* Those that are named: a broker that dies changes tens of thousands of topics in one turn. */
static void mark_named(struct deletions *ds, const struct changes *ch)
{
	for (size_t i = 0; i < ch->n_topics; i++)
		for (size_t at = names_place(ds, ds->n, topic_at, ch->topics[i]->name, NULL); is_of(ds, at, ch->topics[i]->name); at++)
			ds->v[at]->is_stale = true;
}

static void mark_stale(struct deletions *ds, const struct scene *sc, const struct changes *ch)
{
	/* A topic that went is named no more. */
	const uint32_t of_all = CHG_TOPICS | CHG_REASSIGN | CHG_CONN;
	/* Replicas in log dirs become orphans, or are none any more, with these. */
	bool is_ended = ch != NULL && (ch->bits & CHG_DISKS) != 0 && (ch->bits & (CHG_DELETIONS | CHG_TOPIC | CHG_TOPICS)) != 0;
	bool is_all = ch == NULL || scene_differs(ds, sc) || (ch->bits & of_all) != 0;
	size_t n;
	int32_t *ids = changed_hosts(ds, sc, &n);

	for (size_t i = 0; i < ds->n; i++) {
		struct entry *en = ds->v[i];

		en->is_stale |= en->is_new || is_all || (en->due.ms != 0 && en->due.ms <= sc->mono.ms) || has_changed_witness(en) ||
			has_changed_host(en->wi, ids, n) || (is_ended && deletion_state_is_end(en->de.state));
	}
	if (!is_all)
		mark_named(ds, ch);
	mem_free(&ids);
}

static void keep_scene(struct deletions *ds, const struct scene *sc)
{
	ds->is_begun = true;
	ds->was = *sc;
	mem_free(&ds->stamps);
	ds->n_stamps = sc->n_hosts;
	ds->stamps = sc->n_hosts > 0 ? mem_array(sc->n_hosts, sizeof(*ds->stamps)) : NULL;
	for (size_t i = 0; i < sc->n_hosts; i++)
		ds->stamps[i] = stamp_of(&sc->hosts[i]);
}

/* ---- the list ---------------------------------------------------------------------------------------------- */

static int entry_cmp(const struct entry *en, const struct witness *wi)
{
	int by = topic_name_cmp(en->de.topic, wi->topic);

	return by != 0 ? by : (en->de.czxid > wi->czxid) - (en->de.czxid < wi->czxid);
}

static struct entry *entry_new(const struct witness *wi)
{
	struct entry *en = mem_zalloc(sizeof(*en));

	en->ar = arena_new(1); /* the least */
	en->de.topic = arena_strdup(en->ar, wi->topic);
	en->de.czxid = wi->czxid;
	en->is_new = true;
	return en;
}

/* Both lists are sorted. True when one came or went. */
static bool follow_witnesses(struct deletions *ds, const struct cluster *cl)
{
	struct entry **v = mem_array(cl->n_witnesses + 1, sizeof(*v));
	bool differs = false;
	size_t old = 0;

	for (size_t i = 0; i < cl->n_witnesses; i++) {
		const struct witness *wi = cl->witnesses[i];

		for (; old < ds->n && entry_cmp(ds->v[old], wi) < 0; old++) {
			entry_free(&ds->v[old]);
			differs = true;
		}
		if (old < ds->n && entry_cmp(ds->v[old], wi) == 0) {
			v[i] = ds->v[old++];
		} else {
			v[i] = entry_new(wi);
			differs = true;
		}
		v[i]->wi = wi;
	}
	for (; old < ds->n; old++) {
		entry_free(&ds->v[old]);
		differs = true;
	}
	mem_free(&ds->v);
	ds->v = v;
	ds->n = cl->n_witnesses;
	return differs;
}

/* ---- looking ------------------------------------------------------------------------------------------------ */

static void later(wall_ms *at, wall_ms other)
{
	if (other.ms > at->ms)
		*at = other;
}

/* When something last happened that a deletion can hang on; and when the last pass that is known of may have begun: the marker, an
 * attempt, an election, a broker's start. */
static wall_ms last_move(struct look *lk)
{
	const struct witness *wi = lk->wi;
	wall_ms at = wi->marked.ms != 0 ? wi->marked : wi->first_seen;

	later(&at, lk->sc->elected);
	if (wi->n_attempts > 0)
		later(&at, wi->attempts[wi->n_attempts - 1].at);
	lk->begun = at;
	if (lk->tp != NULL)
		later(&at, lk->tp->last_change);
	later(&at, wi->ended);
	for (size_t i = 0; i < wi->n_replicas; i++) {
		const struct host *ho = lk->hosts[i];

		later(&at, wi->replicas[i].dir_failed);
		if (ho == NULL || ho->word == HOST_UNKNOWN)
			continue;
		later(&at, ho->br->since);
		if (ho->word == HOST_DOWN) {
			lk->was_down_at_election |= ho->br->since.ms != 0 && ho->br->since.ms <= lk->sc->elected.ms;
			continue;
		}
		if (ho->br->reg.know == KNOW_UNKNOWN && ho->br->since.ms == 0)
			later(&at, lk->sc->now); /* it came back into the list, and since when is being read */
		later(&lk->begun, ho->br->since);
		lk->has_host_started |= ho->br->since.ms > lk->sc->elected.ms;
	}
	return at;
}

/* At the first look by the nodes' times; what is seen to change later counts from then. */
static void time_rest(struct entry *en, struct look *lk)
{
	wall_ms moved = last_move(lk);
	mono_ms mono = lk->sc->mono;
	dur_ms ago = lk->sc->now.ms > moved.ms && moved.ms != 0 ? lk->sc->now.ms - moved.ms : 0;

	if (en->is_new)
		en->moved_at = (mono_ms){ mono.ms - ago };
	else if (moved.ms != en->moved.ms)
		en->moved_at = mono;
	en->moved = moved;
	lk->rest = mono_since(mono, en->moved_at);
	lk->quiet = (wall_ms){ lk->sc->now.ms - lk->rest };
}

static enum know was_failed_over(const struct scene *sc, const struct witness *wi)
{
	if (wi->epoch_first >= 0 && sc->epoch >= 0 && (wi->came || sc->epoch > wi->epoch_first))
		return sc->epoch > wi->epoch_first ? KNOW_PRESENT : KNOW_ABSENT;
	if (sc->elected.ms == 0 || wi->marked.ms == 0)
		return KNOW_UNKNOWN;
	return sc->elected.ms > wi->marked.ms ? KNOW_PRESENT : KNOW_ABSENT;
}

static enum know node_word(const struct cluster *cl, const struct witness *wi, const struct topic *tp)
{
	if (tp != NULL && tp->czxid != 0 && wi->czxid != 0 && tp->czxid != wi->czxid)
		return KNOW_ABSENT;
	if (tp == NULL || tp->node.know == KNOW_ABSENT) {
		bool is_read = cl->topics_fact.source == SOURCE_ZOOKEEPER && (cl->topics_fact.know == KNOW_PRESENT || cl->topics_fact.know == KNOW_ABSENT);

		return is_read && !fact_is_old(cl, &cl->topics_fact) ? KNOW_ABSENT : KNOW_UNKNOWN;
	}
	return tp->node.know == KNOW_PRESENT && tp->node.source == SOURCE_ZOOKEEPER ? KNOW_PRESENT : KNOW_UNKNOWN;
}

static void begin_look(struct look *lk, const struct scene *sc, struct entry *en)
{
	const struct witness *wi = en->wi;
	const struct topic *tp = cluster_topic_find(sc->cl, wi->topic);

	lk->sc = sc;
	lk->wi = wi;
	lk->has_marker = wi->end == WITNESS_OPEN;
	lk->node = node_word(sc->cl, wi, tp);
	lk->tp = lk->node == KNOW_ABSENT ? NULL : tp;
	lk->failed_over = was_failed_over(sc, wi);
	lk->hosts = sc->of;
	for (size_t i = 0; i < wi->n_replicas; i++)
		lk->hosts[i] = scene_host(sc, wi->replicas[i].broker);
	time_rest(en, lk);
}

/* When the controller will have heard of the first of the replicas that were just seen gone; {0} none. */
static mono_ms heard_at(const struct look *lk)
{
	const struct scene *sc = lk->sc;
	mono_ms at = { 0 };

	for (size_t i = 0; i < lk->wi->n_replicas; i++) {
		wall_ms gone = lk->wi->replicas[i].gone;
		int64_t left = gone.ms + DELETION_ANSWER_MS - sc->now.ms;

		if (gone.ms != 0 && left > 0 && left <= DELETION_ANSWER_MS && (at.ms == 0 || sc->mono.ms + left < at.ms))
			at.ms = sc->mono.ms + left;
	}
	return at;
}

static mono_ms first_of(mono_ms a, mono_ms b)
{
	return a.ms == 0 || (b.ms != 0 && b.ms < a.ms) ? b : a;
}

/* When time alone may change what is told: the controller has heard, things come to rest, or are stuck. */
static mono_ms due(const struct entry *en, const struct look *lk)
{
	static const dur_ms steps[] = { DELETION_ANSWER_MS, DELETION_SETTLE_MS, DELETION_STUCK_MS };
	mono_ms heard = first_of(heard_at(lk), deletion_comes_at(lk));

	/* Of what may have been forgotten replicas are told as of one that goes on. */
	if (deletion_state_is_end(lk->de->state) && lk->de->state != DELETION_MARKER_REMOVED && lk->de->state != DELETION_REFUSED)
		return (mono_ms){ 0 };
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (lk->rest < steps[i])
			return first_of(heard, (mono_ms){ en->moved_at.ms + steps[i] });
	return heard;
}

static void fill_head(struct deletion *de, const struct witness *wi)
{
	de->marked_at = wi->marked;
	de->is_unmarked = wi->is_unmarked;
	de->is_followed = wi->came && !wi->is_remembered && wi->n_dropped == 0;
	de->orphans = -1;
}

/* ---- comparing ------------------------------------------------------------------------------------------------ */

static bool same_replica(const struct deletion_replica *a, const struct deletion_replica *b)
{
	return a->partition == b->partition && a->broker == b->broker && a->phase == b->phase && a->phase_certainty == b->phase_certainty &&
		a->state == b->state && a->certainty == b->certainty && a->is_adding == b->is_adding && a->is_removing == b->is_removing &&
		a->size_bytes == b->size_bytes && a->size_seen.ms == b->size_seen.ms && str_same(a->rule, b->rule) && str_same(a->dir, b->dir) &&
		str_same(a->evidence, b->evidence);
}

static bool same_blocker(const struct deletion_blocker *a, const struct deletion_blocker *b)
{
	return a->kind == b->kind && a->certainty == b->certainty && a->broker == b->broker && a->partition == b->partition &&
		a->n_replicas == b->n_replicas && a->since.ms == b->since.ms && a->since_exact == b->since_exact && str_same(a->log_dir, b->log_dir) &&
		str_same(a->text, b->text);
}

static bool same_attempt(const struct deletion_attempt *a, const struct deletion_attempt *b)
{
	return a->began.ms == b->began.ms && a->is_seen == b->is_seen && str_same(a->trigger, b->trigger) && str_same(a->outcome, b->outcome);
}

static bool same_lists(const struct deletion *a, const struct deletion *b)
{
	if (a->n_replicas != b->n_replicas || a->n_blockers != b->n_blockers || a->n_attempts != b->n_attempts)
		return false;
	for (size_t i = 0; i < a->n_replicas; i++)
		if (!same_replica(&a->replicas[i], &b->replicas[i]))
			return false;
	for (size_t i = 0; i < a->n_blockers; i++)
		if (!same_blocker(&a->blockers[i], &b->blockers[i]))
			return false;
	for (size_t i = 0; i < a->n_attempts; i++)
		if (!same_attempt(&a->attempts[i], &b->attempts[i]))
			return false;
	return true;
}

static bool same_deletion(const struct deletion *a, const struct deletion *b)
{
	return a->state == b->state && a->certainty == b->certainty && a->marked_at.ms == b->marked_at.ms && a->ended_at.ms == b->ended_at.ms &&
		a->is_followed == b->is_followed && a->is_unmarked == b->is_unmarked && a->bytes_left == b->bytes_left && a->bytes_as_of.ms == b->bytes_as_of.ms && a->acts == b->acts &&
		a->space_free_at.ms == b->space_free_at.ms && a->orphans == b->orphans && a->new_czxid == b->new_czxid && str_same(a->rule, b->rule) &&
		str_same(a->why, b->why) && str_same(a->next, b->next) && str_same(a->act, b->act) &&
		str_same(a->meantime, b->meantime) && same_lists(a, b);
}

/* ---- the update ------------------------------------------------------------------------------------------------- */

/* Of thousands that are over each has room of its own: no more than it needs. */
static size_t text_bytes(const struct witness *wi)
{
	size_t bytes = 2048 + 640 * wi->n_replicas; /* as measured: evidence with a blocker, an attempt or two */

	return bytes < 65536 ? bytes : 65536;
}

/* True when what is told differs from before. */
static bool look_again(struct entry *en, const struct scene *sc)
{
	struct look lk;
	struct deletion de;
	bool differs;

	memset(&lk, 0, sizeof(lk));
	memset(&de, 0, sizeof(de));
	lk.ar = arena_new(text_bytes(en->wi));
	lk.de = &de;
	de.topic = arena_strdup(lk.ar, en->wi->topic);
	de.czxid = en->wi->czxid;
	begin_look(&lk, sc, en);
	fill_head(&de, en->wi);
	deletion_look(&lk);
	if (deletion_state_is_end(de.state))
		de.ended_at = en->wi->ended;
	deletion_advise(&lk);
	deletion_meantime(&lk);
	deletion_attempts(&lk);
	en->due = due(en, &lk);
	differs = en->is_new || !same_deletion(&en->de, &de);
	arena_free(&en->ar);
	en->ar = lk.ar;
	en->de = de;
	en->stamp = witness_stamp(en->wi);
	en->is_new = en->is_stale = false;
	return differs;
}

bool deletions_update(struct deletions *ds, const struct cluster *cl, const struct changes *ch, mono_ms mono, wall_ms now)
{
	struct scene sc = { .cl = cl, .mono = mono, .now = now };
	bool differs = follow_witnesses(ds, cl);

	/* Without a deletion it is only watched who falls silent. */
	if (ds->is_begun && !differs && ch != NULL && deletions_wait(ds, mono) != 0 &&
	    (ch->bits == 0 || (ds->n == 0 && (ch->bits & (CHG_LINKS | CHG_BROKERS | CHG_CLUSTER | CHG_CONN)) == 0)))
		return false;
	sc.memos = ds->memos;
	scene_fill(&sc, ds->is_begun ? &ds->was : NULL);
	time_silence(ds, &sc);
	mark_stale(ds, &sc, ch);
	for (size_t i = 0; i < ds->n; i++)
		if (ds->v[i]->is_stale)
			differs |= look_again(ds->v[i], &sc);
	keep_scene(ds, &sc);
	scene_fini(&sc);
	return differs;
}

dur_ms deletions_wait(const struct deletions *ds, mono_ms mono)
{
	int64_t at = INT64_MAX;

	for (size_t i = 0; i < ds->n; i++)
		if (ds->v[i]->due.ms != 0 && ds->v[i]->due.ms < at)
			at = ds->v[i]->due.ms;
	if (ds->n > 0 && !ds->was.controller_lasts && (ds->was.controller == CONTROLLER_ABSENT || ds->was.controller == CONTROLLER_SILENT) &&
	    ds->was.controller_at.ms + DELETION_SETTLE_MS < at)
		at = ds->was.controller_at.ms + DELETION_SETTLE_MS;
	if (at == INT64_MAX)
		return -1;
	return at > mono.ms ? at - mono.ms : 0;
}

size_t deletions_count(const struct deletions *ds)
{
	return ds->n;
}

const struct deletion *deletions_at(const struct deletions *ds, size_t i)
{
	return &ds->v[i]->de;
}

const struct deletion *deletions_find(const struct deletions *ds, const char *topic)
{
	const struct deletion *found = NULL;

	for (size_t i = names_place(ds, ds->n, topic_at, topic, NULL); is_of(ds, i, topic); i++) {
		const struct deletion *de = &ds->v[i]->de;

		if (!deletion_state_is_end(de->state))
			return de;
		if (found == NULL || de->ended_at.ms >= found->ended_at.ms)
			found = de;
	}
	return found;
}
