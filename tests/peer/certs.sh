#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# certs.sh FOLDER: certificates for tests/peer, each NAME.pem with its NAME.key:
#   ca, other-ca      two authorities
#   good              of ca, for localhost and 127.0.0.1
#   expired, early    the same, but not of today
#   wrong-host        of ca, for b1.example and 192.0.2.7
#   self-signed       for localhost
#   client            of ca, for a client
#   stranger          of other-ca, for a client
#   client.p12        client with its key, password "pass"
set -eu
mkdir -p "$1"
cd "$1"

key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"; }

authority() {
	key "$1"
	openssl req -x509 -new -key "$1.key" -subj "/CN=$1.example" -days 30 -out "$1.pem"
}

# signed NAME CA SUBJECT ALTERNATIVES [FROM UNTIL]
signed() {
	local from=${5:-$(date -u -d yesterday +%Y%m%d000000Z)} until=${6:-$(date -u -d '30 days' +%Y%m%d000000Z)}
	key "$1"
	openssl req -new -key "$1.key" -subj "/CN=$3" -out "$1.csr"
	: >index.txt
	cat >ca.conf <<-END
		[ca]
		default_ca = this
		[this]
		database = index.txt
		new_certs_dir = .
		default_md = sha256
		policy = any
		rand_serial = yes
		unique_subject = no
		x509_extensions = ext
		[any]
		commonName = supplied
		[ext]
		basicConstraints = CA:FALSE
		subjectAltName = $4
	END
	openssl ca -batch -notext -config ca.conf -cert "$2.pem" -keyfile "$2.key" -in "$1.csr" -out "$1.pem" \
		-startdate "$from" -enddate "$until"
}

here=DNS:localhost,IP:127.0.0.1
authority ca
authority other-ca
signed good ca localhost $here
signed expired ca localhost $here 20200101000000Z 20210203000000Z
signed early ca localhost $here 20900102000000Z 20910101000000Z
signed wrong-host ca b1.example DNS:b1.example,IP:192.0.2.7
signed client ca ops DNS:ops
signed stranger other-ca ops DNS:ops
key self-signed
openssl req -x509 -new -key self-signed.key -subj /CN=localhost -addext "subjectAltName=$here" \
	-days 30 -out self-signed.pem
openssl pkcs12 -export -inkey client.key -in client.pem -passout pass:pass -out client.p12
