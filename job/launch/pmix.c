// SPDX-License-Identifier: BSD-3-Clause
/* pmix.c - what a launcher that speaks PMIx does for the processes it has started. */

/*
 * An exchange is a fence: each process puts what it has to say under one key, named by the
 * number of the exchange, and the fence brings what all have put to the daemon of each node, which
 * is asked for that of each process in turn. So processes of a node have one that asks for them
 * (node_exchange.c), from the moment on at which they share memory.
 * Daemons take each process's keys in one piece and keep them, so that there is one key in an
 * exchange, and few exchanges.
 *
 * PMIx has a thread of its own. It calls on_lost_server() when the daemon of this node is gone,
 * which is all that it shares with us; what that reads is written before it is registered, or
 * atomic.
 */

#include "job/job.h"
#include "transport/hostname.h"

#include <errno.h>
#include <pmix.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SLEEP_LEAST_NS = 200000, SLEEP_MOST_NS = 50000000 };

extern const struct bspj_launch bspj_pmix_launch;

static pmix_proc_t myself;
static uint32_t nlaunched;
static uint32_t first_here;	/* of the processes of this node */
static unsigned int nexchanges;
static bool together;		/* all have been in an exchange */

static int pmix_errno_of(pmix_status_t status)
{
	switch (status) {
	case PMIX_SUCCESS:
	case PMIX_OPERATION_SUCCEEDED:	/* completed at once, without a callback */
		return 0;
	case PMIX_ERR_UNREACH:
		return -ENOTCONN;
	case PMIX_ERR_TIMEOUT:
		return -ETIMEDOUT;
	case PMIX_ERR_NOMEM:
		return -ENOMEM;
	default:
		return -EIO;
	}
}

static int pmix_explain(const char *call, pmix_status_t status, char *why, size_t len)
{
	snprintf(why, len, "%s: %s", call, PMIx_Error_string(status));
	return pmix_errno_of(status);
}

static pmix_proc_t pmix_process(uint32_t rank)
{
	pmix_proc_t proc;

	memset(&proc, 0, sizeof(proc));
	memcpy(proc.nspace, myself.nspace, sizeof(proc.nspace));
	proc.rank = rank;
	return proc;
}

/* ---- Losing the daemon ---------------------------------------------------- */

static bool (*_Atomic may_report_loss)(void);

static void pmix_watch(bool (*may_report)(void))
{
	atomic_store(&may_report_loss, may_report);
}

static bool pmix_is_to_report(void)
{
	bool (*ask)(void) = atomic_load(&may_report_loss);

	return myself.rank == first_here && (!ask || ask());
}

/* One message for the node; its first process is the one to lose the daemon, as all do. */
static void on_lost_server(size_t id, pmix_status_t status, const pmix_proc_t *source,
			   pmix_info_t info[], size_t ninfo, pmix_info_t *results, size_t nresults,
			   pmix_event_notification_cbfunc_fn_t done, void *arg)
{
	char host[BSPT_HOSTNAME];
	sigset_t broken_pipes;

	(void)id, (void)source, (void)info, (void)ninfo, (void)results, (void)nresults;
	(void)done, (void)arg;
	/* Our output may go through the daemon, too. */
	sigemptyset(&broken_pipes);
	sigaddset(&broken_pipes, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &broken_pipes, NULL);
	bspt_hostname(host);
	if (pmix_is_to_report())
		dprintf(STDERR_FILENO,
			"bsp: the launcher's daemon on %s is gone (%s), and the job ends with it; "
			"was mpirun or srun killed?\n",
			host, PMIx_Error_string(status));
	_exit(EXIT_FAILURE);
}

static void ignore_registration(pmix_status_t status, size_t id, void *arg)
{
	(void)status, (void)id, (void)arg;
}

static void watch_server(void)
{
	static pmix_status_t codes[] = {
		PMIX_ERR_LOST_CONNECTION, PMIX_ERR_LOST_CONNECTION_TO_SERVER,
	};

	PMIx_Register_event_handler(codes, sizeof(codes) / sizeof(codes[0]), NULL, 0,
				    on_lost_server, ignore_registration, NULL);
}

/* ---- Joining -------------------------------------------------------------- */

/* A fact that the launcher knows of the job; PMIX_UNIV_SIZE would be the room that it has. */
static pmix_status_t get_of_job(const char *key, pmix_value_t **value)
{
	pmix_proc_t all = pmix_process(PMIX_RANK_WILDCARD);

	return PMIx_Get(&all, key, NULL, 0, value);
}

static pmix_status_t get_size(void)
{
	pmix_value_t *value = NULL;
	pmix_status_t status = get_of_job(PMIX_JOB_SIZE, &value);

	if (status != PMIX_SUCCESS)
		return status;
	if (value->type != PMIX_UINT32 || value->data.uint32 == 0)
		status = PMIX_ERR_BAD_PARAM;
	else
		nlaunched = value->data.uint32;
	PMIX_VALUE_RELEASE(value);
	return status;
}

static uint32_t least_of(const char *ranks)
{
	uint32_t least = myself.rank;
	char *end;

	for (; *ranks; ranks = *end ? end + 1 : end) {
		unsigned long rank = strtoul(ranks, &end, 10);

		if (end == ranks)
			break;
		if (rank < least)
			least = rank;
	}
	return least;
}

/* If the launcher does not list the local processes, we assume to be alone. */
static void find_first_here(void)
{
	pmix_value_t *value = NULL;

	first_here = myself.rank;
	if (get_of_job(PMIX_LOCAL_PEERS, &value) != PMIX_SUCCESS)
		return;
	if (value->type == PMIX_STRING && value->data.string)
		first_here = least_of(value->data.string);
	PMIX_VALUE_RELEASE(value);
}

static pmix_status_t pmix_publish(const char *key, const void *mine, size_t len)
{
	pmix_value_t value;
	pmix_status_t status;

	memset(&value, 0, sizeof(value));
	value.type = PMIX_BYTE_OBJECT;
	value.data.bo.bytes = (char *)(uintptr_t)mine;
	value.data.bo.size = len;
	status = PMIx_Put(PMIX_GLOBAL, key, &value);
	if (status == PMIX_SUCCESS)
		status = PMIx_Commit();
	return status;
}

/* The key that process 0 has put when it has joined. */
static const char first_key[] = "bsp.first";

/* At once: NOT_FOUND, or what the daemons find out within a second. */
static pmix_status_t look_for_first(void)
{
	pmix_proc_t first = pmix_process(0);
	pmix_value_t *value = NULL;
	pmix_status_t status;
	pmix_info_t info;

	memset(&info, 0, sizeof(info));
	strncpy(info.key, PMIX_TIMEOUT, sizeof(info.key) - 1);
	info.value.type = PMIX_INT;
	info.value.data.integer = 1;
	status = PMIx_Get(&first, first_key, &info, 1, &value);
	if (status == PMIX_SUCCESS)
		PMIX_VALUE_RELEASE(value);
	return status;
}

static double pmix_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/*
 * Waits are counted in turns of at most so many seconds: while the job is stopped and continued
 * no process can come.
 */
enum { TURN_S = 2 };

/*
 * Some daemons answer when process 0 has put the value, others at once, so this repeats the
 * request. A daemon without an answer is no reason to fail.
 */
static int pmix_await_first(double timeout_s)
{
	double waited = 0, began, turn;
	struct timespec pause = { .tv_nsec = SLEEP_LEAST_NS };
	pmix_status_t status;

	if (timeout_s <= 0)
		return 0;
	for (;;) {
		began = pmix_seconds();
		status = look_for_first();
		if (status != PMIX_ERR_NOT_FOUND && status != PMIX_ERR_TIMEOUT)
			return 0;
		if (waited > timeout_s)
			return -ETIMEDOUT;
		nanosleep(&pause, NULL);
		turn = pmix_seconds() - began;
		waited += turn < TURN_S ? turn : TURN_S;
		if (pause.tv_nsec < SLEEP_MOST_NS)
			pause.tv_nsec *= 2;
	}
}

static int pmix_join(const struct bspj_words *words, const char *ports, int *me, int *nprocs,
		     char *why, size_t len)
{
	pmix_status_t status = PMIx_Init(&myself, NULL, 0);

	(void)words;
	(void)ports;
	if (status != PMIX_SUCCESS)
		return pmix_explain("PMIx_Init", status, why, len);
	status = get_size();
	if (status != PMIX_SUCCESS) {
		PMIx_Finalize(NULL, 0);
		return pmix_explain("PMIx_Get of the number of processes", status, why, len);
	}
	if (myself.rank == 0)
		pmix_publish(first_key, "", 1);	/* if that fails the others say so */
	find_first_here();
	watch_server();
	*me = myself.rank;
	*nprocs = nlaunched;
	return 0;
}

/* ---- Exchanging ----------------------------------------------------------- */

static pmix_info_t with_data(void)
{
	pmix_info_t info;

	memset(&info, 0, sizeof(info));
	strncpy(info.key, PMIX_COLLECT_DATA, sizeof(info.key) - 1);
	info.value.type = PMIX_BOOL;
	info.value.data.flag = true;
	return info;
}

static pmix_proc_t *list_members(uint32_t n)
{
	pmix_proc_t *members = calloc(n, sizeof(*members));

	for (uint32_t rank = 0; members && rank < n; rank++) {
		members[rank] = myself;
		members[rank].rank = rank;
	}
	return members;
}

/*
 * A fence; completed by the thread of PMIx, and freed by the last of the two threads that use it.
 */
struct fence {
	pthread_mutex_t lock;
	pthread_cond_t over_now;
	pmix_status_t status;
	bool over, forsaken;
};

static struct fence *fence_create(void)
{
	struct fence *f = calloc(1, sizeof(*f));
	pthread_condattr_t monotonic;

	if (!f)
		return NULL;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&f->over_now, &monotonic);
	pthread_condattr_destroy(&monotonic);
	pthread_mutex_init(&f->lock, NULL);
	return f;
}

static void fence_destroy(struct fence *f)
{
	pthread_cond_destroy(&f->over_now);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

static void on_fence_over(pmix_status_t status, void *arg)
{
	struct fence *f = arg;
	bool forsaken;

	pthread_mutex_lock(&f->lock);
	f->status = status;
	f->over = true;
	forsaken = f->forsaken;
	pthread_cond_signal(&f->over_now);
	pthread_mutex_unlock(&f->lock);
	if (forsaken)
		fence_destroy(f);
}

/* Is it over? Otherwise it took too long, and its end destroys it. */
static bool fence_wait(struct fence *f, double timeout_s, pmix_status_t *status)
{
	struct timespec until;
	double waited;
	bool over;

	pthread_mutex_lock(&f->lock);
	for (waited = 0; !f->over && (timeout_s <= 0 || waited < timeout_s); waited += TURN_S) {
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_sec += TURN_S;
		pthread_cond_timedwait(&f->over_now, &f->lock, &until);
	}
	over = f->over;
	f->forsaken = !over;
	*status = over ? f->status : PMIX_ERR_TIMEOUT;
	pthread_mutex_unlock(&f->lock);
	return over;
}

/* The value of a process of another version may be of another length. @place is for @take. */
static int pmix_collect(const char *key, uint32_t rank, size_t len, int place, bspt_take_fn *take,
			void *arg)
{
	pmix_proc_t peer = pmix_process(rank);
	pmix_value_t *value = NULL;
	pmix_status_t status = PMIx_Get(&peer, key, NULL, 0, &value);
	int err = 0;

	if (status != PMIX_SUCCESS)
		return pmix_errno_of(status);
	if (value->type == PMIX_BYTE_OBJECT && value->data.bo.size == len)
		take(arg, place, value->data.bo.bytes);
	else
		err = -EPROTO;
	PMIX_VALUE_RELEASE(value);
	return err;
}

/*
 * Put what this process has under @key, NULL: nothing, and wait until processes 0 to @n - 1 have.
 * There are no fences of other processes: with slurmd's part for PMIx 4 a fence of some of the
 * processes of each node may never end, beside those of all.
 */
static int pmix_put_and_fence(const char *key, const void *mine, size_t len, int n,
			      double timeout_s)
{
	bool is_of_all = (uint32_t)n == nlaunched;
	pmix_proc_t *members = is_of_all ? NULL : list_members(n);
	pmix_status_t status = mine ? pmix_publish(key, mine, len) : PMIX_SUCCESS;
	pmix_info_t info = with_data();
	struct fence *f = NULL;

	if (status == PMIX_SUCCESS) {
		f = members || is_of_all ? fence_create() : NULL;
		status = f ? PMIx_Fence_nb(members, members ? n : 0, &info, 1, on_fence_over, f) :
			     PMIX_ERR_NOMEM;
	}
	if (status == PMIX_SUCCESS && !fence_wait(f, timeout_s, &status))
		f = NULL;
	if (f)
		fence_destroy(f);
	free(members);
	return pmix_errno_of(status);
}

static int pmix_exchange(const void *mine, size_t len, bspt_take_fn *take, void *arg, int n,
			 double timeout_s)
{
	char key[32];
	int err;

	snprintf(key, sizeof(key), "bsp.%u", nexchanges++);
	err = pmix_put_and_fence(key, mine, len, n, timeout_s);
	for (int p = 0; p < n && !err; p++)
		err = pmix_collect(key, p, len, p, take, arg);
	together |= !err;
	return err;
}

/* Its own piece need not be looked up. */
static int pmix_exchange_pieces(const int *of, const size_t *len, int n, const void *mine,
				bspt_take_fn *take, void *arg, int nprocs, double timeout_s)
{
	static unsigned int npieces;
	char key[32];
	int ours = 0, err;

	while (mine && (uint32_t)of[ours] != myself.rank)
		ours++;
	snprintf(key, sizeof(key), "bsp.node.%u", npieces++);
	err = pmix_put_and_fence(key, mine, len[ours], nprocs, timeout_s);
	for (int i = 0; i < n && mine && !err; i++) {
		if (i == ours)
			take(arg, i, mine);
		else
			err = pmix_collect(key, of[i], len[i], i, take, arg);
	}
	return err;
}

/* Called by the thread of PMIx. */
struct meeting {
	pmix_status_t status;
	atomic_bool over;
};

static void on_met(pmix_status_t status, void *arg)
{
	struct meeting *m = arg;

	m->status = status;
	atomic_store(&m->over, true);
}

static int pmix_meet(int n, void (*meanwhile)(void *arg), void *arg)
{
	pmix_proc_t *members = list_members(n);
	struct meeting m = { .over = false };
	pmix_status_t status;

	if (!members)
		return -ENOMEM;
	status = PMIx_Fence_nb(members, n, NULL, 0, on_met, &m);
	while (status == PMIX_SUCCESS && !atomic_load(&m.over))
		meanwhile(arg);
	free(members);
	return pmix_errno_of(status == PMIX_SUCCESS ? m.status : status);
}

struct pmix_numbering {
	int *node, nnodes, err;
};

/* The next process has said which is the first of its node. */
static void pmix_number(void *arg, int p, const void *its)
{
	struct pmix_numbering *n = arg;
	uint32_t first;

	memcpy(&first, its, sizeof(first));
	if (first > (uint32_t)p)
		n->err = -EPROTO;
	else
		n->node[p] = first == (uint32_t)p ? n->nnodes++ : n->node[first];
}

static int pmix_nodes(int *node, int nprocs)
{
	struct pmix_numbering n = { .node = node };
	int err = pmix_exchange(&first_here, sizeof(first_here), pmix_number, &n, nprocs, 0);

	return err ? err : n.err;
}

/* ---- Ending --------------------------------------------------------------- */

static void pmix_leave(double timeout_s)
{
	(void)timeout_s;
	PMIx_Finalize(NULL, 0);
}

/*
 * The launcher ends us as well, if it still can. Open MPI 4's mpirun dies or hangs now and then
 * (4 of 60) when it is asked to while processes wait in their first fence; a status that is not
 * 0 ends the job as well, with more words.
 */
static __attribute__((noreturn)) void pmix_abort(int status)
{
	if (!together && getenv("OMPI_COMM_WORLD_SIZE"))
		_exit(status);
	PMIx_Abort(status, "a process of a BSP program has ended the job", NULL, 0);
	_exit(status);
}

__attribute__((visibility("default")))
const struct bspj_launch bspj_pmix_launch = {
	.name = "pmix",
	.join = pmix_join,
	.await_first = pmix_await_first,
	.nodes = pmix_nodes,
	.exchange = pmix_exchange,
	.exchange_pieces = pmix_exchange_pieces,
	.meet = pmix_meet,
	.watch = pmix_watch,
	.leave = pmix_leave,
	.abort = pmix_abort,
};
