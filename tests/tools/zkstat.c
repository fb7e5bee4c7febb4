/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When did the server take a write? For end-to-end tests.
 *
 *   zkstat HOSTS[/chroot] PATH            "mtime_ms version" of a znode, or "absent"
 *   zkstat --changed HOSTS[/chroot] PATH  says "ready" on standard error, waits (60 s) until the node is
 *                                         made, written or removed, and prints the wall clock's ms of that: the node's own
 *                                         mtime, or when it was found missing (looked at every 5 ms)
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zookeeper/zookeeper.h>

enum { POLL_US = 5000, TRIES = 12000 };

static void ignore(zhandle_t *zh, int type, int state, const char *path, void *ctx)
{
}

static zhandle_t *open_session(const char *hosts)
{
	zhandle_t *zh = zookeeper_init(hosts, ignore, 10000, NULL, NULL, 0);

	for (int i = 0; zh != NULL && i < 2000 && zoo_state(zh) != ZOO_CONNECTED_STATE; i++)
		usleep(POLL_US);
	return zh;
}

static int print_stat(zhandle_t *zh, const char *path)
{
	struct Stat st;
	int rc = zoo_exists(zh, path, 0, &st);

	if (rc == ZOK)
		printf("%" PRId64 " %d\n", st.mtime, st.version);
	else if (rc == ZNONODE)
		puts("absent");
	else
		fprintf(stderr, "zkstat: %s\n", zerror(rc));
	return rc == ZOK || rc == ZNONODE ? 0 : 1;
}

static int print_change(zhandle_t *zh, const char *path)
{
	struct timespec ts;
	struct Stat st;
	int64_t was = -2, is;

	for (int i = 0; i < TRIES; i++) {
		int rc = zoo_exists(zh, path, 0, &st);

		if (rc != ZOK && rc != ZNONODE)
			break;
		is = rc == ZOK ? st.mzxid : -1;
		if (was == -2) {
			was = is;
			fputs("ready\n", stderr);
		}
		if (is != was) {
			clock_gettime(CLOCK_REALTIME, &ts);
			printf("%" PRId64 "\n", rc == ZOK ? st.mtime : (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000);
			return 0;
		}
		usleep(POLL_US);
	}
	fprintf(stderr, "zkstat: %s never changed\n", path);
	return 1;
}

int main(int argc, char **argv)
{
	bool wait = argc == 4 && strcmp(argv[1], "--changed") == 0;
	zhandle_t *zh;
	int status;

	if (argc != 3 && !wait)
		return 2;
	zoo_set_debug_level((ZooLogLevel)0);
	zh = open_session(argv[1 + wait]);
	if (zh == NULL)
		return 1;
	status = wait ? print_change(zh, argv[2 + wait]) : print_stat(zh, argv[2 + wait]);
	zookeeper_close(zh);
	return status;
}
