# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The list of disagreements on a real cluster of the version in $version, as the console's overview shows it: sourced by the
# tests named after it. Each is made as operators make them, is shown, alone or with those made beside it, Enter says what
# mends it, and it goes when that is done. What takes long to be told is made together, so that it ripens together.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

truthreplay=${top_builddir:?}/tests/tools/truthreplay
[ -x "$truthreplay" ] || bail_out "tests/tools/truthreplay isn't built"
tab=$(printf '\t')
COLUMNS=160 LINES=50 E2E_VIEW=overview
began=$SECONDS

# ---- what is told ----

# told: "kind: subject" of each row below the line of disagreements (standard input: a screen, or what w wrote), sorted.
told()
{
    awk '/^. *Disagreements / { on = 1; next } on && !NF { exit } on' |
        sed -E 's/^.{4}[^ ]+ +(poison +! +)?//; s/   .*//; s/ +$//' | LC_ALL=C sort
}

e2e_told() { screen_has '^. *Disagreements +[0-9]+( |$)' && [ "$(screen | told)" = "$1" ]; }

# written: the same of the file that w writes: nothing is cut there.
written()
{
    rm -f "$scratch/list"
    keys w C-u
    typed "$scratch/list"
    keys Enter
    poll_or_tell e2e_written >&2 && told <"$scratch/list"
}

e2e_written() { [ -s "$scratch/list" ] && screen_has 'rows written'; }

# expect_truths NAME...: waits until these are told, as "kind: subject", and no others. None: no truths.
expect_truths()
{
    local wanted=
    [ $# -eq 0 ] || wanted=$(printf '%s\n' "$@" | LC_ALL=C sort)
    if WAIT=${WAIT:-120} poll e2e_told "$wanted" && [ "$(written)" = "$wanted" ]; then
        diag "$((SECONDS - began)) s"
        return
    fi
    diag "expected:" "$wanted" "the screen:"
    screen | diag
    return 1
}

# opens TEXT...: Enter on the only row says what it is, what happens next, what mends it, and each TEXT.
opens()
{
    local text
    keys G Enter
    for text in '^. What ' '^. Next ' '^. Mends ' "$@"; do wait_text "$text" || return; done
    keys Escape
    wait_text '^. *Disagreements '
}

# opens_each NAME...: the same of the last rows, upwards: each is about another of them.
opens_each()
{
    local name text
    keys G
    : >"$scratch/opened"
    for name; do
        keys Enter
        for text in '^. What ' '^. Next ' '^. Mends '; do wait_text "$text" || return; done
        screen >>"$scratch/opened"
        keys Escape
        wait_text '^. *Disagreements ' || return
        keys Up
    done
    for name; do
        grep -Eq "^ (POISON +)?$name *\$" "$scratch/opened" && continue
        diag "not among those opened: $name"
        diag <"$scratch/opened"
        return 1
    done
}

# ---- how they are made and mended ----

# znodes "OPERATION PATH DATA"...: in one go.
znodes() { printf '%s\n' "$@" | sed "s/ /$tab/; s/ /$tab/; /$tab.*$tab/!s/\$/$tab/" | sandbox zk-batch - 2>&1 | diag; }

# reassign TOPIC PARTITION REPLICAS: as the texts say, by the tool of 2.6 or later; waits for nothing.
reassign()
{
    printf '{"version":1,"partitions":[{"topic":"%s","partition":%s,"replicas":[%s]}]}\n' "$1" "$2" "$3" >"$scratch/plan.json"
    (
        case $version in 2.5.*)
            sandbox() { java -Xmx128m -XX:TieredStopAtLevel=1 -cp "${KAFOPS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kafops}/jars/2.8.2/*" \
                kafka.admin.ReassignPartitionsCommand --bootstrap-server "$KAFOPS_BOOTSTRAP" "${@:3}"; } ;;
        esac
        sandbox kafka reassign-partitions --execute --additional --reassignment-json-file "$scratch/plan.json" 2>&1
    ) | grep -v SLF4J | diag
}

replicas_of() { sandbox zk-get "/brokers/topics/$1" | sed -E 's/.*"partitions":\{"0":\[([0-9,]+)\].*/\1/'; }
# without REPLICAS: a broker that is not among them.
without() { for id in 1 2 3; do case ,$1, in *,$id,*) ;; *) printf '%s\n' "$id"; return ;; esac; done; }
dir_of() { dirname "$(find "$KAFOPS_SANDBOX_DIR/broker-$1" -maxdepth 2 -name "$2" | head -1)"; }
lacks() { ! find "$KAFOPS_SANDBOX_DIR/broker-$1" -maxdepth 2 -name "$2" | grep -q .; }

case $version in 2.5.*) e2e_java 2.8.2 ;; esac
kafka_up "$version" 3
plan 21
printf '%s\n' 'pay 1 2' 'qu 1 2' 'gone 1 3' | sandbox make
sandbox fill gone 3000 >/dev/null
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

sandbox fail-dir 3 1
offline="log dir offline: broker 3, $KAFOPS_SANDBOX_DIR/broker-3/d1"
ok 'a log dir that is offline is told' expect_truths "$offline"
ok 'and what mends it' opens "Look in the broker's log" 'Open *broker 3'
sandbox heal-dir 3 1
sandbox stop-broker 3
sandbox start-broker 3
ok 'it goes when the dir is there and the broker is restarted' expect_truths

# What is told after a while. With a child in it the controller can't take a marker away; it mustn't be faster.
gone=()
for broker in 1 2 3; do gone+=("orphan replica: gone 0 on broker $broker, $(dir_of "$broker" gone-0)"); done
id=$(sandbox zk-get /brokers/topics/qu | grep -o '"topic_id":"[^"]*",') || id=
other=$(without "$qu")
controller=$(sandbox controller)
sandbox pause-broker "$controller"
znodes 'create /admin/delete_topics/ghost' 'create /admin/delete_topics/ghost/child'
sandbox resume-broker "$controller"
# It must have seen the node before that goes again: then it watches for no other.
znodes 'create /admin/reassign_partitions {"version":1}'
wait_text 'poison ! reassignment node without a list'
znodes 'delete /admin/reassign_partitions'
znodes "create /admin/reassign_partitions {\"version\":1,\"partitions\":[{\"topic\":\"pay\",\"partition\":0,\"replicas\":[$(without "$pay"),${pay%,*}]}]}" \
    "set /brokers/topics/qu {\"version\":3,$id\"partitions\":{\"0\":[$other,$qu]},\"adding_replicas\":{\"0\":[$other]},\"removing_replicas\":{\"0\":[${qu%,*}]}}" \
    'create /brokers/topics/lost {"version":2,"partitions":{"0":[9]},"adding_replicas":{},"removing_replicas":{}}' \
    'delete-r /brokers/topics/gone'
zombie='zombie reassignment: qu 0' lost='partitions without state nodes: lost'
listed=('deleted topic in metadata: gone' "${gone[@]}")
all=('leftover reassignment entry: pay 0' 'marker without a topic: ghost' "$zombie" "$lost" "${listed[@]}")
ok 'an entry left over, a marker, a move, topics that one side alone has, orphans are told, each' expect_truths "${all[@]}"
ok 'and of each what mends it' opens_each "${all[@]}"
znodes 'delete /admin/delete_topics/ghost/child' 'delete /admin/delete_topics/ghost'
reassign pay 0 "$pay"
ok 'a reassignment to the replicas it has takes the entry out; the marker is gone' expect_truths "$zombie" "$lost" "${listed[@]}"
znodes 'delete-r /brokers/topics/lost'
reassign qu 0 "$other,${qu#*,}"
ok 'a zombie ends when it is submitted again' expect_truths "${listed[@]}"
# A broker that is stopped before it has deleted its replica would keep it.
WAIT=60 poll lacks "${qu%,*}" qu-0 || diag "broker ${qu%,*} still has qu-0"
for broker in 1 2 3; do
    sandbox stop-broker "$broker"
    rm -rf "$KAFOPS_SANDBOX_DIR/broker-$broker"/d[12]/gone-0
    sandbox start-broker "$broker"
done
ok 'brokers restarted forget a topic, and directories removed are orphans no more' expect_truths

# A throttle is told after five minutes in which nothing moved by it: the recording is played with a pause of six before it is mended.
throttled="follower.replication.throttled.rate"
sandbox kafka configs --alter --entity-type brokers --entity-name 1 --add-config "$throttled=50000" 2>&1 | diag
wait_text '^. *Throttles +1 '
keys q
WAIT=40 console_ends
{ cat "$scratch/trace"; tail -n 100 "$scratch/trace" | grep '"ev":"conn"' | tail -n 1 |
    awk '{ match($0, /"t":[0-9]+/); t = substr($0, RSTART + 4, RLENGTH - 4) + 360000; sub(/"t":[0-9]+/, "\"t\":" t); print }'; } >"$scratch/longer"
throttle="throttle without a move: broker 1, $throttled"
E2E_VIEW=overview console_start replay --speed 100 "$scratch/longer"
ok 'a throttle left behind is told' expect_truths "$throttle"
ok 'and what mends it' opens 'kafka-configs --bootstrap-server --alter --delete-config'
"$truthreplay" "$scratch/longer" >"$scratch/lists" 2>&1
is 'after each event of the recording the list was one of those' "$(grep '^[P-]' "$scratch/lists" | sed -E 's/^[^ ]+ //; s/ \| .*//' | LC_ALL=C sort -u)" \
    "$(printf '%s\n' 'reassignment node without a list: /admin/reassign_partitions' 'reassignment node with quoted broker ids: /admin/reassign_partitions' \
        'topic node with quoted broker ids: qu' "$offline" 'leftover reassignment entry: pay 0' 'marker without a topic: ghost' "$zombie" "$lost" \
        "${listed[@]}" "$throttle" | LC_ALL=C sort -u)"
