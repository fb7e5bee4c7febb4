#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Case UI-04: down to 1x1 and back, and two hundred random sizes.
. "$(dirname "$0")/lib.sh"
GENERATE= # Compares with goldens that others make.

alive() { kill -0 "$(pid)"; }
sized() { # W H: the program has painted at that size: line 1 or the note is there
	until_true asks window_width "$1" && until_true asks window_height "$2"
}

start 80 24 -- replay "$TRACES/cluster.trace" --at 13
check "it is up" wait_text "broker 3 down"
keys / o r d e r
check "a prompt is open" wait_text "/order"
check "the picture at 80x24" shot filter-80x24
for size in "20 5" "2 2" "1 1" "300 100" "80 24"; do
	set -- $size
	resize "$1" "$2"
	check "alive at $1x$2" alive
done
check "the same picture again, with what was typed" shot filter-80x24
resize 39 24
check "too narrow says so" wait_text "too small: 40x10 needed"
resize 80 9
check "too low says so" wait_text "too small: 40x10 needed"
resize 40 10
check "at 40x10 it is usable" wait_text "/order"

many() {
	local i seed=${SEED:-$$} w h
	RANDOM=$seed
	echo "SEED=$seed"
	for i in $(seq 200); do
		w=$((RANDOM % 200 + 1))
		h=$((RANDOM % 60 + 1))
		resize $w $h
		[ $((i % 10)) = 0 ] && keys Down PageUp Right Left G
		alive || { echo "gone at $w x $h"; return 1; }
	done
}
keys Escape
check "two hundred sizes, with keys between" many
resize 80 24
keys Escape : t o p i c s Enter
check "back at 80x24, all of it" wait_text "Enter open"
keys g
check "the same picture as a fresh one" shot topics-unwell-80x24
start 1 1 -- replay "$TRACES/cluster.trace" --at 13
check "starts at 1x1" alive
resize 80 24
check "and grows from there" shot topics-unwell-80x24
done_testing
