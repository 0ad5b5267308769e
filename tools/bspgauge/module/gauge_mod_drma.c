// SPDX-License-Identifier: BSD-3-Clause
/* gauge_mod_drma.c - the library's remote memory access as modules: bsp_hpput and bsp_hpget. */

/*
 * A message is a superstep: a transfer of the library is complete when its superstep ends and not
 * before, so the other process takes part in bsp_sync() as its receive, or as its send. Processes
 * that do neither would have to know of each message, so a job has two. The transport is that of
 * the job: BSP_TRANSPORT, or the best.
 */

#include "tools/bspgauge/gauge.h"

#include "bsp.h"

static int drma_open(struct gauge_job *job, char *why, size_t len)
{
	if (job->nprocs != 2) {
		snprintf(why, len, "a message is a superstep, of 2 processes");
		return -1;
	}
	bsp_push_reg(job->src, (int)job->bytes);
	bsp_push_reg(job->dst, (int)job->bytes);
	bsp_sync();
	return 0;
}

static void drma_close(struct gauge_job *job)
{
	bsp_pop_reg(job->src);
	bsp_pop_reg(job->dst);
	bsp_sync();
}

static void drma_put(struct gauge_job *job, int to, size_t bytes)
{
	bsp_hpput(to, job->src, job->dst, 0, (int)bytes);
	bsp_sync();
}

static bool drma_await_put(struct gauge_job *job, int from, size_t bytes)
{
	(void)job;
	(void)from;
	(void)bytes;
	bsp_sync();
	return true;
}

static void drma_await_get(struct gauge_job *job, int to, size_t bytes)
{
	drma_await_put(job, to, bytes);
}

static bool drma_get(struct gauge_job *job, int from, size_t bytes)
{
	bsp_hpget(from, job->src, 0, job->dst, (int)bytes);
	bsp_sync();
	return true;
}

const struct gauge_module gauge_mod_bsp_hpput = {
	.name = "bsp-hpput",
	.summary = "bsp_hpput and a superstep for each message, of 2 processes",
	.can = GAUGE_RELIABLE | GAUGE_ONE_SIDED | GAUGE_REGISTERED,
	.open = drma_open,
	.close = drma_close,
	.send = drma_put,
	.recv = drma_await_put,
};

const struct gauge_module gauge_mod_bsp_hpget = {
	.name = "bsp-hpget",
	.summary = "bsp_hpget and a superstep for each message, of 2 processes",
	.can = GAUGE_RELIABLE | GAUGE_ONE_SIDED | GAUGE_REGISTERED,
	.open = drma_open,
	.close = drma_close,
	.send = drma_await_get,
	.recv = drma_get,
};
