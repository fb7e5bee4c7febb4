#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every way into Kafka 2.4.1, and what is said of those that are shut: security-path.sh.
version=2.4.1
. "$(dirname "$0")/security-path.sh"
plan "$e2e_count"
