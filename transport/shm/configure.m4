# SPDX-License-Identifier: BSD-3-Clause
# configure.m4 - what transport/shm needs: Linux with memfd_create and futexes.

AC_DEFUN([BSP_TRANSPORT_SHM], [
AC_CHECK_HEADERS([linux/futex.h], [], [AC_MSG_ERROR([linux/futex.h is missing: transport/shm is for Linux])])
AC_CACHE_CHECK([for memfd_create], [bsp_cv_memfd_create],
	[AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#define _GNU_SOURCE
#include <sys/mman.h>
]], [[return memfd_create("", MFD_CLOEXEC);]])],
		[bsp_cv_memfd_create=yes], [bsp_cv_memfd_create=no])])
AS_IF([test $bsp_cv_memfd_create = no], [AC_MSG_ERROR([this C library has no memfd_create])])
bsp_transport_shm=yes
])
