#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A cluster that is recorded to a disk which fills up: the console says so and goes on seeing all there is, and what was
# recorded until then can be played. And answers of batch commands that nobody reads, or that fit nowhere.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cases=$e2e_top/tests/cases
disk=$scratch/disk
mkdir "$disk"
trap 'umount "$disk" 2>/dev/null; e2e_cleanup' EXIT

batch() { sandbox zk-batch "$scratch/batch" >/dev/null; }
make_topics() { # NUMBER
    local i
    for ((i = 1; i <= $1; i++)); do
        printf 'create-r\t/kafka/brokers/topics/many.%04d\t{"version":1,"partitions":{"0":[1,2]}}\n' "$i"
        printf 'create-r\t/kafka/brokers/topics/many.%04d/partitions/0/state\t{"controller_epoch":7,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}\n' "$i"
    done >"$scratch/batch"
    batch
}
make_late() { printf 'create-r\t/kafka/brokers/topics/a.late\t{"version":1,"partitions":{"0":[1,2]}}\n' >"$scratch/batch"; batch; }
is_whole() { head -n -1 "$1" | jq -es 'length > 100' >/dev/null; }
limited() { prlimit --pid "$(console_pid)" --fsize=500000:; }

command -v jq >/dev/null || skip_all "jq is not installed"
plan 13
zk_up
sed 's,^,create-r\t/kafka,' "$cases/fixture-a.zktree" >"$scratch/batch"
batch
why='No space left on device' full=true
if ! mount -t tmpfs -o size=500k kafops-test "$disk" 2>/dev/null; then
    diag "no disk of one's own to be had here: a limit on the size of files stands for it"
    why='File too large' full=limited
fi
COLUMNS=160
console_start --zookeeper "$KAFOPS_ZK/kafka" --record "$disk/rec"
ok 'the console is live' wait_text 'live .*ms'
$full
make_topics 1000
ok 'a full disk stops the recording, with why' wait_text "recording stopped: $disk/rec: $why"
keys G
ok 'and is nothing to what is seen' wait_text 'many\.1000 +1 +2 +ok'
keys g
make_late
ok 'nor to what comes after' wait_text 'a\.late +1 '
keys q
ok 'q ends the console' console_ends
ok 'what is recorded is whole, up to its last line' is_whole "$disk/rec"
console_start replay "$disk/rec" --speed 0
ok 'and can be played' wait_text 'many\.0001 +1 +2 +ok'
ok 'to its end' wait_text 'at its end'
keys q
ok 'which q ends' console_ends

ask() { "$KAFOPS" "$@" --from zookeeper --zookeeper "$KAFOPS_ZK/kafka" 2>"$scratch/err"; }
for command in topics describe; do
    is "kafops $command into a reader that stops early is done" "$(ask $command | head -c 1 | wc -c) ${PIPESTATUS[0]} $(cat "$scratch/err")" '1 0 '
    is "kafops $command into a full disk is a sentence" "$(ask $command >/dev/full; echo $?) $(cat "$scratch/err")" \
        '1 kafops: write the answer to standard output: No space left on device'
done
