#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Spin finds what goes wrong if a rule of the relaxed barrier is left out.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/relaxed/model/spin.sh"

wrong_value='assertion violated .cells'
deadlock='invalid end state'

# The paper's section 5: the message of process 2 is taken for that of process 1.
finds "without timestamps a read is inconsistent" "$wrong_value" -DNO_TIMESTAMPS -DUPTO=SECTION_5
like \
	'^inconsistent read: process 0, superstep 1, .* is of process 2, superstep 2, but should be of process 1, superstep 0$' \
	"$(trail)" "it is the paper's counter-example"

finds "a put of the same superstep accepted in bsp_read: wrong value" "$wrong_value" \
	-DEQUAL_IN_READ -DUPTO=RANDOM -DLAST=99
finds "data before the ack: wrong value" "$wrong_value" -DDATA_BEFORE_ACK -DASKS=1
finds "Fig. 1 with a RECEIVE that waits for the data: deadlock" "$deadlock" \
	-DBLOCKING_RECEIVE -DASKS=1 -DFROM=EXCHANGE
finds "what is held is not looked at in bsp_sync: deadlock" "$deadlock" -DNOT_RELEASED
finds "credit held with the message it is in: deadlock" "$deadlock" \
	-DHELD_CREDIT -DUPTO=RANDOM -DLAST=99
finds "credit returned only in bsp_sync: deadlock" "$deadlock" \
	-DTOLD_IN_SYNC -DWINDOW=0 -DUPTO=RANDOM -DLAST=99
finds "credit returned too late for the window: deadlock" "$deadlock" -DWINDOW=0 -DTELL=3
finds "no arrivals taken in while waiting for credit: deadlock" "$deadlock" \
	-DDEAF -DWINDOW=0 -DUPTO=RANDOM -DLAST=99
finds "no process waits for credit: too much is unread" "assertion violated .unread" \
	-DNO_CREDIT -DWINDOW=0 -DFROM=RING
finds "the window and two supersteps are unread at times" "assertion violated .unread" \
	-DWINDOW=0 -DBOUND=3 -DFROM=RING
finds "credit of before a global synchronisation counts after it: too much credit" \
	"assertion violated .told" -DNO_EPOCHS -DBARRIER -DFROM=RANDOM -DUPTO=RANDOM -DLAST=99

done_testing
