/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connect strings. Java: org.apache.zookeeper.client.ConnectStringParser (cuts
 * at the first slash) and PathUtils.validatePath for the chroot. We refuse
 * what that accepts but nobody can have meant.
 */
#include "core/zkconnect.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "core/span.h"

static const char right_form[] = "host:port,host:port/chroot";

/* ---- chroot --------------------------------------------------------------- */

/* Always false. A comma behind the first slash: the whole is shown with the
 * servers first and, when all have the same chroot, that once. */
static bool refuse_comma(struct span whole, struct err *err)
{
	struct strbuf form;
	struct span chroot = { NULL, 0 };
	bool is_same = true;

	strbuf_init(&form);
	for (struct span rest = whole, entry; rest.n > 0; rest = span_behind(rest, entry)) {
		entry = span_until(rest, ',');
		struct span server = span_until(span_trim(entry), '/');
		struct span path = { server.s + server.n, span_trim(entry).n - server.n };

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
	for (struct span rest = { sp.s + 1, sp.n - 1 }, part;; rest = span_behind(rest, part)) {
		part = span_until(rest, '/');
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

/* Line ends and the like may stand round a server, never in the chroot, which is `n_servers` bytes from the start. */
static bool check_bytes(struct span sp, size_t n_servers, struct err *err)
{
	if (!servers_check_bytes(sp.s, sp.n, err))
		return false;
	for (size_t i = n_servers; i < sp.n; i++)
		if ((unsigned char)sp.s[i] < ' ')
			return err_set(err, ERR_USAGE, "a control byte 0x%02x at column %zu", (unsigned char)sp.s[i], i + 1);
	return true;
}

/* The chroot begins at the first slash that is not of a "://", which servers_read refuses. */
static size_t servers_length(struct span sp)
{
	const char *scheme = memmem(sp.s, sp.n, "://", 3);

	return scheme ? sp.n : span_until(sp, '/').n;
}

bool zkconnect_parse(const char *s, struct zkconnect *out, struct err *err)
{
	static const struct servers_form form = { "a connect string", right_form, ZKCONNECT_PORT_DEFAULT, 0 };
	struct span whole = span_trim((struct span){ s, strlen(s) });
	size_t n_servers = servers_length(whole);
	struct span chroot = { whole.s + n_servers, whole.n - n_servers };
	struct zkconnect zc = { .n_servers = 0 };

	if (!check_bytes(whole, n_servers, err))
		return false;
	if (span_has(chroot, ','))
		return refuse_comma(whole, err);
	if (!servers_read(whole.s, n_servers, &form, zc.servers, &zc.n_servers, err) || !read_chroot(chroot, &zc, err))
		return false;
	*out = zc;
	return true;
}
