# SPDX-License-Identifier: BSD-3-Clause
# transfers.py - each call of bsp.h, on any number of processes; process 0 prints what was right.

import array

import bsp
import numpy as np


def passed(what, right):
    """On all processes: is it right everywhere?"""
    if bsp.all(right) and bsp.pid() == 0:
        print("ok", what)


def puts(me, p, right, left):
    area = np.zeros(4, np.int32)
    assert bsp.push_reg(area) is area
    bsp.sync()
    source = np.array([me, me + 1], np.int32)
    bsp.put(right, source, area, 1)
    source[:] = -1                      # it has been copied
    bsp.put(right, 7, area, 3)
    bsp.sync()
    passed("put, of an array and of a number", area.tolist() == [0, left, left + 1, 7])
    bsp.hpput(right, np.arange(4, dtype=np.int32) + me, area)
    bsp.sync()
    passed("hpput, of an array that nothing else has",
           area.tolist() == [left + i for i in range(4)])
    bsp.put(right, np.full(2, 5, np.int32), area[:2])
    bsp.pop_reg(area)
    bsp.sync()
    passed("put in the superstep of pop_reg", area[:2].tolist() == [5, 5])


def gets(me, p, right, left):
    area, other, once = np.arange(6.0) + 10 * me, np.zeros(2), np.zeros(1)
    bsp.push_reg(area)
    bsp.sync()
    bsp.get(right, area, 3, other)
    bsp.hpget(left, area, 0, once)
    bsp.sync()
    passed("get", other.tolist() == [10 * right + 3, 10 * right + 4])
    passed("hpget", once[0] == 10 * left)
    bsp.direct_get(left, area, 5, once)
    passed("direct_get", once[0] == 10 * left + 5)
    bsp.sync()
    bsp.pop_reg(area)
    bsp.sync()


def buffers(me, p, right, left):
    numbers, raw = array.array("d", [0.0] * 3), bytearray(4)
    square = np.zeros((2, 3), np.complex128)
    for area in numbers, raw, square:
        bsp.push_reg(area)
    bsp.push_reg(None)
    bsp.sync()
    bsp.put(right, array.array("d", [1.5, me]), numbers, 1)
    bsp.put(right, np.arange(2, dtype=np.float64)[:1], numbers)
    bsp.put(right, b"ab", raw, 2)
    bsp.put(right, 2j, square, 5)
    bsp.sync()
    passed("areas of the standard library",
           numbers.tolist() == [0, 1.5, left] and raw == b"\0\0ab")
    passed("two dimensions, and complex numbers", square[1, 2] == 2j and not square[0].any())
    bsp.pop_reg(None)
    for area in square, raw, numbers:
        bsp.pop_reg(area)
    bsp.sync()


def messages(me, p, right, left):
    bsp.set_tagsize(8)
    bsp.sync()
    bsp.send(right, np.arange(3) + me, np.array([me]))
    bsp.hpsend(right, b"", bytes(8))
    bsp.sync()
    passed("qsize", bsp.qsize() == (2, 24))
    tag, seen = np.zeros(1, np.int64), []
    while bsp.get_tag(tag) >= 0:
        nbytes, same = bsp.get_tag()
        data = np.zeros(3, np.int64)
        assert same == tag.tobytes() and bsp.move(data) == nbytes
        seen.append((nbytes, int(tag[0]), data.tolist()))
    passed("send, hpsend, get_tag, move", sorted(seen) ==
           [(0, 0, [0, 0, 0]), (24, left, [left, left + 1, left + 2])])
    passed("set_tagsize returns the last one", bsp.set_tagsize(0) == 8)
    bsp.send(me, b"two", bytes(8))
    bsp.sync()
    bsp.send(right, b"to the right")
    passed("messages, with the old size of tags",
           list(bsp.messages()) == [(bytes(8), b"two")])
    bsp.sync()
    passed("and with the new one", bsp.get_tag() == (12, b"") and bsp.move() == b"to the right")
    passed("an empty queue", bsp.get_tag() == (-1, b"") and list(bsp.messages()) == [])


def relaxed(me, p, right, left):
    halo = np.zeros(1)
    bsp.push_reg(halo)
    passed("set_sync returns the last mode", bsp.set_sync(bsp.RELAXED) == bsp.CLASSIC)
    bsp.sync()
    for i in range(5):
        bsp.put(right, 100.0 * i + me, halo)
        bsp.send(left, bytes([i]))
        bsp.sync()
        bsp.read(halo, 1)
        assert halo[0] == 100 * i + left
        bsp.expect(1)
        assert bsp.move() == bytes([i])
    passed("read, expect", True)
    mine = np.zeros(1)
    bsp.get(right, halo, 0, mine)
    bsp.serve(halo, 1)
    bsp.sync()
    passed("serve", mine[0] == 400 + me)
    bsp.put(me, 1.0, halo)
    bsp.sync()
    while not bsp.read_test(halo, 1):
        pass
    bsp.read(halo, 1)
    passed("read_test", halo[0] == 1)
    bsp.set_sync(bsp.CLASSIC)
    bsp.sync()
    bsp.pop_reg(halo)
    bsp.sync()


def neighbours(me, p, right, left):
    area = np.zeros(1)
    bsp.push_reg(area)
    bsp.section("neighbours")
    bsp.set_neighbors([left, right])
    bsp.sync()
    bsp.put(right, float(me), area)
    bsp.sync()
    bsp.section_end("neighbours")
    passed("set_neighbors", area[0] == left)
    bsp.set_neighbors(bsp.ALL)
    bsp.pop_reg(area)
    bsp.sync()


def times():
    began = bsp.time()
    passed("time, dtime, cputime", bsp.time() >= began and bsp.dtime() > 0 and bsp.cputime() > 0)
    passed("s, l, g, nhalf", bsp.s() > 0 and min(bsp.l(), bsp.g(), bsp.nhalf()) >= 0)


def main():
    me, p = bsp.pid(), bsp.nprocs()
    for part in puts, gets, buffers, messages, relaxed, neighbours:
        part(me, p, (me + 1) % p, (me - 1) % p)
    times()


with bsp.spmd():
    main()
