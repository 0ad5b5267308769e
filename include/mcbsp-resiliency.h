/* SPDX-License-Identifier: BSD-3-Clause */
/* mcbsp-resiliency.h - MulticoreBSP's calls for checkpoints, which this library does not make. */

/*
 * As in a MulticoreBSP that was built without them: what is set is remembered, and asking for a
 * checkpoint ends the job with a message. The calls may be made before and in the SPMD part.
 */
#ifndef MCBSP_RESILIENCY_H
#define MCBSP_RESILIENCY_H

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* Supersteps from one checkpoint to the next when nothing is set: 0, none. */
#define MCBSP_DEFAULT_CHECKPOINT_FREQUENCY ((size_t)0)

/* Both end the job: write what the program is to go on from into files of its own. */
void mcbsp_checkpoint(void);
void mcbsp_enable_checkpoints(void);
void mcbsp_disable_checkpoints(void);	/* does nothing: there are none */

/* Each get returns the last value set; the safe one, if it is not set, the other. */
void mcbsp_set_checkpoint_frequency(size_t supersteps);
size_t mcbsp_get_checkpoint_frequency(void);
void mcbsp_set_safe_checkpoint_frequency(size_t supersteps);
size_t mcbsp_get_safe_checkpoint_frequency(void);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
