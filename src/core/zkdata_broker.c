/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Broker registrations. Kafka: BrokerIdZNode.decode in kafka.zk.ZkData,
 * EndPoint.createEndPoint (up to 3.8) and SocketServerConfigs (3.9),
 * ListenerName.normalised, SecurityProtocol.forName. `features` is not read.
 */
#include "core/zkdata.h"

#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/servers.h"
#include "core/zkdata_read.h"

enum { ENDPOINTS_MAX = 1024 }; /* per broker, bound on input */

static const char map_key[] = "listener_security_protocol_map";

/* ---- protocols ------------------------------------------------------------ */

/* The protocol in Kafka's spelling; NULL when there is no such. */
static const char *protocol_find(const char *name)
{
	static const char *const names[] = { "PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcasecmp(name, names[i]) == 0)
			return names[i];
	return NULL;
}

/* The map of a node; NULL when it has none. */
static bool read_map(json_t *node, json_t **out, struct err *err)
{
	const char *listener;
	json_t *v;

	*out = json_object_get(node, map_key);
	if (!*out)
		return true;
	if (!json_is_object(*out))
		return zkread_unexpected(map_key, "an object", *out, err);
	json_object_foreach(*out, listener, v) {
		if (!json_is_string(v))
			return err_set(err, ERR_FORMAT, "%s.%s: expected a string, found %s",
				       map_key, listener, json_kind(v));
		if (!protocol_find(json_string_value(v)))
			return err_set(err, ERR_FORMAT, "%s.%s: \"%s\" is not a security protocol",
				       map_key, listener, json_string_value(v));
	}
	return true;
}

static bool read_protocol(const char *listener, const json_t *map, const char **out, struct err *err)
{
	const json_t *v = json_object_get(map, listener);

	*out = protocol_find(map ? json_is_string(v) ? json_string_value(v) : "" : listener);
	if (*out)
		return true;
	if (map)
		return err_set(err, ERR_FORMAT, "listener %s is not in %s", listener, map_key);
	return err_set(err, ERR_FORMAT, "listener %s is not a security protocol, and there is no %s",
		       listener, map_key);
}

/* ---- endpoints ------------------------------------------------------------ */

static bool is_host_byte(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c != '\0' && strchr("-%._:", c));
}

struct span {
	const char *s;
	size_t n;
};

/*
 * Kafka's expression ^(.*)://\[?([0-9a-zA-Z\-%._:]*)\]?:(-?[0-9]+)$ by hand.
 * A host holds no slash, so the last "://" is the one; the port stands behind
 * the last colon.
 */
static bool split_endpoint(const char *s, struct span *listener, struct span *host, int32_t *port)
{
	const char *end = s + strlen(s), *slash = strrchr(s, '/'), *colon = strrchr(s, ':');

	if (!slash || slash - s < 2 || slash[-1] != '/' || slash[-2] != ':' || colon < slash)
		return false;
	*listener = (struct span){ s, (size_t)(slash - 2 - s) };
	if (strcspn(s, "\r\n") < listener->n)
		return false;
	if (colon[1] == '+' || !zkread_parse_int(colon + 1, (size_t)(end - colon - 1), port))
		return false;
	*host = (struct span){ slash + 1, (size_t)(colon - slash - 1) };
	if (host->n > 0 && host->s[0] == '[')
		*host = (struct span){ host->s + 1, host->n - 1 };
	if (host->n > 0 && host->s[host->n - 1] == ']')
		host->n--;
	for (size_t i = 0; i < host->n; i++)
		if (!is_host_byte(host->s[i]))
			return false;
	return true;
}

static bool is_blank(const char *s)
{
	return s[strspn(s, " \t\r\n\v\f")] == '\0';
}

static void endpoint_fini(struct zk_endpoint *ep)
{
	mem_free(&ep->listener);
	mem_free(&ep->protocol);
	mem_free(&ep->host);
}

static bool read_endpoint(const char *s, const json_t *map, struct zk_endpoint *ep, struct err *err)
{
	struct span listener, host;
	const char *protocol;

	if (!split_endpoint(s, &listener, &host, &ep->port))
		return err_set(err, ERR_FORMAT, "expected LISTENER://host:port, found \"%s\"", s);
	ep->listener = mem_strndup(listener.s, listener.n);
	for (char *p = ep->listener; *p != '\0'; p++)
		if (*p >= 'a' && *p <= 'z')
			*p = (char)(*p - 'a' + 'A');
	if (is_blank(ep->listener))
		err_set(err, ERR_FORMAT, "no listener name in \"%s\"", s);
	else if (read_protocol(ep->listener, map, &protocol, err)) {
		ep->protocol = mem_strdup(protocol);
		ep->host = mem_strndup(host.s, host.n);
		return true;
	}
	mem_free(&ep->listener);
	return false;
}

static bool read_endpoints(json_t *node, struct zk_broker *br, struct err *err)
{
	json_t *map, *list;
	size_t n;

	if (!read_map(node, &map, err) || !json_need_arr(node, "endpoints", &list, err))
		return false;
	n = json_array_size(list);
	if (n > ENDPOINTS_MAX)
		return err_set(err, ERR_LIMIT, "endpoints: %zu of them, the limit is %d", n,
			       ENDPOINTS_MAX);
	if (n > 0)
		br->endpoints = mem_array(n, sizeof(*br->endpoints));
	for (; br->n_endpoints < n; br->n_endpoints++) {
		const json_t *v = json_array_get(list, br->n_endpoints);

		if (!json_is_string(v))
			return err_set(err, ERR_FORMAT, "endpoints[%zu]: expected a string, found %s",
				       br->n_endpoints, json_kind(v));
		if (!read_endpoint(json_string_value(v), map, &br->endpoints[br->n_endpoints], err))
			return err_wrap(err, "endpoints[%zu]", br->n_endpoints);
	}
	return true;
}

/* Version 1 has one listener, by host and port. */
static bool read_host_port(json_t *node, struct zk_broker *br, struct err *err)
{
	const char *host = NULL;
	int32_t port;

	if (!json_need_str(node, "host", &host, err) || !zkread_need_int32(node, "port", &port, err))
		return false;
	br->endpoints = mem_array(1, sizeof(*br->endpoints));
	br->n_endpoints = 1;
	br->endpoints[0] = (struct zk_endpoint){
		.listener = mem_strdup("PLAINTEXT"),
		.protocol = mem_strdup("PLAINTEXT"),
		.host = mem_strdup(host),
		.port = port,
	};
	return true;
}

/* ---- the node ------------------------------------------------------------- */

static bool read_broker(json_t *node, struct zk_broker *br, struct err *err)
{
	const char *rack = NULL;

	if (!zkread_need_int32(node, "version", &br->json_version, err) ||
	    !zkread_need_int32(node, "jmx_port", &br->jmx_port, err))
		return false;
	if (br->json_version < 1)
		return err_set(err, ERR_UNSUPPORTED, "version %d is not one a broker has",
			       (int)br->json_version);
	if (!(br->json_version == 1 ? read_host_port : read_endpoints)(node, br, err) ||
	    !json_opt_str(node, "rack", &rack, err))
		return false;
	if (rack)
		br->rack = mem_strdup(rack);
	br->timestamp = zkread_timestamp(node);
	return true;
}

bool zk_broker_decode(const char *data, size_t n, struct zk_broker *out, struct err *err)
{
	struct zk_broker br = { 0 };
	json_t *node;
	bool ok;

	/* A registration is created empty and filled in one step (KafkaZkClient.registerBroker):
	 * nobody should ever see this. */
	if (n == 0)
		return err_set(err, ERR_FORMAT, "empty data: not ready yet");
	node = zkread_object(data, n, err);
	ok = node && read_broker(node, &br, err);
	json_decref(node);
	if (ok)
		*out = br;
	else
		zk_broker_fini(&br);
	return ok;
}

void zk_broker_fini(struct zk_broker *b)
{
	for (size_t i = 0; i < b->n_endpoints; i++)
		endpoint_fini(&b->endpoints[i]);
	mem_free(&b->endpoints);
	mem_free(&b->rack);
	b->n_endpoints = 0;
}

const struct zk_endpoint *zk_broker_main_endpoint(const struct zk_broker *b)
{
	for (size_t i = 0; i < b->n_endpoints; i++)
		if (strcmp(b->endpoints[i].protocol, "PLAINTEXT") == 0)
			return &b->endpoints[i];
	return b->n_endpoints > 0 ? &b->endpoints[0] : NULL;
}

const struct zk_endpoint *zk_broker_endpoint_for(const struct zk_broker *b, enum client_protocol protocol)
{
	const char *name = client_protocol_name(protocol);

	for (size_t i = 0; i < b->n_endpoints; i++) {
		const struct zk_endpoint *ep = &b->endpoints[i];

		if (strcmp(ep->protocol, name) == 0 && ep->host[0] != '\0' && ep->port > 0)
			return ep;
	}
	return NULL;
}

void zk_endpoint_text(const struct zk_endpoint *ep, char *out, size_t size)
{
	if (ep->port < 0)
		str_printf(out, size, "%s", ep->host); /* cut, for want of room */
	else
		servers_text(ep->host, (int)ep->port, out, size);
}
