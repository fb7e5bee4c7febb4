/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The brokers of the cluster that zkseed seeds: each listens on a port of its own on 127.0.0.1 and answers what kafops
 * asks (ApiVersions, Metadata, DescribeLogDirs, DescribeConfigs, ListPartitionReassignments) at once, from bytes made
 * once (tests/bench/answers). So what is measured is the console.
 *
 *   mdserve [--topics N] [--partitions P] [--rf R] [--brokers B] [--prefix S]      as of zkseed
 *
 * Prints the first broker's port (the next ones follow it), to be given to zkseed as --port. On SIGUSR1 it prints a line a broker:
 *   id TAB requests since the last SIGUSR1 TAB name=requests for each API
 * and "end". Ends when its parent does, or by SIGTERM.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "tests/bench/answers.h"
#include "wire/api.h"

enum { BROKERS_MAX = 64, CLIENTS_MAX = 512, FRAME_MAX = 1 << 20, APIS_MAX = 64, FIRST_PORT = 20000, LAST_PORT = 32000, TOPICS_MAX = 10000 };

struct client {
	int fd, broker;          /* index */
	uint8_t *buf;
	size_t n;
};

static struct {
	struct answers an;
	int listeners[BROKERS_MAX];
	struct wire_writer metadata, logdirs[BROKERS_MAX], configs[BROKERS_MAX], reassigning;
	struct client clients[CLIENTS_MAX];
	size_t n_clients;
	unsigned long asked[BROKERS_MAX][APIS_MAX];
	int signals;
} sv = { .an = { .prefix = "bench-", .topics = 2000, .partitions = 25, .rf = 3, .brokers = 3 } };

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "mdserve: %s\n", what);
	exit(1);
}

/* ---- listening -------------------------------------------------------------------- */

static int listen_at(int port)
{
	struct sockaddr_in sa = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, (struct sockaddr *)&sa, sizeof(sa)) == 0 && listen(fd, 64) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Ports in a row that nobody has. */
static void listen_all(void)
{
	int64_t n = 0;

	sv.an.port = FIRST_PORT + (int)getpid() % 1000 * 10;
	while (n < sv.an.brokers) {
		sv.listeners[n] = listen_at(sv.an.port + (int)n);
		if (sv.listeners[n] >= 0) {
			n++;
			continue;
		}
		sv.an.port += (int)n + 1;
		while (n > 0)
			close(sv.listeners[--n]);
		if (sv.an.port > LAST_PORT)
			die("no ports");
	}
}

static void take_client(int broker)
{
	int fd = accept(sv.listeners[broker], NULL, NULL);

	if (fd < 0)
		return;
	if (sv.n_clients == CLIENTS_MAX)
		die("too many connections");
	sv.clients[sv.n_clients++] = (struct client){ .fd = fd, .broker = broker, .buf = mem_alloc(FRAME_MAX) };
}

static void drop_client(size_t at)
{
	close(sv.clients[at].fd);
	mem_free(&sv.clients[at].buf);
	sv.clients[at] = sv.clients[--sv.n_clients];
}

/* ---- answering ------------------------------------------------------------------------ */

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

static void answer(const struct client *cl, struct wire_writer *wr, int32_t id)
{
	uint32_t n = (uint32_t)wr->n;
	uint8_t prefix[4] = { (uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8), (uint8_t)n };

	answers_set_id(wr, id);
	send_all(cl->fd, prefix, sizeof(prefix));
	send_all(cl->fd, wr->data, wr->n);
}

static void answer_once(const struct client *cl, struct wire_writer *wr, int32_t id)
{
	answer(cl, wr, id);
	wire_writer_fini(wr);
}

/* The number behind the prefix; -1: it is no topic of ours. */
static int64_t topic_number(struct wire_span name)
{
	size_t skip = strlen(sv.an.prefix);
	char digits[24];
	int64_t n;

	if (name.n <= skip || memcmp(name.s, sv.an.prefix, skip) != 0 || !str_copyn(digits, sizeof(digits), name.s + skip, name.n - skip))
		return -1;
	for (size_t i = 0; digits[i] == '0' && digits[i + 1] != '\0'; i++)
		digits[i] = ' ';
	return str_to_i64(digits + strspn(digits, " "), 0, INT32_MAX, &n) ? n : -1;
}

/* Of all topics when the list is null. */
static void on_metadata(const struct client *cl, struct wire_reader *rd, int32_t id)
{
	static int64_t wanted[TOPICS_MAX];
	uint32_t n = wire_get_uvarint(rd, "topics");
	struct wire_writer wr;

	if (n == 0) {
		answer(cl, &sv.metadata, id);
		return;
	}
	n -= 1;
	if (n > TOPICS_MAX)
		die("too many topics asked for");
	for (uint32_t i = 0; i < n; i++) {
		wanted[i] = topic_number(wire_get_string(rd, "topic"));
		wire_skip_tags(rd);
	}
	answers_metadata(&sv.an, &wr, wanted, n);
	answer_once(cl, &wr, id);
}

/* False: it is nothing that these brokers answer. */
static bool on_request(const struct client *cl, const uint8_t *frame, size_t n)
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
	if (row == NULL || key >= APIS_MAX || !wire_reader_ok(&rd))
		return false;
	sv.asked[cl->broker][key]++;
	rd.is_flexible = version >= row->flexible_from;
	wire_skip_tags(&rd);
	if (key == wire_api_get(WIRE_API_VERSIONS)->key) {
		answers_versions(&wr, version);
		answer_once(cl, &wr, id);
	} else if (key == wire_api_get(WIRE_METADATA)->key && version == ANSWERS_VERSION_METADATA) {
		on_metadata(cl, &rd, id);
	} else if (key == wire_api_get(WIRE_DESCRIBE_LOG_DIRS)->key && version == ANSWERS_VERSION_LOGDIRS) {
		answer(cl, &sv.logdirs[cl->broker], id);
	} else if (key == wire_api_get(WIRE_DESCRIBE_CONFIGS)->key && version == ANSWERS_VERSION_CONFIGS) {
		answer(cl, &sv.configs[cl->broker], id);
	} else if (key == wire_api_get(WIRE_LIST_REASSIGNMENTS)->key) {
		answer(cl, &sv.reassigning, id);
	} else {
		return false;
	}
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
		if (!on_request(cl, cl->buf + 4, n))
			return false;
		memmove(cl->buf, cl->buf + 4 + n, cl->n - 4 - n);
		cl->n -= 4 + n;
	}
	return true;
}

/* ---- counts ------------------------------------------------------------------------------ */

static void print_counts(void)
{
	for (int64_t b = 0; b < sv.an.brokers; b++) {
		unsigned long all = 0;

		for (int16_t k = 0; k < APIS_MAX; k++)
			all += sv.asked[b][k];
		printf("%d\t%lu\t", (int)b + 1, all);
		for (int16_t k = 0; k < APIS_MAX; k++)
			if (sv.asked[b][k] > 0)
				printf(" %s=%lu", wire_api_find(k)->name, sv.asked[b][k]);
		printf("\n");
	}
	printf("end\n");
	fflush(stdout);
	memset(sv.asked, 0, sizeof(sv.asked));
}

/* False when the end is asked for. */
static bool on_signal(void)
{
	struct signalfd_siginfo si;

	if (read(sv.signals, &si, sizeof(si)) != sizeof(si))
		return true;
	if (si.ssi_signo != SIGUSR1)
		return false;
	print_counts();
	return true;
}

/* ---- start --------------------------------------------------------------------------------- */

static void serve(void)
{
	for (;;) {
		struct pollfd fds[1 + BROKERS_MAX + CLIENTS_MAX];
		size_t n = 0, n_clients = sv.n_clients;

		fds[n++] = (struct pollfd){ .fd = sv.signals, .events = POLLIN };
		for (int64_t b = 0; b < sv.an.brokers; b++)
			fds[n++] = (struct pollfd){ .fd = sv.listeners[b], .events = POLLIN };
		for (size_t i = 0; i < n_clients; i++)
			fds[n++] = (struct pollfd){ .fd = sv.clients[i].fd, .events = POLLIN };
		if (poll(fds, n, -1) < 0 && errno != EINTR)
			die(strerror(errno));
		for (size_t i = n_clients; i-- > 0;)
			if (fds[1 + (size_t)sv.an.brokers + i].revents != 0 && !read_client(&sv.clients[i]))
				drop_client(i);
		for (int64_t b = 0; b < sv.an.brokers; b++)
			if (fds[1 + b].revents != 0)
				take_client((int)b);
		if (fds[0].revents != 0 && !on_signal())
			return;
	}
}

static void make_answers(void)
{
	answers_metadata(&sv.an, &sv.metadata, NULL, 0);
	answers_reassigning(&sv.reassigning);
	for (int64_t b = 0; b < sv.an.brokers; b++) {
		answers_logdirs(&sv.an, &sv.logdirs[b], b + 1, 0, 0);
		answers_configs(&sv.configs[b], b + 1);
	}
}

static void take_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sv.signals = signalfd(-1, &set, SFD_CLOEXEC);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
}

static void options(int argc, char **argv)
{
	const struct { const char *name; int64_t *v, most; } numbers[] = {
		{ "--topics", &sv.an.topics, 100000 }, { "--partitions", &sv.an.partitions, 100000 }, { "--rf", &sv.an.rf, 16 },
		{ "--brokers", &sv.an.brokers, BROKERS_MAX },
	};

	for (int i = 1; i < argc; i += 2) {
		bool ok = i + 1 < argc && strcmp(argv[i], "--prefix") == 0;

		if (ok)
			sv.an.prefix = argv[i + 1];
		for (size_t k = 0; i + 1 < argc && k < sizeof(numbers) / sizeof(numbers[0]); k++)
			if (strcmp(argv[i], numbers[k].name) == 0)
				ok = str_to_i64(argv[i + 1], 1, numbers[k].most, numbers[k].v);
		if (!ok)
			die("usage: mdserve [--topics N] [--partitions P] [--rf R] [--brokers B] [--prefix S]");
	}
}

int main(int argc, char **argv)
{
	options(argc, argv);
	take_signals();
	listen_all();
	make_answers();
	printf("%d\n", sv.an.port);
	fflush(stdout);
	serve();
	return 0;
}
