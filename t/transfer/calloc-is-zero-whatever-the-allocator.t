#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# calloc gives zeros after areas that peers wrote to directly were freed, with each allocator.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

test -z "$BSP_SANITIZE" || skip_all "not applicable: a sanitizer has an allocator of its own"
cd "$tap_dir" || bail "no $tap_dir"
unset LD_PRELOAD MALLOC_CONF

# Each size is freed after its pop, before and after the bsp_sync, and after bsp_end. Each process
# says how many bytes were not 0.
cat >freed.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 << 20 };

static const size_t sizes[] = { 100000, 1 << 20, MOST };
static char *source;

static long not_zero(size_t size)
{
	char *fresh = calloc(1, size);
	long n = 0;

	for (size_t i = 0; i < size; i++)
		n += fresh[i] != 0;
	free(fresh);
	return n;
}

static char *written(size_t size)
{
	char *area = malloc(size);

	bsp_push_reg(area, size);
	bsp_sync();
	for (int i = 0; i < 3; i++) {
		bsp_hpput((bsp_pid() + 1) % bsp_nprocs(), source, area, 0, size);
		bsp_sync();
	}
	return area;
}

static long popped(size_t size, int early)
{
	char *area = written(size);
	long n = 0;

	bsp_pop_reg(area);
	if (early) {
		free(area);
		n = not_zero(size);
	}
	bsp_sync();
	if (!early)
		free(area);
	return n + not_zero(size);
}

int main(void)
{
	long n = 0;
	char *area;

	bsp_begin(bsp_nprocs());
	source = memset(malloc(MOST), 7, MOST);
	for (int i = 0; i < 6; i++)
		n += popped(sizes[i / 2], i % 2);
	area = written(MOST);
	bsp_end();
	free(area);
	n += not_zero(MOST);
	printf("%ld\n", n);
	return 0;
}
END
# shellcheck disable=SC2086
$CC $CFLAGS -I"$top_srcdir/include" -o freed freed.c -L"$top_builddir/.libs" \
	-Wl,-rpath,"$top_builddir/.libs" -lbsp >built 2>&1 || bail "no program: $(cat built)"

# zeros TEXT COMMAND...: three processes have seen none but zeros
zeros()
{
	text=$1
	shift
	"$@" >seen 2>err </dev/null
	is "0 0 0" "$(tr '\n' ' ' <seen | sed 's/ $//')" "$text" || diag "$(head -n 5 err)"
}

local_job()
{
	"$top_builddir/tools/bsprun/bsprun" -n 3 "$@"
}

# by_mpirun SETTING... COMMAND
by_mpirun()
{
	OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 BSP_PLUGINS=$top_builddir/.libs \
		"$MPIRUN" --oversubscribe -n 3 "$@"
}

# each_way NAME SETTING...
each_way()
{
	name=$1
	shift
	zeros "$name" local_job env "$@" ./freed
	if test "$MPIRUN" && has_plugin pmix; then
		zeros "$name, mpirun" by_mpirun env "$@" ./freed
	else
		skip "no mpirun or libpmix here"
	fi
}

# with_allocator NAME FILE SETTING...: with its defaults, and so that it gives back memory at once
with_allocator()
{
	name=$1
	file=$(ldconfig -p 2>/dev/null | sed -n "s/.*\\($2\\) .*=> \\(.*\\)/\\2/p" | head -n 1)
	shift 2
	if test -z "$file"; then
		skip "no $name here"
		return
	fi
	each_way "$name" LD_PRELOAD="$file"
	each_way "$name, giving back at once" LD_PRELOAD="$file" "$@"
}

PATH=$PATH:/sbin:/usr/sbin
each_way "that of libc"
with_allocator jemalloc 'libjemalloc\.so\.2' MALLOC_CONF=dirty_decay_ms:0,muzzy_decay_ms:0
with_allocator tcmalloc 'libtcmalloc_minimal\.so\.4' TCMALLOC_AGGRESSIVE_DECOMMIT=t \
	TCMALLOC_RELEASE_RATE=10
with_allocator mimalloc 'libmimalloc\.so\.2[.0-9]*' MIMALLOC_PAGE_RESET=1 MIMALLOC_RESET_DELAY=0 \
	MIMALLOC_EAGER_COMMIT=0
done_testing
