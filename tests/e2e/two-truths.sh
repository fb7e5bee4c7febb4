# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The list of disagreements on a real cluster of the version in $version, sourced by the tests named after it: a
# healthy cluster at work has none, each is made as operators make them, shows, and goes when it is mended as its text says.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

truthprint=${top_builddir:?}/tests/tools/truthprint
[ -x "$truthprint" ] || bail_out "tests/tools/truthprint isn't built"
tab=$(printf '\t')

# ---- what is told ----

truths_start()
{
    mkfifo "$scratch/hold"
    "$truthprint" "$KAFOPS_ZK" <"$scratch/hold" >"$scratch/truths.log" 2>"$scratch/truthprint.log" &
    truths_pid=$!
    exec 9>"$scratch/hold"
}

truths_stop() { exec 9>&-; wait "$truths_pid"; }

# As lib.sh has it; a broker that held the pipe open would keep truthprint from its end.
sandbox() { "$e2e_top/tests/sandbox/sandbox" "$@" 9>&-; }

# truths_now: "kind: subject" of each in the last whole list, sorted; of throttles, which take minutes to be told, only with $throttles.
truths_now()
{
    truths_all | if [ -n "${throttles:-}" ]; then cat; else grep -v '^throttle without a move:'; fi
}

truths_all()
{
    awk '/^at /{ s = "" } /^end$/{ last = s } !/^at |^end$/{ sub(/^[^ ]+ /, ""); sub(/ \| .*/, ""); s = s $0 "\n" } END { printf "%s", last }' \
        "$scratch/truths.log" | LC_ALL=C sort
}

e2e_truths_are() { [ "$(truths_now)" = "$1" ]; }

# expect_truths NAME...: waits until these are told, as "kind: subject", and no others. None: no truths.
expect_truths()
{
    local wanted=
    [ $# -eq 0 ] || wanted=$(printf '%s\n' "$@" | LC_ALL=C sort)
    WAIT=${WAIT:-180} poll e2e_truths_are "$wanted" && return
    diag "expected:" "$wanted"
    diag "told:"
    diag <"$scratch/truths.log"
    tail -5 "$scratch/truthprint.log" | diag
    return 1
}

# truths_were_none: no list had any so far.
truths_were_none()
{
    grep -q '^end$' "$scratch/truths.log" && ! grep -Evq '^(at |end$)' "$scratch/truths.log" && return
    diag <"$scratch/truths.log"
    return 1
}

# ---- how they are made and mended ----

# znode OPERATION PATH [DATA]
znode() { printf '%s%s%s%s%s\n' "$1" "$tab" "$2" "$tab" "${3:-}" | sandbox zk-batch -; }

# reassign TOPIC PARTITION REPLICAS: by Kafka's tool; waits for nothing.
reassign()
{
    printf '{"version":1,"partitions":[{"topic":"%s","partition":%s,"replicas":[%s]}]}\n' "$1" "$2" "$3" >"$scratch/plan.json"
    sandbox kafka reassign-partitions --execute ${additional:+--additional} --reassignment-json-file "$scratch/plan.json" 2>&1 | diag
}

config() { sandbox kafka configs --alter --entity-type "$1" --entity-name "$2" "$3" "$4" 2>&1 | diag; }

# A topic of one partition on broker $2, with as many bytes.
make_on()
{
    sandbox kafka topics --create --topic "$1" --replica-assignment "$2" 2>&1 | diag
    [ "${3:-0}" -eq 0 ] || sandbox fill "$1" "$3"
}

# ---- steps ----

healthy_work()
{
    config brokers 1 --add-config follower.replication.throttled.rate=2000000
    config topics bulk --add-config 'follower.replication.throttled.replicas=*'
    reassign bulk 0 1
    for i in 1 2 3; do
        make_on "brief$i" 2:3 1000
        sandbox stop-broker 3
        sandbox start-broker 3
        sandbox kafka topics --delete --topic "brief$i" 2>&1 | diag
        sandbox move-controller >/dev/null
    done
    config brokers 1 --delete-config follower.replication.throttled.rate
    config topics bulk --delete-config follower.replication.throttled.replicas
}

kafka_up "$version" 3
plan 19
make_on pay 1:2
make_on qu 1:2
make_on gone 1:2 1000
make_on bulk 2 30000000
truths_start
ok 'the first reading is complete, and nothing disagrees' expect_truths
healthy_work
ok 'a healthy cluster at work has none' truths_were_none

znode create /admin/reassign_partitions '{"version":1}'
ok 'a reassignment node without a list is told' expect_truths 'reassignment node without a list: /admin/reassign_partitions'
znode delete /admin/reassign_partitions
ok 'and goes with the node' expect_truths
# The controller watches for the node no more; a request by the API makes it look again (on 2.8.2 a node made without that was never seen).
reassign qu 0 1,2

# A move that lasts, so that the node stays, and entries written into it that nobody runs.
config brokers 3 --add-config follower.replication.throttled.rate=50000
config topics bulk --add-config 'follower.replication.throttled.replicas=*'
znode create /admin/reassign_partitions '{"version":1,"partitions":[{"topic":"bulk","partition":0,"replicas":[3]}]}'
znode set /admin/reassign_partitions '{"version":1,"partitions":[{"topic":"bulk","partition":0,"replicas":[3]},{"topic":"qu","partition":0,"replicas":["3","1"]}]}'
ok 'quoted broker ids in it are told' expect_truths 'reassignment node with quoted broker ids: /admin/reassign_partitions'
additional=1 reassign qu 0 1,2
ok 'and a reassignment to the replicas it has takes the entry out' expect_truths
znode set /admin/reassign_partitions '{"version":1,"partitions":[{"topic":"bulk","partition":0,"replicas":[3]},{"topic":"pay","partition":0,"replicas":[3,2]}]}'
ok 'an entry that nobody runs is told' expect_truths 'leftover reassignment entry: pay 0'
additional=1 reassign pay 0 1,2
ok 'and a reassignment to the replicas it has takes it out' expect_truths
config brokers 3 --add-config follower.replication.throttled.rate=100000000
WAIT=60 znode_is /admin/reassign_partitions absent

# The controller takes it at once, and writes strings into the topic node.
znode create /admin/reassign_partitions '{"version":1,"partitions":[{"topic":"qu","partition":0,"replicas":["3","1"]}]}'
ok 'quoted broker ids in a topic node are told' expect_truths 'topic node with quoted broker ids: qu'
additional=1 reassign qu 0 1,2
ok 'and a reassignment to the replicas it had restores the node' expect_truths

znode create /admin/delete_topics/ghost
# With a child in it the controller can't take it away; it mustn't be faster.
controller=$(sandbox controller)
sandbox pause-broker "$controller"
printf 'create\t/admin/delete_topics/%s\t\n' ghost2 ghost2/child | sandbox zk-batch -
sandbox resume-broker "$controller"
id=$(sandbox zk-get /brokers/topics/qu | grep -o '"topic_id":"[^"]*",') || id=
znode set /brokers/topics/qu "{\"version\":3,$id\"partitions\":{\"0\":[3,1,2]},\"adding_replicas\":{\"0\":[3]},\"removing_replicas\":{\"0\":[1]}}"
znode create /brokers/topics/lost '{"version":2,"partitions":{"0":[9]},"adding_replicas":{},"removing_replicas":{}}'
znode delete-r /brokers/topics/gone
dirs=$(sandbox disk 1 gone; sandbox disk 2 gone)
diag "$dirs"
dir_of() { dirname "$(find "$KAFOPS_SANDBOX_DIR/broker-$1" -maxdepth 2 -name "$2" | head -1)"; }
ok 'markers, moves, topics that one side alone has are told' expect_truths 'marker without a topic: ghost2' 'zombie reassignment: qu 0' \
    'partitions without state nodes: lost' 'deleted topic in metadata: gone' \
    "orphan replica: gone 0 on broker 1, $(dir_of 1 gone-0)" "orphan replica: gone 0 on broker 2, $(dir_of 2 gone-0)"
znode delete /admin/delete_topics/ghost2/child
znode delete /admin/delete_topics/ghost2
reassign qu 0 3,2
ok 'a zombie ends when it is submitted again' expect_truths 'partitions without state nodes: lost' 'deleted topic in metadata: gone' \
    "orphan replica: gone 0 on broker 1, $(dir_of 1 gone-0)" "orphan replica: gone 0 on broker 2, $(dir_of 2 gone-0)"
znode delete-r /brokers/topics/lost
for broker in 1 2 3; do
    sandbox stop-broker "$broker"
    for dir in "$KAFOPS_SANDBOX_DIR/broker-$broker"/d[12]; do rm -rf "$dir/gone-0"; done
    sandbox start-broker "$broker"
done
ok 'brokers restarted forget a topic, and directories removed are orphans no more' expect_truths

# A broker that is down when its replica moves away.
sandbox stop-broker 1
reassign pay 0 2,3
sandbox start-broker 1
ok 'a replica left by a move is told' expect_truths "orphan replica of a living topic: pay 0 on broker 1, $(dir_of 1 pay-0)"
reassign pay 0 2,3,1
has_moved() { ! sandbox kafka reassign-partitions --list 2>/dev/null | grep -q 'pay-0'; }
WAIT=60 poll has_moved
reassign pay 0 2,3
ok 'and reassigning it there and back removes it' expect_truths

# The throttles of the move stand since, with nothing to serve.
throttles=1
WAIT=400 ok 'throttles without a move are told after five minutes' expect_truths 'throttle without a move: broker 3, follower.replication.throttled.rate' \
    'throttle without a move: bulk, follower.replication.throttled.replicas'
config brokers 3 --delete-config follower.replication.throttled.rate
config topics bulk --delete-config follower.replication.throttled.replicas
ok 'and go when they are removed' expect_truths

znode create /admin/reassign_partitions '{"version":1}'
sandbox move-controller >/dev/null 2>&1 &
ok 'a storm of elections is told beside its cause' expect_truths 'election storm: /controller_epoch' \
    'reassignment node without a list: /admin/reassign_partitions'
znode delete /admin/reassign_partitions
wait $!
ok 'and is over when the cause is gone' expect_truths
truths_stop
