#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Case UI-11.
. "$(dirname "$0")/lib.sh"
# The leak sanitizer's tracer can hang in a process whose session is gone; leaks are looked for at every other end.
quiet=ASAN_OPTIONS=detect_leaks=0

idle() { # seconds of processor time, of program and runner together
	awk '{ exit !($1 + $2 < 1) }' "$T/cpu" || { cat "$T/cpu"; return 1; }
}

start 80 24 $quiet -- replay "$TRACES/cluster.trace" --at 13
check "it is up" wait_text "broker 3 down"
p=$(pid)
tmx kill-server
check "the terminal goes: it ends" until_true gone "$p"

start 80 24 IGNORE_HUP=1 $quiet -- replay "$TRACES/cluster.trace" --at 13
check "it is up again, with SIGHUP ignored" wait_text "broker 3 down"
p=$(pid)
began=$(now_ms)
tmx kill-server
check "the terminal goes without a signal: it ends" until_true gone "$p"
took=$(($(now_ms) - began))
check "within five seconds ($took ms)" in_time $took 5000
check "the runner noted it" until_true test -s "$T/status"
check "the status tells of a hang-up" test "$(cat "$T/status")" = 129
check "and without work" idle
done_testing
