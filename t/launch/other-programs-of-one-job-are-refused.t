#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Processes of mpirun or mpiexec that run another program than process 0 are refused, whatever it is
# called.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/launched.sh"

# version TEXT FLAG...: compiles a program that differs in TEXT alone
version()
{
	text=$1
	shift
	cat >program.c <<-ENDS
	#include <bsp.h>
	#include <stdio.h>

	int main(void)
	{
		bsp_begin(bsp_nprocs());
		bsp_sync();
		puts("$text");
		bsp_end();
		return 0;
	}
	ENDS
	compile program "$@"
	mkdir -p "$text$1"
	mv program "$text$1"
}

# runs FOLDER FOLDER [COMMAND]...: the program of one as process 0, of the other as process 1
runs()
{
	one=$1 two=$2
	shift 2
	timeout -k 5 "$(limit)" "$@" -n 1 "./$one/program" : -n 1 "./$two/program" >out 2>err \
		</dev/null
}

id=-Wl,--build-id=sha1
none=-Wl,--build-id=none
version new $id
version old $id
version new $none
version old $none
mkdir "copy$id" "copy$none"
cp "new$none/program" "copy$none"
cp "new$id/program" "copy$id"
strip "copy$id/program" || skip_all "no strip here"

with=$(od -An -tx1 "new$id/program" | tr -d ' \n' |
	sed -n 's/.*040000001400000003000000474e5500\(.\{16\}\).*/\1/p')
why="process 1 on .* runs another program than process 0 on .*: program "
# refused KIND PATTERN [COMMAND]...
refused()
{
	kind=$1 pattern=$2
	shift 2
	runs "new$kind" "old$kind" "$@"
	test $? -ne 0
	ok $? "$1: two programs of one name fail (${kind#*=})" || diag "$(cat out)"
	is "" "$(cat out)" "and run nothing"
	like "bsp_begin: $why$pattern; copy the same program to all hosts" "$(cat err)" \
		"and say why"
	is 1 "$(grep -c 'runs another program' err)" "once"
	runs "new$kind" "copy$kind" "$@"
	is 0 $? "$1: two copies of one program run (${kind#*=})" || diag "$(cat err)"
	# of MPICH puts() writes twice, and another process may write between
	is 2 "$(grep -o new out | wc -l)" "both of them"
}

refused $id "\(build-id [0-9a-f]{16}\), not program \($with\)" "$MPIRUN" --oversubscribe
refused $none "\(build-id none\), not program \(none\)" "$MPIRUN" --oversubscribe
if test "$MPICH_EXEC"; then
	BSP_TRANSPORT=mpi
	export BSP_TRANSPORT
	refused $id "\(build-id [0-9a-f]{16}\), not program \($with\)" "$MPICH_EXEC"
else
	skip "no mpicc.mpich and mpiexec.hydra here"
fi

done_testing
