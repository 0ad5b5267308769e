# SPDX-License-Identifier: BSD-3-Clause
# configure.m4 - what transport/mpi needs: a compiler wrapper of an MPI (MPICC), and PMIx to start
# without a launcher. BSP_WITH_MPI in m4/bsp.m4 finds it, for the benchmark as well.

AC_DEFUN([BSP_TRANSPORT_MPI], [
bsp_transport_mpi=no
AS_IF([test "${bsp_mpi%% *}" = yes], [bsp_transport_mpi=yes])
AM_CONDITIONAL([TRANSPORT_MPI], [test "$bsp_transport_mpi" = yes])
])
