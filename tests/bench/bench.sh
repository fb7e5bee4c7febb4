#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The figures the console is held to, each beside its target. Times are noisy: ratios come from
# runs that take turns. Against a real ZooKeeper of the sandbox, seeded by
# tests/bench/zkseed; the console runs in a pseudo-terminal of tests/bench/ptybench.
#
#   bench.sh [NAME...]      load first latency idle scale view wire; all without a name

. "$(dirname "$0")/../e2e/lib.sh"

build=${top_builddir:?}
bench=$build/tests/bench
missed=0
names=${*:-load first latency idle scale view wire}

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
    "$KAFOPS" topics --zookeeper "$1" --output tsv >"$scratch/batch.out"
    [ "$(wc -l <"$scratch/batch.out")" -gt "$2" ] || bail_out "kafops topics printed too little"
    echo $((($(date +%s%N) - begun) / 1000000))
}

printf 'kafops bench, %s, commit %s, %s cores\n\n' "$(date -u +%FT%TZ)" \
    "$(git -C "$e2e_top" rev-parse --short HEAD 2>/dev/null || echo none)" "$(nproc)"
# The heap is for 200,000 partitions and their watches.
zk_up --kafka 2.5.1 --zk-jvm -Xmx2g
servers=$KAFOPS_ZK

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

if wanted view; then
    "$bench/viewbench" | sed 's/^/  /'
fi

if wanted wire; then
    "$bench/wirebench" | tee "$scratch/wire" | sed 's/^/  /'
    figure 'DescribeLogDirs of 200,000 replicas: decoding' "$(awk '/v4.decode/ { print $2 }' "$scratch/wire")" ms '<' 100
fi

printf '\n%d figures missed\n' "$missed"
[ "$missed" -eq 0 ]
