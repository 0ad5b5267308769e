// SPDX-License-Identifier: BSD-3-Clause
/* threads.c - threads of the program at the beginning and the end of the SPMD part. */

/*
 * The runtime of OpenMP has counted the processors when it was loaded, before processes were bound
 * to some of them. With more threads than processors each region waits for the scheduler, hundred
 * times longer than it takes; so its number is set, or if the user has asked for that number the
 * processes are not bound.
 */

#include "bsplib/api/threads.h"

#include "bsplib/core/env.h"
#include "bsplib/core/error.h"
#include "bsplib/core/state.h"

#include <unistd.h>

static struct {
	int processors;		/* before processes were bound */
	int before;		/* threads that OpenMP had; 0: they were not changed */
} threads;

static void end_other_threads(const char *site)
{
	int n = bspj_threads_besides();

	if (n > 0 && bspj_threads_are_of_openmp()) {
		if (bspj_threads_end_openmp() != 0)
			bspi_fail("bsp_begin", site,
				  "called inside an OpenMP region, or after one whose threads "
				  "cannot be ended; call it before the first region");
		n = bspj_threads_besides();
	}
	if (n > 0)
		bspi_warn("bsp_begin",
			  "%d other thread%s of the program will not be there in the processes; "
			  "start threads after bsp_begin", n, bspi_plural(n));
}

static void choose_binding(struct bspj_start *how)
{
	if (how->bind == BSPJ_BIND_NOT || !bspj_threads_are_of_openmp())
		return;
	if (how->threads >= 0)
		return;
	how->bind = BSPJ_BIND_NOT;
	bspi_warn("bsp_begin",
		  "processes are not bound to cores: the program is linked statically, and "
		  "OpenMP's number of threads cannot be set; --bind none says so");
}

void bspi_threads_prepare(const char *site, struct bspj_start *how)
{
	if (how->nprocs == 1 && !how->supervise)
		return;
	if (gettid() != getpid())
		bspi_fail("bsp_begin", site,
			  "called in a thread other than the first, and processes are copies of "
			  "the calling thread alone; call it in the thread of main()");
	threads.processors = bspj_processors();
	how->threads = bspj_threads_wanted(bspj_processors_counted());
	end_other_threads(site);
	choose_binding(how);
}

static void limit_threads(const struct bspj_start *how, int me)
{
	int share = threads.processors / how->nprocs, room = bspj_binding_threads();
	int most = room && room < share ? room : share ? share : 1;

	if (bspj_threads_limit(most, &threads.before) && me == 0 && how->bind_auto)
		bspi_warn("bsp_begin",
			  "OpenMP has %d thread%s in each process, as there are %d processors for "
			  "%d processes; set OMP_NUM_THREADS, or --bind none", most,
			  bspi_plural(most), threads.processors, how->nprocs);
}

void bspi_threads_settle(const struct bspj_start *how, int me)
{
	bspj_threads_set(how->threads);		/* libomp forgets it where it ends its threads */
	if (how->bind == BSPJ_BIND_NOT)
		return;
	if (!how->threads)
		limit_threads(how, me);
	else if (how->threads > 1 && !bspj_binding_threads() && me == 0 &&
		 how->nprocs <= threads.processors)
		bspi_warn("bsp_begin",
			  "processes are not bound to cores: OpenMP is to have %d threads in each "
			  "of %d processes, and there are %d processors; --bind none says so",
			  how->threads, how->nprocs, threads.processors);
}

void bspi_threads_bind_launched(struct bspj_start *how)
{
	int room;

	how->threads = bspj_threads_wanted(bspj_processors_counted());
	bspj_binding_join(how, bspi.job.wire);
	room = bspj_binding_threads();
	if (room && !how->threads)
		bspj_threads_limit(room, &threads.before);
}

void bspi_threads_restore(void)
{
	bspj_threads_set(threads.before);
	threads.before = 0;
}
