/* SPDX-License-Identifier: Apache-2.0 */
/* What brokers say to a fixture's model: the lines of tests/model/README, a second apart by event. */
#ifndef TESTS_UNIT_FIXTURE_SAID_H
#define TESTS_UNIT_FIXTURE_SAID_H

#include "tests/unit/fixture.h"

/* Each line one verb of the brokers' ("dir /d1", "holds t 0 size=1", "disks 1"). Ends the program at a line that is none. */
void fixture_said(struct fixture *fx, const char *lines);

/* Feeds an answer in the JSON form of kafka-log-dirs (tests/cases, *.logdirs.json): one event for each broker of it. */
void fixture_log_dirs(struct fixture *fx, const char *json, size_t len);

#endif
