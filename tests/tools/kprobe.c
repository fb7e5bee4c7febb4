/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reaches one broker as a client.properties says, by io/kconn as the program does, and prints what it
 * answers. For the end-to-end tests.
 *
 *   kprobe [--for MS] FILE HOST:PORT
 *
 * Prints one object: "versions" (API: the one spoken, null when there is none in common), "metadata" (without the brokers'
 * addresses, which are a listener's own), "broker" (which one it is, by its port), "log_dirs" and "configs" of that one, and
 * "reassignments" if it is the controller. What the broker refuses is a string, our sentence. Lists are
 * sorted, so that the answers over two listeners are the same text. When there is no connection: the
 * sentence of io/kconn on standard error, and 1.
 * With --for it goes on asking for the metadata over the same connection for so many ms, ten times a second, and then prints
 * "asked", how often.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/str.h"
#include "core/client_config.h"
#include "core/ids.h"
#include "io/clock.h"
#include "io/kconn.h"
#include "io/net.h"
#include "io/sasl_first.h"
#include "io/slurp.h"
#include "wire/code.h"
#include "wire/configs.h"
#include "wire/logdirs.h"
#include "wire/metadata.h"
#include "wire/reassign.h"

enum { PATIENCE_MS = 15000, BETWEEN_MS = 100 };

struct probe {
	struct kconn *kc;
	int port;
	int32_t broker, controller;
	json_t *out;
	struct arena *memory;
	struct err err;
	int n_asked;
};

/* ---- JSON ------------------------------------------------------------------------------ */

static json_t *ids(const int32_t *v, uint32_t n)
{
	json_t *arr = json_array();

	for (uint32_t i = 0; i < n; i++)
		json_push(arr, json_integer(v[i]));
	return arr;
}

static json_t *refusal(int16_t code, const char *message, const char *what)
{
	struct err err;

	err_init(&err);
	(void)wire_code_err(code, message, &err);
	(void)err_wrap(&err, "%s", what);
	return json_text(err.text);
}

/* Objects with the names as keys are printed in the order of these (print_sorted). */
static json_t *topic_json(const struct md_topic *tp)
{
	json_t *obj = json_object();
	char key[16];

	for (uint32_t i = 0; i < tp->n_partitions; i++) {
		const struct md_partition *pt = &tp->partitions[i];
		json_t *part = json_object();

		json_put(part, "leader", json_integer(pt->leader));
		json_put(part, "replicas", ids(pt->replicas, pt->n_replicas));
		json_put(part, "isr", ids(pt->isr, pt->n_isr));
		if (!str_printf(key, sizeof(key), "%d", (int)pt->partition))
			abort();
		json_put(obj, key, part);
	}
	return obj;
}

/* ---- answers ------------------------------------------------------------------------------ */

static void on_metadata(void *ctx, const struct kconn_answer *an)
{
	struct probe *pr = ctx;
	struct metadata md;
	json_t *obj = json_object(), *topics = json_object(), *brokers = json_object();

	if (!an->err && wire_metadata_decode(an->rd, an->version, pr->memory, &md, &pr->err)) {
		for (uint32_t i = 0; i < md.n_brokers; i++) {
			char key[16];

			if (!str_printf(key, sizeof(key), "%d", (int)md.brokers[i].id))
				abort();
			json_put(brokers, key, json_text(md.brokers[i].rack));
			if (md.brokers[i].port == pr->port)
				pr->broker = md.brokers[i].id;
		}
		for (uint32_t i = 0; i < md.n_topics; i++)
			json_put(topics, md.topics[i].name, topic_json(&md.topics[i]));
		pr->controller = md.controller;
		json_put(obj, "cluster_id", json_text(md.cluster_id));
		json_put(obj, "controller", json_integer(md.controller));
		pr->n_asked++;
	}
	json_put(obj, "brokers", brokers);
	json_put(obj, "topics", topics);
	json_put(pr->out, "metadata", obj);
}

static json_t *dir_json(const struct wire_logdir *dir)
{
	json_t *obj = json_object();

	for (uint32_t i = 0; i < dir->n_topics; i++)
		for (uint32_t k = 0; k < dir->topics[i].n_replicas; k++) {
			const struct wire_replica *rp = &dir->topics[i].replicas[k];
			struct strbuf key;

			strbuf_init(&key);
			strbuf_printf(&key, "%s-%d", dir->topics[i].name, (int)rp->partition);
			json_put(obj, key.s, json_integer(rp->size_bytes));
			strbuf_fini(&key);
		}
	return dir->error ? refusal(dir->error, NULL, dir->path) : obj;
}

static void on_logdirs(void *ctx, const struct kconn_answer *an)
{
	struct probe *pr = ctx;
	struct wire_logdirs ld;
	json_t *obj = json_object();

	if (an->err || !wire_logdirs_decode(an->rd, an->version, pr->memory, &ld, &pr->err)) {
		json_decref(obj);
		return;
	}
	if (wire_logdirs_is_refused(&ld)) {
		json_decref(obj);
		obj = refusal(WIRE_CLUSTER_AUTHORIZATION_FAILED, NULL, "DescribeLogDirs");
	}
	for (uint32_t i = 0; i < ld.n_dirs; i++)
		json_put(obj, ld.dirs[i].path, dir_json(&ld.dirs[i]));
	json_put(pr->out, "log_dirs", obj);
}

static void on_configs(void *ctx, const struct kconn_answer *an)
{
	struct probe *pr = ctx;
	struct wire_configs cf;
	json_t *obj = json_object();

	if (!an->err && wire_configs_decode(an->rd, an->version, pr->memory, &cf, &pr->err) && cf.n_resources == 1) {
		const struct wire_config_resource *rs = &cf.resources[0];

		if (rs->error) {
			json_decref(obj);
			obj = refusal(rs->error, rs->message, "DescribeConfigs");
		}
		for (uint32_t i = 0; !rs->error && i < rs->n_configs; i++)
			json_put(obj, rs->configs[i].name, json_text(rs->configs[i].value));
	}
	json_put(pr->out, "configs", obj);
}

static void on_reassignments(void *ctx, const struct kconn_answer *an)
{
	struct probe *pr = ctx;
	struct wire_reassignments ra;

	if (an->err || !wire_reassign_decode_list(an->rd, an->version, pr->memory, &ra, &pr->err))
		return;
	json_put(pr->out, "reassignments", ra.error ? refusal(ra.error, ra.message, "ListPartitionReassignments") :
						      json_integer(ra.n_partitions));
}

/* ---- turns ---------------------------------------------------------------------------------- */

static bool turn(struct probe *pr, dur_ms wait_ms)
{
	struct pollfd fds[NET_FDS_MAX];
	size_t n = kconn_poll(pr->kc, fds);
	mono_ms due = kconn_deadline(pr->kc);
	dur_ms left = due.ms ? mono_since(due, clock_mono()) : wait_ms;

	if (left > wait_ms)
		left = wait_ms;
	if (poll(fds, n, left > 0 ? (int)left : 0) < 0)
		return err_set(&pr->err, ERR_IO, "poll fails");
	return kconn_on_ready(pr->kc, clock_mono(), &pr->err);
}

static bool until_ready(struct probe *pr)
{
	while (kconn_state(pr->kc) == KCONN_OPENING)
		if (!turn(pr, PATIENCE_MS))
			return false;
	return true;
}

static bool send(struct probe *pr, kconn_on_answer *answer)
{
	return kconn_send(pr->kc, clock_mono(), PATIENCE_MS, answer, pr, &pr->err);
}

static bool until_answered(struct probe *pr)
{
	while (kconn_waiting(pr->kc) > 0)
		if (!turn(pr, PATIENCE_MS))
			return false;
	return pr->err.code == ERR_NONE;
}

/* ---- questions -------------------------------------------------------------------------------- */

/* False, too, when there is no version in common; then it says so in the output, and pr->err stays as it is. */
static bool choose(struct probe *pr, enum wire_api api, int16_t *version)
{
	struct err none;
	json_t *versions = json_object_get(pr->out, "versions");

	err_init(&none);
	if (kconn_choose(pr->kc, api, version, &none)) {
		json_put(versions, wire_api_get(api)->name, json_integer(*version));
		return true;
	}
	json_put(versions, wire_api_get(api)->name, json_null());
	return false;
}

static bool ask_metadata(struct probe *pr)
{
	int16_t version;

	if (!choose(pr, WIRE_METADATA, &version))
		return err_set(&pr->err, ERR_UNSUPPORTED, "no version of Metadata");
	wire_metadata_encode(kconn_begin(pr->kc, WIRE_METADATA, version), version, NULL, 0);
	return send(pr, on_metadata) && until_answered(pr);
}

static bool ask_configs(struct probe *pr, int16_t version)
{
	static const char *const keys[] = { "log.dirs", "delete.topic.enable", "num.io.threads" };
	char id[16];
	struct wire_config_query query = { WIRE_RESOURCE_BROKER, id, keys, 3 };

	if (!str_printf(id, sizeof(id), "%d", (int)pr->broker))
		abort();
	wire_configs_encode(kconn_begin(pr->kc, WIRE_DESCRIBE_CONFIGS, version), version, &query, 1, false);
	return send(pr, on_configs);
}

static bool ask_rest(struct probe *pr)
{
	int16_t version;

	if (choose(pr, WIRE_DESCRIBE_LOG_DIRS, &version)) {
		wire_logdirs_encode(kconn_begin(pr->kc, WIRE_DESCRIBE_LOG_DIRS, version), version, NULL, 0);
		if (!send(pr, on_logdirs))
			return false;
	}
	if (pr->broker != BROKER_NONE && choose(pr, WIRE_DESCRIBE_CONFIGS, &version) && !ask_configs(pr, version))
		return false;
	if (pr->broker != BROKER_NONE && pr->broker == pr->controller && choose(pr, WIRE_LIST_REASSIGNMENTS, &version)) {
		wire_reassign_encode_list(kconn_begin(pr->kc, WIRE_LIST_REASSIGNMENTS, version), version, PATIENCE_MS, NULL, 0);
		if (!send(pr, on_reassignments))
			return false;
	}
	return until_answered(pr);
}

static bool go_on_for(struct probe *pr, dur_ms for_ms)
{
	mono_ms begin = clock_mono();

	while (mono_since(clock_mono(), begin) < for_ms) {
		if (!ask_metadata(pr) || !turn(pr, BETWEEN_MS))
			return false;
		arena_clear(pr->memory);
	}
	json_put(pr->out, "asked", json_integer(pr->n_asked));
	return true;
}

static bool ask_all(struct probe *pr, dur_ms for_ms)
{
	json_put(pr->out, "versions", json_object());
	if (!until_ready(pr) || !ask_metadata(pr))
		return false;
	json_put(pr->out, "broker", json_integer(pr->broker));
	return for_ms > 0 ? go_on_for(pr, for_ms) : ask_rest(pr);
}

/* ---- settings ----------------------------------------------------------------------------------- */

static bool fetch(void *ctx, enum client_value_kind kind, const char *name, struct secret *out, struct err *err)
{
	const char *value;

	if (kind == CLIENT_VALUE_FILE)
		return slurp_file(name, PROPERTIES_INPUT_MAX_BYTES, out, NULL, err);
	value = getenv(name);
	if (!value)
		return err_set(err, ERR_NOT_FOUND, "%s is not in the environment", name);
	secret_set(out, value);
	return true;
}

static bool read_settings(const char *path, struct client_config *cc, struct err *err)
{
	struct properties pp = { .v = NULL };
	struct secret text;
	bool is_ok;

	secret_init(&text);
	is_ok = slurp_file(path, PROPERTIES_INPUT_MAX_BYTES, &text, NULL, err) &&
		properties_read(secret_reveal(&text), text.n, &pp, err) && client_config_read(&pp, fetch, NULL, cc, err);
	properties_fini(&pp);
	secret_fini(&text);
	return is_ok;
}

static bool probe(struct probe *pr, const struct client_config *cc, const char *host, dur_ms for_ms)
{
	struct net_tls *tls = NULL;
	bool is_ok;

	if (client_protocol_has_tls(cc->protocol)) {
		tls = net_tls_new(&cc->tls, clock_wall(), &pr->err);
		if (!tls)
			return false;
	}
	pr->kc = kconn_new(&(struct kconn_where){
		.broker = BROKER_NONE, .host = host, .port = pr->port, .tls = tls, .ready_timeout_ms = PATIENCE_MS,
		.login = client_protocol_has_sasl(cc->protocol) ? &cc->login : NULL }, clock_mono());
	is_ok = ask_all(pr, for_ms);
	kconn_free(&pr->kc);
	net_tls_free(&tls);
	return is_ok;
}

/* "HOST:PORT" cut in two. */
static bool cut(char *at, int *port)
{
	char *colon = strrchr(at, ':');

	if (!colon)
		return false;
	*colon = '\0';
	*port = (int)strtol(colon + 1, NULL, 10);
	return true;
}

static int run(const char *path, char *at, dur_ms for_ms)
{
	struct probe pr = { .broker = BROKER_NONE, .controller = BROKER_NONE, .out = json_object(), .memory = arena_new(0) };
	struct client_config cc;
	bool is_ok;
	char *text;

	err_init(&pr.err);
	if (!cut(at, &pr.port))
		return 2;
	is_ok = read_settings(path, &cc, &pr.err);
	if (is_ok) {
		is_ok = probe(&pr, &cc, at, for_ms);
		client_config_fini(&cc);
	}
	text = is_ok ? json_dumps(pr.out, JSON_SORT_KEYS | JSON_INDENT(1)) : NULL;
	if (text)
		puts(text);
	else
		fprintf(stderr, "%s\n", pr.err.text);
	free(text);
	json_decref(pr.out);
	arena_free(&pr.memory);
	return is_ok ? 0 : 1;
}

int main(int argc, char **argv)
{
	dur_ms for_ms = 0;

	if (argc == 5 && strcmp(argv[1], "--for") == 0) {
		for_ms = strtol(argv[2], NULL, 10);
		argv += 2;
		argc -= 2;
	}
	if (argc != 3 || !strchr(argv[2], ':')) {
		fprintf(stderr, "usage: kprobe [--for MS] FILE HOST:PORT\n");
		return 2;
	}
	sasl_first_exit(run(argv[1], argv[2], for_ms));
}
