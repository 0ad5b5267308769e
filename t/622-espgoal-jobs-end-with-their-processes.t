#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 622 - /dev/espgoal: processes that die, children, timeouts, large numbers, what ends before what it needs.

. "${0%/*}/env.sh"
. "$top_srcdir/t/guests.sh"

run_unruly lives
