#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is pasted is told from what is typed: text in a line, nothing elsewhere, and no answer to what confirms a change. The terminal is asked to
# tell, and told to stop at every way out.
. "$(dirname "$0")/lib.sh"

bottom() { screen | tail -2 | head -1; }
bottom_is() { [ "$(bottom)" = "$1" ]; }
bottom_has() { bottom | grep -qF -- "$1"; }
says() { until_true bottom_has "$1" || { shown; return 1; }; }
line_is() { until_true bottom_is "$1" || { shown; return 1; }; }
paste() { tmx set-buffer "$1" \; paste-buffer -p; }
up() { start 80 24 "$@" -- replay "$TRACES/marks.trace" --at 5 && wait_text '18 topics'; }
# The last that was asked of the terminal: h on, l off.
asked() { grep -ao $'\033\\[?2004[hl]' "$T/raw" | tail -1 | tail -c 2; }
asked_is() { [ "$(asked)" = "$1" ]; }

# ---- asked for, and given back ----
check 'it is up' up
check 'the terminal is asked to tell' until_true asked_is h
keys q
check 'q ends it' ended_with 0
check '... and the terminal is told to stop' until_true asked_is l
for sig in TERM:143 HUP:129 SEGV:139; do
	check 'it is up' up
	kill -"${sig%:*}" "$(pid)"
	check "SIG${sig%:*} ends it" ended_with "${sig#*:}"
	check "SIG${sig%:*}: it is told to stop" until_true asked_is l
done
start_shell 80 24
keys "bind 'set enable-bracketed-paste off'; clear" Enter
keys '$KAFOPS replay $TRACES/marks.trace --at 5' Enter
wait_text '18 topics' >/dev/null
check 'under a shell it is asked, too' until_true asked_is h
keys C-z
check 'Ctrl-Z: it is told to stop' wait_text Stopped
check '... by then' asked_is l
keys fg Enter
check '... and asked again when it goes on' until_true asked_is h
keys q
check '... and told at its end' until_true asked_is l
stop

# ---- in a line ----
check 'it is up' up
keys /
paste $'orders\n.even\tts\r\n'
check 'in the filter it is text, without its line ends' line_is '/orders.events'
check '... at once' wait_text 'orders.events'
keys Enter
wait_gone payments.ledger >/dev/null
keys / C-u
keys -l 'a'
paste "$(printf 'x%.0s' $(seq 600))"
check 'what does not fit is not taken in part' says 'too long: not pasted'
check '... nothing of it' bottom_has '/a '
keys C-u Enter '*'
paste $'team12\\..*\n'
check 'in a pattern, too' wait_text 'whole name: team12\..*'
keys Escape :
paste $'topic orders.events\n'
check 'a command waits for its Enter' line_is ':topic orders.events'
keys Enter
check '... and runs with it' wait_text 'orders.events   6 partitions'
keys Escape

# ---- elsewhere ----
paste $'q\nD\n'
check 'without a line it does nothing, and says so' says 'pasted text does nothing here'
check '... really nothing' wait_text '18 topics'

# ---- what confirms a change ----
keys g Down Down
wait_cursor audit.log >/dev/null
keys D
says 'Type the name of the topic to delete it:' >/dev/null
paste audit.log
check 'a change is confirmed by hand only' says 'typed by hand only'
paste $'audit.log\n'
check '... the more so with an Enter' says 'typed by hand only'
keys Enter
check '... and there is nothing there' says 'type the name of the topic; nothing was sent'
keys Escape

# ---- in parts ----
keys /
keys -l $'\033[200~pay'
keys -l $'ments\nD\033[20'
keys -l $'1~'
check 'it may come in parts' line_is '/paymentsD'
keys C-u
keys -l $'\033[200~never'
check 'one that does not end is over by itself, and counts for nothing' says 'too long or without an end: not pasted'
keys -l log
check '... and typing goes on' line_is '/log'
keys Escape
stop
done_testing
