/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/scene.h"

static void mark_and_pass(struct stage *st)
{
	stage_mark(st);
	stage_pass(st);
}

static struct stage *rested(struct stage *st)
{
	stage_rest(st, REST);
	return st;
}

struct stage *scene_passed(void)
{
	struct stage *st = stage_new();

	mark_and_pass(st);
	rested(st);
	stage_holds(st, 1, -1);
	stage_holds(st, 2, -1);
	return st;
}

struct stage *scene_down_before(void)
{
	struct stage *st = stage_new();

	stage_down(st, 3);
	mark_and_pass(st);
	stage_all_gone(rested(st));
	return st;
}

struct stage *scene_died_after(void)
{
	struct stage *st = stage_new();

	mark_and_pass(st);
	stage_down(st, 3);
	stage_all_gone(rested(st));
	return st;
}

struct stage *scene_never_elected(void)
{
	struct stage *st = stage_new();

	fixture_znode(st->fx, "/brokers/topics/t/partitions/0/state", NULL);
	for (int32_t id = 1; id <= 3; id++)
		stage_down(st, id);
	stage_mark(st);
	return rested(st);
}
