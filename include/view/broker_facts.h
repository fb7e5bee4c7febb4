/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What view models say of a broker beyond its fields. Texts live in `ar`; they come from outside and may be hostile.
 * Thread: UI thread; pure.
 */
#ifndef VIEW_BROKER_FACTS_H
#define VIEW_BROKER_FACTS_H

#include <stdbool.h>

#include "core/cluster.h"

struct arena;
struct strbuf;

/* Registered, and the registration can't be read. */
bool broker_is_unreadable(const struct broker *br);
/* "b1.example:9092", of the endpoint that clients of old use; "unreadable: why"; NULL while unknown. */
const char *broker_address_text(const struct broker *br, struct arena *ar);
/* "INTERNAL b1.example:9092, EXTERNAL b1.example:9093 SASL_SSL": the protocol where the name doesn't say it. NULL: unknown. */
const char *broker_listeners_text(const struct broker *br, struct arena *ar);
bool broker_is_controller(const struct cluster *cl, const struct broker *br);
/* Since when it is up or down; of a broker that was down already when the list of brokers was first read, that moment, as a
 * bound. at {0}: unknown. */
struct since broker_since(const struct cluster *cl, const struct broker *br);
/* "up", "down", "?" */
const char *broker_state_word(enum know alive);

/* It is registered and others answer, but the last attempt to reach it failed, or what it was asked has had no
 * answer for too long: killed a moment ago, hung, or out of our reach. */
bool broker_is_silent(const struct cluster *cl, const struct broker *br);

/* An error of its connection: "kafka02:9092: refused" as ": refused (kafka02:9092)", so that what is cut off is the address. */
void broker_put_reason(struct strbuf *sb, const char *error);

#endif
