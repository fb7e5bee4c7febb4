#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What DeleteTopics comes to (delete-topics.sh) on Kafka 2.8.2.
version=2.8.2
. "$(dirname "$0")/delete-topics.sh"
