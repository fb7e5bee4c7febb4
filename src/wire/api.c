/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/api.h"

#include <assert.h>

#include "base/err.h"
#include "base/str.h"

enum { VERSION_MAX = 31 };

#define VERSIONS(first, last) ((UINT32_MAX << (first)) & (UINT32_MAX >> (VERSION_MAX - (last))))
#define NEVER INT16_MAX

static const struct wire_api_row rows[WIRE_APIS] = {
#define API(id, key, name, versions, flexible_from, to, effect, since) \
	[WIRE_##id] = { key, name, versions, flexible_from, WIRE_TO_##to, WIRE_##effect, since },
#include "wire/apis.def"
};

const struct wire_api_row *wire_api_get(enum wire_api api)
{
	assert((size_t)api < WIRE_APIS);
	return &rows[api];
}

const struct wire_api_row *wire_api_find(int16_t key)
{
	for (size_t i = 0; i < WIRE_APIS; i++)
		if (rows[i].key == key)
			return &rows[i];
	return NULL;
}

static bool has_version(uint32_t versions, int version)
{
	return version >= 0 && version <= VERSION_MAX && (versions >> version & 1);
}

bool wire_api_speaks(enum wire_api api, int16_t version)
{
	return has_version(wire_api_get(api)->versions, version);
}

bool wire_api_is_flexible(enum wire_api api, int16_t version)
{
	return version >= wire_api_get(api)->flexible_from;
}

/* "4 to 9 and 12". */
static void put_versions(struct strbuf *sb, uint32_t versions)
{
	const char *sep = "";

	for (int v = 0; v <= VERSION_MAX; v++) {
		int last = v;

		if (!has_version(versions, v))
			continue;
		while (has_version(versions, last + 1))
			last++;
		strbuf_printf(sb, last > v ? "%s%d to %d" : "%s%d", sep, v, last);
		sep = " and ";
		v = last;
	}
}

static bool no_common(const struct wire_api_row *row, const struct wire_range *offer, struct err *err)
{
	struct strbuf ours;

	strbuf_init(&ours);
	put_versions(&ours, row->versions);
	err_set(err, ERR_UNSUPPORTED, "%s: the broker speaks versions %d to %d, we speak %s", row->name,
		offer->min, offer->max, ours.s);
	strbuf_fini(&ours);
	return false;
}

bool wire_api_choose(enum wire_api api, const struct wire_range *offered, size_t n, int16_t *version, struct err *err)
{
	const struct wire_api_row *row = wire_api_get(api);
	size_t i = 0;

	while (i < n && offered[i].key != row->key)
		i++;
	if (i == n)
		return err_set(err, ERR_UNSUPPORTED, "%s: the broker does not offer it; it came with Kafka %s", row->name, row->since);
	for (int v = VERSION_MAX; v >= 0; v--) {
		if (v < offered[i].min || v > offered[i].max || !has_version(row->versions, v))
			continue;
		*version = (int16_t)v;
		return true;
	}
	return no_common(row, &offered[i], err);
}
