#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Storms on a ZooKeeper without Kafka: topics that come and go by the hundred while somebody moves about in the list,
# two consoles at once, a chroot that goes and comes back while it is read. In the end the console has what ZooKeeper
# has, and no watch but for that.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

zkseed=${top_builddir:-$e2e_top/build}/tests/bench/zkseed
[ -x "$zkseed" ] || bail_out "zkseed is not built: $zkseed"
COLUMNS=100 LINES=30

seed() { "$zkseed" "$at" seed --partitions 5 "$@"; }
delete() { "$zkseed" "$at" delete --partitions 5 "$@"; }

# churn ROUNDS PREFIX [TOPICS]: so often so many topics come and go; names sort before, and behind, those that stay.
churn()
{
    local i
    for ((i = 1; i <= $1; i++)); do
        seed --topics "${3:-100}" --prefix "$2$i-" && delete --topics "${3:-100}" --prefix "$2$i-" || return 1
    done
}

# list_of FILE: the names in a view that was written.
list_of() { tail -n +2 "$1" | cut -f 1 | sort; }
zk_topics() { sandbox zk ls /kafka/brokers/topics 2>/dev/null | sed -n 's/^\[\(.*\)\]$/\1/p' | sed 's/, /\n/g' | sort >"$scratch/true"; }

# shows_all: what the console has in its list now is what ZooKeeper had at the last zk_topics.
shows_all()
{
    rm -f "$scratch/view.tsv"
    keys w
    wait_text '[Ww]rite' && keys C-u && typed "$scratch/view.tsv" && keys Enter
    poll test -s "$scratch/view.tsv"
    list_of "$scratch/view.tsv" >"$scratch/shown"
    cmp -s "$scratch/true" "$scratch/shown"
}
list_is_true()
{
    zk_topics
    [ -s "$scratch/true" ] && poll shows_all && return
    diff "$scratch/true" "$scratch/shown" | head -n 20 | diag
    tell
    return 1
}

cursor_on() { screen_has "^> $1 "; }
last_is() { keys G; cursor_on "$1"; }
stands_among() { cursor_on "$1" && screen_has "^  $2 "; }
at_cursor() { screen | sed -n 's/^> \([^ ]*\) .*/\1/p'; }
watches() { sandbox zk-4lw wchs | sed -n 's/^Total watches://p'; }

watches_are() { [ "$(watches)" = "$1" ]; }
rss_kb() { sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$1/status"; }

# stays_on THING PID: the cursor is on it whenever one looks, for as long as the process runs. A look may fall on a
# picture that the terminal has in part only; then it's the next ones that count.
stays_on()
{
    local looks=0
    while kill -0 "$2" 2>/dev/null; do
        cursor_on "$1" || WAIT=3 poll cursor_on "$1" || { diag "the cursor is on: $(at_cursor)"; tell; return 1; }
        looks=$((looks + 1))
    done
    diag "looked $looks times"
    [ "$looks" -ge 5 ]
}

# fingers PID...: keys of every kind, as fast as tmux takes them, for as long as one of the processes runs.
fingers()
{
    while kill -0 "$@" 2>/dev/null; do
        keys j j j NPage k G k k PPage g j NPage NPage s S /
        typed base-0001
        keys Enter j j k G Escape Escape Enter j G Escape 3 j Enter Escape 2 : C-u Escape
        e2e_is_dead && return 1
    done
    return 0
}

plan 27
zk_up
at=$KAFOPS_ZK/kafka
seed --topics 300 --prefix base-
console_start --zookeeper "$at"
pid=$(console_pid)
ok 'the console is live' wait_text 'live .*ms'
ok 'and its list is what ZooKeeper has' list_is_true
quiet=$(watches)
is 'a watch stands on each node that is read: a topic, its states, its config, and the roots' "$quiet" $((300 * (1 + 5 + 1) + 10))
rss=$(rss_kb "$pid")

# The cursor, while topics come and go around it.
keys j j j j j
ok 'the cursor stands on a topic' poll cursor_on base-00005
churn 8 aaa- &
storm=$!
ok 'it stays there while a hundred topics at a time come and go' stays_on base-00005 "$storm"
ok '(they did)' wait "$storm"

# Things that go from under it. Sorted by name, as a topic that is being deleted would go to the top, the cursor with it.
keys s
seed --topics 50 --prefix zzz-
ok 'the last topic can be gone to' poll_or_tell last_is zzz-00049
delete --topics 50 --prefix zzz-
ok 'when the end of the list goes, the cursor is on the last that is left' poll_or_tell cursor_on base-00299
seed --topics 50 --prefix base-00100-
keys / C-u
typed base-00100-00020
keys Enter
ok 'a topic in the middle can be gone to' poll_or_tell cursor_on base-00100-00020
keys j Escape
ok 'and the cursor stays on it when the filter is dropped' poll_or_tell stands_among base-00100-00020 'base-00100-000(19|21)'
delete --topics 50 --prefix base-00100-
ok 'when it goes with those around it, the cursor is on what is there now' poll_or_tell cursor_on 'base-00(09[0-9]|1[0-4][0-9])'

# Everything at once.
churn 10 aaa- &
one=$!
churn 10 zzz- &
two=$!
ok 'keys of every kind are taken while topics come and go' fingers "$one" "$two"
ok '(they did)' eval 'wait "$one" && wait "$two"'
keys Escape Escape Escape 2 Escape g
ok 'then the first is the first' poll_or_tell cursor_on '[^ ]+'
ok 'and the list is what ZooKeeper has' list_is_true
ok 'and no watch is left behind by topics that are gone' poll_or_tell watches_are "$quiet"

# Changes of what is there.
"$zkseed" "$at" change --topics 300 --partitions 5 --prefix base- --count 30000 >/dev/null
ok 'after 30,000 changes it is live' wait_text 'live .*ms'
ok 'and has the last of each' eval 'poll screen_lacks " under " && list_is_true'
# What a sanitizer keeps of what was freed is bounded, too (tests/e2e/lib.sh); seen were 40 to 60 MB, and 20 without one.
spare=32768
! nm -D "$KAFOPS" 2>/dev/null | grep -Eq '__(a|t)san_init' || spare=98304
diag "resident: $rss KB, then $(rss_kb "$pid") KB"
ok "it needs no more memory than before, but for $((spare / 1024)) MB" test $(($(rss_kb "$pid") - rss)) -lt "$spare"

# Two consoles.
console_also --zookeeper "$at"
ok 'a second console is live beside the first' wait_text 'live .*ms'
keys j j j
churn 8 aaa- &
storm=$!
ok 'its cursor stays where it was in a storm' stays_on base-00003 "$storm"
ok 'its list is what ZooKeeper has' list_is_true
console_look 0
ok "and so is the first one's" list_is_true
ok 'each has its watches, and no more' poll_or_tell watches_are $((2 * quiet))
console_look 1
keys q
ok 'the second ends' console_ends

# The chroot goes while it is read, and comes back.
printf 'delete-r\t/kafka\n' >"$scratch/batch"
seed --topics 2000 --prefix many-
sandbox zk-batch "$scratch/batch" >/dev/null &
gone=$!
console_start --zookeeper "$at"
wait "$gone"
ok 'a chroot that goes during the load is named' wait_text '/kafka does not exist'
seed --topics 1500 --prefix back-
ok 'and when it is back the list is what ZooKeeper has' eval 'wait_text "live .*ms" && list_is_true'
