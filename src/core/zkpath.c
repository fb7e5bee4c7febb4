/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Znode paths, by one table of shapes. In a shape, "%" stands for a name and
 * "#" for a canonical decimal, each a whole path component.
 * Source: the *ZNode objects of kafka.zk.ZkData, 2.5 to 3.9.
 */
#include "core/zkpath.h"

#include <assert.h>
#include <string.h>

#include "base/str.h"
#include "core/ids.h"

static const struct shape {
	enum zkpath_kind kind;
	const char *path;
	const char *word;
	bool is_list;
} shapes[] = {
	{ ZKPATH_ROOT, "/", "root", false },
	{ ZKPATH_BROKER_IDS, "/brokers/ids", "broker list", true },
	{ ZKPATH_BROKER, "/brokers/ids/#", "broker", false },
	{ ZKPATH_TOPICS, "/brokers/topics", "topic list", true },
	{ ZKPATH_TOPIC, "/brokers/topics/%", "topic", false },
	{ ZKPATH_STATE, "/brokers/topics/%/partitions/#/state", "partition state", false },
	{ ZKPATH_CONTROLLER, "/controller", "controller", false },
	{ ZKPATH_CONTROLLER_EPOCH, "/controller_epoch", "controller epoch", false },
	{ ZKPATH_CLUSTER_ID, "/cluster/id", "cluster id", false },
	{ ZKPATH_DELETE_TOPICS, "/admin/delete_topics", "pending deletions", true },
	{ ZKPATH_MARKER, "/admin/delete_topics/%", "deletion marker", false },
	{ ZKPATH_REASSIGN, "/admin/reassign_partitions", "pending reassignment", false },
	{ ZKPATH_CONFIG_TOPICS, "/config/topics", "topic config list", true },
	{ ZKPATH_TOPIC_CONFIG, "/config/topics/%", "topic config", false },
	{ ZKPATH_CONFIG_BROKERS, "/config/brokers", "broker config list", true },
	{ ZKPATH_BROKER_CONFIG, "/config/brokers/%", "broker config", false },
	{ ZKPATH_CONFIG_CHANGES, "/config/changes", "config changes", true },
	{ ZKPATH_FEATURE, "/feature", "feature", false },
	{ ZKPATH_MIGRATION, "/migration", "migration", false }
};

enum { N_SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static const struct shape *shape_find(enum zkpath_kind kind)
{
	for (size_t i = 0; i < N_SHAPES; i++)
		if (shapes[i].kind == kind)
			return &shapes[i];
	return NULL;
}

/* A decimal as ZooKeeper children of Kafka have it: no sign, no leading zero, 31 bits. */
static bool read_canonical(const char *s, size_t n, int32_t *out)
{
	int64_t v = 0;

	if (n == 0 || n > 10 || (n > 1 && s[0] == '0'))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (s[i] < '0' || s[i] > '9')
			return false;
		v = v * 10 + (s[i] - '0');
	}
	if (v > INT32_MAX)
		return false;
	*out = (int32_t)v;
	return true;
}

static bool shape_match(const struct shape *sh, const char *path, struct zkpath *out)
{
	const char *p = path;

	for (const char *q = sh->path; *q != '\0'; q++) {
		if (*q != '%' && *q != '#') {
			if (*p++ != *q)
				return false;
			continue;
		}
		size_t n = strcspn(p, "/");
		if (n == 0)
			return false;
		if (*q == '%') {
			out->name = p;
			out->name_len = n;
		} else if (!read_canonical(p, n, &out->id)) {
			return false;
		}
		p += n;
	}
	return *p == '\0';
}

struct zkpath zkpath_parse(const char *path)
{
	for (size_t i = 0; i < N_SHAPES; i++) {
		struct zkpath zp = { .kind = shapes[i].kind, .name = NULL, .name_len = 0, .id = -1 };
		if (shape_match(&shapes[i], path, &zp))
			return zp;
	}
	return (struct zkpath){ .kind = ZKPATH_OTHER, .name = NULL, .name_len = 0, .id = -1 };
}

/* What ZooKeeper takes as one component of a path, within our bound. */
static bool is_name(const char *name)
{
	size_t n = strlen(name);

	return n > 0 && n <= ZNODE_NAME_MAX && strchr(name, '/') == NULL &&
	       strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

bool zkpath_build(char out[ZKPATH_MAX], enum zkpath_kind kind, const char *name, int32_t id)
{
	const struct shape *sh = shape_find(kind);
	size_t len = 0;

	assert(sh != NULL);
	out[0] = '\0';
	for (const char *q = sh->path; *q != '\0'; q++) {
		char digits[16];
		const char *add = q;
		size_t n = 1;

		if (*q == '%') {
			assert(name != NULL);
			if (!is_name(name))
				goto refused;
			add = name;
			n = strlen(name);
		} else if (*q == '#') {
			if (id < 0 || !str_printf(digits, sizeof digits, "%d", (int)id))
				goto refused;
			add = digits;
			n = strlen(digits);
		}
		if (len + n >= ZKPATH_MAX)
			goto refused;
		memcpy(out + len, add, n);
		len += n;
		out[len] = '\0';
	}
	return true;

refused:
	out[0] = '\0';
	return false;
}

bool zkpath_is_list(enum zkpath_kind kind)
{
	const struct shape *sh = shape_find(kind);

	return sh && sh->is_list;
}

const char *zkpath_kind_name(enum zkpath_kind kind)
{
	const struct shape *sh = shape_find(kind);

	return sh ? sh->word : "other";
}
