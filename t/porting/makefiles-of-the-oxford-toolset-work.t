#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspcc takes the options of the Oxford toolset, does what it can, and says in one line what means
# nothing here.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"
. "$top_srcdir/t/lib/network.sh"

real_cc=$BSP_CC real_libdir=$BSP_LIBDIR
BSP_CC=some-cc BSP_CXX=some-cxx BSP_INCLUDEDIR=/i
mkdir l && : >l/libbsp.so
BSP_LIBDIR=$PWD/l
ours="-I/i -Wl,--no-as-needed -L$PWD/l -Wl,-rpath,$PWD/l -lbsp"
stat=-Wl,--defsym=bsp_stat_by_default=1

# shows WANTED ARGUMENT...: the compiler is called so, and nothing is said of it
shows()
{
	wanted=$1
	shift
	is "$wanted" "$(bspcc -show "$@" 2>&1)" "bspcc $*"
}

shows "some-cc a.c -o a $ours" a.c -o a
shows "some-cc -Wall -DX=1 a.c -O2 $ours" -cflags "-Wall -DX=1" a.c -O2
shows "some-cc a.c $ours" -c++flags "-Wall -DX=1" a.c
shows "some-cc a.c -I/i -lm -lfoo -Wl,--no-as-needed -L$PWD/l -Wl,-rpath,$PWD/l -lbsp" -ldflags \
	"-lm -lfoo" a.c
shows "some-cc -c a.c -I/i" -ldflags "-lm -lfoo" -c a.c
shows "other-cc a.c $ours" -overridecc other-cc a.c
shows "some-cc a.c $ours" -overridec++ other-cxx a.c
shows "some-cxx -DX a.cc $ours" -c++ -cflags -DY -c++flags -DX a.cc
shows "some-cxx a.cc $ours" a.cc -overridecc other-cc -c++
shows "some-cc a.c -g $ours" -debug a.c
shows "some-cc a.c -DBSP_MCBSP $ours" -mcbsp a.c
shows "some-cc a.c -I/i $stat -Wl,--no-as-needed -L$PWD/l -Wl,-rpath,$PWD/l -lbsp" -stat a.c
shows "some-cc -c a.c -I/i" -stat -c a.c
shows "some-cc -c a.c -I/i" -prof -c a.c
is "some-cxx -DX a.cc $ours" "$(bspc++ -show -c++flags -DX -cflags -DY a.cc 2>&1)" \
	"bspc++ -c++flags"
is "some-cc number drop:x words -v -O3 -I. -DX -U Y -I /j $ours" \
	"$(bspcc -show number drop:x words -v -O3 -I. -DX -U Y -I /j 2>&1)" \
	"what looks like them goes to the compiler"

# idle OPTION...: it means nothing here, which is said in one line; the rest is as it was
idle()
{
	is "bspcc: options without a meaning here: $*; see bspcc(1)
some-cc a.c -O2 $ours" "$(bspcc -show a.c "$@" -O2 2>&1)" "$*"
}

for level in 0 1 2; do
	idle -flibrary-level $level
done
for option in -fcheck-syncs -fnocheck-syncs -nof77munging -fthrottle-procs -fnothrottle-procs \
	-fcombine-puts \
	-fnocombine-puts -finfinite-bsmp-buffers -fprocessmigration -fnoprocessmigration \
	-fcheckpointing \
	-fnocheckpointing -keep -showlog -f77 -mpi -udpip -tcpip -shmemsysv; do
	idle $option
done
for option in -fcontention-resolve -ffixed-bsmp-buffers -bspbuffer -bspfifo -bspbufferstalls \
	-bspnobuffers \
	-bspslotsize -bspnoslots -bsproundtrip -bspsendlatency -fprocessmigration \
	-fcheckpointing; do
	idle $option 100
done
idle -fcombine-puts-buffer 1024,2,4096
idle -device MPASS_UDPIP
idle -f77flags -O3
idle -overridef77 g77
idle -overrideld ld
idle -flibrary-level 2 -fcombine-puts -bspfifo 100 -mpi

# ---- What is made -------------------------------------------------------------------

BSP_CC=$real_cc BSP_INCLUDEDIR=$includedir BSP_LIBDIR=$real_libdir
cat >Makefile <<'END'
CC = bspcc
CFLAGS = -O3 -flibrary-level 2 -fcombine-puts -fcombine-puts-buffer 20000,2,1000 -bspfifo 10000
LDFLAGS = -flibrary-level 2 -bspbuffer 1024 -shmemsysv

ring: ring.o
	$(CC) $(LDFLAGS) $(PROFILE) -o ring ring.o
ring.o: ring.c
	$(CC) $(CFLAGS) $(PROFILE) -c ring.c
END
write_ring ring.c
ring="0 after 1, size 4
1 after 0, size 4"
seen=$("$MAKE" 2>&1)
ok $? "a Makefile of the time works" || diag "$seen"
is 2 "$(echo "$seen" | grep -c '^bspcc: ')" "each command says one line"
for transport in shm $network; do
	is "$ring" "$(runs -n 2 --transport $transport ./ring)" "what it makes runs over $transport"
done
for profile in -prof -cgprof -stat; do
	rm -f ring ring.o
	"$MAKE" PROFILE=$profile >said 2>&1
	case $profile in
	-stat) none "$(grep 'profiles' said)" "-stat has nothing to say" ;;
	*) is \
		"bspcc: $profile: the program prints statistics when it ends (unless BSP_STAT=0); bsprun --profile FILE.html makes a profile of any program" \
		"$(grep 'profile' said | grep -v '^bspcc -')" "$profile says what it does, once" ;;
	esac
	for transport in shm $network; do
		like '^bsp: 2 processes, 3 supersteps' \
			"$(runs -n 2 --transport $transport ./ring)" \
			"a program made with $profile prints statistics over $transport"
	done
	is "$ring" "$(BSP_STAT=0 runs -n 2 ./ring)" "unless BSP_STAT=0"
	like '^bsp: 2 processes, 3 supersteps' "$(BSP_STAT=1 runs -n 2 ./ring)" \
		"and with BSP_STAT=1"
done
is "$ring" "$(bspcc -o ring ring.c && runs -n 2 ./ring)" "without them it prints none"
if test "$BSP_SANITIZE"; then
	skip "not applicable: -stat with -static: sanitizers need a shared C library"
elif echo 'int main(void) { return 0; }' >static.c && $CC -static -o static static.c 2>/dev/null &&
	test -e "$libdir/libbsp.a" && test -z "$BSP_SANITIZE"; then
	bspcc -stat -static -o ring ring.c
	like '^bsp: 2 processes, 3 supersteps' "$(runs -n 2 ./ring)" "-stat with -static"
else
	skip "-stat with -static: no static C library here"
fi

done_testing
