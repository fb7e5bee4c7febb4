#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Topics are deleted on Kafka 2.8.2, from the console and by `kafops delete`: marked by a pattern, with one broker killed so that two of them wait.
# The screen says why; the broker comes back and they go; the journal tells the story; the disks are empty after the delay. And in
# read-only mode every key of every screen, the dialog among them, leaves nothing in the transaction log.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || skip_all "jq is not installed"
COLUMNS=120
WAIT=90
plan 56

kafka_up "${version:=2.8.2}" 3 --set '*:log.segment.delete.delay.ms=3000' --set '*:auto.create.topics.enable=false'
controller=$(sandbox controller)
dead=$((controller % 3 + 1)) other=$(((controller + 1) % 3 + 1))
printf '%s\n' 'team.a 2 3' 'team.b 1 3' "team.c 2 @$controller,$other" "team.d 1 @$controller,$other" 'keep.me 1 3' '__consumer_offsets 1 3' | sandbox make
sandbox fill team.a 100000 >/dev/null
cluster=$(sandbox zk-get /cluster/id | jq -r .id | cut -c1-6)

delete() { XDG_STATE_HOME=$scratch/home/state "$KAFOPS" delete --zookeeper "$KAFOPS_ZK" --json "$@" >"$scratch/out" 2>"$scratch/err"; }
# status N ARG...: how `kafops delete` ends; what it said is shown when it is another way.
status()
{
    local wanted=$1 rc=0
    shift
    delete "$@" || rc=$?
    [ "$rc" = "$wanted" ] || { diag "status $rc"; diag <"$scratch/err"; diag <"$scratch/out"; return 1; }
}
actions() { jq -r '[.items[] | .topic + "=" + .action] | join(" ")' "$scratch/out"; }
warns() { jq -r '.warnings[]' "$scratch/out" | grep -q -- "$1"; }
markers() { sandbox zk ls /admin/delete_topics 2>/dev/null | tail -1; }
exists() { sandbox zk-get "/brokers/topics/$1" >/dev/null 2>&1; }
is_gone() { ! exists "$1" && ! sandbox zk-get "/admin/delete_topics/$1" >/dev/null 2>&1; }
is_registered() { sandbox zk-get "/brokers/ids/$1" >/dev/null 2>&1; }
is_not_registered() { ! is_registered "$1"; }
no_files() { local b; for b in 1 2 3; do [ -z "$(sandbox disk "$b" "$1")" ] || return 1; done; }
journal() { XDG_STATE_HOME=$scratch/home/state "$KAFOPS" journal --json | jq -r "$1"; }
# answer TEXT: types it into the question, and Enter by itself once it shows there.
answer() { typed "$1" && wait_text ": $1" && keys Enter; }

# ---- batch: what would be done, and what is refused ----
ok 'without --execute it says what would be done' status 5 --topic 'team\..*,__.*'
is '... of each that matches' "$(actions)" '__consumer_offsets=refused team.a=would-delete team.b=would-delete team.c=would-delete team.d=would-delete'
is '... and why an internal one is not' "$(jq -r '.items[0].error' "$scratch/out")" internal
ok '--execute wants the number' status 2 --topic 'team\..*' --execute
ok '... and --operate' status 3 --topic 'team\..*' --execute --expect-count 4 --expect-cluster "$cluster"
ok '... which is said' warns 'read-only: start with --operate'
ok 'another number deletes none' status 3 --topic 'team\..*' --operate --execute --expect-count 3 --expect-cluster "$cluster"
is '... not one' "$(actions)" 'team.a=refused team.b=refused team.c=refused team.d=refused'
ok 'a large share wants the name of the cluster, too' status 3 --topic 'team\..*' --operate --execute --expect-count 4
delete --topic 'team\..*' --operate --execute --expect-count 4 --output table
ok '... as the table says of each' eval '[ "$(grep -c -- "--expect-cluster" "$scratch/out")" = 4 ]'
delete --topic 'team\..*' --output table
ok 'a dry run says that it is one, and how to do it' \
    grep -q "4 topics, 6 partitions; nothing was sent\. To do it: --operate --execute --expect-count 4 --expect-cluster $cluster" "$scratch/err"
for full in '>/dev/full' '>&-'; do
    is "with standard output $full nothing is sent" \
        "$(eval "XDG_STATE_HOME=\$scratch/home/state \$KAFOPS delete --zookeeper \$KAFOPS_ZK --topic team.c --operate --execute --expect-count 1 2>\$scratch/err $full"; echo $?)" 1
    ok '... which is said' grep -q 'standard output' "$scratch/err"
done
ok 'a topic that there is none of is said' status 1 --topic nothing
is 'nothing was asked of Kafka' "$(markers)" '[]'

# ---- read-only: every key, the dialog among them ----
console_start --zookeeper "$KAFOPS_ZK"
wait_text 'live' && keys 2
wait_text 'team\.a'
keys '*'
typed 'team\..*,__.*'
ok 'internal topics are struck out' wait_text 'struck out: 1 internal \(__consumer_offsets\)'
keys Enter
wait_text '^ marked 4 topics'
keys D
ok 'the effect shows in read-only mode, too' wait_text 'Delete 4 topics in '
answer 4
ok '... up to the last question' wait_text 'And the name of the cluster:'
answer "$cluster"
ok '... after which it is refused' wait_text 'read-only: start with --operate'
keys Escape 2
wait_text '^ marked'
press_every_key 1 2 3 4 6 8 '?'
keys 2
ok 'after every key in every view it is there' wait_text 'team\.a'
keys 2 q
ok 'it ends' console_ends
# shellcheck disable=SC2046
ok 'the transaction log has nothing of ours but sessions made and closed' only_made_and_closed $(sessions_in "$scratch/console.log")

# ---- the console, with a broker dead ----
sandbox kill-broker "$dead"
WAIT=60 poll is_not_registered "$dead"
"$KAFOPS" delete --zookeeper "$KAFOPS_ZK" --topic 'team\..*' >"$scratch/out" 2>"$scratch/err"
ok 'a dry run for people says it, too' grep -q "warning: Broker $dead is down and holds replicas of 2 of them, [0-9]* replicas: they will wait until it registers. (team\.a and " "$scratch/err"
console_start --zookeeper "$KAFOPS_ZK" --operate
ok 'it may operate' wait_text '^kafops .*OPERATE'
keys 2
wait_text 'team\.a'
keys '*'
typed 'team\..*,__.*'
ok 'internal topics are struck out' wait_text 'struck out: 1 internal'
keys Enter
wait_text '^ marked 4 topics'
keys D
ok 'the check says that two will wait, and for whom' wait_text "Broker $dead is down and holds replicas of 2 of them"
ok '... and of the others nothing' screen_lacks 'team\.c'
keys Enter
ok 'then the effect' wait_text 'Together 6 partitions of '
ok '... with the last word' wait_text "This can't be undone"
answer 3
ok 'another number is not taken' wait_text '3 is not the number of topics; nothing was sent'
keys C-u
# In one write, as a terminal pastes: key by key they may be read one after the other.
tmux -L "$e2e_socket" set-buffer $'4\n' \; paste-buffer
ok 'nor what is pasted with the end of a line' wait_text 'pasted\? Enter by itself'
is '... and nothing was sent' "$(markers)" '[]'
keys Enter
wait_text 'And the name of the cluster:'
answer "$cluster"
ok 'all are taken, and the deletions come on view' wait_text '4 topics are queued for deletion'
ok 'two go' poll is_gone team.c
ok '... both' poll is_gone team.d
ok 'the others wait, and it is said for whom' wait_text "team\.a +waiting .*broker $dead down"
ok '... of both' wait_text "team\.b +waiting .*broker $dead down"
ok 'one that is queued is no refusal' status 0 --topic team.a --operate --execute --expect-count 1
is '... by its own name' "$(actions)" 'team.a=already-queued'
ok '... and is followed like any other' status 4 --topic team.a --operate --execute --expect-count 1 --wait --for 1s
is 'the one that was not marked is there' "$(exists keep.me && echo yes)" yes
sandbox start-broker "$dead"
ok 'the broker is back, and the first goes' poll is_gone team.a
ok '... and the second' poll is_gone team.b
keys 8
ok 'the journal tells of it' wait_text 'delete'
keys 2 q
ok 'it ends' console_ends
is 'an intent before, an outcome of each after, under one id' \
    "$(journal '[.items[] | select(.phase == "intent" or .phase == "outcome")] | [(map(.id) | unique | length), (map(.phase) | join(",")), ([.[] | select(.phase == "outcome") | .items[] | .topic + "=" + .outcome] | sort | join(","))] | join(" ")')" \
    '1 intent,outcome team.a=taken,team.b=taken,team.c=taken,team.d=taken'
ok 'what was refused in read-only mode is there, too' eval '[ "$(journal "[.items[] | select(.phase == \"refused\")] | length")" -ge 2 ]'
ok 'the disks are empty after the delay' eval 'for t in team.a team.b team.c team.d; do poll no_files $t || exit 1; done'

# ---- batch: done, and followed to the end ----
sandbox make team.e 1 3 >/dev/null
ok 'a batch deletion is followed to its end' status 0 --topic team.e --operate --execute --expect-count 1 --expect-cluster "$cluster" --wait --for 90s --timeout 60s
is '... as it says' "$(actions)" 'team.e=requested'
ok '... and it is gone' is_gone team.e

# ---- the disk fills up between intent and outcome: a file that may grow by an intent, as long as the last one, and no more ----
sandbox make team.f 1 3 >/dev/null
file=$(find "$scratch/home/state" -name 'journal*' -type f | head -1)
room=$(($(wc -c <"$file") + $(grep '"intent"' "$file" | tail -1 | wc -c) + 20))
full() { KAFOPS=$scratch/full status 5 --topic team.f --operate --execute --expect-count 1 --expect-cluster "$cluster"; }
printf '#!/bin/sh\nexec prlimit --fsize=%s "%s" "$@"\n' "$room" "$KAFOPS" >"$scratch/full" && chmod +x "$scratch/full"
ok 'an outcome that the journal does not take is no success' full
is '... though it was sent' "$(actions)" 'team.f=requested'
ok '... and it is said' warns 'what came of it is not in the journal'
