/* SPDX-License-Identifier: Apache-2.0 */
/* An inquiry from its beginning to its end: the thread, the handle, the login, and what is told. */
#include "io/rdk.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/event.h"
#include "io/clock.h"
#include "io/evq.h"
#include "io/kclient.h"
#include "io/rdk_parts.h"
#include "io/sasl.h"
#include "io/sasl_first.h"

enum { TOKEN_LIFETIME_MS = 3600 * 1000, SERVE_MS = 50, GROUPS_STEP_MS = 100 };

const struct rdk_times rdk_times_usual = { .apart_ms = APPRAISAL_APART_S * 1000, .ask_ms = 5000, .groups_ms = 10000, .total_ms = 12000 };

/* ---- how many run --------------------------------------------------------------------------- */

static pthread_mutex_t running_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t running_changed = PTHREAD_COND_INITIALIZER;
static int n_running;

static bool running_add(void)
{
	bool fits;

	pthread_mutex_lock(&running_lock);
	fits = n_running < RDK_RUNNING_MAX;
	n_running += fits;
	pthread_mutex_unlock(&running_lock);
	return fits;
}

static void running_remove(void)
{
	pthread_mutex_lock(&running_lock);
	n_running--;
	pthread_cond_broadcast(&running_changed);
	pthread_mutex_unlock(&running_lock);
}

bool rdk_are_over(dur_ms most_ms)
{
	struct timespec until;
	bool are_over;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += (time_t)(most_ms / 1000);
	until.tv_nsec += (long)(most_ms % 1000) * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	pthread_mutex_lock(&running_lock);
	while (n_running > 0 && most_ms > 0 && pthread_cond_timedwait(&running_changed, &running_lock, &until) == 0)
		;
	are_over = n_running == 0;
	pthread_mutex_unlock(&running_lock);
	return are_over;
}

void rdk_exit(int status)
{
	if (rdk_are_over(0))
		sasl_first_exit(status);
	fflush(NULL);
	_exit(status);
}

/* ---- life ------------------------------------------------------------------------------------------ */

static void rdk_free(struct rdk *rd)
{
	assert(rd->magic == RDK_MAGIC);
	rd->magic = 0;
	rdk_settings_fini(rd);
	rdk_groups_fini(rd);
	appraisal_fini(&rd->ap);
	map_free(&rd->topics, NULL);
	for (size_t i = 0; i < rd->n_names; i++)
		mem_free(&rd->names[i]);
	mem_free(&rd->names);
	mem_free(&rd->parts);
	mem_free(&rd->client_id);
	mem_free(&rd->servers);
	pthread_mutex_destroy(&rd->lock);
	mem_free(&rd);
}

static void rdk_let_go(struct rdk *rd)
{
	bool is_last;

	pthread_mutex_lock(&rd->lock);
	is_last = --rd->refs == 0;
	pthread_mutex_unlock(&rd->lock);
	if (is_last)
		rdk_free(rd);
}

void rdk_end(struct rdk **pp)
{
	struct rdk *rd = *pp;

	*pp = NULL;
	if (rd == NULL)
		return;
	assert(rd->magic == RDK_MAGIC);
	pthread_mutex_lock(&rd->lock);
	rd->q = NULL;
	pthread_mutex_unlock(&rd->lock);
	atomic_store(&rd->stop, true);
	rdk_let_go(rd);
}

/* ---- what is told ------------------------------------------------------------------------------------- */

void rdk_tell(struct rdk *rd)
{
	struct event *ev = event_appraisal(rd->id, &rd->ap, clock_mono(), clock_wall());

	pthread_mutex_lock(&rd->lock);
	if (rd->q != NULL)
		evq_push(rd->q, ev);
	else
		event_free(&ev);
	pthread_mutex_unlock(&rd->lock);
}

/* ---- librdkafka's callbacks ------------------------------------------------------------------------------ */

/* Thread: any of librdkafka's. */
static void on_log(const rd_kafka_t *rk, int level, const char *facility, const char *text)
{
	(void)rk;
	/* syslog's: a broker that is down is told by others, so here it is no error. */
	log_put(level <= 4 ? LOG_WARN : level <= 6 ? LOG_INFO : LOG_DEBUG, "rdk", "%s: %s", facility, text);
}

/* The kinds that no waiting mends. */
static bool is_fatal(int code)
{
	return code == RD_KAFKA_RESP_ERR__AUTHENTICATION || code == RD_KAFKA_RESP_ERR__SSL || code == RD_KAFKA_RESP_ERR__FATAL ||
	       code == RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED || code == RD_KAFKA_RESP_ERR_UNSUPPORTED_SASL_MECHANISM;
}

/* As far as it is of use to an operator: not in which state after how many milliseconds, nor which of librdkafka's own settings to look at. */
static int useful_length(const char *text)
{
	static const char *const ends[] = { " (after ", ", verify that " };
	size_t n = strlen(text);

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		const char *at = strstr(text, ends[i]);

		if (at != NULL && (size_t)(at - text) < n)
			n = (size_t)(at - text);
	}
	return (int)n;
}

/* Called from rdk_serve. */
static void on_error(rd_kafka_t *rk, int code, const char *text, void *opaque)
{
	struct rdk *rd = opaque;

	(void)rk;
	if (is_fatal(code) && rd->fatal.code == ERR_NONE)
		err_set(&rd->fatal, ERR_REFUSED, "%.*s", useful_length(text), text);
	/* That all are down says less than what one of them said. */
	if (code != RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN || rd->trouble.code == ERR_NONE) {
		err_init(&rd->trouble);
		err_set(&rd->trouble, ERR_NET, "%.*s", useful_length(text), text);
	}
}

/* Called from rdk_serve. */
static void on_token(rd_kafka_t *rk, const char *config, void *opaque)
{
	struct rdk *rd = opaque;
	struct secret token;
	char text[RDK_TEXT_MAX];

	(void)config;
	secret_init(&token);
	if (!sasl_token_get(&rd->login, clock_wall(), &token, &rd->fatal)) {
		rd_kafka_oauthbearer_set_token_failure(rk, rd->fatal.text);
	} else if (rd_kafka_oauthbearer_set_token(rk, secret_reveal(&token), clock_wall().ms + TOKEN_LIFETIME_MS, "kafops", NULL, 0, text, sizeof(text)) !=
		   RD_KAFKA_RESP_ERR_NO_ERROR) {
		/* Its words may quote the token. */
		err_set(&rd->fatal, ERR_FORMAT, "librdkafka does not take the token");
		rd_kafka_oauthbearer_set_token_failure(rk, rd->fatal.text);
	} else {
		rd->has_token = true;
	}
	secret_fini(&token);
}

void rdk_serve(struct rdk *rd)
{
	rd_kafka_poll(rd->rk, 0);
}

/* ---- the thread ---------------------------------------------------------------------------------------------- */

bool rdk_is_stopped(const struct rdk *rd)
{
	return atomic_load(&rd->stop) || rd->fatal.code != ERR_NONE;
}

dur_ms rdk_left(const struct rdk *rd, mono_ms begun, dur_ms most)
{
	mono_ms now = clock_mono();
	dur_ms own = most - mono_since(now, begun), all = rd->times.total_ms - mono_since(now, rd->begun), left = own < all ? own : all;

	return left > 0 ? left : 0;
}

static bool open_handle(struct rdk *rd)
{
	rd_kafka_conf_t *conf = rdk_settings_make(rd, &rd->fatal);
	char text[RDK_TEXT_MAX];

	if (conf == NULL)
		return false;
	rd_kafka_conf_set_opaque(conf, rd);
	rd_kafka_conf_set_log_cb(conf, on_log);
	rd_kafka_conf_set_error_cb(conf, on_error);
	if (client_protocol_has_sasl(rd->protocol) && rd->login.mechanism == CLIENT_OAUTHBEARER)
		rd_kafka_conf_set_oauthbearer_token_refresh_cb(conf, on_token);
	else
		rd->has_token = true;
	rd->rk = rd_kafka_new(RD_KAFKA_CONSUMER, conf, text, sizeof(text));
	if (rd->rk != NULL)
		return true;
	rd_kafka_conf_destroy(conf);
	return err_set(&rd->fatal, ERR_UNSUPPORTED, "librdkafka: %s", text);
}

/* Of OAUTHBEARER: librdkafka asks for the token at once, and waits for it before it connects. */
static void wait_for_token(struct rdk *rd)
{
	while (!rd->has_token && !rdk_is_stopped(rd) && rdk_left(rd, rd->begun, rd->times.total_ms) > 0)
		rd_kafka_poll(rd->rk, SERVE_MS);
}

static void ask_again(struct rdk *rd)
{
	rd->ap.writes_again.ms = 0;
	rdk_offsets_ask(rd, true);
	rdk_offsets_judge(rd);
	if (!rdk_groups_are_over(rd))
		rdk_tell(rd);
}

static void ask_all(struct rdk *rd)
{
	dur_ms left;

	wait_for_token(rd);
	rdk_groups_begin(rd);
	rdk_offsets_ask(rd, false);
	if (rdk_offsets_have_any(rd))
		rd->ap.writes_again.ms = rd->begun.ms + rd->times.apart_ms;
	else
		rdk_offsets_judge(rd);
	rdk_tell(rd);
	while (!rdk_is_stopped(rd) && rd->ap.writes_pending && (left = rdk_left(rd, rd->begun, rd->times.apart_ms)) > 0)
		rdk_groups_turn(rd, left < GROUPS_STEP_MS ? left : GROUPS_STEP_MS);
	if (rd->ap.writes_pending)
		ask_again(rd);
	while (!rdk_is_stopped(rd) && !rdk_groups_are_over(rd))
		rdk_groups_turn(rd, GROUPS_STEP_MS);
	rdk_groups_judge(rd);
}

/* The reason that says most, as a phrase. */
static void give_up(struct rdk *rd)
{
	if (rd->fatal.code != ERR_NONE)
		appraisal_give_up(&rd->ap, rd->fatal.text);
	else
		appraisal_give_up(&rd->ap, "it was not asked to the end");
}

static void *thread_main(void *ctx)
{
	struct rdk *rd = ctx;

	rd->begun = clock_mono();
	rdk_tell(rd);
	if (open_handle(rd))
		ask_all(rd);
	give_up(rd);
	rdk_tell(rd);
	rdk_groups_fini(rd);
	if (rd->rk != NULL)
		rd_kafka_destroy_flags(rd->rk, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
	rdk_let_go(rd);
	running_remove();
	return NULL;
}

/* ---- beginning ------------------------------------------------------------------------------------------------- */

static char *join_servers(const struct kclient_address *v, size_t n)
{
	struct strbuf text;
	char *joined;

	strbuf_init(&text);
	for (size_t i = 0; i < n; i++) {
		bool is_v6 = strchr(v[i].host, ':') != NULL;

		strbuf_printf(&text, "%s%s%s%s:%d", i > 0 ? "," : "", is_v6 ? "[" : "", v[i].host, is_v6 ? "]" : "", v[i].port);
	}
	joined = strbuf_take(&text);
	strbuf_fini(&text);
	return joined;
}

static void copy_topics(struct rdk *rd, const struct rdk_topic *v, size_t n)
{
	size_t n_parts = 0;

	for (size_t i = 0; i < n; i++)
		n_parts += v[i].n;
	rd->topics = map_new();
	rd->names = mem_array(n + 1, sizeof(*rd->names));
	rd->parts = mem_array(n_parts + 1, sizeof(*rd->parts));
	for (size_t i = 0; i < n; i++) {
		rd->names[rd->n_names++] = mem_strdup(v[i].name);
		map_set(rd->topics, rd->names[i], rd->names[i]);
		for (size_t k = 0; k < v[i].n; k++)
			rd->parts[rd->n_parts++] = (struct rdk_part){ .topic = i, .id = v[i].partitions[k], .first = -1 };
	}
}

static struct rdk *rdk_make(const struct rdk_options *opt, struct evq *q)
{
	struct rdk *rd = mem_zalloc(sizeof(*rd));

	rd->magic = RDK_MAGIC;
	rd->id = opt->id;
	pthread_mutex_init(&rd->lock, NULL);
	rd->q = q;
	rd->refs = 2;
	rd->times = opt->times != NULL ? *opt->times : rdk_times_usual;
	rdk_settings_copy(rd, opt->config);
	rd->client_id = mem_strdup(opt->client_id);
	rd->servers = join_servers(opt->servers, opt->n_servers);
	rd->has_offsets = opt->has_offsets;
	copy_topics(rd, opt->topics, opt->n_topics);
	rd->ap.writes_pending = rd->ap.groups_pending = true;
	err_init(&rd->fatal);
	err_init(&rd->trouble);
	err_init(&rd->offsets);
	return rd;
}

struct rdk *rdk_begin(const struct rdk_options *opt, struct evq *q, struct err *err)
{
	struct rdk *rd;
	sigset_t all, before;
	pthread_attr_t attr;
	pthread_t thread;
	int rc;

	assert(opt->n_servers > 0);
	if (!running_add()) {
		err_set(err, ERR_LIMIT, "%d earlier questions have not ended yet: try again in a few seconds", RDK_RUNNING_MAX);
		return NULL;
	}
	rd = rdk_make(opt, q);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before); /* the thread takes none, nor do those that librdkafka starts from it */
	rc = pthread_create(&thread, &attr, thread_main, rd);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	if (rc == 0)
		return rd;
	running_remove();
	rdk_free(rd);
	err_set(err, ERR_IO, "no thread to ask with: %s", strerror(rc));
	return NULL;
}
