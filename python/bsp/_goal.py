# SPDX-License-Identifier: BSD-3-Clause
# _goal.py - the calls of bsp_goal.h: schedules of the program, which goalc has compiled.

import ctypes
import os
import struct

from ._buffers import Buffer
from ._library import function, site
from ._operation import Operation

_load = function("goal_load_at", "pppn")
_unload = function("goal_unload_at", "-pp")
_start = function("goal_start_at", "pppp")
_test = function("goal_test_at", "ipp")
_wait = function("goal_wait_at", "-pp")
_parse = function("goal_parse", "ippnp")
_set_read = function("goal_set_read", "ippp")
_set_free = function("goal_set_free", "-p")

# ---- Blocks: what a process loads ----------------------------------------------------------------


class _Set(ctypes.Structure):
    """struct goal_set"""
    _fields_ = [("nprocs", ctypes.c_int), ("block", ctypes.POINTER(ctypes.c_void_p)),
                ("len", ctypes.POINTER(ctypes.c_size_t))]


class _Where(ctypes.Structure):
    """struct goal_where"""
    _fields_ = [("line", ctypes.c_int), ("column", ctypes.c_int), ("at", ctypes.c_uint64),
                ("what", ctypes.c_char * 160)]


def _blocks(call, read):
    """The blocks that @read, a function of the library, makes of what it is given."""
    made, where = _Set(), _Where()
    if read(made, where):
        place = "line %d, column %d" % (where.line, where.column) if where.line else \
            "byte %d" % where.at
        raise ValueError("%s: %s, %s" % (call, where.what.decode(errors="replace"), place))
    blocks = [ctypes.string_at(made.block[q], made.len[q]) for q in range(made.nprocs)]
    _set_free(ctypes.addressof(made))
    return blocks


def goal_parse(text):
    """The blocks of a text in the language of goal(7), one for each process."""
    if isinstance(text, str):
        text = text.encode()
    if not isinstance(text, bytes):
        raise TypeError("goal_parse: text is no text but %s" % type(text).__name__)
    return _blocks("goal_parse", lambda made, where: _parse(
        ctypes.addressof(made), text, len(text), ctypes.addressof(where)))


def goal_set_read(name):
    """The blocks of a file that goalc has compiled, one for each process."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.fopen.restype, libc.fclose.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    file = libc.fopen(os.fsencode(name), b"rb")
    if not file:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), name)
    try:
        return _blocks("goal_set_read", lambda made, where: _set_read(
            ctypes.addressof(made), file, ctypes.addressof(where)))
    finally:
        libc.fclose(file)

# ---- Schedules -----------------------------------------------------------------------------------

_READ_BUFFERS, _BUFFERS, _BUFFER = struct.Struct("=28xI"), 64, struct.Struct("=QII")
_WRITE = 2


class Schedule:
    """A schedule that was loaded."""

    def __init__(self, number, block):
        self._number = number
        count, = _READ_BUFFERS.unpack_from(block)
        #: bytes, whether it is written, and alignment of each buffer: struct goal_buffer
        self._buffers = [(nbytes, bool(access & _WRITE), align) for nbytes, access, align in
                         (_BUFFER.unpack_from(block, _BUFFERS + i * _BUFFER.size)
                          for i in range(count))]

    def _of_program(self, call):
        if self._number is None:
            raise ValueError("%s: the schedule was unloaded" % call)
        return self._number


class Run(Operation):
    """A schedule that was started: wait() or test()."""

    def __init__(self, number, held):
        self._number = ctypes.c_void_p(number)
        Operation.__init__(self, held)

    def test(self):
        """Has the run completed on this process?"""
        if self._is_done():
            return True
        if not _test(site(), ctypes.addressof(self._number)):
            return False
        self._done()
        return True

    def wait(self):
        """Wait until the run has completed on this process."""
        if not self._is_done():
            _wait(site(), self._number)
            self._done()


def _known(schedule, call):
    if not isinstance(schedule, Schedule):
        raise TypeError("%s: schedule is no schedule but %s; goal_load() returns one"
                        % (call, type(schedule).__name__))
    return schedule._of_program(call)


def goal_load(block):
    """Load the part of this process of a schedule, collectively."""
    if not isinstance(block, (bytes, bytearray)):
        raise TypeError("goal_load: block is no block of bytes but %s; goal_set_read() and "
                        "goal_parse() return one for each process" % type(block).__name__)
    block = bytes(block)
    return Schedule(_load(site(), block, len(block)), block)


def _bound(number, obj, needed):
    """An array as buffer @number of a schedule, or None, if no byte of it is used."""
    nbytes, is_written, align = needed
    name = "buffer %d" % number
    if obj is None and nbytes == 0:
        return None
    buffer = Buffer(obj, "goal_start", name)
    if is_written:
        buffer.to_write()
    if buffer.nbytes < nbytes:
        raise ValueError("goal_start: %s has %d bytes, but the schedule uses %d"
                         % (name, buffer.nbytes, nbytes))
    if buffer.address % align:
        raise ValueError("goal_start: %s is not aligned to %d bytes" % (name, align))
    return buffer


def goal_start(schedule, *buffers):
    """Start a schedule with its buffers, in order; returns the run."""
    number, needed = _known(schedule, "goal_start"), schedule._buffers
    if len(buffers) != len(needed):
        raise ValueError("goal_start: %d buffers, but the schedule has %d"
                         % (len(buffers), len(needed)))
    bound = [_bound(i, obj, needed[i]) for i, obj in enumerate(buffers)]
    addresses = (ctypes.c_void_p * len(bound))(*[one and one.address for one in bound])
    return Run(_start(site(), number, addresses), [one for one in bound if one is not None])


def goal_wait(run):
    """Wait until a run has completed on this process."""
    run.wait()


def goal_test(run):
    """Has a run completed on this process?"""
    return run.test()


def goal_unload(schedule):
    """Free a schedule, collectively."""
    _unload(site(), _known(schedule, "goal_unload"))
    schedule._number = None
