# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The scenarios of truth.sh. Broker 1 is the controller when one begins, 2 is the one that fails, 3 the other host. Topics are named
# as their scenario is, those beside with a word after a dot. Every scenario puts the cluster right again.

# shellcheck disable=SC2034,SC2154  # used by, and set in, truth.sh
truth_scenarios=(
    normal stopped killed-inside killed-after paused-before paused-after second
    dir-before dir-during dir-dropped
    reassign-goes reassign-dead znode-zombie
    disabled-others disabled-controller
    ghost child hand-made
    moved away away-moved
    auto-created leaderless never-elected returning left-over ten
)

# topics_of SCENARIO: as `sandbox make` reads them; made and written to before the first scenario.
topics_of()
{
    case $1 in
    normal) printf 'normal 3 @1,2,3\n' ;;
    stopped) printf 'stopped 2 @1,2,3\n' ;;
    second) printf 'second 1 @3,2,1\n' ;;
    reassign-goes | reassign-dead | znode-zombie) printf '%s 1 @1,3 leader.replication.throttled.replicas=* follower.replication.throttled.replicas=*\n' "$1" ;;
    leaderless) printf 'leaderless 1 @2\n' ;;
    returning) printf 'returning 1 @2,1\n' ;;
    ghost | never-elected) ;;
    disabled-controller) printf '%s 1 @1,2,3\n' "$1" ;;
    left-over) printf '%s 1 @1,2,3\n' left-over left-over.later ;;
    ten) printf 'ten.%d 1 @1,3\n' 1 2 3 4 5 6 7 8 9; printf 'ten.10 1 @1,2\n' ;;
    *) printf '%s 1 @2,1,3\n' "$1" ;;
    esac
}

# ---- without an obstacle ----

truth_normal()
{
    by_api normal
    quick normal 'done'
    counts
}

truth_hand_made()
{
    zk 'create\t/admin/delete_topics/hand-made\t{"by": "hand"}'
    quick hand-made 'done'
}

# A marker for a topic that does not exist is there for less than 40 ms: most often nobody sees it.
truth_ghost()
{
    mark ghost
    expect 'the marker is not taken away' logged 'delet.*(ghost|non-existing|non-existent)'
    expect 'it is told as a deletion that goes on' told ghost '(.state // "done") | IN("done", "refused", "marker-removed")'
}

# ---- a broker that is down or frozen ----

truth_stopped()
{
    stop 2
    by_api stopped
    waits_for_2 stopped
    counts stopped
    comes_back stopped
}

# waits_for_2 TOPIC [BROKER...]: told, at rest, with its trigger; of replicas on the brokers named an outsider can't know.
waits_for_2()
{
    blocked "$1" broker-down 2
    state_is "$1" waiting
    at_rest "$@"
    next_is "$1" 'broker 2 registers'
}

# comes_back TOPIC: what was told to move it on.
comes_back()
{
    start 2
    ended "$1" 'done'
    moved_by "$1" 'broker 2 registered'
}

# Whether it deleted its replica before it died can't be known (P1): its session went after the marker came.
truth_killed_inside()
{
    sandbox kill-broker 2
    mark killed-inside
    expect 'broker 2 stays registered' unregistered 2
    waits_for_2 killed-inside 2
    counts
    comes_back killed-inside
}

truth_killed_after()
{
    sandbox kill-broker 2
    expect 'broker 2 stays registered' unregistered 2
    mark killed-after
    waits_for_2 killed-after
    counts killed-after
    comes_back killed-after
}

truth_paused_before()
{
    sandbox pause-broker 2
    mark paused-before
    expect 'the controller does not ask broker 2' reached paused-before-0 2 ReplicaDeletionStarted
    sandbox resume-broker 2
    ended paused-before 'done'
}

truth_paused_after()
{
    sandbox pause-broker 2
    mark paused-after
    expect 'broker 2 stays registered' unregistered 2
    waits_for_2 paused-after 2
    sandbox resume-broker 2
    ended paused-after 'done'
    moved_by paused-after 'broker 2 registered'
}

# The second host has deleted its replica when it dies: it is not waited for.
truth_second()
{
    stop 2
    mark second
    waits_for_2 second
    stop 3
    expect 'what broker 3 had deleted before it died is not told as done' told second '.replicas["0/3"] | .phase == "done" and .phase_certainty == "certain"'
    waits_for_2 second
    counts second
    start 3
    moved_by second 'broker 3 registered'
    waits_for_2 second
    comes_back second
}

truth_leaderless()
{
    stop 2
    mark leaderless
    waits_for_2 leaderless
    counts leaderless
    comes_back leaderless
}

# That the controller has seen the marker of a topic that Metadata never listed can't be known (P14) before a later one is taken up.
truth_never_elected()
{
    stop 2
    printf 'never-elected 1 @2\n' | sandbox make
    mark never-elected
    waits_for_2 never-elected 2
    blocked never-elected never-elected
    counts
    comes_back never-elected
}

truth_ten()
{
    local n
    stop 2
    mark ten.{1..10}
    for n in {1..9}; do quick "ten.$n" 'done'; done
    topic=ten.10
    waits_for_2 ten.10
    counts ten.10
    comes_back ten.10
}

# ---- log dirs ----

# offline BROKER DIR: the broker has noticed, by writing there, as it does each second.
offline() { grep -q "Stopping serving logs in dir $(dir_path "$1" "$2")" "$KAFOPS_SANDBOX_DIR/broker-$1/broker.log"; }

waits_for_dir()
{
    blocked "$1" log-dir-offline 2 "$(dir_path 2 "$2")"
    state_is "$1" waiting
    at_rest "$1"
    next_is "$1" 'broker 2 has been started with all its log dirs working'
}

truth_dir_before()
{
    local dir
    dir=$(dir_of 2 dir-before)
    sandbox fail-dir 2 "$dir"
    expect 'broker 2 does not notice that a dir failed' offline 2 "$dir"
    mark dir-before
    waits_for_dir dir-before "$dir"
    counts dir-before
    sandbox heal-dir 2 "$dir"
    waits_for_dir dir-before "$dir"    # healed, and not started again
    stop 2
    comes_back dir-before
}

# The dir fails when broker 2 has been told to delete.
truth_dir_during()
{
    local dir
    dir=$(dir_of 2 dir-during)
    sandbox pause-broker 2
    sandbox fail-dir 2 "$dir"
    mark dir-during
    expect 'the controller does not ask broker 2' reached dir-during-0 2 ReplicaDeletionStarted
    sandbox resume-broker 2
    waits_for_dir dir-during "$dir"
    counts dir-during
    sandbox heal-dir 2 "$dir"
    stop 2
    comes_back dir-during
}

# A dir that is taken out of log.dirs is waited for no more; its files stay (P21).
truth_dir_dropped()
{
    local dir path
    dir=$(dir_of 2 dir-dropped)
    path=$(dir_path 2 "$dir")
    sandbox fail-dir 2 "$dir"
    expect 'broker 2 does not notice that a dir failed' offline 2 "$dir"
    mark dir-dropped
    waits_for_dir dir-dropped "$dir"
    sandbox drop-dir 2 "$dir"
    stop 2
    comes_back dir-dropped
    # An empty one in its place: what it held is on the other one by now, and twice is too often for a broker.
    stop 2
    rm -rf "${path:?}" "${path:?}.away"
    mkdir "$path"
    start 2 --set "2:log.dirs=$(dir_path 2 1),$(dir_path 2 2)"
}

# ---- reassignments ----

# moving TOPIC: from 1,3 to 1,2, throttled (a fetch of 50 kB each eleven seconds, for that is what rates are taken over); by the node, as tools before 2.6 do. A controller looks for it once: at its election.
moving()
{
    sandbox fill "$1" 2000000 >/dev/null
    sandbox kafka configs --alter --entity-type brokers --entity-name 2 --add-config follower.replication.throttled.rate=1000 2>&1 | grep -v SLF4J | diag
    # What a topic is made with is read by a broker at its start only: told again, it is read now.
    sandbox kafka configs --alter --entity-type topics --entity-name "$1" --add-config 'follower.replication.throttled.replicas=*' 2>&1 | grep -v SLF4J | diag
    expect 'broker 2 does not take the throttled topic' grep -q "Processing override for entityPath: topics/$1 " "$KAFOPS_SANDBOX_DIR/broker-2/broker.log"
    expect 'broker 2 does not take the throttle' grep -q 'Processing override for entityPath: brokers/2 with config: .*throttled.rate' "$KAFOPS_SANDBOX_DIR/broker-2/broker.log"
    elect 3
    zk "create\t/admin/reassign_partitions\t{\"version\":1,\"partitions\":[{\"topic\":\"$1\",\"partition\":0,\"replicas\":[1,2]}]}"
    elect 1
    expect 'it is not being moved' reached "$1-0" 2 NewReplica
    expect 'the move is over already' is_moving "$1"
}

is_moving() { sandbox zk-get "/brokers/topics/$1" 2>/dev/null | grep -q '"adding_replicas":{"0":\[2\]}'; }

truth_reassign_goes()
{
    moving reassign-goes
    mark reassign-goes
    quick reassign-goes 'done'
    zk 'delete\t/admin/reassign_partitions'
}

truth_reassign_dead()
{
    moving reassign-dead
    stop 2
    mark reassign-dead
    waits_for_2 reassign-dead 2
    counts reassign-dead
    cancel reassign-dead
    grep -vE 'SLF4J|log4j:' "$scratch/cancel" | diag
    expect 'a cancel is not refused' grep -qE 'UnknownTopicOrPartition|does not host|does not exist|UNKNOWN_TOPIC' "$scratch/cancel"
    comes_back reassign-dead
    zk 'delete\t/admin/reassign_partitions'
}

# By the tool of 2.6 or later: the one before can't cancel.
cancel()
{
    local tool=kafka.admin.ReassignPartitionsCommand jars=$version
    case $version in 2.5.*) jars=2.8.2 ;; 3.*) tool=org.apache.kafka.tools.reassign.ReassignPartitionsCommand ;; esac
    printf '{"version":1,"partitions":[{"topic":"%s","partition":0,"replicas":[1,2]}]}\n' "$1" >"$scratch/plan.json"
    java -Xmx128m -XX:TieredStopAtLevel=1 -cp "${KAFOPS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kafops}/jars/$jars/*" "$tool" \
        --bootstrap-server "$KAFOPS_BOOTSTRAP" --cancel --preserve-throttles --reassignment-json-file "$scratch/plan.json" >"$scratch/cancel" 2>&1
}

# The entry of a topic that is gone is carried out on the one that has its name, by the next controller.
truth_znode_zombie()
{
    moving znode-zombie
    mark znode-zombie
    quick znode-zombie 'done'
    printf 'znode-zombie 1 @3\n' | sandbox make
    was_missed znode-zombie || ended znode-zombie recreated
    elect 3
    expect 'the entry left behind is not carried out on the new topic' replicas_are znode-zombie 1,2
}

replicas_are() { sandbox zk-get "/brokers/topics/$1" 2>/dev/null | grep -q "\"0\":\[$2\]"; }

# ---- what the broker's settings say ----

ready_for_disabled_others() { ready; disable_3; }
ready_for_disabled_controller() { ready; disable_3; }
disable_3() { grep -q '^delete.topic.enable=false' "$KAFOPS_SANDBOX_DIR/broker-3/server.properties" || bounce 3 --set 3:delete.topic.enable=false; }
enable_3() { bounce 3 --set 3:delete.topic.enable=true; }

truth_disabled_others()
{
    mark disabled-others
    quick disabled-others 'done'
}

# The marker is put while the controller holds still, or nobody would see it.
truth_disabled_controller()
{
    elect 3
    expect 'the new controller is not at work' logged 'Ready to serve as the new controller|Starting the controller scheduler'
    sandbox pause-broker 3
    mark disabled-controller
    expect 'it is not told as queued' told disabled-controller '.state == "queued"'
    sandbox resume-broker 3
    ended disabled-controller refused
    elect 1
    enable_3
}

# ---- markers ----

truth_child()
{
    zk 'create\t/admin/delete_topics/child\t' 'create\t/admin/delete_topics/child/x\t'
    blocked child marker-has-child
    state_is child finishing
    next_is child 'no child node any more'
    counts
    zk 'delete\t/admin/delete_topics/child/x'
    elect 3
    ended child 'done'
}

truth_away()
{
    stop 2
    mark away
    waits_for_2 away
    zk 'delete\t/admin/delete_topics/away'
    blocked away forgotten
    waits_for_2 away
    counts away
    comes_back away
}

truth_away_moved()
{
    stop 2
    mark away-moved
    waits_for_2 away-moved
    zk 'delete\t/admin/delete_topics/away-moved'
    blocked away-moved forgotten
    elect 3
    ended away-moved resurrected
    start 2
    expect 'something is left of the topic' emptied away-moved
}

emptied() { ! find "$KAFOPS_SANDBOX_DIR"/broker-*/d[12]/"$1"-0 -name '*.log' -size +0 | grep -q .; }

# ---- the controller ----

# An election while a host is down is a step back: what had been deleted is there again, empty.
truth_moved()
{
    stop 2
    mark moved
    waits_for_2 moved
    elect 3
    expect 'the step back is not told' told moved '[.replicas[] | select(.phase == "waiting" and .phase_certainty == "certain")] | length == 3'
    waits_for_2 moved
    counts moved
    comes_back moved
}

# ---- the name comes again ----

truth_auto_created()
{
    local size
    size=$(size_of auto-created)
    sandbox produce 100 auto-created
    expect 'nothing is written' grows auto-created "$size"
    mark auto-created
    quick auto-created recreated
    sandbox produce stop
}

size_of() { find "$KAFOPS_SANDBOX_DIR"/broker-1/d[12]/"$1"-0 -name '*.log' -printf '%s\n' | awk '{ n += $1 } END { print n + 0 }'; }
grows() { [ "$(size_of "$1")" -gt "$2" ]; }

# The topic node is removed by hand while broker 2 is down: it keeps its replica, and the name is used again.
truth_returning()
{
    stop 2
    mark returning
    waits_for_2 returning
    zk 'delete-r\t/brokers/topics/returning' 'create\t/admin/delete_topics/nudge\t'
    ended returning 'done'
    start 2
    expect 'the replica on broker 2 is not told as an orphan' dirs_tell '.orphan'
    printf 'returning 1 @2,1\n' | sandbox make
    ended returning recreated
    case $version in
    2.*) expect 'the old records are not served' dirs_tell '(.orphan | not) and .size_bytes > 0' ;;
    *) expect 'the broker takes the old replica' logged 'Topic ID in memory: .* does not match the topic ID for partition returning-0' ;;
    esac
    elect 3    # the controller of 2.5.1 counts the topic that was removed by hand until it is followed
}

dirs_tell()
{
    "$KAFOPS" dirs --replicas --json --zookeeper "$KAFOPS_ZK" 2>/dev/null |
        jq -e "[.items[] | select(.broker == 2 and .topic == \"returning\" and ($1))] | length > 0" >/dev/null
}

# A host goes whose replica is deleted while the last one is still asked: the name stays in the ineligible set. A topic of that name
# is then passed over; this can be known when a marker put later is taken up (P0).
truth_left_over()
{
    sandbox pause-broker 2
    mark left-over
    expect 'broker 3 does not delete its replica' reached left-over-0 3 ReplicaDeletionSuccessful
    zk 'delete\t/brokers/ids/3'
    expect 'the controller does not notice that broker 3 went' logged 'Halted deletion of topics left-over '
    sandbox resume-broker 2
    ended left-over 'done'
    bounce 3
    printf 'left-over 1 @1,2,3\n' | sandbox make
    expect 'it is not there again' told left-over '[.events[] | select(. == "recreated")] | length > 0'
    mark left-over
    state_is left-over queued
    mark left-over.later
    quick left-over.later 'done'
    blocked left-over ineligible-left-over
    at_rest left-over
    next_is left-over 'start of a broker that holds a replica'
    counts left-over
    bounce 3
    ended left-over 'done'
    moved_by left-over 'broker 3 registered'
}
