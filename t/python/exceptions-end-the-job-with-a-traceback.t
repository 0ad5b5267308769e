#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An exception in one process, and sys.exit(), end the job: with that traceback or status, and
# without a hang, under bsprun and mpirun.
# shellcheck disable=SC1090,SC1091,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/python.sh"

cat >ends.py <<'END'
import array
import sys
import bsp

which = sys.argv[1]


def fail(x):
    return 1 // x


def step(a):
    if which == "caught":
        try:
            bsp.put(0, memoryview(a)[::2], a)
        except ValueError as error:
            print("caught", error)
    if bsp.pid() == 1:
        if which == "raise":
            bsp.hpput(0, array.array("d", [1] * 9), a)
            print("printed before it")
            fail(0)
        if which == "exit":
            sys.exit()
        if which == "exit 3":
            sys.exit(3)
        if which == "exit text":
            sys.exit("a text")
    bsp.sync()


def main():
    a = array.array("d", [0] * 9)
    bsp.push_reg(a)
    bsp.sync()
    step(a)


if which.startswith("init"):
    def spmd():
        bsp.begin(2)
        if bsp.pid() == 1 and which == "init raise":
            fail(0)
        bsp.sync()
        print("of", bsp.nprocs())
        bsp.end()

    bsp.init(spmd)
    spmd()
    print("after")
else:
    bsp.run(main)
END

# ends WHICH STATUS PATTERN...: the output has a line of each, over each transport
ends()
{
	which=$1 status=$2
	shift 2
	for transport in shm $networks; do
		seen=$(python 2 $transport ends.py "$which")
		for pattern in "^status $status\$" "$@"; do
			like "$pattern" "$seen" "$which over $transport: $pattern"
		done
	done
}

place='\(process 1, superstep 1'
ends raise 1 '^printed before it$' '^ZeroDivisionError: ' 'line 9, in fail$' \
	"^bsp_abort: uncaught ZeroDivisionError: .* $place, ends\.py:9\)\$"
ends exit 1 "^bsp_end: was not called before the end of the program \(exit status 0\) $place\)\$"
ends "exit 3" 3 "$place"
launched=$(echo "$networks" | grep -x mpi)
networks=
ends "exit text" 1 '^a text$'
seen=$(python 2 shm ends.py raise)
is 1 "$(echo "$seen" | grep -c '^Traceback')" "one traceback"
is "" "$(echo "$seen" | grep 'python/bsp/')" "it has lines of the program alone"
seen=$(python 2 shm ends.py caught)
like '^caught put: src is not contiguous' "$seen" "one that is caught"
is "" "$(echo "$seen" | grep -v '^caught')" "ends nothing"

for transport in shm $launched; do
	is "after
of 2
of 2" "$(python 3 $transport ends.py init)" \
		"init over $transport: process 0 alone is behind the SPMD part"
	seen=$(python 3 $transport ends.py "init raise")
	like '^bsp_abort: uncaught ZeroDivisionError' "$seen" \
		"init over $transport: an exception in another process"
done

done_testing
