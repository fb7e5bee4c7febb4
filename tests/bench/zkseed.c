/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Seeds a ZooKeeper with the znodes of a Kafka cluster that does not exist, and
 * changes them at a given rate. A tool of the tests and the bench: it writes.
 *
 *   zkseed CONNECT seed   [--topics N] [--partitions P] [--rf R] [--brokers B] [--prefix S] [--port N]
 *   zkseed CONNECT delete [the same]
 *   zkseed CONNECT change [the same] [--changes-per-s R] [--count N] [--spread T]
 *
 * `seed` and the brokers of mdserve: --port N says that broker 1 listens on 127.0.0.1 at N, the next one at N+1.
 *
 * CONNECT is host:port[,host:port][/chroot]; the chroot is made. `seed` makes
 * topics PREFIX00000 and on, in Kafka's layout (kafka.md 1.2 to 1.10), pipelined.
 * `delete` takes these topics away as a controller does: their markers, then each
 * from below, its config and its marker.
 * `change` writes the state nodes of the first T topics (default: all) in turn and
 * prints a line for each: the wall clock in microseconds when it was sent and
 * when it was acknowledged, topic, partition, the leader epoch written.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>
#include <zookeeper/zookeeper.h>

#include "base/mem.h"
#include "base/str.h"

enum { OPS_MAX = 200, IN_FLIGHT_MAX = 40, NAME_MAX_BYTES = 128 };

static struct {
	const char *connect, *prefix;
	int64_t topics, partitions, rf, brokers, count, spread, per_s, port;
} opt = { .prefix = "bench-", .topics = 2000, .partitions = 25, .rf = 3, .brokers = 3, .count = 1000 };

static zhandle_t *zh;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool is_up;
static int in_flight;

__attribute__((format(printf, 1, 2))) static _Noreturn void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("zkseed: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(1);
}

static int64_t wall_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

static void on_event(zhandle_t *h, int type, int state, const char *path, void *ctx)
{
	pthread_mutex_lock(&lock);
	if (type == ZOO_SESSION_EVENT)
		is_up = state == ZOO_CONNECTED_STATE;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void on_log(const char *line)
{
}

static void ready(void)
{
	pthread_mutex_lock(&lock);
	while (!is_up)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

static zhandle_t *start(const char *connect)
{
	zhandle_t *h = zookeeper_init2(connect, on_event, 30000, NULL, NULL, ZOO_NO_LOG_CLIENTENV, on_log);

	if (h == NULL)
		die("zookeeper_init2 fails");
	zoo_set_servers_resolution_delay(h, -1);
	return h;
}

/* ---- multis in flight ------------------------------------------------------ */

/* One multi: what it holds until it is answered. */
struct batch {
	zoo_op_t ops[OPS_MAX];
	zoo_op_result_t results[OPS_MAX];
	int n;
	struct arena *ar;
};

static struct batch *current;

static void on_multi(int rc, const void *data)
{
	struct batch *b = (struct batch *)(uintptr_t)data;

	if (rc != ZOK && rc != ZNODEEXISTS) {
		for (int i = 0; i < b->n; i++)
			if (b->results[i].err != ZOK && b->results[i].err != ZRUNTIMEINCONSISTENCY)
				fprintf(stderr, "%s: %s\n", b->ops[i].create_op.path, zerror(b->results[i].err));
		die("%s", zerror(rc));
	}
	arena_free(&b->ar);
	mem_free(&b);
	pthread_mutex_lock(&lock);
	in_flight--;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void wait_below(int n)
{
	pthread_mutex_lock(&lock);
	while (in_flight >= n)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

static void flush(void)
{
	int rc;

	if (current == NULL)
		return;
	wait_below(IN_FLIGHT_MAX);
	pthread_mutex_lock(&lock);
	in_flight++;
	pthread_mutex_unlock(&lock);
	rc = zoo_amulti(zh, current->n, current->ops, current->results, on_multi, current);
	if (rc != ZOK)
		die("zoo_amulti: %s", zerror(rc));
	current = NULL;
}

/* The path of the next operation, which lives as long as it does. */
__attribute__((format(printf, 1, 0))) static char *begin_op(const char *fmt, va_list ap)
{
	char path[512];

	vsnprintf(path, sizeof(path), fmt, ap);
	if (current == NULL) {
		current = mem_zalloc(sizeof(*current));
		current->ar = arena_new(0);
	}
	return arena_strdup(current->ar, path);
}

static void end_op(void)
{
	if (++current->n == OPS_MAX)
		flush();
}

__attribute__((format(printf, 2, 3))) static void put(const char *data, const char *fmt, ...)
{
	va_list ap;
	char *p, *d;

	va_start(ap, fmt);
	p = begin_op(fmt, ap);
	va_end(ap);
	d = data != NULL ? arena_strdup(current->ar, data) : NULL;
	zoo_create_op_init(&current->ops[current->n], p, d, d != NULL ? (int)strlen(d) : -1, &ZOO_OPEN_ACL_UNSAFE, 0, NULL, 0);
	end_op();
}

__attribute__((format(printf, 1, 2))) static void take_away(const char *fmt, ...)
{
	va_list ap;
	char *p;

	va_start(ap, fmt);
	p = begin_op(fmt, ap);
	va_end(ap);
	zoo_delete_op_init(&current->ops[current->n], p, -1);
	end_op();
}

/* Makes a node and does not mind if it is there. */
static void make(zhandle_t *h, const char *path, const char *data)
{
	int rc = zoo_create(h, path, data, data != NULL ? (int)strlen(data) : -1, &ZOO_OPEN_ACL_UNSAFE, 0, NULL, 0);

	if (rc != ZOK && rc != ZNODEEXISTS)
		die("%s: %s", path, zerror(rc));
}

/* ---- Kafka's layout ------------------------------------------------------------ */

static void topic_name(char out[NAME_MAX_BYTES], int64_t t)
{
	snprintf(out, NAME_MAX_BYTES, "%s%05lld", opt.prefix, (long long)t);
}

static int64_t replica(int64_t t, int64_t p, int64_t r)
{
	return 1 + (t + p + r) % opt.brokers;
}

static void put_ids(struct strbuf *sb, int64_t t, int64_t p, int64_t n)
{
	strbuf_putc(sb, '[');
	for (int64_t r = 0; r < n; r++)
		strbuf_printf(sb, "%s%lld", r > 0 ? "," : "", (long long)replica(t, p, r));
	strbuf_putc(sb, ']');
}

static void put_state(struct strbuf *sb, int64_t t, int64_t p, int64_t epoch)
{
	/* Every other change has one replica out of the ISR. */
	int64_t in_sync = epoch % 2 == 1 && opt.rf > 1 ? opt.rf - 1 : opt.rf;

	strbuf_clear(sb);
	strbuf_printf(sb, "{\"controller_epoch\":1,\"leader\":%lld,\"version\":1,\"leader_epoch\":%lld,\"isr\":",
		      (long long)replica(t, p, 0), (long long)epoch);
	put_ids(sb, t, p, in_sync);
	strbuf_putc(sb, '}');
}

static void seed_chroot(void)
{
	char servers[512], path[512];
	const char *slash = strchr(opt.connect, '/');
	zhandle_t *h;

	if (slash == NULL)
		return;
	if (!str_copyn(servers, sizeof(servers), opt.connect, (size_t)(slash - opt.connect)))
		die("the connect string is too long");
	h = start(servers);
	ready();
	for (const char *end = strchr(slash + 1, '/');; end = strchr(end + 1, '/')) {
		if (!str_copyn(path, sizeof(path), slash, end != NULL ? (size_t)(end - slash) : strlen(slash)))
			die("the chroot is too long");
		make(h, path, NULL);
		if (end == NULL)
			break;
	}
	zookeeper_close(h);
	is_up = false;
}

static void seed_roots(void)
{
	static const char *const empty[] = {
		"/brokers", "/brokers/ids", "/brokers/topics", "/brokers/seqid", "/cluster", "/admin", "/admin/delete_topics",
		"/config", "/config/topics", "/config/brokers", "/config/changes", "/config/clients", "/config/users",
		"/isr_change_notification", "/log_dir_event_notification", "/consumers"
	};
	char data[512], path[64], host[64] = "127.0.0.1";
	int64_t port = 9092;

	for (size_t i = 0; i < sizeof(empty) / sizeof(empty[0]); i++)
		make(zh, empty[i], NULL);
	make(zh, "/cluster/id", "{\"version\":\"1\",\"id\":\"kNv3pXoQTmuHx2d0aFqZxw\"}");
	make(zh, "/controller", "{\"version\":1,\"brokerid\":1,\"timestamp\":\"1700000000000\"}");
	make(zh, "/controller_epoch", "1");
	make(zh, "/feature", "{\"version\":1,\"status\":1,\"features\":{}}");
	for (int64_t b = 1; b <= opt.brokers; b++) {
		snprintf(path, sizeof(path), "/brokers/ids/%lld", (long long)b);
		if (opt.port > 0)
			port = opt.port + b - 1;
		else
			snprintf(host, sizeof(host), "b%lld.example", (long long)b);
		/* Not ephemeral, as no broker holds it. */
		snprintf(data, sizeof(data), "{\"features\":{},\"listener_security_protocol_map\":{\"PLAINTEXT\":\"PLAINTEXT\"},"
			 "\"endpoints\":[\"PLAINTEXT://%s:%lld\"],\"jmx_port\":-1,\"port\":%lld,\"host\":\"%s\","
			 "\"version\":5,\"timestamp\":\"1700000000000\"}", host, (long long)port, (long long)port, host);
		make(zh, path, data);
	}
}

static void seed_topic(int64_t t, struct strbuf *sb)
{
	char name[NAME_MAX_BYTES];

	topic_name(name, t);
	put("{\"version\":1,\"config\":{\"retention.ms\":\"604800000\"}}", "/config/topics/%s", name);
	strbuf_clear(sb);
	strbuf_put(sb, "{\"removing_replicas\":{},\"partitions\":{");
	for (int64_t p = 0; p < opt.partitions; p++) {
		strbuf_printf(sb, "%s\"%lld\":", p > 0 ? "," : "", (long long)p);
		put_ids(sb, t, p, opt.rf);
	}
	strbuf_printf(sb, "},\"topic_id\":\"AAAAAAAAAAAAAAAAAA%04llu\",\"adding_replicas\":{},\"version\":3}",
		      (unsigned long long)t % 10000);
	put(sb->s, "/brokers/topics/%s", name);
	put(NULL, "/brokers/topics/%s/partitions", name);
	for (int64_t p = 0; p < opt.partitions; p++) {
		put(NULL, "/brokers/topics/%s/partitions/%lld", name, (long long)p);
		put_state(sb, t, p, 0);
		put(sb->s, "/brokers/topics/%s/partitions/%lld/state", name, (long long)p);
	}
}

static void seed(void)
{
	struct strbuf sb;

	seed_chroot();
	zh = start(opt.connect);
	ready();
	seed_roots();
	strbuf_init(&sb);
	for (int64_t t = 0; t < opt.topics; t++)
		seed_topic(t, &sb);
	flush();
	wait_below(1);
	strbuf_fini(&sb);
}

/* Multis end between the steps, so that whoever looks on sees each. */
static void delete_topic(int64_t t)
{
	char name[NAME_MAX_BYTES];

	topic_name(name, t);
	for (int64_t p = 0; p < opt.partitions; p++) {
		take_away("/brokers/topics/%s/partitions/%lld/state", name, (long long)p);
		take_away("/brokers/topics/%s/partitions/%lld", name, (long long)p);
	}
	flush();
	take_away("/brokers/topics/%s/partitions", name);
	take_away("/brokers/topics/%s", name);
	flush();
	take_away("/config/topics/%s", name);
	take_away("/admin/delete_topics/%s", name);
}

static void delete_all(void)
{
	char name[NAME_MAX_BYTES];

	zh = start(opt.connect);
	ready();
	for (int64_t t = 0; t < opt.topics; t++) {
		topic_name(name, t);
		put(NULL, "/admin/delete_topics/%s", name);
	}
	for (int64_t t = 0; t < opt.topics; t++)
		delete_topic(t);
	flush();
	wait_below(1);
}

/* ---- changes ---------------------------------------------------------------------- */

struct change {
	int64_t t, p, epoch, sent_us;
};

static void on_set(int rc, const struct Stat *st, const void *data)
{
	struct change *ch = (struct change *)(uintptr_t)data;
	char name[NAME_MAX_BYTES];
	int64_t now = wall_us();

	topic_name(name, ch->t);
	if (rc != ZOK)
		die("%s-%lld: %s", name, (long long)ch->p, zerror(rc));
	printf("%lld %lld %s %lld %lld\n", (long long)ch->sent_us, (long long)now, name, (long long)ch->p, (long long)ch->epoch);
	mem_free(&ch);
	pthread_mutex_lock(&lock);
	in_flight--;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void change_one(int64_t i, int64_t spread, struct strbuf *sb)
{
	char path[512], name[NAME_MAX_BYTES];
	struct change *ch = mem_zalloc(sizeof(*ch));
	int rc;

	ch->t = i % spread;
	ch->p = i / spread % opt.partitions;
	ch->epoch = 1 + i / (spread * opt.partitions);
	topic_name(name, ch->t);
	put_state(sb, ch->t, ch->p, ch->epoch);
	snprintf(path, sizeof(path), "/brokers/topics/%s/partitions/%lld/state", name, (long long)ch->p);
	wait_below(1000);
	pthread_mutex_lock(&lock);
	in_flight++;
	pthread_mutex_unlock(&lock);
	ch->sent_us = wall_us();
	rc = zoo_aset(zh, path, sb->s, (int)sb->len, -1, on_set, ch);
	if (rc != ZOK)
		die("zoo_aset: %s", zerror(rc));
}

static void change(void)
{
	int64_t spread = opt.spread > 0 && opt.spread < opt.topics ? opt.spread : opt.topics;
	int64_t begin;
	struct strbuf sb;

	zh = start(opt.connect);
	ready();
	strbuf_init(&sb);
	setvbuf(stdout, NULL, opt.per_s > 0 && opt.per_s <= 100 ? _IOLBF : _IOFBF, 1 << 16);
	begin = wall_us();
	for (int64_t i = 0; i < opt.count; i++) {
		if (opt.per_s > 0) {
			int64_t ahead = begin + i * 1000000 / opt.per_s - wall_us();
			if (ahead > 0)
				usleep((useconds_t)ahead);
		}
		change_one(i, spread, &sb);
	}
	wait_below(1);
	strbuf_fini(&sb);
	if (fflush(stdout) != 0)
		die("standard output: write error");
}

static void usage(void)
{
	die("usage: zkseed CONNECT seed|delete|change [--topics N] [--partitions P] [--rf R] [--brokers B] [--prefix S]\n"
	    "       [--port N] [--changes-per-s R] [--count N] [--spread T]");
}

static void options(int argc, char **argv)
{
	const struct { const char *name; int64_t *v; } numbers[] = {
		{ "--topics", &opt.topics }, { "--partitions", &opt.partitions }, { "--rf", &opt.rf }, { "--brokers", &opt.brokers },
		{ "--changes-per-s", &opt.per_s }, { "--count", &opt.count }, { "--spread", &opt.spread }, { "--port", &opt.port }
	};

	for (int i = 3; i + 1 < argc; i += 2) {
		bool ok = strcmp(argv[i], "--prefix") == 0;

		if (ok)
			opt.prefix = argv[i + 1];
		for (size_t k = 0; k < sizeof(numbers) / sizeof(numbers[0]); k++)
			if (strcmp(argv[i], numbers[k].name) == 0)
				ok = str_to_i64(argv[i + 1], 1, 10000000, numbers[k].v);
		if (!ok)
			usage();
	}
	if (argc % 2 == 0)
		usage();
}

int main(int argc, char **argv)
{
	if (argc < 3)
		usage();
	opt.connect = argv[1];
	options(argc, argv);
	if (strcmp(argv[2], "seed") == 0)
		seed();
	else if (strcmp(argv[2], "delete") == 0)
		delete_all();
	else if (strcmp(argv[2], "change") == 0)
		change();
	else
		usage();
	zookeeper_close(zh);
	return 0;
}
