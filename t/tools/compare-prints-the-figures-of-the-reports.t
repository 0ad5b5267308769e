#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bsprun --compare runs classic and relaxed in turn; every figure of its table is what the reports
# say.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/compare.sh"

# Mean communication of two processes, classic: 2, 4, 3 s; relaxed: 1, 1, 1.5 s.
report report.1 classic 10 "8 3 0" "7 1 0"
report report.2 relaxed 9 "8 0.5 1" "7 0.25 0.25"
report report.3 classic 12 "8 4 0" "7 4 0"
report report.4 relaxed 9 "8 0.5 0.5" "7 0.5 0.5"
report report.5 classic 11 "6 3.5 0" "7 2.5 0"
report report.6 relaxed 11 "8 0.5 1" "7 0.5 1"
is "fake a 'b: 2 processes, transport shm, 3 rounds

                               classic       relaxed       saved
communication, mean            3.000 s       1.000 s      50.0 %  (50.0 % to 75.0 %)
  in bsp_sync                  3.000 s       0.375 s
  in bsp_read                      0 s       0.625 s
  in collectives                   0 s           0 s
communication, largest         3.500 s       1.500 s
computation, mean              6.500 s       7.500 s
total                          11.00 s        9.00 s  no difference to be seen  (0.0 % to 25.0 %)
supersteps                          12            12
puts                                 6             6
gets                                 2             2
messages                             4             4
sent                          3.000 kB      3.000 kB

Times are those of a process, counts those of all.
A column shows one run of its way: that with the median communication time.
Each round has a saving. Shown are the median of all rounds, and the least
to the most; if 0 lies between these, no difference is to be seen." \
	"$(bsprun --compare --rounds 3 ./fake a "'b")" "three rounds"
is "classic program classic program classic program" "$(tr '\n' ' ' <modes | sed 's/ $//')" \
	"runs are classic and relaxed in turn"
nothing_left "no report is left"

# Two rounds show the faster run of each mode, and the mean of what they save.
afresh
report report.1 classic 0.004 "0.001 0.002 0"
report report.2 relaxed 0.003 "0.001 0.0005 0.0005"
report report.3 classic 0.006 "0.001 0.004 0"
report report.4 relaxed 0.006 "0.001 0.003 0.002"
bsprun --compare --rounds 2 ./fake >table
like '^fake: 1 process, transport shm, 2 rounds$' "$(cat table)" "one process, two rounds"
like '^comm.*, mean +2\.000 ms +1\.000 ms  no difference to be seen  \(-25\.0 % to 50\.0 %\)$' \
	"$(cat table)" "relaxed may be slower, so nothing is seen"
like '^total +4\.000 ms +3\.000 ms  no difference to be seen  \(0\.0 % to 25\.0 %\)$' \
	"$(cat table)" "nor if one round saves nothing"

# Two rounds that both save, 25 and 50 %, or both lose, -25 and -50: their mean.
afresh
report report.1 classic 0.004 "0.001 0.002 0"
report report.2 relaxed 0.003 "0.001 0.001 0.0005"
report report.3 classic 0.006 "0.001 0.004 0"
report report.4 relaxed 0.009 "0.001 0.001 0.001"
bsprun --compare --rounds 2 ./fake >table
like '^communication, mean +2\.000 ms +1\.500 ms +37\.5 %  \(25\.0 % to 50\.0 %\)$' \
	"$(cat table)" "two rounds have a mean"
afresh
report report.1 classic 0.004 "0.001 0.002 0"
report report.2 relaxed 0.005 "0.001 0.0025 0"
report report.3 classic 0.006 "0.001 0.004 0"
report report.4 relaxed 0.009 "0.001 0.006 0"
bsprun --compare --rounds 2 ./fake >table
like '^total +4\.000 ms +5\.000 ms +-37\.5 %  \(-50\.0 % to -25\.0 %\)$' "$(cat table)" \
	"what both rounds lose is seen"

# One round has no spread; nothing of nothing is saved; the smallest unit.
afresh
network=L=50us,o=5us
report report.1 classic 0.0000042 "0.0000042 0 0"
report report.2 relaxed 0.0000021 "0.0000021 0 0"
bsprun --compare --rounds=1 ./fake >table
like '^fake: 1 process, emulated network L=50us,o=5us, 1 round$' "$(cat table)" \
	"an emulated network is named"
like '^communication, mean +0 s +0 s +0\.0 %$' "$(cat table)" "no communication: nothing is saved"
like '^total +4\.200 us +2\.100 us +50\.0 %$' "$(cat table)" "microseconds"
none "$(grep median table)" "one round needs no word on medians"

# Time in collective operations and in schedules is communication.
afresh
network=
report report.1 classic 10 "2 3 0"
report report.2 relaxed 8 "2 1 0"
sed -i 's/"puts"/"collective_s":1.5,"schedule_s":0.5,&/' report.1
sed -i 's/"puts"/"collective_s":0.5,"schedule_s":1,&/' report.2
bsprun --compare --rounds 1 ./fake >table
like '^communication, mean +5\.000 s +2\.500 s +50\.0 %$' "$(cat table)" \
	"collective operations and schedules are communication"
like '^  in collectives +2\.000 s +1\.500 s$' "$(cat table)" "with a row of their own"

# Without --rounds there are five of a short program.
afresh
report report.1 classic 2 "1 1 0"
for n in 2 4 6 8 10; do
	report report.$n relaxed 2 "1 0.5 0.25"
	report report.$((n + 1)) classic 2 "1 1 0"
done
like ', 5 rounds$' "$(bsprun --compare ./fake)" "five rounds by default"
is 10 "$(cat runs)" "and no more"
nothing_left "no report is left"

# The program's surroundings.
afresh
report report.1 classic 2 "1 1 0"
report report.2 relaxed 2 "1 0.5 0.25"
cat >nosy <<'END'
#!/bin/sh
./fake
{
	cat
	env | grep '^BSP_[A-Z]*=\|^EXTRA=' | sed 's/^BSP_REPORT=.*/BSP_REPORT/' | sort | tr '\n' ' '
	echo "$@"
} >>seen
echo said
echo complained >&2
END
chmod +x nosy
is "" "$(echo input | bsprun --compare --rounds 1 -n 3 -x EXTRA=1 ./nosy 'a b' 2>&1 |
	grep 'said\|complained')" \
	"what the program says is not shown"
is "BSP_NEIGHBORS=0 BSP_NPROCS=3 BSP_REPORT BSP_SYNC=classic EXTRA=1 a b
BSP_NPROCS=3 BSP_REPORT BSP_SYNC=program EXTRA=1 a b" "$(cat seen)" \
	"it has its settings and arguments, and no input"
afresh
report report.1 classic 2 "1 1 0"
report report.2 relaxed 2 "1 0.5 0.25"
bsprun --compare --rounds 1 --verbose ./nosy >out 2>err
is "2 2" "$(grep -c said out) $(grep -c complained err)" "with --verbose it is shown"

bsprun --compare --rounds 1 ./fake >/dev/full 2>err
is "1" "$?" "a full disk is an error"

done_testing
