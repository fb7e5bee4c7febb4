/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A controller that takes its time: one broker on 127.0.0.1 beside a real ZooKeeper, which answers what kafops asks and does what
 * DeleteTopics asks for, as slowly as it is told. For the test that kills kafops (tests/e2e/kill.sh).
 *
 *   controller CONNECT LOG
 *   controller --look CONNECT      is none: only looks at a cluster (journal, state)
 *
 * Registers itself as broker 1 and as the controller, prints "port N", then takes a command a line from standard input and answers each with a line:
 *   topics PREFIX N       makes PREFIX.00 to PREFIX.<N-1> with one partition; "made"
 *   journal FILE          whose size is logged when a request comes; "ok"
 *   plan MARK ANSWER HOW  of requests from now on: milliseconds before the markers are made, and then before the answer; HOW is "keep" (the topics stay
 *                         queued), "half" (every other one goes at once) or "lose" (the connection is closed and nothing is done); "ok"
 *   idle                  "idle", when no request is under way any more, and none waits to be read
 *   state PREFIX          "state NAME=there|queued|gone ..."
 *   clear PREFIX          takes away what is left of them; "cleared"
 * It ends with its input. As Kafka's, it does what it was asked though who asked is gone, and answers error 3 for what is queued or gone.
 *
 * LOG has a line for each step of a DeleteTopics, times in microseconds of CLOCK_MONOTONIC:
 *   TIME arrived NTH JOURNAL_BYTES NAME=there|queued|gone ...
 *   TIME marked|lost NTH
 *   TIME answered NTH
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zookeeper/zookeeper.h>

#include "base/mem.h"
#include "base/str.h"
#include "tests/bench/answers.h"
#include "wire/api.h"

enum { CLIENTS_MAX = 64, FRAME_MAX = 1 << 16, NAMES_MAX = 64, NAME_BYTES = 64, PATH_BYTES = 160, LINE_BYTES = 1024 };
enum { NODES = 5 /* of a topic */, VERSION_DELETE = 5, IDLE_MS = 10 };

struct client {
	int fd;
	uint8_t *buf;
	size_t n;
};

/* A DeleteTopics that is under way; one at a time, as the controller has it. */
struct deleting {
	bool is_on, is_marked;
	int64_t due_us;
	int fd;                 /* -1: who asked is gone */
	int32_t id;
	int16_t version;
	size_t n;
	char names[NAMES_MAX][NAME_BYTES];
	int16_t errors[NAMES_MAX];
};

static struct {
	const char *connect;
	zhandle_t *zh;
	FILE *log;
	int listener, port;
	struct client clients[CLIENTS_MAX];
	size_t n_clients;
	struct deleting de;
	int64_t mark_us, answer_us;
	bool loses, halves, is_idle_asked;
	char journal[PATH_BYTES * 4];
	unsigned nth;
	char in[LINE_BYTES];
	size_t n_in;
} co;

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "controller: %s\n", what);
	exit(1);
}

static int64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

static void say(const char *text)
{
	puts(text);
	fflush(stdout);
}

/* ---- ZooKeeper ------------------------------------------------------------------------- */

static void ignore(zhandle_t *zh, int type, int state, const char *path, void *ctx)
{
}

static void connect_zookeeper(void)
{
	zoo_set_debug_level(ZOO_LOG_LEVEL_ERROR);
	co.zh = zookeeper_init(co.connect, ignore, 30000, NULL, NULL, 0);
	for (int i = 0; co.zh && i < 4000 && zoo_state(co.zh) != ZOO_CONNECTED_STATE; i++)
		usleep(5000);
	if (!co.zh || zoo_state(co.zh) != ZOO_CONNECTED_STATE)
		die("no ZooKeeper");
}

static void make(const char *path, const char *data, int flags)
{
	int rc = zoo_create(co.zh, path, data, data ? (int)strlen(data) : -1, &ZOO_OPEN_ACL_UNSAFE, flags, NULL, 0);

	if (rc != ZOK && rc != ZNODEEXISTS)
		die(zerror(rc));
}

static bool is_there(const char *fmt, const char *name)
{
	char path[PATH_BYTES];
	struct Stat st;

	str_printf(path, sizeof(path), "%s%s", fmt, name);
	return zoo_exists(co.zh, path, 0, &st) == ZOK;
}

static const char *state_of(const char *name)
{
	if (!is_there("/brokers/topics/", name))
		return "gone";
	return is_there("/admin/delete_topics/", name) ? "queued" : "there";
}

static void make_roots(void)
{
	static const char *const empty[] = {
		"/brokers", "/brokers/ids", "/brokers/topics", "/brokers/seqid", "/cluster", "/admin", "/admin/delete_topics", "/config",
		"/config/topics", "/config/brokers", "/config/changes", "/config/clients", "/config/users", "/isr_change_notification",
		"/log_dir_event_notification", "/consumers"
	};
	char data[512];

	for (size_t i = 0; i < sizeof(empty) / sizeof(empty[0]); i++)
		make(empty[i], NULL, 0);
	make("/cluster/id", "{\"version\":\"1\",\"id\":\"kNv3pXoQTmuHx2d0aFqZxw\"}", 0);
	make("/controller_epoch", "1", 0);
	make("/feature", "{\"version\":1,\"status\":1,\"features\":{}}", 0);
	str_printf(data, sizeof(data), "{\"features\":{},\"listener_security_protocol_map\":{\"PLAINTEXT\":\"PLAINTEXT\"},"
		"\"endpoints\":[\"PLAINTEXT://127.0.0.1:%d\"],\"jmx_port\":-1,\"port\":%d,\"host\":\"127.0.0.1\",\"version\":5,\"timestamp\":\"1700000000000\"}",
		co.port, co.port);
	make("/brokers/ids/1", data, ZOO_EPHEMERAL);
	make("/controller", "{\"version\":1,\"brokerid\":1,\"timestamp\":\"1700000000000\"}", ZOO_EPHEMERAL);
}

/* The nodes of a topic, parents first. */
static void nodes_of(const char *name, char paths[NODES][PATH_BYTES])
{
	str_printf(paths[0], PATH_BYTES, "/config/topics/%s", name);
	str_printf(paths[1], PATH_BYTES, "/brokers/topics/%s", name);
	str_printf(paths[2], PATH_BYTES, "/brokers/topics/%s/partitions", name);
	str_printf(paths[3], PATH_BYTES, "/brokers/topics/%s/partitions/0", name);
	str_printf(paths[4], PATH_BYTES, "/brokers/topics/%s/partitions/0/state", name);
}

static void make_topics(const char *prefix, int n)
{
	static const char *const data[NODES] = {
		"{\"version\":1,\"config\":{}}", "{\"version\":2,\"partitions\":{\"0\":[1]},\"adding_replicas\":{},\"removing_replicas\":{}}", NULL, NULL,
		"{\"controller_epoch\":1,\"leader\":1,\"version\":1,\"leader_epoch\":0,\"isr\":[1]}"
	};
	static char paths[NAMES_MAX][NODES][PATH_BYTES];
	static zoo_op_t ops[NAMES_MAX * NODES];
	static zoo_op_result_t results[NAMES_MAX * NODES];
	char name[NAME_BYTES];
	int k = 0;

	for (int i = 0; i < n && i < NAMES_MAX; i++) {
		str_printf(name, sizeof(name), "%s.%02d", prefix, i);
		nodes_of(name, paths[i]);
		for (int j = 0; j < NODES; j++)
			zoo_create_op_init(&ops[k++], paths[i][j], data[j], data[j] ? (int)strlen(data[j]) : -1, &ZOO_OPEN_ACL_UNSAFE, 0, NULL, 0);
	}
	if (zoo_multi(co.zh, k, ops, results) != ZOK)
		die("the topics can't be made");
}

/* As the controller does at the end of a deletion: the topic, its settings, the marker. */
static void finish(const char *name)
{
	char paths[NODES][PATH_BYTES], marker[PATH_BYTES];

	nodes_of(name, paths);
	for (int j = NODES; j-- > 0;)
		zoo_delete(co.zh, paths[j], -1);
	str_printf(marker, sizeof(marker), "/admin/delete_topics/%s", name);
	zoo_delete(co.zh, marker, -1);
}

static void mark(struct deleting *de)
{
	char path[PATH_BYTES];

	for (size_t i = 0; i < de->n; i++) {
		str_printf(path, sizeof(path), "/admin/delete_topics/%s", de->names[i]);
		de->errors[i] = strcmp(state_of(de->names[i]), "there") == 0 ? 0 : 3;
		if (de->errors[i] == 0)
			make(path, NULL, 0);
	}
	for (size_t i = 0; co.halves && i < de->n; i += 2)
		if (de->errors[i] == 0)
			finish(de->names[i]);
}

/* ---- answers ------------------------------------------------------------------------------ */

static void begin(struct wire_writer *wr, enum wire_api api, int16_t version)
{
	wire_writer_init(wr, WIRE_FRAME_MAX_BYTES);
	wire_put_i32(wr, 0);
	wr->is_flexible = wire_api_is_flexible(api, version);
	if (api != WIRE_API_VERSIONS)
		wire_put_tags(wr);
}

static void send_all(int fd, const uint8_t *v, size_t n)
{
	while (n > 0) {
		ssize_t sent = send(fd, v, n, MSG_NOSIGNAL);

		if (sent <= 0)
			return; /* the next read says that it is gone */
		v += sent;
		n -= (size_t)sent;
	}
}

/* In one piece, or the rest of it would wait for the word that the size has come. */
static void answer(int fd, struct wire_writer *wr, int32_t id)
{
	uint32_t n = (uint32_t)wr->n;
	uint8_t *frame = mem_alloc(4 + wr->n);

	answers_set_id(wr, id);
	for (int i = 0; i < 4; i++)
		frame[i] = (uint8_t)(n >> (24 - 8 * i));
	memcpy(frame + 4, wr->data, wr->n);
	send_all(fd, frame, 4 + wr->n);
	mem_free(&frame);
	wire_writer_fini(wr);
}

static void put_versions(struct wire_writer *wr, int16_t version)
{
	static const int16_t offered[][2] = {
		{ 3, ANSWERS_VERSION_METADATA }, { 18, 3 }, { 20, VERSION_DELETE }, { 32, ANSWERS_VERSION_CONFIGS }, { 35, ANSWERS_VERSION_LOGDIRS }, { 46, 0 },
	};

	begin(wr, WIRE_API_VERSIONS, version);
	wire_put_i16(wr, 0);
	wire_put_count(wr, sizeof(offered) / sizeof(offered[0]), "API keys");
	for (size_t i = 0; i < sizeof(offered) / sizeof(offered[0]); i++) {
		wire_put_i16(wr, offered[i][0]);
		wire_put_i16(wr, 0);
		wire_put_i16(wr, offered[i][1]);
		wire_put_tags(wr);
	}
	if (version >= 1)
		wire_put_i32(wr, 0);
	wire_put_tags(wr);
}

static void put_topic(struct wire_writer *wr, const char *name)
{
	bool is_known = strcmp(state_of(name), "there") == 0;

	wire_put_i16(wr, is_known ? 0 : 3);
	wire_put_string(wr, name, "topic");
	wire_put_bool(wr, false);
	wire_put_count(wr, is_known, "partitions");
	if (is_known) {
		wire_put_i16(wr, 0);
		wire_put_i32(wr, 0);
		wire_put_i32(wr, 1);
		wire_put_i32(wr, 0);
		for (int i = 0; i < 2; i++) { /* replicas, and those in sync */
			wire_put_count(wr, 1, "replicas");
			wire_put_i32(wr, 1);
		}
		wire_put_count(wr, 0, "offline");
		wire_put_tags(wr);
	}
	wire_put_i32(wr, INT32_MIN);
	wire_put_tags(wr);
}

static void put_metadata(struct wire_writer *wr, const char *const *names, size_t n)
{
	begin(wr, WIRE_METADATA, ANSWERS_VERSION_METADATA);
	wire_put_i32(wr, 0);
	wire_put_count(wr, 1, "brokers");
	wire_put_i32(wr, 1);
	wire_put_string(wr, "127.0.0.1", "host");
	wire_put_i32(wr, co.port);
	wire_put_string(wr, NULL, "rack");
	wire_put_tags(wr);
	wire_put_string(wr, "kNv3pXoQTmuHx2d0aFqZxw", "cluster id");
	wire_put_i32(wr, 1);
	wire_put_count(wr, n, "topics");
	for (size_t i = 0; i < n; i++)
		put_topic(wr, names[i]);
	wire_put_i32(wr, INT32_MIN);
	wire_put_tags(wr);
}

static void all_metadata(struct wire_writer *wr)
{
	struct String_vector all = { 0 };
	const char **there;
	size_t n = 0;

	if (zoo_get_children(co.zh, "/brokers/topics", 0, &all) != ZOK)
		die("the topics can't be listed");
	there = mem_array(all.count > 0 ? (size_t)all.count : 1, sizeof(*there));
	for (int32_t i = 0; i < all.count; i++)
		if (strcmp(state_of(all.data[i]), "there") == 0)
			there[n++] = all.data[i];
	put_metadata(wr, there, n);
	mem_free(&there);
	deallocate_String_vector(&all);
}

static void copy_name(char out[NAME_BYTES], struct wire_span name)
{
	if (!str_copyn(out, NAME_BYTES, name.s ? name.s : "", name.n))
		die("so long a name is none of ours");
}

static void on_metadata(int fd, struct wire_reader *rd, int32_t id)
{
	static char names[NAMES_MAX][NAME_BYTES];
	const char *list[NAMES_MAX];
	uint32_t n = wire_get_uvarint(rd, "topics");
	struct wire_writer wr;

	if (n == 0) {
		all_metadata(&wr);
		answer(fd, &wr, id);
		return;
	}
	if (n - 1 > NAMES_MAX)
		die("too many topics asked for");
	for (uint32_t i = 0; i < n - 1; i++) {
		copy_name(names[i], wire_get_string(rd, "topic"));
		list[i] = names[i];
		wire_skip_tags(rd);
	}
	put_metadata(&wr, list, n - 1);
	answer(fd, &wr, id);
}

/* An empty dir: nothing is known of where replicas lie. */
static void put_logdirs(struct wire_writer *wr)
{
	begin(wr, WIRE_DESCRIBE_LOG_DIRS, ANSWERS_VERSION_LOGDIRS);
	wire_put_i32(wr, 0);
	wire_put_count(wr, 1, "results");
	wire_put_i16(wr, 0);
	wire_put_string(wr, "/data/d1/kafka", "log directory");
	wire_put_count(wr, 0, "topics");
	wire_put_tags(wr);
	wire_put_tags(wr);
}

/* ---- DeleteTopics ----------------------------------------------------------------------------- */

static void on_delete(int fd, struct wire_reader *rd, int16_t version, int32_t id)
{
	struct deleting *de = &co.de;
	struct stat st = { .st_size = 0 };

	if (de->is_on)
		die("a second request while one is under way");
	*de = (struct deleting){ .is_on = true, .fd = fd, .id = id, .version = version, .n = wire_get_count(rd, 2, 1, "topics") };
	if (de->n > NAMES_MAX)
		die("too many topics to be deleted");
	(void)stat(co.journal, &st);
	fprintf(co.log, "%lld arrived %u %lld", (long long)now_us(), ++co.nth, (long long)st.st_size);
	for (size_t i = 0; i < de->n; i++) {
		copy_name(de->names[i], wire_get_string(rd, "topic"));
		fprintf(co.log, " %s=%s", de->names[i], state_of(de->names[i]));
	}
	fputc('\n', co.log);
	fflush(co.log);
	de->due_us = now_us() + co.mark_us;
}

static void drop_client(int fd)
{
	for (size_t i = 0; i < co.n_clients; i++)
		if (co.clients[i].fd == fd) {
			mem_free(&co.clients[i].buf);
			co.clients[i] = co.clients[--co.n_clients];
		}
	if (fd >= 0)
		close(fd);
	if (co.de.fd == fd)
		co.de.fd = -1;
}

static void answer_delete(const struct deleting *de)
{
	struct wire_writer wr;

	begin(&wr, WIRE_DELETE_TOPICS, de->version);
	wire_put_i32(&wr, 0);
	wire_put_count(&wr, de->n, "topics");
	for (size_t i = 0; i < de->n; i++) {
		wire_put_string(&wr, de->names[i], "topic");
		wire_put_i16(&wr, de->errors[i]);
		if (de->version >= 5)
			wire_put_string(&wr, NULL, "message");
		wire_put_tags(&wr);
	}
	wire_put_tags(&wr);
	answer(de->fd, &wr, de->id);
}

static void step(void)
{
	struct deleting *de = &co.de;

	if (!de->is_marked && co.loses) {
		fprintf(co.log, "%lld lost %u\n", (long long)now_us(), co.nth);
		de->is_on = false;
		drop_client(de->fd);
	} else if (!de->is_marked) {
		mark(de);
		de->is_marked = true;
		de->due_us = now_us() + co.answer_us;
		fprintf(co.log, "%lld marked %u\n", (long long)now_us(), co.nth);
	} else {
		de->is_on = false;
		/* Before it: who reads the log must not find an outcome without an answer. */
		fprintf(co.log, "%lld answered %u\n", (long long)now_us(), co.nth);
		fflush(co.log);
		if (de->fd >= 0)
			answer_delete(de);
	}
	fflush(co.log);
}

/* ---- clients ------------------------------------------------------------------------------------ */

static bool on_request(int fd, const uint8_t *frame, size_t n)
{
	const struct wire_api_row *row;
	struct wire_reader rd;
	struct wire_writer wr;
	int16_t key, version;
	int32_t id;

	wire_reader_init(&rd, frame, n, false);
	key = wire_get_i16(&rd, "key");
	version = wire_get_i16(&rd, "version");
	id = wire_get_i32(&rd, "correlation id");
	(void)wire_get_string_or_null(&rd, "client id");
	row = wire_api_find(key);
	if (row == NULL || !wire_reader_ok(&rd))
		return false;
	rd.is_flexible = version >= row->flexible_from;
	wire_skip_tags(&rd);
	if (key == wire_api_get(WIRE_DELETE_TOPICS)->key) {
		on_delete(fd, &rd, version, id);
		return true;
	}
	if (key == wire_api_get(WIRE_METADATA)->key && version == ANSWERS_VERSION_METADATA) {
		on_metadata(fd, &rd, id);
		return true;
	}
	if (key == wire_api_get(WIRE_API_VERSIONS)->key)
		put_versions(&wr, version);
	else if (key == wire_api_get(WIRE_DESCRIBE_CONFIGS)->key && version == ANSWERS_VERSION_CONFIGS)
		answers_configs(&wr, 1);
	else if (key == wire_api_get(WIRE_DESCRIBE_LOG_DIRS)->key && version == ANSWERS_VERSION_LOGDIRS)
		put_logdirs(&wr);
	else if (key == wire_api_get(WIRE_LIST_REASSIGNMENTS)->key)
		answers_reassigning(&wr);
	else
		return false;
	answer(fd, &wr, id);
	return true;
}

/* False: gone, or of no use. */
static bool read_client(struct client *cl)
{
	ssize_t got = recv(cl->fd, cl->buf + cl->n, FRAME_MAX - cl->n, 0);

	if (got <= 0)
		return false;
	cl->n += (size_t)got;
	while (cl->n >= 4) {
		size_t n = (size_t)cl->buf[0] << 24 | (size_t)cl->buf[1] << 16 | (size_t)cl->buf[2] << 8 | cl->buf[3];

		if (n > FRAME_MAX - 4)
			return false;
		if (cl->n < n + 4)
			break;
		if (!on_request(cl->fd, cl->buf + 4, n))
			return false;
		memmove(cl->buf, cl->buf + 4 + n, cl->n - 4 - n);
		cl->n -= 4 + n;
	}
	return true;
}

static void take_client(void)
{
	int fd = accept(co.listener, NULL, NULL);

	if (fd < 0)
		return;
	if (co.n_clients == CLIENTS_MAX)
		die("too many connections");
	co.clients[co.n_clients++] = (struct client){ .fd = fd, .buf = mem_alloc(FRAME_MAX) };
}

/* ---- commands -------------------------------------------------------------------------------------- */

static void each(const char *prefix, void (*fn)(const char *name))
{
	char name[NAME_BYTES];

	for (int i = 0; i < NAMES_MAX; i++) {
		str_printf(name, sizeof(name), "%s.%02d", prefix, i);
		fn(name);
	}
}

/* "gone" is said of those, too, that never were. */
static void say_state(const char *name)
{
	printf(" %s=%s", name, state_of(name));
}

static void on_line(const char *line)
{
	char a[LINE_BYTES], how[16];
	int x, y;

	if (sscanf(line, "topics %1023s %d", a, &x) == 2) {
		make_topics(a, x);
		say("made");
	} else if (sscanf(line, "journal %1023s", a) == 1) {
		say(str_copy(co.journal, sizeof(co.journal), a) ? "ok" : "too long");
	} else if (sscanf(line, "plan %d %d %15s", &x, &y, how) == 3) {
		co.mark_us = (int64_t)x * 1000;
		co.answer_us = (int64_t)y * 1000;
		co.loses = strcmp(how, "lose") == 0;
		co.halves = strcmp(how, "half") == 0;
		say("ok");
	} else if (strcmp(line, "idle") == 0) {
		co.is_idle_asked = true;
	} else if (sscanf(line, "state %1023s", a) == 1) {
		printf("state");
		each(a, say_state);
		say("");
	} else if (sscanf(line, "clear %1023s", a) == 1) {
		each(a, finish);
		say("cleared");
	} else {
		die(line);
	}
}

/* False at the end of the input. */
static bool read_lines(void)
{
	ssize_t got = read(STDIN_FILENO, co.in + co.n_in, sizeof(co.in) - co.n_in - 1);
	char *nl;

	if (got <= 0)
		return false;
	co.n_in += (size_t)got;
	co.in[co.n_in] = '\0';
	while ((nl = strchr(co.in, '\n')) != NULL) {
		*nl = '\0';
		on_line(co.in);
		co.n_in -= (size_t)(nl + 1 - co.in);
		memmove(co.in, nl + 1, co.n_in + 1);
	}
	return true;
}

/* ---- start ------------------------------------------------------------------------------------------ */

static void listen_here(void)
{
	struct sockaddr_in sa = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(sa);

	co.listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (co.listener < 0 || bind(co.listener, (struct sockaddr *)&sa, sizeof(sa)) || listen(co.listener, 64) ||
	    getsockname(co.listener, (struct sockaddr *)&sa, &len))
		die("can't listen");
	co.port = ntohs(sa.sin_port);
}

static int wait_ms(void)
{
	int64_t left = co.de.due_us - now_us();

	if (!co.de.is_on)
		return co.is_idle_asked ? IDLE_MS : -1;
	return left <= 0 ? 0 : (int)((left + 999) / 1000);
}

static void serve(void)
{
	for (;;) {
		int ready;
		struct pollfd fds[2 + CLIENTS_MAX] = { { .fd = STDIN_FILENO, .events = POLLIN }, { .fd = co.listener, .events = POLLIN } };
		size_t n = co.n_clients;

		for (size_t i = 0; i < n; i++)
			fds[2 + i] = (struct pollfd){ .fd = co.clients[i].fd, .events = POLLIN };
		ready = poll(fds, 2 + n, wait_ms());
		if (ready < 0 && errno != EINTR)
			die(strerror(errno));
		if (ready == 0 && co.is_idle_asked && !co.de.is_on) {
			co.is_idle_asked = false;
			say("idle");
		}
		for (size_t i = n; i-- > 0;)
			if (fds[2 + i].revents != 0 && !read_client(&co.clients[i]))
				drop_client(co.clients[i].fd);
		if (co.de.is_on && now_us() >= co.de.due_us)
			step();
		if (fds[1].revents != 0)
			take_client();
		if (fds[0].revents != 0 && !read_lines())
			return;
	}
}

int main(int argc, char **argv)
{
	bool is_looking = argc == 3 && strcmp(argv[1], "--look") == 0;

	if (argc != 3) {
		fprintf(stderr, "usage: controller CONNECT LOG | controller --look CONNECT\n");
		return 2;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	co.connect = argv[1 + is_looking];
	co.de.fd = -1;
	co.log = fopen(is_looking ? "/dev/null" : argv[2], "a");
	if (co.log == NULL)
		die(argv[2]);
	listen_here();
	connect_zookeeper();
	if (!is_looking)
		make_roots();
	printf("port %d\n", co.port);
	fflush(stdout);
	serve();
	while (co.n_clients > 0)
		drop_client(co.clients[0].fd);
	zookeeper_close(co.zh);
	fclose(co.log);
	return 0;
}
