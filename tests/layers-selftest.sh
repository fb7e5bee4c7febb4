#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Shows that each rule of tests/layers.sh can fail: plants violations in a small
# tree of its own, and expects each to be named under its rule, and nothing else.
set -u
export LC_ALL=C

top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
read -ra cc <<<"${CC:-cc}"
layers_sh=$top_srcdir/tests/layers.sh
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
src=$scratch/src build=$scratch/build

tap_count=0
tap_failed=0

# claim NAME FILE: holds when FILE, the list of complaints, is empty.
claim() {
	tap_count=$((tap_count + 1))
	if [ -s "$2" ]; then
		tap_failed=1
		echo "not ok $tap_count - $1"
		sed 's/^/# /' "$2"
	else
		echo "ok $tap_count - $1"
	fi
}

# ---- the small tree ----------------------------------------------------------

# put FILE LINE...: a file of the small tree.
put() {
	local file=$src/$1
	shift
	mkdir -p "${file%/*}"
	printf '%s\n' "$@" >"$file"
}

# archive LAYER OBJECT SYMBOL...: an object that calls the symbols, in lib<layer>.a.
archive() {
	local layer=$1 object=$2 symbol
	shift 2
	{
		for symbol; do echo "void $symbol(void);"; done
		echo "void in_${layer}_$object(void);"
		echo "void in_${layer}_$object(void) {"
		for symbol; do echo "$symbol();"; done
		echo '}'
	} >"$scratch/$object.c"
	"${cc[@]}" -w -fno-builtin -c -o "$scratch/$object.o" "$scratch/$object.c" &&
		ar rc "$build/lib$layer.a" "$scratch/$object.o"
}

# Keeps every rule, and uses every exception.
make_plain_tree() {
	mkdir -p "$src" "$build"
	put include/base/err.h '#include <stdbool.h>'
	put include/base/json.h '#include <jansson.h>'
	put include/core/port_write.h '#include "base/err.h"'
	put include/wire/apis.def 'API(METADATA, 3, "Metadata", VERSIONS(4, 9), 9, ANY, READS, "0.8")' \
		'API(DELETE_TOPICS, 20, "DeleteTopics", VERSIONS(1, 5), 4, CONTROLLER, WRITES, "0.10.1")'
	put include/io/zk_write.h '#include "core/port_write.h"'
	put include/view/table.h '#include "base/err.h"'
	for layer in base core wire view io app batch; do
		put "src/$layer/one.c" '#include "config.h"' '#include "base/err.h"' '#include <stdio.h>'
	done
	put src/base/json.c '#include "base/json.h"' '#include "private.h"'
	put src/base/private.h '#include <stdint.h>'
	put src/core/pattern.c '#include <pcre2.h>'
	put src/io/zk.c '#include <zookeeper/zookeeper.h>' '  #  include "core/port_write.h"'
	put src/io/zk_write.c '#include "io/zk_write.h"'
	put src/io/rdk.c '#include "io/rdk_parts.h"'
	put src/io/rdk_groups.c '#include <librdkafka/rdkafka.h>'
	put include/io/rdk_parts.h '#include <librdkafka/rdkafka.h>'
	put src/io/net_tls.c '#include <openssl/ssl.h>'
	put include/io/net_tls_parts.h '#include <openssl/ssl.h>'
	put include/io/stores_parts.h '#include <openssl/x509.h>'
	put src/io/stores_p12.c '#include <openssl/pkcs12.h>' '#include "io/stores_parts.h"'
	put src/io/sasl.c '#include <sasl/sasl.h>'
	put src/io/sasl_kerberos.c '#include <gssapi/gssapi_ext.h>' '#include <krb5/krb5.h>'
	put src/app/gate.c '#include "core/port_write.h"'
	put src/app/session.c '#include "io/zk_write.h"'
	put ui/canvas.c '#include <curses.h>' '#include "view/table.h"'
	put src/main.c '#include "base/err.h"'
	for layer in base core wire view io app batch ui; do
		archive "$layer" one malloc free || return 1
	done
	archive base json json_loadb &&
		archive io zk zoo_aget zoo_awget zookeeper_init zoo_set_log_callback &&
		archive io zk_session zoo_add_auth &&
		archive io zk_write zoo_aget_acl zoo_acreate zoo_amulti zoo_check_op_init zoo_delete_op_init &&
		archive io kafka_write wire_topics_encode_delete &&
		archive io rdk rd_kafka_new rd_kafka_DescribeConfigs &&
		archive io stores_p12 d2i_PKCS12 PKCS12_free
}

plain_tree() {
	rm -rf "$src" "$build"
	cp -r "$scratch/plain/src" "$scratch/plain/build" "$scratch"
}

# ---- expectations ------------------------------------------------------------

# expect WHAT RULE COMPLAINT: to be found by the next `run`.
expect() {
	printf '%s\t%s\t%s\n' "$2" "$3" "$1" >>"$scratch/expected"
}

# Runs layers.sh and holds its complaints, rule by rule, against what is
# expected. A rule is given by how its name starts.
run() {
	top_srcdir=$src top_builddir=$build bash "$layers_sh" >"$scratch/out" 2>&1
	echo "status $?" >"$scratch/status"
	awk -v OFS='\t' '
		/^ok / { rule = "" }
		/^not ok / { rule = $0; sub(/^not ok [0-9]+ - /, "", rule) }
		/^# / { print rule, substr($0, 3) }' "$scratch/out" >"$scratch/found"
	while IFS=$'\t' read -r rule complaint what; do
		awk -F'\t' -v rule="$rule" -v complaint="$complaint" '
			index($1, rule) == 1 && $2 == complaint { seen = 1 }
			END { exit seen }' "$scratch/found" && cat "$scratch/out" >"$scratch/bad"
		claim "$what: $rule" "$scratch/bad"
		: >"$scratch/bad"
	done <"$scratch/expected"
	awk -F'\t' '
		NR == FNR { rule[NR] = $1; complaint[NR] = $2; n = NR; next }
		{ for (i = 1; i <= n; i++) if (index($1, rule[i]) == 1 && $2 == complaint[i]) next
		  print $1 ": " $2 }' "$scratch/expected" "$scratch/found" >"$scratch/bad"
	grep -qx 'status 1' "$scratch/status" || cat "$scratch/status" >>"$scratch/bad"
	claim "$1: it fails, and for no other reason" "$scratch/bad"
	: >"$scratch/expected"
	: >"$scratch/bad"
	plain_tree
}

# plant FILE LINE RULE...: a file with this one line breaks these rules.
plant() {
	local file=$1 line=$2 what rule
	shift 2
	put "$file" "$line"
	what=${line#*include}
	what=${what//[\"<> ]/}
	for rule; do
		expect "$file has $line" "$rule" "$file:1: $what"
	done
}

# ---- runs --------------------------------------------------------------------

: >"$scratch/expected"
: >"$scratch/bad"
if ! make_plain_tree; then
	echo "1..0 # SKIP no compiler or ar (CC=${CC:-cc})"
	exit 0
fi
mkdir "$scratch/plain"
mv "$src" "$build" "$scratch/plain"
plain_tree

top_srcdir=$src top_builddir=$build bash "$layers_sh" >"$scratch/out" 2>&1 &&
	! grep -q '^not ok' "$scratch/out" || cat "$scratch/out" >"$scratch/bad"
claim "a tree that keeps the rules passes" "$scratch/bad"
: >"$scratch/bad"

rm -rf "$src/src" "$src/include" "$src/ui"
expect "no sources" "looked at 0 sources" "fewer than 10 sources in $src"
expect "no sources" "looked at 0 sources" "fewer than 20 include lines"
expect "no sources" "looked at 0 sources" "the jansson.h of base/json.h was not seen"
expect "no sources" "each API that writes" "DELETE_TOPICS: no such row that writes"
run "no sources"

rm -f "$build"/lib*.a
expect "no archives" "looked at 0 objects" "fewer than 10 undefined symbols"
expect "no archives" "looked at 0 objects" "the json_loadb of libbase.a[json.o] was not seen"
for layer in base core wire view io app batch ui; do
	expect "no archives" "looked at 0 objects" "lib$layer.a is not built"
done
expect "no archives" "each API that writes" "wire_topics_encode_delete: kafka_write.o does not call it"
run "no archives"

echo 'not an archive' >"$build/libcore.a"
expect "a broken archive" "looked at" "libcore.a is not built"
expect "a broken archive" "looked at" "nm: $build/libcore.a: file format not recognized"
run "a broken archive"

# The matrix: every pair that is not allowed.
for layer in base core wire view io app batch; do
	put "include/$layer/there.h" ''
done
put ui/there.h ''
for row in base core wire view io app batch ui main; do
	case $row in
	base) never='core wire view io app batch ui' ;;
	core) never='wire view io app batch ui' ;;
	wire) never='view io app batch ui' ;;
	view) never='wire io app batch ui' ;;
	io) never='view app batch ui' ;;
	app) never='wire view batch ui' ;;
	batch) never='wire io ui' ;;
	ui) never='wire io batch' ;;
	main) never='core wire view' ;;
	esac
	if [ $row = main ]; then
		put src/main.c '#include "core/there.h"' '#include "wire/there.h"' '#include "view/there.h"'
		n=0
		for column in $never; do
			n=$((n + 1))
			expect "main includes $column" "main includes only" "src/main.c:$n: $column/there.h"
		done
		continue
	fi
	for column in $never; do
		case $row in ui) file=ui/bad_$column.h ;; *) file=include/$row/bad_$column.h ;; esac
		plant "$file" "#include \"$column/there.h\"" "$row includes only"
	done
done
run "the matrix"

ours="what is included in quotes is ours"
angled="other angled headers are libc's"
put src/stray/x.c ''
expect "src/stray" "every source belongs to a layer" "src/stray/x.c"
put src/x.c ''
expect "src/x.c" "every source belongs to a layer" "src/x.c"
plant src/core/a.c '#include HEADER' "no include line is computed"
plant src/core/b.c '#include "nowhere.h"' "$ours"
plant src/core/c.c '#include "../base/private.h"' "$ours" "core includes only"
plant src/core/d.c '#include "zookeeper/zookeeper.h"' "$ours" "core includes only" "zookeeper only"
plant src/app/loop.c '#include "core/port_write.h"' "core/port_write.h is for"
plant src/view/e.c '#include "core/port_write.h"' "core/port_write.h is for"
plant src/app/exit.c '#include "io/zk_write.h"' "io/*_write.h is for"
plant src/core/f.c '#include <jansson.h>' "jansson only"
plant src/batch/g.c ' # include <jansson.h>' "jansson only"
plant src/view/h.c '#include <pcre2.h>' "PCRE2 only"
plant include/io/zk.h '#include <zookeeper/zookeeper.h>' "zookeeper only"
plant src/app/i.c '#include <zookeeper/zookeeper_version.h>' "zookeeper only"
plant ui/tablewin.c '#include <curses.h>' "curses only"
plant ui/term.h '#include <ncursesw/curses.h>' "curses only"
plant src/app/j.c '#include <term.h>' "curses only"
plant src/io/kclient.c '#include <librdkafka/rdkafka.h>' "librdkafka only"
plant include/io/rdk.h '#include <librdkafka/rdkafka.h>' "librdkafka only"
plant src/io/kconn.c '#include <openssl/ssl.h>' "OpenSSL only"
plant src/io/net.c '#include <openssl/ssl.h>' "OpenSSL only"
plant include/io/stores.h '#include <openssl/x509.h>' "OpenSSL only"
plant src/io/k.c '#include <sasl/sasl.h>' "Cyrus SASL only"
plant src/io/sasl.c '#include <gssapi/gssapi.h>' "GSSAPI only"
plant src/io/l.c '#include <dlfcn.h>' "$angled"
plant src/io/m.c '#include <base/err.h>' "$angled"
plant src/io/n.c '%:include <dlfcn.h>' "$angled"
run "include lines"

# All that zk.o and rdk.o call wrongly goes into one object each.
listed="every ZooKeeper call is on the list"
create="znodes are created from" set="nobody sets a znode" delete="znodes are deleted from"
multi="multis are sent from" zk_bad= rdk_bad=
wrong() {
	local object=$1 symbol=$2 rule
	shift 2
	case $object in zk) zk_bad="$zk_bad $symbol" ;; rdk) rdk_bad="$rdk_bad $symbol" ;; esac
	for rule; do
		expect "$object.o calls $symbol" "$rule" "libio.a[$object.o]: $symbol"
	done
}
for symbol in zoo_create zoo_acreate zoo_create2 zoo_acreate2 zoo_create_ttl zoo_acreate_ttl \
	zoo_create2_ttl zoo_acreate2_ttl; do
	wrong zk $symbol "$create" "$listed"
done
for symbol in zoo_set zoo_aset zoo_set2 zoo_set_acl zoo_aset_acl; do
	wrong zk $symbol "$set" "$listed"
done
wrong zk zoo_delete "$delete" "$listed"
wrong zk zoo_adelete "$delete" "$listed"
wrong zk zoo_multi "$multi" "$listed"
wrong zk zoo_amulti "$multi" "$listed"
wrong zk zoo_check_op_init "$multi" "$listed"
wrong zk zoo_create_op_init "$multi" "$create" "$listed"
wrong zk zoo_set_op_init "$multi" "$set" "$listed"
wrong zk zoo_delete_op_init "$multi" "$delete" "$listed"
wrong zk zoo_reconfig "nobody reconfigures" "$listed"
wrong zk zoo_areconfig "nobody reconfigures" "$listed"
wrong zk zoo_tomorrow "$listed"
for symbol in rd_kafka_produce rd_kafka_producev rd_kafka_produce_batch rd_kafka_begin_transaction; do
	wrong rdk $symbol "nobody produces"
done
for symbol in rd_kafka_subscribe rd_kafka_assign rd_kafka_incremental_assign rd_kafka_consumer_poll rd_kafka_consume; do
	wrong rdk $symbol "nobody joins a group"
done
for symbol in rd_kafka_CreateTopics rd_kafka_DeleteTopics rd_kafka_AlterConfigs \
	rd_kafka_IncrementalAlterConfigs rd_kafka_CreatePartitions rd_kafka_DeleteRecords \
	rd_kafka_DeleteGroups rd_kafka_AlterConsumerGroupOffsets rd_kafka_CreateAcls \
	rd_kafka_DeleteAcls rd_kafka_ElectLeaders rd_kafka_commit rd_kafka_offsets_store; do
	wrong rdk $symbol "nobody changes topics"
done
archive io zk $zk_bad
archive io rdk $rdk_bad
# Called where it may not be.
archive io zk_watch zoo_add_auth
expect "zk_watch.o calls zoo_add_auth" "zoo_add_auth only" "libio.a[zk_watch.o]: zoo_add_auth"
archive app session zoo_aget rd_kafka_new dlsym
expect "session.o calls zoo_aget" "the ZooKeeper client is called" "libapp.a[session.o]: zoo_aget"
expect "session.o calls rd_kafka_new" "librdkafka is called" "libapp.a[session.o]: rd_kafka_new"
expect "session.o calls dlsym" "nobody loads code" "libapp.a[session.o]: dlsym"
archive wire header socket
expect "header.o calls socket" "nobody in wire opens" "libwire.a[header.o]: socket"
for symbol in SSL_new X509_free EVP_PKEY_free PKCS12_parse BIO_free d2i_X509 i2d_X509 OSSL_PROVIDER_load TLS_client_method; do
	expect "resolve.o calls $symbol" "OpenSSL is called" "libio.a[resolve.o]: $symbol"
done
archive io resolve SSL_new X509_free EVP_PKEY_free PKCS12_parse BIO_free d2i_X509 i2d_X509 OSSL_PROVIDER_load TLS_client_method
# By who may do the rest of it.
archive io zk_write zoo_acreate zoo_aset zoo_create zoo_adelete zoo_awget
expect "zk_write.o sets a znode" "$set" "libio.a[zk_write.o]: zoo_aset"
for symbol in zoo_aset zoo_create zoo_adelete; do
	expect "zk_write.o calls $symbol" "$listed" "libio.a[zk_write.o]: $symbol"
done
archive io kclient_asks wire_topics_encode_delete
expect "kclient_asks.o deletes topics" "encoders of APIs that write" "libio.a[kclient_asks.o]: wire_topics_encode_delete"
archive wire topics wire_topics_encode_delete
expect "another layer deletes topics" "encoders of APIs that write" "libwire.a[topics.o]: wire_topics_encode_delete"
archive base zk zerror
expect "zk.o of another layer" "the ZooKeeper client is called" "libbase.a[zk.o]: zerror"
run "symbols"

named="each API that writes has its encoder named"
echo 'API(ELECT_LEADERS, 43, "ElectLeaders", VERSIONS(1, 2), 2, CONTROLLER, WRITES, "2.4")' >>"$src/include/wire/apis.def"
expect "an API that writes is new" "$named" "ELECT_LEADERS: its encoder is not named here"
run "an API without its encoder"
put include/wire/apis.def 'API(DELETE_TOPICS, 20, "DeleteTopics", VERSIONS(1, 5), 4, CONTROLLER, READS, "0.10.1")'
archive io kafka_write malloc
expect "an API that writes reads" "$named" "DELETE_TOPICS: no such row that writes"
expect "the encoder has another name" "$named" "wire_topics_encode_delete: kafka_write.o does not call it"
run "an encoder that nobody calls"

# What only the linked program shows.
printf 'void zoo_multi(void) {}\n' >"$scratch/zoo.c"
printf 'void zoo_multi(void); int main(void) { zoo_multi(); return 0; }\n' >"$scratch/prog.c"
"${cc[@]}" -w -shared -fPIC -o "$scratch/libzoo.so" "$scratch/zoo.c" &&
	"${cc[@]}" -w -o "$build/kafops" "$scratch/prog.c" "$scratch/libzoo.so"
expect "the program imports zoo_multi" "$listed" "kafops: zoo_multi"
run "the program"

echo "1..$tap_count"
exit $tap_failed
