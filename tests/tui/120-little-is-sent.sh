#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What goes to the terminal is what changed, and nothing while nothing does.
. "$(dirname "$0")/lib.sh"

size() { stat -c %s "$T/raw"; }
start 160 50 -- replay "$TRACES/cluster.trace" --at 13
wait_text "broker 3 down" >/dev/null
# For longer than a clock's second; what tmux has yet to write is no second look's.
quiet() { before=$(size); sleep 1.2; [ "$(size)" = "$before" ]; }
check "a trace that stands still sends nothing" until_true quiet
before=$(size)
keys Down
wait_cursor __consumer_offsets >/dev/null
grown() { [ "$(size)" -gt "$before" ]; }
until_true grown
settle
check "moving the cursor sends two rows, not the screen ($(($(size) - before)) bytes)" test $(($(size) - before)) -lt 700

start 160 50 -- replay "$TRACES/steady.trace" --at 20
wait_text "14 topics" >/dev/null
until_true quiet
keys .
ticked() { screen | head -1 | grep -q "03:00:2[3-9]"; }
check "the clock runs" until_true ticked
# On a busy machine more ticks go by until it is looked at.
sent=$(($(size) - before))
second=$(screen | head -1 | grep -o '03:00:[0-9][0-9]' | tail -c 3)
ticks=$((10#$second - 20 + 1))
check "a tick of the clock sends a few bytes ($sent in $ticks ticks)" test $sent -lt $((ticks * 200))
done_testing
