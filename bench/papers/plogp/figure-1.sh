# SPDX-License-Identifier: BSD-3-Clause
# figure-1.sh - the parameters L, os(m), or(m) and g(m) of the networks that are measured here.
# shellcheck shell=sh disable=SC1091,SC2154

. "$SOURCE/bench/papers/plogp/probe.sh"

# parameters_of NETWORK: on standard input, as series
parameters_of()
{
	awk -F, -v network="$1" '
		$1 == "os" || $1 == "or" || ($1 == "g" && $2 > 0) {
			printf "%s/%s(m),%d,%s,%s,%s,us\n", network, $1, $2, $3, $4, $5
		}
		$1 == "L" { printf "%s/L,1,%s,%s,%s,us\n", network, $3, $4, $5 }'
}

echo "# panel gigabit: $about; other panels: $about_real; two processes"
echo "$head"
for network in gigabit $(networks); do
	parameters "$network" 2 | parameters_of "$network"
done
