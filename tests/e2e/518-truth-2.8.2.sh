#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What kafops says of deletions is so (truth.sh): a third of the scenarios, on Kafka 2.8.2.
version=2.8.2
TRUTH_SCENARIOS=${TRUTH_SCENARIOS:-"killed-after paused-before second dir-during reassign-goes reassign-dead child away never-elected"}
. "$(dirname "$0")/truth.sh"
truth
