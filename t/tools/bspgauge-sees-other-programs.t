#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspgauge sees that another program takes a processor from the job, and marks what it disturbed.

. "${0%/*}/../lib/env.sh"

# All on one processor, so that there is none to spare, in turns of the scheduler.
core=$(taskset -pc $$ | sed 's/.*[ ,-]//')
taskset -c "$core" sh -c 'while :; do :; done' &
hog=$!
taskset -c "$core" "$top_builddir/tools/bspgauge/bspgauge" -n 2 --module shm --pattern one_one \
	--sizes 1:1024:1024 --seconds 2 >"$tap_dir/out" 2>&1
is 0 $? "bspgauge"
kill $hog
grep -q 'one_one over shm, .*; other programs took [0-9.]* processors' "$tap_dir/out"
ok $? "another program is seen" || sed 's/^/# /' "$tap_dir/out"
grep -qE '^ +1 +[0-9.e+]+! ' "$tap_dir/out"
ok $? "and what it disturbed is marked" || sed 's/^/# /' "$tap_dir/out"
figure "another program beside bspgauge:" "$(grep -o 'other programs took.*' "$tap_dir/out")"
done_testing
