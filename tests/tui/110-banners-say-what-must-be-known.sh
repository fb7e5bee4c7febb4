#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh"

says() { # TRACE AT TEXT
	start 80 24 -- replay "$TRACES/$1.trace" --at "$2"
	check "$1 at $2 s: $3" wait_text "$3"
}
says cluster 74 "No answer from ZooKeeper since 03:00:58: zk2.example:2181 refused (3 tries)"
says cluster 74 "STALE 15 s"
says cluster 84 "Session expired, reconnecting: zk1.example:2181 refused (8 tries)"
says cluster 92 "reading 8 %"
says cluster 92 "The session expired, reading again"
says cluster 97 "live 2 ms"
says chroot 5 "/kafka/prod does not exist"
says chroot 5 "zk1:2181,zk2:2181/kafka"
says chroot 17 "The chroot can't be looked at: no permission to read it"
says empty 5 "No /brokers here"
says unwell 5 "/admin/reassign_partitions breaks the next controller election"
says unwell 15 "READ-ONLY SERVER, data may be old"
says unwell 25 "KRaft migration"
says silent 12 "live 2 ms"
says silent 16 "silent 8 s"
says nobody 20 "Connecting to ZooKeeper zk1.example:2181,zk2.example:2181/kafka"
says nobody 20 "last error  name does not resolve"
start 80 24 -- replay "$TRACES/cluster.trace" --at 74
wait_text "STALE 15 s" >/dev/null
keys .
older() { screen | grep -Eq 'STALE (1[6-9]|[2-9][0-9]) s'; }
check "the age goes on by itself" until_true older
done_testing
