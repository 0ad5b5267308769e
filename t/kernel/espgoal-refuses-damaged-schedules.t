#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# /dev/espgoal: every prefix of a schedule is refused, and random bytes over good ones do no harm.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

run_misbehaving blocks 1
