/* SPDX-License-Identifier: BSD-3-Clause */
/* mcbsp-affinity.h - MulticoreBSP's calls for the affinity of threads; they have no effect. */

/*
 * Here processes are placed when they are started: bsprun --bind, and bsprun -n for how many there are. The calls may stand
 * before and in the SPMD part. For programs that include this header alone it brings mcbsp.h along.
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

/* Each returns what was set last; before that the first of an enum, the greatest number, the processors there are. */
void mcbsp_set_affinity_mode(enum mcbsp_affinity_mode mode);
enum mcbsp_affinity_mode mcbsp_get_affinity_mode(void);
void mcbsp_set_thread_numbering(enum mcbsp_thread_numbering numbering);
enum mcbsp_thread_numbering mcbsp_get_thread_numbering(void);
void mcbsp_set_maximum_threads(size_t max);
size_t mcbsp_get_maximum_threads(void);
void mcbsp_set_available_cores(size_t cores);
size_t mcbsp_get_available_cores(void);

/* A list and its length, or a structure, whatever it is: looked at by nothing. */
void mcbsp_ignore(int unused, ...);
#if defined(__cplusplus) ? __cplusplus >= 201103L : defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
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
