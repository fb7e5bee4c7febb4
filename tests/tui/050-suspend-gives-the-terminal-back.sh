#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Case UI-10.
. "$(dirname "$0")/lib.sh"

stopped() {
	wait_text "Stopped" || return 1
	until_true asks alternate_on 0 && until_true asks cursor_flag 1 || { echo "screen or cursor not given back"; return 1; }
	keys 'stty -a | tr " " "\n" | grep -xE "echo|icanon|-echo|-icanon" | tr "\n" ,' Enter
	wait_text "icanon,echo," || wait_text "echo,icanon,"
}
usable() { # the shell answers
	keys "echo fresh-\$((40 + $1))" Enter
	wait_text "fresh-$((40 + $1))"
}
shell_has_it() { asks alternate_on 0; }
job() { pgrep -f -- "replay $TRACES/cluster.trace --at 13 --log-file $T/log" | head -1; }

start_shell 80 24
keys "\$KAFOPS replay \$TRACES/cluster.trace --at 13 --log-file $T/log" Enter
check "it is up" wait_text "broker 3 down"
keys C-z
check "Ctrl-Z: normal screen, cursor, echo" stopped
resize 100 30
keys "clear; fg" Enter
check "fg: the whole screen at the new size" shot suspended-100x30
keys Down
check "keys work without Enter" wait_cursor __consumer_offsets
keys C-z
check "once more" wait_text "Stopped"
check "and the shell is back" until_true shell_has_it
keys "clear; kill -CONT %1" Enter
check "kill -CONT in the background: the shell still reads" usable 1
check "and keeps its screen" shell_has_it
keys "clear; fg" Enter
check "fg then takes the terminal" wait_text "broker 3 down"
keys q
check "q ends" until_true shell_has_it

keys "clear" Enter
keys "\$KAFOPS replay \$TRACES/cluster.trace --at 13 --log-file $T/log" Enter
check "up again" wait_text "broker 3 down"
kill -STOP "$(job)"
check "kill -STOP: the shell says so" wait_text "Stopped"
resize 80 24
keys "stty sane; clear; fg" Enter
check "fg after it: the whole screen at the new size" shot topics-unwell-80x24
keys Down
check "keys work without Enter then, too" wait_cursor __consumer_offsets
kill -STOP "$(job)"
check "kill -STOP once more" wait_text "Stopped"
keys "stty sane; printf '\\033[?1049l'; clear" Enter
until_true shell_has_it
kill -CONT "$(job)"
check "going on in the background after it: the shell still reads" usable 2
check "and keeps its screen" shell_has_it
keys "clear; fg" Enter
check "and fg" wait_text "broker 3 down"
keys q
check "the end" until_true shell_has_it

# A stop is the kernel's to take back: SIGCONT comes while the terminal, told to wait by Ctrl-S, holds up the way out.
state_is() { [ "$(sed 's/.*) //' "/proc/$1/stat" | cut -c 1)" = "$2" ]; }
keys "clear" Enter
keys "\$KAFOPS replay \$TRACES/cluster.trace --at 13 --log-file $T/log" Enter
check "up, and to be stopped and continued at once" wait_text "broker 3 down"
p=$(job)
keys C-s
kill -TSTP "$p"
check "it is on its way to a stop" until_true held_up "$p"
kill -CONT "$p"
keys C-q
keys Down
check "continued before the stop, it does not stop" wait_cursor __consumer_offsets
check "and runs" state_is "$p" S
keys q
check "to its end" until_true shell_has_it

# Under a script, all of one process group. Ctrl-Z reaches both from the terminal; :suspend has to.
cat >"$T/script" <<'SCRIPT'
trap : INT
"$KAFOPS" replay "$TRACES/cluster.trace" --at 13 --log-file "$1"
echo "after it, status $?"
SCRIPT
wrapper() { pgrep -f -- "bash $T/script" | head -1; }
both_stopped() { state_is "$s" T && state_is "$p" T; }
handed_back() { # N
	until_true both_stopped && until_true shell_has_it && usable "$1"
}
keys "clear; bash $T/script $T/log" Enter
check "under a script: it is up" wait_text "broker 3 down"
p=$(job) s=$(wrapper)
for i in 3 4 5 6; do
	keys C-z
	check "under a script: Ctrl-Z stops both, and the shell has the terminal ($i)" handed_back $i
	keys "clear; fg" Enter
	check "under a script: fg brings it back ($i)" wait_text "broker 3 down"
	keys : ; keys -l suspend; keys Enter
	check "under a script: so does :suspend ($i)" handed_back "1$i"
	keys "clear; fg" Enter
	check "under a script: and fg again ($i)" wait_text "broker 3 down"
done
for i in $(seq 30); do
	keys C-z
	until_true shell_has_it
	keys "fg" Enter
	until_true asks alternate_on 1 || break
done
keys Home Down
check "under a script: Ctrl-Z and fg thirty times, as fast as one is there for the other" wait_cursor __consumer_offsets
keys q
check "under a script: the script goes on after it" wait_text "after it, status 0"
done_testing
