// SPDX-License-Identifier: BSD-3-Clause
/* spmd.c - the SPMD part: how many processes, which transport, beginning and end. */

#include "bsplib/api/spmd.h"

#include "bsplib/api/announce.h"
#include "bsplib/api/places.h"
#include "bsplib/api/threads.h"
#include "bsplib/collective/coll.h"
#include "bsplib/core/env.h"
#include "bsplib/core/error.h"
#include "bsplib/core/exit.h"
#include "bsplib/core/observe.h"
#include "bsplib/core/phase.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/in.h"
#include "bsplib/engine/record.h"
#include "bsplib/model/model.h"
#include "bsplib/model/network.h"
#include "bsplib/model/params.h"
#include "bsplib/observer/check.h"
#include "bsplib/observer/recorder.h"
#include "bsplib/observer/replay.h"
#include "bsplib/observer/section.h"
#include "bsplib/observer/stat.h"
#include "bsplib/schedule/immediate.h"
#include "bsplib/schedule/progress.h"
#include "bsplib/schedule/schedule.h"
#include "bsplib/sync/barrier.h"
#include "bsplib/sync/relaxed.h"
#include "bsplib/sync/superstep.h"
#include "bsplib/transfer/answer.h"
#include "bsplib/transfer/ask.h"
#include "bsplib/transfer/bsmp.h"
#include "bsplib/transfer/bulk.h"
#include "bsplib/transfer/direct.h"
#include "bsplib/transfer/fast.h"
#include "bsplib/transfer/forked.h"
#include "bsplib/transfer/handler.h"
#include "bsplib/transfer/region.h"
#include "bsplib/transfer/twophase.h"

#include "common/setting.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	/* processes up to which a chunk to every process beats the counting barrier */
	ALLTOALL_MOST = 8,
	ALLTOALL_FAR_MOST = 2,	/* and over a network beats rounds */
	WHY_MOST = 512,
};

/* The SPMD function that bsp_init was given. */
static void (*program)(void);
/* As it was when the part began. */
static struct bspi_node node;
/* BSP_OFFLOAD=auto: what bspi.env.offload says was chosen. */
static bool offload_is_auto;

/* ---- How many --------------------------------------------------------------- */

static struct bspj_start make_start(const struct bspi_env *env, int nprocs)
{
	return (struct bspj_start){
		.words = bspi_job_words(),
		.nprocs = nprocs,
		.bind = bspi_binding_of(env->bind),
		.bind_auto = strcmp(env->bind, "auto") == 0,
		.tag_output = env->tag_output,
		.supervise = env->tag_output || env->watchdog > 0 || env->record[0],
		.on_failure = env->record[0] ? bspi_recorder_note_failure : NULL,
		.watchdog_s = env->watchdog,
		.warn_s = env->watchdog_warn,
		.lifeline_s = env->lifeline,
		.node_size = env->node_size, .nodes = (int)env->nodes,
		.load = bspi_preload_transport,
		.discover = env->discover, .part = env->part,
		.interfaces = env->interface, .networks = env->networks, .ports = env->ports,
		.timeout_s = env->join_wait,
	};
}

/*
 * A process that has joined the others ends without bsp_begin. After bsp_init they wait for process
 * 0 there.
 */
static void leave_before_begin(int status, void *unused)
{
	struct bspj_start none = { .words = bspi_job_words() };
	char why[WHY_MOST];

	(void)status;
	(void)unused;
	if (bspi.phase != BSPI_BEFORE || bspi.os_pid != getpid() || !bspi.job.launch)
		return;
	if (program)
		bspj_connect(&none, &bspi.job, why, sizeof(why));
	bspj_leave(&bspi.job);
}

/* Once: has a launcher started us, or is this a part of a job? */
static void spmd_join(const char *call, const char *site, const struct bspi_env *env)
{
	static bool asked;
	struct bspj_start how = make_start(env, env->nprocs);
	char why[WHY_MOST];
	int answer;

	if (asked)
		return;
	asked = true;
	answer = bspj_join(&how, &bspi.job, why, sizeof(why));
	if (answer < 0)
		bspi_fail(call, site, "%s", why);
	bspi.job.launched = answer > 0;
	bspi.os_pid = getpid();
	if (bspi.job.launched)
		bspi_exit_call(leave_before_begin);
}

/* So many of the @n processes that a launcher has started take part. */
static int processes_wanted(const char *call, const char *site, const struct bspi_env *env, int n)
{
	if (env->nprocs > n)
		bspi_fail(call, site,
			  "BSP_NPROCS asks for %lld processes, but the launcher has started %d; "
			  "start as many",
			  (long long)env->nprocs, n);
	return env->nprocs ? env->nprocs : n;
}

/*
 * The processes that a launcher has started; a single one may still start others if the user says
 * how many.
 */
static int processes_launched(const char *call, const char *site, const struct bspi_env *env)
{
	if (bspi.job.nprocs == 1 && env->nprocs > 1 && bspi.job.may_fork) {
		bspj_leave(&bspi.job);
		bspi.job.launched = false;
		return env->nprocs;
	}
	return processes_wanted(call, site, env, bspi.job.nprocs);
}

/*
 * As many as there can be: what the user says, or one for each processor if the transport takes
 * them.
 */
static int processes_possible(const char *call, const char *site, const struct bspi_env *env)
{
	const struct bspt_ops *ops;
	int most = bspi_setting_find("BSP_NPROCS")->most;
	int n = bspj_processors() < most ? bspj_processors() : most;
	char why[WHY_MOST];

	spmd_join(call, site, env);
	if (bspi.job.launched)
		return processes_launched(call, site, env);
	if (env->nprocs)
		return env->nprocs;
	ops = bspt_find(env->transport);
	return ops && ops->probe(n, why, sizeof(why)) < 0 ? 1 : n;
}

/*
 * Before bsp_begin, after which a program may go on, or print how it is used and end: it joins no
 * others if the launcher has said how many there are.
 */
int bspi_nprocs(void)
{
	static struct bspi_env env;
	struct bspj_start how;
	int n;

	if (bspi.phase >= BSPI_RUNNING || (bspi.phase == BSPI_AFTER && bspi.job.launched))
		return bspi.nprocs;
	bspi_env_read(&env);
	bspi_places_restrict("bsp_nprocs", NULL, env.bind);
	how = make_start(&env, env.nprocs);
	n = bspi.phase == BSPI_BEFORE && !bspi.job.launched ? bspj_count_launched(&how) : 0;
	if (n == 1 && env.nprocs > 1)
		return env.nprocs;
	return n ? processes_wanted("bsp_nprocs", NULL, &env, n) :
		   processes_possible("bsp_nprocs", NULL, &env);
}

/* This process ends here: it is not needed, or has done its part; main() goes on in another. */
static _Noreturn void exit_unused(void)
{
	bspj_leave_unused(&bspi.job);
	exit(EXIT_SUCCESS);
}

/* After bsp_init process 0 alone runs main(), and so knows what bsp_begin is to be given. */
static bool follows_process_0(void)
{
	return program && bspi.job.launched && bspi.job.me > 0;
}

/*
 * After bsp_end. Where we have started the processes ourselves, process 0 may go on to another
 * SPMD part; those of the last one are not needed then.
 */
static void require_another_part(const char *call, const char *site)
{
	if (bspi.job.launched)
		bspi_fail(call, site,
			  "called after bsp_end; a program that a launcher has started (mpirun, "
			  "srun, mpiexec, --nodes) has one SPMD part; make one of them all, or "
			  "start it on one machine with bsprun --local");
	if (bspi.me > 0)
		exit_unused();
}

void bspi_init(const char *site, void (*spmd)(void))
{
	struct bspi_env env;

	if (bspi.phase > BSPI_RUNNING)
		bspi_fail_phase("bsp_init", site);
	if (bspi.phase == BSPI_RUNNING)
		bspi_fail("bsp_init", site,
			  "called inside the SPMD part; call it before bsp_begin");
	if (!spmd)
		bspi_fail("bsp_init", site, "the function is NULL");
	if (bspi.phase == BSPI_AFTER) {
		require_another_part("bsp_init", site);
		program = spmd;
		return;
	}
	if (program)
		bspi_fail("bsp_init", site,
			  "called a second time before bsp_begin; call it once for each SPMD part");
	program = spmd;
	bspi_env_read(&env);
	spmd_join("bsp_init", site, &env);
	/*
	 * Launched processes do not inherit what the first one does before bsp_begin: they come
	 * to it themselves.
	 */
	if (follows_process_0()) {
		spmd();
		exit_unused();
	}
}

/* ---- Not at all ------------------------------------------------------------- */

/* Has bsprun become this very program, or had a launcher start this process of it? */
static bool is_run_by_bsprun(void)
{
	const char *by = getenv("BSP_BSPRUN");

	return by && (atoi(by) == getpid() ||
		      (strcmp(by, "launcher") == 0 && bspj_is_first_launched()));
}

/* Programs may end so, to print how they are used; but the user has asked for processes. */
static void say_if_never_begun(int status, void *unused)
{
	const char *n = getenv("BSP_NPROCS");

	(void)unused;
	if (bspi_exit_is_error(status) || bspi.phase != BSPI_BEFORE || !is_run_by_bsprun())
		return;
	if (!n)
		bspi_warn("bsp",
			  "the program ended without bsp_begin, so nothing of it ran in parallel");
	else if (atoi(n) > 1)
		bspi_warn("bsp",
			  "the program ended without bsp_begin, so nothing of it ran in parallel "
			  "(bsprun -n %s)", n);
}

__attribute__((constructor)) static void watch_for_begin(void)
{
	if (is_run_by_bsprun())
		bspi_exit_call(say_if_never_begun);
}

/* ---- Choosing ------------------------------------------------------------- */

/* Is it meant for such a job? If this machine allows it, too, is known by its probe(). */
static bool is_meant(const struct bspt_ops *ops, char *why, size_t len)
{
	return bspt_check(ops, why, len) == 0 && ops->accepts(bspi.env.emulate, why, len) == 0 &&
	       !bspi_places_are_crowded(ops, why, len) &&
	       bspi_places_are_reached(ops, why, len);
}

/* From here on BSP_EMULATE is the parameters, whatever happens to a file of them. */
static void read_parts_of_settings(const char *site)
{
	char why[BSPI_NETWORK_WHY];

	if (bspi_network_text(bspi.env.emulate, bspi.env.emulate, sizeof(bspi.env.emulate), why,
			      sizeof(why)) < 0)
		bspi_fail("bsp_begin", site, "BSP_EMULATE: %s", why);
	bspi_coll_read(site);
	bspi_stat_choose(site);
}

/* The one of that name, or for auto the first that can run here. */
static const struct bspt_ops *choose_transport(const char *site, const char *name, int nprocs)
{
	const struct bspt_ops *ops, *refused = NULL;
	bool by_name = strcmp(name, "auto") != 0, meant, says_most = false;
	char why[WHY_MOST], last[WHY_MOST];

	for (unsigned int i = 0; (ops = by_name ? bspt_find(name) : bspt_at(i)); i++) {
		meant = is_meant(ops, last, sizeof(last));
		if (meant && ops->probe(nprocs, last, sizeof(last)) == 0)
			return ops;
		if (!says_most) {
			refused = ops;
			memcpy(why, last, sizeof(why));
		}
		/* where a node has thousands, endpoints are no way out; emu says its own */
		if (by_name || (!bspi.env.emulate[0] &&
				bspi_places_are_crowded(ops, last, sizeof(last))))
			break;
		/* Nor is any better that comes after the one that would emulate the network. */
		says_most |= (meant && ops != bspt_own()) ||
			     (ops->caps & BSPT_CAP_CLOCK && bspi.env.emulate[0]);
	}
	if (!refused)
		bspi_fail("bsp_begin", site,
			  "transport %s is not built in; bspinfo lists those that are", name);
	bspi_fail("bsp_begin", site, "transport %s cannot be used: %s", refused->name, why);
}

/* A transport cannot reach a peer any more. A process that knows why has time to report it. */
static void spmd_lose_peer(int peer, const char *why)
{
	static const struct timespec a_while = { .tv_sec = 2 };
	const char *call = bspi.net ? bspi_last_call() : "bsp_begin";
	const char *site = bspi.job.table ? bspi_own_site() : NULL;

	if (bspi.net)
		nanosleep(&a_while, NULL);
	if (peer < 0)
		bspi_fail(call, site, "the network failed: %s", why);
	bspi_fail(call, site, "process %d cannot be reached: %s", peer, why);
}

static struct bspt_plan make_plan(const struct bspt_ops *ops, int nprocs)
{
	node = bspi_places_of_node(ops, bspi.env.spin, bspi.env.yield);
	return (struct bspt_plan){
		.nprocs = nprocs,
		.wait_policy = {
			.spin_ns = 1000 * node.spin_us, .yield_ns = 1000 * node.yield_us,
		},
		.reserve_bytes = bspi.env.shm_reserve,
		.network = bspi.env.emulate,
		.provider = bspi.env.provider, .networks = bspi.env.networks,
		.interface = bspi.env.interface, .ports = bspi.env.ports,
		.far = bspi.env.far,
		.offload = strcmp(bspi.env.offload, "0") != 0,
		.threads = strcmp(bspi.env.progress, "thread") == 0,
		.wire = bspi.job.wire,
		.lost = spmd_lose_peer,
		.stalled = bspi_end_stalled, .stall_ns = bspi_stall_ns(),
		.sums = bspi.env.check && !(ops->caps & BSPT_CAP_CLOCK),
		.damaged = bspi_fail_overwritten,
		.length_mismatch = bspi_offload_length_mismatch,
	};
}

/* The same on all processes, whatever each is bound to: a counting barrier is of one node. */
static enum bspi_barrier choose_barrier(const struct bspt_ops *ops,
					const struct bspt_plan *plan)
{
	bool counts = (ops->caps & BSPT_CAP_COUNTING) && !plan->sums;
	int processors = bspi.job.launched ? sysconf(_SC_NPROCESSORS_ONLN) : bspj_processors();

	if (strcmp(bspi.env.barrier, "alltoall") == 0)
		return BSPI_ALLTOALL;
	if (strcmp(bspi.env.barrier, "twophase") == 0)
		return BSPI_TWO_PHASES;
	if (bspi_barrier_choose(bspi.env.barrier))
		return BSPI_BY_SCHEDULE;
	bspi_barrier_choose("dissemination");
	if (strcmp(bspi.env.barrier, "counting") == 0)
		return counts ? BSPI_COUNTING : BSPI_BY_SCHEDULE;
	if (!counts)
		return plan->nprocs <= ALLTOALL_FAR_MOST ? BSPI_ALLTOALL : BSPI_BY_SCHEDULE;
	return plan->nprocs <= ALLTOALL_MOST && plan->nprocs <= processors ? BSPI_ALLTOALL :
									     BSPI_COUNTING;
}

/* ---- Beginning ------------------------------------------------------------ */

static struct bspt *open_transport(const char *site, const struct bspt_ops *ops,
				   const struct bspt_plan *plan)
{
	struct bspt *t;
	int err = bspt_open(ops, plan, bspi.me, &t);

	if (err == -ENOMEM)
		bspi_fail_memory("bsp_begin", site);
	if (err < 0)
		bspi_fail("bsp_begin", site, "transport %s cannot be opened: %s", ops->name,
			  strerror(-err));
	return t;
}

/* It communicates with no process but itself, so nothing is prepared for others. */
static bool spmd_is_alone(const struct bspt_ops *ops, int nprocs)
{
	return nprocs == 1 && !bspi.job.launched && !(ops->caps & BSPT_CAP_CLOCK);
}

static void open_transports(const char *site, const struct bspt_ops *ops,
			    const struct bspt_plan *plan)
{
	struct bspt_plan alone = { .nprocs = 1, .network = "" };

	if (bspi.me >= bspi.nprocs) {
		bspt_open(ops, plan, bspi.me, &bspi.net);	/* what the network asks of all */
		exit_unused();
	}
	bspi.self = open_transport(site, bspt_own(), &alone);
	bspi.self->me = bspi.me;
	if (spmd_is_alone(ops, bspi.nprocs))
		return;
	bspi.net = open_transport(site, ops, plan);
	bspi.clock = bspi.metered = ops->caps & BSPT_CAP_CLOCK;
}

static void spmd_prepare(const char *site, const struct bspt_ops *ops, struct bspt_plan *plan)
{
	int err = ops->prepare(plan);

	if (err == -ENOMEM)
		bspi_fail("bsp_begin", site,
			  "no memory for %d processes; ask for fewer (bsprun -n) or raise the "
			  "limit (ulimit -v)",
			  plan->nprocs);
	if (err < 0 && plan->wire->closed)
		bspi_fail("bsp_begin", site,
			  "processes of one machine cannot open the memory that they share: %s; "
			  "let them share /proc or a network namespace, or set BSP_TRANSPORT to "
			  "mpi or ofi",
			  strerror(plan->wire->closed));
	if (err < 0)
		bspi_fail("bsp_begin", site, "transport %s cannot be prepared: %s", ops->name,
			  strerror(-err));
}

/* Fork them, after what they are to inherit has been prepared. */
static void start_processes(const char *site, const struct bspt_ops *ops, struct bspt_plan *plan)
{
	struct bspj_start how = make_start(&bspi.env, plan->nprocs);
	int err;

	bspi_threads_prepare(site, &how);
	if (!spmd_is_alone(ops, plan->nprocs))
		spmd_prepare(site, ops, plan);
	err = bspj_start(&how, &bspi.job);
	if (err == -EBADF)
		bspi_fail("bsp_begin", site,
			  "the program has closed descriptors that it did not open, and without "
			  "these no other SPMD part can begin; close only those of the program");
	if (err)
		bspi_fail("bsp_begin", site,
			  "cannot start %d processes: %s; ask for fewer (bsprun -n) or raise the "
			  "limits (ulimit -n, -u, -v; pids.max, memory.max of a container)",
			  plan->nprocs, strerror(-err));
	bspi.job.wire->me = bspi.job.me;
	bspi_threads_settle(&how, bspi.job.me);
}

static void prepare_launched(const char *site, const struct bspt_ops *ops, struct bspt_plan *plan)
{
	struct bspj_start how = make_start(&bspi.env, plan->nprocs);

	bspi_threads_bind_launched(&how);
	spmd_prepare(site, ops, plan);
}

/* They are there; find each other. Returns how many are to be the job: what process 0 says. */
static int spmd_connect(const char *site, int nprocs)
{
	struct bspj_start how = make_start(&bspi.env, nprocs);
	char why[WHY_MOST], common[BSPJ_COMMON];
	int err;

	bspi_env_write_common(common, sizeof(common));
	how.common = common;
	how.follows = follows_process_0();
	err = bspj_connect(&how, &bspi.job, why, sizeof(why));
	if (err == -ECANCELED && how.follows)
		exit_unused();
	if (err < 0)
		bspi_fail("bsp_begin", site, "%s", why);
	if (bspi.job.nprocs > (int)bspi_setting_find("BSP_NPROCS")->most)
		bspi_fail("bsp_begin", site, "a job cannot have %d processes", bspi.job.nprocs);
	if (bspi_env_take_common(&bspi.env, common))
		read_parts_of_settings(site);
	return bspi.job.nprocs;
}

static int note_address(struct dl_phdr_info *info, size_t size, void *address)
{
	uintptr_t first = info->dlpi_phnum ? info->dlpi_phdr[0].p_vaddr : 0;

	(void)size;
	*(uintptr_t *)address = info->dlpi_addr + first;
	return 1;		/* the program comes first; the rest are libraries */
}

/* The sites of its calls are near this one, though the site of bsp_begin is not known. */
static uintptr_t address_in_program(void)
{
	uintptr_t address = 0;

	dl_iterate_phdr(note_address, &address);
	return address;
}

/*
 * The kernel hides latency, not what messages take of the processor, to which it adds a call and
 * interrupts: it wins where the wire takes as long as both ends (bench/OFFLOAD.md). All processes
 * have the same parameters.
 */
static bool offload_pays(void)
{
	const struct bspi_params *params = bspi_params();
	const struct bspi_plogp *p = &params->plogp;
	double ends = params->measured ? bspi_model_send(p, 1) + bspi_model_receive(p, 1) : 0;

	return params->measured && p->L - ends >= ends;
}

static void settle_offload(void)
{
	offload_is_auto = strcmp(bspi.env.offload, "auto") == 0;
	if (offload_is_auto)
		strcpy(bspi.env.offload, offload_pays() ? "1" : "0");
}

/* The processes are there when this returns, and this is one of them. */
static const struct bspt_ops *get_going(const char *site, int nprocs, struct bspt_plan *plan)
{
	const struct bspt_ops *ops;

	if (bspi.job.launched)
		nprocs = spmd_connect(site, nprocs);
	else
		bspi.job.wire = bspj_wire_local(nprocs, bspi.env.node_size);
	if (!bspi.job.wire)
		bspi_fail_memory("bsp_begin", site);
	ops = choose_transport(site, bspi.env.transport, nprocs);
	bspi_params_read(site, ops->name, nprocs);
	settle_offload();
	*plan = make_plan(ops, nprocs);
	/* before they are bound, after which each sees one processor */
	bspi_barrier = choose_barrier(ops, plan);
	bspi.two_phases = bspi_barrier == BSPI_TWO_PHASES;
	if (bspi.job.launched)
		prepare_launched(site, ops, plan);
	else
		start_processes(site, ops, plan);
	bspi.me = bspi.job.me;
	bspi.nprocs = nprocs;
	return ops;
}

/* Where each of them is in its program: the same address if they are copies of one process. */
static void set_site_base(const char *site)
{
	bool is_in_program = site && !bspj_site_is_number(site) && !bspi.job.launched;
	uintptr_t address = is_in_program ? (uintptr_t)bspj_site_address(site) :
			    address_in_program();

	bspi.site_base = bspi_site_turned((const char *)address);
	if (bspi.job.launched)
		atomic_store(&bspi.job.table->rank[bspi.me].site_base, address);
}

/* At exit of a process that has not called bsp_end. */
static void end_without_bsp_end(int status, void *unused)
{
	(void)unused;
	if (bspi.phase < BSPI_RUNNING || bspi.os_pid != getpid())
		return;
	bspi_progress_stop();
	if (bspi_exit_is_error(status) && bspi.job.supervised)
		return;			/* the supervisor names the status */
	if (status == BSPI_STATUS_UNKNOWN)
		bspi_fail("bsp_end", NULL, "was not called before the end of the program");
	bspi_fail_with((status & 0xff) ? status & 0xff : EXIT_FAILURE, "bsp_end",
		       "was not called before the end of the program (exit status %d)", status);
}

/*
 * In a child that the program forks, in the SPMD part or after it; the processes themselves are
 * forked before.
 */
static void be_forked(void)
{
	bspi_fork_child();
	if (bspi.phase == BSPI_BEFORE)
		return;
	bspi.phase = BSPI_FORKED;
	bspi_fast_close();
}

/*
 * Once: an SPMD part to come inherits what the first has asked for. Without memory children are
 * not found out.
 */
static void watch_the_program(void)
{
	static bool watched;

	if (!watched) {
		bspi_exit_call(end_without_bsp_end);
		pthread_atfork(bspi_fork_begins, bspi_fork_ends, be_forked);
	}
	watched = true;
}

/* The parts of the runtime, from the bottom up: bsplib/layers. */
static void open_parts(void)
{
	bspi_engine_open();
	bspi_region_open();
	bspi_handlers_open();
	bspi_direct_open();
	bspi_queue_open();
	bspi_answers_open();
	bspi_bulk_open();
	bspi_ask_open();
	bspi_twophase_open();
	bspi_schedules_open();
	bspi_immediate_open();
	bspi_coll_agree_open();
	bspi_relaxed_open();
	bspi_barrier_open();
	bspi_section_open();
	bspi_replay_open();
	bspi_stat_open();
	bspi_check_open();
	bspi_recorder_open();
	bspi_replay_follow();
}

static void close_parts(void)
{
	bspi_barrier_close();
	bspi_relaxed_close();
	bspi_coll_close();
	bspi_immediate_close();
	bspi_schedules_close();
	bspi_twophase_close();
	bspi_ask_close();
	bspi_answers_close();
	bspi_queue_close();
	bspi_direct_close();
	bspi_engine_close();
	bspi_region_close();
}

static void begin_part(const char *site, int nprocs)
{
	struct bspt_plan plan;
	const struct bspt_ops *ops = get_going(site, nprocs, &plan);

	bspi.os_pid = getpid();
	bspi.phase = BSPI_RUNNING;
	open_transports(site, ops, &plan);
	bspi_params_open();
	bspi_barrier_choose_by_cost();
	set_site_base(site);
	bspj_share_files(bspi.job.table);
	open_parts();
	watch_the_program();
	if (bspi.me == 0)
		bspi_announce_renamed();
	if (bspi.env.verbose && bspi.me == 0)
		bspi_announce_choice(ops, offload_is_auto, &node);
	if (bspi.env.report_bindings)
		bspi_places_report();
	bspi_show_step();
	bspi.began_ns = bspi_now();
	bspi.dtime_ns = bspi.began_ns;
	bspi_computing(true);
	bspi_progress_open(site);
}

/*
 * Everything is as before the first SPMD part, except that the job may have a supervisor and a
 * status table.
 */
static void forget_last_part(void)
{
	bspj_wire_local_free(bspi.job.wire);
	bspi.job.wire = NULL;
	bspi = (struct bspi){
		.phase = BSPI_BEFORE, .job = bspi.job,
		.os_pid = bspi.os_pid,
	};
}

void bspi_begin(const char *site, int64_t maxprocs)
{
	int nprocs;

	if (bspi.phase > BSPI_RUNNING)
		bspi_fail_phase("bsp_begin", site);
	if (bspi.phase == BSPI_RUNNING)
		bspi_fail("bsp_begin", site, "called inside the SPMD part; call bsp_end first");
	if (bspi.phase == BSPI_AFTER) {
		require_another_part("bsp_begin", site);
		forget_last_part();
	}
	if (maxprocs <= 0 && !follows_process_0())
		bspi_fail("bsp_begin", site, "%lld processes cannot run a program; at least 1 can",
			  (long long)maxprocs);
	bspi_env_read(&bspi.env);
	bspi_places_restrict("bsp_begin", site, bspi.env.bind);
	read_parts_of_settings(site);
	bspi_recorder_choose();
	nprocs = processes_possible("bsp_begin", site, &bspi.env);
	begin_part(site, maxprocs < nprocs ? maxprocs : nprocs);
}

/* ---- Ending --------------------------------------------------------------- */

/* The end of meet() wakes no process that waits in the transport, so this one does not sleep. */
static void keep_moving(void *unused)
{
	(void)unused;
	if (!bspi_take_in())
		bspi.net->ops->wait(bspi.net, 0);
}

/*
 * Over a network no process closes before all have left the last barrier: what is still under way
 * to another could be lost with the connection. Nor does one stop polling: another may
 * wait in that barrier for an acknowledgement that only we can repeat.
 */
static void spmd_part(void)
{
	struct bspt_wire *w = bspi.job.wire;

	bspi_show_awaited(BSPI_WAIT_CLOSE, 0, 0);
	if (bspi.net && !(bspi.net->ops->caps & BSPT_ONE_NODE))
		w->meet(w, keep_moving, NULL);
}

static void close_part(void)
{
	BSPI_EVENT(close, ());
	bspi.observers = NULL;
	spmd_part();
	bspi_show_end();
	close_parts();
	bspi_clock_close();
	bspi.clock = bspi.metered = false;
	bspi.self->ops->close(bspi.self);
	if (bspi.net)
		bspi.net->ops->close(bspi.net);
	bspi_bulk_close();
	bspj_leave(&bspi.job);
	bspj_binding_undo();
	bspi_threads_restore();
}

void bspi_end(const char *site)
{
	bspi_require_running("bsp_end", site);
	bspi_enter();
	bspi_goal_end(site);
	bspi_coll_end(site);
	bspi_superstep(site, true);
	bspi_progress_close();
	if (bspi.me == 0)
		BSPI_EVENT(report, (site));
	bspi.phase = BSPI_AFTER;
	close_part();
	if (program && bspi.me != 0)
		exit_unused();
}
