# SPDX-License-Identifier: BSD-3-Clause
# installed.sh - installs into a folder of the test's own; read after env.sh.
# shellcheck shell=sh disable=SC2034,SC2154

# make check may have set these for itself.
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR
unset BSP_CC BSP_CXX BSP_INCLUDEDIR BSP_LIBDIR LD_LIBRARY_PATH
forget_settings

# Installing links again, inside the build tree: one test at a time.
alone()
{
	if command -v flock >/dev/null; then
		flock "$top_builddir/config.status" "$@"
	else
		"$@"
	fi
}

stage=$tap_dir/stage
alone "$MAKE" -C "$top_builddir" install DESTDIR="$stage" >"$tap_dir/install.log" 2>&1 || {
	diag "$(tail -n 20 "$tap_dir/install.log")"
	bail "make install failed"
}

# folder_of FILE: prints the directory of an installed file
folder_of()
{
	folder=$(find "$stage" -name "$1" | head -n 1)
	test "$folder" || bail "make install did not install $1"
	printf '%s\n' "${folder%/*}"
}

bindir=$(folder_of bspcc) || { echo "$bindir"; exit 99; }
includedir=$(folder_of bsp.h) || { echo "$includedir"; exit 99; }
libdir=$(folder_of libbsp.la) || { echo "$libdir"; exit 99; }
pkgconfigdir=$(folder_of bsp.pc) || { echo "$pkgconfigdir"; exit 99; }
PATH=$bindir:$PATH

# The files were installed for one place and are used in another, also if the first
# is a directory that the dynamic linker searches anyway; and a library with
# sanitizers in it needs programs with them.
BSP_INCLUDEDIR=$includedir
BSP_LIBDIR=$libdir
BSP_CC="$CC${BSP_SANITIZE:+ $BSP_SANITIZE}"
BSP_CXX="$CXX${BSP_SANITIZE:+ $BSP_SANITIZE}"
mkdir "$tap_dir/pkgconfig" "$tap_dir/work"
for file in "$pkgconfigdir"/*.pc; do
	sed -e "s|^includedir=.*|includedir=$includedir|" -e "s|^libdir=.*|libdir=$libdir|" \
		-e '/^Libs:.*-no-as-needed /s|\(-L${libdir}\)  *-l|\1 -Wl,-rpath,${libdir} -l|' \
		"$file" >"$tap_dir/pkgconfig/${file##*/}"
done
PKG_CONFIG_PATH=$tap_dir/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PATH BSP_INCLUDEDIR BSP_LIBDIR BSP_CC BSP_CXX PKG_CONFIG_PATH

# The test works in an empty directory.
cd "$tap_dir/work" || bail "no $tap_dir/work"

# write_ring FILE: a program, C and C++ and either interface, that says what each
# process got from its neighbour
write_ring()
{
	cat >"$1" <<'END'
#include <bsp.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	int left = -1, me;

	bsp_begin(bsp_nprocs());
	bsp_push_reg(&left, sizeof left);
	bsp_sync();
	me = (int)bsp_pid();
	bsp_put((me + 1) % bsp_nprocs(), &me, &left, 0, sizeof me);
	bsp_sync();
	printf("%d after %d, size %d%s%s\n", me, left, (int)sizeof(bsp_size_t),
	       argc > 1 ? ", " : "", argc > 1 ? argv[1] : "");
	bsp_end();
	return 0;
}
END
}

# write_ring_f90 FILE: a program in Fortran that says how many processes there are
write_ring_f90()
{
	cat >"$1" <<'END'
program ring
  use bsp
  implicit none
  call bspbegin(bspnprocs())
  if (bsppid() == 0) print '(a,i0)', 'processes ', bspnprocs()
  call bspend()
end program
END
}

# write_compute_h FILE: compute(SECONDS), in processor time
write_compute_h()
{
	cat >"$1" <<'END'
#include <time.h>

/* For so long, in processor time. */
static void compute(double seconds)
{
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);

	while (clock() < end)
		continue;
}
END
}

# compile_dies: the program dies, whose process 2 is killed before its superstep 50 ends
compile_dies()
{
	cat >dies.c <<'END'
#include <bsp.h>
#include <signal.h>

int main(void)
{
	bsp_begin(bsp_nprocs());
	for (int i = 0; i < 100; i++) {
		if (i == 50 && bsp_pid() == 2)
			raise(SIGKILL);
		bsp_sync();
	}
	bsp_end();
	return 0;
}
END
	bspcc -o dies dies.c || bail "the program does not compile"
}

# each_is_refused PROGRAM: with the arguments of each line of standard input
each_is_refused()
{
	while read -r arguments; do
		# shellcheck disable=SC2086
		seen=$("$1" $arguments 2>&1)
		is 2 $? "$1 $arguments: status 2"
		like "^$1: .*(: expected [^ ].*|; $1 --help lists the options)\$" "$seen" \
			"$1 $arguments: says why"
	done
}

# runs [OPTION]... PROGRAM [ARGUMENT]: what it says, in order, and its status if that is not 0
runs()
{
	bsprun "$@" >"$tap_dir/said" 2>&1 || echo "status $?" >>"$tap_dir/said"
	sort "$tap_dir/said"
}
