#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# New bytes beside the kept ones: a text is refused, or what is written of it reads
# the same.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/fuzz.sh"

fuzzed fuzz_text corpus-text -dict="$top_srcdir/fuzz/text.dict" -max_len=900

done_testing
