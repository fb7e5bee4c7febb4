#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# View 8 and `kafops journal` on a journal with all that can stand in one.
. "$(dirname "$0")/lib.sh"

journal=$T/.local/state/kafops/journal
mkdir -p "${journal%/*}"
who='"user":{"login":"oncall","uid":1000,"host":"ops1.example","ssh_client":"192.0.2.7","tty":"/dev/pts/3"},"pid":4711,"version":"kafops 0.1"'
where='"cluster_id":"9lkx3AmZTqWkXrJVxXnI8g","zookeeper":"zk1.example:2181/kafka"'

# record ID TIME PHASE COMMAND EFFECT ITEMS REST
record() {
	printf '{"v":1,"id":"%s","at":"2026-03-14T%s.000Z","phase":"%s",%s,%s,"mode":"operate","command":"%s","danger":3,"effect":%s,"items":[%s],"findings":[]%s}\n' \
		"$1" "$2" "$3" "$who" "$where" "$4" "$5" "$6" "$7"
}
item() { printf '{"topic":"%s","outcome":%s,"kafka_error":%s,"text":%s}' "$1" "${2:-null}" "${3:-null}" "${4:-null}"; }

{
	record 00000000000000a1 01:00:00 intent delete-topics '"delete 2 topics: old.a, old.b; 8 partitions, 24 replicas, 1.2 TiB"' \
		"$(item old.a),$(item old.b)" ',"way":"api","pattern":"old[.].*","request":"DeleteTopics to the controller"'
	record 00000000000000a1 01:00:01 outcome delete-topics null "$(item old.a '"taken"'),$(item old.b '"refused"' 29 '"no permission to delete it"')" ',"way":"api","broker":4'
	record 00000000000000a2 02:00:00 refused delete-topics '"delete 1 topic: orders.events; 6 partitions"' "$(item orders.events)" ',"text":"read-only: start with --operate"'
	printf 'no record\n'
	record 00000000000000a3 02:59:00 intent delete-topics '"delete 3 topics: audit.log, nowhere, web.sessions; 9 partitions"' \
		"$(item audit.log),$(item nowhere),$(item web.sessions)" ',"way":"api"'
	printf '{"v":1,"id":"00'
} >"$journal"

start 80 24 -- replay "$TRACES/cluster.trace" --at 13
keys 8
check "a row a command, newest first" wait_text "3 commands in the journal, outcome unknown of 1, 2 lines are no record"
check "it looks so at 80x24" shot journal-80x24
check "an intent without outcome is one" wait_text "OUTCOME UNKNOWN"
check "the cursor is on the newest" wait_text "> 02:59:00"
keys Enter
check "Enter shows the whole record" wait_text "Record 00000000000000a3"
check "who and from where" has "oncall (uid 1000) on ops1.example, from 192.0.2.7, on /dev/pts/3"
check "what is not known, and how to find out" has "To find out: a topic that is gone"
check "a topic that is gone was taken" has "nowhere: OUTCOME UNKNOWN; now: it is gone, so it was taken"
check "one that is there and not queued was not" has "audit.log: OUTCOME UNKNOWN; now: it is there and not queued"
check "it looks so" shot journal-record-80x24
keys Enter
check "Enter on a topic opens it" wait_text "audit.log   1 partition"
keys q
check "and back" wait_text "Record 00000000000000a3"
keys q
wait_text "3 commands" >/dev/null
keys Down Down Enter
check "the oldest tells of both its topics" wait_text "old.b: refused: no permission to delete it (error 29)"
check "and who answered" has "by broker 4"
keys q / ; keys -l unknown; keys Enter
check "a filter word" wait_text "/unknown/"
check "leaves that one" until_true has_not "old.a"
keys Escape
resize 160 50
wait_text "CLUSTER" >/dev/null
check "it looks so at 160x50" shot journal-160x50
resize 40 10
check "and at 40x10" shot journal-40x10
keys q q
check "it ends" ended_with 0

out() { pinned "$KAFOPS" journal "$@" >"$T/out" 2>"$T/err"; echo "$?" >"$T/code"; }
code_is() { [ "$(cat "$T/code")" = "$1" ] || { cat "$T/code" "$T/out" "$T/err"; return 1; }; }
out_has() { grep -qF -- "$1" "$T/out" || { cat "$T/out"; return 1; }; }
err_has() { grep -qF -- "$1" "$T/err" || { cat "$T/err"; return 1; }; }

out
check "kafops journal ends well" code_is 0
check "its table has a line a record" test "$(grep -c '^2026' "$T/out")" = 4
check "an outcome in words" out_has "1 queued, 1 refused: old.b: no permission to delete it"
check "a refusal with its reason" out_has "read-only: start with --operate: delete 1 topic"
check "bad lines with their place" err_has "the line at byte $(($(grep -abo '^no record' "$journal" | cut -d: -f1))) is no record"
check "the torn line with its place" err_has "the last line, at byte $(($(wc -c <"$journal") - 15)), has no end"
check "intents without outcome" err_has "delete-topics 00000000000000a3: what came of 3 of 3 is not known"
out --json
fields() {
	python3 - "$T/out" <<'PY'
import json, sys
items = json.load(open(sys.argv[1]))["items"]
want = "v id at phase user pid version cluster_id zookeeper mode command danger effect pattern items findings request way broker controller_epoch text".split()
sys.exit(0 if len(items) == 4 and all(list(i) == want for i in items) else 1)
PY
}
check "json has the fields of kafops-journal(5), in order" fields
out --output tsv
check "tsv has them, too" test "$(head -1 "$T/out" | tr '\t' ' ')" = "v id at phase user pid version cluster_id zookeeper mode command danger effect pattern items findings request way broker controller_epoch text"
{
	printf '\n'
	record 00000000000000a4 02:59:30 intent delete-topics '"delete 1 topic: late"' "$(item late)" ',"way":"api"'
	record 00000000000000a4 02:59:59 outcome delete-topics null "$(item late '"unknown"' null '"sent, and no answer"')" ',"way":"api"'
} >>"$journal"
out
check "an outcome that is written down as not known is among the warnings" err_has "delete-topics 00000000000000a4: the outcome of 1 of 1 is written down as not known"
rm "$journal"
out
check "no journal is no failure" code_is 0
check "and said" err_has "the journal has no records"
mkdir "$journal"
out
check "a folder in its place is one" code_is 1
check "and says which" err_has "$journal can't be read: it is no regular file"
start 80 24 -- replay "$TRACES/cluster.trace" --at 13
keys 8
check "and in the console" wait_text "can't be read"
keys q q
check "which lives on" ended_with 0
done_testing
