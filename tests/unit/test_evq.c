/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/err.h"
#include "core/event.h"
#include "io/evq.h"

enum { PRODUCERS = 4, EACH = 20000 };

static struct evq *q_new(void)
{
	struct err err;
	struct evq *q;

	err_init(&err);
	q = evq_new(&err);
	assert_non_null(q);
	return q;
}

/* An event that says who pushed it (epoch) and as his how many-th (id). */
static struct event *numbered(uint32_t who, int32_t i)
{
	struct event *ev = event_new(EV_LOADED, who, (mono_ms){ 1 }, (wall_ms){ 1 });

	ev->id = i;
	return ev;
}

static bool is_readable(const struct evq *q)
{
	struct pollfd fd = { .fd = evq_fd(q), .events = POLLIN };

	return poll(&fd, 1, 0) == 1;
}

static size_t free_list(struct event *ev)
{
	size_t n = 0;

	while (ev != NULL) {
		struct event *next = ev->next;

		event_free(&ev);
		ev = next;
		n++;
	}
	return n;
}

static void events_come_out_in_order(void **state)
{
	struct evq *q = q_new();
	struct event *ev;

	for (int32_t i = 0; i < 100; i++)
		evq_push(q, numbered(1, i));
	ev = evq_take(q);
	for (int32_t i = 0; i < 100; i++) {
		struct event *next = ev->next;

		assert_int_equal(ev->id, i);
		event_free(&ev);
		ev = next;
	}
	assert_null(ev);
	assert_null(evq_take(q));
	evq_free(&q);
	assert_null(q);
}

static void descriptor_is_readable_only_while_something_is_queued(void **state)
{
	struct evq *q = q_new();

	assert_false(is_readable(q));
	evq_push(q, numbered(1, 0));
	assert_true(is_readable(q));
	evq_push(q, numbered(1, 1));
	assert_int_equal(free_list(evq_take(q)), 2);
	assert_false(is_readable(q));
	evq_free(&q);
}

static void burst_costs_one_wake_up(void **state)
{
	struct evq *q = q_new();
	int wakes = 0;

	for (int32_t i = 0; i < 1000; i++)
		evq_push(q, numbered(1, i));
	while (is_readable(q)) {
		wakes++;
		assert_int_equal(free_list(evq_take(q)), 1000);
	}
	assert_int_equal(wakes, 1);
	evq_free(&q);
}

static void wake_without_event_wakes_once(void **state)
{
	struct evq *q = q_new();

	evq_wake(q);
	evq_wake(q);
	assert_true(is_readable(q));
	assert_null(evq_take(q));
	assert_false(is_readable(q));
	evq_free(&q);
}

static struct event *of_kind(enum event_kind kind)
{
	return event_new(kind, 1, (mono_ms){ 1 }, (wall_ms){ 1 });
}

static void gathered_facts_wake_when_there_are_enough(void **state)
{
	struct evq *q = q_new();

	evq_gather(q, 3);
	evq_push(q, of_kind(EV_TOPIC));
	evq_push(q, of_kind(EV_STATE));
	assert_false(is_readable(q));
	evq_push(q, of_kind(EV_TOPIC_CONFIG));
	assert_true(is_readable(q));
	assert_int_equal(free_list(evq_take(q)), 3);
	assert_false(is_readable(q));
	evq_push(q, of_kind(EV_PROGRESS));
	assert_false(is_readable(q));
	assert_int_equal(free_list(evq_take(q)), 1); /* who looks by itself has it all the same */
	evq_free(&q);
}

static void an_event_of_another_kind_wakes_with_all_before_it(void **state)
{
	static const enum event_kind kinds[] = { EV_CONN, EV_LOADED, EV_BROKER_IDS, EV_BROKER, EV_ROOT, EV_LINK, EV_DISKS, EV_BROKERS_ASKED };
	struct evq *q = q_new();

	evq_gather(q, 1000);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		evq_push(q, of_kind(EV_STATE));
		assert_false(is_readable(q));
		evq_push(q, of_kind(kinds[i]));
		assert_true(is_readable(q));
		assert_int_equal(free_list(evq_take(q)), 2);
	}
	evq_free(&q);
}

static void taking_some_leaves_the_rest_readable(void **state)
{
	struct evq *q = q_new();
	struct event *ev;

	for (int32_t i = 0; i < 10; i++)
		evq_push(q, numbered(1, i));
	ev = evq_take_some(q, 4);
	assert_int_equal(ev->id, 0);
	assert_int_equal(free_list(ev), 4);
	assert_true(is_readable(q));
	evq_push(q, numbered(1, 10));
	ev = evq_take_some(q, 4);
	assert_int_equal(ev->id, 4);
	assert_int_equal(free_list(ev), 4);
	assert_true(is_readable(q));
	ev = evq_take_some(q, 4);
	assert_int_equal(ev->id, 8);
	assert_int_equal(free_list(ev), 3);
	assert_false(is_readable(q));
	assert_null(evq_take_some(q, 4));
	evq_free(&q);
}

static void a_queue_that_nobody_takes_from_says_that_it_is_full(void **state)
{
	struct evq *q = q_new();

	for (int32_t i = 0; i < 1000; i++)
		evq_push(q, numbered(1, i));
	assert_false(evq_is_full(q));
	for (int32_t i = 1000; i < 50000; i++)
		evq_push(q, numbered(1, i));
	assert_true(evq_is_full(q));
	evq_push(q, numbered(1, 50000)); /* and takes it all the same */
	assert_int_equal(free_list(evq_take_some(q, 1)), 1);
	assert_false(evq_is_full(q));
	assert_int_equal(free_list(evq_take(q)), 50000);
	evq_free(&q);
}

static void taking_all_after_some_keeps_order(void **state)
{
	struct evq *q = q_new();
	struct event *ev;

	for (int32_t i = 0; i < 6; i++)
		evq_push(q, numbered(1, i));
	assert_int_equal(free_list(evq_take_some(q, 2)), 2);
	evq_push(q, numbered(1, 6));
	ev = evq_take(q);
	for (int32_t i = 2; i <= 6; i++) {
		struct event *next = ev->next;

		assert_int_equal(ev->id, i);
		event_free(&ev);
		ev = next;
	}
	assert_null(ev);
	assert_false(is_readable(q));
	evq_free(&q);
}

static void what_is_left_is_freed_with_the_queue(void **state)
{
	struct evq *q = q_new();

	for (int32_t i = 0; i < 6; i++)
		evq_push(q, numbered(1, i));
	assert_int_equal(free_list(evq_take_some(q, 2)), 2);
	evq_push(q, numbered(1, 6));
	evq_free(&q); /* the leak checker has the word */
	evq_free(&q);
}

struct producer {
	struct evq *q;
	uint32_t who;
	pthread_t thread;
};

static void *produce(void *arg)
{
	struct producer *pr = arg;

	for (int32_t i = 0; i < EACH; i++)
		evq_push(pr->q, numbered(pr->who, i));
	return NULL;
}

/* Many producers, and a consumer that sleeps in poll: each producer's events
 * come all, once, in order; and the last poll never waits for what is there. */
static void nothing_is_lost_between_threads(void **state)
{
	struct producer pr[PRODUCERS];
	int32_t next[PRODUCERS] = { 0 };
	size_t got = 0, turns = 0;
	struct evq *q = q_new();

	for (uint32_t i = 0; i < PRODUCERS; i++) {
		pr[i].q = q;
		pr[i].who = i;
		assert_int_equal(pthread_create(&pr[i].thread, NULL, produce, &pr[i]), 0);
	}
	while (got < (size_t)PRODUCERS * EACH) {
		struct pollfd fd = { .fd = evq_fd(q), .events = POLLIN };
		struct event *ev;

		assert_int_equal(poll(&fd, 1, 10000), 1);
		ev = turns++ % 2 == 0 ? evq_take(q) : evq_take_some(q, 100);
		assert_non_null(ev); /* readable means something is there */
		while (ev != NULL) {
			struct event *after = ev->next;

			assert_int_equal(ev->id, next[ev->epoch]);
			next[ev->epoch]++;
			got++;
			event_free(&ev);
			ev = after;
		}
	}
	for (int i = 0; i < PRODUCERS; i++)
		pthread_join(pr[i].thread, NULL);
	assert_false(is_readable(q));
	assert_null(evq_take(q));
	evq_free(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_come_out_in_order),
		cmocka_unit_test(descriptor_is_readable_only_while_something_is_queued),
		cmocka_unit_test(burst_costs_one_wake_up),
		cmocka_unit_test(wake_without_event_wakes_once),
		cmocka_unit_test(gathered_facts_wake_when_there_are_enough),
		cmocka_unit_test(an_event_of_another_kind_wakes_with_all_before_it),
		cmocka_unit_test(taking_some_leaves_the_rest_readable),
		cmocka_unit_test(a_queue_that_nobody_takes_from_says_that_it_is_full),
		cmocka_unit_test(taking_all_after_some_keeps_order),
		cmocka_unit_test(what_is_left_is_freed_with_the_queue),
		cmocka_unit_test(nothing_is_lost_between_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
