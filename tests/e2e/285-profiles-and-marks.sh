#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A profile that allows changes, on a real ZooKeeper: the mode and the id of the cluster; topics marked by hand and by a pattern while
# the cluster changes; and case SC-07: after a session of looking around with every key, the transaction log has nothing of ours.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cases=$e2e_top/tests/cases
command -v jq >/dev/null || skip_all "jq is not installed"

zk_up
sed 's,^,create-r\t/kafka,' "$cases/fixture-a.zktree" >"$scratch/seed"
sandbox zk-batch "$scratch/seed" >/dev/null || bail_out 'the tree could not be written'
config=$scratch/home/config/kafops/config
mkdir -p "${config%/*}"
# profile LINE...: prod-eu in the file that is found by itself.
profile() { (umask 077; printf '%s\n' '[profile prod-eu]' "zookeeper = $KAFOPS_ZK/kafka" "$@" >"$config"); }
bottom_says() { wait_text "$1"; }
data='{"version":3,"partitions":{"0":[1]},"adding_replicas":{},"removing_replicas":{}}'
make_topic() { printf 'create-r\t/kafka/brokers/topics/%s\t%s\n' "$1" "$data" >"$scratch/make" && sandbox zk-batch "$scratch/make" >/dev/null; }
drop_topic() { sandbox zk deleteall "/kafka/brokers/topics/$1" >/dev/null 2>&1; }
gone_mark() { ! screen_has "^m $1"; }

plan 25

# ---- the mode and the cluster ----
profile 'operate = yes' 'cluster-id = Zml4dHVyZS1jbHVzdGVyLQ' 'protected = legacy\..*'
console_start --cluster prod-eu
ok 'the profile says where the cluster is' wait_text 'payments_eu'
ok '... what it is called, and that it may be changed' wait_text '^kafops +prod-eu .*OPERATE'
keys q
ok 'it ends' console_ends
console_start --cluster prod-eu --read-only
ok '--read-only goes before the profile' wait_text '^kafops +prod-eu .*READ-ONLY'
keys q
console_ends
profile 'operate = yes' 'cluster-id = another'
console_start --cluster prod-eu
ok 'another cluster than the profile is for has a banner' wait_text 'NOT THE CLUSTER prod-eu: nothing can be changed. Its id is Zml4dHVyZS1jbHVz'
ok '... and is not operated' wait_text '^kafops +prod-eu .*READ-ONLY'
keys q
console_ends

# ---- info ----
profile 'operate = yes' 'cluster-id = Zml4dHVyZS1jbHVzdGVyLQ' 'protected = legacy\..*'
XDG_CONFIG_HOME=$scratch/home/config "$KAFOPS" info --cluster prod-eu --from zookeeper --json >"$scratch/out" 2>"$scratch/err"
said() { jq -r --arg n "$1" '.items[] | select(.name == $n) | "\(.value) \(.set_by)"' "$scratch/out"; }
is 'info says where the servers came from' "$(said zookeeper)" "$KAFOPS_ZK/kafka $config:2"
is '... and the mode' "$(said operate),$(said read-only)" "yes $config:3,no $config:3"
is '... and what is protected' "$(said protected)" "legacy\\..* $config:5"
is '... and what the profile does not say' "$(said many-topics)" '20 default'

# ---- marks while the cluster changes ----
console_start --cluster prod-eu
wait_text 'live' && wait_text 'payments_eu'
keys '*'
typed 'payments.eu'
ok 'what a pattern takes shows while it is typed' wait_text 'as a pattern also takes `payments_eu`: 1 literal, 2 as pattern'
make_topic paymentsXeu
ok 'a topic that comes shows at once' wait_text '3 topics \('
keys C-u
typed '.*'
ok 'internal and protected topics are struck out' wait_text 'struck out: 1 internal \(__consumer_offsets\), 1 protected \(legacy.audit\)'
keys C-u
typed 'payments.eu'
wait_text '3 topics \('
keys Enter
ok 'Enter marks them' wait_text '^ marked 3 topics, 4 partitions'
drop_topic paymentsXeu
ok 'the mark of one that is deleted goes' wait_text '^ 1 marked topic is gone, and its mark'
drop_topic payments_eu && make_topic payments_eu
ok 'one made again under its name is not marked' poll_or_tell gone_mark payments_eu
keys Up
ok '... which leaves one' wait_text '^ marked 1 topic, 2 partitions'
ok '... still marked' screen_has '^m payments\.eu'

# ---- every key ----
keys 2
wait_text '^ marked'
press_every_key 1 2 3 6 '?'
keys 2
ok 'after every key in every view it is there' wait_text 'payments_eu'
keys U g '*'
typed 'payments.*'
wait_text '2 topics \('
keys Enter
typed ':save-marks ~/set'
keys Enter
ok 'marks are saved' wait_text '2 topics saved to ~/set'
ok '... names alone, and where from' eval 'grep -qx payments.eu "$scratch/home/set" && grep -qx "# cluster Zml4dHVyZS1jbHVzdGVyLQ" "$scratch/home/set" && grep -qx "# profile prod-eu" "$scratch/home/set"'
keys U
typed ':load-marks ~/set'
keys Enter
ok 'and loaded' wait_text 'marked 2 of 2'
keys 1 q
poll e2e_is_dead || keys q
ok 'q ends it' console_ends

# ---- SC-07 ----
# shellcheck disable=SC2046
set -- $(sessions_in "$scratch/console.log")
ok 'the log names the sessions we had' test $# -ge 4
ok 'SC-07: the transaction log has nothing of ours but sessions made and closed' only_made_and_closed "$@"
