#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What bspprof predicts of small recordings is what LogGP gives for them by hand.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/recorded.sh"

nothing=L=0us,o=0us,g=0us,G=0ns
late=L=100us,o=0us,g=0us,G=0ns

# forms: what is predicted for each network: as recorded, classic, relaxed, and what that saves
forms()
{
	sed -n 's/^seconds on.*//; s/  */ /g; s/ $//; / %$/p'
}

# ---- One process: what it computes, on any network --------------------------------------------

record one.rec <<'END'
run one 1 self
process 0
barrier a.c:1 2000000 2500000
end a.c:2 4000000 4000000
END
bspprof predict --on "$late" one.rec >said
is 0 $? "one process is predicted"
bspprof predict --on "$late,switch=5ns" one.rec >/dev/null 2>errors
is "1 bspprof: one.rec: a network with switch= or bisection= is not predicted, as messages wait \
there for each other" "$? $(cat errors)" "a network with a switch is not"
is "the same network 0.003500 0.003500 0.003500 0.0 %
$late 0.003500 0.003500 0.003500 0.0 %" "$(forms <said)" "2 + 1.5 ms, without the wait"
is "the run took 0.004000 s, predicted is 0.875 of that" "$(grep '^the run' said)" "3.5 of 4 ms"

# ---- Two processes and a barrier --------------------------------------------------------------

# The second process computes 3 ms, the first 1, and each 0.9 to the end. A message takes
# o + L + o = 40 us on the network of the run, its 16 bytes 30 ns more, and with two processes a
# barrier is one each way. As recorded: 3 + 0.04 + 0.9 + 0.04; relaxed the first waits for nothing,
# and the last message is that of the second: 3 + 0.9 + 0.04. On a network with L alone, of 0.1 ms:
# 4.1 and 4.0; with nothing: 3.9.
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
bspprof predict --on "$nothing" two.rec >said
is "the same network 0.003980 0.003980 0.003940 1.0 %
$nothing 0.003900 0.003900 0.003900 0.0 %" "$(forms <said)" "a barrier costs a message"
is "the run took 0.004000 s, predicted is 0.995 of that" "$(grep '^the run' said)" "3.98 of 4 ms"
is "0.000040 1.0 bsp_sync a.c:1, if it were relaxed" "$(tail -n 1 said | sed 's/  */ /g')" \
	"which one call site saves"
is "$late 0.004100 0.004100 0.004000 2.4 %" "$(bspprof predict --on "$late" two.rec | forms |
	tail -n 1)" "0.1 ms late, twice, or once"

# ---- Relaxed supersteps -----------------------------------------------------------------------

# In ms process 0 computes 1, 4 and 1; process 1 computes 0.1, then 0.1, reads what process 0 put at
# 1, and 0.8 and 2 more. Where messages cost nothing that is 6, of process 0; with a barrier in each
# superstep 1 + 4 + 2. Where a message takes 0.1 ms the last one of bsp_end comes at 6.1; with
# barriers process 1 goes on at 1.1, at 5.1 and at 7.1, and its message comes at 7.2.
record relaxed.rec <<'END'
run relaxed 2 shm
process 0
put 1 0 1 8
relaxed a.c:1 1000000 1000000
relaxed a.c:1 5000000 5000000
end a.c:2 6000000 6000000
process 1
relaxed a.c:1 100000 100000
read a.c:3 0 1 200000 1200000
relaxed a.c:1 2000000 2000000
end a.c:2 4000000 4000000
END
is "$late 0.006100 0.007200 0.006100 15.3 %" \
	"$(bspprof predict --on "$late" relaxed.rec | forms | tail -n 1)" \
	"a barrier in each superstep waits for the slowest"
is "$nothing 0.006000 0.007000 0.006000 14.3 %" \
	"$(bspprof predict --on "$nothing" relaxed.rec | forms | tail -n 1)" \
	"also where messages take no time"

# The reader is the last: as recorded it reads after 0.2 what comes at 1.1, computes 2.8, and its
# message takes 0.1: 4. With a barrier, or as if it read all at once, it has waited before it
# computes the 0.1 ms to the read: 4.1.
record reader.rec <<'END'
run reader 2 shm
process 0
put 1 0 1 8
relaxed a.c:1 1000000 1000000
end a.c:2 1500000 1500000
process 1
relaxed a.c:1 100000 100000
read a.c:3 0 1 200000 1200000
end a.c:2 4000000 4000000
END
is "$late 0.004000 0.004100 0.004100 0.0 %" \
	"$(bspprof predict --on "$late" reader.rec | forms | tail -n 1)" \
	"computing before a read hides what it waits for"

# ---- No time, no supersteps, and what is no whole run -----------------------------------------

record none.rec <<'END'
run none 2 shm
process 0
end a.c:1 0 0
process 1
end a.c:1 0 0
END
like '^the run took 0.000000 s, predicted is 0.000 of that$' "$(bspprof predict none.rec)" \
	"no time is no division by 0"
record missing.rec <<'END'
run missing 2 shm
process 1
end a.c:1 0 0
END
bspprof predict missing.rec >said 2>errors
is "1 bspprof: missing.rec: the run did not come to its end" "$? $(cat errors)" \
	"without a process there is no prediction"
none "$(cat said)" "nor a beginning of one"

done_testing
