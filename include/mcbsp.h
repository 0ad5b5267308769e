/* SPDX-License-Identifier: BSD-3-Clause */
/* mcbsp.h - bsp.h by its name in MulticoreBSP for C. */

/*
 * The interface is that with size_t or, if the program defines MCBSP_COMPATIBILITY_MODE before,
 * that with int. Each file of a program may choose.
 */
#ifndef MCBSP_H
#define MCBSP_H

/* Portable programs test this macro to find their library. */
#ifndef _H_MCBSP
#define _H_MCBSP
#endif

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef MCBSP_COMPATIBILITY_MODE

#if defined(BSP_H) && defined(BSP_MCBSP)
#error "bsp.h is there already, with size_t: include mcbsp.h before it, or do not define \
MCBSP_COMPATIBILITY_MODE"
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
