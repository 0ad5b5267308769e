# SPDX-License-Identifier: BSD-3-Clause
# _job.py - the beginning and the end of the SPMD part, and what ends it otherwise.

import atexit
import ctypes
import os
import sys
import traceback

from . import _buffers
from ._buffers import index
from ._library import FOLDER, MAIN, begin as _begin, function, refuse, site, site_of_traceback

_end = function("mcbsp_end_at", "-p")
_init = function("mcbsp_init_at", "-pMip")
_nprocs = function("mcbsp_nprocs", "u")
_python = ctypes.pythonapi

_running = False
_main = None            # what init() was given: the library calls it
_endings = []           # called when an SPMD part has ended
operators = set()       # requests that call operators of the program: _operation.py


def is_running():
    return _running


def at_end(function):
    _endings.append(function)


def _flush():
    """What is written goes out before others write, and a copy of the process has none of it."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def _write_lines():
    """A message of the library ends the process at once: nothing waits in a buffer then."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=True)


def end_job(kind, value, where):
    """After a traceback: the others end, too."""
    _flush()
    text = traceback.format_exception_only(kind, value)[-1].strip()
    refuse(site_of_traceback(where), b"bsp_abort",
           ("uncaught " + text).encode(errors="replace"))


def _show(kind, value, where):
    """A traceback of the program's own lines, in one piece, as others may write theirs."""
    text = traceback.TracebackException(kind, value, where)
    text.stack = traceback.StackSummary.from_list(
        [frame for frame in text.stack if not frame.filename.startswith(FOLDER)])
    sys.stderr.flush()
    os.write(2, "".join(text.format()).encode(errors="replace"))


def _install_hook():
    """An exception that ends this process ends the job, after its traceback."""
    if getattr(sys.excepthook, "is_of_bsp", False):
        return
    last = sys.excepthook

    def hook(kind, value, where):
        show = _show if last is sys.__excepthook__ else last
        show(kind, value, where)
        if _running:
            end_job(kind, value, where)

    hook.is_of_bsp = True
    sys.excepthook = hook


@atexit.register
def _on_exit():
    """An operator of the program cannot be called when the interpreter has ended."""
    if _running and operators:
        _flush()
        refuse(None, b"bsp_end", b"was not called before the end of the program, in which an "
               b"operation with an operator of the program is not over")


def _copied(before):
    """After the fork in bsp_begin(), if this is the copy, as after os.fork()."""
    if os.getpid() == before:
        _python.PyOS_AfterFork_Parent()
    else:
        _python.PyOS_AfterFork_Child()


def begin(maxprocs=None):
    """Start the SPMD part on up to @maxprocs processes; without it, on as many as there can be."""
    global _running
    n = _nprocs() if maxprocs is None else index(maxprocs, "begin", "maxprocs")
    _flush()
    before, where = os.getpid(), site()
    _python.PyOS_BeforeFork()
    _begin(where, max(n, 0))
    _copied(before)
    _install_hook()
    _running = True
    _write_lines()


def end():
    """End the SPMD part."""
    global _running
    _flush()
    _end(site())
    _running = False
    for function in _endings:
        function()
    _buffers.ended()


class spmd:
    """with bsp.spmd(): begin() before the block, and end() behind it if no exception leaves it."""

    def __init__(self, maxprocs=None):
        self.maxprocs = maxprocs

    def __enter__(self):
        begin(self.maxprocs)
        return self

    def __exit__(self, kind, value, where):
        if kind is None:
            end()


def run(main, maxprocs=None):
    """begin(), main(), end()."""
    begin(maxprocs)
    main()
    end()


def _exit_as(code):
    """What sys.exit() does, where functions of C are above."""
    if code is not None and not isinstance(code, int):
        print(code, file=sys.stderr)
        code = 1
    _flush()
    ctypes.CDLL(None).exit(code or 0)


def init(spmd):
    """Announce the function that begins and ends the SPMD part, if main is not to do so."""
    global _main
    if not callable(spmd):
        raise TypeError("init: spmd is no function")

    def guarded():
        try:
            spmd()
        except SystemExit as error:
            _exit_as(error.code)
        except BaseException as error:
            sys.excepthook(type(error), error, error.__traceback__)
            _exit_as(1)

    _main = MAIN(guarded)
    _init(site(), _main, 0, None)


def nprocs():
    """Processes of the SPMD part; outside it, the largest possible number."""
    return _nprocs()


def abort(text):
    """End all processes with a message."""
    _flush()
    refuse(site(), b"bsp_abort", str(text).encode(errors="replace"))
