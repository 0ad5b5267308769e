# SPDX-License-Identifier: BSD-3-Clause
# _buffers.py - arrays as memory: their address, size and type, and how long they have to stay.

# A buffer holds its array: the array is not freed, moved or resized while the buffer lives. Arrays
# that the library uses after a call are kept besides by a reference that no collection and no end
# of the interpreter takes back (keep()), until the library is done with them (drop()): an area
# until the sync() after pop_reg(), what get() and the hp calls use until the next sync(), arrays of
# nonblocking operations until these are done.

import ctypes
import operator
import struct
from ctypes import c_char_p, c_int, c_ssize_t, c_void_p, py_object

_python = ctypes.pythonapi
_STRIDES_AND_FORMAT = 0x1c          # PyBUF_RECORDS_RO


class _View(ctypes.Structure):
    """Py_buffer"""
    _fields_ = [("buf", c_void_p), ("obj", c_void_p), ("len", c_ssize_t), ("itemsize", c_ssize_t),
                ("readonly", c_int), ("ndim", c_int), ("format", c_char_p), ("shape", c_void_p),
                ("strides", c_void_p), ("suboffsets", c_void_p), ("internal", c_void_p)]


_get = _python.PyObject_GetBuffer
_get.argtypes = [py_object, ctypes.POINTER(_View), c_int]
_release = _python.PyBuffer_Release
_release.argtypes, _release.restype = [ctypes.POINTER(_View)], None
_is_contiguous = _python.PyBuffer_IsContiguous
_is_contiguous.argtypes = [ctypes.POINTER(_View), ctypes.c_char]
_hold, _let_go = _python.Py_IncRef, _python.Py_DecRef
for _f in _hold, _let_go:
    _f.argtypes, _f.restype = [py_object], None

# ---- Types of elements -------------------------------------------------------------------------

_kinds = {"?": "bool", "e": "float", "f": "float", "d": "float", "g": "float",
          "Zf": "complex", "Zd": "complex", "Zg": "complex", "c": "uint"}
_kinds.update(dict.fromkeys("bhilqn", "int"), **dict.fromkeys("BHILQN", "uint"))


def _type_name(format, itemsize):
    """As numpy calls it, whatever letter of C it has; what has no such name keeps its format."""
    if format[:1] in "@=<":
        format = format[1:]
    kind = _kinds.get(format)
    return kind if kind in (None, "bool") or not kind else "%s%d" % (kind, 8 * itemsize)


def _described(obj):
    """ "array of ..." for messages about what is none."""
    kind = type(obj)
    return kind.__name__ if kind.__module__ in ("builtins", "numpy") else \
        "%s.%s" % (kind.__module__, kind.__name__)


class Buffer:
    """An array that argument @name of @call is, with its memory held."""

    __slots__ = ("view", "obj", "call", "name", "address", "nbytes", "itemsize", "type", "format",
                 "effective", "popped", "__weakref__")

    def __init__(self, obj, call, name):
        self.view = None
        view = _View()
        try:
            _get(obj, view, _STRIDES_AND_FORMAT)
        except TypeError:
            raise TypeError("%s: %s is no array but %s; it has to be one of numpy, or what else "
                            "has a buffer" % (call, name, _described(obj))) from None
        except (ValueError, BufferError) as error:
            raise TypeError("%s: the elements of %s cannot be read as memory (%s); convert them "
                            "to numbers" % (call, name, error)) from None
        self.view = view
        self.obj, self.call, self.name = obj, call, name
        self.format = (view.format or b"B").decode()
        self.itemsize, self.nbytes, self.address = view.itemsize, view.len, view.buf
        self.type = _type_name(self.format, self.itemsize) or self.format
        self.effective = self.popped = False
        self._check()

    def _check(self):
        if "O" in self.format:
            raise TypeError("%s: the elements of %s are objects of Python, which mean nothing to "
                            "another process; use an array of numbers" % (self.call, self.name))
        if not _is_contiguous(self.view, b"C"):
            raise ValueError("%s: %s is not contiguous: its elements do not lie one after the "
                             "other; use a contiguous part, or a copy" % (self.call, self.name))

    def __del__(self):
        if self.view is not None:
            _release(self.view)

    def __len__(self):
        """In elements."""
        return self.nbytes // self.itemsize if self.itemsize else 0

    def keep(self):
        _hold(self)
        return self

    def drop(self):
        _let_go(self)

    def to_write(self):
        if self.view.readonly:
            raise ValueError("%s: %s is read-only; what is received needs an array that can be "
                             "written" % (self.call, self.name))
        return self

    def of_type(self, other):
        """Elements as those of another argument."""
        if self.type != other.type:
            raise TypeError("%s: %s has elements of %s, %s of %s; convert one of them"
                            % (self.call, self.name, self.type, other.name, other.type))
        return self

    def of_size(self, n, why):
        if len(self) != n:
            raise ValueError("%s: %s has %d elements, but it takes %d: %s"
                             % (self.call, self.name, len(self), n, why))
        return self


def _is_number(obj):
    """Of Python, or of numpy, whose numbers are arrays that cannot be written."""
    return isinstance(obj, (int, float, complex)) or \
        type(obj).__module__ == "numpy" and not hasattr(obj, "__setitem__")


def _number(value, like, call, name):
    """A number as one element of the type of @like."""
    format = like.format.lstrip("@=<")
    try:
        if hasattr(value, "item"):
            value = value.item()
        if format[0] == "Z":
            value = complex(value)
            return struct.pack("2" + format[1], value.real, value.imag)
        return struct.pack(format, value)
    except (struct.error, OverflowError, TypeError) as error:
        raise TypeError("%s: %s, the number %r, cannot be one of %s (%s)"
                        % (call, name, value, like.type, error)) from None


def to_send(obj, like, call, name="src"):
    """An array whose elements are those of @like, or a number, which becomes one."""
    if not _is_number(obj):
        return Buffer(obj, call, name).of_type(like)
    sent = Buffer(_number(obj, like, call, name), call, name)
    sent.type, sent.itemsize = like.type, like.itemsize
    return sent


def index(value, call, name, least=None):
    """An integer that an int of C can say."""
    try:
        value = operator.index(value)
    except TypeError:
        raise TypeError("%s: %s is no integer but %s" % (call, name, _described(value))) from None
    if not -2**31 <= value < 2**31:
        raise ValueError("%s: %s, %d, is more than an int can say" % (call, name, value))
    if least is not None and value < least:
        raise ValueError("%s: %s, %d, is below %d" % (call, name, value, least))
    return value


def offset_of(value, like, call):
    """Bytes of an offset in elements of an area."""
    try:
        value = operator.index(value)
    except TypeError:
        raise TypeError("%s: the offset is no integer but %s"
                        % (call, _described(value))) from None
    if value < 0 or value * like.itemsize >= 2**63:
        raise ValueError("%s: the offset %d is below 0, or more than a size can say"
                         % (call, value))
    return value * like.itemsize

# ---- Areas -------------------------------------------------------------------------------------


_areas = {}         # address: its registrations, the oldest first
_popped = []        # with a pop_reg() that takes effect in the next sync()
_pending = []       # read or written until the next sync()


def area_add(buffer):
    _areas.setdefault(buffer.address, []).append(buffer.keep())


def _registrations(buffer):
    found = _areas.get(buffer.address)
    if not found:
        raise ValueError("%s: %s is not registered; register it by push_reg() and sync() first, "
                         "and name it by its first element" % (buffer.call, buffer.name))
    return found


def area_of(obj, call, name):
    """The registration that counts for an array, or for a part that begins where it begins."""
    named = Buffer(obj, call, name)
    found = _registrations(named)
    for area in reversed(found):
        if area.effective:
            break
    else:
        area = found[-1]
    named.of_type(area)
    return area


def area_pop(obj):
    """The newest registration, which stays until the next sync()."""
    named = Buffer(obj, "pop_reg", "area")
    for area in reversed(_registrations(named)):
        if not area.popped:
            area.popped = True
            _popped.append(area)
            return area
    raise ValueError("pop_reg: each registration of area has been popped already")


def use_until_sync(buffer):
    _pending.append(buffer.keep())
    return buffer


def synced():
    """After a sync(): registrations are in effect, and what it has used is free."""
    for buffer in _pending:
        buffer.drop()
    _pending.clear()
    for area in _popped:
        found = _areas[area.address]
        found.remove(area)
        if not found:
            del _areas[area.address]
        area.drop()
    _popped.clear()
    for found in _areas.values():
        for area in found:
            area.effective = True


def ended():
    """After an end(): nothing is in use any more."""
    synced()
    for found in _areas.values():
        for area in found:
            area.drop()
    _areas.clear()
