# SPDX-License-Identifier: BSD-3-Clause
# table-1.sh - the models of broadcast as printed, those of the library, and measurements.
# shellcheck shell=sh disable=SC1091,SC2154

. "$SOURCE/bench/papers/plogp/probe.sh"

as_printed bcast
