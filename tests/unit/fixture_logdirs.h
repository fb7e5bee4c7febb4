/* SPDX-License-Identifier: Apache-2.0 */
/* Log dirs told to a fixture's model in the form of Kafka's own tool. */
#ifndef TESTS_UNIT_FIXTURE_LOGDIRS_H
#define TESTS_UNIT_FIXTURE_LOGDIRS_H

#include "tests/unit/fixture.h"

/* Feeds an answer in the JSON form of kafka-log-dirs (tests/cases, *.logdirs.json): one event for each broker of it. */
void fixture_log_dirs(struct fixture *fx, const char *json, size_t len);

#endif
