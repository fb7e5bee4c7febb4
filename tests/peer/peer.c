/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A broker that does as it is told, in VTest's manner:
 *   peer [--tls CERT KEY] [--client-ca CA | --ask-ca CA] [--tls-max 1.2|1.3] SCRIPT
 * Listens on 127.0.0.1, prints the port, then runs SCRIPT, lines that a newline or a
 * semicolon ends; ends with 0 when all came as expected, else with 1 and a sentence.
 *   accept              takes the next connection, with TLS if there is --tls; the one before is closed
 *   accept-fails        the same, and the TLS handshake must fail
 *   expect API V [HEX]  a request of this API (its name) and version; HEX: its body
 *   answer HEX          a frame with the correlation id of the last request expected
 *   answer-to N HEX     with that of the Nth of this connection (from 1)
 *   send HEX            these bytes as they are;  text WORDS  these letters and CR LF CR LF
 *   raw HEX             these bytes past TLS
 *   again               the last answer once more
 *   pause               prints "pause", waits until a line comes on standard input
 *   bye                 the client must close the connection without another word
 *   cut, reset          closes the connection, resets it
 * --client-ca wants a client's certificate, --ask-ca asks for one and takes none as well, and any.
 * In HEX, blanks are of no meaning. Never waits longer than 20 seconds.
 */
#include <arpa/inet.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "base/mem.h"
#include "wire/api.h"
#include "wire/buf.h"

enum { REQUESTS_MAX = 64, FRAME_MAX = 1 << 20, PATIENCE_S = 20 };

struct peer {
	int listener, fd;
	SSL_CTX *ctx;
	SSL *ssl;
	int32_t ids[REQUESTS_MAX];
	int n_ids;
	uint8_t frame[FRAME_MAX];
	uint8_t out[FRAME_MAX];
	size_t n_out;
	const char *line;
};

static void die(const struct peer *pe, const char *fmt, ...) __attribute__((noreturn, format(printf, 2, 3)));
static void die(const struct peer *pe, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "peer: %s: ", pe->line ? pe->line : "start");
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(1);
}

/* ---- bytes ------------------------------------------------------------------- */

/* False at the end. */
static bool get(struct peer *pe, uint8_t *buf, size_t n)
{
	while (n > 0) {
		ssize_t got = pe->ssl ? SSL_read(pe->ssl, buf, (int)n) : recv(pe->fd, buf, n, 0);

		if (got <= 0)
			return false;
		buf += got;
		n -= (size_t)got;
	}
	return true;
}

static void put(struct peer *pe, const uint8_t *bytes, size_t n)
{
	if (pe->ssl && n > 0)
		SSL_write(pe->ssl, bytes, (int)n); /* a client that is gone is no matter */
	while (!pe->ssl && n > 0) {
		ssize_t sent = send(pe->fd, bytes, n, MSG_NOSIGNAL);

		if (sent < 0)
			return;
		bytes += sent;
		n -= (size_t)sent;
	}
}

static size_t hex(const struct peer *pe, const char *text, uint8_t *out)
{
	const char *digits = "0123456789abcdef", *at;
	size_t n = 0;

	for (; *text; text++) {
		if (*text == ' ')
			continue;
		at = strchr(digits, *text);
		if (!at || n / 2 >= FRAME_MAX)
			die(pe, "no hex at: %s", text);
		out[n / 2] = (uint8_t)((n % 2 ? out[n / 2] << 4 : 0) | (at - digits));
		n++;
	}
	return n / 2;
}

static void close_client(struct peer *pe)
{
	if (pe->ssl) {
		SSL_shutdown(pe->ssl);
		SSL_free(pe->ssl);
		pe->ssl = NULL;
	}
	if (pe->fd >= 0)
		close(pe->fd);
	pe->fd = -1;
}

/* ---- commands ------------------------------------------------------------------- */

static void do_accept(struct peer *pe, bool must_fail)
{
	bool is_ok = true;

	close_client(pe);
	pe->n_ids = 0;
	pe->fd = accept(pe->listener, NULL, NULL);
	if (pe->fd < 0)
		die(pe, "no connection");
	if (pe->ctx) {
		pe->ssl = SSL_new(pe->ctx);
		SSL_set_fd(pe->ssl, pe->fd);
		is_ok = SSL_accept(pe->ssl) == 1;
	}
	if (is_ok == must_fail)
		die(pe, "the handshake %s: %s", is_ok ? "went well" : "failed",
		    is_ok ? "" : ERR_reason_error_string(ERR_peek_error()));
}

static void do_expect(struct peer *pe, const char *rest)
{
	static uint8_t body[FRAME_MAX];
	const struct wire_api_row *row;
	struct wire_reader rd;
	char name[64];
	int version, at = 0;
	uint8_t prefix[4];
	size_t n;

	if (sscanf(rest, "%63s %d%n", name, &version, &at) != 2)
		die(pe, "what is expected?");
	if (!get(pe, prefix, 4))
		die(pe, "the client closed the connection");
	n = (size_t)prefix[0] << 24 | (size_t)prefix[1] << 16 | (size_t)prefix[2] << 8 | prefix[3];
	if (n > FRAME_MAX || !get(pe, pe->frame, n))
		die(pe, "a frame of %zu bytes did not come", n);
	wire_reader_init(&rd, pe->frame, n, false);
	row = wire_api_find(wire_get_i16(&rd, "key"));
	if (!row || strcmp(row->name, name) != 0)
		die(pe, "came %s", row ? row->name : "an unknown API");
	if (wire_get_i16(&rd, "version") != version)
		die(pe, "came another version");
	if (pe->n_ids == REQUESTS_MAX)
		die(pe, "too many requests");
	pe->ids[pe->n_ids++] = wire_get_i32(&rd, "correlation id");
	(void)wire_get_string_or_null(&rd, "client id");
	rd.is_flexible = version >= row->flexible_from;
	wire_skip_tags(&rd);
	n = hex(pe, rest + at, body);
	if (rest[at] && (n != wire_reader_left(&rd) || memcmp(body, rd.data + rd.at, n) != 0))
		die(pe, "came another body, of %zu bytes", wire_reader_left(&rd));
}

static void do_answer(struct peer *pe, int nth, const char *rest)
{
	uint32_t id, n;

	if (nth < 1 || nth > pe->n_ids)
		die(pe, "no such request");
	id = (uint32_t)pe->ids[nth - 1];
	n = (uint32_t)hex(pe, rest, pe->out + 8) + 4;
	for (int i = 0; i < 4; i++) {
		pe->out[i] = (uint8_t)(n >> (24 - 8 * i));
		pe->out[4 + i] = (uint8_t)(id >> (24 - 8 * i));
	}
	pe->n_out = n + 4;
	put(pe, pe->out, pe->n_out);
}

static void do_raw(struct peer *pe, const char *rest)
{
	SSL *ssl = pe->ssl;

	pe->ssl = NULL;
	put(pe, pe->out, hex(pe, rest, pe->out));
	pe->ssl = ssl;
}

static void do_text(struct peer *pe, const char *rest)
{
	put(pe, (const uint8_t *)rest, strlen(rest));
	put(pe, (const uint8_t *)"\r\n\r\n", 4);
}

static void do_pause(const struct peer *pe)
{
	char c;

	puts("pause");
	fflush(stdout);
	do {
		if (read(STDIN_FILENO, &c, 1) != 1)
			die(pe, "nobody says go on");
	} while (c != '\n');
}

static void do_reset(struct peer *pe)
{
	struct linger li = { .l_onoff = 1, .l_linger = 0 };

	setsockopt(pe->fd, SOL_SOCKET, SO_LINGER, &li, sizeof(li));
	close(pe->fd);
	pe->fd = -1;
}

static bool is(const char *line, const char *word, const char **rest)
{
	size_t n = strlen(word);

	if (strncmp(line, word, n) != 0 || (line[n] != ' ' && line[n] != '\0'))
		return false;
	*rest = line + n + strspn(line + n, " ");
	return true;
}

static void run(struct peer *pe, const char *line)
{
	const char *rest = "";
	int nth = 0, at = 0;

	alarm(PATIENCE_S);
	if (is(line, "accept", &rest) || is(line, "accept-fails", &rest)) {
		do_accept(pe, is(line, "accept-fails", &rest));
	} else if (is(line, "expect", &rest)) {
		do_expect(pe, rest);
	} else if (is(line, "answer", &rest)) {
		do_answer(pe, pe->n_ids, rest);
	} else if (is(line, "answer-to", &rest) && sscanf(rest, "%d%n", &nth, &at) == 1) {
		do_answer(pe, nth, rest + at);
	} else if (is(line, "send", &rest)) {
		put(pe, pe->out, hex(pe, rest, pe->out));
	} else if (is(line, "raw", &rest)) {
		do_raw(pe, rest);
	} else if (is(line, "text", &rest)) {
		do_text(pe, rest);
	} else if (is(line, "again", &rest)) {
		put(pe, pe->out, pe->n_out);
	} else if (is(line, "pause", &rest)) {
		do_pause(pe);
	} else if (is(line, "bye", &rest)) {
		if (get(pe, pe->frame, 1))
			die(pe, "the client said something");
	} else if (is(line, "cut", &rest)) {
		close_client(pe);
	} else if (is(line, "reset", &rest)) {
		do_reset(pe);
	} else {
		die(pe, "no such command");
	}
}

static void run_all(struct peer *pe, char *script)
{
	for (char *next = script, *line; (line = next) != NULL;) {
		next = line + strcspn(line, ";\n");
		next = *next ? (*next = '\0', next + 1) : NULL;
		line += strspn(line, " \t");
		for (size_t n = strlen(line); n > 0 && line[n - 1] == ' '; n--)
			line[n - 1] = '\0';
		pe->line = line;
		if (*line)
			run(pe, line);
	}
}

/* ---- start -------------------------------------------------------------------------- */

static void listen_here(struct peer *pe)
{
	struct sockaddr_in sa = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(sa);

	pe->listener = socket(AF_INET, SOCK_STREAM, 0);
	if (pe->listener < 0 || bind(pe->listener, (struct sockaddr *)&sa, sizeof(sa)) || listen(pe->listener, 16) ||
	    getsockname(pe->listener, (struct sockaddr *)&sa, &len))
		die(pe, "can't listen");
	printf("%d\n", ntohs(sa.sin_port));
	fflush(stdout);
}

static int take_any(int is_ok, X509_STORE_CTX *sc)
{
	return 1;
}

static int options(struct peer *pe, int argc, char **argv)
{
	int i = 1;

	for (; i + 1 < argc; i += 2) {
		if (strcmp(argv[i], "--tls") == 0 && i + 2 < argc) {
			pe->ctx = SSL_CTX_new(TLS_server_method());
			if (SSL_CTX_use_certificate_chain_file(pe->ctx, argv[i + 1]) != 1 ||
			    SSL_CTX_use_PrivateKey_file(pe->ctx, argv[i + 2], SSL_FILETYPE_PEM) != 1)
				die(pe, "can't read %s", argv[i + 1]);
			i++;
		} else if (strcmp(argv[i], "--ask-ca") == 0 && pe->ctx) {
			SSL_CTX_set_verify(pe->ctx, SSL_VERIFY_PEER, take_any);
		} else if (strcmp(argv[i], "--client-ca") == 0 && pe->ctx) {
			SSL_CTX_set_verify(pe->ctx, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
			if (SSL_CTX_load_verify_locations(pe->ctx, argv[i + 1], NULL) != 1)
				die(pe, "can't read %s", argv[i + 1]);
		} else if (strcmp(argv[i], "--tls-max") == 0 && pe->ctx) {
			SSL_CTX_set_max_proto_version(pe->ctx, strcmp(argv[i + 1], "1.2") ? TLS1_3_VERSION : TLS1_2_VERSION);
		} else {
			break;
		}
	}
	return i;
}

int main(int argc, char **argv)
{
	static struct peer pe = { .fd = -1 };
	int i = options(&pe, argc, argv);

	if (i != argc - 1) {
		fprintf(stderr, "usage: peer [--tls CERT KEY] [--client-ca CA | --ask-ca CA] [--tls-max 1.2|1.3] SCRIPT\n");
		return 2;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_IGN);
	listen_here(&pe);
	run_all(&pe, argv[i]);
	close_client(&pe);
	close(pe.listener);
	SSL_CTX_free(pe.ctx);
	return 0;
}
