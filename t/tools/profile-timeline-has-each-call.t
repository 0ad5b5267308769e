#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The timeline of bspprof has each call, wait and schedule of a recording where it was.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/recorded.sh"

# Process 1 begins 0.5 ms after process 0. It reads at 1 ms what process 0 puts at 2 ms, until 2.5;
# the second barrier ends for process 0 with process 1, which comes at 4.5; bsp_end for 1 with 0,
# at 6. Beside process 1 the kernel runs three schedules, the second while the first still runs.
record some.rec <<'END'
run a"b 2 shm
process 0
put 1 3 1 700
relaxed a.c:1 2000000 2000000
barrier a.c:3 3000000 5000000
end a.c:4 6000000 6000000
process 1 began=500000
relaxed a.c:1 0 500000
read a.c:2 3 1 500000 2000000
offloaded a.c:9 bsp_ibarrier 600000 1000000
offloaded a.c:9 bsp_ibarrier 800000 1500000
offloaded a.c:9 bsp_ibarrier 1100000 1200000
barrier a.c:3 4000000 4500000
collective a.c:5 bsp_bcast 800 4500000 4600000
end a.c:4 5000000 5000000
END
bspprof trace some.rec >trace
is 0 $? "a recording is a timeline"

# event PATTERN: events that match, without what all have
event()
{
	sed 's/,$//; s/"pid":1,//; s/,"args":{"superstep".*}/}/' trace | grep -F -e "$1"
}

# arguments PROCESS: of each call, after its name
arguments()
{
	sed -n "/\"tid\":$1,/s/.*\"name\":\"\(.*\)\",\"args\":{\(\"superstep.*\)}},/\1 \2/p" trace |
		tr -d '"'
}

is '{"displayTimeUnit":"ns","traceEvents":[' "$(head -n 1 trace)" "it begins as its format says"
is ']}' "$(tail -n 1 trace)" "and ends so"
is '{"ph":"M","name":"process_name","args":{"name":"a\"b"}}
{"ph":"M","tid":0,"name":"thread_name","args":{"name":"process 0"}}
{"ph":"M","tid":0,"name":"thread_sort_index","args":{"sort_index":0}}
{"ph":"M","tid":1,"name":"thread_name","args":{"name":"process 1"}}
{"ph":"M","tid":1,"name":"thread_sort_index","args":{"sort_index":32}}
{"ph":"M","tid":33,"name":"thread_name","args":{"name":"kernel, process 1"}}
{"ph":"M","tid":33,"name":"thread_sort_index","args":{"sort_index":33}}
{"ph":"M","tid":34,"name":"thread_name","args":{"name":"kernel, process 1"}}
{"ph":"M","tid":34,"name":"thread_sort_index","args":{"sort_index":34}}' "$(event '"ph":"M"')" \
	"tracks: of the program, of each process, two for what the kernel ran at the same time"
is '{"ph":"X","tid":0,"cat":"compute","ts":0.000,"dur":2000.000,"name":"compute"}
{"ph":"X","tid":0,"cat":"sync","ts":2000.000,"dur":0.000,"name":"bsp_sync a.c:1"}
{"ph":"X","tid":0,"cat":"compute","ts":2000.000,"dur":1000.000,"name":"compute"}
{"ph":"X","tid":0,"cat":"sync","ts":3000.000,"dur":2000.000,"name":"bsp_sync a.c:3"}
{"ph":"X","tid":0,"cat":"compute","ts":5000.000,"dur":1000.000,"name":"compute"}
{"ph":"X","tid":0,"cat":"sync","ts":6000.000,"dur":0.000,"name":"bsp_end a.c:4"}' \
	"$(event '"ph":"X","tid":0')" "process 0: computing and calls"
is '{"ph":"X","tid":1,"cat":"compute","ts":0.000,"dur":500.000,"name":"compute"}
{"ph":"X","tid":1,"cat":"sync","ts":500.000,"dur":500.000,"name":"bsp_sync a.c:1"}
{"ph":"X","tid":1,"cat":"read","ts":1000.000,"dur":1500.000,"name":"bsp_read a.c:2"}
{"ph":"X","tid":1,"cat":"compute","ts":2500.000,"dur":2000.000,"name":"compute"}
{"ph":"X","tid":1,"cat":"sync","ts":4500.000,"dur":500.000,"name":"bsp_sync a.c:3"}
{"ph":"X","tid":1,"cat":"collective","ts":5000.000,"dur":100.000,"name":"bsp_bcast a.c:5"}
{"ph":"X","tid":1,"cat":"compute","ts":5100.000,"dur":400.000,"name":"compute"}
{"ph":"X","tid":1,"cat":"sync","ts":5500.000,"dur":500.000,"name":"bsp_end a.c:4"}' \
	"$(event '"ph":"X","tid":1')" \
	"process 1: the same 0.5 ms later, and in bsp_end until process 0 comes"
is 'bsp_sync a.c:1 superstep:0,n:1,bytes:700
bsp_sync a.c:3 superstep:1,n:0,bytes:0,waits for process:1
bsp_end a.c:4 superstep:2,n:0,bytes:0' "$(arguments 0)" "calls have their figures"
is 'bsp_sync a.c:1 superstep:0,n:0,bytes:0
bsp_read a.c:2 superstep:1,n:1,bytes:0,waits for process:0
bsp_sync a.c:3 superstep:1,n:0,bytes:0
bsp_bcast a.c:5 superstep:2,n:0,bytes:800
bsp_end a.c:4 superstep:2,n:0,bytes:0,waits for process:0' "$(arguments 1)" "and what they wait for"
is '{"ph":"X","tid":33,"cat":"kernel","ts":1100.000,"dur":400.000,"name":"bsp_ibarrier a.c:9"}
{"ph":"X","tid":34,"cat":"kernel","ts":1300.000,"dur":700.000,"name":"bsp_ibarrier a.c:9"}
{"ph":"X","tid":33,"cat":"kernel","ts":1600.000,"dur":100.000,"name":"bsp_ibarrier a.c:9"}' \
	"$(event '"cat":"kernel"')" "the kernel's schedules, each in the first lane that is free"
is '{"ph":"s","tid":1,"cat":"wait","name":"barrier","id":0,"ts":4500.000}
{"ph":"s","tid":0,"cat":"wait","name":"put","id":1,"ts":2000.000}
{"ph":"s","tid":0,"cat":"wait","name":"barrier","id":2,"ts":6000.000}' "$(event '"ph":"s"')" \
	"arrows begin where a wait was ended from"
is '{"ph":"f","bp":"e","tid":0,"cat":"wait","name":"barrier","id":0,"ts":5000.000}
{"ph":"f","bp":"e","tid":1,"cat":"wait","name":"put","id":1,"ts":2500.000}
{"ph":"f","bp":"e","tid":1,"cat":"wait","name":"barrier","id":2,"ts":6000.000}' \
	"$(event '"ph":"f"')" "and end where it ended"
is '{"ph":"C","name":"h, bytes","ts":2000.000,"args":{"h":700}}
{"ph":"C","name":"h, bytes","ts":5000.000,"args":{"h":0}}
{"ph":"C","name":"h, bytes","ts":6000.000,"args":{"h":0}}' "$(event '"ph":"C"')" \
	"h at the end of each superstep"
is "$(($(wc -l <trace) - 2))" "$(grep -c '"ph":"[MXsfC]"' trace)" "and there is no other event"

# Clocks of different machines: more than a second apart their beginnings are the same moment.
record machines.rec <<'END'
run far 2 ofi
process 0
end a.c:4 6000000 6000000
process 1 began=2000000000
end a.c:4 5000000 5000000
END
bspprof trace machines.rec >trace
is '{"ph":"X","tid":1,"cat":"sync","ts":5000.000,"dur":1000.000,"name":"bsp_end a.c:4"}' \
	"$(event '"tid":1,"cat":"sync"')" \
	"clocks that have nothing in common begin together"

# A schedule of which the operations were recorded: process 0 sends when it starts, and adds to what
# it has received.
record operations.rec <<'END'
run adds 2 esp
process 0
offloaded a.c:1 bsp_iallreduce 1000000 5000000
operation send 1 8 1000000 1500000
operation receive 1 8 1000000 4000000
operation add -1 8 4000000 4500000
end a.c:2 6000000 6000000
process 1
end a.c:2 6000000 6000000
END
bspprof trace operations.rec >trace
is '{"ph":"X","tid":64,"ts":1000.000,"dur":500.000,"name":"send to 1, 8 bytes"}
{"ph":"X","tid":65,"ts":1000.000,"dur":3000.000,"name":"receive from 1, 8 bytes"}
{"ph":"X","tid":64,"ts":4000.000,"dur":500.000,"name":"add, 8 bytes"}' \
	"$(event '"cat":"operation"' | sed 's/"cat":"operation",//')" \
	"operations of a schedule, each in the first lane that is free"
is '{"ph":"M","tid":64,"name":"thread_name","args":{"name":"operations in the kernel, process 0"}}
{"ph":"M","tid":64,"name":"thread_sort_index","args":{"sort_index":64}}
{"ph":"M","tid":65,"name":"thread_name","args":{"name":"operations in the kernel, process 0"}}
{"ph":"M","tid":65,"name":"thread_sort_index","args":{"sort_index":65}}' \
	"$(event '"ph":"M"' | grep '"tid":6[45]')" "on tracks of their own below all others"
is '{"ph":"X","tid":2,"cat":"kernel","ts":1000.000,"dur":4000.000,"name":"bsp_iallreduce a.c:1"}' \
	"$(event '"cat":"kernel"')" "and the schedule as before"
bspprof trace some.rec >trace
is 0 "$(grep -c '"cat":"operation"' trace)" "without records of operations there is no such track"

# A barrier waits for process 1, the last, which has put to 0 and asked 2, and sent nothing to 3.
record arrows.rec <<'END'
run arrows 4 shm
process 0
barrier a.c:1 1000000 5000000
end a.c:2 5000000 5000000
process 1
put 0 0 1 8
get 2 0 2 16
message 0 0 1 4
barrier a.c:1 4000000 5000000
end a.c:2 5000000 5000000
process 2
barrier a.c:1 1000000 5000000
end a.c:2 5000000 5000000
process 3
barrier a.c:1 1000000 5000000
end a.c:2 5000000 5000000
END
bspprof trace arrows.rec >trace
is 'put get barrier' "$(event '"ph":"s"' | sed 's/.*"name":"\([a-z]*\)".*/\1/' | paste -sd ' ')" \
	"an arrow has the name of what the last process did to the one that waits"
is 'bsp_sync a.c:1 superstep:0,n:4,bytes:28' "$(arguments 1 | head -n 1)" \
	"and a call those of its superstep"

# 33 schedules at the same time: what has no lane shares the last, behind what is there.
{
	echo "run lanes 1 esp"
	echo "process 0"
	for i in $(seq 33); do
		echo "offloaded a.c:1 goal_start 1000000 2000000"
	done
	echo "end a.c:2 3000000 3000000"
} | record lanes.rec
bspprof trace lanes.rec >trace
is 31 "$(event '"name":"kernel, process 0"' | wc -l)" "there are at most 31 lanes"
is 30 "$(event '"ts":1000.000,"dur":1000.000' | grep -vc '"tid":31,')" "30 have one schedule"
is '{"ph":"X","tid":31,"cat":"kernel","ts":1000.000,"dur":1000.000,"name":"goal_start a.c:1"}
{"ph":"X","tid":31,"cat":"kernel","ts":2000.000,"dur":0.000,"name":"goal_start a.c:1"}
{"ph":"X","tid":31,"cat":"kernel","ts":2000.000,"dur":0.000,"name":"goal_start a.c:1"}' \
	"$(event '"tid":31,"cat"')" "the last has the rest"

done_testing
