#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh"

# The clock of the screen moves once a minute, no event comes for five minutes of the trace, 30 s of ours: only what is held
# back for 30 s, three of ours, can wake it.
check "a marker without a topic is no disagreement yet" start 80 24 KAFOPS_VIEW= -- replay "$TRACES/ripening.trace" --speed 10 --delay 1m
check "at the beginning" wait_text "Disagreements         0"
check "and is one when half a minute has gone by" wait_text "Disagreements         1   marker without a topic"
check "not only at the end of the trace" wait_text "REPLAY 30s of 5m"
check "its row says which" wait_text "ghost"
keys q
check "q ends it" ended_with 0
check "it did no work but that" awk '{ exit !($1 + $2 < 1) }' "$T/cpu"
done_testing
