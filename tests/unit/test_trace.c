/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/event.h"
#include "io/trace.h"

static const wall_ms STARTED = { 1767323045678 }; /* 2026-01-02T03:04:05.678Z */
static const char HEADER[] = "{\"kafops_trace\":1,\"program\":\"kafops 0.1.0\",\"started_at\":\"2026-01-02T03:04:05.678Z\","
	"\"zookeeper\":\"zk1:2181/kafka\"}\n";

static char dir[] = "/tmp/test_trace.XXXXXX";
static char file[64];

static int make_dir(void **state)
{
	assert_non_null(mkdtemp(dir));
	return str_printf(file, sizeof(file), "%s/trace", dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	unlink(file);
	return rmdir(dir);
}

static void put_file(const char *text)
{
	FILE *f = fopen(file, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static char *get_file(void)
{
	static char buf[65536];
	FILE *f = fopen(file, "r");
	size_t n;

	assert_non_null(f);
	n = fread(buf, 1, sizeof(buf) - 1, f);
	fclose(f);
	buf[n] = '\0';
	return buf;
}

static struct trace *open_text(const char *text, struct err *err)
{
	err_init(err);
	put_file(text);
	return trace_open(file, err);
}

static struct trace_writer *create(void)
{
	struct trace_writer *tw;
	struct err err;

	err_init(&err);
	unlink(file);
	tw = trace_create(file, "zk1:2181/kafka", STARTED, &err);
	if (tw == NULL)
		fail_msg("%s", err.text);
	return tw;
}

/* `t` ms after the start; the monotonic clock stood at 5,000,000 then. */
static mono_ms mono_at(dur_ms t)
{
	return (mono_ms){ 5000000 + t };
}

static wall_ms wall_at(dur_ms t)
{
	return (wall_ms){ STARTED.ms + t };
}

static void write_event(struct trace_writer *tw, struct event *ev)
{
	struct err err;

	err_init(&err);
	if (!trace_write(tw, ev, &err))
		fail_msg("%s", err.text);
	event_free(&ev);
}

static struct event *znode(dur_ms t, const char *path, const char *data, size_t len)
{
	struct znode_stat st = { .czxid = 5, .mzxid = 1LL << 40, .ctime = { 1600000000000 }, .mtime = { 1600000000001 },
				 .version = 3, .cversion = 4, .ephemeral_owner = -7 };
	struct event *ev = event_from_znode(path, ZNODE_OK, NULL, data, len, &st, 2, mono_at(t), wall_at(t));

	assert_non_null(ev);
	event_keep_raw(ev, path, ZNODE_OK, data, len, NULL, 0);
	return ev;
}

static struct event *children(dur_ms t, const char *path, const char *const *names, size_t n)
{
	struct znode_stat st = { .cversion = 9 };
	struct event *ev = event_from_children(path, ZNODE_OK, NULL, names, n, &st, 1, mono_at(t), wall_at(t));

	assert_non_null(ev);
	event_keep_raw(ev, path, ZNODE_OK, NULL, 0, names, n);
	return ev;
}

static struct trace *reopen(struct trace_writer **tw)
{
	struct trace *tr;
	struct err err;

	trace_close(tw);
	err_init(&err);
	tr = trace_open(file, &err);
	if (tr == NULL)
		fail_msg("%s", err.text);
	return tr;
}

static void znode_comes_back_as_it_was(void **state)
{
	static const char data[] = "{\"controller_epoch\":1,\"leader\":2,\"version\":1,\"leader_epoch\":7,\"isr\":[2,1]}";
	static const char path[] = "/brokers/topics/orders/partitions/4/state";
	struct trace_writer *tw = create();
	struct trace *tr;
	struct event *ev;

	write_event(tw, znode(250, path, data, strlen(data)));
	tr = reopen(&tw);
	assert_string_equal(trace_zookeeper(tr), "zk1:2181/kafka");
	assert_int_equal(trace_started_at(tr).ms, STARTED.ms);
	assert_false(trace_is_torn(tr));
	assert_int_equal(trace_count(tr), 1);
	assert_int_equal(trace_time(tr, 0), 250);
	assert_int_equal(trace_length(tr), 250);
	ev = trace_event(tr, 0);
	assert_int_equal(ev->kind, EV_STATE);
	assert_int_equal(ev->know, KNOW_PRESENT);
	assert_string_equal(ev->name, "orders");
	assert_int_equal(ev->id, 4);
	assert_int_equal(ev->epoch, 2);
	assert_int_equal(ev->seen.ms, 251);
	assert_int_equal(ev->seen_wall.ms, STARTED.ms + 250);
	assert_int_equal(ev->u.state.leader, 2);
	assert_int_equal(ev->u.state.leader_epoch, 7);
	assert_int_equal(ev->stat.czxid, 5);
	assert_int_equal(ev->stat.mzxid, 1LL << 40);
	assert_int_equal(ev->stat.ctime.ms, 1600000000000);
	assert_int_equal(ev->stat.mtime.ms, 1600000000001);
	assert_int_equal(ev->stat.version, 3);
	assert_int_equal(ev->stat.cversion, 4);
	assert_int_equal(ev->stat.ephemeral_owner, -7);
	assert_non_null(ev->raw); /* it can be recorded again */
	assert_string_equal(ev->raw->path, path);
	assert_memory_equal(ev->raw->data, data, strlen(data));
	event_free(&ev);
	trace_free(&tr);
}

static void children_come_back_whole(void **state)
{
	static const char *const names[] = { "b", "a", "not a broker" };
	struct trace_writer *tw = create();
	struct trace *tr;
	struct event *ev;

	write_event(tw, children(0, "/brokers/topics", names, 3));
	write_event(tw, children(1, "/brokers/ids", names, 3));
	write_event(tw, children(2, "/admin/delete_topics", NULL, 0));
	tr = reopen(&tw);
	ev = trace_event(tr, 0);
	assert_int_equal(ev->u.list.n, 3);
	assert_string_equal(ev->u.list.v[0], "a");
	assert_int_equal(ev->stat.cversion, 9);
	event_free(&ev);
	ev = trace_event(tr, 1);
	assert_int_equal(ev->u.list.n, 0);         /* none is an id ... */
	assert_int_equal(ev->raw->n_children, 3); /* ... but what was read is kept */
	event_free(&ev);
	ev = trace_event(tr, 2);
	assert_int_equal(ev->kind, EV_DELETE_TOPICS);
	assert_int_equal(ev->know, KNOW_PRESENT);
	event_free(&ev);
	trace_free(&tr);
}

static void a_marker_comes_back_with_how_many_children_it_has(void **state)
{
	const struct znode_stat stat = { .czxid = 41, .ctime = { 99 }, .n_children = 2 };
	struct trace_writer *tw = create();
	struct trace *tr;
	struct event *ev = event_from_znode("/admin/delete_topics/a", ZNODE_OK, NULL, NULL, 0, &stat, 1, mono_at(0), wall_at(0));

	event_keep_raw(ev, "/admin/delete_topics/a", ZNODE_OK, NULL, 0, NULL, 0);
	write_event(tw, ev);
	tr = reopen(&tw);
	ev = trace_event(tr, 0);
	assert_int_equal(ev->kind, EV_MARKER);
	assert_int_equal(ev->know, KNOW_PRESENT);
	assert_string_equal(ev->name, "a");
	assert_int_equal(ev->stat.czxid, 41);
	assert_int_equal(ev->stat.n_children, 2);
	event_free(&ev);
	trace_free(&tr);
}

static void absent_and_unreadable_come_back(void **state)
{
	struct trace_writer *tw = create();
	struct trace *tr;
	struct event *ev;

	ev = event_from_znode("/migration", ZNODE_ABSENT, NULL, NULL, 0, NULL, 1, mono_at(0), wall_at(0));
	event_keep_raw(ev, "/migration", ZNODE_ABSENT, NULL, 0, NULL, 0);
	write_event(tw, ev);
	ev = event_from_znode("/config/brokers/3", ZNODE_NO_PERMISSION, "no permission to read it", NULL, 0, NULL, 1, mono_at(1), wall_at(1));
	event_keep_raw(ev, "/config/brokers/3", ZNODE_NO_PERMISSION, NULL, 0, NULL, 0);
	write_event(tw, ev);
	ev = event_from_children("/config/brokers", ZNODE_FAILED, "out of cheese", NULL, 0, NULL, 1, mono_at(1), wall_at(1));
	event_keep_raw(ev, "/config/brokers", ZNODE_FAILED, NULL, 0, NULL, 0);
	write_event(tw, ev);
	write_event(tw, znode(2, "/controller", "{]", 2));
	tr = reopen(&tw);
	ev = trace_event(tr, 0);
	assert_int_equal(ev->know, KNOW_ABSENT);
	event_free(&ev);
	ev = trace_event(tr, 1);
	assert_int_equal(ev->know, KNOW_UNREADABLE);
	assert_string_equal(ev->why, "no permission to read it");
	assert_string_equal(ev->name, "3");
	event_free(&ev);
	ev = trace_event(tr, 2);
	assert_int_equal(ev->kind, EV_CONFIG_BROKERS);
	assert_string_equal(ev->why, "out of cheese");
	event_free(&ev);
	ev = trace_event(tr, 3); /* read today as it was then */
	assert_int_equal(ev->know, KNOW_UNREADABLE);
	assert_string_equal(ev->raw->data, "{]");
	event_free(&ev);
	trace_free(&tr);
}

static void bytes_that_are_no_text_come_back(void **state)
{
	static const char *const names[] = { "plain", "caf\xe9", "\x1b[31m" };
	char bytes[256];
	struct trace_writer *tw = create();
	struct trace *tr;
	struct event *ev;

	for (int i = 0; i < 256; i++)
		bytes[i] = (char)i;
	for (size_t n = 0; n < 5; n++)
		write_event(tw, znode(0, "/brokers/topics/caf\xe9", bytes + 252 - n, n));
	write_event(tw, znode(1, "/brokers/topics/t", bytes, sizeof(bytes)));
	write_event(tw, children(2, "/brokers/topics", names, 3));
	assert_non_null(strstr(get_file(), "path64"));
	assert_non_null(strstr(get_file(), "data64"));
	assert_non_null(strstr(get_file(), "children64"));
	assert_null(strchr(get_file(), '\x1b'));
	tr = reopen(&tw);
	assert_int_equal(trace_count(tr), 7);
	for (size_t n = 1; n < 5; n++) {
		ev = trace_event(tr, n);
		assert_string_equal(ev->name, "caf\xe9");
		assert_int_equal(ev->raw->len, n);
		assert_memory_equal(ev->raw->data, bytes + 252 - n, n);
		event_free(&ev);
	}
	ev = trace_event(tr, 5);
	assert_int_equal(ev->raw->len, 256);
	assert_memory_equal(ev->raw->data, bytes, 256);
	event_free(&ev);
	ev = trace_event(tr, 6);
	assert_string_equal(ev->raw->children[1], "caf\xe9");
	assert_string_equal(ev->raw->children[2], "\x1b[31m");
	event_free(&ev);
	trace_free(&tr);
}

static void empty_and_null_data_are_not_mixed_up_with_failure(void **state)
{
	struct trace_writer *tw = create();
	struct trace *tr;

	write_event(tw, znode(0, "/admin/reassign_partitions", NULL, 0));
	write_event(tw, znode(0, "/admin/reassign_partitions", "", 0));
	tr = reopen(&tw);
	for (size_t i = 0; i < 2; i++) {
		struct event *ev = trace_event(tr, i);

		assert_int_equal(ev->know, KNOW_PRESENT);
		assert_int_equal(ev->u.reassign.shape, ZK_REASSIGN_EMPTY);
		event_free(&ev);
	}
	trace_free(&tr);
}

static void connection_comes_back_with_every_field(void **state)
{
	struct conn_info ci = { .state = CONN_UP, .loss = CONN_LOSS_EXPIRED, .readonly_server = true, .tries = 3,
				.last_answer = mono_at(90), .latency = 12, .session_timeout = 10000,
				.session_id = (int64_t)0xf00000000000000d, .server = "zk2.example:2181", .error = "refused" };
	struct trace_writer *tw = create();
	struct trace *tr;
	struct event *ev;

	write_event(tw, event_conn(4, mono_at(100), wall_at(100), &ci));
	ci.last_answer.ms = 0;
	write_event(tw, event_conn(4, mono_at(101), wall_at(101), &ci));
	tr = reopen(&tw);
	ev = trace_event(tr, 0);
	assert_int_equal(ev->epoch, 4);
	assert_int_equal(ev->u.conn->state, CONN_UP);
	assert_int_equal(ev->u.conn->loss, CONN_LOSS_EXPIRED);
	assert_true(ev->u.conn->readonly_server);
	assert_int_equal(ev->u.conn->tries, 3);
	assert_int_equal(ev->u.conn->latency, 12);
	assert_int_equal(ev->u.conn->session_timeout, 10000);
	assert_true(ev->u.conn->session_id == (int64_t)0xf00000000000000d);
	assert_string_equal(ev->u.conn->server, "zk2.example:2181");
	assert_string_equal(ev->u.conn->error, "refused");
	assert_int_equal(ev->u.conn->last_answer.ms, ev->seen.ms - 10);
	event_free(&ev);
	ev = trace_event(tr, 1);
	assert_int_equal(ev->u.conn->last_answer.ms, 0);
	event_free(&ev);
	trace_free(&tr);
}

static void progress_loaded_and_root_come_back(void **state)
{
	struct trace_writer *tw = create();
	struct trace *tr;
	struct event *ev = event_new(EV_PROGRESS, 1, mono_at(0), wall_at(0));

	ev->u.progress.done = 10;
	ev->u.progress.total = 20;
	write_event(tw, ev);
	write_event(tw, event_new(EV_LOADED, 1, mono_at(1), wall_at(1)));
	ev = event_new(EV_ROOT, 1, mono_at(2), wall_at(2));
	ev->know = KNOW_ABSENT;
	ev->name = mem_strdup("/kafka/a");
	write_event(tw, ev);
	write_event(tw, event_new(EV_ROOT, 1, mono_at(3), wall_at(3)));
	ev = event_new(EV_ROOT, 1, mono_at(4), wall_at(4));
	ev->know = KNOW_UNREADABLE;
	ev->why = mem_strdup("no permission to read it");
	write_event(tw, ev);
	tr = reopen(&tw);
	ev = trace_event(tr, 0);
	assert_int_equal(ev->u.progress.done, 10);
	assert_int_equal(ev->u.progress.total, 20);
	event_free(&ev);
	ev = trace_event(tr, 1);
	assert_int_equal(ev->kind, EV_LOADED);
	event_free(&ev);
	ev = trace_event(tr, 2);
	assert_int_equal(ev->kind, EV_ROOT);
	assert_int_equal(ev->know, KNOW_ABSENT);
	assert_string_equal(ev->name, "/kafka/a");
	event_free(&ev);
	ev = trace_event(tr, 3);
	assert_int_equal(ev->know, KNOW_PRESENT);
	event_free(&ev);
	ev = trace_event(tr, 4);
	assert_int_equal(ev->know, KNOW_UNREADABLE);
	assert_string_equal(ev->why, "no permission to read it");
	event_free(&ev);
	trace_free(&tr);
}

static void times_never_go_back(void **state)
{
	struct trace_writer *tw = create();
	struct trace *tr;

	write_event(tw, event_new(EV_LOADED, 1, mono_at(10), wall_at(10)));
	write_event(tw, event_new(EV_LOADED, 1, mono_at(8), wall_at(9000)));
	write_event(tw, event_new(EV_LOADED, 1, mono_at(30), wall_at(-9000))); /* the wall clock was set */
	tr = reopen(&tw);
	assert_int_equal(trace_time(tr, 0), 10);
	assert_int_equal(trace_time(tr, 1), 10);
	assert_int_equal(trace_time(tr, 2), 30);
	trace_free(&tr);
}

static void torn_last_line_is_tolerated(void **state)
{
	char text[1024];
	struct trace *tr;
	struct err err;

	assert_true(str_printf(text, sizeof(text), "%s{\"t\":5,\"ev\":\"loaded\",\"epoch\":1}\n{\"t\":9,\"ev\":\"loa", HEADER));
	tr = open_text(text, &err);
	assert_non_null(tr);
	assert_true(trace_is_torn(tr));
	assert_int_equal(trace_count(tr), 1);
	assert_int_equal(trace_length(tr), 5);
	trace_free(&tr);
}

static void last_line_without_line_end_is_whole(void **state)
{
	char text[1024];
	struct trace *tr;
	struct err err;

	assert_true(str_printf(text, sizeof(text), "%s{\"t\":5,\"ev\":\"loaded\",\"epoch\":1}", HEADER));
	tr = open_text(text, &err);
	assert_non_null(tr);
	assert_false(trace_is_torn(tr));
	assert_int_equal(trace_count(tr), 1);
	trace_free(&tr);
}

static void any_other_bad_line_is_named(void **state)
{
	static const char *const bad[] = {
		"{\"t\":9,\"ev\":\"loa", "", "[]", "{\"t\":9}", "{\"t\":-9,\"ev\":\"loaded\"}", "{\"ev\":\"loaded\"}",
		"{\"t\":1,\"ev\":\"znode\",\"path\":\"/controller\"}",
		"{\"t\":1,\"ev\":\"znode\",\"path\":\"/controller\",\"rc\":\"perhaps\"}",
		"{\"t\":1,\"ev\":\"znode\",\"path\":\"/nonsense\",\"rc\":\"ok\"}",
		"{\"t\":1,\"ev\":\"znode\",\"path\":\"/brokers/ids\",\"rc\":\"ok\"}",
		"{\"t\":1,\"ev\":\"znode\",\"path\":\"/controller\",\"rc\":\"ok\",\"data64\":\"a\"}",
		"{\"t\":1,\"ev\":\"znode\",\"path\":\"/controller\",\"rc\":\"ok\",\"data64\":\"a*==\"}",
		"{\"t\":1,\"ev\":\"children\",\"path\":\"/brokers/ids\",\"rc\":\"ok\"}",
		"{\"t\":1,\"ev\":\"children\",\"path\":\"/brokers/ids\",\"rc\":\"ok\",\"children\":[1]}",
		"{\"t\":1,\"ev\":\"children\",\"path\":\"/brokers/ids\",\"rc\":\"ok\",\"children64\":[\"AA==\"]}",
		"{\"t\":1,\"ev\":\"conn\",\"state\":\"sideways\",\"loss\":\"none\"}",
		"{\"t\":1,\"ev\":\"conn\",\"state\":\"up\",\"loss\":\"none\",\"session_id\":\"0xzz\"}",
		"{\"t\":1,\"ev\":\"progress\",\"done\":1}",
	};
	char text[1024];
	struct err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_true(str_printf(text, sizeof(text), "%s{\"t\":5,\"ev\":\"loaded\"}\n%s\n{\"t\":9,\"ev\":\"loaded\"}\n", HEADER, bad[i]));
		if (open_text(text, &err) != NULL)
			fail_msg("accepted: %s", bad[i]);
		if (strstr(err.text, "line 3: ") == NULL)
			fail_msg("%s: %s", bad[i], err.text);
	}
}

static void unknown_kinds_are_skipped(void **state)
{
	char text[1024];
	struct trace *tr;
	struct err err;

	assert_true(str_printf(text, sizeof(text), "%s{\"t\":5,\"ev\":\"weather\",\"rain\":true}\n{\"t\":9,\"ev\":\"loaded\"}\n", HEADER));
	tr = open_text(text, &err);
	assert_non_null(tr);
	assert_int_equal(trace_count(tr), 1);
	assert_int_equal(trace_time(tr, 0), 9);
	trace_free(&tr);
}

static void what_is_no_trace_is_refused(void **state)
{
	static const struct { const char *text, *says; } cases[] = {
		{ "", "not a kafops trace" },
		{ "root:x:0:0\n", "this is not a kafops trace" },
		{ "{\"a\":1}\n", "not a kafops trace" },
		{ "hello\n", "line 1" },
		{ "{\"kafops_trace\":2,\"started_at\":\"2026-01-02T03:04:05Z\"}\n", "version 2" },
		{ "{\"kafops_trace\":1,\"started_at\":\"yesterday\"}\n", "started_at" },
		{ "{\"kafops_trace\":1}\n", "started_at" },
	};
	struct err err;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_null(open_text(cases[i].text, &err));
		if (strstr(err.text, cases[i].says) == NULL)
			fail_msg("%s: %s", cases[i].text, err.text);
	}
	err_init(&err);
	assert_null(trace_open(dir, &err));
	assert_int_equal(err.code, ERR_IO);
	unlink(file);
	err_init(&err);
	assert_null(trace_open(file, &err));
	assert_int_equal(err.code, ERR_IO);
}

static void existing_file_is_left_alone(void **state)
{
	struct err err;

	put_file("precious");
	err_init(&err);
	assert_null(trace_create(file, "zk1:2181", STARTED, &err));
	assert_int_equal(err.code, ERR_IO);
	assert_string_equal(get_file(), "precious");
}

static void file_is_for_its_owner_only(void **state)
{
	struct trace_writer *tw = create();
	struct stat st;

	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	trace_close(&tw);
}

/* What a full disk does, by way of a limit on the size of files. */
static void full_disk_is_reported_with_the_event_that_did_not_fit(void **state)
{
	struct trace_writer *tw = create();
	struct rlimit lim, old;
	struct event *ev = event_new(EV_LOADED, 1, mono_at(1), wall_at(1));
	struct err err;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	lim = old;
	lim.rlim_cur = 300;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &lim), 0);
	err_init(&err);
	while (trace_write(tw, ev, &err))
		assert_int_equal(err.code, ERR_NONE);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(err.code, ERR_IO);
	assert_non_null(strstr(err.text, file));
	event_free(&ev);
	trace_close(&tw);
	tw = NULL;
	{ /* nothing is half a line but the last */
		struct trace *tr = trace_open(file, &err);

		assert_non_null(tr);
		assert_true(trace_count(tr) > 0);
		trace_free(&tr);
	}
}

static void dev_full_is_reported(void **state)
{
	struct trace_writer *tw;
	struct err err;

	err_init(&err);
	tw = trace_create("/dev/full", "zk1:2181", STARTED, &err);
	assert_null(tw); /* it exists: refused before anything is written */
	assert_int_equal(err.code, ERR_IO);
	unlink(file);
	assert_int_equal(symlink("/dev/full", file), 0);
	err_init(&err);
	assert_null(trace_create(file, "zk1:2181", STARTED, &err));
	assert_int_equal(err.code, ERR_IO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(znode_comes_back_as_it_was),
		cmocka_unit_test(children_come_back_whole),
		cmocka_unit_test(a_marker_comes_back_with_how_many_children_it_has),
		cmocka_unit_test(absent_and_unreadable_come_back),
		cmocka_unit_test(bytes_that_are_no_text_come_back),
		cmocka_unit_test(empty_and_null_data_are_not_mixed_up_with_failure),
		cmocka_unit_test(connection_comes_back_with_every_field),
		cmocka_unit_test(progress_loaded_and_root_come_back),
		cmocka_unit_test(times_never_go_back),
		cmocka_unit_test(torn_last_line_is_tolerated),
		cmocka_unit_test(last_line_without_line_end_is_whole),
		cmocka_unit_test(any_other_bad_line_is_named),
		cmocka_unit_test(unknown_kinds_are_skipped),
		cmocka_unit_test(what_is_no_trace_is_refused),
		cmocka_unit_test(existing_file_is_left_alone),
		cmocka_unit_test(file_is_for_its_owner_only),
		cmocka_unit_test(full_disk_is_reported_with_the_event_that_did_not_fit),
		cmocka_unit_test(dev_full_is_reported),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
