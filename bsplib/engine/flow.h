/* SPDX-License-Identifier: BSD-3-Clause */
/* flow.h - what is between this process and each other one, and reports of it. */
#ifndef BSPI_FLOW_H
#define BSPI_FLOW_H

#include "bsplib/engine/engine.h"

/*
 * The data between this process and another since the epoch began, in units of a cache line.
 */
struct bspi_flow {
	uint32_t sent;		/* to it */
	uint32_t sent_before;	/* of that, in supersteps before this one */
	uint32_t accepted;	/* of that, as it has reported */
	uint32_t taken;		/* of the chunks from it, those taken in */
	uint32_t reported;	/* of that, as this process has reported to it */
	uint32_t nheld;		/* its chunks that are here and not given back, in either mode */
	uint32_t ndone;		/* of these, done: they wait for an earlier one */
	bool has_news;		/* there is something to report to it */
	bool ended;		/* its last chunk of the epoch has come, of superstep @end_step */
	bool is_early;		/* it is in the list of arrival.c, as long as @later has chunks */
	uint32_t end_step, end_sum;
	/* of these, those of supersteps after ours, from @first on */
	struct bspi_arrivals later;
	size_t first;
};

/*
 * A chunk that the receiver handles when it arrives: the records, and how much we have taken in.
 * False if there is no chunk to be had, and no record that must leave.
 */
bool bspi_urgent_send(int pid, const struct bspi_rec *recs, size_t n);
void bspi_flow_open(void);
void bspi_flow_close(void);
void bspi_flow_reset(void);
/* A counted chunk of @len bytes was sent to @pid; one is about to be given back. */
void bspi_flow_sent(int pid, size_t len);
void bspi_flow_released(const struct bspi_arrival *a);
/* @pid reports how much it has taken in. */
void bspi_flow_acknowledged(int pid, uint32_t taken);
/* Report to peers that may wait for it how much has been taken in. */
void bspi_flow_report(void);

#endif
