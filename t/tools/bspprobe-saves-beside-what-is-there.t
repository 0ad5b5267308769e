#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspprobe --save replaces the entry of the same machine, keeps the others, and never leaves half a
# file.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

# save ARGUMENT...: quickly, through $save_by
save_by=
save()
{
	$save_by bspprobe --seconds 1 --bytes 64 --save "$@" >out 2>errors
}

# entries FILE: nprocs and network of each
entries()
{
	sed -n 's/.*"network": "\([^"]*\)", "nprocs": \([0-9]*\).*/\2 \1/p' "$1"
}

XDG_CONFIG_HOME=$PWD/config
HOME=$PWD/home
export XDG_CONFIG_HOME HOME
own=config/bsp/params.json

save -n 2 --emulate rdma100,cpu=0
ok $? "--save" || diag "$(cat errors)"
like "bspprobe: saved in .*/$own" "$(cat errors)" "says where"
is "2 rdma100,cpu=0" "$(entries $own)" "the file has the entry"
save -n 3 --emulate rdma100,cpu=0 && save -n 2 --emulate sp2,cpu=0
is "2 rdma100,cpu=0
3 rdma100,cpu=0
2 sp2,cpu=0" "$(entries $own)" "others join"

sed 's/"date": "[^"]*"/"date": "then", "of-later-versions": { "deep": [1, 2] }/' $own >edited &&
	mv edited $own
save -n 2 --emulate rdma100,cpu=0
is "3 rdma100,cpu=0
2 sp2,cpu=0
2 rdma100,cpu=0" "$(entries $own)" "one of the same machine is replaced"
is 2 "$(grep -c 'of-later-versions' $own)" "the others stay as they are, with what they have"
none "$(find config -type f | grep -v '/params.json$')" "nothing else is left"

BSP_PARAMS=$PWD/here/mine.json save -n 2 --emulate sp2,cpu=0
is "2 sp2,cpu=0" "$(entries here/mine.json)" "BSP_PARAMS says where else"
(unset XDG_CONFIG_HOME && save -n 2 --emulate sp2,cpu=0)
is "2 sp2,cpu=0" "$(entries home/.config/bsp/params.json)" "without XDG_CONFIG_HOME it is ~/.config"

echo '{ "version": 1, "entries": [ 7' >$own
save -n 2 --emulate sp2,cpu=0
is 1 $? "a broken file is not touched: status 1"
like "bspprobe: not saved: .*/$own:1: expected an object; mend or remove the file" \
	"$(grep 'not saved' errors)" "and named with its line"
is '{ "version": 1, "entries": [ 7' "$(cat $own)" "it is as it was"
none "$(find config -type f | grep -v '/params.json$')" "and nothing else is left"

cat >hello.c <<'END'
#include <bsp.h>
int main(void)
{
	bsp_begin(bsp_nprocs());
	bsp_end();
	return 0;
}
END
bspcc -o hello hello.c
bsprun -n 2 --emulate sp2,cpu=0 ./hello 2>errors
ok $? "a broken file of the user's keeps no program from running"
like "measured parameters are not used: .*/$own:1: expected an object; mend or remove the file" \
	"$(cat errors)" "but it is reported"
BSP_PARAMS=$PWD/$own bsprun -n 2 --emulate sp2,cpu=0 ./hello 2>errors
is 1 $? "one that is named by BSP_PARAMS does"
like "^bsp_begin: BSP_PARAMS: .*/$own:1: expected an object" "$(cat errors)" "with file and line"
BSP_PARAMS=$PWD/nothing bsprun -n 2 --emulate sp2,cpu=0 ./hello 2>errors
is 1 $? "so does one that is not there"
rm $own
save -n 2 --emulate sp2,cpu=0 && bsprun -n 2 --emulate sp2,cpu=0 ./hello 2>errors
ok $? "a new file is good"
none "$(cat errors)" "and read without a word"

# Root may write everywhere, unless it gives up the right.
chmod a-w config/bsp
test "$(id -u)" -ne 0 || save_by='setpriv --bounding-set -dac_override'
save -n 2 --emulate sp2,cpu=0
is 1 $? "a folder that cannot be written to: status 1"
save_by=
chmod u+w config/bsp
mkdir -p in-the-way/params.json
BSP_PARAMS=$PWD/in-the-way/params.json save -n 2 --emulate sp2,cpu=0
is 1 $? "a folder in the place of the file: status 1"
like "bspprobe: not saved: .*/in-the-way/params.json" "$(cat errors)" "and named"

done_testing
