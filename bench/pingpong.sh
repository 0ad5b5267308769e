#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pingpong.sh - does bspgauge's one_one over MPI agree with a plain ping-pong in MPI?

# pingpong.sh [ROUNDS]: both are run ROUNDS times, by default 9, by turns, on the same two
# processors. The table has for each size the round whose ratio is the median, and the quartiles
# of the ratios. bspgauge is that of the build folder, which is the current one or the one in
# BUILD, and gets SECONDS_EACH. MPICC compiles the plain one and
# MPIRUN starts both; these have to be of the MPI that bspgauge was built with.

build=${BUILD:-.}
rounds=${1:-9}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
BSP_PLUGINS=$(cd "$build" && pwd)/.libs && export BSP_PLUGINS
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

${MPICC:-mpicc} -O2 -o "$work/plain" "$here/pingpong.c" || exit 1
for round in $(seq "$rounds"); do
	"${MPIRUN:-mpirun}" -n 2 --bind-to core "$work/plain" >"$work/times" || exit 1
	sed "s/^/plain $round /" "$work/times" >>"$work/all"
	"${MPIRUN:-mpirun}" -n 2 --bind-to core "$build/tools/bspgauge/bspgauge" --module mpi-p2p \
		--pattern one_one --sizes 1:1M:4 --seconds "${SECONDS_EACH:-4}" \
		--quiet --csv "$work/csv" || exit 1
	awk -F, -v round="$round" '$5 == "us" { print "gauge", round, $7, $8 }' "$work/csv" \
		>>"$work/all"
done

echo "| bytes | plain, us | bspgauge, us | ratio | quartiles |"
echo "|------:|----------:|-------------:|------:|-----------|"
for bytes in $(awk '$1 == "plain" && $2 == 1 { print $3 }' "$work/all"); do
	awk -v bytes="$bytes" '$3 == bytes { took[$1, $2] = $4 }
		END { for (round = 1; ("gauge", round) in took; round++)
			print took["gauge", round] / took["plain", round], took["plain", round], took["gauge", round] }' \
		"$work/all" | sort -g | awk -v bytes="$bytes" '
		{ ratio[NR] = $1; plain[NR] = $2; gauge[NR] = $3 }
		END { m = int((NR + 1) / 2); q = int((NR + 3) / 4)
			printf "| %d | %.3f | %.3f | %.2f | %.2f-%.2f |\n", bytes, plain[m], gauge[m], ratio[m], ratio[q], ratio[NR + 1 - q] }'
done
