/* SPDX-License-Identifier: Apache-2.0 */
/* On a clock that is a number. */
#include "io/kpolls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "core/ids.h"

enum { ALL = (1 << KPOLL_KINDS) - 1, MD = 1 << KPOLL_METADATA, DISKS = 1 << KPOLL_DISKS, SETTINGS = 1 << KPOLL_SETTINGS,
       REASSIGNING = 1 << KPOLL_REASSIGNING, BROKERS_MAX = 8 };

/* A cluster of brokers 0 to n - 1 whose connections are up at once and whose answers take `took`. */
struct world {
	struct kpolls *kp;
	mono_ms now;
	size_t n;
	dur_ms took;
	size_t bytes[KPOLL_KINDS];
	bool is_refused[KPOLL_KINDS];
	int asked[KPOLL_KINDS][BROKERS_MAX]; /* requests so far */
};

static struct kpolls *polls(unsigned kinds, bool once, size_t n, mono_ms now)
{
	static const int32_t ids[BROKERS_MAX] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	struct kpolls *kp = kpolls_new(&kpolls_times_usual, kinds, once, 1);

	if (n > 0)
		kpolls_brokers(kp, ids, n, now);
	return kp;
}

static void begin(struct world *wo, unsigned kinds, bool once, size_t n)
{
	*wo = (struct world){ .now = { 1000 }, .n = n, .took = 2 };
	wo->kp = polls(kinds, once, n, wo->now);
	kpolls_controller(wo->kp, 1);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(kpolls_link(wo->kp, (int32_t)i, KPOLLS_LINK_UP, wo->now), 0);
}

static void forget_asked(struct world *wo)
{
	for (int k = 0; k < KPOLL_KINDS; k++)
		for (size_t i = 0; i < BROKERS_MAX; i++)
			wo->asked[k][i] = 0;
}

static int total(const struct world *wo, enum kpoll kind)
{
	int sum = 0;

	for (size_t i = 0; i < BROKERS_MAX; i++)
		sum += wo->asked[kind][i];
	return sum;
}

/* All that is due, answered after `took`. */
static void serve(struct world *wo)
{
	enum kpoll kind;
	int32_t id;

	while (kpolls_next(wo->kp, wo->now, &kind, &id)) {
		mono_ms then = { wo->now.ms + wo->took };

		wo->asked[kind][id]++;
		kpolls_answered(wo->kp, kind, id, wo->bytes[kind], wo->is_refused[kind], then);
	}
}

/* From deadline to deadline. */
static void run(struct world *wo, dur_ms d)
{
	mono_ms until = { wo->now.ms + d }, due;

	for (;;) {
		serve(wo);
		due = kpolls_deadline(wo->kp, wo->now);
		if (!due.ms || due.ms > until.ms)
			break;
		assert_true(due.ms > wo->now.ms);
		wo->now = due;
	}
	wo->now = until;
}

/* ---- the first round -------------------------------------------------------------------- */

static void at_first_everything_is_asked_at_once(void **state)
{
	struct world wo;

	begin(&wo, ALL, false, 3);
	assert_false(kpolls_is_first_over(wo.kp));
	serve(&wo);
	assert_int_equal(total(&wo, KPOLL_METADATA), 1);
	assert_int_equal(total(&wo, KPOLL_TOPICS), 0);
	assert_int_equal(wo.asked[KPOLL_REASSIGNING][1], 1);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(wo.asked[KPOLL_DISKS][i], 1);
		assert_int_equal(wo.asked[KPOLL_SETTINGS][i], 1);
	}
	assert_true(kpolls_is_first_over(wo.kp));
	kpolls_free(&wo.kp);
}

static void once_is_once(void **state)
{
	struct world wo;

	begin(&wo, ALL, true, 3);
	serve(&wo);
	forget_asked(&wo);
	assert_int_equal(kpolls_deadline(wo.kp, wo.now).ms, 0);
	wo.now.ms += 1000000;
	serve(&wo);
	for (int k = 0; k < KPOLL_KINDS; k++)
		assert_int_equal(total(&wo, (enum kpoll)k), 0);
	kpolls_free(&wo.kp);
}

static void nothing_is_over_before_the_brokers_are_known(void **state)
{
	struct kpolls *kp = polls(ALL, true, 0, (mono_ms){ 1 });

	assert_int_equal(kpolls_give_up(kp), 0);
	assert_false(kpolls_is_first_over(kp));
	kpolls_brokers(kp, NULL, 0, (mono_ms){ 1 }); /* there are none */
	assert_int_equal(kpolls_give_up(kp), MD | REASSIGNING);
	assert_int_equal(kpolls_give_up(kp), 0);
	assert_true(kpolls_is_first_over(kp));
	kpolls_free(&kp);
}

static void a_broker_that_fails_is_given_up_and_the_next_one_is_asked_for_metadata(void **state)
{
	struct kpolls *kp = polls(MD | DISKS | SETTINGS, true, 2, (mono_ms){ 1000 });
	mono_ms now = { 1000 };
	enum kpoll kind;
	int32_t id;

	kpolls_link(kp, 0, KPOLLS_LINK_UP, now);
	assert_true(kpolls_next(kp, now, &kind, &id));
	assert_int_equal(kind, KPOLL_METADATA);
	assert_int_equal(id, 0);
	assert_int_equal(kpolls_link(kp, 0, KPOLLS_LINK_FAILED, now), DISKS | SETTINGS);
	assert_int_equal(kpolls_link(kp, 0, KPOLLS_LINK_FAILED, now), 0);
	assert_int_equal(kpolls_give_up(kp), 0);
	kpolls_link(kp, 1, KPOLLS_LINK_UP, now);
	assert_true(kpolls_next(kp, now, &kind, &id));
	assert_int_equal(kind, KPOLL_METADATA);
	assert_int_equal(id, 1);
	assert_int_equal(kpolls_link(kp, 1, KPOLLS_LINK_FAILED, now), DISKS | SETTINGS);
	assert_int_equal(kpolls_give_up(kp), MD);
	assert_true(kpolls_is_first_over(kp));
	kpolls_free(&kp);
}

static void metadata_of_no_use_is_asked_of_another(void **state)
{
	struct kpolls *kp = polls(MD, true, 2, (mono_ms){ 1000 });
	mono_ms now = { 1000 };
	enum kpoll kind;
	int32_t id;

	kpolls_link(kp, 0, KPOLLS_LINK_UP, now);
	kpolls_link(kp, 1, KPOLLS_LINK_UP, now);
	assert_true(kpolls_next(kp, now, &kind, &id));
	kpolls_useless(kp, kind, id, now);
	assert_true(kpolls_next(kp, now, &kind, &id));
	assert_int_equal(id, 1);
	kpolls_useless(kp, kind, id, now);
	assert_false(kpolls_next(kp, now, &kind, &id));
	assert_int_equal(kpolls_give_up(kp), MD);
	kpolls_free(&kp);
}

static void without_a_controller_reassignments_are_given_up(void **state)
{
	struct world wo;

	begin(&wo, MD | REASSIGNING, true, 2);
	kpolls_controller(wo.kp, BROKER_NONE);
	assert_int_equal(kpolls_give_up(wo.kp), 0); /* Metadata may name one */
	serve(&wo);
	assert_int_equal(kpolls_give_up(wo.kp), REASSIGNING);
	assert_true(kpolls_is_first_over(wo.kp));
	kpolls_free(&wo.kp);
}

static void who_is_not_the_controller_leads_to_metadata_and_once_more(void **state)
{
	struct world wo;
	enum kpoll kind;
	int32_t id;

	begin(&wo, MD | REASSIGNING, true, 3);
	assert_true(kpolls_next(wo.kp, wo.now, &kind, &id));
	kpolls_answered(wo.kp, kind, id, 100, false, wo.now);
	assert_true(kpolls_next(wo.kp, wo.now, &kind, &id));
	assert_int_equal(kind, KPOLL_REASSIGNING);
	assert_true(kpolls_not_controller(wo.kp, id, wo.now));
	assert_true(kpolls_next(wo.kp, wo.now, &kind, &id));
	assert_int_equal(kind, KPOLL_METADATA);
	assert_false(kpolls_is_first_over(wo.kp));
	kpolls_answered(wo.kp, kind, id, 100, false, wo.now);
	kpolls_controller(wo.kp, 2);
	assert_true(kpolls_next(wo.kp, wo.now, &kind, &id));
	assert_int_equal(kind, KPOLL_REASSIGNING);
	assert_int_equal(id, 2);
	assert_false(kpolls_not_controller(wo.kp, id, wo.now));
	assert_true(kpolls_is_first_over(wo.kp));
	kpolls_free(&wo.kp);
}

static void brokers_that_come_later_are_asked_as_well(void **state)
{
	static const int32_t later[] = { 0, 1, 2 };
	struct world wo;

	begin(&wo, ALL, true, 1);
	kpolls_controller(wo.kp, 0);
	serve(&wo);
	assert_true(kpolls_is_first_over(wo.kp));
	forget_asked(&wo);
	kpolls_brokers(wo.kp, later, 3, wo.now);
	assert_false(kpolls_is_first_over(wo.kp));
	kpolls_link(wo.kp, 1, KPOLLS_LINK_UP, wo.now);
	kpolls_link(wo.kp, 2, KPOLLS_LINK_UP, wo.now);
	serve(&wo);
	assert_int_equal(total(&wo, KPOLL_METADATA), 0);
	assert_int_equal(wo.asked[KPOLL_DISKS][0], 0);
	assert_int_equal(wo.asked[KPOLL_DISKS][1], 1);
	assert_int_equal(wo.asked[KPOLL_SETTINGS][2], 1);
	assert_true(kpolls_is_first_over(wo.kp));
	kpolls_free(&wo.kp);
}

static void metadata_that_was_given_up_is_asked_of_who_comes_later(void **state)
{
	static const int32_t later[] = { 1 };
	struct kpolls *kp = polls(MD, true, 1, (mono_ms){ 1000 });
	mono_ms now = { 1000 };
	enum kpoll kind;
	int32_t id;

	kpolls_link(kp, 0, KPOLLS_LINK_FAILED, now);
	assert_int_equal(kpolls_give_up(kp), MD);
	kpolls_brokers(kp, later, 1, now);
	assert_false(kpolls_is_first_over(kp));
	assert_true(kpolls_needs(kp, 1, now));
	kpolls_link(kp, 1, KPOLLS_LINK_UP, now);
	assert_true(kpolls_next(kp, now, &kind, &id));
	assert_int_equal(id, 1);
	kpolls_free(&kp);
}

/* ---- whom ------------------------------------------------------------------------------------ */

static void one_candidate_is_tried_for_metadata_and_after_a_while_the_next(void **state)
{
	struct kpolls *kp = polls(MD, false, 3, (mono_ms){ 1000 });
	mono_ms now = { 1000 };

	assert_true(kpolls_needs(kp, 0, now));
	assert_false(kpolls_needs(kp, 1, now));
	assert_int_equal(kpolls_deadline(kp, now).ms, 2000);
	now.ms = 2000;
	assert_true(kpolls_needs(kp, 0, now));
	assert_true(kpolls_needs(kp, 1, now));
	assert_false(kpolls_needs(kp, 2, now));
	kpolls_link(kp, 1, KPOLLS_LINK_FAILED, now);
	assert_false(kpolls_needs(kp, 1, now));
	assert_true(kpolls_needs(kp, 2, now));
	kpolls_link(kp, 0, KPOLLS_LINK_FAILED, now);
	kpolls_link(kp, 2, KPOLLS_LINK_FAILED, now);
	for (int32_t id = 0; id < 3; id++)
		assert_true(kpolls_needs(kp, id, now)); /* whoever comes back first */
	kpolls_free(&kp);
}

static void bootstrap_servers_are_asked_for_metadata_when_nobody_else_can_be(void **state)
{
	const int32_t ids[] = { 5, kpolls_bootstrap_id(0) };
	struct kpolls *kp = kpolls_new(&kpolls_times_usual, ALL, false, 1);
	mono_ms now = { 1000 };
	enum kpoll kind;
	int32_t id;

	kpolls_brokers(kp, ids + 1, 1, now);
	assert_true(kpolls_needs(kp, ids[1], now));
	kpolls_link(kp, ids[1], KPOLLS_LINK_UP, now);
	assert_true(kpolls_next(kp, now, &kind, &id));
	assert_int_equal(kind, KPOLL_METADATA);
	assert_int_equal(id, ids[1]);
	assert_false(kpolls_next(kp, now, &kind, &id)); /* no log dirs of a server that is nobody */
	kpolls_answered(kp, kind, id, 10, false, now);
	kpolls_brokers(kp, ids, 2, now);
	kpolls_link(kp, 5, KPOLLS_LINK_UP, now);
	now.ms += 20000;
	assert_true(kpolls_next(kp, now, &kind, &id));
	assert_int_equal(kind, KPOLL_METADATA);
	assert_int_equal(id, 5);
	kpolls_link(kp, 5, KPOLLS_LINK_FAILED, now);
	assert_true(kpolls_next(kp, now, &kind, &id));
	assert_int_equal(kind, KPOLL_METADATA);
	assert_int_equal(id, ids[1]);
	kpolls_free(&kp);
}

static void metadata_comes_of_the_controller_when_it_can_be_reached(void **state)
{
	struct world wo;

	begin(&wo, MD, false, 3);
	run(&wo, 60000);
	assert_int_equal(wo.asked[KPOLL_METADATA][1], total(&wo, KPOLL_METADATA));
	kpolls_link(wo.kp, 1, KPOLLS_LINK_FAILED, wo.now);
	forget_asked(&wo);
	run(&wo, 60000);
	assert_true(total(&wo, KPOLL_METADATA) >= 11);
	assert_int_equal(wo.asked[KPOLL_METADATA][1], 0);
	assert_true(kpolls_needs(wo.kp, 1, (mono_ms){ wo.now.ms + 6000 }));
	kpolls_free(&wo.kp);
}

static void a_broker_that_left_is_not_asked_and_what_was_out_there_is_due_again(void **state)
{
	static const int32_t left[] = { 1 };
	struct kpolls *kp = polls(MD, true, 2, (mono_ms){ 1000 });
	mono_ms now = { 1000 };
	enum kpoll kind;
	int32_t id;

	kpolls_link(kp, 0, KPOLLS_LINK_UP, now);
	kpolls_link(kp, 1, KPOLLS_LINK_UP, now);
	assert_true(kpolls_next(kp, now, &kind, &id));
	assert_int_equal(id, 0);
	kpolls_brokers(kp, left, 1, now);
	assert_true(kpolls_next(kp, now, &kind, &id));
	assert_int_equal(id, 1);
	kpolls_answered(kp, KPOLL_METADATA, 0, 10, false, now); /* late: of nobody */
	assert_false(kpolls_is_first_over(kp));
	kpolls_free(&kp);
}

/* ---- when -------------------------------------------------------------------------------------- */

static void no_broker_gets_more_than_a_request_a_second_when_idle(void **state)
{
	struct world wo;

	begin(&wo, ALL, false, 3);
	kpolls_want(wo.kp, true, true, true);
	run(&wo, 60000);
	forget_asked(&wo);
	run(&wo, 600000);
	for (int i = 0; i < 3; i++) {
		int sum = 0;

		for (int k = 0; k < KPOLL_KINDS; k++)
			sum += wo.asked[k][i];
		assert_true(sum > 0 && sum <= 600);
	}
	/* Every 5 s, every 10 s, once a minute; a jitter of a tenth. */
	assert_in_range(total(&wo, KPOLL_METADATA), 108, 134);
	assert_in_range(wo.asked[KPOLL_REASSIGNING][1], 108, 134);
	assert_int_equal(total(&wo, KPOLL_REASSIGNING), wo.asked[KPOLL_REASSIGNING][1]);
	assert_in_range(wo.asked[KPOLL_DISKS][2], 59, 68);
	assert_in_range(wo.asked[KPOLL_SETTINGS][2], 9, 12);
	assert_int_equal(total(&wo, KPOLL_TOPICS), 0); /* all come as often */
	kpolls_free(&wo.kp);
}

static void log_dirs_come_every_half_minute_unless_wanted(void **state)
{
	struct world wo;

	begin(&wo, DISKS, false, 1);
	run(&wo, 60000);
	forget_asked(&wo);
	run(&wo, 600000);
	assert_in_range(total(&wo, KPOLL_DISKS), 18, 23);
	forget_asked(&wo);
	kpolls_want(wo.kp, false, true, true); /* the last one was planned for later */
	run(&wo, 11000);
	assert_true(total(&wo, KPOLL_DISKS) >= 1);
	kpolls_free(&wo.kp);
}

static void large_answers_come_as_rarely_as_they_take_to_move(void **state)
{
	struct world wo;

	begin(&wo, ALL, false, 2);
	kpolls_want(wo.kp, true, true, true);
	wo.bytes[KPOLL_METADATA] = 6 * 1000 * 1000; /* a minute at 100 kB/s */
	wo.bytes[KPOLL_DISKS] = 2400 * 1000;        /* two minutes at 20 kB/s */
	run(&wo, 1000);
	forget_asked(&wo);
	run(&wo, 600000);
	assert_in_range(total(&wo, KPOLL_METADATA), 8, 12);
	assert_in_range(wo.asked[KPOLL_DISKS][0], 4, 6);
	assert_in_range(total(&wo, KPOLL_TOPICS), 108, 134); /* so those on view come by themselves */
	kpolls_free(&wo.kp);
}

static void a_slow_broker_is_asked_less_often(void **state)
{
	struct world wo;

	begin(&wo, DISKS, false, 1);
	wo.took = 20000;
	run(&wo, 1000);
	forget_asked(&wo);
	run(&wo, 1000000);
	assert_in_range(total(&wo, KPOLL_DISKS), 8, 12); /* every 100 s */
	kpolls_free(&wo.kp);
}

static void who_refuses_is_asked_every_half_minute_at_most(void **state)
{
	struct world wo;

	begin(&wo, REASSIGNING | DISKS, false, 2);
	kpolls_want(wo.kp, false, true, true);
	wo.is_refused[KPOLL_DISKS] = true;
	run(&wo, 1000);
	forget_asked(&wo);
	run(&wo, 300000);
	assert_in_range(wo.asked[KPOLL_DISKS][0], 8, 12);
	kpolls_free(&wo.kp);
}

static void brokers_are_not_asked_all_at_one_time(void **state)
{
	struct world wo;
	int together = 0;

	begin(&wo, DISKS, false, BROKERS_MAX);
	serve(&wo);
	for (int i = 0; i < 600; i++) {
		int before = total(&wo, KPOLL_DISKS), now;

		wo.now.ms += 100;
		serve(&wo);
		now = total(&wo, KPOLL_DISKS);
		together = now - before > together ? now - before : together;
	}
	assert_true(total(&wo, KPOLL_DISKS) >= 2 * BROKERS_MAX);
	assert_true(together <= 3);
	kpolls_free(&wo.kp);
}

static void nobody_looking_means_nothing_asked_until_somebody_looks_again(void **state)
{
	struct world wo;

	begin(&wo, ALL, false, 2);
	serve(&wo);
	forget_asked(&wo);
	kpolls_want(wo.kp, false, false, false);
	assert_int_equal(kpolls_deadline(wo.kp, wo.now).ms, 0);
	run(&wo, 600000);
	for (int k = 0; k < KPOLL_KINDS; k++)
		assert_int_equal(total(&wo, (enum kpoll)k), 0);
	assert_false(kpolls_needs(wo.kp, 0, wo.now));
	kpolls_want(wo.kp, false, false, true);
	serve(&wo);
	assert_int_equal(total(&wo, KPOLL_METADATA), 1);
	assert_int_equal(total(&wo, KPOLL_DISKS), 2);
	kpolls_free(&wo.kp);
}

static void answers_that_nobody_takes_are_as_good_as_nobody_looking(void **state)
{
	struct world wo;

	begin(&wo, ALL, false, 2);
	serve(&wo);
	assert_true(kpolls_read(wo.kp, true, 7, wo.now));
	wo.now.ms += kpolls_times_usual.unread - 1;
	assert_true(kpolls_read(wo.kp, true, 7, wo.now));
	wo.now.ms++;
	assert_false(kpolls_read(wo.kp, true, 7, wo.now));
	forget_asked(&wo);
	run(&wo, 600000);
	for (int k = 0; k < KPOLL_KINDS; k++)
		assert_int_equal(total(&wo, (enum kpoll)k), 0);
	assert_true(kpolls_read(wo.kp, true, 8, wo.now)); /* there are some again, but these are new */
	serve(&wo);
	assert_int_equal(total(&wo, KPOLL_METADATA), 1);
	assert_int_equal(total(&wo, KPOLL_DISKS), 2);
	wo.now.ms += kpolls_times_usual.unread;
	assert_true(kpolls_read(wo.kp, false, 8, wo.now));
	kpolls_free(&wo.kp);
}

static void a_poll_is_out_once(void **state)
{
	struct kpolls *kp = polls(DISKS, false, 1, (mono_ms){ 1000 });
	enum kpoll kind;
	int32_t id;

	kpolls_link(kp, 0, KPOLLS_LINK_UP, (mono_ms){ 1000 });
	assert_true(kpolls_next(kp, (mono_ms){ 1000 }, &kind, &id));
	assert_false(kpolls_next(kp, (mono_ms){ 1000000 }, &kind, &id));
	kpolls_free(&kp);
}

static void settings_are_asked_for_when_a_broker_is_back(void **state)
{
	struct world wo;

	begin(&wo, DISKS | SETTINGS, false, 1);
	serve(&wo);
	forget_asked(&wo);
	wo.now.ms += 1000;
	assert_int_equal(kpolls_link(wo.kp, 0, KPOLLS_LINK_FAILED, wo.now), 0);
	kpolls_link(wo.kp, 0, KPOLLS_LINK_UP, wo.now);
	serve(&wo);
	assert_int_equal(total(&wo, KPOLL_SETTINGS), 1);
	assert_int_equal(total(&wo, KPOLL_DISKS), 0);
	kpolls_free(&wo.kp);
}

static void another_controller_is_looked_for_when_it_moved(void **state)
{
	struct world wo;
	enum kpoll kind;
	int32_t id;

	begin(&wo, MD | REASSIGNING, false, 3);
	serve(&wo);
	wo.now.ms += 4990; /* reassignments may be due, Metadata too: whichever comes */
	do {
		wo.now.ms += 10;
		if (!kpolls_next(wo.kp, wo.now, &kind, &id))
			continue;
		if (kind == KPOLL_METADATA)
			kpolls_answered(wo.kp, kind, id, 100, false, wo.now);
	} while (kind != KPOLL_REASSIGNING);
	assert_true(kpolls_not_controller(wo.kp, id, wo.now));
	assert_true(kpolls_is_first_over(wo.kp));
	assert_true(kpolls_next(wo.kp, wo.now, &kind, &id));
	assert_int_equal(kind, KPOLL_METADATA);
	kpolls_free(&wo.kp);
}

static void where_metadata_is_large_it_is_asked_who_the_controller_is(void **state)
{
	struct world wo;
	enum kpoll kind;
	int32_t id;

	begin(&wo, MD | REASSIGNING, false, 3);
	wo.bytes[KPOLL_METADATA] = 10 * 1000 * 1000; /* so for 100 s not again */
	serve(&wo);
	wo.now.ms += 6000;
	assert_true(kpolls_next(wo.kp, wo.now, &kind, &id));
	assert_int_equal(kind, KPOLL_REASSIGNING);
	assert_true(kpolls_not_controller(wo.kp, id, wo.now));
	assert_true(kpolls_next(wo.kp, wo.now, &kind, &id));
	assert_int_equal(kind, KPOLL_WHO);
	/* Lost with its connection, it is asked of another. */
	kpolls_link(wo.kp, id, KPOLLS_LINK_FAILED, wo.now);
	assert_true(kpolls_next(wo.kp, wo.now, &kind, &id));
	assert_int_equal(kind, KPOLL_WHO);
	kpolls_controller(wo.kp, 2);
	kpolls_answered(wo.kp, kind, id, 100, false, wo.now);
	assert_false(kpolls_next(wo.kp, wo.now, &kind, &id));
	wo.now.ms += 6000;
	assert_true(kpolls_next(wo.kp, wo.now, &kind, &id));
	assert_int_equal(kind, KPOLL_REASSIGNING);
	assert_int_equal(id, 2);
	kpolls_free(&wo.kp);
}

static void who_wants_silence_is_left_alone_and_metadata_comes_of_another(void **state)
{
	struct world wo;

	begin(&wo, ALL, false, 3);
	serve(&wo);
	forget_asked(&wo);
	kpolls_throttled(wo.kp, 1, 20000, wo.now); /* the controller */
	kpolls_throttled(wo.kp, 1, 500, wo.now);
	run(&wo, 19999);
	for (int k = 0; k < KPOLL_KINDS; k++)
		assert_int_equal(wo.asked[k][1], 0);
	assert_in_range(total(&wo, KPOLL_METADATA), 3, 5);
	assert_int_equal(total(&wo, KPOLL_REASSIGNING), 0);
	/* At once when the time is over, by its own deadline. */
	assert_int_equal(kpolls_deadline(wo.kp, (mono_ms){ 1000 + 19999 }).ms, 1000 + 20000);
	run(&wo, 2);
	assert_int_equal(total(&wo, KPOLL_REASSIGNING), 1);
	kpolls_free(&wo.kp);
}

static void silence_has_a_bound(void **state)
{
	struct world wo;

	begin(&wo, ALL, false, 1);
	kpolls_controller(wo.kp, 0);
	serve(&wo);
	forget_asked(&wo);
	kpolls_throttled(wo.kp, 0, INT32_MAX, wo.now);
	run(&wo, KPOLLS_THROTTLE_MAX_MS - 1);
	assert_int_equal(total(&wo, KPOLL_METADATA), 0);
	run(&wo, 2);
	assert_int_equal(total(&wo, KPOLL_METADATA), 1);
	kpolls_free(&wo.kp);
}

static void the_jitter_is_within_its_bounds(void **state)
{
	struct kpolls *kp = polls(MD, false, 1, (mono_ms){ 1 });
	dur_ms least = 1000, most = 0;

	for (int i = 0; i < 1000; i++) {
		dur_ms d = kpolls_jitter(kp, 1000);

		least = d < least ? d : least;
		most = d > most ? d : most;
	}
	assert_in_range(least, 900, 910);
	assert_in_range(most, 1090, 1100);
	kpolls_free(&kp);
}

static void assert_within_a_tenth(dur_ms got, dur_ms wanted)
{
	assert_in_range(got, wanted - wanted / 10, wanted + wanted / 10);
}

static void a_broker_out_of_reach_is_tried_again_less_and_less(void **state)
{
	static const dur_ms waits[] = { 250, 500, 1000, 2000, 4000, 8000, 16000, 30000, 30000 };
	struct kpolls *kp = polls(ALL, false, 1, (mono_ms){ 1000 });
	dur_ms backoff = 0;

	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++)
		assert_within_a_tenth(kpolls_retry(kp, &backoff, false), waits[i]);
	kpolls_free(&kp);
}

static void one_that_refuses_us_is_tried_again_every_half_minute(void **state)
{
	struct kpolls *kp = polls(ALL, false, 1, (mono_ms){ 1000 });
	dur_ms backoff = 0;

	for (int i = 0; i < 20; i++)
		assert_within_a_tenth(kpolls_retry(kp, &backoff, true), 30000);
	backoff = 0;
	assert_within_a_tenth(kpolls_retry(kp, &backoff, false), 250);
	assert_within_a_tenth(kpolls_retry(kp, &backoff, true), 30000);
	kpolls_free(&kp);
}

/* ---- deletions ----------------------------------------------------------------------------- */

static void queue(struct world *wo, dur_ms hot, int32_t controller, const struct kpolls_host *hosts, size_t n)
{
	kpolls_queued(wo->kp, true, (mono_ms){ wo->now.ms + hot }, controller, hosts, n);
}

static void queued_topics_are_asked_of_the_controller_alone(void **state)
{
	struct world wo;

	begin(&wo, ALL, false, 3);
	run(&wo, 60000);
	assert_int_equal(total(&wo, KPOLL_QUEUED), 0); /* there are none */
	queue(&wo, 30000, 2, NULL, 0); /* ZooKeeper names another one than the brokers */
	forget_asked(&wo);
	run(&wo, 30000);
	assert_in_range(wo.asked[KPOLL_QUEUED][2], 15, 17);
	assert_int_equal(total(&wo, KPOLL_QUEUED), wo.asked[KPOLL_QUEUED][2]);
	forget_asked(&wo);
	run(&wo, 60000);
	assert_in_range(wo.asked[KPOLL_QUEUED][2], 10, 14);
	kpolls_link(wo.kp, 2, KPOLLS_LINK_FAILED, wo.now); /* nobody else will do */
	forget_asked(&wo);
	run(&wo, 60000);
	assert_int_equal(total(&wo, KPOLL_QUEUED), 0);
	assert_true(kpolls_needs(wo.kp, 2, wo.now));
	queue(&wo, 0, 0, NULL, 0); /* it is another one now: at once */
	serve(&wo);
	assert_int_equal(wo.asked[KPOLL_QUEUED][0], 1);
	kpolls_queued(wo.kp, false, (mono_ms){ 0 }, 0, NULL, 0);
	forget_asked(&wo);
	run(&wo, 60000);
	assert_int_equal(total(&wo, KPOLL_QUEUED), 0);
	kpolls_free(&wo.kp);
}

static void a_new_marker_is_asked_about_soon_though_the_next_time_was_planned_later(void **state)
{
	struct world wo;

	begin(&wo, ALL, false, 3);
	run(&wo, 5000);
	queue(&wo, 0, 1, NULL, 0);
	run(&wo, 7000); /* one was asked a moment ago, or is due within 5 s */
	forget_asked(&wo);
	queue(&wo, 30000, 1, NULL, 0);
	run(&wo, 2300);
	assert_true(wo.asked[KPOLL_QUEUED][1] >= 1);
	kpolls_free(&wo.kp);
}

static void log_dirs_of_hosts_are_asked_very_often_while_something_changes(void **state)
{
	struct kpolls_host hosts[2] = { { 1, { 0 } }, { 2, { 0 } } };
	struct world wo;

	begin(&wo, ALL, false, 4);
	run(&wo, 60000);
	hosts[0].hot_until.ms = wo.now.ms + 30000; /* of broker 2 the last change is long ago */
	queue(&wo, 0, 0, hosts, 2);
	forget_asked(&wo);
	run(&wo, 30000);
	assert_in_range(wo.asked[KPOLL_DISKS][1], 14, 17);
	assert_in_range(wo.asked[KPOLL_DISKS][2], 3, 4);
	assert_in_range(wo.asked[KPOLL_DISKS][3], 0, 2);
	forget_asked(&wo);
	run(&wo, 60000);
	assert_in_range(wo.asked[KPOLL_DISKS][1], 5, 7);
	assert_in_range(wo.asked[KPOLL_DISKS][3], 1, 3);
	queue(&wo, 0, 0, NULL, 0);
	forget_asked(&wo);
	run(&wo, 60000);
	assert_in_range(wo.asked[KPOLL_DISKS][1], 1, 3);
	kpolls_free(&wo.kp);
}

static void a_host_that_answers_slowly_or_much_is_asked_gently(void **state)
{
	struct kpolls_host host = { 1, { 10000000 } };
	struct world wo;

	begin(&wo, ALL, false, 2);
	wo.took = 1000; /* five times that is left alone */
	queue(&wo, 0, 0, &host, 1);
	run(&wo, 10000);
	forget_asked(&wo);
	run(&wo, 60000);
	assert_in_range(wo.asked[KPOLL_DISKS][1], 9, 13);
	wo.took = 2;
	wo.bytes[KPOLL_DISKS] = 400 * 1000; /* 20 s at 20 kB/s */
	run(&wo, 30000);
	forget_asked(&wo);
	run(&wo, 60000);
	assert_in_range(wo.asked[KPOLL_DISKS][1], 2, 4);
	kpolls_free(&wo.kp);
}

static void while_nobody_looks_queued_topics_are_not_asked_about(void **state)
{
	struct world wo;

	begin(&wo, ALL, false, 2);
	queue(&wo, 30000, 1, NULL, 0);
	run(&wo, 5000);
	kpolls_want(wo.kp, false, false, false);
	forget_asked(&wo);
	run(&wo, 60000);
	assert_int_equal(total(&wo, KPOLL_QUEUED), 0);
	kpolls_want(wo.kp, false, false, true);
	serve(&wo);
	assert_int_equal(total(&wo, KPOLL_QUEUED), 1);
	kpolls_free(&wo.kp);
}

static void who_asks_once_asks_the_controller_once_about_queued_topics(void **state)
{
	struct world wo;
	enum kpoll kind;
	int32_t id;

	begin(&wo, ALL, true, 3);
	serve(&wo);
	assert_true(kpolls_is_first_over(wo.kp));
	queue(&wo, 30000, 2, NULL, 0);
	assert_false(kpolls_is_first_over(wo.kp));
	assert_true(kpolls_next(wo.kp, wo.now, &kind, &id));
	assert_int_equal(kind, KPOLL_QUEUED);
	assert_int_equal(id, 2);
	assert_false(kpolls_next(wo.kp, wo.now, &kind, &id)); /* never two at once */
	assert_false(kpolls_is_first_over(wo.kp));
	kpolls_answered(wo.kp, KPOLL_QUEUED, 2, 100, false, wo.now);
	assert_true(kpolls_is_first_over(wo.kp));
	forget_asked(&wo);
	run(&wo, 100000);
	assert_int_equal(total(&wo, KPOLL_QUEUED), 0);
	kpolls_free(&wo.kp);
}

static void without_a_controller_who_asks_once_gives_up_on_queued_topics(void **state)
{
	struct world wo;

	begin(&wo, ALL, true, 3);
	serve(&wo);
	queue(&wo, 30000, 7, NULL, 0); /* not registered */
	assert_int_equal(kpolls_give_up(wo.kp), 1 << KPOLL_QUEUED);
	assert_int_equal(kpolls_give_up(wo.kp), 0);
	assert_true(kpolls_is_first_over(wo.kp));
	kpolls_free(&wo.kp);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_first_everything_is_asked_at_once),
		cmocka_unit_test(once_is_once),
		cmocka_unit_test(nothing_is_over_before_the_brokers_are_known),
		cmocka_unit_test(a_broker_that_fails_is_given_up_and_the_next_one_is_asked_for_metadata),
		cmocka_unit_test(metadata_of_no_use_is_asked_of_another),
		cmocka_unit_test(without_a_controller_reassignments_are_given_up),
		cmocka_unit_test(who_is_not_the_controller_leads_to_metadata_and_once_more),
		cmocka_unit_test(brokers_that_come_later_are_asked_as_well),
		cmocka_unit_test(metadata_that_was_given_up_is_asked_of_who_comes_later),
		cmocka_unit_test(one_candidate_is_tried_for_metadata_and_after_a_while_the_next),
		cmocka_unit_test(bootstrap_servers_are_asked_for_metadata_when_nobody_else_can_be),
		cmocka_unit_test(metadata_comes_of_the_controller_when_it_can_be_reached),
		cmocka_unit_test(a_broker_that_left_is_not_asked_and_what_was_out_there_is_due_again),
		cmocka_unit_test(no_broker_gets_more_than_a_request_a_second_when_idle),
		cmocka_unit_test(log_dirs_come_every_half_minute_unless_wanted),
		cmocka_unit_test(large_answers_come_as_rarely_as_they_take_to_move),
		cmocka_unit_test(a_slow_broker_is_asked_less_often),
		cmocka_unit_test(who_refuses_is_asked_every_half_minute_at_most),
		cmocka_unit_test(brokers_are_not_asked_all_at_one_time),
		cmocka_unit_test(nobody_looking_means_nothing_asked_until_somebody_looks_again),
		cmocka_unit_test(answers_that_nobody_takes_are_as_good_as_nobody_looking),
		cmocka_unit_test(a_poll_is_out_once),
		cmocka_unit_test(settings_are_asked_for_when_a_broker_is_back),
		cmocka_unit_test(another_controller_is_looked_for_when_it_moved),
		cmocka_unit_test(where_metadata_is_large_it_is_asked_who_the_controller_is),
		cmocka_unit_test(who_wants_silence_is_left_alone_and_metadata_comes_of_another),
		cmocka_unit_test(silence_has_a_bound),
		cmocka_unit_test(the_jitter_is_within_its_bounds),
		cmocka_unit_test(a_broker_out_of_reach_is_tried_again_less_and_less),
		cmocka_unit_test(one_that_refuses_us_is_tried_again_every_half_minute),
		cmocka_unit_test(queued_topics_are_asked_of_the_controller_alone),
		cmocka_unit_test(a_new_marker_is_asked_about_soon_though_the_next_time_was_planned_later),
		cmocka_unit_test(log_dirs_of_hosts_are_asked_very_often_while_something_changes),
		cmocka_unit_test(a_host_that_answers_slowly_or_much_is_asked_gently),
		cmocka_unit_test(while_nobody_looks_queued_topics_are_not_asked_about),
		cmocka_unit_test(who_asks_once_asks_the_controller_once_about_queued_topics),
		cmocka_unit_test(without_a_controller_who_asks_once_gives_up_on_queued_topics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
