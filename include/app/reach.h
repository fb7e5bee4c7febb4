/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How brokers and ZooKeeper are reached, read once at the start: the client settings of --command-config with all that they
 * point to (env:, file:, stores of certificates), the brokers to begin with, the user for ZooKeeper's access lists.
 *
 * Nothing is connected to.
 * Lives until the connections that borrow from it are gone.
 * Secrets are in struct secret alone; settings, notes and errors never hold one.
 * Thread: UI thread; what the getters give is not changed after reach_new and may be read by any.
 */
#ifndef APP_REACH_H
#define APP_REACH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/units.h"

struct bootstrap;
struct client_config;
struct err;
struct net_tls;
struct options;
struct reach;
struct secret;

/* Never NULL. `now` judges certificates. May wait for a disk. Each note goes to the log, too. */
struct reach *reach_new(const struct options *opt, wall_ms now);
void reach_free(struct reach **pp);
/* A thread that could not be ended goes on reading it: reach_free leaves it where it is. */
void reach_leave(struct reach *re);

/* NULL when all could be read. Else "FILE: line 3, column 1: SETTING: what is wrong and what to do"; then only
 * reach_note and the `settings` of reach_config are of use. ERR_USAGE, ERR_FORMAT, ERR_LIMIT and whatever files and stores give. */
const struct err *reach_error(const struct reach *re);

/* What is no error but good to know, a sentence each, with its place where it has one: "FILE:3: ...". NULL behind the last.
 * Quotes what stands in files: to be made printable like any text from outside. */
const char *reach_note(const struct reach *re, size_t i);

/* ---- brokers ---- */

/* The file of --command-config as given; NULL without one. */
const char *reach_file(const struct reach *re);
/* Never NULL; without a file it is PLAINTEXT, and so on. */
const struct client_config *reach_config(const struct reach *re);
/* NULL where security.protocol has no TLS. For one thread at a time (io/net), hence not const. */
struct net_tls *reach_tls(const struct reach *re);
/* Of --bootstrap-server, else of bootstrap.servers; n is 0 for neither. */
const struct bootstrap *reach_bootstrap(const struct reach *re);
/* client.id, else "kafops". */
const char *reach_client_id(const struct reach *re);

/* ---- ZooKeeper ---- */

/* user:password of --zk-auth digest:FILE; NULL without. */
const struct secret *reach_zk_digest(const struct reach *re);
/* What the ZooKeeper client library is, and whether it was built with TLS and SASL. */
const char *reach_zk_library(void);
bool reach_zk_has_tls(void);
bool reach_zk_has_sasl(void);

#endif
