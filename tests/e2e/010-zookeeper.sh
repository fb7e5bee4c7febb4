#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The ZooKeeper adapter (io/zk) against real servers: sessions that come up, get
# lost, expire and come back; chroots; several servers; read-only servers; and
# that nothing is ever written. zkdump prints what the adapter tells, a line an
# event: "MS eEPOCH WHAT: KNOW ...".

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

tools=${top_builddir:-$e2e_top/build}/tests
zkdump=$tools/e2e/zkdump
zkseed=$tools/bench/zkseed
[ -x "$zkdump" ] && [ -x "$zkseed" ] || bail_out "zkdump and zkseed are not built in $tools"

plan 74

# ---- running zkdump ----

bad_ends=
declare -A dump_pid dump_fd dump_mark

# dump NAME ARGS...: starts one.
dump()
{
    local name=$1 fd
    shift
    mkfifo "$scratch/$name.in"
    exec {fd}<>"$scratch/$name.in"
    "$zkdump" "$@" --log "$scratch/$name.log" <"$scratch/$name.in" >"$scratch/$name.out" 2>"$scratch/$name.err" &
    dump_pid[$name]=$!
    dump_fd[$name]=$fd
    dump_mark[$name]=0
}

tell_dump() { printf '%s\n' "$2" >&"${dump_fd[$1]}"; }

# mark NAME: what is printed from here on is new.
mark() { dump_mark[$1]=$(wc -l <"$scratch/$1.out"); }

new_lines() { tail -n "+$((dump_mark[$1] + 1))" "$scratch/$1.out"; }

printed() { new_lines "$1" | grep -Eq -- "$2"; }

# seen NAME PATTERN [SECONDS]: a new line like this comes; SECONDS is when to give up.
seen()
{
    local WAIT=${3:-20}
    poll printed "$1" "$2" && return
    diag "not seen within $WAIT s: $2"
    new_lines "$1" | tail -n 15 | diag
    return 1
}

# quit NAME: ends it; its lines are then in NAME.out. Fails if it failed (a sanitizer's report, say).
quit()
{
    local rc=0 fd=${dump_fd[$1]}
    tell_dump "$1" quit
    wait "${dump_pid[$1]}" || rc=$?
    exec {fd}>&-
    rm -f "$scratch/$1.in"
    [ "$rc" = 0 ] || { diag <"$scratch/$1.err"; bad_ends="$bad_ends $1"; }
    return "$rc"
}

facts()
{
    mark "$1"
    tell_dump "$1" facts
    seen "$1" '^end$'
    new_lines "$1" | grep '^fact '
}

session_of() { grep -o 'state=up .* session=0x[0-9a-f]*' "$scratch/$1.out" | tail -n 1 | sed 's/.*session=//'; }
ms_of() { new_lines "$1" | grep -Em1 -- "$2" | cut -d ' ' -f 1; }
servers() { printf '%s' "${KAFOPS_ZK%%/*}"; }
session_ended() { sandbox txnlog --session "$1" 2>/dev/null | grep -q ' close-session$'; }

# ---- one server ----

zk_up --chroot /kafka
"$zkseed" "$(servers)/kafka" seed --topics 20 --partitions 5 || bail_out 'zkseed fails'

dump a "$(servers)/kafka" --timeout 4000
ok 'a session comes up and says where' seen a 'state=up .* session=0x[0-9a-f]+ server=127.0.0.1:[0-9]+ error=""'
ok 'the session time-out is the one agreed on' seen a 'state=up .* timeout=4000 '
ok 'the chroot is there' seen a ' root: present'
ok 'all is read' seen a ' loaded: present'
ok '... states too' seen a 'state bench-00019 4: present leader=.* isr=[0-9,]+$'
ok 'a probe brings the latency' seen a 'state=up .* latency=[0-9]+ '

mark a
before=$(now_ms)
"$zkseed" "$(servers)/kafka" change --topics 20 --partitions 5 --count 1 >/dev/null
ok 'a change is told' seen a 'state bench-00000 0: present .*epoch=1 '
ok '... within a second of the write' in_time 'the change' $(($(now_ms) - before)) 1000

# Topics come and go.
mark a
printf 'create-r\t/brokers/topics/new/partitions/0/state\t{"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}\nset\t/brokers/topics/new\t{"version":1,"partitions":{"0":[1]}}\ncreate\t/admin/delete_topics/bench-00003\t\ndelete-r\t/brokers/topics/bench-00003\t\ndelete\t/admin/delete_topics/bench-00003\t\n' >"$scratch/batch"
sandbox zk-batch "$scratch/batch"
ok 'a new topic is seen with its states' seen a 'state new 0: present leader=1'
ok 'a deleted one leaves the list' seen a ' topics: present n=20 .*bench-00002 bench-00004'

# Payloads that are none, and large ones.
mark a
{
    printf 'set\t/controller\t{"version":1\n'
    printf 'create\t/config/topics/junk\t{]\n'
    printf 'create\t/brokers/topics/empty\t\n'
    printf 'create\t/brokers/topics/large\t%s\n' "$(head -c 900000 /dev/zero | tr '\0' x)"
} >"$scratch/batch"
sandbox zk-batch "$scratch/batch"
ok 'bad JSON is unreadable, and says why' seen a ' controller: unreadable why="bad JSON at line 1'
ok 'of a config as well' seen a 'topic config junk: unreadable why="'
ok 'no data at all too' seen a 'topic empty: unreadable why="'
ok '900 KB of rubbish too' seen a 'topic large: unreadable why="'
mark a
printf 'set\t/controller\t{"version":1,"brokerid":2,"timestamp":"1"}\ndelete\t/brokers/topics/large\t\ndelete\t/brokers/topics/empty\t\ndelete\t/config/topics/junk\t\n' >"$scratch/batch"
sandbox zk-batch "$scratch/batch"
ok 'what is mended is read again' seen a ' controller: present broker=2'

# Restarted server.
first=$(session_of a)
mark a
sandbox stop-zk
ok 'a server that goes is told at once' seen a 'e1 conn: present state=connecting loss=dropped .* session=0x0'
ok 'attempts and their failure are told' seen a 'e2 conn: present state=connecting .*tries=[1-9].* server=127.0.0.1:[0-9]+ error="refused"'
refusals() { new_lines a | grep 'state=connecting .*error="refused"'; }
many_refusals() { [ "$(refusals | wc -l)" -ge 5 ]; }
ok '... again and again ...' poll many_refusals
# By zkdump's own clock, for ours may look late.
ok '... twice a second at most' eval 'refusals | head -n 5 | awk "NR == 1 { first = \$1 } END { exit !(\$1 - first >= 1000) }"'
sandbox start-zk
printf 'set\t/brokers/topics/new/partitions/0/state\t{"controller_epoch":1,"leader":3,"version":1,"leader_epoch":9,"isr":[3]}\n' >"$scratch/batch"
sandbox zk-batch "$scratch/batch"
ok 'it comes back with a new epoch' seen a 'e[2-9] conn: present state=up'
ok 'all is read again, with what changed meanwhile' seen a 'e[2-9] state new 0: present leader=3 epoch=9'
ok '... to the end' seen a 'e[2-9] loaded: present'
ok '... in a session of its own' test "$(session_of a)" != "$first"

# Paused server: two thirds of the time-out (4 s) and one second more at most.
mark a
before=$(now_ms)
sandbox pause-zk
ok 'a silent server is told as lost' seen a 'conn: present state=connecting loss=dropped'
ok '... within two thirds of the time-out and a second' in_time 'the loss' $(($(now_ms) - before)) 3667
sandbox resume-zk
ok 'and is back when it answers' seen a 'e[3-9] loaded: present'

# Expired session: ended at the server; and by a long sleep of ours.
mark a
sandbox expire "$(session_of a)"
ok 'a session ended at the server is replaced' seen a 'e[4-9] loaded: present'
mark a
kill -STOP "${dump_pid[a]}"
printf 'set\t/brokers/topics/new/partitions/0/state\t{"controller_epoch":1,"leader":2,"version":1,"leader_epoch":10,"isr":[2]}\n' >"$scratch/batch"
sandbox zk-batch "$scratch/batch"
server_forgot() { ! sandbox zk-4lw dump | grep -q "$1"; }
WAIT=20 poll server_forgot "$(session_of a)" || diag "the server still has the session"
kill -CONT "${dump_pid[a]}"
ok 'a sleep past the time-out is an expired session (ZS-01)' seen a 'conn: present state=connecting loss=expired'
ok 'it recovers by itself' seen a 'e[5-9] loaded: present'
ok '... with what changed meanwhile' seen a 'e[5-9] state new 0: present leader=2 epoch=10'

# A storm.
mark a
"$zkseed" "$(servers)/kafka" change --topics 2 --partitions 5 --count 10000 >/dev/null
ok 'a storm of 10,000 changes ends ...' seen a 'state bench-00001 4: present .*epoch=1000 ' 20
facts a | grep -c 'state bench-0000[01] [0-4]: present leader=[0-9] epoch=1000 isr=[0-9],[0-9],[0-9]$' >"$scratch/right"
is '... with the last value of every node' "$(cat "$scratch/right")" 10

# The end of a session.
session=$(session_of a)
ok 'it ends cleanly' quit a
ok '... at once' in_time 'the end' "$(sed -n 's/^closed ms=//p' "$scratch/a.out")" 1000
ok '... and tells so' grep -q 'state=closed' "$scratch/a.out"
ok "the server knows at once that the session is closed" poll session_ended "$session"
is 'nothing was written: a session begins and ends' \
    "$(writes_of "$session" | wc -l)" 0
# shellcheck disable=SC2046
is '... nor in any of the sessions before' "$(writes_of $(grep -o 'session=0x[1-9a-f][0-9a-f]*' "$scratch/a.out" | cut -d= -f2 | sort -u) | wc -l)" 0

# Once, without watches.
dump once "$(servers)/kafka" --once
ok 'once reads all' seen once ' loaded: present'
sandbox zk-4lw wchs >"$scratch/wchs"
ok '... and sets no watch' grep -q 'Total watches:0' "$scratch/wchs"
ok '... its session is closed when all is read, not when it ends' poll session_ended "$(session_of once)"
ok '... and ends cleanly' quit once

# Much to read once: by more sessions than one.
"$zkseed" "$(servers)/much" seed --topics 100 --partitions 40
dump whole "$(servers)/much"
seen whole ' loaded: present' && facts whole >"$scratch/whole"
quit whole
opened() { sandbox txnlog | grep -Ec ' open-session [0-9]+ ms$'; }
closed() { sandbox txnlog | grep -Ec ' close-session$'; }
before=$(opened)
dump much "$(servers)/much" --once
ok 'once of much reads all' seen much ' loaded: present' 20
facts much | grep -v ' config changes: ' >"$scratch/much"
is '... the same' "$(grep -v ' config changes: ' "$scratch/whole" | diff - "$scratch/much" | grep -c '^[<>]')" 0
ok '... by more sessions than one' test $(($(opened) - before)) -gt 1
all_closed() { [ "$(closed)" -eq "$(opened)" ]; }
ok '... all of which are closed then' poll all_closed
ok '... and ends cleanly' quit much
before=$(opened)
dump little "$(servers)/kafka" --once
seen little ' loaded: present'
quit little
is 'once of little is one session' $(($(opened) - before)) 1

# ---- chroots ----

dump c "$(servers)/kafka/no/such/place"
ok 'a missing chroot is told by its first missing node (ZS-05)' seen c ' root /kafka/no: absent'
"$zkseed" "$(servers)/kafka/no/such" seed --topics 1 --partitions 1
ok 'the next one is told when the first appears' seen c ' root /kafka/no/such/place: absent'
ok 'nothing else is told of it' eval '! grep -Eq " (topics|loaded):" "$scratch/c.out"'
"$zkseed" "$(servers)/kafka/no/such/place" seed --topics 2 --partitions 1
ok 'it goes on by itself when the chroot is made' seen c 'state bench-00001 0: present'
mark c
printf 'delete-r\t/no/such/place\t\n' >"$scratch/batch"
sandbox zk-batch "$scratch/batch"
ok 'a chroot that is deleted is told' seen c ' root /kafka/no/such/place: absent'
ok '... and what was in it' seen c ' topics: absent'
mark c
"$zkseed" "$(servers)/kafka/no/such/place" seed --topics 3 --partitions 1
ok 'made again, all is read again' seen c 'state bench-00002 0: present'
ok '... the root is back' seen c ' root: present'
quit c

# ---- which servers ----

port=$(servers)
port=${port##*:}
dump s "127.0.0.1:1,127.0.0.1:$port/kafka"
ok 'a dead server among two does not matter' seen s 'state=up .* server=127.0.0.1:'"$port"
quit s

dump n "nosuchhost.invalid:2181,127.0.0.1:$port/kafka"
ok 'nor does a name that does not resolve' seen n 'state=up .* server=127.0.0.1:'"$port"
quit n

dump n1 'nosuchhost.invalid:2181/kafka'
ok 'a name that does not resolve is named' seen n1 'state=connecting .*tries=[1-9].* server=nosuchhost.invalid:2181 error="nosuchhost.invalid: .*"'
quit n1

# A name that resolves later: a hosts file of our own, in a mount name space.
printf '127.0.0.1 localhost\n' >"$scratch/hosts"
if unshare -rm true 2>/dev/null; then
    printf '#!/bin/sh\nmount --bind "%s" /etc/hosts && exec "$@"\n' "$scratch/hosts" >"$scratch/with-hosts"
    chmod +x "$scratch/with-hosts"
    real=$zkdump
    printf '#!/bin/sh\nexec unshare -rm "%s" "%s" "$@"\n' "$scratch/with-hosts" "$real" >"$scratch/zkdump-hosts"
    chmod +x "$scratch/zkdump-hosts"
    zkdump=$scratch/zkdump-hosts
    dump later "late.invalid:$port/kafka"
    zkdump=$real
    seen later 'error="late.invalid: '
    printf '127.0.0.1 late.invalid\n' >>"$scratch/hosts"
    ok 'a name that resolves later is taken then, as it was given' seen later "state=up .* server=late.invalid:$port"
    quit later
else
    ok '# SKIP a name that resolves later: no mount name space of our own (unshare -rm)' true
fi

# IPv6, through a relay, as the sandbox's server listens on 127.0.0.1 only.
cat >"$scratch/relay.py" <<'END'
import socket, sys, threading
listener = socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
listener.bind(("::1", 0))
listener.listen()
print(listener.getsockname()[1], flush=True)
def copy(a, b):
    try:
        while data := a.recv(65536):
            b.sendall(data)
    except OSError:
        pass
    b.close()
while True:
    client = listener.accept()[0]
    server = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    threading.Thread(target=copy, args=(client, server), daemon=True).start()
    threading.Thread(target=copy, args=(server, client), daemon=True).start()
END
if command -v python3 >/dev/null && grep -q '^0*1 ' /proc/net/if_inet6 2>/dev/null; then
    python3 "$scratch/relay.py" "$port" >"$scratch/relay.port" &
    relay=$!
    poll test -s "$scratch/relay.port"
    dump six "[::1]:$(cat "$scratch/relay.port")/kafka"
    ok 'IPv6 is understood, and shown in brackets' seen six 'state=up .* server=\[::1\]:'"$(cat "$scratch/relay.port")"
    quit six
    kill "$relay"
else
    ok '# SKIP IPv6: no ::1 here, or no python3 for the relay' true
fi
sandbox down

# ---- a server that has no connection to spare ----

zk_up --zk-set maxClientCnxns=1
"$zkseed" "$KAFOPS_ZK" seed --topics 40 --partitions 30
dump spare "$KAFOPS_ZK" --once
ok 'sessions that are refused are done without' seen spare ' loaded: present' 20
is '... nothing is told of them' "$(grep -c 'error="[^"]' "$scratch/spare.out")" 0
is '... all states are there' "$(facts spare | grep -c ' state .*: present')" 1200
ok '... and it ends cleanly' quit spare
sandbox down

# ---- read-only servers (ZS-12), and no four letter words (ZS-19) ----

zk_up --zk-ensemble 3 --zk-set 4lw.commands.whitelist=srvr --zk-jvm -Dreadonlymode.enabled=true
"$zkseed" "$KAFOPS_ZK" seed --topics 3 --partitions 1
dump strict "$KAFOPS_ZK" --timeout 4000
dump lenient "$KAFOPS_ZK" --timeout 4000 --allow-readonly
ok 'an ensemble without four letter words is read (ZS-19)' eval 'seen strict " loaded: present" && seen lenient " loaded: present"'
ok 'with the flag, a normal server is still preferred' seen lenient 'state=up loss=none readonly=0'
mark strict
mark lenient
sandbox stop-zk 2
sandbox stop-zk 3
ok 'with the flag a read-only server is taken, and told' seen lenient 'e[2-9] conn: present state=up .*readonly=1' 40
ok '... and read to the end' seen lenient 'e[2-9] loaded: present' 20
strict_is_out() { new_lines strict | grep " conn: " | tail -n 1 | grep -q state=connecting; }
ok 'without the flag it is not' eval 'poll strict_is_out && ! printed strict "readonly=1"'
mark strict
mark lenient
sandbox start-zk 2
sandbox start-zk 3
ok 'back to a normal server when the quorum is back' seen lenient 'e[3-9] conn: present state=up .*readonly=0' 40
ok 'and without the flag as well' seen strict 'conn: present state=up .*readonly=0' 40
ok 'they end cleanly' eval 'quit strict && quit lenient'
is 'none of them failed, or was told on by a sanitizer' "$bad_ends" ''
