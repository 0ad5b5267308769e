# SPDX-License-Identifier: BSD-3-Clause
# alone.sh - a test that runs where it sees no jobs of other tests, which have processors of their
# own: in namespaces with a /sys of its own. A script reads it before env.sh, as it begins again.
# shellcheck shell=sh

as_root=
test "$(id -u)" -eq 0 || as_root=--map-root-user
if test -z "$BSP_TEST_INSIDE" && unshare $as_root --net --mount true 2>/dev/null; then
	BSP_TEST_INSIDE=1 exec unshare $as_root --net --mount "${SHELL:-/bin/sh}" "$0" "$@"
fi
. "${0%/*}/../lib/env.sh"
test "$BSP_TEST_INSIDE" || skip_all "no namespaces here"
unset BSP_TEST_INSIDE
mount -t sysfs sysfs /sys || bail "no /sys of its own"
