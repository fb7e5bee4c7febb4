/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens the stores that a client.properties names, as the program does, and
 * prints what is inside. For tests/stores.sh.
 *
 *   storeprint FILE [FOLDER]
 *
 * Prints "trust KIND N[ legacy]", "identity KIND N[ legacy]" (N certificates),
 * "note SENTENCE" for each note and "error SENTENCE" for what went wrong (then
 * the status is 1). Into FOLDER it writes trust.pem, chain.pem and key.pem,
 * the key as it is: never for a key that matters.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/secret.h"
#include "core/client_config.h"
#include "io/clock.h"
#include "io/slurp.h"
#include "io/stores.h"

static const char *folder;

static bool fetch(void *ctx, enum client_value_kind kind, const char *name, struct secret *out, struct err *err)
{
	const char *value;

	if (kind == CLIENT_VALUE_FILE)
		return slurp_file(name, PROPERTIES_INPUT_MAX_BYTES, out, NULL, err);
	value = getenv(name);
	if (!value)
		return err_set(err, ERR_NOT_FOUND, "%s is not in the environment", name);
	secret_set(out, value);
	return true;
}

static void write_file(const char *name, const char *text)
{
	char path[1024];
	FILE *f;

	if (!folder)
		return;
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f) != 0) {
		perror(path);
		exit(2);
	}
}

static void print_notes(const struct store_notes *notes)
{
	for (size_t i = 0; i < notes->n; i++)
		printf("note %s\n", notes->v[i]);
}

static bool print_trust(const struct client_tls *tls, struct err *err)
{
	struct store_trust tr;

	if (!stores_has_trust(tls))
		return true;
	if (!stores_open_trust(&tls->trust, clock_wall(), &tr, err))
		return false;
	printf("trust %s %zu%s\n", store_kind_name(tr.kind), tr.n, tr.is_legacy ? " legacy" : "");
	print_notes(&tr.notes);
	write_file("trust.pem", tr.pem);
	store_trust_fini(&tr);
	return true;
}

static bool print_identity(const struct client_tls *tls, struct err *err)
{
	struct store_identity si;

	if (!stores_has_identity(tls))
		return true;
	if (!stores_open_identity(tls, clock_wall(), &si, err))
		return false;
	printf("identity %s %zu%s\n", store_kind_name(si.kind), si.n_chain, si.is_legacy ? " legacy" : "");
	print_notes(&si.notes);
	write_file("chain.pem", si.chain_pem);
	write_file("key.pem", secret_reveal(&si.key_pem));
	store_identity_fini(&si);
	return true;
}

static bool print_all(const char *path, struct err *err)
{
	struct properties pp = { .v = NULL };
	struct client_config cc;
	struct secret text;
	bool is_ok;

	secret_init(&text);
	is_ok = slurp_file(path, PROPERTIES_INPUT_MAX_BYTES, &text, NULL, err) &&
		properties_read(secret_reveal(&text), text.n, &pp, err);
	if (is_ok) {
		is_ok = client_config_read(&pp, fetch, NULL, &cc, err) && print_trust(&cc.tls, err) &&
			print_identity(&cc.tls, err);
		client_config_fini(&cc);
	}
	properties_fini(&pp);
	secret_fini(&text);
	return is_ok;
}

int main(int argc, char **argv)
{
	struct err err;

	err_init(&err);
	if (argc < 2) {
		fprintf(stderr, "usage: storeprint FILE [FOLDER]\n");
		return 2;
	}
	folder = argc > 2 ? argv[2] : NULL;
	if (print_all(argv[1], &err))
		return 0;
	printf("error %s\n", err.text);
	return 1;
}
