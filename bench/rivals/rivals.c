// SPDX-License-Identifier: BSD-3-Clause
/* rivals.c - how much of a barrier and an allreduce is hidden behind computing, in a guest. */

/*
 *	rivals WAY ROUNDS LINK		rows as offload_row() prints them, of who is called WAY
 *
 * The method is that of ../kernel/offload_measure.c, with a library's own processes and calls: all
 * P hosts of the guest share one processor, so times are divided by P, and rivals.sh makes the
 * link P times as slow. Processes meet in memory that they share, so that no message of a meeting
 * is under way in a trial.
 */
#include "rivals.h"

#include "bench/kernel/offload.h"
#include "tools/measure/clock.h"
#include "tools/measure/sample.h"
#include "tools/measure/work.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WARM = 5, MOST_ROUNDS = 1000, PIECES = 64, HOSTS_MOST = 64 };

static const double PIECE_S = 10e-6, WORK = 1.5;
static const char shared_name[] = "/rivals";

static const char *const operation_names[] = {
	[RIVAL_TREE] = "tree", [RIVAL_DISSEMINATION] = "barrier", [RIVAL_ALLREDUCE] = "allreduce",
};

/* Memory that all processes of a job see. */
struct shared {
	pthread_barrier_t barrier;
	double began[HOSTS_MOST], ended[HOSTS_MOST];
	long turns;			/* of a piece of work */
};

static struct shared *shared;
static struct rival_job job;

/* ---- Meeting ---------------------------------------------------------------------------- */

static void share(bool create)
{
	int fd = shm_open(shared_name, create ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR, 0600);

	if (fd < 0 || (create && ftruncate(fd, sizeof *shared)))
		offload_fail(shared_name);
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (shared == MAP_FAILED)
		offload_fail("memory");
	close(fd);
}

static void share_with_all(void)
{
	pthread_barrierattr_t attr;

	if (job.rank == 0) {
		share(true);
		pthread_barrierattr_init(&attr);
		pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
		pthread_barrier_init(&shared->barrier, &attr, (unsigned int)job.nprocs);
	}
	rival_meet();
	if (job.rank != 0)
		share(false);
	rival_meet();
	if (job.rank == 0)
		shm_unlink(shared_name);
}

static void rivals_meet(void)
{
	pthread_barrier_wait(&shared->barrier);
}

/* ---- Work ------------------------------------------------------------------------------- */

static void rivals_work(long pieces)
{
	for (long i = 0; i < pieces; i++) {
		work_do(shared->turns);
		sched_yield();
	}
}

static long turns_of_a_piece(void)
{
	enum { TURNS = 20000, ROUNDS = 50 };

	return (long)(TURNS * 1e9 * PIECE_S / work_least_ns(TURNS, ROUNDS)) + 1;
}

/* ---- Trials ----------------------------------------------------------------------------- */

/* The time of an operation that went wrong is worth nothing. */
static void check(enum rival_operation what, double sum, double turn)
{
	double n = job.nprocs;

	if (what == RIVAL_ALLREDUCE && sum != n * turn + n * (n - 1) / 2) {
		errno = EBADMSG;
		offload_fail("the sum");
	}
}

/* From the first process's beginning to the last one's end. */
static double seconds_of(enum rival_operation what, bool operates, long pieces)
{
	static double turn;
	double first, last;

	turn++;
	rivals_meet();
	shared->began[job.rank] = clock_now_s();
	if (operates)
		rival_start(what, turn + job.rank);
	rivals_work(pieces);
	if (operates)
		check(what, rival_finish(what), turn);
	shared->ended[job.rank] = clock_now_s();
	rivals_meet();
	first = shared->began[0];
	last = shared->ended[0];
	for (int q = 1; q < job.nprocs; q++) {
		first = shared->began[q] < first ? shared->began[q] : first;
		last = shared->ended[q] > last ? shared->ended[q] : last;
	}
	rivals_meet();
	return last - first;
}

/* Pieces that take WORK times as long as the operation, with all processes at it. */
static long pieces_for(enum rival_operation what)
{
	double alone[WARM], work[WARM];

	for (int i = 0; i < WARM; i++)
		alone[i] = seconds_of(what, true, 0);
	for (int i = 0; i < WARM; i++)
		work[i] = seconds_of(what, false, PIECES) / PIECES;
	return (long)(WORK * sample_median(alone, WARM) / sample_median(work, WARM)) + 1;
}

static void measure(enum rival_operation what, const char *way, int rounds, const char *link)
{
	static double alone[MOST_ROUNDS], over[MOST_ROUNDS], hidden[MOST_ROUNDS];
	long pieces = pieces_for(what);

	for (int r = 0; r < rounds; r++) {
		double work = seconds_of(what, false, pieces);

		alone[r] = 1e6 * seconds_of(what, true, 0) / job.nprocs;
		over[r] = 1e6 * (seconds_of(what, true, pieces) - work) / job.nprocs;
		hidden[r] = 1 - over[r] / alone[r];
	}
	if (job.rank != 0)
		return;
	offload_row("alone", operation_names[what], way, job.nprocs, link, alone, rounds);
	offload_row("overhead", operation_names[what], way, job.nprocs, link, over, rounds);
	offload_row("hidden", operation_names[what], way, job.nprocs, link, hidden, rounds);
}

int main(int argc, char **argv)
{
	int rounds;

	job = rival_begin(&argc, &argv);
	rounds = argc == 4 ? atoi(argv[2]) : 0;
	if (rounds < 1 || rounds > MOST_ROUNDS || job.nprocs > HOSTS_MOST) {
		fprintf(stderr, "usage: rivals WAY ROUNDS LINK\n");
		return 2;
	}
	share_with_all();
	if (job.rank == 0)
		shared->turns = turns_of_a_piece();
	rivals_meet();
	for (int what = 0; what < RIVAL_OPERATIONS; what++)
		if (rival_has((enum rival_operation)what))
			measure((enum rival_operation)what, argv[1], rounds, argv[3]);
	rivals_meet();
	rival_end();
	return 0;
}
