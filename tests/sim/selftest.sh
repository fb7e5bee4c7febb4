#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The checks find what is broken on purpose.
exec "$top_builddir/tests/sim/simmain" selftest
