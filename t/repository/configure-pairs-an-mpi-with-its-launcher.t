#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Configure finds a compiler wrapper and a launcher of one MPI, whatever mpicc and mpirun are.
# shellcheck disable=SC1010,SC2016,SC2154

# The macro alone is configured, among wrappers and launchers that only answer as the real ones do.

. "${0%/*}/../lib/env.sh"

command -v autoconf >/dev/null || skip_all "no autoconf here"
cd "$tap_dir" || bail "no $tap_dir"

# All programs of this machine but those of an MPI.
mkdir tools
for program in /usr/bin/* /bin/*; do
	case ${program##*/} in
	mpi*) ;;
	*) ln -sf "$program" tools ;;
	esac
done

# answer NAME ARGUMENT TEXT...: the program NAME prints TEXT if called with ARGUMENT, else fails
answer()
{
	name=$1
	{
		echo '#!/bin/sh'
		echo 'case $1 in'
		shift
		while test $# -gt 0; do
			echo "$1) echo '$2' ;;"
			shift 2
		done
		echo '*) exit 1 ;;'
		echo esac
	} >"answers/$name"
	chmod +x "answers/$name"
}

mkdir answers
answer mpicc.openmpi -showme:version "mpicc.openmpi: Open MPI 4.1.4 (Language: C)" \
	-showme:compile "-Iopenmpi" -showme:link "-lmpi"
answer mpirun.openmpi --version "mpirun.openmpi (OpenRTE) 4.1.4"
answer prterun --version "prterun (PRRTE) 3.0.5"
answer mpicc.mpich --version "gcc (Debian) 12" -compile_info "gcc -Impich" -link_info "gcc -lmpich"
answer mpiexec.hydra --version "HYDRA build details:"

cat >configure.ac <<END
AC_INIT([pairs], [1])
m4_define([AM_CONDITIONAL], [])
m4_include([$top_srcdir/m4/bsp.m4])
BSP_WITH_MPI
echo "found: \${MPICC##*/} \${MPIRUN##*/} \$MPI_LIBS |" \
	"\${MPICH_CC##*/} \${MPICH_EXEC##*/} \$MPICH_LIBS"
END
autoconf 2>warnings
ok $? "the macro is sound" || diag "$(cat warnings)"

# pairs WANTED DESCRIPTION NAME=ANSWERS... [-- ARGUMENT...]: what configure finds with these
pairs()
{
	wanted=$1 description=$2
	shift 2
	rm -rf bin
	mkdir bin
	while test $# -gt 0 && test "$1" != --; do
		ln -s "../answers/${1#*=}" "bin/${1%=*}"
		shift
	done
	test $# -eq 0 || shift
	PATH=$PWD/bin:$PWD/tools MPICC='' MPIRUN='' MPICH_CC='' MPICH_EXEC='' ./configure "$@" \
		>out 2>&1
	is "$wanted" "$(sed -n 's/  */ /g; s/ $//; s/^found: *//p; s/^configure: error: //p' out)" \
		"$description" ||
		diag "$(cat out)"
}

both="mpicc.openmpi=mpicc.openmpi mpirun.openmpi=mpirun.openmpi mpicc.mpich=mpicc.mpich
	mpiexec.hydra=mpiexec.hydra mpiexec.mpich=mpiexec.hydra mpirun.mpich=mpiexec.hydra"
pair="mpicc.openmpi mpirun.openmpi -lmpi | mpicc.mpich mpiexec.hydra -lmpich"
# shellcheck disable=SC2086
{
	pairs "$pair" "both are there, and mpicc and mpirun are Open MPI's" \
		$both mpicc=mpicc.openmpi mpirun=mpirun.openmpi
	pairs "$pair" "both are there, and mpicc and mpirun are MPICH's" \
		$both mpicc=mpicc.mpich mpirun=mpiexec.hydra
	pairs "$pair" "both are there, and mpicc is of one, mpirun of the other" \
		$both mpicc=mpicc.openmpi mpirun=mpiexec.hydra
	pairs "mpicc.mpich mpirun.mpich -lmpich | mpirun.mpich -lmpich" \
		"both are there, and MPICC says MPICH" \
		$both mpicc=mpicc.openmpi mpirun=mpirun.openmpi -- MPICC=mpicc.mpich
	pairs "mpicc.openmpi mpirun.openmpi -lmpi |" "both are there, and MPICH is not wanted" \
		$both -- --without-mpich
	pairs "|" "both are there, and none is wanted" $both -- --without-mpi
}
pairs "mpicc mpirun -lmpi |" "Open MPI alone" mpicc=mpicc.openmpi mpirun=mpirun.openmpi
pairs "mpicc mpirun -lmpi |" "Open MPI 5, whose mpirun is prterun" mpicc=mpicc.openmpi \
	mpirun=prterun
pairs "mpicc mpirun -lmpich | mpirun -lmpich" "MPICH alone" \
	mpicc=mpicc.mpich mpirun=mpiexec.hydra mpicc.mpich=mpicc.mpich
pairs "mpicc mpiexec -lmpich | mpiexec -lmpich" "MPICH, and mpirun of Open MPI" \
	mpicc=mpicc.mpich mpirun=mpirun.openmpi mpiexec=mpiexec.hydra
pairs "mpicc |" "Open MPI without a launcher of its own" mpicc=mpicc.openmpi mpirun=mpiexec.hydra
pairs "--with-mpi=yes, but there is no mpicc and mpirun of one MPI" \
	"the same, where MPI is a must" \
	mpicc=mpicc.openmpi mpirun=mpiexec.hydra -- --with-mpi
pairs "--with-mpich=yes, but there is no mpicc of MPICH; on Debian: apt-get install libmpich-dev" \
	"no MPICH, where it is a must" mpicc=mpicc.openmpi mpirun=mpirun.openmpi -- --with-mpich

# Folders: what is in them, whatever the search path has; or an error.
mkdir -p opt/openmpi/bin opt/mpich/bin opt/half/bin
ln -s ../../../answers/mpicc.openmpi opt/openmpi/bin/mpicc
ln -s ../../../answers/mpirun.openmpi opt/openmpi/bin/mpirun
ln -s ../../../answers/mpicc.mpich opt/mpich/bin/mpicc
ln -s ../../../answers/mpiexec.hydra opt/mpich/bin/mpiexec
ln -s ../../../answers/mpicc.openmpi opt/half/bin/mpicc
# shellcheck disable=SC2086
{
	pairs "mpicc mpirun -lmpi | mpicc.mpich mpiexec.hydra -lmpich" "Open MPI of a folder" \
		$both -- --with-mpi="$PWD/opt/openmpi"
	is "$PWD/opt/openmpi/bin/mpicc" \
		"$($SED -n 's/^checking for mpicc.*\.\.\. \(.*opt.*\)/\1/p' out)" "from there"
	pairs "mpicc.openmpi mpirun.openmpi -lmpi | mpicc mpiexec -lmpich" "MPICH of a folder" \
		$both -- --with-mpich=opt/mpich
	pairs "mpicc mpiexec -lmpich | mpiexec -lmpich" "only MPICH, of a folder" \
		$both -- --with-mpi="$PWD/opt/mpich"
	pairs "--with-mpi=$PWD/opt: there is no folder $PWD/opt/bin" "a folder of no MPI" \
		$both -- --with-mpi="$PWD/opt"
	pairs "--with-mpi=opt/half, but there is no mpicc and mpirun of one MPI" \
		"a folder with half an MPI" $both -- --with-mpi=opt/half
	pairs "--with-mpich=opt/openmpi, but there is no mpicc of MPICH; on Debian: \
apt-get install libmpich-dev" "a folder of another MPI" $both -- --with-mpich=opt/openmpi
	pairs "MPICC and --with-mpi=opt/mpich: give one of them" "a folder and a compiler" \
		$both -- --with-mpi=opt/mpich MPICC=mpicc.openmpi
	pairs "--with-mpich=opt/mpich is besides another MPI; use --with-mpi" "MPICH besides none" \
		$both -- --without-mpi --with-mpich=opt/mpich
}

done_testing
