#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# After bsp_init the argument of bsp_begin is that of process 0; processes that are launched do not
# know it.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/launched.sh"

# The standard's own example: what main() finds out, process 0 alone knows.
cat >standard.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>

int n;

void spmd(void)
{
	bsp_begin(n);
	printf("%d of %d\n", (int)bsp_pid(), (int)bsp_nprocs());
	bsp_end();
}

int main(int argc, char **argv)
{
	bsp_init(spmd, argc, argv);
	n = atoi(argv[1]);
	spmd();
	printf("main goes on\n");
	return 0;
}
END
sed 's/^int n;/int n = 1;/' standard.c >initialised.c

cat >without.c <<'END'
#include <bsp.h>
#include <stdlib.h>

int main(void)
{
	bsp_begin(atoi(getenv("OMPI_COMM_WORLD_RANK")) + 1);
	bsp_end();
	return 0;
}
END

# Process 0 prints how it is used, as programs do, and ends with status STATUS.
cat >usage.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>

void spmd(void)
{
	bsp_begin(bsp_nprocs());
	bsp_end();
}

int main(int argc, char **argv)
{
	bsp_init(spmd, argc, argv);
	if (argc > 1) {
		printf("usage: usage\n");
		return atoi(argv[1]);
	}
	spmd();
	return 0;
}
END
compile standard
compile initialised
compile without
compile usage

# expected N: what the standard's example says on N processes
expected()
{
	for p in $(seq 0 $(($1 - 1))); do
		echo "$p of $1"
	done
	echo "main goes on"
}

for transport in auto shm mix ofi mpi; do
	case $transport in
	ofi | mpi) has_transport "$transport" || continue ;;
	esac
	BSP_TRANSPORT=$transport
	export BSP_TRANSPORT
	for asked in 1 2 3 7; do
		wanted=$((asked < 3 ? asked : 3))
		is "$(expected $wanted)" "$(launched 3 ./standard $asked)" \
			"$transport: $asked processes of 3" ||
			diag "$(cat err)"
		is 0 "$(cat status)" "$transport: $asked of 3 end well" || diag "$(cat err)"
	done
done
unset BSP_TRANSPORT
is "$(expected 2)" \
	"$(timeout -k 5 "$(limit)" "$top_builddir/tools/bsprun/bsprun" --launcher mpirun \
	--oversubscribe -n 3 ./standard 2 2>err | sort)" "bsprun --launcher mpirun" ||
	diag "$(cat err)"

for asked in 1 2 3; do
	is "$(expected $asked)" "$(launched 3 ./initialised $asked)" \
		"the others have 1 in it: $asked of 3" ||
		diag "$(cat err)"
done
is "$(expected 1)" "$(launched 1 ./standard 1)" "a single process"
launched 3 ./standard 0 >seen
like '^bsp_begin: 0 processes cannot run a program' "$(cat err)" \
	"a number of process 0 that is wrong is refused"
is 1 "$(grep -c '^bsp_begin' err)" "by one message"
test "$(cat status)" -ne 0
ok $? "and the job has failed"

launched 3 ./without >seen
like '^bsp_begin: process 1 on .* asks for 2 processes, process 0 on .* for 1' "$(cat err)" \
	"without bsp_init all give the same number, or a message says that they do not"

is "usage: usage" "$(launched 3 ./usage 0)" "process 0 may end without bsp_begin"
is 0 "$(cat status)" "and the others do not wait for it" || diag "$(cat err)"
is "usage: usage" "$(launched 3 ./usage 3)" "also with a status"
is 3 "$(cat status)" "which is that of the job"

# An MPI that the program itself has initialised wants an end in all processes.
if command -v mpicc.openmpi >/dev/null && has_transport mpi; then
	sed -e 's/#include <bsp.h>/#include <mpi.h>\n&/' -e \
		's/	bsp_init/	MPI_Init(\&argc, \&argv);\n&/' \
		-e 's/	return 0/	MPI_Finalize();\n&/' standard.c >with_mpi.c
	CC=mpicc.openmpi
	compile with_mpi
	for asked in 1 2 3; do
		is "$(expected $asked)" "$(launched 3 ./with_mpi $asked)" \
			"program with MPI: $asked of 3"
		is 0 "$(cat status)" "program with MPI: $asked of 3 end well" || diag "$(cat err)"
	done
fi

done_testing
