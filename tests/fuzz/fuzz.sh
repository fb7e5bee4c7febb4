#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make fuzz: every fuzz target under libFuzzer with the address and undefined behaviour sanitizers,
# FUZZ_RUNS inputs each (10,000,000). An input of `wire` goes through every decoder in every version.
# Builds below the current folder in fuzz/, keeps the corpora that grew in fuzz/corpus. The last lines
# are what tests/results keeps. An input that fails stays in fuzz/finding-*.

set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
runs=${FUZZ_RUNS:-10000000}
targets=${FUZZ_TARGETS:-zkdata settings wire answers}
here=$PWD/fuzz
export ASAN_OPTIONS=${ASAN_OPTIONS:-malloc_context_size=2:quarantine_size_mb=8:detect_leaks=1}

mkdir -p "$here"
[ -f "$here/Makefile" ] ||
    (cd "$here" && "$top/configure" --enable-fuzz --enable-asan CC=clang CFLAGS='-g -O2' >configure.out)

# seed TARGET: what is there to begin with, as plain bytes.
seed()
{
    local from into=$here/corpus/$1 file
    mkdir -p "$into"
    case $1 in
        zkdata) from=tests/cases ;;
        settings) from=tests/fuzz/settings ;;
        *) from=tests/wire/vectors ;;
    esac
    find "$top/$from" -maxdepth 1 -type f | while read -r file; do
        case $file in
            *.hex) # shellcheck disable=SC2059
                printf "$(sed -n '2s/\([0-9a-f][0-9a-f]\)/\\x\1/gp' "$file")" ;;
            *) cat "$file" ;;
        esac >"$into/$(basename "$file")"
    done
}

summary=
for target in $targets; do
    [ -f "$top/tests/fuzz/fuzz_$target.c" ] || continue
    make -s -C "$here" "tests/fuzz/fuzz_$target"
    seed "$target"
    begun=$SECONDS
    "$here/tests/fuzz/fuzz_$target" -runs="$runs" -max_len=1024 -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="$here/finding-$target-" "$here/corpus/$target" >"$here/$target.log" 2>&1 ||
        { tail -n 60 "$here/$target.log"; echo "fuzz: $target: a finding, see above and fuzz/$target.log" >&2; exit 1; }
    done_runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$here/$target.log")
    summary+=$(printf '%-9s %12s inputs  %6d s  no finding' "$target" "$done_runs" $((SECONDS - begun)))$'\n'
    echo "fuzz: $target: $done_runs inputs in $((SECONDS - begun)) s, no finding" >&2
done
echo "fuzz $(git -C "$top" log -1 --format=%h 2>/dev/null || echo '?') $(date -u +%F), libFuzzer with address and undefined behaviour sanitizers"
printf '%s' "$summary"
