# SPDX-License-Identifier: BSD-3-Clause
# figure-10.sh - total exchange among 24 processes beside its bounds: pLogP's and Clement's model.
# shellcheck shell=sh disable=SC1091,SC2154

. "$SOURCE/bench/papers/plogp/probe.sh"

n=24 largest=64k
test "$FORM" = full || n=3 largest=1k

# bounds PANEL: of the file parameters
bounds()
{
	awk -F, -v panel="$1" '
		$1 == "gamma" { gamma = $3 }
		$1 == "exchange_lower" { lower[$2] = $3 }
		$1 == "exchange_upper" { upper[$2] = $3 }
		$1 == "exchange_linear" { linear[$2] = $3 }
		END {
			for (m in upper) {
				printf "%s/lower,%d,%g,,,us\n", panel, m, lower[m]
				printf "%s/upper,%d,%g,,,us\n", panel, m, upper[m]
				printf "%s/lower + (upper - lower) gamma,%d,%g,,,us\n", panel, m,
					lower[m] + (upper[m] - lower[m]) * gamma
				printf "%s/Clement,%d,%g,,,us\n", panel, m, linear[m]
			}
		}' parameters | sort -t , -k 1,1 -k 2,2n
}

echo "# panel gigabit: $about; $n processes"
echo "# panel busy: the same network with a switch that all messages pass one after the other, 1 ns"
echo "# for each byte"
echo "$head"
for network in gigabit busy; do
	probe $network $n --bytes $largest >parameters || exit 1
	rows $network $n exchange $largest >exchange
	sizes=$(awk -F, '$1 == "exchange_upper" { printf "%s ", $2 }' parameters)
	bounds $network
	for algorithm in direct direct-rotated; do
		series exchange $algorithm "$network/$algorithm " <exchange |
			awk -F, -v sizes="$sizes" '
				BEGIN {
					split(sizes, size, " ")
					for (i in size)
						is[size[i]] = 1
				}
				$1 ~ /measured$/ && ($2 in is)'
	done
done
