#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 623 - /dev/espgoal: strangers end no job and take no memory without bound; a peer that sends garbage ends it.

. "${0%/*}/env.sh"
. "$top_srcdir/t/guests.sh"

run_unruly strangers
