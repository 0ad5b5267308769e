#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A launched program that asks for the number of processes and ends without bsp_begin, in whatever
# way, ends as one that is no BSP program.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/launched.sh"

cat >ends.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef USES_BSP
#include <bsp.h>
#else
static int bsp_nprocs(void) { return 2; }
static void bsp_begin(int n) { (void)n; }
static void bsp_end(void) { }
#endif

int main(int argc, char **argv)
{
	const char *how = argv[argc - 1];

	printf("%d processes\n", bsp_nprocs());
	fflush(stdout);
	if (!strcmp(how, "exit"))
		exit(0);
	if (!strcmp(how, "exit 3"))
		exit(3);
	if (!strcmp(how, "_exit"))
		_exit(0);
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "signal"))
		raise(SIGTERM);
	if (!strcmp(how, "exec"))
		execlp("true", "true", (char *)NULL);
	if (!strcmp(how, "exec to begin"))
		execl(argv[0], argv[0], "begin", (char *)NULL);
	if (!strcmp(how, "begin")) {
		bsp_begin(bsp_nprocs());
		bsp_end();
	}
	return 0;
}
END
mkdir bsp
compile ends -DUSES_BSP
mv ends bsp/
compile ends

# by_launcher COMMAND...: its status, and what it prints without the names of processes
by_launcher()
{
	timeout -k 5 "$(limit)" "$@" >out 2>err </dev/null
	echo "status $?"
	grep ' processes$' out | sort
}

# usual FAILS: what a launcher does reliably. Hydra ends by SIGPIPE now and then, whatever it runs,
# without the output, and with one of several statuses after a process that fails.
usual()
{
	case $launcher:$1 in
	*hydra*:no) sed -n '1s/^status 141$/status 0/; 1p' ;;
	*hydra*:yes) sed '1s/^status [1-9][0-9]*$/status other than 0/' ;;
	*) cat ;;
	esac
}

# ends_like COMMAND...: a program of ours and one of no kind, in each way
ends_like()
{
	launcher=${1##*/}
	for how in return exit "exit 3" _exit abort signal exec "exec to begin" begin; do
		case $how in
		# the launcher kills one when the other has ended, perhaps before it prints
		exit*3 | abort | signal)
			wanted=$(by_launcher "$@" ./ends "$how" | head -n 1 | usual yes)
			seen=$(by_launcher "$@" bsp/ends "$how" | head -n 1 | usual yes) ;;
		*)
			wanted=$(by_launcher "$@" ./ends "$how" | usual no)
			seen=$(by_launcher "$@" bsp/ends "$how" | usual no) ;;
		esac
		is "$wanted" "$seen" "$launcher: a program that ends by $how" ||
			diag "$(cat err)"
		none "$(grep 'bsp:\|improperly' err)" "of which nothing is said"
	done
}

ulimit -c 0
ends_like "$MPIRUN" --oversubscribe -n 2
if test "$MPICH_EXEC" && has_transport mpi; then
	ends_like "$MPICH_EXEC" -n 2
fi

# No part of a job looks for the others before it needs them.
is "status 0
4 processes" "$(BSP_DISCOVER=x BSP_NPROCS=4 BSP_PART=0-1 by_launcher bsp/ends return)" \
	"a part of a job that never begins waits for no other"

done_testing
