/* SPDX-License-Identifier: Apache-2.0 */
#include "app/markfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/str.h"
#include "core/policy.h"
#include "io/slurp.h"

enum { PATH_BYTES_MAX = 1024 };

static bool fail(const char *path, struct err *err)
{
	char reason[128];

	return err_set(err, ERR_IO, "can't write %s: %s", path, strerror_r(errno, reason, sizeof(reason)));
}

static bool full_path(const char *path, char out[PATH_BYTES_MAX], struct err *err)
{
	const char *home = getenv("HOME");
	bool at_home = str_starts(path, "~/") && home != NULL && home[0] != '\0';

	if (path[0] == '\0')
		return err_set(err, ERR_USAGE, "a file needs a name");
	if (!(at_home ? str_printf(out, PATH_BYTES_MAX, "%s%s", home, path + 1) : str_copy(out, PATH_BYTES_MAX, path)))
		return err_set(err, ERR_USAGE, "that name is too long");
	return true;
}

/* ---- saving ------------------------------------------------------------------------------ */

/* What is there: a link is followed, and what is no file is not replaced. */
static bool find_place(char full[PATH_BYTES_MAX], const char *path, bool overwrite, struct err *err)
{
	struct stat st;
	char *real;
	bool fits;

	if (lstat(full, &st) != 0)
		return errno == ENOENT || fail(path, err);
	if (!overwrite)
		return err_set(err, ERR_REFUSED, "%s is there already", path);
	real = realpath(full, NULL);
	if (real == NULL)
		return fail(path, err);
	fits = str_copy(full, PATH_BYTES_MAX, real);
	free(real);
	if (!fits)
		return err_set(err, ERR_USAGE, "that name is too long");
	if (stat(full, &st) != 0)
		return fail(path, err);
	return S_ISREG(st.st_mode) || err_set(err, ERR_IO, "can't write %s: no regular file", path);
}

static bool write_all(int fd, const struct strbuf *sb)
{
	for (size_t at = 0; at < sb->len;) {
		ssize_t n = write(fd, sb->s + at, sb->len - at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			errno = ENOSPC;
		if (n <= 0)
			return false;
		at += (size_t)n;
	}
	return fsync(fd) == 0;
}

/* On a file system without links: the name is taken first, and what is there then is ours. */
static bool put_without_links(const char *beside, const char *full)
{
	int fd = open(full, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	return fd >= 0 && close(fd) == 0 && rename(beside, full) == 0;
}

/* link() puts it there only if nothing is; rename() takes the place of what is. */
static bool put_there(const char *beside, const char *full, const char *path, bool overwrite, struct err *err)
{
	bool is_ok = overwrite ? rename(beside, full) == 0 : link(beside, full) == 0;

	if (!is_ok && !overwrite && (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS))
		is_ok = put_without_links(beside, full);
	if (!is_ok && !overwrite && errno == EEXIST)
		return err_set(err, ERR_REFUSED, "%s is there already", path);
	return is_ok || fail(path, err);
}

static bool write_file(const char *full, const char *path, bool overwrite, const struct strbuf *sb, struct err *err)
{
	char beside[PATH_BYTES_MAX + 32];
	bool is_ok;
	int fd;

	str_printf(beside, sizeof(beside), "%s.%ld.new", full, (long)getpid());
	fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (fd < 0)
		return fail(path, err);
	is_ok = write_all(fd, sb) || fail(path, err);
	if (close(fd) != 0 && is_ok)
		is_ok = fail(path, err);
	is_ok = is_ok && put_there(beside, full, path, overwrite, err);
	if (!is_ok || !overwrite)
		unlink(beside);
	return is_ok;
}

bool markfile_save(const char *path, bool overwrite, const struct choice *ch, const struct cluster *cl, const struct policy *po, wall_ms now,
	size_t *n_left_out, struct err *err)
{
	char full[PATH_BYTES_MAX];
	struct strbuf sb;
	bool is_ok;

	if (!full_path(path, full, err) || !find_place(full, path, overwrite, err))
		return false;
	strbuf_init(&sb);
	choice_put_text(ch, cl, po->profile, now, &sb, n_left_out);
	is_ok = write_file(full, path, overwrite, &sb, err);
	strbuf_fini(&sb);
	return is_ok;
}

/* ---- loading ------------------------------------------------------------------------------- */

bool markfile_load(const char *path, struct choice *ch, const struct cluster *cl, const struct policy *po, struct choice_loaded *out,
	struct err *err)
{
	char full[PATH_BYTES_MAX];
	struct secret text;
	struct stat st;
	bool is_ok;

	*out = (struct choice_loaded){ 0 };
	secret_init(&text);
	if (!full_path(path, full, err))
		return false;
	if (stat(full, &st) == 0 && !S_ISREG(st.st_mode)) /* a pipe would hold the screen up */
		return err_set(err, ERR_IO, "%s: no regular file", path);
	if (!slurp_file(full, CHOICE_FILE_MAX_BYTES, &text, NULL, err))
		return false;
	is_ok = choice_take_text(ch, cl, po, secret_reveal(&text), text.n, out, err) || err_wrap(err, "%s", path);
	secret_fini(&text);
	return is_ok;
}
