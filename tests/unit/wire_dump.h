/* SPDX-License-Identifier: Apache-2.0 */
/* Answers as the lines that tests/wire/Vectors.java writes, a field a line, for comparison. */
#ifndef TESTS_UNIT_WIRE_DUMP_H
#define TESTS_UNIT_WIRE_DUMP_H

#include "wire/api.h"
#include "wire/buf.h"

struct arena;
struct strbuf;

/* Decodes the body that `rd` stands on, by the codec of the API. What was read is appended to `sb` (may be NULL). */
bool wire_dump_answer(enum wire_api api, int16_t version, struct wire_reader *rd, struct arena *ar, struct strbuf *sb, struct err *err);

#endif
