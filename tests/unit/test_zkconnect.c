/* SPDX-License-Identifier: Apache-2.0 */
#include "core/zkconnect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/str.h"
#include "casefile.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* What was read, in one form: "host:port,host:port/chroot". */
static void put_form(struct strbuf *out, const struct zkconnect *zc)
{
	char text[ZKCONNECT_HOST_MAX + 16];

	for (size_t i = 0; i < zc->n_servers; i++) {
		zkserver_text(&zc->servers[i], text, sizeof(text));
		strbuf_printf(out, "%s%s", i > 0 ? "," : "", text);
	}
	strbuf_put(out, zc->chroot);
}

static void assert_read(const char *s, const char *form)
{
	struct zkconnect zc;
	struct strbuf out;
	struct err err;

	err_init(&err);
	if (!zkconnect_parse(s, &zc, &err))
		fail_msg("%s: %s", s, err.text);
	strbuf_init(&out);
	put_form(&out, &zc);
	assert_string_equal(out.s, form);
	strbuf_fini(&out);
}

static void assert_refused(const char *s, enum err_code code, const char *text)
{
	struct zkconnect zc;
	struct err err;

	err_init(&err);
	if (zkconnect_parse(s, &zc, &err))
		fail_msg("%s was read", s);
	assert_string_equal(err.text, text);
	assert_int_equal(err.code, code);
}

static void servers_and_one_chroot_are_read(void **state)
{
	static const struct { const char *s, *form; } cases[] = {
		{ "zk1.example:2181", "zk1.example:2181" },
		{ "zk1:2181,zk2:2182,zk3:2183/kafka/a", "zk1:2181,zk2:2182,zk3:2183/kafka/a" },
		{ "zk1", "zk1:2181" },
		{ "zk1:", "zk1:2181" },
		{ "192.0.2.1:1", "192.0.2.1:1" },
		{ "zk_1:65535", "zk_1:65535" },
		{ "zk1:02181", "zk1:2181" },
		{ "zk1/k\xc3\xa4se", "zk1:2181/k\xc3\xa4se" },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		assert_read(cases[i].s, cases[i].form);
}

static void blanks_line_ends_and_empty_entries_are_dropped(void **state)
{
	assert_read("  zk1:2181 , zk2:2182\t/kafka \r\n", "zk1:2181,zk2:2182/kafka");
	assert_read("zk1,,zk2", "zk1:2181,zk2:2181");
	assert_read("zk1,zk2,", "zk1:2181,zk2:2181");
	assert_read(",zk1", "zk1:2181");
	assert_read("zk1, /kafka", "zk1:2181/kafka");
}

static void a_bare_slash_is_no_chroot(void **state)
{
	assert_read("zk1:2181/", "zk1:2181");
	assert_read("zk1,zk2/", "zk1:2181,zk2:2181");
}

static void ipv6_stands_in_brackets(void **state)
{
	assert_read("[2001:db8::7]:2182", "[2001:db8::7]:2182");
	assert_read("[2001:db8::7],[::1]:1/kafka", "[2001:db8::7]:2181,[::1]:1/kafka");
	assert_read("[fe80::1%eth0]:2181", "[fe80::1%eth0]:2181");
	assert_read("[::ffff:192.0.2.1]", "[::ffff:192.0.2.1]:2181");
}

static void ipv6_without_brackets_is_refused_with_the_right_form(void **state)
{
	assert_refused("::1", ERR_USAGE, "\"::1\": an IPv6 address stands in brackets: [::1]:2181");
	assert_refused("2001:db8::7:2181", ERR_USAGE,
		       "\"2001:db8::7:2181\": an IPv6 address stands in brackets: [2001:db8::7:2181]:2181");
	assert_refused("2001:db8:0:0:0:0:0:7:2181", ERR_USAGE,
		       "\"2001:db8:0:0:0:0:0:7:2181\": an IPv6 address stands in brackets: "
		       "[2001:db8:0:0:0:0:0:7]:2181");
	assert_refused("zk1:2181:2181", ERR_USAGE,
		       "\"zk1:2181:2181\" has more than one colon; write host:port,host:port/chroot");
}

static void brackets_with_something_else_are_refused(void **state)
{
	assert_refused("[zk1]:2181", ERR_USAGE,
		       "\"[zk1]:2181\": brackets are for IPv6 addresses, \"zk1\" is none");
	assert_refused("[]:2181", ERR_USAGE, "\"[]:2181\": brackets are for IPv6 addresses, \"\" is none");
	assert_refused("[::1%]", ERR_USAGE, "\"[::1%]\": brackets are for IPv6 addresses, \"::1%\" is none");
	assert_refused("[::1", ERR_USAGE, "\"[::1\": expected [address]:port");
	assert_refused("[::1]2181", ERR_USAGE, "\"[::1]2181\": expected [address]:port");
	assert_refused("[::1]:x", ERR_USAGE, "\"[::1]:x\": \"x\" is not a port (1 to 65535)");
}

static void a_port_is_1_to_65535(void **state)
{
	static const char *const ports[] = { "0", "65536", "x", "-1", "+1", "2181x", "99999999999999999999", " 1" };
	char s[100], text[200];

	for (size_t i = 0; i < COUNT(ports); i++) {
		snprintf(s, sizeof(s), "zk1:%s", ports[i]);
		snprintf(text, sizeof(text), "\"%s\": \"%s\" is not a port (1 to 65535)", s, ports[i]);
		assert_refused(s, ERR_USAGE, text);
	}
}

static void a_chroot_after_more_than_one_server_is_refused_with_the_right_form(void **state)
{
	assert_refused("zk1/kafka,zk2/kafka", ERR_USAGE,
		       "the chroot stands once, after the last server; write zk1,zk2/kafka");
	assert_refused("zk1:1/kafka,zk2:2", ERR_USAGE,
		       "the chroot stands once, after the last server; write zk1:1,zk2:2/kafka");
	assert_refused("zk1/a,zk2/b", ERR_USAGE,
		       "the chroot stands once, after the last server; write zk1,zk2/chroot");
	assert_refused("zk1/,zk2/", ERR_USAGE,
		       "the chroot stands once, after the last server; write zk1,zk2");
	assert_refused("zk1/kafka,", ERR_USAGE,
		       "the chroot stands once, after the last server; write zk1/kafka");
}

static void a_chroot_zookeeper_would_refuse_is_refused(void **state)
{
	assert_refused("zk1/kafka/", ERR_USAGE, "the chroot \"/kafka/\" ends in a slash; leave it out");
	assert_refused("zk1//kafka", ERR_USAGE, "the chroot \"//kafka\" has two slashes side by side");
	assert_refused("zk1/a//b", ERR_USAGE, "the chroot \"/a//b\" has two slashes side by side");
	assert_refused("zk1//", ERR_USAGE, "the chroot \"//\" has two slashes side by side");
	assert_refused("zk1/a/../b", ERR_USAGE, "the chroot \"/a/../b\" has a relative part \"..\"");
	assert_refused("zk1/.", ERR_USAGE, "the chroot \"/.\" has a relative part \".\"");
	assert_read("zk1/.kafka/..a", "zk1:2181/.kafka/..a");
}

static void a_scheme_is_refused_by_name(void **state)
{
	assert_refused("zookeeper://zk1:2181/kafka", ERR_USAGE, "a connect string has no scheme; leave out "
		       "\"zookeeper://\" and write host:port,host:port/chroot");
	assert_refused("zk1,https://zk2", ERR_USAGE, "a connect string has no scheme; leave out "
		       "\"https://\" and write host:port,host:port/chroot");
}

static void no_server_is_refused(void **state)
{
	static const char *const empty[] = { "", " ", "\n", ",", " , ", "/kafka", "/" };

	for (size_t i = 0; i < COUNT(empty); i++)
		assert_refused(empty[i], ERR_USAGE, "no server; write host:port,host:port/chroot");
	assert_refused(":2181", ERR_USAGE, "\":2181\" has no host; write host:port,host:port/chroot");
}

static void a_host_is_letters_digits_dots_and_hyphens(void **state)
{
	assert_refused("zk1 zk2:2181", ERR_USAGE, "\"zk1 zk2:2181\": a blank in a host name; servers are "
		       "separated by commas");
	assert_refused("me@zk1", ERR_USAGE, "\"me@zk1\" is not a host name; write host:port,host:port/chroot");
	assert_refused("zk1;zk2", ERR_USAGE, "\"zk1;zk2\" is not a host name; write host:port,host:port/chroot");
	assert_refused("k\xc3\xa4se:1", ERR_USAGE,
		       "\"k\xc3\xa4se\" is not a host name; write host:port,host:port/chroot");
}

static void control_bytes_are_refused_by_place(void **state)
{
	assert_refused("zk1\x1b[31m:2181", ERR_USAGE, "a control byte 0x1b at column 4");
	assert_refused("zk1/a\x7f", ERR_USAGE, "a control byte 0x7f at column 6");
	assert_refused("zk1/a\nb", ERR_USAGE, "a control byte 0x0a at column 6");
}

static void bounds_are_kept(void **state)
{
	struct strbuf sb;

	strbuf_init(&sb);
	for (int i = 0; i < ZKCONNECT_HOST_MAX - 1; i++)
		strbuf_putc(&sb, 'h');
	strbuf_put(&sb, ":1");
	assert_read(sb.s, sb.s);
	sb.s[sb.len - 2] = 'h';
	assert_refused(sb.s, ERR_LIMIT, "a host name of 257 bytes, the limit is 255");

	strbuf_clear(&sb);
	strbuf_put(&sb, "h:1/");
	while (sb.len < 3 + ZKCONNECT_CHROOT_MAX - 1)
		strbuf_putc(&sb, 'c');
	assert_read(sb.s, sb.s);
	strbuf_putc(&sb, 'c');
	assert_refused(sb.s, ERR_LIMIT, "a chroot of 512 bytes, the limit is 511");

	strbuf_clear(&sb);
	for (int i = 0; i < ZKCONNECT_SERVERS_MAX; i++)
		strbuf_put(&sb, i > 0 ? ",h:1" : "h:1");
	assert_read(sb.s, sb.s);
	strbuf_put(&sb, ",h:1");
	assert_refused(sb.s, ERR_LIMIT, "more than 64 servers");
	strbuf_fini(&sb);
}

static void a_failure_leaves_the_result_alone(void **state)
{
	struct zkconnect zc = { .n_servers = 7 };
	struct err err;

	err_init(&err);
	assert_false(zkconnect_parse("zk1,zk2:0", &zc, &err));
	assert_int_equal(zc.n_servers, 7);
	assert_false(zkconnect_parse("", &zc, NULL));
}

/* ---- cases ---------------------------------------------------------------- */

static void handed_cases_are_read_as_demanded(void **state)
{
	static const struct { const char *file, *form, *refusal; } cases[] = {
		/* That the chroot is missing shows only in the session: here it is read as typed. */
		{ "ZS-05-chroot-missing.connect", "zk1.example:2181/nosuch", NULL },
		{ "ZS-06-chroot-each-host.connect", NULL, "the chroot stands once, after the last server; "
		  "write zk1.example:2181,zk2.example:2181/kafka" },
		{ "ZS-08-no-port.connect", "zk1.example:2181,zk2.example:2181/kafka", NULL },
	};
	size_t n;

	for (size_t i = 0; i < COUNT(cases); i++) {
		char *s = case_read(cases[i].file, &n);

		if (cases[i].form)
			assert_read(s, cases[i].form);
		else
			assert_refused(s, ERR_USAGE, cases[i].refusal);
		mem_free(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(servers_and_one_chroot_are_read),
		cmocka_unit_test(blanks_line_ends_and_empty_entries_are_dropped),
		cmocka_unit_test(a_bare_slash_is_no_chroot),
		cmocka_unit_test(ipv6_stands_in_brackets),
		cmocka_unit_test(ipv6_without_brackets_is_refused_with_the_right_form),
		cmocka_unit_test(brackets_with_something_else_are_refused),
		cmocka_unit_test(a_port_is_1_to_65535),
		cmocka_unit_test(a_chroot_after_more_than_one_server_is_refused_with_the_right_form),
		cmocka_unit_test(a_chroot_zookeeper_would_refuse_is_refused),
		cmocka_unit_test(a_scheme_is_refused_by_name),
		cmocka_unit_test(no_server_is_refused),
		cmocka_unit_test(a_host_is_letters_digits_dots_and_hyphens),
		cmocka_unit_test(control_bytes_are_refused_by_place),
		cmocka_unit_test(bounds_are_kept),
		cmocka_unit_test(a_failure_leaves_the_result_alone),
		cmocka_unit_test(handed_cases_are_read_as_demanded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
