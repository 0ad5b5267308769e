#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Parts of a job on two machines find each other without a launcher, run as one job and end as one.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

needs_segment
malformed=$(guest_program malformed) || bail "cannot build the program"
work=$(bsp_program work <<'END'
#include <bsp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BIG = 300001, ROUNDS = 20 };

static unsigned char mine[BIG], theirs[BIG], got[BIG];

static int wrong(const unsigned char *a, int of)
{
	int n = 0;

	for (int i = 0; i < BIG; i++)
		n += a[i] != (unsigned char)(i * 7 + of);
	return n;
}

/* Small puts, large puts and gets, and messages, all to neighbours; how much was wrong. */
static int work(void)
{
	int p = bsp_nprocs(), me = bsp_pid(), left = (me + p - 1) % p, right = (me + 1) % p;
	int from = -1, bad = 0, word = -1;

	for (int i = 0; i < BIG; i++)
		mine[i] = (unsigned char)(i * 7 + me);
	bsp_push_reg(&from, sizeof(from));
	bsp_push_reg(theirs, BIG);
	bsp_push_reg(mine, BIG);
	bsp_sync();
	for (int s = 0; s < ROUNDS; s++) {
		int say = s * p + me;

		bsp_put(right, &say, &from, 0, sizeof(say));
		bsp_send(left, NULL, &say, sizeof(say));
		if (s == 3)
			bsp_put(right, mine, theirs, 0, BIG);
		if (s == 5)
			bsp_get(right, mine, 0, got, BIG);
		bsp_sync();
		bad += from != s * p + left;
		bsp_move(&word, sizeof(word));
		bad += word != s * p + right;
	}
	return bad + wrong(theirs, left) + wrong(got, right);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int at = argc > 2 ? atoi(argv[2]) : -1, bad, me;

	bsp_begin(!strcmp(how, "few") ? 3 : bsp_nprocs());
	me = bsp_pid();
	bad = work();
	if (me == at && !strcmp(how, "die"))
		kill(getpid(), SIGKILL);
	if (me == at && !strcmp(how, "abort"))
		bsp_abort("enough is enough\n");
	if (me == at && !strcmp(how, "stop"))
		for (;;)
			pause();
	if (!strcmp(how, "endless") && me == 0)
		fputs("going\n", stderr);
	while (!strcmp(how, "endless"))
		bsp_sync();
	bsp_sync();
	printf("%d of %d: %d wrong\n", me, bsp_nprocs(), bad);
	bsp_end();
	return me == at && !strcmp(how, "return") ? 3 : bad != 0;
}
END
) || bail "cannot build the program"
other=$(bsp_program other <<'END'
#include <bsp.h>

int main(void)
{
	bsp_begin(bsp_nprocs());
	bsp_end();
	return 0;
}
END
) || bail "cannot build the other program"

# The library as it is, but for the number of its version.
old=$tap_dir/old
version=$(sed -n 's/^#define PACKAGE_VERSION "\(.*\)"/\1/p' "$top_builddir/config.h")
mkdir "$old" && LC_ALL=C sed \
	"s/$(printf '%s' "$version" | sed 's/\./\\./g')/$(printf '%s' "$version" | tr 0-8 1-9)/g" \
	"$top_builddir/.libs/libbsp.so.0" >"$old/libbsp.so.0" || bail "no library"
cmp -s "$top_builddir/.libs/libbsp.so.0" "$old/libbsp.so.0" &&
	bail "the library does not have its version in it"

# Settings of the library after which it gives up: they are waited for.
# ESP itself gives up after 60 s: the lifeline must be the first.
lifeline=$(scaled 3)
test "$lifeline" -le 30 || lifeline=30
cat >"$tap_dir/script" <<END
old=$old limit=$(limit) three=$(scaled 3) two=$(scaled 2) lifeline=$lifeline long=${TAP_LONG-}
END
cat >>"$tap_dir/script" <<'END'
hostname "host$guest"
export BSP_TRANSPORT=esp BSP_ESP_INTERFACE=eth0

# mine FIRST SECOND: the one for this guest
mine()
{
	test "$guest" = 1 && echo "$1" || echo "$2"
}

# parts FIRST SECOND OPTION...: a job of 4 of which each guest starts its part, both at once;
# $status, /tmp/out and /tmp/err
parts()
{
	part=$(mine "$1" "$2")
	shift 2
	barrier
	test "$guest" = 2 || sleep "${late:-0}"
	timeout $limit bsprun --discover job -n 4 --part "$part" "$@" >/tmp/out 2>/tmp/err
	status=$?
	barrier
}

# show WHAT: and what came, if it did not
show()
{
	ok $? "$1" || { sed 's/^/# /' /tmp/out /tmp/err; awk '$2 > 0 { print "# dropped:", $0 }' /proc/net/enet; }
}

# says PATTERN WHAT: on this guest
says()
{
	grep -qE "$1" /tmp/err
	show "$2"
}

# lines FIRST LAST: what processes of a good job print
lines()
{
	for p in $(seq "$1" "$2"); do
		echo "$p of 4: 0 wrong"
	done
}

# alone OPTION...: the first part without the others
alone()
{
	timeout $limit bsprun --discover job -n 4 --part 0-1 "$@" >/tmp/out 2>/tmp/err
}
rmmod espgoal && rmmod enet
alone work
says 'module enet is not loaded \(modprobe enet\)' "a module that is not loaded is named"
insmod /modules/enet.ko && insmod /modules/espgoal.ko

parts 0-1 2-3 work
test $status -eq 0 && test "$(sort /tmp/out)" = "$(lines "$(mine 0 2)" "$(mine 1 3)")"
show "2 and 2 processes"
parts 0 1-3 --tag-output work
test $status -eq 0 && test "$(sort /tmp/out)" = "$(lines "$(mine 0 1)" "$(mine 0 3)" | sed 's/^\(.\)/[\1] \1/')"
show "1 and 3, each line with its process"
parts 0-2 3 --transport mix -x BSP_FAR=esp -x BSP_VERBOSE=1 work
test $status -eq 0 && test "$(sort /tmp/out)" = "$(lines "$(mine 0 3)" "$(mine 2 3)")"
show "with shared memory on each machine"
test "$guest" = 2 || says '2 nodes, shm inside, esp between' "and that is what is used"

parts 0-1 2-3 work few
test $status -eq 0 && test "$(sort /tmp/out)" = "$(lines "$(mine 0 2)" "$(mine 1 2)" | sed 's/of 4/of 3/')"
show "fewer processes than there are, the last of which ends at once"

# Three parts, two of them on one machine.
test "$guest" = 2 || { timeout $limit bsprun --discover job -n 4 --part 1-2 work >/tmp/second 2>&1 & }
parts 0 3 work
test $status -eq 0 && test "$(cat /tmp/out)" = "$(lines "$(mine 0 3)" "$(mine 0 3)")"
show "three parts"
wait
test "$guest" = 2 || is "$(sort /tmp/second)" "$(lines 1 2)" "of which two are on one machine"

barrier
BSP_OFFLOAD=1 BSP_BARRIER=dissemination BSP_SYNC=classic BSP_VERBOSE=1 timeout $limit bsprun --discover job -n 2 --part "$(mine 0 1)" work >/tmp/out 2>/tmp/err
show "a process on each, whose barrier runs in the kernel"
test "$guest" = 2 || says offloaded "as it says"

parts 0-1 2-3 work return 2
is $status 3 "all parts end with the status of the process that has one"
parts 0-1 2-3 work die 2
is $status 137 "and with that of one that dies"
says "$(mine 'process 2 on host2 was killed by signal 9' 'killed by signal 9.*process 2')" "which both name"
parts 0-1 2-3 work abort 1
test $status -ne 0
show "a process that reports an error ends all parts"
says "$(mine 'enough is enough' 'process 1 on host1 has reported an error there')" "and both tell where"
BSP_WAIT=warn:0.7
export BSP_WAIT
parts 0-1 2-3 --watchdog $two work stop 3
unset BSP_WAIT
test $status -ne 0
show "a process that hangs ends all parts"
says "no progress for $two s; of 2 processes on host$guest: " "each of which says where its processes are"
says "the job goes on; of 2 processes on host$guest: " "and has warned of it before"

# The first waits for its first superstep, and the second is then ended from outside.
# end_second SIGNAL
end_second()
{
	barrier
	: >/tmp/err
	bsprun --discover job -n 4 --part "$(mine 0-1 2-3)" work endless >/tmp/out 2>/tmp/err &
	bsprun=$!
	test "$guest" = 2 || until grep -q going /tmp/err; do usleep 20000; done
	barrier
	test "$guest" = 1 || kill "-$1" $bsprun
	wait $bsprun
	status=$?
	barrier
}
end_second TERM
is $status 143 "who is told to end ends all parts"
test "$guest" = 2 || says 'process [23] on host2 was killed by signal 15' "and the others hear of it"
end_second KILL
test $status -ne 0
show "a part that vanishes ends the others"
test "$guest" = 2 || says 'part 2-3 on host2 is lost: ' "who name it"
is "$(cat /proc/[0-9]*/comm | grep -x work)" "" "and nothing stays behind"

# ---- What is wrong -----------------------------------------------------------------------------
export BSP_WAIT=join:$three

# The first part goes on waiting when another is refused, so each case has the right one first or
# last.
barrier
timeout $limit bsprun --discover job -n "$(mine 4 5)" --part "$(mine 0-1 2-4)" work >/tmp/out 2>/tmp/err
test $? -ne 0
show "parts of different sizes are refused"
says "$(mine 'part of job job was refused: part 2-4 on host2 is of 5 processes, process 0 on host1 of 4' 'part 2-4 on host2 is of 5 processes.*same -n')" "and say so"
test "$guest" = 2 || says "processes 2-3 of job job have not come to host1 within $three s" "what is missing is named"
parts 0-2 2-3 work
says 'part 2-3 on host2 and part 0-2 on host1 have the same processes' "so are parts with the same processes"
parts 0-1 0-1 work
says 'have the same processes' "also if that is process 0"
# It waits longer than process 0 is late.
late=3
export BSP_WAIT=join:$((4 * three))
parts 0-1 2 work
late=
says "processes 3 of job job have not come to host1 within $((4 * three)) s" "what is missing is said to all, also to a part that came 3 s before process 0"
export BSP_WAIT=join:$three
parts 2 3 work
says 'process 0 of job job has not been found' "without process 0 there is no job"
# shellcheck disable=SC2046
parts 0-1 2-3 $(mine "" "-x LD_PRELOAD=$old/libbsp.so.0") work
test $status -ne 0
show "another version of the library is refused"
says "part 2-3 on host2 uses bsp [0-9.]+ .*process 0 on host1 uses [0-9.]+ .*install the same everywhere" "and both parts name the versions"
parts 0-1 2-3 "$(mine work other)"
test $status -ne 0
show "another program is refused"
test "$guest" = 2 || says 'process 2 on host2 runs another program than process 0 on host1' "and named"
test "$guest" = 1 || says 'process 0 on host1 has reported an error there' "to all"

# Any process may send anything to the port, and to one that listens there.
barrier
if test "$guest" = 1; then
	(BSP_WAIT=join:$limit timeout $limit bsprun --discover job -n 4 --part 0-1 work >/tmp/out 2>/tmp/err; echo $? >/tmp/status) &
	barrier
	wait
else
	malformed 02:00:00:00:02:01
	show "malformed messages were sent to the first"
	barrier
	timeout $limit bsprun --discover job -n 4 --part 2-3 work >/tmp/out 2>/tmp/err
	echo $? >/tmp/status
fi
is "$(cat /tmp/status)" 0 "and the parts have found each other nevertheless"

# ---- A slow network -----------------------------------------------------------------------------
# A connection takes longer than the first try. It takes a minute, so in the long form alone.
if test "$long"; then
	export BSP_WAIT=join:$limit
	tc qdisc add dev eth0 root netem delay 1700ms
	parts 0-1 2-3 other
	is $status 0 "parts find each other where a message takes 1.7 s" || sed 's/^/# /' /tmp/out /tmp/err
	tc qdisc del dev eth0 root
fi

# ---- A machine that vanishes -------------------------------------------------------------------
export BSP_WAIT=join:$three,lifeline:$lifeline
barrier
timeout $limit bsprun --discover job -n 4 --part "$(mine 0-1 2-3)" work endless >/tmp/out 2>/tmp/err &
bsprun=$!
test "$guest" = 2 || until grep -q going /tmp/err; do usleep 20000; done
barrier
test "$guest" = 1 || vanish
wait $bsprun
test $? -ne 0
ok $? "a machine that vanishes is missed"
says "part 2-3 on host2 is lost: no sign of life for $lifeline s" "and named, with the time that was set"

BSP_ESP_INTERFACE=eth7 alone work
says 'there is no interface eth7 \(BSP_ESP_INTERFACE\)' "an interface that is missing is named"
ip link set eth0 down
alone work
says 'interface eth0 is down \(ip link set eth0 up\)' "and one that is down"
done_testing
END
run_guests 2 -m 512 -t 240 -f "$old" -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$work" \
	"$other" "$malformed" "$top_builddir/tools/bsprun/bsprun"
