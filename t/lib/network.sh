# SPDX-License-Identifier: BSD-3-Clause
# network.sh - the first network transport that can run here; read after installed.sh.
# shellcheck shell=sh disable=SC2034,SC2154

network=$(bspinfo | awk '
	/^  (ofi|mpi) / { name = $1 }
	/can run here/ && name { print name; exit }
	/cannot/ { name = "" }')
test -n "$network" || diag "no network transport can run here; shared memory alone is tried"
