#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What is asked of brokers before topics are deleted (io/rdk, app/appraise), on Kafka 2.5.1, 2.8.2 and 3.9.1: a topic under load is told as written to, a
# quiet one as quiet; a consumer group with offsets is named; a user without rights is told as one that may not see groups. In the console it is told
# while the question is open, and who confirms sooner has "not known yet" in the journal.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || skip_all "jq is not installed"
plan 31
WAIT=30
export XDG_STATE_HOME=$scratch/home/state

# look NAME ARG...: a dry run in the background, as JSON.
look()
{
    local name=$1
    shift
    "$KAFOPS" delete --zookeeper "$KAFOPS_ZK" --json --log-file "$scratch/$name.log" "$@" >"$scratch/$name.out" 2>"$scratch/$name.err" &
    looks="$looks $!"
}
looks=
looked()
{
    local pid
    for pid in $looks; do wait "$pid"; done
    looks=
}
# kinds NAME TOPIC: of its findings about writes and groups.
kinds() { jq -r --arg t "$2" '[.items[] | select(.topic == $t).findings[].kind | select(test("write|group|auto-create"))] | sort | join(" ")' "$scratch/$1.out"; }
warnings() { jq -r '.warnings[]' "$scratch/$1.out" | grep -E 'write|group'; }
# group NAME TOPIC: commits offsets on it.
group() { sandbox kafka consumer-groups --group "$1" --topic "$2" --reset-offsets --to-latest --execute >"$scratch/group.out" 2>&1 || diag <"$scratch/group.out"; }
up()
{
    version=$1
    shift
    kafka_up "$version" 1 --set '*:auto.create.topics.enable=false' --set '*:offsets.topic.num.partitions=3' "$@"
    printf '%s\n' 'team.busy 2 1' 'team.quiet 1 1' 'other.quiet 1 1' | sandbox make
    sandbox produce 50 'team\.busy'
    look without --topic 'other\.quiet'
    group billing team.busy
}
down() { sandbox produce stop; sandbox down 2>&1 | diag; }

# told: what all versions tell alike.
told()
{
    is "$version: before there are consumer groups none is looked for" "$(kinds without other.quiet)" 'no-consumer-groups no-writes'
    is "$version: a topic under load is told as written to" "$(kinds all team.busy)" last-writes
    is "$version: ... a quiet one beside it is not" "$(kinds all team.quiet)" ''
    is "$version: ... a group with offsets on one of them is named" "$(warnings all)" 'warning: Consumer groups with offsets on them: billing.'
    is "$version: a quiet topic without groups is told as such" "$(kinds quiet other.quiet)" 'no-consumer-groups no-writes'
}

# ---- 2.5.1 and 3.9.1: the same by batch ----

for old in 2.5.1 3.9.1; do
    up "$old"
    look all --topic 'team\..*'
    look quiet --topic 'other\.quiet'
    looked
    told
    down
done

# ---- 2.8.2: who may see what ----

up 2.8.2 --sasl
look all --topic 'team\..*' --command-config "$KAFOPS_CLIENTS/sasl-scram-512.properties"
look quiet --topic 'other\.quiet' --command-config "$KAFOPS_CLIENTS/sasl-oauth.properties"
look watcher --topic 'team\.quiet' --command-config "$KAFOPS_CLIENTS/sasl-watcher.properties"
look nobody --topic 'team\.quiet' --command-config "$KAFOPS_CLIENTS/sasl-nobody.properties"
look wrong --topic 'team\.quiet' --command-config "$KAFOPS_CLIENTS/sasl-scram-wrong-password.properties"
look keytab --topic 'team\.quiet' --command-config "$KAFOPS_CLIENTS/sasl-gssapi.properties"
look short --topic 'team\.quiet' --timeout 6

# ---- in the console meanwhile ----

console_start --zookeeper "$KAFOPS_ZK" --operate
wait_text team.busy
keys '*' && typed 'team\..*' && keys Enter
wait_text 'marked 2 topics'
typed D
ok 'while the question is open it is told when writes are asked for again' wait_text 'writes: asking again in [0-9]+ s'
ok '... and the group' wait_text '! groups: billing \(looked at 1 of 1\)'
ok '... beside what has to be typed' screen_has 'Type the number of topics to delete them'
typed 2
ok '... then which topic was written to' wait_text '! writes: team\.busy was written to in the last 10 s'
ok '... and what was typed before that has to be typed anew' wait_text 'delete them: +new warning: type it anew'
keys Escape
wait_text 'marked 2 topics'
keys u
looked
told
is 'a user without rights on groups is told that they are not known, and why' "$(warnings watcher)" \
    'warning: Which consumer groups have offsets on it is not known: this user may not see them (group authorization failed: it needs Describe on groups).'
is '... of writes it is told all the same' "$(kinds watcher team.quiet)" no-writes
ok 'who may not see topics is told so' eval 'warnings nobody | grep -q "still writes to it is not known: .*needs Describe on topics"'
ok 'a wrong password is told as the reason' eval 'warnings wrong | grep -q "still writes to it is not known: .*SCRAM-SHA-256"'
ok '... once for each' test "$(warnings wrong | wc -l)" = 2
ok 'what librdkafka can not do is told as the reason' eval 'warnings keytab | grep -q "default ticket cache alone, and the settings name a keytab"'
ok '--timeout bounds it' eval 'warnings short | grep -q "still writes to it is not known: brokers did not answer all within 6s"'
ok 'no password is in a log or a message' eval '! grep -l -e "-secret" -e guessed "$scratch"/*.log "$scratch"/*.err "$scratch"/*.out'
ok 'none of it was in the way' test "$(jq -rs '[.[].items[].action] | unique | join(" ")' "$scratch"/{all,quiet,watcher,keytab,short}.out)" = would-delete

# ---- who does not wait ----

console_start --zookeeper "$KAFOPS_ZK" --operate
wait_text other.quiet
keys '/' && typed other && keys Enter
wait_text '1 of 4 topics'
keys D
wait_text 'Type the name of the topic'
typed other.quiet && wait_text ': other.quiet' && keys Enter
# One topic in four is more than 5 %.
wait_text 'name of the cluster'
typed "$(sandbox zk-get /cluster/id | jq -r .id | cut -c1-6)" && keys Enter
gone() { ! sandbox zk-get /brokers/topics/other.quiet >/dev/null 2>&1; }
ok 'who confirms sooner deletes' poll_or_tell gone
ok '... and the journal has that it was not known yet' eval '"$KAFOPS" journal --json | jq -e "[.items[].findings[]? | select(.kind == \"last-writes-unknown\").text] | any(test(\"not known yet\"))" >/dev/null'
keys q
down
