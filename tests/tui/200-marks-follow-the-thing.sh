#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Topics marked by hand and by a pattern, on a recording.
. "$(dirname "$0")/lib.sh"

marks() { screen | sed -n 's/^m \([^ ]*\).*/\1/p' | sort | tr '\n' ' '; }
are_marked() { [ "$(marks)" = "${1:+$1 }" ]; }
wait_marks() { until_true are_marked "$1" || { echo "marked: $(marks)"; shown; return 1; }; }
# begin AT [OPTION...]: the recording there, stopped.
begin_at() {
	local at=$1
	shift
	start 80 24 -- replay "$TRACES/marks.trace" --at "$at" "$@"
	wait_text REPLAY >/dev/null
}
# bottom: the line above the keys.
bottom() { screen | tail -2 | head -1; }
says() { until_true bottom_has "$1" || { shown; return 1; }; }
bottom_has() { bottom | grep -qF -- "$1"; }
# filter TEXT: types a filter and keeps it.
filter() { keys /; keys -l "$1"; keys Enter; }

mkdir -p "$T/.config/kafops"
chmod 700 "$T/.config/kafops"
printf '%s\n' '[profile prod-eu]' 'protected = .*\.gold' '[profile lax]' 'internal-by-hand = yes' 'protected = .*\.gold' 'protected-by-hand = yes' >"$T/.config/kafops/config"
chmod 600 "$T/.config/kafops/config"

# ---- by hand ----
begin_at 5 --cluster prod-eu
keys Down Down Space
check 'Space marks the topic and goes on' wait_marks 'audit.log'
check '... to the next row' wait_cursor inventory.stock-levels
check '... and says what is marked' says 'marked 1 topic, 1 partition, '
keys Space
keys Up Space
check 'Space again takes the mark away' wait_marks 'audit.log'
keys g Space
check 'two underscores alone make no internal topic' wait_marks '__audit audit.log'
keys U
check 'U takes all away' says '2 marks taken away'
check '... all of them' wait_marks ''
keys g Down Space
check 'an internal topic says what allows it' says '__consumer_offsets is internal: internal-by-hand in the profile allows marks'
filter gold
keys Space
check 'a protected one, too' says 'team12.gold is protected: protected-by-hand in the profile allows marks'
keys Escape
wait_text web.sessions >/dev/null

filter team12
wait_gone web.sessions >/dev/null
keys g v j
check 'v begins a range, and says how long it is' says 'range of 2 rows; v marks it, Esc leaves it'
keys v
check '... and ends it' wait_marks 'team12.clicks.v1 team12.clicks.v2'
keys g v G Escape
check 'Esc leaves it' says 'marked 2 topics'
keys i
check 'i turns round what the filter shows, but for what is protected' wait_marks ''
check '... and says so' says 'nothing is marked; struck out: 1 protected (team12.gold)'
keys A
check 'A marks all that the filter shows' wait_marks 'team12.clicks.v1 team12.clicks.v2'
check 'marks at 80x24' shot marks-80x24
keys s
check 'marks survive another order' wait_marks 'team12.clicks.v1 team12.clicks.v2'
keys Escape
check '... and the filter' wait_text web.sessions
check '... in every row' wait_marks 'team12.clicks.v1 team12.clicks.v2'
resize 160 50
check 'they show on a wide screen' wait_marks 'team12.clicks.v1 team12.clicks.v2'
resize 40 24
check '... and on a narrow one' wait_marks 'team12.clicks.v1 team12.clicks.v2'
resize 80 24
keys 3
wait_text kafka01.example >/dev/null
check 'another view does not speak of them' has_not 'marked 2'
keys 2
check 'they are there on the way back' says 'marked 2 topics, 8 partitions, '
keys P Space
check 'a picture that is held still is not marked' says 'held still'
keys P
stop

begin_at 5 --cluster lax
keys g Down Space
check 'the profile may allow an internal one by hand' says 'marked 1 topic, 5 partitions'
filter gold
keys Space
check '... and a protected one' says 'marked 2 topics, 6 partitions'
stop

# ---- with the cluster ----
begin_at 5
filter team12.clicks
keys A
check 'two are marked' says 'marked 2 topics'
keys ']'
check 'one that was made again under its name is not marked any more' wait_marks 'team12.clicks.v2'
check '... and that is said' says '1 marked topic is gone, and its mark'
keys Escape
filter mail
keys A
check 'another is marked' says 'marked 2 topics'
keys ']'
check 'it is gone, and its mark with it' says 'gone, and its mark'
keys Escape Escape
check 'the rest stays' wait_marks 'team12.clicks.v2'
stop

# ---- by a pattern ----
begin_at 5 --cluster prod-eu
keys '*'
check 'the prompt says how a pattern is read' wait_text 'read as kafka-topics --topic does: the whole name'
keys -l 'team12\..*'
check 'what it takes shows while it is typed' shot pattern-80x24
check 'nothing is marked yet' are_marked ''
keys Escape
check 'Esc leaves all as it was' wait_gone 'mark by pattern'
check '... without a mark' are_marked ''
keys '*'
keys -l 'team12\..*,__.*'
wait_text 'struck out' >/dev/null
keys Enter
check 'Enter marks the matches, but for those struck out' wait_marks '__audit team12.clicks.v1 team12.clicks.v2'
check '... and says which' says 'marked 3 topics, 9 partitions'
keys U '*'
keys -l 'payments.eu'
check 'a name that takes more as a pattern is called out' wait_text '`payments.eu` as a pattern also takes `payments_eu`: 1 literal, 2 as pattern;'
check 'the hint at 80x24' shot pattern-hint-80x24
keys C-u
keys -l 'tmp-[0-9'
check 'a bad pattern says where and why' wait_text 'column 5: the bracket is never closed'
keys Enter
check '... and marks nothing' wait_text 'nothing was marked'
check '... and typing goes on' has 'mark by pattern: tmp-[0-9'
keys C-u
keys -l '(__[a-z_]*)*[a-z_]*_*([a-z_]+)*!'
check 'a hopeless one is cut off' wait_text 'too complex'
keys Enter
check '... and marks nothing' wait_text 'nothing was marked'
keys C-u
keys -l 'web'
check 'a part of a name says what to type' wait_text 'the whole name must match; 2 begin so: web.*'
keys Enter
check 'what takes nothing marks nothing' wait_text 'there is nothing to mark'
keys Escape
resize 40 10
keys '*'
keys -l 'web.*'
check 'there is room on the smallest screen' wait_text '2 topics ('
keys Enter
check '... and it marks' says 'marked 2 topics'
resize 80 24
keys '*' Up
check 'a pattern that was taken comes back by Up' wait_text 'mark by pattern: web.*'
keys Escape
keys P '*'
check 'none opens while the picture is held still' says 'held still'
keys P
stop

# ---- sets of marks ----
begin_at 5 --cluster prod-eu
keys :
keys -l 'save-marks marks.txt'
keys Enter
check 'no file is written of no marks' says 'nothing is marked: no file was written'
keys '*'
keys -l 'web.*,mail.*'
keys Enter
says 'marked 3' >/dev/null
keys :
keys -l 'save-marks ~/marks.txt'
keys Enter
check 'marks are saved' says '3 topics saved to ~/marks.txt'
check '... one name a line' grep -qx 'mail.outbound' "$T/marks.txt"
check '... with the cluster' grep -qx '# cluster 9lkx3AmZTqWkXrJVxXnI8g' "$T/marks.txt"
check '... and the date' grep -q '^# saved 2026-03-14T03:00:' "$T/marks.txt"
check 'nothing is left beside it' test "$(find "$T" -name 'marks.txt*' | wc -l)" = 1
keys U :
keys -l 'load-marks ~/marks.txt'
keys Enter
check 'they are loaded again' wait_marks 'mail.outbound web.clicks web.sessions'
check '... and counted' says 'marked 3 of 3'
keys :
keys -l 'save-marks ~/marks.txt'
keys Enter
check 'a file that is there is asked about' wait_text 'overwrite it?'
keys -l no
keys Enter
check '... and left' says '~/marks.txt was left as it is'
keys U
keys g Down Down Space :
keys -l 'save-marks ~/marks.txt'
keys Enter
wait_text 'overwrite it?' >/dev/null
keys -l yes
keys Enter
check '... or written over' says '1 topic saved to ~/marks.txt'
check '... whole' test "$(grep -vc '^#' "$T/marks.txt")" = 1
printf '# cluster ZZZZZZZZ\naudit.log\nno.such\nteam12.gold\n' >"$T/other.txt"
keys U :
keys -l 'load-marks ~/other.txt'
keys Enter
check 'a set of another cluster, with names that are gone, says so' \
	says 'marked 1 of 3; SAVED ON ANOTHER CLUSTER, ZZZZZZ; gone: 1 (no.such); struck'
printf 'audit.log\nno good\n' >"$T/bad.txt"
keys U :
keys -l 'load-marks ~/bad.txt'
keys Enter
check 'a file that is no list says where' says 'line 2: "no good" can'\''t be a topic'
check '... and marks nothing' are_marked ''
mkfifo "$T/pipe"
keys :
keys -l 'load-marks ~/pipe'
keys Enter
check 'a pipe is refused and does not hold the screen up' says 'no regular file'
keys :
keys -l 'load-marks ~/nowhere'
keys Enter
check 'a file that is not there says so' says 'No such file'
keys q
check 'it ends' ended_with 0

# ---- topics that go without a marker ----
begin_at 22
keys 4
check 'a topic that went without a marker seen is told, and as what it is' wait_text '03:00:20: too quick to follow'
check '... and so is one that was made again' wait_text '03:00:10: too quick to follow'
keys Down Enter
check '... with what else it may have been' wait_text 'somebody removed'
stop
done_testing
