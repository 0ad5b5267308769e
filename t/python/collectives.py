# SPDX-License-Identifier: BSD-3-Clause
# collectives.py - each call of bsp_coll.h, on any number of processes; process 0 prints what was
# right.

import functools
import gc
import weakref

import bsp
import numpy as np

N = 5
OPERATORS = {"SUM": (bsp.SUM, np.add), "PROD": (bsp.PROD, np.multiply),
             "MAX": (bsp.MAX, np.maximum), "MIN": (bsp.MIN, np.minimum),
             "AND": (bsp.AND, np.bitwise_and), "OR": (bsp.OR, np.bitwise_or),
             "XOR": (bsp.XOR, np.bitwise_xor)}
TYPES = [np.dtype(kind + size) for kind, size in
         [("i", s) for s in "1248"] + [("u", s) for s in "1248"] + [("f", "4"), ("f", "8")]]


def passed(what, right):
    """On all processes: is it right everywhere?"""
    if bsp.all(right) and bsp.pid() == 0:
        print("ok", what)


def both(name):
    """The call, and the one with an i, waited for or tested after the program has let go."""
    def waited(*args):
        request = getattr(bsp, "i" + name)(*args)
        request.wait()
        assert request.test()

    def tested(*args):
        request = getattr(bsp, "i" + name)(*args)
        while not bsp.test(request):
            pass
        bsp.wait(request)

    return getattr(bsp, name), waited, tested


def of(q, n=N, dtype=np.int64):
    """What process q has."""
    return (np.arange(n) * 3 + 7 * q + 1).astype(dtype)


def of_all(p, n=N, dtype=np.int64):
    return [of(q, n, dtype) for q in range(p)]


def roots(me, p):
    last, right = p - 1, True
    for call in both("bcast"):
        array, into = of(me), np.zeros(N, np.int64)
        call(last, array)
        call(0, of(0) if me == 0 else None, into)
        right &= np.array_equal(array, of(last)) and np.array_equal(into, of(0))
    passed("bcast, in place and to another array", right)

    right = True
    for call in both("gather"):
        into = np.zeros((p, N), np.int64) if me == last else None
        call(last, of(me), into)
        right &= me != last or np.array_equal(into, of_all(p))
    passed("gather", right)

    right = True
    for call in both("scatter"):
        into = np.zeros(N, np.int64)
        call(last, of(0, p * N) if me == last else None, into)
        right &= np.array_equal(into, of(0, p * N)[me * N:][:N])
    passed("scatter", right)


def everywhere(me, p):
    right = True
    for call in both("allgather"):
        into = np.zeros((p, N), np.int64)
        into[me] = of(me)
        call(into[me], into)                # in place
        right &= np.array_equal(into, of_all(p))
    passed("allgather", right)

    right = True
    for call in both("exchange"):
        array, into = of(me, p * N), np.zeros((p, N), np.int64)
        call(array, into)
        call(array, array)
        wanted = [of(q, p * N)[me * N:][:N] for q in range(p)]
        right &= np.array_equal(into, wanted) and np.array_equal(array.reshape(p, N), wanted)
    passed("exchange", right)


def lengths(me, p):
    sizes = [q + 1 for q in range(p)]
    total, gaps = sum(sizes), [2 * sum(sizes[:q]) + 1 for q in range(p)]
    packed = np.concatenate([of(q, q + 1) for q in range(p)])
    spread = np.full(2 * total + 1, -1)
    for q in range(p):
        spread[gaps[q]:][:sizes[q]] = of(q, q + 1)
    gathered = scattered = collected = True
    for call in both("gatherv"):
        into, apart = np.zeros(total, np.int64), np.full(2 * total + 1, -1)
        call(0, of(me, me + 1), into, sizes) if me == 0 else call(0, of(me, me + 1))
        call(0, of(me, me + 1), apart, sizes, gaps)
        gathered &= me != 0 or np.array_equal(into, packed) and np.array_equal(apart, spread)
    for call in both("scatterv"):
        into, apart = np.zeros(me + 1, np.int64), np.zeros(me + 1, np.int64)
        call(0, packed, sizes, into) if me == 0 else call(0, None, None, into)
        call(0, spread, sizes, apart, gaps)
        scattered &= np.array_equal(into, of(me, me + 1)) and np.array_equal(apart, into)
    for call in both("allgatherv"):
        into, apart = np.zeros(total, np.int64), np.full(2 * total + 1, -1)
        call(of(me, me + 1), into, np.array(sizes))
        call(of(me, me + 1), apart, sizes, gaps)
        collected &= np.array_equal(into, packed) and np.array_equal(apart, spread)
    passed("gatherv", gathered)
    passed("scatterv", scattered)
    passed("allgatherv", collected)


def pairs(me, p):
    """Process q sends q + r elements to process r, of which the first is 100 q + r."""
    def block(q, r):
        return [100 * q + r + i for i in range(q + r)]

    sizes = [me + q for q in range(p)]
    gaps = [(2 * p + 1) * q for q in range(p)]
    out = np.array(sum([block(me, q) for q in range(p)], []), np.int64)
    come = np.array(sum([block(q, me) for q in range(p)], []), np.int64)
    right = True
    for call in both("exchangev"):
        into, apart = np.zeros(sum(sizes), np.int64), np.full((p, 2 * p + 1), -1)
        call(out, sizes, into, sizes)
        call(out, sizes, apart, sizes, None, gaps)
        right &= np.array_equal(into, come)
        right &= all([apart[q].tolist() == block(q, me) + [-1] * (2 * p + 1 - sizes[q])
                      for q in range(p)])
        call(apart, sizes, into, sizes, gaps)
        right &= np.array_equal(into, out)
    passed("exchangev", right)


def neighbours(me, p):
    left, next_one, right = (me - 1) % p, (me + 1) % p, True
    for call in both("neighbor_exchange"):
        into = np.zeros((2, N), np.int64)
        call([left, next_one], np.stack([of(me), of(me) + 50]), into)
        if p > 2:
            right &= np.array_equal(into, [of(left) + 50, of(next_one)])
        else:
            right &= np.array_equal(into, [of(left), of(next_one) + 50])
        nothing = np.zeros(0)
        call([], nothing, nothing)
    passed("neighbor_exchange", right)


def folded(ufunc, arrays):
    with np.errstate(over="ignore"):
        return functools.reduce(lambda left, right: ufunc(left, right, dtype=left.dtype), arrays)


def operators(me, p):
    """Each operator for each type, in three calls."""
    right = True
    for word, (op, ufunc) in OPERATORS.items():
        for dtype in TYPES:
            if dtype.kind == "f" and word in ("AND", "OR", "XOR"):
                continue
            into, before, root = np.zeros(N, dtype), np.zeros(N, dtype), np.zeros(N, dtype)
            bsp.allreduce(op, of(me, N, dtype), into)
            bsp.prefix(op, of(me, N, dtype), before)
            bsp.reduce(p - 1, op, of(me, N, dtype), root)
            wanted = folded(ufunc, of_all(p, N, dtype))
            right &= np.array_equal(into, wanted)
            right &= np.array_equal(before, folded(ufunc, of_all(me + 1, N, dtype)))
            right &= me != p - 1 or np.array_equal(root, wanted)
    passed("each operator of each type", right)


def folds(me, p):
    wanted, right = sum(of_all(p)), True
    for call in both("reduce"):
        into = np.zeros(N, np.int64) if me == 0 else None
        call(0, bsp.SUM, of(me), into)
        right &= me != 0 or np.array_equal(into, wanted)
    passed("reduce", right)

    right = True
    for call in both("allreduce"):
        array = of(me)
        call(bsp.SUM, array, array)
        right &= np.array_equal(array, wanted)
    passed("allreduce, in place", right)

    right = True
    for call in both("prefix"):
        into = np.zeros(N, np.int64)
        call(bsp.SUM, of(me), into)
        right &= np.array_equal(into, sum(of_all(me + 1)))
    passed("prefix", right)

    right, counts = True, [q + 1 for q in range(p)]
    for call in both("reduce_scatter"):
        into = np.zeros(me + 1, np.int64)
        call(bsp.SUM, of(me, sum(counts)), into, counts)
        right &= np.array_equal(into, sum(of_all(p, sum(counts)))[sum(counts[:me]):][:me + 1])
    passed("reduce_scatter", right)


def matrix(q):
    return np.array([[1.0, q + 1], [0.5, 2]])


def own_operators(me, p):
    """Products of matrices, which do not commute, and strings of bytes."""
    def later(left, right):
        return bytes(max(pair) for pair in zip(bytes(left), bytes(right)))

    fold = scan = True
    for call in both("fold"):
        into, text = np.zeros((2, 2)), bytearray(2)
        call(np.matmul, matrix(me), into)
        call(later, bytes([me, p - me]), text)
        fold &= np.allclose(into, functools.reduce(np.matmul, [matrix(q) for q in range(p)]))
        fold &= text == bytes([p - 1, p])
    for call in both("scan"):
        into = np.zeros((2, 2))
        call(np.matmul, matrix(me), into)
        scan &= np.allclose(into, functools.reduce(np.matmul,
                                                   [matrix(q) for q in range(me + 1)]))
    passed("fold", fold)
    passed("scan", scan)


def sorts(me, p):
    key = (2 * me + 1) % p                  # each once if p is odd
    into = np.zeros(2, np.int32)
    bsp.sort(lambda left, right: left[0] < right[0], np.array([key, 10 * key], np.int32), into)
    passed("sort", into.tolist() == [me, 10 * me])
    passed("sortI, sortR, sortD", bsp.sortI(-key) == me - p + 1 and bsp.sortR(key + 0.5) == me + 0.5
           and bsp.sortD(key / 3) == me / 3)
    passed("sortC", bsp.sortC(b"%c" % (97 + key)) == b"%c" % (97 + me))


def numbers(me, p):
    passed("all, any, constantI", bsp.all(1) and not bsp.all(me != 0) and bsp.any(me == p - 1)
           and not bsp.any(0) and bsp.constantI(4) and bsp.constantI(me) == (p == 1))
    calls, right = {"sum": sum, "product": np.prod, "max": max, "min": min}, True
    for letter, kind in ("I", int), ("R", float), ("D", float):
        xs = [kind(q * 1.5 + 2) for q in range(p)]
        for word, wanted in calls.items():
            right &= getattr(bsp, word + letter)(xs[me]) == wanted(xs)
            right &= getattr(bsp, word + letter + "_prefix")(xs[me]) == wanted(xs[:me + 1])
    passed("sums, products, maxima and minima of numbers", right)


def let_go(me, p):
    """Arrays of operations in progress stay, and are freed when these are done."""
    n = 200000
    source, into = np.full(n, float(me)), np.zeros((p, n))
    refs = [weakref.ref(source), weakref.ref(into)]
    summed, request = np.zeros(n), bsp.iallgather(source, into)
    del source, into
    gc.collect()
    kept = all(ref() is not None for ref in refs)
    refs.append(weakref.ref(summed))
    operands = bsp.ifold(lambda left, right: left + right, np.full(n, me + 1.0), summed)
    del summed
    gc.collect()
    filling = [np.full(n, -1.0) for _ in range(4)]
    request.wait()
    seen = refs[2]()
    operands.wait()
    passed("an operation keeps its arrays", kept and len(filling) == 4)
    passed("and its operator", bool((seen == p * (p + 1) / 2).all()))
    del seen
    gc.collect()
    passed("until it is done", not any(ref() is not None for ref in refs))


def unnamed(me, p):
    """The program need not keep the request either."""
    into, one = np.zeros((p, N), np.int64), np.zeros(1)
    ref = weakref.ref(into)
    started = [weakref.ref(bsp.iallgather(of(me), into))]
    del into
    gc.collect()
    passed("a request without a name", ref() is not None and started[0]() is not None)
    bsp.wait(started[0]())
    bsp.iallreduce(bsp.SUM, np.ones(1), one).wait()
    gc.collect()
    passed("and it is done", one[0] == p and ref() is None)


def main():
    me, p = bsp.pid(), bsp.nprocs()
    for part in (roots, everywhere, lengths, pairs, neighbours, operators, folds, own_operators,
                 sorts, numbers, let_go, unnamed):
        part(me, p)


with bsp.spmd():
    main()
