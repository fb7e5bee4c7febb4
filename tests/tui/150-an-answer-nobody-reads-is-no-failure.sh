#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Standard output that is a pipe whose reader has gone, or a full disk. (That of topics and the like: tests/e2e.)
. "$(dirname "$0")/lib.sh"

mkfifo "$T/fifo"
exec 3<>"$T/fifo" 4>"$T/fifo" 3>&-
broken() { # ARG...: into the pipe that nobody reads any more
	pinned timeout 10 "$KAFOPS" "$@" >&4 2>"$T/stderr" || { echo "status $?"; cat "$T/stderr"; return 1; }
	[ ! -s "$T/stderr" ] || { cat "$T/stderr"; return 1; }
}
full() { says_once "standard output: No space left on device" 1 "$KAFOPS" "$@" >/dev/full; }
closed() { says_once "standard output" 1 "$KAFOPS" "$@" >&-; }

for command in "info" "info --json" "info --output tsv" "--help" "topics --help" "--version"; do
	# shellcheck disable=SC2086  # words
	check "kafops $command into a pipe that nobody reads is done" broken $command
	# shellcheck disable=SC2086
	check "kafops $command into a full disk is a sentence" full $command
	# shellcheck disable=SC2086
	check "kafops $command into nothing is a sentence" closed $command
done
# shellcheck disable=SC2016
check "the shell, too, sees no failure" bash -o pipefail -c '"$0" info | head -c 1 >/dev/null' "$KAFOPS"
done_testing
