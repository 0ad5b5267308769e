/* SPDX-License-Identifier: BSD-3-Clause */
/* threads.h - what OpenMP takes for the processors of this process. */
#ifndef BSPJ_THREADS_H
#define BSPJ_THREADS_H

#include <sched.h>

/*
 * Add to @set the processors of OpenMP's places; how many places there are. A runtime that binds
 * threads to places (OMP_PROC_BIND) has bound that of main() to the first when it was loaded, so
 * the mask of the process is not that with which the program was started; the places are.
 */
int bspj_threads_add_places(cpu_set_t *set);

#endif
