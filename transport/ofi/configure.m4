# SPDX-License-Identifier: BSD-3-Clause
# configure.m4 - what transport/ofi needs: libfabric.

AC_DEFUN([BSP_TRANSPORT_OFI], [
AC_ARG_WITH([ofi], [AS_HELP_STRING([--with-ofi=yes|no|auto|DIR],
	[build the transport on libfabric @<:@auto@:>@])],
	[], [with_ofi=auto])
BSP_PKG([ofi], [OFI], [libfabric], [1.11], [rdma/fabric.h], [libfabric-dev])
bsp_transport_ofi=$bsp_found
AM_CONDITIONAL([TRANSPORT_OFI], [test "$bsp_transport_ofi" = yes])
])
