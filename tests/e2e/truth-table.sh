#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make truth: every scenario of truth.sh on every version, and the table of them. Five to ten minutes a version; the table is kept
# in tests/results/truth.txt by hand.
#
# From outside: TRUTH_VERSIONS (2.5.1 2.8.2 3.9.1), TRUTH_SCENARIOS (all), KAFOPS, TRUTH_LOGS (a folder that keeps what was
# said), TRUTH_AT_ONCE=1 (all versions at the same time).

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

# run VERSION
run()
{
    printf '%s ...\n' "$1" >&2
    # shellcheck disable=SC2016  # expanded by the inner shell
    TRUTH_KEEP=$logs/$1 bash -c 'version=$1; . "$2/tests/e2e/truth.sh"; truth' truth "$1" "$top" >"$logs/$1.log"
}

for version in "${versions[@]}"; do
    if [ -n "${TRUTH_AT_ONCE:-}" ]; then run "$version" & else run "$version"; fi
done
wait
for version in "${versions[@]}"; do
    # As many results as were planned, none of them bad.
    awk '/^1\.\./ { n = substr($0, 4) } /^ok / { good++ } END { exit !(n && good == n) }' "$logs/$version.log" || status=1
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
for version in "${versions[@]}"; do grep -hE '^# .*(certain claims compared|ends told)' "$logs/$version.log" | sed 's/^# //'; done
awk -F '\t' '$3 != "ok" { print $1 ", " $2 ": " $3 }' "$TRUTH_TABLE"
printf 'logs: %s\n' "$logs" >&2
exit "$status"
