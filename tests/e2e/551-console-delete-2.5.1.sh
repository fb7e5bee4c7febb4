#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Topics deleted from the console, by request and by marker, on Kafka 2.5.1.
version=2.5.1
# shellcheck source=console-delete.sh
. "$(dirname "$0")/console-delete.sh"
