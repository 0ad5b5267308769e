# SPDX-License-Identifier: BSD-3-Clause
# figure-7.sh - LogGP: overhead and transmission time over bytes, of MPI and TCP.
# shellcheck shell=sh disable=SC1091,SC2154

. "$SOURCE/bench/papers/netgauge/gauge.sh"

# curves: of bspgauge's CSV; T is g(m), the time of a message more in a train. A change of protocol
# begins a row of the parameters. In the full form values whose interval is wider than they are, as
# those that a busy machine has spoilt, are left out.
curves()
{
	awk -F, -v form="$FORM" '
		$3 == "plogp" && $4 == "g(m)" { curve("T") }
		$3 == "plogp" && $4 == "os(m)" { curve("overhead") }
		$4 == "o by delay" { curve("overhead by delay") }
		$4 ~ /^g(_[0-9])?$/ { regions++; module = $2 }
		function curve(panel)
		{
			if ($11 > 0 && (form != "full" || $10 - $9 <= $8))
				printf "%s/%s,%s,%s,%s,%s,us\n", panel, $2, $7, $8, $9, $10
		}
		END { printf "regions/%s,1,%d,,,rows\n", module, regions }'
}

needs mpi-p2p
echo "# patterns loggp and plogp; $about"
echo "# T(m) = (PRTT(n, m) - PRTT(1, m)) / (n - 1), overhead by sends in a row and by delay"
echo "# in the full form without values whose interval of 95 % is wider than they are"
echo "$head"
for module in mpi-p2p tcp udp; do
	gauge $module --pattern loggp,plogp | curves
done
