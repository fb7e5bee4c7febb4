#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# kafops is killed (SIGKILL) at some moment of a deletion, again and again, and each time the next start is looked at: does it show what was
# asked, what is known and what is not; and is nothing asked twice? Most runs are against a controller that is as slow as it is told (tests/peer/controller)
# beside a real ZooKeeper, the others against real brokers; some by the console, the rest by kafops delete. The disk under the journal is slow, too
# (tests/tools/slowdisk), so that each step lasts long enough to be hit. Moments are random in the whole length of a deletion, or random behind
# a step that was seen to begin. At which step a kill came is found out afterwards (kill_judge.py), and counted.
#
# `make kill` runs it whole; tests/e2e/546-kill.sh a share of it. From outside: KILL_RUNS (170 with the slow controller), KILL_REAL (30), KILL_VERSION
# (2.8.2), KILL_SEED, KILL_KEEP (a folder that keeps the runs that were bad).

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

runs=${KILL_RUNS:-170} real=${KILL_REAL:-30} version=${KILL_VERSION:-2.8.2} seed=${KILL_SEED:-$((RANDOM * 32768 + RANDOM))}
RANDOM=$seed
WAIT=20
COLUMNS=100
tools=$top_builddir/tests/tools
table=$scratch/table
claims=(journal unknown unjournaled quiet cluster twice lock view terminal)
declare -A claim=(
    [journal]='the journal can be read after every kill, and a line without an end is told'
    [unknown]='what was asked, what is known and what is not is told, and how to find out'
    [unjournaled]='nothing was sent that an intent on the disk did not name before'
    [quiet]='the next start sends nothing by itself'
    [cluster]='it shows what ZooKeeper says of each topic'
    [twice]='asked for again, what is queued or gone is left out, and nothing is asked twice'
    [lock]='the lock on the journal is free'
    [view]='view 8 says that the outcome is not known, and how to find out'
    [terminal]='the terminal of a console that was killed can be used'
)

below() { echo $(((RANDOM * 32768 + RANDOM) % ($1 > 0 ? $1 : 1))); }

# ---- the cluster: the slow controller, or an onlooker at a real one ----

# said_by COMMAND...: the peer's answer to a line, in $reply.
said_by()
{
    printf '%s\n' "$*" >&"$peer_in"
    IFS= read -r -t 60 reply <&"$peer_out" || bail_out "the controller doesn't answer: $* $(cat "$scratch/peer.err")"
}

# peer_up ARGUMENTS...
peer_up()
{
    coproc PEER { exec "$top_builddir/tests/peer/controller" "$@" 2>"$scratch/peer.err"; }
    # shellcheck disable=SC2034  # for bad_run's sake: its end is the end of its input
    peer_pid=$PEER_PID peer_out=${PEER[0]} peer_in=${PEER[1]}
    IFS= read -r -t 60 reply <&"$peer_out" || bail_out "no controller: $(cat "$scratch/peer.err")"
}

peer_down()
{
    exec {peer_in}>&-
    wait "$peer_pid" || bail_out "the controller failed: $(cat "$scratch/peer.err")"
}

# peer_log NAME: what was added to the controller's log since the last call.
peer_log()
{
    [ -z "$is_real" ] || return 0
    said_by idle
    tail -n +$((log_lines + 1)) "$scratch/peer.log" >"$run/$1"
    log_lines=$(wc -l <"$scratch/peer.log")
}

state() { said_by state "$prefix"; printf '%s\n' "$reply" >"$run/$1"; }

# settled: of real brokers nothing moves any more, though a topic may stay queued where a broker is down.
settled()
{
    local before=$reply
    said_by state "$prefix"
    case $reply in *=queued*) [ -n "$is_waiting" ] || return 1 ;; esac
    [ "$reply" = "$before" ]
}

# ---- kafops ----

# said NAME ARGUMENTS...: how kafops ended, and what it said, into the run's folder.
said()
{
    local name=$1
    shift
    "${env[@]}" "$KAFOPS" "$@" >"$run/said.$name.out" 2>"$run/said.$name.err"
    echo $? >"$run/said.$name"
}

to_cluster=(--config "$scratch/config" --cluster k)

# choose_moment: AFTER [FILE TEXT NTH] of killat, in $moment.
choose_moment()
{
    local slow=$run/slow.log peer=$scratch/peer.log nth=$(($(below "$groups") + 1))
    [ -z "$is_real" ] || peer=
    case ${strategies:kinds % ${#strategies}:1} in
    r) moment=("$(below $((length * 1000)))") ;;
    h) moment=("$(below "$half")" "$slow" ' half' 1) ;;
    w) moment=("$(below "$sync")" "$slow" ' written' 1) ;;
    s) moment=("$(below "$back")" "$slow" ' synced' 1) ;;
    a) moment=("$(below "$within")" "${peer:-$slow}" "$([ -n "$peer" ] && echo ' arrived ' || echo ' back')" "$nth") ;;
    b) moment=("$(below 100)" "${peer:-$slow}" "$([ -n "$peer" ] && echo ' answered ' || echo ' back')" "$nth") ;;
    o) moment=("$(below "$half")" "$slow" ' half' $((nth + 1))) ;;
    g) moment=("$(below $((sync + back)))" "$slow" ' written' $((nth + 1))) ;;
    e) moment=("$(below 60000)" "$slow" ' written' $((groups + 1))) ;;
    esac
    kinds=$((kinds + 1))
}

# Random, then each step in turn, so that twice as many are random as are of any step.
strategies=rhrwrsrarbgrbogae
kinds=0

choose_delays()
{
    half=$(below 8000) sync=$(below 12000) back=$(below 12000)
    # What real brokers take for a group is theirs; the random moments after the intent are within so much.
    mark=0 answer=0 within=500000
    [ -z "$is_real" ] || return 0
    mark=$(below 40) answer=$(below 40)
    case $(below 8) in 0) how=lose ;; 1 | 2 | 3) how=keep ;; *) how=half ;; esac
    said_by plan "$mark" "$answer" "$how"
    within=$(((mark + answer) * 1000))
}

# begin_run: topics of its own, a journal of its own, and the moment.
begin_run()
{
    nth_run=$((nth_run + 1))
    run=$scratch/run.$nth_run kind=batch
    mkdir -p "$run/state"
    "topics_$group_name"
    choose_delays
    # What all of it takes, in ms; of the console, with what is typed.
    length=$((base + groups * (mark + answer) + (groups + 1) * (half + sync + back) / 1000))
    [ -z "$by_console" ] || length=$((length + 400)) kind=console
    choose_moment
    env=(env -i PATH="$PATH" HOME="$scratch/home" LANG=C.UTF-8 TZ=UTC XDG_STATE_HOME="$run/state" ASAN_OPTIONS="$ASAN_OPTIONS:verify_asan_link_order=0")
    slowly=("${env[@]}" LD_PRELOAD="$tools/slowdisk.so" SLOWDISK_FILE=/kafops/journal SLOWDISK_LOG="$run/slow.log" SLOWDISK_US="$half,$sync,$back")
    said_by journal "$run/state/kafops/journal"
}

kill_batch()
{
    "${slowly[@]}" "$tools/killat" "$run/report" "${moment[@]}" -- "$KAFOPS" delete "${to_cluster[@]}" --topic "$prefix\\..*" --operate --execute \
        --expect-count "$n_topics" --wait --for 80ms --json >"$run/out" 2>"$run/err"
}

# ---- the console ----

pane_up()
{
    # A shell, as an operator has it: it gets the terminal back as the kill left it.
    KAFOPS=/bin/bash console_start --norc --noprofile -i
    typed "PS1='rea''dy> '"
    keys Enter
    wait_text '^ready>' || bail_out 'no shell in the terminal'
}

# seen TEXT: waits until it is on the screen; false if the console was killed before.
has_text_or_end() { [ -s "$run/report" ] || screen_has "$1"; }
seen() { poll_or_tell has_text_or_end "$1" && [ ! -s "$run/report" ]; }

is_reported() { [ -s "$run/report" ]; }

console_line() { printf '%q ' "$@"; }

kill_console()
{
    typed "clear; $(console_line "${slowly[@]}" TERM=screen-256color "$tools/killat" "$run/report" "${moment[@]}" -- \
        "$KAFOPS" "${to_cluster[@]}" --operate --view topics)"
    keys Enter
    if seen '[0-9] topics?, [0-9]+ partition' && keys '*' && typed "$prefix\\..*" && keys Enter && seen "marked $n_topics topic"; then
        keys D
        # What was found stands first, where there is any of it; then comes the question.
        if seen "Enter goes on|can't be undone" && { screen_lacks 'Enter goes on' || { keys Enter && seen "can't be undone"; }; }; then
            if [ "$n_topics" = 1 ]; then typed "$prefix.00"; else typed "$n_topics"; fi
            seen ": ($n_topics|$prefix.00)" && keys Enter
        fi
    fi
    # The moment may never come, where the deletion went another way than was thought.
    WAIT=10 poll is_reported || { keys C-c; poll_or_tell is_reported; }
    judge_terminal
}

# The terminal is left as a killed program leaves it; `stty sane` is what an operator types, and then it must do.
judge_terminal()
{
    keys C-u Enter
    typed "stty sane; clear; stty -a | tr ' ' '\\n' | grep -cxE 'icanon|echo|isig|opost'; printf 'us''able\\n'"
    keys Enter
    poll screen_has '^usable' || { note terminal "it takes no commands: $(screen)"; pane_up; return; }
    screen_has '^4$' || note terminal "stty sane does not put it right: $(screen)"
}

# The console is started again, in the same terminal, and looks at view 8 and 4.
look_by_console()
{
    typed "clear; $(console_line "${env[@]}" TERM=screen-256color "$KAFOPS" "${to_cluster[@]}" --operate --view journal); printf 'it en''ded %s\\n' \$?"
    keys Enter
    WAIT=20 poll screen_has 'in the journal|journal (has no records|is empty)|no command' || note view "view 8 does not come: $(screen)"
    if grep -Eq 'what came of [0-9]+ of' "$run/said.journal.out"; then
        poll screen_has 'OUTCOME UNKNOWN|outcome unknown' || note view "no unknown outcome there: $(screen)"
        keys Enter
        poll screen_has 'To find out' || note view "how to find out is not there: $(screen)"
        keys q
    fi
    keys 4
    poll screen_has 'queued|deletion' || note view "no deletions: $(screen)"
    keys C-c
    poll screen_has 'it ended 130' || { note terminal "the console after it did not end well: $(screen)"; pane_up; }
}

# ---- after a kill ----

# note CLAIM TEXT
note() { printf 'bad %s: %s\n' "$1" "$2" >>"$run/judged"; }

look_after()
{
    peer_log peer.killed
    [ -z "$is_real" ] || poll settled || note cluster 'the cluster comes to no rest'
    state state.killed
    cat "$run/state/kafops/journal" >"$run/journal" 2>/dev/null || : >"$run/journal"
    [ ! -e "$run/state/kafops/journal" ] || flock -n "$run/state/kafops/journal" true || note lock 'somebody holds it'
    said journal journal --json
    said table journal
    said deletions deletions "${to_cluster[@]}" --json
    said dry delete "${to_cluster[@]}" --topic "$prefix\\..*" --operate --json
    [ -z "$pane" ] || look_by_console
    peer_log peer.quiet
    state state.quiet
}

ask_again()
{
    local n
    n=$(grep -o '"would-delete"' "$run/said.dry.out" | wc -l)
    [ -n "$is_real" ] || said_by plan 0 0 keep
    said again delete "${to_cluster[@]}" --topic "$prefix\\..*" --operate --execute --expect-count "$n" --json
    peer_log peer.again
    state state.again
}

# end_run: judges it, and counts. False when nothing was killed.
end_run()
{
    local status=0
    python3 "$e2e_top/tests/e2e/kill_judge.py" "$run" >>"$run/judged" 2>"$run/judge.err" || note journal "it can't be judged: $(tail -n 1 "$run/judge.err")"
    sed -n 's/^intended //p' "$run/judged" >>"$scratch/intended"
    awk -v run="$nth_run" -v by="$group_name" -v kind="$kind" '/^step / { print run "\t" by "\t" kind "\t" $2 }' "$run/judged" >>"$table"
    grep '^bad ' "$run/judged" | cut -c 1-600 >"$run/bad"
    if [ -s "$run/bad" ]; then
        diag "run $nth_run ($group_name, $kind, $(sed -n 's/^step //p' "$run/judged"), ${moment[*]/#$scratch\//}):"
        diag <"$run/bad"
        cat "$run/bad" >>"$scratch/bad"
        [ -z "${KILL_KEEP:-}" ] || cp -r "$run" "$KILL_KEEP/"
    fi
    grep -q '^killed' "$run/report" || status=1
    [ -n "${KEEP:-}" ] || rm -rf "$run"
    return "$status"
}

# one_run: a kill, and what comes after. False when the program was faster.
one_run()
{
    begin_run
    if [ -n "$by_console" ]; then kill_console; else kill_batch; fi
    look_after
    ask_again
    [ -n "$is_real" ] || said_by clear "$prefix"
    end_run
}

# run_all N CONSOLE_EVERY LOOK_EVERY: until N were killed.
run_all()
{
    local n=0 tries=0
    while [ "$n" -lt "$1" ] && [ "$tries" -lt $(($1 * 3 / 2 + 4)) ]; do
        by_console='' pane=''
        tries=$((tries + 1))
        [ $((n % $2)) != $(($2 / 2)) ] || by_console=yes pane=yes
        [ $((n % $3)) != $(($3 - 1)) ] || pane=yes
        one_run && n=$((n + 1))
    done
    killed=$((killed + n))
    [ "$n" -ge "$1" ] || diag "only $n of $1 were killed in $tries tries"
}

# intended_by JOURNAL: of a deletion that nobody kills.
intended_by() { jq -r 'select(.phase == "intent") | (.at | sub("[.][0-9]*Z"; "Z") | fromdate * 1000) as $ms | .items[] | "\($ms) \(.topic)"' "$1" >>"$scratch/intended"; }

# measure: what a deletion takes beside the delays that are made, in ms.
measure()
{
    base=0 by_console=''
    begin_run
    moment=(60000000)
    [ -n "$is_real" ] || said_by plan "$mark" "$answer" keep
    kill_batch
    awk '{ print int(($3 - $4) / 1000) }' "$run/report" >"$run/took"
    base=$(($(cat "$run/took") - groups * (mark + answer) - (groups + 1) * (half + sync + back) / 1000))
    diag "$group_name: a deletion of $n_topics topics takes $(cat "$run/took") ms, $base of them by itself"
    peer_log peer.measured
    intended_by "$run/state/kafops/journal"
    [ -n "$is_real" ] || said_by clear "$prefix"
    rm -rf "$run"
}

write_config() { printf '[profile k]\nzookeeper = %s\ngroup-topics = %s\nmany-topics = 1000\nmany-percent = 100\n' "$1" "$2" >"$scratch/config"; }

# ---- the slow controller ----

topics_slow()
{
    n_topics=$(($(below 24) + 1)) prefix=k$nth_run
    groups=$(((n_topics + 4) / 5))
    said_by topics "$prefix" "$n_topics"
    seq -f "$prefix.%02g" 0 $((n_topics - 1)) >"$run/topics"
}

kill_slow()
{
    is_real='' is_waiting='' group_name=slow log_lines=0
    zk_up
    write_config "$KAFOPS_ZK" 5
    : >"$scratch/peer.log"
    peer_up "$KAFOPS_ZK" "$scratch/peer.log"
    pane_up
    measure
    run_all "$runs" 9 6
    peer_down
    sandbox down >/dev/null 2>&1
}

# ---- real brokers ----

topics_real()
{
    n_topics=6 prefix=k$nth_run groups=3
    seq -f "$prefix.%02g" 0 5 >"$run/topics"
}

# make_for_runs FIRST LAST
make_for_runs()
{
    local n
    for n in $(seq "$1" "$2"); do printf "k$n.%02d 1 3\n" 0 1 2 3 4 5; done | sandbox make >"$scratch/make.out" 2>&1 ||
        bail_out "no topics: $(tail -n 1 "$scratch/make.out")"
}

is_not_registered() { ! sandbox zk-get "/brokers/ids/$1" >/dev/null 2>&1; }

# Of the last third a broker is down, so that topics stay queued.
kill_real()
{
    local first=$((nth_run + 1)) n down
    is_real=yes is_waiting='' group_name=real
    kafka_up "$version" 3 --set '*:auto.create.topics.enable=false'
    write_config "$KAFOPS_ZK" 2
    # For the runs that end too early, too; a few at a time, for a slow machine.
    for n in $(seq "$first" 5 $((first + real * 3 / 2 + 12))); do make_for_runs "$n" $((n + 4)); done
    for n in 1 2 3; do
        sandbox kafka configs --alter --entity-type broker-loggers --entity-name "$n" --add-config kafka.request.logger=DEBUG >"$scratch/logger.out" 2>&1 ||
            bail_out "broker $n logs no requests: $(tail -n 1 "$scratch/logger.out")"
    done
    peer_up --look "$KAFOPS_ZK"
    pane_up
    measure
    run_all $((real - real / 3)) 5 4
    if [ $((real / 3)) -gt 0 ]; then
        down=$(($(sandbox controller) % 3 + 1))
        sandbox kill-broker "$down"
        poll is_not_registered "$down" || bail_out "broker $down is still registered"
        is_waiting=yes
        run_all $((real / 3)) 5 4
    fi
    peer_down
    # Each topic was there once: its marker was made once, and it was asked for once, by whatever start.
    sandbox txnlog >"$scratch/txnlog"
    grep -oE 'create /admin/delete_topics/[^ ]+' "$scratch/txnlog" | sort | uniq -c |
        awk '{ n++; if ($1 != 1) print "bad twice: " $3 ", " $1 " times" } END { print "markers", n + 0 }' >"$scratch/judged"
    python3 "$e2e_top/tests/e2e/kill_judge.py" requests "$scratch/intended" "$KAFOPS_SANDBOX_DIR"/broker-*/broker.log >>"$scratch/judged"
    [ -z "${KILL_KEEP:-}" ] || cp "$scratch/txnlog" "$scratch/judged" "$scratch/intended" "$KILL_KEEP/"
    grep '^bad' "$scratch/judged" | tee -a "$scratch/bad" | diag
    [ "$(sed -n 's/^requests //p' "$scratch/judged")" -ge "$real" ] || printf 'bad unjournaled: too few requests in the logs\n' | tee -a "$scratch/bad" | diag
    diag "$(sed -n 's/^markers //p' "$scratch/judged") markers in the transaction log, $(sed -n 's/^requests //p' "$scratch/judged") requests in the brokers' logs"
    sandbox down >/dev/null 2>&1
}

# ---- all ----

steps=(before-the-intent in-the-middle-of-the-intent between-intent-and-sync synced-and-not-sent in-flight in-flight-or-answered between-answer-and-outcome
    in-the-middle-of-an-outcome between-groups after-the-last-outcome ended-before)

print_table()
{
    awk -F '\t' -v steps="${steps[*]}" '
        { n[$4, $2 "," $3]++ }
        END {
            k = split(steps, st, " "); split("slow,batch slow,console real,batch real,console", by, " ")
            printf "%-30s %10s %10s %10s %10s\n", "the kill came", "slow,batch", "console", "real,batch", "console"
            for (i = 1; i <= k; i++) {
                printf "%-30s", st[i]
                for (j = 1; j <= 4; j++) printf " %10d", n[st[i], by[j]]
                printf "\n"
            }
        }' "$table"
}

# Steps that can be told apart with the slow controller alone, and one that real brokers alone have.
unhit()
{
    local st
    for st in "${steps[@]}"; do
        case $st in in-flight-or-answered | ended-before) continue ;; esac
        [ "$(awk -F '\t' -v st="$st" '$2 == "slow" && $4 == st { n++ } END { print n + 0 }' "$table")" -ge 2 ] || printf '%s ' "$st"
    done
}

kill_all()
{
    local cl
    command -v flock >/dev/null || skip_all 'flock is not installed'
    command -v python3 >/dev/null || skip_all 'python3 is not installed'
    plan $((${#claims[@]} + 2))
    began=$SECONDS nth_run=0 killed=0
    : >"$table"
    : >"$scratch/bad"
    : >"$scratch/intended"
    [ -z "${KILL_KEEP:-}" ] || mkdir -p "$KILL_KEEP"
    diag "kafops kill, $(date -u +%FT%TZ), commit $(git -C "$e2e_top" rev-parse --short HEAD 2>/dev/null || echo unknown), $(nproc) cores, Kafka $version, seed $seed"
    [ "$runs" = 0 ] || kill_slow
    [ "$real" = 0 ] || kill_real
    print_table | diag
    diag "$killed kills in $((SECONDS - began)) s"
    for cl in "${claims[@]}"; do
        is "${claim[$cl]}" "$(grep -c "^bad $cl:" "$scratch/bad")" 0
    done
    is 'so many were killed' "$killed" $((runs + real))
    is 'each step was hit, with the slow controller' "$([ "$runs" -lt 100 ] || unhit)" ''
}

kill_all
