#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Nodes with access lists, read as the user of --zk-auth, in each new session too; and the password is nowhere but in its file.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cases=$e2e_top/tests/cases
command -v jq >/dev/null || skip_all "jq is not installed"
command -v openssl >/dev/null || skip_all "openssl is not installed"
secret=geheim-7

# run ARG...: standard output, standard error and the status are in $scratch/out, err and $status.
run() { "$KAFOPS" "$@" --from zookeeper --zookeeper "$KAFOPS_ZK/kafka" >"$scratch/out" 2>"$scratch/err"; status=$?; }
# protect PATH RIGHTS: for the user ops alone.
protect() { sandbox zk setAcl "$1" "digest:ops:$(printf 'ops:%s' "$secret" | openssl dgst -sha1 -binary | base64):$2" >"$scratch/acl.out" 2>&1; }
leaders() { jq -c '[.items[].leader]' "$scratch/out"; }
warnings() { jq -r '.warnings[]' "$scratch/out"; }
sessions_up() { grep -c 'INFO zk: session .* up at' "$scratch/console.log"; }
e2e_more() { [ "$(sessions_up)" -gt "$1" ]; }
more_sessions() { poll_or_tell e2e_more "$1"; }
e2e_lives() { screen_has 'live' && screen_has '1,2,3' && screen_lacks 'no permission'; }
wait_lives() { poll_or_tell e2e_lives; }
no_secret() { ! grep -rqs -- "$secret" "$@"; }

zk_up
sed 's,^,create-r\t/kafka,' "$cases/fixture-a.zktree" >"$scratch/seed"
sandbox zk-batch "$scratch/seed" >/dev/null || bail_out 'the tree could not be written'
printf 'ops:%s\r\nanother line\n' "$secret" >"$scratch/ops"
printf 'ops:%s\n' wrong >"$scratch/wrong"
chmod 600 "$scratch/ops" "$scratch/wrong"
protect /kafka/brokers/topics/orders cdrwa && protect /kafka/brokers/topics/legacy.audit cdwa || bail_out 'no access list could be written'
missing='no permission: the right r (read) is missing; see --zk-auth'
denied='no permission: the user of --zk-auth has no right r (read)'

plan 25
run describe --topic orders --json
is 'without --zk-auth the topic is there, its partitions are not known' "$status,$(leaders)" '0,[null]'
is '... and why says which right and which option' "$(warnings)" "orders: the topic's node can't be read: $missing"
run describe --topic orders --json --zk-auth "digest:$scratch/ops"
is 'with it all is there' "$status,$(leaders),$(warnings)" '0,[1,2,3],'
KAFOPS_ZK_AUTH=digest:$scratch/ops run describe --topic orders --json
is 'the variable does the same' "$status,$(leaders)" '0,[1,2,3]'
run describe --topic orders --json --zk-auth "digest:$scratch/wrong"
is 'a wrong password is no permission, not an error' "$status,$(leaders),$(warnings)" "0,[null],orders: the topic's node can't be read: $denied"
run describe --topic legacy.audit --json --zk-auth "digest:$scratch/ops"
is 'all rights but r are not enough' "$(warnings)" "legacy.audit: the topic's node can't be read: $denied"

# ---- what can't be used ----
refused() { run topics --zk-auth "$1"; is "$2" "$status,$(cat "$scratch/err")" "$3"; }
refused "digest:$scratch/nowhere" 'a file that is not there is named' "1,kafops: --zk-auth: $scratch/nowhere: No such file or directory"
printf 'ops\n' >"$scratch/half"
refused "digest:$scratch/half" 'one without a password, too' "1,kafops: --zk-auth: $scratch/half: its first line must be user:password"
run topics --zk-auth "digest:ops:$secret"
ok 'a password instead of a file is refused, and not repeated' [ "$status" = 2 ]
ok '... nor shown' no_secret "$scratch/err"

# ---- readable by all ----
chmod 644 "$scratch/ops"
note="$scratch/ops: it holds a password, and everybody on this machine may read it; chmod o-r mends that"
run info --json --zk-auth "digest:$scratch/ops" --log-file "$scratch/notes.log"
is 'info says that everybody may read the file' "$(warnings)" "$note"
ok '... so does the log' grep -Fq "WARN reach: $note" "$scratch/notes.log"
is 'info shows the file, and what the library can' \
    "$(jq -c '[.items[] | select(.name | test("^zk-auth|library_")) | .value]' "$scratch/out")" "[\"digest:$scratch/ops\",true,false,false]"
ok '... not what is in it' no_secret "$scratch/out" "$scratch/err" "$scratch/notes.log"
chmod 600 "$scratch/ops"
run info --json --zk-auth "digest:$scratch/ops"
is '... and is silent when they may not' "$(warnings)" ''
run topics --zk-tls-config-file x
is 'TLS is refused with the way there is' "$status,$(grep -c 'neither TLS nor SASL.*stunnel' "$scratch/err")" 2,1

# ---- the console ----
console_start --zookeeper "$KAFOPS_ZK/kafka" --zk-auth "digest:$scratch/ops" -v --record "$scratch/trace"
ok 'the console reads it all' wait_text 'live [0-9]'
ok '... the topic of the list, too' wait_text 'orders +3 +3'
keys : && typed 'topic orders' && keys Enter
ok '... and its partitions' wait_text '1,2,3'
first=$(sessions_up)
sandbox restart-zk >/dev/null
ok 'a new session' more_sessions "$first"
ok '... says who we are as well: all is read again' wait_lives
pid=$(console_pid)
ok 'the password is in no argument and no variable' no_secret "/proc/$pid/cmdline" "/proc/$pid/environ"
ok '... nor in the log or the recording' no_secret "$scratch/console.log" "$scratch/trace"
keys q q
ok 'q ends it' console_ends
ok '... and the recording has the topic' grep -q '"/brokers/topics/orders"' "$scratch/trace"
