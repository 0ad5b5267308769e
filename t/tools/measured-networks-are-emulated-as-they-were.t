#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A network emulated by the file of bspgauge or bspprobe has its latency and bandwidth within 2 %.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

# figures NETWORK: latency of 1 byte in us and bandwidth of 1 MiB in MB/s by bspgauge, then L, g of
# 1 byte and g of 64 KiB in us by bspprobe
figures()
{
	bspgauge -n 2 --module emu --emulate "$1" --pattern one_one --sizes 1:1M:1048576 \
		--seconds 1 --quiet --csv - >one_one &&
		bspprobe -n 2 --emulate "$1" --seconds 1 --bytes 64k --csv >points &&
		awk -F, 'NR == 2 || $5 == "MB/s" && $7 > 1 { print $8 }' one_one &&
		awk -F, '$1 == "L" || $1 == "g" && ($2 == 1 || $2 == 65536) { print $3 }' points
}

for network in sp2 gigabit rdma100; do
	bspgauge -n 2 --module emu --emulate $network,cpu=0 --pattern loggp --seconds 2 --quiet \
		--json gauge.json >out 2>&1
	ok $? "$network is measured by bspgauge" || diag "$(cat out)"
	bspprobe -n 2 --emulate $network,cpu=0 --seconds 2 --json >probe.json 2>out
	ok $? "and by bspprobe" || diag "$(cat out)"
	figures $network,cpu=0 >wanted
	is 5 "$(wc -l <wanted)" "five figures of it" || diag "$(cat wanted)"
	for file in gauge probe; do
		figures "@$file.json,cpu=0" >seen 2>&1
		paste wanted seen >both
		awk 'NF != 2 || $2 < 0.98 * $1 || $2 > 1.02 * $1 { off = 1 } END { exit off }' both
		ok $? "$network by $file.json is the same within 2 %" || diag "$(cat both)"
	done
done

# A report has the parameters themselves, not the name of a file that may change.
cat >one.c <<'END'
#include <bsp.h>
int main(void)
{
	bsp_begin(2);
	bsp_sync();
	bsp_end();
	return 0;
}
END
bspcc -o one one.c
ok $? "a program"
bsprun -n 2 --emulate @gauge.json,cpu=3 --report report.json ./one >out 2>&1
ok $? "it runs" || diag "$(cat out)"
like '"emulate": "L=1\.[0-9]*us,o=200ns,g=[0-9.]*ns,G=[0-9.]*ns,cpu=3"' "$(cat report.json)" \
	"the report has the parameters"
BSP_EMULATE=@probe.json BSP_NPROCS=2 ./one >out 2>&1
ok $? "without bsprun, too" || diag "$(cat out)"

like "g 1 us, .*computation 3 times .*a byte takes 1\.40" \
	"$(BSP_EMULATE=@gauge.json,cpu=3,g=1us bspinfo | tr '\n' ' ')" "bspinfo shows them, too"

# refused NETWORK WORDS: by bsprun with status 2, by the program, and by the tools that measure
refused()
{
	seen=$(bsprun -n 2 --emulate "$1" ./one 2>&1)
	is 2 $? "bsprun refuses $1"
	like "^bsprun: network '$1': $2" "$seen" "and says why"
	seen=$(BSP_EMULATE=$1 BSP_NPROCS=2 ./one 2>&1)
	like "bsp_begin: BSP_EMULATE: (/[^:]*/)?$2" "$seen" "so does the program"
	seen=$(bspgauge -n 2 --module emu --emulate "$1" --pattern one_one 2>&1)
	like "$2" "$seen" "so does bspgauge"
	like "no network: $2" "$(BSP_EMULATE=$1 bspinfo)" "and bspinfo"
}
refused @nowhere.json "nowhere.json: No such file or directory; bspgauge --json and bspprobe"
head -c 300 gauge.json >cut.json
refused @cut.json "cut.json:1: "
echo '{"results": 1}' >other.json
refused @other.json "other.json:1: neither a report of bspgauge nor parameters of bspprobe"
seen=$(bsprun -n 2 --emulate @gauge.json,Q=1 ./one 2>&1)
like "^bsprun: network '@gauge.json,Q=1': 'Q=1' is not known" "$seen" "what it does not know"
seen=$(BSP_EMULATE=@gauge.json,Q=1 BSP_NPROCS=2 ./one 2>&1)
like "bsp_begin: transport emu cannot be used: 'Q=1' is not known" "$seen" \
	"is named by the program, too"
seen=$(bsprun -n 2 --transport shm --emulate @gauge.json ./one 2>&1)
like "network '@gauge.json' with transport 'shm'" "$seen" "a transport that emulates nothing"

done_testing
