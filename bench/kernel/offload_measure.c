// SPDX-License-Identifier: BSD-3-Clause
/* offload_measure.c - latency, overlap and processor time of collective operations. */

/*
 * As NBCBench does: a piece of work is calibrated, an operation is started, the work done
 * without a call of whatever runs the operation, and the operation waited for. The overhead is the
 * time that all this takes beyond the work alone; hidden is the rest of the operation, as a share:
 * 1 - (both - work) / alone. All times are of the job, from the first process's beginning to
 * the last one's end.
 *
 * The P hosts share one processor, on which all that they do takes P times as long as on one
 * for each. So all times are divided by P, and offload.sh makes the link P times as slow as it
 * says: then they are those of P hosts with a processor each. All work at once, and the work
 * gives way after each piece of PIECE_S: otherwise one process would be done with its work, and
 * wait and answer, while others have not begun with theirs. It is as much as takes WORK times
 * as long as the operation.
 *
 * The ways take turns within each round, each round another one first.
 */
#include "offload.h"

#include "goal/gen/goal_gen.h"
#include "tools/measure/clock.h"
#include "tools/measure/sample.h"
#include "tools/measure/work.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WARM = 5, BATCH = 20, ROUNDS_OF_A_BATCH = 5, MOST_ROUNDS = 1000, PIECES = 64 };

static const double PIECE_S = 10e-6, WORK = 1.5;

struct operation {
	const char *name;
	enum goal_kind kind;
	const char *algorithm;		/* NULL: an exchange with neighbours */
};

static const struct operation operations[OFFLOAD_OPERATIONS] = {
	{ "barrier", GOAL_BARRIER, "dissemination" },
	{ "tree", GOAL_BARRIER, "binomial" },
	{ "exchange", GOAL_EXCHANGE, "bruck" },
	{ "neighbors", GOAL_EXCHANGE, NULL },
};

static const struct offload_way *const ways[OFFLOAD_WAYS] = { &offload_softirq, &offload_worker,
							      &offload_esp, &offload_tcp };

/* Seconds of processor time. */
struct usage {
	double processes, workers, idle;
};

/* Memory that all processes of a job see. */
struct shared {
	pthread_barrier_t barrier;
	double began[OFFLOAD_PROCESSES], ended[OFFLOAD_PROCESSES];
	double used[OFFLOAD_PROCESSES];
	struct usage machine;		/* rank 0's, of the last batch */
};

/* The work that is done @times times: an operation, or work, or both. */
struct trial {
	const struct offload_way *way;	/* NULL: work alone */
	int operation, times;
	long work;			/* pieces */
};

struct values {
	double alone[MOST_ROUNDS], over[MOST_ROUNDS], hidden[MOST_ROUNDS];
	double latency[MOST_ROUNDS], processes[MOST_ROUNDS], workers[MOST_ROUNDS],
		rest[MOST_ROUNDS];
	int nbatches;
};

static struct shared *shared;
static struct offload_job job;
static struct values values[OFFLOAD_OPERATIONS][OFFLOAD_WAYS];
static long turns;			/* of a piece */

static void offload_meet(void)
{
	pthread_barrier_wait(&shared->barrier);
}

/* ---- Work ------------------------------------------------------------------------------- */

static void offload_work(long pieces)
{
	for (long i = 0; i < pieces; i++) {
		work_do(turns);
		sched_yield();
	}
}

static long turns_of_a_piece(void)
{
	enum { TURNS = 20000, ROUNDS = 50 };

	return (long)(TURNS * 1e9 * PIECE_S / work_least_ns(TURNS, ROUNDS)) + 1;
}

/* ---- Operations --------------------------------------------------------------------------- */

static void *generated(int o, size_t *len)
{
	struct goal_task task = { .kind = operations[o].kind,
				  .arity = 2,
				  .networks = 1,
				  .call = -1,
				  .source = 0,
				  .target = 1,
				  .algorithm = goal_algorithm_named(operations[o].kind,
								    operations[o].algorithm),
				  .bytes = operations[o].kind == GOAL_BARRIER ? 0 : OFFLOAD_BLOCK };
	char why[160];
	void *block = goal_generate(&task, job.nprocs, job.rank, len, why, sizeof why);

	errno = EINVAL;
	if (!block)
		offload_fail(why);
	return block;
}

static void load_all(int o)
{
	size_t len;
	void *block = operations[o].algorithm ? generated(o, &len) : offload_neighbors(&job, &len);

	for (int w = 0; w < OFFLOAD_WAYS; w++)
		ways[w]->load(o, block, len);
	/* The block is read as long as the process lives. */
}

/* A figure of an operation that went wrong is worth nothing. */
static void offload_check_from(int q, const uint64_t *got, uint64_t turn_number)
{
	if (got[q] != turn_number * 100 + (uint64_t)(q * 10 + job.rank)) {
		errno = EBADMSG;
		offload_fail("what was exchanged");
	}
}

static void offload_check(int o, const uint64_t *got, uint64_t turn_number)
{
	int pids[2], n = offload_neighbors_of(&job, pids);

	if (operations[o].algorithm)
		for (int q = 0; q < job.nprocs; q++)
			offload_check_from(q, got, turn_number);
	else
		for (int k = 0; k < n; k++)
			offload_check_from(pids[k], got, turn_number);
}

static void offload_once(const struct trial *t)
{
	static uint64_t source[OFFLOAD_PROCESSES], target[OFFLOAD_PROCESSES], turn_number;

	turn_number++;
	for (int q = 0; q < job.nprocs; q++)
		source[q] = turn_number * 100 + (uint64_t)(job.rank * 10 + q);
	t->way->start(t->operation, source, target);
	offload_work(t->work);
	t->way->finish(t->operation);
	if (operations[t->operation].kind == GOAL_EXCHANGE)
		offload_check(t->operation, target, turn_number);
}

/* Between two trials all processes wait for each other, and none is in an operation. */
static void offload_choose(const struct trial *t)
{
	static char softirq;

	if (job.rank != 0 || !t->way || !t->way->softirq || t->way->softirq == softirq)
		return;
	softirq = t->way->softirq;
	offload_set_softirq(softirq);
}

static double offload_seconds(const struct trial *t)
{
	double first, last;

	offload_choose(t);
	offload_meet();
	shared->began[job.rank] = clock_now_s();
	if (!t->way)
		offload_work(t->work);
	for (int i = 0; t->way && i < t->times; i++)
		offload_once(t);
	shared->ended[job.rank] = clock_now_s();
	offload_meet();
	first = shared->began[0];
	last = shared->ended[0];
	for (int q = 1; q < job.nprocs; q++) {
		first = shared->began[q] < first ? shared->began[q] : first;
		last = shared->ended[q] > last ? shared->ended[q] : last;
	}
	return last - first;
}

/* ---- Processor time ----------------------------------------------------------------- */

static double of_this_process(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* The sum of the numbers behind @key in the file; the first one in it without a key. */
static double sum_in(const char *path, const char *key)
{
	FILE *in = fopen(path, "r");
	char line[256];
	double sum = 0;

	while (in && fgets(line, sizeof line, in)) {
		char *at = strstr(line, key);

		if (at)
			sum += atof(at + strlen(key));
		if (!*key)
			break;
	}
	if (in)
		fclose(in);
	return sum;
}

static bool is_worker(const char *pid)
{
	char path[300], name[32] = "";
	FILE *in;

	snprintf(path, sizeof path, "/proc/%s/comm", pid);
	in = fopen(path, "r");
	if (in && !fgets(name, sizeof name, in))
		name[0] = 0;
	if (in)
		fclose(in);
	return strncmp(name, "kworker", 7) == 0 || strncmp(name, "ksoftirqd", 9) == 0;
}

/* Threads of the kernel that do others' work; those of softirqs are among them. */
static double of_workers(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *e;
	char path[300];
	double ns = 0;

	while (proc && (e = readdir(proc))) {
		if (e->d_name[0] < '1' || e->d_name[0] > '9' || !is_worker(e->d_name))
			continue;
		snprintf(path, sizeof path, "/proc/%s/schedstat", e->d_name);
		ns += sum_in(path, "");
	}
	if (proc)
		closedir(proc);
	return 1e-9 * ns;
}

static struct usage usage_now(void)
{
	return (struct usage){ .workers = of_workers(),
			       .idle = 1e-9 * sum_in("/proc/timer_list", "idle_sleeptime : ") };
}

/*
 * A batch, in which nothing is done but operations, one after the other; rank 0 looks at the
 * machine.
 */
static void offload_batch(const struct trial *t, struct values *v)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct usage before = { 0 }, after = { 0 };
	double began, wall, took, used = 0, own, each = t->times * job.nprocs;

	offload_meet();
	if (job.rank == 0)
		before = usage_now();
	began = clock_now_s();
	own = of_this_process();
	took = offload_seconds(t);
	shared->used[job.rank] = of_this_process() - own;
	offload_meet();
	wall = clock_now_s() - began;
	if (job.rank == 0)
		after = usage_now();
	for (int q = 0; q < job.nprocs; q++)
		used += shared->used[q];
	v->latency[v->nbatches] = 1e6 * took / each;
	v->processes[v->nbatches] = 1e6 * used / each;
	v->workers[v->nbatches] = 1e6 * (after.workers - before.workers) / each;
	v->rest[v->nbatches] = 1e6 *
			       ((double)processors * wall - (after.idle - before.idle) -
				(after.workers - before.workers) - used) /
			       each;
	v->nbatches++;
}

/* ---- Rounds ------------------------------------------------------------------------- */

/*
 * Pieces that take WORK times as long as the operation by the slowest way, with all processes
 * at it.
 */
static long pieces_for(int o)
{
	double slowest = 0, each[WARM], alone[WARM];

	for (int w = 0; w < OFFLOAD_WAYS; w++) {
		for (int i = 0; i < WARM; i++)
			alone[i] = offload_seconds(&(struct trial){ ways[w], o, 1, 0 });
		slowest = sample_median(alone, WARM) > slowest ? alone[WARM / 2] : slowest;
	}
	for (int i = 0; i < WARM; i++)
		each[i] = offload_seconds(&(struct trial){ NULL, o, 1, PIECES }) / PIECES;
	return (long)(WORK * slowest / sample_median(each, WARM)) + 1;
}

/* @plain: seconds of the work without the operation. */
static void offload_measure(int o, int w, int r, long pieces, double plain)
{
	struct values *v = &values[o][w];
	double alone = offload_seconds(&(struct trial){ ways[w], o, 1, 0 });
	double both = offload_seconds(&(struct trial){ ways[w], o, 1, pieces });

	v->alone[r] = 1e6 * alone / job.nprocs;
	v->over[r] = 1e6 * (both - plain) / job.nprocs;
	if (r % ROUNDS_OF_A_BATCH == 0)
		offload_batch(&(struct trial){ ways[w], o, BATCH, 0 }, v);
}

static void round_of(int o, int r, long pieces)
{
	double plain = offload_seconds(&(struct trial){ NULL, o, 1, pieces });

	for (int w = 0; w < OFFLOAD_WAYS; w++)
		offload_measure(o, (w + r) % OFFLOAD_WAYS, r, pieces, plain);
}

static void offload_print(int o, int w, int rounds, const char *link)
{
	struct values *v = &values[o][w];
	const char *what = operations[o].name, *way = ways[w]->name;
	double alone = sample_median(v->alone, rounds);

	for (int r = 0; r < rounds; r++)
		v->hidden[r] = 1 - v->over[r] / alone;
	offload_row("latency", what, way, job.nprocs, link, v->latency, v->nbatches);
	offload_row("alone", what, way, job.nprocs, link, v->alone, rounds);
	offload_row("hidden", what, way, job.nprocs, link, v->hidden, rounds);
	offload_row("overhead", what, way, job.nprocs, link, v->over, rounds);
	offload_row("processes", what, way, job.nprocs, link, v->processes, v->nbatches);
	offload_row("workers", what, way, job.nprocs, link, v->workers, v->nbatches);
	offload_row("rest", what, way, job.nprocs, link, v->rest, v->nbatches);
}

static void process(int rank, int rounds, const char *link)
{
	long pieces[OFFLOAD_OPERATIONS];

	job.rank = rank;
	offload_enter(rank);
	for (int w = 0; w < OFFLOAD_WAYS; w++)
		ways[w]->open(&job, offload_meet);
	for (int o = 0; o < OFFLOAD_OPERATIONS; o++) {
		load_all(o);
		pieces[o] = pieces_for(o);
	}
	for (int r = 0; r < rounds; r++)
		for (int o = 0; o < OFFLOAD_OPERATIONS; o++)
			round_of(o, r, pieces[o]);
	for (int o = 0; rank == 0 && o < OFFLOAD_OPERATIONS; o++)
		for (int w = 0; w < OFFLOAD_WAYS; w++)
			offload_print(o, w, rounds, link);
	offload_meet();
	_exit(EXIT_SUCCESS);
}

/* One that fails takes the others with it, which would wait for it. */
static void wait_for_all(int nprocs, const pid_t *child)
{
	int status;

	for (int left = nprocs; left > 0 && wait(&status) > 0; left--) {
		if (status == 0)
			continue;
		for (int q = 0; q < nprocs; q++)
			kill(child[q], SIGKILL);
		exit(EXIT_FAILURE);
	}
}

void offload_collectives(int nprocs, int rounds, const char *link)
{
	pthread_barrierattr_t attr;
	pid_t child[OFFLOAD_PROCESSES];

	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		offload_fail("memory");
	pthread_barrierattr_init(&attr);
	pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&shared->barrier, &attr, (unsigned int)nprocs);
	turns = turns_of_a_piece();
	job = (struct offload_job){ .nprocs = nprocs, .key = (uint64_t)(1e9 * clock_now_s()) };
	fflush(stdout);
	for (int q = 0; q < nprocs; q++) {
		child[q] = fork();
		if (child[q] < 0)
			offload_fail("fork");
		if (child[q] == 0)
			process(q, rounds, link);
	}
	wait_for_all(nprocs, child);
}
