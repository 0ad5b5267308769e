# SPDX-License-Identifier: BSD-3-Clause
# _library.py - finds the library, and has its functions with the types of their arguments.

import ctypes
import os
import sys
from ctypes import POINTER, c_char_p, c_double, c_float, c_int, c_size_t, c_uint, c_ulong, c_void_p

FOLDER = os.path.dirname(os.path.abspath(__file__))


def _folders():
    """Where the library may be: BSP_LIBDIR, as for bspcc; beside this module; where it was put."""
    yield os.environ.get("BSP_LIBDIR")
    try:
        from . import _where
    except ImportError:         # in the source tree
        return
    yield os.path.normpath(os.path.join(FOLDER, _where.FROM_HERE))
    yield _where.LIBDIR


def _load():
    for folder in _folders():
        path = folder and os.path.join(folder, "libbsp.so.0")
        if path and os.path.exists(path):
            return path, ctypes.CDLL(path)
    try:
        return "libbsp.so.0", ctypes.CDLL("libbsp.so.0")
    except OSError as error:
        raise ImportError("bsp: there is no libbsp.so.0 (%s); set BSP_LIBDIR to its folder"
                          % error) from None


PATH, _library = _load()
# bsp_begin() copies the process, so it is called with Python's lock held: the copy has it, too. All
# others release it, as a thread of the library may call operators of the program meanwhile.
_locked = ctypes.PyDLL(PATH)

OPERATOR = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, POINTER(c_int))
LESS = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(c_int))
MAIN = ctypes.CFUNCTYPE(None)
CALLER = ctypes.CFUNCTYPE(None, c_void_p, POINTER(c_void_p))

_types = {
    "p": c_void_p, "n": c_size_t, "i": c_int, "u": c_uint, "d": c_double, "f": c_float,
    "s": c_char_p, "c": ctypes.c_char, "O": OPERATOR, "L": LESS, "M": MAIN, "C": CALLER,
    "-": None,
    "N": POINTER(c_size_t), "U": POINTER(c_uint), "P": POINTER(c_int), "R": POINTER(c_ulong),
    "r": c_ulong,
}


def function(symbol, types, library=None):
    """A function of the library: its result, then its arguments, a letter each."""
    found = getattr(library or _library, symbol)
    found.restype = _types[types[0]]
    found.argtypes = [_types[letter] for letter in types[1:]]
    return found


begin = function("mcbsp_begin_at", "-pu", _locked)
site_of_line = function("bsp_site_of_line", "psu")
refuse = function("bsp_refuse_at", "-pss")

# ---- Call sites ------------------------------------------------------------------------------

_sites = {}
_began_in = os.getcwd() + os.sep


def _name(file):
    """As the program was given, if it is below the folder in which it began."""
    path = os.path.normpath(os.path.join(_began_in, file))
    return path[len(_began_in):] if path.startswith(_began_in) else path


def site_of(code, line):
    known = _sites.get((code, line))
    if known is None:
        known = site_of_line(os.fsencode(_name(code.co_filename)), line)
        _sites[code, line] = known
    return known


def site():
    """Of the line of the program that called this module."""
    frame = sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__package__") == __package__:
        frame = frame.f_back
    return site_of(frame.f_code, frame.f_lineno)


def site_of_traceback(traceback):
    """Of the innermost line of the program in it; None: it has none."""
    found = None
    while traceback:
        frame = traceback.tb_frame
        if frame.f_globals.get("__package__") != __package__:
            found = site_of(frame.f_code, traceback.tb_lineno)
        traceback = traceback.tb_next
    return found

# ---- Callers ---------------------------------------------------------------------------------

# Callers as the library has them: addresses of texts, which stay. By code and instruction, as
# looking for the line takes longer; the code stays, too, so its number is its own.
_callers = {}
_texts = {}


def _of_program(frame):
    """The frame, or that of the first caller that is not in this module; None: there is none."""
    while frame and frame.f_globals.get("__package__") == __package__:
        frame = frame.f_back
    return frame


def _text_of(code, line):
    """As bspprof shows callers in other languages: step() heat.py:31."""
    name = getattr(code, "co_qualname", code.co_name).rpartition("<locals>.")[2]
    text = "%s%s %s:%d" % (name, "" if name == "<module>" else "()", _name(code.co_filename), line)
    if text not in _texts:
        _texts[text] = ctypes.create_string_buffer(text.encode(errors="replace"))
    return ctypes.addressof(_texts[text])


@CALLER
def _caller(_, text):
    """From where the function is called that makes the call under way, for recordings."""
    frame = _of_program(sys._getframe(1))
    frame = frame and _of_program(frame.f_back)
    if not frame:
        return
    code = frame.f_code
    known = _callers.get((id(code), frame.f_lasti))
    if known is None:
        known = _callers[id(code), frame.f_lasti] = _text_of(code, frame.f_lineno), code
    text[0] = known[0]


function("bsp_find_callers_by", "-C")(_caller)
