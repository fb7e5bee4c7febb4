/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "base/units.h"
#include "base/utf8.h"

enum { LOG_NAME_MAX = 256 };

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int log_file = -1;        /* under log_lock */
static enum log_level log_max;   /* under log_lock */
static char log_name[LOG_NAME_MAX]; /* under log_lock, as are the three below */
static bool log_is_torn;         /* the file ends within a line */
static int log_failure;          /* errno of the first line that was lost, 0: none was */
static bool log_is_told;         /* of that */

static const char *const log_level_names[] = {
	[LOG_ERROR] = "ERROR",
	[LOG_WARN] = "WARN",
	[LOG_INFO] = "INFO",
	[LOG_DEBUG] = "DEBUG",
};

/* Puts another descriptor in place and closes the one before. */
static void log_swap(int fd, const char *name, enum log_level max)
{
	int before;

	pthread_mutex_lock(&log_lock);
	before = log_file;
	log_file = fd;
	log_max = max;
	str_printf(log_name, sizeof(log_name), "%s", name);
	log_is_torn = log_is_told = false;
	log_failure = 0;
	pthread_mutex_unlock(&log_lock);
	if (before >= 0)
		close(before);
}

bool log_open(const char *path, enum log_level max, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);

	if (fd < 0)
		return err_set(err, ERR_IO, "open log file %s: %s", path,
			       errno == ENXIO ? "a pipe that nobody reads" : strerror(errno));
	log_swap(fd, path, max);
	return true;
}

void log_close(void)
{
	log_swap(-1, "", LOG_ERROR);
}

int log_fd(void)
{
	int fd;

	pthread_mutex_lock(&log_lock);
	fd = log_file;
	pthread_mutex_unlock(&log_lock);
	return fd;
}

static bool log_wants(enum log_level level)
{
	bool wants;

	pthread_mutex_lock(&log_lock);
	wants = log_file >= 0 && level <= log_max;
	pthread_mutex_unlock(&log_lock);
	return wants;
}

static wall_ms log_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (wall_ms){ (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000 };
}

/* Under log_lock. */
static bool log_write_all(const char *s, size_t n)
{
	while (n > 0) {
		ssize_t w = write(log_file, s, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0) {
			if (!log_failure)
				log_failure = w < 0 ? errno : EIO;
			return false;
		}
		s += w;
		n -= (size_t)w;
		log_is_torn = s[-1] != '\n';
	}
	return true;
}

/* A full disk can't be logged, and is no reason to end: the line is lost, log_take_failure tells. */
static void log_write(const struct strbuf *line)
{
	pthread_mutex_lock(&log_lock);
	if (log_file >= 0 && (!log_is_torn || log_write_all("\n", 1)))
		log_write_all(line->s, line->len);
	pthread_mutex_unlock(&log_lock);
}

bool log_take_failure(struct err *err)
{
	int failure;

	pthread_mutex_lock(&log_lock);
	failure = log_is_told ? 0 : log_failure;
	if (failure) {
		log_is_told = true;
		err_set(err, ERR_IO, "log file %s: %s: lines are lost", log_name, strerror(failure));
	}
	pthread_mutex_unlock(&log_lock);
	return failure != 0;
}

/* Libraries end their messages with a newline, which is not worth a mark. */
static size_t log_trimmed(const struct strbuf *text)
{
	size_t n = text->len;

	while (n > 0 && text->s[n - 1] == '\n')
		n--;
	return n;
}

void log_put(enum log_level level, const char *area, const char *fmt, ...)
{
	struct strbuf text, line;
	char time_text[UNITS_TEXT_MAX];
	int errno_before = errno;
	va_list ap;

	if (!log_wants(level))
		return;
	strbuf_init(&text);
	va_start(ap, fmt);
	strbuf_vprintf(&text, fmt, ap);
	va_end(ap);
	strbuf_init(&line);
	strbuf_printf(&line, "%s %s %s: ", units_rfc3339(time_text, log_now()),
		      log_level_names[level], area);
	utf8_printable(&line, text.s, log_trimmed(&text), false);
	strbuf_putc(&line, '\n');
	log_write(&line);
	strbuf_fini(&line);
	strbuf_fini(&text);
	errno = errno_before;
}
