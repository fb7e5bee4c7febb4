/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resolving → connecting (up to NET_FDS_MAX addresses at a time) → handshaking → open;
 * from each of them → failed, for good.
 */
#include "io/net.h"

#include <assert.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "io/net_tls.h"
#include "io/resolve.h"

enum { NAME_MAX_BYTES = ZKCONNECT_HOST_MAX + 16, NAMED_MAX = 3 };

struct attempt {
	int fd; /* -1: free */
	size_t address;
};

struct net {
	enum net_state state;
	struct err err;
	struct zkserver server;
	char name[NAME_MAX_BYTES];
	struct net_tls *tls;           /* borrowed; NULL: plain */
	dur_ms timeout_ms;
	mono_ms until;
	struct resolve_lookup *lookup; /* while resolving */
	struct resolve_result addresses;
	size_t order[RESOLVE_ADDRS_MAX];
	int why[RESOLVE_ADDRS_MAX];    /* errno by address; 0 when it has not failed */
	size_t n_begun;                /* of `order` */
	mono_ms last_begun;
	struct attempt attempts[NET_FDS_MAX];
	int fd;                        /* of the one that answered, else -1 */
	struct net_session *session;
	bool wants_out, is_closed;
};

/* ---- sockets ------------------------------------------------------------------ */

static enum net_io socket_result(ssize_t rc, enum net_io wants, size_t *n, int *sys_errno)
{
	*n = rc > 0 ? (size_t)rc : 0;
	if (rc >= 0)
		return NET_IO_DONE;
	if (errno == EAGAIN || errno == EINTR)
		return wants;
	*sys_errno = errno;
	return errno == ECONNRESET || errno == EPIPE ? NET_IO_CLOSED : NET_IO_FAILED;
}

enum net_io net_socket_read(int fd, void *buf, size_t size, size_t *n, int *sys_errno)
{
	ssize_t rc = recv(fd, buf, size, 0);

	return rc == 0 ? NET_IO_CLOSED : socket_result(rc, NET_IO_WANTS_IN, n, sys_errno);
}

enum net_io net_socket_write(int fd, const void *bytes, size_t size, size_t *n, int *sys_errno)
{
	return socket_result(send(fd, bytes, size, MSG_NOSIGNAL), NET_IO_WANTS_OUT, n, sys_errno);
}

static const char *reason(int sys_errno, char *buf, size_t size)
{
	switch (sys_errno) {
	case ECONNREFUSED:
		return "nothing listens there (connection refused)";
	case EHOSTUNREACH:
	case ENETUNREACH:
	case EHOSTDOWN:
		return "unreachable (no route to it)";
	case ETIMEDOUT:
		return "timed out";
	case ECONNRESET:
		return "the connection was reset";
	default:
		return strerror_r(sys_errno, buf, size);
	}
}

enum net_io net_socket_error(int sys_errno, struct err *err)
{
	char buf[128];

	err_set(err, sys_errno == ETIMEDOUT ? ERR_TIMEOUT : ERR_NET, "%s", reason(sys_errno, buf, sizeof(buf)));
	return NET_IO_FAILED;
}

/* ---- failing -------------------------------------------------------------------- */

static void let_go(struct net *nt)
{
	net_session_free(&nt->session);
	resolve_end(&nt->lookup);
	for (size_t i = 0; i < NET_FDS_MAX; i++) {
		if (nt->attempts[i].fd >= 0)
			close(nt->attempts[i].fd);
		nt->attempts[i].fd = -1;
	}
	if (nt->fd >= 0)
		close(nt->fd);
	nt->fd = -1;
}

/* nt->err is set. */
static void failed(struct net *nt)
{
	err_wrap(&nt->err, "%s", nt->name);
	let_go(nt);
	nt->state = NET_FAILED;
}

/* "none of its 2 addresses answers: 10.0.0.1:9092 timed out; ..." */
static void put_addresses(const struct net *nt, struct strbuf *out)
{
	char buf[128];

	strbuf_printf(out, "none of its %zu addresses takes a connection: ", nt->addresses.n);
	for (size_t i = 0; i < nt->addresses.n && i < NAMED_MAX; i++)
		strbuf_printf(out, "%s%s %s", i > 0 ? "; " : "", nt->addresses.v[i].text,
			      nt->why[i] ? reason(nt->why[i], buf, sizeof(buf)) : "does not answer");
	if (nt->addresses.n > NAMED_MAX)
		strbuf_put(out, "; ...");
}

static void put_one_address(const struct net *nt, struct strbuf *out)
{
	const char *text = nt->addresses.v[0].text;
	char buf[128];

	if (strcmp(text, nt->name) != 0)
		strbuf_printf(out, "%s: ", text);
	strbuf_put(out, reason(nt->why[0], buf, sizeof(buf)));
}

static void fail_refused(struct net *nt)
{
	struct strbuf text;

	strbuf_init(&text);
	if (nt->addresses.n == 1)
		put_one_address(nt, &text);
	else
		put_addresses(nt, &text);
	err_set(&nt->err, ERR_NET, "%s", text.s);
	strbuf_fini(&text);
	failed(nt);
}

static void fail_late(struct net *nt)
{
	char within[UNITS_TEXT_MAX];

	units_limit(within, nt->timeout_ms);
	if (nt->state == NET_RESOLVING)
		err_set(&nt->err, ERR_TIMEOUT, "timed out: the name server has not answered within %s", within);
	else if (nt->state == NET_CONNECTING)
		err_set(&nt->err, ERR_TIMEOUT, "timed out: no answer to the connection within %s; a firewall, or the machine is down",
			within);
	else
		err_set(&nt->err, ERR_TIMEOUT, "timed out: no answer to the TLS handshake within %s; a port without TLS, perhaps",
			within);
	failed(nt);
}

/* ---- resolving --------------------------------------------------------------------- */

/* The kinds of addresses in turn, beginning with the first; within a kind the resolver's order. */
static void put_in_turn(struct net *nt)
{
	sa_family_t first = nt->addresses.v[0].sa.ss_family;
	size_t at[2] = { 0, 0 }, n = nt->addresses.n;

	for (size_t i = 0, kind = 0; i < n; kind = 1 - kind) {
		size_t *a = &at[kind];

		while (*a < n && (nt->addresses.v[*a].sa.ss_family == first) != (kind == 0))
			++*a;
		if (*a < n)
			nt->order[i++] = (*a)++;
	}
}

static void step_resolving(struct net *nt)
{
	if (!resolve_take(nt->lookup, &nt->addresses))
		return;
	resolve_end(&nt->lookup);
	if (nt->addresses.n == 0) {
		err_set(&nt->err, ERR_NET, "%s", nt->addresses.why[0] ? nt->addresses.why[0] : "name has no address");
		failed(nt);
		return;
	}
	put_in_turn(nt);
	nt->state = NET_CONNECTING;
}

/* ---- connecting --------------------------------------------------------------------- */

static void connected(struct net *nt, int fd)
{
	for (size_t i = 0; i < NET_FDS_MAX; i++)
		if (nt->attempts[i].fd == fd)
			nt->attempts[i].fd = -1;
	let_go(nt);
	nt->fd = fd;
	nt->state = NET_OPEN;
	if (!nt->tls)
		return;
	nt->state = NET_HANDSHAKING;
	nt->session = net_session_new(nt->tls, nt->server.host, fd, &nt->err);
	if (!nt->session)
		failed(nt);
}

static int open_socket(sa_family_t family)
{
	int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), one = 1;

	/* Small requests are not to wait for each other; a connection that died unheard is to be noticed. */
	if (fd >= 0) {
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
		setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof(one));
	}
	return fd;
}

static void begin_attempt(struct net *nt, struct attempt *at, size_t address)
{
	const struct sockaddr_storage *sa = &nt->addresses.v[address].sa;
	socklen_t size = sa->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
	int fd = open_socket(sa->ss_family);

	if (fd >= 0 && (connect(fd, (const struct sockaddr *)sa, size) == 0 || errno == EINPROGRESS)) {
		*at = (struct attempt){ fd, address };
		return;
	}
	nt->why[address] = errno;
	if (fd >= 0)
		close(fd);
}

/* A free slot; *n_busy counts the others. */
static struct attempt *free_attempt(struct net *nt, size_t *n_busy)
{
	struct attempt *found = NULL;

	*n_busy = 0;
	for (size_t i = 0; i < NET_FDS_MAX; i++) {
		if (nt->attempts[i].fd >= 0)
			++*n_busy;
		else
			found = &nt->attempts[i];
	}
	return found;
}

static void begin_attempts(struct net *nt, mono_ms now)
{
	size_t n_busy;
	struct attempt *at;

	while ((at = free_attempt(nt, &n_busy)) != NULL && nt->n_begun < nt->addresses.n) {
		if (n_busy > 0 && mono_since(now, nt->last_begun) < NET_NEXT_ADDRESS_MS)
			return;
		nt->last_begun = now;
		begin_attempt(nt, at, nt->order[nt->n_begun++]);
	}
	if (n_busy == 0)
		fail_refused(nt);
}

/* True when it is connected. */
static bool look_at(struct net *nt, struct attempt *at)
{
	struct pollfd pfd = { .fd = at->fd, .events = POLLOUT };
	int sys_errno = 0;
	socklen_t size = sizeof(sys_errno);

	if (at->fd < 0 || poll(&pfd, 1, 0) <= 0)
		return false;
	getsockopt(at->fd, SOL_SOCKET, SO_ERROR, &sys_errno, &size);
	if (sys_errno == 0 && (pfd.revents & POLLOUT))
		return true;
	nt->why[at->address] = sys_errno ? sys_errno : ECONNREFUSED;
	close(at->fd);
	at->fd = -1;
	/* The next one need not wait. */
	nt->last_begun = (mono_ms){ nt->last_begun.ms - NET_NEXT_ADDRESS_MS };
	return false;
}

static void step_connecting(struct net *nt, mono_ms now)
{
	for (size_t i = 0; i < NET_FDS_MAX; i++)
		if (look_at(nt, &nt->attempts[i])) {
			connected(nt, nt->attempts[i].fd);
			return;
		}
	begin_attempts(nt, now);
}

/* ---- handshaking ---------------------------------------------------------------------- */

static void step_handshaking(struct net *nt)
{
	enum net_io io = net_session_handshake(nt->session, &nt->err);

	nt->wants_out = io == NET_IO_WANTS_OUT;
	if (io == NET_IO_DONE)
		nt->state = NET_OPEN;
	if (io == NET_IO_CLOSED)
		err_set(&nt->err, ERR_NET, "it closed the connection during the TLS handshake, as a port without TLS does "
			"(is security.protocol right?)");
	if (nt->err.code)
		failed(nt);
}

/* ---- the whole ------------------------------------------------------------------------- */

struct net *net_new(const char *host, int port, struct net_tls *tls, dur_ms timeout_ms, mono_ms now)
{
	struct net *nt = mem_zalloc(sizeof(*nt));

	err_init(&nt->err);
	nt->fd = -1;
	for (size_t i = 0; i < NET_FDS_MAX; i++)
		nt->attempts[i].fd = -1;
	nt->tls = tls;
	nt->timeout_ms = timeout_ms;
	nt->until = (mono_ms){ now.ms + timeout_ms };
	nt->server.port = port;
	if (!str_copy(nt->server.host, sizeof(nt->server.host), host) || *host == '\0' || port < 1 || port > 65535)
		err_set(&nt->err, ERR_NET, *host == '\0' ? "no host's name" : "no name and port that can be connected to");
	zkserver_text(&nt->server, nt->name, sizeof(nt->name));
	if (!nt->err.code)
		nt->lookup = resolve_begin(&nt->server, &nt->err);
	if (nt->err.code)
		failed(nt);
	return nt;
}

void net_free(struct net **pp)
{
	if (*pp == NULL)
		return;
	let_go(*pp);
	resolve_fini(&(*pp)->addresses);
	mem_free(pp);
}

enum net_state net_state(const struct net *nt)
{
	return nt->state;
}

const char *net_name(const struct net *nt)
{
	return nt->name;
}

bool net_is_closed(const struct net *nt)
{
	return nt->is_closed;
}

size_t net_poll(const struct net *nt, struct pollfd *fds)
{
	size_t n = 0;

	switch (nt->state) {
	case NET_RESOLVING:
		fds[n++] = (struct pollfd){ .fd = resolve_fd(nt->lookup), .events = POLLIN };
		break;
	case NET_CONNECTING:
		for (size_t i = 0; i < NET_FDS_MAX; i++)
			if (nt->attempts[i].fd >= 0)
				fds[n++] = (struct pollfd){ .fd = nt->attempts[i].fd, .events = POLLOUT };
		break;
	case NET_FAILED:
		break;
	default:
		fds[n++] = (struct pollfd){ .fd = nt->fd, .events = (short)(nt->wants_out ? POLLIN | POLLOUT : POLLIN) };
	}
	return n;
}

mono_ms net_deadline(const struct net *nt)
{
	mono_ms next = { nt->last_begun.ms + NET_NEXT_ADDRESS_MS };

	if (nt->state >= NET_OPEN)
		return (mono_ms){ 0 };
	if (nt->state == NET_CONNECTING && nt->n_begun < nt->addresses.n && next.ms < nt->until.ms)
		return next;
	return nt->until;
}

bool net_on_ready(struct net *nt, mono_ms now, struct err *err)
{
	if (nt->state == NET_RESOLVING)
		step_resolving(nt);
	if (nt->state == NET_CONNECTING)
		step_connecting(nt, now);
	if (nt->state == NET_HANDSHAKING)
		step_handshaking(nt);
	if (nt->state < NET_OPEN && now.ms >= nt->until.ms)
		fail_late(nt);
	return nt->state != NET_FAILED || err_set(err, nt->err.code, "%s", nt->err.text);
}

/* Of a read or write in NET_OPEN. */
static bool finish(struct net *nt, enum net_io io, int sys_errno, size_t *n, struct err *err)
{
	if (io != NET_IO_DONE)
		*n = 0;
	if (io == NET_IO_CLOSED) {
		nt->is_closed = true;
		err_set(&nt->err, ERR_NET, sys_errno == ECONNRESET ? "the connection was reset" : "it closed the connection");
	}
	if (io == NET_IO_FAILED && !nt->err.code)
		(void)net_socket_error(sys_errno, &nt->err);
	if (!nt->err.code)
		return true;
	failed(nt);
	return err_set(err, nt->err.code, "%s", nt->err.text);
}

bool net_read(struct net *nt, void *buf, size_t size, size_t *n, struct err *err)
{
	enum net_io io;
	int sys_errno = 0;

	*n = 0;
	if (nt->state == NET_FAILED)
		return err_set(err, nt->err.code, "%s", nt->err.text);
	assert(nt->state == NET_OPEN);
	io = nt->session ? net_session_read(nt->session, buf, size, n, &nt->err) :
			   net_socket_read(nt->fd, buf, size, n, &sys_errno);
	if (io == NET_IO_WANTS_OUT)
		nt->wants_out = true;
	return finish(nt, io, sys_errno, n, err);
}

/* A peer that refuses our certificate by TLS 1.3 says so after the handshake, and closes: its alert may lie unread. */
static enum net_io last_words(struct net *nt)
{
	char scratch[256];
	size_t n;

	return net_session_read(nt->session, scratch, sizeof(scratch), &n, &nt->err) == NET_IO_FAILED ? NET_IO_FAILED : NET_IO_CLOSED;
}

bool net_write(struct net *nt, const void *bytes, size_t size, size_t *n, struct err *err)
{
	enum net_io io;
	int sys_errno = 0;

	*n = 0;
	if (nt->state == NET_FAILED)
		return err_set(err, nt->err.code, "%s", nt->err.text);
	assert(nt->state == NET_OPEN);
	io = nt->session ? net_session_write(nt->session, bytes, size, n, &nt->err) :
			   net_socket_write(nt->fd, bytes, size, n, &sys_errno);
	if (io == NET_IO_CLOSED && nt->session)
		io = last_words(nt);
	nt->wants_out = io == NET_IO_WANTS_OUT || (io == NET_IO_DONE && *n < size);
	return finish(nt, io, sys_errno, n, err);
}

const char *net_who_speaks(const void *first, size_t n)
{
	const unsigned char *v = first;

	if (n < 4)
		return NULL;
	if (memcmp(v, "HTTP", 4) == 0)
		return "a web server answers there (HTTP), no Kafka broker";
	if (memcmp(v, "SSH-", 4) == 0)
		return "an SSH server answers there, no Kafka broker";
	if (v[0] >= 20 && v[0] <= 23 && v[1] == 3 && v[2] <= 4)
		return "it answers with TLS: this port wants security.protocol SSL or SASL_SSL";
	return NULL;
}
