# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# What `sandbox up --tls --sasl` adds: certificates, a Kerberos realm with its
# KDC, users, rights, more listeners, and a client.properties for each way to
# reach the brokers. Sourced by the sandbox.
#
# Layout, beside what the sandbox has:
#   certs/                 by tests/peer/certs.sh; stores by openssl and keytool
#   kdc/                   krb5.conf, kdc.conf, the realm's data, keytabs
#   broker-N/port-NAME     of each further listener
#   clients/NAME.properties
#
# Listeners, all on 127.0.0.1, advertised as localhost:
#   PLAINTEXT              the sandbox's own tools and the brokers among themselves
#   SSL                    asks for a certificate, takes none as well
#   MTLS                   wants a certificate
#   EXPIRED, SELF_SIGNED, WRONG_HOST   with --bad-certificates: as they say
#   SASL_PLAINTEXT, SASL_SSL
#
# Users: admin (may all), watcher (may describe topics, not the cluster), nobody
# (no rights). PLAIN and SCRAM: the password is NAME-secret. Kerberos knows admin
# and watcher. A client certificate is CN=ops, who may all; so may who comes
# without a name.

readonly store_password=sandbox-secret realm=SANDBOX.EXAMPLE
readonly sasl_users="admin watcher nobody"
tls=no
sasl=no
bad_certificates=no

# security_need: the programs, before anything is started.
security_need()
{
    local tools=() tool
    [ "$tls" = no ] || tools+=(openssl keytool)
    [ "$sasl" = no ] || tools+=(openssl krb5kdc kadmin.local kdb5_util kinit)
    PATH=$PATH:/usr/sbin:/sbin
    for tool in "${tools[@]}"; do
        command -v "$tool" >/dev/null ||
            die "$tool is needed (Debian: openssl, krb5-kdc, krb5-admin-server, a JDK); scripts/check installs it"
    done
}

# listeners: their names but PLAINTEXT.
listeners()
{
    [ "$tls" = no ] || printf '%s\n' SSL MTLS
    [ "$bad_certificates" = no ] || printf '%s\n' EXPIRED SELF_SIGNED WRONG_HOST
    [ "$sasl" = no ] || printf '%s\n' SASL_PLAINTEXT
    [ "$tls" = no ] || [ "$sasl" = no ] || printf '%s\n' SASL_SSL
}

# has_oauth: OAUTHBEARER came with Kafka 2.0 (KIP-255).
has_oauth() { kafka_at_least 2 0; }

mechanisms()
{
    printf 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,GSSAPI'
    ! has_oauth || printf ',OAUTHBEARER'
}

# security_jvm: options for every JVM, one a line.
security_jvm()
{
    [ "$sasl" = yes ] || return 0
    printf '%s\n' "-Djava.security.krb5.conf=$dir/kdc/krb5.conf"
    # Kafka before 2.3 asks a class of the JDK's own for the realm (KerberosUtil).
    printf '%s\n' --add-exports java.security.jgss/sun.security.krb5=ALL-UNNAMED
}

# ---- certificates ----

# Four JVMs, two at a time: most of what --tls costs.
certs_make()
{
    local certs=$dir/certs name
    (
        umask 077
        kafops_quietly bash "$kafops_top/tests/peer/certs.sh" "$certs"
        cd "$certs" || exit
        for name in good expired self-signed wrong-host client stranger; do
            openssl pkcs12 -export -name "$name" -inkey "$name.key" -in "$name.pem" -out "$name.p12" \
                -passout "pass:$store_password" -certfile ca.pem
        done
        # Kafka wants PKCS8, openssl's older form isn't (KIP-651). Encrypted: with what Java below 19 can open.
        openssl pkcs8 -topk8 -nocrypt -in client.key -out client.pk8
        openssl pkcs8 -topk8 -v1 PBE-SHA1-3DES -in client.key -out client.pk8e -passout "pass:$store_password"
        cat client.pk8 client.pem >client-both.pem
        cat client.pk8e client.pem >client-both-encrypted.pem
        key_tool -importcert -noprompt -alias ca -file ca.pem -keystore trust.p12
        key_tool -J-Dkeystore.pkcs12.legacy -importcert -noprompt -alias ca -file ca.pem -keystore trust-legacy.p12 &
        key_tool -J-Dkeystore.pkcs12.legacy -importkeystore -noprompt -srckeystore client.p12 \
            -srcstorepass "$store_password" -destkeystore client-legacy.p12
        key_tool -importcert -noprompt -alias other -file other-ca.pem -keystore other-trust.p12
        wait $!
        # Named as most people name them, with the same bytes.
        for name in trust trust-legacy client client-legacy; do
            cp "$name.p12" "$name.jks"
        done
    )
}

key_tool()
{
    kafops_quietly keytool -J-Xshare:auto -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC \
        -storetype PKCS12 -storepass "$store_password" "$@"
}

# ---- the KDC ----

kdc_make()
{
    local home=$dir/kdc port name
    mkdir -p "$home" "$dir/clients"
    chmod 700 "$home" "$dir/clients"
    port=$(free_port)
    printf '%s\n' "$port" >"$home/port"
    cat >"$home/krb5.conf" <<END
[libdefaults]
 default_realm = $realm
 dns_lookup_realm = false
 dns_lookup_kdc = false
 dns_canonicalize_hostname = false
 rdns = false
 udp_preference_limit = 1
[realms]
 $realm = {
  kdc = 127.0.0.1:$port
 }
[domain_realm]
 localhost = $realm
END
    cat >"$home/kdc.conf" <<END
[kdcdefaults]
 kdc_listen = ""
 kdc_tcp_listen = 127.0.0.1:$port
[realms]
 $realm = {
  database_name = $home/principal
  key_stash_file = $home/stash
  acl_file = $home/acl
  supported_enctypes = aes256-cts:normal
 }
[logging]
 kdc = FILE:$home/kdc.log
END
    kafops_quietly env "KRB5_CONFIG=$home/krb5.conf" "KRB5_KDC_PROFILE=$home/kdc.conf" \
        kdb5_util create -s -r "$realm" -P "$store_password"
    kdc_admin >"$home/kadmin.log" 2>&1 <<END
addprinc -randkey kafka/localhost
addprinc -randkey admin
addprinc -randkey watcher
ktadd -k $home/kafka.keytab kafka/localhost
ktadd -k $dir/clients/admin.keytab admin
ktadd -k $dir/clients/watcher-and-admin.keytab -norandkey watcher admin
END
    kdc_start
}

kdc_start() { spawn kdc env "KRB5_CONFIG=$dir/kdc/krb5.conf" "KRB5_KDC_PROFILE=$dir/kdc/kdc.conf" "PATH=$PATH:/usr/sbin:/sbin" krb5kdc -n; }

kdc_admin()
{
    KRB5_CONFIG=$dir/kdc/krb5.conf KRB5_KDC_PROFILE=$dir/kdc/kdc.conf kadmin.local -r "$realm"
}

kdc_wait()
{
    poll "$start_deadline" kdc_gives_ticket ||
        die "the KDC gives no ticket: $(tail -n 3 "$dir/kdc/out" "$dir/kdc/kadmin.log" "$dir/kdc/kinit.log" 2>&1)"
}

kdc_gives_ticket()
{
    KRB5_CONFIG=$dir/kdc/krb5.conf kinit -k -t "$dir/clients/admin.keytab" -c "FILE:$dir/clients/admin.ccache" admin \
        >"$dir/kdc/kinit.log" 2>&1
}

# ---- users and rights ----

# scram SHA-BITS USER: the credentials as Kafka keeps them in /config/users (ScramFormatter, RFC 5802).
scram()
{
    local digest=sha$1 salt salted client
    salt=$(openssl rand -hex 16)
    salted=$(openssl kdf -binary -keylen $(($1 / 8)) -kdfopt "digest:$digest" -kdfopt "pass:$2-secret" \
        -kdfopt "hexsalt:$salt" -kdfopt iter:4096 PBKDF2 | to_hex)
    client=$(printf 'Client Key' | openssl mac -binary -digest "$digest" -macopt "hexkey:$salted" HMAC | to_hex)
    printf 'salt=%s,stored_key=%s,server_key=%s,iterations=4096' "$(from_hex "$salt" | openssl base64 -A)" \
        "$(from_hex "$client" | openssl dgst -binary "-$digest" | openssl base64 -A)" \
        "$(printf 'Server Key' | openssl mac -binary -digest "$digest" -macopt "hexkey:$salted" HMAC | openssl base64 -A)"
}

to_hex() { od -An -v -tx1 | tr -d ' \n'; }
# shellcheck disable=SC2059,SC2001  # the format is made of nothing but \x escapes
from_hex() { printf "$(sed 's/../\\x&/g' <<<"$1")"; }

# users_make: into ZooKeeper, before there is a broker, as kafka-configs and kafka-acls write them.
users_make()
{
    local user
    for user in $sasl_users; do
        printf 'create-r\t%s/config/users/%s\t{"version":1,"config":{"SCRAM-SHA-256":"%s","SCRAM-SHA-512":"%s"}}\n' \
            "$chroot" "$user" "$(scram 256 "$user")" "$(scram 512 "$user")"
    done >"$dir/users.batch"
    printf 'create-r\t%s/kafka-acl/Topic/*\t{"version":1,"acls":[{"principal":"User:watcher","permissionType":"Allow","operation":"Describe","host":"*"}]}\n' \
        "$chroot" >>"$dir/users.batch"
    zk_wait 1
    (helper ZkTool batch "127.0.0.1:$(zk_port 1)" "$dir/users.batch")
    rm -f "$dir/users.batch"
}

# ---- brokers ----

# security_broker N: further lines of server.properties.
security_broker()
{
    local n=$1 name home=$dir/broker-$1 list all map
    list=PLAINTEXT://127.0.0.1:$(cat "$home/port")
    all=$list
    map=PLAINTEXT:PLAINTEXT
    for name in $(listeners); do
        free_port >"$home/port-$name"
        list=$list,$name://127.0.0.1:$(cat "$home/port-$name")
        all=$all,$name://localhost:$(cat "$home/port-$name")
        case $name in SASL_*) map=$map,$name:$name ;; *) map=$map,$name:SSL ;; esac
    done
    set_properties "$home/server.properties" "listeners=$list" "advertised.listeners=$all" \
        "listener.security.protocol.map=$map" inter.broker.listener.name=PLAINTEXT
    {
        [ "$tls" = no ] || security_broker_tls
        [ "$sasl" = no ] || security_broker_sasl
    } >>"$home/server.properties"
}

security_broker_tls()
{
    cat <<END
ssl.keystore.type=PKCS12
ssl.keystore.location=$dir/certs/good.p12
ssl.keystore.password=$store_password
ssl.key.password=$store_password
ssl.truststore.type=PKCS12
ssl.truststore.location=$dir/certs/trust.p12
ssl.truststore.password=$store_password
listener.name.ssl.ssl.client.auth=requested
listener.name.mtls.ssl.client.auth=required
END
    [ "$bad_certificates" = no ] || cat <<END
listener.name.expired.ssl.keystore.location=$dir/certs/expired.p12
listener.name.self_signed.ssl.keystore.location=$dir/certs/self-signed.p12
listener.name.wrong_host.ssl.keystore.location=$dir/certs/wrong-host.p12
END
}

security_broker_sasl()
{
    local name user users=
    for user in $sasl_users; do
        users="$users user_$user=\"$user-secret\""
    done
    printf '%s\n' "sasl.enabled.mechanisms=$(mechanisms)" sasl.kerberos.service.name=kafka \
        'super.users=User:ANONYMOUS;User:admin;User:CN=ops'
    if kafka_at_least 2 4; then
        printf 'authorizer.class.name=kafka.security.authorizer.AclAuthorizer\n'
    else
        printf 'authorizer.class.name=kafka.security.auth.SimpleAclAuthorizer\n'
    fi
    for name in $(listeners | sed -n '/^SASL/s/.*/\L&/p'); do
        name=listener.name.$name
        cat <<END
$name.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="admin" password="admin-secret"$users;
$name.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
$name.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
$name.gssapi.sasl.jaas.config=com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true keyTab="$dir/kdc/kafka.keytab" principal="kafka/localhost@$realm";
END
        ! has_oauth || cat <<END
$name.oauthbearer.sasl.jaas.config=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="kafka";
END
    done
}

# connect_by NAME: the connect string of a listener.
connect_by()
{
    local n list=
    for n in $(numbers_of broker); do
        list=$list,localhost:$(cat "$dir/broker-$n/port-$1")
    done
    printf '%s\n' "${list#,}"
}

# ---- clients ----

# client NAME LISTENER PROTOCOL: writes clients/NAME.properties; more lines on standard input.
client()
{
    local name=$1 listener=$2 protocol=$3
    {
        printf 'bootstrap.servers=%s\nsecurity.protocol=%s\n' \
            "$([ "$listener" = PLAINTEXT ] && bootstrap || connect_by "$listener")" "$protocol"
        cat
    } >"$dir/clients/$name.properties"
}

trust() # FILE [TYPE]
{
    printf 'ssl.truststore.location=%s\n' "$dir/certs/$1"
    [ "$1" != "${1%.pem}" ] || printf 'ssl.truststore.password=%s\n' "$store_password"
    [ -z "${2:-}" ] || printf 'ssl.truststore.type=%s\n' "$2"
}

identity() # FILE [TYPE]
{
    printf 'ssl.keystore.location=%s\n' "$dir/certs/$1"
    [ "$1" != "${1%.pem}" ] ||
        printf 'ssl.keystore.password=%s\nssl.key.password=%s\n' "$store_password" "$store_password"
    [ -z "${2:-}" ] || printf 'ssl.keystore.type=%s\n' "$2"
}

# inline FILE: PEM as one value over many lines.
inline() { sed -e 's/$/\\n\\/' -e '$s/\\n\\$//' "$1"; }

clients_make()
{
    mkdir -p "$dir/clients"
    (
        umask 077
        client plaintext PLAINTEXT PLAINTEXT </dev/null
        [ "$tls" = no ] || clients_tls
        [ "$sasl" = no ] || clients_sasl SASL_PLAINTEXT sasl /dev/null
        [ "$tls" = no ] || [ "$sasl" = no ] || clients_sasl SASL_SSL sasl-ssl <(trust trust.p12 PKCS12)
    )
}

clients_tls()
{
    local certs=$dir/certs
    trust ca.pem PEM | client ssl-pem SSL SSL
    trust trust.p12 PKCS12 | client ssl-pkcs12 SSL SSL
    trust trust.jks | client ssl-pkcs12-jks SSL SSL
    trust trust-legacy.p12 PKCS12 | client ssl-pkcs12-legacy SSL SSL
    trust trust-legacy.jks | client ssl-pkcs12-legacy-jks SSL SSL
    trust other-trust.p12 PKCS12 | client ssl-other-ca SSL SSL
    { trust ca.pem PEM; identity client-both.pem PEM; } | client mtls-pem MTLS SSL
    { trust ca.pem PEM; identity client-both-encrypted.pem PEM; printf 'ssl.key.password=%s\n' "$store_password"; } |
        client mtls-pem-encrypted MTLS SSL
    {
        printf 'ssl.truststore.type=PEM\nssl.truststore.certificates=%s\n' "$(inline "$certs/ca.pem")"
        printf 'ssl.keystore.type=PEM\nssl.keystore.key=%s\n' "$(inline "$certs/client.pk8")"
        printf 'ssl.keystore.certificate.chain=%s\n' "$(inline "$certs/client.pem")"
    } | client mtls-pem-inline MTLS SSL
    { trust trust.p12 PKCS12; identity client.p12 PKCS12; } | client mtls-pkcs12 MTLS SSL
    { trust trust.p12 PKCS12; identity stranger.p12 PKCS12; } | client mtls-stranger MTLS SSL
    { trust trust.jks; identity client.jks; } | client mtls-pkcs12-jks MTLS SSL
    { trust trust-legacy.p12 PKCS12; identity client-legacy.p12 PKCS12; } | client mtls-pkcs12-legacy MTLS SSL
    { trust trust-legacy.jks; identity client-legacy.jks; } | client mtls-pkcs12-legacy-jks MTLS SSL
    trust trust.p12 PKCS12 | client mtls-no-certificate MTLS SSL
}

# password MECHANISM USER PASSWORD
password()
{
    local module=scram.ScramLoginModule
    [ "$1" != PLAIN ] || module=plain.PlainLoginModule
    printf 'sasl.mechanism=%s\nsasl.jaas.config=org.apache.kafka.common.security.%s required username="%s" password="%s";\n' \
        "$1" "$module" "$2" "$3"
}

# kerberos OPTIONS
kerberos()
{
    printf 'sasl.mechanism=GSSAPI\nsasl.kerberos.service.name=kafka\n'
    printf 'sasl.jaas.config=com.sun.security.auth.module.Krb5LoginModule required %s;\n' "$1"
}

# clients_sasl LISTENER PREFIX MORE: MORE is a file with further lines.
clients_sasl()
{
    local listener=$1 prefix=$2 more user
    more=$(cat "$3")
    sasl_client() { { cat; printf '%s\n' "$more"; } | client "$prefix-$1" "$listener" "$listener"; }
    password PLAIN admin admin-secret | sasl_client plain
    password SCRAM-SHA-256 admin admin-secret | sasl_client scram-256
    password SCRAM-SHA-512 admin admin-secret | sasl_client scram-512
    password PLAIN watcher watcher-secret | sasl_client watcher
    password SCRAM-SHA-512 nobody nobody-secret | sasl_client nobody
    password PLAIN admin guessed | sasl_client wrong-password
    password SCRAM-SHA-256 admin guessed | sasl_client scram-wrong-password
    kerberos "useKeyTab=true storeKey=true keyTab=\"$dir/clients/admin.keytab\" principal=\"admin@$realm\"" |
        sasl_client gssapi
    kerberos "useKeyTab=true storeKey=true keyTab=\"$dir/clients/watcher-and-admin.keytab\" principal=\"admin@$realm\"" |
        sasl_client gssapi-second-in-keytab
    kerberos "useTicketCache=true ticketCache=\"$dir/clients/admin.ccache\"" | sasl_client gssapi-cache
    kerberos "useTicketCache=true ticketCache=\"$dir/clients/none.ccache\"" | sasl_client gssapi-no-ticket
    ! has_oauth || printf '%s\n' sasl.mechanism=OAUTHBEARER \
        'sasl.jaas.config=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="admin";' |
        sasl_client oauth
}

# ---- env ----

# security_env: NAME VALUE a line.
security_env()
{
    local name n
    for name in $(listeners); do
        printf 'KAFKA_%s %s\n' "$name" "$(connect_by "$name")"
        for n in $(numbers_of broker); do
            printf 'BROKER%d_%s_PORT %s\n' "$n" "$name" "$(cat "$dir/broker-$n/port-$name")"
        done
    done
    [ ! -d "$dir/clients" ] || printf 'KAFOPS_CLIENTS %s\n' "$dir/clients"
    [ "$sasl" = no ] || printf 'KAFOPS_KRB5_CONFIG %s\n' "$dir/kdc/krb5.conf"
}
