// SPDX-License-Identifier: BSD-3-Clause
/* foreign.c - bsp_begin() of programs that were compiled with another library's header. */

/*
 * Many programs carry a bsp.h or mcbsp.h of their own, which #include "mcbsp.h" finds before ours.
 * The calls there have the names of our interface with int, and sizes of type size_t in
 * MulticoreBSP's: results of bsp_get_tag() and bsp_qsize() are then half written. Objects that
 * were compiled with our header refer to no function of the name bsp_begin (bsp_names.h), so this
 * one is called by others, or from another language.
 */

#include "bsplib/api/spmd.h"
#include "bsplib/core/error.h"
#include "bsplib/core/state.h"

/* The name for the linker; the header is not included, for which it is that of another function. */
__attribute__((visibility("default"))) void bspi_begin_foreign(int maxprocs) __asm__("bsp_begin");

void bspi_begin_foreign(int maxprocs)
{
	bspi_begin(NULL, maxprocs);
	if (bspi.me == 0)
		bspi_warn("bsp_begin",
			  "the program was compiled with a bsp.h or mcbsp.h of another library; "
			  "its sizes must be int, so remove or rename that file, and ours is "
			  "found");
}
