/* SPDX-License-Identifier: Apache-2.0 */
#include "io/memory.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/witness.h"
#include "io/clock.h"
#include "io/memory_parts.h"
#include "io/state_dir.h"

enum { MEMORY_MAGIC = 0x6d656d6f, ID_MAX = 100, LOCK_EVERY_MS = 20, READ_MAX_BYTES = 15 * 1024 * 1024 };

struct memory {
	uint32_t magic;
	char *cluster_id;
	char folder[PATH_MAX], path[PATH_MAX], lock_path[PATH_MAX], new_path[PATH_MAX];
	/* A write that goes on, or of which nobody has heard the end. */
	pthread_t thread;
	bool is_begun;
	atomic_bool is_over;
	struct witness_list list; /* the thread's until it is over */
	struct err err;           /* likewise */
	bool has_news;
};

/* ---- where ---------------------------------------------------------------------------------- */

/* The id as the name of a file: Kafka's are base64url, but this one is read from a znode. */
static void put_id(struct strbuf *out, const char *id)
{
	for (const char *p = id; *p != '\0'; p++)
		if ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || *p == '-' || *p == '_')
			strbuf_putc(out, *p);
		else
			strbuf_printf(out, "%%%02X", (unsigned char)*p);
}

struct memory *memory_open(const char *cluster_id, struct err *err)
{
	struct memory *me = mem_zalloc(sizeof(*me));
	struct strbuf id;
	bool ok;

	me->magic = MEMORY_MAGIC;
	me->cluster_id = mem_strdup(cluster_id);
	strbuf_init(&id);
	put_id(&id, cluster_id);
	ok = state_dir_path(me->folder, sizeof(me->folder), "memory", err);
	if (ok && (id.len == 0 || id.len > ID_MAX || !str_printf(me->path, sizeof(me->path), "%s/%s.json", me->folder, id.s) ||
		   !str_printf(me->lock_path, sizeof(me->lock_path), "%s.lock", me->path) ||
		   !str_printf(me->new_path, sizeof(me->new_path), "%s.new", me->path)))
		ok = err_set(err, ERR_USAGE, "the cluster's id can't be the name of a file");
	strbuf_fini(&id);
	if (!ok)
		memory_close(&me);
	return me;
}

const char *memory_path(const struct memory *me)
{
	return me->path;
}

/* ---- reading ---------------------------------------------------------------------------------- */

/* The whole file. False without an error when there is none. */
static bool slurp(const char *path, struct strbuf *out, struct err *err)
{
	char chunk[65536];
	struct stat st;
	ssize_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0)
		return errno == ENOENT ? false : err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return err_set(err, ERR_IO, "%s: is no plain file", path);
	}
	while ((n = read(fd, chunk, sizeof(chunk))) > 0 || (n < 0 && errno == EINTR)) {
		if (n > 0)
			strbuf_putn(out, chunk, (size_t)n);
		if (out->len > READ_MAX_BYTES) {
			close(fd);
			return err_set(err, ERR_LIMIT, "%s: is larger than it can be (%d MiB)", path, MEMORY_MAX_BYTES / 1024 / 1024);
		}
	}
	if (n < 0)
		err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	close(fd);
	return n == 0;
}

/* Out of the way, for whoever wants to look at it. Says where. */
static void set_aside(const char *path, struct err *err)
{
	char to[PATH_MAX];

	if (!str_printf(to, sizeof(to), "%s.bad-%lld", path, (long long)(clock_wall().ms / 1000)) || rename(path, to) != 0) {
		err_wrap(err, "%s can't be read, nor set aside", path);
		err->code = ERR_IO;
		return;
	}
	err_wrap(err, "%s is set aside as %s", path, strrchr(to, '/') + 1);
	err->code = ERR_FORMAT;
}

static bool read_file(const struct memory *me, struct witness_list *out, struct err *err)
{
	struct strbuf text;
	bool ok;

	memset(out, 0, sizeof(*out));
	strbuf_init(&text);
	ok = slurp(me->path, &text, err);
	if (ok)
		ok = memory_parse(text.s, text.len, me->cluster_id, out, err);
	else if (err->code == ERR_NONE)
		ok = true; /* there is none */
	strbuf_fini(&text);
	if (ok)
		return true;
	if (err->code == ERR_FORMAT || err->code == ERR_LIMIT)
		set_aside(me->path, err);
	else if (err->code == ERR_UNSUPPORTED)
		err_wrap(err, "%s", me->path);
	return false;
}

bool memory_read(struct memory *me, void (*take)(void *ctx, struct witness *wi), void *ctx, struct err *err)
{
	struct witness_list list;

	assert(me->magic == MEMORY_MAGIC);
	if (!read_file(me, &list, err))
		return false;
	for (size_t i = 0; i < list.n; i++) {
		take(ctx, list.v[i]);
		list.v[i] = NULL;
	}
	witness_list_fini(&list);
	return true;
}

/* ---- writing ---------------------------------------------------------------------------------- */

/* The folder and those above it. */
static bool make_folders(const char *folder, struct err *err)
{
	char path[PATH_MAX];

	if (!str_copy(path, sizeof(path), folder))
		return err_set(err, ERR_USAGE, "%s: is too long", folder);
	for (char *p = path + 1;; p++) {
		char c = *p;

		if (c != '/' && c != '\0')
			continue;
		*p = '\0';
		if (mkdir(path, 0700) != 0 && errno != EEXIST && errno != EISDIR && !(errno == EROFS && access(path, X_OK) == 0))
			return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
		*p = c;
		if (c == '\0')
			return true;
	}
}

/* -1 with the error. */
static int lock(const struct memory *me, struct err *err)
{
	int fd = open(me->lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0) {
		err_set(err, ERR_IO, "%s: %s", me->lock_path, strerror(errno));
		return -1;
	}
	for (int left = MEMORY_LOCK_MS; flock(fd, LOCK_EX | LOCK_NB) != 0; left -= LOCK_EVERY_MS) {
		struct timespec ts = { 0, LOCK_EVERY_MS * 1000000L };

		if ((errno != EWOULDBLOCK && errno != EINTR) || left <= 0) {
			err_set(err, errno == EWOULDBLOCK ? ERR_TIMEOUT : ERR_IO, "%s: %s", me->lock_path,
				errno == EWOULDBLOCK ? "another program holds it" : strerror(errno));
			close(fd);
			return -1;
		}
		nanosleep(&ts, NULL);
	}
	return fd;
}

static bool put_bytes(int fd, const struct strbuf *text)
{
	for (size_t done = 0; done < text->len;) {
		ssize_t n = write(fd, text->s + done, text->len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return fsync(fd) == 0;
}

static void sync_folder(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

static bool put_file(const struct memory *me, const struct strbuf *text, struct err *err)
{
	int fd = open(me->new_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return err_set(err, ERR_IO, "%s: %s", me->new_path, strerror(errno));
	if (!put_bytes(fd, text)) {
		err_set(err, ERR_IO, "%s: %s", me->new_path, strerror(errno));
		close(fd);
		unlink(me->new_path);
		return false;
	}
	close(fd);
	if (rename(me->new_path, me->path) != 0) {
		err_set(err, ERR_IO, "%s: %s", me->path, strerror(errno));
		unlink(me->new_path);
		return false;
	}
	sync_folder(me->folder);
	return true;
}

/* Ours of the same deletion; NULL: none. */
static struct witness *same_of(const struct witness_list *l, const struct witness *wi)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i]->czxid == wi->czxid && strcmp(l->v[i]->topic, wi->topic) == 0)
			return l->v[i];
	return NULL;
}

/* A deletion goes by its topic's identity: without one (the node was not read yet, or there is none) nobody could join it later. */
static bool is_to_keep(const struct witness *wi)
{
	return witness_is_live(wi) && wi->czxid != 0;
}

/* What others saw comes to ours, and their own ones; what ended goes. */
static void merge(struct witness_list *ours, struct witness_list *theirs)
{
	size_t n = ours->n, keep = 0;

	ours->v = mem_realloc_array(ours->v, ours->n + theirs->n + 1, sizeof(*ours->v));
	for (size_t i = 0; i < theirs->n; i++) {
		struct witness_list mine = { ours->v, n };
		struct witness *same = same_of(&mine, theirs->v[i]);

		if (same != NULL) {
			witness_merge(same, theirs->v[i]);
		} else {
			ours->v[ours->n++] = theirs->v[i];
			theirs->v[i] = NULL;
		}
	}
	for (size_t i = 0; i < ours->n; i++)
		if (is_to_keep(ours->v[i]))
			ours->v[keep++] = ours->v[i];
		else
			witness_free(&ours->v[i]);
	ours->n = keep;
}

/* With the lock held. */
static bool put_merged(struct memory *me, struct err *err)
{
	struct witness_list theirs;
	struct strbuf text;
	bool ok = true;

	if (!read_file(me, &theirs, err)) {
		if (err->code != ERR_FORMAT)
			return false;
		log_put(LOG_WARN, "memory", "%s", err->text);
		err_init(err);
	}
	merge(&me->list, &theirs);
	witness_list_fini(&theirs);
	if (me->list.n == 0)
		return unlink(me->path) == 0 || errno == ENOENT || err_set(err, ERR_IO, "%s: %s", me->path, strerror(errno));
	strbuf_init(&text);
	memory_text(&text, me->cluster_id, &me->list, MEMORY_MAX_BYTES);
	ok = put_file(me, &text, err);
	strbuf_fini(&text);
	return ok;
}

static bool has_any(const struct witness_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (is_to_keep(l->v[i]))
			return true;
	return false;
}

static void write_all(struct memory *me)
{
	int fd;

	/* Nothing to keep, and nothing kept: nothing is made. */
	if (!has_any(&me->list) && access(me->path, F_OK) != 0 && errno == ENOENT)
		return;
	if (!make_folders(me->folder, &me->err))
		return;
	fd = lock(me, &me->err);
	if (fd < 0)
		return;
	(void)!put_merged(me, &me->err);
	close(fd);
}

static void *thread_main(void *arg)
{
	struct memory *me = arg;

	write_all(me);
	atomic_store(&me->is_over, true);
	return NULL;
}

void memory_wait(struct memory *me)
{
	assert(me->magic == MEMORY_MAGIC);
	if (!me->is_begun)
		return;
	pthread_join(me->thread, NULL);
	me->is_begun = false;
	me->has_news = true;
	witness_list_fini(&me->list);
}

bool memory_is_busy(struct memory *me)
{
	assert(me->magic == MEMORY_MAGIC);
	if (me->is_begun && atomic_load(&me->is_over))
		memory_wait(me);
	return me->is_begun;
}

void memory_write(struct memory *me, const struct witness *const *v, size_t n)
{
	sigset_t all, before;
	int rc;

	assert(!memory_is_busy(me));
	me->list.v = mem_array(n + 1, sizeof(*me->list.v));
	for (size_t i = 0; i < n; i++)
		me->list.v[me->list.n++] = witness_copy(v[i]);
	err_init(&me->err);
	atomic_store(&me->is_over, false);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before); /* the thread takes none */
	rc = pthread_create(&me->thread, NULL, thread_main, me);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	me->is_begun = rc == 0;
	if (rc == 0)
		return;
	err_set(&me->err, ERR_IO, "no thread to write it: %s", strerror(rc));
	me->has_news = true;
	witness_list_fini(&me->list);
}

bool memory_written(struct memory *me, struct err *err)
{
	if (memory_is_busy(me) || !me->has_news)
		return true;
	me->has_news = false;
	if (me->err.code == ERR_NONE)
		return true;
	*err = me->err;
	return false;
}

void memory_close(struct memory **pp)
{
	struct memory *me = *pp;

	if (me == NULL)
		return;
	assert(me->magic == MEMORY_MAGIC);
	memory_wait(me);
	mem_free(&me->cluster_id);
	me->magic = 0;
	mem_free(pp);
}
