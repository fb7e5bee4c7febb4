#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The console and a ZooKeeper that goes wrong: restarted, silent, session
# expired, chroot deleted. It says so in time, keeps what it knew, and comes back by itself with what
# changed meanwhile. The public cases ZS-01 and ZS-02 are among these.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cases=$e2e_top/tests/cases

# batch LINE...: writes, fields separated by "|".
batch() { printf '%s\n' "$@" | tr '|' '\t' >"$scratch/batch"; sandbox zk-batch "$scratch/batch" >/dev/null; }

# seed: the standard small cluster. Its ephemeral nodes stand as plain ones here.
seed() { sed 's,^,create-r\t/kafka,' "$cases/fixture-a.zktree" >"$scratch/seed"; sandbox zk-batch "$scratch/seed" >/dev/null; }

topic() { printf 'create-r|/kafka/brokers/topics/%s|{"version":1,"partitions":{"0":[1,2]}}\n' "$1"
          printf 'create-r|/kafka/brokers/topics/%s/partitions/0/state|{"controller_epoch":7,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}\n' "$1"; }
make_topic() { local lines; mapfile -t lines < <(topic "$1"); batch "${lines[@]}"; }

# within MS PATTERN: the screen shows it so long after $begun.
within() { wait_text "$2" && in_time "$2" $(($(now_ms) - begun)) "$1"; }

# A crash in any thread must reach the handler that restores the terminal: ILL, ABRT, BUS, FPE, SEGV are blocked in none.
crashes_open()
{
    local mask n=0
    for mask in $(sed -n 's/^SigBlk:[[:space:]]*//p' /proc/"$(console_pid)"/task/*/status); do
        [ $((0x$mask & 0x4e8)) -eq 0 ] || { diag "a thread blocks 0x$mask"; return 1; }
        n=$((n + 1))
    done
    [ "$n" -ge 3 ]
}

plan 27
zk_up
servers=$KAFOPS_ZK
seed
console_start --zookeeper "$servers/kafka" --zk-session-timeout 4s
ok 'the console is live' wait_text 'live .*ms'
ok 'and shows the topics' wait_text 'payments\.eu +2 +2 +ok'
ok 'a crash in any thread finds its handler' crashes_open

# A reset connection: the server is stopped and started.
sandbox kill-zk
begun=$(now_ms)
ok 'a reset connection is STALE within 2 s' within 2000 'STALE'
ok 'with the server and why' wait_text '127\.0\.0\.1:[0-9]+ refused'
ok 'what was known stays' screen_has 'payments\.eu +2 +2 +ok'
ok 'it counts how old that is' wait_text 'STALE +([3-9]|[1-9][0-9]) s'
sandbox start-zk
make_topic made.meanwhile
ok 'it comes back by itself' wait_text 'live .*ms'
ok 'with what changed meanwhile' wait_text 'made\.meanwhile +1 +2 +ok'
ok 'no word of a loss is left' wait_gone 'STALE|lost|expired'

# A silent server: two thirds of the session time-out and a second.
sandbox pause-zk
begun=$(now_ms)
ok 'a silent server is STALE within two thirds of the time-out and 1 s' within 3667 'STALE'
sandbox resume-zk
ok 'and live again when it answers' wait_text 'live .*ms'

# ZS-01: the process slept longer than the session time-out.
pid=$(console_pid)
kill -STOP "$pid"
make_topic made.asleep
sandbox expire "$(grep -oE 'session 0x[0-9a-f]+' "$scratch/console.log" | tail -1 | cut -d' ' -f2)"
kill -CONT "$pid"
ok 'ZS-01: after an expired session it is live again' wait_text 'live .*ms'
ok 'ZS-01: with what changed while it slept' wait_text 'made\.asleep +1 +2 +ok'

# The chroot is deleted and made again.
batch 'delete-r|/kafka'
ok 'a deleted chroot is named' wait_text '/kafka (does not exist|is gone from this ensemble)'
seed
make_topic made.again
ok 'made again, it is read again' wait_text 'made\.again +1 +2 +ok'
ok 'and what is not there any more is gone' wait_gone 'made\.asleep'
keys q
ok 'q ends the console' console_ends

# Starting where nothing answers.
free=127.0.0.1:1
console_start --zookeeper "$free/kafka"
ok 'an unreachable server is named, with why' wait_text 'last error +refused'
keys q
console_status >/dev/null
console_start --zookeeper "no-such-host.invalid:2181,$servers/kafka"
ok 'a name that does not resolve does not keep it from the other server' wait_text 'live .*ms'
keys q
console_status >/dev/null
console_start --zookeeper "no-such-host.invalid:2181"
ok 'a name that does not resolve is named' wait_text 'no-such-host\.invalid.*(resolve|known)'
keys q
console_status >/dev/null

# ZS-05: a chroot that was never there.
console_start --zookeeper "$servers/nosuch/deep"
ok 'ZS-05: a wrong chroot is named' wait_text '/nosuch does not exist'
ok 'ZS-05: and what one looks like' wait_text 'zk1:2181,zk2:2181/kafka'
ok 'ZS-05: nothing is made' eval '! sandbox zk ls / 2>/dev/null | grep -q nosuch'
keys q
console_status >/dev/null
is 'batch says so as well, with status 5' "$("$KAFOPS" topics --from zookeeper --zookeeper "$servers/nosuch" --timeout 10s >/dev/null 2>"$scratch/err"; echo $?)" 5
ok 'and names the node' grep -q '/nosuch does not exist' "$scratch/err"
is 'an unreachable ensemble is status 5 after the time-out' "$("$KAFOPS" topics --from zookeeper --zookeeper "$free" --timeout 1s >/dev/null 2>"$scratch/err"; echo $?)" 5
