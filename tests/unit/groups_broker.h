/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A broker with consumer groups, for tests of who asks for them: as many as wanted, of which it answers for some and is silent on the rest; or
 * which this user may not see. It knows of ApiVersions v0, Metadata v0 to 1, ListGroups v0, FindCoordinator v0 and OffsetFetch v2, which is enough for librdkafka.
 * Every group has an offset on partition 0 of one topic. Its own thread; for tests that include cmocka.h first.
 */
#ifndef TESTS_UNIT_GROUPS_BROKER_H
#define TESTS_UNIT_GROUPS_BROKER_H

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { GB_CONNS = 16, GB_FRAME_MAX = 1 << 20, GB_REFUSED = 30 /* GROUP_AUTHORIZATION_FAILED */ };

struct groups_broker {
	int listener, port;
	const char *topic;
	int n_groups, n_answered_most; /* how many there are, and of how many offsets are told */
	bool refuses;                  /* no group may be seen */
	pthread_t thread;
	atomic_bool stop;
	atomic_int n_silent_now, n_silent_most; /* requests for offsets that wait, and the most that ever did */
	int n_answered;
	int conns[GB_CONNS];
	uint8_t in[GB_FRAME_MAX], out[GB_FRAME_MAX];
	size_t n_out;
};

static inline void gb_int(struct groups_broker *gb, int64_t v, int n_bytes)
{
	for (int i = n_bytes - 1; i >= 0; i--)
		gb->out[gb->n_out++] = (uint8_t)((uint64_t)v >> (8 * i));
}

static inline void gb_text(struct groups_broker *gb, const char *s)
{
	size_t n = strlen(s);

	gb_int(gb, (int64_t)n, 2);
	memcpy(&gb->out[gb->n_out], s, n);
	gb->n_out += n;
}

static inline int32_t gb_read(const uint8_t *at, int n_bytes)
{
	uint32_t v = 0;

	for (int i = 0; i < n_bytes; i++)
		v = v << 8 | at[i];
	return (int32_t)v;
}

static inline void gb_versions(struct groups_broker *gb, int version)
{
	static const int16_t apis[][3] = { { 3, 0, 1 }, { 9, 0, 2 }, { 10, 0, 0 }, { 16, 0, 0 }, { 18, 0, 0 } };

	gb_int(gb, version == 0 ? 0 : 35, 2);
	gb_int(gb, 5, 4);
	for (int i = 0; i < 5; i++)
		for (int k = 0; k < 3; k++)
			gb_int(gb, apis[i][k], 2);
}

static inline void gb_metadata(struct groups_broker *gb)
{
	gb_int(gb, 1, 4);
	gb_int(gb, 1, 4);
	gb_text(gb, "127.0.0.1");
	gb_int(gb, gb->port, 4);
	gb_int(gb, -1, 2);
	gb_int(gb, 1, 4);
	gb_int(gb, 0, 4);
}

static inline void gb_groups(struct groups_broker *gb)
{
	char name[32];

	gb_int(gb, 0, 2);
	gb_int(gb, gb->refuses ? 0 : gb->n_groups, 4);
	for (int i = 0; i < gb->n_groups && !gb->refuses; i++) {
		snprintf(name, sizeof(name), "group-%05d", i);
		gb_text(gb, name);
		gb_text(gb, "consumer");
	}
}

static inline void gb_coordinator(struct groups_broker *gb)
{
	gb_int(gb, gb->refuses ? GB_REFUSED : 0, 2);
	gb_int(gb, gb->refuses ? -1 : 1, 4);
	gb_text(gb, gb->refuses ? "" : "127.0.0.1");
	gb_int(gb, gb->refuses ? -1 : gb->port, 4);
}

/* False: it stays silent. */
static inline bool gb_offsets(struct groups_broker *gb, const uint8_t *group, size_t n)
{
	bool is_group = n > 6 && memcmp(group, "group-", 6) == 0;

	if (is_group && gb->n_answered >= gb->n_answered_most) {
		int now = atomic_fetch_add(&gb->n_silent_now, 1) + 1;

		if (now > atomic_load(&gb->n_silent_most))
			atomic_store(&gb->n_silent_most, now);
		return false;
	}
	gb->n_answered += is_group;
	gb_int(gb, is_group, 4);
	if (is_group) {
		gb_text(gb, gb->topic);
		gb_int(gb, 1, 4);
		gb_int(gb, 0, 4);
		gb_int(gb, 17, 8);
		gb_text(gb, "");
		gb_int(gb, 0, 2);
	}
	gb_int(gb, 0, 2);
	return true;
}

/* One frame, that is in `in`. */
static inline void gb_answer(struct groups_broker *gb, int fd, size_t n)
{
	int key = gb_read(gb->in, 2), version = gb_read(gb->in + 2, 2), client = gb_read(gb->in + 8, 2);
	const uint8_t *body = gb->in + 10 + (client > 0 ? client : 0);
	bool is_said = true;

	(void)n;
	gb->n_out = 4;
	gb_int(gb, gb_read(gb->in + 4, 4), 4);
	switch (key) {
	case 18: gb_versions(gb, version); break;
	case 3: gb_metadata(gb); break;
	case 16: gb_groups(gb); break;
	case 10: gb_coordinator(gb); break;
	case 9: is_said = gb_offsets(gb, body + 2, (size_t)gb_read(body, 2)); break;
	default: is_said = false; break;
	}
	if (is_said) {
		size_t len = gb->n_out;

		gb->n_out = 0;
		gb_int(gb, (int64_t)len - 4, 4);
		(void)!send(fd, gb->out, len, MSG_NOSIGNAL);
	}
}

static inline bool gb_get(int fd, uint8_t *at, size_t n)
{
	for (ssize_t got; n > 0; at += got, n -= (size_t)got)
		if ((got = recv(fd, at, n, 0)) <= 0)
			return false;
	return true;
}

static inline void gb_hear(struct groups_broker *gb, int *fd)
{
	uint8_t head[4];
	size_t n = 0;

	if (!gb_get(*fd, head, 4) || (n = (size_t)gb_read(head, 4)) > GB_FRAME_MAX || n < 10 || !gb_get(*fd, gb->in, n)) {
		close(*fd);
		*fd = -1;
		return;
	}
	gb_answer(gb, *fd, n);
}

static inline void *gb_main(void *ctx)
{
	struct groups_broker *gb = ctx;
	struct pollfd fds[GB_CONNS + 1];

	while (!atomic_load(&gb->stop)) {
		for (int i = 0; i < GB_CONNS; i++)
			fds[i] = (struct pollfd){ .fd = gb->conns[i], .events = POLLIN };
		fds[GB_CONNS] = (struct pollfd){ .fd = gb->listener, .events = POLLIN };
		if (poll(fds, GB_CONNS + 1, 50) <= 0)
			continue;
		for (int i = 0; i < GB_CONNS; i++)
			if (fds[i].fd >= 0 && fds[i].revents)
				gb_hear(gb, &gb->conns[i]);
		for (int i = 0; i < GB_CONNS && fds[GB_CONNS].revents; i++)
			if (gb->conns[i] < 0) {
				gb->conns[i] = accept(gb->listener, NULL, NULL);
				break;
			}
	}
	return NULL;
}

static inline void gb_start(struct groups_broker *gb)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(at);

	for (int i = 0; i < GB_CONNS; i++)
		gb->conns[i] = -1;
	gb->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(gb->listener, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(gb->listener, GB_CONNS), 0);
	assert_int_equal(getsockname(gb->listener, (struct sockaddr *)&at, &n), 0);
	gb->port = ntohs(at.sin_port);
	assert_int_equal(pthread_create(&gb->thread, NULL, gb_main, gb), 0);
}

static inline void gb_end(struct groups_broker *gb)
{
	atomic_store(&gb->stop, true);
	pthread_join(gb->thread, NULL);
	for (int i = 0; i < GB_CONNS; i++)
		if (gb->conns[i] >= 0)
			close(gb->conns[i]);
	close(gb->listener);
}

#endif
