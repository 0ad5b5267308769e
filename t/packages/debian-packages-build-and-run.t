#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Debian's packages build without a finding of lintian. In a system that has nothing else but what
# they depend on, README's program and the tutorial compile and run, and so do programs in Fortran,
# in Python and under launchers; removed, the packages leave nothing.
# shellcheck disable=SC1090,SC1091,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/tutorial.sh"

for tool in dpkg-buildpackage dh dh_dkms dh_python3 lintian mmdebstrap unshare; do
	command -v $tool >/dev/null || skip_all "no $tool here"
done
test "$(id -u)" -eq 0 || skip_all "no rights to unpack a system here"
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR CC CXX CFLAGS CXXFLAGS LDFLAGS LD_LIBRARY_PATH BSP_PLUGINS
version=$(sed -n '1s/^bsp (\(.*\)) .*/\1/p' "$top_srcdir/debian/changelog")
examples=/usr/share/doc/bsp-doc/examples
mkdir "$tap_dir/there" "$tap_dir/packages"

# ---- To build them, from what make dist packs ----------------------------------------------------

name=archive-of-packages
"$MAKE" -C "$top_builddir" dist distdir=$name >"$tap_dir/log" 2>&1 ||
	bail "make dist: $(tail -n 1 "$tap_dir/log")"
cd "$tap_dir/packages" || bail "no $tap_dir/packages"
mv "$top_builddir/$name.tar.gz" . && tar xf $name.tar.gz || bail "there is no $name.tar.gz"
(cd $name && DEB_BUILD_OPTIONS="parallel=$tap_processors" dpkg-buildpackage -us -uc) >log 2>&1
ok $? "dpkg-buildpackage" || { diag "$(tail -n 20 log)"; bail "no packages"; }
is "bsp-dkms bsp-doc bsp-fortran bsp-mpi-mpich bsp-mpi-openmpi bsp-ofi bsp-pmix bsp-tools" \
	"$(echo bsp-*_*.deb | sed 's/-dbgsym_/_dbgsym/g' | tr ' ' '\n' | sed '/dbgsym/d; s/_.*//' |
		xargs)" "packages of plugins, commands, documents and modules are there"
none "$(lintian --allow-root --tag-display-limit 0 ./*.changes 2>/dev/null)" \
	"lintian finds nothing in packages and sources"
rm -f ./*-dbgsym_*.deb

# ---- A system with what they depend on -----------------------------------------------------------

# depended: what the packages depend on and recommend, besides each other; the first of alternatives
depended()
{
	for package in ./*.deb; do
		dpkg-deb -f "$package" Depends Recommends
	done | sed 's/^[A-Z][a-z-]*://' | tr ',' '\n' | sed 's/|.*//; s/(.*//; s/:any//; s/ //g' |
		grep -v bsp | sort -u
}

root=$tap_dir/root
mmdebstrap --variant=apt --include="$(depended | xargs | tr ' ' ,)" \
	bookworm "$root" >log 2>&1 || bail "mmdebstrap: $(tail -n 3 log)"

# in_system COMMAND...: in this system; /mnt there is the folder that the test works in
in_system()
{
	unshare --mount sh -c '
		for part in dev proc sys; do
			mount --rbind /$part "$1/$part" || exit
		done
		mount --bind "$2" "$1/mnt" && exec chroot "$1" /usr/bin/env -i \
			PATH=/usr/sbin:/usr/bin HOME=/tmp LC_ALL=C.UTF-8 \
			OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
			OMPI_MCA_rmaps_base_oversubscribe=1 sh -ec "cd /mnt; $3"
		' in_system "$root" "$tap_dir/there" "$*"
}

# paths: all files and folders there, but for what apt, dpkg and the dynamic linker write down
paths()
{
	(cd "$root" && find . -path ./var/lib/apt -prune -o -path ./var/lib/dpkg -prune -o \
		-path ./var/log -prune -o -path ./var/cache -prune -o -path ./tmp -prune -o \
		-print) | sort
}

paths >"$tap_dir/before"
grep -qxF ./usr/bin/gfortran "$tap_dir/before"
ok $? "there is a system with compilers"
mkdir "$root/packages" && cp ./*.deb "$root/packages/" || bail "no $root/packages"
recipe=$(sed -n '/^RUN /,/^```/{ s/^RUN //; /^```/d; p }' "$top_srcdir/doc/installing.md")
in_system "$recipe" >log 2>&1 </dev/null
ok $? "they are installed as in a container" || { diag "$(tail -n 20 log)"; bail "not installed"; }
cd "$tap_dir/there" || bail "no $tap_dir/there"

# ---- What users do first -------------------------------------------------------------------------

# sorted COMMAND: what it prints there, in order
sorted()
{
	in_system "$1" 2>&1 | sort
}

awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$top_srcdir/README.md" >ring.c
pairs="0 has 1 on its left
1 has 0 on its left"
is "$pairs" "$(sorted "bspcc -O2 -o ring ring.c && bsprun -n 2 ./ring")" \
	"the program of the README"

# over TRANSPORT LAUNCHER: the same program over this transport
over()
{
	seen=$(sorted "BSP_TRANSPORT=$1 BSP_STAT=1 $2 -n 2 ./ring")
	is "$pairs" "$(printf '%s\n' "$seen" | grep left)" "the same by $2"
	like "transport $1\$" "$seen" "it is $1 that carries"
}

over mpi mpirun
over mpi mpiexec.hydra
over ofi mpirun
in_system "bsprun -n 2 --trace ring.otf2 ./ring && test -s ring.otf2/traces.otf2" >log 2>&1
ok $? "a trace in the Open Trace Format 2" || diag "$(cat log)"
like 'solution verified' "$(sorted "bspfc -o cg $examples/cg.f90 && bsprun -n 2 ./cg 24")" \
	"conjugate gradients in Fortran"
in_system "bspcc -O2 -o heat $examples/heat.c -lm && bsprun -n 2 ./heat 40 60 >c.pgm
	bsprun -n 2 python3 $examples/heat.py 40 60 >python.pgm" >log 2>&1
ok $? "heat in C and in Python" || diag "$(cat log)"
cmp c.pgm python.pgm >log 2>&1
ok $? "their pictures are the same" || diag "$(cat log)"

run_there()
{
	in_system ". ./$1"
}

tutorial run_there

headers=$top_builddir/stock/build
if test -e "$headers"; then
	cp -R "$root/usr/src/bsp-$version" modules
	"$MAKE" -C modules/kernel KDIR="$headers" modules >log 2>&1
	test $? -eq 0 && test -e modules/kernel/enet.ko && test -e modules/kernel/espgoal.ko
	ok $? "the modules compile" || diag "$(tail -n 20 log)"
else
	skip "no kernel to compile modules for (make stock-kernel) here"
fi

# ---- To remove them ------------------------------------------------------------------------------

in_system "dpkg --purge \$(dpkg-query -W -f '\${Package} ' '*bsp*')" >log 2>&1
ok $? "they are removed" || diag "$(cat log)"
paths >"$tap_dir/after"
none "$(diff "$tap_dir/before" "$tap_dir/after")" "they leave nothing, and took nothing along"

done_testing
