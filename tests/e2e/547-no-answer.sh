#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A request that is not answered (tests/peer/controller beside a real ZooKeeper): who leaves it behind is told so, on the screen and on the terminal
# that is left; the next start knows of it, asks for the topic once more only knowingly, and kafops delete not at all.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

plan 13
COLUMNS=120
zk_up
coproc PEER { exec "$top_builddir/tests/peer/controller" "$KAFOPS_ZK" "$scratch/peer.log" 2>"$scratch/peer.err"; }
# said_by COMMAND...: the peer's answer to a line.
said_by()
{
    printf '%s\n' "$*" >&"${PEER[1]}"
    IFS= read -r -t 60 _ <&"${PEER[0]}" || bail_out "the controller doesn't answer: $* $(cat "$scratch/peer.err")"
}
IFS= read -r -t 60 _ <&"${PEER[0]}" || bail_out "no controller: $(cat "$scratch/peer.err")"
said_by topics quiet 3
said_by plan 600000 0 keep

arrived() { grep -c ' arrived ' "$scratch/peer.log"; }
has_arrived() { [ "$(arrived)" = "$1" ]; }
# Asks for the topic under the cursor, whatever the check says.
delete_it()
{
    keys D
    wait_text "Enter goes on|can't be undone" || return
    screen_lacks 'Enter goes on' || keys Enter
    wait_text 'Type the name' && typed "$1" && wait_text ": $1" && keys Enter && poll has_arrived "$2"
}
printf '[profile k]\nzookeeper = %s\nmany-topics = 1000\nmany-percent = 100\n' "$KAFOPS_ZK" >"$scratch/config"
cluster=(--config "$scratch/config" --cluster k)
batch() { env XDG_STATE_HOME="$scratch/home/state" "$KAFOPS" "$@"; }

console_start "${cluster[@]}" --operate
ok 'there are topics' wait_text 'quiet\.02'
ok 'one is asked for, and no answer comes' delete_it quiet.00 1 || bail_out "it was not asked for: $(screen)"
console_also "${cluster[@]}" --operate
wait_text 'quiet\.02'
ok 'of a request of another console that goes on nothing is said to be wrong' screen_lacks 'UNKNOWN|journal!'
keys 8
ok 'view 8 says who carries it out' wait_text 'under way, process [0-9]+'
keys C-c
console_look 0
keys q q
ok 'q says that there is no answer yet' wait_text 'delete-topics [0-9a-f]{16} has no answer yet; q again ends'
keys q
ok 'q again ends it' console_ends
ok 'with a line on the terminal' wait_text 'delete-topics [0-9a-f]{16} was sent and had no answer yet: kafops journal'

console_start "${cluster[@]}" --operate
ok 'the next start says so at once' wait_text 'delete-topics [0-9a-f]{16}: OUTCOME UNKNOWN; 8 tells how to find out'
ok 'and marks the view that tells more' screen_has '8journal!'
keys D
ok 'asked for again, the check warns' wait_text 'quiet.00: It was asked for at .* outcome unknown: the request may'
ok 'and the broker is named' screen_has 'unread in broker 1|in broker 1'
keys Escape
keys C-c
is 'kafops delete does not ask for it again' \
    "$(batch delete "${cluster[@]}" --topic 'quiet.*' --operate --json | jq -r '[.items[] | .topic + "=" + .action] | join(" ")')" \
    'quiet.00=refused quiet.01=would-delete quiet.02=would-delete'
is 'and says why' "$(batch delete "${cluster[@]}" --topic 'quiet.00' --operate --execute --expect-count 1 --json | jq -r '.items[0] | .error')" 'asked-before'
peer_in=${PEER[1]}
exec {peer_in}>&-
