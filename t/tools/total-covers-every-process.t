#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The time of a job in its statistics is from the first bsp_begin to the last bsp_end: no process
# has been in it for longer.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

write_ring ring.c
bspcc -o ring ring.c || bail "the ring does not compile"
cat >longer.py <<'END'
import json, sys
parts = ("compute_s", "sync_s", "read_s", "collective_s", "schedule_s")
report = json.load(open(sys.argv[1]))
for p in report["processes"]:
    if sum(p[part] for part in parts) > report["seconds"] + 1e-8:
        print(report["seconds"], p)
END

# More processes than processors: which of them begins first is different in each run.
for run in 1 2 3 4 5 6 7 8; do
	bsprun -n 16 --report r.json ./ring >/dev/null
	is 0 $? "run $run ends well"
	none "$(python3 longer.py r.json)" "no process took longer than the job"
done
bsprun -n 4 --emulate sp2,jitter=5us --report r.json ./ring >/dev/null
none "$(python3 longer.py r.json)" "nor in virtual time"
bsprun -n 4 -x BSP_NODE_SIZE=2 --report r.json ./ring >/dev/null
none "$(python3 longer.py r.json)" "nor on several nodes"

done_testing
