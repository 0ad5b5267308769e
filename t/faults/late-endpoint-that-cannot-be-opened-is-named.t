#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A process that cannot open its endpoint when it first needs it ends the job with one message:
# for lack of descriptors, of ports or of memory.
# shellcheck disable=SC1090,SC2034,SC2154

# Where no other program has ports, and with a /proc/meminfo of its own.
script=$(readlink -f "$0")
. "${script%/*}/../lib/alone.sh"
. "$top_srcdir/t/lib/installed.sh"

need_transport ofi
test -z "$BSP_SANITIZE" || skip_all "not applicable: sanitizers need memory of their own"
ip link set lo up || bail "no loopback"

cat >late.c <<'END_C'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FROM = 6, TO = 9 };

/* This process may open so many files more. */
static void limit_files(int more)
{
	struct rlimit r;
	int fd = dup(0);

	close(fd);
	getrlimit(RLIMIT_NOFILE, &r);
	r.rlim_cur = (rlim_t)(fd + more);
	setrlimit(RLIMIT_NOFILE, &r);
}

/* late: process 6 sends to process 9; late files N WHO: process WHO may open N files more;
 * late memory: the machine has none left by then */
int main(int argc, char **argv)
{
	int value = 17;

	bsp_begin(bsp_nprocs());
	bsp_sync();
	if (argc > 3 && bsp_pid() == atoi(argv[3]))
		limit_files(atoi(argv[2]));
	if (argc == 2 && bsp_pid() == 0) {
		FILE *file = fopen("meminfo", "w");

		fputs("MemTotal: 4000000 kB\nMemAvailable: 5000 kB\n", file);
		fclose(file);
	}
	bsp_sync();
	if (bsp_pid() == FROM)
		bsp_send(TO, NULL, &value, sizeof(value));
	bsp_sync();
	if (bsp_pid() == TO) {
		bsp_move(&value, sizeof(value));
		printf("value %d\n", value);
	}
	bsp_end();
	return 0;
}
END_C
bspcc -o late late.c >built 2>&1 || bail "late.c does not compile: $(cat built)"

# late OPTION... PROGRAM [ARGUMENT]...: its output is in the files out and err, and $status
late()
{
	timeout -k 5 "$(limit)" bsprun -n 12 --nodes 3 -x BSP_OFI_PROVIDER=tcp "$@" >out 2>err \
		</dev/null
	status=$?
}

# refused PROCESS WORDS DESCRIPTION: the job has ended, with this one message
refused()
{
	test $status -ne 0 && test $status -ne 124
	ok $? "$3: the job ends by itself, with an error" || diag "status $status"
	where="\\(process $1, superstep 2, late.c:[0-9]+"
	is 1 "$(grep -c . err)" "$3: in one line" || diag "$(cat err)"
	like "^bsp(_sync|, after bsp_sync): the network failed: .*$2 $where" "$(cat err)" \
		"$3: which names the process, the superstep and what to do"
}

late ./late
is "0 value 17" "$status $(cat out)" "with all of it the message arrives" || diag "$(cat err)"

late ./late files 0 6
refused 6 "Too many open files; raise the limit \\(ulimit -n\\)" "no descriptor for the sender"
late ./late files 0 9
refused 9 "Too many open files; raise the limit \\(ulimit -n\\)" "none for the receiver"
# An endpoint has some.
for n in 1 2 3 5 8 12; do
	late ./late files $n 6
	test $status -eq 0 || test "$(grep -c 'ulimit -n' err)" -eq 1
	ok $? "$n descriptors: it works or says why not (status $status)" || diag "$(cat err)"
done

# The endpoints of the first processes take all ports of TCP.
late -x BSP_PORTS=24200-24202 ./late
refused 6 "all 3 ports of BSP_PORTS=24200-24202 are in use on its host; name more, or .*" "no port"

# With provider udp they are ports of UDP, of which requests take none then.
late -x BSP_OFI_PROVIDER=udp -x BSP_PORTS=24200-24211 ./late
is "0 value 17" "$status $(cat out)" "a port of UDP for each process is enough" ||
	diag "$(cat err)"

printf 'MemTotal: 4000000 kB\nMemAvailable: 4000000 kB\n' >meminfo
mount --bind meminfo /proc/meminfo || bail "no /proc/meminfo of its own"
late ./late memory
refused 6 "takes 16 MiB, and its machine has 4 left; use fewer processes on a machine" "no memory"
umount /proc/meminfo
done_testing
