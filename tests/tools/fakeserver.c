/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What may listen where ZooKeeper is thought to be: fakeserver KIND, on a port of 127.0.0.1 that is printed first.
 * Ends with who started it.
 *   http     answers as a web server does, and closes
 *   garbage  sends bytes of no meaning, and keeps the connection
 *   zeros    the same with zeros
 *   half     sends the first bytes of an answer, and no more
 *   silent   takes the connection, and says nothing
 *   close    takes it and closes it at once
 *   reset    takes it and resets it
 */
#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SENT_BYTES = 4096 };

static const char http[] = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request";

static void put(int fd, const void *data, size_t len)
{
	/* A client that is gone is no matter. */
	if (send(fd, data, len, MSG_NOSIGNAL) < 0)
		return;
}

static void serve(int fd, const char *kind)
{
	static char bytes[SENT_BYTES];
	unsigned seed = 7;

	if (!strcmp(kind, "http")) {
		if (recv(fd, bytes, sizeof(bytes), 0) >= 0)
			put(fd, http, sizeof(http) - 1);
		close(fd);
	} else if (!strcmp(kind, "garbage") || !strcmp(kind, "zeros")) {
		for (size_t i = 0; i < sizeof(bytes); i++) {
			seed = seed * 1103515245 + 12345;
			bytes[i] = (char)(*kind == 'g' ? seed >> 16 : 0);
		}
		put(fd, bytes, sizeof(bytes));
	} else if (!strcmp(kind, "half")) {
		put(fd, "\0\0\0\x25\0\0", 6);
	} else if (!strcmp(kind, "close")) {
		close(fd);
	} else if (!strcmp(kind, "reset")) {
		struct linger li = { .l_onoff = 1, .l_linger = 0 };

		setsockopt(fd, SOL_SOCKET, SO_LINGER, &li, sizeof(li));
		close(fd);
	}
}

int main(int argc, char **argv)
{
	struct sockaddr_in sa = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(sa);
	int fd, client;

	if (argc != 2) {
		fprintf(stderr, "usage: fakeserver http|garbage|zeros|half|silent|close|reset\n");
		return 2;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&sa, sizeof(sa)) || listen(fd, 64) || getsockname(fd, (struct sockaddr *)&sa, &len)) {
		perror("fakeserver");
		return 1;
	}
	printf("%d\n", ntohs(sa.sin_port));
	fflush(stdout);
	/* Those kept open are closed with the process. */
	while ((client = accept(fd, NULL, NULL)) >= 0)
		serve(client, argv[1]);
	return 0;
}
