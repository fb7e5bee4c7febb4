#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The recording and the log on a disk that is full, and at a limit on the size of files. What is recorded here is tries
# to reach a server that isn't there; tests/e2e has a whole cluster.
. "$(dirname "$0")/lib.sh"

nobody=127.0.0.1:1
disk=$T/d
mkdir "$disk"
trap 'stop; umount "$disk" 2>/dev/null; rm -rf "$T"' EXIT
tries() { screen | sed -n 's/^ tries  *//p'; }
goes_on() { wait_text "last error" && until_true more_than "$(tries)"; }
more_than() { [ "$(tries)" -gt "$1" ]; } 2>/dev/null
# Of what there is every whole line can be played, and there are some.
replayable() { # FILE
	local last
	last=$(grep -c '^{.*}$' "$1")
	[ "$last" -gt 2 ] || { cat "$1"; return 1; }
	start 120 24 -- replay "$1" --speed 0
	wait_text "at its end" && wait_text "trying      $nobody" || return 1
	keys q
	ended_with 0
}

recording() { # WHY: it goes on without
	wait_text "recording stopped: $disk/rec: $1" && goes_on || return 1
	keys '?'
	wait_text "In the " || return 1
	keys q q
	ended_with 0
}
start 120 24 -- --zookeeper $nobody --record "$disk/rec"
check "recording: it is up" wait_text "last error"
prlimit --pid "$(pid)" --fsize=1100:
check "a file that may not grow stops the recording, with why, and nothing else" recording "File too large"
check "the recording is as long as it may be" test "$(stat -c %s "$disk/rec")" = 1100
check "and can be played to its last whole line" replayable "$disk/rec"

start 120 24 -- --zookeeper $nobody --log-file "$disk/log" -v
check "logging: it is up" wait_text "last error"
prlimit --pid "$(pid)" --fsize=3000:
check "a log that may not grow is said" wait_text "log file $disk/log: File too large: lines are lost"
check "and nothing else is lost" goes_on
prlimit --pid "$(pid)" --fsize=100000:
grown() { [ "$(stat -c %s "$disk/log")" -gt 5000 ]; }
check "when there is room again, it is written on" until_true grown
keys q
check "q ends it" ended_with 0
one_torn() { [ "$(grep -acvE '^20..-..-..T..:..:..\....Z (ERROR|WARN|INFO|DEBUG) [a-z]+: .*' "$disk/log")" = 0 ] && [ "$(tail -c 1 "$disk/log" | od -An -c)" = '  \n' ]; }
check "a line that was cut off stays on a line of its own" one_torn

start 120 24 -- --zookeeper $nobody --log-file /dev/full
check "a log on a full disk is said" wait_text "log file /dev/full: No space left on device: lines are lost"
check "and it goes on" goes_on
keys q
check "to its end" ended_with 0

full() { dd if=/dev/zero of="$disk/filler" bs=1k 2>/dev/null; [ "$(df --output=avail "$disk" | tail -n 1)" -eq 0 ]; }
if ! mount -t tmpfs -o size=1m kafops-test "$disk" 2>/dev/null; then
	echo "# no disk of one's own to be had here: the limit has to stand for it"
else
	check "there is a full disk" full
	check "where nothing fits, a recording is a sentence" says_once "$disk/rec: No space left on device" 1 "$KAFOPS" --zookeeper $nobody --record "$disk/rec"
	check "and there is no empty file left" test ! -e "$disk/rec"
	truncate -s -4096 "$disk/filler"
	start 120 24 -- --zookeeper $nobody --record "$disk/rec" --log-file "$T/log"
	check "a disk that fills up stops the recording, with why, and nothing else" recording "No space left on device"
	check "the log has it, too" grep -q "ERROR session: recording stopped: $disk/rec: No space left on device" "$T/log"
	check "what fits is there" test "$(stat -c %s "$disk/rec")" = 4096
	check "and can be played to its last whole line" replayable "$disk/rec"
fi
done_testing
