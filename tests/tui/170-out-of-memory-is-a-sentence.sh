#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Not part of a build with sanitizers, which take their address space at the start.
. "$(dirname "$0")/lib.sh"

peak() { awk '/^VmPeak:/ { print $2 }' "/proc/$1/status"; }

# A trace whose second part, at 20 s, is 40,000 topics.
large() {
	cat "$TRACES/empty.trace"
	awk 'BEGIN {
		printf "{\"t\":20000,\"ev\":\"children\",\"epoch\":1,\"path\":\"/brokers/topics\",\"rc\":\"ok\",\"children\":["
		for (i = 0; i < 40000; i++)
			printf "%s\"topic-of-a-cluster-that-has-too-many-%d\"", i ? "," : "", i
		print "]}"
	}'
}
large >"$T/large.trace"

start 80 24 -- replay "$T/large.trace" --at 1
check "it is up" wait_text "REPLAY 1s"
p=$(pid)
limit=$(($(peak "$p") + 4096))
check "it gets no more memory" prlimit --pid "$p" --as=1
keys ']' ']'
check "out of memory: it ends with status 1" ended_with 1
check "the terminal is as before" restored
check "there is a sentence" stderr_has "kafops: out of memory: "
check "and nothing else" test "$(wc -l <"$T/stderr")" = 1

truncate -s 1G "$T/larger.trace"
small() { (ulimit -v "$limit" && says_once "kafops: out of memory: 1073741825 bytes are not to be had" 1 "$KAFOPS" replay "$T/larger.trace"); }
check "out of memory before there is a screen is one as well" small
done_testing
