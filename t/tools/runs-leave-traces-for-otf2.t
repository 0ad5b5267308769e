#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bsprun --trace NAME.otf2 leaves an archive with all that a run has done, or says why it does not.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

cat >ring.c <<'END'
#include <bsp.h>
#include <bsp_coll.h>

int main(void)
{
	double a[4] = { 0 }, b[4] = { 1 }, sum;
	int p, me;

	bsp_begin(bsp_nprocs());
	p = bsp_nprocs();
	me = bsp_pid();
	bsp_push_reg(b, sizeof b);
	bsp_sync();
	bsp_section("rounds");
	for (int i = 0; i < 20; i++) {
		bsp_put((me + 1) % p, a, b, 0, sizeof a);
		bsp_sync();
	}
	bsp_section_end("rounds");
	bsp_get((me + 1) % p, b, 0, a, 16);
	bsp_sync();
	bsp_send(0, 0, a, 8);
	bsp_sync();
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	for (int i = 0; i < 10; i++) {
		bsp_put((me + 1) % p, a, b, 0, 8);
		bsp_put((me + 1) % p, a, b, 8, 8);
		bsp_sync();
		bsp_read(b, 2);
	}
	bsp_allreduce(BSP_SUM, BSP_DOUBLE, a, &sum, 1);
	bsp_end();
	return 0;
}
END
bspcc -o ring ring.c || bail "the program does not compile"

# ---- Without the plugin -------------------------------------------------------------------------

mkdir none
BSP_PLUGINS=$PWD/none bsprun -n 3 --trace ring.otf2 ./ring >out 2>said
is 2 $? "without the plugin"
like '^bsprun: --trace ring\.otf2: bsp-otf2\.so is not installed \(configure --with-otf2' \
	"$(cat said)" "a message says what is missing, before the run"
none "$(ls -d ./*.otf2* 2>/dev/null)" "and nothing is left"

if ! has_plugin otf2 || ! command -v otf2-print >/dev/null; then
	skip "no bsp-otf2.so or no otf2-print here"
	done_testing
	exit
fi

# ---- A run --------------------------------------------------------------------------------------

bsprun -n 3 --trace ring.otf2 --record ring.rec ./ring
is 0 $? "a traced program ends well"
is "ring.otf2 ring.rec" "$(echo ring.[!c]*)" "and leaves what was asked for, no more"
otf2-print ring.otf2/traces.otf2 >events
is 0 $? "otf2-print reads it"
otf2-print -G ring.otf2/traces.otf2 >definitions
is 3 "$(grep -c '^LOCATION  ' definitions)" "a location for each process"

like "Name: \"$(uname -n)\" .*Class: \"node\"" "$(grep '^SYSTEM_TREE_NODE' definitions)" \
	"below the node that they ran on"

# count PATTERN: events
count()
{
	grep -c "$1" events
}

# calls PATTERN: sum of this attribute of events, on the line below
calls()
{
	sed -n "/$1/{n;s/.*\"calls\" <[0-9]*>; UINT64; \\([0-9]*\\).*/\\1/p;}" events |
		awk '{ n += $1 } END { print n }'
}

# 60 puts of 32 bytes, 3 gets of 16, 3 messages of 8, 60 puts of 8
like 'sent 126 puts, gets and messages with 2472 bytes' "$(bspprof ring.rec)" \
	"the recording has calls and bytes"
is "126 126" "$(calls '^MPI_SEND') $(calls '^MPI_RECV')" "so has the archive, sent and received"

# lengths EVENT: sum of bytes
lengths()
{
	sed -n "s/^$1 .*Length: \\([0-9]*\\).*/\\1/p" events | awk '{ n += $1 } END { print n }'
}
is "2472 2472" "$(lengths MPI_SEND) $(lengths MPI_RECV)" "with their bytes"
is "$(count '^ENTER')" "$(count '^LEAVE')" "what is entered is left"
is 60 "$(count '^ENTER.*"bsp_sync ring.c:17"')" "each bsp_sync, by its line"
is 30 "$(count '^ENTER.*"bsp_read ring.c:30"')" "each bsp_read"
is 3 "$(count '^ENTER.*"bsp_allreduce ring.c:32"')" "each collective operation"
is 3 "$(count '^ENTER.*"rounds"')" "and the section"
like '"bsp_read ring.c:30" <.* "bsp_read" <.*Paradigm: "?MPI"?.*, .* File: "ring.c" <.*Begin: 30' \
	"$(grep '^REGION' definitions)" "a region has file and line"
is 0 "$(for q in 0 1 2; do
	otf2-print -L $q ring.otf2/traces.otf2 | awk '/^(ENTER|LEAVE|MPI_)/ && $3 < last { print }
		/^(ENTER|LEAVE|MPI_)/ { last = $3 }'
done | wc -l)" "times of a process never go back"
# Messages from one process to another, in order, sent and received: as readers match them.
matched()
{
	sed -nE "s/^$1 +([0-9]+) .*er: ([0-9]+) .*Tag: ([0-9]+), Length: ([0-9]+).*/\1 \2 \3 \4/p" \
		events
}
matched MPI_SEND | sort -s -k1,3 >sent
matched MPI_RECV | awk '{ print $2, $1, $3, $4 }' | sort -s -k1,3 >received
test -s sent && cmp -s sent received
ok $? "what is received is what was sent" || diag "$(diff sent received | head)"

cp ring.rec again.rec
bspprof trace -o ring.otf2/ again.rec
is 0 $? "bspprof makes the same of the recording, in place of the archive that is there"
otf2-print ring.otf2/traces.otf2 >again
cmp -s events again
ok $? "equal to the first"
none "$(ls -d ring.otf2.* 2>/dev/null)" "and leaves nothing beside it"

# ---- Names that cannot be -----------------------------------------------------------------------

# refused NAME WHY DESCRIPTION: before the run, and nothing is changed
refused()
{
	bsprun -n 2 --trace "$1" ./ring >out 2>said
	is 2 $? "$3"
	like "^bsprun: --trace $1: $2" "$(cat said)" "is refused before the run"
	bspprof trace -o "$1" ring.rec 2>said
	is 1 $? "by bspprof, too"
	like "^bspprof: $1: $2" "$(cat said)" "in the same words"
}

echo mine >file.otf2
refused file.otf2 'an OTF2 archive is a folder, and there is a file of this name' "a file"
is mine "$(cat file.otf2)" "which stays"
mkdir -p other.otf2/traces
echo mine >other.otf2/traces/notes
refused other.otf2 'the folder has other files than those of an OTF2 archive; give another name' \
	"a folder with other files"
is mine "$(cat other.otf2/traces/notes)" "which stay"
mkdir -p named.otf2/traces.otf2
echo mine >named.otf2/traces.otf2/notes
refused named.otf2 'the folder has other files than those of an OTF2 archive; give another name' \
	"a folder that has a folder named as a file of an archive"
is "mine named.otf2" "$(cat named.otf2/traces.otf2/notes) $(echo named.*)" "which stays there"
ln -s other.otf2 link.otf2
refused link.otf2 'an OTF2 archive is a folder, and there is a file of this name' "a symbolic link"
refused no/such.otf2 'No such file or directory' "a folder in none"
bsprun -n 2 --trace x.otf2 --only rounds ./ring 2>said
is 2 $? "one section alone"
like 'an OTF2 archive has the whole run' "$(cat said)" "is not what an archive has"
bspprof trace --only rounds -o x.otf2 ring.rec 2>said
is 1 $? "nor by bspprof"
like '^bspprof: x.otf2: an OTF2 archive has the whole run' "$(cat said)" "which says so"
bsprun -n 2 --trace x.otf2 --profile x.html --only rounds ./ring
is "0 x.html x.otf2" "$? $(echo x.*)" "beside a page of the section there is one"
is 20 "$(otf2-print x.otf2/traces.otf2 | grep -c '^ENTER.*"bsp_read ring.c:30"')" "of the whole run"

# ---- Runs that do not end well ------------------------------------------------------------------

compile_dies
bsprun -n 3 --trace dies.otf2 ./dies 2>/dev/null
is 137 $? "a program of which a process dies has its status"
otf2-print dies.otf2/traces.otf2 >events
is "0 $(count '^ENTER')" "$? $(count '^LEAVE')" "and an archive of what it did until then"
like 'process 2 was killed by signal 9' "$(otf2-print -I dies.otf2/traces.otf2)" \
	"with the process that was killed"

# A disk that is full, where the test may mount one.
if unshare -rm true 2>/dev/null; then
	mkdir disk
	unshare -rm sh -c 'mount -t tmpfs -o size=16k none disk &&
		bspprof trace -o disk/x.otf2 ring.rec; echo $?; ls disk' >out 2>said
	is 1 "$(cat out)" "a full disk is an error, and nothing is left on it"
	like '^bspprof: disk/x.otf2: .*' "$(cat said)" "with a message"
	is 1 "$(wc -l <said)" "of one line"
fi

done_testing
