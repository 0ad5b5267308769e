#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A call site in a function in Python that several lines call has a row for each of these lines.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/python.sh"
PATH=$top_builddir/tools/bspprof:$PATH

# callers WHAT: the callers of WHAT in the table, with calls of a process
callers()
{
	bspprof run.rec | awk -v what="$1" '
		/^call sites, / { on = 1; next }
		!NF { on = 0 }
		on && /called from/ {
			sub(/^.*called from/, $1)
			if (inside)
				print
			next
		}
		on { inside = index($0, what) }' | LC_ALL=C sort
}

cat >helper.py <<'END'
import bsp
import numpy as np


def total(x):
    return bsp.sumD(x)


class Grid:
    def step(self):
        bsp.sync()
        return self

    def several(self, n):
        return [self.step() for i in range(n)]


def begin(x):
    return bsp.iallreduce(bsp.SUM, x, np.empty(1))


def main():
    x = 1.0
    grid = Grid()
    for i in range(5):
        x = total(x)
        x += total(2)
    grid.step().step()
    grid.several(3)

    def inner():
        return grid.step()

    inner()
    inner()
    bsp.wait(begin(np.ones(1)))
    begin(np.ones(1)).wait()


bsp.run(main)
END
is "" "$(python 2 shm helper.py)" "without a recording no caller is looked for"
BSP_RECORD=run.rec
export BSP_RECORD
is "" "$(python 2 shm helper.py)" "the program is recorded"
is "5 main() helper.py:26
5 main() helper.py:27" "$(callers 'helper.py:6')" "a function with a collective operation"
# The function that makes the list has another name from Python 3.12 on.
is "2 inner() helper.py:32
2 main() helper.py:28
3 helper.py:15" "$(callers helper.py:11 | sed 's/ .* helper.py:15/ helper.py:15/')" \
	"a member with a sync, called by functions, and by a list" || diag "$(callers helper.py:11)"
is "1 main() helper.py:36
1 main() helper.py:37" "$(callers helper.py:19)" "the begin of an operation"
none "$(callers helper.py:36)" "one caller has no row of its own"

# ---- Exceptions ----------------------------------------------------------------------------------

# As of a handler of signals: ctypes can only print them, and then there is no caller.
sed '/^bsp.run/i\
bsp._library._text_of = lambda code, line: 1 / 0' helper.py >raises.py
python 2 shm raises.py >out
none "$(grep '^status' out)" "a program survives an exception while its callers are looked for" ||
	diag "$(cat out)"
like 'ZeroDivisionError' "$(cat out)" "which is printed"
like 'raises.py:6' "$(bspprof run.rec)" "the profile has its call sites"
none "$(bspprof run.rec | grep 'called from')" "without callers"

# ---- A folder that is gone -----------------------------------------------------------------------

sed '/^bsp.run/i\
import os, tempfile\
gone = tempfile.mkdtemp()\
os.chdir(gone)\
os.rmdir(gone)' helper.py >gone.py
BSP_RECORD=$PWD/run.rec
is "" "$(python 2 shm -c "$(cat gone.py)")" "a program of no file, in no folder"
is "5 main() <string>:26
5 main() <string>:27" "$(callers '<string>:6')" "with its lines"

done_testing
