# SPDX-License-Identifier: BSD-3-Clause
# _operation.py - what is in progress while the program computes, with the arrays that it uses.

from . import _job
from ._buffers import Buffer

_in_progress = set()    # whether the program still has them or not


class Operation:
    """Of a collective operation or a schedule that was started: wait() and test()."""

    def __init__(self, held):
        """@held: what the library uses until the operation is done, arrays and operators."""
        self._held = held
        for one in held:
            if isinstance(one, Buffer):
                one.keep()
            else:
                _job.operators.add(self)
        _in_progress.add(self)

    def _is_done(self):
        return self not in _in_progress

    def _done(self):
        if self._is_done():
            return
        _in_progress.discard(self)
        _job.operators.discard(self)
        for one in self._held:
            if isinstance(one, Buffer):
                one.drop()
        self._held = ()


def wait(operation):
    """Wait until an operation has completed."""
    operation.wait()


def test(operation):
    """Has an operation completed?"""
    return operation.test()


def _ended():
    for operation in list(_in_progress):
        operation._done()


_job.at_end(_ended)
