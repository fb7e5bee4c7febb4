# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# One path through a real cluster of the version in $version, sourced by the
# tests named after it: topics are made, a broker is killed and started, partitions
# are added, a config is changed, a topic is deleted. After each step `kafops describe --json` says what Kafka's
# own tool says, partition by partition, and the console, without a key pressed, has shown the
# change within a second of the znode's. In the end the transaction log has nothing of
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

we_say()
{
    "$KAFOPS" describe --zookeeper "$KAFOPS_ZK" --json --log-file "$scratch/batch.log" |
        jq -r '.items[] | [.topic, .partition, .leader, (.replicas | map(tostring) | join(",")),
            (.isr | sort | map(tostring) | join(","))] | join(" ")' | LC_ALL=C sort
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
    WAIT=40 poll same_answer && [ "$(wc -l <"$scratch/ours")" -ge "$1" ] && return
    diff "$scratch/kafka" "$scratch/ours" | head -20 | diag
    tail -3 "$scratch/tool.err" "$scratch/batch.log" | diag
    return 1
}

now_ms() { date +%s%3N; }

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
    { until "screen_$what" "$pattern"; do :; done; now_ms >"$scratch/shown"; } &
    screen=$!
    "$@" >"$scratch/action.log" 2>&1 || { diag <"$scratch/action.log"; kill "$znode" "$screen"; return 1; }
    if ! wait "$znode" || ! WAIT=30 poll_or_tell test -s "$scratch/shown"; then
        kill "$screen" 2>/dev/null
        return 1
    fi
    wait "$screen"
    took=$(($(cat "$scratch/shown") - $(cat "$scratch/changed.out")))
    diag "$path: shown $took ms after the write"
    [ "$took" -le 1000 ]
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

plan 20
kafka_up "$version" 3 --chroot /kafka
sandbox make e2e.alpha 6 3
sandbox make e2e.beta 3 2
COLUMNS=100
console_start --zookeeper "$KAFOPS_ZK"
ok 'the console shows the topics' wait_text '^.. *e2e\.alpha +6 +3 +ok'
ok 'topics made: the same as the tool says' agree 9

ok 'a new topic is on the screen within a second' \
    fresh /brokers/topics/e2e.gamma 'has e2e\.gamma +4 +3 +ok' sandbox make e2e.gamma 4 3
ok 'the same as the tool says' agree 13

ok 'a killed broker is off the screen within a second' fresh /brokers/ids/3 'has 2/3 brokers' sandbox kill-broker 3
ok 'its partitions are under-replicated' wait_text 'e2e\.alpha +6 +3 +under +[^ ]+ +6 +0'
ok 'the same as the tool says' agree 13
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

# Every session of ours was made and closed, and did nothing between.
only_made_and_closed()
{
    local session
    for session in "$@"; do
        sandbox txnlog --session "$session" >"$scratch/txn"
        [ "$(sed -E 's/.* (open|close)-session.*/\1/' "$scratch/txn" | tr '\n' ' ')" = 'open close ' ] ||
            { diag <"$scratch/txn"; return 1; }
    done
}

keys q
ok 'q ends the console' console_ends
# shellcheck disable=SC2046
set -- $(grep -hoE 'session 0x[0-9a-f]+ up' "$scratch/console.log" "$scratch/batch.log" | cut -d' ' -f2 | sort -u)
diag "$# sessions of ours"
ok 'the log names the sessions we had' test $# -ge 8
ok 'the transaction log has nothing of ours but sessions made and closed' only_made_and_closed "$@"
