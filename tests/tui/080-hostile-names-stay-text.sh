#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh"

for size in "80 24" "160 50" "40 20"; do
	set -- $size
	start "$1" "$2" -- replay "$TRACES/hostile.trace" --at 5
	check "it is up at $1x$2" wait_text "plain"
	check "names as text, columns aligned at $1x$2" shot "hostile-$1x$2"
done
start 80 24 -- replay "$TRACES/hostile.trace" --at 5
wait_text plain >/dev/null
# The list says partition, too.
opened() { wait_gone TOPIC && wait_text "partition"; }
for i in $(seq 16); do
	keys Enter
	check "opened, number $i" opened
	keys Escape
	wait_text TOPIC >/dev/null
	keys Down
done
keys 3
check "a host's name, too" wait_text 'evil^[[2Jhost'
title_untouched() { ! LC_ALL=C grep -qa $'\x1b]0;title' "$T/raw" && ! LC_ALL=C grep -qa $'\x07' "$T/raw"; }
check "nothing of it reached the terminal" title_untouched
done_testing
