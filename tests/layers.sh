#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Who may include whom, and who may call what: one TAP line per rule.
# Reads the include lines of $top_srcdir/{src,include,ui}, and with nm the
# undefined symbols of the archives and the program in $top_builddir.
# tests/layers-selftest.sh shows that each rule can fail.
set -u
export LC_ALL=C

top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
top_builddir=${top_builddir:-.}
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

layers='base core wire view io app batch ui'

tap_count=0
tap_failed=0

# claim NAME FILE: holds when FILE, the list of violations, is empty.
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

# ---- include lines -----------------------------------------------------------
# $scratch/files: layer, path. $scratch/includes: layer, path, line, form, what
# is included; form is quoted, angled or computed. All separated by tabs.

(cd "$top_srcdir" && find src include ui \( -name '*.c' -o -name '*.h' -o -name '*.def' \) -print) |
	sort | awk -F/ -v OFS='\t' -v layers="$layers" '
	BEGIN { n = split(layers, a, " "); for (i = 1; i <= n; i++) known[a[i]] = 1 }
	$0 == "src/main.c" { print "main", $0; next }
	$1 == "ui" { print "ui", $0; next }
	NF > 2 && $2 != "ui" && $2 in known { print $2, $0; next }
	{ print "?", $0 }' >"$scratch/files"

(cd "$top_srcdir" && cut -f2 "$scratch/files" | xargs awk -v OFS='\t' -v list="$scratch/files" '
	BEGIN { while ((getline row < list) > 0) { split(row, a, "\t"); layer_of[a[2]] = a[1] } }
	/^[ \t]*(#|%:)[ \t]*(include|include_next|import)/ {
		s = $0
		sub(/^[ \t]*(#|%:)[ \t]*(include_next|include|import)[ \t]*/, "", s)
		form = "computed"
		if (match(s, /^"[^"]+"/))
			form = "quoted"
		else if (match(s, /^<[^>]+>/))
			form = "angled"
		if (form != "computed")
			s = substr(s, 2, RLENGTH - 2)
		print layer_of[FILENAME], FILENAME, FNR, form, s
	}' /dev/null) >"$scratch/includes"

# includes_where NAME AWK-CONDITION: no include line may meet the condition.
# In it: layer, path, form, what, and to, the layer of what is included.
includes_where() {
	awk -F'\t' -v layers="$layers" -v libc="${libc_headers:-}" "
		function in_list(word, list) { return index(\" \" list \" \", \" \" word \" \") > 0 }
		{
			layer = \$1; path = \$2; form = \$4; what = \$5
			to = what
			if (!sub(/\\/.*/, \"\", to) || form != \"quoted\")
				to = \"\"
		}
		$2 { print path \":\" \$3 \": \" what }" "$scratch/includes" >"$scratch/bad"
	claim "$1" "$scratch/bad"
}

: >"$scratch/bad"
[ "$(wc -l <"$scratch/files")" -ge 10 ] || echo "fewer than 10 sources in $top_srcdir" >>"$scratch/bad"
[ "$(wc -l <"$scratch/includes")" -ge 20 ] || echo "fewer than 20 include lines" >>"$scratch/bad"
grep -q 'include/base/json\.h.*jansson\.h' "$scratch/includes" ||
	echo "the jansson.h of base/json.h was not seen" >>"$scratch/bad"
claim "looked at $(wc -l <"$scratch/files") sources and $(wc -l <"$scratch/includes") include lines" "$scratch/bad"

awk -F'\t' '$1 == "?" { print $2 }' "$scratch/files" >"$scratch/bad"
claim "every source belongs to a layer" "$scratch/bad"

includes_where "no include line is computed" 'form == "computed"'

# Beside a layer's headers: config.h, and private headers in the same folder.
awk -F'\t' '$4 == "quoted" && $5 != "config.h"' "$scratch/includes" |
	while IFS=$'\t' read -r layer path line form what; do
		case $what in
		*..*) ;;
		*/*) [ -e "$top_srcdir/include/$what" ] || [ -e "$top_srcdir/$what" ] && continue ;;
		*) [ -e "$top_srcdir/${path%/*}/$what" ] && continue ;;
		esac
		echo "$path:$line: $what"
	done >"$scratch/bad"
claim "what is included in quotes is ours" "$scratch/bad"

allowed_main='base io app ui batch'
allowed_base='base'
allowed_core='base core'
allowed_wire='base core wire'
allowed_view='base core view'
allowed_io='base core wire io'
allowed_app='base core io app'
allowed_batch='base core view app batch'
allowed_ui='base core view app ui'
for row in $layers main; do
	allowed=allowed_$row
	includes_where "$row includes only: ${!allowed}" \
		"layer == \"$row\" && to != \"\" && !in_list(to, \"${!allowed}\")"
done

includes_where "core/port_write.h is for io and app/gate.c" \
	'what == "core/port_write.h" && layer != "io" && path != "src/app/gate.c"'
includes_where "io/*_write.h is for io and app/session.c" \
	'what ~ /^io\/.*_write\.h$/ && layer != "io" && path != "src/app/session.c"'

# ---- outside libraries -------------------------------------------------------

# library NAME HEADERS PATHS: only PATHS may include HEADERS (both patterns).
outside=
library() {
	includes_where "$1" "what ~ /$2/ && path !~ /$3/"
	outside="$outside${outside:+|}$2"
}

library "jansson only in base/json" '^jansson' \
	'^(src\/base\/json\.c|include\/base\/json\.h)$'
library "PCRE2 only in core/pattern" '^pcre2' \
	'^(src\/core\/pattern\.c|include\/core\/pattern\.h)$'
library "zookeeper only in io/zk*.c" '^(zookeeper\/|zookeeper|recordio|proto\.h)' \
	'^(src\/io\/zk[a-z0-9_]*\.c|include\/io\/zk_parts\.h)$'
library "curses only in ui/canvas.c and ui/term*.c" \
	'^(ncursesw?\/)?(n?curses|ncurses_dll|panel|form|menu|eti|term|termcap|unctrl)\.h$' \
	'^ui\/(canvas|term|term_keys)\.c$'
library "librdkafka only in io/rdk" '^(librdkafka\/|rdkafka)' \
	'^(src\/io\/rdk[a-z0-9_]*\.c|include\/io\/rdk_parts\.h)$'
library "OpenSSL only in io/net_tls* and io/stores*" '^openssl\/' \
	'^(src\/io\/(net_tls|stores)[a-z0-9_]*\.c|include\/io\/(net_tls|stores)_parts\.h)$'
library "Cyrus SASL only in io/sasl" '^sasl\/' '^(src|include)\/io\/sasl\.[ch]$'
library "GSSAPI only in io/sasl_kerberos" '^(gssapi|krb5)' '^src\/io\/sasl_kerberos\.c$'

# What is neither of the above must stand here: one look before it grows.
# dlfcn.h is left out on purpose: it would call past nm.
libc_headers='assert.h arpa/inet.h ctype.h dirent.h errno.h fcntl.h float.h getopt.h grp.h inttypes.h
	langinfo.h limits.h locale.h malloc.h math.h netdb.h netinet/in.h netinet/tcp.h poll.h pthread.h pwd.h
	setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h
	stdnoreturn.h string.h strings.h sys/eventfd.h sys/file.h sys/ioctl.h sys/mman.h sys/random.h
	sys/resource.h sys/select.h sys/socket.h sys/stat.h sys/time.h sys/timerfd.h sys/types.h
	sys/uio.h sys/un.h sys/utsname.h sys/wait.h syslog.h termios.h time.h unistd.h wchar.h wctype.h'
libc_headers=$(echo $libc_headers)
includes_where "other angled headers are libc's" \
	"form == \"angled\" && what !~ /$outside/ && !in_list(what, libc)"

# ---- symbols -----------------------------------------------------------------
# $scratch/symbols: object, undefined symbol.

for object in "$top_builddir"/lib*.a "$top_builddir"/src/main.o "$top_builddir"/kafops; do
	[ -e "$object" ] || continue
	dynamic=
	[ "${object##*/}" != kafops ] || dynamic=-D
	nm -A -P -u $dynamic "$object" 2>>"$scratch/nm.err"
done | awk -v OFS='\t' -v top="$top_builddir/" '
	{
		# "libio.a[zk.o]: zoo_aget U", "src/main.o: exit U"
		object = $1
		sub(/:$/, "", object)
		if (index(object, top) == 1)
			object = substr(object, length(top) + 1)
		symbol = $2
		sub(/@.*/, "", symbol)
		print object, symbol
	}' >"$scratch/symbols"

: >"$scratch/bad"
[ "$(wc -l <"$scratch/symbols")" -ge 10 ] || echo "fewer than 10 undefined symbols" >>"$scratch/bad"
grep -q "^libbase\.a\[json\.o\].json_loadb$" "$scratch/symbols" ||
	echo "the json_loadb of libbase.a[json.o] was not seen" >>"$scratch/bad"
for layer in $layers; do
	case $layer in ui) from=ui/ ;; *) from=src/$layer/ ;; esac
	grep -q "	$from[^/]*\.c$" "$scratch/files" || continue
	grep -q "^lib$layer\.a\[" "$scratch/symbols" ||
		echo "lib$layer.a is not built" >>"$scratch/bad"
done
grep -v 'no symbols' "$scratch/nm.err" >>"$scratch/bad"
claim "looked at $(cut -f1 "$scratch/symbols" | sort -u | wc -l) objects and $(wc -l <"$scratch/symbols") undefined symbols" "$scratch/bad"

# symbols_where NAME SYMBOLS [OBJECTS]: only OBJECTS (none) may use SYMBOLS.
# The program as a whole is looked at where nobody may.
symbols_where() {
	# By way of the environment: -v would eat the backslashes.
	symbols=$2 objects=${3:-} awk -F'\t' '
		BEGIN { symbols = ENVIRON["symbols"]; objects = ENVIRON["objects"] }
		$2 !~ symbols { next }
		objects != "" && ($1 ~ objects || $1 == "kafops") { next }
		{ print $1 ": " $2 }' "$scratch/symbols" >"$scratch/bad"
	claim "$1" "$scratch/bad"
}

# What changes a cluster has two objects, which nothing but the write port leads to.
zk_write='^libio\.a\[zk_write\.o\]$'
symbols_where "znodes are created from io/zk_write only" '^zoo_a?create' "$zk_write"
symbols_where "nobody sets a znode" '^zoo_(a?set|a?set2|a?set_acl|set_op_init)$'
symbols_where "znodes are deleted from io/zk_write only" '^zoo_(a?delete|a?delete_container|delete_op_init)$' "$zk_write"
symbols_where "multis are sent from io/zk_write only" '^zoo_(a?multi|[a-z0-9]+_op_init)$' "$zk_write"

# Encoders of the APIs that change a cluster, by the id of their row in wire/apis.def.
writing_encoders='DELETE_TOPICS:wire_topics_encode_delete'
sed -n 's/^API(\([A-Z_]*\),.*[ ,]WRITES[ ,].*/\1/p' "$top_srcdir/include/wire/apis.def" 2>/dev/null | sort >"$scratch/rows"
printf '%s\n' $writing_encoders | sed 's/:.*//' | sort >"$scratch/named"
diff "$scratch/rows" "$scratch/named" | sed -n 's/^< \(.*\)/\1: its encoder is not named here/p; s/^> \(.*\)/\1: no such row that writes/p' >"$scratch/bad"
for row in $writing_encoders; do
	grep -q "^libio\.a\[kafka_write\.o\]	${row#*:}$" "$scratch/symbols" || echo "${row#*:}: kafka_write.o does not call it" >>"$scratch/bad"
done
claim "each API that writes has its encoder named" "$scratch/bad"
symbols_where "encoders of APIs that write are called from io/kafka_write only" \
	"^($(printf '%s\n' $writing_encoders | sed 's/.*://' | paste -sd'|' -))\$" '^libio\.a\[kafka_write\.o\]$'
symbols_where "nobody reconfigures the ensemble" '^zoo_a?reconfig$'
symbols_where "zoo_add_auth only in zk_session.o" '^zoo_add_auth$' '^libio\.a\[zk_session\.o\]$'
symbols_where "the ZooKeeper client is called from io/zk* only" '^(zoo_|zookeeper_|zerror$)' \
	'^libio\.a\[zk[a-z0-9_]*\.o\]$'

# The same from the other side, for what the next version of the client brings.
zoo_harmless='zoo_a?w?get zoo_a?w?get_children2? zoo_a?w?exists zoo_a?get_acl
	zoo_a?sync zoo_state zoo_client_id zoo_recv_timeout zoo_get_context zoo_get_current_server
	zoo_add_auth zoo_set_context zoo_set_debug_level zoo_set_log_callback zoo_set_log_stream
	zoo_set_servers zoo_set_servers_resolution_delay zoo_set_watcher zoo_get_log_callback zoo_deterministic_conn_order
	zookeeper_init2? zookeeper_close zookeeper_get_connected_host'
zoo_changes='zoo_acreate zoo_amulti zoo_check_op_init zoo_delete_op_init'
awk -F'\t' -v harmless="^($(echo $zoo_harmless | tr ' ' '|'))\$" -v changes="^($(echo $zoo_changes | tr ' ' '|'))\$" '
	$2 !~ /^(zoo_|zookeeper_)/ || $2 ~ harmless { next }
	$2 ~ changes && ($1 == "libio.a[zk_write.o]" || $1 == "kafops") { next }
	{ print $1 ": " $2 }' "$scratch/symbols" >"$scratch/bad"
claim "every ZooKeeper call is on the list of harmless ones, or of zk_write's few" "$scratch/bad"

symbols_where "librdkafka is called from io/rdk only" '^rd_kafka_' '^libio\.a\[rdk[a-z0-9_]*\.o\]$'
symbols_where "nobody produces" '^rd_kafka_(produce|purge|flush|.*_transaction)'
symbols_where "nobody joins a group or reads records" '^rd_kafka_(subscribe|assign|incremental_|consume|seek|pause|resume)'
symbols_where "nobody changes topics, configs, groups or ACLs through librdkafka" \
	'^rd_kafka_((Create|Delete|Alter|Incremental|Elect|Set|Add|Remove)[A-Z]|commit|offsets?_store)'
symbols_where "nobody in wire opens, reads or sends" \
	'^(socket|connect|accept4?|(send|recv)(to|from|msg)?|p?read|readv|p?write|writev|poll|open(64)?|fopen(64)?)$' \
	'^(lib(base|core|view|io|app|batch|ui)\.a|src\/main\.o)'
symbols_where "OpenSSL is called from io/net_tls* and io/stores* only" \
	'^((SSL|TLS|X509V?3?|EVP|PEM|PKCS[0-9]+|BIO|OSSL|ERR|OBJ|ASN1|OPENSSL|CRYPTO|RAND|HMAC|d2i|i2d)_|(DTLS|TLS)v?[0-9_]*_)' \
	'^libio\.a\[(net_tls|stores)[a-z0-9_]*\.o\]$'
symbols_where "Cyrus SASL is called from io/sasl only" '^sasl_(client_|server_|set_|setprop|getprop|dispose|done|err|encode|decode|version|list)' \
	'^libio\.a\[sasl\.o\]$'
symbols_where "GSSAPI is called from io/sasl_kerberos only" '^(gss|krb5)_' '^libio\.a\[sasl_kerberos\.o\]$'
# Of ours: the program itself also holds a sanitizer's runtime.
symbols_where "nobody loads code at run time" '^(dlopen|dlmopen|dlsym|dlvsym)$' '^kafops$'

echo "1..$tap_count"
exit $tap_failed
