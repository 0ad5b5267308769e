# SPDX-License-Identifier: BSD-3-Clause
# fortran.sh - bspfc and what it compiles; read after installed.sh.
# shellcheck shell=sh disable=SC2034,SC2154

test -x "$bindir/bspfc" || skip_all "not applicable: built without gfortran"
BSP_FC="gfortran${BSP_SANITIZE:+ $BSP_SANITIZE}"
export BSP_FC

# MPI, if it can run here.
networks=$(bspinfo | awk '
	/^  mpi / { seen = 1 }
	/can run here/ && seen { print "mpi"; exit }
	/cannot/ { seen = 0 }')
