# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The list of disagreements on a real cluster of the version in $version, as the console's overview shows it: sourced by the
# tests named after it. Each is made as operators make them, is shown, alone or with those made beside it, Enter says what
# mends it, and it goes when that is done. What takes long to be told is made together, so that it ripens together.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=told.sh
. "$(dirname "$0")/told.sh"

truthreplay=${top_builddir:?}/tests/tools/truthreplay
[ -x "$truthreplay" ] || bail_out "tests/tools/truthreplay isn't built"

# ---- how they are made and mended ----

# reassign_tool ARGS...: the one the texts name, of 2.6 or later, with $scratch/plan.json; waits for no move.
reassign_tool()
{
    (
        case $version in 2.5.*)
            sandbox() { java -Xmx128m -XX:TieredStopAtLevel=1 -cp "${KAFOPS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kafops}/jars/2.8.2/*" \
                kafka.admin.ReassignPartitionsCommand --bootstrap-server "$KAFOPS_BOOTSTRAP" "${@:3}"; } ;;
        esac
        sandbox kafka reassign-partitions "$@" --reassignment-json-file "$scratch/plan.json" 2>&1
    ) | grep -v SLF4J | diag
}

# reassign TOPIC PARTITION REPLICAS [DIRS]: as the texts say; DIRS are the log dirs of the replicas, as in JSON.
reassign()
{
    printf '{"version":1,"partitions":[{"topic":"%s","partition":%s,"replicas":[%s]%s}]}\n' "$1" "$2" "$3" "${4:+,\"log_dirs\":[$4]}" >"$scratch/plan.json"
    reassign_tool --execute --additional
}

replicas_of() { sandbox zk-get "/brokers/topics/$1" | sed -E 's/.*"partitions":\{"0":\[([0-9,]+)\].*/\1/'; }
# without REPLICAS: a broker that is not among them.
without() { for id in 1 2 3; do case ,$1, in *,$id,*) ;; *) printf '%s\n' "$id"; return ;; esac; done; }
dir_of() { dirname "$(find "$KAFOPS_SANDBOX_DIR/broker-$1" -maxdepth 2 -name "$2" | head -1)"; }
znode_has() { sandbox zk-get "/brokers/topics/$1" | grep -q "$2"; }
lacks() { ! find "$KAFOPS_SANDBOX_DIR/broker-$1" -maxdepth 2 -name "$2" | grep -q .; }

case $version in 2.5.*) e2e_java 2.8.2 ;; esac
kafka_up "$version" 3
plan 27
printf '%s\n' 'pay 1 @1,2' 'qu 1 @3,1' 'gone 1 @1,3' 'held 1 @1,3' 'hand 1 @1,3' 'half 1 @1,2' 'left 1 @3,1' 'again 1 @3,1' 'twice 1 @3,1' | sandbox make
sandbox fill gone 3000 >/dev/null
sandbox fill again 3000 >/dev/null
sandbox fill twice 4000000 >/dev/null
console_start --zookeeper "$KAFOPS_ZK" --record "$scratch/trace"
ok 'at first nothing disagrees' expect_truths
pay=$(replicas_of pay) qu=$(replicas_of qu)

znodes 'create /admin/reassign_partitions {"version":1}'
ok 'a reassignment node without a list is told' expect_truths 'reassignment node without a list: /admin/reassign_partitions'
ok 'and what mends it' opens 'Delete the node before the next election'
znodes 'delete /admin/reassign_partitions'
ok 'it goes with the node' expect_truths

# The controller watches for the node no more, until a request by the API makes it look again.
znodes 'create /admin/reassign_partitions {"version":1,"partitions":[{"topic":"qu","partition":0,"replicas":["3","1"]}]}'
ok 'quoted broker ids in it are told' expect_truths 'reassignment node with quoted broker ids: /admin/reassign_partitions'
ok 'and what mends it' opens 'to the replicas they have now'
reassign qu 0 "$qu"
ok 'a reassignment to the replicas it has takes the entry out' expect_truths

# The controller takes it at once now, and writes strings into the topic node.
znodes "create /admin/reassign_partitions {\"version\":1,\"partitions\":[{\"topic\":\"qu\",\"partition\":0,\"replicas\":[\"$(without "$qu")\",\"${qu%,*}\"]}]}"
ok 'quoted broker ids in a topic node are told' expect_truths 'topic node with quoted broker ids: qu'
ok 'and what mends it' opens 'Keep the controller running'
restore_qu()
{
    case $version in
        2.5.*) # its controller doesn't answer the tool now
            znodes "set /brokers/topics/qu {\"version\":2,\"partitions\":{\"0\":[$qu]},\"adding_replicas\":{},\"removing_replicas\":{}}"
            sandbox move-controller >/dev/null ;;
        *) reassign qu 0 "$qu" ;;
    esac
}
restore_qu
ok 'it goes when the node is restored as that says' expect_truths

# What the text of the node without a list foretells.
znodes 'create /admin/reassign_partitions {"version":1}' 'delete /controller'
ok 'an election while the node has no list begins a storm of them' expect_truths \
    'reassignment node without a list: /admin/reassign_partitions' 'election storm: /controller_epoch'
ok 'and what mends it' opens 'Look for the other poison in this list'
znodes 'delete /admin/reassign_partitions'
ok 'without the node no election follows, and the storm is told a while longer' expect_truths 'election storm: /controller_epoch'

sandbox fail-dir 3 1
offline="log dir offline: broker 3, $KAFOPS_SANDBOX_DIR/broker-3/d1"
ok 'the storm is over; a log dir that is offline is told' expect_truths "$offline"
ok 'and what mends it' opens "Look in the broker's log" 'Open *broker 3'
sandbox heal-dir 3 1
sandbox stop-broker 3

# With broker 3 down: a move away from it ends; a topic whose deletion waits for it is taken out of ZooKeeper by hand, with an
# election, and made again elsewhere; a copy between its dirs has been begun within one dir.
ok 'a broker that is down has no log dir offline' expect_truths
reassign left 0 1
sandbox kafka topics --delete --topic again 2>&1 | diag
WAIT=60 poll lacks 1 again-0 || diag 'broker 1 still has again-0'
znodes 'delete-r /brokers/topics/again' 'delete /config/topics/again' 'delete /admin/delete_topics/again'
sandbox move-controller 1
sandbox make again 1 @1,2
twice=$(dir_of 3 twice-0)
mkdir "$twice/twice-0.00000000000000000000000000000001-future"
sandbox start-broker 3 --set 3:replica.alter.log.dirs.io.max.bytes.per.second=1
orphans=("orphan replica of a living topic: left 0 on broker 3, $(dir_of 3 left-0)"
    "orphan replica of a living topic: again 0 on broker 3, $(dir_of 3 again-0)")
# Of two logs in one dir Kafka 2.5 lists one.
case $version in 2.5.*) ;; *) orphans+=("replica twice on one broker: twice 0 on broker 3, $twice") ;; esac

# What is told after a while. With a child in it the controller can't take a marker away; it mustn't be faster.
gone=()
for broker in 1 3; do gone+=("orphan replica: gone 0 on broker $broker, $(dir_of "$broker" gone-0)"); done
id=$(sandbox zk-get /brokers/topics/qu | grep -o '"topic_id":"[^"]*",') || id=
held=$(sandbox zk-get /brokers/topics/held)
# Only then has the controller read that node for the last time: a change of the ISR that it hears of later makes it take what is written by hand.
isr_is_told() { sandbox kafka topics --describe --topic hand 2>/dev/null | grep -Eq 'Isr: (1,3|3,1)'; }
WAIT=60 PAUSE=0.5 poll isr_is_told || diag 'the ISR of hand is not whole'
hand=$(sandbox zk-get /brokers/topics/hand/partitions/0/state)
other=$(without "$qu")
sandbox pause-broker 1
znodes 'create /admin/delete_topics/ghost' 'create /admin/delete_topics/ghost/child'
sandbox resume-broker 1
# To a broker that isn't there: it goes on for good. The controller watches for no other node once this one goes.
znodes 'create /admin/reassign_partitions {"version":1,"partitions":[{"topic":"held","partition":0,"replicas":[9]}]}'
is_taken() { sandbox zk-get /brokers/topics/held | grep -q '"adding_replicas":{"0":\[9\]'; }
poll is_taken || diag 'the controller has not taken the move of held'
znodes 'delete /admin/reassign_partitions'
znodes "create /admin/reassign_partitions {\"version\":1,\"partitions\":[{\"topic\":\"pay\",\"partition\":0,\"replicas\":[$(without "$pay"),${pay%,*}]}]}" \
    "set /brokers/topics/qu {\"version\":3,$id\"partitions\":{\"0\":[$other,$qu]},\"adding_replicas\":{\"0\":[$other]},\"removing_replicas\":{\"0\":[${qu%,*}]}}" \
    "set /brokers/topics/held $held" \
    "set /brokers/topics/hand/partitions/0/state $(sed 's/"leader":1/"leader":3/; s/"leader_epoch":[0-9]*/"leader_epoch":9/' <<<"$hand")" \
    'delete-r /brokers/topics/gone'
# With broker 2 down: a topic made on it alone, and the marker of a deletion that waits for it is taken away.
sandbox stop-broker 2
sandbox kafka topics --delete --topic half 2>&1 | diag
WAIT=60 poll lacks 1 half-0 || diag 'broker 1 still has half-0'
znodes 'delete /admin/delete_topics/half' 'create /brokers/topics/lost {"version":2,"partitions":{"0":[2]},"adding_replicas":{},"removing_replicas":{}}'
leftover='leftover reassignment entry: pay 0' ghost='marker without a topic: ghost' zombie='zombie reassignment: qu 0' held='zombie reassignment: held 0'
lost='partitions without state nodes: lost' half='topic missing in metadata: half' hand='leader or ISR differs: hand 0'
listed=('deleted topic in metadata: gone' "${gone[@]}")
all=("$leftover" "$ghost" "$zombie" "$held" "$lost" "$half" "$hand" "${listed[@]}" "${orphans[@]}")
ok 'what nothing runs or only one side has, by ZooKeeper, the controller, metadata and the disks, is told, each' expect_truths "${all[@]}"
ok 'and of each what mends it' opens_each "${all[@]}"

znodes 'delete /admin/delete_topics/ghost/child'
sandbox start-broker 2
# The tool takes no plan with a broker that is down.
reassign pay 0 "$pay"
ok 'a reassignment to the replicas it has takes the entry out; the broker that was down is given a leader, and ends the deletion' \
    expect_truths "$ghost" "$zombie" "$held" "$hand" "${listed[@]}" "${orphans[@]}"
sandbox kafka topics --delete --topic lost 2>&1 | diag
ok 'a marker without children goes with the next one' expect_truths "$zombie" "$held" "$hand" "${listed[@]}" "${orphans[@]}"
reassign qu 0 "$other,${qu#*,}"
# A broker that is stopped before it has deleted its replica would keep it.
WAIT=60 poll lacks "${qu%,*}" qu-0 || diag "broker ${qu%,*} still has qu-0"
printf '%s\n' '{"version":1,"partitions":[{"topic":"held","partition":0,"replicas":[9]}]}' >"$scratch/plan.json"
reassign_tool --cancel --preserve-throttles
ok 'a zombie ends when it is submitted again, one that the controller alone has when it is cancelled' expect_truths "$hand" "${listed[@]}" "${orphans[@]}"
reassign left 0 3,1
WAIT=60 poll znode_has left '\[3,1\].*"adding_replicas":{}' || diag 'left did not come to broker 3'
reassign left 0 1
WAIT=60 poll lacks 3 left-0 || diag 'broker 3 still has left-0'
reassign twice 0 3,1 "\"$twice\",\"any\""
ok 'a replica left by a move goes with one there and back; a copy within one dir is not cancelled' expect_truths "$hand" "${listed[@]}" "${orphans[@]:1}"
for broker in 3 1; do
    sandbox stop-broker "$broker"
    rm -rf "$KAFOPS_SANDBOX_DIR/broker-$broker"/d[12]/gone-0 "$KAFOPS_SANDBOX_DIR/broker-$broker"/d[12]/twice-0.*-future
    [ "$broker" != 3 ] || rm -rf "$KAFOPS_SANDBOX_DIR/broker-$broker"/d[12]/again-0
    sandbox start-broker "$broker"
done
ok 'brokers restarted forget a topic, directories removed are orphans no more, the next controller tells what the state node has' expect_truths

# A throttle is told after five minutes in which nothing moved by it: the recording is played with a pause of six before it is mended.
throttled="follower.replication.throttled.rate" rate_node='"path":"/config/brokers/1"'
sandbox kafka configs --alter --entity-type brokers --entity-name 1 --add-config "$throttled=50000" 2>&1 | diag
wait_text '^. *Throttles +1 '
sandbox kafka configs --alter --entity-type brokers --entity-name 1 --delete-config "$throttled" 2>&1 | diag
wait_text '^. *Throttles +0( |$)'
keys q
WAIT=40 console_ends
later() { awk '{ match($0, /"t":[0-9]+/); t = substr($0, RSTART + 4, RLENGTH - 4) + 360000; sub(/"t":[0-9]+/, "\"t\":" t); print }'; }
mended=$(grep -nF "$rate_node" "$scratch/trace" | tail -n 1 | cut -d : -f 1)
{ head -n $((mended - 1)) "$scratch/trace"; sed -n "$((mended - 1))p" "$scratch/trace" | later; } >"$scratch/longer"
{ head -n $((mended - 1)) "$scratch/trace"; tail -n "+$mended" "$scratch/trace" | later; } >"$scratch/mended"
throttle="throttle without a move: broker 1, $throttled"
E2E_VIEW=overview console_start replay --speed 100 "$scratch/longer"
ok 'a throttle left behind is told' expect_truths "$throttle"
ok 'and what mends it' opens 'kafka-configs --bootstrap-server --alter --delete-config'
"$truthreplay" "$scratch/mended" >"$scratch/lists" 2>&1
is 'after each event of the recording the list was one of those' "$(grep '^[P-]' "$scratch/lists" | sed -E 's/^[^ ]+ //; s/ \| .*//' | LC_ALL=C sort -u)" \
    "$(printf '%s\n' 'reassignment node without a list: /admin/reassign_partitions' 'reassignment node with quoted broker ids: /admin/reassign_partitions' \
        'topic node with quoted broker ids: qu' 'election storm: /controller_epoch' "$offline" "${all[@]}" "$throttle" | LC_ALL=C sort -u)"
is 'the throttle went when it was deleted, and nothing was left' "$(awk '/^at/ { n = 0 } /^[P-]/ { n++ } END { print n + 0 }' "$scratch/lists")" 0
