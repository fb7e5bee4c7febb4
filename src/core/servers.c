/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Java: ConnectStringParser of ZooKeeper and ClientUtils.parseAndValidateAddresses of Kafka both split at commas,
 * drop blanks and empty entries, and end a host at its last colon. We refuse what they accept but nobody can have meant.
 */
#include "core/servers.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "core/span.h"

static bool is_name_byte(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '-' || c == '.' || c == '_';
}

/* An address, perhaps with a zone: fe80::1%eth0. */
static bool is_ipv6(struct span sp)
{
	struct span address = span_until(sp, '%'), zone = span_behind(sp, address);
	char text[INET6_ADDRSTRLEN];
	struct in6_addr ignored;

	for (size_t i = 0; i < zone.n; i++)
		if (!is_name_byte(zone.s[i]))
			return false;
	return (address.n == sp.n || zone.n > 0) && str_copyn(text, sizeof(text), address.s, address.n) &&
	       inet_pton(AF_INET6, text, &ignored) == 1;
}

static bool read_port(struct span sp, struct span server, const struct servers_form *form, int *out, struct err *err)
{
	char text[16];
	int64_t port;

	if (sp.n == 0 && form->port == 0)
		return err_set(err, ERR_USAGE, "\"%.*s\" has no port; write %s", (int)server.n, server.s, form->text);
	if (sp.n == 0) {
		*out = form->port;
		return true;
	}
	if (!str_copyn(text, sizeof(text), sp.s, sp.n) || !str_to_i64(text, 1, 65535, &port))
		return err_set(err, ERR_USAGE, "\"%.*s\": \"%.*s\" is not a port (1 to 65535)",
			       (int)server.n, server.s, (int)sp.n, sp.s);
	*out = (int)port;
	return true;
}

static bool keep_host(struct span host, struct zkserver *srv, struct err *err)
{
	if (!str_copyn(srv->host, sizeof(srv->host), host.s, host.n))
		return err_set(err, ERR_LIMIT, "a host name of %zu bytes, the limit is %d", host.n,
			       SERVER_HOST_MAX - 1);
	return true;
}

/* [address] or [address]:port */
static bool read_bracketed(struct span sp, const struct servers_form *form, struct zkserver *srv, struct err *err)
{
	struct span inner = span_until((struct span){ sp.s + 1, sp.n - 1 }, ']');
	struct span rest = { inner.s + inner.n, (size_t)(sp.s + sp.n - inner.s) - inner.n };

	if (rest.n == 0 || (rest.n > 1 && rest.s[1] != ':'))
		return err_set(err, ERR_USAGE, "\"%.*s\": expected [address]:port", (int)sp.n, sp.s);
	if (!is_ipv6(inner))
		return err_set(err, ERR_USAGE, "\"%.*s\": brackets are for IPv6 addresses, "
			       "\"%.*s\" is none", (int)sp.n, sp.s, (int)inner.n, inner.s);
	return keep_host(inner, srv, err) &&
	       read_port((struct span){ rest.s + 2, rest.n > 1 ? rest.n - 2 : 0 }, sp, form, &srv->port, err);
}

/* Always false. An address without brackets; its last group may be meant as the port. */
static bool refuse_bare_ipv6(struct span sp, const struct servers_form *form, struct err *err)
{
	const char *colon = memrchr(sp.s, ':', sp.n);
	struct span host = { sp.s, (size_t)(colon - sp.s) };

	if (is_ipv6(sp))
		return err_set(err, ERR_USAGE, "\"%.*s\": an IPv6 address stands in brackets: [%.*s]:%d",
			       (int)sp.n, sp.s, (int)sp.n, sp.s, form->port ? form->port : form->usual_port);
	if (is_ipv6(host))
		return err_set(err, ERR_USAGE, "\"%.*s\": an IPv6 address stands in brackets: [%.*s]%.*s",
			       (int)sp.n, sp.s, (int)host.n, host.s, (int)(sp.n - host.n), colon);
	return err_set(err, ERR_USAGE, "\"%.*s\" has more than one colon; write %s", (int)sp.n, sp.s,
		       form->text);
}

static bool read_server(struct span sp, const struct servers_form *form, struct zkserver *srv, struct err *err)
{
	struct span host = span_until(sp, ':'), port = span_behind(sp, host);

	if (sp.s[0] == '[')
		return read_bracketed(sp, form, srv, err);
	if (span_has(port, ':'))
		return refuse_bare_ipv6(sp, form, err);
	if (host.n == 0)
		return err_set(err, ERR_USAGE, "\"%.*s\" has no host; write %s", (int)sp.n, sp.s,
			       form->text);
	for (size_t i = 0; i < host.n; i++) {
		if (span_is_blank(host.s[i]))
			return err_set(err, ERR_USAGE, "\"%.*s\": a blank in a host name; servers are "
				       "separated by commas", (int)sp.n, sp.s);
		if (!is_name_byte(host.s[i]))
			return err_set(err, ERR_USAGE, "\"%.*s\" is not a host name; write %s",
				       (int)host.n, host.s, form->text);
	}
	return keep_host(host, srv, err) && read_port(port, sp, form, &srv->port, err);
}

/* Always false. What somebody takes for a URL. */
static bool refuse_scheme(struct span sp, const char *at, const struct servers_form *form, struct err *err)
{
	const char *scheme = at;

	while (scheme > sp.s && scheme[-1] != ',' && !span_is_blank(scheme[-1]))
		scheme--;
	return err_set(err, ERR_USAGE, "%s has no scheme; leave out \"%.*s://\" and write %s", form->what, (int)(at - scheme), scheme,
		       form->text);
}

bool servers_check_bytes(const char *s, size_t n, struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == 0x7f || (c < ' ' && !span_is_blank(s[i])))
			return err_set(err, ERR_USAGE, "a control byte 0x%02x at column %zu", c, i + 1);
	}
	return true;
}

bool servers_read(const char *s, size_t n_bytes, const struct servers_form *form, struct zkserver *v, size_t *n, struct err *err)
{
	struct span list = { s, n_bytes };
	const char *scheme = memmem(s, n_bytes, "://", 3);

	*n = 0;
	if (scheme)
		return refuse_scheme(list, scheme, form, err);
	while (list.n > 0) {
		struct span entry = span_until(list, ','), server = span_trim(entry);

		list = span_behind(list, entry);
		if (server.n == 0)
			continue;
		if (*n == SERVERS_MAX)
			return err_set(err, ERR_LIMIT, "more than %d servers", SERVERS_MAX);
		if (!read_server(server, form, &v[*n], err))
			return false;
		++*n;
	}
	return *n > 0 || err_set(err, ERR_USAGE, "no server; write %s", form->text);
}

bool bootstrap_parse(const char *s, struct bootstrap *out, struct err *err)
{
	static const struct servers_form form = { "a list of bootstrap servers", "host:port,host:port", 0, 9092 };
	struct span whole = span_trim((struct span){ s, strlen(s) });
	struct bootstrap bs = { .n = 0 };

	if (!servers_check_bytes(whole.s, whole.n, err) || !servers_read(whole.s, whole.n, &form, bs.servers, &bs.n, err))
		return false;
	*out = bs;
	return true;
}

void servers_text(const char *host, int port, char *out, size_t size)
{
	str_printf(out, size, strchr(host, ':') != NULL ? "[%s]:%d" : "%s:%d", host, port);
}

void zkserver_text(const struct zkserver *srv, char *out, size_t size)
{
	servers_text(srv->host, srv->port, out, size);
}
