#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A deletion, up to its last key, on a recording: what the check finds, the effect, and what has to be typed.
. "$(dirname "$0")/lib.sh"

begin_at() {
	local w=$1 h=$2 trace=$3 at=$4
	shift 4
	start "$w" "$h" -- replay "$TRACES/$trace.trace" --at "$at" "$@"
	wait_text REPLAY >/dev/null
}
bottom() { screen | tail -2 | head -1; }
bottom_has() { bottom | grep -qF -- "$1"; }
last_has() { screen | tail -1 | grep -qF -- "$1"; }
says() { until_true bottom_has "$1" || { shown; return 1; }; }
# answer TEXT: types it, and Enter by itself once it shows.
answer() { keys -l "$1"; says ": $1" && keys Enter; }
mark() { keys '*'; keys -l "$1"; wait_text 'of all)' && keys Enter; says 'marked '; }
no_journal() { ! [ -e "$T/.local/state/kafops/journal" ]; }

# ---- errors and warnings ----
begin_at 80 24 cluster 30
keys A
says 'marked 12 topics' >/dev/null
keys D
check 'errors and warnings stand apart' wait_text '1 error, 12 warnings'
check 'the check at 80x24' shot check-80x24
check 'the keys are those that work' eval '! last_has "Enter go on" && ! last_has "x stop"'
keys Enter
check 'while there are errors it does not go on' says 'nothing can be sent while there are errors'
keys z
check 'nor around Kafka' says "only for what Kafka can't be asked to delete"
resize 160 50
wait_text 'Broker 3 is down and holds replicas of 12 of them' >/dev/null
check 'the check at 160x50' shot check-160x50
resize 80 24
keys Escape
check 'Esc leaves everything as it was' says 'marked 12 topics'
stop

# ---- the effect ----
begin_at 80 24 marks 5
mark 'team12\.clicks.*' >/dev/null
keys D
check 'what is well goes to the effect at once' wait_text 'Delete 2 topics in 9lkx3A?'
check 'the effect at 80x24' shot confirm-80x24
answer 3
check 'another number is not taken, and it is said what was wrong' says '3 is not the number of topics; nothing was sent: 3'
keys C-u
keys -l $'2\n'
check 'nor an Enter that comes with other keys' says 'pasted? Enter by itself'
check '... and it is still asked' has 'Delete 2 topics in 9lkx3A?'
resize 160 50
check 'the effect at 160x50' shot confirm-160x50
resize 40 10
keys C-u 2
check 'it fits the smallest screen' wait_text 'Type the number of topics to …'
keys PageDown PageDown PageDown PageDown PageDown PageDown
check '... where one can scroll to the end' wait_text "can't be undone"
keys C-u
keys -l $'2\n'
check '... and which says why an Enter is not taken' says 'pasted? Enter by itself'
keys C-u
keys 2
resize 80 24
keys Enter
check 'of a large part of the cluster its name is asked for as well' says 'And the name of the cluster:'
answer nobody
check '... and no other' says 'nobody is not the name of the cluster; nothing was sent'
keys C-u
answer 9lkx3A
check 'in a recording that is the last key' says 'read-only: this is a recording'
check '... and nothing is written down' no_journal
keys Escape
check 'marks stay' says 'marked 2 topics'
keys D
wait_text 'Delete 2 topics' >/dev/null
keys Escape
check 'Esc at the question leaves it' says 'marked 2 topics'
keys U g Down Down
wait_cursor audit.log >/dev/null
keys D
check 'without marks it is the topic under the cursor' wait_text 'Delete 1 topic in 9lkx3A?'
check '... by its name' says 'Type the name of the topic to delete it:'
answer audit.log
check '... and nothing else' says 'read-only: this is a recording'
keys 3
check 'another view leaves it' wait_text kafka01.example
keys 2
check '... for good' wait_cursor audit.log
mark '.*' >/dev/null
keys D
wait_text 'Delete 17 topics' >/dev/null
check 'a long list stands below what must be read' shot confirm-many-80x24
stop

# ---- keys of other views ----
begin_at 80 24 marks 5
keys Enter
wait_text PART >/dev/null
keys D
check 'D in an opened topic says where it works' says 'D works in the list of topics: 2 goes there'
keys '*'
check '... and so does *' says '* works in the list of topics: 2 goes there'
keys 4 a
check 'a in the list of deletions opens none, and says what does' says 'a works in a deletion: Enter opens it first'
stop

# ---- what changes while it is asked ----
begin_at 80 24 marks 18.5 --speed 0.5
mark 'mail.*,tmp.*,audit.*' >/dev/null
keys . D
wait_text 'Delete 3 topics in 9lkx3A?' >/dev/null
keys -l 3
check 'a question is open, and its answer is there but for the Enter' says ': 3'
check 'a topic goes and another is queued by somebody: it is the check again' wait_text 'CHANGED since the check; nothing was sent'
check '... with what happened' wait_text 'mail.outbound is gone'
check '... of each' wait_text 'tmp.load-test was queued for deletion, not by this console'
check '... and what was typed is nowhere' eval '! bottom_has ": 3"'
keys Enter
check 'which forbids it' says 'nothing can be sent while there are errors'
check '... and what happened stays on view' has 'mail.outbound is gone'
stop
begin_at 80 24 cluster 8.5 --speed 0.5
mark 'web.clicks' >/dev/null
keys . D
wait_text 'Delete 1 topic' >/dev/null
keys -l web
check 'a broker dies at the question' wait_text 'broker 3 is down: '
check '... which is said below, too' says 'since the check: broker 3 is down'
keys Enter
check '... and can be gone on with, typing anew' says 'Type the name of the topic to delete it:'
check '... from the start' eval '! bottom_has ": web"'
stop

begin_at 80 24 cluster 58 --speed 5
mark 'web.clicks' >/dev/null
keys . D
check 'a session that is lost at the question takes it back' says 'since the check: There is no ZooKeeper session'
check 'and when all is as it was' wait_gone 'CHANGED since the check'
check '... nothing says that it is not' eval '! has "since the check"'
stop

# ---- the terminal at the question ----
begin_at 80 24 marks 5
keys D
says 'Type the name' >/dev/null
kill -TERM "$(pid)"
check 'SIGTERM at the question ends it' ended_with 143
stop
begin_at 80 24 marks 5
keys D
says 'Type the name' >/dev/null
kill -HUP "$(pid)"
check 'SIGHUP does, too' ended_with 129
stop
start_shell 80 24
keys '$KAFOPS replay $TRACES/marks.trace --at 5' Enter
wait_text 'D delete' >/dev/null
keys D
says 'Type the name' >/dev/null
keys -l __a
says ': __a' >/dev/null
keys C-z
check 'Ctrl-Z gives the terminal back' wait_text Stopped
keys fg Enter
check 'and fg comes back to the question' says ': __a'
keys -l udit
keys Escape
check '... which can be left' wait_text 'D delete'
stop
done_testing
