#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a ZooKeeper may hold that no Kafka wrote: each thing is shown as unreadable with why, the rest lives, and
# hostile names and values stay text. Real server, console and batch.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cases=$e2e_top/tests/cases
command -v jq >/dev/null || skip_all "jq is not installed"

# put PATH [DATA]: into the batch file of what is to be written.
put() { printf 'create-r\t/kafka%s\t%s\n' "$1" "${2-}" >>"$scratch/batch"; }
good='{"controller_epoch":7,"leader":1,"version":1,"leader_epoch":5,"isr":[1,2]}'
state() { put "/brokers/topics/$1" '{"version":1,"partitions":{"0":[1,2]}}'; put "/brokers/topics/$1/partitions/0/state" "$2"; }
ask() { "$KAFOPS" "$@" --from zookeeper --zookeeper "$KAFOPS_ZK/kafka" --json 2>/dev/null; }
warned() { ask describe | jq -er --arg w "$1" '.warnings[] | select(contains($w))' >/dev/null || { ask describe | jq -r '.warnings[]' | diag; return 1; }; }

zk_up
sed 's,^,create-r\t/kafka,' "$cases/fixture-a.zktree" >"$scratch/batch"
state bad.json '{"controller_epoch":7,"leader":1,'
state bad.types '{"controller_epoch":7,"leader":"1","version":1,"leader_epoch":5,"isr":[1,2]}'
state bad.isr '{"controller_epoch":7,"leader":1,"version":1,"leader_epoch":5,"isr":[1,"2"]}'
state bad.missing '{"leader":1}'
state bad.empty ''
state good.unknown.version '{"controller_epoch":7,"leader":1,"version":99,"leader_epoch":5,"isr":[1,2],"new_field":{}}'
state bad.big "$(head -c 1000000 /dev/zero | tr '\0' x)"
put /brokers/topics/bad.topic.json 'not json'
put /brokers/topics/bad.topic.list '{"version":1,"partitions":[1,2]}'
put /brokers/topics/bad.topic.empty ''
put /brokers/topics/quoted.ids '{"version":2,"partitions":{"0":["1","3"]},"adding_replicas":{},"removing_replicas":{}}'
put /brokers/ids/7 '{"version":0,"jmx_port":-1}'
put /brokers/ids/8 'x'
put /brokers/ids/9 ''
put /brokers/ids/not-an-id '{}'
put /config/topics/payments_eu '{"version":1,"config":'
put /feature '{"version":99}'
# Names: a wide one, a combining one, one that turns the direction, one as long as Kafka allows. ZooKeeper itself
# refuses control bytes in a path; the screen tests have those, from traces.
state "turn.$(printf '\xe2\x80\xae')txt" "$good"
state 'wide.東京' "$good"
state "combining.e$(printf '\xcc\x81')" "$good"
long=$(printf 'long.%0244d' 0)
state "$long" "$good"
# SC-06: escape sequences in config values, as JSON escapes.
sed -n 's,^/config/topics/orders\t,set\t/kafka/config/topics/orders\t,p' "$cases/SC-06-escapes.zktree" >>"$scratch/batch"

plan 25
ok 'all of it can be written' sandbox zk-batch "$scratch/batch"
is 'the good topics are all there' "$(ask topics | jq '[.items[] | select(.topic | test("^(orders|payments|legacy|tmp|__)"))] | length')" 6
is 'a state of an unknown version is read by its keys, as Kafka does' \
    "$(ask describe --topic good.unknown.version | jq -c '.items[0] | [.leader, .isr]')" '[1,[1,2]]'
is 'an unreadable state is null, not absent' "$(ask describe --topic bad.json | jq -c '.items[0] | [.leader, .isr, .replicas]')" '[null,null,[1,2]]'
is 'a topic that cannot be read is an item of nulls' "$(ask topics --topic bad.topic.json | jq -c '.items[0] | [.topic, .partitions]')" '["bad.topic.json",null]'
for want in 'bad.json' 'bad.types' 'leader: expected a number, found a string' 'isr[1]: expected a number' 'bad.missing' 'bad.empty' 'empty data' \
    'bad.topic.list' 'partitions: expected an object'; do
    ok "a warning says: $want" warned "$want"
done
ok 'a megabyte that is no JSON is named' warned 'bad.big'
is 'a broker that cannot be read is up all the same' "$(ask brokers | jq -c '[.items[] | select(.broker == 7 or .broker == 8 or .broker == 9) | [.broker, .state, .host]]')" \
    '[[7,"up",null],[8,"up",null],[9,"up",null]]'
ok 'no control byte leaves in a table' eval '! "$KAFOPS" topics --from zookeeper --zookeeper "$KAFOPS_ZK/kafka" 2>/dev/null | LC_ALL=C grep -q "[^[:print:][:space:]]" || ! "$KAFOPS" topics --from zookeeper --zookeeper "$KAFOPS_ZK/kafka" 2>/dev/null | LC_ALL=C grep -qP "[\x00-\x08\x0b-\x1f\x7f]"'
is 'tsv has one line a topic' "$("$KAFOPS" topics --from zookeeper --zookeeper "$KAFOPS_ZK/kafka" --output tsv 2>/dev/null | wc -l)" "$(($(ask topics | jq '.items | length') + 1))"

COLUMNS=100 LINES=40
console_start --zookeeper "$KAFOPS_ZK/kafka"
ok 'the console lives and shows what cannot be read as such' wait_text 'bad\.json +1 +2 unreadable'
ok 'a mark shows what would turn the direction' wait_text 'turn\.\\u\{202E\}txt'
straight() { screen | grep -E "wide|combining|orders|payments.eu" | grep -oE "(ok|offline|under) .*" | awk '{ print length($0) }' | sort -u | wc -l | grep -qx "[12]"; }
ok 'the columns behind wide and combining names stand straight' poll_or_tell straight
keys / ; typed bad.json; keys Enter Enter
ok 'opening it says why' wait_text 'bad JSON|JSON at|line 1'
keys q Escape / ; typed orders; keys Enter Enter
ok 'SC-06: escape sequences in a config are text' wait_text '\^\[|\\u'
keys q q
ok 'q ends it' console_ends
# A name is mended, and heals without a key.
console_start --zookeeper "$KAFOPS_ZK/kafka"
wait_text 'bad\.json +1 +2 unreadable' >/dev/null
printf 'set\t/kafka/brokers/topics/bad.json/partitions/0/state\t%s\n' "$good" | sandbox zk-batch - >/dev/null
ok 'what is mended is shown so' wait_text 'bad\.json +1 +2 ok'
keys q
