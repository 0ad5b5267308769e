// SPDX-License-Identifier: BSD-3-Clause
/* launched.c - join the processes that a launcher has started, and leave them again. */

/*
 * How a process learns its number, in this order:
 *
 *   BSP_NODES is more than 1                  we start them, on simulated nodes (discover.c)
 *   BSP_DISCOVER names a job                  its parts find each other (discover.c)
 *   the program has initialised MPI           MPI has our rank, the launcher started MPI; a process
 *					       alone in it stays so, as MPI survives no fork
 *   PMIX_NAMESPACE and PMIX_RANK are set      PMIx: mpirun, prterun, srun --mpi=pmix
 *   PMI_SIZE > 1, or PMI_PORT                 Hydra of MPICH, srun --mpi=pmi2: PMI, which only
 *                                             an MPI can use
 *   another launcher says more than 1         an error; so is a launcher that gives no
 *                                             answer
 *   none of these                             we start the processes ourselves
 *
 * For a process that mistakes itself for the only one does the whole work, as do all the others,
 * and no one notices.
 */

#include "job/internal.h"

#include "handshake.h"

#include "transport/launch_env.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WHY_MOST = 512, NEWS_MS = 50 };

/* ---- Joining ---------------------------------------------------------------- */

static int launched_refuse(const struct bspt_sign *sign, int err, const char *reason, char *why,
			   size_t len)
{
	snprintf(why, len, "%s has started %d processes%s, but they cannot find each other: %s; %s",
		 sign->launcher, sign->n, sign->exact ? "" : " or more", reason, sign->advice);
	return err;
}

/* 0: joined; negative errno. */
static int join_by(struct bspj_job *job, const char *part, const char *symbol, char *why,
		   size_t len)
{
	const struct bspj_launch *launch = bspt_plugin(part, symbol, why, len);
	int err = launch ? launch->join(job->words, job->ports, &job->me, &job->nprocs, why, len) :
			   -ENOENT;

	if (!err) {
		job->launch = launch;
		job->launched = true;
	}
	return err;
}

static void leave_launcher(struct bspj_job *job)
{
	job->launch->leave(job->leave_s);
	*job = (struct bspj_job){ .words = job->words, .ports = job->ports, .nprocs = 1 };
}

/* One of the functions of an MPI that the program brings along, if it does. */
static bool mpi_says(const char *name)
{
	int (*ask)(int *flag);
	void *symbol = dlsym(RTLD_DEFAULT, name);
	int flag = 0;

	memcpy(&ask, &symbol, sizeof(ask));
	return symbol && ask(&flag) == 0 && flag;
}

static bool program_uses_mpi(void)
{
	return mpi_says("MPI_Initialized") && !mpi_says("MPI_Finalized");
}

static int join_by_pmix(struct bspj_job *job, char *why, size_t len)
{
	struct bspt_sign sign = bspt_sign_find();
	char reason[WHY_MOST];
	int err = join_by(job, "pmix", "bspj_pmix_launch", reason, sizeof(reason));

	if (!err)
		return 1;
	if (sign.n > 1)
		return launched_refuse(&sign, err, reason, why, len);
	if (sign.n == 1)
		return 0;
	if (err == -ENOENT)
		snprintf(why, len,
			 "a launcher that speaks PMIx has started this process, but the others "
			 "cannot be found: %s; install it, or use bsprun --local",
			 reason);
	else
		snprintf(why, len,
			 "PMIX_NAMESPACE and PMIX_RANK are set, but there is no launcher behind "
			 "them (%s); unset both, or use bsprun --local",
			 reason);
	return err;
}

/* An MPI that does not speak PMI takes itself for the only process. */
static int join_by_mpi(struct bspj_job *job, const struct bspt_sign *sign, char *why, size_t len)
{
	char reason[WHY_MOST];
	int err = join_by(job, "mpi", "bspj_mpi_launch", reason, sizeof(reason));

	if (!err && (job->nprocs == sign->n || !sign->exact))
		return 1;
	if (!err) {
		snprintf(reason, sizeof(reason), "MPI finds %d", job->nprocs);
		leave_launcher(job);
		err = -EPROTO;
	}
	return launched_refuse(sign, err, reason, why, len);
}

/*
 * Only of what runs on this machine alone: what joins launched processes loads code that variables
 * of libpmix and of MPI name.
 */
static int join_none(struct bspj_job *job, char *why, size_t len)
{
	struct bspt_sign sign = bspt_sign_find();

	job->may_fork = true;
	if (sign.n <= 1 && (sign.n == 1 || !bspt_sign_is_pmix()))
		return 0;
	snprintf(why, len,
		 "the program has rights of another user (setuid, setgid, capabilities) and joins "
		 "no processes of a launcher (%s); use bsprun --local",
		 sign.n > 1 ? sign.launcher : "PMIX_NAMESPACE and PMIX_RANK are set");
	return -EPERM;
}

/* Variables that another process has used are gone from the environment, though not from @how. */
static int launched_join(const struct bspj_start *how, struct bspj_job *job, char *why, size_t len)
{
	struct bspt_sign sign = bspt_sign_find();

	if (how->nodes > 1)
		return bspj_simulate_nodes(how, job, why, len);
	if (bspt_is_privileged())
		return join_none(job, why, len);
	if (how->discover[0] && getenv("BSP_DISCOVER"))
		return bspj_discover(how, job, why, len);
	if (program_uses_mpi() && join_by(job, "mpi", "bspj_mpi_launch", why, len) == 0) {
		if (job->nprocs > 1 || sign.n <= 1)
			return 1;
		leave_launcher(job);
	}
	job->may_fork = true;
	if (bspt_sign_is_pmix())
		return join_by_pmix(job, why, len);
	if (sign.n <= 1)
		return 0;
	if (sign.pmi)
		return join_by_mpi(job, &sign, why, len);
	return launched_refuse(&sign, -ENOTCONN, "it has given them no PMIx", why, len);
}

int bspj_join(const struct bspj_start *how, struct bspj_job *job, char *why, size_t len)
{
	int answer, err;

	bspj_keep_stdfds();
	*job = (struct bspj_job){ .words = how->words, .ports = how->ports, .nprocs = 1 };
	bspt_launch_forget_used();
	answer = launched_join(how, job, why, len);
	err = answer > 0 ? bspt_launch_mark() : 0;
	if (err)
		snprintf(why, len, "no memory for the environment");
	return err ? err : answer;
}

/* Where an MPI or PMIx alone knows it, that has to be asked. */
int bspj_count_launched(const struct bspj_start *how)
{
	struct bspt_sign sign;

	if (how->nodes > 1)
		return how->nprocs ? how->nprocs : bspj_processors();
	bspt_launch_forget_used();
	sign = bspt_sign_find();
	if (how->discover[0] && getenv("BSP_DISCOVER"))
		return how->nprocs;
	if (program_uses_mpi())
		return 0;
	return bspt_sign_is_pmix() || (sign.pmi && sign.exact) ? sign.n : 0;
}

bool bspj_is_first_launched(void)
{
	return bspt_sign_find().n > 0 && bspt_sign_process() == 0 && !getenv("BSP_LAUNCH_USED");
}

/* ---- Connecting --------------------------------------------------------------- */

/*
 * The first @nprocs of those launched; where @size is not 0, at most so many successive ones are
 * a node. But never processes of which the launcher says that they are none. How many, or -ENOMEM.
 */
static int launched_number_nodes(const struct bspj_members *members, int nprocs, int size,
				 int *node)
{
	/* of each node of the launcher the last block so far, from 1 on, and its number */
	struct { int block, number; } *last = calloc(members->n, sizeof(*last));
	int nnodes = 0, nnodes_of_job = 0;

	if (!last)
		return -ENOMEM;
	for (int p = 0; p < members->n; p++) {
		int k = members->node[p], block = size ? p / size + 1 : 1;

		if (last[k].block != block) {
			last[k].block = block;
			last[k].number = nnodes++;
		}
		node[p] = last[k].number;
		nnodes_of_job = p < nprocs ? nnodes : nnodes_of_job;
	}
	free(last);
	return nnodes_of_job;
}

static int launched_make_wire(struct bspj_job *job, int node_size, double timeout_s)
{
	int *node = calloc(job->members->n, sizeof(*node));
	int nnodes, err = -ENOMEM;

	if (!node)
		return -ENOMEM;
	nnodes = launched_number_nodes(job->members, job->nprocs, node_size, node);
	if (nnodes > 0 && bspj_members_keep((struct bspj_members *)(uintptr_t)job->members, node,
					    job->me) == 0)
		job->wire = bspj_wire_launched(job, node, nnodes, timeout_s, &err);
	if (job->wire)
		return 0;
	free(node);
	return err;
}

static size_t table_bytes(const struct bspj_job *job)
{
	int rank = job->me < job->nprocs ? job->nprocs : job->me + 1;

	return sizeof(struct bspj_status_table) + rank * sizeof(struct bspj_status);
}

/*
 * Where memory cannot be shared, each process has a table of its own; a process forked here has
 * inherited one.
 */
static int launched_make_table(struct bspj_job *job)
{
	void *at;

	if (job->table)
		return 0;
	at = job->wire->share(job->wire, table_bytes(job), table_bytes(job));
	if (bspj_wire_launched_error(job->wire))
		return bspj_wire_launched_error(job->wire);
	if (!at)
		at = mmap(NULL, table_bytes(job), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return -ENOMEM;
	job->table = at;
	return 0;
}

/* ---- Loss of the launcher ------------------------------------------------------- */

/* The job of this process while it may report that; the lock keeps its lifeline open. */
static pthread_mutex_t loss_lock = PTHREAD_MUTEX_INITIALIZER;
static const struct bspj_job *loss_job;

static void launched_set_loss_job(const struct bspj_job *job)
{
	pthread_mutex_lock(&loss_lock);
	loss_job = job;
	pthread_mutex_unlock(&loss_lock);
}

/* No other process has reported an error; from here on none does, of any node. */
static bool launched_may_report_loss(void)
{
	int none = 0;
	bool may = true;

	pthread_mutex_lock(&loss_lock);
	if (loss_job && loss_job->lifeline && bspj_lifeline_has_fault(loss_job->lifeline))
		may = false;
	else if (loss_job)
		may = atomic_compare_exchange_strong(&loss_job->table->failed_rank, &none,
						     loss_job->me + 1);
	if (loss_job && may)
		bspj_lifeline_send_fault(loss_job);
	pthread_mutex_unlock(&loss_lock);
	return may;
}

static int launched_make_job(const struct bspj_start *how, struct bspj_job *job, char *why,
			     size_t len)
{
	int err = launched_make_wire(job, how->node_size, how->timeout_s);

	if (!err)
		err = launched_make_table(job);
	if (err == -ENOMEM)
		snprintf(why, len, "out of memory for %d processes", job->nprocs);
	else if (err)
		bspj_explain_exchange(err, why, len);
	if (err)
		return err;
	if (job->me >= job->nprocs || how->lifeline_s <= 0 || job->launch->supervises)
		return 0;
	job->leave_s = how->lifeline_s;	/* one that is not needed waits until the job ends */
	err = bspj_lifeline_open(job, how, why, len);
	if (!err && job->launch->watch) {
		launched_set_loss_job(job);
		job->launch->watch(launched_may_report_loss);
	}
	return err;
}

int bspj_connect(const struct bspj_start *how, struct bspj_job *job, char *why, size_t len)
{
	int err = bspj_handshake(job, how, why, len);

	if (!err && job->nprocs == 0) {
		snprintf(why, len, "process 0 ended without %s", how->words->begin);
		err = -ECANCELED;
	}
	return err ? err : launched_make_job(how, job, why, len);
}

/* The table stays: it shows to readers that we have ended. */
void bspj_leave(struct bspj_job *job)
{
	if (!job->launch)
		return;
	launched_set_loss_job(NULL);
	bspj_lifeline_close(job);
	job->launch->leave(job->leave_s);
	job->launch = NULL;
	if (job->wire)
		bspj_wire_launched_free(job->wire);
	job->wire = NULL;
	bspj_members_free((struct bspj_members *)(uintptr_t)job->members);
	job->members = NULL;
}

/* An MPI that the program has initialised wants an end; the program will not come to it. */
void bspj_leave_unused(struct bspj_job *job)
{
	int (*finalize)(void);
	void *symbol = job->launched ? dlsym(RTLD_DEFAULT, "MPI_Finalize") : NULL;

	if (job->supervised)
		atomic_store(&job->table->rank[job->me].state, BSPJ_ENDED);
	bspj_leave(job);
	memcpy(&finalize, &symbol, sizeof(finalize));
	if (symbol && program_uses_mpi())
		finalize();
}

/* ---- Aborting ------------------------------------------------------------------ */

void bspj_abort(const struct bspj_job *job, int status)
{
	if (!bspj_has_launcher(job))
		return;
	bspj_lifeline_send_fault(job);
	/* The launcher may end a process before its lifeline has notified other nodes. */
	poll(NULL, 0, NEWS_MS);
	bspj_launcher_abort(job, status);
}
