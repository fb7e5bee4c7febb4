#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What disagrees about whom to ask (whose-word.sh), on Kafka 2.8.2.
version=2.8.2
. "$(dirname "$0")/whose-word.sh"
