#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every way into Kafka 2.8.2, and what is said of those that are shut: security-path.sh. Then logins that the brokers
# let last for two seconds (KIP-368).
version=2.8.2
brokers=3
set --
for way in sasl_plaintext.scram-sha-256 sasl_plaintext.gssapi sasl_ssl.plain sasl_ssl.oauthbearer; do
    set -- "$@" --set "*:listener.name.$way.connections.max.reauth.ms=2000"
done
. "$(dirname "$0")/security-path.sh"

kprobe=${top_builddir:?}/tests/tools/kprobe
[ -x "$kprobe" ] || bail_out "tests/tools/kprobe isn't built"

# holds NAME: a connection that is used for five seconds is there all the time.
holds()
{
    local path first
    path=$(file "$1")
    first=$(sed -n 's/^bootstrap\.servers=//p' "$path" | cut -d, -f"$controller")
    "$kprobe" --for 5000 "$path" "$first" 2>&1 | tee "$scratch/$1.held" | jq -e '.asked > 20' >/dev/null
}

# sum METRIC: of all listeners of the controller.
sum()
{
    sandbox jmx --broker "$controller" "kafka.server:type=socket-server-metrics,listener=SASL_*,networkProcessor=*" "$1" |
        awk '{ sum += $NF } END { print sum + 0 }'
}

pids=
before=$(sum successful-reauthentication-total)
for name in sasl-scram-256 sasl-gssapi sasl-ssl-plain sasl-ssl-oauth; do
    holds "$name" &
    pids="$pids $name:$!"
done
for pid in $pids; do
    ok "${pid%:*}: outlives its login" wait "${pid#*:}" || diag <"$scratch/${pid%:*}.held"
done
after=$(sum successful-reauthentication-total)
diag "$before, then $after times logged in again"
ok 'each has logged in twice more' test "$after" -ge "$((before + 8))"
is 'no connection was cut for being too old' "$(sum expired-connections-killed-count)" 0
plan "$e2e_count"
