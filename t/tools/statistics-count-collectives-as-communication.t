#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Time in collective calls, schedules and bsp_expect is communication, with rows of its own.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

# field NAME FILE: of the report, for each process
field()
{
	tr ',{[' '\n\n\n' <"$2" | sed -n "s/^ *\"$1\": *\"*\([^\"}]*\).*/\1/p" | tr '\n' ' '
}

# holds CONDITION VALUE...: an expression of awk with $1, $2, ...
holds()
{
	condition=$1
	shift
	echo "$@" | $AWK "{ exit !($condition) }"
}

# Process 0 comes half a second late; the others wait for it in the call. On an emulated network
# time is that of messages and the processor time of each process, whatever else the machine does.
quick=L=1us,o=100ns,g=100ns,G=0.1ns
write_compute_h compute.h
cat >late.c <<'END'
#include <bsp_coll.h>
#include "compute.h"

int main(void)
{
	double x = 1, sum;

	bsp_begin(bsp_nprocs());
	bsp_sync();
	if (bsp_pid() == 0)
		compute(0.5);
	for (int i = 0; i < 10; i++)
		bsp_allreduce(BSP_SUM, BSP_DOUBLE, &x, &sum, 1);
	bsp_end();
	return 0;
}
END
bspcc -o late late.c || bail "the program does not compile"
bsprun -n 2 --emulate $quick --stat --report late.json ./late 2>table
is 0 "$?" "a program of collective calls ends well"
collective=$(field collective_s late.json) compute=$(field compute_s late.json)
# shellcheck disable=SC2086
holds '$2 > 0.25 && $4 < $3 / 2' $collective $compute
ok $? "a process that waits in bsp_allreduce does not compute" ||
	diag "collective $collective, compute $compute"
is "10 10 " "$(field collectives late.json)" "each process has made 10 calls"
is "80 80 " "$(field collective_bytes late.json)" "with 80 bytes"
is "80 80 " "$(field bytes_out late.json)" "which it has sent"

cat >lengths.c <<'END'
#include <bsp_coll.h>

int main(void)
{
	size_t sizes[2] = { 8, 16 };
	double x[2] = { 1, 1 }, all[3];

	bsp_begin(bsp_nprocs());
	bsp_gatherv(0, x, sizes[bsp_pid()], all, sizes, NULL);
	bsp_end();
	return 0;
}
END
bspcc -o lengths lengths.c || bail "the program does not compile"
bsprun -n 2 --report lengths.json ./lengths
is 0 "$?" "a program with a length for each process ends well"
is "8 16 " "$(field collective_bytes lengths.json)" "each process gives its own length"
is "0 16 " "$(field bytes_out lengths.json)" "and process 1 has sent it"
like '^bsp: collective operations: [0-9.]+ s a process .*, 20 calls with 160 bytes in all$' \
	"$(cat table)" "and the table has a row"
none "$(grep -E '^bsp: (schedules|bsp_expect|credit)' table)" "and none for what took no time"

# A relaxed program that waits in bsp_expect, and a barrier by a schedule.
cat >expect.c <<'END'
#include <bsp.h>
#include "compute.h"

int main(void)
{
	int one = 1, other = 1;

	bsp_begin(2);
	other -= bsp_pid();
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	if (bsp_pid() == 0)
		compute(0.5);
	bsp_send(other, 0, &one, sizeof one);
	bsp_sync();
	bsp_expect(1);
	bsp_end();
	return 0;
}
END
bspcc -o expect expect.c || bail "the program does not compile"
BSP_BARRIER=dissemination bsprun -n 2 --emulate $quick --stat --report expect.json ./expect 2>table
is 0 "$?" "a relaxed program ends well"
expect=$(field expect_s expect.json) read=$(field read_s expect.json)
# shellcheck disable=SC2086
holds '$2 > 0.25 && $4 >= $2' $expect $read
ok $? "bsp_expect is a part of read" || diag "expect $expect, read $read"
like '^bsp: bsp_expect, a part of read: ' "$(cat table)" "with a row"
is "4 4 " "$(field bytes_out expect.json)" "and barriers by schedules send no bytes of the program"

done_testing
