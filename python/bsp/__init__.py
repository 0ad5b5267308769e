# SPDX-License-Identifier: BSD-3-Clause
"""Bulk-synchronous programs: the calls of the library bsp, with arrays as areas. bsp_python(7)"""

# flake8: noqa
from ._job import abort, begin, end, init, nprocs, run, spmd
from ._calls import (
    ALL, ANY, CLASSIC, RELAXED, cputime, direct_get, dtime, expect, g, get, get_tag, hpget, hpput,
    hpsend, l, messages, move, nhalf, pid, pop_reg, push_reg, put, qsize, read, read_test, s,
    section, section_end, send, serve, set_neighbors, set_sync, set_tagsize, sync, time)
from ._coll import (
    AND, MAX, MIN, OR, PROD, SUM, XOR, Request, all, any, constantI, sort, sortC)
from ._goal import (
    Run, Schedule, goal_load, goal_parse, goal_set_read, goal_start, goal_test, goal_unload,
    goal_wait)
from ._operation import test, wait
from . import _coll

# These come in families: with an i, with the letter of a type, or _prefix.
globals().update({name: call for name, call in vars(_coll).items()
                  if callable(call) and call.__module__ == _coll.__name__ and name[0] != "_"})
