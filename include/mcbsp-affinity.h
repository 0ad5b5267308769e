/* SPDX-License-Identifier: BSD-3-Clause */
/* mcbsp-affinity.h - MulticoreBSP's calls for the affinity of threads; they have no effect. */

/*
 * Here the placement of processes is set at their start: bsprun --bind, and bsprun -n for their
 * number. The calls may be made before and in the SPMD part. This header includes mcbsp.h, for
 * programs that include this one alone.
 */
#ifndef MCBSP_AFFINITY_H
#define MCBSP_AFFINITY_H

#include <mcbsp.h>

enum mcbsp_affinity_mode { SCATTER, COMPACT, MANUAL };
enum mcbsp_thread_numbering { CONSECUTIVE, WRAPPED };

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/*
 * Each get returns the last value set; at first the first of an enum, the largest number, the
 * processors.
 */
void mcbsp_set_affinity_mode(enum mcbsp_affinity_mode mode);
enum mcbsp_affinity_mode mcbsp_get_affinity_mode(void);
void mcbsp_set_thread_numbering(enum mcbsp_thread_numbering numbering);
enum mcbsp_thread_numbering mcbsp_get_thread_numbering(void);
void mcbsp_set_maximum_threads(size_t max);
size_t mcbsp_get_maximum_threads(void);
void mcbsp_set_available_cores(size_t cores);
size_t mcbsp_get_available_cores(void);

/* A list and its length, or a structure; ignored. */
void mcbsp_ignore(int unused, ...);
#if defined(__cplusplus) ? __cplusplus >= 201103L : \
	defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
#define mcbsp_set_reserved_cores(...) mcbsp_ignore(0, __VA_ARGS__)
#define mcbsp_set_machine_partition(...) mcbsp_ignore(0, __VA_ARGS__)
#define mcbsp_set_pinning(...) mcbsp_ignore(0, __VA_ARGS__)
#else
#define mcbsp_set_reserved_cores(list, length) mcbsp_ignore(0, list, length)
#define mcbsp_set_machine_partition(partition) mcbsp_ignore(0, partition)
#define mcbsp_set_pinning(list, length) mcbsp_ignore(0, list, length)
#endif

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
