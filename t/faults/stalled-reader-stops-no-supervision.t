#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# With tagged output, a reader that has stalled stops neither signals nor the watchdog; no line is
# lost.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
cd "$tap_dir" || bail "no $tap_dir"
BSP_TRANSPORT=shm
export BSP_TRANSPORT

cat >chatter.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Each process writes ARGUMENT lines of 50 bytes; process 0 writes its pid and that of its
 * supervisor to a file. */
int main(int argc, char **argv)
{
	FILE *f;

	bsp_begin(bsp_nprocs());
	if (bsp_pid() == 0 && (f = fopen("pids.new", "w"))) {
		fprintf(f, "%d %d\n", (int)getppid(), (int)getpid());
		fclose(f);
		rename("pids.new", "pids");
	}
	for (long i = 0; i < (argc > 1 ? atol(argv[1]) : 1L << 30); i++)
		printf("%048ld\n", i);
	fflush(stdout);
	bsp_end();
	return 0;
}
END
# shellcheck disable=SC2086
$CC $CFLAGS $BSP_SANITIZE -I"$top_srcdir/include" -o chatter chatter.c -L"$top_builddir/.libs" \
	-Wl,-rpath,"$top_builddir/.libs" -lbsp >built 2>&1 ||
	bail "chatter does not compile: $(cat built)"

# The supervisor has written nothing since the last look, but something before.
written=0
is_blocked()
{
	last=$written
	written=$($SED -n 's/^wchar: //p' "/proc/$supervisor/io")
	test "$written" -gt 30000 && test "$written" = "$last"
}

# All processes of the job are gone.
is_alone()
{
	test -z "$(cat "/proc/$supervisor/task/$supervisor/children")"
}

# The caller of the tests may ignore signals (nohup does), and their children would, too.
usual=
env --default-signal=HUP true 2>/dev/null && usual="env --default-signal=TERM,HUP"

# stalled [SETTING]...: a job whose output is not read, and its supervisor in $supervisor, blocked
stalled()
{
	rm -f pids
	${usual:-env} BSP_TAG_OUTPUT=1 BSP_NPROCS=2 "$@" ./chatter >fifo 2>err &
	job=$!
	until_true test -e pids || bail "no job"
	read -r supervisor first <pids
	until_true is_blocked || bail "the output is not blocked"
}

# ends STATUS DESCRIPTION: the job does
has_ended()
{
	! kill -0 "$job" 2>/dev/null || grep -q '^State:.*zombie' "/proc/$job/status"
}
ends()
{
	until_true has_ended || kill -9 "$supervisor" "$job"
	wait "$job"
	is "$1" $? "$2"
}

mkfifo fifo
exec 3<>fifo
for signal in TERM:143 HUP:129; do
	stalled
	kill "-${signal%:*}" "$supervisor"
	ends "${signal#*:}" "SIG${signal%:*} ends the job"
	is "" "$(cat err)" "and nothing is said"
	dd if=fifo of=/dev/null bs=1M iflag=nonblock 2>/dev/null
done

stalled BSP_WATCHDOG="$(scaled 1)"
until_true grep -q 'no progress' err
ok $? "the watchdog barks"
until_true is_alone
ok $? "and ends all processes"
kill -TERM "$supervisor"
ends 143 "SIGTERM ends what still has to be written"
dd if=fifo of=/dev/null bs=1M iflag=nonblock 2>/dev/null

stalled
kill -KILL "$first"
until_true grep -q 'killed by signal 9' err
ok $? "the death of a process is reported"
until_true is_alone
ok $? "and ends the others"
kill -TERM "$supervisor"
ends 143 "SIGTERM ends the rest"
exec 3>&-

# A reader that starts late, and is slow at first, gets all output.
BSP_TAG_OUTPUT=1 BSP_NPROCS=3 ./chatter 20000 | {
	head -c 1000
	read -r line
	printf '%s\n' "$line"
	cat
} >late.out
is "60000 60000" "$(grep -c '' late.out) $(grep -cE '^\[[0-2]\] [0-9]{48}$' late.out)" \
	"no line is lost, and none is broken"
BSP_TAG_OUTPUT=1 BSP_NPROCS=3 ./chatter 3000 2>&1 >all.out
is "3000 3000 3000" "$(for p in 0 1 2; do grep -cE "^\\[$p\\] [0-9]{48}\$" all.out; done |
	tr '\n' ' ' | $SED 's/ $//')" \
	"each line has its tag"

# A reader that goes, and none at all.
BSP_TAG_OUTPUT=1 BSP_NPROCS=3 timeout "$(limit)" ./chatter 2>err | head -n 1 >line
is 1 "$(grep -c . line)" "the job ends when its reader has gone"
BSP_TAG_OUTPUT=1 BSP_NPROCS=2 timeout "$(limit)" ./chatter 100 >&-
is 0 $? "and runs without a standard output"

done_testing
