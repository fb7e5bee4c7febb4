/* SPDX-License-Identifier: Apache-2.0 */
/* The journal is read, a line at a time. */
#include "io/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/intents.h"
#include "core/record.h"
#include "io/clock.h"

enum { CHUNK_BYTES = 64 * 1024 };

struct reading {
	const struct journal_reader *rd;
	struct strbuf line;      /* of what has been read of it */
	uint64_t line_at;        /* where it begins */
	bool is_too_long;        /* no more of it is kept */
};

static bool fail(const char *path, int error, struct err *err)
{
	return err_set(err, ERR_IO, "the journal %.150s can't be read: %s", path, strerror(error));
}

static void end_line(struct reading *re)
{
	struct record *record;
	struct err why;

	err_init(&why);
	if (re->is_too_long)
		re->rd->bad(re->rd->ctx, re->line_at, "longer than a record can be");
	else if (record_read(re->line.s, re->line.len, &record, &why))
		re->rd->record(re->rd->ctx, record, re->line_at);
	else if (re->line.len > 0)
		re->rd->bad(re->rd->ctx, re->line_at, why.text);
	strbuf_clear(&re->line);
	re->is_too_long = false;
}

static void take(struct reading *re, const char *data, size_t n, uint64_t at)
{
	while (n > 0) {
		const char *end = memchr(data, '\n', n);
		size_t part = end != NULL ? (size_t)(end - data) : n;

		if (re->line.len + part > JOURNAL_LINE_MAX_BYTES)
			re->is_too_long = true;
		else if (!re->is_too_long)
			strbuf_putn(&re->line, data, part);
		if (end == NULL)
			return;
		end_line(re);
		at += part + 1;
		re->line_at = at;
		data += part + 1;
		n -= part + 1;
	}
}

/* How far it goes, at a moment when nobody writes, or after having waited a little for that. */
static bool size_of(int fd, struct stat *st)
{
	static const struct timespec pause = { .tv_nsec = 1000000 };
	mono_ms begun = clock_mono();
	bool is_locked;

	while (!(is_locked = flock(fd, LOCK_SH | LOCK_NB) == 0) && errno == EWOULDBLOCK && mono_since(clock_mono(), begun) < JOURNAL_LOOK_MS)
		nanosleep(&pause, NULL);
	if (fstat(fd, st) != 0)
		return false;
	if (is_locked)
		flock(fd, LOCK_UN);
	return true;
}

static bool read_to(int fd, uint64_t end, struct reading *re, int *error)
{
	char *chunk = mem_alloc(CHUNK_BYTES);
	uint64_t at = re->line_at;
	ssize_t n = 0;

	while (at < end) {
		uint64_t rest = end - at;

		n = pread(fd, chunk, rest < CHUNK_BYTES ? (size_t)rest : CHUNK_BYTES, (off_t)at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		take(re, chunk, (size_t)n, at);
		at += (uint64_t)n;
	}
	*error = errno;
	mem_free(&chunk);
	return n >= 0;
}

static int open_file(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;

	if (fd < 0) {
		if (errno != ENOENT)
			fail(path, errno, err);
		return -1;
	}
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	err_set(err, ERR_IO, "the journal %.150s can't be read: it is no regular file", path);
	close(fd);
	return -1;
}

static bool is_another(const struct journal_place *pl, const struct stat *st)
{
	return pl->device != (uint64_t)st->st_dev || pl->inode != (uint64_t)st->st_ino || pl->offset > (uint64_t)st->st_size;
}

bool journal_read(const char *path, struct journal_place *place, const struct journal_reader *rd, bool *is_new, struct err *err)
{
	struct reading re = { .rd = rd };
	struct err why;
	struct stat st;
	int error = 0, fd;
	bool ok;

	err_init(&why);
	fd = open_file(path, &why);
	if (is_new != NULL)
		*is_new = fd < 0 && place->inode != 0;
	if (fd < 0) {
		*place = (struct journal_place){ .offset = 0 };
		return why.code == ERR_NONE || err_set(err, why.code, "%s", why.text);
	}
	if (!size_of(fd, &st)) {
		error = errno;
		close(fd);
		return fail(path, error, err);
	}
	if (is_another(place, &st)) {
		if (is_new != NULL)
			*is_new = place->inode != 0;
		*place = (struct journal_place){ .device = (uint64_t)st.st_dev, .inode = (uint64_t)st.st_ino };
	}
	re.line_at = place->offset;
	strbuf_init(&re.line);
	ok = read_to(fd, (uint64_t)st.st_size, &re, &error);
	place->offset = re.line_at;
	place->is_torn = re.line.len > 0 || re.is_too_long;
	strbuf_fini(&re.line);
	close(fd);
	return ok || fail(path, error, err);
}

/* ---- intents without outcome ------------------------------------------------------------------------ */

static void open_record(void *ctx, struct record *re, uint64_t offset)
{
	(void)offset;
	intents_take(ctx, re);
	record_free(&re);
}

static void open_bad(void *ctx, uint64_t offset, const char *why)
{
	(void)ctx, (void)offset, (void)why;
}

bool journal_open_intents(const char *path, struct intents *out, struct err *err)
{
	struct journal_reader rd = { .ctx = out, .record = open_record, .bad = open_bad };
	struct journal_place place = { .offset = 0 };

	intents_init(out);
	return journal_read(path, &place, &rd, NULL, err);
}
