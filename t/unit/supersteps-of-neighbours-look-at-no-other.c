/* SPDX-License-Identifier: BSD-3-Clause */
/* A superstep among neighbours touches nothing of other processes, however many there are. */
#include "../lib/spmd.h"

#include "bsplib/engine/engine.h"
#include "bsplib/engine/flow.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PROCS = SANITIZED ? 120 : 256, FEW = 4, STEPS = 40, PAGE = 4096 };

static int v[FEW];
static volatile sig_atomic_t touched;		/* pages of others */
static char *guarded[2];
static size_t guarded_bytes[2];
static int others[2];				/* a pipe on which they wait */

/* It is counted once, and may be touched from then on. */
static void count_page(int sig, siginfo_t *info, void *context)
{
	char *at = info->si_addr;

	(void)context;
	for (int i = 0; i < 2; i++)
		if (at >= guarded[i] && at < guarded[i] + guarded_bytes[i]) {
			touched++;
			mprotect(guarded[i] + (size_t)(at - guarded[i]) / PAGE * PAGE, PAGE,
				 PROT_READ | PROT_WRITE);
			return;
		}
	signal(sig, SIG_DFL);
}

/* A copy of an array, whose pages but the first, with the few, are guarded. */
static void *guard(int i, const void *array, size_t bytes)
{
	size_t pages = (bytes + PAGE - 1) / PAGE * PAGE;
	char *copy = mmap(NULL, pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (copy == MAP_FAILED)
		bail("no memory for a copy");
	memcpy(copy, array, bytes);
	guarded[i] = copy + PAGE;
	guarded_bytes[i] = pages > PAGE ? pages - PAGE : 0;
	mprotect(guarded[i], guarded_bytes[i], PROT_NONE);
	return copy;
}

static void unguard(int i, void *array, size_t bytes)
{
	mprotect(guarded[i], guarded_bytes[i], PROT_READ | PROT_WRITE);
	memcpy(array, guarded[i] - PAGE, bytes);
	munmap(guarded[i] - PAGE, guarded_bytes[i] + PAGE);
	guarded_bytes[i] = 0;
}

static void one_step(int s, int *good)
{
	int me = (int)bsp_pid(), got = -1, sent = -1, mine = 100 * s + me;

	bsp_put((me + 1) % FEW, &mine, v, 0, sizeof mine);
	bsp_get((me + 2) % FEW, v, 0, &got, sizeof got);
	bsp_send((me + 3) % FEW, NULL, &mine, sizeof mine);
	bsp_sync();
	bsp_move(&sent, sizeof sent);
	*good += v[0] == 100 * s + (me + 3) % FEW && sent == 100 * s + (me + 1) % FEW &&
		 got == (s ? 100 * (s - 1) + (me + 1) % FEW : 0);
}

static void supersteps(int *good)
{
	struct bspi_out *out = bspi_engine.out;
	struct bspi_flow *flow = bspi_engine.flow;
	size_t out_bytes = PROCS * sizeof *out, flow_bytes = PROCS * sizeof *flow;

	bspi_engine.out = guard(0, out, out_bytes);
	bspi_engine.flow = guard(1, flow, flow_bytes);
	for (int s = 0; s < STEPS; s++)
		one_step(s, good);
	is_int(0, touched, "pages of other processes that are touched");
	touched = 0;
	ok(((volatile struct bspi_out *)bspi_engine.out)[PROCS - 1].hint == 0, "it has no chunk");
	is_int(1, touched, "and a look at one is seen");
	unguard(0, out, out_bytes);
	unguard(1, flow, flow_bytes);
	bspi_engine.out = out;
	bspi_engine.flow = flow;
}

/* In bsp_end all meet, with notes to the few: not before these are through. */
static void wait_for_the_few(void)
{
	char byte = 0;

	for (int s = 0; s < STEPS; s++)
		bsp_sync();
	if (read(others[0], &byte, 1) != 1)
		bail("read: no byte");
}

static void wake_others(void)
{
	char bytes[PROCS - FEW] = { 0 };

	if (write(others[1], bytes, sizeof bytes) != (ssize_t)sizeof bytes)
		bail("write: not all bytes");
}

static void few_of_many(void)
{
	static const int few[FEW] = { 0, 1, 2, 3 };
	int good = 0;

	enter();
	bsp_push_reg(v, sizeof v);
	bsp_set_neighbors(bsp_pid() < FEW ? FEW : 0, few);
	bsp_sync();
	if (bsp_pid() < FEW) {
		supersteps(&good);
		is_int(STEPS, good, "supersteps with the right values");
	} else {
		wait_for_the_few();
	}
	bsp_sync();
	if (bsp_pid() == 0)
		wake_others();
	bsp_end();
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = count_page, .sa_flags = SA_SIGINFO };

	if (job_max_nprocs() < PROCS)
		skip_all("not applicable: this transport does not have so many processes");
	if (sysconf(_SC_PAGESIZE) != PAGE)
		skip_all("not applicable: pages of another size");
	if (pipe(others))
		bail("no pipe");
	sigemptyset(&action.sa_mask);
	sigaction(SIGSEGV, &action, NULL);
	lives_ok(few_of_many, PROCS, "%d processes, of which %d communicate", PROCS, FEW);
	return done_testing();
}
