# SPDX-License-Identifier: BSD-3-Clause
# configure.m4 - what transport/shm needs: Linux with futexes and membarrier.

AC_DEFUN([BSP_TRANSPORT_SHM], [
AC_CHECK_HEADERS([linux/futex.h linux/membarrier.h], [],
	[AC_MSG_ERROR([kernel headers are missing: transport/shm is for Linux])])
bsp_transport_shm=yes
])
