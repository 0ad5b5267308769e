#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# /dev/espgoal: processes that die, children, timeouts, large numbers, what ends before what it
# needs.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

run_misbehaving lives
