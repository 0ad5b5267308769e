# SPDX-License-Identifier: BSD-3-Clause
# bsp.m4 - the parts of configure.ac that take more than a line.

# BSP_MACHINE(CACHE, TEXT, CONDITION, ERROR): refuse a machine for which the condition is false.
AC_DEFUN([BSP_MACHINE], [
AC_CACHE_CHECK([whether $CC compiles for a machine that is $2], [$1],
	[AC_COMPILE_IFELSE([AC_LANG_SOURCE([[_Static_assert($3, "");]])], [$1=yes], [$1=no])])
AS_IF([test "x$$1" = xno], [AC_MSG_ERROR([$4])])
])

# BSP_CHECK_MACHINE: pointers, offsets and lengths are of 64 bits, and blocks of GOAL schedules are
# little-endian and used as they are.
AC_DEFUN([BSP_CHECK_MACHINE], [
BSP_MACHINE([bsp_cv_64_bits], [64-bit], [sizeof(void *) == 8],
	[this is a 32-bit machine; the library is for 64-bit ones, such as x86_64 and aarch64])
BSP_MACHINE([bsp_cv_little_endian], [little-endian], [__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__],
	[this is a big-endian machine; the library is for little-endian ones, as schedules are])
])

# BSP_CHECK_C11: atomics of C11, of 8 bytes and without locks, are what shared memory is made of.
AC_DEFUN([BSP_CHECK_C11], [
AC_CACHE_CHECK([whether $CC has C11 with lock-free atomics], [bsp_cv_c11],
	[AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#include <stdatomic.h>
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "");
]], [[atomic_ullong x = 0; return (int)atomic_fetch_add(&x, 1);]])],
		[bsp_cv_c11=yes], [bsp_cv_c11=no])])
AS_IF([test $bsp_cv_c11 = no],
	[AC_MSG_ERROR([$CC has no C11 with lock-free atomics of 8 bytes; set CC to one that has])])
])

# BSP_WARNINGS: BSP_CWARN, what every C file of ours is compiled with; must be silent.
AC_DEFUN([BSP_WARNINGS], [
BSP_CWARN="-Wall -Wextra -Wmissing-prototypes -Wshadow -Wstrict-prototypes -Wvla"
AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [stop at a warning])])
AS_IF([test "x$enable_werror" = xyes], [BSP_CWARN="$BSP_CWARN -Werror"])
AC_SUBST([BSP_CWARN])
])

# BSP_SANITIZER: --enable-sanitizer=address,undefined or =thread.
AC_DEFUN([BSP_SANITIZER], [
AC_ARG_ENABLE([sanitizer], [AS_HELP_STRING([--enable-sanitizer=LIST],
	[build and test with sanitizers: address,undefined or thread])],
	[], [enable_sanitizer=no])
bsp_sanitizer=$enable_sanitizer
BSP_SANITIZE=
AS_CASE([$enable_sanitizer],
	[no], [],
	[yes], [AC_MSG_ERROR([--enable-sanitizer needs a list, such as address,undefined])],
	[BSP_SANITIZE="-fsanitize=$enable_sanitizer -fno-sanitize-recover=all"
	BSP_SANITIZE="$BSP_SANITIZE -fno-omit-frame-pointer"
	bsp_save_CFLAGS=$CFLAGS
	CFLAGS="$CFLAGS $BSP_SANITIZE"
	AC_MSG_CHECKING([whether $CC can do $BSP_SANITIZE])
	AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [AC_MSG_RESULT([yes])],
		[AC_MSG_RESULT([no])
		AC_MSG_ERROR([this compiler has no sanitizer $enable_sanitizer])])
	CFLAGS=$bsp_save_CFLAGS])
AC_SUBST([BSP_SANITIZE])
])

# BSP_DEBUG_MEMORY: --enable-debug fills released memory and hides it from valgrind:
# transport/poison.h.
AC_DEFUN([BSP_DEBUG_MEMORY], [
AC_ARG_ENABLE([debug], [AS_HELP_STRING([--enable-debug],
	[fill memory of chunks that is released, and tell valgrind of it])],
	[], [enable_debug=no])
BSP_DEBUG_FLAGS=
AS_IF([test "x$enable_debug" != xno], [
	BSP_DEBUG_FLAGS=-DBSP_DEBUG
	AC_CHECK_HEADER([valgrind/memcheck.h],
		[BSP_DEBUG_FLAGS="$BSP_DEBUG_FLAGS -DBSP_DEBUG_VALGRIND"])])
AC_SUBST([BSP_DEBUG_FLAGS])
])

# BSP_MPI_KIN(VARIABLE, PROGRAM): "openmpi" or "mpich", of which kin this wrapper of a compiler or
# this launcher is; else empty. That of Debian's mpicc and mpirun is a matter of alternatives.
AC_DEFUN([BSP_MPI_KIN], [
AS_CASE(["`$2 -showme:version 2>&1; $2 --version 2>&1`"],
	[*"Open MPI"*|*OpenRTE*|*PRRTE*], [$1=openmpi],
	[*HYDRA*|*MPICH*], [$1=mpich],
	[AS_IF([$2 -compile_info >/dev/null 2>&1], [$1=mpich], [$1=])])
])

# BSP_MPI_FLAGS(PREFIX, WRAPPER): PREFIX_CFLAGS and PREFIX_LIBS, what the wrapper adds to the
# compiler's command line, said by Open MPI's in one way and MPICH's in another.
AC_DEFUN([BSP_MPI_FLAGS], [
AS_IF([$1_CFLAGS=`$2 -showme:compile 2>/dev/null`],
	[$1_LIBS=`$2 -showme:link`],
	[$1_CFLAGS=`$2 -compile_info | sed 's/^[[^ ]]* //'`
	$1_LIBS=`$2 -link_info | sed 's/^[[^ ]]* //'`])
AC_SUBST([$1_CFLAGS])
AC_SUBST([$1_LIBS])
])

# BSP_MPI_LAUNCHER(VARIABLE, KIN, NAMES, PATH): the first of NAMES on this search path that is not
# of the other kin; what the user has set stays.
AC_DEFUN([BSP_MPI_LAUNCHER], [
AC_MSG_CHECKING([for a launcher of m4_default([$2], [MPI])])
AS_IF([test -z "$$1"], [
	for bsp_name in $3; do
		bsp_path=`PATH=$4; command -v $bsp_name` || continue
		BSP_MPI_KIN([bsp_kin], [$bsp_path])
		AS_CASE([$bsp_kin:$2], [openmpi:mpich|mpich:openmpi], [continue])
		$1=$bsp_path
		break
	done])
AC_MSG_RESULT([${$1:-none}])
])

# BSP_MPI_PATH(SWITCH, VARIABLES): where to look for wrapper and launcher, in bsp_path_mpi or
# bsp_path_mpich: in DIR/bin of --with-SWITCH=DIR, and then VARIABLES have to be unset; else on the
# search path.
AC_DEFUN([BSP_MPI_PATH], [
bsp_path_$1=$PATH
AS_CASE([$with_$1],
	[yes|no|auto], [],
	[AS_IF([test -d "$with_$1/bin"], [bsp_path_$1=`cd "$with_$1/bin" && pwd`],
		[AC_MSG_ERROR([--with-$1=$with_$1: there is no folder $with_$1/bin])])
	m4_foreach_w([bsp_variable], [$2], [AS_IF([test -n "$bsp_variable"],
		[AC_MSG_ERROR([bsp_variable and --with-$1=$with_$1: give one of them])])
	])])
])

# BSP_WITH_MPI: MPICC and MPIRUN that belong together, when both are there; auto never fails. Open
# MPI comes first, because its processes also start without a launcher. Where MPICH is there as
# well, MPICH_CC and MPICH_EXEC are its wrapper and launcher: the library has one part for each MPI.
AC_DEFUN([BSP_WITH_MPI], [
AC_ARG_WITH([mpi], [AS_HELP_STRING([--with-mpi=yes|no|auto|DIR],
	[build the transport on MPI, and the MPI column of the benchmark @<:@auto@:>@])],
	[], [with_mpi=auto])
AC_ARG_WITH([mpich], [AS_HELP_STRING([--with-mpich=yes|no|auto|DIR],
	[build the transport on MPICH besides that on another MPI @<:@auto@:>@])],
	[], [with_mpich=auto])
AC_ARG_VAR([MPICC], [compiler for programs with MPI])
AC_ARG_VAR([MPIRUN], [starts programs with MPI])
AC_ARG_VAR([MPICH_CC], [compiler for programs with MPICH, if MPICC is for another MPI])
AC_ARG_VAR([MPICH_EXEC], [starts programs with MPICH])
BSP_MPI_PATH([mpi], [MPICC MPIRUN])
BSP_MPI_PATH([mpich], [MPICH_CC MPICH_EXEC])
bsp_mpi=no
bsp_mpich=no
bsp_mpi_kin=
AS_IF([test "x$with_mpi" != xno], [
	bsp_mpicc_names="$MPICC mpicc.openmpi mpicc mpicc.mpich"
	AC_PATH_PROGS([MPICC], [$bsp_mpicc_names], [], [$bsp_path_mpi])
	AS_IF([test -n "$MPICC"], [
		BSP_MPI_KIN([bsp_mpi_kin], [$MPICC])
		BSP_MPI_LAUNCHER([MPIRUN], [$bsp_mpi_kin],
			[mpirun.openmpi mpirun mpiexec mpirun.mpich mpiexec.hydra],
			[$bsp_path_mpi])])
	AS_IF([test -n "$MPICC" && test -n "$MPIRUN"], [bsp_mpi="yes ($MPICC)"],
		[test "x$with_mpi" != xauto], [bsp_mpi="no mpicc and mpirun of one MPI"
		AC_MSG_ERROR([--with-mpi=$with_mpi, but there is $bsp_mpi])],
		[bsp_mpi="no (no mpicc and mpirun of one MPI)"])])
AS_IF([test "${bsp_mpi%% *}" = yes], [BSP_MPI_FLAGS([MPI], [$MPICC])], [MPIRUN=])
AS_CASE([${bsp_mpi%% *}:$bsp_mpi_kin:$with_mpich],
	[no:*:auto|*:*:no], [MPICH_CC= MPICH_EXEC=],
	[no:*:*], [AC_MSG_ERROR([--with-mpich=$with_mpich is besides another MPI; use --with-mpi])],
	[yes:mpich:auto|yes:mpich:yes],
		[MPICH_CC= MPICH_EXEC=$MPIRUN bsp_mpich="no (MPICC is MPICH's)"],
	[yes:mpich:*],
		[AC_MSG_ERROR([--with-mpich=$with_mpich, but $MPICC is MPICH's; use --with-mpi])],
	[bsp_mpicc_names="$MPICH_CC mpicc.mpich mpicc"
	AC_PATH_PROGS([MPICH_CC], [$bsp_mpicc_names], [], [$bsp_path_mpich])
	AS_IF([test -n "$MPICH_CC"], [BSP_MPI_KIN([bsp_kin], [$MPICH_CC])
		AS_IF([test "$bsp_kin" = mpich], [], [MPICH_CC=])])
	AS_IF([test -n "$MPICH_CC"], [bsp_mpich="yes ($MPICH_CC)"
		BSP_MPI_FLAGS([MPICH], [$MPICH_CC])
		BSP_MPI_LAUNCHER([MPICH_EXEC], [mpich], [mpiexec.hydra mpiexec.mpich mpiexec],
			[$bsp_path_mpich])],
		[test "x$with_mpich" != xauto],
			[bsp_mpich="no mpicc of MPICH; on Debian: apt-get install libmpich-dev"
			AC_MSG_ERROR([--with-mpich=$with_mpich, but there is $bsp_mpich])],
		[bsp_mpich="no (no mpicc.mpich)"])])
AS_IF([test "$bsp_mpi_kin" = mpich], [MPICH_CFLAGS=$MPI_CFLAGS MPICH_LIBS=$MPI_LIBS])
AM_CONDITIONAL([HAVE_MPI], [test "x${bsp_mpi%% *}" = xyes])
AM_CONDITIONAL([HAVE_OPEN_MPI], [test "x${bsp_mpi%% *}:$bsp_mpi_kin" = xyes:openmpi])
AM_CONDITIONAL([HAVE_OTHER_MPI], [test "x${bsp_mpi%% *}:$bsp_mpi_kin" = xyes:])
AM_CONDITIONAL([HAVE_MPICH],
	[test "x${bsp_mpich%% *}" = xyes || test "x${bsp_mpi%% *}:$bsp_mpi_kin" = xyes:mpich])
])

# BSP_PKG_FOLDER(SWITCH, NAME): bsp_pc is the folder of NAME.pc in that of --with-SWITCH=DIR.
AC_DEFUN([BSP_PKG_FOLDER], [
AS_IF([test -d "$with_$1"], [bsp_folder=`cd "$with_$1" && pwd`],
	[AC_MSG_ERROR([--with-$1=$with_$1: expected yes, no, auto or a folder; it is none])])
for bsp_name in lib lib64 "lib/`$CC -print-multiarch 2>/dev/null`" share; do
	AS_IF([test -f "$bsp_folder/$bsp_name/pkgconfig/$2.pc"],
		[bsp_pc=$bsp_folder/$bsp_name/pkgconfig])
done
AS_IF([test -n "$bsp_pc"], [],
	[AC_MSG_ERROR([--with-$1=$with_$1: there is no lib/pkgconfig/$2.pc in this folder])])
])

# BSP_PKG(SWITCH, PREFIX, NAME, VERSION, HEADER, PACKAGE): PREFIX_CFLAGS and PREFIX_LIBS of a
# library as --with-SWITCH says: yes, no, auto, or the folder in which it is installed, and in which
# programs find it then. bsp_found is yes or no; PACKAGE is Debian's.
AC_DEFUN([BSP_PKG], [
bsp_found=no
bsp_pc=
AS_CASE([$with_$1], [yes|no|auto], [], [BSP_PKG_FOLDER([$1], [$3])])
AS_IF([test "x$with_$1" != xno], [
	bsp_saved_path=$PKG_CONFIG_PATH
	PKG_CONFIG_PATH=${bsp_pc:+$bsp_pc:}$PKG_CONFIG_PATH
	export PKG_CONFIG_PATH
	PKG_CHECK_MODULES([$2], [$3 >= $4], [bsp_found=yes],
		[AS_IF([test "x$with_$1" != xauto],
			[bsp_why="there is no $3 >= $4; on Debian: apt-get install $6"
			AC_MSG_ERROR([--with-$1=$with_$1, but $bsp_why])])])
	AS_IF([test -n "$bsp_pc"], [
		bsp_name=`$PKG_CONFIG --variable=includedir $3`
		AS_IF([test -f "$bsp_name/$5"], [],
			[bsp_why="$bsp_pc/$3.pc names $bsp_name, which has no $5"
			AC_MSG_ERROR([--with-$1=$with_$1: $bsp_why])])
		$2_LIBS="$$2_LIBS -Wl,-rpath,`$PKG_CONFIG --variable=libdir $3`"])
	PKG_CONFIG_PATH=$bsp_saved_path])
])

# BSP_FOLDERS: libtool cannot install into a folder with a blank in its name; an error of configure
# is better than one in the middle of make install.
AC_DEFUN([BSP_FOLDERS], [
for bsp_folder in prefix exec_prefix bindir libdir includedir datarootdir datadir docdir mandir; do
	eval "bsp_name=\$$bsp_folder"
	bsp_blank="there is a blank in this name, and libtool cannot install there"
	AS_CASE([$bsp_name],
		[*[[\ \	]]*],
			[AC_MSG_ERROR([$bsp_folder='$bsp_name': $bsp_blank; give another folder])])
done
])

# BSP_LINKING: what a program needs besides -lbsp.
AC_DEFUN([BSP_LINKING], [
BSP_STATIC_LIBS=$LIBS
AC_SUBST([BSP_STATIC_LIBS])
# The directories in which the dynamic linker looks by itself.
bsp_multiarch=`$CC -print-multiarch 2>/dev/null`
bsp_libdir=`
	test "x$prefix" != xNONE || prefix=$ac_default_prefix
	test "x$exec_prefix" != xNONE || exec_prefix=$prefix
	eval "echo \"$libdir\""`
AS_CASE([$bsp_libdir],
	[/lib|/usr/lib|/lib64|/usr/lib64|/lib/$bsp_multiarch|/usr/lib/$bsp_multiarch], [BSP_RPATH=],
	[BSP_RPATH='-Wl,-rpath,${libdir}'])
AC_SUBST([BSP_RPATH])
])

# BSP_NATIVE_VECTORS - BSP_NATIVE_CFLAGS: flags for the vectors of the processor that compiles, if
# the compiler knows them.
AC_DEFUN([BSP_NATIVE_VECTORS], [
BSP_NATIVE_CFLAGS=
bsp_saved_cflags=$CFLAGS
for bsp_flag in -march=native -mprefer-vector-width=512; do
	CFLAGS="$bsp_saved_cflags -Werror $BSP_NATIVE_CFLAGS $bsp_flag"
	AC_MSG_CHECKING([whether $CC takes $bsp_flag])
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
		[BSP_NATIVE_CFLAGS="$BSP_NATIVE_CFLAGS $bsp_flag"; AC_MSG_RESULT([yes])],
		[AC_MSG_RESULT([no])])
done
CFLAGS=$bsp_saved_cflags
AC_SUBST([BSP_NATIVE_CFLAGS])
])

# BSP_FUZZER: FUZZ_CC and FUZZ_CFLAGS, a clang that has libFuzzer.
AC_DEFUN([BSP_FUZZER], [
AC_ARG_VAR([FUZZ_CC], [clang with libFuzzer])
AC_PATH_PROGS([FUZZ_CC], [clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14], [no])
FUZZ_CFLAGS="-O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all"
FUZZ_CFLAGS="$FUZZ_CFLAGS -fno-omit-frame-pointer"
bsp_fuzzer=no
AS_IF([test "$FUZZ_CC" != no], [
	AC_MSG_CHECKING([whether $FUZZ_CC has libFuzzer])
	cat >conftest.c <<END
int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long size);
int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long size)
{
	return size && *data && 0;
}
END
	AS_IF([$FUZZ_CC $FUZZ_CFLAGS -o conftest$ac_exeext conftest.c >&AS_MESSAGE_LOG_FD 2>&1],
		[bsp_fuzzer=yes])
	rm -f conftest.c conftest$ac_exeext
	AC_MSG_RESULT([$bsp_fuzzer])])
AC_SUBST([FUZZ_CFLAGS])
AM_CONDITIONAL([HAVE_FUZZER], [test $bsp_fuzzer = yes])
])

# BSP_WITH_FORTRAN: FC, a gfortran that hands over arrays as ISO_Fortran_binding.h describes them,
# and the libraries that its programs need. Lines in messages come from libbacktrace, which is
# GCC's.
AC_DEFUN([BSP_WITH_FORTRAN], [
AC_ARG_WITH([fortran], [AS_HELP_STRING([--with-fortran=yes|no|auto],
	[build module bsp and bspfc for gfortran @<:@auto@:>@])], [], [with_fortran=auto])
AC_ARG_VAR([FC], [gfortran, from version 12 on])
bsp_fortran=no
BSP_FORTRAN_LIBS=-lbspf
BSPF_LINES=
AS_IF([test "x$with_fortran" != xno], [AC_PATH_PROGS([FC], [gfortran], [none])
	BSP_CHECK_FORTRAN])
AS_CASE([$with_fortran:$bsp_fortran], [yes:no*],
	[AC_MSG_ERROR([--with-fortran=yes: $bsp_fortran])])
AM_CONDITIONAL([HAVE_FORTRAN], [test "$bsp_fortran" != "${bsp_fortran#yes}"])
AM_CONDITIONAL([HAVE_BACKTRACE], [test -n "$BSPF_LINES"])
AC_SUBST([BSP_FORTRAN_LIBS])
AC_SUBST([BSPF_LINES])
])

AC_DEFUN([BSP_CHECK_FORTRAN], [
mkdir conftest.d
cat >conftest.d/conftest.f90 <<END
module m
  interface
    subroutine s(a) bind(C, name="s")
      type(*), dimension(..), target, asynchronous :: a
    end subroutine
  end interface
end module
program p
  use m
  integer, asynchronous :: a(3)
  call s(a)
end program
END
cat >conftest.d/conftest_c.c <<END
#include <ISO_Fortran_binding.h>
void s(const CFI_cdesc_t *a);
void s(const CFI_cdesc_t *a) { (void)a; }
END
cat >conftest.d/conftest_b.c <<END
#include <backtrace.h>
void *s(void *a);
void *s(void *a) { return backtrace_create_state(0, 0, 0, a); }
END
AC_MSG_CHECKING([for Fortran with arrays of any rank, and ISO_Fortran_binding.h])
(
	cd conftest.d && $CC -c conftest_c.c && $FC -o conftest conftest.f90 conftest_c.o
) >&AS_MESSAGE_LOG_FD 2>&1 && bsp_fortran="yes ($FC)" ||
	bsp_fortran="no (no gfortran from version 12 on that goes with $CC)"
AC_MSG_RESULT([$bsp_fortran])
AC_MSG_CHECKING([for libbacktrace])
(
	cd conftest.d && $CC -c conftest_b.c &&
		$FC -o conftest conftest.f90 conftest_b.o -lbacktrace
) >&AS_MESSAGE_LOG_FD 2>&1 &&
	BSPF_LINES=-DBSPF_LINES BSP_FORTRAN_LIBS="-lbspf -lbacktrace"
AS_IF([test -n "$BSPF_LINES"], [AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])])
rm -rf conftest.d
])

# BSP_WITH_PYTHON: PYTHON, which runs tests of package bsp and says where it looks for packages:
# with numpy, if one of those that are tried has it. The package itself needs no compiler.
AC_DEFUN([BSP_WITH_PYTHON], [
AC_ARG_WITH([python], [AS_HELP_STRING([--with-python=yes|no|auto],
	[install package bsp for python3 @<:@auto@:>@])], [], [with_python=auto])
AC_ARG_WITH([pythondir], [AS_HELP_STRING([--with-pythondir=DIR],
	[where python3 looks for packages @<:@below PREFIX, as python3 says@:>@])])
AC_ARG_VAR([PYTHON], [python3, from version 3.9 on])
bsp_python=no
AS_IF([test "x$with_python" != xno], [BSP_CHECK_PYTHON])
AS_CASE([$with_python:$bsp_python], [yes:no*],
	[AC_MSG_ERROR([--with-python=yes: $bsp_python])])
AM_CONDITIONAL([HAVE_PYTHON], [test "$bsp_python" != "${bsp_python#yes}"])
AC_SUBST([pythondir])
])

AC_DEFUN([BSP_CHECK_PYTHON], [
AC_MSG_CHECKING([for python3 with ctypes, and numpy])
bsp_python="no (no python3 from version 3.9 on)"
for bsp_needs in "ctypes, numpy" ctypes; do
	for bsp_candidate in "$PYTHON" python3 /usr/bin/python3; do
		AS_IF([test "$bsp_candidate" && "$bsp_candidate" -c "import sys, $bsp_needs
assert sys.version_info >= (3, 9)" >&AS_MESSAGE_LOG_FD 2>&1],
			[PYTHON=$bsp_candidate
			bsp_python="yes ($PYTHON)"
			break 2])
	done
done
AC_MSG_RESULT([$bsp_python])
AS_IF([test "$bsp_needs" = ctypes], [bsp_python="$bsp_python, without numpy"])
bsp_prefix=$prefix
AS_IF([test "x$bsp_prefix" = xNONE], [bsp_prefix=$ac_default_prefix])
pythondir=$with_pythondir
AS_IF([test "x$pythondir" = x && test "$bsp_python" != "${bsp_python#yes}"], [
	# A folder of the prefix in which this python3 looks; else the usual one.
	pythondir='${prefix}'`"$PYTHON" -c "
import sys
prefix = '$bsp_prefix'
usual = prefix + '/lib/python%d.%d/site-packages' % sys.version_info@<:@:2@:>@
found = @<:@path for path in sys.path + @<:@usual@:>@
         if path.startswith(prefix + '/lib') and path.endswith('-packages')@:>@
print(found@<:@0@:>@.removeprefix(prefix))"`
	AS_IF([! "$PYTHON" -c "import sys
sys.exit('$pythondir'.replace('\${prefix}', '$bsp_prefix') not in sys.path)"],
		[bsp_python="$bsp_python, by PYTHONPATH=$pythondir"])])
])
