#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What DeleteTopics comes to (delete-topics.sh) on Kafka 2.5.1.
version=2.5.1
. "$(dirname "$0")/delete-topics.sh"
