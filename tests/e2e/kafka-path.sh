# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# One path through a real cluster of the version in $version, sourced by the
# tests named after it: topics are made, a broker is killed and started, partitions
# are added, a config is changed, a topic is deleted. After each step `kafops describe --json` says what Kafka's
# own tool says, partition by partition, and the console, without a key pressed, has shown the
# change within a second of the znode's (in_time). What brokers say by `--from brokers` is the same, their log dirs are what kafka-log-dirs says,
# replica by replica, and sizes are the sums of those; a broker that is down, or silent, is said, in time. In the end the transaction log has nothing of
# our sessions but their creation and end.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

zkstat=${top_builddir:?}/tests/tools/zkstat
command -v jq >/dev/null || skip_all "jq is not installed"
[ -x "$zkstat" ] || bail_out "tests/tools/zkstat isn't built"

# kafka_says: "topic partition leader replicas isr", the ISR sorted, by Kafka's own tool.
kafka_says()
{
    sandbox kafka topics --describe 2>"$scratch/tool.err" | awk -F'\t' '
        /Partition: / {
            delete v
            for (i = 1; i <= NF; i++)
                if (match($i, /^ *[A-Za-z]+: */)) {
                    key = substr($i, 1, RLENGTH); gsub(/[ :]/, "", key)
                    v[key] = substr($i, RLENGTH + 1); gsub(/ +$/, "", v[key])
                }
            if (v["Leader"] == "none") v["Leader"] = -1
            n = split(v["Isr"], isr, ",")
            for (i = 1; i <= n; i++) for (j = i + 1; j <= n; j++)
                if (isr[j] + 0 < isr[i] + 0) { t = isr[i]; isr[i] = isr[j]; isr[j] = t }
            s = ""; for (i = 1; i <= n; i++) s = s (i > 1 ? "," : "") isr[i]
            print v["Topic"], v["Partition"], v["Leader"], v["Replicas"], s
        }' | LC_ALL=C sort
}

partition_line='.items[] | [.topic, .partition, .leader, (.replicas | map(tostring) | join(",")),
    (.isr | sort | map(tostring) | join(","))] | join(" ")'
we_say()
{
    "$KAFOPS" describe --zookeeper "$KAFOPS_ZK" --json --log-file "$scratch/batch.log" | jq -r "$partition_line" | LC_ALL=C sort
}

# Brokers learn from the controller a little after ZooKeeper does: asked again until both say the same.
same_answer()
{
    kafka_says >"$scratch/kafka"
    we_say >"$scratch/ours"
    [ -s "$scratch/kafka" ] && cmp -s "$scratch/kafka" "$scratch/ours"
}

agree()
{
    WAIT=40 PAUSE=0.5 poll same_answer && [ "$(wc -l <"$scratch/ours")" -ge "$1" ] && return
    diff "$scratch/kafka" "$scratch/ours" | head -20 | diag
    tail -n 3 "$scratch/tool.err" "$scratch/batch.log" | diag
    return 1
}

# fresh PATH WHAT ACTION...: the screen follows the znode at PATH within a second.
# WHAT is "has PATTERN" or "lacks PATTERN".
fresh()
{
    local path=$1 what=${2%% *} pattern=${2#* } znode screen
    shift 2
    ! "screen_$what" "$pattern" || { diag "the screen $what $pattern before"; tell; return 1; }
    rm -f "$scratch"/changed.* "$scratch"/shown
    : >"$scratch/changed.err"
    "$zkstat" --changed "$KAFOPS_ZK" "$path" >"$scratch/changed.out" 2>"$scratch/changed.err" &
    znode=$!
    poll grep -q ready "$scratch/changed.err"
    # Not without a pause: the tools that are waited for meanwhile want the processors.
    { until "screen_$what" "$pattern"; do sleep 0.02; done; now_ms >"$scratch/shown"; } &
    screen=$!
    "$@" >"$scratch/action.log" 2>&1 || { diag <"$scratch/action.log"; kill "$znode" "$screen"; return 1; }
    if ! wait "$znode" || ! WAIT=30 poll_or_tell test -s "$scratch/shown"; then
        kill "$screen" 2>/dev/null
        return 1
    fi
    wait "$screen"
    took=$(($(cat "$scratch/shown") - $(cat "$scratch/changed.out")))
    in_time "$path: shown after the write" "$took" 1000
}

# ---- the brokers' word ----

describe_by() { "$KAFOPS" describe --json --log-file "$scratch/batch.log" "$@" | jq -r "$partition_line" | LC_ALL=C sort; }

# Each broker learns from the controller when it does. Of a partition without a leader brokers of 1.1 say no ISR, and the
# node of one whose only replica was on broker $dead names that as its leader still.
dead=none
no_isr_without_leader() { sed -E "s/^([^ ]+ [0-9]+) (-1|$dead) ([^ ]+) .*/\1 -1 \3 -/"; }
same_as_ours()
{
    describe_by --from brokers --bootstrap-server "$KAFOPS_BOOTSTRAP" | no_isr_without_leader >"$scratch/by-bootstrap"
    describe_by --from brokers --zookeeper "$KAFOPS_ZK" | no_isr_without_leader >"$scratch/by-zookeeper"
    # What ZooKeeper has goes on, too: a controller may only now have written that a leader is gone.
    we_say | no_isr_without_leader >"$scratch/expected"
    cmp -s "$scratch/expected" "$scratch/by-bootstrap" && cmp -s "$scratch/expected" "$scratch/by-zookeeper"
}

# The tool, ZooKeeper, and brokers reached in each way, say the same of each partition.
same_by_brokers()
{
    agree "$1" || return
    WAIT=40 poll same_as_ours && return
    diff "$scratch/expected" "$scratch/by-bootstrap" | head | diag
    diff "$scratch/expected" "$scratch/by-zookeeper" | head | diag
    return 1
}

# topics_by OPTION...: what every source has of a topic.
topics_by()
{
    "$KAFOPS" topics --json --log-file "$scratch/batch.log" "$@" | jq -c '.items[] | [.topic, .partitions, .replication_factor,
        .under_replicated, .offline, .not_preferred, .internal]'
}
same_topics()
{
    topics_by --from zookeeper --zookeeper "$KAFOPS_ZK" >"$scratch/topics" && [ -s "$scratch/topics" ] &&
        [ "$(topics_by --from brokers --bootstrap-server "$KAFOPS_BOOTSTRAP")" = "$(cat "$scratch/topics")" ] &&
        [ "$(topics_by --from brokers --zookeeper "$KAFOPS_ZK")" = "$(cat "$scratch/topics")" ]
}

# "broker dir topic-partition size future", by Kafka's own tool and by ours. It names a dir once for each broker.
tool_disks()
{
    sandbox kafka log-dirs --describe 2>>"$scratch/tool.err" | grep '^{' | jq -r '.brokers[] | .broker as $b | .logDirs[] | .logDir as $d
        | .partitions[] | "\($b) \($d) \(.partition) \(.size) \(.isFuture)"' | LC_ALL=C sort
}
dirs() { "$KAFOPS" dirs --json --zookeeper "$KAFOPS_ZK" --log-file "$scratch/batch.log" "$@"; }
our_disks()
{
    dirs --replicas | jq -r '.items[] | "\(.broker) \(.log_dir) \(.topic)-\(.partition) \(.size_bytes) \(.future)"' | LC_ALL=C sort
}
same_disks()
{
    our_disks >"$scratch/our-disks"
    tool_disks >"$scratch/tool-disks"
    # A future replica grows while it is asked for.
    [ -s "$scratch/our-disks" ] &&
        cmp -s <(sed 's/[0-9]* true$/- true/' "$scratch/our-disks") <(sed 's/[0-9]* true$/- true/' "$scratch/tool-disks")
}
disks_agree()
{
    WAIT=40 PAUSE=0.5 poll same_disks && return
    diff "$scratch/our-disks" "$scratch/tool-disks" | head -10 | diag
    return 1
}

# sums_are COMMAND KEY FIELD: size_bytes of each item is the sum over the tool's replicas. A future replica is in its dir beside the
# one that it will replace, so it counts for the broker and not for the topic.
sums_are()
{
    "$KAFOPS" "$1" --json --zookeeper "$KAFOPS_ZK" --log-file "$scratch/batch.log" |
        jq -r ".items[] | \"\(.$2) \(.size_bytes)\"" | LC_ALL=C sort >"$scratch/sizes"
    awk -v what="$1" '{ key = $1 } what == "topics" { key = $3; sub(/-[0-9]+$/, "", key) } what == "brokers" || $5 == "false" { sum[key] += $4 }
        END { for (key in sum) print key, sum[key] }' "$scratch/our-disks" | LC_ALL=C sort >"$scratch/sums"
    cmp -s "$scratch/sizes" "$scratch/sums" && return
    diff "$scratch/sizes" "$scratch/sums" | head | diag
    return 1
}

# The replica of e2e.bulk goes to the other dir of its broker. What a fetch may hold at once (1 MB) goes freely, the rest is
# under way for an hour.
move_between_dirs()
{
    local broker dir more=
    read -r broker dir _ < <(grep ' e2e\.bulk-0 ' "$scratch/our-disks")
    case $dir in */d1) dir=${dir%1}2 ;; *) dir=${dir%2}1 ;; esac
    printf '{"version":1,"partitions":[{"topic":"e2e.bulk","partition":0,"replicas":[%s],"log_dirs":["%s"]}]}\n' "$broker" "$dir" >"$scratch/plan"
    case $version in 1.1.1 | 2.4.1 | 2.5.1) more="--zookeeper $KAFOPS_ZK" ;; esac
    # shellcheck disable=SC2086  # words
    sandbox kafka reassign-partitions $more --bootstrap-server "$KAFOPS_BOOTSTRAP" --execute --reassignment-json-file "$scratch/plan" \
        --replica-alter-log-dirs-throttle 1000 >"$scratch/move" 2>&1
    WAIT=40 poll has_future && return
    diag <"$scratch/move"
    return 1
}
has_future() { dirs --replicas | jq -e 'any(.items[]; .future)' >/dev/null; }

# asked STATUS MILLISECONDS PATTERN OPTION...: dirs ends so, in that time, a warning is like PATTERN, and other brokers' dirs are there.
asked()
{
    local want=$1 most=$2 pattern=$3 begun took status
    shift 3
    begun=$(now_ms)
    "$KAFOPS" dirs --json --log-file "$scratch/batch.log" "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
    took=$(($(now_ms) - begun))
    [ "$status" = "$want" ] && in_time "dirs $*" "$took" "$most" && jq -r '.warnings[]' "$scratch/out" | grep -Eq -- "$pattern" &&
        [ "$(jq '[.items[] | select(.broker != 3 and .log_dir != null)] | length' "$scratch/out")" = 4 ] && return
    diag "status $status" "$(jq -c '[.warnings, .items]' "$scratch/out")"
    return 1
}
silent_broker()
{
    # So that ZooKeeper, and the other brokers, don't miss it meanwhile.
    sandbox stop-broker 3
    sandbox start-broker 3 --set 3:zookeeper.session.timeout.ms=60000
    ok 'the same as the tool says' agree 12
    sandbox pause-broker 3
    # Three quarters of it for one broker, so that the command has the rest to say so.
    ok 'a silent broker is named within --timeout, and others are there' \
        asked 5 6000 'log dirs of broker 3 not known: .*timed out: no answer to ApiVersions within 4\.5s' --bootstrap-server "$KAFOPS_BOOTSTRAP" --timeout 6s
    sandbox resume-broker 3
    poll describe_by --from brokers --bootstrap-server "127.0.0.1:$BROKER3_PORT" >/dev/null
    sandbox pause-broker 3
    ok '... by ZooKeeper, too, and after 10 s' \
        asked 5 12000 'log dirs of broker 3 not known: .*timed out: no answer to ApiVersions within 10s' --zookeeper "$KAFOPS_ZK"
    sandbox resume-broker 3
    # The controller is asked every five seconds.
    sandbox move-controller 3
    keys 1
    ok 'the overview knows the controller' wait_text '^. *Controller +3 '
    answered() { ! screen_has 'does not answer|do not answer'; }
    ok '... and of nobody who does not answer' poll_or_tell answered
    sandbox pause-broker 3
    begun=$(now_ms)
    ok 'a broker that hangs is said before it times out' \
        wait_text '^. *Brokers .* 3 does not answer: no answer to [A-Za-z]+'
    ok '... and in time' in_time 'the sentence' $(($(now_ms) - begun)) 15000
    sandbox resume-broker 3
    ok '... and no more when it answers again' poll_or_tell answered
    keys 2
    wait_text 'e2e\.alpha +8'
}

add_partitions() { sandbox kafka topics --alter --topic e2e.alpha --partitions 8; }
change_config()
{
    if [ "$version" = 1.1.1 ] || [ "$version" = 2.4.1 ]; then
        sandbox kafka configs --zookeeper "$KAFOPS_ZK" --alter --entity-type topics --entity-name e2e.alpha \
            --add-config min.insync.replicas=2
    else
        sandbox kafka configs --alter --entity-type topics --entity-name e2e.alpha --add-config min.insync.replicas=2
    fi
}
delete_topic() { sandbox kafka topics --delete --topic e2e.beta; }

kafka_up "$version" 3 --chroot /kafka --zk-set maxSessionTimeout=60000
sandbox make e2e.alpha 6 3
sandbox make e2e.beta 3 2
COLUMNS=100
console_start --zookeeper "$KAFOPS_ZK"
ok 'the console shows the topics' wait_text '^.. *e2e\.alpha +6 +3 +ok'
sandbox fill e2e.alpha 200000 >/dev/null 2>&1
sandbox make e2e.bulk 1 1
sandbox fill e2e.bulk 4000000 >/dev/null 2>&1
ok 'topics made: the same as the tool says, and as brokers say in each way' same_by_brokers 9
ok 'topics of brokers are those of ZooKeeper' same_topics
ok 'log dirs are what the tool says, replica by replica' disks_agree
ok 'a broker'\''s size is the sum of what lies there' sums_are brokers broker
ok 'a topic'\''s is the sum of its replicas' sums_are topics topic
ok 'a replica moves to another dir' move_between_dirs
ok '... and log dirs are what the tool says, the future replica among them' disks_agree
ok '... which counts for the broker' sums_are brokers broker
ok '... and not for the topic' sums_are topics topic

ok 'a new topic is on the screen within a second' \
    fresh /brokers/topics/e2e.gamma 'has e2e\.gamma +4 +3 +ok' sandbox make e2e.gamma 4 3
ok 'the same as the tool says' agree 13

ok 'a killed broker is off the screen within a second' fresh /brokers/ids/3 'has 2/3 brokers' sandbox kill-broker 3
ok 'its partitions are under-replicated' wait_text 'e2e\.alpha +6 +3 +under +[^ ]+ +6 +0'
dead=3
ok 'the same as the tool says, and as brokers say' same_by_brokers 13
dead=none
ok 'dirs says that it is down' asked 0 3000 'broker 3: its log dirs are not known: it is down$' --zookeeper "$KAFOPS_ZK"
ok 'the brokers view says which is down' eval 'keys 3 && wait_text "^.. *3 .*down" && keys Enter && wait_text "broker 3 .* down since" && keys Escape'
keys 2
wait_text 'e2e\.beta +3'

ok 'a started broker is on the screen within a second' fresh /brokers/ids/3 'has 3/3 brokers' sandbox start-broker 3
ok 'and its partitions are whole' wait_text 'e2e\.alpha +6 +3 +ok'
ok 'the same as the tool says' agree 13

ok 'added partitions are on the screen within a second' \
    fresh /brokers/topics/e2e.alpha 'has e2e\.alpha +8 +3' add_partitions
ok 'the same as the tool says' agree 15

keys g Enter
wait_text 'e2e\.alpha +8 partitions'
ok 'a changed config is on the screen within a second' \
    fresh /config/topics/e2e.alpha 'has min\.insync\.replicas[ =]2' change_config
ok 'and is in the topic list of batch' eval \
    '"$KAFOPS" topics --zookeeper "$KAFOPS_ZK" --json --log-file "$scratch/batch.log" | jq -e ".items[] | select(.topic == \"e2e.alpha\") | .overrides[\"min.insync.replicas\"] == \"2\""  >/dev/null'
keys q
wait_text 'e2e\.beta +3 +2 +ok'

ok 'a deleted topic is off the screen within a second' \
    fresh /brokers/topics/e2e.beta 'lacks e2e\.beta' delete_topic
ok 'the same as the tool says' agree 12

[ "$version" != 2.8.2 ] || silent_broker

keys q
ok 'q ends the console' console_ends
# shellcheck disable=SC2046
set -- $(sessions_in "$scratch/console.log" "$scratch/batch.log")
diag "$# sessions of ours"
ok 'the log names the sessions we had' test $# -ge 8
ok 'the transaction log has nothing of ours but sessions made and closed' only_made_and_closed "$@"
plan "$e2e_count"
