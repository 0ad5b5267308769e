# SPDX-License-Identifier: BSD-3-Clause
# gauge.sh - what the figures of the Netgauge paper share; sourced by them.
# shellcheck shell=sh

# InfiniBand is not here: MPI over what it finds best between two processes, which on one machine is
# memory, stands for the fast network, and sockets on the same machine for IP over it.
if test "$FORM" = full; then
	sizes=1:1M:4 seconds=20
else
	sizes=1:1k:32 seconds=0.5
fi
head='series,x,value,low,high,unit'
about='two processes of this machine: medians, and 95 % confidence, beside all else that it did'

# gauge MODULE OPTION...: bspgauge's CSV
gauge()
{
	module=$1
	shift
	"$BUILD/tools/bspgauge/bspgauge" -n 2 --module "$module" --sizes $sizes --quiet \
		--seconds $seconds --csv - "$@" 2>>gauge.log ||
		{ : >failed; echo "module $module: $(tail -n 1 gauge.log)" >&2; exit 1; }
}

# can_run MODULE: is it here?
can_run()
{
	"$BUILD/tools/bspgauge/bspgauge" --list | awk -v module="$1" '
		/^  [a-z]/ { here = $1 == module; found = found || here }
		here && /cannot run here/ { refused = 1 }
		END { exit !found || refused }'
}

# needs MODULE: or the figure is skipped
needs()
{
	can_run "$1" && return
	echo "bspgauge has no module $1 here, with which others are compared" >&2
	exit 77
}
