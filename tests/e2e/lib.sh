#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Helpers for the end-to-end tests, which speak TAP: a real ZooKeeper and real
# Kafka (tests/sandbox), and the program in a private tmux server of a fixed
# size. To be sourced by tests/e2e/NNN-claim.sh and by the tests of the screens:
#
#   . "$(dirname "$0")/lib.sh"
#   plan 2
#   kafka_up 2.8.2 3
#   console_start --zookeeper "$KAFOPS_ZK"
#   ok 'the brokers are listed' wait_text '3 brokers'
#   is 'q ends it with status 0' "$(keys q; console_status)" 0
#
# Every wait polls with a deadline; one that fails prints the screen and the
# logs' last lines. Whatever a test started is ended when the test ends.
#
# From outside: KAFOPS (the program), WAIT (seconds a wait may last, 20), SLOW
# (how many times over a promised time fails a test, see in_time),
# SHOTS (a folder that keeps the shots), KEEP=1 (keeps the scratch folder).

set -u
shopt -u checkwinsize    # or bash would set COLUMNS and LINES itself

e2e_top=${top_srcdir:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/kafops-e2e.XXXXXX")
e2e_test=$(basename "$0" .sh)
e2e_socket=kafops-$$
e2e_count=0
e2e_pids=
COLUMNS=80 LINES=24
export KAFOPS_SANDBOX_DIR=$scratch/sandbox
export LC_ALL=C.UTF-8 TZ=UTC
# The leak scan runs in a process beside ours; the hangup of a terminal that closes kills that one, and ours waits for it,
# spinning, for ever. The unit tests have the scan.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0:quarantine_size_mb=4

trap 'e2e_cleanup' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

e2e_cleanup()
{
    local rc=$?
    trap '' INT TERM HUP
    set +e
    tmux -L "$e2e_socket" kill-server 2>/dev/null
    e2e_end_consoles
    [ ! -f "$KAFOPS_SANDBOX_DIR/state" ] || sandbox down 2>&1 | diag
    if [ -n "${KEEP:-}" ]; then
        diag "kept: $scratch"
    else
        rm -rf "$scratch"
    fi
    exit "$rc"
}

# e2e_end_consoles: a console must end when its terminal goes; should one not,
# it isn't left behind. That it is ours can be read in its environment.
e2e_end_consoles()
{
    local pid
    for pid in $e2e_pids; do
        WAIT=2 poll e2e_is_gone "$pid" && continue
        diag "process $pid outlived its terminal and was killed"
        kill -KILL "$pid"
    done
}

e2e_is_gone() { ! grep -qs -- "$scratch" "/proc/$1/environ"; }

# ---- TAP ----

plan() { printf '1..%d\n' "$1"; }

# skip_all REASON: the whole test is skipped, visibly.
skip_all()
{
    printf '1..0 # SKIP %s\n' "$*"
    exit 0
}

bail_out()
{
    printf 'Bail out! %s\n' "$*"
    exit 1
}

# diag WORDS...: comment lines; without words from standard input.
diag()
{
    if [ $# -gt 0 ]; then printf '%s\n' "$*"; else cat; fi | sed 's/^/# /'
}

# ok CLAIM COMMAND...: the claim holds if the command succeeds.
ok()
{
    local claim=$1
    shift
    e2e_count=$((e2e_count + 1))
    if "$@"; then
        printf 'ok %d - %s\n' "$e2e_count" "$claim"
    else
        printf 'not ok %d - %s\n' "$e2e_count" "$claim"
        diag "failed: $*"
        return 1
    fi
}

# is CLAIM GOT EXPECTED: compares texts.
is()
{
    e2e_count=$((e2e_count + 1))
    if [ "$2" = "$3" ]; then
        printf 'ok %d - %s\n' "$e2e_count" "$1"
    else
        printf 'not ok %d - %s\n' "$e2e_count" "$1"
        diag "     got: $2"
        diag "expected: $3"
        return 1
    fi
}

# ---- time ----

now_ms() { date +%s%3N; }

# in_time WHAT MS PROMISE_MS: how long it took is printed beside what is promised. A machine that others load is late
# without the program being so: only $SLOW times the promise (5) fails, for that is none of the machine. SLOW=1 holds
# the program to its word, on a machine of one's own.
in_time()
{
    diag "$1: $2 ms, promised $3 ms$([ "$2" -le "$3" ] || printf ': LATE')"
    [ "$2" -le $(($3 * ${SLOW:-5})) ]
}

# ---- waiting ----

# poll COMMAND...: until it succeeds, for at most $WAIT seconds. What has not come in three seconds is looked for less often, for the
# processors are wanted by what is waited for; $PAUSE seconds from the first time on where a look is dear (a JVM).
poll()
{
    local begun=$SECONDS pause=${PAUSE:-0.05}
    until "$@"; do
        [ "$SECONDS" -le $((begun + ${WAIT:-20})) ] || return 1
        [ "$SECONDS" -lt $((begun + 3)) ] || pause=${PAUSE:-0.15}
        sleep "$pause"
    done
}

# poll_or_tell COMMAND...: as poll, but says what could be seen when it fails.
poll_or_tell()
{
    poll "$@" && return
    diag "waited ${WAIT:-20} s in vain for: $*"
    tell
    return 1
}

# tell: the screen and the logs' last lines, as comments.
tell()
{
    local file
    if tmux -L "$e2e_socket" has-session 2>/dev/null; then
        diag "---- the screen, $COLUMNS x $LINES"
        screen | diag
    fi
    for file in "$scratch"/*.log "$scratch"/*.san.* "$KAFOPS_SANDBOX_DIR"/*/{server,broker,controller}.log; do
        [ -s "$file" ] || continue
        diag "---- ${file#"$scratch"/}"
        tail -n 8 "$file" | cut -c 1-300 | diag
    done
}

# ---- the sandbox ----

sandbox() { "$e2e_top/tests/sandbox/sandbox" "$@"; }

# e2e_java: skips the test where the sandbox can't run.
e2e_java()
{
    command -v javac >/dev/null || skip_all "no Java compiler (openjdk-17-jdk-headless)"
    [ -d "${KAFOPS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kafops}/jars/$1" ] ||
        command -v mvn >/dev/null || skip_all "no Kafka $1 and no Maven to bring it"
}

e2e_up()
{
    sandbox up "$@" >"$scratch/env" 2>"$scratch/up.log" || {
        diag <"$scratch/up.log"
        tell
        bail_out "the sandbox didn't start: $*"
    }
    env_again
}

# env_again: the variables of `sandbox env` as they are now (pids change).
env_again()
{
    sandbox env >"$scratch/env"
    # shellcheck source=/dev/null
    . "$scratch/env"
}

# zk_up [OPTIONS...]: a ZooKeeper alone; sets KAFOPS_ZK and the like.
zk_up()
{
    local version=2.8.2
    [ "${1:-}" != --kafka ] || version=$2
    e2e_java "$version"
    e2e_up --zk-only "$@"
}

# kafka_up VERSION BROKERS [OPTIONS...]
kafka_up()
{
    local version=$1 brokers=$2
    shift 2
    e2e_java "$version"
    e2e_up --kafka "$version" --brokers "$brokers" "$@"
}

# znode_is PATH TEXT: waits until the znode's data is TEXT; "absent" for no node.
znode_is() { poll_or_tell e2e_znode_is "$1" "$2"; }

e2e_znode_is()
{
    local data
    data=$(sandbox zk-get "$1" 2>/dev/null) || data=absent
    [ "$data" = "$2" ]
}

# ---- what our sessions with ZooKeeper did ----

# sessions_in LOG...: the ids of the sessions that kafops says there it had.
sessions_in() { grep -hoE 'session 0x[0-9a-f]+ up' "$@" | cut -d' ' -f2 | sort -u; }

# writes_of SESSION...: what the transaction log has of them but that they were made and closed. One look for all, a JVM being slow.
writes_of()
{
    sandbox txnlog | awk -v ids=" $* " 'index(ids, " " $3 " ") && $8 !~ /^(open|close)-session$/'
}

# only_made_and_closed SESSION...: each was made and closed, says the transaction log, and did nothing between.
only_made_and_closed()
{
    [ $# -gt 0 ] && sandbox txnlog | awk -v ids="$*" '
        { did[$3] = did[$3] " " $8; lines[$3] = lines[$3] $0 "\n" }
        END {
            n = split(ids, id, " ")
            for (i = 1; i <= n; i++)
                if (did[id[i]] != " open-session close-session") { printf "%s:\n%s", id[i], lines[id[i]]; bad = 1 }
            exit bad
        }' >"$scratch/txns" && return
    diag <"$scratch/txns"
    return 1
}

# ---- the console ----

# e2e_tmux_up: e2e_argv in a server of its own. No status line, no delay after Esc, and the last picture stays when the
# program ends. (window-size manual would crash tmux 3.3a here.)
e2e_tmux_up()
{
    tmux -L "$e2e_socket" -f /dev/null start-server \; set -g status off \; \
        set -g remain-on-exit on \; set -g remain-on-exit-format '' \; set -s escape-time 0 \; \
        set -g default-size "${COLUMNS}x$LINES" \; \
        set -g history-limit 0 \; \
        new-session -d -x "$COLUMNS" -y "$LINES" "${e2e_argv[@]}"
}

# console_start ARGS...: the program in a terminal of $COLUMNS x $LINES, with
# an environment and a home of its own. It begins with the topics, or with the
# view that E2E_VIEW names ("": as it does by itself). E2E_ENV is one more variable, NAME=VALUE.
console_start()
{
    command -v tmux >/dev/null || skip_all "tmux is not installed"
    [ -x "${KAFOPS:-}" ] || bail_out "KAFOPS doesn't name the program: '${KAFOPS:-}'"
    ! tmux -L "$e2e_socket" has-session 2>/dev/null || tmux -L "$e2e_socket" kill-server
    poll e2e_no_session
    e2e_console_argv console.log "$@"
    # A server that is ending takes a while to let go of its socket.
    WAIT=5 poll e2e_tmux_up || bail_out "tmux could not be started"
    e2e_pids="$e2e_pids $(console_pid)"
}

# console_also ARGS...: a second one beside the first. What is said of "the
# console" holds for it from here on, until console_look.
console_also()
{
    e2e_console_argv console2.log "$@"
    tmux -L "$e2e_socket" new-window "${e2e_argv[@]}" || bail_out "tmux could not open a window"
    e2e_pids="$e2e_pids $(console_pid)"
}

# console_look N: turns to the first console (0) or the second (1).
console_look() { tmux -L "$e2e_socket" select-window -t ":$1"; }

# e2e_console_argv LOG ARGS...: what tmux is to run, in e2e_argv.
e2e_console_argv()
{
    local home=$scratch/home log=$1
    shift
    mkdir -p "$home/config" "$home/state" "$home/cache" "$home/data" "$home/run"
    e2e_argv=(env -i PATH="$PATH" HOME="$home" TERM="${E2E_TERM:-screen-256color}"
        XDG_CONFIG_HOME="$home/config" XDG_STATE_HOME="$home/state" XDG_CACHE_HOME="$home/cache"
        XDG_DATA_HOME="$home/data" XDG_RUNTIME_DIR="$home/run"
        ${E2E_ENV:+"$E2E_ENV"} LANG=C.UTF-8 TZ=UTC ESCDELAY=25 KAFOPS_VIEW="${E2E_VIEW-topics}" KAFOPS_LOG_FILE="$scratch/$log"
        ASAN_OPTIONS="${ASAN_OPTIONS:-}:log_path=$scratch/asan.san"
        UBSAN_OPTIONS="${UBSAN_OPTIONS:-}:log_path=$scratch/ubsan.san:print_stacktrace=1"
        TSAN_OPTIONS="${TSAN_OPTIONS:-}:log_path=$scratch/tsan.san"
        "$KAFOPS" "$@")
}

e2e_no_session() { ! tmux -L "$e2e_socket" has-session 2>/dev/null; }

# keys KEY...: by tmux's names: Enter, Escape, Up, C-c, F2, or a character.
keys() { tmux -L "$e2e_socket" send-keys -- "$@"; }

# typed TEXT: as it stands.
typed() { tmux -L "$e2e_socket" send-keys -l -- "$1"; }

# press_every_key VIEW...: in each view every key there is but q, which ends the console, and back to it after each.
press_every_key()
{
    local view key
    for view; do
        keys "$view"
        for key in {a..p} {r..z} {A..Z} {0..9} ' ' '!' '"' '#' '$' '%' '&' "'" '(' ')' '*' + , - . / : '<' = '>' '?' @ '[' ']' '^' _ '`' '{' '|' '}' '~'; do
            tmux -L "$e2e_socket" send-keys -l -- "$key" \; send-keys Escape
            [ "$key" != P ] || keys P Escape
            keys "$view"
        done
        keys Up Down PgUp PgDn Home End Left Right Tab BSpace F1 F2 F3 F6 Enter Escape C-l Escape
    done
}

screen() { tmux -L "$e2e_socket" capture-pane -p; }

# screen_has PATTERN (extended regular expression)
screen_has() { screen 2>/dev/null | grep -Eq -- "$1"; }

screen_lacks() { ! screen_has "$1"; }

wait_text() { poll_or_tell screen_has "$1"; }

wait_gone() { poll_or_tell screen_lacks "$1"; }

# shot NAME: keeps the screen as text, and prints the file's name.
shot()
{
    local dir=${SHOTS:-$scratch/shots}
    mkdir -p "$dir"
    screen >"$dir/$e2e_test-$1.txt"
    printf '%s\n' "$dir/$e2e_test-$1.txt"
}

# resize COLUMNS LINES
resize()
{
    COLUMNS=$1 LINES=$2
    tmux -L "$e2e_socket" resize-window -x "$1" -y "$2"
}

console_pid() { tmux -L "$e2e_socket" display-message -p '#{pane_pid}'; }

e2e_is_dead() { [ "$(tmux -L "$e2e_socket" display-message -p '#{pane_dead}' 2>/dev/null)" = 1 ]; }
e2e_died_of() { tmux -L "$e2e_socket" display-message -p '#{pane_dead_status}#{pane_dead_signal}' 2>/dev/null | grep -q .; }

# console_status: waits for the program's end and prints its status; for one
# ended by a signal 128 + its number. A sanitizer's report counts as 99.
console_status()
{
    local status
    poll e2e_is_dead || {
        tell >&2
        printf 'still running\n'
        return 1
    }
    # The terminal closes before the program is reaped, and tmux now and then never learns the status.
    WAIT=3 poll e2e_died_of || { printf 'lost\n'; return 1; }
    status=$(tmux -L "$e2e_socket" display-message -p '#{pane_dead_status}')
    [ -n "$status" ] || status=$((128 + $(tmux -L "$e2e_socket" display-message -p '#{pane_dead_signal}')))
    ! compgen -G "$scratch/*.san.*" >/dev/null || status=99
    printf '%s\n' "$status"
}

# console_ends: the program has ended, with status 0 where tmux knows it.
console_ends()
{
    case $(console_status) in
        0 | lost) ! compgen -G "$scratch/*.san.*" >/dev/null ;;
        *) return 1 ;;
    esac
}
