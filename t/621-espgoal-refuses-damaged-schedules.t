#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 621 - /dev/espgoal: every prefix of a schedule is refused, and random bytes over good ones do no harm.

. "${0%/*}/env.sh"
. "$top_srcdir/t/guests.sh"

run_unruly blocks 1
