#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What cannot be sent, received or registered is a TypeError or ValueError before the call, and the
# program goes on.
# shellcheck disable=SC1090,SC1091,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/python.sh"

cat >wrong.py <<'END'
import bsp
import numpy as np

a, b, square = np.zeros(8), np.ones(4), np.zeros((4, 4))
fixed = np.zeros(8)
fixed.flags.writeable = False
objects = np.array([None, "x"])
days = np.array(["2026-01-01"], "datetime64[D]")

wrong = [line.strip() for line in open("cases") if line.strip()]


def tried(text):
    expression, kind, words = [part.strip() for part in text.split("|")]
    try:
        eval(expression)
    except (TypeError, ValueError) as error:
        said = "%s: %s" % (type(error).__name__, error)
        return said if type(error).__name__ != kind or words not in said else None
    return "nothing was raised"


bsp.begin()
bsp.push_reg(a)
bsp.push_reg(square)
bsp.sync()
for case in wrong:
    said = tried(case)
    if said and bsp.pid() == 0:
        print(case, "--", said)
bsp.put((bsp.pid() + 1) % bsp.nprocs(), b, a, 4)
bsp.sync()
if bsp.all(a[4:].all()) and bsp.pid() == 0:
    print("the rest goes well,", len(wrong), "cases")
bsp.end()
END
cat >cases <<'END'
bsp.put(0, a[::2], a)                   | ValueError | put: src is not contiguous
bsp.put(0, square.T, square)            | ValueError | put: src is not contiguous
bsp.put(0, square[:, 1], square)        | ValueError | put: src is not contiguous
bsp.put(0, b.astype(int), a)            | TypeError  | src has elements of int64, area of float64
bsp.put(0, b.astype(">f8"), a)          | TypeError  | src has elements of >d
bsp.put(0, "text", a)                   | TypeError  | put: src is no array but str
bsp.put(0, [1.0, 2.0], a)               | TypeError  | put: src is no array but list
bsp.put(0, None, a)                     | TypeError  | put: src is no array but NoneType
bsp.put(0, 2j, a)                       | TypeError  | src, the number 2j, cannot be one of float64
bsp.put(0, objects, a)                  | TypeError  | elements of src are objects of Python
bsp.put(0, days, a)                     | TypeError  | elements of src cannot be read as memory
bsp.put(0, b, b)                        | ValueError | put: dst is not registered
bsp.put(0, b, a[1:])                    | ValueError | put: dst is not registered
bsp.put(0, b, a.view(np.int64))         | TypeError  | dst has elements of int64
bsp.put(0, b, a, -1)                    | ValueError | the offset -1 is below 0
bsp.put(0, b, a, 2**62)                 | ValueError | more than a size can say
bsp.put(0, b, a, 1.0)                   | TypeError  | put: the offset is no integer but float
bsp.put(0.0, b, a)                      | TypeError  | put: pid is no integer but float
bsp.put(2**32, b, a)                    | ValueError | put: pid, 4294967296, is more than an int
bsp.put(-1, b, a)                       | ValueError | put: pid, -1, is below 0
bsp.hpput(0, a[::2], a)                 | ValueError | hpput: src is not contiguous
bsp.get(0, a, 0, fixed)                 | ValueError | get: dst is read-only
bsp.get(0, a, 0, b"bytes")              | ValueError | get: dst is read-only
bsp.get(0, a, 0, 1.0)                   | TypeError  | get: dst is no array but float
bsp.get(0, a, 0, a[::2])                | ValueError | get: dst is not contiguous
bsp.get(0, a, 0, np.zeros(4, "f4"))     | TypeError  | dst has elements of float32
bsp.hpget(0, b, 0, b)                   | ValueError | hpget: src is not registered
bsp.direct_get(0, a, 0, fixed)          | ValueError | direct_get: dst is read-only
bsp.push_reg(fixed)                     | ValueError | push_reg: area is read-only
bsp.push_reg(square[:, 1])              | ValueError | push_reg: area is not contiguous
bsp.push_reg(3)                         | TypeError  | push_reg: area is no array but int
bsp.pop_reg(b)                          | ValueError | pop_reg: area is not registered
bsp.send(0, a[::2])                     | ValueError | send: payload is not contiguous
bsp.send(0, b, b"tag")                  | ValueError | the tag has 3 bytes, but tags have 0
bsp.send(0, "text")                     | TypeError  | send: payload is no array but str
bsp.set_tagsize(-1)                     | ValueError | nbytes, -1, is below 0
bsp.get_tag(fixed)                      | ValueError | get_tag: into is read-only
bsp.move(fixed)                         | ValueError | move: into is read-only
bsp.read(b, 1)                          | ValueError | read: area is not registered
bsp.expect("one")                       | TypeError  | expect: n is no integer but str
bsp.set_neighbors(["one"])              | TypeError  | a neighbour is no integer but str
bsp.section(3)                          | TypeError  | section: the name is a str, not int
bsp.section_end(None)                   | TypeError  | section_end: the name is a str, not NoneType
bsp.section("a\0b")                     | ValueError | section: the name has a null character
bsp.init(3)                             | TypeError  | init: spmd is no function
END
is "the rest goes well, $(grep -c . cases) cases" "$(python 2 shm wrong.py)" "each, in plain words"

done_testing
