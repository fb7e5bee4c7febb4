/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs io/kclient and prints each event as a line of JSON:
 *   kwatch [--once] [--broker ID=HOST:PORT]... [--bootstrap HOST:PORT]...
 * Ends at EV_BROKERS_ASKED with --once, else when its standard input ends. PLAINTEXT alone.
 */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/client_config.h"
#include "core/disks.h"
#include "core/event.h"
#include "core/metadata.h"
#include "io/evq.h"
#include "io/kclient.h"

enum { ADDRESSES_MAX = 64 };

static json_t *ids(const int32_t *v, uint32_t n)
{
	json_t *arr = json_array();

	for (uint32_t i = 0; i < n; i++)
		json_push(arr, json_integer(v[i]));
	return arr;
}

static void put_metadata(json_t *obj, const struct metadata_answer *ma)
{
	json_t *arr = json_array();

	json_put(obj, "all", json_boolean(ma->is_all));
	json_put(obj, "controller", json_integer(ma->md.controller));
	json_put(obj, "cluster", json_text(ma->md.cluster_id));
	for (uint32_t i = 0; i < ma->md.n_topics; i++)
		for (uint32_t k = 0; k < ma->md.topics[i].n_partitions; k++) {
			const struct md_partition *pt = &ma->md.topics[i].partitions[k];
			json_t *one = json_object();

			json_put(one, "topic", json_text(ma->md.topics[i].name));
			json_put(one, "partition", json_integer(pt->partition));
			json_put(one, "leader", json_integer(pt->leader));
			json_put(one, "replicas", ids(pt->replicas, pt->n_replicas));
			json_put(one, "isr", ids(pt->isr, pt->n_isr));
			json_push(arr, one);
		}
	json_put(obj, "partitions", arr);
}

static void put_disks(json_t *obj, const struct disks *ds)
{
	json_t *dirs = json_array(), *replicas = json_array();

	for (size_t i = 0; i < ds->n_dirs; i++) {
		json_t *one = json_object();

		json_put(one, "path", json_text(ds->dirs[i].path));
		json_put(one, "error", json_integer(ds->dirs[i].error));
		json_push(dirs, one);
	}
	for (size_t i = 0; i < ds->n_replicas; i++) {
		const struct disk_replica *dr = &ds->replicas[i];
		json_t *one = json_object();

		json_put(one, "topic", json_text(dr->topic));
		json_put(one, "partition", json_integer(dr->partition));
		json_put(one, "dir", json_text(ds->dirs[dr->dir].path));
		json_put(one, "size", json_integer(dr->size_bytes));
		json_put(one, "lag", json_integer(dr->lag));
		json_put(one, "future", json_boolean(dr->is_future));
		json_push(replicas, one);
	}
	json_put(obj, "dirs", dirs);
	json_put(obj, "replicas", replicas);
}

static void put_reassigning(json_t *obj, const struct reassigning_list *l)
{
	json_t *arr = json_array();

	for (size_t i = 0; i < l->n; i++) {
		json_t *one = json_object();

		json_put(one, "topic", json_text(l->v[i].topic));
		json_put(one, "partition", json_integer(l->v[i].as.partition));
		json_put(one, "replicas", ids(l->v[i].as.replicas.v, l->v[i].as.replicas.n));
		json_put(one, "adding", ids(l->v[i].as.adding.v, l->v[i].as.adding.n));
		json_put(one, "removing", ids(l->v[i].as.removing.v, l->v[i].as.removing.n));
		json_push(arr, one);
	}
	json_put(obj, "moves", arr);
}

static void put_settings(json_t *obj, const struct zk_config *cfg)
{
	json_t *all = json_object();

	for (size_t i = 0; i < cfg->n; i++)
		json_put(all, cfg->v[i].key, json_text(cfg->v[i].value));
	json_put(obj, "settings", all);
}

static void put_link(json_t *obj, const struct link_info *li)
{
	static const char *const words[] = { "none", "connecting", "up", "failed" };

	json_put(obj, "state", json_text(words[li->state]));
	json_put(obj, "address", json_text(li->address));
	json_put(obj, "tries", json_integer(li->tries));
	json_put(obj, "error", json_text(li->error));
}

static void print(const struct event *ev)
{
	static const char *const knows[] = { "unknown", "absent", "present", "unreadable" };
	json_t *obj = json_object();
	struct strbuf line;

	json_put(obj, "ev", json_text(event_kind_name((enum event_kind)ev->kind)));
	json_put(obj, "broker", json_integer(ev->id));
	json_put(obj, "know", json_text(knows[ev->know]));
	json_put(obj, "at", json_integer(ev->seen_wall.ms));
	if (ev->why)
		json_put(obj, "why", json_text(ev->why));
	if (ev->know == KNOW_PRESENT && ev->kind == EV_METADATA)
		put_metadata(obj, ev->u.metadata);
	else if (ev->know == KNOW_PRESENT && ev->kind == EV_DISKS)
		put_disks(obj, ev->u.disks);
	else if (ev->know == KNOW_PRESENT && ev->kind == EV_REASSIGNING)
		put_reassigning(obj, &ev->u.reassigning);
	else if (ev->know == KNOW_PRESENT && ev->kind == EV_BROKER_SETTINGS)
		put_settings(obj, &ev->u.config);
	else if (ev->kind == EV_LINK)
		put_link(obj, ev->u.link);
	strbuf_init(&line);
	json_write(&line, obj);
	puts(line.s);
	fflush(stdout);
	strbuf_fini(&line);
	json_decref(obj);
}

/* True when the end was told. */
static bool print_all(struct evq *q)
{
	struct event *ev = evq_take(q), *next;
	bool is_asked = false;

	for (; ev; ev = next) {
		next = ev->next;
		is_asked = is_asked || ev->kind == EV_BROKERS_ASKED;
		print(ev);
		event_free(&ev);
	}
	return is_asked;
}

static void watch(struct evq *q, bool once)
{
	struct pollfd fds[2] = { { .fd = evq_fd(q), .events = POLLIN }, { .fd = STDIN_FILENO, .events = POLLIN } };
	char c;

	for (;;) {
		poll(fds, once ? 1 : 2, -1);
		if (print_all(q) && once)
			return;
		if (!once && fds[1].revents && read(STDIN_FILENO, &c, 1) != 1)
			return;
	}
}

/* [ID=]HOST:PORT; false when it isn't. */
static bool read_address(const char *text, bool has_id, struct kclient_address *out)
{
	const char *host = has_id ? strchr(text, '=') : text, *colon = strrchr(text, ':');
	int64_t id = -1, port;
	char number[16] = "";

	if (!host || !colon || (has_id && (!str_copyn(number, sizeof(number), text, (size_t)(host - text)) ||
					   !str_to_i64(number, 0, INT32_MAX, &id))) ||
	    !str_to_i64(colon + 1, 1, 65535, &port))
		return false;
	host += has_id;
	*out = (struct kclient_address){ (int32_t)id, mem_strndup(host, (size_t)(colon - host)), (int)port };
	return true;
}

int main(int argc, char **argv)
{
	struct client_config config = { .request_timeout_ms = CLIENT_REQUEST_TIMEOUT_DEFAULT_MS };
	struct kclient_options opt = { .config = &config, .asks = ASK_ALL };
	struct kclient_address brokers[ADDRESSES_MAX], bootstrap[ADDRESSES_MAX];
	size_t n = 0;
	struct kclient *kc;
	struct evq *q;
	struct err err;
	bool is_ok = true;

	for (int i = 1; i < argc && is_ok; i++) {
		if (strcmp(argv[i], "--once") == 0)
			opt.once = true;
		else if (strcmp(argv[i], "--broker") == 0 && i + 1 < argc && n < ADDRESSES_MAX)
			is_ok = read_address(argv[++i], true, &brokers[n++]);
		else if (strcmp(argv[i], "--bootstrap") == 0 && i + 1 < argc && opt.n_bootstrap < ADDRESSES_MAX)
			is_ok = read_address(argv[++i], false, &bootstrap[opt.n_bootstrap++]);
		else
			is_ok = false;
	}
	if (!is_ok || n + opt.n_bootstrap == 0) {
		fputs("usage: kwatch [--once] [--broker ID=HOST:PORT]... [--bootstrap HOST:PORT]...\n", stderr);
		return 2;
	}
	err_init(&err);
	opt.bootstrap = bootstrap;
	q = evq_new(&err);
	kc = q ? kclient_new(&opt, q, &err) : NULL;
	if (!kc) {
		fprintf(stderr, "kwatch: %s\n", err.text);
		return 1;
	}
	if (n > 0)
		kclient_brokers(kc, brokers, n);
	watch(q, opt.once);
	kclient_free(&kc);
	print_all(q);
	evq_free(&q);
	for (size_t i = 0; i < n; i++)
		mem_free(&brokers[i].host);
	for (size_t i = 0; i < opt.n_bootstrap; i++)
		mem_free(&bootstrap[i].host);
	return 0;
}
