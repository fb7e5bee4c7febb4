/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a trace, for its writers and its readers. For these only. */
#ifndef IO_TRACE_WORDS_H
#define IO_TRACE_WORDS_H

#include "core/event.h"

enum { TRACE_MAGIC = 0x74726331, TRACE_VERSION = 1 };

static const char *const trace_rc_words[] = {
	[ZNODE_OK] = "ok", [ZNODE_ABSENT] = "absent", [ZNODE_NO_PERMISSION] = "no permission", [ZNODE_FAILED] = "failed"
};
static const char *const trace_state_words[] = {
	[CONN_STARTING] = "starting", [CONN_CONNECTING] = "connecting", [CONN_UP] = "up", [CONN_CLOSED] = "closed"
};
static const char *const trace_loss_words[] = {
	[CONN_LOSS_NONE] = "none", [CONN_LOSS_DROPPED] = "dropped", [CONN_LOSS_EXPIRED] = "expired", [CONN_LOSS_AUTH] = "auth"
};
static const char *const trace_link_words[] = {
	[LINK_NONE] = "none", [LINK_CONNECTING] = "connecting", [LINK_UP] = "up", [LINK_FAILED] = "failed"
};

#define TRACE_N_WORDS(words) (sizeof(words) / sizeof((words)[0]))

#endif
