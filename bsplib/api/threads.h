/* SPDX-License-Identifier: BSD-3-Clause */
/* threads.h - threads of the program at the beginning and the end of the SPMD part. */
#ifndef BSPI_THREADS_H
#define BSPI_THREADS_H

#include "job/job.h"

/*
 * Before this process is copied: ends the job unless it is its first thread that calls; ends the
 * threads of OpenMP, or the job if that is not possible; warns of others. Sets in @how where the
 * copies are bound.
 */
void bspi_threads_prepare(const char *site, struct bspj_start *how);
/* In process @me, after that: OpenMP gets no more threads than there are processors for it. */
void bspi_threads_settle(const struct bspj_start *how, int me);
/* Launched: bind this process as @how says, and OpenMP gets no more threads than that has. */
void bspi_threads_bind_launched(struct bspj_start *how);
/* After bsp_end: OpenMP has as many as before. */
void bspi_threads_restore(void);

#endif
