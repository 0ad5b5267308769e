#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bsprun passes settings in the environment, and is the program from then on.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

cat >prog <<'END'
#!/bin/sh
env | grep '^BSP_[A-Z_]*=\|^EXTRA=' | grep -v '^BSP_\(CC\|CXX\|LIBDIR\|INCLUDEDIR\|BSPRUN\)=' | sort
for arg do
	echo "[$arg]"
done
END
chmod +x prog

is "" "$(bsprun ./prog)" "without options nothing is set"
for n in -n -np -npes -nprocs --np --npes --nprocs; do
	is "BSP_NPROCS=3" "$(bsprun $n 3 ./prog)" "$n sets BSP_NPROCS"
	is "BSP_NPROCS=12" "$(bsprun ${n}12 ./prog)" "${n}12 does, too"
done
for n in --np --npes --nprocs; do
	is "BSP_NPROCS=3" "$(bsprun $n=3 ./prog)" "and $n=3"
done
is "BSP_TAG_OUTPUT=1" "$(bsprun -splitio ./prog)" "-splitio of the Oxford toolset is --tag-output"
is "BSP_NPROCS=2" "$(bsprun -local -n2 ./prog)" "and -local is --local"
for idle in -nolocal -noload; do
	is "bsprun: $idle: an option without a meaning here; see bsprun(1)
BSP_NPROCS=2" "$(bsprun $idle -n 2 ./prog 2>&1)" "$idle means nothing here"
done
is "BSP_NPROCS=16384" "$(bsprun -n 1 -n 16384 ./prog)" \
	"the last of two counts; 16384 processes are allowed"
is "BSP_TRANSPORT=shm" "$(bsprun --transport shm ./prog)" "--transport sets BSP_TRANSPORT"
is "BSP_TRANSPORT=self" "$(bsprun --transport=self ./prog)" "with = as well"
is "BSP_BIND=none" "$(bsprun --bind none ./prog)" "--bind sets BSP_BIND"
is "BSP_TAG_OUTPUT=1" "$(bsprun --tag-output ./prog)" "--tag-output sets BSP_TAG_OUTPUT"
is "BSP_STAT=1" "$(bsprun --stat ./prog)" "--stat sets BSP_STAT"
is "BSP_WATCHDOG=2.5" "$(bsprun --watchdog 2.5 ./prog)" "--watchdog sets BSP_WATCHDOG"
is "BSP_SYNC=classic" "$(bsprun --sync classic ./prog)" "--sync sets BSP_SYNC"
is "BSP_SYNC=program" "$(bsprun --sync=program ./prog)" "with = as well"
is "BSP_EMULATE=sp2" "$(bsprun --emulate sp2 ./prog)" "--emulate sets BSP_EMULATE"
is "BSP_EMULATE=L=50us,o=5us,g=5us,G=10ns,cpu=1" \
	"$(bsprun --emulate=L=50us,o=5us,g=5us,G=10ns,cpu=1 ./prog)" "also with parameters"
is "BSP_REPORT=$PWD/some file" "$(bsprun --report 'some file' ./prog)" "--report sets BSP_REPORT"
test ! -e "some file"
ok $? "and makes no file"
is "BSP_CHECK=1" "$(bsprun --check ./prog)" "--check sets BSP_CHECK"
is "BSP_CHECK=2" "$(bsprun --suggest --check ./prog)" "with --suggest it sets 2"
is "EXTRA=a b=c" "$(bsprun -x 'EXTRA=a b=c' ./prog)" "-x sets any variable"
is "BSP_NPROCS=2" "$(BSP_NPROCS=7 bsprun -n 2 ./prog)" "an option overrides the variable"
is "BSP_NPROCS=7" "$(BSP_NPROCS=7 bsprun ./prog)" "a variable without an option stays"
is "[-n]
[a b]
[]" "$(bsprun -- ./prog -n 'a b' '')" "what follows the program is the program's"
PATH=$PATH:$PWD
is "BSP_STAT=1" "$(bsprun --stat prog)" "a program on the search path"

bsprun sh -c 'exit 41'
is 41 $? "the exit status is the program's"
bsprun sh -c 'echo $$' >pid &
wait $!
is $! "$(cat pid)" "the program runs in place of bsprun"
is "text" "$(echo text | bsprun cat)" "standard input is the program's"

is "BSP_NPROCS=4 BSP_TRANSPORT=shm ./prog 'a b' 'it'\\''s' '' 'x=y'" \
	"$(bsprun -n 4 --transport shm --show ./prog 'a b' "it's" '' x=y)" \
	"--show prints settings and command"
is "A='1 2' B= ./prog" "$(bsprun -x A=0 -x B= -x 'A=1 2' --show ./prog | sed "s/B='' /B= /")" \
	"--show prints what -x sets, once"
is "BSP_NPROCS=2 BSP_SYNC=classic BSP_NEIGHBORS=0 ./prog
BSP_NPROCS=2 BSP_SYNC=program ./prog" "$(bsprun --compare -n 2 --show ./prog)" \
	"--show prints both runs of --compare"
bsprun -n 4 --stat -x 'EXTRA=$HOME "x"' --show ./prog 'a  b' '*' >shown
is "$(bsprun -n 4 --stat -x 'EXTRA=$HOME "x"' ./prog 'a  b' '*')" "$(sh ./shown)" \
	"a shell that reads what --show prints does the same"

like '^usage: bsprun ' "$(bsprun --help)" "--help"
like '^bsprun .*[0-9]\.[0-9]' "$(bsprun --version)" "--version"
bsprun --help-env >help
for variable in $(sed -n 's/^SETTING(.*"\(BSP_[A-Z_]*\)".*/\1/p' "$top_srcdir/common/env.def"); do
	like "^$variable\$" "$(cat help)" "--help-env explains $variable"
done
is "BSP_WATCHDOG BSP_WAIT" \
	"$(sed -n '/^Waits:$/,/^For tests/s/^BSP_/&/p' help | paste -sd ' ')" \
	"--help-env has the waits together"
is "BSP_SHUFFLE BSP_NODE_SIZE BSP_SHM_RESERVE BSP_REPLAY BSP_RECORD_LIMIT BSP_RECORD_OPERATIONS" \
	"$(sed -n '/^For tests and measurements:$/,$s/^BSP_/&/p' help | paste -sd ' ')" \
	"and what is for tests and measurements last"

# With a real program.
write_ring ring.c
bspcc -o ring ring.c
is "0 after 2, size 4
1 after 0, size 4
2 after 1, size 4" "$(runs -n 3 ./ring)" "-n 3: three processes"
two="0 after 1, size 4
1 after 0, size 4"
is "0 after 0, size 4" "$(runs -n 1 --transport self ./ring)" "transport self"
for bind in auto core none; do
	is "$two" "$(runs -n 2 --transport shm --bind $bind ./ring)" "transport shm, --bind $bind"
done
for sync in auto alltoall counting dissemination knomial:3; do
	is "$two" "$(runs -n 2 -x BSP_BARRIER=$sync ./ring)" "-x BSP_BARRIER=$sync"
done
is "[0] 0 after 1, size 4
[1] 1 after 0, size 4" "$(runs -n 2 --tag-output ./ring)" \
	"--tag-output says which process wrote a line"
for sync in alltoall counting; do
	is 2 "$(runs -n 2 --stat -x BSP_BARRIER=$sync ./ring | grep -cE '^ +[01] +1 +0 +0 +4 ')" \
		"--stat has a row for each process, with its put ($sync)"
done
is "$two" "$(runs -n 2 --watchdog 60 ./ring)" "--watchdog leaves a program alone that moves"

# Loading libfabric takes longer than starting a job.
for transport in ofi mpi mix; do
	loaded=$(LD_DEBUG=files bsprun -n 2 --transport $transport true 2>&1)
	like "needed by .*bsprun" "$loaded" "with transport $transport bsprun loads what it needs"
	like '^0$' "$(echo "$loaded" | grep -c 'libfabric\|libmpi')" "and no network"
done

done_testing
