/* SPDX-License-Identifier: Apache-2.0 */
#include "view/broker_facts.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cluster.h"

enum { ENDPOINT_TEXT_MAX = 320 };

bool broker_is_unreadable(const struct broker *br)
{
	return br->up && br->reg.know == KNOW_UNREADABLE;
}

const char *broker_address_text(const struct broker *br, struct arena *ar)
{
	const struct zk_endpoint *ep = br->has_info ? zk_broker_main_endpoint(&br->info) : NULL;
	char text[ENDPOINT_TEXT_MAX];

	if (broker_is_unreadable(br))
		return arena_printf(ar, "unreadable: %s", why_text(br->why));
	if (!ep)
		return NULL;
	zk_endpoint_text(ep, text, sizeof(text));
	return arena_strdup(ar, text);
}

const char *broker_listeners_text(const struct broker *br, struct arena *ar)
{
	struct strbuf sb;
	const char *text;

	if (!br->has_info || broker_is_unreadable(br))
		return NULL;
	strbuf_init(&sb);
	for (size_t i = 0; i < br->info.n_endpoints; i++) {
		const struct zk_endpoint *ep = &br->info.endpoints[i];
		char address[ENDPOINT_TEXT_MAX];

		zk_endpoint_text(ep, address, sizeof(address));
		strbuf_printf(&sb, "%s%s %s", i ? ", " : "", ep->listener, address);
		if (ep->protocol && strcmp(ep->protocol, ep->listener) != 0)
			strbuf_printf(&sb, " %s", ep->protocol);
	}
	text = arena_strdup(ar, sb.s);
	strbuf_fini(&sb);
	return text;
}

bool broker_is_controller(const struct cluster *cl, const struct broker *br)
{
	return cl->controller_fact.know == KNOW_PRESENT && cl->controller.broker == br->id;
}

struct since broker_since(const struct cluster *cl, const struct broker *br)
{
	if (br->since.ms || cluster_broker_alive(cl, br->id) != KNOW_ABSENT)
		return (struct since){ br->since, br->since_exact };
	return (struct since){ cl->broker_ids_since, false };
}

const char *broker_state_word(enum know alive)
{
	return alive == KNOW_PRESENT ? "up" : alive == KNOW_ABSENT ? "down" : "?";
}

bool broker_is_silent(const struct cluster *cl, const struct broker *br)
{
	bool has_failed = br->link.state == LINK_FAILED || (br->link.state != LINK_NONE && br->link.error[0]);

	return has_failed && cl->n_links_up > 0 && !cl->foreign_id && cluster_broker_alive(cl, br->id) == KNOW_PRESENT;
}

void broker_put_reason(struct strbuf *sb, const char *error)
{
	const char *end = strstr(error, ": "), *port = end;

	while (port && port > error && port[-1] >= '0' && port[-1] <= '9')
		port--;
	if (end && port < end && port > error && port[-1] == ':')
		strbuf_printf(sb, ": %s (%.*s)", end + 2, (int)(end - error), error);
	else
		strbuf_printf(sb, ": %s", error);
}
