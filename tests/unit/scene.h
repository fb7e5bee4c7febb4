/* SPDX-License-Identifier: Apache-2.0 */
/* How deletions stand that several tests of core/deletion begin with, on the stage of fixture_deletion. Each is the caller's, for stage_free. */
#ifndef TESTS_UNIT_SCENE_H
#define TESTS_UNIT_SCENE_H

#include "tests/unit/fixture_deletion.h"

enum {
	REST = 20000,  /* ms after which an attempt is at rest */
	HEARD = 3000,  /* after which the controller has heard what brokers did */
	LONG = 60000
};

struct stage *scene_passed(void);        /* marker, pass, rest; brokers 1 and 2 tell that they hold nothing, broker 3 has not told */
struct stage *scene_down_before(void);   /* broker 3 is down from before the marker; the others tell that they hold nothing */
struct stage *scene_died_after(void);    /* broker 3 goes after the pass; likewise */
struct stage *scene_never_elected(void); /* no state node, no broker of the topic is up; marked, and rest */

#endif
