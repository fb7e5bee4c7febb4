#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A healthy cluster at work has no disagreement (healthy.sh), on Kafka 2.8.2 for two minutes; `make soak` is for longer.
version=2.8.2 seconds=120
. "$(dirname "$0")/healthy.sh"
