/* SPDX-License-Identifier: BSD-3-Clause */
/* The watchdog says of each process where it is and what it waits for, wherever that is. */

/* No program can lose a count: so process 1 claims a chunk that it has not sent. */

#include "bsplib/engine/engine.h"

#include "bsp_coll.h"
#include "../lib/relaxed.h"

#include <stdio.h>
#include <unistd.h>

static int x, y;

static void compute_for_good(void)
{
	for (;;)
		pause();
}

/* After a put to process 0, whose count is there anyway. */
static void lose_a_chunk(void)
{
	if (bsp_pid() != 1)
		return;
	bsp_put(0, &y, &x, 0, sizeof y);
	bspi_engine.out[0].sent++;
}

/* The job ends, and its report begins so. */
static void ends_with(void (*body)(void), const char *wanted, const char *sum)
{
	job_run(body, 3);
	if (!is_int(1, job_status(), "the job ends: %s", sum) ||
	    !ok(strstr(job_err(), wanted), "and the sum is right"))
		diag("%s", job_err());
}

static void stuck(void (*body)(void), const char *sum)
{
	char wanted[200];

	snprintf(wanted, sizeof wanted,
		 "bsp: no progress for %s s; of 3 processes: %s (BSP_WATCHDOG)\n",
		 getenv("BSP_WATCHDOG"), sum);
	ends_with(body, wanted, sum);
}

/* Bsp_begin is to be over by then. */
static void set_watchdog(void)
{
	char timeout[16];

	snprintf(timeout, sizeof timeout, "%d", tap_scaled(job_networked() ? 4 : 1));
	setenv("BSP_WATCHDOG", timeout, 1);
}

/* Nothing is on its way, as all knows that was sent; so it is not the watchdog that ends this. */
static void deadlocked(void (*body)(void), const char *sum)
{
	char wanted[200];

	snprintf(wanted, sizeof wanted,
		 "bsp: all processes wait, and nothing is on its way; of 3 processes: %s; ", sum);
	tap_set_limit("BSP_WATCHDOG", 60);
	ends_with(body, wanted, sum);
	set_watchdog();
}

static void says(const char *text)
{
	if (!ok(strstr(job_err(), text), "it says: %s", text))
		diag("%s", job_err());
}

/* ---- In bsp_sync ------------------------------------------------------------------ */

static void one_computes(void)
{
	enter();
	bsp_sync();
	if (bsp_pid() == 1)
		compute_for_good();
	bsp_sync();
	bsp_end();
}

static void sent_to_one_that_computes(void)
{
	enter();
	bsp_send(1, NULL, &x, sizeof x);
	if (bsp_pid() == 1)
		compute_for_good();
	bsp_sync();
	bsp_end();
}

static void count_is_lost(void)
{
	enter();
	publish(&x, sizeof x);
	lose_a_chunk();
	bsp_sync();
	bsp_sync();
	bsp_end();
}

static void under_each_barrier(void)
{
	static const char *const barriers[] = { "alltoall", "counting", "dissemination",
					       "nbx" };

	for (size_t i = 0; i < sizeof barriers / sizeof *barriers; i++) {
		setenv("BSP_BARRIER", barriers[i], 1);
		diag("barrier %s", barriers[i]);
		stuck(one_computes, "1 computing, 2 in bsp_sync");
		says("bsp:   computing (process 1, superstep 1, after ");
		says(i ? "bsp:   in bsp_sync, waiting for the others to enter it (process 2, "
			 "superstep 1, " :
			 "bsp:   in bsp_sync, waiting for the others: 1 of 2 have entered it "
			 "(process 2, superstep 1, ");
		/* of a barrier that processes wait in it is not known that it is not over */
		if (i == 0)
			deadlocked(count_is_lost, "3 in bsp_sync");
		else
			stuck(count_is_lost, "3 in bsp_sync");
		says("bsp:   in bsp_sync, waiting for data: ");
		says(" chunks that were sent to it have arrived (process 0, superstep 1, ");
		ok(!strstr(job_err(), "computing"), "and none computes");
	}
	stuck(sent_to_one_that_computes, "1 computing, 2 in bsp_sync");
	says("bsp:   in bsp_sync, waiting for processes to which it has sent: 1 have not entered "
	     "it (process 2, superstep 0, ");
	unsetenv("BSP_BARRIER");
}

/* The second node has one process, which does not wait for its own. */
static void between_nodes(void)
{
	const struct bspt_ops *mix = bspt_find("mix");
	char why[600];

	if (getenv("BSP_TRANSPORT") || !mix || mix->probe(3, why, sizeof why) < 0)
		return;
	setenv("BSP_TRANSPORT", "mix", 1);
	setenv("BSP_NODE_SIZE", "2", 1);
	setenv("BSP_BARRIER", "counting", 1);
	set_watchdog();
	stuck(one_computes, "1 computing, 2 in bsp_sync");
	says("bsp:   in bsp_sync, waiting for the others to enter it (process 0, superstep 1, ");
	says("bsp:   in bsp_sync, waiting for the others to enter it (process 2, superstep 1, ");
	unsetenv("BSP_BARRIER");
	unsetenv("BSP_NODE_SIZE");
	unsetenv("BSP_TRANSPORT");
	set_watchdog();
}

/* ---- In relaxed supersteps ------------------------------------------------------------ */

static void reads(void)
{
	enter_relaxed();
	publish(&x, sizeof x);
	if (bsp_pid() != 0)
		compute_for_good();
	bsp_read(&x, 2);
	bsp_end();
}

static void gets(void)
{
	enter_relaxed();
	publish(&x, sizeof x);
	if (bsp_pid() != 0)
		compute_for_good();
	bsp_get(1, &x, 0, &y, sizeof y);
	bsp_sync();
	bsp_end();
}

/* Until the credit is used up. */
static void puts_only(void)
{
	enter_relaxed();
	publish(&x, sizeof x);
	if (bsp_pid() != 0)
		compute_for_good();
	for (;;) {
		bsp_put(1, &y, &x, 0, sizeof y);
		bsp_sync();
	}
}

static void relaxed(void)
{
	stuck(reads, "2 computing, 1 waiting in other calls");
	says("bsp:   waiting in bsp_read at ");
	says(": 2 updates of ");
	says(" wanted, 0 present (process 0, superstep 1, after ");
	stuck(gets, "2 computing, 1 in bsp_sync");
	says("bsp:   in bsp_sync, waiting for 4 bytes that its gets asked for (process 0, "
	     "superstep 1, ");
	setenv("BSP_CREDIT", "0", 1);
	stuck(puts_only, "2 computing, 1 in bsp_sync");
	says("bsp:   in bsp_sync, waiting for process 1 to take in what it has been sent "
	     "(process 0, superstep ");
	unsetenv("BSP_CREDIT");
}

/* ---- In other calls, and at the end ------------------------------------------------------ */

static void collective(void)
{
	enter();
	if (bsp_pid() == 2)
		compute_for_good();
	bsp_allreduce(BSP_SUM, BSP_INT, &x, &y, 1);
	bsp_end();
}

static void end(void)
{
	enter();
	if (bsp_pid() == 1)
		compute_for_good();
	bsp_end();
}

static void end_loses_a_chunk(void)
{
	enter();
	publish(&x, sizeof x);
	lose_a_chunk();
	bsp_end();
	compute_for_good();
}

/* A process that has left may do as it likes, while the job is not over for the others. */
static void one_stays_in_the_end(void)
{
	setenv("BSP_BARRIER", "alltoall", 1);
	stuck(end_loses_a_chunk, job_networked() ? "3 in bsp_end" : "1 in bsp_end, 2 past bsp_end");
	says("bsp:   in bsp_end, waiting for data: ");
	says(job_networked() ?
		     "bsp:   in bsp_end, waiting for the others to leave it as well (process 2, "
		     "superstep 1, " :
		     "bsp:   past bsp_end (process 2, superstep 1, ");
	unsetenv("BSP_BARRIER");
}

int main(void)
{
	setenv("BSP_SYNC", "program", 1);
	set_watchdog();
	under_each_barrier();
	between_nodes();
	relaxed();
	stuck(collective, "1 computing, 2 waiting in other calls");
	says("bsp:   waiting in bsp_allreduce at ");
	says(": messages of other processes for the bsp_allreduce of ");
	stuck(end, "1 computing, 2 in bsp_end");
	says("bsp:   in bsp_end, waiting for the others");
	one_stays_in_the_end();
	return done_testing();
}
