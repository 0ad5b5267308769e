# SPDX-License-Identifier: BSD-3-Clause
# _coll.py - the calls of bsp_coll.h: collective operations over arrays, blocking and not.

import ctypes
import functools
import operator
import sys

from ._buffers import Buffer, index
from ._library import LESS, OPERATOR, function, site
from ._operation import Operation

SUM, PROD, MAX, MIN, AND, OR, XOR = 0x203, 0x205, 0x207, 0x208, 0x209, 0x20a, 0x20b

_types = {"int8": 0x101, "int16": 0x102, "int32": 0x103, "int64": 0x104, "uint8": 0x105,
          "uint16": 0x106, "uint32": 0x107, "uint64": 0x108, "float32": 0x109, "float64": 0x10a}

# ---- Requests ----------------------------------------------------------------------------------

_wait = function("bsp_wait_at", "-pR")
_test = function("bsp_test_at", "ipR")


class Request(Operation):
    """A nonblocking operation, with the arrays that it reads and writes until it is done."""

    def __init__(self, number, held):
        self._number = ctypes.c_ulong(number)
        if number:
            Operation.__init__(self, held)

    def test(self):
        """Has the operation completed?"""
        if not _test(site(), self._number):
            return False
        self._done()
        return True

    def wait(self):
        """Wait until the operation has completed."""
        _wait(site(), self._number)
        self._done()


def _both(types):
    """Of a function that makes the arguments of a call of C, and the list of what they point to:
    the call, and the one with an i."""

    def made(arguments):
        name = arguments.__name__[1:]
        at_once = function("bsp_%s_at" % name, "-p" + types)
        begun = function("bsp_i%s_at" % name, "rp" + types)

        @functools.wraps(arguments)
        def call(*args, **named):
            given, held = arguments(*args, **named)
            at_once(site(), *given)

        @functools.wraps(arguments)
        def start(*args, **named):
            given, held = arguments(*args, **named)
            return Request(begun(site(), *given), held)

        call.__name__ = call.__qualname__ = name
        start.__name__ = start.__qualname__ = "i" + name
        start.__doc__ = "%s Returns a request: wait() or test()." % (call.__doc__ or "")
        globals()[name], globals()["i" + name] = call, start
        return arguments

    return made

# ---- Arrays ------------------------------------------------------------------------------------


_nprocs, _pid = function("mcbsp_nprocs", "u"), function("mcbsp_pid_at", "up")


def _here(root, call):
    """The root, and whether this is it."""
    root = index(root, call, "pid")
    return root, root == _pid(site())


def _size(n, call, name):
    try:
        n = operator.index(n)
    except TypeError:
        raise TypeError("%s: what is in %s is no integer" % (call, name)) from None
    if not 0 <= n < 2**63:
        raise ValueError("%s: %d in %s is below 0, or more than a size can say" % (call, n, name))
    return n


def _sizes(sizes, call, name, itemsize):
    """A number for each process, in elements, as an array of C in units of @itemsize."""
    values = [_size(n, call, name) for n in sizes]
    if len(values) != _nprocs():
        raise ValueError("%s: %s has %d numbers, but there are %d processes"
                         % (call, name, len(values), _nprocs()))
    return (ctypes.c_size_t * len(values))(*[n * itemsize for n in values])


class _Blocks:
    """Blocks of an array of a length for each process: arrays of C of their sizes and offsets."""

    def __init__(self, array, call, name, sizes, offsets, which=""):
        unit = array.itemsize
        self.array = array
        self.sizes = _sizes(sizes, call, which + "sizes", unit)
        self.offsets = None if offsets is None else \
            _sizes(offsets, call, which + "offsets", unit)
        at = 0
        for q, size in enumerate(self.sizes):
            end = size + (at if self.offsets is None else self.offsets[q])
            if size and end > array.nbytes:
                raise ValueError("%s: the block of process %d in %s ends behind its %d elements"
                                 % (call, q, name, len(array)))
            at = end


def _array(obj, call, name, writable=False):
    buffer = Buffer(obj, call, name)
    return buffer.to_write() if writable else buffer


def _both_alike(call, src, dst):
    """Arrays of as many elements: what a process has, and what it gets."""
    own = _array(src, call, "src")
    return own, _array(dst, call, "dst", True).of_type(own).of_size(len(own), "as many as src")


def _address(buffer):
    return None if buffer is None else buffer.address

# ---- Data --------------------------------------------------------------------------------------


@_both("ippn")
def _bcast(pid, src, dst=None):
    """Copy an array of process @pid to all: from @src there, to @dst, or to @src itself."""
    pid, is_root = _here(pid, "bcast")
    if dst is None:
        array = _array(src, "bcast", "src", not is_root)
        return (pid, array.address, array.address, array.nbytes), [array]
    into = _array(dst, "bcast", "dst", True)
    held = [into]
    if is_root:
        held.append(_array(src, "bcast", "src").of_type(into)
                    .of_size(len(into), "as many as dst"))
    return (pid, held[-1].address, into.address, into.nbytes), held


def _at_root(call, pid, src, dst, gathers):
    """Of gather and scatter: the array of the root has a block for each process."""
    pid, is_root = _here(pid, call)
    own = _array(src, call, "src") if gathers else _array(dst, call, "dst", True)
    all_blocks = None
    if is_root:
        all_blocks = _array(dst, call, "dst", True) if gathers else _array(src, call, "src")
        all_blocks.of_type(own).of_size(len(own) * _nprocs(), "a block for each process")
    both = (own, all_blocks) if gathers else (all_blocks, own)
    return ((pid, _address(both[0]), _address(both[1]), own.nbytes),
            [buffer for buffer in both if buffer is not None])


@_both("ippn")
def _gather(pid, src, dst=None):
    """Collect an array of each process, of the same size, in @dst of process @pid."""
    return _at_root("gather", pid, src, dst, True)


@_both("ippn")
def _scatter(pid, src, dst):
    """Distribute the blocks of @src of process @pid, of the same size."""
    return _at_root("scatter", pid, src, dst, False)


@_both("ppn")
def _allgather(src, dst):
    """Collect an array of each process, of the same size, on all of them."""
    own = _array(src, "allgather", "src")
    into = _array(dst, "allgather", "dst", True).of_type(own)
    into.of_size(len(own) * _nprocs(), "a block from each process")
    return (own.address, into.address, own.nbytes), [own, into]


@_both("ppn")
def _exchange(src, dst):
    """Send a block of @src to each process, and receive one from each in @dst."""
    own, into = _both_alike("exchange", src, dst)
    if len(own) % _nprocs():
        raise ValueError("exchange: the %d elements of src are not as many for each of %d "
                         "processes" % (len(own), _nprocs()))
    return (own.address, into.address, own.nbytes // _nprocs()), [own, into]


@_both("ipnpNN")
def _gatherv(pid, src, dst=None, sizes=None, offsets=None):
    """gather() of @sizes[q] elements from process q, to @offsets[q] of @dst."""
    pid, is_root = _here(pid, "gatherv")
    own = _array(src, "gatherv", "src")
    if not is_root:
        return (pid, own.address, own.nbytes, None, None, None), [own]
    into = _array(dst, "gatherv", "dst", True).of_type(own)
    blocks = _Blocks(into, "gatherv", "dst", sizes, offsets)
    return ((pid, own.address, own.nbytes, into.address, blocks.sizes, blocks.offsets),
            [own, into])


@_both("ipNNpn")
def _scatterv(pid, src, sizes, dst, offsets=None):
    """scatter() of @sizes[q] elements to process q, from @offsets[q] of @src."""
    pid, is_root = _here(pid, "scatterv")
    into = _array(dst, "scatterv", "dst", True)
    if not is_root:
        return (pid, None, None, None, into.address, into.nbytes), [into]
    own = _array(src, "scatterv", "src").of_type(into)
    blocks = _Blocks(own, "scatterv", "src", sizes, offsets)
    return ((pid, own.address, blocks.sizes, blocks.offsets, into.address, into.nbytes),
            [own, into])


@_both("pnpNN")
def _allgatherv(src, dst, sizes, offsets=None):
    """allgather() of @sizes[q] elements from process q, to @offsets[q] of @dst."""
    own = _array(src, "allgatherv", "src")
    into = _array(dst, "allgatherv", "dst", True).of_type(own)
    blocks = _Blocks(into, "allgatherv", "dst", sizes, offsets)
    return (own.address, own.nbytes, into.address, blocks.sizes, blocks.offsets), [own, into]


@_both("pNNpNN")
def _exchangev(src, ssizes, dst, rsizes, soffsets=None, roffsets=None):
    """exchange() of @ssizes[q] elements to process q, and @rsizes[q] from it."""
    own = _array(src, "exchangev", "src")
    into = _array(dst, "exchangev", "dst", True).of_type(own)
    out = _Blocks(own, "exchangev", "src", ssizes, soffsets, "s")
    come = _Blocks(into, "exchangev", "dst", rsizes, roffsets, "r")
    return ((own.address, out.sizes, out.offsets, into.address, come.sizes, come.offsets),
            [own, into])


@_both("iPppn")
def _neighbor_exchange(pids, src, dst, count=None):
    """Exchange blocks of @count elements with the neighbours @pids; without it, as many as src has
    for each."""
    names = [index(pid, "neighbor_exchange", "a neighbour") for pid in pids]
    own = _array(src, "neighbor_exchange", "src")
    into = _array(dst, "neighbor_exchange", "dst", True).of_type(own)
    if count is None:
        count = len(own) // len(names) if names else 0
    count = _size(count, "neighbor_exchange", "count")
    for array in own, into:
        array.of_size(count * len(names), "a block for each neighbour")
    return ((len(names), (ctypes.c_int * len(names))(*names), own.address, into.address,
             count * own.itemsize), [own, into])

# ---- Folds -------------------------------------------------------------------------------------


def _type_of(array):
    known = _types.get(array.type)
    if known is None:
        raise TypeError("%s: %s has elements of %s, for which there is no operator; use integers, "
                        "float32 or float64, or fold()" % (array.call, array.name, array.type))
    return known


@_both("iiippn")
def _reduce(pid, op, src, dst=None):
    """Fold arrays of all processes by SUM or another operator, at process @pid."""
    pid, is_root = _here(pid, "reduce")
    own = _array(src, "reduce", "src")
    held, into = [own], None
    if is_root:
        into = _array(dst, "reduce", "dst", True).of_type(own).of_size(len(own), "as many as src")
        held.append(into)
    return ((pid, index(op, "reduce", "op"), _type_of(own), own.address, _address(into),
             len(own)), held)


def _on_all(call, op, src, dst):
    own, into = _both_alike(call, src, dst)
    return ((index(op, call, "op"), _type_of(own), own.address, into.address, len(own)),
            [own, into])


@_both("iippn")
def _allreduce(op, src, dst):
    """Fold arrays of all processes by SUM or another operator, on all."""
    return _on_all("allreduce", op, src, dst)


@_both("iippn")
def _prefix(op, src, dst):
    """Fold arrays of processes 0 to this one."""
    return _on_all("prefix", op, src, dst)


@_both("iippN")
def _reduce_scatter(op, src, dst, counts):
    """Fold arrays of all processes; process q gets @counts[q] elements of the result."""
    own = _array(src, "reduce_scatter", "src")
    into = _array(dst, "reduce_scatter", "dst", True).of_type(own)
    _Blocks(own, "reduce_scatter", "src", counts, None)     # do they end within src?
    counts = _sizes(counts, "reduce_scatter", "counts", 1)
    into.of_size(counts[_pid(site())], "as counts says")
    return ((index(op, "reduce_scatter", "op"), _type_of(own), own.address, into.address,
             counts), [own, into])

# ---- Operators of the program --------------------------------------------------------------------


def _operand(obj, buffer):
    """A function that copies an operand at an address to an array like @obj, or to bytes."""
    kind = type(obj)
    if kind.__module__ == "numpy":
        numpy, dtype, shape = sys.modules["numpy"], obj.dtype, obj.shape

        def numbers(address, nbytes):
            raw = numpy.frombuffer(ctypes.string_at(address, nbytes), dtype)
            return raw.reshape(shape).copy()

        return numbers

    def view(address, nbytes):
        raw = memoryview(bytearray(ctypes.string_at(address, nbytes)))
        return raw.cast(buffer.format) if buffer.format not in ("B", "c") else raw

    return view


def _guarded(work, otherwise=None):
    """An exception cannot leave a function that the library calls: it ends the job."""
    def guard(*args):
        try:
            return work(*args)
        except BaseException as error:
            sys.excepthook(type(error), error, error.__traceback__)
            return otherwise

    return guard


def _operator(op, obj, buffer, call):
    if not callable(op):
        raise TypeError("%s: op is no function" % call)
    operand = _operand(obj, buffer)

    def apply(result, left, right, nbytes):
        n = nbytes[0]
        value = op(operand(left, n), operand(right, n))
        if type(obj).__module__ == "numpy":
            numpy = sys.modules["numpy"]
            value = numpy.ascontiguousarray(value, obj.dtype)
        value = Buffer(value, call, "the result of op")
        if value.nbytes != n:
            raise ValueError("%s: the result of op has %d bytes, its operands have %d"
                             % (call, value.nbytes, n))
        ctypes.memmove(result, value.address, n)

    return OPERATOR(_guarded(apply))


def _fold_by(call, op, src, dst):
    own, into = _both_alike(call, src, dst)
    called = _operator(op, src, own, call)
    return (called, own.address, into.address, own.nbytes), [own, into, called]


@_both("Oppn")
def _fold(op, src, dst):
    """Fold arrays of all processes by op(left, right), which returns an array, on all."""
    return _fold_by("fold", op, src, dst)


@_both("Oppn")
def _scan(op, src, dst):
    """Fold arrays of processes 0 to this one by op(left, right)."""
    return _fold_by("scan", op, src, dst)


_sort = function("bsp_sort_at", "-pLppn")


def sort(less, src, dst):
    """Sort one array of each process by less(left, right): process 0 gets the least in @dst."""
    if not callable(less):
        raise TypeError("sort: less is no function")
    own, into = _both_alike("sort", src, dst)
    operand = _operand(src, own)

    def is_less(left, right, nbytes):
        return bool(less(operand(left, nbytes[0]), operand(right, nbytes[0])))

    _sort(site(), LESS(_guarded(is_less, 0)), own.address, into.address, own.nbytes)

# ---- Numbers -------------------------------------------------------------------------------------


_all, _any = function("bsp_all_at", "ipi"), function("bsp_any_at", "ipi")
_constantI = function("bsp_constantI_at", "ipi")
_sortC = function("bsp_sortC_at", "cpc")


def all(x):
    """Is @x true on all processes?"""
    return bool(_all(site(), bool(x)))


def any(x):
    """Is @x true on any process?"""
    return bool(_any(site(), bool(x)))


def constantI(x):
    """Is the integer @x the same on all processes?"""
    return bool(_constantI(site(), index(x, "constantI", "x")))


def sortC(x):
    """Sort a character of each process."""
    return _sortC(site(), x)


def _as(letter, x, call):
    return index(x, call, "x") if letter == "I" else float(x)


def _number_calls():
    """sumI(x) and others: I for int, R for float, D for double of C."""
    operators = {"sum": SUM, "product": PROD, "max": MAX, "min": MIN}
    for letter, kind in ("I", "i"), ("R", "f"), ("D", "d"):
        sorts = function("bsp_sort%s_at" % letter, kind + "p" + kind)
        yield "sort" + letter, letter, sorts, ()
        for suffix in "", "_prefix":
            of = function("bsp_number%s%s_at" % (letter, suffix), kind + "psi" + kind)
            for word, op in operators.items():
                name = word + letter + suffix
                yield name, letter, of, (("bsp_" + name).encode(), op)


def _number_call(name, letter, function, first):
    def call(x):
        return function(site(), *first, _as(letter, x, name))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = "bsp_%s() of bsp_sumI(3), bsp_sort(3)." % name
    return call


for _row in _number_calls():
    globals()[_row[0]] = _number_call(*_row)
