#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bsp_report(7) has each member of a report of --report, and no other; they relate as it says.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

command -v python3 >/dev/null || skip_all "no python3 here"

cat >program.c <<'END'
#include <bsp.h>
#include <bsp_coll.h>

int main(void)
{
	int me, left = 0, sum = 0;

	bsp_begin(3);
	me = bsp_pid();
	bsp_push_reg(&left, sizeof(left));
	bsp_sync();
	bsp_put((me + 1) % 3, &me, &left, 0, sizeof(me));
	if (me == 0)
		bsp_get(1, &left, 0, &sum, sizeof(sum));
	bsp_send(0, 0, &me, sizeof(me));
	bsp_section("sum");
	bsp_sync();
	bsp_allreduce(BSP_SUM, BSP_INT, &me, &sum, 1);
	bsp_section_end("sum");
	bsp_end();
	return 0;
}
END
bspcc -o program program.c 2>errors
ok $? "the program compiles" || diag "$(cat errors)"
bsprun -n 3 --report report.json ./program
ok $? "and runs"
for part in ONLY WITHOUT; do
	env BSP_$part=sum bsprun -n 3 --report $part.json ./program
done

sed -n 's/^\.It Li //p' "$top_srcdir/man/bsp_report.7" | tr -d ' ' | tr ',' '\n' |
	sort >described
python3 - report.json ONLY.json WITHOUT.json >members <<'END'
import json, sys
names = set()
for file in sys.argv[1:]:
    report = json.load(open(file))
    names |= set(report)
    for process in report["processes"]:
        names |= set(process)
print("\n".join(sorted(names)))
END
LC_ALL=C sort members >wanted
LC_ALL=C sort described >seen
is "$(cat wanted)" "$(cat seen)" "the manual has the members of the report"

python3 - report.json >wrong <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
def check(claim, text):
    if not claim:
        print(text)
check(report["program"] == "program", "program")
check(report["nprocs"] == 3 == len(report["processes"]), "nprocs")
check(report["sync"] == "classic" and report["emulate"] == "", "sync, emulate")
check(report["supersteps"] == 3, "supersteps")
for pid, p in enumerate(report["processes"]):
    parts = sum(p[n + "_s"] for n in ("compute", "sync", "read", "collective", "schedule"))
    check(parts <= report["seconds"] + 1e-6, f"{pid}: the times are parts of all: {parts}")
    check(p["credit_s"] <= p["sync_s"] and p["expect_s"] <= p["read_s"], f"{pid}: parts")
    check((p["puts"], p["gets"], p["messages"]) == (1, pid == 0, 1), f"{pid}: calls")
    check((p["collectives"], p["collective_bytes"]) == (1, 4), f"{pid}: collectives {p}")
    check(p["bytes_out"] >= 8 and p["bytes_in"] >= 4 * (pid == 0), f"{pid}: bytes")
END
ok $? "the report is JSON"
none "$(cat wrong)" "the figures are as the manual says"

done_testing
