/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line, and where each value came from. One table (app/options.def)
 * makes parsing, --help and the manual's option section.
 * Precedence: command line, then environment (KAFOPS_*, NO_COLOR), then the profile (--cluster, io/config), then default.
 * Thread: UI thread.
 */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/units.h"
#include "core/policy.h"
#include "core/servers.h"
#include "core/zkconnect.h"
#include "io/config.h"

struct err;

enum option_id {
#define OPTION(id, ...) OPT_##id,
#include "app/options.def"
	OPTIONS_COUNT
};

enum from { FROM_BOTH, FROM_ZOOKEEPER, FROM_BROKERS };
enum output { OUTPUT_TABLE, OUTPUT_TSV, OUTPUT_JSON };
enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct options {
	const char *command;          /* NULL: the console */
	const char *replay_file;      /* kafops replay FILE */
	bool has_zookeeper;
	char zookeeper[1024];         /* as given */
	struct zkconnect connect;
	dur_ms zk_session_timeout;
	bool zk_allow_readonly_server;
	const char *zk_auth;          /* the file of digest:FILE, NULL: nobody in particular */
	const char *zk_tls_config_file; /* never set: refused */
	/* brokers */
	const char *command_config;   /* file, NULL: none */
	const char *bootstrap_server; /* as given, NULL: not */
	struct bootstrap bootstrap;   /* n 0: not given */
	const char *record_file, *log_file;
	bool verbose;
	/* what may be done, and where */
	const char *cluster;          /* the profile's name, NULL: none */
	const char *config_file;      /* --config, NULL: where it is looked for by itself */
	bool operate, read_only;      /* as asked for on the command line; policy.operate is what holds */
	struct config config;         /* the profile; empty without one */
	struct policy policy;
	const char *tint;             /* colour of the cluster's name, NULL: none in particular */
	/* terminal */
	enum color_mode color;
	bool ascii, no_mouse, no_clipboard;
	dur_ms delay;                 /* clock of the screen */
	const char *view;             /* the first one; NULL: overview */
	/* replay */
	double speed;                 /* 0: at once, to the end */
	dur_ms at;                    /* start there, paused; -1 not asked */
	/* batch */
	enum output output;
	enum from from;
	dur_ms timeout;
	bool watch;
	bool execute, wait;
	const char *expect_count, *expect_cluster; /* NULL: not given */
	dur_ms watch_for;          /* 0: without end */
	const char *topic_pattern;    /* NULL: all */
	bool under_replicated, unavailable, under_min_isr, at_min_isr, with_overrides;
	bool exclude_internal, with_replicas;
	bool help, version;
	/* Per option: the text of its value (NULL: default), the option, variable or "FILE:LINE" that set it, and which of these it was. */
	const char *value[OPTIONS_COUNT];
	const char *set_by[OPTIONS_COUNT];
	uint8_t origin[OPTIONS_COUNT]; /* enum options_origin */
};

enum options_origin { BY_OPTION = 0, BY_VARIABLE, BY_FILE };

/* False with a sentence that says what to do: the name nearest to one that is none, among those that have a meaning there.
 * Pointers are borrowed from argv and the environment. Options may stand before or after the command. Reads the profile; may wait for a disk.
 * On failure there is nothing to release. */
bool options_parse(int argc, char **argv, struct options *out, struct err *err) __attribute__((warn_unused_result));
void options_fini(struct options *opt);
/* "; or --cluster NAME: there is prod-eu and test" for who named no cluster; "" when there is no file of profiles. */
void options_profiles_text(const struct options *opt, char *out, size_t size);
/* The i-th thing about profile and environment that the operator should know, a sentence; false behind the last. */
bool options_note(const struct options *opt, size_t i, char *out, size_t size);
/* The options that have a meaning for `command` ("console" for none, NULL for all), two lines or so each. */
void options_usage(FILE *out, const char *command);
/* What set it, as the operator wrote it: "--ascii", "KAFOPS_ASCII"; NULL: nothing did. */
const char *options_source(const struct options *opt, enum option_id id);
/* Each option that has a meaning for the console or `info`, in order, for `info`: its name without dashes, the value in use,
 * and what set it: "default", "option --zookeeper", "variable KAFOPS_ZOOKEEPER", "FILE:3"; then what else a profile may say. */
void options_each(const struct options *opt, void (*fn)(const char *name, const char *value, const char *set_by, void *ctx), void *ctx);

#endif
