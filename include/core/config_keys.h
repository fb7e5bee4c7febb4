/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which settings of Kafka's clients are known here, by Kafka's names and by
 * librdkafka's, what they mean, and how their values may be shown. The rows
 * are in core/config_keys.def.
 * Thread: any (pure); all that is handed out is static.
 */
#ifndef CORE_CONFIG_KEYS_H
#define CORE_CONFIG_KEYS_H

enum setting {
	SETTING_NONE, /* known, but without meaning here */
	SETTING_BOOTSTRAP, SETTING_CLIENT_ID, SETTING_REQUEST_TIMEOUT, SETTING_PROTOCOL,
	SETTING_MECHANISM, SETTING_JAAS, SETTING_USERNAME, SETTING_PASSWORD,
	SETTING_KRB_SERVICE, SETTING_KRB_PRINCIPAL, SETTING_KRB_KEYTAB, SETTING_TOKEN_URL, SETTING_TOKEN_COMMAND,
	SETTING_TRUST_LOCATION, SETTING_TRUST_TYPE, SETTING_TRUST_PASSWORD, SETTING_TRUST_PEM,
	SETTING_KEYSTORE_LOCATION, SETTING_KEYSTORE_TYPE, SETTING_KEYSTORE_PASSWORD, SETTING_KEY_PASSWORD,
	SETTING_KEY_PEM, SETTING_CHAIN_PEM, SETTING_KEY_LOCATION, SETTING_CHAIN_LOCATION,
	SETTING_CHECK_HOST, SETTING_VERIFY, SETTING_TLS_VERSIONS, SETTING_CIPHERS,
	SETTINGS /* how many */
};

enum config_shown { CONFIG_SHOWN, CONFIG_SECRET, CONFIG_LOGIN, CONFIG_URL };

struct config_key {
	const char *name;
	enum setting setting;
	enum config_shown shown;
};

/* NULL for a name that is not known. Names are taken as they are, as Kafka does. */
const struct config_key *config_key_find(const char *name);

/* The known name that `name` is most like: at most two letters left out, added, changed or swapped (one in a
 * short name), whatever the case and with _ or - for a point. NULL when there is none. */
const char *config_key_near(const char *name);

/* The name of a setting that has a meaning here: Kafka's, where Kafka has one. */
const char *config_setting_name(enum setting setting);

/* The i-th row, NULL behind the last. */
const struct config_key *config_key_at(unsigned i);

#endif
