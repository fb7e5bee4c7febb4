# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# For the tests of the list of disagreements: what the console's overview tells, and how nodes are written. Sourced after lib.sh.

tab=$(printf '\t')
# shellcheck disable=SC2034  # for lib.sh
COLUMNS=160 LINES=50 E2E_VIEW=overview
began=$SECONDS

# ---- what is told ----

# told: "kind: subject" of each row below the line of disagreements (standard input: a screen, or what w wrote), sorted.
told()
{
    awk '/^. *Disagreements / { on = 1; next } on && !NF { exit } on' |
        sed -E 's/^.{4}[^ ]+ +(poison +! +)?//; s/   .*//; s/ +$//' | LC_ALL=C sort
}

e2e_told() { screen_has '^. *Disagreements +[0-9]+( |$)' && [ "$(screen | told)" = "$1" ]; }

# written: the same of the file that w writes: nothing is cut there.
written()
{
    rm -f "$scratch/list"
    keys w C-u
    typed "$scratch/list"
    keys Enter
    poll_or_tell e2e_written >&2 && told <"$scratch/list"
}

e2e_written() { [ -s "$scratch/list" ] && screen_has 'rows written'; }

# expect_truths NAME...: waits until these are told, as "kind: subject", and no others. None: no truths.
expect_truths()
{
    local wanted=
    [ $# -eq 0 ] || wanted=$(printf '%s\n' "$@" | LC_ALL=C sort)
    if WAIT=${WAIT:-120} poll e2e_told "$wanted" && [ "$(written)" = "$wanted" ]; then
        diag "$((SECONDS - began)) s"
        return
    fi
    diag "expected:" "$wanted" "the screen:"
    screen | diag
    return 1
}

# opens TEXT...: Enter on the only row says what it is, what happens next, what mends it, and each TEXT.
opens()
{
    local text
    keys G Enter
    for text in '^. What ' '^. Next ' '^. Mends ' "$@"; do wait_text "$text" || return; done
    keys Escape
    wait_text '^. *Disagreements '
}

# opens_each NAME...: the same of the last rows, upwards: each is about another of them.
opens_each()
{
    local name text
    keys G
    : >"$scratch/opened"
    for name; do
        keys Enter
        for text in '^. What ' '^. Next ' '^. Mends '; do wait_text "$text" || return; done
        screen >>"$scratch/opened"
        keys Escape
        wait_text '^. *Disagreements ' || return
        keys Up
    done
    for name; do
        grep -Eq "^ (POISON +)?$name *\$" "$scratch/opened" && continue
        diag "not among those opened: $name"
        diag <"$scratch/opened"
        return 1
    done
}

# ---- how they are made ----

# znodes "OPERATION PATH DATA"...: in one go.
znodes() { printf '%s\n' "$@" | sed "s/ /$tab/; s/ /$tab/; /$tab.*$tab/!s/\$/$tab/" | sandbox zk-batch - 2>&1 | diag; }
