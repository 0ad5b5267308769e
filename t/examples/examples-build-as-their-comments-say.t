#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The commands in the head of each example build it with the installed bspcc, and it runs.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

cp "$top_srcdir"/examples/*.c "$top_srcdir"/examples/*.h . || bail "no examples"
BSP_NPROCS=2 && export BSP_NPROCS

for source in *.c; do
	case $source in
	mtx.c|ft_*.c|lu_*.c|ocean_*.c) continue ;;	# parts of others
	ft.c) pkg-config --exists fftw3 || continue ;;
	esac
	program=${source%.c}
	command=$(sed -n "s/^ \*	\(bspcc .*-o $program .*\)/\1/p" "$source")
	like "^bspcc -O2 -o $program $program\.c" "$command" "$source says how it is built"
	for interface in "" --mcbsp; do
		rm -f "$program"
		eval "bspcc $interface ${command#bspcc }" >output 2>&1
		ok $? "$command $interface" || diag "$(cat output)"
		case $program in
		laplace_matrix) ./laplace_matrix 12 >laplace.mtx ;;
		samplesort) ./samplesort 10000 >output 2>&1 ;;
		spmv) ./spmv laplace.mtx 3 >output 2>&1 ;;
		ft) ./ft S >output 2>&1 ;;
		lu) ./lu -i 2 S >output 2>&1 ;;
		ocean) ./ocean -n 34 -t 1 >output 2>&1 ;;
		*) "./$program" >output 2>&1 ;;
		esac
		ok $? "$program $interface runs" || diag "$(cat output)"
	done
done

done_testing
