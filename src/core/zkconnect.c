/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connect strings. Java: org.apache.zookeeper.client.ConnectStringParser (cuts
 * at the first slash, splits at commas, drops blanks and empty entries; a host
 * ends at its last colon) and PathUtils.validatePath for the chroot. We refuse
 * what that accepts but nobody can have meant.
 */
#include "core/zkconnect.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

static const char right_form[] = "host:port,host:port/chroot";

struct span {
	const char *s;
	size_t n;
};

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct span trim(struct span sp)
{
	while (sp.n > 0 && is_blank(sp.s[sp.n - 1]))
		sp.n--;
	while (sp.n > 0 && is_blank(sp.s[0]))
		sp = (struct span){ sp.s + 1, sp.n - 1 };
	return sp;
}

static struct span until(struct span sp, char c)
{
	const char *at = memchr(sp.s, c, sp.n);

	return (struct span){ sp.s, at ? (size_t)(at - sp.s) : sp.n };
}

/* What is behind `part`, a beginning of `sp`, and one separator. */
static struct span behind(struct span sp, struct span part)
{
	size_t skip = part.n < sp.n ? part.n + 1 : sp.n;

	return (struct span){ sp.s + skip, sp.n - skip };
}

static bool has(struct span sp, char c)
{
	return memchr(sp.s, c, sp.n) != NULL;
}

/* ---- servers -------------------------------------------------------------- */

static bool is_name_byte(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '-' || c == '.' || c == '_';
}

/* An address, perhaps with a zone: fe80::1%eth0. */
static bool is_ipv6(struct span sp)
{
	struct span address = until(sp, '%'), zone = behind(sp, address);
	char text[INET6_ADDRSTRLEN];
	struct in6_addr ignored;

	for (size_t i = 0; i < zone.n; i++)
		if (!is_name_byte(zone.s[i]))
			return false;
	return (address.n == sp.n || zone.n > 0) && str_copyn(text, sizeof(text), address.s, address.n) &&
	       inet_pton(AF_INET6, text, &ignored) == 1;
}

static bool read_port(struct span sp, struct span server, int *out, struct err *err)
{
	char text[16];
	int64_t port;

	if (sp.n == 0) {
		*out = ZKCONNECT_PORT_DEFAULT;
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
			       ZKCONNECT_HOST_MAX - 1);
	return true;
}

/* [address] or [address]:port */
static bool read_bracketed(struct span sp, struct zkserver *srv, struct err *err)
{
	struct span inner = until((struct span){ sp.s + 1, sp.n - 1 }, ']');
	struct span rest = { inner.s + inner.n, (size_t)(sp.s + sp.n - inner.s) - inner.n };

	if (rest.n == 0 || (rest.n > 1 && rest.s[1] != ':'))
		return err_set(err, ERR_USAGE, "\"%.*s\": expected [address]:port", (int)sp.n, sp.s);
	if (!is_ipv6(inner))
		return err_set(err, ERR_USAGE, "\"%.*s\": brackets are for IPv6 addresses, "
			       "\"%.*s\" is none", (int)sp.n, sp.s, (int)inner.n, inner.s);
	return keep_host(inner, srv, err) &&
	       read_port((struct span){ rest.s + 2, rest.n > 1 ? rest.n - 2 : 0 }, sp, &srv->port, err);
}

/* Always false. An address without brackets; its last group may be meant as the port. */
static bool refuse_bare_ipv6(struct span sp, struct err *err)
{
	const char *colon = memrchr(sp.s, ':', sp.n);
	struct span host = { sp.s, (size_t)(colon - sp.s) };

	if (is_ipv6(sp))
		return err_set(err, ERR_USAGE, "\"%.*s\": an IPv6 address stands in brackets: [%.*s]:%d",
			       (int)sp.n, sp.s, (int)sp.n, sp.s, ZKCONNECT_PORT_DEFAULT);
	if (is_ipv6(host))
		return err_set(err, ERR_USAGE, "\"%.*s\": an IPv6 address stands in brackets: [%.*s]%.*s",
			       (int)sp.n, sp.s, (int)host.n, host.s, (int)(sp.n - host.n), colon);
	return err_set(err, ERR_USAGE, "\"%.*s\" has more than one colon; write %s", (int)sp.n, sp.s,
		       right_form);
}

static bool read_server(struct span sp, struct zkserver *srv, struct err *err)
{
	struct span host = until(sp, ':'), port = behind(sp, host);

	if (sp.s[0] == '[')
		return read_bracketed(sp, srv, err);
	if (has(port, ':'))
		return refuse_bare_ipv6(sp, err);
	if (host.n == 0)
		return err_set(err, ERR_USAGE, "\"%.*s\" has no host; write %s", (int)sp.n, sp.s,
			       right_form);
	for (size_t i = 0; i < host.n; i++) {
		if (is_blank(host.s[i]))
			return err_set(err, ERR_USAGE, "\"%.*s\": a blank in a host name; servers are "
				       "separated by commas", (int)sp.n, sp.s);
		if (!is_name_byte(host.s[i]))
			return err_set(err, ERR_USAGE, "\"%.*s\" is not a host name; write %s",
				       (int)host.n, host.s, right_form);
	}
	return keep_host(host, srv, err) && read_port(port, sp, &srv->port, err);
}

static bool read_servers(struct span list, struct zkconnect *zc, struct err *err)
{
	while (list.n > 0) {
		struct span entry = until(list, ','), server = trim(entry);

		list = behind(list, entry);
		if (server.n == 0)
			continue;
		if (zc->n_servers == ZKCONNECT_SERVERS_MAX)
			return err_set(err, ERR_LIMIT, "more than %d servers", ZKCONNECT_SERVERS_MAX);
		if (!read_server(server, &zc->servers[zc->n_servers], err))
			return false;
		zc->n_servers++;
	}
	return zc->n_servers > 0 || err_set(err, ERR_USAGE, "no server; write %s", right_form);
}

/* ---- chroot --------------------------------------------------------------- */

/* Always false. A comma behind the first slash: the whole is shown with the
 * servers first and, when all have the same chroot, that once. */
static bool refuse_comma(struct span whole, struct err *err)
{
	struct strbuf form;
	struct span chroot = { NULL, 0 };
	bool is_same = true;

	strbuf_init(&form);
	for (struct span rest = whole, entry; rest.n > 0; rest = behind(rest, entry)) {
		entry = until(rest, ',');
		struct span server = until(trim(entry), '/');
		struct span path = { server.s + server.n, trim(entry).n - server.n };

		if (server.n > 0)
			strbuf_printf(&form, "%s%.*s", form.len > 0 ? "," : "", (int)server.n, server.s);
		if (path.n > 1 && chroot.n > 1)
			is_same = is_same && path.n == chroot.n && memcmp(path.s, chroot.s, path.n) == 0;
		else if (path.n > 1)
			chroot = path;
	}
	if (is_same)
		strbuf_putn(&form, chroot.s ? chroot.s : "", chroot.n);
	else
		strbuf_put(&form, "/chroot");
	err_set(err, ERR_USAGE, "the chroot stands once, after the last server; write %s", form.s);
	strbuf_fini(&form);
	return false;
}

/* As PathUtils.validatePath. `sp` begins with a slash. */
static bool read_chroot(struct span sp, struct zkconnect *zc, struct err *err)
{
	int n = (int)(sp.n < 128 ? sp.n : 128); /* as much as is shown */

	if (sp.n <= 1)
		return true; /* a bare slash is none */
	if (sp.n >= ZKCONNECT_CHROOT_MAX)
		return err_set(err, ERR_LIMIT, "a chroot of %zu bytes, the limit is %d", sp.n,
			       ZKCONNECT_CHROOT_MAX - 1);
	for (struct span rest = { sp.s + 1, sp.n - 1 }, part;; rest = behind(rest, part)) {
		part = until(rest, '/');
		if (part.n == 0)
			return err_set(err, ERR_USAGE, "the chroot \"%.*s\" %s", n, sp.s,
				       rest.n == 0 ? "ends in a slash; leave it out" :
				       "has two slashes side by side");
		if (part.s[0] == '.' && (part.n == 1 || (part.n == 2 && part.s[1] == '.')))
			return err_set(err, ERR_USAGE, "the chroot \"%.*s\" has a relative part "
				       "\"%.*s\"", n, sp.s, (int)part.n, part.s);
		if (part.n == rest.n)
			break;
	}
	return str_copyn(zc->chroot, sizeof(zc->chroot), sp.s, sp.n);
}

/* ---- the whole ------------------------------------------------------------ */

/* Always false. What somebody takes for a URL. */
static bool refuse_scheme(struct span sp, const char *at, struct err *err)
{
	const char *scheme = at;

	while (scheme > sp.s && scheme[-1] != ',' && !is_blank(scheme[-1]))
		scheme--;
	return err_set(err, ERR_USAGE, "a connect string has no scheme; leave out \"%.*s://\" and write %s",
		       (int)(at - scheme), scheme, right_form);
}

/* Line ends and the like may stand round a server, `n_servers` bytes from the start. */
static bool check_bytes(struct span sp, size_t n_servers, struct err *err)
{
	for (size_t i = 0; i < sp.n; i++) {
		unsigned char c = (unsigned char)sp.s[i];

		if (c == 0x7f || (c < ' ' && (i >= n_servers || !is_blank(sp.s[i]))))
			return err_set(err, ERR_USAGE, "a control byte 0x%02x at column %zu", c, i + 1);
	}
	return true;
}

bool zkconnect_parse(const char *s, struct zkconnect *out, struct err *err)
{
	struct span whole = trim((struct span){ s, strlen(s) });
	struct span servers = until(whole, '/');
	struct span chroot = { servers.s + servers.n, whole.n - servers.n };
	const char *scheme = strstr(whole.s, "://");
	struct zkconnect zc = { .n_servers = 0 };

	if (!check_bytes(whole, servers.n, err))
		return false;
	if (scheme)
		return refuse_scheme(whole, scheme, err);
	if (has(chroot, ','))
		return refuse_comma(whole, err);
	if (!read_servers(servers, &zc, err) || !read_chroot(chroot, &zc, err))
		return false;
	*out = zc;
	return true;
}

void zkserver_text(const struct zkserver *srv, char *out, size_t size)
{
	bool is_v6 = strchr(srv->host, ':') != NULL;
	bool fits = str_printf(out, size, is_v6 ? "[%s]:%d" : "%s:%d", srv->host, srv->port);

	(void)fits; /* cut, for want of room */
}
