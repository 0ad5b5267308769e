/* SPDX-License-Identifier: BSD-3-Clause */
/* Lifelines of many nodes are a tree: few of each, and what one process reports reaches all. */

/*
 * The launcher is this test: it exchanges by memory, and ends no other process than the one that
 * asks it to end the job. So all that end do so by their lifelines.
 */

#include "job/lifeline/lifeline.h"

#include "../lib/tap.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EACH = 2, NODES_MOST = 64, PROCS_MOST = EACH * NODES_MOST, WAIT_MS = 2 };

enum what { WELL, IS_WATCHED, DIES, ABORTS, IS_STUCK, DEADLOCKED };

static struct {
	int nodes, nprocs;
	enum what what;
	int victim;		/* the process that dies, aborts, is stopped, or does not wait */
} job;

static struct {
	atomic_int arrived, connected, idle;
	int lines[PROCS_MOST], depth[PROCS_MOST];
	char card[PROCS_MOST][BSPT_EXCHANGE_MOST];
} *shared;

static struct bspj_status_table *table[NODES_MOST];
static size_t table_size;

static const struct bspj_words words = {
	.begin = "begin", .end = "end", .step = "step",
	.doing = { "starting", "computing", "syncing", "reading", "ending", "ended" },
};

/* ---- Sleep -------------------------------------------------------------------------- */

static struct bspj_lifeline *_Atomic opened;

/*
 * In place of that of libc: counts those of a process that is to leave and that waits for no other.
 * Nothing would end them but the time until the next look. By the thread of the lifeline.
 */
int poll(struct pollfd *fds, nfds_t n, int timeout)
{
	struct timespec time = { timeout / 1000, timeout % 1000 * 1000000L };
	const struct bspj_lifeline *l = atomic_load(&opened);
	bool awaits = false;

	if (l && fds && timeout > 0 && l->watchdog.is_leaving) {
		for (int i = 0; i < l->nlines; i++)
			awaits |= !l->lines[i].over &&
				  (l->lines[i].peer != l->parent || l->is_delegate);
		atomic_fetch_add(&shared->idle, !awaits);
	}
	return ppoll(fds, n, timeout < 0 ? NULL : &time, NULL);
}

/* ---- The launcher ------------------------------------------------------------------- */

__attribute__((noreturn)) static void abort_one(int status)
{
	_exit(status);
}

static const struct bspj_launch launch = { .name = "test", .abort = abort_one };

static void wait_until(const atomic_int *count, int n)
{
	while (atomic_load(count) < n)
		usleep(1000 * WAIT_MS);
}

static int wire_exchange(struct bspt_wire *w, const void *mine, size_t len, bspt_take_fn *take,
			 void *arg)
{
	memcpy(shared->card[w->me], mine, len);
	atomic_fetch_add(&shared->arrived, 1);
	wait_until(&shared->arrived, w->nprocs);
	for (int p = 0; p < w->nprocs; p++)
		take(arg, p, shared->card[p]);
	return 0;
}

/* ---- A process ---------------------------------------------------------------------- */

static int node_of[PROCS_MOST];
static struct bspj_members *members;

/* All on one host, so that they connect without a network. */
static void introduce_all(void)
{
	members = calloc(1, sizeof(*members));
	if (!members)
		bail("no memory");
	members->n = job.nprocs;
	members->node = calloc(PROCS_MOST, sizeof(int));
	members->at = calloc(PROCS_MOST, sizeof(int));
	members->member = calloc(PROCS_MOST, sizeof(*members->member));
	for (int p = 0; p < job.nprocs; p++) {
		struct bspj_member *m = &members->member[p];

		members->at[p] = p;
		node_of[p] = p / EACH;
		snprintf(m->host, sizeof(m->host), "host%d", node_of[p]);
		if (getrandom(m->token, sizeof(m->token), 0) != sizeof(m->token))
			bail("no random numbers");
	}
}

/* As the library shows a process. */
static void show_status(int me)
{
	struct bspj_status *status = &table[node_of[me]]->rank[me];

	atomic_store(&status->state, BSPJ_COMPUTING);
	atomic_store(&status->turn, job.what == DEADLOCKED && me != job.victim);
	atomic_store(&status->sent, 3);
	atomic_store(&status->received, 3);
}

static _Noreturn void process(int me)
{
	struct bspt_wire wire = { .nprocs = job.nprocs, .me = me, .node = node_of,
				  .nnodes = job.nodes, .exchange = wire_exchange };
	struct bspj_job j = { .words = &words, .me = me, .nprocs = job.nprocs, .launched = true,
			      .table = table[node_of[me]], .wire = &wire, .launch = &launch,
			      .members = members };
	struct bspj_start how = { .words = &words, .lifeline_s = 60,
				  .watchdog_s = job.what == IS_STUCK   ? tap_scaled(2) :
						job.what == IS_WATCHED ? 600 :
									 0,
				  .warn_s = job.what == DEADLOCKED ? 1 : 0 };
	char why[600] = "";

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	members->member[me].pid = members->pid = getpid();
	if (bspj_members_keep(members, node_of, me))
		bail("no memory");
	show_status(me);
	if (bspj_lifeline_open(&j, &how, why, sizeof(why)) < 0) {
		fprintf(stderr, "%s\n", why);
		_exit(9);
	}
	atomic_store(&opened, j.lifeline);
	shared->lines[me] = j.lifeline->nlines;
	shared->depth[me] = j.lifeline->depth;
	atomic_fetch_add(&shared->connected, 1);
	wait_until(&shared->connected, job.nprocs);
	if (job.what == WELL || job.what == IS_WATCHED) {
		bspj_lifeline_close(&j);
		_exit(0);
	}
	if (job.what == DIES && me == job.victim)
		raise(SIGKILL);
	if (job.what == ABORTS && me == job.victim) {
		bspj_lifeline_claim_report(j.lifeline, me);
		bspj_abort(&j, EXIT_FAILURE);
		_exit(EXIT_FAILURE);
	}
	if (job.what == IS_STUCK && me == job.victim)
		raise(SIGSTOP);
	for (;;)
		pause();
}

/* ---- A job -------------------------------------------------------------------------- */

static char said[200000];

/* How many processes have ended with @status; @killed: those that a signal has ended. */
static int run(int status, int *killed)
{
	FILE *report = tmpfile();
	int as_wanted = 0, state;
	pid_t stopped = 0;
	size_t n;

	*killed = 0;
	memset(shared, 0, sizeof(*shared));
	for (int k = 0; k < job.nodes; k++)
		memset(table[k], 0, table_size);
	introduce_all();
	fflush(NULL);
	for (int p = 0; p < job.nprocs; p++)
		if (fork() == 0) {
			dup2(fileno(report), STDERR_FILENO);
			process(p);
		}
	for (int left = job.nprocs; left > 0;) {
		pid_t pid;

		/* by that alone the other process of its node is connected */
		if (stopped && left <= EACH)
			kill(stopped, SIGKILL);
		pid = waitpid(-1, &state, WUNTRACED);
		if (pid > 0 && WIFSTOPPED(state)) {
			stopped = pid;
			continue;
		}
		left--;
		as_wanted += WIFEXITED(state) && WEXITSTATUS(state) == status;
		*killed += WIFSIGNALED(state);
	}
	rewind(report);
	n = fread(said, 1, sizeof(said) - 1, report);
	said[n] = '\0';
	fclose(report);
	bspj_members_free(members);
	return as_wanted;
}

static int count(const char *text)
{
	int n = 0;

	for (const char *at = said; (at = strstr(at, text)); at++)
		n++;
	return n;
}

static int lines_said(void)
{
	return count("\n");
}

/* How many nodes have noted that an error is reported, or need not be. */
static int nodes_that_know(void)
{
	int n = 0;

	for (int k = 0; k < job.nodes; k++)
		n += atomic_load(&table[k]->failed_rank) != 0;
	return n;
}

/* ---- The claims --------------------------------------------------------------------- */

static void set_job(int nodes, enum what what, int victim)
{
	job.nodes = nodes;
	job.nprocs = EACH * nodes;
	job.what = what;
	job.victim = victim;
}

static void lines_are_few(int nodes)
{
	int killed, sum = 0, most = 0, deepest = 0, levels = 0, reach = 1;

	set_job(nodes, WELL, -1);
	is_int(job.nprocs, run(0, &killed), "%d nodes: all end well", nodes);
	if (!is_int(0, lines_said(), "%d nodes: and report nothing", nodes))
		diag("%s", said);
	for (int p = 0; p < job.nprocs; p++) {
		sum += shared->lines[p];
		most = shared->lines[p] > most ? shared->lines[p] : most;
		deepest = shared->depth[p] > deepest ? shared->depth[p] : deepest;
	}
	while (reach < nodes) {
		reach *= 4;
		levels++;
	}
	is_int(2 * (job.nprocs - 1), sum, "%d nodes: a line for each process but one", nodes);
	ok(most <= 5 + EACH - 1, "%d nodes: at most 5 of a process, and those in its node", nodes);
	ok(deepest <= levels + 1, "%d nodes: at most log n / log 4 on top of each other", nodes);
	is_int(nodes <= 5 ? nodes - 1 + EACH - 1 : 4 + EACH - 1, shared->lines[0],
	       "%d nodes: process 0 has those of a star up to 5 nodes, and 4 of more", nodes);
}

/* With a watchdog a process leaves after those below it, and as soon as the last of them has. */
static void watched_processes_leave_at_once(int nodes)
{
	int killed;

	set_job(nodes, IS_WATCHED, -1);
	is_int(job.nprocs, run(0, &killed), "%d nodes with a watchdog: all end well", nodes);
	if (!is_int(0, lines_said(), "%d nodes with a watchdog: and report nothing", nodes))
		diag("%s", said);
	is_int(0, shared->idle, "%d nodes with a watchdog: none sleeps when it may leave", nodes);
}

/* In a tree of 13 nodes processes 2 and 3 are of an inner one, 4 and 5 of one with none below. */
static void death_of_one_ends_all(int victim)
{
	int killed, ended;

	set_job(13, DIES, victim);
	ended = run(EXIT_FAILURE, &killed);
	is_int(job.nprocs - 1, ended, "process %d dies: all others end with status 1", victim);
	is_int(1, killed, "process %d dies: alone", victim);
	if (!is_int(1, lines_said(), "process %d dies: one line", victim))
		diag("%s", said);
	ok(strstr(said, "has died"), "which says so");
	is_int(job.nodes, nodes_that_know(), "and no process of any node reports another");
}

/* A process that has reported an error itself: its place among introductions is not its number. */
static void abort_of_one_ends_all(int victim)
{
	int killed;

	set_job(13, ABORTS, victim);
	is_int(job.nprocs, run(EXIT_FAILURE, &killed), "process %d aborts: all end with status 1",
	       victim);
	if (!is_int(0, lines_said(), "process %d aborts: none takes it for a death", victim))
		diag("%s", said);
}

static void stuck_nodes_all_report(int victim)
{
	char silent[100];
	int killed;

	set_job(13, IS_STUCK, victim);
	run(EXIT_FAILURE, &killed);
	is_int(1, killed, "a job without progress ends by itself, but for the stopped process");
	snprintf(silent, sizeof(silent), "silent, perhaps stopped by a signal or a debugger "
		 "(process %d on host%d)", victim, victim / EACH);
	if (!is_int(job.nodes - 1, count("no progress for"), "each node says where it is") ||
	    !is_int(1, count(silent), "and that process %d is silent", victim))
		diag("%s", said);
}

static void deadlocks_are_found(void)
{
	int killed, ended;

	set_job(13, DEADLOCKED, -1);
	ended = run(EXIT_FAILURE, &killed);
	is_int(job.nprocs, ended, "if all processes of all nodes wait the job ends");
	if (!is_int(job.nodes, count("all processes wait, and nothing is on its way"),
		    "and each node says so"))
		diag("%s", said);
}

int main(void)
{
	static const int nodes[] = { 1, 2, 5, 6, 13, 64 };

	table_size = sizeof(struct bspj_status_table) + PROCS_MOST * sizeof(struct bspj_status);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	for (int k = 0; k < NODES_MOST; k++)
		table[k] = mmap(NULL, table_size, PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED || table[NODES_MOST - 1] == MAP_FAILED)
		bail("no memory");
	for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++)
		lines_are_few(nodes[i]);
	watched_processes_leave_at_once(2);
	watched_processes_leave_at_once(13);
	for (int victim = 0; victim < 6; victim++)
		death_of_one_ends_all(victim);
	abort_of_one_ends_all(3);
	abort_of_one_ends_all(25);
	stuck_nodes_all_report(4);
	deadlocks_are_found();
	return done_testing();
}
