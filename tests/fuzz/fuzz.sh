#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make fuzz: fuzz targets under libFuzzer with the address and undefined behaviour sanitizers.
#   FUZZ_TARGETS  their names, all without it (tests/fuzz/replay_* --targets prints them)
#   FUZZ_RUNS     inputs each (10,000,000)
#   FUZZ_JOBS     how many targets at a time (1)
# Builds below the current folder in fuzz/, keeps the corpora that grew in fuzz/corpus. What goes to standard
# output is what tests/results keeps: a line a target, with its inputs and seconds. The first input that fails
# ends it all with status 1; it stays in fuzz/finding-TARGET-*.

set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
runs=${FUZZ_RUNS:-10000000}
jobs=${FUZZ_JOBS:-1}
here=$PWD/fuzz
programs="wire kanswer zkdata settings profiles"
export ASAN_OPTIONS=${ASAN_OPTIONS:-malloc_context_size=2:quarantine_size_mb=8:detect_leaks=1}
export top_srcdir=$top

mkdir -p "$here"
[ -f "$here/Makefile" ] ||
    (cd "$here" && "$top/configure" --enable-fuzz --enable-asan CC=clang CFLAGS='-g -O2' >configure.out)
declare -A program_of
all=
for program in $programs; do
    make -s -C "$here" "tests/fuzz/fuzz_$program" "tests/fuzz/replay_$program" >&2
    for target in $("$here/tests/fuzz/replay_$program" --targets); do
        program_of[$target]=$program
        all+=" $target"
    done
done
targets=${FUZZ_TARGETS:-$all}
for target in $targets; do
    [ -n "${program_of[$target]:-}" ] || { echo "fuzz: there is no target $target; there are:$all" >&2; exit 2; }
done

# finding TARGET: says what libFuzzer said at the end, and where the input is.
finding()
{
    local file
    tail -n 60 "$here/$1.log"
    file=$(sed -n 's/.*Test unit written to //p' "$here/$1.log" | tail -n 1)
    if [ -n "$file" ]; then
        echo "fuzz: $1: a finding, its input is $file; once more: $here/tests/fuzz/replay_${program_of[$1]} --input $1 $file"
    else
        echo "fuzz: $1: ended without an input kept, see $here/$1.log"
    fi
}

# run TARGET
run()
{
    local program=${program_of[$1]} begun=$SECONDS corpus=$here/corpus/$1 longest=1024 fuzzer
    # Each unknown key of a file is held against every known one: the more lines, the fewer inputs.
    [ "$1" != settings ] || longest=400
    mkdir -p "$corpus"
    "$here/tests/fuzz/replay_$program" --seeds "$1" "$corpus"
    FUZZ_TARGET=$1 "$here/tests/fuzz/fuzz_$program" -runs="$runs" -max_len="$longest" -timeout=20 -rss_limit_mb=4096 \
        -print_final_stats=1 -artifact_prefix="$here/finding-$1-" "$corpus" >"$here/$1.log" 2>&1 &
    fuzzer=$!
    # shellcheck disable=SC2064  # this one
    trap "kill $fuzzer 2>/dev/null; exit 1" TERM
    wait "$fuzzer" || { finding "$1" >&2; exit 1; }
    printf '%-26s %9s inputs %6d s  no finding\n' "$1" \
        "$(sed -n 's/^stat::number_of_executed_units: *//p' "$here/$1.log")" $((SECONDS - begun))
}

# wait_for_one: of the targets that run. After a finding the others are ended.
running=0
wait_for_one()
{
    local others
    running=$((running - 1))
    wait -n && return
    others=$(jobs -rp)
    # shellcheck disable=SC2086  # a list
    [ -z "$others" ] || kill $others 2>/dev/null || :
    wait
    exit 1
}

echo "fuzz $(git -C "$top" log -1 --format=%h 2>/dev/null || echo '?') $(date -u +%F), libFuzzer with address and undefined behaviour sanitizers"
for target in $targets; do
    [ "$running" -lt "$jobs" ] || wait_for_one
    run "$target" &
    running=$((running + 1))
done
while [ "$running" -gt 0 ]; do wait_for_one; done
