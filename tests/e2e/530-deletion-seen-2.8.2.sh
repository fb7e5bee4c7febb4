#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A topic is deleted while a broker is dead, on Kafka 2.8.2: what the console sees of it, and what it still knows after a restart
# during which the controller moved. The broker comes back and the topic goes.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

watchreplay=${top_builddir:?}/tests/tools/watchreplay
[ -x "$watchreplay" ] || bail_out "tests/tools/watchreplay isn't built"
COLUMNS=120
plan 14

kafka_up "${version:=2.8.2}" 3
memory=$scratch/home/state/kafops/memory
printf 't 2 3\nother 1 2\n' | sandbox make
sandbox fill t 200000 >/dev/null

# remembered N PATTERN: it stands N times in the file.
remembered() { [ "$(cat "$memory"/*.json 2>/dev/null | grep -Eo -- "$2" | wc -l)" = "$1" ]; }
answered() { [ "$(grep -c '"api":35' "$1")" -ge "$2" ]; }
forgotten() { ! compgen -G "$memory/*.json" >/dev/null; }
seen() { "$watchreplay" "$@" >"$scratch/seen" && diag <"$scratch/seen"; }
has() { grep -Eq -- "$1" "$scratch/seen"; }
is_registered() { sandbox zk-get "/brokers/ids/$1" >/dev/null 2>&1; }
is_not_registered() { ! is_registered "$1"; }
is_marked() { sandbox zk-get /admin/delete_topics/t >/dev/null 2>&1; }

controller=$(sandbox controller)
dead=$((controller % 3 + 1))

console_start --zookeeper "$KAFOPS_ZK" --record "$scratch/first.trace"
ok 'the topic is shown' wait_text '^. *t '
ok 'all brokers have told their log dirs' poll answered "$scratch/first.trace" 3
ok 'nothing is remembered while nothing is deleted' forgotten
sandbox kill-broker "$dead"
WAIT=60 poll is_not_registered "$dead"
sandbox kafka topics --delete --topic t 2>&1 | grep -v SLF4J | diag
ok 'replicas that living brokers deleted are remembered as gone' poll remembered 4 '"gone":'
ok 'and those of the dead one not, with where they lay' poll remembered 2 "\"broker\":$dead,\"dir\":\"[^\"]*\",\"size\":[0-9]+,\"listed\":[0-9]+(,\"registration\":[0-9]+)?}"
ok 'the try is at rest' poll remembered 1 '"done":4,"left":2'
keys q
ok 'it ends' console_ends
seen "$scratch/first.trace"
ok 'it came while we looked, a pass has run, and the controller has dropped it' \
    has '^deletion t open came=yes alive=yes pass=yes lists=absent polls=[1-9].* replicas=6 gone=4'
ok 'the first try deleted four of six' has '^attempt t marked .* effect=yes done=4 left=2'

# Nobody looks while the controller moves: the deletion is a step back, living brokers have empty replicas.
sandbox move-controller >/dev/null
console_start --zookeeper "$KAFOPS_ZK" --record "$scratch/second.trace"
ok 'the next run knows that they had been gone, and sees them made again' poll remembered 4 '"refilled":true'
ok 'and of the election, beside the first try' poll remembered 1 '"trigger":"marked".*"trigger":"controller elected"'
sandbox start-broker "$dead"
ok 'the broker is back and the topic goes' poll_or_tell e2e_znode_is /admin/delete_topics/t absent
ok 'it is remembered no more' poll forgotten
keys q
console_ends
seen "$scratch/second.trace"
ok 'without memory it was found under way; the broker that came back ended it' \
    has "^attempt t started id=$dead .* effect=yes done=6 left=0"
[ -z "${KEEP_TRACE:-}" ] || cp "$scratch/first.trace" "$scratch/second.trace" "$KEEP_TRACE"
