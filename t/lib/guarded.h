/* SPDX-License-Identifier: BSD-3-Clause */
/* guarded.h - for tests of supersteps: a look at what is kept of other processes is counted. */

/*
 * The tables of the engine with an entry for each process are copied, and all pages but the first,
 * with the processes that communicate, are without access: the first look at each is counted.
 */
#ifndef GUARDED_H
#define GUARDED_H

#include "spmd.h"

#include "bsplib/engine/engine.h"
#include "bsplib/engine/flow.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PROCS = SANITIZED ? 120 : 256, FEW = 4, PAGE = 4096 };

static volatile sig_atomic_t touched;		/* pages of others */

static struct {
	char *at;
	size_t bytes;
} guarded[2];

static struct bspi_out *own_out;
static struct bspi_flow *own_flow;

/* It is counted once, and may be touched from then on. */
static void count_page(int sig, siginfo_t *info, void *context)
{
	char *at = info->si_addr;

	(void)context;
	for (int i = 0; i < 2; i++)
		if (at >= guarded[i].at && at < guarded[i].at + guarded[i].bytes) {
			touched++;
			mprotect(guarded[i].at + (size_t)(at - guarded[i].at) / PAGE * PAGE, PAGE,
				 PROT_READ | PROT_WRITE);
			return;
		}
	signal(sig, SIG_DFL);
}

static inline void *guard(int i, const void *array, size_t bytes)
{
	size_t pages = (bytes + PAGE - 1) / PAGE * PAGE;
	char *copy = mmap(NULL, pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (copy == MAP_FAILED)
		bail("no memory for a copy");
	memcpy(copy, array, bytes);
	guarded[i].at = copy + PAGE;
	guarded[i].bytes = pages > PAGE ? pages - PAGE : 0;
	mprotect(guarded[i].at, guarded[i].bytes, PROT_NONE);
	return copy;
}

static inline void unguard(int i, void *array, size_t bytes)
{
	mprotect(guarded[i].at, guarded[i].bytes, PROT_READ | PROT_WRITE);
	memcpy(array, guarded[i].at - PAGE, bytes);
	munmap(guarded[i].at - PAGE, guarded[i].bytes + PAGE);
	guarded[i].bytes = 0;
}

static inline void guard_others(void)
{
	own_out = bspi_engine.out;
	own_flow = bspi_engine.flow;
	bspi_engine.out = guard(0, own_out, PROCS * sizeof *own_out);
	bspi_engine.flow = guard(1, own_flow, PROCS * sizeof *own_flow);
	touched = 0;
}

/* None was touched, and one that is is seen. */
static inline void none_was_touched(void)
{
	is_int(0, touched, "pages of other processes that are touched");
	touched = 0;
	ok(((volatile struct bspi_out *)bspi_engine.out)[PROCS - 1].hint == 0, "it has no chunk");
	is_int(1, touched, "and a look at one is seen");
	unguard(0, own_out, PROCS * sizeof *own_out);
	unguard(1, own_flow, PROCS * sizeof *own_flow);
	bspi_engine.out = own_out;
	bspi_engine.flow = own_flow;
}

/* Before any job: what needs so many processes, and the signals. */
static inline void begin_guarding(void)
{
	struct sigaction action = { .sa_sigaction = count_page, .sa_flags = SA_SIGINFO };

	if (job_max_nprocs() < PROCS)
		skip_all("not applicable: this transport does not have so many processes");
	if (sysconf(_SC_PAGESIZE) != PAGE)
		skip_all("not applicable: pages of another size");
	sigemptyset(&action.sa_mask);
	sigaction(SIGSEGV, &action, NULL);
}

#endif
