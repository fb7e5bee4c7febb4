/* SPDX-License-Identifier: Apache-2.0 */
#include "core/servers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/str.h"

static void assert_read(const char *s, const char *expected)
{
	struct bootstrap bs;
	struct strbuf out;
	struct err err;

	err_init(&err);
	if (!bootstrap_parse(s, &bs, &err))
		fail_msg("%s: %s", s, err.text);
	strbuf_init(&out);
	for (size_t i = 0; i < bs.n; i++) {
		char text[300];

		zkserver_text(&bs.servers[i], text, sizeof(text));
		strbuf_printf(&out, "%s%s", i ? " " : "", text);
	}
	assert_string_equal(out.s, expected);
	strbuf_fini(&out);
}

static void assert_refused(const char *s, const char *why)
{
	struct bootstrap bs;
	struct err err;

	err_init(&err);
	if (bootstrap_parse(s, &bs, &err))
		fail_msg("taken: %s", s);
	assert_string_equal(err.text, why);
}

static void hosts_and_ports_are_read_in_their_order(void **state)
{
	assert_read("b1:9092", "b1:9092");
	assert_read("b2.example:9093,b1.example:9092", "b2.example:9093 b1.example:9092");
	assert_read("192.0.2.7:1,b_1-x:65535", "192.0.2.7:1 b_1-x:65535");
	/* As a file has them that goes on in the next line. */
	assert_read(" b1:1 ,\t b2:2\r\n", "b1:1 b2:2");
	assert_read(",b1:1,,", "b1:1");
}

static void an_ipv6_address_stands_in_brackets(void **state)
{
	assert_read("[2001:db8::7]:9092,[fe80::1%eth0]:9093", "[2001:db8::7]:9092 [fe80::1%eth0]:9093");
	assert_refused("2001:db8::7", "\"2001:db8::7\": an IPv6 address stands in brackets: [2001:db8::7]:9092");
	assert_refused("2001:db8:0:0:0:0:0:7:9092", "\"2001:db8:0:0:0:0:0:7:9092\": an IPv6 address stands in brackets: [2001:db8:0:0:0:0:0:7]:9092");
	assert_refused("[b1]:9092", "\"[b1]:9092\": brackets are for IPv6 addresses, \"b1\" is none");
	assert_refused("[::1", "\"[::1\": expected [address]:port");
	assert_refused("[::1]9092", "\"[::1]9092\": expected [address]:port");
}

static void a_port_must_be_there(void **state)
{
	assert_refused("b1", "\"b1\" has no port; write host:port,host:port");
	assert_refused("b1:", "\"b1:\" has no port; write host:port,host:port");
	assert_refused("b1:9092,b2", "\"b2\" has no port; write host:port,host:port");
	assert_refused("[::1]", "\"[::1]\" has no port; write host:port,host:port");
	assert_refused("b1:0", "\"b1:0\": \"0\" is not a port (1 to 65535)");
	assert_refused("b1:65536", "\"b1:65536\": \"65536\" is not a port (1 to 65535)");
	assert_refused("b1:kafka", "\"b1:kafka\": \"kafka\" is not a port (1 to 65535)");
	assert_refused("b1:9092/kafka", "\"b1:9092/kafka\": \"9092/kafka\" is not a port (1 to 65535)");
	assert_refused("b1:+1", "\"b1:+1\": \"+1\" is not a port (1 to 65535)");
}

static void a_host_must_be_there(void **state)
{
	assert_refused(":9092", "\":9092\" has no host; write host:port,host:port");
	assert_refused("", "no server; write host:port,host:port");
	assert_refused(" , ", "no server; write host:port,host:port");
	assert_refused("b1:1 b2:2", "\"b1:1 b2:2\" has more than one colon; write host:port,host:port");
	assert_refused("b 1:1", "\"b 1:1\": a blank in a host name; servers are separated by commas");
	assert_refused("b1;b2:1", "\"b1;b2\" is not a host name; write host:port,host:port");
	assert_refused("a\001:1", "a control byte 0x01 at column 2");
}

static void a_scheme_is_refused(void **state)
{
	assert_refused("SASL_SSL://b1:9092", "a list of bootstrap servers has no scheme; leave out \"SASL_SSL://\" and write host:port,host:port");
	assert_refused("b1:1,SSL://b2:2", "a list of bootstrap servers has no scheme; leave out \"SSL://\" and write host:port,host:port");
}

static void what_is_too_long_is_refused(void **state)
{
	char host[SERVER_HOST_MAX + 8];
	struct strbuf many;

	memset(host, 'a', SERVER_HOST_MAX);
	memcpy(host + SERVER_HOST_MAX, ":1", 3);
	assert_refused(host, "a host name of 256 bytes, the limit is 255");
	strbuf_init(&many);
	for (int i = 0; i <= SERVERS_MAX; i++)
		strbuf_put(&many, "b:1,");
	assert_refused(many.s, "more than 64 servers");
	strbuf_fini(&many);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hosts_and_ports_are_read_in_their_order),
		cmocka_unit_test(an_ipv6_address_stands_in_brackets),
		cmocka_unit_test(a_port_must_be_there),
		cmocka_unit_test(a_host_must_be_there),
		cmocka_unit_test(a_scheme_is_refused),
		cmocka_unit_test(what_is_too_long_is_refused),
	};

	return cmocka_run_group_tests_name("core/servers", tests, NULL, NULL);
}
