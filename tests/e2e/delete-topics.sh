# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# What DeleteTopics comes to on real brokers of the version in $version (io/kafka_write), sourced by the tests named after it: who is asked, what is taken and
# what is refused, that a controller that moved is followed, and what is told when no answer comes. The session with ZooKeeper beside it
# (io/zk_write) moves the controller.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=change.sh
. "$(dirname "$0")/change.sh"

has() { [ "$(printf '%s\n' "$1" "$version" | sort -V | head -1)" = "$1" ]; }
znode() { printf '%s%s' "$chroot" "$1"; }
is_there() { e2e_znode_is "$(znode "$1")" ''; }
is_deleted() { WAIT=20 poll_or_tell e2e_znode_is "$(znode "/brokers/topics/$1")" absent; }
marked() { poll_or_tell is_there "/admin/delete_topics/$1"; }
unmarked() { poll_or_tell e2e_znode_is "$(znode "/admin/delete_topics/$1")" absent; }
not() { ! "$@"; }
# took NAME ID: the milliseconds of its first outcome.
took() { awk -v id="$2" '$1 == id { print $6; exit }' "$scratch/$1.out"; }
at() { local port=BROKER${1}_PORT; printf '%s=localhost:%s' "$1" "${!port}"; }
controller_czxid() { sed -n "s/^controller $1 //p" "$scratch/zk.out" | tail -n 1; }
# make_controller N
make_controller() { [ "$(sandbox controller)" = "$1" ] || sandbox move-controller "$1" >"$scratch/move.out" 2>&1 || bail_out "broker $1 is not the controller"; }

plan "$([ "$version" = 2.5.1 ] && echo 33 || echo 34)"
kafka_up "$version" 3 --sasl --set 3:delete.topic.enable=false
case $KAFOPS_ZK in */*) chroot=/${KAFOPS_ZK#*/} ;; *) chroot= ;; esac
for topic in one two three four five six seven; do printf '%s 2 1\n' "$topic"; done >"$scratch/topics"
printf 'stuck 3 3\nkept 1 3\nquick 1 1\nslow 1 1\n' >>"$scratch/topics"
sandbox make <"$scratch/topics" >"$scratch/make.out" 2>&1 || { diag <"$scratch/make.out"; bail_out 'no topics could be made'; }
make_controller 1
asked_in=v4
! has 2.7 || asked_in=v5

change k --controller 1 --broker "$(at 1)" --broker "$(at 2)" --broker "$(at 3)"
change zk --zookeeper "$KAFOPS_ZK"
seen zk '^controller 1 '

# ---- what is taken ----

ask k delete 1 30000 one two
ok 'the controller takes topics' seen k '^1 done one 0 1 [0-9]+ queued for deletion$'
ok '... each of them' seen k '^1 done two 0 1 [0-9]+ queued for deletion$'
ok '... and they go' eval 'is_deleted one && is_deleted two'
ok "... asked in $asked_in" grep -q "request 1: DeleteTopics $asked_in of 2 topics, to broker 1" "$scratch/k.log"
ask k delete 2 30000 one nosuch three
ok 'one that is gone is refused, for a reason that leaves both open' seen k '^2 refused one 3 1 [0-9]+ gone, or already being deleted, or never had a leader: see Deletions'
ok '... one that never was, too' seen k '^2 refused nosuch 3 1 '
ok '... and the third one goes all the same' eval 'seen k "^2 done three 0 1 " && is_deleted three'
ask k delete 3 1 quick
ok 'when the time given is over it is queued or done' seen k '^3 done quick [07] 1 [0-9]+ queued for deletion'
is '... and goes' "$(is_deleted quick && echo gone)" gone

# ---- who is the controller ----

change any --bootstrap "localhost:$BROKER3_PORT"
ask any delete 1 30000 four
ok 'by a bootstrap server the controller is found' eval 'seen any "^1 done four 0 1 " && is_deleted four'
quit any
change wrong --controller 2 --broker "$(at 1)" --broker "$(at 2)"
ask wrong delete 1 30000 five
ok 'a broker that is not the controller names it, and the request goes there' eval 'seen wrong "^1 done five 0 1 " && is_deleted five'
ok '... after it was refused' grep -q 'request 1: broker 2 is not the controller' "$scratch/wrong.log"
quit wrong
ask zk move 1 1
ok 'another controller than the one meant is not moved' seen zk '^1 refused - .* another controller was elected meanwhile$'
is '... and stays' "$(sandbox controller)" 1
before=$(controller_czxid 1)
ask zk move 2 "$before"
ok 'the one meant is' seen zk '^2 done - '
moved() { [ "$(grep -c '^controller ' "$scratch/zk.out")" -ge 2 ] && sandbox controller >"$scratch/now" 2>/dev/null; }
ok '... and another is elected, maybe the same broker' poll_or_tell moved
ask zk move 3 "$before"
ok '... who is not moved by the word of before' seen zk '^3 refused - .* another controller was elected meanwhile$'
make_controller 2
# Broker 1 goes on as the controller, and takes deletions, until it has heard that it is none.
has_resigned() { grep -E 'successfully elected as the controller|Controller id=1\] Resigned' "$KAFOPS_SANDBOX_DIR/broker-1/controller.log" | tail -n 1 | grep -q Resigned; }
poll has_resigned || diag 'broker 1 takes itself for the controller still'
# While brokers know of none it is refused, and nothing was done: then it is asked again. On a busy machine broker 2 may have lost it by then.
follows()
{
    n=$((n + 1))
    ask k delete $((40 + n)) 30000 six
    seen k "^$((40 + n)) " && e2e_printed k "^$((40 + n)) done six 0 [23] "
}
n=0
ok 'a controller that moved is followed' eval 'PAUSE=0.5 poll follows && is_deleted six' || grep -E '^4[0-9] ' "$scratch/k.out" | diag

# ---- what is refused ----

watcher=$KAFOPS_CLIENTS/sasl-watcher.properties
change watcher --command-config "$watcher" --bootstrap "$(sed -n 's/^bootstrap\.servers=//p' "$watcher" | cut -d, -f2)"
ask watcher delete 1 30000 kept
ok 'who may not delete is told which right is missing' seen watcher '^1 refused kept 29 2 [0-9]+ no permission: DELETE on the topic is missing'
ok '... and the topic stays' not is_there /admin/delete_topics/kept
ok '... and no password is in a log' eval '! grep -qs -- -secret "$scratch"/*.log "$scratch"/*.out "$scratch"/*.err'
quit watcher
make_controller 3
change off --controller 3 --broker "$(at 3)"
ask off delete 1 30000 kept
ok 'deletion switched off on the controller is told so' seen off '^1 refused kept 73 3 [0-9]+ deletion is switched off: delete.topic.enable is false on the controller'
diag "$(sed -n 's/^1 refused kept //p' "$scratch/off.out")"
ok '... and the topic stays' not is_there /admin/delete_topics/kept
quit off
make_controller 1
if [ "$version" != 2.5.1 ]; then
    sandbox kafka configs --alter --add-config controller_mutation_rate=0.01 --entity-type clients --entity-name kafops >"$scratch/quota.out" 2>&1 ||
        diag <"$scratch/quota.out"
    for n in $(seq 40); do printf 'quota%d 10 1\n' "$n"; done | sandbox make >"$scratch/make.out" 2>&1
    over_quota()
    {
        n=$((${n:-0} % 40 + 1))
        ask k delete $((100 + n)) 30000 "quota$n"
        seen k "^$((100 + n)) " && e2e_printed k "^$((100 + n)) refused quota$n 89 1 [0-9]+ nothing was done: over the quota on changes of topics; ask again in [0-9]"
    }
    n=0
    ok 'over the quota it is told when to ask again' poll over_quota
    diag "$(sed -n "s/^$((100 + n)) //p" "$scratch/k.out")"
    sandbox kafka configs --alter --delete-config controller_mutation_rate --entity-type clients --entity-name kafops >"$scratch/quota.out" 2>&1
fi

# ---- a dead replica: queued at once, and waiting ----

sandbox kill-broker 2
poll e2e_znode_is "$(znode /brokers/ids/2)" absent
ask k delete 5 30000 stuck
ok 'a topic with a dead replica is taken' seen k '^5 done stuck 0 1 '
ms=$(took k 5)
diag "answered within $ms ms"
ok '... at once' [ "${ms:-99999}" -lt 5000 ]
ok '... though it waits' marked stuck
ask k delete 6 30000 stuck
ok 'asked for again it is gone or being deleted' seen k '^6 refused stuck 3 1 '
sandbox start-broker 2
env_again
ok 'it goes when the broker is back' eval 'is_deleted stuck && unmarked stuck'

# ---- no answer ----

change patient --controller 1 --broker "$(at 1)" --request-timeout 1500
sandbox pause-broker 1
ask patient delete 1 500 slow
ok 'a broker that stands still was sent nothing' seen patient '^1 refused slow 0 -1 [0-9]+ nothing was sent: broker 1: .* no answer to ApiVersions'
sandbox resume-broker 1
sandbox pause-zk
ask patient delete 2 500 slow
ok 'one that can not write the marker does not answer in time: not known' \
    seen patient '^2 unknown slow 0 -1 [0-9]+ sent, and no answer: broker 1: .* no answer to DeleteTopics within .*; it was taken, if the topic is queued under Deletions, or gone$'
sandbox resume-zk
ok '... and it was taken after all' is_deleted slow
ok 'all end cleanly' eval 'quit patient && quit k && quit zk'
is 'each thing that was asked for was told once' \
    "$(awk '$2 ~ /^(done|refused|unknown)$/ { print FILENAME, $1, $3 }' "$scratch"/{k,zk,patient}.out | sort | uniq -d)" ''
