#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs in the style of the Oxford toolset, of BSPedupack and of MulticoreBSP compile and run as
# they are.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"
. "$top_srcdir/t/lib/network.sh"

# prints WANTED DESCRIPTION BSPRUN-ARGUMENT...: over shared memory and a network; input comes from
# the file input
prints()
{
	wanted=$1 description=$2
	shift 2
	for transport in shm $network; do
		is "$wanted" "$(runs --transport $transport "$@" <input)" \
			"$description over $transport"
	done
}
: >input

# ---- The Oxford toolset: level 1, older names, printf without stdio.h -----------------

cat >level1.c <<'END'
#include "bsp.h"
#include "bsp_level1.h"

typedef struct { double value; int where; } largest;

void pick(void *res, void *left, void *right, int *n)
{
	largest *r = (largest *)res, *a = (largest *)left, *b = (largest *)right;

	*r = (a->value >= b->value) ? *a : *b;
	if (*n != (int)sizeof(largest)) r->where = -1;
}

void main_part(void)
{
	int i, n, p, me, tag, nmess, accum, status;
	double x[4], sum, from_left, all[32];
	largest mine, best;

	bsp_begin(bsp_nprocs());
	p = bsp_nprocs();
	me = bsp_pid();
	n = (me == 0) ? 4 : 0;
	bsp_pushregister(&n, sizeof(int));
	bsp_pushregister(&from_left, sizeof(double));
	bsp_pushregister(all, sizeof(all));
	bsp_sync();
	bsp_bcast(0, &n, &n, sizeof(int));
	for (i = 0; i < n; i++) x[i] = 1.0 + ((me * n + i) * 7) % 11;
	for (sum = 0.0, i = 0; i < n; i++) sum += x[i];
	mine.value = x[0];
	mine.where = me;
	for (i = 0; i < n; i++)
		if (x[i] > mine.value) mine.value = x[i];
	bsp_fold(pick, &mine, &best, sizeof(largest));
	bsp_gather(0, &sum, all, sizeof(double));
	bsp_hpput((me + 1) % p, &sum, &from_left, 0, sizeof(double));
	tag = sizeof(int);
	bsp_set_tag_size(&tag);
	bsp_sync();
	bsp_send((me + p - 1) % p, &me, &sum, sizeof(double));
	bsp_sync_end();
	bsp_bsmp_info(&nmess, &accum);
	bsp_get_tag(&status, &tag);
	bsp_move(&x[0], sizeof(double));
	n = bsp_sumI(n);
	sum = bsp_sumD(sum);
	if (bsp_all(nmess == 1 && accum == status && status == (int)sizeof(double)) && me == 0) {
		printf("%d items, sum %g = %g\n", n, sum, all[0] + all[1] + all[2]);
		printf("best %g on %d, message of %g from %d, left %g\n", best.value, best.where, x[0], tag,
		       from_left);
	}
	if (bsp_sumI_prefix(1) != me + 1 || !bsp_constantI(best.where)) bsp_abort("folds");
	bsp_popregister(all);
	bsp_popregister(&from_left);
	bsp_popregister(&n);
	bsp_end();
}

int main(int argc, char **argv)
{
	bsp_init(main_part, argc, argv);
	main_part();
	return 0;
}
END
bspcc -std=gnu89 -Wall -Werror -O2 -o level1 level1.c 2>said
ok $? "a program with bsp_level1.h compiles without a warning" || diag "$(cat said)"
prints "12 items, sum 67 = 67
best 11 on 0, message of 26 from 1, left 17" "a program with bsp_level1.h" -n 3 ./level1
is "12 items, sum 67 = 67
best 11 on 0, message of 26 from 1, left 17" \
	"$(bspcc -std=gnu17 -o level1 level1.c && runs -n 3 ./level1)" \
	"the same as C17"

# ---- BSPedupack: the number of processes is read in main(), a header with helpers ------

cat >pack.h <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include "bsp.h"
#define SZDBL (sizeof(double))
#define SZINT (sizeof(int))
#define MAX(a,b) ((a)>(b) ? (a) : (b))
double *vecallocd(int n);
void vecfreed(double *pd);
END
cat >pack.c <<'END'
#include "pack.h"
double *vecallocd(int n)
{
    double *pd = (double *)malloc(MAX(n, 1) * SZDBL);
    if (pd == NULL) bsp_abort("vecallocd: not enough memory");
    return pd;
}
void vecfreed(double *pd)
{
    if (pd != NULL) free(pd);
}
END
cat >inner.c <<'END'
#include "pack.h"
int P; /* number of processors requested */
static int nloc(int p, int s, int n) { return (n + p - s - 1) / p; }
static double inner(int p, int s, int n, double *x, double *y)
{
    double inprod = 0.0, *Inprod = vecallocd(p), alpha = 0.0;
    int i, t;
    bsp_push_reg(Inprod, p * SZDBL);
    bsp_sync();
    for (i = 0; i < nloc(p, s, n); i++) inprod += x[i] * y[i];
    for (t = 0; t < p; t++) bsp_put(t, &inprod, Inprod, s * SZDBL, SZDBL);
    bsp_sync();
    for (t = 0; t < p; t++) alpha += Inprod[t];
    bsp_pop_reg(Inprod);
    vecfreed(Inprod);
    return alpha;
}
void bspinner()
{
    double *x, alpha, time0, time1;
    int p, s, n, nl, i;
    bsp_begin(P);
    p = bsp_nprocs();
    s = bsp_pid();
    if (s == 0) {
        printf("Please enter n:\n"); fflush(stdout);
        if (scanf("%d", &n) != 1) bsp_abort("Error in input");
        if (n < 0) bsp_abort("Error in input: n is negative");
    }
    bsp_push_reg(&n, SZINT);
    bsp_sync();
    bsp_get(0, &n, 0, &n, SZINT);
    bsp_sync();
    bsp_pop_reg(&n);
    nl = nloc(p, s, n);
    x = vecallocd(nl);
    for (i = 0; i < nl; i++) x[i] = i * p + s + 1;
    bsp_sync();
    time0 = bsp_time();
    alpha = inner(p, s, n, x, x);
    bsp_sync();
    time1 = bsp_time();
    if (s == 0 && time1 >= time0)
        printf("On %d processors sum of squares up to %d*%d is %.0lf\n", p, n, n, alpha);
    vecfreed(x);
    bsp_end();
}
int main(int argc, char **argv)
{
    bsp_init(bspinner, argc, argv);
    printf("How many processors do you want to use?\n"); fflush(stdout);
    if (scanf("%d", &P) != 1) return 1;
    if (P > bsp_nprocs()) {
        printf("Sorry, not enough processors available.\n");
        exit(1);
    }
    bspinner();
    printf("Main goes on once\n");
    exit(0);
}
END
printf '3\n100\n' >input
for flags in "" "-O3 -flibrary-level 2 -bspfifo 10000 -fcombine-puts"; do
	# shellcheck disable=SC2086
	bspcc $flags -Wall -Werror -o inner inner.c pack.c -lm 2>said
	ok $? "a program in the style of BSPedupack compiles ($flags)" || diag "$(cat said)"
done
prints "How many processors do you want to use?
Main goes on once
On 3 processors sum of squares up to 100*100 is 338350
Please enter n:" "a program in the style of BSPedupack" -n 3 ./inner
like '^Sorry, not enough' "$(runs -n 2 ./inner <input)" "which may ask for too many"
: >input

# ---- MulticoreBSP for C: size_t, or int in the mode for older programs ------------------

cat >multicore.c <<'END'
#include <mcbsp.h>

MCBSP_PROCESSOR_INDEX_DATATYPE P;

void spmd(void)
{
	MCBSP_BYTESIZE_TYPE i, size = sizeof(MCBSP_BYTESIZE_TYPE), tagsize = size, got;
	MCBSP_NUMMSG_TYPE packets;
	MCBSP_PROCESSOR_INDEX_DATATYPE s;
	MCBSP_BYTESIZE_TYPE *table, sum = 0, status;

	bsp_begin(P);
	s = bsp_pid();
	table = malloc(bsp_nprocs() * sizeof(*table));
	bsp_set_tagsize(&tagsize);
	bsp_push_reg(table, bsp_nprocs() * sizeof(*table));
	bsp_sync();
	i = s * s;
	bsp_hpput(0, &i, table, s * sizeof(*table), sizeof(*table));
	bsp_send((s + 1) % bsp_nprocs(), &size, &i, sizeof(i));
	bsp_sync();
	bsp_qsize(&packets, &size);
	bsp_get_tag(&status, &tagsize);
	if (packets != 1 || size != sizeof(i) || status != sizeof(i) || tagsize != sizeof(i))
		bsp_abort("%d messages, %d bytes\n", (int)packets, (int)size);
	bsp_move(&got, sizeof(got));
	if (s == 0) {
		for (i = 0; i < (MCBSP_BYTESIZE_TYPE)bsp_nprocs(); i++)
			sum += table[i];
		printf("sizes of %d bytes, sum %d, got %d\n", (int)sizeof(sum), (int)sum, (int)got);
	}
	bsp_pop_reg(table);
	free(table);
	bsp_end();
}

int main(int argc, char **argv)
{
	bsp_init(&spmd, argc, argv);
	P = bsp_nprocs();
	spmd();
	return EXIT_SUCCESS;
}
END
for flags in "" --mcbsp -mcbsp -DMCBSP_COMPATIBILITY_MODE "--mcbsp -DMCBSP_COMPATIBILITY_MODE"; do
	size=8
	case $flags in
	*MODE) size=4 ;;
	esac
	# shellcheck disable=SC2086
	bspcc $flags -Wall -Werror -o multicore multicore.c
	ok $? "a program with mcbsp.h compiles ($flags)"
	prints "sizes of $size bytes, sum 14, got 9" "a program with mcbsp.h ($flags)" -n 4 \
		./multicore
done
if test -n "$CXX" && echo 'int x;' | $CXX -x c++ -fsyntax-only - 2>/dev/null; then
	sed 's/= malloc/= (MCBSP_BYTESIZE_TYPE *)malloc/' multicore.c >multicore.cc
	bspcxx -Wall -Werror -o multicore multicore.cc
	ok $? "as C++ too"
	prints "sizes of 8 bytes, sum 14, got 9" "a program with mcbsp.h in C++" -n 4 ./multicore
fi
printf '#include <mcbsp-affinity.h>\nsize_t f(void) { return sizeof(bsp_size_t); }\n' >affinity.c
bspcc -Wall -Werror -c affinity.c 2>&1
ok $? "mcbsp-affinity.h is there"
printf '#include <bsp.h>\n#include <mcbsp.h>\n' >both.c
like 'bsp.h is there already, with int: include mcbsp.h before it, or compile with bspcc --mcbsp' \
	"$(bspcc -c both.c 2>&1)" "bsp.h and mcbsp.h with another interface are refused"
bspcc --mcbsp -c both.c
ok $? "with the same they are not"
printf '#define MCBSP_COMPATIBILITY_MODE\n#include <bsp.h>\n#include <mcbsp.h>\n' >both.c
bspcc -c both.c
ok $? "nor is the mode for older programs"

# ---- Its class for C++ --------------------------------------------------------------------

cat >class.cc <<'END'
#include <bsp.hpp>
#include <vector>

class Sum : public mcbsp::BSP_program {
	int start;
public:
	explicit Sum(int s = 1) : start(s) {}
	std::vector<int> from;
protected:
	virtual void spmd() {
		from.resize(bsp_nprocs());
		bsp_push_reg(from.data(), from.size() * sizeof(int));
		bsp_sync();
		int x = start + (int)bsp_pid();
		bsp_put(0, &x, from.data(), bsp_pid() * sizeof(int), sizeof(int));
		bsp_sync();
		bsp_pop_reg(from.data());
	}
	virtual BSP_program *newInstance() { return new Sum(); }
};

class Hello : public BSP_program {
	void spmd() { printf("Hello from %u of %u\n", bsp_pid(), bsp_nprocs()); }
};

int main(int argc, char **)
{
	if (argc > 1) {
		Hello().begin();
		return EXIT_SUCCESS;
	}
	Sum sum(100);
	sum.begin(3);
	int all = 0;
	for (size_t i = 0; i < sum.from.size(); i++)
		all += sum.from[i];
	printf("sum of %d is %d\n", (int)sum.from.size(), all);
	return EXIT_SUCCESS;
}
END
if test -n "$CXX" && echo 'int x;' | $CXX -x c++ -fsyntax-only - 2>/dev/null; then
	for std in c++11 c++20; do
		bspcxx -std=$std -Wall -Werror -o class class.cc
		ok $? "a program with bsp.hpp compiles as $std"
		prints "sum of 3 is 105" "a program with bsp.hpp" -n 5 ./class
		prints "Hello from 0 of 2
Hello from 1 of 2" "and one without newInstance" -n 2 ./class hello
	done
else
	skip "no c++ here"
fi

done_testing
