#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What kafops changes in ZooKeeper (io/zk_write) against real servers: a marker has the access list of its parent and is made once; what
# can't be made is refused with the reason; /controller is deleted only while it is the one that was meant; a session that is lost
# on the way is told as what it is, and nothing is sent twice. The transaction log says what was done.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=change.sh
. "$(dirname "$0")/change.sh"

command -v openssl >/dev/null || skip_all "openssl is not installed"
plan 37

secret=geheim-7
hash=ops:$(printf 'ops:%s' "$secret" | openssl dgst -sha1 -binary | base64)
markers=/admin/delete_topics
servers() { printf '%s' "${KAFOPS_ZK%%/*}"; }
# protect PATH ACL...: replaces its access list.
protect() { sandbox zk setAcl "$1" "$2" >"$scratch/acl.out" 2>&1; }
acl() { sandbox zk getAcl "$1" 2>/dev/null | grep -A1 "^'" | paste -sd' '; }
changes() { sandbox txnlog | grep -Ev ' (open-session|close-session|error)' | grep -c -- "$1"; }
batch() { printf "$@" >"$scratch/batch" && sandbox zk-batch "$scratch/batch" >"$scratch/batch.out" || bail_out 'the tree could not be written'; }

zk_up
zk=$(servers)
batch 'create-r\t/kafka%s\ncreate-r\t/locked%s\ncreate-r\t/hidden%s\ncreate\t/empty\ncreate\t/kafka/controller_epoch\t7\n' $markers $markers $markers

# ---- a marker ----

change a --zookeeper "$zk/kafka"
seen a '^up$'
ask a mark 1 orders
ok 'a marker is made' seen a '^1 done orders 0 -1 [0-9]+ marked for deletion in ZooKeeper$'
ok '... as a node' znode_is "/kafka$markers/orders" ''
is '... with the access list of its parent' "$(acl "/kafka$markers/orders")" "$(acl "/kafka$markers")"
ask a mark 2 orders
ok 'made again it was there already, which is no failure' seen a '^2 done orders 0 -1 [0-9]+ it was marked for deletion already$'
for name in a/b .. . 'größe'; do ask a mark 3 "$name"; done
poll eval '[ "$(times a "^3 not-taken no topic can have the name")" = 4 ]'
is 'names that no topic can have are not taken' "$(times a '^3 not-taken no topic can have the name')" 4
is 'all that was done is one node' "$(changes "$markers/")" 1

change e --zookeeper "$zk/empty"
seen e '^up$'
ask e mark 1 orders
ok 'without the parent it is refused' seen e "^1 refused orders 0 -1 [0-9]+ nothing was changed: $markers is not there"
ok '... and no parent was made' znode_is /empty/admin absent
ask e move 2 1
ok 'where nobody was ever elected no controller is moved' seen e '^2 refused - 0 -1 [0-9]+ nothing was changed: there is no /controller_epoch'
quit e

# ---- access lists ----

protect "/locked$markers" "world:anyone:r,digest:$hash:cdrwa" && protect "/hidden$markers" "digest:$hash:cr" || bail_out 'no access list could be written'
change ops --zookeeper "$zk/locked" --user "ops:$secret"
seen ops '^up$'
ask ops mark 1 orders
ok 'who may create makes a marker' seen ops '^1 done orders '
is '... with the same list, digests and all' "$(acl "/locked$markers/orders")" "$(acl "/locked$markers")"
change any --zookeeper "$zk/locked"
seen any '^up$'
ask any mark 1 payments
ok 'who sees half of the list makes none' seen any '^1 refused payments .* nothing was changed: ZooKeeper hides a part of the access list'
change other --zookeeper "$zk/hidden"
seen other '^up$'
ask other mark 1 payments
ok 'who may not read the list is told so' seen other '^1 refused payments .* no permission: a right to read the access list .* is missing; see --zk-auth$'
change half --zookeeper "$zk/hidden" --user "ops:$secret"
seen half '^up$'
ask half mark 1 payments
ok 'the right to create is not enough to give the same list' seen half '^1 refused payments .* hides a part of the access list .* the right a \(admin\) is missing$'
protect "/kafka$markers" world:anyone:ra
ask a mark 4 payments
ok 'without the right to create it is named' seen a '^4 refused payments .* no permission: the right c \(create\) on /admin/delete_topics is missing; see --zk-auth$'
is 'nothing of all that was made' "$(changes "$markers/payments")" 0
ok 'no password is in a log' eval '! grep -qs -- "$secret" "$scratch"/*.log "$scratch"/*.out "$scratch"/*.err'
quit ops && quit any && quit other && quit half

# ---- the controller ----

ask a move 5 1
ok 'without a controller there is none to move' seen a '^5 refused - .* there is no controller at present$'
printf 'create-e\t/kafka/controller\t{"version":1,"brokerid":3,"timestamp":"1700000000000"}\n' >"$scratch/hold"
elected() { [ "$(times a '^controller 3 ')" -gt "$1" ]; }
# elect NAME: broker 3; its czxid is in $czxid.
elect()
{
    local before
    before=$(times a '^controller 3 ')
    sandbox zk-hold "$1" "$scratch/hold" >"$scratch/hold.out" || bail_out 'no controller could be written'
    poll elected "$before"
    czxid=$(sed -n 's/^controller 3 //p' "$scratch/a.out" | tail -n 1)
}
elect three
ask a move 6 $((czxid - 1))
ok 'another controller than the one that was meant stays' seen a '^6 refused - .* another controller was elected meanwhile$'
ok '... it is there' eval 'sandbox zk-get /kafka/controller | grep -q brokerid'
ask a move 7 "$czxid"
ok 'the one that was meant is deleted' seen a '^7 done - .* /controller is deleted: the brokers elect a controller$'
ok '... it is gone' znode_is /kafka/controller absent
ok '... and the epoch stays' znode_is /kafka/controller_epoch 7
ask a move 8 "$czxid"
ok 'it is not deleted twice' seen a '^8 refused - .* there is no controller at present$'
sandbox zk-release three >/dev/null

# Elections all the time: each writes the epoch. There is hardly a moment without one for the change to slip through.
noticed=no
for n in 1 2 3 4 5; do
    elect "again$n"
    yes "set	/kafka/controller_epoch	10$n" | head -n 100000 >"$scratch/storm"
    sandbox zk-batch "$scratch/storm" >"$scratch/storm.out" 2>&1 &
    storm=$!
    seen a "^epoch 10$n\$"
    ask a move $((20 + n)) "$czxid"
    seen a "^$((20 + n)) "
    ! e2e_printed a "^$((20 + n)) refused - .* another controller was elected meanwhile\$" || noticed=yes
    kill "$storm"
    wait "$storm" 2>/dev/null
    sandbox zk-release "again$n" >/dev/null
    [ $noticed = no ] || break
done
is 'an election between the look and the deletion is noticed' $noticed yes
diag "at try $n"

# ---- no session, and one that is lost ----

sandbox pause-zk
ask a mark 9 lost
ok 'a session lost before the change is refused, certainly' seen a '^9 refused lost .* nothing was changed: the session with ZooKeeper was lost$' 20
ask a mark 10 lost
ok 'without a session nothing is taken' seen a '^10 not-taken there is no session with ZooKeeper at present$'
ask a mark 11 lost
ok 'it ends at once' quit a
sandbox resume-zk
# The end waits for no server for long: on a machine that others load it may be over before the outcome is told.
told_at_the_end()
{
    change "$1" --zookeeper "$zk/kafka"
    seen "$1" '^up$'
    sandbox pause-zk
    ask "$1" mark 1 ends
    quit "$1"
    sandbox resume-zk
    grep -q '^1 refused ends .* nothing was changed' "$scratch/$1.out" && return
    diag <"$scratch/$1.out"
    return 1
}
ok 'what is out when it ends has an outcome' eval 'told_at_the_end b || told_at_the_end b2 || told_at_the_end b3'
sandbox down

# ---- an ensemble without its quorum: reads are answered, a change is not ----

zk_up --zk-ensemble 3 --zk-jvm -Dreadonlymode.enabled=true
IFS=, read -ra server <<<"$(servers)"
batch 'create-r\t%s\n' $markers
change c --zookeeper "${server[0]}" --timeout 20000
seen c '^up$'
sandbox pause-zk 2
sandbox pause-zk 3
ask c mark 1 flying
ok 'a session lost with the change on its way is not known' \
    seen c "^1 unknown flying .* sent, and no answer: the session with ZooKeeper was lost; it was made, if $markers/flying is there, or the topic is gone\$" 40
sandbox resume-zk 2
sandbox resume-zk 3
ok 'the session is back' eval 'WAIT=40 poll eval "[ \$(times c ^up\$) -ge 2 ]"'
ask c mark 2 flying
ok '... and can say what came of it' seen c '^2 done flying '
diag "$(sed -n 's/^2 done //p' "$scratch/c.out")"
is 'each was told once' "$(times c '^[12] ')" 2
is 'and it was made once' "$(changes "$markers/flying")" 1
quit c

change r --zookeeper "${server[0]}" --timeout 4000 --allow-readonly
seen r '^up$'
sandbox stop-zk 2
sandbox stop-zk 3
poll grep -q 'read-only server' "$scratch/r.log" || WAIT=40 poll grep -q 'read-only server' "$scratch/r.log"
ask r mark 1 orders
ok 'a server that has lost its quorum refuses' seen r '^1 refused orders .* nothing was changed: this ZooKeeper server has lost its quorum and is read-only$'
ok 'it ends cleanly' quit r
is 'none of them failed, or was told on by a sanitizer' "$bad_ends" ''
