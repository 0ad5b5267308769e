#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# /dev/espgoal: unauthenticated peers end no job and take no memory without bound; a peer that
# sends garbage ends it.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

run_misbehaving unauthenticated
