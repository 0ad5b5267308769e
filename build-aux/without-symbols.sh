#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# without-symbols.sh COMMAND... - run it where /proc/kallsyms is empty, or, if we may not, as it is.

# Whenever libfabric 1.17 is loaded it reads all names of the kernel's functions twice and looks for
# two of a driver for InfiniBand: half of the processor time of tests over it. Here it reads nothing
# and finds as much.

hide='mount --bind /dev/null /proc/kallsyms'
if test "$(id -u)" -eq 0 && unshare --mount sh -c "$hide" 2>/dev/null; then
	exec unshare --mount sh -c "$hide"' && exec "$@"' sh "$@"
fi
exec "$@"
