#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Case UI-18, and crashes.
. "$(dirname "$0")/lib.sh"

up() { start 80 24 -- replay "$TRACES/cluster.trace" --at 13 && wait_text "broker 3 down"; }

for sig in INT:130 TERM:143 QUIT:131 HUP:129; do
	check "it is up" up
	began=$(now_ms)
	kill -"${sig%:*}" "$(pid)"
	check "SIG${sig%:*} ends it with status ${sig#*:}" ended_with "${sig#*:}"
	took=$(($(now_ms) - began))
	check "SIG${sig%:*}: within a second ($took ms)" in_time $took 1500
	check "SIG${sig%:*}: the terminal is as before" restored
done
check "it is up" up
keys C-c
check "Ctrl-C ends it with status 130" ended_with 130
check "Ctrl-C: the terminal is as before" restored
check "it is up" up
keys q
check "q ends it with status 0" ended_with 0
check "q: the terminal is as before" restored
for sig in SEGV:139 ABRT:134 BUS:135; do
	check "it is up" up
	kill -"${sig%:*}" "$(pid)"
	check "a crash by SIG${sig%:*} shows in the status" ended_with "${sig#*:}"
	check "SIG${sig%:*}: the terminal is as before" restored
	check "SIG${sig%:*}: it has last words" stderr_has "kafops: "
done
done_testing
