#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Plans by chance: a fixed set here, as many as asked for by make sim (SIM_RUNS, SIM_SEED, SIM_STEPS).
exec "$top_builddir/tests/sim/simmain" runs "${SIM_RUNS:-200}" "${SIM_SEED:-1}" "${SIM_STEPS:-200}"
