#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make truth: every scenario of truth.sh on every version, and the table of them. About 15 minutes a version; the table is kept
# in tests/results/truth.txt by hand.
#
# From outside: TRUTH_VERSIONS (2.5.1 2.8.2 3.9.1), TRUTH_SCENARIOS (all), KAFOPS, TRUTH_LOGS (a folder that keeps what was said).

set -u
top=${top_srcdir:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
read -r -a versions <<<"${TRUTH_VERSIONS:-2.5.1 2.8.2 3.9.1}"
# shellcheck source=truth-scenarios.sh
. "$top/tests/e2e/truth-scenarios.sh"
read -r -a scenarios <<<"${TRUTH_SCENARIOS:-${truth_scenarios[*]}}"
logs=${TRUTH_LOGS:-$(mktemp -d "${TMPDIR:-/tmp}/kafops-truth.XXXXXX")}
mkdir -p "$logs"
export TRUTH_SCENARIOS="${scenarios[*]}" TRUTH_TABLE=$logs/table
: >"$TRUTH_TABLE"
status=0

for version in "${versions[@]}"; do
    printf '%s ...\n' "$version" >&2
    TRUTH_KEEP=$logs/$version bash -c 'version=$1; . "$2/tests/e2e/truth.sh"; truth' truth "$version" "$top" >"$logs/$version.log" || status=1
    ! grep -q '^not ok\|^Bail out' "$logs/$version.log" || status=1
done

printf 'kafops truth, %s, commit %s\n\n%-20s' "$(date -u +%FT%TZ)" "$(git -C "$top" rev-parse --short HEAD 2>/dev/null || echo unknown)" scenario
printf ' %-34s' "${versions[@]}"
printf '\n'
for scenario in "${scenarios[@]}"; do
    printf '%-20s' "$scenario"
    for version in "${versions[@]}"; do
        printf ' %-34s' "$(awk -F '\t' -v s="$scenario" -v v="$version" '$1 == s && $2 == v { print $3; found = 1 } END { if (!found) print "not run" }' "$TRUTH_TABLE" | cut -c 1-34)"
    done
    printf '\n'
done
printf '\n'
for version in "${versions[@]}"; do grep -hE '^# .*certain claims compared' "$logs/$version.log" | sed 's/^# //'; done
awk -F '\t' '$3 != "ok" { print $1 ", " $2 ": " $3 }' "$TRUTH_TABLE"
printf 'logs: %s\n' "$logs" >&2
exit "$status"
