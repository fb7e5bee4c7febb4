#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# io/kclient (by tests/tools/kwatch) against real brokers: what becomes of their answers is what
# Kafka's own tools say, and a broker that is stopped and started is told.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

kwatch=${top_builddir:?}/tests/tools/kwatch
command -v jq >/dev/null || skip_all "jq is not installed"
[ -x "$kwatch" ] || bail_out "tests/tools/kwatch isn't built"

kafka_up 2.8.2 3
sandbox topics >/dev/null 2>&1 || bail_out 'no topics could be made'

# registered: --broker ID=HOST:PORT for each, as ZooKeeper has them.
registered()
{
    local id
    for id in 1 2 3; do
        sandbox zk-get "/brokers/ids/$id" 2>/dev/null | jq -r --arg id "$id" 'select(.host) | "--broker", "\($id)=\(.host):\(.port)"'
    done
}
mapfile -t brokers < <(registered)
[ "${#brokers[@]}" = 6 ] || bail_out "the brokers are not registered: ${brokers[*]}"

# of KIND FILTER: the present events of a kind.
of() { jq -r --arg ev "$1" "select(.ev == \$ev and .know == \"present\") | $2" "$scratch/once"; }
once() { timeout 60 "$kwatch" --once "$@" >"$scratch/once" 2>"$scratch/once.err"; }

partitions='[.topic, .partition, .leader, (.replicas | map(tostring) | join(",")), (.isr | sort | map(tostring) | join(","))] | join(" ")'
we_say() { "$KAFOPS" describe --zookeeper "$KAFOPS_ZK" --json | jq -r ".items[] | $partitions" | LC_ALL=C sort; }
same_metadata()
{
    once "${brokers[@]}" || return
    of metadata ".partitions[] | $partitions" | LC_ALL=C sort >"$scratch/brokers"
    we_say >"$scratch/zookeeper"
    [ -s "$scratch/brokers" ] && cmp -s "$scratch/brokers" "$scratch/zookeeper"
}

# "broker dir topic partition size future", by Kafka's own tool and by ours.
tool_disks()
{
    sandbox kafka log-dirs --describe 2>/dev/null | grep '^{' | jq -r '.brokers[] | .broker as $b | .logDirs[] | .logDir as $d
        | .partitions[] | "\($b) \($d) \(.partition) \(.size) \(.isFuture)"' | LC_ALL=C sort
}
our_disks()
{
    of 'log dirs' '.broker as $b | .replicas[] | "\($b) \(.dir) \(.topic)-\(.partition) \(.size) \(.future)"' | LC_ALL=C sort
}
same_disks()
{
    once "${brokers[@]}" || return
    our_disks >"$scratch/ours"
    tool_disks >"$scratch/tool"
    [ -s "$scratch/ours" ] && cmp -s "$scratch/ours" "$scratch/tool"
}
told() { tail -n +"${seen:-1}" "$scratch/watch" | jq --arg b "$1" --arg s "$2" 'select(.ev == "link" and .broker == ($b | tonumber) and .state == $s)' | grep -q .; }
# since: what is told from here on.
since() { seen=$(($(wc -l <"$scratch/watch") + 1)); }

plan 12
WAIT=40
ok 'metadata is what describe says of ZooKeeper, partition by partition' poll same_metadata
ok 'log dirs are what kafka-log-dirs says' poll same_disks
is 'each question was asked once' "$(of metadata 1 | wc -l),$(of 'log dirs' 1 | wc -l),$(of 'broker settings' 1 | wc -l),$(of reassigning 1 | wc -l),$(of 'brokers asked' 1 | wc -l)" 1,3,3,1,1
is 'the controller is named' "$(of metadata .controller)" "$(sandbox controller)"
is 'the controller is asked for reassignments' "$(of reassigning .broker)" "$(sandbox controller)"
is 'settings are those in force' "$(of 'broker settings' '.settings["delete.topic.enable"]' | sort -u)" true

once --bootstrap "${brokers[1]#*=}"
is 'one bootstrap server leads to all brokers' "$(of 'log dirs' .broker | sort | paste -sd,)" 1,2,3
is '... and is nobody itself' "$(of metadata .broker)" -1

# Until its standard input ends.
mkfifo "$scratch/in"
"$kwatch" "${brokers[@]}" <"$scratch/in" >"$scratch/watch" 2>"$scratch/watch.err" &
watch=$!
exec 9>"$scratch/in"
ok 'the connection to a broker comes up' poll told 2 up
since
sandbox stop-broker 2 >/dev/null 2>&1 9>&-
ok 'one that is stopped is told' poll told 2 failed
since
sandbox start-broker 2 >/dev/null 2>&1 9>&-
ok 'one that is back is told' poll told 2 up
exec 9>&-
wait "$watch"
is 'it ends with nothing on standard error' "$?,$(cat "$scratch/watch.err")" 0,
