#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every call of bsp.h does in Python over shared memory and each network what the call of C does.
# shellcheck disable=SC1090,SC1091,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/python.sh"

transfers=$top_srcdir/t/python/transfers.py
for transport in shm $networks; do
	runs_well 3 $transport "$transfers"
done
runs_well 1 self "$transfers"
like 'well-formed' "$(bsprun -n 3 --check "$PYTHON" "$transfers" 2>&1)" \
	"what is relaxed in it is well-formed"

done_testing
