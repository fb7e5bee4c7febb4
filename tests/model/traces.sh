#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What was seen of deletions on real brokers (Kafka 2.8.2, three of them), by recordings:
#   dead-broker-2.8.2.trace   t, 2 partitions x 3: broker 1 killed, topic deleted, controller moved, broker 1 started
#   bad-dir-2.8.2.trace       u, 4 x 3: a log dir of broker 1 fails, the topic is deleted, the dir is mended and the broker restarted
set -u
replay=${top_builddir:?}/tests/tools/watchreplay
traces=${top_srcdir:?}/tests/model/traces
n=0 failed=0

# claim WHAT TRACE SECONDS PATTERN [COUNT]: so many lines (1) of what had been seen by then are like it.
claim()
{
    local found
    found=$("$replay" "$traces/$2" "$3" | grep -Ec -- "$4")
    n=$((n + 1))
    if [ "$found" = "${5:-1}" ]; then
        printf 'ok %d - %s\n' "$n" "$1"
    else
        failed=1
        printf 'not ok %d - %s\n' "$n" "$1"
        "$replay" "$traces/$2" "$3" | sed 's/^/# /'
    fi
}

printf '1..12\n'
one=dead-broker-2.8.2.trace two=bad-dir-2.8.2.trace
claim 'it came while we looked, and the controller has dropped it' "$one" 11 '^deletion t open came=yes alive=yes pass=yes lists=absent .*replicas=6'
claim 'replicas of the dead broker are known by where they lay' "$one" 11 '^replica t [01] 1 dir=/.*/d[12] size=[1-9][0-9]* gone=- failed=-' 2
claim 'the election is a try' "$one" 99 '^attempt t elected id=2 epoch=2 .* effect=yes done=0 left=6'
claim 'which overtook the first' "$one" 99 '^attempt t marked .* effect=yes done=4 left=2'
claim 'replicas made again by it were seen so' "$one" 99 '^replica t [01] [23] .* gone=[0-9.]+ failed=- refilled=yes' 4
claim 'the start of the broker that was dead ended it' "$one" 99 '^attempt t started id=1 .* effect=yes done=6 left=0'
claim 'it is over' "$one" 99 '^deletion t gone '
claim 'a dir failed before the marker came: what lay there is known' "$two" 40 '^replica u [12] 1 dir=/.*/d1 size=25547 gone=- failed=-[0-9.]+ ' 2
claim 'what lay in the good dir of that broker is gone' "$two" 40 '^replica u [03] 1 dir=/.*/d2 size=[0-9]+ gone=[0-9.]+ failed=- ' 2
claim 'two of twelve are left' "$two" 40 '^attempt u marked .* effect=yes done=10 left=2'
claim 'the restart with the dir mended ended it' "$two" 99 '^attempt u started id=1 .* effect=yes done=12 left=0'
claim 'and that is over' "$two" 99 '^deletion u gone '
exit "$failed"
