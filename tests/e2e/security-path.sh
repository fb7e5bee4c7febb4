# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Every way into a real cluster of the version in $version, sourced by the tests named after it: with each client.properties that the
# sandbox writes, `kafops describe --from brokers` by the bootstrap servers in it, and `kafops dirs` by the listener that brokers register in
# ZooKeeper, say what they say over the plain one, and Kafka's own tool takes the very same file; what is wrong with a file, a certificate
# or a port is said in a sentence, with status 5; and no secret is in anything that was printed or logged.
#
# Kafka's tool is asked for each file on 2.8.2 alone, a JVM being slow; for three elsewhere. What a version can't:
#   1.1.1   has no OAUTHBEARER (2.0, KIP-255): no such file, and its broker shows what a mechanism does that is off
#   before 2.7  Kafka's tools read no PEM (KIP-651); their brokers don't care, so kafops tries it everywhere
#   2.8.2   its tool wants a password for a PEM key in a file: not asked for mtls-pem

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

command -v jq >/dev/null || skip_all "jq is not installed"

# has VERSION: is $version at least that?
has() { [ "$(printf '%s\n' "$1" "$version" | sort -V | head -1)" = "$1" ]; }

# file NAME: of the sandbox, or one that the test made.
file() { if [ -f "$scratch/$1.properties" ]; then echo "$scratch/$1.properties"; else echo "$KAFOPS_CLIENTS/$1.properties"; fi; }

# kafops ARG...: with a log that all share, what it prints in $scratch/out and err, and all of that kept.
kafops()
{
    local status
    "$KAFOPS" "$@" --json --log-file "$scratch/kafops.log" -v >"$scratch/out" 2>"$scratch/err"
    status=$?
    cat "$scratch/out" "$scratch/err" >>"$scratch/all"
    return "$status"
}

# reach NAME [LISTENER] [COMMAND]: asks brokers alone, with that file, by the listener that the file names, or another, of the controller.
reach()
{
    local path port=BROKER${controller}_${2:-}_PORT
    path=$(file "$1")
    case ${2:-} in
    '') port=$(sed -n 's/^bootstrap\.servers=//p' "$path" | cut -d, -f"$controller") ;;
    PLAINTEXT) port=BROKER${controller}_PORT port=localhost:${!port} ;;
    *) port=localhost:${!port} ;;
    esac
    kafops "${3:-describe}" --from brokers --command-config "$path" --bootstrap-server "$port"
}

# by_zookeeper NAME: the log dirs, by the listeners that are registered, for security.protocol in that file.
by_zookeeper()
{
    (umask 077; sed '/^bootstrap\.servers=/d' "$(file "$1")" >"$scratch/by-zookeeper.properties")
    kafops dirs --replicas --zookeeper "$KAFOPS_ZK" --command-config "$scratch/by-zookeeper.properties"
}

# same NAME: both say what they say over the plain listener.
same()
{
    reach "$1" && jq -S .items "$scratch/out" | cmp -s "$scratch/plain-partitions" - &&
        by_zookeeper "$1" && jq -S .items "$scratch/out" | cmp -s "$scratch/plain-dirs" - && return
    diag <"$scratch/err"
    jq -c '[.sources, .warnings, .items]' "$scratch/out" | cut -c 1-600 | diag
    return 1
}

# fails PATTERN NAME [LISTENER]: nothing is had, and why is one sentence like PATTERN.
fails()
{
    local pattern=$1 status
    shift
    reach "$@"
    status=$?
    [ "$status" = 5 ] && [ "$(wc -l <"$scratch/err")" = 1 ] &&
        grep -Eq -- "^kafops: brokers: bootstrap server: localhost:[0-9]+: $pattern" "$scratch/err" && return
    diag "status $status, wanted: $pattern"
    diag <"$scratch/err"
    return 1
}

# warned TEXT: among the warnings of the last answer.
warned() { jq -r '.warnings[]' "$scratch/out" | grep -Fxq -- "$1" || { jq -c .warnings "$scratch/out" | diag; return 1; }; }

# tool NAME: Kafka's own is run with the file, its status and words kept.
tool()
{
    local path=$KAFOPS_CLIENTS/$1.properties
    sandbox kafka broker-api-versions --bootstrap-server "$(sed -n 's/^bootstrap\.servers=//p' "$path")" \
        --command-config "$path" >"$scratch/$1.tool" 2>&1
    printf 'status %d\n' $? >>"$scratch/$1.tool"
}

# tool_takes NAME: did it reach a broker?
tool_takes()
{
    grep -q 'Metadata(3): ' "$scratch/$1.tool" && [ "$(tail -n 1 "$scratch/$1.tool")" = 'status 0' ] && return
    tail -n 4 "$scratch/$1.tool" | diag
    return 1
}

# tools NAME...: for each file a claim; two JVMs at a time.
tools()
{
    local name running=
    for name; do
        tool "$name" &
        [ -z "$running" ] || wait "$running"
        running=$!
    done
    wait "$running"
    for name; do
        ok "$name: Kafka's own tool takes the same file" tool_takes "$name"
    done
}

# changed NAME SED NEW: a file of the sandbox, changed, as NEW.
changed() { sed "$2" "$KAFOPS_CLIENTS/$1.properties" >"$scratch/$3.properties"; }

stores="ssl-pkcs12 ssl-pkcs12-jks ssl-pkcs12-legacy ssl-pkcs12-legacy-jks
    mtls-pkcs12 mtls-pkcs12-jks mtls-pkcs12-legacy mtls-pkcs12-legacy-jks"
pem="ssl-pem mtls-pem-encrypted mtls-pem-inline"
logins="plain scram-256 scram-512 gssapi gssapi-second-in-keytab gssapi-cache"
! has 2.0 || logins="$logins oauth"
sasl=
for login in $logins; do sasl="$sasl sasl-$login sasl-ssl-$login"; done

kafka_up "$version" "${brokers:-2}" --tls --sasl --bad-certificates "$@"
export KRB5_CONFIG=$KAFOPS_KRB5_CONFIG KRB5CCNAME=FILE:$scratch/operators.ccache
sandbox make e2e.alpha 4 2
controller=$(sandbox controller)
sandbox fill e2e.alpha 100000 >/dev/null 2>&1
all_there()
{
    reach plaintext && jq -S .items "$scratch/out" >"$scratch/plain-partitions" &&
        jq -e '(.items | length) == 4 and all(.items[]; .isr | length == 2)' "$scratch/out" >/dev/null &&
        by_zookeeper plaintext && jq -S .items "$scratch/out" >"$scratch/plain-dirs" &&
        jq -e '(.items | length) == 8 and all(.items[]; .size_bytes > 0)' "$scratch/out" >/dev/null
}
ok 'the plain listener says all there is' poll_or_tell all_there

# ---- each way in ----

for name in plaintext $stores $pem mtls-pem $sasl; do
    ok "$name: as over the plain listener" same "$name"
done
if [ "$version" = 2.8.2 ]; then
    # shellcheck disable=SC2086  # lists of names
    tools $stores $pem $sasl
else
    tools mtls-pkcs12 sasl-ssl-scram-512 sasl-ssl-gssapi
fi
ok 'a keytab leaves the cache of the operator alone' test ! -e "$scratch/operators.ccache"

# ---- who may what ----

no_dirs='no permission: DescribeLogDirs needs DESCRIBE on the cluster; sizes and log dirs stay unknown, all else works'
no_settings='no permission: DescribeConfigs needs DESCRIBE_CONFIGS on the cluster; settings in force on brokers stay unknown, all else works'
ids=$(seq -s ', ' "${brokers:-2}")
reach sasl-watcher '' topics
is 'a user without rights on the cluster sees the topics, with status 5' "$?,$(jq -c '[.sources.brokers, (.items[] | [.topic, .partitions])]' "$scratch/out")" \
    '5,["live",["e2e.alpha",4]]'
ok '... of sizes it is said which right they want' warned "log dirs of brokers $ids not known: $no_dirs"
ok '... and of settings' warned "settings of brokers $ids not known: $no_settings"
by_zookeeper sasl-ssl-watcher
is '... log dirs are not known, brokers are' "$?,$(jq -c '[.items[] | [.broker, .log_dir]] | unique' "$scratch/out" | jq -c 'all(.[]; .[1] == null) and length > 1')" 5,true
ok '... for the same reason' warned "log dirs of brokers $ids not known: $no_dirs"
reach sasl-nobody '' topics
is 'a user without any rights sees no topic' "$(jq -c '[.sources.brokers, .items]' "$scratch/out")" '["live",[]]'

# ---- what goes wrong: logins ----

refused='is refused: SASL_AUTHENTICATION_FAILED \(58\): the broker does not accept the user or the password'
ok 'a wrong password, PLAIN' fails "the login by PLAIN as admin \(sasl.jaas.config\) $refused" sasl-wrong-password
ok 'a wrong password, SCRAM' fails "the login by SCRAM-SHA-256 as admin \(sasl.jaas.config\) $refused" sasl-ssl-scram-wrong-password
ok 'no ticket' fails "GSSAPI: $KAFOPS_CLIENTS/none.ccache: there is no such file \(ticketCache in sasl.jaas.config\)$" sasl-gssapi-no-ticket
changed sasl-gssapi 's/useKeyTab=true.*;/useTicketCache=true;/' own-cache
ok 'no ticket in the own cache' \
    fails 'GSSAPI: no Kerberos ticket: .*operators\.ccache\) \(run kinit, or name a keytab in sasl.jaas.config\)$' own-cache
changed sasl-gssapi 's/admin@/guest@/' guest
ok 'a principal that the keytab has not' fails 'GSSAPI: .*/admin.keytab has no key of guest@SANDBOX.EXAMPLE \(keyTab and' guest
changed sasl-gssapi 's/name=kafka/name=kafkaesque/' service
ok 'another service name' fails \
    'GSSAPI: no ticket for the broker as kafkaesque/localhost: .*not found in Kerberos database \(sasl.kerberos.service.name' service
sed 's/kdc = .*/kdc = 127.0.0.1:1/' "$KRB5_CONFIG" >"$scratch/krb5.conf"
no_kdc() { KRB5_CONFIG=$scratch/krb5.conf fails "GSSAPI: Cannot contact any KDC .* \(krb5.conf names the KDCs\)$" "$@"; }
ok 'no KDC' no_kdc sasl-ssl-gssapi
if ! has 2.0; then
    changed sasl-plain '/^sasl/d' oauth
    printf '%s\n' sasl.mechanism=OAUTHBEARER \
        'sasl.jaas.config=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="admin";' \
        >>"$scratch/oauth.properties"
    ok 'a mechanism that is off' fails \
        'OAUTHBEARER is not switched on at this port, which has .*SCRAM-SHA-512.* \(sasl.mechanism\)$' oauth
fi

# ---- what goes wrong: TLS ----

ok 'an expired certificate' fails 'its certificate \(CN=localhost\) expired on 2021-02-03$' ssl-pkcs12 EXPIRED
ok 'a self-signed certificate' fails 'its certificate is self-signed by CN=localhost, and .*\(ssl.truststore.location\)' ssl-pem SELF_SIGNED
ok "another host's certificate" fails \
    'its certificate is for b1\.example, 192\.0\.2\.7, not for localhost; .*ssl.endpoint.identification.algorithm' ssl-pkcs12 WRONG_HOST
ok 'another CA' fails 'its certificate comes from an unknown CA, CN=ca\.example, and .*\(ssl.truststore.location\)' ssl-other-ca
# A broker may reset the connection, which overtakes what it says.
ok 'no certificate of ours' fails \
    '(TLS: it wants a certificate of ours: set |it closed .* after asking for a certificate of ours; .*\()ssl.keystore.location' mtls-no-certificate
ok 'a certificate of ours that it does not know' fails \
    '(TLS: it refuses our certificate|it closed .* after it got our certificate).*\(ssl.keystore.location\)' mtls-stranger

# ---- what goes wrong: the wrong port ----

tls='it answers with TLS: this port wants security.protocol SSL or SASL_SSL$'
plain='it closed the connection during the TLS handshake, as a port without TLS does \(is security.protocol right\?\)$'
ok 'no TLS at a port with TLS' fails "$tls" plaintext SSL
ok '... with a login' fails "$tls" sasl-plain SASL_SSL
ok 'TLS at a port without' fails "$plain" ssl-pkcs12 PLAINTEXT
ok '... with a login' fails "$plain" sasl-ssl-plain SASL_PLAINTEXT
ok 'no login at a port that wants one' fails 'it closed the connection at the first request, .*security.protocol' ssl-pkcs12 SASL_SSL
ok 'a login at a port that wants none' fails 'this port wants no login: security.protocol should be SSL$' sasl-ssl-gssapi SSL

# ---- secrets ----

# no_secret FILE...: passwords of the sandbox, a token, a key.
no_secret()
{
    ! grep -EnH 'admin-secret|watcher-secret|nobody-secret|sandbox-secret|guessed|eyJ|PRIVATE KEY' "$@" >"$scratch/leak" && return
    head -n 5 "$scratch/leak" | diag
    return 1
}
ok 'no secret was printed or logged' no_secret "$scratch/all" "$scratch/kafops.log"
