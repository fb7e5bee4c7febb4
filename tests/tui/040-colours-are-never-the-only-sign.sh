#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Case UI-07, and: 8 colours, mono, ASCII.
. "$(dirname "$0")/lib.sh"

colours() { LC_ALL=C grep -aoE $'\x1b\\[[0-9;:]*m' "$T/raw" | grep -cE '[[;:](3[0-9]|4[0-9]|9[0-7]|10[0-7])([;:m])'; }
has_colours() { [ "$(colours)" -gt 0 ]; }
no_colours() { [ "$(colours)" -eq 0 ] || { LC_ALL=C grep -aoE $'\x1b\\[[0-9;:]*m' "$T/raw" | sort | uniq -c | cat -v; return 1; }; }
up() { # runs with what must be told by more than colour on view
	start 80 24 "$@" replay "$TRACES/cluster.trace" --at 13 $more
	wait_text "offline" && until_true test -s "$T/raw" && settle
}

more=
check "it runs" up --
check "colours by default" has_colours
check "it runs with NO_COLOR" up NO_COLOR=1 --
check "NO_COLOR=1: none" no_colours
check "NO_COLOR=1: the same words" shot topics-unwell-80x24
check "it runs with an empty NO_COLOR" up NO_COLOR= --
check "NO_COLOR set but empty: as if not set" has_colours
more=--color=always
check "it runs with --color=always" up NO_COLOR=1 --
check "an explicit --color=always wins over NO_COLOR" has_colours
more=--no-color
check "it runs with --no-color" up --
check "--no-color: none" no_colours
more=
check "a monochrome terminal" up TERM=vt100 --
check "a monochrome terminal: no colours" no_colours
check "a monochrome terminal: the same words" shot topics-unwell-80x24
check "a terminal of eight colours" up TERM=xterm-color --
check "eight colours: colours" has_colours

ascii_only() { screen | LC_ALL=C grep -q '[^ -~]' && { shown; return 1; }; return 0; }
more=--ascii
check "it runs with --ascii" up --
check "--ascii: nothing but ASCII" ascii_only
start 80 24 -- replay "$TRACES/hostile.trace" --at 5 --ascii
check "--ascii with names from everywhere" wait_text 'wide\u{65E5}'
check "--ascii: nothing but ASCII then either" ascii_only
check "--ascii: aligned" shot hostile-ascii-80x24
start 80 24 LANG=C -- replay "$TRACES/hostile.trace" --at 5
check "a locale that is not UTF-8 means --ascii" shot hostile-ascii-80x24
done_testing
