# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Disagreements about whom to ask, on real brokers of the version in $version: the servers given to the console are of another
# cluster, and brokers go on naming a controller that /controller names no longer. Sourced by the test named after the version.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=told.sh
. "$(dirname "$0")/told.sh"

plan 6

# The other cluster lives as long as this test, in a folder of its own.
other() { KAFOPS_SANDBOX_DIR=$scratch/other sandbox "$@"; }
e2e_java "$version"
trap 'rc=$?; other down >/dev/null 2>&1; (exit "$rc"); e2e_cleanup' EXIT
other up --kafka "$version" --brokers 1 >"$scratch/other.env" 2>"$scratch/other.log" || { diag <"$scratch/other.log"; bail_out "the other cluster didn't start"; }
kafka_up "$version" 2 --set '*:zookeeper.session.timeout.ms=18000'
theirs=$(sed -n 's/^KAFOPS_BOOTSTRAP=//p' "$scratch/other.env")
console_start --zookeeper "$KAFOPS_ZK" --bootstrap-server "$theirs"
ok 'brokers of another cluster are told' expect_truths 'brokers of another cluster: /cluster/id'
ok 'and what mends it' opens 'Give bootstrap servers, or a listener, of the cluster that this ZooKeeper has'
console_start --zookeeper "$KAFOPS_ZK" --bootstrap-server "$KAFOPS_BOOTSTRAP" --record "$scratch/trace"
ok 'with those of the cluster nothing disagrees' expect_truths

# A session that takes the node and does nothing stands for a controller that hangs right after its election.
controller=$(sandbox controller)
printf 'delete\t/controller\ncreate-e\t/controller\t{"version":1,"brokerid":%d,"timestamp":"1700000000000"}\n' $((3 - controller)) >"$scratch/taken"
sandbox pause-broker 1
sandbox pause-broker 2
sandbox zk-hold taken "$scratch/taken" >/dev/null
sandbox resume-broker 1
sandbox resume-broker 2
ok 'brokers that know another controller are told' expect_truths 'another controller in metadata: /controller'
ok 'and what mends it' opens "names broker $((3 - controller)); metadata" 'usually ends within a second of an election'
sandbox zk-release taken
ok 'it goes with the next election' expect_truths
