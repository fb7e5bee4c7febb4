#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh"

start 80 24 -- replay "$TRACES/cluster.trace" --at 13
wait_text "broker 3 down" >/dev/null
check "the cursor starts at the top" wait_cursor tmp.load-test
keys Down; check "Down" wait_cursor __consumer_offsets
keys j; check "j" wait_cursor audit.log
keys Up; check "Up" wait_cursor __consumer_offsets
keys k; check "k" wait_cursor tmp.load-test
keys G; check "G" wait_cursor web.sessions
keys g; check "g" wait_cursor tmp.load-test
keys End; check "End" wait_cursor web.sessions
keys Home; check "Home" wait_cursor tmp.load-test
# What terminfo does not have of them came as Esc and letters: A marks all, D deletes.
csi() { local text; text=$(printf '\033%s' "$1" | od -An -tx1 -v); tmx send-keys -H $text; }
csi '[B'; check "Down, as a terminal writes it that was not told otherwise" wait_cursor __consumer_offsets
csi 'OB'; check "... and the other way" wait_cursor audit.log
csi '[1;5A'; check "Up with Ctrl" wait_cursor __consumer_offsets
csi '[A'; check "Up" wait_cursor tmp.load-test
csi '[D'; csi '[1;3D'; csi '[F'; check "Left, Left with Alt and End delete nothing" wait_cursor web.sessions
csi '[1;2H'; check "Home with Shift" wait_cursor tmp.load-test
check "... and nothing is marked" eval "! has marked"
keys NPage; check "PgDn" wait_cursor web.sessions
keys PPage; check "PgUp" wait_cursor tmp.load-test

keys 3; check "3: brokers" wait_text "3 brokers: 2 up"
keys 2; check "2: topics" wait_text "broker 3 down"
keys F3; check "F3: brokers" wait_text "3 brokers: 2 up"
keys q; check "q goes back" wait_text "broker 3 down"
keys 6; check "6: log dirs" wait_text "0 log dirs, 0 offline"
check "brokers that have not told theirs say why" wait_text "not asked yet"
keys Enter; check "Enter opens, also what is not known" wait_text "log dirs not known"
keys Escape; wait_text "0 log dirs, 0 offline" >/dev/null
keys / ; keys o r p Tab; check "Tab has the filter words of the view" wait_text "/orphans"
keys Escape; keys 2; wait_text "broker 3 down" >/dev/null
keys F6; check "F6: log dirs" wait_text "0 log dirs, 0 offline"
keys q; wait_text "broker 3 down" >/dev/null
keys j j Enter; check "Enter opens" wait_text "audit.log   1 partition"
keys Escape; check "Esc goes back to the row" wait_cursor audit.log
keys '?'; check "? helps, with the keys of the view first" wait_text "In the list of topics"
keys /; keys c l i p; check "the help can be filtered" wait_text "OSC 52"
keys Enter Escape; check "Esc drops the filter first" wait_text "In the list of topics"
keys Escape; check "and then goes back" wait_cursor audit.log

keys s; check "s sorts by the first column" wait_text "TOPIC↑"
check "and the cursor stays on its topic" wait_cursor audit.log
keys S; check "S turns it round" wait_text "TOPIC↓"
keys s; check "s goes on" wait_text "PARTS↓"
check "biggest first" until_true has "__consumer_offsets"
keys s s s s s s s s; keys S; check "after the last comes the view's own order" wait_text "own order has one direction"

keys /; keys w e b; check "the filter works as one types" wait_text "2 of 14 topics"
keys Escape; check "Esc takes it back" wait_text "broker 3 down"
check "and the cursor with it" wait_cursor audit.log
keys /; keys u n d e r; keys Enter; check "a state word filters" wait_text "13 of 14 topics"
keys /; check "the prompt has the filter" wait_text "/under"
keys C-u; keys Up; check "history" wait_text "/under"
keys C-u Enter; check "an empty filter shows all" wait_text "broker 3 down"

keys 3; wait_text "3 brokers: 2 up" >/dev/null
keys Enter; check "Enter on a broker opens it" wait_text "50 replicas on broker 3"
keys Enter; check "Enter on a replica opens its topic" wait_text "tmp.load-test   2 partitions"
keys Escape; check "Esc goes back to the broker" wait_text "50 replicas on broker 3"
keys Escape; check "and to the brokers" wait_text "3 brokers: 2 up"
keys Escape '?'; wait_text "lines 1 to 18" >/dev/null
keys Space; check "Space goes a page on in the help" wait_text "lines 18 to 35"
keys Escape; wait_text "broker 3 down" >/dev/null
keys : Tab; check "Tab on an empty line lists what there is" wait_text "open filter sort"
keys Escape
keys : ; keys -l "sort urp"; keys Enter; check ":sort takes a column by its title" wait_text "URP↓"
keys : ; keys -l "sort nope"; keys Enter; check "and says which is none" wait_text "no column is named nope"
keys s s s s; wait_gone "URP↓" >/dev/null; keys g
keys / ; keys -l "clicks"; keys Enter; check "a filter stays in sight" wait_text "/clicks/ 3 of 14 topics"
check "with the way out of it" wait_text "Esc show all"
keys Escape; wait_text "broker 3 down" >/dev/null
keys P /; keys -l "web"; keys Enter; check "a held picture takes a filter, and stays" wait_text "HELD STILL"
check "no letter of it was taken for a key" has "tmp.load-test"
keys P; check "it shows when the picture goes on" wait_text "/web/ 2 of 14 topics"
keys Escape; wait_text "broker 3 down" >/dev/null; keys g
keys -H 1b 5b 3c 30 3b; keys j; check "a mouse report that is cut off holds nothing up" wait_cursor __consumer_offsets
keys j; wait_cursor audit.log >/dev/null
keys : ; keys b r o Tab; check "Tab completes" wait_text ":brokers"
keys Enter; check ":brokers" wait_text "3 brokers: 2 up"
keys : ; keys -l "topic orders.e"; keys Tab Enter; check ":topic NAME, completed" wait_text "orders.events   6 partitions"
keys : ; keys -l "topic nope"; keys Enter; check ":topic of nothing" wait_text "no topic is named nope"
keys : ; keys -l "frobnicate"; keys Enter; check "an unknown command says so" wait_text ":frobnicate is no action"
keys 2; wait_text "broker 3 down" >/dev/null

keys w; keys -l "$T/view.txt"; keys Enter; check "w writes the view, and what is typed replaces the name proposed" wait_text "14 rows written"
check "as text" grep -q "^  orders.events " "$T/view.txt"
check "with the cluster and the time" grep -q "^ *cluster 9lkx3AmZTqWkXrJVxXnI8g at zk1.example:2181.*, 2026-03-14T03:00:13" "$T/view.txt"
keys w C-u; keys -l "$T/view.txt"; keys Enter; check "a file that is there is not overwritten unasked" wait_text "overwrite it?"
echo precious >"$T/view.txt"
keys n Enter; check "no leaves it" wait_text "was left as it is"
check "untouched" grep -q precious "$T/view.txt"
keys w C-u; keys -l "$T/view.txt"; keys Enter; wait_text "overwrite it?" >/dev/null
keys y Enter; check "yes overwrites it" wait_text "14 rows written"
check "overwritten" grep -q "^  orders.events " "$T/view.txt"
keys w C-u; keys -l "$T/view.tsv"; keys Enter; check "tsv by its name" wait_text "view.tsv"
check "tab separated, all columns" grep -q $'^orders.events\t6\t3\tunder' "$T/view.tsv"
keys w C-u; keys -l "/nonexistent/x"; keys Enter; check "a file that can't be written is a message" wait_text "can't write"

keys y; check "y copies" wait_text "copied audit.log"
copied() { LC_ALL=C grep -qa "52;c;$(printf audit.log | base64)" "$T/raw"; }
check "by OSC 52" until_true copied

keys ']' ']'; check "] goes on in the trace" wait_text "REPLAY 33s"
check "and the cursor stays on its topic" wait_cursor audit.log
keys '['; check "[ goes back" wait_text "REPLAY 23s"
check "there, too" wait_cursor audit.log
keys P; check "P holds the picture still" wait_text "HELD STILL"
keys ']' ']'; check "the clock goes on" wait_text "03:00:43"
check "but not the list" has_not "3/3 brokers   ctrl 1 e31   live 2 ms      READ-ONLY   03:00:23"
check "nor what is deleting" has_not "deleting"
keys Down; check "one can still move" wait_cursor inventory.stock-levels
keys P; check "P lets it go on" wait_gone "HELD STILL"
check "with what came meanwhile" wait_text "deleting"
keys Right; check "Right needs no more than a key" wait_text "14 topics"

# Button 1 pressed and let go, in the old coding that tmux's terminfo entry has: column and line, from 1, plus 32.
click() {
	local x y
	x=$(printf %x $(($1 + 32)))
	y=$(printf %x $(($2 + 32)))
	keys -H 1b 5b 4d 20 "$x" "$y" 1b 5b 4d 23 "$x" "$y"
}
keys Left
click 10 7; check "a click moves the cursor" wait_cursor __consumer_offsets
click 4 4; check "a click on a column's title sorts by it" wait_text "TOPIC↑"
click 4 4; check "and once more turns it round" wait_text "TOPIC↓"
click 21 2; check "a click on a view goes there" wait_text "3 brokers: 3 up"
click 13 2; check "and back" wait_text "14 topics"

keys Escape Escape Escape; check "Esc never ends it" has "14 topics"
keys : ; keys -l quit; keys Enter; check ":quit ends it" ended_with 0

# Off: it says by what, and the terminal gets nothing.
off() { # BY [NAME=VALUE] -- [ARG]
	local by=$1
	shift
	start 80 24 "$@" replay "$TRACES/cluster.trace" --at 13 && wait_text "broker 3 down" || return 1
	keys y
	wait_text "copying is off by $by" && ! LC_ALL=C grep -qa ']52;' "$T/raw" || return 1
	keys q
	ended_with 0
}
check "y with --no-clipboard says that it is off" off "--no-clipboard" -- --no-clipboard
check "and by the variable, that it is that" off "KAFOPS_NO_CLIPBOARD" KAFOPS_NO_CLIPBOARD=1 --
done_testing
