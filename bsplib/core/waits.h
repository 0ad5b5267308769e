/* SPDX-License-Identifier: BSD-3-Clause */
/* waits.h - waits of a process, and the words that messages of the job have for them. */
#ifndef BSPI_WAITS_H
#define BSPI_WAITS_H

#include "job/job.h"

/*
 * Waits of a process, each with two numbers. Each has its words in waits.c; NOTHING where it does
 * not wait. The first two have the numbers to which job/ gives a meaning.
 */
enum bspi_wait_for {
	BSPI_WAIT_NOTHING = BSPJ_AWAITS_NOTHING,
	BSPI_WAIT_BARRIER = BSPJ_AWAITS_BARRIER,
	BSPI_WAIT_ALL,		/* others in the barrier, how many there are */
	BSPI_WAIT_CHUNKS,	/* here, sent to it */
	BSPI_WAIT_ANSWERS,	/* bytes */
	BSPI_WAIT_BULK,		/* transfers */
	BSPI_WAIT_SENT,		/* chunks */
	BSPI_WAIT_STEP,		/* of that process, that superstep */
	BSPI_WAIT_CREDIT,	/* of that process */
	BSPI_WAIT_GRANTS,	/* puts */
	BSPI_WAIT_MEMORY,	/* to send to that process */
	BSPI_WAIT_RUN,
	BSPI_WAIT_DETAILS,
	BSPI_WAIT_CLOSE,	/* others at the end */
	BSPI_WAIT_VALUE,	/* of that process, by bsp_direct_get */
	BSPI_WAIT_NEIGHBORS,	/* in the bsp_sync, how many there are */
	BSPI_WAIT_MEET,		/* process, to come to superstep */
	BSPI_WAIT_RECEIVED,	/* processes, to acknowledge what was sent to them */
};

/* For struct bspj_start. */
const struct bspj_words *bspi_job_words(void);

/*
 * How long others wait for the virtual time of a process that sleeps outside of the library: less
 * than BSP_WATCHDOG, which would end the job by a message without the cause. 0: for ever.
 */
uint64_t bspi_stall_ns(void);
/* End the job, because process @peer has slept so long. */
_Noreturn void bspi_end_stalled(int peer);

#endif
