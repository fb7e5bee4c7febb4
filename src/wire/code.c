/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/code.h"

#include <assert.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

static const struct wire_code codes[] = {
#define CODE(value, name, act, meaning) { value, #name, WIRE_ACT_##act, meaning },
#include "wire/codes.def"
};

const struct wire_code *wire_code_find(int16_t value)
{
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (codes[i].value == value)
			return &codes[i];
	return NULL;
}

enum wire_act wire_code_act(int16_t value)
{
	const struct wire_code *code = wire_code_find(value);

	return code ? code->act : WIRE_ACT_GIVE_UP;
}

char *wire_code_name(char out[WIRE_CODE_NAME_MAX], int16_t value)
{
	const struct wire_code *code = wire_code_find(value);

	if (code)
		str_printf(out, WIRE_CODE_NAME_MAX, "%s", code->name);
	else
		str_printf(out, WIRE_CODE_NAME_MAX, "error %d", value);
	return out;
}

static enum err_code err_code_of(enum wire_act act)
{
	switch (act) {
	case WIRE_ACT_FORBIDDEN:
		return ERR_REFUSED;
	case WIRE_ACT_VERSION:
		return ERR_UNSUPPORTED;
	default:
		return ERR_NET;
	}
}

/* Not words for people: ClusterAuthorizationException of KafkaApis prints the request object. */
static bool is_request(const char *message)
{
	static const char head[] = "Request Request(";

	return strncmp(message, head, sizeof(head) - 1) == 0;
}

bool wire_code_err(int16_t value, const char *message, struct err *err)
{
	const struct wire_code *code = wire_code_find(value);
	const char *sep, *tail = message && !is_request(message) ? message : "";

	assert(value != WIRE_NO_ERROR);
	sep = *tail ? ": " : "";
	if (!code)
		return err_set(err, ERR_NET, "error %d%s%s", value, sep, tail);
	return err_set(err, err_code_of(code->act), "%s (%d): %s%s%s", code->name, value, code->meaning, sep, tail);
}
