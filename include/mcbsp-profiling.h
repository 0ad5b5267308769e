/* SPDX-License-Identifier: BSD-3-Clause */
/* mcbsp-profiling.h - MulticoreBSP's name of a superstep in profiles. */
#ifndef MCBSP_PROFILING_H
#define MCBSP_PROFILING_H

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* Does nothing: bsprun --profile names a superstep by the line of its bsp_sync(). */
void mcbsp_profiling_set_description(const char *name);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
