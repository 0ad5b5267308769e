#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An array that a program has let go stays while the library may use it, and is freed then.
# shellcheck disable=SC1090,SC1091,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/python.sh"

cat >let-go.py <<'END'
import gc
import sys
import weakref
import bsp
import numpy as np

N = 300000


def lives(of):
    """What else might be put in its place?"""
    gc.collect()
    filling = [np.full(N, -1.0) for _ in range(4)]
    return of() is not None and len(filling) == 4


def check(what, right):
    if bsp.all(right) and bsp.pid() == 0:
        print("ok", what)


def area():
    a = bsp.push_reg(np.zeros(N))
    of = weakref.ref(a)
    del a
    bsp.sync()
    check("an area", lives(of))
    bsp.put((bsp.pid() + 1) % bsp.nprocs(), np.full(N, 3.0), of())
    bsp.pop_reg(of())
    check("an area that was popped", lives(of))
    seen = of()
    bsp.sync()
    check("has what was put", bool((seen == 3).all()))
    del seen
    check("and is freed", not lives(of))


def pending():
    a = bsp.push_reg(np.arange(float(N)))
    bsp.sync()
    source, into = np.full(N, 5.0), np.zeros(N)
    of, of_into = weakref.ref(source), weakref.ref(into)
    bsp.hpput(bsp.pid(), source, a)
    bsp.get((bsp.pid() + 1) % bsp.nprocs(), a, 0, into)
    del source, into
    check("the source of hpput", lives(of))
    check("the destination of get", lives(of_into))
    bsp.sync()
    check("hpput", bool((a == 5).all()))
    check("both are freed", not lives(of) and not lives(of_into))
    bsp.pop_reg(a)
    bsp.sync()


def resized():
    raw = bsp.push_reg(bytearray(10))
    bsp.sync()
    try:
        raw.extend(b"more")
    except BufferError as error:
        check("an area cannot be resized", "export" in str(error))
    bsp.pop_reg(raw)
    bsp.sync()
    raw.extend(b"more")
    check("but when it is none any more", len(raw) == 14)


def raised():
    of = weakref.ref(bsp.push_reg(np.zeros(N)))
    bsp.sync()
    try:
        bsp.put(0, np.zeros(3, np.int8), of())
    except TypeError as error:
        check("an exception in the middle of a superstep", lives(of))
        kept = error
    bsp.sync()
    check("an area outlives it", lives(of) and kept)
    bsp.pop_reg(of())
    bsp.sync()


def parts():
    of = weakref.ref(bsp.push_reg(np.zeros(N)))
    bsp.sync()
    return of


bsp.begin()
area()
pending()
resized()
raised()
of = parts()
bsp.end()
gc.collect()
if of() is not None:
    sys.exit("an area outlives bsp_end()")
END
for transport in shm $networks; do
	# shellcheck disable=SC2016
	is "$($SED -n 's/^.*check("\([^"]*\)".*/ok \1/p' let-go.py | sort)" \
		"$(python 2 $transport let-go.py)" "over $transport"
done

done_testing
