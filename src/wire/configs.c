/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/configs.h"

#include <assert.h>

#include "wire/pass.h"

enum { RESOURCES, CONFIGS, SYNONYMS };

/* Least bytes of an element, classic (v0 for configs) and compact. */
enum {
	RESOURCE_CLASSIC = 2 + 2 + 1 + 2 + 4, RESOURCE_COMPACT = 2 + 1 + 1 + 1 + 1 + 1,
	CONFIG_CLASSIC = 2 + 2 + 1 + 1 + 1, CONFIG_COMPACT = 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1,
	SYNONYM_CLASSIC = 2 + 2 + 1, SYNONYM_COMPACT = 1 + 1 + 1 + 1
};

static void put_query(struct wire_writer *wr, const struct wire_config_query *qu)
{
	assert(!qu->keys || qu->n_keys > 0);
	wire_put_i8(wr, (int8_t)qu->type);
	wire_put_string(wr, qu->name, "resource");
	if (qu->keys)
		wire_put_count(wr, qu->n_keys, "keys");
	else
		wire_put_null_array(wr);
	for (size_t i = 0; qu->keys && i < qu->n_keys; i++)
		wire_put_string(wr, qu->keys[i], "key");
	wire_put_tags(wr);
}

void wire_configs_encode(struct wire_writer *wr, int16_t version, const struct wire_config_query *v, size_t n, bool with_synonyms)
{
	wire_put_count(wr, n, "resources");
	for (size_t i = 0; i < n; i++)
		put_query(wr, &v[i]);
	if (version >= 1)
		wire_put_bool(wr, with_synonyms);
	if (version >= 3)
		wire_put_bool(wr, false); /* IncludeDocumentation */
	wire_put_tags(wr);
}

static void read_synonym(struct wire_pass *ps)
{
	struct wire_synonym *sy = wire_pass_next(ps, SYNONYMS);

	sy->name = wire_get_name(ps->rd, ps->ar, "synonym");
	sy->value = wire_get_text_or_null(ps->rd, ps->ar, "synonym's value");
	sy->source = wire_get_i8(ps->rd, "synonym's source");
	wire_skip_tags(ps->rd);
}

static void read_synonyms(struct wire_pass *ps, struct wire_config *cfg)
{
	cfg->n_synonyms = wire_get_count(ps->rd, SYNONYM_CLASSIC, SYNONYM_COMPACT, "synonyms");
	cfg->synonyms = cfg->n_synonyms > 0 ? wire_pass_here(ps, SYNONYMS) : NULL;
	for (uint32_t i = 0; i < cfg->n_synonyms && wire_reader_ok(ps->rd); i++)
		read_synonym(ps);
}

static void read_config(struct wire_pass *ps)
{
	struct wire_config cfg = { .source = WIRE_SOURCE_UNKNOWN };

	cfg.name = wire_get_name(ps->rd, ps->ar, "setting");
	cfg.value = wire_get_text_or_null(ps->rd, ps->ar, "value");
	cfg.is_read_only = wire_get_bool(ps->rd, "is read-only");
	if (ps->version == 0)
		cfg.is_default = wire_get_bool(ps->rd, "is default");
	else
		cfg.source = wire_get_i8(ps->rd, "source");
	cfg.is_default |= cfg.source == WIRE_SOURCE_DEFAULT;
	cfg.is_sensitive = wire_get_bool(ps->rd, "is sensitive");
	if (ps->version >= 1)
		read_synonyms(ps, &cfg);
	if (ps->version >= 3) {
		cfg.type = wire_get_i8(ps->rd, "type");
		wire_get_string_or_null(ps->rd, "documentation");
	}
	wire_skip_tags(ps->rd);
	*(struct wire_config *)wire_pass_next(ps, CONFIGS) = cfg;
}

static void read_resource(struct wire_pass *ps)
{
	struct wire_config_resource rs = { 0 };

	rs.error = wire_get_i16(ps->rd, "resource's error code");
	rs.message = wire_get_text_or_null(ps->rd, ps->ar, "error message");
	rs.type = wire_get_i8(ps->rd, "resource type");
	rs.name = wire_get_name(ps->rd, ps->ar, "resource");
	rs.n_configs = wire_get_count(ps->rd, CONFIG_CLASSIC, CONFIG_COMPACT, "settings");
	rs.configs = rs.n_configs > 0 ? wire_pass_here(ps, CONFIGS) : NULL;
	for (uint32_t i = 0; i < rs.n_configs && wire_reader_ok(ps->rd); i++)
		read_config(ps);
	wire_skip_tags(ps->rd);
	*(struct wire_config_resource *)wire_pass_next(ps, RESOURCES) = rs;
}

static void read_answer(struct wire_pass *ps, void *out)
{
	struct wire_configs *cf = out;

	cf->resources = wire_pass_here(ps, RESOURCES);
	cf->throttle_ms = wire_get_i32(ps->rd, "throttle time");
	cf->n_resources = wire_get_count(ps->rd, RESOURCE_CLASSIC, RESOURCE_COMPACT, "resources");
	for (uint32_t i = 0; i < cf->n_resources && wire_reader_ok(ps->rd); i++)
		read_resource(ps);
	wire_skip_tags(ps->rd);
}

bool wire_configs_decode(struct wire_reader *rd, int16_t version, struct arena *ar, struct wire_configs *out, struct err *err)
{
	struct wire_pass ps = { .rd = rd, .ar = ar, .version = version };

	ps.kinds[RESOURCES].element_bytes = sizeof(struct wire_config_resource);
	ps.kinds[CONFIGS].element_bytes = sizeof(struct wire_config);
	ps.kinds[SYNONYMS].element_bytes = sizeof(struct wire_synonym);
	return wire_pass_twice(&ps, WIRE_DESCRIBE_CONFIGS, read_answer, out, sizeof(*out), err);
}
