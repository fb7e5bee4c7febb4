/* SPDX-License-Identifier: Apache-2.0 */
/* What the three files of core/client_config share. Nobody else includes this. */
#ifndef CORE_CLIENT_CONFIG_PARTS_H
#define CORE_CLIENT_CONFIG_PARTS_H

#include "base/err.h"
#include "core/client_config.h"
#include "core/config_keys.h"

/* The value of a setting that has a meaning here. */
struct config_value {
	const char *key;                  /* the name as written; NULL when the setting is not in the file */
	struct properties_place at, value_at;
	size_t entry;                     /* index of its client_setting */
	struct secret v;                  /* fetched and trimmed */
};

struct config_build {
	struct client_config *cc;
	struct config_value values[SETTINGS];
	client_fetch *fetch;
	void *ctx;
};

static inline const struct config_value *config_value(const struct config_build *cb, enum setting setting)
{
	return &cb->values[setting];
}

static inline bool config_has(const struct config_build *cb, enum setting setting)
{
	return cb->values[setting].key != NULL;
}

/* NULL when not set. Borrowed; not for what is secret. */
const char *config_text(const struct config_build *cb, enum setting setting);
/* A copy for the struct client_config; NULL when not set or empty. */
char *config_take(const struct config_build *cb, enum setting setting);
/* "line 3, column 1: KEY: ..."; always false. A setting that is not in the file has no place. */
bool config_fail(const struct config_build *cb, enum setting setting, enum err_code code, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
void config_note(struct client_config *cc, struct properties_place at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* "true" or "false", in any case; without the setting, `otherwise`. */
bool config_bool(const struct config_build *cb, enum setting setting, bool otherwise, bool *out, struct err *err)
	__attribute__((warn_unused_result));

/* Fill in cc->login and cc->tls; called where the protocol has them. */
bool config_read_login(struct config_build *cb, struct err *err) __attribute__((warn_unused_result));
bool config_read_tls(struct config_build *cb, struct err *err) __attribute__((warn_unused_result));

#endif
