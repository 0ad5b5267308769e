#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bsp.h, bsp_coll.h and headers of other libraries are accepted by every C from 1989 and every C++
# from 1998, with every warning on.

. "${0%/*}/../lib/env.sh"

cat >"$tap_dir/calls.c" <<'END'
#include <bsp_coll.h>

static int op_called;

static void add(void *result, void *left, void *right, int *nbytes)
{
	op_called += *nbytes;
	*(int *)result = *(int *)left + *(int *)right;
}

static void add_bytes(void *result, void *left, void *right, int nbytes)
{
	add(result, left, right, &nbytes);
}

static void collective(int pid)
{
	static int x, y, all[256], blocks[256];
	static size_t sizes[256];
	bsp_request r = BSP_NO_REQUEST;

	bsp_gatherv(pid, &x, sizes[0], all, sizes, NULL);
	bsp_scatterv(pid, all, sizes, sizes, &y, sizes[0]);
	bsp_allgatherv(&x, sizes[0], all, sizes, NULL);
	bsp_exchangev(all, sizes, NULL, blocks, sizes, NULL);
	bsp_reduce_scatter(BSP_SUM, BSP_INT, all, blocks, sizes);
	bsp_neighbor_exchange(1, &pid, all, blocks, sizeof x);
	r = bsp_ineighbor_exchange(1, &pid, all, blocks, sizeof x);
	r = bsp_igatherv(pid, &x, sizes[0], all, sizes, NULL);
	r = bsp_iscatterv(pid, all, sizes, sizes, &y, sizes[0]);
	r = bsp_iallgatherv(&x, sizes[0], all, sizes, NULL);
	r = bsp_iexchangev(all, sizes, NULL, blocks, sizes, NULL);
	r = bsp_ireduce_scatter(BSP_SUM, BSP_INT, all, blocks, sizes);
	bsp_bcast(pid, &x, &y, sizeof x);
	bsp_gather(pid, &x, all, sizeof x);
	bsp_scatter(pid, all, &y, sizeof x);
	bsp_allgather(&x, all, sizeof x);
	bsp_exchange(all, blocks, sizeof x);
	bsp_reduce(pid, BSP_SUM, BSP_LONG, &x, &y, 1);
	bsp_allreduce(BSP_PROD, BSP_UNSIGNED_LONG, &x, &y, 1);
	bsp_prefix(BSP_XOR, BSP_SIZE, &x, &y, 1);
	bsp_fold(add, &x, &y, sizeof x);
	bsp_scan(add, &x, &y, sizeof x);
	r = bsp_ibcast(pid, &x, &y, sizeof x);
	r = bsp_igather(pid, &x, all, sizeof x);
	r = bsp_iscatter(pid, all, &y, sizeof x);
	r = bsp_iallgather(&x, all, sizeof x);
	r = bsp_iexchange(all, blocks, sizeof x);
	r = bsp_ireduce(pid, BSP_MAX, BSP_SHORT, &x, &y, 1);
	r = bsp_iallreduce(BSP_MIN, BSP_UNSIGNED_SHORT, &x, &y, 1);
	r = bsp_iprefix(BSP_OR, BSP_UNSIGNED, &x, &y, 1);
	r = bsp_ifold(add, &x, &y, sizeof x);
	r = bsp_iscan(&add, &x, &y, sizeof x);
	while (!bsp_test(&r))
		bsp_wait(&r);
	y = bsp_all(x) + bsp_any(x) + bsp_constantI(x);
	y += bsp_sumI(x) + bsp_productI(x) + bsp_maxI(x) + bsp_minI(x);
	y += bsp_sumR(1) < bsp_productR(1) + bsp_maxR(1) + bsp_minR(1);
	y += bsp_sumD(1) < bsp_productD(1) + bsp_maxD(1) + bsp_minD(1);
	y += bsp_sumI_prefix(x) + bsp_productI_prefix(x) + bsp_maxI_prefix(x) + bsp_minI_prefix(x);
	y += bsp_sumR_prefix(1) < bsp_productR_prefix(1) + bsp_maxR_prefix(1) + bsp_minR_prefix(1);
	y += bsp_sumD_prefix(1) < bsp_productD_prefix(1) + bsp_maxD_prefix(1) + bsp_minD_prefix(1);
}

static void spmd(void)
{
	static int x, y, pid, nprocs;
	bsp_size_t size = 4, status = bsp_size_unavailable;
	bsp_nprocs_t messages;
	bsp_pid_t me;
	void *tag, *payload;
	void (*put)(bsp_pid_t, const void *, void *, bsp_size_t, bsp_size_t) = &bsp_put;

	bsp_begin(bsp_nprocs());
	me = bsp_pid();
	bsp_push_reg(&x, sizeof x);
	bsp_set_tagsize(&size);
	bsp_sync();
	put(me, &y, &x, 0, sizeof x);
	(bsp_put)(me, &y, &x, 0, 0);
	bsp_put(me, &y, &x, 0, 0);
	bsp_hpput(me, &y, &x, 0, 0);
	bsp_get(me, &x, 0, &y, 0);
	bsp_hpget(me, &x, 0, &y, 0);
	bsp_send(me, &x, &y, sizeof y);
	bsp_hpsend(me, &x, &y, sizeof y);
	bsp_qsize(&messages, &size);
	bsp_get_tag(&status, &x);
	bsp_move(&y, sizeof y);
	size = bsp_hpmove(&tag, &payload);
	bsp_pop_reg(&x);
	collective(0);
	if (bsp_time() < 0)
		bsp_abort("%s %d", "time", 0);
	bsp_end();
	bsp_pushregister(&x, sizeof x);
	bsp_popregister(&x);
	bsp_set_tag_size(&size);
	bsp_bsmp_info(&messages, &size);
	bsp_sync_end();
	y = bsp_dtime() < bsp_cputime();
	bspstart(0, 0, 1, &nprocs, &pid);
	bspsstep(1);
	bspstore(0, &x, &y, 4);
	bspfetch(0, &x, &y, 4);
	bspsstep_end(1);
	y = bsptime() < bspdtime();
	bspreduce(add_bytes, &x, &y, 4);
	bspbroadcast(0, &x, &y, 4);
	bspfinish();
}

int main(int argc, char **argv)
{
	bsp_init(spmd, argc, argv);
	spmd();
	return 0;
}
END
cp "$tap_dir/calls.c" "$tap_dir/calls.cc"

# accepts COMPILER FILE FLAGS...
accepts()
{
	compiler=$1 file=$2
	shift 2
	# shellcheck disable=SC2086
	$compiler -I"$top_srcdir/include" -Wall -Wextra -Wstrict-prototypes -Wshadow -Werror \
		-pedantic-errors "$@" -fsyntax-only "$tap_dir/$file" >"$tap_dir/out" 2>&1
	ok $? "$file $*" || diag "$(cat "$tap_dir/out")"
}

# The names that programs for other libraries include.
sed 's/#include <bsp_coll.h>/#include <mcbsp.h>\n#include <bsp_level1.h>/' "$tap_dir/calls.c" \
	>"$tap_dir/others.c"
sed 's/mcbsp.h/mcbsp.hpp/' "$tap_dir/others.c" >"$tap_dir/others.cc"

# knows COMPILER STD LANGUAGE
knows()
{
	echo 'int x;' | $1 -x "$3" -std="$2" -fsyntax-only - 2>/dev/null
}

# The newest C has one name or the other.
newest=c2x
! knows "$CC" c23 c || newest=c23
for std in c89 c99 c11 c17 gnu17 $newest; do
	accepts "$CC" calls.c -std=$std
	accepts "$CC" calls.c -std=$std -DBSP_MCBSP
	accepts "$CC" others.c -std=$std
	accepts "$CC" others.c -std=$std -DMCBSP_COMPATIBILITY_MODE
done

# An inline function with external linkage may call no static one.
cat >"$tap_dir/inline.c" <<'END'
#include <bsp_coll.h>
#include <bsp_goal.h>

inline void step(bsp_request *r)
{
	bsp_wait(r);
	bsp_sync();
}

inline int total(int x, struct goal_request **r)
{
	return goal_test(r) ? bsp_sumD(x) < bsp_sumR(1) : bsp_any(x);
}

inline struct goal_request *start(struct goal_schedule *s)
{
	return goal_start(s, NULL);
}
END
goal="-I$top_srcdir/goal -I$top_srcdir/kernel/goal"
for std in c99 c11 $newest; do
	# shellcheck disable=SC2086
	accepts "$CC" inline.c -std=$std $goal
done
# A compiler without extensions of GNU C; the C library's header of float types does not know it.
# shellcheck disable=SC2086
accepts "$CC" inline.c -std=c11 $goal -U__GNUC__ -D_BITS_FLOATN_H

if test -n "$CXX" && echo 'int x;' | $CXX -x c++ -fsyntax-only - 2>/dev/null; then
	newest=
	! knows "$CXX" c++23 c++ || newest=c++23
	for std in c++98 c++11 c++17 c++20 $newest; do
		accepts "$CXX -Wno-strict-prototypes -Weffc++" calls.cc -std=$std
		accepts "$CXX -Wno-strict-prototypes -Weffc++" calls.cc -std=$std -DBSP_MCBSP
		accepts "$CXX -Wno-strict-prototypes -Weffc++" others.cc -std=$std
		accepts "$CXX -Wno-strict-prototypes -Weffc++" others.cc -std=$std \
			-DMCBSP_COMPATIBILITY_MODE
	done
else
	skip "no c++ here"
fi

# The formats of bsp_abort are checked by the compiler.
printf '#include <bsp.h>\nvoid f(void) { bsp_abort("%%s", 1); }\n' >"$tap_dir/format.c"
! $CC -I"$top_srcdir/include" -Wformat -Werror -fsyntax-only "$tap_dir/format.c" 2>/dev/null
ok $? "a wrong format for bsp_abort is noticed"

# It defines nothing but names of its own, and what headers of C do that it is known to bring.
printf '#include <stdarg.h>\n#include <stddef.h>\n#include <stdio.h>\n' >"$tap_dir/without.c"
printf '#include <bsp_coll.h>\n' | cat "$tap_dir/without.c" - >"$tap_dir/with.c"
for file in without with; do
	$CC -I"$top_srcdir/include" -E -dM "$tap_dir/$file.c" |
		$AWK '{ sub(/\(.*/, "", $2); print $2 }' | sort -u >"$tap_dir/$file"
done
none "$(comm -13 "$tap_dir/without" "$tap_dir/with" | grep -Ev '^(m?c?bsp_|BSP_)')" \
	"no macro but bsp_... and BSP_..."

done_testing
