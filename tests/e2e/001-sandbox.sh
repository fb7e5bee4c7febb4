#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The sandbox does what it says, for the other tests stand on it. Another
# version than the default: SANDBOX_KAFKA=3.9.1.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

version=${SANDBOX_KAFKA:-2.8.2}

broker_registered() { sandbox session "broker:$1" >/dev/null 2>&1; }
broker_gone() { ! broker_registered "$1"; }
session_differs() { [ "$(sandbox session "$1" 2>/dev/null || echo "$2")" != "$2" ]; }
log_has() { sandbox controller-log "$1" >/dev/null; }
dir_given_up() { grep -q "Stopping serving logs in dir .*/d$2" "$KAFOPS_SANDBOX_DIR/broker-$1/broker.log"; }
pid_lives() { grep -q ') [^Z]' "/proc/$1/stat" 2>/dev/null; }

plan 28

# Going up.
kafka_up "$version" 3 --chroot /kafka --set '1:log.retention.hours=11'
ok "Kafka $version is up, its connect string has the chroot" test "${KAFOPS_ZK#127.0.0.1:*/}" = kafka
ok 'all three brokers are registered' eval 'broker_registered 1 && broker_registered 2 && broker_registered 3'
ok '--set reaches one broker' grep -q '^log.retention.hours=11' "$BROKER1_DIR/server.properties"
ok '... and no other' eval '! grep -q log.retention.hours "$BROKER2_DIR/server.properties"'
ok 'there is a controller' eval 'sandbox controller >"$scratch/controller"'

# Topics and what lies on disk.
ok 'a topic can be made' sandbox make t 2 3 min.insync.replicas=2
ok 'and filled' sandbox fill t 300000
is 'disk shows each replica of a broker' "$(sandbox disk 2 t | sed 's,.*/,,' | sort | tr '\n' ' ')" 't-0 t-1 '
ok "Kafka's own tool describes it" eval "sandbox kafka topics --describe --topic t 2>&1 | grep -q 'ReplicationFactor: *3'"

# ZooKeeper: writes, sessions, the transaction log.
printf 'create-r\t/x/y\tone two\nset\t/x/y\tthree\n' >"$scratch/batch"
ok 'a batch of writes is applied' sandbox zk-batch "$scratch/batch"
is 'and can be read' "$(sandbox zk-get /x/y)" three
is '... a node that has no data is empty' "$(sandbox zk-get /brokers/ids)" ''
printf 'create-e\t/x/held\tby me\n' >"$scratch/batch"
session=$(sandbox zk-hold a "$scratch/batch")
ok 'a held session has an id' test "${session#0x}" != "$session"
sandbox txnlog --session "$session" >"$scratch/txnlog"
ok 'the transaction log knows what a session did' grep -q 'create-e /kafka/x/held by me$' "$scratch/txnlog"
is '... and nothing of others' "$(grep -vc "session $session " "$scratch/txnlog")" 0
ok 'a session can be ended from outside' sandbox expire "$session"
ok 'its node goes' znode_is /x/held absent

# The controller.
was=$(sandbox controller)
sandbox move-controller
ok 'the controller can be moved' test "$(sandbox controller)" != "$was"
sandbox move-controller 2
is 'and to a given broker' "$(sandbox controller)" 2
is 'the controller answers for a metric' "$(sandbox jmx ActiveControllerCount)" 1
session=$(sandbox session broker:3)
sandbox expire broker:3
ok "a broker's session can be ended; it comes back with a new one" poll session_differs broker:3 "$session"
poll broker_registered 3

# Brokers that go and come.
sandbox kill-broker 1
ok 'a killed broker has ended' eval '! pid_lives "$BROKER1_PID"'
ok 'its registration goes with its session' poll broker_gone 1
sandbox start-broker 1
ok 'it comes back' broker_registered 1
ok 'the controller tells of both' eval "log_has 'deleted brokers: 1' && log_has 'Newly added brokers: 1'"

# A log dir that fails.
sandbox fail-dir 1 1    # t's two partitions lie in different dirs
ok 'a broker gives up a dir that failed' poll dir_given_up 1 1

# Going down.
env_again
ok 'down' sandbox down
ok 'and nothing is left' eval '! pid_lives "$ZK_PID" && ! pid_lives "$BROKER2_PID" && [ ! -e "$KAFOPS_SANDBOX_DIR" ]'
