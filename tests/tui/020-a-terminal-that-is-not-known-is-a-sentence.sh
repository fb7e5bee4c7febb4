#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Cases UI-01 and UI-03.
. "$(dirname "$0")/lib.sh"

refuses() { # SAYS
	wait_ended || return 1
	local status
	status=$(cat "$T/status")
	[ "$status" -ge 1 ] && [ "$status" -le 125 ] || { echo "status $status"; return 1; }
	stderr_has "$1" && [ "$(wc -l <"$T/stderr")" = 1 ] || { cat "$T/stderr"; return 1; }
	cmp "$T/stty.before" "$T/stty.after" || return 1
	# Nothing but what the runner and the terminal's echo wrote.
	printf '\r\nbefore the console\r\nafter the console\r\n' | cmp - "$T/raw"
}

trace="$TRACES/cluster.trace"
start 80 24 -u TERM -- replay "$trace"
check "TERM unset" refuses "TERM is not set"
start 80 24 TERM= -- replay "$trace"
check "TERM empty" refuses "TERM is empty"
for name in unknown xterm-kitty-of-nowhere dumb; do
	start 80 24 TERM=$name -- replay "$trace"
	check "TERM=$name" refuses "TERM=$name"
	check "TERM=$name: the way out" stderr_has "TERM=xterm-256color"
done
start 80 24 TERM=xterm-256color TERMINFO=/nonexistent TERMINFO_DIRS=/nonexistent HOME=/nonexistent -- replay "$trace"
check "TERMINFO points to nowhere" refuses "TERM=xterm-256color can't be looked up: TERMINFO=/nonexistent"

no_terminal() {
	pinned "$KAFOPS" replay "$trace" <"$1" >"$2" 2>"$T/stderr" && return 1
	stderr_has "is not a terminal" && [ ! -s "$2" ]
}
check "standard output is no terminal" no_terminal /dev/null "$T/out"
done_testing
