#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a command's answer says beside its items: the exit status, and the sentence on standard error.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cases=$e2e_top/tests/cases
command -v jq >/dev/null || skip_all "jq is not installed"

# run ARG...: standard output, standard error and the status are in $scratch/out, err and $status.
run() { "$KAFOPS" "$@" --from zookeeper --zookeeper "$KAFOPS_ZK/kafka" >"$scratch/out" 2>"$scratch/err"; status=$?; }
lines() { wc -l <"$scratch/out"; }

zk_up
sed 's,^,create-r\t/kafka,' "$cases/fixture-a.zktree" >"$scratch/seed"
sandbox zk-batch "$scratch/seed" >/dev/null || bail_out 'the tree could not be written'

plan 24
for command in topics describe; do
    for form in table tsv json; do
        run "$command" --topic nosuch --output "$form"
        is "$command --topic of no topic is status 1, as $form" "$status" 1
        is '... and says so' "$(cat "$scratch/err")" 'kafops: no topic matches nosuch'
    done
done
is 'the envelope is there all the same' "$(jq -c '[.complete, .items, .sources.zookeeper, .warnings]' "$scratch/out")" \
    '[true,[],"live",["no topic matches nosuch"]]'
run describe --topic nosuch --output tsv
is 'the header of tsv too' "$(lines)" 1
run describe --topic orders --under-replicated-partitions
is 'a filter that leaves nothing is status 0' "$status" 0
is '... and says so to people' "$(cat "$scratch/err")" 'kafops: nothing matches'
run topics --topic __consumer_offsets --exclude-internal --json
is 'so is a topic that was left out' "$status,$(cat "$scratch/err"),$(jq -c .items "$scratch/out")" '0,,[]'
run topics --topic 'nosuch,orders' --json
is 'one match is enough' "$status,$(jq -r '.items[].topic' "$scratch/out")" 0,orders
run topics --topic $'no\esuch'
is 'a pattern is shown as text' "$(cat "$scratch/err")" 'kafops: no topic matches no^[such'
run topics --topic "$(printf 'x%.0s' {1..400})" --json
is 'a long one is cut' "$status,$(wc -c <"$scratch/err" | awk '{ print ($1 < 300) }')" 1,1
run describe --topic legacy.audit
is 'a table marks brokers as the screen does' "$(awk 'NR > 1 { print $3, $4, $5 }' "$scratch/out" | paste -sd' ')" '4 4,5! 4 1* 5!,1 1'
run describe --topic legacy.audit --output tsv
is '... the forms for scripts have numbers' "$(cut -f3,5,6 "$scratch/out" | tail -n +2 | paste -sd'\t')" $'4\t4,5\t4\t1\t5,1\t1'
run brokers
is 'what is not known of a broker that is down is -' "$(awk '$1 == 5' "$scratch/out" | tr -s ' ')" ' 5 down - - - - no 0 2 2 - - -'
run brokers --json
is 'a command without topics is not asked for one' "$status" 0
