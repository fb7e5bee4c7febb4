#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The path of kafka-path.sh on Kafka 2.4.1.
version=2.4.1
. "$(dirname "$0")/kafka-path.sh"
