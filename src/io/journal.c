/* SPDX-License-Identifier: Apache-2.0 */
/* The journal is written. Reading it: journal_read.c. */
#include "io/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "core/record.h"
#include "io/clock.h"
#include "io/state_dir.h"

bool journal_default_path(char out[JOURNAL_PATH_MAX], struct err *err)
{
	return state_dir_path(out, JOURNAL_PATH_MAX, "journal", err) || err_wrap(err, "there is no place for the journal");
}

/* What the operator can do about it. */
static const char *remedy(int error)
{
	switch (error) {
	case ENOSPC:
	case EDQUOT:
		return "make room there";
	case EFBIG:
		return "raise the limit for the size of files (ulimit -f), or move the journal away";
	case EROFS:
		return "set XDG_STATE_HOME to a folder that can be written";
	case EACCES:
	case EPERM:
		return "see whose it is, or set XDG_STATE_HOME to a folder of yours";
	case ENOTDIR:
	case EISDIR:
	case EEXIST:
		return "something else has that name: move it away";
	case EWOULDBLOCK:
		return "another program holds it locked: see which (fuser, lsof)";
	default:
		return "see what is wrong there";
	}
}

static bool fail(const char *path, int error, struct err *err)
{
	return err_set(err, ERR_IO, "the journal %.150s can't be written: %s; %s", path, strerror(error), remedy(error));
}

/* ---- opening ---------------------------------------------------------------------------------- */

static bool make_folders(const char *path, struct err *err)
{
	char folder[JOURNAL_PATH_MAX];

	if (!str_copy(folder, sizeof(folder), path))
		return fail(path, ENAMETOOLONG, err);
	for (char *s = strchr(folder + 1, '/'); s != NULL; s = strchr(s + 1, '/')) {
		*s = '\0';
		if (mkdir(folder, 0700) != 0 && errno != EEXIST)
			return fail(folder, errno, err);
		*s = '/';
	}
	return true;
}

/* A new name is on the disk when its folder is. */
static bool sync_folder(const char *path)
{
	char folder[JOURNAL_PATH_MAX];
	char *slash;
	bool ok;
	int fd;

	if (!str_copy(folder, sizeof(folder), path) || (slash = strrchr(folder, '/')) == NULL)
		return true;
	slash[slash == folder] = '\0';
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ok = fsync(fd) == 0 || errno == EINVAL; /* a file system that has no such thing */
	close(fd);
	return ok;
}

/* Read and write: the last byte is looked at. Without O_NONBLOCK a pipe in its place would hold us. */
static int open_file(const char *path, struct err *err)
{
	enum { FLAGS = O_RDWR | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK };
	int fd = open(path, FLAGS);
	struct stat st;

	if (fd < 0 && errno == ENOENT) {
		if (!make_folders(path, err))
			return -1;
		fd = open(path, FLAGS | O_CREAT, 0600);
		if (fd >= 0 && !sync_folder(path)) {
			fail(path, errno, err);
			close(fd);
			return -1;
		}
	}
	if (fd < 0) {
		fail(path, errno, err);
		return -1;
	}
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		err_set(err, ERR_IO, "the journal %.150s can't be written: it is no regular file; move what is there away", path);
		close(fd);
		return -1;
	}
	return fd;
}

static bool lock(int fd, const char *path, struct err *err)
{
	static const struct timespec pause = { .tv_nsec = 1000000 };
	mono_ms begun = clock_mono();

	while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return fail(path, errno, err);
		if (mono_since(clock_mono(), begun) > JOURNAL_LOCK_MS)
			return fail(path, EWOULDBLOCK, err);
		nanosleep(&pause, NULL);
	}
	return true;
}

/* ---- writing ----------------------------------------------------------------------------------- */

/* What somebody left of a line gets its end first, in the same write. */
static bool begins_anew(int fd, off_t size)
{
	char last;

	return size == 0 || (pread(fd, &last, 1, size - 1) == 1 && last == '\n');
}

/* One write takes it all, or else the next one says why not. Returns an errno, 0: all is written. */
static int write_all(int fd, const char *s, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, s, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done < 0 ? errno : EIO;
		s += done;
		n -= (size_t)done;
	}
	return 0;
}

static bool append(int fd, const char *path, const struct strbuf *line, struct err *err)
{
	struct stat st;
	size_t skip;
	int error;

	if (fstat(fd, &st) != 0)
		return fail(path, errno, err);
	skip = begins_anew(fd, st.st_size) ? 1 : 0; /* the line comes with a line's end before it */
	error = write_all(fd, line->s + skip, line->len - skip);
	if (error == 0 && fdatasync(fd) != 0)
		error = errno;
	if (error == 0)
		return true;
	/* What could not be written is not sent, so none of it shall stand there. If it can't be taken back it stays: as a torn line, or as a record without an outcome. */
	if (ftruncate(fd, st.st_size) == 0)
		fdatasync(fd);
	return fail(path, error, err);
}

bool journal_write(const char *path, const struct record *re, struct err *err)
{
	struct strbuf line;
	int fd = open_file(path, err);
	bool ok;

	if (fd < 0)
		return false;
	strbuf_init(&line);
	strbuf_putc(&line, '\n');
	record_write(re, &line);
	strbuf_putc(&line, '\n');
	if (line.len > JOURNAL_LINE_MAX_BYTES || re->n_items > RECORD_ITEMS_MAX || re->n_findings > RECORD_ITEMS_MAX)
		ok = err_set(err, ERR_LIMIT, "too much for one record of the journal (%zu topics, %zu bytes): choose fewer topics at a time", re->n_items, line.len);
	else
		ok = lock(fd, path, err) && append(fd, path, &line, err);
	strbuf_fini(&line);
	close(fd);
	return ok;
}
