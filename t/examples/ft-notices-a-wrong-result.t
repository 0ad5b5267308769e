#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# FT says FAILED, and ends with status 1, if its result is wrong in the eleventh digit.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

ft=$top_builddir/examples/ft
test -x "$ft" || skip_all "no libfftw3-dev here"

# outcome STATUS WORD P ARGUMENTS...
outcome()
{
	status=$1 word=$2 p=$3
	shift 3
	said=$(BSP_NPROCS=$p "$ft" "$@" 2>&1)
	is "$status" $? "ft $* on $p processes ends with $status" || diag "$said"
	is "Verification $word" "$(printf '%s\n' "$said" | grep '^Verification')" "and says $word"
}

# The point (0, 0, 0) is 16 of the 1024 terms of a checksum of about 740 in class S, and 8 of 776 in
# W.
for p in 1 2 4; do
	outcome 1 FAILED $p -e 1e-9 S
	outcome 1 FAILED $p -s -e -1e-9 S
	outcome 0 SUCCESSFUL $p -e 1e-14 S
	outcome 1 FAILED $p -e 1e-9 W
done
outcome 1 FAILED 2 -e nan S
outcome 1 FAILED 2 -e inf S
outcome 1 FAILED 2 -e 1e300 S
outcome 0 SUCCESSFUL 2 -e 0 S

done_testing
