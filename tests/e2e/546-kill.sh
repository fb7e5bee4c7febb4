#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A share of `make kill`.
# shellcheck disable=SC2034  # for kill.sh
KILL_RUNS=${KILL_RUNS:-6} KILL_REAL=${KILL_REAL:-2}
# shellcheck source=kill.sh
. "$(dirname "$0")/kill.sh"
