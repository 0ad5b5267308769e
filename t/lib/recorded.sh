# SPDX-License-Identifier: BSD-3-Clause
# recorded.sh - recordings out of descriptions, and what bspprof shows of them; read after env.sh.
# shellcheck shell=sh disable=SC2034,SC2154

forget_settings
PATH=$top_builddir/tools/bspprof:$top_builddir/tools/goalc:$PATH
export PATH
mkdir "$tap_dir/work"
cd "$tap_dir/work" || bail "no $tap_dir/work"

# record FILE: the recording that standard input describes as t/lib/recorded.c says
record()
{
	"$top_builddir/t/lib/recorded" "$1" || bail "$1 is no description of a recording"
}

# ---- Recordings that several tests read: record_NAME makes NAME.rec ----------------------------

# Three processes, four supersteps of 6, 3, 4 and 3 ms. Times in ms:
#
#		superstep 1	superstep 2	superstep 3	bsp_end
#		comp. wait	comp. wait	comp. wait	comp. (wait)
#	0	1     5		2     1		3.8   0.2	1      2
#	1	3     3		1     2		1     3		2      1
#	2	5     1		2.5   0.5	3.5   0.5	3      0
record_jacobi()
{
	record jacobi.rec <<'END'
run jacobi 3 shm L=10000 o=5000 g=8000 G=2
process 0
put 1 0 4 4000
barrier a.c:10 1000000 6000000
barrier a.c:20 8000000 9000000
barrier a.c:20 12800000 13000000
end a.c:30 14000000 14000000
process 1
put 2 0 2 1000
message 0 0 1 500
barrier a.c:10 3000000 6000000
get 2 0 1 2000
barrier a.c:20 7000000 9000000
barrier a.c:20 10000000 13000000
end a.c:30 15000000 15000000
process 2
barrier a.c:10 5000000 6000000
message 0 0 3 3000
barrier a.c:20 8500000 9000000
barrier a.c:20 12500000 13000000
end a.c:30 16000000 16000000
END
}

# The first process waits 2 ms for the second, which does not need it.
record_two()
{
	record two.rec <<'END'
run two 2 shm L=20000 o=10000 g=8000 G=2
process 0
put 1 0 1 1000
barrier a.c:1 1000000 3100000
end a.c:2 4000000 4000000
process 1
barrier a.c:1 3000000 3100000
end a.c:2 4000000 4000000
END
}

# Two processes that compute 1 ms and wait for nothing.
record_equal()
{
	record equal.rec <<'END'
run equal 2 shm L=0 o=0 g=0 G=0
process 0
barrier a.c:1 1000000 1000000
end a.c:2 1000000 1000000
process 1
barrier a.c:1 1000000 1000000
end a.c:2 1000000 1000000
END
}

# Process 0 puts at 4 ms what process 1 has read since 1 ms, and has at 4.5; then what process 1
# reads from 5 to 5.0012 ms.
record_relaxed()
{
	record relaxed.rec <<'END'
run relaxed 2 shm L=10000 o=5000 g=8000 G=2
process 0
put 1 7 1 500000
relaxed a.c:1 4000000 4000000
put 1 7 1 8
relaxed a.c:1 5001000 5001000
end a.c:3 5002000 5002000
process 1
relaxed a.c:1 1000000 1000000
read a.c:2 7 1 1000000 4500000
relaxed a.c:1 4500000 4500000
read a.c:2 7 1 5000000 5001200
end a.c:3 6000000 6000000
END
}
