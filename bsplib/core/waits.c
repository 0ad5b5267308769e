// SPDX-License-Identifier: BSD-3-Clause
/* waits.c - the words of the library in messages of the job: its calls, supersteps, and waits. */

#include "bsplib/core/waits.h"

#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"

/* With formats for the two numbers of a wait; some take one, some none. */
static const char *const waits[] = {
	[BSPI_WAIT_BARRIER] = "for the others to enter it",
	[BSPI_WAIT_ALL] = "for the others: %u of %u have entered it",
	[BSPI_WAIT_CHUNKS] = "for data: %u of the %u chunks that were sent to it have arrived",
	[BSPI_WAIT_ANSWERS] = "for %u bytes that its gets asked for",
	[BSPI_WAIT_BULK] = "for %u large transfers under way",
	[BSPI_WAIT_SENT] = "for room on the way to others: %u chunks have not left",
	[BSPI_WAIT_STEP] = "for process %u to come to superstep %u",
	[BSPI_WAIT_CREDIT] = "for process %u to take in what it has been sent",
	[BSPI_WAIT_GRANTS] = "for the receivers of %u puts to ask for the data",
	[BSPI_WAIT_MEMORY] = "for memory to send to process %u",
	[BSPI_WAIT_RUN] = "for messages of a collective operation or schedule",
	[BSPI_WAIT_DETAILS] = "for what the others did, which was not the same",
	[BSPI_WAIT_CLOSE] = "for the others to leave it as well",
	[BSPI_WAIT_VALUE] = "for process %u to answer a bsp_direct_get",
	[BSPI_WAIT_NEIGHBORS] = "for its neighbours: %u of %u have entered it",
	[BSPI_WAIT_MEET] = "for process %u to end superstep %u",
	[BSPI_WAIT_RECEIVED] = "for processes to which it has sent: %u have not entered it",
};

static const struct bspj_words words = {
	.begin = "bsp_begin",
	.end = "bsp_end",
	.step = "superstep",
	.doing = {
		[BSPJ_STARTING] = "in bsp_begin",
		[BSPJ_COMPUTING] = "computing",
		[BSPJ_SYNCING] = "in bsp_sync",
		[BSPJ_READING] = "waiting in other calls",
		[BSPJ_ENDING] = "in bsp_end",
		[BSPJ_ENDED] = "past bsp_end",
	},
	.waits = waits,
	.nwaits = sizeof(waits) / sizeof(waits[0]),
};

const struct bspj_words *bspi_job_words(void)
{
	return &words;
}

uint64_t bspi_stall_ns(void)
{
	double s = bspi.env.watchdog > 0 ? bspi.env.watchdog / 2 : bspi.env.watchdog_warn;

	return (uint64_t)(s * 1e9);
}

void bspi_end_stalled(int peer)
{
	bspi_fail(bspi.ending ? "bsp_end" : "bsp_sync", bspi_own_site(),
		  "waits in virtual time (order=1) for process %d, which sleeps outside of the "
		  "library; if it waits there for another process, in a pipe or for a file or "
		  "signal, run without order=1", peer);
}
