/* SPDX-License-Identifier: Apache-2.0 */
#include "io/sasl_kerberos.h"

#include <errno.h>
#include <gssapi/gssapi_ext.h>
#include <gssapi/gssapi_krb5.h>
#include <krb5/krb5.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "core/client_config.h"

enum { WHY_MAX = 160, CACHE_NAME_MAX = 320 };

/* The words that Kerberos has for it, which say more than GSSAPI's. */
static void put_why(OM_uint32 minor, char out[WHY_MAX])
{
	static const char unknown[] = "Kerberos does not say why";
	gss_buffer_desc text = GSS_C_EMPTY_BUFFER;
	OM_uint32 ignored, more = 0;

	gss_display_status(&ignored, minor, GSS_C_MECH_CODE, gss_mech_krb5, &more, &text);
	if (text.length == 0 || !str_copyn(out, WHY_MAX, text.value, text.length))
		memcpy(out, unknown, sizeof(unknown));
	gss_release_buffer(&ignored, &text);
}

static const char *remedy(const struct client_login *how)
{
	if (how->use_keytab)
		return "keyTab and principal in sasl.jaas.config";
	return how->ticket_cache ? "run kinit, or see ticketCache in sasl.jaas.config" :
				   "run kinit, or name a keytab in sasl.jaas.config";
}

static bool no_ticket(const struct client_login *how, OM_uint32 minor, struct err *err)
{
	bool is_unreachable = minor == (OM_uint32)KRB5_KDC_UNREACH || minor == (OM_uint32)KRB5_REALM_CANT_RESOLVE ||
			      minor == (OM_uint32)KRB5_REALM_UNKNOWN;
	char why[WHY_MAX];

	put_why(minor, why);
	/* What it says when the keytab gives no key: then there is none in the cache in memory, either. */
	if (how->use_keytab && minor == (OM_uint32)KRB5_FCC_NOFILE)
		return err_set(err, ERR_REFUSED, "GSSAPI: %s has no key of %s (%s)", how->keytab ? how->keytab : "the keytab",
			       how->principal ? how->principal : "anybody", remedy(how));
	if (is_unreachable)
		return err_set(err, ERR_NET, "GSSAPI: %s (krb5.conf names the KDCs)", why);
	return err_set(err, ERR_REFUSED, "GSSAPI: no Kerberos ticket: %s (%s)", why, remedy(how));
}

/* Kerberos says of a file that isn't there only that there are no credentials. */
static bool check_file(const char *name, const char *option, struct err *err)
{
	const char *path = str_starts(name, "FILE:") ? name + 5 : name;

	if (*path != '/' || access(path, R_OK) == 0)
		return true;
	return err_set(err, ERR_REFUSED, "GSSAPI: %s: %s (%s in sasl.jaas.config)", path,
		       errno == ENOENT ? "there is no such file" : "it can't be read", option);
}

static bool read_name(const struct client_login *how, gss_name_t *name, struct err *err)
{
	gss_buffer_desc text;
	OM_uint32 major, minor;

	*name = GSS_C_NO_NAME;
	if (!how->principal || strcmp(how->principal, "*") == 0)
		return true;
	text.value = how->principal;
	text.length = strlen(how->principal);
	major = gss_import_name(&minor, &text, (gss_OID)(uintptr_t)GSS_KRB5_NT_PRINCIPAL_NAME, name);
	return major == GSS_S_COMPLETE || no_ticket(how, minor, err);
}

/* MIT's acquire_cred_from: what is not named in the store is Kerberos's own. */
static bool acquire(const struct client_login *how, gss_name_t name, void **cred, struct err *err)
{
	gss_key_value_element_desc elements[2];
	gss_key_value_set_desc store = { .elements = elements };
	gss_OID_set_desc krb5 = { 1, (gss_OID)(uintptr_t)gss_mech_krb5 };
	gss_cred_id_t found = GSS_C_NO_CREDENTIAL;
	OM_uint32 major, minor;
	char cache[CACHE_NAME_MAX];

	if (how->use_keytab && !str_printf(cache, sizeof(cache), "MEMORY:kafops %s", how->principal ? how->principal : ""))
		return err_set(err, ERR_REFUSED, "GSSAPI: the principal's name is too long");
	if (how->use_keytab)
		elements[store.count++] = (gss_key_value_element_desc){ "ccache", cache };
	if (how->use_keytab && how->keytab)
		elements[store.count++] = (gss_key_value_element_desc){ "client_keytab", how->keytab };
	if (!how->use_keytab && how->ticket_cache)
		elements[store.count++] = (gss_key_value_element_desc){ "ccache", how->ticket_cache };
	major = gss_acquire_cred_from(&minor, name, GSS_C_INDEFINITE, &krb5, GSS_C_INITIATE, &store, &found, NULL, NULL);
	*cred = found;
	return major == GSS_S_COMPLETE || no_ticket(how, minor, err);
}

bool sasl_kerberos_take(const struct client_login *how, void **cred, struct err *err)
{
	OM_uint32 ignored;
	gss_name_t name;
	bool is_ok;

	*cred = NULL;
	if (how->use_keytab && how->keytab && !check_file(how->keytab, "keyTab", err))
		return false;
	if (!how->use_keytab && how->ticket_cache && !check_file(how->ticket_cache, "ticketCache", err))
		return false;
	if (!read_name(how, &name, err))
		return false;
	is_ok = acquire(how, name, cred, err);
	gss_release_name(&ignored, &name);
	return is_ok;
}

void sasl_kerberos_free(void **cred)
{
	gss_cred_id_t held = *cred;
	OM_uint32 ignored;

	if (held)
		gss_release_cred(&ignored, &held);
	*cred = NULL;
}

/* "... GSSAPI Error: Unspecified GSS failure. ... (what Kerberos says)" */
static const char *kernel(const char *detail, char out[WHY_MAX])
{
	const char *at = strstr(detail, "GSSAPI Error: "), *open = at ? strchr(at, '(') : NULL;
	size_t n = open ? strlen(open) : 0;

	if (n < 3 || open[n - 1] != ')')
		return at ? at + strlen("GSSAPI Error: ") : detail;
	return str_copyn(out, WHY_MAX, open + 1, n - 2) ? out : detail;
}

bool sasl_kerberos_fails(const struct client_login *how, const char *host, const char *detail, struct err *err)
{
	const char *service = how->service ? how->service : "kafka";
	char buf[WHY_MAX];
	const char *why = kernel(detail, buf);

	if (strstr(why, "Cannot contact any KDC"))
		return err_set(err, ERR_NET, "GSSAPI: %s (krb5.conf names the KDCs)", why);
	return err_set(err, ERR_REFUSED, "GSSAPI: no ticket for the broker as %s/%s: %s (sasl.kerberos.service.name, or the "
		       "broker's name)", service, host, why);
}
