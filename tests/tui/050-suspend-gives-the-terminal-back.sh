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
done_testing
