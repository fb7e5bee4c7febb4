# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# A healthy cluster of the version in $version at work for $seconds: topics are made and deleted, a throttled move runs and
# finishes by Kafka's own tool, ISRs shrink and grow, brokers are restarted one by one, the controller moves. The console
# records it all, and after each event of the recording, and at each moment between at which one may ripen, nothing disagrees.
# Sourced by the test named after the version and by soak.sh.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

truthreplay=${top_builddir:?}/tests/tools/truthreplay
[ -x "$truthreplay" ] || bail_out "tests/tools/truthreplay isn't built"
COLUMNS=160 LINES=50 E2E_VIEW=overview
rounds=0

# Kafka's tool of the version: 2.5 has it by ZooKeeper.
plan_by() { sandbox kafka reassign-partitions --reassignment-json-file "$scratch/plan.json" "$@" 2>&1 | grep -v SLF4J >"$scratch/tool"; }
has_moved() { plan_by --verify && ! grep -Eqi 'in progress|still' "$scratch/tool"; }

# move TOPIC REPLICAS: throttled, until --verify has found its end and taken the throttles away.
move()
{
    printf '{"version":1,"partitions":[{"topic":"%s","partition":0,"replicas":[%s]}]}\n' "$1" "$2" >"$scratch/plan.json"
    plan_by --execute --throttle 400000
    WAIT=120 PAUSE=1 poll has_moved || { diag "the move of $1 to $2 did not end"; diag <"$scratch/tool"; return 1; }
}

# shrink BROKER: it stands still until an ISR has shrunk, and its session with ZooKeeper lasts.
shrink()
{
    sandbox pause-broker "$1"
    WAIT=5 poll screen_has '^. *Under-replicated +[1-9]'
    sandbox resume-broker "$1"
    WAIT=60 poll screen_has '^. *Under-replicated +0( |$)'
}

# round N: a different broker each time. One election a round: twelve within two minutes are a storm, as is said then.
round()
{
    local broker=$((1 + $1 % 3)) controller
    controller=$(sandbox controller)
    printf '%s 4 3\n' "brief$1.a" "brief$1.b" | sandbox make
    sandbox fill "brief$1.a" 20000 >/dev/null
    move bulk "$((1 + $1 % 3)),$((1 + ($1 + 1) % 3))"
    shrink "$((1 + ($1 + 2) % 3))"
    sandbox stop-broker "$broker"
    sandbox kafka topics --delete --topic "brief$1.b" 2>&1 | diag
    sandbox start-broker "$broker"
    [ "$controller" = "$broker" ] || sandbox move-controller >/dev/null
    sandbox kafka topics --delete --topic "brief$1.a" 2>&1 | diag
}

work()
{
    local end=$((SECONDS + $1))
    while [ "$SECONDS" -lt "$end" ]; do
        round "$rounds"
        rounds=$((rounds + 1))
    done
}

# is_told_nothing TRACE: the verdict in $scratch/lists.
is_told_nothing()
{
    "$truthreplay" "$1" >"$scratch/lists" 2>&1 && return
    diag <"$scratch/lists"
    [ -z "${KEEP_TRACE:-}" ] || cp "$1" "$KEEP_TRACE"
    return 1
}

# seen PATTERN: lines of the recording with it.
seen() { grep -Ec -- "$1" "$scratch/trace"; }

plan 3
kafka_up "$version" 3 --set '*:replica.lag.time.max.ms=2000' --set '*:zookeeper.session.timeout.ms=18000'
printf '%s\n' 'bulk 1 2' 'steady 6 3' | sandbox make
sandbox fill bulk 3000000 >/dev/null
sandbox produce 50 steady
console_start --zookeeper "$KAFOPS_ZK" --record "$scratch/trace"
ok 'at first nothing disagrees' wait_text '^. *Disagreements +0( |$)'
work "$seconds"
keys q
ok 'the console ends well' eval 'WAIT=40 console_ends'
ok 'and at no moment has anything disagreed' is_told_nothing "$scratch/trace"
diag "$version: $(tail -n 1 "$scratch/lists"); rounds $rounds, elections $(seen '"path":"/controller_epoch"'), deletions $(seen '"/admin/delete_topics".*"children":\["'), \
moves $(seen '"/brokers/topics/bulk".*adding_replicas\\":\{\\"0'), ISRs that were short $(seen '/brokers/topics/steady/.*isr\\":\[[0-9],[0-9]\]'), \
answers of brokers $(seen '"ev":"answer"')"
