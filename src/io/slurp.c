/* SPDX-License-Identifier: Apache-2.0 */
#include "io/slurp.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/secret.h"

static bool fail(const char *path, struct err *err)
{
	enum err_code code = errno == ENOENT || errno == ENOTDIR ? ERR_NOT_FOUND : ERR_IO;
	char reason[128];

	return err_set(err, code, "%s: %s", path, strerror_r(errno, reason, sizeof(reason)));
}

static bool is_pipe(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);
}

/* A pipe whose writer has not written yet. */
static bool wait_for_more(int fd, bool *has_waited)
{
	struct pollfd more = { .fd = fd, .events = POLLIN };

	*has_waited = true;
	return poll(&more, 1, -1) > 0 || errno == EINTR;
}

static bool read_all(int fd, const char *path, size_t max_bytes, struct secret *out, struct err *err)
{
	bool has_waited = false;
	char chunk[4096];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) != 0) {
		if (n < 0 && (errno == EINTR || (errno == EAGAIN && wait_for_more(fd, &has_waited))))
			continue;
		if (n < 0)
			break;
		secret_putn(out, chunk, (size_t)n);
		if (out->n > max_bytes)
			break;
	}
	explicit_bzero(chunk, sizeof(chunk));
	if (n < 0)
		return fail(path, err);
	if (out->n == 0 && !has_waited && is_pipe(fd))
		return err_set(err, ERR_IO, "%s: a pipe that nobody writes to", path);
	return out->n <= max_bytes ||
	       err_set(err, ERR_LIMIT, "%s: more than %zu bytes, which is too much for what it should be", path, max_bytes);
}

static bool check_kind(int fd, const char *path, bool *others_may_read, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return fail(path, err);
	if (S_ISDIR(st.st_mode))
		return err_set(err, ERR_IO, "%s: a folder; a file is needed here", path);
	if (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode))
		return err_set(err, ERR_IO, "%s: no regular file", path);
	if (others_may_read)
		*others_may_read = (st.st_mode & S_IROTH) != 0;
	return true;
}

bool slurp_file(const char *path, size_t max_bytes, struct secret *out, bool *others_may_read, struct err *err)
{
	/* Else it would wait for somebody to open a pipe for writing; who is about to, has one here. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	bool is_ok;

	if (fd < 0)
		return fail(path, err);
	secret_set(out, "");
	is_ok = check_kind(fd, path, others_may_read, err) && read_all(fd, path, max_bytes, out, err);
	close(fd);
	if (!is_ok)
		secret_fini(out);
	return is_ok;
}
