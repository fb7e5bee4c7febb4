#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What operators ask when a deletion behaves strangely, each answered by the screen itself. The recordings are of real brokers (Kafka 2.8.2, three of
# them): made by TRUTH_RECORD=FOLDER of tests/e2e/truth.sh, whose scenarios they are named after, and those of tests/model/traces.
. "$(dirname "$0")/lib.sh"

# at TRACE SECONDS [KEY...]: the deletions of the recording at that moment.
at() {
	local trace=$1 at=$2 k
	shift 2
	start 80 24 -- replay --view deletions "$trace" --at "$at"
	wait_text REPLAY >/dev/null
	for k; do keys "$k"; done
}
# A sentence is wrapped where the line ends.
flowed() { screen | sed -E 's/^ +//' | paste -sd ' ' | tr -s ' '; }
flowed_has() { flowed | grep -qF -- "$1"; }
reads() { until_true flowed_has "$1" || { shown; return 1; }; }
MODEL=$here/../model/traces

# What happens with a marker for a topic that doesn't exist?
at "$TRACES/ghost.trace" 2
check 'a marker for no topic is over at once, and says why' reads 'ghost done'
check '... in the list' reads 'no such topic'
keys Enter
check '... and what became of it' reads 'the marker of a topic that does not exist is taken away at once'

# And with one made by hand?
at "$TRACES/hand-made.trace" 9
check 'a marker made by hand deletes the topic as any other does' reads 'hand-made done 3 0'
check '... and when the space will be free' reads 'space free in'

# What does delete.topic.enable=false do? The controller that refused it is another one's successor by then.
at "$TRACES/disabled-controller.trace" 9.5
check 'a refused deletion is told as refused' reads 'disabled-controller refused'
check '... and why, in the list, too' reads ': deletion disabled'
keys Enter
check '... by whom' reads 'delete.topic.enable was false on the controller of that moment, broker 3'
check '... and what to do' reads 'Set it to true on every broker and restart them, then delete the topic again.'
check '... and that nothing happened' reads '1: not begun 2: not begun 3: not begun'

# A broker that holds a replica is offline?
at "$MODEL/dead-broker-2.8.2.trace" 11
check 'the list names the broker that is waited for' reads 'broker 1 down'
keys Enter
check '... since when, and how much waits' reads 'Broker 1 (127.0.0.1) is not registered, since 13:53:52 (6s). 2 of the 6 replicas wait for it.'
check 'why it does not retry: what will set it off' reads 'When broker 1 registers, the controller tries again by itself.'
check '... and that time does not' reads 'time alone moves nothing on'
check 'does anything wait behind it' reads 'No other deletion waits behind it'
check 'may the name be used' reads 'Clients are told that there is no such topic; its name is taken until it is gone.'

# The controller goes half-way?
at "$MODEL/dead-broker-2.8.2.trace" 18 Enter
check 'an election while it waits is told as the step back that it is' reads 'An election made 4 deleted replicas again, empty.'
check '... among the attempts, with what each did' reads 'controller 2 elected, epoch 2 0 done, 6 wait'
check '... and the one before' reads 'asked for 4 done, 2 wait'

# What is on disk meanwhile?
at "$MODEL/bad-dir-2.8.2.trace" 40 Enter
check 'a log dir is waited for, by its path' reads '/d1 of broker 1 (127.0.0.1) is offline'
check 'what waits is still on disk' reads 'Replicas that wait keep their files.'
check '... and what is deleted is not free yet' reads 'Deleted ones were renamed to ...-delete: their space comes after log.segment.delete.delay.ms.'
check 'what helps, and what does not' reads 'a restart with the dir still bad does not help'

# The topic is being reassigned?
at "$TRACES/reassign-dead.trace" 15 Enter
check 'a reassignment of it is too late to cancel' reads "Its reassignment can't be cancelled any more: the replica being added goes with the others."
check '... and what is waited for is the broker' reads 'Broker 2 (127.0.0.1) is not registered'

# The marker was taken away?
at "$TRACES/away.trace" 6 Enter
check 'a marker taken away cancels nothing' reads 'The marker was taken away: the next controller will not know of the deletion.'
check '... and what an election would do' reads 'Put the marker again: an election without it brings the topic back, emptied.'

# The marker stays though the topic is gone?
at "$TRACES/child.trace" 2 Enter
check 'a marker with a child node' reads "The marker has a child node, so that the controller can't remove it."
check '... and that the topic is gone all the same' reads 'The topic itself is deleted.'

# Do the others go on?
at "$TRACES/ten.trace" 6
check 'of ten topics the one that waits stands first' reads 'ten.10 waiting 1 1'
check '... and the others are gone' reads '1 topic queued: 1 waits; 1 of 2 replicas left, 12 KiB; 9 ended'
done_testing
