#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A call site in a function that several lines call has a row for each of these lines.
# shellcheck disable=SC1090,SC1091,SC2016,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/recorded.sh"
rmdir "$tap_dir/work"
. "$top_srcdir/t/lib/installed.sh"

# callers WHAT: the rows of WHAT in the table, with calls and times of waiting in front
callers()
{
	bspprof run.rec | awk -v what="$1" '
		/^call sites, / { on = 1; next }
		!NF { on = 0 }
		on && /called from/ {
			sub(/^.*called from/, $1 " called from")
			if (inside)
				print
			next
		}
		on { inside = index($0, what) }'
}

# ---- By the program ----------------------------------------------------------------------------

cat >helper.c <<'END'
#include <bsp.h>
#include <bsp_coll.h>

static double all[8];

__attribute__((noinline)) static double sum(double x)
{
	for (int q = 0; q < bsp_nprocs(); q++)
		bsp_put(q, &x, all, bsp_pid() * sizeof(x), sizeof(x));
	bsp_sync();
	return all[0] + all[1];
}

__attribute__((always_inline)) static inline void total(double *x)
{
	bsp_allreduce(BSP_SUM, BSP_DOUBLE, x, x, 1);
}

__attribute__((noinline)) static double twice(double x)
{
	return sum(x) + 1;
}

int main(void)
{
	double x = 1;

	bsp_begin(bsp_nprocs());
	bsp_push_reg(all, sizeof(all));
	bsp_sync();
	for (int i = 0; i < 5; i++) {
		x = sum(x);
		x += sum(2);
	}
	x += sum(3);
	x += twice(x);
	total(&x);
	total(&x);
	bsp_end();
	return x < 0;
}
END
bspcc -g -O2 -o helper helper.c || bail "the program does not compile"
bsprun -n 2 --record run.rec ./helper || bail "the program does not run"
if command -v addr2line >/dev/null; then
	is "1 called from main() helper.c:35
1 called from twice() helper.c:21
5 called from main() helper.c:32
5 called from main() helper.c:33" "$(callers 'helper.c:10' | sort)" \
		"a function with a bsp_sync that four lines call"
	is "1 called from main() helper.c:37
1 called from main() helper.c:38" "$(callers 'helper.c:16' | sort)" \
		"a function that the compiler has put into its caller"
	mkdir elsewhere
	is 4 "$(cd elsewhere && cp ../run.rec . && callers 'helper.c:10' |
		grep -c 'helper\.c:')" \
		"from another folder, too"
	bspcc -O2 -o helper helper.c || bail "the program does not compile"
	bsprun -n 2 --record run.rec ./helper || bail "the program does not run"
	is "1 called from main() helper+
1 called from twice() helper+
5 called from main() helper+
5 called from main() helper+" "$(callers 'helper.c:10' | sed 's/0x[0-9a-f]*$//' | sort)" \
		"without debugging information functions and addresses"
fi
none "$(callers 'helper.c:30')" "one caller has no row of its own"

# In C++ each call is itself a function, which is a part of the call; in Fortran it is one of the
# binding, which is in the program.
cat >helper.cpp <<'END'
#include <bsp.h>

struct counter {
	int n;
	__attribute__((noinline)) void step()
	{
		bsp_sync();
		n++;
	}
};

template<class T> __attribute__((noinline)) void twice(T &v)
{
	v.step();
	v.step();
	v.n++;
}

int main()
{
	counter c = { 0 };

	bsp_begin(bsp_nprocs());
	c.step();
	twice(c);
	bsp_end();
	return 0;
}
END
cat >helper.f90 <<'END'
program helper
  use bsp
  implicit none
  integer :: n = 0

  call bspbegin(bspnprocs())
  call step()
  call step()
  call bspend()

contains

  subroutine step()
    call bspsync()
    n = n + 1
  end subroutine
end program
END
if command -v addr2line >/dev/null; then
	bspcxx -g -O2 -o helper helper.cpp || bail "the program in C++ does not compile"
	bsprun -n 2 --record run.rec ./helper || bail "the program in C++ does not run"
	is "1 called from main() helper.cpp:24
1 called from void twice<counter>(counter&) helper.cpp:14
1 called from void twice<counter>(counter&) helper.cpp:15" \
		"$(callers 'helper.cpp:7' | sort)" "a member in C++, called by a template"
fi
if command -v addr2line >/dev/null && test -x "$bindir/bspfc"; then
	BSP_FC="gfortran${BSP_SANITIZE:+ $BSP_SANITIZE}" bspfc -g -O1 -fno-inline -o helper \
		helper.f90 || bail "the program in Fortran does not compile"
	bsprun -n 2 --record run.rec ./helper || bail "the program in Fortran does not run"
	is "1 helper.f90:7
1 helper.f90:8" "$(callers 'helper.f90:14' | sed 's/called from .*() //' | sort)" \
		"a subroutine in Fortran"
fi

# ---- Behind the limit --------------------------------------------------------------------------

# Some thousand records fill the room; texts of callers then take none of what call sites have.
cat >late.c <<'END'
#include <bsp.h>

#define TEN(call) call; call; call; call; call; call; call; call; call; call

__attribute__((noinline)) static void step(int *n)
{
	bsp_sync();
	(*n)++;
}

int main(void)
{
	int n = 0;

	bsp_begin(1);
	for (int i = 0; i < 20000; i++)
		bsp_sync();
	TEN(TEN(step(&n)));
	TEN(TEN(step(&n)));
	bsp_sync();
	bsp_end();
	return n != 200;
}
END
bspcc -g -O2 -o late late.c || bail "the program does not compile"
BSP_RECORD_LIMIT=65536 bsprun -n 1 --record run.rec ./late || bail "the program does not run"
is "20000 bsp_sync late.c:17
200 bsp_sync late.c:7
1 bsp_sync late.c:20" "$(bspprof run.rec | awk '/^call sites, / { on = 1 } !NF { on = 0 }
	on && /late\.c:/ { print $1, $(NF - 1), $NF }' | grep bsp_sync | sort -rn)" \
	"callers that do not fit leave call sites their names"

# ---- Without the program -----------------------------------------------------------------------

# The caller of a site stays until there is another; process 1 always comes from the same.
record run.rec <<'END'
run away 2 shm L=1 o=1 G=1
process 0
called_by a.c:1 /nowhere/away+0x10 0x20
put 1 0 2 100
barrier a.c:1 1000 2000
called_by a.c:1 /nowhere/away+0x30
barrier a.c:1 4000 7000
barrier a.c:1 9000 9500
called_by a.c:1
barrier a.c:1 9600 9600
end a.c:2 10000 10000
process 1
called_by a.c:1 /nowhere/away+0x10 0x20
barrier a.c:1 1000 2000
barrier a.c:1 4000 7000
barrier a.c:1 9000 9500
barrier a.c:1 9600 9600
end a.c:2 10000 10000
END
# Means of two processes: from 0x10 1 us and 1 + 3 + 0.5 waited, from 0x30 3 + 0.5 and 0.
is "2.5 0.000003 0.000005 0.000003 0.000005 called from away+0x10
1 0.000002 0.000004 0.000002 0.000004 called from away+0x30" \
	"$(bspprof run.rec | awk '/called from/ {
		print $1, $2, $3, $4, $5, $(NF - 2), $(NF - 1), $NF }')" \
	"calls, computing and waiting of each"
bspprof html -o page.html run.rec
like 'class="long" style="padding-left:1rem">called from away\+0x10</th><td>2\.5</td>' \
	"$(cat page.html)" "on the page below the call site"

# what RECORDED: what becomes of such a caller
what()
{
	{
		echo "run odd 1 self"
		echo "process 0"
		echo "called_by a.c:1 $1"
		echo "barrier a.c:1 1000 2000"
		echo "called_by a.c:1 /nowhere/other+0x1"
		echo "barrier a.c:1 3000 4000"
		echo "end a.c:2 10000 10000"
	} | record run.rec
	callers a.c:1 | grep -v 'other+0x1$'
}
for odd in no-address /nowhere/a+b /nowhere/a+0xg a+0x1 /+0x /a+0x123456789012345678901234; do
	is "1 called from $odd" "$(what "$odd")" "as it is: $odd"
done
is "1 called from x+0x5" "$(what '/nowhere/-e/x+0x5 0xzz')" "a second address that is none is none"
for odd in build=12 build=123456789012345678 build=xxxxxxxxxxxxxxxx build=; do
	is "1 called from x+0x5" "$(what "/nowhere/x+0x5 $odd")" "no build: $odd"
done
is "1 called from b;touch+0x5" "$(what '/a$(touch)b;touch+0x5' | sed 's/from .*b;/from b;/')" \
	"no shell reads it"
test ! -e touch
ok $? "and runs nothing"

# asked OBJECT: callers that are in it; there is a file "asked" if addr2line was asked for lines
asked()
{
	rm -f asked
	{
		echo "run odd 1 self"
		echo "process 0"
		echo "called_by a.c:1 $1+0x10 0x20"
		echo "barrier a.c:1 1000 2000"
		echo "called_by a.c:1 $1+0x30 0x40"
		echo "barrier a.c:1 3000 4500"
		echo "end a.c:2 10000 10000"
	} | record run.rec
	PATH=$PWD/printer:$PATH
	bspprof html -o page.html run.rec
	callers a.c:1 | sed 's/f0*()/f0()/' | sort
}
# One that prints a name that does not fit, and one that is cut off within a character.
mkdir printer folder
cat >printer/addr2line <<'END'
#!/bin/sh
: >asked
shift 7
for at; do
	name=f$(printf '%03000d' 0)
	test "$at" != 0x30 || name=$(printf '\303\251%.0s' $(seq 60))
	printf '%s\n%s\nx.c:%d\n' "$at" "$name" "$at"
done
END
chmod +x printer/addr2line
echo >file
is "1 called from ?() x.c:48
1 called from f0() x.c:16" "$(asked "$PWD/file" | LC_ALL=C tr -d '\303\251' | LC_ALL=C sort)" \
	"names of any length"
python3 -c 'import sys, xml.etree.ElementTree as t; t.parse(sys.argv[1])' page.html
ok $? "and a page of them is well-formed"
mkfifo fifo
for object in fifo folder nothing; do
	is "1 called from $object+0x10
1 called from $object+0x30" "$(asked "$PWD/$object")" "a $object has no lines"
	test ! -e asked
	ok $? "and is not opened"
done

# ---- Another build -----------------------------------------------------------------------------

# Lines are those of the build that was recorded, whether or not the linker gives it a build id.
cat >twice.c <<'END'
#include <bsp.h>

__attribute__((noinline)) static void step(void)
{
	bsp_sync();
}

int main(void)
{
	bsp_begin(1);
	step();
	step();
	bsp_end();
	return 0;
}
END
for id in sha1 none; do
	bspcc -g -O1 "-Wl,--build-id=$id" -o twice twice.c || bail "the program does not compile"
	bsprun -n 1 --record run.rec ./twice || bail "the program does not run"
	if command -v addr2line >/dev/null; then
		is "1 called from main() twice.c:11
1 called from main() twice.c:12" "$(callers 'twice.c:5' | sort)" "build id $id: lines of the build"
		none "$(bspprof run.rec | grep 'built again')" "of which nothing more is said"
	fi
	mv twice first
	sed '1i\
' twice.c >later.c
	bspcc -g -O1 "-Wl,--build-id=$id" -o twice later.c || bail "the program does not compile"
	is "1 called from twice+
1 called from twice+" "$(callers 'twice.c:5' | sed 's/0x[0-9a-f]*$//')" \
		"of another build there are none"
	like '^built again since this run, so .* without lines: twice$' "$(bspprof run.rec)" \
		"and the table says why"
	bspprof html -o page.html run.rec
	like 'Built again since this run, so .* without lines: twice' "$(cat page.html)" \
		"so does the page"
	mv first twice
	test $id = none || none "$(bspprof run.rec | grep 'built again')" \
		"the build that was recorded is known again"
done
rm twice
none "$(bspprof run.rec | grep 'built again')" "a program that is not there has no build"

# ---- Wrong ones --------------------------------------------------------------------------------

# 17 is CALLED_BY: of site 9, or by site 9, of one that there is.
for bytes in '17 9 0' '17 0 9' '17 0'; do
	{
		echo "run bad 1 self"
		echo "process 0"
		echo "barrier a.c:1 1000 2000"
		echo "raw $bytes"
	} | record bad.rec
	like 'the recording is damaged.* (a call site is not defined|a number is cut off)' \
		"$(bspprof bad.rec)" "refused: $bytes"
done
{
	echo "run many 1 self"
	echo "process 0"
	for i in $(seq 1 30); do
		echo "called_by a.c:1 /nowhere/m+0x$i"
		echo "barrier a.c:1 $((i * 1000)) $((i * 1000 + 10 * i))"
	done
	echo "end a.c:2 100000 100000"
} | record many.rec
is "16 called from m+0x30 and 14 callers more" \
	"$(bspprof many.rec | grep -c 'called from') \
$(bspprof many.rec | sed -n 's/.*\(called from m+0x30\)/\1/p') \
$(bspprof many.rec | grep callers)" "of many those that cost most"

record older.rec <<'END'
run older 1 self version=5
process 0
barrier a.c:3 4000000 5000000
end a.c:4 9000000 9000000
END
bspprof older.rec >table
is 0 $? "a recording of before is read"
record older.rec <<'END'
run older 2 self version=6
process 0
called_by a.c:3 /nowhere/a+0x10 0x20
barrier a.c:3 1000000 2000000
called_by a.c:3 /nowhere/a+0x30 0x40
barrier a.c:3 4000000 5000000
end a.c:4 9000000 9000000
END
is "1 called from a+0x10
1 called from a+0x30" "$(bspprof older.rec | sed -n 's/.*\(called from\)/1 \1/p' | sort)" \
	"and one whose callers have no builds"

done_testing
