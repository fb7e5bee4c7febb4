/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the write adapters alone, without gate, check or journal: for the end-to-end tests of io/zk_write and io/kafka_write.
 *
 *   change --zookeeper CONNECT [--user USER:PASSWORD] [--allow-readonly] [--timeout MS]
 *   change [--command-config FILE] [--controller ID] [--request-timeout MS] --broker ID=HOST:PORT... | --bootstrap HOST:PORT...
 *
 * Lines from standard input:
 *   mark ID TOPIC, move ID CZXID, delete ID TIMEOUT_MS TOPIC...
 *   quit (the end of the input as well)
 * Prints "up" and "down" for the session with ZooKeeper, "controller BROKER CZXID", "epoch N" when it is another one, and for each thing that was asked for, once,
 *   ID done|refused|unknown NAME ERROR BROKER MS TEXT       MS: since it was asked
 *   ID not-taken TEXT
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/str.h"
#include "core/client_config.h"
#include "core/event.h"
#include "core/outcome.h"
#include "core/properties.h"
#include "core/zkconnect.h"
#include "io/clock.h"
#include "io/evq.h"
#include "io/kafka_write.h"
#include "io/kclient.h"
#include "io/net.h"
#include "io/sasl_first.h"
#include "io/slurp.h"
#include "io/zk.h"
#include "io/zk_write.h"

enum { ADDRESSES_MAX = 16, NAMES_MAX = 600, LINE_MAX_BYTES = 65536, IDS_MAX = 1000 };

static struct client_config config = { .request_timeout_ms = CLIENT_REQUEST_TIMEOUT_DEFAULT_MS };
static struct zk_options zo = { .session_timeout = 10000, .may_write = true };
static struct kclient_options ko = { .config = &config, .may_write = true };
static struct kclient_address brokers[ADDRESSES_MAX], bootstrap[ADDRESSES_MAX];
static size_t n_brokers;
static bool has_zk;
static int64_t controller = BROKER_NONE, request_timeout_ms;
static const char *config_path;
static struct secret digest;

static struct evq *q;
static struct zk *zk;
static struct kclient *kc;
static mono_ms asked_at[IDS_MAX];

/* ---- out -------------------------------------------------------------------------------- */

static void print_outcome(const struct outcome *oc)
{
	static const char *const codes[] = { "done", "refused", "unknown" };

	for (size_t i = 0; i < oc->n; i++)
		printf("%llu %s %s %d %d %lld %s\n", (unsigned long long)oc->id, codes[oc->items[i].code],
		       oc->items[i].name[0] != '\0' ? oc->items[i].name : "-", oc->items[i].kafka_error, (int)oc->broker,
		       (long long)mono_since(clock_mono(), asked_at[oc->id % IDS_MAX]), oc->items[i].text);
}

static void print_event(const struct event *ev)
{
	static int64_t epoch = -1;
	static int was_up = -1;

	if (ev->kind == EV_OUTCOME) {
		print_outcome(ev->u.outcome);
	} else if (ev->kind == EV_CONN && (ev->u.conn->state == CONN_UP) != was_up) {
		was_up = ev->u.conn->state == CONN_UP;
		puts(was_up ? "up" : "down");
	} else if (ev->kind == EV_CONTROLLER && ev->know == KNOW_PRESENT) {
		printf("controller %d %lld\n", (int)ev->u.controller.broker, (long long)ev->stat.czxid);
	} else if (ev->kind == EV_CONTROLLER_EPOCH && ev->know == KNOW_PRESENT && ev->u.number != epoch) {
		epoch = ev->u.number;
		printf("epoch %lld\n", (long long)epoch);
	}
}

static void drain(void)
{
	for (struct event *ev = evq_take(q), *next; ev != NULL; ev = next) {
		next = ev->next;
		print_event(ev);
		event_free(&ev);
	}
	fflush(stdout);
}

/* ---- in ---------------------------------------------------------------------------------- */

static bool ask(const char *what, uint64_t id, char **save, struct err *err)
{
	const char *names[NAMES_MAX], *word;
	int64_t number = 0;
	size_t n = 0;

	if (strcmp(what, "mark") == 0)
		return zk_write_create_marker(zk, id, strtok_r(NULL, " ", save), err);
	word = strtok_r(NULL, " ", save);
	if (word == NULL || !str_to_i64(word, 0, INT64_MAX, &number))
		return err_set(err, ERR_USAGE, "no number");
	if (strcmp(what, "move") == 0)
		return zk_write_move_controller(zk, id, number, err);
	while (n < NAMES_MAX && (word = strtok_r(NULL, " ", save)) != NULL)
		names[n++] = word;
	return kafka_write_delete_topics(kc, id, names, n, number, err);
}

/* False to quit. */
static bool command(char *line)
{
	char *save = NULL, *what = strtok_r(line, " ", &save), *word;
	int64_t id;
	struct err err;

	if (what == NULL || strcmp(what, "quit") == 0)
		return false;
	word = strtok_r(NULL, " ", &save);
	if (word == NULL || !str_to_i64(word, 0, IDS_MAX - 1, &id))
		return false;
	err_init(&err);
	asked_at[id] = clock_mono();
	if (!ask(what, (uint64_t)id, &save, &err))
		printf("%lld not-taken %s\n", (long long)id, err.text);
	fflush(stdout);
	return true;
}

static bool read_commands(struct strbuf *in)
{
	char buf[4096], *nl;
	ssize_t n = read(STDIN_FILENO, buf, sizeof(buf));
	size_t used = 0;
	bool go_on = n > 0 && in->len < LINE_MAX_BYTES;

	if (n > 0)
		strbuf_putn(in, buf, (size_t)n);
	while (go_on && (nl = strchr(in->s + used, '\n')) != NULL) {
		*nl = '\0';
		go_on = command(in->s + used);
		used = (size_t)(nl + 1 - in->s);
	}
	memmove(in->s, in->s + used, in->len - used + 1);
	in->len -= used;
	return go_on;
}

static void loop(void)
{
	struct pollfd fds[2] = { { .fd = evq_fd(q), .events = POLLIN }, { .fd = STDIN_FILENO, .events = POLLIN } };
	struct strbuf in;
	bool go_on = true;

	strbuf_init(&in);
	while (go_on) {
		if (poll(fds, 2, -1) < 0)
			continue;
		if (fds[0].revents)
			drain();
		if (fds[1].revents)
			go_on = read_commands(&in);
	}
	strbuf_fini(&in);
}

/* ---- settings ------------------------------------------------------------------------------- */

static bool fetch(void *ctx, enum client_value_kind kind, const char *name, struct secret *out, struct err *err)
{
	return kind == CLIENT_VALUE_FILE ? slurp_file(name, PROPERTIES_INPUT_MAX_BYTES, out, NULL, err) :
		err_set(err, ERR_NOT_FOUND, "%s is not looked for", name);
}

static bool read_settings(const char *path, struct err *err)
{
	struct properties pp = { .v = NULL };
	struct secret text;
	bool is_ok;

	secret_init(&text);
	is_ok = slurp_file(path, PROPERTIES_INPUT_MAX_BYTES, &text, NULL, err) &&
		properties_read(secret_reveal(&text), text.n, &pp, err) && client_config_read(&pp, fetch, NULL, &config, err);
	properties_fini(&pp);
	secret_fini(&text);
	return is_ok;
}

/* [ID=]HOST:PORT; false when it isn't. */
static bool read_address(char *text, bool has_id, struct kclient_address *out)
{
	char *host = has_id ? strchr(text, '=') : text, *colon = strrchr(text, ':');
	int64_t id = BROKER_NONE, port;

	if (host == NULL || colon == NULL)
		return false;
	*colon = '\0';
	if (has_id)
		*host++ = '\0';
	*out = (struct kclient_address){ .host = host };
	if (!str_to_i64(colon + 1, 1, 65535, &port) || (has_id && !str_to_i64(text, 0, INT32_MAX, &id)))
		return false;
	out->id = (int32_t)id;
	out->port = (int)port;
	return true;
}

static bool option(const char *name, char *value, struct err *err)
{
	if (strcmp(name, "--zookeeper") == 0)
		return has_zk = zkconnect_parse(value, &zo.connect, err);
	if (strcmp(name, "--user") == 0) {
		secret_set(&digest, value);
		zo.digest = &digest;
		return true;
	}
	if (strcmp(name, "--timeout") == 0)
		return str_to_i64(value, 1, 1000000, &zo.session_timeout);
	if (strcmp(name, "--request-timeout") == 0)
		return str_to_i64(value, 1, 1000000, &request_timeout_ms);
	if (strcmp(name, "--controller") == 0)
		return str_to_i64(value, 0, INT32_MAX, &controller);
	if (strcmp(name, "--command-config") == 0)
		return (config_path = value) != NULL;
	if (strcmp(name, "--log") == 0)
		return log_open(value, LOG_DEBUG, err);
	if (strcmp(name, "--broker") == 0 && n_brokers < ADDRESSES_MAX)
		return read_address(value, true, &brokers[n_brokers++]);
	if (strcmp(name, "--bootstrap") == 0 && ko.n_bootstrap < ADDRESSES_MAX)
		return read_address(value, false, &bootstrap[ko.n_bootstrap++]);
	return false;
}

static bool options(int argc, char **argv, struct err *err)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--allow-readonly") == 0)
			zo.allow_readonly_server = true;
		else if (i + 1 == argc || !option(argv[i], argv[i + 1], err))
			return err_set(err, ERR_USAGE, "bad option %s", argv[i]);
		else
			i++;
	}
	return has_zk || n_brokers + ko.n_bootstrap > 0 || err_set(err, ERR_USAGE, "nobody to ask");
}

static bool start_kafka(struct err *err)
{
	if (config_path != NULL && !read_settings(config_path, err))
		return false;
	if (request_timeout_ms > 0)
		config.request_timeout_ms = request_timeout_ms;
	if (client_protocol_has_tls(config.protocol) && (ko.tls = net_tls_new(&config.tls, clock_wall(), err)) == NULL)
		return false;
	ko.bootstrap = bootstrap;
	kc = kclient_new(&ko, q, err);
	if (kc == NULL)
		return false;
	if (n_brokers > 0)
		kclient_brokers(kc, brokers, n_brokers);
	kclient_controller(kc, (int32_t)controller);
	return true;
}

int main(int argc, char **argv)
{
	struct err err;
	bool is_ok;

	err_init(&err);
	secret_init(&digest);
	is_ok = options(argc, argv, &err) && (q = evq_new(&err)) != NULL;
	if (is_ok && has_zk)
		is_ok = (zk = zk_new(&zo, q, &err)) != NULL;
	if (is_ok && n_brokers + ko.n_bootstrap > 0)
		is_ok = start_kafka(&err);
	if (is_ok)
		loop();
	else
		fprintf(stderr, "change: %s\n", err.text);
	kclient_free(&kc);
	zk_free(&zk);
	if (q != NULL)
		drain();
	evq_free(&q);
	net_tls_free(&ko.tls);
	client_config_fini(&config);
	secret_fini(&digest);
	log_close();
	sasl_first_exit(is_ok ? 0 : 1);
}
