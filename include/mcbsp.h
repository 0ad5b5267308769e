/* SPDX-License-Identifier: BSD-3-Clause */
/* mcbsp.h - the name of bsp.h in MulticoreBSP for C, for programs written for that. */

/*
 * The interface is that of size_t; if the program defines MCBSP_COMPATIBILITY_MODE before, that of int. All files
 * of a program may choose for themselves.
 */
#ifndef MCBSP_H
#define MCBSP_H

/* By this portable programs know which library they have. */
#ifndef _H_MCBSP
#define _H_MCBSP
#endif

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef MCBSP_COMPATIBILITY_MODE

#if defined(BSP_H) && defined(BSP_MCBSP)
#error "bsp.h is there already, with size_t: include mcbsp.h before it, or do not define MCBSP_COMPATIBILITY_MODE"
#endif
#undef BSP_MCBSP
#define MCBSP_PROCESSOR_INDEX_DATATYPE int
#define MCBSP_NUMMSG_TYPE int
#define MCBSP_BYTESIZE_TYPE int

#else

#if defined(BSP_H) && !defined(BSP_MCBSP)
#error "bsp.h is there already, with int: include mcbsp.h before it, or compile with bspcc --mcbsp"
#endif
#ifndef BSP_MCBSP
#define BSP_MCBSP
#endif
#define MCBSP_PROCESSOR_INDEX_DATATYPE unsigned int
#define MCBSP_NUMMSG_TYPE unsigned int
#define MCBSP_BYTESIZE_TYPE size_t

#endif

#include <bsp.h>
#include <mcbsp-affinity.h>

#endif
