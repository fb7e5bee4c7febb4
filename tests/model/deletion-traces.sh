#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What is told of deletions on real brokers (Kafka 2.8.2), by the recordings of tests/model/traces.sh.
set -u
replay=${top_builddir:?}/tests/tools/deletionreplay
traces=${top_srcdir:?}/tests/model/traces
n=0 failed=0

# claim WHAT TRACE SECONDS|- PATTERN [COUNT]: so many lines (1) of what was told then (-: at any time) are like it.
claim()
{
    local found args=("$traces/$2")
    [ "$3" = - ] || args+=("$3")
    found=$("$replay" "${args[@]}" | grep -Ec -- "$4")
    [ "$3" != - ] || [ "$found" -eq 0 ] || found=1
    n=$((n + 1))
    if [ "$found" = "${5:-1}" ]; then
        printf 'ok %d - %s\n' "$n" "$1"
    else
        failed=1
        printf 'not ok %d - %s\n' "$n" "$1"
        "$replay" "${args[@]}" | sed 's/^/# /'
    fi
}

printf '1..13\n'
one=dead-broker-2.8.2.trace two=bad-dir-2.8.2.trace
claim 'it waits for the broker that was killed' "$one" 11 '^11\.0 deletion t T4 waiting certain .* why=broker 1 down '
claim 'that broker holds two replicas' "$one" 11 '^11\.0 blocker t broker-down certain broker=1 dir=- replicas=2'
claim 'what it does not hold is deleted' "$one" 11 ' replica t [01] [23] R2 done certain Successful (likely|certain) ' 4
claim 'what it holds waits' "$one" 11 ' replica t [01] 1 R1 waiting certain ' 2
claim 'after the election all wait, those deleted before made again' "$one" 18 ' replica t [01] [23] R11 waiting likely Online likely ' 4
claim 'those of the dead broker are known to be Offline then' "$one" 18 ' replica t [01] 1 R1 waiting certain Offline certain ' 2
claim 'it went on when the broker registered' "$one" - ' deletion t T3 running certain '
claim 'and ended' "$one" 99 ' deletion t T11 done certain done=6 '
claim 'three attempts were seen' "$one" 99 ' attempt t (asked for: 4 done, 2 wait: broker 1 down|controller 2 elected, epoch 2: 0 done, 6 wait: broker 1 down|broker 1 registered: 6 done, 0 wait)$' 3
claim 'a deletion waits for a log dir' "$two" 40 ' deletion u T5 waiting certain done=10 running=0 waiting=2 .* why=broker 1: dir …/d1 offline '
claim 'ten seconds after it came to rest every phase is certain' "$two" 40 ' replica u [0-3] [123] R[0-9b]+ (done|waiting) certain ' 12
claim 'it ended when the dir was mended and the broker restarted' "$two" 99 ' deletion u T11 done certain '
claim 'no replica was ever certainly deleted before a pass ran' "$two" - ' deletion u T1 .* done=[1-9]' 0
exit "$failed"
