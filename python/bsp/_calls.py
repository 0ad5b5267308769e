# SPDX-License-Identifier: BSD-3-Clause
# _calls.py - the calls of bsp.h: supersteps, areas, messages, relaxed barriers, neighbours.

import ctypes

from . import _buffers
from ._buffers import Buffer, area_of, index, offset_of, to_send
from ._job import at_end
from ._library import function, site

CLASSIC, RELAXED, ANY, ALL = 0, 1, -1, -1

_sync = function("mcbsp_sync_at", "-p")
_pid = function("mcbsp_pid_at", "up")
_time = function("mcbsp_time_at", "dp")
_dtime = function("mcbsp_dtime", "d")
_cputime = function("mcbsp_cputime", "d")
_push_reg = function("mcbsp_push_reg_at", "-ppn")
_pop_reg = function("mcbsp_pop_reg_at", "-pp")
_put = function("mcbsp_put_at", "-puppnn")
_hpput = function("mcbsp_hpput_at", "-puppnn")
_get = function("mcbsp_get_at", "-pupnpn")
_hpget = function("mcbsp_hpget_at", "-pupnpn")
_direct_get = function("mcbsp_direct_get_at", "-pupnpn")
_set_tagsize = function("mcbsp_set_tagsize_at", "-pN")
_send = function("mcbsp_send_at", "-puppn")
_hpsend = function("mcbsp_hpsend_at", "-puppn")
_qsize = function("mcbsp_qsize_at", "-pUN")
_get_tag = function("mcbsp_get_tag_at", "-pNp")
_move = function("mcbsp_move_at", "-ppn")
_set_sync = function("bsp_set_sync_at", "ipi")
_read = function("bsp_read_at", "-ppi")
_read_test = function("bsp_read_test_at", "ippi")
_serve = function("bsp_serve_at", "-ppi")
_expect = function("bsp_expect_at", "-pi")
_set_neighbors = function("bsp_set_neighbors_at", "-piP")
_section = function("bsp_section_at", "-ps")
_section_end = function("bsp_section_end_at", "-ps")

s = function("bsp_s", "d")
l = function("bsp_l", "d")          # noqa: E741
g = function("bsp_g", "d")
nhalf = function("bsp_nhalf", "i")


def sync():
    """End the superstep."""
    _sync(site())
    _buffers.synced()
    _tags.synced()


def pid():
    """Number of this process."""
    return _pid(site())


def time():
    """Seconds since begin() on this process."""
    return _time(site())


def dtime():
    """Seconds since the last call."""
    return _dtime()


def cputime():
    """Seconds of processor time of this process."""
    return _cputime()

# ---- Areas -------------------------------------------------------------------------------------


def push_reg(area):
    """Let other processes put to and get from an array, from the next sync() on; returns it."""
    if area is None:
        _push_reg(site(), None, 0)
        return None
    buffer = Buffer(area, "push_reg", "area").to_write()
    _push_reg(site(), buffer.address, buffer.nbytes)
    _buffers.area_add(buffer)
    return area


def pop_reg(area):
    """Withdraw the newest registration of an array with the next sync()."""
    _pop_reg(site(), None if area is None else _buffers.area_pop(area).address)


def _to_put(call, pid, src, dst, offset):
    area = area_of(dst, call, "dst")
    sent = to_send(src, area, call)
    return (index(pid, call, "pid", 0), sent, area.address, offset_of(offset, area, call),
            sent.nbytes)


def put(pid, src, dst, offset=0):
    """Copy an array, or a number, to element @offset on of the area @dst of process @pid."""
    pid, sent, dst, offset, nbytes = _to_put("put", pid, src, dst, offset)
    _put(site(), pid, sent.address, dst, offset, nbytes)


def hpput(pid, src, dst, offset=0):
    """put() without buffers: @src must not change before the next sync()."""
    pid, sent, dst, offset, nbytes = _to_put("hpput", pid, src, dst, offset)
    _hpput(site(), pid, _buffers.use_until_sync(sent).address, dst, offset, nbytes)


def _to_get(call, pid, src, offset, dst):
    area = area_of(src, call, "src")
    into = Buffer(dst, call, "dst").to_write().of_type(area)
    return index(pid, call, "pid", 0), area.address, offset_of(offset, area, call), into


def get(pid, src, offset, dst):
    """Fill an array from element @offset on of the area @src of process @pid, in sync()."""
    pid, src, offset, into = _to_get("get", pid, src, offset, dst)
    _get(site(), pid, src, offset, _buffers.use_until_sync(into).address, into.nbytes)


def hpget(pid, src, offset, dst):
    """get() without buffers: nothing else may use @dst, or that part of @src, before sync()."""
    pid, src, offset, into = _to_get("hpget", pid, src, offset, dst)
    _hpget(site(), pid, src, offset, _buffers.use_until_sync(into).address, into.nbytes)


def direct_get(pid, src, offset, dst):
    """Fill an array at once."""
    pid, src, offset, into = _to_get("direct_get", pid, src, offset, dst)
    _direct_get(site(), pid, src, offset, into.address, into.nbytes)

# ---- Messages ----------------------------------------------------------------------------------


class _Tags:
    """Sizes of tags: of messages that are received, and sent, in this superstep; set last."""

    def __init__(self):
        self.received = self.sent = self.last = self.most = 0

    def set(self, nbytes):
        self.last = nbytes
        self.most = max(self.most, nbytes)

    def synced(self):
        self.received, self.sent = self.sent, self.last


_tags = _Tags()
at_end(_tags.__init__)


def set_tagsize(nbytes):
    """Set the size of tags from the next superstep on; returns the one set before."""
    size = ctypes.c_size_t(index(nbytes, "set_tagsize", "nbytes", 0))
    _set_tagsize(site(), size)
    _tags.set(nbytes)
    return size.value


def _to_send(call, pid, tag, payload):
    pid, sent = index(pid, call, "pid", 0), Buffer(payload, call, "payload")
    tag = Buffer(tag, call, "tag")
    if tag.nbytes != _tags.sent:
        raise ValueError("%s: the tag has %d bytes, but tags have %d in this superstep; see "
                         "set_tagsize()" % (call, tag.nbytes, _tags.sent))
    return pid, tag, sent


def send(pid, payload, tag=b""):
    """Send an array of any type, or bytes, with a tag."""
    pid, tag, sent = _to_send("send", pid, tag, payload)
    _send(site(), pid, tag.address, sent.address, sent.nbytes)


def hpsend(pid, payload, tag=b""):
    """send(), but both must not change before the next sync()."""
    pid, tag, sent = _to_send("hpsend", pid, tag, payload)
    _hpsend(site(), pid, _buffers.use_until_sync(tag).address,
            _buffers.use_until_sync(sent).address, sent.nbytes)


def qsize():
    """How many messages are in the queue, and their bytes without tags."""
    n, nbytes = ctypes.c_uint(), ctypes.c_size_t()
    _qsize(site(), n, nbytes)
    return n.value, nbytes.value


def _look():
    """Bytes of the first message, or -1, and its tag."""
    tag = ctypes.create_string_buffer(_tags.most + 1)
    nbytes = ctypes.c_size_t()
    _get_tag(site(), nbytes, ctypes.addressof(tag))
    if nbytes.value == 2**64 - 1:
        return -1, b""
    return nbytes.value, tag.raw[:_tags.received]


def get_tag(into=None):
    """Bytes of the first message, or -1, and its tag; with an array as big as that, which then
    gets the tag, the first alone."""
    nbytes, tag = _look()
    if into is None:
        return nbytes, tag
    array = Buffer(into, "get_tag", "into").to_write()
    if nbytes >= 0:
        if array.nbytes != len(tag):
            raise ValueError("get_tag: into has %d bytes, but the tag has %d"
                             % (array.nbytes, len(tag)))
        ctypes.memmove(array.address, tag, len(tag))
    return nbytes


def move(into=None):
    """Remove the first message, and return its data as bytes; or copy them to an array that is
    big enough, and return how many bytes these are."""
    nbytes = _look()[0]
    if into is not None:
        array = Buffer(into, "move", "into").to_write()
        if nbytes > array.nbytes:
            raise ValueError("move: into has %d bytes, but the message has %d"
                             % (array.nbytes, nbytes))
        _move(site(), array.address, nbytes if nbytes > 0 else 0)
        return nbytes
    data = ctypes.create_string_buffer(max(nbytes, 0) + 1)
    _move(site(), ctypes.addressof(data), max(nbytes, 0))
    return data.raw[:nbytes]


def messages():
    """Tag and data of each message in the queue, which are removed, as bytes."""
    while True:
        nbytes, tag = _look()
        if nbytes < 0:
            return
        yield tag, move()

# ---- Relaxed barriers ----------------------------------------------------------------------------


def set_sync(mode):
    """Set how supersteps end from this one on, CLASSIC or RELAXED; returns the mode before."""
    return _set_sync(site(), index(mode, "set_sync", "mode"))


def read(area, n):
    """Wait until an area has been updated by @n puts."""
    _read(site(), area_of(area, "read", "area").address, index(n, "read", "n"))


def read_test(area, n):
    """Would read() return at once?"""
    return bool(_read_test(site(), area_of(area, "read_test", "area").address,
                           index(n, "read_test", "n")))


def serve(area, n):
    """Announce @n gets from an area of this process in this superstep."""
    _serve(site(), area_of(area, "serve", "area").address, index(n, "serve", "n"))


def expect(n):
    """Wait for messages of relaxed supersteps."""
    _expect(site(), index(n, "expect", "n"))


def _section_name(name, call):
    if not isinstance(name, str):
        raise TypeError("%s: the name is a str, not %s" % (call, type(name).__name__))
    if "\0" in name:
        raise ValueError("%s: the name has a null character" % call)
    return name.encode(errors="replace")


def section(name):
    """From here on the program is in a section of this name."""
    _section(site(), _section_name(name, "section"))


def section_end(name):
    """The section that began last, which has this name, ends."""
    _section_end(site(), _section_name(name, "section_end"))


def set_neighbors(pids):
    """Say which processes this one communicates with from the next superstep on; ALL: all."""
    where = site()
    if isinstance(pids, int) and pids == ALL:
        _set_neighbors(where, ALL, None)
        return
    names = [index(pid, "set_neighbors", "a neighbour") for pid in pids]
    _set_neighbors(where, len(names), (ctypes.c_int * len(names))(*names))
