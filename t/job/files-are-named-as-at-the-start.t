#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program that changes its folder, before bsp_begin or in the SPMD part, reads and writes the
# files that were named where it was started.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

cat >chd.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* chd before|inside: when it goes to the folder sub */
int main(int argc, char **argv)
{
	(void)argc;
	if (strcmp(argv[1], "before") == 0 && chdir("sub"))
		return 3;
	bsp_begin(bsp_nprocs());
	if (strcmp(argv[1], "inside") == 0 && chdir("sub"))
		return 3;
	bsp_sync();
	if (bsp_pid() == 0)
		printf("%.2f\n", bsp_s());
	bsp_sync();
	bsp_end();
	return 0;
}
END
bspcc -o chd chd.c || bail "the program does not compile"
mkdir sub plugins
cat >params.json <<'END'
{ "version": 1, "entries": [
  { "host": "any", "transport": "shm", "network": "", "nprocs": 2, "s": 1234.75, "l": 0.94,
    "g": 0.94, "nhalf": 10, "L": 900.5, "gamma": 0.25, "combine": 0.5, "copy": 0.125,
    "sizes": [ { "bytes": 1, "os": 100.5, "or": 100.5, "g": 200.5 },
      { "bytes": 65536, "os": 900.5, "or": 900.5, "g": 16200.5 } ] } ] }
END
echo 'no library' >plugins/bsp-ofi.so

for moment in before inside; do
	BSP_NPROCS=2 BSP_RECORD=own.rec BSP_REPORT=own.json BSP_PARAMS=params.json \
		./chd $moment >said
	is 0 $? "$moment: the program runs"
	is 1234.75 "$(cat said)" "$moment: with its parameters"
	is "own.json own.rec" "$(echo own*)" "$moment: report and recording"
	bsprun -n 2 --record a.rec --profile a.html --trace a.json --report r.json \
		./chd $moment >said
	is 0 $? "$moment: bsprun ends well"
	is "a.html a.json a.rec r.json" "$(echo [ar].*)" "$moment: and leaves what was asked for"
	network=L=1us,o=1us,g=1us,G=1ns
	bsprun -n 2 --emulate $network --record e.rec ./chd $moment >said
	bsprun -n 2 --emulate $network --replay e.rec --report e.json ./chd $moment >said
	is 0 $? "$moment: a recording is replayed"
	bsprun -n 2 --emulate @params.json,cpu=0 --report g.json ./chd $moment >said 2>&1
	like 'L=' "$(cat g.json)" "$moment: a file of a network is found" || diag "$(cat said)"
	BSP_NPROCS=2 BSP_EMULATE=@params.json BSP_REPORT=g.json ./chd $moment >said 2>&1
	like 'L=' "$(cat g.json)" "$moment: without bsprun, too" || diag "$(cat said)"
	BSP_NPROCS=2 BSP_TRANSPORT=ofi BSP_PLUGINS=plugins ./chd $moment >said 2>&1
	like 'plugins/bsp-ofi.so: ' "$(cat said)" "$moment: and a folder of plugins"
	none "$(ls sub)" "$moment: nothing is written elsewhere"
	rm -f own* [areg].*
done

# shellcheck disable=SC2016
bsprun -n 2 --record s.rec --report s.json sh -c 'cd sub && exec ../chd stay' >said
is "0 s.json s.rec" "$? $(echo s.*)" "a script may change the folder, too"
none "$(ls sub)" "and nothing is written there"
long=$(printf '%4000s' '' | tr ' ' x)
bsprun -n 2 --report "$long" ./chd stay 2>said
is 2 $? "a name that is too long with its folder is refused"
like 'BSP_REPORT=x+: with its folder the name is too long|File name too long' "$(cat said)" \
	"with the reason"
bsprun --show --report r.json ./chd stay >said
is "BSP_REPORT=r.json ./chd stay" "$(cat said)" "a command that is shown has the names as given"

done_testing
