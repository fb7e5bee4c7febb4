#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The figures the console is held to, each beside its target. Times are noisy: ratios come from
# runs that take turns. Against a real ZooKeeper of the sandbox, seeded by
# tests/bench/zkseed, and the brokers of tests/bench/mdserve; the console runs in a pseudo-terminal of
# tests/bench/ptybench. `real` is a real cluster of three brokers, beside Kafka's own tools and kcat.
#
#   bench.sh [NAME...]      load first latency idle scale brokers real view mark deletion wire; all without a name

. "$(dirname "$0")/../e2e/lib.sh"

build=${top_builddir:?}
bench=$build/tests/bench
missed=0
names=${*:-load first latency idle scale brokers real view mark deletion wire}

# figure NAME VALUE UNIT OP TARGET: a line, and whether the target holds.
figure()
{
    local verdict=ok
    [[ $2 =~ ^[0-9.]+$ ]] || { printf '%s: nothing was measured\n' "$1"; missed=$((missed + 1)); return; }
    awk -v a="$2" -v b="$5" "BEGIN { exit !(a $4 b) }" || { verdict=MISSED; missed=$((missed + 1)); }
    printf '%-58s %10s %-5s target %s %-8s %s\n' "$1" "$2" "$3" "$4" "$5" "$verdict"
}
note() { printf '%s\n' "  ($*)"; }
wanted() { [[ " $names " = *" $1 "* ]]; }
best() { sort -n | head -1; }
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }
console() { KAFOPS_VIEW=topics "$bench/ptybench" "$@"; }
overview() { KAFOPS_VIEW='' "$bench/ptybench" overview "$@"; }
tool_ms()
{
    local begun
    begun=$(date +%s%N)
    sandbox kafka topics --zookeeper "$1" --describe >"$scratch/tool.out" 2>&1
    [ "$(grep -c 'Partition: ' "$scratch/tool.out")" -ge "$2" ] || bail_out "kafka-topics printed too little"
    echo $((($(date +%s%N) - begun) / 1000000))
}
batch_ms()
{
    local begun
    begun=$(date +%s%N)
    "$KAFOPS" topics --zookeeper "$1" --from zookeeper --output tsv >"$scratch/batch.out"
    [ "$(wc -l <"$scratch/batch.out")" -gt "$2" ] || bail_out "kafops topics printed too little"
    echo $((($(date +%s%N) - begun) / 1000000))
}

# timed NAME LINES COMMAND...: adds its milliseconds to the file NAME; it must succeed and print so many lines.
timed()
{
    local begun name=$1 lines=$2
    shift 2
    begun=$(date +%s%N)
    "$@" >"$scratch/$name.out" 2>"$scratch/$name.err" || bail_out "$* fails: $(tail -n 1 "$scratch/$name.err")"
    echo $((($(date +%s%N) - begun) / 1000000)) >>"$scratch/$name"
    [ "$(wc -l <"$scratch/$name.out")" -ge "$lines" ] || bail_out "$* printed too little"
}

# serve CHROOT OPTIONS...: a tree and the brokers to it; sets served, their process.
serve()
{
    local chroot=$1
    shift
    rm -f "$scratch/served"
    "$bench/mdserve" "$@" >"$scratch/served" &
    served=$!
    poll test -s "$scratch/served" || bail_out "mdserve didn't start"
    "$bench/zkseed" "$servers/$chroot" seed --rf 3 --port "$(head -n 1 "$scratch/served")" "$@" >/dev/null
}
served_end()
{
    kill "$served"
    wait "$served" 2>/dev/null
}
# served_most: the most that a broker was asked in the last span told.
served_most()
{
    poll is_told_whole || return
    awk '$1 == "end" { most = now; now = 0; next } NF > 1 && $2 > now { now = $2 } END { print most }' "$scratch/served"
}
is_told_whole() { [ $(($(grep -c '^end' "$scratch/served") % 2)) -eq 0 ]; }

printf 'kafops bench, %s, commit %s, %s cores\n\n' "$(date -u +%FT%TZ)" \
    "$(git -C "$e2e_top" rev-parse --short HEAD 2>/dev/null || echo none)" "$(nproc)"
if wanted first || wanted load || wanted latency || wanted idle || wanted scale || wanted brokers; then
    # The heap is for 200,000 partitions and their watches.
    zk_up --kafka 2.5.1 --zk-jvm -Xmx2g
    servers=$KAFOPS_ZK
fi

if wanted first; then
    "$bench/zkseed" "$servers/first" seed --topics 1000 --partitions 6 >/dev/null
    for _ in 1 2 3; do console first "$KAFOPS" --zookeeper "$servers/first" >/dev/null; done   # the server warms up
    for _ in $(seq 15); do console first "$KAFOPS" --zookeeper "$servers/first"; done >"$scratch/first"
    figure 'first useful screen, 1,000 topics x 6 (median of 15)' "$(median <"$scratch/first")" ms '<' 150
    for _ in $(seq 15); do overview "$KAFOPS" --zookeeper "$servers/first"; done >"$scratch/over"
    figure 'first useful overview, of the same (median of 15)' "$(cut -d' ' -f1 "$scratch/over" | median)" ms '<' 150
    note "all 6,000 partitions judged after $(cut -d' ' -f2 "$scratch/over" | median) ms"
    for _ in 1 2 3; do batch_ms "$servers/first" 1000 >>"$scratch/b"; tool_ms "$servers/first" 6000 >>"$scratch/t"; done
    note "kafops topics $(best <"$scratch/b") ms, kafka-topics --zookeeper --describe $(best <"$scratch/t") ms"
    figure 'kafka-topics / kafops topics, 1,000 topics x 6' "$(ratio "$(best <"$scratch/t")" "$(best <"$scratch/b")")" x '>=' 3
fi

if wanted load || wanted latency || wanted idle; then
    "$bench/zkseed" "$servers/big" seed --topics 2000 --partitions 25 --rf 3 >/dev/null
    # The topic whose changes are timed: first by name, so always on view.
    "$bench/zkseed" "$servers/big" seed --topics 1 --partitions 1 --rf 3 --prefix aaa- >/dev/null
fi

if wanted load; then
    "$bench/zkread" "$servers/big" --windows 100,500,2000 >"$scratch/windows"   # which reads best
    window=$(awk '$1 == "floor" { print $3 }' "$scratch/windows")
    for _ in 1 2 3 4 5 6 7 8 9; do
        "$bench/zkread" "$servers/big" --windows "$window" | awk '$1 == "floor" { print $2 * 1000 }' >>"$scratch/floor"
        console live "$KAFOPS" --zookeeper "$servers/big" >>"$scratch/ours"
    done
    tool_ms "$servers/big" 50000 >"$scratch/tool"
    note "medians of 9: floor $(median <"$scratch/floor") ms with $window in flight, console live after $(median <"$scratch/ours") ms; kafka-topics $(cat "$scratch/tool") ms"
    figure 'full load of 50,000 states / floor' "$(ratio "$(median <"$scratch/ours")" "$(median <"$scratch/floor")")" x '<=' 1.15
    figure 'kafka-topics --zookeeper --describe / full load' "$(ratio "$(cat "$scratch/tool")" "$(median <"$scratch/ours")")" x '>=' 2
fi

if wanted latency; then
    read -r median p99 max < <(console latency "$servers/big" aaa-00000 200 "$KAFOPS" --zookeeper "$servers/big")
    note "quiet, 200 changes: median $median, 99th $p99, slowest $max ms"
    figure 'write to terminal, quiet, median' "$median" ms '<' 20
    figure 'write to terminal, quiet, 99th percentile' "$p99" ms '<' 50
    "$bench/zkseed" "$servers/big" change --topics 2000 --partitions 25 --changes-per-s 1000 --count 60000 >"$scratch/changes" &
    changing=$!
    read -r median p99 max < <(console latency "$servers/big" aaa-00000 200 "$KAFOPS" --zookeeper "$servers/big")
    kill "$changing"
    wait "$changing" 2>/dev/null
    note "1,000 changes a second ($(wc -l <"$scratch/changes") made), 200 changes: median $median, 99th $p99, slowest $max ms"
    figure 'write to terminal, 1,000 changes/s, 99th percentile' "$p99" ms '<' 100
    read -r median p99 max < <(console key 100 "$KAFOPS" --zookeeper "$servers/big")
    figure 'a key is answered, 99th percentile' "$p99" ms '<' 50
fi

if wanted idle; then
    "$bench/zkseed" "$servers/none" seed --topics 1 --partitions 1 >/dev/null
    empty=$(console rss "$KAFOPS" --zookeeper "$servers/none")
    read -r cpu full bytes < <(KAFOPS_VIEW='' "$bench/ptybench" idle 30 "$KAFOPS" --zookeeper "$servers/big")
    note "resident: empty $empty KiB, 50,000 partitions x 3 $full KiB; $bytes bytes to the terminal in 30 s"
    figure 'idle with 50,000 partitions' "$cpu" '%core' '<' 0.2
    figure 'memory per replica' "$(awk -v a="$full" -v b="$empty" 'BEGIN { printf "%.0f", (a - b) * 1024 / 150000 }')" B '<' 250
fi

if wanted scale; then
    # The public case SL-01.
    "$bench/zkseed" "$servers/scale" seed --topics 4000 --partitions 50 --rf 3 --brokers 12 --prefix app- >/dev/null
    read -r first live key peak < <(console load "$KAFOPS" --zookeeper "$servers/scale")
    note "SL-01: 200,000 partitions: first screen $first ms, live $live ms, slowest key while loading $key ms, peak $peak KiB"
    figure 'SL-01: first useful screen' "$first" ms '<' 10000
    figure 'SL-01: a key while loading, slowest' "$key" ms '<' 100
    figure 'SL-01: peak memory' "$((peak / 1024))" MiB '<' 1000
fi

if wanted brokers; then
    serve told --topics 2000 --partitions 25
    for _ in 1 2 3; do console sized "$KAFOPS" --zookeeper "$servers/told" >/dev/null; done
    for _ in $(seq 15); do
        console sized "$KAFOPS" --zookeeper "$servers/told" >>"$scratch/sized"
        KAFOPS_VIEW='' "$bench/ptybench" judged "$KAFOPS" --zookeeper "$servers/told" >>"$scratch/judged"
    done
    note "with brokers, 50,000 partitions x 3: a page of topics with states after $(cut -d' ' -f1 "$scratch/sized" | median) ms"
    figure '... with every state and size (median of 15)' "$(cut -d' ' -f2 "$scratch/sized" | median)" ms '<' 500
    figure '... the overview, all partitions judged (median of 15)' "$(median <"$scratch/judged")" ms '<' 500
    for view in overview topics dirs; do
        read -r cpu full bytes < <(PTYBENCH_TELL=$served KAFOPS_VIEW=$view "$bench/ptybench" idle 60 "$KAFOPS" --zookeeper "$servers/told")
        asked=$(served_most)
        note "idle on $view: resident $full KiB, $bytes bytes to the terminal, at most $asked requests to a broker in 60 s"
        figure "idle with brokers, $view" "$cpu" '%core' '<' 0.2
        figure "requests to a broker, $view" "$(ratio "$asked" 60)" /s '<=' 1
    done
    served_end
    "$bench/zkseed" "$servers/none" seed --topics 1 --partitions 1 >/dev/null
    empty=$(console rss "$KAFOPS" --zookeeper "$servers/none")
    serve large --topics 4000 --partitions 50 --brokers 12 --prefix app-
    read -r first live key peak < <(console load "$KAFOPS" --zookeeper "$servers/large")
    note "200,000 partitions x 3 with brokers: first screen $first ms, live $live ms, peak $peak KiB"
    figure '... a key while loading, slowest' "$key" ms '<' 100
    read -r cpu full bytes < <(KAFOPS_VIEW='' "$bench/ptybench" idle 180 "$KAFOPS" --zookeeper "$servers/large")
    note "after 3 minutes: $cpu %core, resident $full KiB"
    figure '... memory, log dirs known' "$((full / 1024))" MiB '<' 200
    figure '... memory per replica, log dirs known' "$(awk -v a="$full" -v b="$empty" 'BEGIN { printf "%.0f", (a - b) * 1024 / 600000 }')" B '<' 250
    served_end
fi

if wanted real; then
    [ ! -f "$KAFOPS_SANDBOX_DIR/state" ] || sandbox down >/dev/null 2>&1
    # Servers as operators run them: with the JVM's second compiler, which the sandbox does without to start fast, and in
    # use for a while, for a cold one compiles most of the time. The tools are as the sandbox has them, with an archive of their classes
    # and without that compiler: faster than by Kafka's own scripts.
    kafka_up 2.8.2 3 --zk-jvm -XX:TieredStopAtLevel=4 --broker-jvm -XX:TieredStopAtLevel=4
    seq -f 'bench-%g 25 3' 80 | sandbox make >/dev/null 2>&1 || bail_out 'no topics could be made'
    # A broker learns of topics a while after they are made.
    all_told()
    {
        local port
        for port in "$BROKER1_PORT" "$BROKER2_PORT" "$BROKER3_PORT"; do
            [ "$("$KAFOPS" describe --bootstrap-server "127.0.0.1:$port" --from brokers --output tsv | wc -l)" -gt 2000 ] || return 1
        done
    }
    poll all_told || bail_out 'a broker does not know all topics'
    ours()
    {
        timed describe 2000 "$KAFOPS" describe --zookeeper "$KAFOPS_ZK" --from brokers --output tsv
        timed describe-b 2000 "$KAFOPS" describe --bootstrap-server "$KAFOPS_BOOTSTRAP" --from brokers --output tsv
        ! command -v kcat >/dev/null || timed kcat 2000 kcat -L -b "$KAFOPS_BOOTSTRAP"
        timed topics 80 "$KAFOPS" topics --zookeeper "$KAFOPS_ZK" --output tsv
        timed dirs 7 "$KAFOPS" dirs --zookeeper "$KAFOPS_ZK" --output tsv
        timed dirs-r 6000 "$KAFOPS" dirs --zookeeper "$KAFOPS_ZK" --replicas --output tsv
    }
    theirs()
    {
        timed kafka-topics 2000 sandbox kafka topics --bootstrap-server "$KAFOPS_BOOTSTRAP" --describe
        timed kafka-log-dirs 1 sandbox kafka log-dirs --bootstrap-server "$KAFOPS_BOOTSTRAP" --describe
    }
    for i in $(seq 60); do
        ours
        [ $((i % 10)) -gt 0 ] || theirs
    done
    for name in describe describe-b kcat topics dirs dirs-r kafka-topics kafka-log-dirs; do
        [ ! -f "$scratch/$name" ] || mv "$scratch/$name" "$scratch/$name.cold"
    done
    for _ in $(seq 11); do
        ours
        theirs
    done
    of() { median <"$scratch/$1"; }
    note "2,000 partitions x 3 on 3 brokers, servers warm, medians of 11"
    note "the first run, servers cold, ms: kafops topics $(head -n 1 "$scratch/topics.cold"), dirs $(head -n 1 "$scratch/dirs.cold")"
    note "ms: kafops describe --from brokers $(of describe), topics $(of topics), dirs $(of dirs), with --replicas $(of dirs-r); kafka-topics $(of kafka-topics), kafka-log-dirs $(of kafka-log-dirs)"
    if [ -s "$scratch/kcat" ]; then
        note "by bootstrap server, ms: kafops describe $(of describe-b), kcat -L $(of kcat)"
        figure 'kafops describe --from brokers / kcat -L' "$(ratio "$(of describe-b)" "$(of kcat)")" x '<=' 3
    else
        note 'kcat is not installed: kafops describe is not compared with it'
    fi
    figure 'kafka-topics --describe / kafops describe --from brokers' "$(ratio "$(of kafka-topics)" "$(of describe)")" x '>=' 14
    figure 'kafka-topics --describe / kafops topics, every field' "$(ratio "$(of kafka-topics)" "$(of topics)")" x '>=' 8
    figure 'kafka-log-dirs --describe / kafops dirs' "$(ratio "$(of kafka-log-dirs)" "$(of dirs)")" x '>=' 15
fi

if wanted view; then
    "$bench/viewbench" | sed 's/^/  /'
fi

if wanted mark; then
    "$bench/markbench" | tee "$scratch/mark" | sed 's/^/  /'
    most() { awk -v want="$1" '$1 ~ "^preview\\.(" want ")" && $2 > most { most = $2 } END { print most }' "$scratch/mark"; }
    figure 'pattern preview over 100,000 names: the dearest keystroke' "$(most 'team|all|middle|two')" ms '<' 20
    figure '... a pattern that would take for ever is cut off after' "$(most hopeless)" ms '<' 50
fi

if wanted deletion; then
    "$bench/deletionbench" >"$scratch/deletion" || bail_out "deletionbench fails"
    deletion() { awk -v name="deletions.$1" '$1 == name { print $2 }' "$scratch/deletion"; }
    figure 'why 500 deletions (30,000 replicas) wait: first' "$(deletion first)" ms '<' 20
    figure '... all of them again' "$(deletion again)" ms '<' 20
    figure '... after the answer of one broker of 60' "$(deletion one-broker)" ms '<' 20
fi

if wanted wire; then
    "$bench/wirebench" | tee "$scratch/wire" | sed 's/^/  /'
    figure 'DescribeLogDirs of 200,000 replicas: decoding' "$(awk '/v4.decode/ { print $2 }' "$scratch/wire")" ms '<' 100
    "$bench/wordbench" | tee "$scratch/word" | sed 's/^/  /'
    word() { awk -v name="word.$1" '$1 == name { print $2 }' "$scratch/word"; }
    figure '... to an event' "$(word disks.decode)" ms '<' 100
    figure '... the UI thread is held, first' "$(word disks.first)" ms '<' 16
    figure '... the UI thread is held, 1 % changed' "$(word disks.again)" ms '<' 16
    figure 'Metadata of 200,000 partitions: to an event' "$(word metadata.decode)" ms '<' 100
    figure '... the UI thread is held at once, first' "$(word metadata.first)" ms '<' 16
    figure '... the UI thread is held at once, again' "$(word metadata.again)" ms '<' 16
    figure '... the UI thread is held at once, beside ZooKeeper' "$(word metadata.beside)" ms '<' 16
fi

printf '\n%d figures missed\n' "$missed"
[ "$missed" -eq 0 ]
