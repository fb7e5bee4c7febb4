/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kafka's error codes: name, meaning for an operator, and what to do about it.
 *
 * `act` is our judgement, not the retriable flag of the Java client: it says
 * what helps a console that asks again anyway. Who sent the request may know
 * better (3 after a deletion: it went through).
 * Thread: any (pure, static tables).
 */
#ifndef WIRE_CODE_H
#define WIRE_CODE_H

#include <stdbool.h>
#include <stdint.h>

struct err;

enum wire_act {
	WIRE_ACT_NONE,       /* no error */
	WIRE_ACT_DONE,       /* what was asked for is so already */
	WIRE_ACT_RETRY,      /* the same again, a little later */
	WIRE_ACT_WAIT,       /* something is under way: look again before sending it again */
	WIRE_ACT_REFRESH,    /* ask again who leads and who holds what, then decide */
	WIRE_ACT_CONTROLLER, /* find the controller again, send it there */
	WIRE_ACT_VERSION,    /* ask for the versions again */
	WIRE_ACT_FORBIDDEN,  /* an administrator must grant it */
	WIRE_ACT_GIVE_UP     /* it will fail again */
};

enum {
	WIRE_NO_ERROR = 0,
	WIRE_UNSUPPORTED_VERSION = 35,
	WIRE_CLUSTER_AUTHORIZATION_FAILED = 31,
	WIRE_KAFKA_STORAGE_ERROR = 56
};

struct wire_code {
	int16_t value;
	const char *name;    /* Errors' constant, "NOT_CONTROLLER" */
	enum wire_act act;
	const char *meaning; /* without a full stop */
};

/* NULL for a code we have no words for. */
const struct wire_code *wire_code_find(int16_t value);
/* GIVE_UP for a code we have no words for. */
enum wire_act wire_code_act(int16_t value);

enum { WIRE_CODE_NAME_MAX = 40 };
/* "NOT_CONTROLLER", else "error 123". */
char *wire_code_name(char out[WIRE_CODE_NAME_MAX], int16_t value);

/* A broker's error as ours: "NOT_CONTROLLER (41): the broker is not the controller", its own `message` (may be NULL) behind
 * it; FORBIDDEN becomes ERR_REFUSED, VERSION ERR_UNSUPPORTED, any other ERR_NET. Always false; not for WIRE_NO_ERROR. */
bool wire_code_err(int16_t value, const char *message, struct err *err);

#endif
