#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A FIFO that nobody writes, or reads, holds nothing up.
. "$(dirname "$0")/lib.sh"

mkfifo "$T/fifo"
nobody=127.0.0.1:1
check "a FIFO to be replayed" says_once "$T/fifo: not a plain file" 1 "$KAFOPS" replay "$T/fifo"
check "a folder to be replayed" says_once "$T: not a plain file" 1 "$KAFOPS" replay "$T"
check "a device to be replayed" says_once "/dev/zero: not a plain file" 1 "$KAFOPS" replay /dev/zero
check "a FIFO to record to" says_once "$T/fifo: File exists" 1 "$KAFOPS" --zookeeper $nobody --record "$T/fifo"
check "a device to record to" says_once "/dev/full: File exists" 1 "$KAFOPS" --zookeeper $nobody --record /dev/full
check "a folder to record to" says_once "$T: File exists" 1 "$KAFOPS" --zookeeper $nobody --record "$T"
check "a FIFO to log to" says_once "log file $T/fifo: a pipe that nobody reads" 1 "$KAFOPS" info --log-file "$T/fifo"
check "a folder to log to" says_once "log file $T: Is a directory" 1 "$KAFOPS" info --log-file "$T"

# One that is open but not read fills up: lines are lost, not time.
exec 3<>"$T/fifo"
start 80 24 -- --zookeeper $nobody --log-file "$T/fifo" -v
check "a FIFO that is not emptied as a log: it is up" wait_text "last error"
tries() { [ "$(screen | sed -n 's/^ tries  *//p')" -gt $1 ]; } 2>/dev/null
dd if=/dev/zero bs=4096 count=16 of="$T/fifo" oflag=nonblock 2>/dev/null
check "when it is full it goes on" until_true tries "$(screen | sed -n 's/^ tries  *//p')"
keys q
check "to its end" ended_with 0
done_testing
