#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The path of kafka-path.sh on Kafka 3.9.1.
version=3.9.1
. "$(dirname "$0")/kafka-path.sh"
