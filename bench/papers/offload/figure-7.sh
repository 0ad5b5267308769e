# SPDX-License-Identifier: BSD-3-Clause
# figure-7.sh - what of an operation is not hidden: its overhead.
# shellcheck shell=sh disable=SC1091

. "$SOURCE/bench/papers/offload/collectives.sh"

offload_rows
offload_series overhead 1000 "us" 1
library_rows
library_series overhead 1000 "us"
