#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Something listens that is no ZooKeeper: a command ends within its time with a sentence that names the server and what
# it does, and the console says the same and goes on trying.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

fakeserver=${top_builddir:?}/tests/tools/fakeserver
[ -x "$fakeserver" ] || bail_out "no $fakeserver: make check builds it"

# fake KIND: starts it; $server is where.
fake()
{
    "$fakeserver" "$1" >"$scratch/port" &
    fake_pid=$!
    poll test -s "$scratch/port" || bail_out "no fake server"
    server=127.0.0.1:$(cat "$scratch/port")
}
fake_ends() { kill "$fake_pid"; wait "$fake_pid" 2>/dev/null; : >"$scratch/port"; }

# says KIND WORDS
says()
{
    local begun took status limit
    fake "$1"
    # On a machine that others load two seconds may be over before anything is heard of a server.
    for limit in 2 6 18; do
        begun=$(now_ms)
        timeout 60 "$KAFOPS" topics --from zookeeper --zookeeper "$server" --timeout "${limit}s" >"$scratch/out" 2>"$scratch/err"
        status=$?
        took=$(($(now_ms) - begun))
        grep -q 'no server answered' "$scratch/err" || break
    done
    is "$1: a command ends with status 5" "$status" 5
    # The client library waits up to 1.5 s for an answer to its good-bye.
    ok '... within its time' in_time "$1" "$took" $((limit * 1000 + 1500))
    ok "... and says what the server does" grep -Eqx "kafops: $server: no ZooKeeper session within ${limit}s: $server $2( \([0-9]+ tr(y|ies)\))?; is that ZooKeeper's client port\?" "$scratch/err" ||
        diag <"$scratch/err"
    console_start --zookeeper "$server"
    ok '... so does the console' wait_text "last error  $2" && ok '... it goes on trying' wait_text 'tries +([2-9]|[1-9][0-9])'
    keys q
    ok '... and ends' console_ends
    fake_ends
}

plan 42
says http 'answers, but not as ZooKeeper does'
says garbage 'answers, but not as ZooKeeper does'
says zeros 'answers, but not as ZooKeeper does'
says half 'takes the connection, but does not answer'
says silent 'takes the connection, but does not answer'
says close '(reset|closed) by the server'
says reset 'reset by the server'
