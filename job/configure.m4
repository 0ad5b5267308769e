# SPDX-License-Identifier: BSD-3-Clause
# configure.m4 - what the wire-up needs to join processes that a launcher has started: PMIx.

AC_DEFUN([BSP_WITH_PMIX], [
AC_ARG_WITH([pmix], [AS_HELP_STRING([--with-pmix=yes|no|auto|DIR],
	[join what mpirun, srun or prterun have started @<:@auto@:>@])],
	[], [with_pmix=auto])
BSP_PKG([pmix], [PMIX], [pmix], [3.1], [pmix.h], [libpmix-dev])
bsp_pmix=$bsp_found
AM_CONDITIONAL([HAVE_PMIX], [test "$bsp_pmix" = yes])
])
