#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Shows that the comparison of claims with the controllers' logs (tests/e2e/truth-compare.awk) finds what is wrong, and nothing else.
set -u
export LC_ALL=C

top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
tap_count=0

# at SECONDS: a moment, as logs write it.
at() { printf '2026-02-28 23:59:%02d,000' "$1"; }
# log SECONDS BROKER FROM TO [EPOCH]
log() { printf '%s TRACE [Controller id=1 epoch=%d] Changed state of replica %d for partition a-b-0 from %s to %s (state.change.logger)\n' "$(at "$1")" "${5:-1}" "$2" "$3" "$4" >>"$scratch/log"; }
renamed() { printf '%s Log for partition a-b-0 is renamed to %d\n' "$(at "$1")" "$2" >>"$scratch/log"; }
# claim SECONDS PHASE CERTAINTY STATE CERTAINTY
claim() { printf '2026-02-28T23:59:%02d.000Z\ta-b\t7\t0\t1\t%s\t%s\t%s\t%s\n' "$@" >>"$scratch/claims"; }
ended() { printf '2026-02-28T23:59:%02d.000Z\ta-b\t7\tend\n' "$1" >>"$scratch/claims"; }

# finds NAME COMPARED [WORDS...]: so many claims are compared, and lines about wrong ones have these words, in order.
finds()
{
    local name=$1 want
    shift
    want=$(printf '%s\n' "$@")
    awk -v window=10000 -f "$top_srcdir/tests/e2e/truth-compare.awk" "$scratch/log" "$scratch/claims" >"$scratch/out" 2>&1
    got=$(awk '/^compared/ { n = $3 } /^wrong/ { w = w "\n" $6 } END { print n + 0 w }' "$scratch/out")
    tap_count=$((tap_count + 1))
    if [ "$got" = "$want" ]; then
        echo "ok $tap_count - $name"
    else
        echo "not ok $tap_count - $name"
        sed 's/^/# /' "$scratch/out"
    fi
    rm -f "$scratch/log" "$scratch/claims"
}

begin()
{
    log 1 1 NonExistentReplica NewReplica
    log 2 1 NewReplica OnlineReplica
    log 20 1 OnlineReplica OfflineReplica
    log 21 1 OfflineReplica ReplicaDeletionStarted
}

echo 1..9

begin
log 22 1 ReplicaDeletionStarted ReplicaDeletionSuccessful
claim 21 running likely ReplicaDeletionStarted likely
claim 23 'done' certain ReplicaDeletionSuccessful certain
ended 24
finds 'what the log shows agrees, and likely claims are not compared' 2

begin
log 30 1 ReplicaDeletionStarted ReplicaDeletionSuccessful
claim 25 'done' certain ReplicaDeletionSuccessful certain
ended 40
finds 'a state is wrong before the log shows it' 2 'done' ReplicaDeletionSuccessful

begin
renamed 24 1
log 30 1 ReplicaDeletionStarted ReplicaDeletionSuccessful
claim 25 'done' certain ReplicaDeletionStarted certain
claim 31 'done' certain ReplicaDeletionSuccessful certain
ended 40
finds 'a phase is done when its broker has deleted the replica' 4

begin
claim 19 not-begun certain OnlineReplica certain
ended 29
finds 'a state that is past agrees until one poll later' 2

begin
claim 19 not-begun certain OnlineReplica certain
ended 45
finds '... and not for longer' 2 not-begun OnlineReplica

begin
log 22 1 ReplicaDeletionStarted ReplicaDeletionIneligible
log 23 1 ReplicaDeletionIneligible OfflineReplica
claim 35 not-begun certain OfflineReplica certain
ended 36
finds 'what was begun is not told as not begun' 2 not-begun

begin
log 22 1 OnlineReplica OfflineReplica 3
log 23 1 OfflineReplica ReplicaDeletionStarted 2
claim 35 waiting certain OfflineReplica certain
ended 36
finds 'a controller that was followed by another one is not believed' 2

begin
claim 22 running certain ReplicaDeletionStarted certain
claim 23 running certain ReplicaDeletionStarted certain
claim 24 running certain ReplicaDeletionStarted certain
ended 25
finds 'a claim that is told again is one' 2

claim 22 running certain ReplicaDeletionStarted certain
ended 25
log 1 2 NonExistentReplica NewReplica
finds 'a log without the replica agrees with nothing' 2 running ReplicaDeletionStarted
