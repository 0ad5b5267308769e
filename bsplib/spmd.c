// SPDX-License-Identifier: BSD-3-Clause
/* spmd.c - the SPMD part: how many processes, which transport, beginning and end. */

#include "bspi.h"

#include "setting.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	SPIN_US = 20,		/* a waiting process spins so long, if it has a processor to itself */
	FLAT_MOST = 8,		/* processes up to which a chunk to everybody beats a tally */
};

struct bspi bspi = { .regions.last_base = BSPI_NO_BASE };

double bspi_time(void)
{
	return (bspi_now() - bspi.began_ns) * 1e-9;
}

/* As many as there can be: what the user says, or one for each processor if the transport takes them. */
static int processes_possible(const struct bspi_env *env)
{
	const struct bspt_ops *ops = bspt_find(env->transport);
	int most = bspi_setting_find("BSP_NPROCS")->most;
	int n = bspt_processors() < most ? bspt_processors() : most;
	char why[160];

	if (env->nprocs)
		return env->nprocs;
	return ops && ops->probe(n, why, sizeof(why)) < 0 ? 1 : n;
}

int bspi_nprocs(void)
{
	static struct bspi_env env;

	if (bspi.phase != BSPI_BEFORE)
		return bspi.nprocs;
	bspi_env_read(&env);
	return processes_possible(&env);
}

void bspi_init(const char *place, void (*spmd)(void))
{
	if (bspi.phase != BSPI_BEFORE)
		bspi_fail("bsp_init", place, "called after bsp_begin; make it the first statement of main()");
	if (bspi.spmd)
		bspi_fail("bsp_init", place, "called a second time");
	if (!spmd)
		bspi_fail("bsp_init", place, "the function is NULL");
	bspi.spmd = spmd;
}

/* ---- Choosing ------------------------------------------------------------- */

static bool can_run(const struct bspt_ops *ops, int nprocs, char *why, size_t len)
{
	return bspt_check(ops, why, len) == 0 && ops->accepts(bspi.env.emulate, why, len) == 0 &&
	       ops->probe(nprocs, why, len) == 0;
}

/* The one of that name, or for auto the first that can run here. */
static const struct bspt_ops *choose_transport(const char *place, const char *name, int nprocs)
{
	const struct bspt_ops *ops, *refused = NULL;
	bool any = strcmp(name, "auto") == 0;
	char why[160];

	for (unsigned int i = 0; (ops = bspt_at(i)); i++) {
		if (!any && strcmp(ops->name, name) != 0)
			continue;
		if (can_run(ops, nprocs, why, sizeof(why)))
			return ops;
		refused = ops;
	}
	if (!refused)
		bspi_fail("bsp_begin", place, "transport %s is not built in; bspinfo lists those that are", name);
	bspi_fail("bsp_begin", place, "transport %s cannot be used: %s", refused->name, why);
}

static struct bspt_plan make_plan(int nprocs)
{
	bool crowded = nprocs > bspt_processors();
	int64_t spin = bspi.env.spin >= 0 ? bspi.env.spin : crowded ? 0 : SPIN_US;

	return (struct bspt_plan){
		.nprocs = nprocs,
		.patience = { .spin_ns = 1000 * spin, .yield_ns = 1000 * bspi.env.yield },
		.reserve_bytes = bspi.env.shm_reserve,
		.network = bspi.env.emulate,
	};
}

/* Asked before the processes are bound, after which each sees one processor. */
static bool choose_flat(const struct bspt_ops *ops, int nprocs)
{
	if (!(ops->caps & BSPT_CAP_TALLY))
		return true;
	if (strcmp(bspi.env.barrier, "auto") != 0)
		return strcmp(bspi.env.barrier, "flat") == 0;
	return nprocs <= FLAT_MOST && nprocs <= bspt_processors();
}

static struct bspt_start make_start(int nprocs)
{
	return (struct bspt_start){
		.nprocs = nprocs,
		.bind = strcmp(bspi.env.bind, "none") != 0,
		.tag_output = bspi.env.tag_output,
		.supervise = bspi.env.tag_output || bspi.env.watchdog > 0,
		.watchdog_s = bspi.env.watchdog,
	};
}

/* ---- Beginning ------------------------------------------------------------ */

static struct bspt *open_transport(const char *place, const struct bspt_ops *ops,
				   const struct bspt_plan *plan)
{
	struct bspt *t;

	if (bspt_open(ops, plan, bspi.me, &t) < 0)
		bspi_fail_memory("bsp_begin", place);
	return t;
}

static void open_transports(const char *place, const struct bspt_ops *ops,
			    const struct bspt_plan *plan)
{
	struct bspt_plan alone = { .nprocs = 1, .network = "" };

	bspi.self = open_transport(place, bspt_own(), &alone);
	bspi.self->me = bspi.me;
	bspi.min_direct = SIZE_MAX;
	if (bspi.nprocs == 1 && !(ops->caps & BSPT_CAP_CLOCK))
		return;
	bspi.net = open_transport(place, ops, plan);
	bspi.clock = ops->caps & BSPT_CAP_CLOCK;
	if ((ops->caps & BSPT_CAP_WINDOW) && bspi.env.share)
		bspi.min_direct = bspi.net->min_direct;
}

static void start_processes(const char *place, int nprocs)
{
	struct bspt_start how = make_start(nprocs);
	int err = bspt_start(&how, &bspi.job);

	if (err)
		bspi_fail("bsp_begin", place, "cannot start %d processes: %s; ask for fewer (bsprun -n) or raise the limits (ulimit -u, ulimit -v)",
			  nprocs, strerror(-err));
	bspi.me = bspi.job.me;
	bspi.nprocs = nprocs;
}

static int note_address(struct dl_phdr_info *info, size_t size, void *address)
{
	(void)size;
	*(uintptr_t *)address = info->dlpi_addr + (info->dlpi_phnum ? info->dlpi_phdr[0].p_vaddr : 0);
	return 1;		/* the program comes first; the rest are libraries */
}

/* So that the places of its calls are near, though we do not know that of bsp_begin. */
static uintptr_t address_in_program(void)
{
	uintptr_t address = 0;

	dl_iterate_phdr(note_address, &address);
	return address;
}

static void say_what_was_chosen(const struct bspt_ops *ops)
{
	fprintf(stderr, "bsp: %d processes, transport %s, bsp_sync %s\n", bspi.nprocs, ops->name,
		bspi.nprocs == 1 ? "alone" : bspi.flat ? "flat" : "tally");
}

static void begin_part(const char *place, int nprocs)
{
	const struct bspt_ops *ops = choose_transport(place, bspi.env.transport, nprocs);
	struct bspt_plan plan = make_plan(nprocs);

	bspi.flat = choose_flat(ops, nprocs);
	if (ops->prepare(&plan) < 0)
		bspi_fail("bsp_begin", place, "no memory for %d processes; ask for fewer (bsprun -n) or raise the limit (ulimit -v)",
			  nprocs);
	start_processes(place, nprocs);
	bspi.anchor = place ? (uintptr_t)place : address_in_program();
	bspi.os_pid = getpid();
	bspi.phase = BSPI_RUNNING;
	open_transports(place, ops, &plan);
	bspi_engine_open();
	if (bspi.env.check)
		bspi_check_open();
	on_exit(bspi_at_exit, NULL);
	if (bspi.env.verbose && bspi.me == 0)
		say_what_was_chosen(ops);
	atomic_store(&bspi.job.board->seats[bspi.me].state, BSPT_COMPUTING);
	bspi.began_ns = bspi_now();
	bspi.dtime_ns = bspi.began_ns;
	bspi_computing(true);
}

void bspi_begin(const char *place, int64_t maxprocs)
{
	int nprocs;

	if (bspi.phase != BSPI_BEFORE)
		bspi_fail("bsp_begin", place, "called a second time; a program has one SPMD part");
	if (maxprocs <= 0)
		bspi_fail("bsp_begin", place, "%lld processes cannot run a program; at least 1 can",
			  (long long)maxprocs);
	bspi_env_read(&bspi.env);
	bspi_stat_open();
	nprocs = processes_possible(&bspi.env);
	begin_part(place, maxprocs < nprocs ? maxprocs : nprocs);
}

/* ---- Ending --------------------------------------------------------------- */

/* Shared memory stays mapped: areas of the program may show pages of it. */
static void close_part(void)
{
	if (bspi.env.check)
		bspi_check_close();
	bspi_engine_close();
	bspi_region_close();
	bspi_clock_close();
	bspi.clock = false;
	bspi.self->ops->close(bspi.self);
	if (bspi.net)
		bspi.net->ops->close(bspi.net);
}

void bspi_end(const char *place)
{
	bspi_require_running("bsp_end", place);
	bspi_superstep(place, true);
	if (bspi.env.stat && bspi.me == 0)
		bspi_stat_tell(place);
	if (bspi.env.check && bspi.me == 0)
		bspi_suggest_tell();
	bspi.phase = BSPI_AFTER;
	atomic_store(&bspi.job.board->seats[bspi.me].state, BSPT_ENDED);
	close_part();
	if (bspi.spmd && bspi.me != 0)
		exit(EXIT_SUCCESS);
}
