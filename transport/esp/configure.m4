# SPDX-License-Identifier: BSD-3-Clause
# configure.m4 - what transport/esp needs: Linux. The module enet is looked for when a program runs.

AC_DEFUN([BSP_TRANSPORT_ESP], [
bsp_transport_esp=yes
])
