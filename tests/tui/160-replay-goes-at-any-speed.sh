#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh"

trace=$TRACES/steady.trace
idle() { awk '{ exit !($1 + $2 < 1) }' "$T/cpu" || { cat "$T/cpu"; return 1; }; }
played() { # SPEED: to its end, and how that looks
	start 80 24 -- replay "$trace" --speed "$1" && wait_text "at its end" && wait_text "1 partition under"
	screen >"$T/end.$1"
}

check "ten thousand times as fast, four minutes come to their end" played 10000
keys '['
check "[ goes back from there" wait_gone "at its end"
keys .
check "and . plays the rest once more" wait_text "at its end"
keys q
check "q ends it" ended_with 0
check "it did no work but that" idle
check "speed 0 ends up at the same picture" played 0
check "the very same" cmp "$T/end.0" "$T/end.10000"
keys q
wait_ended >/dev/null

start 80 24 -- replay "$trace" --speed 0.01
check "a hundredth as fast: the start is there" wait_text "55 partitions: all in sync"
keys Down
check "and it answers keys" wait_cursor audit.log
keys ']'
check "] steps on as ever" wait_text "REPLAY 10s of 4m"
second_hand() { screen | head -1 | grep -q "03:00:$1"; }
keys .
check ". stops it" wait_text "stopped"
keys . '['
check "and [ goes back" wait_text "REPLAY 0s of 4m"
check "the clock shows that moment" until_true second_hand 00
keys q
check "q ends it" ended_with 0
check "it did no work but that" idle
done_testing
