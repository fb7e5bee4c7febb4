#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Ctrl-S stands for a line that takes nothing more: every write blocks.
. "$(dirname "$0")/lib.sh"

held() {
	start 80 24 -- replay "$TRACES/cluster.trace" --at 13 && wait_text "broker 3 down" || return 1
	p=$(pid)
	keys C-s C-l
	until_true held_up "$p"
}
ends_in() { # MS CLAIM
	until_true gone "$p"
	took=$(($(now_ms) - began))
	check "$2 ($took ms)" in_time $took "$1"
}
modes_back() { wait_ended && cmp "$T/stty.before" "$T/stty.after"; }

for sig in TERM:143 INT:130 HUP:129; do
	check "it waits for its terminal" held
	began=$(now_ms)
	kill -"${sig%:*}" "$p"
	ends_in 7000 "SIG${sig%:*} ends it within a few seconds"
	keys C-q
	check "with status ${sig#*:}" ended_with "${sig#*:}"
	check "and the terminal's modes as before" modes_back
done
check "it waits for its terminal" held
began=$(now_ms)
kill -TERM "$p"
kill -INT "$p"
ends_in 3000 "a second signal ends it at once"
keys C-q
check "and the terminal's modes are as before" modes_back
check "it waits for its terminal" held
keys C-q
check "when the terminal takes again what is written, it goes on" until_true cursor_is tmp.load-test
keys Down
check "as if nothing had been" wait_cursor __consumer_offsets
keys q
check "q ends it with status 0" ended_with 0
done_testing
