#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Opens stores that real keytool and real openssl made, as Java 17 makes them
# and as older Java did, and looks at what came out with openssl. Speaks TAP.
set -u
export LC_ALL=C.UTF-8

top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
top_builddir=${top_builddir:-.}
storeprint=$top_builddir/tests/tools/storeprint
for tool in java keytool openssl; do
	command -v $tool >/dev/null || {
		echo "1..0 # SKIP no $tool (Debian: openjdk-17-jdk-headless, openssl)"
		exit 0
	}
done
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
out=$scratch/out
mkdir "$out"
umask 077
cd "$scratch" || exit 99
case $storeprint in /*) ;; *) storeprint=$OLDPWD/$storeprint ;; esac

tap_count=0
tap_failed=0

# ok NAME COMMAND...: holds when COMMAND succeeds; what was printed last is shown if it doesn't.
ok() {
	local name=$1
	shift
	tap_count=$((tap_count + 1))
	if "$@"; then
		echo "ok $tap_count - $name"
	else
		tap_failed=1
		echo "not ok $tap_count - $name"
		printf '%s\n' "${printed:-}" | sed 's/^/# /'
	fi
}

# quietly COMMAND...: a test can't go on when its own tools fail.
quietly() {
	"$@" >"$scratch/tool.log" 2>&1 </dev/null || {
		echo "Bail out! $1 failed: $(tail -n 3 "$scratch/tool.log" | tr '\n' ' ')"
		exit 99
	}
}

kt() { quietly keytool -J-Xshare:auto -J-XX:TieredStopAtLevel=1 "$@"; }

# open LINE...: a client.properties of these lines, opened; $printed is what was said.
open() {
	rm -f "$out"/*
	printf '%s\n' security.protocol=SSL "$@" >"$scratch/client.properties"
	printed=$("$storeprint" "$scratch/client.properties" "$out" 2>&1)
}

# says LINE: was that line printed, whole?
says() { grep -qxF -- "$1" <<<"$printed"; }
says_like() { grep -qE -- "$1" <<<"$printed"; }
not() { ! "$@"; }

trusts() { # COUNT SUBJECT...: exactly these, in any order
	local n=$1
	shift
	[ "$(grep -c BEGIN "$out/trust.pem")" = "$n" ] &&
		[ "$(openssl crl2pkcs7 -nocrl -certfile "$out/trust.pem" | openssl pkcs7 -print_certs -noout |
			sed -n 's/^subject=//p' | sort)" = "$(printf '%s\n' "$@" | sort)" ]
}

# The chain begins with this subject, and the key fits the certificate.
key_fits() {
	[ "$(openssl x509 -in "$out/chain.pem" -noout -subject)" = "subject=$1" ] &&
		[ "$(openssl x509 -in "$out/chain.pem" -noout -pubkey)" = "$(openssl pkey -in "$out/key.pem" -pubout)" ]
}

# ---- certificates ------------------------------------------------------------

ec() { quietly openssl ecparam -name prime256v1 -genkey -noout -out "$1"; }
ca() { ec "$1.key"; quietly openssl req -x509 -new -key "$1.key" -subj "/CN=$1" -days 30 -out "$1.pem"; }

ca ca1
ca ca2
ec client.key
quietly openssl req -new -key client.key -subj /CN=client -out client.csr
quietly openssl x509 -req -in client.csr -CA ca1.pem -CAkey ca1.key -CAcreateserial -days 30 -out client.pem

# ---- trust stores of Java ----------------------------------------------------

kt -importcert -noprompt -alias one -file ca1.pem -keystore t17.p12 -storepass secret1
kt -importcert -noprompt -alias two -file ca2.pem -keystore t17.p12 -storepass secret1
open ssl.truststore.location="$PWD/t17.p12" ssl.truststore.password=secret1
ok 'a trust store of Java 17 has all its certificates' says 'trust PKCS12 2'
ok 'and they are the ones that were put in' trusts 2 'CN = ca1' 'CN = ca2'

kt -J-Dkeystore.pkcs12.legacy -importcert -noprompt -alias one -file ca1.pem -keystore old.jks -storepass secret1
kt -J-Dkeystore.pkcs12.legacy -importcert -noprompt -alias two -file ca2.pem -keystore old.jks -storepass secret1
open ssl.truststore.location="$PWD/old.jks" ssl.truststore.type=JKS ssl.truststore.password=secret1
ok 'a PKCS12 store of older Java, named .jks and called JKS, is opened with the legacy provider' says 'trust PKCS12 2 legacy'
ok 'all its certificates are found' trusts 2 'CN = ca1' 'CN = ca2'

open ssl.truststore.location="$PWD/t17.p12" ssl.truststore.password=secret2
ok 'a wrong password is a sentence' says "error $PWD/t17.p12: the password doesn't open it; mend ssl.truststore.password"
open ssl.truststore.location="$PWD/old.jks" ssl.truststore.password=secret2
ok 'for an old store, too' says "error $PWD/old.jks: the password doesn't open it; mend ssl.truststore.password"
open ssl.truststore.location="$PWD/t17.p12"
ok 'a missing password is a sentence' says "error $PWD/t17.p12: it is enciphered; set ssl.truststore.password"
open ssl.truststore.location="$PWD/t17.p12" ssl.truststore.password='secret1 '
ok 'a blank behind the password is cut, as Kafka does, when it does not open so' says 'trust PKCS12 2'
PW_OF_STORE=secret1 open ssl.truststore.location="$PWD/t17.p12" ssl.truststore.password=env:PW_OF_STORE
ok 'the password may come from the environment' says 'trust PKCS12 2'
echo secret1 >pw
open ssl.truststore.location="$PWD/t17.p12" ssl.truststore.password=file:"$PWD/pw"
ok 'or from a file' says 'trust PKCS12 2'

cp t17.p12 empty.p12
kt -delete -alias one -keystore empty.p12 -storepass secret1
kt -delete -alias two -keystore empty.p12 -storepass secret1
open ssl.truststore.location="$PWD/empty.p12" ssl.truststore.password=secret1
ok 'an empty store is a sentence' says "error $PWD/empty.p12: there is no certificate in it"

kt -J-Dkeystore.pkcs12.certProtectionAlgorithm=NONE -J-Dkeystore.pkcs12.macAlgorithm=NONE \
	-importcert -noprompt -alias one -file ca1.pem -keystore open.p12 -storepass secret1
open ssl.truststore.location="$PWD/open.p12"
ok 'a store that is not enciphered needs no password' says 'trust PKCS12 1'
open ssl.truststore.location="$PWD/open.p12" ssl.truststore.password=whatever
ok 'and takes any' says 'trust PKCS12 1'

# ---- JKS, JCEKS --------------------------------------------------------------

mkdir "with blank's"
for type in JKS JCEKS; do
	store="$PWD/with blank's/$type"
	kt -importcert -noprompt -alias one -storetype $type -file ca1.pem -keystore "$store" -storepass secret1
	open ssl.truststore.location="$store" ssl.truststore.type=PKCS12 ssl.truststore.password=secret1
	ok "a true $type is refused" says_like "^error a $type store, which only Java opens"
	command=${printed#*once: }
	quietly bash -c "$command -srcstorepass secret1 -deststorepass secret1 -noprompt"
	open ssl.truststore.location="$store.p12" ssl.truststore.password=secret1
	ok "the command that was named converts it" says 'trust PKCS12 1'
done
long=$PWD/$(printf 'x%.0s' {1..200}).jks
cp "with blank's/JKS" "$long"
folder=$PWD/$(printf 'f%.0s' {1..50})
mkdir "$folder"
cp "with blank's/JKS" "$folder/s.jks"
open ssl.truststore.location="$folder/s.jks" ssl.truststore.password=secret1
ok 'for a long path the new store is put into the folder one is in' \
	says_like " -srckeystore $folder/s.jks -deststoretype PKCS12 -destkeystore s\\.jks\\.p12$"
open ssl.truststore.location="$long" ssl.truststore.password=secret1
ok 'for a path too long to be repeated the command is still whole' \
	says_like ' -srckeystore STORE -deststoretype PKCS12 -destkeystore STORE\.p12$'

# ---- key stores ---------------------------------------------------------------

kt -genkeypair -alias me -keyalg EC -dname CN=me -validity 30 -keystore k17.p12 -storepass secret1
open ssl.keystore.location="$PWD/k17.p12" ssl.keystore.password=secret1
ok 'a key store of Java 17 gives key and certificate' says 'identity PKCS12 1'
ok 'which fit' key_fits 'CN = me'
open ssl.keystore.location="$PWD/k17.p12" ssl.keystore.password=secret1 ssl.key.password=secret1
ok 'also when the key password is named again' says 'identity PKCS12 1'
open ssl.keystore.location="$PWD/k17.p12" ssl.keystore.password=pa55
ok 'a wrong password is a sentence without it' says "error $PWD/k17.p12: the password doesn't open it; mend ssl.keystore.password"
open ssl.truststore.location="$PWD/k17.p12" ssl.truststore.password=secret1
ok 'as a trust store it trusts its own certificate' trusts 1 'CN = me'

kt -J-Dkeystore.pkcs12.legacy -genkeypair -alias old -keyalg RSA -dname CN=old -startdate -20d -validity 10 \
	-keystore kold.jks -storepass secret1
open ssl.keystore.location="$PWD/kold.jks" ssl.keystore.password=secret1
ok 'a key store of older Java is opened' says 'identity PKCS12 1 legacy'
ok 'key and certificate fit' key_fits 'CN = old'
ok 'that it expired is said, with the day' \
	says_like "^note $PWD/kold.jks: the certificate of CN=old expired on [0-9]{4}-[0-9]{2}-[0-9]{2}$"
open ssl.truststore.location="$PWD/kold.jks" ssl.truststore.password=secret1
ok 'in a trust store, too' says_like '^note .* of CN=old expired on '

kt -genkeypair -alias second -keyalg EC -dname CN=second -startdate +10d -validity 30 -keystore k17.p12 -storepass secret1
open ssl.keystore.location="$PWD/k17.p12" ssl.keystore.password=secret1
ok 'of two keys one is taken, and that is said' says_like '^note .*: it holds 2 private keys; the first'

# ---- PKCS12 of openssl ----------------------------------------------------------

p12() { quietly openssl pkcs12 -export -inkey client.key -in client.pem -passout pass:secret1 "$@"; }
p12 -certfile ca1.pem -out o.p12
open ssl.keystore.location="$PWD/o.p12" ssl.keystore.password=secret1
ok 'the chain goes from our certificate to its issuer' says 'identity PKCS12 2'
ok 'and begins with ours' key_fits 'CN = client'
open ssl.truststore.location="$PWD/o.p12" ssl.truststore.password=secret1
ok 'of a key only its own certificate is trusted, as in Java' trusts 1 'CN = client'
p12 -certfile ca1.pem -legacy -out o-old.p12
open ssl.keystore.location="$PWD/o-old.p12" ssl.keystore.password=secret1
ok 'RC2-40 needs the legacy provider' says 'identity PKCS12 2 legacy'
p12 -certpbe NONE -keypbe PBE-SHA1-RC2-40 -legacy -out o-key.p12
open ssl.keystore.location="$PWD/o-key.p12" ssl.keystore.password=secret1
ok 'also where only the key has it' says 'identity PKCS12 1 legacy'
p12 -certpbe PBE-SHA1-3DES -keypbe PBE-SHA1-3DES -macalg sha1 -out o-3des.p12
open ssl.keystore.location="$PWD/o-3des.p12" ssl.keystore.password=secret1
ok '3DES does not' says 'identity PKCS12 1'
quietly openssl pkcs12 -export -nokeys -in ca1.pem -passout pass:secret1 -out plain.p12
open ssl.truststore.location="$PWD/plain.p12" ssl.truststore.password=secret1
ok 'certificates without a mark are all taken' trusts 1 'CN = ca1'
ok 'and that Java would see none is said' says_like '^note .*plain.p12: none of its certificates is marked as trusted'
open ssl.keystore.location="$PWD/plain.p12" ssl.keystore.password=secret1
ok 'a key store without a key is a sentence' says "error $PWD/plain.p12: there is no private key in it"
quietly openssl pkcs12 -export -inkey client.key -in client.pem -passout 'pass:pässwörd ' -out utf8.p12
open ssl.keystore.location="$PWD/utf8.p12" 'ssl.keystore.password=p\u00e4ssw\u00f6rd '
ok 'letters beyond ASCII and a blank that belongs to it are part of a password' says 'identity PKCS12 1'
quietly openssl pkcs12 -export -inkey client.key -in client.pem -passout pass: -out nopw.p12
open ssl.keystore.location="$PWD/nopw.p12" ssl.keystore.password=
ok 'an empty password is one' says 'identity PKCS12 1'

# Java itself, on stores of every kind. (plain.p12 is where we take what Java doesn't see.)
cp o.p12 mix.p12
kt -importcert -noprompt -alias ca2 -file ca2.pem -keystore mix.p12 -storepass secret1
cp plain.p12 marked.p12
kt -importcert -noprompt -alias two -file ca2.pem -keystore marked.p12 -storepass secret1
stores='t17.p12 old.jks k17.p12 kold.jks o.p12 o-old.p12 mix.p12 marked.p12'
quietly java -Xshare:auto -XX:TieredStopAtLevel=1 "$top_srcdir/tests/tools/Trusted.java" secret1 $stores
mapfile -t by_java <tool.log
i=0
for store in $stores; do
	open ssl.truststore.location="$PWD/$store" ssl.truststore.password=secret1
	by_us=$(openssl crl2pkcs7 -nocrl -certfile "$out/trust.pem" | openssl pkcs7 -print_certs -noout |
		sed -n 's/^subject=CN = / CN=/p' | sort | tr -d '\n')
	printed="Java:${by_java[i]:-}, we:$by_us"
	ok "$store trusts whom it trusts in Java" [ "$by_us" = "${by_java[i]:-}" ]
	i=$((i + 1))
done

# ---- PEM ------------------------------------------------------------------------

cat ca1.pem ca2.pem >both.pem
open ssl.truststore.location="$PWD/both.pem" ssl.truststore.type=PEM
ok 'all certificates of a PEM file are trusted' trusts 2 'CN = ca1' 'CN = ca2'
open ssl.ca.location="$PWD/both.pem"
ok 'by its name in librdkafka, too' says 'trust PEM 2'
quietly openssl x509 -in ca1.pem -outform DER -out ca1.der
open ssl.truststore.location="$PWD/ca1.der"
ok 'a bare certificate is one' trusts 1 'CN = ca1'
{ echo 'Bag Attributes'; cat ca1.pem; echo 'some words'; sed 's/$/\r/' ca2.pem; } >words.pem
open ssl.truststore.location="$PWD/words.pem"
ok 'words between the blocks and line ends of either kind do no harm' trusts 2 'CN = ca1' 'CN = ca2'
open ssl.truststore.type=PEM "ssl.truststore.certificates=$(tr '\n' ' ' <both.pem)"
ok 'certificates on one line of the settings are read' trusts 2 'CN = ca1' 'CN = ca2'
open ssl.truststore.type=PEM "ssl.truststore.certificates=$(sed 's/$/\\n\\/' both.pem)" ''
ok 'and on many' trusts 2 'CN = ca1' 'CN = ca2'

cat client.key client.pem ca1.pem >id.pem
open ssl.keystore.location="$PWD/id.pem" ssl.keystore.type=PEM
ok 'key and chain may stand in one PEM file' says 'identity PEM 2'
ok 'and fit' key_fits 'CN = client'
cat ca1.pem client.pem client.key >reverse.pem
open ssl.keystore.location="$PWD/reverse.pem"
ok 'in any order' key_fits 'CN = client'
chmod o+r id.pem
open ssl.keystore.location="$PWD/id.pem"
ok 'a key that everybody may read is said' says_like "^note $PWD/id.pem: it holds a private key, and everybody on this machine may read it"
open ssl.certificate.location="$PWD/client.pem" ssl.key.location="$PWD/client.key"
ok 'key and certificate may be in two files' key_fits 'CN = client'

quietly openssl pkcs8 -topk8 -in client.key -v2 aes-256-cbc -passout pass:secret1 -out k8.pem
quietly openssl pkcs8 -topk8 -in client.key -provider legacy -provider default -v1 PBE-MD5-DES -passout pass:secret1 -out k8-old.pem
quietly openssl ec -in client.key -aes256 -passout pass:secret1 -out k1.pem
for key in k8 k8-old k1; do
	open ssl.certificate.location="$PWD/client.pem" ssl.key.location="$PWD/$key.pem" ssl.key.password=secret1
	ok "an enciphered key is opened with its password ($key)" key_fits 'CN = client'
	open ssl.certificate.location="$PWD/client.pem" ssl.key.location="$PWD/$key.pem" ssl.key.password=pa55
	ok "not with another ($key)" says "error $PWD/$key.pem: the password doesn't open the private key; mend ssl.key.password"
	open ssl.certificate.location="$PWD/client.pem" ssl.key.location="$PWD/$key.pem"
	ok "nor without ($key)" says "error $PWD/$key.pem: the private key is enciphered; set ssl.key.password"
done
open ssl.keystore.type=PEM "ssl.keystore.key=$(tr '\n' ' ' <k8.pem)" "ssl.keystore.certificate.chain=$(cat client.pem ca1.pem | tr '\n' ' ')" \
	ssl.key.password=secret1
ok 'key and chain may stand in the settings' says 'identity PEM 2'
open ssl.certificate.location="$PWD/ca2.pem" ssl.key.location="$PWD/client.key"
ok 'a certificate of another key is a sentence' says "error $PWD/client.key: no certificate fits its private key"

# ---- what is no store --------------------------------------------------------------

damaged() { # WORDS FILE
	open ssl.truststore.location="$PWD/$2" ssl.truststore.password=secret1
	ok "$1" says "error $PWD/$2: $3"
}
head -c 500 t17.p12 >cut.p12
damaged 'a store that was cut off is a sentence' cut.p12 'a damaged or cut off PKCS12 store'
: >nothing
damaged 'an empty file is a sentence' nothing 'it is empty'
echo 'not a store' >words
damaged 'what is no store is a sentence' words 'neither PEM nor PKCS12'
damaged 'a file that is not there is a sentence' absent.p12 'No such file or directory'
mkdir folder
damaged 'a folder is a sentence' folder 'a folder; a file is needed here'
head -n 3 ca1.pem >noend.pem
damaged 'a PEM block without an end is a sentence' noend.pem 'the PEM block that begins in line 1 has no end'
{ cat ca1.pem; sed '3s/./?/' ca2.pem; } >letters.pem
damaged 'so is one with other letters' letters.pem \
	"the PEM block of line $(($(wc -l <ca1.pem) + 1)) has a letter that isn't base64"
sed '3d' ca1.pem >gap.pem
damaged 'a damaged certificate is a sentence' gap.pem 'the certificate of line 1 is damaged'
printf '\x30\x82\x00\x10\x30\x00garbage-garbage' >der
damaged 'so is DER that is something else' der 'neither PKCS12 nor a certificate, though it begins like one'
damaged 'a trust store with a key alone is empty' client.key 'there is no certificate in it'

echo "1..$tap_count"
exit $tap_failed
