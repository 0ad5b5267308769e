# SPDX-License-Identifier: BSD-3-Clause
# configure.m4 - what transport/self needs: nothing.

AC_DEFUN([BSP_TRANSPORT_SELF], [bsp_transport_self=yes])
