#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The console and an ensemble that does not do all it could: no four letter words (ZS-19), and a server cut off from its
# quorum that still answers (ZS-12).

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

batch() { printf '%s\n' "$@" | tr '|' '\t' >"$scratch/batch"; sandbox zk-batch "$scratch/batch" >/dev/null; }
topic() { printf 'create-r|/kafka/brokers/topics/%s|{"version":1,"partitions":{"0":[1,2]}}\n' "$1"
          printf 'create-r|/kafka/brokers/topics/%s/partitions/0/state|{"controller_epoch":7,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}\n' "$1"; }
make_topic() { local lines; mapfile -t lines < <(topic "$1"); batch "${lines[@]}"; }
# words_asked: how many four letter words the three servers were asked; each tells of every one, allowed or not.
words_asked() { cat "$KAFOPS_SANDBOX_DIR"/zk-*/server.log | grep -c 'Processing .* command from'; }
topics() { "$KAFOPS" topics --from zookeeper --zookeeper "$KAFOPS_ZK/kafka" --timeout 15s "$@" 2>"$scratch/err"; }

plan 25
zk_up --zk-ensemble 3 --zk-set 4lw.commands.whitelist= --zk-jvm -Dreadonlymode.enabled=true
sed 's,^,create-r\t/kafka,' "$e2e_top/tests/cases/fixture-a.zktree" >"$scratch/seed"
sandbox zk-batch "$scratch/seed" >/dev/null

# ZS-19. (srvr and, for read-only servers, isro are let through by every server.)
ok 'ZS-19: the servers allow no four letter word' eval 'sandbox zk-4lw mntr 1 | grep -q "not in the whitelist"'
asked=$(words_asked)
ok 'ZS-19: one that is asked is counted' test "$asked" -gt 0
console_start --zookeeper "$KAFOPS_ZK/kafka" --zk-session-timeout 4s --zk-allow-read-only-server
ok 'ZS-19: the console is live' wait_text 'live .*ms'
ok 'ZS-19: and shows the topics' wait_text 'payments\.eu +2 +2 +ok'
keys 3
ok 'ZS-19: and the brokers' wait_text 'b1\.example'
keys 2
ok 'ZS-19: batch reads all' eval 'topics --json | jq -e ".complete and (.warnings | length) == 0" >/dev/null'
ok 'ZS-19: nothing is said of four letter words' eval 'screen_lacks "4lw|four|allowed|whitelist" && ! grep -Ei "4lw|four letter|whitelist" "$scratch/err" "$scratch/console.log"'
is 'ZS-19: none was asked' "$(words_asked)" "$asked"
ok 'ZS-12: with the flag an ordinary server has no banner' screen_lacks 'READ-ONLY SERVER'

# ZS-12: two of three servers go; the third answers what it knows. The one that goes last comes back first, and leads: a
# server that had sessions while read-only and leads next has its followers throw away all they know (ZOOKEEPER-3526).
sandbox stop-zk 2
ok 'ZS-12: two of three are a quorum' eval 'WAIT=40 wait_text "live .*ms" && screen_lacks "READ-ONLY SERVER"'
sandbox stop-zk 3
ok 'ZS-12: the console says that the server is read-only, its data maybe old' eval 'WAIT=60 wait_text "READ-ONLY SERVER, data may be old: 127\.0\.0\.1:[0-9]+ has lost its quorum"'
ok 'ZS-12: and is live' wait_text 'live .*ms'
ok 'ZS-12: and shows what the server knows' wait_text 'payments\.eu +2 +2 +ok'
ok 'ZS-12: no word of a loss is left' wait_gone 'STALE|reading again'
keys G
ok 'ZS-12: one can go about in it' wait_text '^> .*tmp-load-01|^> .*payments'
table=$(topics --zk-allow-read-only-server)
is 'ZS-12: batch lists the topics, with status 0' "$? $(grep -c payments <<<"$table")" '0 2'
ok 'ZS-12: and warns' grep -q 'cut off from its quorum: what it says may be old' "$scratch/err"
ok 'ZS-12: in JSON as well' eval 'topics --zk-allow-read-only-server --json | jq -e ".warnings[] | select(contains(\"cut off from its quorum\"))" >/dev/null'
"$KAFOPS" topics --from zookeeper --zookeeper "$KAFOPS_ZK/kafka" --timeout 3s >/dev/null 2>"$scratch/err"
is 'ZS-12: without the flag batch ends with status 5' "$?" 5
ok 'ZS-12: the banner stands for as long as the state does' screen_has 'READ-ONLY SERVER'

sandbox start-zk 3
sandbox start-zk 2
ok 'ZS-12: when the quorum returns the banner goes by itself' eval 'WAIT=60 wait_gone "READ-ONLY SERVER"'
ok 'ZS-12: and the console is live' eval 'WAIT=30 wait_text "live .*ms"'
make_topic made.later
ok 'ZS-12: and shows what changes' wait_text 'made\.later +1 +2 +ok'
ok 'ZS-12: batch no longer warns' eval 'topics --zk-allow-read-only-server >/dev/null && ! grep -q quorum "$scratch/err"'
keys q
ok 'q ends the console' console_ends
