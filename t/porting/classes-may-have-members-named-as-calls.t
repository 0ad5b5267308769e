#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# C++ classes may have members named as calls of the library, and calls still know their line.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"
. "$top_srcdir/t/lib/network.sh"

# The library with sanitizers in it runs with those of its own compiler alone.
others=clang++
test -z "$BSP_SANITIZE" || others=
compilers=
for compiler in "$CXX" $others; do
	test -n "$compiler" && echo 'int x;' | $compiler -x c++ -fsyntax-only - 2>/dev/null &&
		compilers="$compilers $compiler"
done
test -n "$compilers" || skip_all "no c++ here"

# A class that wraps the library in methods of the same names, before and after it knows the
# library's.
cat >channel.hh <<'END'
struct Base {
	virtual ~Base() {}
	virtual void bsp_sync() = 0;
	int bsp_pid(int of) { return of; }
	template<class T> T bsp_time(T x) { return x; }
};
END
cat >members.cc <<'END'
#include "channel.hh"
#include <bsp_coll.h>
#include <bsp_goal.h>
#include <cstdio>

typedef void put_function(bsp_pid_t, const void *, void *, bsp_size_t, bsp_size_t);

struct Channel : public Base {
	int got;
	void (*bsp_move)(int *);
	explicit Channel(void (*move)(int *)) : got(-1), bsp_move(move) {}
	void bsp_push_reg() { ::bsp_push_reg(&got, sizeof got); }
	void bsp_pop_reg() { ::bsp_pop_reg(&got); }
	void bsp_put(int to, int x);
	void bsp_sync() { ::bsp_sync(); }
	static int bsp_nprocs() { return (int)::bsp_nprocs(); }
	int bsp_sumI() const { return ::bsp_sumI(got); }
	void goal_wait() {}
	void bsp_begin(), bsp_end(), bsp_send(int, int), bsp_get(int);
};

void Channel::bsp_put(int to, int x)
{
	::bsp_put(to, &x, &got, 0, sizeof x);
}

namespace other {
int bsp_get(int x) { return 2 * x; }
using ::bsp_hpput;
void far(put_function *put, int to, int *x)
{
	bsp_hpput(to, x, x, 0, 0);
	put(to, x, x, 0, 0);
	(*put)(to, x, x, 0, 0);
}
}

template<class F> void call(F f) { f(); }
template<class A, class B> struct Pair { A a; B b; };
template<class R, class... A> R deduced(R (*f)(A...), A... a) { return f(a...); }

static void doubled(int *x) { *x *= 2; }

int main()
{
	put_function *put = bsp_put, *same = &bsp_put;
	auto any = &bsp_put;

	bsp_begin(::bsp_nprocs());
	Channel c(doubled);
	int me = bsp_pid(), n = bsp_nprocs(), x = me, unset;

	c.bsp_push_reg();
	bsp_push_reg(&unset, sizeof unset);
	bsp_push_reg(Pair<int *, int>{&x, 1}.a, sizeof(x));
	call(bsp_sync);
	Channel *p = &c;
	Base &b = c;
	p->bsp_put((me + 1) % n, me);
	b.bsp_sync();
	p->bsp_move(&c.got);
	put((me + 1) % n, &c.got, &x, 0, sizeof x);
	(same == put && any == put ? same : put)(me, &me, &unset, 0, sizeof unset);
	other::far(bsp_put, me, &x);
	(bsp_put)(me, &x, &x, 0, 0);
	call(&bsp_sync);
	Pair<int, int> of = { other::bsp_get(21), b.bsp_pid(7) };
	printf("%d got %d, sum %d, then %d, itself %d, %d %d %d %d\n", me, c.got, c.bsp_sumI(), x, unset,
	       of.a, of.b, b.bsp_time(3), deduced(&bsp_sumI, me));
	c.bsp_pop_reg();
	call([] { bsp_sync(); });
	bsp_end();
}
END

wanted="0 got 4, sum 6, then 2, itself 0, 42 7 3 3
1 got 0, sum 6, then 4, itself 1, 42 7 3 3
2 got 2, sum 6, then 0, itself 2, 42 7 3 3"
for compiler in $compilers; do
	BSP_CXX="$compiler${BSP_SANITIZE:+ $BSP_SANITIZE}"
	for flags in -std=c++11 "-std=c++17 -O2" "-std=c++20 -O2" "--mcbsp -std=c++11" \
		"--mcbsp -std=c++20 -O2"; do
		# shellcheck disable=SC2086
		bspcxx $flags -Wall -Wextra -Wredundant-decls -Werror -o members members.cc 2>errors
		ok $? "$compiler $flags compiles members with names of calls" ||
			diag "$(cat errors)"
		for transport in shm $network; do
			is "$wanted" "$(runs -n 3 --transport $transport ./members)" \
				"and runs over $transport"
		done
		rm -f members
	done
done

# An old habit, and the plain functions alone.
printf 'extern "C" {\n#include <bsp.h>\n#include <bsp_coll.h>\n}\nvoid f() { bsp_sync(); }\n' \
	>old.cc
cat >plain.cc <<'END'
#define BSP_NO_CALL_SITES
#include <bsp_coll.h>
extern "C" void bsp_sync(void);
template<class R, class... A> R deduced(R (*f)(A...), A... a) { return f(a...); }
int f() { deduced(bsp_sync); return deduced(bsp_sumI, 1); }
END
cat >member.c <<'END'
#define BSP_NO_CALL_SITES
#include <bsp.h>
struct queue { void (*bsp_send)(struct queue *q, int x); int (*bsp_pid)(void); };
int f(struct queue *q);
int f(struct queue *q) { q->bsp_send(q, 1); bsp_sync(); return q->bsp_pid(); }
END
cat >commas.c <<'END'
#include <bsp.h>
void f(void);
void f(void) { bsp_push_reg((int[]){1, 2}, 2 * sizeof(int)); bsp_send(0, 0, &(struct { int a, b; }){1, 2}, 8); }
END
BSP_CXX="$CXX${BSP_SANITIZE:+ $BSP_SANITIZE}"
bspcxx -c -Wall -Werror old.cc
ok $? "bsp.h may be included inside extern \"C\""
bspcxx -c -std=c++20 -Wall -Werror old.cc
ok $? "also in C++20"
for interface in "" --mcbsp; do
	bspcxx $interface -c -std=c++11 -Wall -Werror plain.cc
	ok $? "BSP_NO_CALL_SITES${interface:+ $interface}: functions and nothing else"
	bspcc $interface -c -Wall -Werror member.c
	ok $? \
		"BSP_NO_CALL_SITES${interface:+ $interface} in C: structures with members of these names"
	bspcc $interface -c -Wall -Werror commas.c
	ok $? "commas in the arguments of calls in C${interface:+ $interface}"
done

# ---- Lines in messages -----------------------------------------------------------

cat >wrong.hh <<'END'
#include <bsp.h>
template<class T> void far(T *x, int offset)
{
	bsp_put((bsp_pid() + 1) % bsp_nprocs(), x, x, offset, sizeof(T));
}
END
cat >wrong.cc <<'END'
#include "wrong.hh"
#include <cstdlib>
#include <unistd.h>

int main(int, char **argv)
{
	int x = 0, y = 0, what = atoi(argv[1]);

	bsp_begin(bsp_nprocs());
	bsp_push_reg(&x, sizeof x);
	bsp_sync();
	if (what == 1)
		bsp_send(7, 0, &x, 4);
	if (what == 2 && bsp_pid() == 0)
		far(&x, 100);
	if (what == 3) {
		bsp_pop_reg(&x);
		bsp_sync();
		bsp_get(0, &x, 0, &y, 4);
	}
	if (what == 4 && bsp_pid() == 1)
		pause();
	bsp_sync();
	bsp_end();
}
END
for compiler in $compilers; do
	BSP_CXX="$compiler${BSP_SANITIZE:+ $BSP_SANITIZE}"
	bspcxx -O2 -o wrong wrong.cc
	for transport in shm $network; do
		like \
			'^bsp_send: process 7 does not exist, there are 2 \(process [01], superstep 1, wrong.cc:13\)$' \
			"$(runs -n 2 --transport $transport ./wrong 1)" \
			"$compiler, $transport: the line of a call"
		like \
			'^bsp_put: offset 100 .* registered on process 1 \(process 0, superstep 1, (\./)?wrong.hh:4\)$' \
			"$(runs -n 2 --transport $transport ./wrong 2)" \
			"of a call in a template, known to another process"
		like \
			'bsp_pop_reg withdrew it in superstep 1 at wrong.cc:17 \(process [01], superstep 2, wrong.cc:19\)$' \
			"$(runs -n 2 --transport $transport ./wrong 3)" "of an earlier call"
	done
	seen=$(runs -n 2 --watchdog "$(scaled 1)" ./wrong 4)
	like 'process 0, superstep 1, wrong.cc:23' "$seen" "the watchdog knows it of one that waits"
	like 'process 1, superstep 1, after wrong.cc:11' "$seen" "and of one that computes"
done

cat >relaxed.cc <<'END'
#include <bsp.h>
template<class T> void pass(T *x)
{
	bsp_put((bsp_pid() + 1) % bsp_nprocs(), x, x, 0, sizeof *x);
	bsp_sync();
	bsp_read(x, BSP_ANY);
}
int main()
{
	int x = 0;
	double y = 0;
	bsp_begin(2);
	bsp_push_reg(&x, sizeof x);
	bsp_push_reg(&y, sizeof y);
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	pass(&x);
	pass(&y);
	bsp_end();
}
END
bspcxx -o relaxed relaxed.cc
like 'relaxed.cc:6' "$(runs -n 2 --check --suggest ./relaxed)" \
	"bsprun --check --suggest names the line of a template once" &&
	is 1 "$(grep -c 'relaxed.cc:6' "$tap_dir/said")" "and not for each of its instances"

done_testing
