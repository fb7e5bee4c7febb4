#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What commands say when none of the bootstrap servers is a broker that answers, and in what time. Needs no peer
# but a port that nobody listens at, and one where nobody says a word.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

fakeserver=${top_builddir:?}/tests/tools/fakeserver
command -v jq >/dev/null || skip_all "jq is not installed"
[ -x "$fakeserver" ] || bail_out "no $fakeserver: make check builds it"

# run ARG...: standard output, standard error and the status are in $scratch/out, err and $status; the time in $took.
run()
{
    local begun
    begun=$(now_ms)
    "$KAFOPS" "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
    took=$(($(now_ms) - begun))
}
err() { cat "$scratch/err"; }

plan 10
"$KAFOPS" dirs --bootstrap-server 127.0.0.1:1 2>"$scratch/err"
is 'nobody there is status 5, and one sentence says why' "$?,$(err)" \
    '5,kafops: brokers: bootstrap server: 127.0.0.1:1: nothing listens there (connection refused)'
why=$(err) why=${why#kafops: brokers: }
for command in topics describe 'dirs --replicas'; do
    # shellcheck disable=SC2086  # words
    run $command --bootstrap-server 127.0.0.1:1 --json
    is "$command: as JSON the sentence stands beside it" "$status,$(err)" "5,kafops: brokers: $why"
    is '... and in the envelope' "$(jq -c '[.complete, .items, .sources.brokers]' "$scratch/out")" "[false,[],\"failed: $why\"]"
done

run info --bootstrap-server 127.0.0.1:1 --json
is 'info says it beside what was set' "$status,$(err),$(jq -c '.items | length > 20' "$scratch/out")" "5,kafops: brokers: $why,true"

"$fakeserver" silent >"$scratch/port" &
poll test -s "$scratch/port"
run describe --bootstrap-server "127.0.0.1:$(cat "$scratch/port")" --timeout 6s
kill $!
# Three quarters of six seconds for one broker, so that a command has the rest to say so.
is 'a broker that says nothing is named' "$status,$(err)" \
    "5,kafops: brokers: bootstrap server: 127.0.0.1:$(cat "$scratch/port"): timed out: no answer to ApiVersions within 4.5s"
ok '... within --timeout' in_time 'the sentence' "$took" 6000
