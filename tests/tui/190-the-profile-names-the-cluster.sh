#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh"

mkdir -p "$T/.config/kafops"
chmod 700 "$T/.config/kafops"
# profiles LINE...: the file that is found by itself.
profiles() { printf '%s\n' "$@" >"$T/.config/kafops/config"; chmod 600 "$T/.config/kafops/config"; }

profiles '[profile prod-eu]' 'cluster-id = 9lkx3AmZTqWkXrJVxXnI8g' 'operate = yes' 'tint = green' '' \
	'[profile a-cluster-with-a-long-name]' '' \
	'[profile other]' 'cluster-id = ZZZZZZZZZZZZZZZZZZZZZZ' 'tint = red'
start 80 24 -- replay "$TRACES/cluster.trace" --at 13 --cluster prod-eu
wait_text READ-ONLY >/dev/null
check 'the first line has the name' shot profile-80x24
colour_of_name() { tmx capture-pane -p -e | head -1 | grep -q -- "$1"; }
check '... in its colour' until_true colour_of_name $'\e\[1m\e\[32mprod-eu\|\e\[1;32mprod-eu'
check 'a recording is never operated on' has READ-ONLY
resize 40 10
check 'a narrow one has it still' wait_text 'prod-eu'
stop

start 80 24 -- replay "$TRACES/cluster.trace" --at 13 --cluster other
wait_text 'NOT THE CLUSTER' >/dev/null
check 'another cluster than the profile is for has a banner' shot profile-other-80x24
stop

start 40 10 -- replay "$TRACES/cluster.trace" --at 13 --cluster a-cluster-with-a-long-name
check 'a long name is cut where there is no room' wait_text 'a-cluster…'
check '... and the mode is not' wait_text 'READ-ONLY'
stop

start 80 24 NO_COLOR=1 -- replay "$TRACES/cluster.trace" --at 13 --cluster prod-eu
wait_text 'prod-eu' >/dev/null
no_colour() { ! grep -q $'\e\[3[0-9]m' "$T/raw"; }
check 'without colours it is bold' no_colour
stop

check 'a profile that is none is one line' says_once 'no profile is named nope; there is prod-eu, a-cluster-with-a-long-name and other' 2 \
	"$KAFOPS" --cluster nope
check 'no cluster at all tells the profiles' says_once 'or --cluster NAME: there is prod-eu, a-cluster-with-a-long-name and other' 2 "$KAFOPS"
profiles '[profile a]' 'zookeper = x'
check 'a slip in the file says where' says_once 'config: line 2, column 1: unknown key zookeper; did you mean zookeeper?' 2 "$KAFOPS" --cluster a
done_testing
