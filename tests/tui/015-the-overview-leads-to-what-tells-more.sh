#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh"

open_overview() { start 80 24 KAFOPS_VIEW= -- replay "$TRACES/cluster.trace" --at "$1" && wait_text "Under-replicated"; }
# leads LINE TEXT...: Enter on that line (the count of presses of Down) shows each TEXT, and q comes back to it.
leads() {
	local downs=$1 text row
	shift
	keys 1 Home
	for ((i = 0; i < downs; i++)); do keys Down; done
	settle
	row=$(screen | grep '^>')
	keys Enter
	for text; do wait_text "$text" || return 1; done
	wait_gone "Under-replicated" || return 1
	keys q
	wait_text "$row"
}

check "without an option it opens first" open_overview 13
check "and says what is wrong" wait_text "NOT WELL   1 broker down; 1 partition offline"
check "line 2 marks the views that need a look" wait_text "1overview 2topics! 3brokers! 4deletions 6dirs 8journal ?help"
check "Brokers" leads 0 "3 brokers: 2 up, 1 down"
check "Controller" leads 1 "broker 1   kafka01.example"
check "Topics" leads 2 "2topics" "tmp.load-test"
check "Offline" leads 3 "/offline/" "1 of 14 topics"
check "Under min ISR" leads 4 "/under-min/"
check "Under-replicated" leads 5 "/under/" "13 of 14 topics"
check "only moving" leads 6 "/moving/"
check "At min ISR" leads 7 "/at-min/"
check "Not preferred" leads 8 "/not-preferred/"
check "Deletions" leads 9 "0 topics queued"
check "Moves" leads 10 "/moving/"
check "Log dirs" leads 12 "BROKER" "DIR"
keys 2
check "2: topics" wait_text "TOPIC "
keys 1
check "1: overview" wait_text "Under-replicated"
keys F2
check "F2: topics" wait_text "TOPIC "
keys F1
check "F1: overview" wait_text "Under-replicated"
keys 3 : o v e r v i e w Enter
check ":overview" wait_text "Under-replicated"
keys Escape
check "Esc does not end it" wait_text "Under-replicated"
keys P
check "P holds it still" wait_text "HELD STILL"
keys Down Down P
keys /; keys o f f l; check "a filter shows the lines that say so" wait_gone "Controller"
keys Escape
check "and Esc brings the others back" wait_text "Controller"
keys w C-u; keys -l "$T/view.txt"; keys Enter
check "w writes it" wait_text "rows written"
check "all of it" grep -q 'Under-replicated *49 ! since' "$T/view.txt"
check "with the verdict's lines only" test "$(grep -c . "$T/view.txt")" -gt 12
keys q
check "q ends" ended_with 0

check "well: no mark" open_overview 5
check "says so" wait_text "WELL   by ZooKeeper alone"
check "no view is marked" wait_text "1overview 2topics 3brokers 4deletions 6dirs 8journal ?help"
check "--view names the first one" start 80 24 KAFOPS_VIEW= -- replay --view brokers "$TRACES/cluster.trace" --at 13
check "which it is" wait_text "3 brokers: 2 up"
keys q
check "and q ends from there" ended_with 0
check "a view that is none is a sentence" says_once "--view: no view is named nosuch; there are overview, topics, brokers, deletions, dirs, journal and help" 2 \
	"$KAFOPS" replay --view nosuch "$TRACES/cluster.trace"

check "poison is on the list" start 80 24 KAFOPS_VIEW= -- replay "$TRACES/unwell.trace" --at 5
check "as a count" wait_text "Disagreements         1 ! 1 poison"
keys G
check "and as a row" wait_text "poison ! reassignment node without a list"
keys Enter
check "Enter says what mends it" wait_text "Delete the node before the next election"
keys Escape
check "Esc comes back to it" wait_text "Disagreements"
keys ']'
check "when the node is gone, so is the row" wait_text "Disagreements         0"
keys '['
check "and back in the trace it is there again" wait_text "Disagreements         1 ! 1 poison"
done_testing
