/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/console_parts.h"

#include <string.h>

#include "app/options.h"
#include "app/session.h"
#include "base/err.h"
#include "base/str.h"
#include "core/cluster.h"
#include "ui/export.h"
#include "ui/term.h"
#include "view/table.h"

enum { CONSOLE_ABOUT_MAX = 1024 };

void console_copy(struct console *co)
{
	const struct screen *sc = screens_top(&co->st);
	const char *key = tablewin_key(&sc->tw, screen_table(sc));
	struct strbuf sb;

	if (!key) {
		console_say(co, true, "there is nothing to copy here");
		return;
	}
	if (co->opt->no_clipboard) {
		console_say(co, true, "copying is off by %s", options_source(co->opt, OPT_NO_CLIPBOARD));
		return;
	}
	strbuf_init(&sb);
	if (sc->ops->copy)
		sc->ops->copy(sc->self, key, &sb);
	else
		strbuf_put(&sb, key);
	if (term_copy(sb.s, sb.len))
		console_say(co, false, "copied %s", sb.s);
	else
		console_say(co, true, "too long to copy");
	strbuf_fini(&sb);
}

void console_write_open(struct console *co)
{
	char name[64];

	str_printf(name, sizeof(name), "kafops-%s.txt", screens_top(&co->st)->ops->name);
	prompt_open(&co->pr, PROMPT_FILE, name);
}

/* "cluster 9lkx... at zk1:2181/kafka, 2026-03-14T03:00:13.000Z, /clicks/, worst, then name" */
static void console_about(const struct console *co, char *out, size_t size)
{
	const struct cluster *cl = session_cluster(co->ss);
	const struct screen *sc = screens_top(&co->st);
	const char *filter = sc->qu.text;
	char at[UNITS_TEXT_MAX];

	str_printf(out, size, "cluster %s at %s, %s%s%s%s, %s", cl->cluster_id ? cl->cluster_id : "?", session_zookeeper(co->ss),
		   units_rfc3339(at, sc->frozen ? sc->frozen_at : session_now(co->ss)), *filter ? ", /" : "", filter, *filter ? "/" : "",
		   screen_table(sc)->sort_text);
}

void console_write(struct console *co, const char *path, bool overwrite)
{
	static const struct changes none;
	struct screen *sc = screens_top(&co->st);
	struct cell head[SCREEN_HEAD_MAX];
	char about[CONSOLE_ABOUT_MAX];
	struct err err;
	size_t n;

	err_init(&err);
	console_about(co, about, sizeof(about));
	sc->ops->update(sc->self, &none, &sc->qu, session_now(co->ss)); /* the cells must be of this turn */
	n = screen_head(sc, head);
	if (export_write(path, overwrite, about, screen_table(sc), head, n, term_is_ascii(), &err)) {
		console_say(co, false, "%zu rows written to %s", screen_table(sc)->n_rows, path);
	} else if (err.code == ERR_REFUSED) {
		str_printf(co->file, sizeof(co->file), "%s", path);
		co->file_is_marks = false;
		prompt_open(&co->pr, PROMPT_OVERWRITE, "");
	} else {
		console_say(co, true, "%s", err.text);
	}
}
