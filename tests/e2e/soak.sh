#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A healthy cluster at work (healthy.sh), ten minutes for each version, and a summary for tests/results/soak.txt.
#
# From outside: SOAK_VERSIONS ("2.5.1 2.8.2 3.9.1"), SOAK_SECONDS (600), KEEP_TRACE (a file for the recording of one that fails).

set -u
here=$(dirname "$0")
if [ $# -eq 2 ]; then
    # shellcheck disable=SC2034  # for healthy.sh
    version=$1 seconds=$2
    # shellcheck source=healthy.sh
    . "$here/healthy.sh"
    exit
fi
failed=0
printf 'kafops soak, %s, commit %s, %s cores, %s s a version\n' "$(date -u +%FT%TZ)" \
    "$(git -C "$here" rev-parse --short HEAD 2>/dev/null || echo none)" "$(nproc)" "${SOAK_SECONDS:-600}"
for version in ${SOAK_VERSIONS:-2.5.1 2.8.2 3.9.1}; do
    out=$(bash "$0" "$version" "${SOAK_SECONDS:-600}")
    case $out in
    *'not ok '* | *'Bail out!'* | *'# SKIP'*) failed=1; printf '%s\n' "$out" ;;
    *) printf '%s\n' "$out" | sed -n 's/^# \([0-9.]*: events\)/\1/p' ;;
    esac
done
exit "$failed"
