#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What kafops says of deletions is so (truth.sh): a third of the scenarios, on Kafka 2.5.1.
version=2.5.1
TRUTH_SCENARIOS=${TRUTH_SCENARIOS:-"normal stopped killed-inside paused-after dir-before moved leaderless disabled-others hand-made"}
. "$(dirname "$0")/truth.sh"
truth
