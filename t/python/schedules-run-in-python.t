#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A schedule that goalc has compiled runs in Python with arrays as its buffers, any number of times;
# wrong blocks and arrays raise, and what the library refuses names the line.
# shellcheck disable=SC1090,SC1091,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/python.sh"

# The schedule of doc/goal.md: process 2 adds to its number those of the others.
$SED -n "/^cat >sum.goal/,/^END/p" "$top_srcdir/doc/goal.md" | $SED '1d; $d' >sum.goal
test -s sum.goal || bail "no schedule in doc/goal.md"
"$top_builddir/tools/goalc/goalc" compile -o sum.bin sum.goal || bail "goalc compile fails"

cat >sum.py <<'END'
import array
import gc
import weakref
import bsp
import numpy as np


def passed(what, right):
    if bsp.all(right) and bsp.pid() == 0:
        print("ok", what)


def raises(kind, words, call, *args):
    try:
        call(*args)
    except kind as error:
        if words in str(error):
            return True
        print("said", error)
    return False


def main():
    me = bsp.pid()
    blocks = bsp.goal_set_read("sum.bin")
    passed("blocks of a file and of its text are the same",
           len(blocks) == 3 and blocks == bsp.goal_parse(open("sum.goal").read()))
    schedule = bsp.goal_load(blocks[me])

    numbers = [np.array([10 * i + me + 1], np.uint64) for i in range(3)]
    runs = [bsp.goal_start(schedule, number) for number in numbers]
    runs[0].wait()
    bsp.goal_wait(runs[1])
    while not bsp.test(runs[2]):
        pass
    sums = [30 * i + 6 if me == 2 else 10 * i + me + 1 for i in range(3)]
    passed("three runs at once", [int(n[0]) for n in numbers] == sums)
    passed("a run that is over is over", all(r.test() for r in runs) and not runs[0].wait())

    number = array.array("Q", [me])
    bsp.sync()
    run = bsp.goal_start(schedule, number)
    bsp.sync()
    bsp.wait(run)
    passed("of an array of Python, across a superstep", number[0] == (3 if me == 2 else me))

    number = np.full(300000, me, np.uint64)
    lives = weakref.ref(number)
    run = bsp.goal_start(schedule, number)
    del number
    gc.collect()
    filling = [np.full(300000, -1.0) for _ in range(4)]
    passed("the array of a run stays", lives() is not None and len(filling) == 4)
    run.wait()
    gc.collect()
    passed("and is freed", lives() is None)

    right = raises(ValueError, "0 buffers, but the schedule has 1", bsp.goal_start, schedule)
    right &= raises(TypeError, "buffer 0 is no array but list", bsp.goal_start, schedule, [1])
    right &= raises(ValueError, "buffer 0 has 4 bytes, but the schedule uses 8", bsp.goal_start,
                    schedule, np.zeros(1, np.int32))
    right &= raises(TypeError, "goal_start: schedule is no schedule", bsp.goal_start, 1, 2)
    right &= raises(TypeError, "goal_load: block is no block", bsp.goal_load, blocks)
    right &= raises(TypeError, "text is no text but int", bsp.goal_parse, 3)
    right &= raises(ValueError, "goal_parse: ", bsp.goal_parse, "num_ranks 1\nrank 0 {\nx\n}\n")
    right &= raises(ValueError, "line 3, column ", bsp.goal_parse, "num_ranks 1\nrank 0 {\nx\n}\n")
    right &= raises(ValueError, "goal_set_read: ", bsp.goal_set_read, "sum.goal")
    right &= raises(OSError, "No such file", bsp.goal_set_read, "none.bin")
    fixed = np.zeros(1, np.uint64)
    fixed.flags.writeable = False
    if me == 2:
        right &= raises(ValueError, "buffer 0 is read-only", bsp.goal_start, schedule, fixed)
        odd = np.zeros(17, np.uint8)[1:9]
        right &= raises(ValueError, "not aligned to 8 bytes", bsp.goal_start, schedule, odd)
    passed("wrong arguments raise", right)

    bsp.goal_unload(schedule)
    passed("a schedule that was unloaded raises",
           raises(ValueError, "the schedule was unloaded", bsp.goal_start, schedule, numbers[0]))


bsp.run(main, 3)
END

cat >wrong.py <<'END'
import bsp
import sys

bsp.begin(3)
if sys.argv[1] == "block":
    bsp.goal_load(b"no schedule" * 20)
schedule = bsp.goal_load(bsp.goal_set_read("sum.bin")[bsp.pid()])
run = bsp.goal_start(schedule, bytearray(8))
if sys.argv[1] == "unload":
    bsp.goal_unload(schedule)
bsp.end()
END

for transport in shm $(echo "$networks" | grep -x mix); do
	runs_well 3 $transport sum.py
done
seen=$(python 3 shm wrong.py block)
like '^bsp: goal_load: .*wrong\.py:6\)|^goal_load: .*wrong\.py:6\)' "$seen" \
	"a block that is none is refused with the line"
seen=$(python 3 shm wrong.py unload)
like 'goal_unload: .*wrong\.py:10\)' "$seen" "and so is a schedule that runs"
seen=$(python 3 shm wrong.py end)
like 'bsp_end: a run was not waited for: that of goal_start at wrong\.py:8' "$seen" \
	"and the end with a run that was not waited for"

done_testing
