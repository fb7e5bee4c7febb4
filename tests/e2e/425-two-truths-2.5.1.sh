#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The list of disagreements (two-truths.sh) on Kafka 2.5.1.
version=2.5.1
. "$(dirname "$0")/two-truths.sh"
