#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Senders to one receiver behind a short queue lose few frames.

# How much of the link they use: esp-uses-all-of-a-link-behind-a-queue.t, make check-figures.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"
. "$top_srcdir/t/lib/congestion.sh"

measure esp 64 524288 1 1 8
for senders in 1 8; do
	loses_less 5 $senders
done
done_testing
