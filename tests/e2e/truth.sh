# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# What kafops says of deletions, against what the controllers' logs say, on a real cluster of the version in $version: the scenarios named
# in $TRUTH_SCENARIOS (all), of truth-scenarios.sh, one after the other. Sourced by the tests named after it; `make truth`
# runs all of them on all versions and prints the table (truth-table.sh).
#
# `kafops deletions --watch` runs all the while. A scenario makes a deletion as operators and accidents do, and says what kafops has to tell: the state,
# the blocker, the next trigger; then it does what was told to move it on, and the end is told. Nothing is given up at
# the first failure: what was wrong stands in the table. At last every claim is held against the logs (truth-compare.awk).
#
# From outside: TRUTH_SCENARIOS, TRUTH_TABLE (a file to which "SCENARIO VERSION VERDICT" is added), TRUTH_KEEP (a folder for the lines and logs),
# TRUTH_RECORD (a folder for a recording of each scenario, by the console).

# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=truth-scenarios.sh
# shellcheck disable=SC2154  # e2e_top, scratch and version are set elsewhere
. "$e2e_top/tests/e2e/truth-scenarios.sh"

# Facts are as old as the last poll, 10 s, and what a busy machine adds.
readonly truth_window=15000
# Of 100 replicas at rest so many are told for certain, at the least. It may rise, never fall.
readonly truth_floor=90
export WAIT=${WAIT:-90}

watch_lines=$scratch/watch
scenario=none
faults=()    # of the scenario that runs

# ---- what kafops tells ----

watch_up()
{
    mkdir -p "$scratch/home/state"
    env HOME="$scratch/home" XDG_STATE_HOME="$scratch/home/state" KAFOPS_LOG_FILE="$scratch/watch.log" \
        "$KAFOPS" deletions --watch --json --zookeeper "$KAFOPS_ZK" >"$watch_lines" 2>"$scratch/watch.err" &
    watch_pid=$!
    poll_or_tell grep -q snapshot "$watch_lines" || bail_out "kafops deletions --watch says nothing: $(cat "$scratch/watch.err")"
}

# lines [TOPIC...]: whole ones, of these topics or of all.
lines()
{
    local topic words=()
    for topic; do words+=(-e "\"topic\":\"$topic\"" -e "\"topic\": \"$topic\""); done
    grep '^{.*}$' "$watch_lines" | { if [ $# -gt 0 ]; then grep -F "${words[@]}"; else cat; fi }
}

# told TOPIC EXPRESSION: does it hold of what was told last?
told()
{
    lines "$1" | jq -s -e --arg topic "$1" "$(cat "$e2e_top/tests/e2e/truth.jq") pictures[\$topic] // {} | $2" >"$scratch/told" 2>&1
}

picture()
{
    lines "$1" | jq -s -c --arg topic "$1" "$(cat "$e2e_top/tests/e2e/truth.jq")"' pictures[$topic] // {}
        | { state, blockers: [(.blockers // [])[] | "\(.kind) \(.broker) \(.log_dir) (\(.certainty))"], next, attempts, events: [(.events // [])[] | select(. != "replica")],
            replicas: ((.replicas // {}) | map_values("\(.phase)(\(.phase_certainty)) \(.state)(\(.certainty))")) }'
}

# ---- the table ----

# fault WORDS...: what is wrong in this scenario.
fault()
{
    faults+=("$*")
    diag "$scenario: $*"
}

# expect WHAT COMMAND...: waits for it.
expect()
{
    local what=$1
    shift
    slowly "$@" || {
        fault "$what"
        [ -z "${topic:-}" ] || picture "$topic" | diag
        return 1
    }
}

# slowly COMMAND...: as poll, for what costs a process or two each time. After a fault what follows from it is not waited for so long.
slowly()
{
    local end=$((SECONDS + (${#faults[@]} > 0 ? WAIT / 4 : WAIT)))
    until "$@"; do
        [ "$SECONDS" -le "$end" ] || return 1
        sleep 0.3
    done
}

# state_is TOPIC STATE
state_is() { expect "state $2 was not told" told "$1" ".state == \"$2\""; }

# blocked TOPIC KIND [BROKER [DIR]]
blocked()
{
    local broker=${3:-null}
    expect "blocker $2${3:+ of broker $3}${4:+, $4} was not told" told "$1" \
        "[.blockers[]? | select(.kind == \"$2\" and (\"$broker\" == \"null\" or .broker == $broker) and (\"${4:-}\" == \"\" or .log_dir == \"${4:-}\"))] | length > 0"
}

# next_is TOPIC REGEX: what will move it on.
next_is() { expect "the next trigger isn't /$2/" told "$1" ".next // \"\" | test(\"$2\")"; }

# moved_by TOPIC REGEX: the last try was set off by it.
moved_by() { expect "it was not told to be moved on by /$2/" told "$1" "[.attempts[]? | select(test(\"$2\"))] | length > 0"; }

# ended TOPIC EVENT
ended() { expect "$2 was not told" told "$1" "[.events[]? | select(. == \"$2\")] | length > 0"; }

# quick TOPIC EVENT: the same of one that nothing holds up. It may be over, in a fifth of a second, before a busy machine lets kafops read the
# list of markers: then nothing is told of it, which is counted.
quick()
{
    expect "$2 was not told" told_or_missed "$@" || return
    if was_missed "$1"; then
        diag "$scenario: $1 was over before it could be seen"
        printf 'missed\n' >>"$scratch/quick"
    else
        printf 'seen\n' >>"$scratch/quick"
    fi
}

told_or_missed() { told "$1" "[.events[]? | select(. == \"$2\")] | length > 0" || was_missed "$1"; }
was_missed() { ! lines "$1" | grep -q . && reached "$1-0" '[0-9]+' NonExistentReplica; }

# at_rest TOPIC [BROKER...]: the phase of every replica is certain, but for those on brokers of which an outsider can't know (reference/lookalikes). How
# many are is kept for the share.
at_rest()
{
    local of=$1 begun=$SECONDS open
    shift
    open=$(IFS=,; printf '%s' "$*")
    expect 'at rest not every phase is certain' told "$of" \
        "(.replicas | length > 0) and ([.replicas[] | select(.phase_certainty != \"certain\") | .broker] - [$open] | length == 0)"
    lines "$of" | jq -s -r --arg topic "$of" "$(cat "$e2e_top/tests/e2e/truth.jq") pictures[\$topic].replicas // {} | [([.[] | select(.phase_certainty == \"certain\")] | length), length] | \"$scenario \(.[0]) \(.[1])\"" >>"$scratch/shares"
    diag "$scenario: at rest after $((SECONDS - begun)) s: $(tail -n 1 "$scratch/shares")"
}

# counts [TOPIC]: the controller's own counts are those told; with one topic queued, the replicas not done too.
counts()
{
    expect "TopicsToDeleteCount is $(sandbox jmx TopicsToDeleteCount 2>&1 | tail -n 1), told were $(queued_topics)" same_count TopicsToDeleteCount queued_topics
    [ $# -eq 0 ] || expect "ReplicasToDeleteCount is $(sandbox jmx ReplicasToDeleteCount 2>&1 | tail -n 1), told were $(replicas_left "$1")" same_count ReplicasToDeleteCount replicas_left "$1"
}

same_count() { [ "$(sandbox jmx "$1" 2>/dev/null | tail -n 1)" = "$("${@:2}")" ]; }
queued_topics() { lines | jq -s "$(cat "$e2e_top/tests/e2e/truth.jq")"' [pictures[] | select(.state == ("queued", "running", "waiting"))] | length'; }
replicas_left() { lines "$1" | jq -s --arg topic "$1" "$(cat "$e2e_top/tests/e2e/truth.jq")"' [pictures[$topic].replicas[] | select(.phase != "done")] | length'; }

# ---- acts ----

# zk LINE...: writes of zk-batch, by a session that stands ready: some of them must come within a second.
zk() { printf '%b\n' "$@" >&7; }
mark() { local name; for name; do zk "create\t/admin/delete_topics/$name\t"; done; }

zk_ready()
{
    mkfifo "$scratch/zk.fifo"
    exec 7<>"$scratch/zk.fifo"
    "$e2e_top/tests/sandbox/sandbox" zk-batch "$scratch/zk.fifo" >"$scratch/zk.out" 2>&1 7>&- &
    zk_pid=$!
    zk 'create\t/truth\tready'
    expect 'no writes are sent to ZooKeeper' e2e_znode_is /truth ready
}

by_api() { sandbox kafka topics --delete --topic "$1" 2>&1 | grep -v SLF4J | diag; }
registered() { sandbox session "broker:$1" >/dev/null 2>&1; }
unregistered() { ! registered "$1"; }
stop() { sandbox stop-broker "$1" || fault "broker $1 does not stop"; expect "broker $1 stays registered" unregistered "$1"; }
start() { sandbox start-broker "$@" || fault "broker $1 does not start"; }
bounce() { stop "$1"; start "$@"; }
is_controller() { [ "$(sandbox controller 2>/dev/null)" = "$1" ]; }

# elect N: only it can win, for the others hold still. On a machine so busy that its session is lost as well, it is tried again.
elect()
{
    expect "broker $1 isn't elected" elected "$1"
}

elected()
{
    local n held=() status=0
    for n in 1 2 3; do
        [ "$n" = "$1" ] || ! sandbox pause-broker "$n" 2>/dev/null || held+=("$n")
    done
    zk 'delete\t/controller'
    WAIT=5 poll is_controller "$1" || status=1
    for n in "${held[@]}"; do sandbox resume-broker "$n"; done
    return "$status"
}

# logged PATTERN [COUNT]: in the controllers' and state change logs.
logged() { [ "$(cat "$KAFOPS_SANDBOX_DIR"/broker-*/controller.log | grep -Ec -- "$1")" -ge "${2:-1}" ]; }
reached() { logged "replica $2 for partition $1 from [A-Za-z]+ to $3"; }

dir_of() { local path; for path in "$KAFOPS_SANDBOX_DIR/broker-$1"/d[12]/"$2-0"; do [ ! -d "$path" ] || { path=${path%/*}; printf '%s\n' "${path##*/d}"; return; }; done; }
dir_path() { printf '%s/broker-%s/d%s\n' "$KAFOPS_SANDBOX_DIR" "$1" "$2"; }
has_data() { local part; for part in "$KAFOPS_SANDBOX_DIR"/broker-*/d[12]/"$1"-[0-9]*; do [ -n "$(find "$part" -name '*.log' -size +0)" ] || return 1; done; }
all_have_data() { local name; for name in "${made[@]}"; do has_data "$name" || return 1; done; }

# ready: every broker runs and may delete, broker 1 is the controller.
ready()
{
    local n
    for n in 1 2 3; do
        registered "$n" || { sandbox kill-broker "$n" 2>/dev/null; start "$n"; }
    done
    is_controller 1 || elect 1
    expect 'the controller does not know all brokers' knows_all
}

# Its last word on who lives, as the sandbox reads it.
knows_all()
{
    local ids
    ids=$(grep -hoE '(all live brokers: |Currently active brokers in the cluster: )(Set\()?[0-9, ]+' "$KAFOPS_SANDBOX_DIR/broker-$(sandbox controller)/controller.log" | tail -n 1 | sed 's/.*://' | tr -dc '0-9')
    [ "$(printf '%s' "$ids" | grep -o . | sort -u | paste -sd '')" = 123 ]
}

# ---- the comparison ----

claims()
{
    lines | jq -r 'select(.topic)
        | (if .event == "replica" then [.replica] elif .event == "queued" then (.item.replica_states // []) else [] end) as $list
        | ($list[] as $r | [.at, .topic, .czxid, $r.partition, $r.broker, $r.phase, $r.phase_certainty, $r.state, $r.certainty]),
          (select(.event == ("done", "recreated", "resurrected", "refused", "marker-removed")) | [.at, .topic, .czxid, "end"])
        | map(tostring) | @tsv'
}

# What brokers deleted: "DATE TIME Log for partition T-P is renamed to BROKER".
renames()
{
    local n
    for n in 1 2 3; do
        sed -nE "s/^([0-9-]+ [0-9:,]+) .*Log for partition ([^ ]+) is renamed to .*-delete .*/\1 Log for partition \2 is renamed to $n/p" "$KAFOPS_SANDBOX_DIR/broker-$n/broker.log"
    done
}

compare()
{
    { sandbox controller-log 'Changed state of replica'; renames; } | sort -s -k1,2 >"$scratch/states.log"
    { claims; printf '%s\t-\t0\tend\n' "$(date -u +%FT%T.%3NZ)"; } >"$scratch/claims"
    awk -v window=$truth_window -f "$e2e_top/tests/e2e/truth-compare.awk" "$scratch/states.log" "$scratch/claims" >"$scratch/compared"
}

# Of the topics of a scenario, named as it is, or with a word after a dot.
of_scenario() { awk -v name="$1" '{ split($2, topic, "."); if (topic[1] == name) print }' "$scratch/compared"; }

# tells_ends: how long after the controller's last state change an end is told.
tells_ends()
{
    awk '/^ended/ && $3 < 10000 { print $3 }' "$scratch/compared" | sort -n |
        awk '{ ms[NR] = $1 } END { if (NR) printf "%d ends told, %d ms after the controller'"'"'s last state change (median; the last %d ms)\n", NR, ms[int((NR + 1) / 2)], ms[NR] }'
}

# ---- the run ----

# run SCENARIO: its faults go to a file, for the verdict comes with the comparison.
run()
{
    local begun=$SECONDS
    scenario=$1
    topic=$1
    faults=()
    "ready_for_${scenario//-/_}" 2>/dev/null || ready
    [ -z "${TRUTH_RECORD:-}" ] || record_begin
    "truth_${scenario//-/_}"
    [ -z "${TRUTH_RECORD:-}" ] || tmux -S "$scratch/record" kill-server
    printf '%s\n' "${faults[@]}" | sed '/^$/d' >"$scratch/faults-$scenario"
    diag "$scenario: $((SECONDS - begun)) s"
}

record_begin()
{
    mkdir -p "$TRUTH_RECORD"
    tmux -S "$scratch/record" -f /dev/null new-session -d -x 100 -y 30 \
        "env HOME='$scratch/record-home' LANG=C.UTF-8 TERM=tmux-256color '$KAFOPS' --zookeeper '$KAFOPS_ZK' --view deletions --record '$TRUTH_RECORD/$scenario-$version.trace'"
    slowly eval 'tmux -S "$scratch/record" capture-pane -p | grep -q "live.* ms"' || fault 'the console records nothing'
}

# verdict SCENARIO: "ok", "WRONG ..." where a certain claim was not so, or what was not told.
verdict()
{
    local wrong
    wrong=$(of_scenario "$1" | grep -c '^wrong' || :)
    if [ "$wrong" -gt 0 ]; then
        of_scenario "$1" | grep '^wrong' | diag
        printf 'WRONG: %s certain claims\n' "$wrong" >"$scratch/verdict"
    elif [ -s "$scratch/faults-$1" ]; then
        head -n 1 "$scratch/faults-$1" >"$scratch/verdict"
    elif grep -q "^$1 [1-9]" "$scratch/shares" && ! of_scenario "$1" | grep -q '^compared'; then
        printf 'nothing was compared\n' >"$scratch/verdict"
    else
        printf 'ok\n' >"$scratch/verdict"
    fi
    [ -z "${TRUTH_TABLE:-}" ] || printf '%s\t%s\t%s\n' "$1" "$version" "$(cat "$scratch/verdict")" >>"$TRUTH_TABLE"
    [ "$(cat "$scratch/verdict")" = ok ]
}

share() { awk '{ sure += $2; all += $3 } END { print all ? int(100 * sure / all) : 100 }' "$scratch/shares"; }

truth_end()
{
    rc=$?
    [ -z "${watch_pid:-}" ] || kill "$watch_pid" 2>/dev/null
    [ -z "${zk_pid:-}" ] || kill "$zk_pid" 2>/dev/null
    if [ -n "${TRUTH_KEEP:-}" ]; then
        mkdir -p "$TRUTH_KEEP"
        cp "$scratch"/{watch,watch.log,zk.out,claims,states.log,compared,shares} "$TRUTH_KEEP" 2>/dev/null
        sandbox txnlog >"$TRUTH_KEEP/txnlog" 2>/dev/null
    fi
    (exit "$rc")
    e2e_cleanup
}

truth()
{
    local name names
    read -r -a names <<<"${TRUTH_SCENARIOS:-${truth_scenarios[*]}}"
    trap truth_end EXIT
    command -v jq >/dev/null || skip_all 'jq is not installed'
    kafka_up "$version" 3 --set '*:auto.create.topics.enable=true' --set '*:replica.fetch.max.bytes=50000'
    plan $((${#names[@]} + 4))
    : >"$scratch/shares"
    : >"$scratch/quick"
    made=()
    for name in "${names[@]}"; do topics_of "$name"; done >"$scratch/topics"
    sandbox make <"$scratch/topics"
    mapfile -t made < <(cut -d ' ' -f 1 "$scratch/topics")
    sandbox produce 1000 "$(IFS='|'; printf '%s' "${made[*]}" | sed 's/\./\\./g')"
    slowly all_have_data || diag 'not all topics have data'
    sandbox produce stop
    zk_ready
    watch_up
    for name in "${names[@]}"; do run "$name"; done
    ok 'kafops watched to the end' kill -0 "$watch_pid"
    compare
    for name in "${names[@]}"; do
        ok "$name: what is told for certain is so; the state, the blocker, what moves it on and the end are told" verdict "$name" || diag "$name: $(cat "$scratch/verdict")"
    done
    ok 'not all deletions that nothing holds up were missed' eval '[ ! -s "$scratch/quick" ] || grep -q seen "$scratch/quick"'
    is 'more than nothing was compared' "$(awk '/^compared/ { n += $3 } END { print (n > 0) }' "$scratch/compared")" 1
    diag "$version: $(awk '/^compared/ { n += $3 } END { print n + 0 }' "$scratch/compared") certain claims compared; at rest $(share)% of replicas are told for certain"
    diag "$version: $(tells_ends)"
    ok "at rest at least $truth_floor% of replicas are told for certain" [ "$(share)" -ge "$truth_floor" ]
}
