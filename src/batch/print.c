/* SPDX-License-Identifier: Apache-2.0 */
/* One string is made of the whole answer, then written: there is no half answer but for a device that breaks off. */
#include "batch/print.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "view/table.h"

/* ---- JSON ------------------------------------------------------------------------ */

json_t *envelope_json(const struct envelope *env)
{
	char taken_at[UNITS_TEXT_MAX];
	json_t *sources = json_object(), *top = json_object();

	json_put(sources, "zookeeper", json_text(env->zookeeper));
	json_put(sources, "brokers", json_text(env->brokers));
	json_put(top, "kafops", json_integer(1));
	json_put(top, "command", json_text(env->command));
	json_put(top, "cluster_id", json_text(env->cluster_id));
	json_put(top, "taken_at", json_text(units_rfc3339(taken_at, env->taken_at)));
	json_put(top, "sources", sources);
	json_put(top, "complete", json_boolean(env->complete));
	json_put(top, "warnings", json_incref(env->warnings));
	json_put(top, "items", json_incref(env->items));
	return top;
}

static void put_json(struct strbuf *out, const struct envelope *env)
{
	json_t *top = envelope_json(env);

	json_write(out, top);
	strbuf_putc(out, '\n');
	json_decref(top);
}

/* ---- values as text -------------------------------------------------------------- */

static void put_scalar(struct strbuf *out, const json_t *v)
{
	switch (json_typeof(v)) {
	case JSON_STRING:
		strbuf_put(out, json_string_value(v));
		break;
	case JSON_INTEGER:
		strbuf_printf(out, "%lld", (long long)json_integer_value(v));
		break;
	case JSON_TRUE:
		strbuf_put(out, "true");
		break;
	case JSON_FALSE:
		strbuf_put(out, "false");
		break;
	case JSON_NULL:
		break;
	default:
		json_write(out, v);
	}
}

/* The first two fields of an object: "3:in-sync". */
static void put_pair(struct strbuf *out, json_t *v)
{
	const char *key;
	json_t *field;
	int n = 0;

	json_object_foreach(v, key, field) {
		if (n == 2)
			break;
		strbuf_put(out, n++ ? ":" : "");
		put_scalar(out, field);
	}
}

static bool holds_objects(const json_t *list)
{
	return json_array_size(list) > 0 && json_is_object(json_array_get(list, 0));
}

static void put_list(struct strbuf *out, const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		json_t *v = json_array_get(list, i);

		strbuf_put(out, i == 0 ? "" : json_is_object(v) ? " " : ",");
		if (json_is_object(v))
			put_pair(out, v);
		else
			put_scalar(out, v);
	}
}

/* "a=1,b=[x,y]": brackets around a value with commas, as kafka-configs takes it. */
static void put_object(struct strbuf *out, json_t *object)
{
	const char *key, *before = "";
	json_t *v;

	json_object_foreach(object, key, v) {
		bool has_commas = json_is_string(v) && strchr(json_string_value(v), ',');

		strbuf_printf(out, "%s%s=%s", before, key, has_commas ? "[" : "");
		put_scalar(out, v);
		strbuf_put(out, has_commas ? "]" : "");
		before = ",";
	}
}

/* A field as people read it. */
static void put_value(struct strbuf *out, json_t *v)
{
	if (!v || json_is_null(v))
		strbuf_putc(out, '-');
	else if (json_is_array(v))
		put_list(out, v);
	else if (json_is_object(v))
		put_object(out, v);
	else if (json_is_boolean(v))
		strbuf_put(out, json_is_true(v) ? "yes" : "no");
	else
		put_scalar(out, v);
}

/* ---- tsv ------------------------------------------------------------------------- */

static void put_tsv_value(struct strbuf *out, json_t *v)
{
	struct strbuf text;

	strbuf_init(&text);
	/* Unknown is empty; this is known. */
	if ((json_is_array(v) && json_array_size(v) == 0) || (json_is_object(v) && json_object_size(v) == 0))
		strbuf_put(&text, "none");
	else if (json_is_array(v) && holds_objects(v))
		json_write(&text, v);
	else if (json_is_array(v))
		put_list(&text, v);
	else if (json_is_object(v))
		put_object(&text, v);
	else if (v)
		put_scalar(&text, v);
	table_put_tsv(out, text.s);
	strbuf_fini(&text);
}

static void put_tsv(struct strbuf *out, const struct envelope *env)
{
	const char *key, *before;
	json_t *v;

	for (size_t i = 0; env->fields[i]; i++)
		strbuf_printf(out, "%s%s", i ? "\t" : "", env->fields[i]);
	strbuf_putc(out, '\n');
	for (size_t i = 0; i < json_array_size(env->items); i++) {
		before = "";
		json_object_foreach(json_array_get(env->items, i), key, v) {
			strbuf_put(out, before);
			put_tsv_value(out, v);
			before = "\t";
		}
		strbuf_putc(out, '\n');
	}
}

/* ---- table ----------------------------------------------------------------------- */

struct print_column {
	char *field;
	char *title;
	size_t width;
	bool is_right;      /* holds numbers, or nothing known, alone */
	bool is_bytes;
};

struct print_cell {
	char *text;         /* printable */
	size_t columns;
};

static char *capitals(const char *field)
{
	char *title = mem_strdup(field);

	for (char *s = title; *s; s++)
		*s = *s == '_' ? ' ' : *s >= 'a' && *s <= 'z' ? (char)(*s - 'a' + 'A') : *s;
	return title;
}

/* "field" or "field=TITLE". */
static void column_init(struct print_column *co, const char *field)
{
	size_t len = strcspn(field, "=");

	co->field = mem_strndup(field, len);
	co->title = field[len] ? mem_strdup(field + len + 1) : capitals(co->field);
	co->width = strlen(co->title);
	co->is_right = true;
	co->is_bytes = str_ends(co->field, "_bytes") || strncmp(co->field, "bytes_", strlen("bytes_")) == 0;
}

static void cell_init(struct print_cell *ce, struct print_column *co, json_t *item)
{
	json_t *v = json_object_get(item, co->field);
	struct strbuf raw, safe;
	char size[UNITS_TEXT_MAX];

	strbuf_init(&raw);
	strbuf_init(&safe);
	if (co->is_bytes && json_is_integer(v))
		strbuf_put(&raw, units_bytes(size, json_integer_value(v)));
	else
		put_value(&raw, v);
	utf8_printable(&safe, raw.s, raw.len, false);
	ce->columns = utf8_columns(safe.s);
	ce->text = strbuf_take(&safe);
	strbuf_fini(&raw);
	if (ce->columns > co->width)
		co->width = ce->columns;
	if (v && !json_is_null(v) && !json_is_number(v))
		co->is_right = false;
}

static void put_blanks(struct strbuf *out, size_t n)
{
	while (n-- > 0)
		strbuf_putc(out, ' ');
}

static void put_cell(struct strbuf *out, const struct print_column *co, const char *text, size_t columns)
{
	if (co->is_right)
		put_blanks(out, co->width - columns);
	strbuf_put(out, text);
	if (!co->is_right)
		put_blanks(out, co->width - columns);
}

static void end_line(struct strbuf *out)
{
	while (out->len > 0 && out->s[out->len - 1] == ' ')
		out->s[--out->len] = '\0';
	strbuf_putc(out, '\n');
}

static void put_rows(struct strbuf *out, const struct print_column *cols, size_t n_cols, const struct print_cell *cells, size_t n_rows)
{
	for (size_t c = 0; c < n_cols; c++) {
		strbuf_put(out, c ? "  " : "");
		put_cell(out, &cols[c], cols[c].title, strlen(cols[c].title));
	}
	end_line(out);
	for (size_t i = 0; i < n_rows; i++) {
		for (size_t c = 0; c < n_cols; c++) {
			strbuf_put(out, c ? "  " : "");
			put_cell(out, &cols[c], cells[i * n_cols + c].text, cells[i * n_cols + c].columns);
		}
		end_line(out);
	}
}

static void put_table(struct strbuf *out, const struct envelope *env, const char *const *fields)
{
	size_t n_rows = json_array_size(env->items), n_cols = 0;
	struct print_column *cols;
	struct print_cell *cells;

	while (fields[n_cols])
		n_cols++;
	if (n_rows == 0 || n_cols == 0)
		return;
	cols = mem_array(n_cols, sizeof(*cols));
	cells = mem_array(n_rows * n_cols, sizeof(*cells));
	for (size_t c = 0; c < n_cols; c++)
		column_init(&cols[c], fields[c]);
	for (size_t i = 0; i < n_rows * n_cols; i++)
		cell_init(&cells[i], &cols[i % n_cols], json_array_get(env->items, i / n_cols));
	put_rows(out, cols, n_cols, cells, n_rows);
	for (size_t i = 0; i < n_rows * n_cols; i++)
		mem_free(&cells[i].text);
	for (size_t c = 0; c < n_cols; c++) {
		mem_free(&cols[c].field);
		mem_free(&cols[c].title);
	}
	mem_free(&cells);
	mem_free(&cols);
}

/* ---- all ------------------------------------------------------------------------- */

bool print_envelope(FILE *out, enum output form, const struct envelope *env, const char *const *table_fields, struct err *err)
{
	struct strbuf text;
	bool ok;

	strbuf_init(&text);
	if (form == OUTPUT_JSON)
		put_json(&text, env);
	else if (form == OUTPUT_TSV)
		put_tsv(&text, env);
	else
		put_table(&text, env, table_fields);
	errno = 0;
	/* A reader that has seen enough (head) is no failure. */
	ok = (fwrite(text.s, 1, text.len, out) == text.len && fflush(out) == 0) || errno == EPIPE;
	if (!ok)
		err_set(err, ERR_IO, "write the answer to standard output: %s", errno ? strerror(errno) : "it took only a part");
	strbuf_fini(&text);
	return ok;
}

enum { ANSWER_ROOM = 64 * 1024 }; /* bytes */

/* Room on the disk, kept beyond the end of the file; what can't be asked for is no reason. */
static bool has_room(int fd)
{
	off_t at = lseek(fd, 0, SEEK_CUR);

	return at < 0 || fallocate(fd, FALLOC_FL_KEEP_SIZE, at, ANSWER_ROOM) == 0 || (errno != ENOSPC && errno != EDQUOT && errno != EFBIG);
}

bool print_can(int fd, struct err *err)
{
	struct pollfd pf = { .fd = fd };
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_set(err, ERR_IO, "standard output is closed");
	if (poll(&pf, 1, 0) > 0 && (pf.revents & POLLERR) != 0)
		return err_set(err, ERR_IO, "nobody reads standard output");
	/* Of no bytes: a device that is full says so all the same. */
	if (write(fd, "", 0) < 0 || (S_ISREG(st.st_mode) && !has_room(fd)))
		return err_set(err, ERR_IO, "standard output: %s", strerror(errno));
	return true;
}
