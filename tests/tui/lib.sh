# SPDX-License-Identifier: Apache-2.0
# Screen tests: the program in a private tmux server of fixed size, on a trace with the trace's own clock.
# A script sources this, calls the functions below, and ends with `done_testing`. Speaks TAP.
#
#   start W H [NAME=VALUE...] -- ARG...   runs kafops in a new terminal; what it writes is kept in $T/raw. It begins with the
#                                         topics; KAFOPS_VIEW=overview with the view that opens by itself
#   start_shell W H                       the same with an interactive bash that has $KAFOPS and $TRACES
#   keys KEY...                           sends keys, by tmux's names
#   wait_text TEXT / wait_gone TEXT       polls the screen until a deadline
#   wait_ended                            until the program has ended; its status is in $T/status
#   resize W H
#   screen                                prints the screen
#   shot NAME                             compares the screen with golden/NAME; GENERATE=1 renews
#   check CLAIM COMMAND...                one test
#   stop                                  ends this terminal
#   says_once TEXT STATUS COMMAND...      a command without a screen: one line on standard error, nothing else, no hang
#
# Nothing sleeps but the polling. Needs tmux; without it the script is skipped.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
: "${KAFOPS:=$here/../../build/kafops}"
TRACES=$here/traces
GOLDEN=$here/golden
DEADLINE_MS=${DEADLINE_MS:-20000}
n_tests=0
n_failed=0

command -v tmux >/dev/null || { echo "1..0 # SKIP tmux is missing"; exit 0; }
[ -x "$KAFOPS" ] || { echo "Bail out! no program at $KAFOPS"; exit 1; }

T=$(mktemp -d "${TMPDIR:-/tmp}/kafops-tui.XXXXXX") || exit 1
SOCKET=$T/tmux
trap 'stop; rm -rf "$T"' EXIT

tmx() { env -u TMUX tmux -S "$SOCKET" -f /dev/null "$@"; }

now_ms() { echo $(($(date +%s%N) / 1000000)); }

# in_time MS PROMISE_MS: only SLOW (5) times the promise fails, for a loaded machine is late by itself; SLOW=1 holds the
# program to its word. For a check of its own: what it took stands in the claim.
in_time() { [ "$1" -le $(($2 * ${SLOW:-5})) ]; }

# until_true COMMAND...: polls every 50 ms until it holds or the deadline is over. What is waited for in vain fails the script, though
# it goes on: a text that a screen has no more made one of them wait for five minutes, and pass.
until_true() {
	local end=$(($(now_ms) + DEADLINE_MS))
	until "$@"; do
		[ "$(now_ms)" -lt $end ] || { echo "$DEADLINE_MS ms for: $*" >>"$T/vain"; return 1; }
		sleep 0.05
	done
}

diag() { sed 's/^/# /'; }

check() {
	local claim=$1
	shift
	n_tests=$((n_tests + 1))
	if "$@" >"$T/check.out" 2>&1; then
		echo "ok $n_tests - $claim"
	else
		n_failed=$((n_failed + 1))
		echo "not ok $n_tests - $claim"
		{ echo "failed: $*"; cat "$T/check.out"; } | diag
	fi
}

done_testing() {
	check "nothing was waited for in vain" waited_well
	echo "1..$n_tests"
	[ $n_failed -eq 0 ]
}

waited_well() { [ ! -s "$T/vain" ] || { cat "$T/vain"; return 1; }; }

# The environment is pinned here, once.
pinned() {
	env -i PATH="$PATH" HOME="$T" TMPDIR="$T" ASAN_OPTIONS=detect_leaks=0 LANG=C.UTF-8 TZ=UTC TERM=tmux-256color KAFOPS_VIEW=topics "$@"
}

write_runner() {
	cat >"$T/run" <<'RUN'
#!/bin/bash
# Waits until the test is watching, runs, notes how it ended, and stays.
T=$1
shift
[ -n "$IGNORE_HUP" ] && trap '' HUP
read -r _
stty -g >"$T/stty.before"
printf 'before the console\n'
TIMEFORMAT='%U %S'
{ time bash -c 'echo $$ >"$0/pid"; exec "$@"' "$T" "$@" 2>"$T/stderr"; } 2>"$T/cpu"
status=$?
{ stty -g >"$T/stty.after"; } 2>/dev/null
printf 'after the console\n'
echo $status >"$T/status"
read -r _
RUN
}

# One terminal at a time.
begin() {
	local w=$1 h=$2
	shift 2
	stop
	rm -f "$T"/status "$T"/pid "$T"/stderr "$T"/raw "$T"/stty.*
	: >"$T/raw"
	pinned tmux -S "$SOCKET" -f /dev/null new-session -d -x "$w" -y "$h" "$@" || return 1
	tmx set -g status off \; set -s escape-time 0 \; set -g remain-on-exit on >/dev/null
	tmx pipe-pane -O "cat >>'$T/raw'"
}

start() {
	local w=$1 h=$2 env=()
	shift 2
	while [ "$1" != -- ]; do
		env+=("$1")
		shift
	done
	shift
	write_runner
	begin "$w" "$h" env "${env[@]}" bash "$T/run" "$T" "$KAFOPS" "$@"
	keys Enter
	until_true test -s "$T/pid"
}

start_shell() {
	begin "$1" "$2" env KAFOPS="$KAFOPS" TRACES="$TRACES" PS1='$ ' bash --norc --noprofile -i
	until_true has '$' # a line's blanks at its end are not captured
}

stop() { [ -S "$SOCKET" ] && tmx kill-server 2>/dev/null; until_true_quiet gone_server; }
gone_server() { ! tmx list-sessions >/dev/null 2>&1; }
until_true_quiet() { local i=0; until "$@"; do i=$((i + 1)); [ $i -lt 100 ] || return 0; sleep 0.05; done; rm -f "$SOCKET"; }

keys() { tmx send-keys "$@"; }
screen() { tmx capture-pane -p; }
resize() { tmx resize-window -x "$1" -y "$2"; }
has() { screen | grep -qF -- "$1"; }
has_not() { ! has "$1"; }
line() { screen | sed -n "${1}p"; }
cursor_row() { screen | sed -n 's/^> \([^ ]*\).*/\1/p' | head -1; }
pid() { cat "$T/pid"; }
asks() { [ "$(tmx display-message -p "#{$1}")" = "$2" ]; }

shown() { echo "the screen:"; screen; }
wait_text() { until_true has "$1" || { echo "no \"$1\" within $DEADLINE_MS ms"; shown; return 1; }; }
wait_gone() { until_true has_not "$1" || { echo "\"$1\" is still there after $DEADLINE_MS ms"; shown; return 1; }; }
wait_cursor() { until_true cursor_is "$1" || { echo "the cursor is not on $1"; shown; return 1; }; }
cursor_is() { [ "$(cursor_row)" = "$1" ]; }
wait_ended() { until_true test -s "$T/status" || { echo "it has not ended"; shown; return 1; }; }
ended_with() { wait_ended && [ "$(cat "$T/status")" = "$1" ] || { echo "status $(cat "$T/status")"; cat "$T/stderr"; shown; return 1; }; }
stderr_has() { grep -qF -- "$1" "$T/stderr" || { cat "$T/stderr"; return 1; }; }

says_once() {
	local text=$1 want=$2 status=0
	shift 2
	pinned timeout 30 "$@" </dev/null 2>"$T/stderr" || status=$?
	[ "$status" = "$want" ] || { echo "status $status"; cat "$T/stderr"; return 1; }
	stderr_has "$text" && [ "$(wc -l <"$T/stderr")" = 1 ]
}

same_as_golden() { screen >"$T/shot" && cmp -s "$T/shot" "$GOLDEN/$1"; }

# Waits until the screen is as it should be, so that nothing depends on when a frame comes.
shot() {
	if [ -n "$GENERATE" ]; then
		mkdir -p "$GOLDEN"
		settle
		screen >"$GOLDEN/$1"
		grep -q . "$GOLDEN/$1" || { echo "nothing is on the screen"; return 1; }
	fi
	until_true same_as_golden "$1" || { diff -u "$GOLDEN/$1" "$T/shot"; return 1; }
}

# Until two looks, 150 ms apart, see the same (for goldens being made, and for what comes by itself).
settle() {
	local a b i
	for i in $(seq 40); do
		a=$(screen)
		sleep 0.15
		b=$(screen)
		[ "$a" = "$b" ] && return 0
	done
	return 1
}

gone() { ! kill -0 "$1" 2>/dev/null; }
# Sleeps, and not where the loop waits, which lets SIGTSTP in: the terminal does not take what it writes.
held_up() {
	local state blocked
	read -r state blocked < <(awk '/^State:/ { s = $2 } /^SigBlk:/ { print s, $2 }' "/proc/$1/status")
	[ "$state" = S ] && [ $((0x${blocked: -8} & 1 << 19)) != 0 ]
}

restored() {
	cmp "$T/stty.before" "$T/stty.after" || return 1
	asks alternate_on 0 || { echo "still on the other screen"; return 1; }
	asks cursor_flag 1 || { echo "the cursor is hidden"; return 1; }
	has "before the console" && has "after the console" || { shown; return 1; }
}
