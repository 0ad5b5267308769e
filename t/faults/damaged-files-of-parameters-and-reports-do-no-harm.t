#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# New bytes beside the kept ones: parameters and reports are refused at a place that
# is there, or sane.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/fuzz.sh"

fuzzed fuzz_report corpus-report -dict="$top_srcdir/fuzz/report.dict" -max_len=900

done_testing
