#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every call of bsp_coll.h does in Python what numpy says, also without waiting, and arrays of an
# operation in progress stay when the program has no references to them.
# shellcheck disable=SC1090,SC1091,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/python.sh"

runs_well 1 shm "$top_srcdir/t/python/collectives.py"
for transport in shm $(echo "$networks" | grep -x mix); do
	runs_well 3 $transport "$top_srcdir/t/python/collectives.py"
done

done_testing
