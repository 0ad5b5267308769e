#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# asking.sh - what the paper's protocol (req, ack, data) costs by LogGP alone, without a library.
#
# usage: bench/asking.sh BUILD
#
# Ten total exchanges of 32 KiB by every process, as GOAL graphs that goalc simulates with the
# parameters of sp2: with barriers; with requests and answers in one queue with the data; with
# requests and answers that overtake data at the interface.

set -e
goalc=$1/tools/goalc/goalc
tmp=$(mktemp -d)
trap 'rm -r "$tmp"' EXIT

# graph NPROCS classic|asking NIC-OF-SMALL-MESSAGES
graph()
{
	awk -v p="$1" -v asking="$([ "$2" = asking ] && echo 1 || echo 0)" -v small="$3" '
		function op(text) {
			printf "o%d: %s\n", n, text
			return n++
		}
		function needs(a, b) {
			printf "o%d requires o%d\n", a, b
			return a
		}
		function classic(me, s,    k, q, c, d, x, r, got) {
			for (k = 1; k < p; k++) {
				q = (me + k) % p
				c = needs(op("calc 10000"), last)
				needs(op("send 32768b to " q " tag " 8 * s + 1 " cpu " 1 + me),
				      last)
				last = c
				got[k] = op("recv 32768b from " q " tag " 8 * s + 1 \
					    " cpu " 1 + q)
			}
			for (d = 1; d < p; d *= 2) {
				x = needs(op("send 48b to " (me + d) % p " tag " 8 * s + 2), last)
				r = op("recv 48b from " (me - d + p) % p " tag " 8 * s + 2)
				last = needs(needs(op("calc 1"), x), r)
			}
			last = needs(op("calc 1"), last)
			for (k = 1; k < p; k++)
				needs(last, got[k])
		}
		function ask(me, s,    k, q, r, a, entered, got) {
			for (k = 1; k < p; k++)
				last = needs(op("send 16b to " (me + k) % p " tag " 8 * s + 3 \
						" nic " small), last)
			entered = last
			for (k = 1; k < p; k++) {
				q = (me + k) % p
				r = op("recv 16b from " q " tag " 8 * s + 3 " nic " small)
				a = needs(op("send 16b to " q " tag " 8 * s + 4 " nic " small), r)
				needs(a, entered)
				r = op("recv 16b from " q " tag " 8 * s + 4 " nic " small)
				a = op("send 32768b to " q " tag " 8 * s + 1 " cpu " 1 + me)
				needs(needs(a, r), entered)
				got[k] = op("recv 32768b from " q " tag " 8 * s + 1 " cpu " 1 + q)
			}
			last = needs(op("calc 1"), entered)
			for (k = 1; k < p; k++)
				needs(last, got[k])
		}
		BEGIN {
			print "num_ranks " p
			for (me = 0; me < p; me++) {
				print "rank " me " {"
				n = 0
				last = op("calc 1")
				for (s = 0; s < 10; s++)
					if (asking)
						ask(me, s)
					else
						classic(me, s)
				print "}"
			}
		}'
}

# takes NPROCS FORM NIC: nanoseconds
takes()
{
	graph "$@" >"$tmp/graph"
	"$goalc" sim -b -L 24000 -o 10000 -g 10000 -G 29 "$tmp/graph"
}

for nprocs in 2 4 8 16; do
	classic=$(takes $nprocs classic 0)
	echo "$nprocs $classic $(takes $nprocs asking 0) $(takes $nprocs asking 1)" |
		awk '{ printf "| %d | %.2f | %.2f |\n", $1, $3 / $2, $4 / $2 }'
done
