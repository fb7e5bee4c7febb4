/* SPDX-License-Identifier: Apache-2.0 */
/* The stack of screens, of which each here counts what it is asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/model.h"
#include "ui/screen.h"
#include "view/table.h"

struct counting {
	int n_updates, n_whole; /* n_whole: of these without a list of changes */
	struct table tb;
};

static struct counting below, above;

static void *open_below(const struct cluster *cl, const char *arg)
{
	(void)cl, (void)arg;
	below = (struct counting){ 0 };
	return &below;
}

static void *open_above(const struct cluster *cl, const char *arg)
{
	(void)cl, (void)arg;
	above = (struct counting){ 0 };
	return &above;
}

static void close_one(void **self)
{
	*self = NULL;
}

static bool count(void *self, const struct changes *ch, const struct query *qu, wall_ms now)
{
	struct counting *co = self;

	(void)qu, (void)now;
	co->n_updates++;
	co->n_whole += ch == NULL;
	return true;
}

static const struct table *table_of(const void *self)
{
	return &((const struct counting *)self)->tb;
}

static const struct screen_ops ops_below = { .name = "below", .open = open_below, .close = close_one, .update = count, .table = table_of };
static const struct screen_ops ops_above = { .name = "above", .open = open_above, .close = close_one, .update = count, .table = table_of };

static const struct changes nothing = { .bits = 0 }, something = { .bits = CHG_TOPIC };
static const wall_ms now = { 1000 };

static void begin(struct screens *st)
{
	screens_init(st, NULL);
	screens_push(st, &ops_below, NULL, now);
	screens_push(st, &ops_above, NULL, now);
	assert_int_equal(below.n_updates, 1);
	assert_int_equal(above.n_updates, 1);
}

static void a_covered_screen_costs_nothing_a_frame(void **state)
{
	struct screens st;

	(void)state;
	begin(&st);
	for (int i = 0; i < 3; i++)
		assert_true(screens_update(&st, &something, now));
	assert_int_equal(below.n_updates, 1);
	assert_int_equal(above.n_updates, 4);
	assert_int_equal(above.n_whole, 0);
	screens_fini(&st);
}

static void what_comes_up_is_brought_up_to_date_whole(void **state)
{
	struct screens st;

	(void)state;
	begin(&st);
	screens_update(&st, &something, now);
	screens_update(&st, &nothing, now);
	assert_true(screens_pop(&st, now));
	assert_int_equal(below.n_updates, 2);
	assert_int_equal(below.n_whole, 1);
	/* From then on by what changes. */
	screens_update(&st, &something, now);
	screen_requery(screens_top(&st), now);
	assert_int_equal(below.n_updates, 4);
	assert_int_equal(below.n_whole, 1);
	screens_fini(&st);
}

static void so_is_what_is_gone_down_to(void **state)
{
	struct screens st;

	(void)state;
	begin(&st);
	screens_push(&st, &ops_above, NULL, now);
	screens_update(&st, &something, now);
	assert_false(screens_pop_to(&st, NULL, now));
	assert_int_equal(below.n_updates, 1);
	assert_true(screens_pop_to(&st, &ops_below, now));
	assert_int_equal(below.n_updates, 2);
	assert_int_equal(below.n_whole, 1);
	assert_false(screens_pop(&st, now));
	screens_fini(&st);
}

static void where_nothing_changed_meanwhile_coming_up_costs_nothing(void **state)
{
	struct screens st;

	(void)state;
	begin(&st);
	screens_update(&st, &nothing, now);
	assert_true(screens_pop(&st, now));
	assert_int_equal(below.n_updates, 1);
	screens_fini(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_covered_screen_costs_nothing_a_frame),
		cmocka_unit_test(what_comes_up_is_brought_up_to_date_whole),
		cmocka_unit_test(so_is_what_is_gone_down_to),
		cmocka_unit_test(where_nothing_changed_meanwhile_coming_up_costs_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
