#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every model script as one TAP test.
exec "$top_builddir/tests/model/modelscript" "$top_srcdir"/tests/model/*.t
