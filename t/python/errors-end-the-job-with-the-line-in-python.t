#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A wrong call of a program in Python ends it with one message, which has file and line, also where
# another process or the supervisor writes it.
# shellcheck disable=SC1090,SC1091,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/python.sh"

mkdir parts
cat >parts/helper.py <<'END'
import bsp


def relax():
    bsp.set_sync(bsp.RELAXED)


def step():
    bsp.sync()
END
cat >wrong.py <<'END'
import array
import os
import sys
import bsp

which = sys.argv[1]


def act(a, b):
    me = bsp.pid()
    if which == "pid":
        bsp.put(7, b, a)
    elif which == "range":
        if me == 0:
            bsp.put(1, b, a, 8)
        bsp.sync()
    elif which == "new":
        bsp.push_reg(b)
        bsp.put(0, b, b)
    elif which == "sync":
        if me == 0:
            bsp.sync()
    elif which == "mode":
        if me == 0:
            from parts import helper
            helper.relax()
        bsp.sync()
    elif which == "abort":
        bsp.abort("there is no more")
    elif which == "begin":
        bsp.begin()
    elif which == "read":
        bsp.set_sync(bsp.RELAXED)
        bsp.sync()
        bsp.read(a, 1)
    elif which == "kill":
        from parts import helper
        helper.step()
        if me == 1:
            os.kill(os.getpid(), 9)
        bsp.sync()
    elif which == "neighbour":
        bsp.set_neighbors([])
        bsp.sync()
        bsp.put(1 - me, b, a)


if which == "early":
    bsp.sync()
bsp.begin()
a, b = array.array("d", [0] * 10), array.array("d", [1] * 5)
bsp.push_reg(a)
bsp.sync()
act(a, b)
bsp.end()
END

# says WHICH PATTERN [NETWORK...]: the only message of the program over shm and these
says()
{
	which=$1 pattern=$2
	shift 2
	for transport in shm "$@"; do
		seen=$(python 2 $transport wrong.py "$which")
		like '^status 1$' "$seen" "$which over $transport is an error"
		like "^$pattern\$" "$(echo "$seen" | grep '^bsp')" "$which over $transport"
		is 1 "$(echo "$seen" | grep -c '^bsp')" "$which over $transport: one message"
	done
}

at='\(process [01], superstep 1, wrong\.py'
says pid "bsp_put: process 7 does not exist, there are 2 $at:12\)"
# Process 1 finds it, and writes the line of process 0.
# shellcheck disable=SC2086
says range "bsp_put: offset 64 \+ 40 bytes is beyond the 80 bytes registered on process 1 \
\(process 0, superstep 1, wrong\.py:15\)" $networks
says new "bsp_put: .* was just registered, at wrong\.py:18; .* $at:19\)"
# shellcheck disable=SC2086
says sync "bsp_(sync|end): process 1 called bsp_end \(wrong\.py:55\), process 0 bsp_sync \
\(wrong\.py:22\); .* $at:(22|55)\)" $networks
# Process 1 has not loaded the file of the call of process 0.
says mode "bsp_set_sync: process 0 .* in mode BSP_RELAXED \(parts/helper\.py:5\), process 1 .*|\
bsp_set_sync: process 1 .* in BSP_CLASSIC; .*"
says abort "bsp_abort: there is no more $at:29\)"
says begin "bsp_begin: called inside the SPMD part; call bsp_end first $at:31\)"
says neighbour "bsp_put: process [01] is no neighbour: bsp_set_neighbors at wrong\.py:43 .*\
superstep 2, wrong\.py:45\)"
says early "bsp_sync: called before bsp_begin; .*\(wrong\.py:49\)"
seen=$(python 2 shm wrong.py read)
like 'waiting in bsp_read at wrong\.py:35: .* registered at wrong\.py:52 .*after wrong\.py:34\)' \
	"$seen" "a deadlock: the supervisor writes the lines"
seen=$(python 2 shm wrong.py kill)
like '^bsp: killed by signal 9 .*\(process 1, superstep 2, after parts/helper\.py:9\)$' "$seen" \
	"of a process that was killed it writes the line of a file that was loaded after bsp_begin"

# The name has its folder where the program runs in another one.
seen=$(cd parts && python 2 shm ../wrong.py pid)
like '/wrong\.py:12\)$' "$seen" "a program in another folder"

done_testing
