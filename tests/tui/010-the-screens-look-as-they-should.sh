#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh"

look() { # NAME W H AT TRACE KEY...
	local name=$1 w=$2 h=$3 at=$4 trace=$5 view=topics
	shift 5
	case $name in overview*) view=overview ;; esac
	start "$w" "$h" -- replay --view $view "$TRACES/$trace.trace" --at "$at"
	wait_text "READ-ONLY" >/dev/null
	for k; do keys "$k"; done
	check "$name at ${w}x$h" shot "$name-${w}x$h"
}

for size in "80 24" "160 50"; do
	set -- $size
	look overview-well "$1" "$2" 5 cluster
	look overview-unwell "$1" "$2" 13 cluster
	look overview-busy "$1" "$2" 45 cluster
	look overview-stale "$1" "$2" 74 cluster
	look overview-reading-again "$1" "$2" 92 cluster
	look overview-nobody "$1" "$2" 20 nobody
	look overview-no-kafka "$1" "$2" 5 empty
	look overview-no-topics "$1" "$2" 15 empty
	look overview-poison "$1" "$2" 5 unwell
	look overview-unreadable "$1" "$2" 15 unwell
	look overview-migration "$1" "$2" 25 unwell
	look overview-truths "$1" "$2" 5 unwell G
	look overview-truth "$1" "$2" 5 unwell G Enter
	look overview-filter "$1" "$2" 13 cluster / p a r t Enter
	look topics-well "$1" "$2" 5 cluster
	look topics-unwell "$1" "$2" 13 cluster
	look topics-busy "$1" "$2" 45 cluster
	look topic "$1" "$2" 13 cluster Down Down Down Enter
	look topic-moving "$1" "$2" 45 cluster Down Enter
	look brokers "$1" "$2" 13 cluster 3
	look broker "$1" "$2" 13 cluster 3 Enter
	look help "$1" "$2" 5 cluster '?'
	look help-end "$1" "$2" 5 cluster '?' G
	look filter "$1" "$2" 13 cluster / o r d e r
	look filter-empty "$1" "$2" 13 cluster / x x Enter
	look filter-kept "$1" "$2" 13 cluster / o f f l i n e Enter
	look command "$1" "$2" 13 cluster : t o p i Tab
	look stale "$1" "$2" 74 cluster
	look expired "$1" "$2" 84 cluster
	look reading-again "$1" "$2" 92 cluster
	look nobody "$1" "$2" 20 nobody
	look chroot "$1" "$2" 5 chroot
	look no-kafka "$1" "$2" 5 empty
	look no-topics "$1" "$2" 15 empty
	look unreadable "$1" "$2" 5 unwell
	look unreadable-topic "$1" "$2" 5 unwell Enter
	look topics-sizes "$1" "$2" 3 disks 2
	look topic-where "$1" "$2" 13 disks 2 / o r d e r s . e Enter Enter
	look brokers-sizes "$1" "$2" 13 disks 3
	look broker-sizes "$1" "$2" 13 disks 3 Down Enter
	look dirs-first "$1" "$2" 3 disks 6
	look dirs "$1" "$2" 13 disks 6
	look dirs-gone "$1" "$2" 23 disks 6
	look dirs-no-answer "$1" "$2" 33 disks 6
	look dirs-refused "$1" "$2" 43 disks 6
	look dir "$1" "$2" 13 disks 6 Down Enter
	look dir-orphan "$1" "$2" 13 disks 6 / o r p h a n s Enter Enter
done
look overview-well 40 10 5 cluster
look overview-unwell 40 10 13 cluster
look overview-further 40 10 13 cluster Down Down Down Down Down
look overview-truth 40 10 5 unwell G Enter
look dirs 40 10 13 disks 6
look dir 40 10 13 disks 6 Down Enter
look topics-unwell 40 10 13 cluster
look topic 40 10 13 cluster Down Down Enter
look brokers 40 10 13 cluster 3
look broker 40 10 13 cluster 3 Enter
look help 40 10 13 cluster '?'
done_testing
