# SPDX-License-Identifier: BSD-3-Clause
# configure.m4 - what transport/emu needs: nothing but another transport.

AC_DEFUN([BSP_TRANSPORT_EMU], [bsp_transport_emu=yes])
