#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The console on a secured Kafka 2.8.2: with each protocol it shows what brokers say, and no secret anywhere; a wrong password is
# said and tried every half minute; a KDC that is stopped and started is said and waited for; a broker that is killed and started has its facts back; a broker whose name does not
# resolve here is named, and all else works; bootstrap servers of another cluster are told.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

command -v jq >/dev/null || skip_all "jq is not installed"
COLUMNS=240 LINES=40
export E2E_VIEW=
other() { KAFOPS_SANDBOX_DIR=$scratch/other sandbox "$@"; }
trap 'rc=$?; [ ! -f "$scratch/other/state" ] || other down >/dev/null 2>&1; (exit "$rc"); e2e_cleanup' EXIT

kafka_up 2.8.2 3 --tls --sasl
sandbox make e2e.alpha 6 2
sandbox fill e2e.alpha 300000 >/dev/null 2>&1
(umask 077; for file in "$KAFOPS_CLIENTS"/*.properties; do sed '/^bootstrap\.servers=/d' "$file" >"$scratch/${file##*/}"; done)

# open NAME OPTION...: the console by that file, brokers as they are registered for its protocol.
open() { console_start --zookeeper "$KAFOPS_ZK" --command-config "$scratch/$1.properties" -v "${@:2}"; }
# The overview is what q ends it from.
ends() { keys 1 q; console_ends; }

# no_secret FILE...: passwords of the sandbox.
no_secret()
{
    ! tr '\0' '\n' <"$1" | grep -En 'admin-secret|sandbox-secret|guessed' >"$scratch/leak" && return
    head -n 3 "$scratch/leak" | diag
    return 1
}
none_in_process()
{
    local pid
    pid=$(console_pid)
    no_secret "/proc/$pid/cmdline" && no_secret "/proc/$pid/environ"
}
# dirs_filled N: so many dirs have a size, and nothing stands behind them that says why it may be old.
dirs_filled() { [ "$(screen | grep -Ec '^.. +[123] .* online +[^ ]+ +[0-9]+K .* 127\.0\.0\.1:[0-9]+ *$')" = "$1" ]; }

# ---- each protocol ----

for name in plaintext ssl-pkcs12 sasl-scram-256 sasl-ssl-scram-512; do
    open "$name" --record "$scratch/$name.trace"
    ok "$name: the overview is live" wait_text '3/3 brokers'
    keys 6
    ok '... log dirs are there' poll_or_tell dirs_filled 6
    ok '... brokers answer' screen_lacks 'NOT ANSWERING'
    screen >"$scratch/screens"
    keys 1
    screen >>"$scratch/screens"
    ok '... no secret is among the arguments or in the environment' none_in_process
    ends
    ok '... nor on the screen' no_secret "$scratch/screens"
    ok '... nor in the trace' no_secret "$scratch/$name.trace"
done
ok 'nor in the log' no_secret "$scratch/console.log"

# ---- a wrong password ----

# attempts N: when broker N refused somebody, by its own log, in ms.
attempts()
{
    local at
    sed -n 's/^\([-0-9]* [:0-9]*\),\([0-9]*\) .*Failed authentication with .*/\1.\2/p' "$KAFOPS_SANDBOX_DIR/broker-$1/broker.log" |
        while read -r at; do date -d "$at" +%s%3N; done
}
are_refused() { local n; for n in 1 2 3; do [ "$(attempts "$n" | wc -l)" -ge "$1" ] || return 1; done; }
# spaced N: between any two of its refusals; 30 s, a tenth less by the jitter, and a broker may come late to write the first.
spaced()
{
    attempts "$1" | awk -v n="$1" 'NR > 1 { print "# broker " n " refused again after " $1 - last " ms"; if ($1 - last < 25000) bad = 1 } { last = $1 } END { exit bad }'
}

open sasl-ssl-wrong-password
ok 'a wrong password is said, and where it stands' \
    wait_text '^ BROKERS NOT ANSWERING since .*: localhost:[0-9]+: the login by PLAIN as admin \(sasl.jaas.config\) is refused'
ok '... ZooKeeper is live all the same' wait_text '3/3 brokers .* live'
# Meanwhile another cluster starts.
KAFOPS_SANDBOX_DIR=$scratch/other sandbox up --kafka 2.8.2 --brokers 1 >"$scratch/other.env" 2>"$scratch/up.log" || bail_out 'the other cluster did not start'
other_bootstrap=$(sed -n 's,^KAFOPS_BOOTSTRAP=,,p' "$scratch/other.env")
other_zk=$(sed -n 's/^KAFOPS_ZK=//p' "$scratch/other.env")
WAIT=90
ok '... each broker is tried again' poll_or_tell are_refused 2
WAIT=20
for n in 1 2 3; do
    ok "... broker $n no sooner than half a minute after" spaced "$n"
done
ends

# ---- a KDC that is stopped ----

E2E_ENV=KRB5_CONFIG=$KAFOPS_KRB5_CONFIG
sandbox stop-kdc
open sasl-ssl-gssapi
ok 'a stopped KDC is said, and where they are named' \
    wait_text '^ BROKERS NOT ANSWERING since .*: GSSAPI: Cannot contact any KDC .*\(krb5.conf names the KDCs\)'
ok '... ZooKeeper is live all the same' wait_text '3/3 brokers .* live'
keys 2
sandbox make e2e.meanwhile 1 1
ok '... and goes on' wait_text 'e2e\.meanwhile +1 +1'
keys 6
sandbox start-kdc
WAIT=60
ok 'when it is started again, the console logs in by itself' poll_or_tell dirs_filled 6
ok '... and says nothing of it any more' wait_gone 'NOT ANSWERING'
WAIT=20
keys 1
ends
E2E_ENV=

# ---- a broker that goes and comes back, another one that has a name of elsewhere ----

open sasl-ssl-scram-512
keys 6
poll_or_tell dirs_filled 6
sandbox kill-broker 2
ok 'a killed broker is down among the log dirs' wait_text '^.. +2 .*down'
sandbox start-broker 2 >/dev/null 2>&1
ok 'started again, its log dirs are back' poll_or_tell dirs_filled 6

advertised=$(sandbox zk-get /brokers/ids/3 2>/dev/null | jq -r '[.endpoints[] | if startswith("SASL_SSL:") then sub("localhost"; "kafka3.invalid") else . end] | join(",")')
sandbox stop-broker 3 >/dev/null 2>&1
sandbox start-broker 3 --set "3:advertised.listeners=$advertised" >/dev/null 2>&1
ok 'a name that does not resolve is told where its log dirs should be' wait_text '^.. +3 .*kafka3\.invalid.*(resolve|not known)'
ok '... those of others are there' poll_or_tell dirs_filled 4
ok '... and nothing is said of all brokers' screen_lacks 'NOT ANSWERING'
keys 2
ok '... topics are well' wait_text 'e2e\.alpha +6 +2 +ok'
ends
"$KAFOPS" dirs --json --zookeeper "$KAFOPS_ZK" --command-config "$scratch/sasl-ssl-scram-512.properties" >"$scratch/out"
is '... a command says it with status 5' "$?,$(jq -r '.warnings[]' "$scratch/out" | grep -Ec '^log dirs of broker 3 not known: kafka3\.invalid:')" 5,1
is '... and has the other brokers' "$(jq -c '[.items[] | select(.log_dir) | .broker]' "$scratch/out")" '[1,1,2,2]'

# ---- another cluster ----

console_start --zookeeper "$KAFOPS_ZK" --bootstrap-server "$other_bootstrap"
ok 'bootstrap servers of another cluster are told' wait_text '^ BROKERS OF ANOTHER CLUSTER: they say [^ ]+, ZooKeeper [^ ]+; nothing they say is taken'
keys 6
ok '... nothing of theirs is shown' poll_or_tell dirs_filled 0
ends
for command in dirs topics; do
    "$KAFOPS" $command --json --zookeeper "$KAFOPS_ZK" --bootstrap-server "$other_bootstrap" >"$scratch/out"
    is "... $command says so, with status 5" "$?,$(jq -r .sources.brokers "$scratch/out" | grep -c '^failed: the brokers are of another cluster, ')" 5,1
done
is '... where the same is said of neither' "$("$KAFOPS" dirs --json --zookeeper "$other_zk" --bootstrap-server "$other_bootstrap" | jq -r .sources.brokers)" live
plan "$e2e_count"
