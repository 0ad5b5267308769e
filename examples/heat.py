# SPDX-License-Identifier: BSD-3-Clause
# heat.py - heat.c in Python, with arrays of numpy: the same picture.
#
#	bsprun -n 4 python3 heat.py [-r] [N [STEPS]] >heat.pgm
#
# The upper edge of a square plate is hot, the others are cold. Each process has some rows, and
# copies of the row above them and of that below, which the neighbours put in each step. With -r the
# supersteps are relaxed: a process waits for these two puts alone. Process 0 gathers the rows, and
# writes them as a picture: heat.pgm.

import sys

import bsp
import numpy as np

arguments = sys.argv[1:]
relaxed = arguments[:1] == ["-r"]
if relaxed:
    del arguments[0]
n = int(arguments[0]) if arguments else 200
steps = int(arguments[1]) if len(arguments) > 1 else 500


def exchange(now, above, below):
    me, has_upper, has_lower = bsp.pid(), bsp.pid() > 0, bsp.pid() < bsp.nprocs() - 1
    if has_upper:
        bsp.put(me - 1, now[0], below)
    if has_lower:
        bsp.put(me + 1, now[-1], above)
    bsp.sync()
    bsp.read(above, has_upper)      # in relaxed supersteps: wait for these puts alone
    bsp.read(below, has_lower)


def step(now, above, below):
    exchange(now, above, below)
    then = np.vstack((above, now[:-1])) + np.vstack((now[1:], below))
    then[:, 1:] += now[:, :-1]
    then[:, :-1] += now[:, 1:]
    return then / 4


def draw(now):
    p = bsp.nprocs()
    rows = [n * (q + 1) // p - n * q // p for q in range(p)]
    picture = np.empty((n, n), np.uint8)
    bsp.gatherv(0, (now * 255).astype(np.uint8), picture, [r * n for r in rows])
    if bsp.pid() == 0:
        sys.stdout.buffer.write(b"P5 %d %d 255\n" % (n, n) + picture.tobytes())


def main():
    p, me = bsp.nprocs(), bsp.pid()
    if n < p or n > 10000 or steps < 0:
        bsp.abort("usage: heat.py [-r] [N [STEPS]], with N from the number of processes on")
    above, below = np.zeros(n, np.float32), np.zeros(n, np.float32)
    if me == 0:
        above[:] = 1                # the upper edge of all
    bsp.push_reg(above)
    bsp.push_reg(below)
    bsp.sync()
    bsp.set_sync(bsp.RELAXED if relaxed else bsp.CLASSIC)

    now = np.zeros((n * (me + 1) // p - n * me // p, n), np.float32)
    for _ in range(steps):
        now = step(now, above, below)
    draw(now)


bsp.run(main)
