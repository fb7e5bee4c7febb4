#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every 100 ms another topic becomes the worst and moves to the top.
. "$(dirname "$0")/lib.sh"

start 80 24 -- replay "$TRACES/steady.trace" --at 0.5
wait_text "broker 3 down" >/dev/null
check "it starts at the top" wait_cursor __consumer_offsets
keys Down Down Down
check "the cursor stands on mail.outbound" wait_cursor mail.outbound
keys .
stays() {
	local i seen=0
	for i in $(seq 60); do
		[ "$(cursor_row)" = mail.outbound ] || { shown; return 1; }
		[ "$(screen | sed -n 5p | cut -c3-20)" = "mail.outbound     " ] && seen=$((seen + 1))
		sleep 0.05
	done
	# It was first for a while, and others were: the rows did move.
	[ "$seen" -gt 0 ] && [ "$seen" -lt 60 ] || { echo "first in $seen of 60 looks"; return 1; }
}
check "and stays there while the rows are sorted under it" stays
keys Enter
check "what is opened is what stood under the cursor" wait_text "mail.outbound   2 partitions"

start 80 24 -- replay "$TRACES/steady.trace" --at 0.5
wait_text "broker 3 down" >/dev/null
keys .
top() { # the worst, whichever it is, stands first, under the cursor
	local i tops=0 last= now
	for i in $(seq 40); do
		now=$(screen | sed -n '5s/^> \([^ ]*\) .* under .*/\1/p')
		[ -n "$now" ] && [ "$now" != "$last" ] && tops=$((tops + 1))
		last=$now
		sleep 0.05
	done
	[ $tops -ge 5 ] || { echo "$tops different topics at the top"; shown; return 1; }
}
check "before anything is moved the top stays the top" top
done_testing
