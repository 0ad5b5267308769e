#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspgauge measures ESP and EDP where the module that has them is loaded.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$top_builddir/tools/bspgauge/.libs/bspgauge
test -x "$program" || program=$top_builddir/tools/bspgauge/bspgauge
cat >"$tap_dir/script" <<'END'
segment 2 || echo "Bail out! no segment"
export HOME=/tmp
for module in esp edp; do
	bspgauge -n 2 --module $module --pattern one_one --sizes 1:1024 --seconds 2 --csv /tmp/$module.csv >/tmp/out 2>&1
	ok $? "$module: bspgauge" || sed 's/^/# /' /tmp/out
	# a latency of less than a second, and more than nothing, for 1024 bytes
	grep -E "1024 +[0-9.]+ " /tmp/out | awk '{ good = $2 > 0 && $2 < 1e6 } END { exit !good }'
	ok $? "$module: a latency for 1024 bytes" || sed 's/^/# /' /tmp/out
done
done_testing
END
run_guest -m 512 -t 120 "$stock" "$tap_dir/script" "$program"
