#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What kafops says of deletions is so (truth.sh): a third of the scenarios, on Kafka 3.9.1.
version=3.9.1
TRUTH_SCENARIOS=${TRUTH_SCENARIOS:-"ghost dir-dropped znode-zombie disabled-controller away-moved auto-created returning left-over ten"}
. "$(dirname "$0")/truth.sh"
truth
