#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What scripts/demo, scripts/check and the sandbox share: progress lines,
# Debian packages, Kafka's jars, the build, and cleaning up.
# To be sourced, not run. Expects `set -eu`.
#
# Everything fetched is asked for by name from the system's own clients
# (apt-get, mvn) as they are configured on this machine.

kafops_top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
kafops_cache=${KAFOPS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kafops}

# The Kafka versions that the sandbox knows, each with its Scala version.
kafka_versions="1.1.1 2.4.1 2.5.1 2.8.2 3.9.1"

packages_build="gcc make autoconf automake pkg-config libncurses-dev
    libzookeeper-mt-dev libjansson-dev libpcre2-dev libssl-dev libsasl2-dev libkrb5-dev librdkafka-dev
    libsasl2-modules libsasl2-modules-gssapi-mit"
packages_demo="maven procps"
packages_check="clang libclang-rt-14-dev libcmocka-dev openssl tmux jq python3 man-db
    groff-base binutils procps krb5-kdc krb5-admin-server"

# ---- progress and errors ----

# say WORDS...: one progress line, on standard error, with the seconds since
# the script began.
say()
{
    printf '%4ds  %s\n' "$SECONDS" "$*" >&2
}

# die WORDS...: the reason, then the end.
die()
{
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# ---- cleaning up ----

# on_exit COMMAND: COMMAND (a shell line) is run when the script ends, however
# it ends; the latest first. A signal ends the script with 128 + its number.
kafops_at_exit=()
on_exit()
{
    if [ ${#kafops_at_exit[@]} -eq 0 ]; then
        trap 'kafops_run_at_exit' EXIT
        trap 'exit 130' INT
        trap 'exit 143' TERM
        trap 'exit 129' HUP
    fi
    kafops_at_exit=("$1" "${kafops_at_exit[@]}")
}

kafops_run_at_exit()
{
    local rc=$? line
    trap '' INT TERM HUP    # a second Ctrl-C must not stop the cleaning
    set +e
    for line in "${kafops_at_exit[@]}"; do
        eval "$line"
    done
    exit "$rc"
}

# ---- Debian packages ----

# packages_missing NAME...: those of the names that aren't installed.
packages_missing()
{
    local name
    for name; do
        case $(dpkg-query -W -f='${Status}' "$name" 2>/dev/null) in
        'install ok installed') ;;
        *) printf '%s\n' "$name" ;;
        esac
    done
}

# jdk_present: is there a Java compiler of version 11 or later?
jdk_present()
{
    local version
    command -v java >/dev/null || return 1
    version=$(javac -version 2>&1) || return 1
    version=${version#javac }
    version=${version%%[!0-9]*}
    [ -n "$version" ] && [ "$version" -ge 11 ]
}

# need_packages NAME...: installs what is missing. Without root or sudo it
# says the one command to run and ends.
need_packages()
{
    local missing as_root=() install
    command -v dpkg-query >/dev/null ||
        die "this isn't Debian: install by hand what README lists (no dpkg-query here)"
    missing=$(packages_missing "$@" | sort -u | tr '\n' ' ')
    missing=${missing% }
    [ -n "$missing" ] || return 0
    install="apt-get install -y --no-install-recommends $missing"
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null ||
            die "some packages are missing. As root, run:  apt-get update && $install"
        as_root=(sudo)
    fi
    say "installing packages: $missing"
    kafops_quietly "${as_root[@]}" apt-get update -q
    # shellcheck disable=SC2086  # a list of names
    kafops_quietly "${as_root[@]}" sh -c "$packages_install" _ $missing
}

# No daemon that comes with a package is started (invoke-rc.d(8)); a policy that is there stays. The KDC's own, started with the
# machine, ends at once: it has no realm.
# shellcheck disable=SC2016  # expanded by the inner shell
packages_install='
    policy=/usr/sbin/policy-rc.d
    if [ ! -e $policy ]; then
        trap "rm -f $policy" EXIT
        printf "#!/bin/sh\nexit 101\n" >$policy
        chmod 755 $policy
    fi
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"'

# need_java_packages: the packages for the sandbox; a JDK that is there
# already, of whatever origin, will do, and so will a Maven.
need_java_packages()
{
    local names=()
    jdk_present || names+=(openjdk-17-jdk-headless)
    command -v mvn >/dev/null || names+=(maven)
    [ ${#names[@]} -eq 0 ] || need_packages "${names[@]}"
}

# need_jdk_package: keytool comes with the JDK.
need_jdk_package()
{
    jdk_present || need_packages openjdk-17-jdk-headless
}

# kafops_quietly COMMAND...: its output is shown only if it fails.
kafops_quietly()
{
    local log rc=0
    log=$(mktemp)
    "$@" >"$log" 2>&1 </dev/null || rc=$?
    if [ "$rc" != 0 ]; then
        tail -n 40 "$log" >&2
        rm -f "$log"
        die "failed: $*"
    fi
    rm -f "$log"
}

# ---- Kafka's jars ----

# jars_pom VERSION: a pom whose dependencies are all that a broker, its
# ZooKeeper and its tools need.
jars_pom()
{
    local version=$1 scala=2.13
    [ "$version" != 1.1.1 ] || scala=2.12
    cat <<END
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>kafops</groupId>
  <artifactId>sandbox</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_$scala</artifactId>
      <version>$version</version>
    </dependency>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka-tools</artifactId>
      <version>$version</version>
      <exclusions>
        <exclusion><groupId>org.slf4j</groupId><artifactId>slf4j-log4j12</artifactId></exclusion>
        <exclusion><groupId>org.apache.kafka</groupId><artifactId>kafka-log4j-appender</artifactId></exclusion>
      </exclusions>
    </dependency>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-reload4j</artifactId>
      <version>1.7.36</version>
    </dependency>
  </dependencies>
</project>
END
}

# jars VERSION: prints the folder with the jars of that Kafka version, after
# bringing them if they aren't there. A folder appears only when complete.
jars()
{
    local version=$1 dir=$kafops_cache/jars/$1
    case " $kafka_versions " in
    *" $version "*) ;;
    *) die "Kafka $version isn't one of: $kafka_versions" ;;
    esac
    if ! jars_present "$version"; then
        command -v mvn >/dev/null || die "Maven (mvn) is needed to bring Kafka's jars; scripts/demo and scripts/check install it"
        mkdir -p "$kafops_cache/jars"
        # One at a time: Maven's own folder doesn't like two at once.
        (
            flock 9
            jars_present "$version" || jars_bring "$version"
        ) 9>"$kafops_cache/jars/.lock" >&2
        jars_present "$version" || die "Kafka $version: the jars could not be brought"
    fi
    printf '%s\n' "$dir"
}

jars_present()
{
    [ -f "$kafops_cache/jars/$1/pom.xml" ] &&
        [ "$(cat "$kafops_cache/jars/$1/pom.xml")" = "$(jars_pom "$1")" ]
}

jars_bring()
{
    local version=$1 new=$kafops_cache/jars/.new
    say "bringing the jars of Kafka $version (once)"
    rm -rf "$new"    # left by an interrupted run: we hold the lock
    mkdir -p "$new"
    jars_pom "$version" >"$new/pom.xml"
    kafops_quietly mvn -B -Dstyle.color=never -f "$new/pom.xml" \
        dependency:copy-dependencies -DoutputDirectory="$new"
    rm -rf "$kafops_cache/jars/$version"
    mv "$new" "$kafops_cache/jars/$version"
}

# ---- the build ----

# build NAME [CONFIGURE-OPTIONS...]: configures and makes the program in
# build/NAME under the tree; what is up to date is not done again.
build()
{
    local name=$1 dir=$kafops_top/build/$1
    shift
    build_configure_script
    mkdir -p "$dir"
    if [ ! -f "$dir/Makefile" ] || [ "$(cat "$dir/configure-options" 2>/dev/null)" != "$*" ] ||
        [ "$kafops_top/configure" -nt "$dir/config.status" ]; then
        (cd "$dir" && kafops_quietly "$kafops_top/configure" -q "$@")
        printf '%s' "$*" >"$dir/configure-options"
    fi
    [ -x "$dir/kafops" ] || say "compiling"
    kafops_quietly make -C "$dir" -j"$(nproc)" all
}

# build_configure_script: makes `configure` if it's missing or older than what
# it is made from.
build_configure_script()
{
    local from
    for from in configure.ac Makefile.am m4; do
        if [ ! -f "$kafops_top/configure" ] || [ "$kafops_top/$from" -nt "$kafops_top/configure" ]; then
            say "making configure"
            (cd "$kafops_top" && kafops_quietly autoreconf -i -f)
            touch "$kafops_top/configure"
            return
        fi
    done
}
