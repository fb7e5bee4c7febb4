#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Throttles that Kafka's own tool sets: they serve the move while it runs, and are left over when it has ended.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

command -v jq >/dev/null || skip_all "jq is not installed"

throttles() { "$KAFOPS" throttles --zookeeper "$KAFOPS_ZK" --from zookeeper --json; }
# all_of JQ: the items pass it.
all_of() { throttles >"$scratch/throttles"; jq -e "$1" "$scratch/throttles" >/dev/null; }

# reassign ARG...: the plan, by the tool.
reassign() { sandbox kafka reassign-partitions --reassignment-json-file "$scratch/plan" "$@" >"$scratch/tool" 2>&1 || { diag <"$scratch/tool"; return 1; }; }

plan 10
kafka_up 2.8.2 2
sandbox make e2e.throttled 1 1
leader=$("$KAFOPS" describe --zookeeper "$KAFOPS_ZK" --json | jq '.items[] | select(.topic == "e2e.throttled") | .replicas[0]')
other=$((3 - leader))
sandbox fill e2e.throttled 2000000 >/dev/null
printf '{"version":1,"partitions":[{"topic":"e2e.throttled","partition":0,"replicas":[%d]}]}\n' "$other" >"$scratch/plan"
"$KAFOPS" throttles --zookeeper "$KAFOPS_ZK" >"$scratch/out" 2>"$scratch/err"
is 'without throttles that is said' "$?,$(cat "$scratch/out" "$scratch/err")" '0,kafops: no throttle was found'

"$KAFOPS" throttles --zookeeper "$KAFOPS_ZK" --from brokers >"$scratch/out" 2>"$scratch/err"
is 'brokers are not asked for what only ZooKeeper says' "$?,$(cat "$scratch/out" "$scratch/err")" \
    "2,kafops: throttles is what ZooKeeper says: it can't be had --from brokers"
"$KAFOPS" throttles --bootstrap-server "$KAFOPS_BOOTSTRAP" >"$scratch/out" 2>"$scratch/err"
is 'nor without ZooKeeper' "$?,$(cat "$scratch/out" "$scratch/err")" "2,kafops: throttles is what ZooKeeper says: it can't be had without --zookeeper"

ok 'the tool begins a move that is throttled' reassign --execute --throttle 1000
ok 'two rates a broker and two lists are found' eval 'poll all_of "[.items[] | .scope] == [\"broker\",\"broker\",\"broker\",\"broker\",\"topic\",\"topic\"]"'
ok 'the source is served by its leader rate' all_of \
    '.items[] | select(.name == "'"$leader"'" and (.setting | startswith("leader"))) | .serves == [{topic: "e2e.throttled", partition: 0, broker: '"$leader"'}] and .value == "1000"'
ok 'the target by its follower rate' all_of \
    '.items[] | select(.name == "'"$other"'" and (.setting | startswith("follower"))) | .serves == [{topic: "e2e.throttled", partition: 0, broker: '"$other"'}]'
ok 'nothing is left over while it runs' all_of 'all(.items[]; .leftover == false)'

ok 'the tool sets it free' reassign --execute --additional --throttle 100000000
ok 'when it has ended all is left over' eval 'WAIT=40 poll all_of "(.items | length) == 6 and all(.items[]; .leftover == true and .serves == [])"'
jq -c '.items[] | [.scope, .name, .setting, .value, .serves, .leftover]' "$scratch/throttles" | diag
