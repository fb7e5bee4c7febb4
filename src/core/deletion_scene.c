/* SPDX-License-Identifier: Apache-2.0 */
/* What holds for all deletions: the brokers one by one, the controller, and which markers it has taken up. */
#include <string.h>

#include "base/str.h"
#include "core/deletion_parts.h"

/* ---- brokers --------------------------------------------------------------------------------------- */

static wall_ms wall_of(const struct scene *sc, mono_ms at)
{
	return at.ms != 0 ? (wall_ms){ sc->now.ms - mono_since(sc->mono, at) } : (wall_ms){ 0 };
}

/* The last answer on log dirs is of this registration; by ZooKeeper's clock and ours, so that a broker that just started may
 * be taken for one that has not told for a while longer. */
static bool tells(const struct broker *br)
{
	return br->disks != NULL && br->disks_fact.know == KNOW_PRESENT && (br->since.ms == 0 || br->disks_seen.ms >= br->since.ms);
}

static enum host_word host_word(const struct scene *sc, const struct broker *br)
{
	enum know alive = cluster_broker_alive(sc->cl, br->id);

	if (alive != KNOW_PRESENT)
		return alive == KNOW_ABSENT ? HOST_DOWN : HOST_UNKNOWN;
	if (br->link.state == LINK_FAILED || (br->link.state == LINK_CONNECTING && br->link.error[0] != '\0'))
		return HOST_SILENT;
	if (br->disks_fact.know == KNOW_UNREADABLE)
		return HOST_REFUSES;
	return tells(br) ? HOST_TELLS : HOST_UNASKED;
}

static void fill_host(const struct scene *sc, struct host *ho, const struct broker *br)
{
	const struct zk_endpoint *ep = br->has_info ? zk_broker_main_endpoint(&br->info) : NULL;

	*ho = (struct host){ .id = br->id, .br = br, .word = (uint8_t)host_word(sc, br) };
	if (br->disks != NULL) {
		ho->n_unread = (uint16_t)disks_unread(br->disks);
		ho->told = br->disks_seen;
		for (size_t i = 0; i < br->disks->n_dirs; i++)
			ho->has_future |= br->disks->dirs[i].n_future > 0;
	}
	ho->answered = wall_of(sc, br->link.last_answer);
	if (ep == NULL || ep->host[0] == '\0' || !str_printf(ho->name, sizeof(ho->name), "broker %d (%s)", br->id, ep->host))
		str_printf(ho->name, sizeof(ho->name), "broker %d", br->id);
}

const struct host *scene_host(const struct scene *sc, int32_t id)
{
	size_t lo = 0, hi = sc->n_hosts;
	int64_t at = hi > 0 ? (int64_t)id - sc->hosts[0].id : -1;

	/* Most clusters number their brokers without gaps. */
	if (at >= 0 && (uint64_t)at < hi && sc->hosts[at].id == id)
		return &sc->hosts[at];
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (sc->hosts[mid].id == id)
			return &sc->hosts[mid];
		if (sc->hosts[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

/* ---- the controller ---------------------------------------------------------------------------------- */

static enum controller_word controller_word(const struct scene *sc)
{
	const struct cluster *cl = sc->cl;
	const struct host *ho;

	if (fact_is_old(cl, &cl->controller_fact))
		return CONTROLLER_UNKNOWN;
	if (cl->controller_fact.know == KNOW_ABSENT)
		return CONTROLLER_ABSENT;
	if (cl->controller_fact.know != KNOW_PRESENT)
		return CONTROLLER_UNKNOWN;
	ho = scene_host(sc, cl->controller.broker);
	return ho != NULL && (ho->word == HOST_SILENT || ho->word == HOST_DOWN) ? CONTROLLER_SILENT : CONTROLLER_THERE;
}

/* The present controller has begun with it, or ended it. */
static bool is_taken_up(const struct scene *sc, const struct witness *wi)
{
	if (wi->epoch_first < 0 || wi->epoch_first != sc->epoch || !wi->came)
		return false;
	return wi->end == WITNESS_GONE || wi->end == WITNESS_RECREATED || wi->pass_seen.ms != 0 ||
		(wi->ctrl_lists == KNOW_ABSENT && wi->ctrl_epoch == sc->epoch);
}

/* P0, P14: markers are taken in one read of the list; one that was put later was taken up, so this one was seen. */
bool scene_is_processed(const struct scene *sc, const struct witness *wi)
{
	return wi->marked.ms != 0 && sc->processed.ms > wi->marked.ms;
}

static void fill_controller(struct scene *sc, const struct scene *was)
{
	const struct cluster *cl = sc->cl;
	enum controller_word word = controller_word(sc);
	int32_t id = word == CONTROLLER_UNKNOWN || word == CONTROLLER_ABSENT ? BROKER_NONE : cl->controller.broker;

	sc->epoch = cl->controller_epoch_fact.know == KNOW_PRESENT && !fact_is_old(cl, &cl->controller_epoch_fact) ? cl->controller_epoch : -1;
	sc->controller = (uint8_t)word;
	sc->controller_id = id;
	sc->enabled = broker_may_delete(cluster_broker_find(cl, id));
	sc->elected = cl->controller_fact.know == KNOW_PRESENT ? cl->controller_since : (wall_ms){ 0 };
	/* Seen to come: then our clock is the better one, as it is that of answers. Not so what changed while the session was lost. */
	if (was != NULL && was->elected_seen && id == was->controller_id && sc->epoch == was->epoch) {
		sc->elected = was->elected;
		sc->elected_seen = true;
	} else if (was != NULL && was->is_fresh && sc->is_fresh && id != BROKER_NONE && was->epoch >= 0 && sc->epoch > was->epoch) {
		sc->elected = sc->now;
		sc->elected_seen = true;
	}
	sc->controller_at = was != NULL && sc->controller == was->controller && id == was->controller_id ? was->controller_at : sc->mono;
	sc->controller_lasts = (word == CONTROLLER_ABSENT || word == CONTROLLER_SILENT) &&
		mono_since(sc->mono, sc->controller_at) >= DELETION_SETTLE_MS;
}

static void fill_witnessed(struct scene *sc)
{
	size_t most = 0;

	for (size_t i = 0; i < sc->cl->n_witnesses; i++) {
		const struct witness *wi = sc->cl->witnesses[i];

		if (wi->marked.ms > sc->processed.ms && is_taken_up(sc, wi))
			sc->processed = wi->marked;
		if (wi->n_replicas > most)
			most = wi->n_replicas;
	}
	sc->of = mem_array(most + 1, sizeof(*sc->of));
}

void scene_fill(struct scene *sc, const struct scene *was)
{
	const struct cluster *cl = sc->cl;

	sc->is_fresh = !cluster_is_stale(cl);
	sc->in_migration = cluster_in_migration(cl);
	sc->is_alone = cl->n_links_up == 0;
	sc->n_hosts = cl->n_brokers;
	sc->hosts = cl->n_brokers > 0 ? mem_array(cl->n_brokers, sizeof(*sc->hosts)) : NULL;
	for (size_t i = 0; i < cl->n_brokers; i++)
		fill_host(sc, &sc->hosts[i], cl->brokers[i]);
	fill_controller(sc, was);
	fill_witnessed(sc);
}

void scene_fini(struct scene *sc)
{
	mem_free(&sc->hosts);
	mem_free(&sc->of);
}

/* ---- clocks ------------------------------------------------------------------------------------------ */

static void sooner(mono_ms *at, const struct scene *sc, wall_ms then)
{
	int64_t left = then.ms - sc->now.ms;

	if (left > 0 && (at->ms == 0 || sc->mono.ms + left < at->ms))
		at->ms = sc->mono.ms + left;
}

mono_ms deletion_comes_at(const struct look *lk)
{
	mono_ms at = { 0 };

	sooner(&at, lk->sc, lk->wi->marked);
	sooner(&at, lk->sc, lk->sc->elected);
	for (size_t i = 0; i < lk->wi->n_replicas; i++)
		if (lk->hosts[i] != NULL) {
			sooner(&at, lk->sc, lk->hosts[i]->br->since);
			sooner(&at, lk->sc, (wall_ms){ lk->hosts[i]->br->since.ms + DELETION_ANSWER_MS });
		}
	return at;
}
