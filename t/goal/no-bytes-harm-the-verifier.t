#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# New bytes beside the kept ones: a block is refused, or runs to its end.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/fuzz.sh"

fuzzed fuzz_check corpus-check

done_testing
