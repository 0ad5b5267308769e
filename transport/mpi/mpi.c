// SPDX-License-Identifier: BSD-3-Clause
/* mpi.c - the transport on MPI: where it can run, how it begins and ends. */

#include "mpi.h"

#include "mpi_host.h"

#include "transport/duplicate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	/*
	 * Processes for which we are the launcher: all are on this machine, where each takes 40 MB
	 * of MPI's, 10 GB with these, and transport shm is for thousands. A launcher of MPI knows
	 * no such limit.
	 */
	FORKED_MOST = 256,
	GOOD_CHUNK = 64 << 10,
	MIN_BULK = 64 << 10,
	VERSION_MOST = 100,
};

/* Exchanged by all processes in open(). */
struct card {
	int rank;			/* in MPI_COMM_WORLD */
	char version[VERSION_MOST];
};

/* ---- Can it run ---------------------------------------------------------------- */

static bool is_initialised(void)
{
	int yes;

	MPI_Initialized(&yes);
	return yes;
}

static bool is_finalised(void)
{
	int yes;

	MPI_Finalized(&yes);
	return yes;
}

static int probe_world(int nprocs, char *why, size_t len)
{
	int size;

	if (is_finalised()) {
		snprintf(why, len, "the program has finalised MPI, which cannot start again");
		return -EPERM;
	}
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (size >= nprocs)
		return 0;
	snprintf(why, len, "MPI has been initialised with %d process%s, not %d", size,
		 size == 1 ? "" : "es", nprocs);
	return -EINVAL;
}

/*
 * This process used our own host before; MPI can be initialised only once in a process, and does
 * not survive a fork.
 */
static bool was_hosted;

static int mpi_probe(int nprocs, char *why, size_t len)
{
	int launched = bspt_mpi_launched(), err = bspt_mpi_compatible(why, len);

	if (err)
		return err;
	if (was_hosted) {
		snprintf(why, len,
			 "MPI serves one SPMD part of a program, and has; take another transport "
			 "(BSP_TRANSPORT, BSP_FAR)");
		return -ENOTSUP;
	}
	if (is_initialised())
		return probe_world(nprocs, why, len);
	if (launched < 0 || launched >= nprocs)
		return 0;
	if (launched > 0) {
		snprintf(why, len, "the launcher of MPI has started %d process%s, not %d", launched,
			 launched == 1 ? "" : "es", nprocs);
		return -EINVAL;
	}
	if (nprocs > FORKED_MOST) {
		snprintf(why, len,
			 "without a launcher of MPI it is for up to %d processes, each of which "
			 "takes 40 MB, not %d; on one machine shm takes more, and mpirun "
			 "starts more",
			 FORKED_MOST, nprocs);
		return -EINVAL;
	}
	return mpi_host_probe(nprocs, why, len);
}

/* ---- Begin ----------------------------------------------------------------------- */

/* Processes that are forked, or a single one, need a launcher, unless the program has MPI. */
static bool needs_host(const struct bspt_plan *plan)
{
	return (!plan->wire || plan->wire->inherits) && !is_initialised();
}

static int mpi_prepare(struct bspt_plan *plan)
{
	struct mpi_host *host = NULL;
	int err = needs_host(plan) ? mpi_host_start(plan->nprocs, &host) : 0;

	if (err == 0)
		plan->shared = host;
	return err;
}

struct mpi_meeting {
	const struct bspt_plan *plan;
	struct card mine;
	int *rank;			/* of each process */
	int err;
};

static void mpi_take_card(void *arg, int p, const void *its)
{
	struct mpi_meeting *m = arg;
	char why[2 * VERSION_MOST + 80];
	struct card card;

	memcpy(&card, its, sizeof(card));
	m->rank[p] = card.rank;
	if (strcmp(card.version, m->mine.version) == 0)
		return;
	snprintf(why, sizeof(why), "its MPI is %s, but ours is %s; all must have the same",
		 card.version, m->mine.version);
	m->plan->lost(p, why);
	m->err = -ELIBBAD;
}

/*
 * Check that all processes have the same MPI, and get their ranks in it. The caller frees *@rank.
 */
static int mpi_meet(const struct bspt_plan *plan, int **rank)
{
	struct mpi_meeting m = { .plan = plan };
	int err = 0;

	m.rank = *rank = calloc(plan->nprocs, sizeof(**rank));
	if (!*rank)
		return -ENOMEM;
	MPI_Comm_rank(MPI_COMM_WORLD, &m.mine.rank);
	bspt_mpi_version(m.mine.version, sizeof(m.mine.version));
	if (plan->wire && plan->nprocs > 1)
		err = plan->wire->exchange(plan->wire, &m.mine, sizeof(m.mine), mpi_take_card, &m);
	else
		m.rank[0] = m.mine.rank;
	return err ? err : m.err;
}

/* A launcher that is not of this MPI leaves each process alone in its world. */
static int check_world(const struct bspt_plan *plan)
{
	char why[400];
	int size;

	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (size >= plan->nprocs)
		return 0;
	bspt_mpi_mismatch(why, sizeof(why));
	plan->lost(-1, why);
	return -ELIBBAD;
}

/* Several threads may call only an MPI that knows of it. */
static int check_threads(const struct bspt_plan *plan)
{
	int level;

	MPI_Query_thread(&level);
	if (!plan->threads || level >= MPI_THREAD_SERIALIZED)
		return 0;
	plan->lost(-1, "BSP_PROGRESS=thread needs an MPI that was initialised with "
		       "MPI_THREAD_SERIALIZED: let the program call MPI_Init_thread with it, or "
		       "set BSP_PROGRESS=calls");
	return -ENOTSUP;
}

static int create_comms(struct bspt_mpi *m, const int *rank)
{
	MPI_Group world, ours;
	int rc, there, *most;

	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, m->base.nprocs, rank, &ours);
	rc = MPI_Comm_create_group(MPI_COMM_WORLD, ours, BSPT_MPI_CHUNK, &m->chunks);
	MPI_Group_free(&ours);
	MPI_Group_free(&world);
	if (rc != MPI_SUCCESS)
		return rc;
	MPI_Comm_set_errhandler(m->chunks, MPI_ERRORS_RETURN);
	rc = MPI_Comm_dup(m->chunks, &m->bulks);
	if (rc != MPI_SUCCESS)
		return rc;
	MPI_Comm_set_errhandler(m->bulks, MPI_ERRORS_RETURN);
	MPI_Comm_get_attr(m->bulks, MPI_TAG_UB, &most, &there);
	m->most_tag = there ? *most : 32767;	/* what each MPI has at least */
	return MPI_SUCCESS;
}

/*
 * Does MPI yield while it polls? Open MPI does if it knows of more processes than processors. A
 * bool is read into the first byte.
 */
static bool yields_when_idle(void)
{
	int index, count, value = 0, provided;
	MPI_T_cvar_handle handle;

	if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS)
		return false;
	if (MPI_T_cvar_get_index("mpi_yield_when_idle", &index) == MPI_SUCCESS &&
	    MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS) {
		if (count == 1)
			MPI_T_cvar_read(handle, &value);
		MPI_T_cvar_handle_free(&handle);
	}
	MPI_T_finalize();
	return value;
}

/*
 * Measured as that of shm, by Open MPI on one machine; what lies below MPI elsewhere is not
 * known here.
 */
static const struct bspt_cost cost = { .L = 180, .o = 100, .g = 210, .G = 0.1 };

static struct bspt_mpi *mpi_create(const struct bspt_plan *plan, int me)
{
	struct bspt_mpi *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->peer = calloc(plan->nprocs, sizeof(*m->peer));
	if (!m->peer) {
		free(m);
		return NULL;
	}
	m->base.me = me;
	m->base.nprocs = plan->nprocs;
	m->base.max_chunk = SIZE_MAX / 4;
	m->base.good_chunk = GOOD_CHUNK;
	m->base.min_direct = SIZE_MAX;
	m->base.min_bulk = MIN_BULK;
	m->base.cost = cost;
	bspt_pool_init(&m->pool, BSPT_MPI_IDLE_MOST);
	m->wait_policy = plan->wait_policy;
	m->yields = yields_when_idle();
	m->lost = plan->lost;
	m->host = plan->shared;
	return m;
}

static void mpi_destroy(struct bspt_mpi *m)
{
	bspt_pool_free(&m->pool);
	free(m->pending.request);
	free(m->pending.task);
	free(m->peer);
	free(m);
}

/* Is the text of MPI's variable @name @standard? Yes, if it has none of that name. */
static bool mpi_variable_is(const char *name, const char *standard)
{
	MPI_T_cvar_handle handle;
	bool same = true;
	int index, count;
	char *value;

	if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
	    MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS)
		return true;
	value = calloc(1, (size_t)count + 1);
	if (value && MPI_T_cvar_read(handle, value) == MPI_SUCCESS)
		same = strcmp(value, standard) == 0;
	free(value);
	MPI_T_cvar_handle_free(&handle);
	return same;
}

#define EXCLUDED "127.0.0.1/8,sppp"	/* the default */

/*
 * Does a file of Open MPI (mca-params.conf) name interfaces? It has no TCP if one of the two
 * parameters is set there and the other in the environment. It alone knows the files that it reads;
 * to ask takes a quarter of a second. The environment is read again when MPI begins.
 */
static bool files_choose_networks(void)
{
	bool chosen;
	int provided;

	if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS)
		return false;
	chosen = !mpi_variable_is("btl_tcp_if_include", "") ||
		 !mpi_variable_is("btl_tcp_if_exclude", EXCLUDED);
	MPI_T_finalize();
	return chosen;
}

/*
 * By which interfaces Open MPI connects nodes, unless its own settings say so: those that
 * BSP_INTERFACE allows, or all but the ones whose address another host of the job has as well, by
 * which it would hang. It reads that when it begins.
 */
static int choose_networks(const struct bspt_plan *plan)
{
	static const char include[] = "OMPI_MCA_btl_tcp_if_include",
			  exclude[] = "OMPI_MCA_btl_tcp_if_exclude";
	uint32_t duplicates[BSPT_DUPLICATES_MOST];
	bool is_named = plan->networks && *plan->networks;
	char list[400] = EXCLUDED ",";
	size_t len = strlen(list);
	int err;

	if (!plan->wire || plan->wire->inherits || plan->wire->nnodes == 1)
		return 0;
	err = bspt_duplicate_find(plan->wire, duplicates);
	if (err || is_initialised() || getenv(include) || getenv(exclude))
		return err;
	if ((!is_named && !duplicates[0]) || files_choose_networks())
		return 0;
	if (is_named)
		return setenv(include, plan->networks, true) < 0 ? -errno : 0;
	/* of /32 Open MPI 4.1 makes a mask of no bits, which excludes all */
	bspt_duplicate_list(duplicates, "/31", list + len, sizeof(list) - len);
	return setenv(exclude, list, true) < 0 ? -errno : 0;
}

/* Our own host has no TCP. */
static int choose_ports(const struct bspt_plan *plan)
{
	char why[BSPT_PORTS_WHY];
	int err;

	if (!plan->wire || plan->wire->inherits)
		return 0;
	err = bspt_mpi_use_ports(plan->ports, why);
	if (err == -EADDRINUSE)
		plan->lost(-1, why);
	return err;
}

/* MPI has begun: what remains is the job's. */
static int open_in_world(const struct bspt_plan *plan, int me, struct bspt_mpi **out)
{
	struct bspt_mpi *m;
	int *rank = NULL, err = check_world(plan);

	if (!err)
		err = check_threads(plan);
	if (!err)
		err = mpi_meet(plan, &rank);
	m = err ? NULL : mpi_create(plan, me);
	if (!err && !m)
		err = -ENOMEM;
	if (!err)
		bspt_mpi_check(m, create_comms(m, rank), -1);
	free(rank);
	*out = m;
	return err;
}

static int mpi_open_object(const struct bspt_plan *plan, int me, struct bspt **out)
{
	struct bspt_mpi *m;
	int err = plan->shared ? mpi_host_enter(plan->shared, me) : 0;

	if (!err && me < plan->nprocs)
		err = choose_networks(plan);
	if (!err && me < plan->nprocs)
		err = choose_ports(plan);
	if (!err)
		err = bspt_mpi_hold(plan->threads);
	if (err)
		return err;
	if (plan->shared)
		mpi_host_entered(plan->shared);
	err = me < plan->nprocs ? open_in_world(plan, me, &m) : -ECANCELED;
	if (err) {
		bspt_mpi_drop();
		return err;
	}
	*out = &m->base;
	return 0;
}

/* ---- End --------------------------------------------------------------------------- */

/*
 * Before memory is freed no transfer to or from it may be in flight: bspt_mpi_settle(). If that
 * fails MPI stays initialised, and the memory that it may still use allocated.
 *
 * Processes of our own host do not finalise MPI. No other process uses their MPI, the host does
 * not require it, and Open MPI 4.1 takes 50 ms for it and can crash: its progress thread may
 * still have an event for a component that is already unloaded.
 */
static void mpi_close_object(struct bspt *t)
{
	struct bspt_mpi *m = bspt_mpi_of(t);
	struct mpi_host *host = m->host;

	if (is_finalised()) {
		mpi_destroy(m);
	} else if (bspt_mpi_settle(m)) {
		MPI_Comm_free(&m->bulks);
		MPI_Comm_free(&m->chunks);
		mpi_destroy(m);
	} else {
		bspt_mpi_forsake();
	}
	if (host)
		mpi_host_leave(host);
	else
		bspt_mpi_drop();
	was_hosted |= host != NULL;
}

extern const struct bspt_ops bspt_mpi_ops;

__attribute__((visibility("default"))) const struct bspt_ops bspt_mpi_ops = {
	.name = "mpi",
	.summary = "any network that MPI knows",
	.caps = BSPT_CAP_BULK | BSPT_FAR,
	.accepts = bspt_accepts_none,
	.probe = mpi_probe,
	.prepare = mpi_prepare,
	.open = mpi_open_object,
	.close = mpi_close_object,
	.via = bspt_via_itself,
	.chunk = bspt_mpi_chunk,
	.send = bspt_mpi_send,
	.discard = bspt_mpi_release,
	.poll = bspt_mpi_poll,
	.release = bspt_mpi_release,
	.trim = bspt_mpi_trim,
	.wait = bspt_mpi_wait,
	.bulk_send = bspt_mpi_bulk_send,
	.bulk_recv = bspt_mpi_bulk_recv,
};
