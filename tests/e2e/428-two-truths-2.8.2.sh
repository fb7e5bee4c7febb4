#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The list of disagreements (two-truths.sh) on Kafka 2.8.2.
version=2.8.2
. "$(dirname "$0")/two-truths.sh"
