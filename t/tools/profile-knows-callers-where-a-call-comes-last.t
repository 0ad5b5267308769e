#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A function that ends with a call has a caller, whichever compiler ends it, at any optimisation.
# shellcheck disable=SC1090,SC2016,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

command -v addr2line >/dev/null || skip_all "no addr2line here"

# callers WHAT: the lines of the callers of WHAT in the table; some versions of addr2line do not
# know the file where gcc was given -flto
callers()
{
	bspprof run.rec | awk -v what="$1" '
		/^call sites, / { on = 1; next }
		!NF { on = 0 }
		on && /called from/ {
			sub(/^.*called from/, "")
			if (inside)
				print $NF
			next
		}
		on { inside = index($0, what) }' | sed 's/^[0-9]*$/ends.c:&/' | sort
}

cat >ends.c <<'END'
#include <bsp.h>
#include <bsp_coll.h>

static double area[2];

__attribute__((noinline)) static void step(void)
{
	bsp_sync();
}

__attribute__((noinline)) static double total(double x)
{
	return bsp_sumD(x);
}

__attribute__((noinline)) static bsp_request begin(double *x)
{
	return bsp_iallreduce(BSP_SUM, BSP_DOUBLE, x, x, 1);
}

__attribute__((noinline)) static void finish(bsp_request *r)
{
	bsp_wait(r);
}

static inline void inlined(void)
{
	bsp_sync();
}

int main(void)
{
	double x = 1;
	bsp_request r;

	bsp_begin(bsp_nprocs());
	step();
	step();
	x += total(x);
	x += total(x);
	r = begin(&x);
	finish(&r);
	r = begin(&x);
	finish(&r);
	inlined();
	inlined();
	bsp_end();
	return x < 0;
}
END

# each_has_callers WHICH PROGRAM: are all of its functions called by two lines?
each_has_callers()
{
	bsprun -n 1 --record run.rec "./$2" || bail "$2 does not run"
	is "ends.c:37 ends.c:38
ends.c:39 ends.c:40
ends.c:41 ends.c:43
ends.c:42 ends.c:44
ends.c:45 ends.c:46" "$(for line in 8 13 18 23 28; do
		callers "ends.c:$line" | paste -sd ' '
	done)" "$1" || diag "$(bspprof run.rec)"
}

# built_by COMPILER OPTION...: false if that cannot build anything
built_by()
{
	echo 'int main(void) { return 0; }' >empty.c
	"$@" -o empty empty.c 2>/dev/null
}

# shellcheck disable=SC2086
for options in -O0 -O1 -O2 -O3 "-O2 -flto" "-O2 -fomit-frame-pointer -fPIC"; do
	if built_by $BSP_CC $options; then
		bspcc -g $options -o ends ends.c || bail "ends.c does not compile"
		each_has_callers "$CC $options" ends
	fi
	if test -z "$BSP_SANITIZE" && built_by clang $options; then
		BSP_CC=clang bspcc -g $options -o ends ends.c || bail "ends.c does not compile"
		each_has_callers "clang $options" ends
	fi
done

# In C++ calls are objects; templates and members are functions as others.
cat >ends.cpp <<'END'
#include <bsp.h>
#include <bsp_coll.h>

struct grid {
	__attribute__((noinline)) void step() { bsp_sync(); }
};

template<class T> __attribute__((noinline)) T total(T x)
{
	return bsp_sumD(x);
}

int main()
{
	grid g;
	double x = 1;

	bsp_begin(bsp_nprocs());
	g.step();
	g.step();
	x += total(x);
	x += total(x);
	bsp_end();
	return x < 0;
}
END
for compiler in "$BSP_CXX" clang++; do
	test "$compiler" = "$BSP_CXX" || test -z "$BSP_SANITIZE" || continue
	# shellcheck disable=SC2086
	built_by $compiler || continue
	for options in -O0 -O2 "-O2 -std=c++98" "-O2 -fno-exceptions"; do
		# shellcheck disable=SC2086
		BSP_CXX=$compiler bspcxx -g $options -o ends ends.cpp ||
			bail "ends.cpp does not compile"
		bsprun -n 1 --record run.rec ./ends || bail "ends.cpp does not run"
		is "ends.cpp:19 ends.cpp:20
ends.cpp:21 ends.cpp:22" "$(for line in 5 10; do
			callers "ends.cpp:$line" | paste -sd ' '
		done)" "$compiler $options" || diag "$(bspprof run.rec)"
	done
done

done_testing
