/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/export.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "view/table.h"

enum { EXPORT_WIDTH = 1000, EXPORT_PATH_MAX = 1024 };

static void export_line(struct strbuf *out, const char *text, bool ascii)
{
	utf8_printable(out, text, strlen(text), ascii);
	strbuf_putc(out, '\n');
}

static void export_text(struct strbuf *out, const char *about, const struct table *tb, const struct cell *head, size_t n_head,
	bool ascii)
{
	export_line(out, about, ascii);
	if (tb->title[0])
		export_line(out, tb->title, ascii);
	for (size_t i = 0; i < n_head; i++)
		export_line(out, head[i].text ? head[i].text : "", ascii);
	if (tb->n_rows)
		table_print(tb, EXPORT_WIDTH, 0, tb->n_rows, ascii, out);
	else
		export_line(out, tb->empty, ascii);
}

static bool export_all(int fd, const struct strbuf *sb)
{
	size_t at = 0;

	while (at < sb->len) {
		ssize_t n = write(fd, sb->s + at, sb->len - at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += (size_t)n;
	}
	return true;
}

static bool export_path(const char *path, char *out, size_t size, struct err *err)
{
	const char *home = getenv("HOME");
	bool ok = str_starts(path, "~/") && home && *home ? str_printf(out, size, "%s%s", home, path + 1)
							  : str_copy(out, size, path);

	if (!*path)
		return err_set(err, ERR_USAGE, "a file needs a name");
	return ok || err_set(err, ERR_USAGE, "that name is too long");
}

bool export_write(const char *path, bool overwrite, const char *about, const struct table *tb, const struct cell *head,
	size_t n_head, bool ascii, struct err *err)
{
	char full[EXPORT_PATH_MAX];
	struct strbuf sb;
	bool ok;
	int fd;

	if (!export_path(path, full, sizeof(full), err))
		return false;
	fd = open(full, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | (overwrite ? O_TRUNC : O_EXCL), 0666);
	if (fd < 0 && errno == EEXIST)
		return err_set(err, ERR_REFUSED, "%s is there already", path);
	if (fd < 0)
		return err_set(err, ERR_IO, "can't write %s: %s", path, strerror(errno));
	strbuf_init(&sb);
	if (str_ends(path, ".tsv"))
		table_tsv(tb, &sb);
	else
		export_text(&sb, about, tb, head, n_head, ascii);
	ok = export_all(fd, &sb);
	if (close(fd) < 0)
		ok = false;
	strbuf_fini(&sb);
	return ok || err_set(err, ERR_IO, "can't write all of %s: %s", path, strerror(errno));
}
