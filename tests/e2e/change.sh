# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs tests/tools/change, the write adapters without gate and journal: to be sourced after lib.sh.

change=${top_builddir:?}/tests/tools/change
[ -x "$change" ] || bail_out "tests/tools/change isn't built"

bad_ends=
declare -A change_pid change_fd

# change NAME ARGS...: starts one; what it prints is in $scratch/NAME.out.
change()
{
    local name=$1 fd
    shift
    mkfifo "$scratch/$name.in"
    exec {fd}<>"$scratch/$name.in"
    "$change" --log "$scratch/$name.log" "$@" <"$scratch/$name.in" >"$scratch/$name.out" 2>"$scratch/$name.err" &
    change_pid[$name]=$!
    change_fd[$name]=$fd
}

# ask NAME WORDS...: a line for it.
ask()
{
    local name=$1
    shift
    printf '%s\n' "$*" >&"${change_fd[$name]}"
}

e2e_printed() { grep -Eqs -- "$2" "$scratch/$1.out"; }

# seen NAME PATTERN [SECONDS]: it has printed such a line, or does within so long.
seen()
{
    WAIT=${3:-15} poll e2e_printed "$1" "$2" && return
    diag "not seen: $2"
    tail -n 12 "$scratch/$1.out" "$scratch/$1.err" "$scratch/$1.log" | diag
    return 1
}

# times NAME PATTERN: how many such lines.
times() { grep -Ecs -- "$2" "$scratch/$1.out"; }

# quit NAME: ends it. Fails if it failed (a sanitizer's report, say).
quit()
{
    local rc=0 fd=${change_fd[$1]}
    ask "$1" quit
    wait "${change_pid[$1]}" || rc=$?
    exec {fd}>&-
    rm -f "$scratch/$1.in"
    [ "$rc" = 0 ] || { diag <"$scratch/$1.err"; bad_ends="$bad_ends $1"; }
    return "$rc"
}
