#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The path of kafka-path.sh on Kafka 1.1.1.
version=1.1.1
. "$(dirname "$0")/kafka-path.sh"
