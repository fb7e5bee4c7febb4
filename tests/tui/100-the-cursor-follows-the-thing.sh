#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every 100 ms another topic becomes the worst and moves to the top.
. "$(dirname "$0")/lib.sh"

start 80 24 -- replay "$TRACES/steady.trace" --at 0.5
wait_text "14 topics" >/dev/null
check "it starts at the top" wait_cursor __consumer_offsets
keys Down Down Down
check "the cursor stands on mail.outbound" wait_cursor mail.outbound
keys .
stays() {
	local i seen=0
	for i in $(seq 600); do
		# A look may fall on a picture that the terminal has in part only; then it's the next ones that count.
		cursor_is mail.outbound || DEADLINE_MS=2000 until_true cursor_is mail.outbound || { shown; return 1; }
		[ "$(screen | sed -n 5p | cut -c3-20)" = "mail.outbound     " ] && seen=$((seen + 1))
		# It was first for a while, and others were: the rows did move.
		[ "$i" -ge 60 ] && [ "$seen" -gt 0 ] && [ "$seen" -lt "$i" ] && return
		sleep 0.05
	done
	echo "first in $seen of $i looks"
	return 1
}
check "and stays there while the rows are sorted under it" stays
keys Enter
check "what is opened is what stood under the cursor" wait_text "mail.outbound   2 partitions"

start 80 24 -- replay "$TRACES/steady.trace" --at 0.5
wait_text "14 topics" >/dev/null
keys .
top() { # the worst, whichever it is, stands first, under the cursor
	local i tops=0 last= now
	for i in $(seq 400); do
		now=$(screen | sed -n '5s/^> \([^ ]*\) .* under .*/\1/p')
		[ -n "$now" ] && [ "$now" != "$last" ] && tops=$((tops + 1))
		[ $tops -lt 5 ] || return 0
		last=$now
		sleep 0.05
	done
	echo "$tops different topics at the top"
	shown
	return 1
}
check "before anything is moved the top stays the top" top
done_testing
