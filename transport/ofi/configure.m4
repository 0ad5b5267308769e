# SPDX-License-Identifier: BSD-3-Clause
# configure.m4 - what transport/ofi needs: libfabric.

AC_DEFUN([BSP_TRANSPORT_OFI], [
AC_ARG_WITH([ofi], [AS_HELP_STRING([--with-ofi=yes|no|auto],
	[build the transport on libfabric @<:@auto@:>@])],
	[], [with_ofi=auto])
bsp_transport_ofi=no
AS_IF([test "x$with_ofi" != xno], [
	PKG_CHECK_MODULES([OFI], [libfabric >= 1.11], [bsp_transport_ofi=yes],
		[AS_IF([test "x$with_ofi" = xyes],
			[AC_MSG_ERROR([--with-ofi=yes, but there is no libfabric;
				on Debian: apt-get install libfabric-dev])])])])
AM_CONDITIONAL([TRANSPORT_OFI], [test "$bsp_transport_ofi" = yes])
])
