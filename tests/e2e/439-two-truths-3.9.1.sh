#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The list of disagreements (two-truths.sh) on Kafka 3.9.1.
version=3.9.1
. "$(dirname "$0")/two-truths.sh"
