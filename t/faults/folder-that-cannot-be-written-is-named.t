#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Where transport mpi can write no folder the message names those that it has tried.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

need_transport mpi
unshare -rm true 2>/dev/null || skip_all "no namespace of its own to mount a disk in"
write_ring ring.c
bspcc -o ring ring.c || bail "ring does not compile"
mkdir empty

# starts FOLDER...: where these are empty and cannot be written
starts()
{
	# shellcheck disable=SC2016
	TMPDIR=$PWD/empty unshare -rm sh -c '
		for folder; do mount -t tmpfs -o ro tmpfs "$folder" || exit; done
		exec bsprun --transport mpi -n 2 ./ring' sh "$@" >output 2>errors
}

starts "$PWD/empty"
is 0 $? "in a read-only folder for temporary files there is shared memory" ||
	diag "$(cat errors)"
starts "$PWD/empty" /dev/shm
is 1 $? "without that the program refuses to begin"
like "no folder can be made in /dev/shm \(Read-only file system\) or in $PWD/empty \(Read-only f" \
	"$(cat errors)" "and both are named"

done_testing
