# SPDX-License-Identifier: BSD-3-Clause
# figure-4b.sh - vectors folded in the kernel and by the process, in a guest.
# shellcheck shell=sh

if ! test -e "$BUILD/stock/complete" || ! test -e "$BUILD/kernel-modules/kernel/espgoal.ko"; then
	echo "no kernel for guests: make stock-kernel kernel-modules" >&2
	exit 77
fi
for tool in qemu-system-x86_64 busybox cpio; do
	command -v $tool >/dev/null || {
		echo "no $tool here" >&2
		exit 77
	}
done
test "$FORM" = full || {
	echo "a guest takes longer than the short form may" >&2
	exit 77
}
rm -f "$KEEP/rows"
ROWS=$KEEP/rows sh "$SOURCE/bench/reductions.sh" >table || exit 1
cp table "$KEEP/table.md"
echo "# one guest, virtual time (1 ns an instruction, no caches); medians of 9, quartiles"
echo "# without the start of the schedule: between two of its time stamps"
echo "series,x,value,low,high,unit"
awk '{ print $3 "/" $4 "," $6 "," $7 "," $8 "," $9 ",us" }' "$KEEP/rows"
