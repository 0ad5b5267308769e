# SPDX-License-Identifier: BSD-3-Clause
# configure.m4 - what the wire-up needs to join processes that a launcher has started: PMIx.

AC_DEFUN([BSP_WITH_PMIX], [
AC_ARG_WITH([pmix], [AS_HELP_STRING([--with-pmix=yes|no|auto],
	[join what mpirun, srun or prterun have started @<:@auto@:>@])],
	[], [with_pmix=auto])
bsp_pmix=no
AS_IF([test "x$with_pmix" != xno], [
	PKG_CHECK_MODULES([PMIX], [pmix >= 3.1], [bsp_pmix=yes],
		[AS_IF([test "x$with_pmix" = xyes],
			[AC_MSG_ERROR([--with-pmix=yes, but there is no PMIx;
				on Debian: apt-get install libpmix-dev])])])])
AM_CONDITIONAL([HAVE_PMIX], [test "$bsp_pmix" = yes])
])
