#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An archive in the Open Trace Format 2 has each call, section and message of a recording.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/recorded.sh"

has_plugin otf2 || skip_all "no bsp-otf2.so here"
command -v otf2-print >/dev/null || skip_all "no otf2-print here"
BSP_PLUGINS=$top_builddir/.libs
export BSP_PLUGINS

# events PROCESS: one a line, times in us, as: what at, region; or peer, tag, bytes, calls and area
events()
{
	otf2-print -L "$1" some.otf2/traces.otf2 | awk '
		# what follows the name, an extended regular expression
		function value(name, form) {
			if (!match($0, name ": " form))
				return ""
			name = substr($0, RSTART, RLENGTH)
			sub(/^[^:]*: "?/, "", name)
			return " " name
		}
		/^(ENTER|LEAVE|MPI_)/ {
			if (line != "")
				print line
			line = tolower($1) " " $3 / 1000 value("Region", "\"[^\"]*") \
				value("(Receiver|Sender)", "[0-9]+") value("Tag", "[0-9]+") \
				value("Length", "[0-9]+") value("Operation", "[A-Z_]+")
		}
		/ADDITIONAL ATTRIBUTES/ {
			while (match($0, /"[a-z]+" <[0-9]+>; UINT64; [0-9]+/)) {
				split(substr($0, RSTART, RLENGTH), part, "\"")
				sub(/.*; /, "", part[3])
				line = line " " part[2] "=" part[3]
				$0 = substr($0, RSTART + RLENGTH)
			}
		}
		END { print line }'
}

# Process 1 begins 0.5 ms after process 0. It reads from 1 to 2.5 ms what process 0 puts at 2 ms;
# process 0 gets from it in the superstep with a barrier, to which process 1 comes last, at 4.5 ms.
# Process 0 is the last at bsp_end, at 6 ms.
record some.rec <<'END'
run a.b 2 shm
process 0
put 1 3 1 700
relaxed a.c:1 2000000 2000000
get 1 4 2 64
message 1 0 3 30
barrier a.c:3 3000000 5000000
section a.c:7 part 5200000
collective a.c:5 bsp_allreduce 800 5500000 5600000
section_end a.c:8 part 5800000
end a.c:4 6000000 6000000
process 1 began=500000
relaxed a.c:1 0 500000
read a.c:2 3 1 500000 2000000
barrier a.c:3 4000000 4500000
section a.c:7 part 4600000
collective a.c:5 bsp_allreduce 800 5000000 5100000
section_end a.c:8 part 5200000
end a.c:4 5300000 5300000
END
bspprof trace -o some.otf2 some.rec
is 0 $? "a recording is an archive"
is "some.otf2 some.rec" "$(echo ./* | sed 's,\./,,g')" "in a folder, and nothing else is left"
is "enter 0 a.b
enter 0 computing
leave 2000 computing
enter 2000 bsp_sync a.c:1 superstep=0 n=1 bytes=700
mpi_send 2000 1 0 700 calls=1 area=3
leave 2000 bsp_sync a.c:1
enter 2000 computing
leave 3000 computing
enter 3000 bsp_sync a.c:3 superstep=1 n=5 bytes=94
mpi_send 3000 1 2 30 calls=3
mpi_collective_begin 3000
mpi_collective_end 4500 BARRIER
mpi_recv 5000 1 1 64 calls=2 area=4
leave 5000 bsp_sync a.c:3
enter 5000 computing
leave 5200 computing
enter 5200 part
enter 5200 computing
leave 5500 computing
enter 5500 bsp_allreduce a.c:5 superstep=2 n=0 bytes=800
mpi_collective_begin 5500
mpi_collective_end 5600 ALLREDUCE
leave 5600 bsp_allreduce a.c:5
enter 5600 computing
leave 5800 computing
leave 5800 part
enter 5800 computing
leave 6000 computing
enter 6000 bsp_end a.c:4 superstep=2 n=0 bytes=0
mpi_collective_begin 6000
mpi_collective_end 6000 BARRIER
leave 6000 bsp_end a.c:4
leave 6000 a.b" "$(events 0)" "process 0: computing, calls, sections, messages, operations"
is "enter 500 a.b
enter 500 bsp_sync a.c:1 superstep=0 n=0 bytes=0
leave 1000 bsp_sync a.c:1
enter 1000 bsp_read a.c:2 superstep=1 n=1 bytes=0
mpi_recv 2500 0 0 700 calls=1 area=3
leave 2500 bsp_read a.c:2
enter 2500 computing
leave 4500 computing
enter 4500 bsp_sync a.c:3 superstep=1 n=0 bytes=0
mpi_collective_begin 4500
mpi_collective_end 4500 BARRIER
mpi_send 4500 0 1 64 calls=2 area=4
mpi_recv 5000 0 2 30 calls=3
leave 5000 bsp_sync a.c:3
enter 5000 computing
leave 5100 computing
enter 5100 part
enter 5100 computing
leave 5500 computing
enter 5500 bsp_allreduce a.c:5 superstep=2 n=0 bytes=800
mpi_collective_begin 5500
mpi_collective_end 5600 ALLREDUCE
leave 5600 bsp_allreduce a.c:5
enter 5600 computing
leave 5700 computing
leave 5700 part
enter 5700 computing
leave 5800 computing
enter 5800 bsp_end a.c:4 superstep=2 n=0 bytes=0
mpi_collective_begin 5800
mpi_collective_end 6000 BARRIER
leave 6000 bsp_end a.c:4
leave 6000 a.b" "$(events 1)" "process 1: the same on one clock, and what it receives"

otf2-print -G some.otf2/traces.otf2 >definitions

# definition NAME: what follows its number
definition()
{
	sed -n "s/^$1  *[^ ]*  *//p" definitions
}

like 'per Seconds: 1000000000, Global Offset: 0, Length: 6000000,' \
	"$(definition CLOCK_PROPERTIES)" "a clock of nanoseconds, as long as the run"
is 2 "$(definition LOCATION | grep -c '# Events: 33,')" "a location for each process" ||
	diag "$(definition LOCATION)"
is 2 "$(definition LOCATION_GROUP | grep -c 'Type: PROCESS')" "of a group of its own"
is 1 "$(definition SYSTEM_TREE_NODE | wc -l)" "below one node, as the recording knows no other"
# region NAME: its file and line
region()
{
	definition REGION |
		sed -n "s/^Name: \"$1\".*File: \(\"[^\"]*\"\).*Begin: \([0-9]*\).*/\1 \2/p"
}

is '"a.c" 3' "$(region 'bsp_sync a.c:3')" "a region for each call site has its file and line" ||
	diag "$(definition REGION)"
is '"a.c" 7' "$(region part)" "that of a section those of its beginning"
is 8 "$(definition REGION | wc -l)" "and there is no other"
like 'Group: .*' "$(definition COMM)" "all are in one communicator"

# ---- Other ways to end a superstep, and processes that are ahead --------------------------------

# Process 1 is through three relaxed supersteps before process 0 puts in its first one, and receives
# that in bsp_end. Process 2 asks process 0, which answers when it comes; the neighbours 0 and 2
# exchange without a barrier.
record ahead.rec <<'END'
run ahead 3 shm
process 0
put 1 3 1 10
relaxed a.c:1 5000000 6000000
relaxed a.c:1 6000000 6000000
neighbors 2
put 2 5 1 20
neighbored a.c:2 7000000 8000000
end a.c:4 9000000 9000000
process 1
relaxed a.c:1 1000000 1000000
relaxed a.c:1 2000000 2000000
neighbors
neighbored a.c:2 3000000 3000000
end a.c:4 4000000 4000000
process 2
get 0 3 1 40
relaxed a.c:1 1000000 5500000
relaxed a.c:1 6000000 6000000
neighbors 0
neighbored a.c:2 6500000 7500000
end a.c:4 9000000 9000000
END
bspprof trace -o some.otf2 ahead.rec
is 0 $? "another recording in its place"
is "mpi_send 5000 1 0 10 calls=1 area=3
mpi_send 5000 2 1 40 calls=1 area=3
mpi_send 7000 2 0 20 calls=1 area=5" "$(events 0 | grep _send)" \
	"a get is answered when its owner comes"
is "mpi_recv 9000 0 0 10 calls=1 area=3" "$(events 1 | grep _recv)" \
	"a put is received after it was sent, in whatever superstep that is"
is "mpi_recv 5500 0 1 40 calls=1 area=3
mpi_recv 7500 0 0 20 calls=1 area=5" "$(events 2 | grep _recv)" \
	"and without a barrier in the superstep"
is 2 "$(events 1 | grep -c _collective)" "which is no collective operation"

# ---- Collective operations ----------------------------------------------------------------------

# All processes call these, without a root; others are regions alone.
at=0
{
	echo "run operations 1 self"
	echo "process 0"
	for call in allgather allgatherv allreduce fold exchange exchangev reduce_scatter prefix \
		scan bcast neighbor_exchange iallreduce; do
		echo "collective a.c:1 bsp_$call 8 $at $((at + 1000))"
		at=$((at + 1000))
	done
	echo "end a.c:2 $at $at"
} | record operations.rec
bspprof trace -o some.otf2 operations.rec
is "ALLGATHER ALLGATHERV ALLREDUCE ALLREDUCE ALLTOALL ALLTOALLV REDUCE_SCATTER SCAN SCAN BARRIER" \
	"$(events 0 | sed -n 's/^mpi_collective_end [0-9]* \([A-Z_]*\).*/\1/p' | paste -sd ' ')" \
	"operations of all processes that have no root are operations"

# ---- Where processes are ------------------------------------------------------------------------

# tree: processes and nodes with the names of all above them
tree()
{
	otf2-print -G some.otf2/traces.otf2 | awk '
		/^SYSTEM_TREE_NODE / {
			match($0, /Name: "[^"]*"/)
			name = substr($0, RSTART + 7, RLENGTH - 8)
			match($0, /Class: "[^"]*"/)
			name = substr($0, RSTART + 8, RLENGTH - 9) " " name
			up = $0
			path[$2] = sub(/.*Parent: "[^"]*" </, "", up) ? path[up + 0] "/" name : name
			if (up + 0 || $2)
				print path[$2]
		}
		/^LOCATION_GROUP / {
			match($0, /Name: "[^"]*"/)
			name = substr($0, RSTART + 7, RLENGTH - 8)
			up = $0
			sub(/.*Parent: "[^"]*" </, "", up)
			print path[up + 0] "/" name
		}'
}

for i in 0 1 2 3 4; do
	echo "process $i"
	case $i in
	0|1) echo "node 0 ladon" ;;
	2|3) echo "node $i hydra" ;;
	esac
	echo "barrier a.c:1 1000 2000"
	echo "end a.c:2 3000 3000"
done >parts
{ echo "run placed 5 mix"; cat parts; } | record placed.rec
bspprof trace -o some.otf2 placed.rec
is 0 $? "processes on several nodes"
is "machine Linux/node hydra, node 2
machine Linux/node hydra, node 2/process 2
machine Linux/node hydra, node 3
machine Linux/node hydra, node 3/process 3
machine Linux/node ladon
machine Linux/node ladon/process 0
machine Linux/node ladon/process 1
machine Linux/process 4" "$(tree | LC_ALL=C sort)" \
	"are below them in the system tree, and one that is not known below the machine"
otf2-print -G some.otf2/traces.otf2 >definitions
is "MACHINE SHARED_MEMORY SHARED_MEMORY SHARED_MEMORY" \
	"$(grep -o 'Domain: [A-Z_]*' definitions | sed 's/.* //' | paste -sd ' ')" \
	"whose kinds readers know"

# Definitions have numbers of their own, and refer to numbers of others that are there.
is "" "$(sed -n 's/^\([A-Z_]*\)  *\([0-9][0-9]*\) .*/\1 \2/p' definitions |
	grep -vE '_(DOMAIN|PROPERTY) ' | sort | uniq -d)" "no definition is there twice"
is 0 "$(grep -ciE 'unknown|invalid' definitions)" "and none refers to what there is not"
like '"MPI" .*Class: PROCESS' "$(definition PARADIGM)" "the paradigm of messages is defined" ||
	diag "$(grep PARADIGM definitions)"
{
	echo "run bad 1 self"
	echo "process 0"
	echo "raw 18 1 1 65"
	echo "end a.c:2 3000 3000"
} | record bad.rec
like 'the recording is damaged.*the node of the process is damaged' "$(bspprof bad.rec)" \
	"a node that is beyond the processes is none"
{
	echo "run short 2 shm"
	echo "process 0"
	echo "node 0 ladon"
	echo "end a.c:2 3000 3000"
	echo "process 1"
	echo "raw 18"
} | record short.rec
bspprof trace -o some.otf2 short.rec
is "machine Linux/node ladon
machine Linux/node ladon/process 0
machine Linux/process 1" "$(tree | LC_ALL=C sort)" "nor is one that is cut off"

# ---- Many processes -----------------------------------------------------------------------------

# Each puts to the next one; of more than 128 processes not all are written in one walk.
{
	echo "run many 150 shm"
	for i in $(seq 0 149); do
		echo "process $i"
		echo "put $(((i + 1) % 150)) 0 1 $((1000 + i))"
		echo "barrier a.c:1 1000000 2000000"
		echo "end a.c:2 3000000 3000000"
	done
} | record many.rec
bspprof trace -o some.otf2 many.rec
is 0 $? "150 processes"
otf2-print some.otf2/traces.otf2 >all
is 150 "$(sed -n 's/^MPI_SEND .*Length: \([0-9]*\).*/\1/p' all | sort -u | wc -l)" "each sends" ||
	diag "$(grep MPI_SEND all | head -n 3)"
is "150 150 750 750" "$(grep -c '^MPI_SEND' all) $(grep -c '^MPI_RECV' all) $(grep -c '^ENTER' \
	all) $(grep -c '^LEAVE' all)" "each receives, and leaves what it enters"

# ---- What is damaged ----------------------------------------------------------------------------

# sound FILE: bspprof refuses it, or makes an archive that can be read
sound()
{
	bspprof trace -o some.otf2 "$1" 2>said
	case $? in
	0) otf2-print --silent some.otf2/traces.otf2 >said 2>&1 ;;
	1) grep -q "^bspprof: $1: ." said ;;
	*) false ;;
	esac
}

bad=''
size=$(wc -c <some.rec)
second=$(grep -aboE "bsprec[0-9]" some.rec | sed -n '2s/:.*//p')	# the part of process 1
for cut in 0 100 $(seq $((second - 140)) 14 $((second + 9))) $(seq $((size - 140)) 17 "$size"); do
	head -c "$cut" some.rec >cut.rec
	sound cut.rec || bad="$bad $cut"
done
none "$bad" "what is cut off is an archive as far as it goes, or refused"
python3 - "${TAP_LONG:+300}" <<'END'
import random, sys
whole = open("ahead.rec", "rb").read()
random.seed(1)
for i in range(int(sys.argv[1] or 16)):
    damaged = bytearray(whole)
    for k in range(1 + i % 15):
        damaged[random.randrange(len(damaged))] = random.randrange(256)
    open("damaged%d.rec" % i, "wb").write(damaged)
END
for file in damaged*.rec; do
	sound "$file" || bad="$bad $file"
done
none "$bad" "so is what is damaged"
# The number of processes is behind magic, order, length, job and process.
printf '\210\023' | dd of=operations.rec bs=1 seek=28 conv=notrunc 2>/dev/null
bspprof trace -o some.otf2 operations.rec 2>said
is 1 $? "one process of 5000"
like '^bspprof: operations.rec: of 5000 processes it lacks 4999, too many' "$(cat said)" \
	"is refused, as each has files"
none "$(find . -name '*.otf2.*')" "and nothing is left beside it"

done_testing
