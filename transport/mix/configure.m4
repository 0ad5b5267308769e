# SPDX-License-Identifier: BSD-3-Clause
# configure.m4 - what transport/mix needs: nothing but other transports.

AC_DEFUN([BSP_TRANSPORT_MIX], [bsp_transport_mix=yes])
