#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each plan in which something was once told that was not so.
exec "$top_builddir/tests/sim/simmain" seeds "$top_srcdir/tests/sim/seeds"
