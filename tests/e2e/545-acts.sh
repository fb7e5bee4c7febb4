#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A deletion on Kafka 2.8.2 during which things happen: a broker dies while the question is open, so that nothing is sent before the difference was
# shown; then somebody takes the marker away, and the console puts it again.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || skip_all "jq is not installed"
COLUMNS=120
WAIT=90
plan 21

kafka_up "${version:=2.8.2}" 3 --zk-set maxSessionTimeout=60000 --set '*:auto.create.topics.enable=false'
controller=$(sandbox controller)
dead=$((controller % 3 + 1))
printf '%s\n' 'here 1 3' 'there 1 3' 'quick 1 1' | sandbox make
cluster=$(sandbox zk-get /cluster/id | jq -r .id | cut -c1-6)

is_marked() { sandbox zk-get /admin/delete_topics/there >/dev/null 2>&1; }
is_not_marked() { ! is_marked; }
is_gone() { is_not_marked && ! sandbox zk-get /brokers/topics/there >/dev/null 2>&1; }
journal() { XDG_STATE_HOME=$scratch/home/state "$KAFOPS" journal --json | jq -r "$1"; }
# answer TEXT: types it into the question, and Enter by itself once it shows there.
answer() { typed "$1" && wait_text ": $1" && keys Enter; }

console_start --zookeeper "$KAFOPS_ZK" --operate
wait_text '3/3 brokers' && wait_text 'live' && wait_text 'there'

# It does not see the marker, for it stands still until the topic is gone.
"$KAFOPS" deletions --zookeeper "$KAFOPS_ZK" --zk-session-timeout 60s --watch >"$scratch/watch" 2>"$scratch/watch.err" &
watch=$!
poll grep -q '"snapshot"' "$scratch/watch"
kill -STOP "$watch"
sandbox kafka topics --delete --topic quick >"$scratch/tool" 2>&1
poll eval '! sandbox zk-get /brokers/topics/quick >/dev/null 2>&1 && ! sandbox zk-get /admin/delete_topics/quick >/dev/null 2>&1'
kill -CONT "$watch"
poll grep -q '"event":"done","topic":"quick"' "$scratch/watch"
is 'a deletion that was too quick to follow is told as what it is' \
    "$(jq -rs 'map(select(.topic == "quick") | .event + (.text // "" | capture("(?<t> no marker was seen: its deletion was too quick to follow)").t // "")) | join(",")' "$scratch/watch")" \
    'znode-gone,done no marker was seen: its deletion was too quick to follow'
kill "$watch"
wait "$watch"

keys '*'
typed there
keys Enter
wait_text '^ marked 1 topic'
keys D
ok 'what is well goes to the question at once' wait_text 'Type the name of the topic to delete it:'
mkdir -p "$scratch/home/state/kafops/journal"
answer there
wait_text 'And the name of the cluster:'
answer "$cluster"
ok 'what can not be written down is not sent' wait_text 'NOT SENT'
ok '... and it is said to the end, with what to do' wait_text 'move it away'
rmdir "$scratch/home/state/kafops/journal"
keys Enter
ok '... which is gone on from' wait_text 'Type the name of the topic to delete it:'
sandbox kill-broker "$dead"
ok 'a broker dies meanwhile' wait_text '2/3 brokers'
ok 'then it is the check again, and the difference is shown' wait_text 'CHANGED since the check; nothing was sent'
ok '... in words' wait_text "broker $dead is down: 1 replica will wait"
ok '... really nothing' is_not_marked
keys Enter
ok 'it can be gone on with' wait_text 'Type the name of the topic to delete it:'
answer there
wait_text 'And the name of the cluster:'
answer "$cluster"
ok 'it is queued' poll is_marked
ok '... and waits' wait_text "there +waiting .*broker $dead down"
sandbox zk delete /admin/delete_topics/there >/dev/null 2>&1
keys Enter
ok 'a marker that is taken away is noticed' wait_text 'Put the marker again'
keys a
ok 'it can be put again from here' wait_text 'HERE +Put the marker again, which somebody took away'
ok '... and taking one away is not offered' screen_has 'Taking the marker away is not offered'
keys Enter
wait_text 'Put the marker of 1 topic into ZooKeeper in'
keys Enter
ok 'what that goes around is said' wait_text "goes around Kafka's ACLs"
answer there
wait_text 'And the name of the cluster:'
answer "$cluster"
ok 'the marker is there again' poll is_marked
sandbox start-broker "$dead"
ok 'and with the broker the topic goes' poll is_gone
keys 2 q
ok 'it ends' console_ends
is 'the journal has both ways' "$(journal '[.items[] | select(.phase == "outcome") | .command + "/" + .way + "=" + .items[0].outcome] | join(" ")')" \
    'delete-topics/api=taken mark-topics/znode=taken'
is 'the other topic is there' "$(sandbox zk-get /brokers/topics/here >/dev/null 2>&1 && echo yes)" yes
