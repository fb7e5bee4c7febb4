/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies a manual page to standard output with its generated blocks made anew from the tables that the program goes by.
 * A block stands between  .\" BEGIN name  and  .\" END.  Names: commands, options, keys, filter, states, marks.
 * Not installed; `make update-docs` and `make check-docs` run it.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "ui/help.h"
#include "ui/keymap.h"

enum { DOCGEN_LINE_MAX = 4096 };

/* Text for roff: a backslash is \e, a hyphen that is typed stays one, `words` in backquotes are bold. */
static void docgen_text(const char *s)
{
	bool bold = false;

	if (*s == '.' || *s == '\'')
		fputs("\\&", stdout);
	for (; *s; s++) {
		if (*s == '`') {
			fputs(bold ? "\\fR" : "\\fB", stdout);
			bold = !bold;
		} else if (*s == '\\')
			fputs("\\e", stdout);
		else if (*s == '-')
			fputs("\\-", stdout);
		else if (*s == '~')
			fputs("\\(ti", stdout);
		else if (*s == '^')
			fputs("\\(ha", stdout);
		else
			putchar(*s);
	}
}

static void docgen_entry(const char *tag, const char *arg, const char *text)
{
	fputs(".TP\n\\fB", stdout);
	docgen_text(tag);
	fputs("\\fR", stdout);
	if (arg) {
		fputs(" \\fI", stdout);
		docgen_text(arg);
		fputs("\\fR", stdout);
	}
	putchar('\n');
	docgen_text(text);
	putchar('\n');
}

static void docgen_commands(void)
{
#define COMMAND(id, name, words) docgen_entry(name, NULL, words);
#include "batch/commands.def"
	docgen_entry("replay", "FILE", "the console on a recording, with the recording's own clock");
}

/* One option: its other spellings, what sets it besides, and where it has a meaning. */
struct docgen_option {
	const char *name, *arg, *env, *commands, *help;
};

static void docgen_option(const char *id, const struct docgen_option *op)
{
	static const struct { const char *name, *id; } aliases[] = {
#define OPTION(...)
#define ALIAS(alias, of) { alias, #of },
#include "app/options.def"
	};
	char tag[256], text[1024];
	int n = snprintf(tag, sizeof(tag), "%s", op->name);

	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (!strcmp(aliases[i].id, id) && n > 0 && (size_t)n < sizeof(tag))
			n += snprintf(tag + n, sizeof(tag) - (size_t)n, ", %s", aliases[i].name);
	snprintf(text, sizeof(text), "%s%s%s%s%s%s", op->help, op->env ? "; also by the variable " : "", op->env ? op->env : "",
		 op->commands ? " (" : "", op->commands ? op->commands : "", op->commands ? ")" : "");
	docgen_entry(tag, op->arg, text);
}

static void docgen_options(void)
{
#define OPTION(id, name, arg, env, kind, field, commands, help) \
	docgen_option(#id, &(struct docgen_option){ name, arg, env, commands, help });
#include "app/options.def"
}

static void docgen_help_line(const struct help_line *hl, void *ctx)
{
	(void)ctx;
	if (hl->is_title) {
		fputs(".PP\n", stdout);
		docgen_text(hl->text);
		fputs(":\n", stdout);
	} else {
		docgen_entry(hl->key, NULL, hl->text);
	}
}

static bool docgen_block(const char *name)
{
	if (!strcmp(name, "commands"))
		docgen_commands();
	else if (!strcmp(name, "options"))
		docgen_options();
	else if (!strcmp(name, "keys")) {
		help_each(HELP_KEYS, 0, docgen_help_line, NULL);
		help_each(HELP_TYPING, 0, docgen_help_line, NULL);
	} else if (!strcmp(name, "filter"))
		help_each(HELP_FILTER, 0, docgen_help_line, NULL);
	else if (!strcmp(name, "states"))
		help_each(HELP_STATES, 0, docgen_help_line, NULL);
	else if (!strcmp(name, "marks"))
		help_each(HELP_MARKS, 0, docgen_help_line, NULL);
	else
		return false;
	return true;
}

int main(int argc, char **argv)
{
	static const char begin[] = ".\\\" BEGIN ", end[] = ".\\\" END";
	char line[DOCGEN_LINE_MAX];
	bool inside = false;
	FILE *in = argc == 2 ? fopen(argv[1], "r") : NULL;

	if (!in) {
		fprintf(stderr, "usage: docgen MANUAL\n");
		return 2;
	}
	while (fgets(line, sizeof(line), in)) {
		if (!strncmp(line, end, strlen(end)))
			inside = false;
		if (!inside)
			fputs(line, stdout);
		if (!strncmp(line, begin, strlen(begin))) {
			line[strcspn(line, "\n")] = '\0';
			inside = true;
			if (!docgen_block(line + strlen(begin))) {
				fprintf(stderr, "docgen: no block is called %s\n", line + strlen(begin));
				return 1;
			}
		}
	}
	fclose(in);
	return fflush(stdout) || ferror(stdout) || inside ? 1 : 0;
}
