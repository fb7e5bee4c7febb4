# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Deleting from the console on Kafka $version, by keys: topics marked by a pattern, their number typed, watched until they are gone, in the journal; then
# the other way, a marker in ZooKeeper: of a topic that never had a leader, and while no broker answers.
# To be sourced by tests/e2e/55N-console-delete-VERSION.sh.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || skip_all "jq is not installed"
COLUMNS=120
WAIT=60
plan 27

kafka_up "${version:?}" 3 --set '*:auto.create.topics.enable=false'
controller=$(sandbox controller)
dead=$((controller % 3 + 1))
printf '%s\n' 'team.a 2 3' 'team.b 1 3' 'other.c 1 3' 'keep.me 90 1' | sandbox make

exists() { sandbox zk-get "/brokers/topics/$1" >/dev/null 2>&1; }
is_marked() { sandbox zk-get "/admin/delete_topics/$1" >/dev/null 2>&1; }
is_gone() { ! exists "$1" && ! is_marked "$1"; }
is_not_registered() { ! sandbox zk-get "/brokers/ids/$1" >/dev/null 2>&1; }
journal() { XDG_STATE_HOME=$scratch/home/state "$KAFOPS" journal --json | jq -r "$1"; }
# answer TEXT: types it into the question, and Enter by itself once it shows there.
answer() { typed "$1" && wait_text ": $1" && keys Enter; }
marks() { keys 2 '*' && typed "$1" && keys Enter && wait_text "^ marked $2 topic"; }

# ---- by Kafka's own request ----
console_start --zookeeper "$KAFOPS_ZK" --operate
wait_text '3/3 brokers' && wait_text 'live' && wait_text 'team\.b'
keys '*'
typed 'team\..*'
ok 'what a pattern takes shows while it is typed' wait_text '^ *2 topics \(50.0 % of all\)'
keys Enter
wait_text '^ marked 2 topics'
keys D
ok 'the effect on one screen' wait_text 'Delete 2 topics in '
ok '... with its share' wait_text 'Together 3 partitions of 94'
answer 3
ok 'another number is not taken' wait_text '3 is not the number of topics; nothing was sent'
keys C-u
answer 2
ok 'the number is' wait_text '2 topics are queued for deletion'
ok 'one goes' poll is_gone team.a
ok '... and the other' poll is_gone team.b
ok '... which is no news to who asked for it' screen_lacks 'marked topics? (is|are) gone'
ok '... as the deletions show' wait_text 'team\.b +done'
ok 'what was not marked is there' exists other.c
is 'the journal has an intent, then an outcome of each' \
    "$(journal '[.items[] | select(.phase == "intent" or .phase == "outcome")] | (map(.phase) | join(",")) + " " + ([.[] | select(.phase == "outcome") | .items[] | .topic + "=" + .outcome] | sort | join(","))')" \
    'intent,outcome team.a=taken,team.b=taken'

# ---- a topic that never had a leader ----
sandbox kill-broker "$dead"
poll is_not_registered "$dead"
# By hand: the tool waits for a leader until its request times out.
printf 'create\t/brokers/topics/never\t{"version":1,"partitions":{"0":[%d]}}\n' "$dead" >"$scratch/make"
sandbox zk-batch "$scratch/make" >/dev/null
keys 2
wait_text 'never'
marks never 1
keys D
ok 'a topic that never had a leader is nothing for brokers' wait_text 'never: No partition of it ever had a leader'
ok '... and the other way is on offer' wait_text 'z puts the deletion marker into ZooKeeper instead'
keys z
ok '... which is a command of its own' wait_text 'Put the marker of 1 topic into ZooKeeper in'
wait_text 'it will wait for it'
keys Enter
ok '... and goes around access control' wait_text "goes around Kafka's ACLs"
answer never
ok 'the marker is put' poll is_marked never
ok '... and it is said what it waits for' wait_text "never +waiting .*broker $dead down"
sandbox start-broker "$dead"
ok 'with the broker it goes' poll is_gone never

# ---- no broker answers ----
for broker in 1 2 3; do sandbox kill-broker "$broker"; done
keys 2
ok 'no broker is there' wait_text '0/3 brokers|no broker'
marks other.c 1
keys D
ok 'nobody can be asked' wait_text 'No broker is the controller'
wait_text 'z puts the deletion marker' && keys z
wait_text 'Put the marker of 1 topic into ZooKeeper in'
keys Enter
answer other.c
ok 'the marker can be put' poll is_marked other.c
ok '... and it waits for a controller' wait_text 'other\.c +(queued|waiting)'
for broker in 1 2 3; do sandbox start-broker "$broker" & done
wait
ok 'with the brokers it goes' poll is_gone other.c
is 'the journal tells the ways apart' "$(journal '[.items[] | select(.phase == "outcome") | .command + "/" + .way + "=" + .items[0].outcome] | join(" ")')" \
    'delete-topics/api=taken mark-topics/znode=taken mark-topics/znode=taken'
keys 2 U q
ok 'it ends' console_ends
ok 'the last topic is there' exists keep.me
is 'and nothing is left in /admin/delete_topics' "$(sandbox zk ls /admin/delete_topics 2>/dev/null | grep '^\[.*\]$')" '[]'
