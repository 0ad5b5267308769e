/* SPDX-License-Identifier: BSD-3-Clause */
/* bspf.h - what the parts of the library for module bsp share. */
#ifndef BSPF_H
#define BSPF_H

/* Sizes are size_t; of a call with integers of 4 bytes a negative one becomes too large, and that
 * is refused as a negative one. */
#define BSP_MCBSP
#define BSP_NO_CALL_SITES
#define BSP_NAMED(argument)	/* for callers: here, the argument is handed on */

#include <bsp/binding.h>

#include <ISO_Fortran_binding.h>

#include <stdbool.h>
#include <stdint.h>

/* The call of the program that the function around it serves. */
#define SITE bsp_site_of_return(__builtin_return_address(0))

/* Messages have lines of the program from now on. */
#ifdef BSPF_LINES
void bspf_find_lines(void);
#else
static inline void bspf_find_lines(void) {}
#endif

/* The address of the area @d, which is argument @name of @call; refused if it is not contiguous. */
void *bspf_area(const char *site, const char *call, const char *name, const CFI_cdesc_t *d);

/* The same, refused also if it is an array of less than @nbytes. */
void *bspf_bytes(const char *site, const char *call, const char *name, const CFI_cdesc_t *d,
		 size_t nbytes);

#endif
