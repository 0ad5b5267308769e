#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs run over transport esp: supersteps, large messages, deaths; and it says so where it
# cannot run.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$(bsp_program hello <<'END'
#include <bsp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int from = -1;

	bsp_begin(bsp_nprocs());
	bsp_push_reg(&from, sizeof(from));
	bsp_sync();
	int me = bsp_pid();
	bsp_put((me + 1) % bsp_nprocs(), &me, &from, 0, sizeof(me));
	bsp_sync();
	if (argc > 1 && !strcmp(argv[1], "die") && me == 1)
		kill(getpid(), SIGKILL);
	bsp_sync();
	printf("%d of %d got %d\n", me, bsp_nprocs(), from);
	bsp_end();
	return 0;
}
END
) || bail "cannot build the program"
# barrier-runs-in-the-kernel and schedules-run-in-the-kernel have others, over esp too.
programs=$(library_tests \
	transfer/get-returns-the-value-before-a-put \
	transfer/all-gets-read-before-any-get-writes \
	transfer/put-wins-over-get \
	transfer/hpput-and-hpget-arrive-by-the-sync \
	message/tagsize-takes-effect-in-the-next-superstep \
	message/large-messages-arrive-whole \
	collective/collectives-and-supersteps-do-not-interfere) ||
	bail "a test is not in the build"

cat >"$tap_dir/script" <<'END'
export BSP_TRANSPORT=esp
for n in 1 2 5; do
	bsprun -n $n --transport esp hello >/tmp/out 2>&1
	ok $? "$n processes" || sed 's/^/# /' /tmp/out
	is "$(sort -n /tmp/out | tail -n 1)" "$((n - 1)) of $n got $(((n + n - 2) % n))" "the last of $n has what was put"
done

bsprun -n 3 --transport esp hello die >/tmp/out 2>&1
test $? -ne 0
ok $? "a job of which one dies fails"
grep -q 'killed by signal 9.*process 1' /tmp/out
ok $? "and that one is named" || sed 's/^/# /' /tmp/out

api_tests /bin/*.t

ip link set lo down
bsprun -n 2 --transport esp hello >/tmp/out 2>&1
test $? -ne 0 && grep -q 'the loopback interface is down (ip link set lo up)' /tmp/out
ok $? "without a loopback interface it says so" || sed 's/^/# /' /tmp/out
ip link set lo up

module_goes enet
bsprun -n 2 --transport esp hello >/tmp/out 2>&1
test $? -ne 0 && grep -q 'module enet is not loaded (modprobe enet)' /tmp/out
ok $? "without the module it says so" || sed 's/^/# /' /tmp/out
bsprun -n 2 --transport shm hello >/tmp/out 2>&1
ok $? "and others run as ever" || sed 's/^/# /' /tmp/out
bspinfo >/tmp/out 2>&1
grep -q 'module enet is not loaded' /tmp/out
ok $? "bspinfo tells of it" || sed 's/^/# /' /tmp/out
done_testing
END
# shellcheck disable=SC2086
run_guest -m 512 -t 240 "$stock" "$tap_dir/script" "$program" "$top_builddir/tools/bsprun/bsprun" \
	"$top_builddir/tools/bspinfo/bspinfo" $programs
