/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A disk that takes its time, for one file: to be preloaded (LD_PRELOAD) by tests that kill a program while it writes. What is written
 * and synced is what the program says; it only takes longer, and is told of.
 *
 *   SLOWDISK_FILE   the end of the file's name, such as /kafops/journal
 *   SLOWDISK_LOG    a file that gets a line a step: TIME half|written|synced|back (microseconds of CLOCK_MONOTONIC)
 *   SLOWDISK_US     HALF,SYNC,BACK: microseconds in the middle of a write, before it is synced, and before a sync returns
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef ssize_t write_fn(int fd, const void *buf, size_t n);
typedef int sync_fn(int fd);

static void *next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

static ssize_t real_write(int fd, const void *buf, size_t n)
{
	union { void *p; write_fn *fn; } u = { next("write") };

	return u.fn(fd, buf, n);
}

static bool is_slow(int fd)
{
	const char *end = getenv("SLOWDISK_FILE");
	char link[64], path[PATH_MAX];
	ssize_t n;
	size_t skip;

	if (!end)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n <= 0)
		return false;
	path[n] = '\0';
	skip = strlen(end);
	return (size_t)n >= skip && strcmp(path + (size_t)n - skip, end) == 0;
}

static void tell(const char *step)
{
	const char *path = getenv("SLOWDISK_LOG");
	struct timespec ts;
	char line[64];
	int fd, n;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	n = snprintf(line, sizeof(line), "%lld %s\n", (long long)ts.tv_sec * 1000000 + ts.tv_nsec / 1000, step);
	fd = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
	if (fd < 0)
		return;
	(void)!real_write(fd, line, (size_t)n);
	close(fd);
}

/* The nth of SLOWDISK_US. */
static void pause_for(int nth)
{
	int us[3] = { 0 };
	const char *text = getenv("SLOWDISK_US");

	if (text)
		(void)sscanf(text, "%d,%d,%d", &us[0], &us[1], &us[2]);
	if (us[nth] > 0)
		nanosleep(&(struct timespec){ .tv_sec = us[nth] / 1000000, .tv_nsec = us[nth] % 1000000 * 1000L }, NULL);
}

__attribute__((visibility("default"))) ssize_t write(int fd, const void *buf, size_t n);
ssize_t write(int fd, const void *buf, size_t n)
{
	ssize_t first, second;

	if (n < 32 || !is_slow(fd))
		return real_write(fd, buf, n);
	first = real_write(fd, buf, n / 2);
	if (first != (ssize_t)(n / 2))
		return first;
	tell("half");
	pause_for(0);
	second = real_write(fd, (const char *)buf + first, n - (size_t)first);
	tell("written");
	return second < 0 ? first : first + second;
}

__attribute__((visibility("default"))) int fdatasync(int fd);
int fdatasync(int fd)
{
	union { void *p; sync_fn *fn; } u = { next("fdatasync") };
	bool slow = is_slow(fd);
	int rc;

	if (slow)
		pause_for(1);
	rc = u.fn(fd);
	if (slow) {
		tell("synced");
		pause_for(2);
		tell("back");
	}
	return rc;
}
