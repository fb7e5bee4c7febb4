#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The question before a change, and what happens while it is carried out, on Kafka 2.8.2: a move that is cancelled by Kafka's own tool while the check is on
# view; a paced deletion that is stopped between two groups; SIGTERM, SIGHUP and Ctrl-Z at the question and while a request is out, so that
# the journal has what was asked and what is known; and the controller moved away from a broker that does not answer.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || skip_all "jq is not installed"
COLUMNS=120
WAIT=60
plan 46

kafka_up "${version:=2.8.2}" 3 --set '*:replica.fetch.max.bytes=50000' --set '*:auto.create.topics.enable=false' --zk-set maxSessionTimeout=200000 --set '*:zookeeper.session.timeout.ms=180000'
controller=$(sandbox controller)
a=$((controller % 3 + 1)) b=$(((controller + 1) % 3 + 1))
{
    printf '%s\n' "moving 3 @$a" "stuck 1 @$a,$b" 'keep.me 6 3'
    for i in {1..45}; do printf 'many.%02d 1 @%d\n' "$i" "$a"; done
} | sandbox make
sandbox fill moving 6000000 >/dev/null
cluster=$(sandbox zk-get /cluster/id | jq -r .id | cut -c1-6)

exists() { sandbox zk-get "/brokers/topics/$1" >/dev/null 2>&1; }
is_gone() { ! exists "$1" && ! sandbox zk-get "/admin/delete_topics/$1" >/dev/null 2>&1; }
left() { sandbox zk ls /brokers/topics 2>/dev/null | tail -1 | grep -o 'many\.[0-9]*' | wc -l; }
left_is() { [ "$(left)" = "$1" ]; }
journal() { XDG_STATE_HOME=$scratch/home/state "$KAFOPS" journal --json | jq -r "$1"; }
# last FILTER: of the records of the command that was asked for last.
last() { journal "[.items[] | select(.phase == \"intent\" or .phase == \"outcome\")] | (map(select(.phase == \"intent\")) | last | .id) as \$id | map(select(.id == \$id)) | $1"; }
phases() { last 'map(.phase) | join(",")'; }
# answer TEXT: types it into the question, and Enter by itself once it shows there.
answer() { typed "$1" && wait_text ": $1" && keys Enter; }
marks() { keys 2 '*' && typed "$1" && keys Enter && wait_text "^ marked $2 topic"; }
up() { console_start --zookeeper "$KAFOPS_ZK" --operate && wait_text 'live' && wait_text 'keep.me'; }
tool() { sandbox kafka reassign-partitions --reassignment-json-file "$scratch/move.json" "$@" >"$scratch/tool" 2>&1; }

# ---- a move, and its cancel by Kafka's own tool ----
printf '{"version":1,"partitions":[{"topic":"moving","partition":0,"replicas":[%d]},{"topic":"moving","partition":2,"replicas":[%d]}]}\n' "$b" "$b" >"$scratch/move.json"
# Small fetches, of which the first is not held back; and the throttle is read by the broker before the move begins.
sandbox kafka configs --alter --entity-type brokers --entity-name "$b" --add-config follower.replication.throttled.rate=1000 >"$scratch/tool" 2>&1
sandbox kafka configs --alter --entity-type topics --entity-name moving --add-config 'follower.replication.throttled.replicas=*' >>"$scratch/tool" 2>&1
poll grep -q 'Processing override for entityPath: topics/moving ' "$KAFOPS_SANDBOX_DIR/broker-$b/broker.log"
poll grep -q "Processing override for entityPath: brokers/$b with config: .*throttled.rate" "$KAFOPS_SANDBOX_DIR/broker-$b/broker.log"
ok 'a move begins, throttled' tool --execute
up
marks moving 1
keys D
ok 'what moves is named' wait_text 'moving: Partitions 0, 2 of it are being moved'
ok '... and with what that is cancelled' wait_text 'cancel, --preserve-throttles and the file of the move'
keys Enter
ok '... and it is refused' wait_text 'nothing can be sent while there are errors'
tool --cancel --preserve-throttles
ok "Kafka's tool cancels it so" grep -q 'Successfully cancelled partition reassignments for: moving-0,moving-2' "$scratch/tool" || diag <"$scratch/tool"
ok 'which the check notices by itself' wait_text 'moving is not under reassignment any more'
keys Enter
ok '... and then it can be gone on with' wait_text 'Type the name of the topic to delete it:'
answer moving
wait_text 'And the name of the cluster:' && answer "$cluster"
ok 'it goes' poll is_gone moving

# ---- stopped between two groups ----
marks 'many\..*' 45
keys D
wait_text 'Delete 45 topics in '
answer 45
ok 'of many topics the name of the cluster is asked for, too' wait_text 'And the name of the cluster:'
typed "$cluster"
wait_text ": $cluster"
sandbox pause-broker "$controller"
keys Enter
ok 'the first group is out' wait_text 'group 1 of 3, 0 of 45 answered, 20 asked, 25 not sent yet'
keys x
ok 'x stops' wait_text 'It stops after this answer'
sandbox resume-broker "$controller"
ok '... after the answer to that group' wait_text 'Over: 20 queued, 25 refused or not sent'
ok '... and says why' wait_text 'Stopped: stopped by the operator'
is 'the journal has the same' "$(last 'map(select(.phase == "outcome") | .items[]) | group_by(.outcome) | map("\(length) \(.[0].outcome)") | join(",")')" '25 refused,20 taken'
is '... of the rest that it was not sent' "$(last 'map(select(.phase == "outcome") | .items[]) | map(select(.outcome == "refused") | .text) | unique | join(",")')" 'not sent: stopped by the operator'
ok 'twenty go' poll left_is 25
ok '... and no more' exists many.21
keys Escape 2 U q
ok 'it ends' console_ends

# ---- signals while a request is out ----
# out PATTERN N: it is sent, and the controller does not answer.
out()
{
    marks "$1" "$2"
    keys D
    wait_text "Delete $2 topics in "
    answer "$2"
    wait_text 'And the name of the cluster:'
    typed "$cluster"
    wait_text ": $cluster"
    sandbox pause-broker "$controller"
    keys Enter
    wait_text "0 of $2 answered, $2 asked"
}
for sig in TERM:143:many.2. HUP:129:many.3.; do
    IFS=: read -r name status topics <<<"$sig"
    n=$(sandbox zk ls /brokers/topics 2>/dev/null | tail -1 | grep -oE "$topics" | wc -l)
    up
    ok "SIG$name: a request is out" out "$topics" "$n"
    kill -"$name" "$(console_pid)"
    is "SIG$name ends it" "$(console_status)" "$status"
    is '... what was asked is in the journal, and no outcome' "$(phases)" intent
    is '... of all that were sent' "$(last '.[0].items | length')" "$n"
    sandbox resume-broker "$controller"
    up
    keys 8
    ok 'SIG'"$name"': the next start says that what came of it is not known' wait_text 'OUTCOME UNKNOWN|not known|unknown'
    keys 2 q
    ok 'it ends' console_ends
    is '... and has asked nothing again' "$(phases)" intent
done

# ---- Ctrl-Z, under a shell ----
e2e_console_argv console.log --zookeeper "$KAFOPS_ZK" --operate
command=$(printf '%q ' "$KAFOPS" --zookeeper "$KAFOPS_ZK" --operate)
for i in "${!e2e_argv[@]}"; do [ "${e2e_argv[$i]}" != "$KAFOPS" ] || e2e_argv=("${e2e_argv[@]:0:$i}" PS1='$ ' bash --norc --noprofile -i); done
tmux -L "$e2e_socket" kill-server
poll e2e_no_session
WAIT=5 poll e2e_tmux_up || bail_out 'tmux could not be started'
e2e_pids="$e2e_pids $(console_pid)"
wait_text '^\$'
typed "$command"
keys Enter
wait_text 'keep.me'
marks 'many\.4.' 6
keys D
wait_text 'Delete 6 topics in '
typed 6
wait_text ': 6'
keys C-z
ok 'Ctrl-Z at the question' wait_text Stopped
typed fg
keys Enter
ok '... and fg: it is still asked, with what was typed' wait_text 'delete them: 6'
keys Enter
wait_text 'And the name of the cluster:'
typed "$cluster"
wait_text ": $cluster"
sandbox pause-broker "$controller"
keys Enter
wait_text '0 of 6 answered, 6 asked'
keys C-z
ok 'Ctrl-Z while the request is out' wait_text Stopped
sandbox resume-broker "$controller"
typed fg
keys Enter
ok '... and fg: its answer was not lost' wait_text '6 topics are queued for deletion'
is '... nor for the journal' "$(phases)" intent,outcome
ok '... and they go' poll is_gone many.45

# ---- the controller does not answer ----
sandbox pause-broker "$controller"
sandbox zk create /admin/delete_topics/stuck >/dev/null 2>&1
keys 4
ok 'a deletion waits for a controller that does not answer' wait_text "stuck +queued .*controller $controller silent"
keys Enter
wait_text 'WHY'
keys a
ok 'then moving the controller is on offer, as the last resort' wait_text 'HERE +Move the controller: the last resort'
keys Enter
ok 'what that does is said' wait_text 'The node /controller is deleted, if it is still the one that is seen now'
ok '... to the end' wait_text 'Every broker reloads its metadata'
wait_text 'Type move to move the controller:' || keys Enter
answer move
wait_text 'And the name of the cluster:'
answer "$cluster"
ok 'another broker becomes the controller' poll eval '[ "$(sandbox controller)" != "$controller" ]'
ok '... and the topic goes' poll is_gone stuck
is 'the journal has it' "$(last 'map(.command + " " + .phase) | join(",")')" 'move-controller intent,move-controller outcome'
sandbox resume-broker "$controller"
keys q q q q q
ok 'what nobody asked for is there' exists keep.me
