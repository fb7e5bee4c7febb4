#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What kafops info says of a client.properties: each line with its place, secrets masked, what is not used, what is wrong. Handed
# cases among them. Needs no peer.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cases=$e2e_top/tests/cases
command -v jq >/dev/null || skip_all "jq is not installed"
command -v openssl >/dev/null || skip_all "openssl is not installed"
cd "$scratch" || exit 1

# info FILE [ARG...]: standard output, standard error and the status are in out, err and $status.
info() { "$KAFOPS" info --json --command-config "$@" >out 2>err; status=$?; }
# put FILE LINE...: that nobody else may read.
put() { (umask 077; printf '%s\n' "${@:2}" >"$1"); }
# lines FILE: NAME=VALUE@LINE of each setting from it.
settings() { jq -r --arg f "$1:" '.items[] | select(.set_by | startswith($f)) | "\(.name)=\(.value)@\(.set_by[($f | length):])"' out; }
warnings() { jq -r '.warnings[]' out; }
warned() { warnings | grep -Fxq -- "$1" || { warnings | diag; return 1; }; }
no_secret() { ! grep -Eqs -- 'geheim|s3cret|pa55' out err log; }

plan 34

# ---- handed cases ----
cp "$cases/SC-01-client.properties" "$cases/SC-03-jaas.properties" .
chmod 600 ./*.properties
info SC-01-client.properties
is 'SC-01: each line is read as Java reads it' "$(settings SC-01-client.properties)" \
    'bootstrap.servers=b1.example:9092,b2.example:9092@3
security.protocol=SASL_SSL@5
ssl.truststore.password=***@6
ssl.truststore.location=C:\certs\trust.jks@7
empty.value=@8
no.separator=@9
unicode.name=***@10'
ok '... the blank behind the password is kept, and said' warned 'SC-01-client.properties:6: ssl.truststore.password begins or ends with a blank, which is taken as part of it; Kafka'\''s own tools cut it off'
ok '... what is not known is said' warned 'SC-01-client.properties: not known here, and not used: empty.value (line 8), no.separator (line 9), unicode.name (line 10)'
is '... and that the store of another machine is not here' "$status,$(cat err),$(jq -c .complete out)" \
    '5,kafops: SC-01-client.properties: line 7, column 1: ssl.truststore.location: C:\certs\trust.jks: No such file or directory,false'
ok '... the password is not shown' no_secret
info SC-03-jaas.properties
is 'SC-03: the fault is named' "$status,$(cat err)" \
    '5,kafops: SC-03-jaas.properties: line 3, column 18: sasl.jaas.config: character 96: it must end with ;'
is '... the lines are shown, the login line not at all' "$(settings SC-03-jaas.properties)" \
    'security.protocol=SASL_SSL@1
sasl.mechanism=SCRAM-SHA-512@2
sasl.jaas.config=***@3'
ok '... nor the password' no_secret
"$KAFOPS" topics --zookeeper localhost:1 --command-config SC-03-jaas.properties >out 2>err
is '... other commands refuse it at the start' "$?,$(wc -l <err)" 1,1
"$KAFOPS" --zookeeper localhost:1 --command-config SC-03-jaas.properties >out 2>err
is '... so does the console' "$?,$(cat err)" \
    '1,kafops: SC-03-jaas.properties: line 3, column 18: sasl.jaas.config: character 96: it must end with ;'

# ---- what is shown ----
put c security.protocol=sasl_plaintext sasl.mechanism=SCRAM-SHA-512 \
    'sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="ops" password="geheim";' \
    bootstrap.servers=b1:9092 acks=all metadata.broker.list=b2:9092 client.idd=x
info c -v --log-file log
is 'a good file is status 0' "$status,$(cat err),$(jq -c .complete out)" 0,,true
is '... a login line without its password' "$(settings c | sed -n 3p)" \
    'sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="ops" password=***;@3'
is '... all that is worth a word is' "$(warnings)" \
    'c:4: bootstrap.servers means the same as metadata.broker.list in line 6, which comes later and counts
c:7: client.idd is not known; client.id is
c: not known here, and not used: client.idd (line 7)
c: no meaning here, and not used: acks (line 5)'
ok '... also in the log' grep -Fq 'WARN reach: c: no meaning here, and not used: acks (line 5)' log
ok '... the password nowhere' no_secret
is 'the option that named it is shown' "$(jq -c '.items[] | select(.name == "command-config") | [.value, .set_by]' out)" \
    '["c","option --command-config"]'
KAFOPS_BOOTSTRAP_SERVER='[::1]:1' info c
is 'so is a variable' "$(jq -c '.items[] | select(.name == "bootstrap-server") | [.value, .set_by]' out)" \
    '["[::1]:1","variable KAFOPS_BOOTSTRAP_SERVER"]'
ok '... and what it overrules' warned 'c:6: metadata.broker.list is not used, for KAFOPS_BOOTSTRAP_SERVER says which brokers to begin with'
"$KAFOPS" info --output table --command-config c >out 2>err
is 'the table has them, too' "$(awk '$1 == "acks" { print $2, $3 }' out),$(grep -c '^kafops: c' err)" 'all c:5,4'
put c $'evil\e[2Jname=\x1b]0;x\a'
info c
ok 'names from a file stay text' grep -Fq 'evil^[[2Jname (line 1)' out
chmod 644 c && printf '%s\n' security.protocol=SASL_PLAINTEXT sasl.mechanism=PLAIN sasl.username=u sasl.password=geheim >c
info c
ok 'a password that everybody may read is said' warned 'c: it holds a password, and everybody on this machine may read it; chmod o-r mends that'
ok '... and not shown' no_secret

# ---- certificates ----
openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=ca.example -keyout ca.key -out ca.pem -days 30 2>openssl.log || bail_out 'no certificate could be made'
put c security.protocol=SSL
SSL_CERT_FILE=$scratch/none SSL_CERT_DIR=$scratch/none info c
is 'a system without CAs is said, with the setting to use' "$status,$(cat err)" \
    "5,kafops: c: this system has no CAs (looked into $scratch/none and $scratch/none); set ssl.truststore.location to a file with the CA of the brokers' certificates"
SSL_CERT_FILE=$scratch/ca.pem info c
is '... with some it is fine' "$status,$(warnings)" 0,
mkdir cas && cp ca.pem cas
put c security.protocol=SSL ssl.ca.location=cas
info c
is 'a folder of CAs that OpenSSL can not use is said' "$status,$(cat err)" \
    '5,kafops: c: line 2, column 1: ssl.ca.location: cas: a folder without certificates under the names OpenSSL looks for; run openssl rehash on it, or name a file'
openssl rehash cas
info c
is '... what mends it mends it' "$status,$(warnings)" 0,
put c 'ssl.ca.location=ca.pem' 'sasl.mechanism=PLAIN'
info c
is 'settings without effect are said' "$status,$(warnings)" \
    '0,c:1: ssl.ca.location has no effect, for security.protocol is PLAINTEXT and none of SSL, SASL_PLAINTEXT, SASL_SSL'

# ---- files that are none ----
info nowhere
is 'a file that is not there is status 5 for info' "$status,$(cat err)" '5,kafops: --command-config: nowhere: No such file or directory'
"$KAFOPS" topics --zookeeper localhost:1 --command-config . >out 2>err
is '... 1 for the others, a folder, too' "$?,$(cat err)" '1,kafops: --command-config: .: a folder; a file is needed here'
"$KAFOPS" info --command-config <(printf 'client.id=from-a-pipe\n') --json >out 2>err
ok 'a pipe is read' grep -q from-a-pipe out
mkfifo fifo
"$KAFOPS" info --command-config fifo --json >out 2>err
is 'one that nobody writes to is a sentence, at once' "$?,$(cat err)" '5,kafops: --command-config: fifo: a pipe that nobody writes to'
"$KAFOPS" topics --zookeeper localhost:1 --command-config fifo >out 2>err
is '... for other commands, too' "$?,$(cat err)" '1,kafops: --command-config: fifo: a pipe that nobody writes to'
exec 3<>fifo
"$KAFOPS" info --command-config fifo --json >out 2>err 3>&- &
pid=$!
begun() { [ "$(readlink "/proc/$pid/exe")" = "$(readlink -f "$KAFOPS")" ]; }
opened() { begun && find "/proc/$pid/fd" -lname '*/fifo' 2>/dev/null | grep -q .; }
poll_or_tell opened
printf 'client.id=from-a-fifo\n' >&3
exec 3>&-
wait "$pid"
ok 'one that somebody is about to write to is read' grep -q from-a-fifo out
exec 3<>fifo
"$KAFOPS" info --command-config fifo >out 2>err 3>&- &
pid=$!
# A signal to the shell that is about to become the program may be lost.
poll_or_tell begun
kill -TERM "$pid"
wait "$pid"
is 'one whose writer says nothing can be left by a signal' "$?" 143
exec 3>&-
