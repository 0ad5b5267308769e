/* SPDX-License-Identifier: BSD-3-Clause */
/* Supervisors send one note up and one to each child in a round; an end of one reaches all. */

#include "job/discover/discover.h"

#include "../lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EACH = 2, WORDS = 8, EXCHANGES = 2, FEW_EXCHANGES = 1, LOOK_MS = 10, FDS_MOST = 256 };

/* At which moment a supervisor ends, or sends what it should not. */
enum when { NEVER, AT_START, LATER };

static struct {
	int nodes, nprocs, few;		/* few: that many take part in later exchanges */
	int victim;			/* a node */
	enum when dies, fails;
	const void *malformed;		/* the victim sends it to @to */
	size_t malformed_len;
	int to;
	bool silent;			/* and nothing else */
	int pairs_most;			/* so many pairs of sockets can be made; 0: all */
} job;

static struct results {
	atomic_int wrong;		/* words of exchanges, and their results */
	atomic_int ends;		/* supervisors that ended by themselves */
	atomic_int at_work;		/* processes that have made an exchange */
	atomic_int running;		/* supervisors that have started their processes */
	struct {
		int connections, opened, notes, status;
		bool over, failed, warned, moved;
	} node[BSPJ_PARTS_MOST];
} *got;

/* ---- What is sent ------------------------------------------------------------------- */

static int notes;

/*
 * In place of that of libc: supervisors send each note by one call, unless a socket is full, and a
 * note begins with its kind, which is 0 for data.
 */
ssize_t send(int fd, const void *data, size_t len, int flags)
{
	static const uint32_t kind_of_data;

	notes += len >= sizeof(kind_of_data) &&
		 memcmp(data, &kind_of_data, sizeof(kind_of_data)) == 0;
	return sendto(fd, data, len, flags, NULL, 0);
}

/* ---- What cannot be made ------------------------------------------------------------ */

/*
 * In place of that of libc: of supervisors of 13 nodes 3 have been forked when it fails, which are
 * connected with each other.
 */
int socketpair(int domain, int type, int protocol, int fds[2])
{
	static int made;

	if (!job.pairs_most || made++ < job.pairs_most)
		return (int)syscall(SYS_socketpair, domain, type, protocol, fds);
	while (atomic_load(&got->running) < 3)
		usleep(1000);
	errno = EMFILE;
	return -1;
}

/* ---- The tree, as its description says ---------------------------------------------- */

static int parent_of[BSPJ_PARTS_MOST], depth_of[BSPJ_PARTS_MOST];

static void divide(int from, int end)
{
	int left = end - from - 1, children = left < 4 ? left : 4, at = from + 1;

	for (int k = 0; k < children; k++) {
		int size = left / children + (k < left % children);

		parent_of[at] = from;
		depth_of[at] = depth_of[from] + 1;
		divide(at, at + size);
		at += size;
	}
}

/* How many children of node @i are among the first @n nodes. */
static int children_among(int i, int n)
{
	int children = 0;

	for (int c = 1; c < n; c++)
		children += parent_of[c] == i;
	return children;
}

/* ---- A process ---------------------------------------------------------------------- */

static void keep_words(void *arg, int p, const void *its)
{
	memcpy((int (*)[WORDS])arg + p, its, sizeof(int[WORDS]));
}

/* Words that are not as they should be after an exchange among @n; @odd has given fewer. */
static int exchange(struct bspj_post *post, int me, int n, int round, int odd)
{
	int mine[WORDS], (*all)[WORDS] = calloc((size_t)n, sizeof(*all)), wrong = 0, err;

	for (int i = 0; i < WORDS; i++)
		mine[i] = 1000000 * round + 100 * me + i;
	err = bspj_post_exchange(post, me, mine, me == odd ? sizeof(mine[0]) : sizeof(mine),
				 keep_words, all, n);
	if (odd >= 0)
		wrong += err != -EPROTO;
	for (int p = 0; p < n && odd < 0; p++)
		for (int i = 0; i < WORDS; i++)
			wrong += all[p][i] != 1000000 * round + 100 * p + i;
	free(all);
	return wrong;
}

static void idle(void *arg)
{
	(void)arg;
	usleep(100);
}

static _Noreturn void process(struct bspj_post *post, int me)
{
	int wrong = 0;

	for (int k = 0; k < EXCHANGES; k++) {
		wrong += exchange(post, me, job.nprocs, k, -1);
		atomic_fetch_add(&got->at_work, 1);
	}
	wrong += exchange(post, me, job.nprocs, EXCHANGES, job.nprocs - 1);
	bspj_post_meet(post, me, job.nprocs, idle, NULL);
	for (int k = 0; k < FEW_EXCHANGES && me < job.few; k++)
		wrong += exchange(post, me, job.few, 10 + k, -1);
	atomic_fetch_add(&got->wrong, wrong);
	_exit(0);
}

enum { ROUNDS = 2 * (EXCHANGES + 1) + 1, FEW_ROUNDS = 2 * FEW_EXCHANGES };

/* ---- A supervisor ------------------------------------------------------------------- */

static int open_files(void)
{
	int n = 0;

	for (int fd = 0; fd < FDS_MOST; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void fork_processes(struct bspj_parts *ps, struct bspj_post *post,
			   const struct bspj_part *part)
{
	pid_t supervisor = getpid();

	for (int p = part->first; p <= part->last; p++)
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (getppid() != supervisor)
				_exit(1);
			bspj_parts_close(ps);
			process(post, p);
		}
}

/* The victim fails, in its way. */
static void be_a_victim(struct bspj_parts *ps, const struct bspj_found *found, enum when now)
{
	if (job.dies == now)
		raise(SIGKILL);
	if (job.fails == now)
		bspj_parts_send_failure(ps, found->part[found->mine].first, 7, "has failed");
	if (job.malformed && now == AT_START &&
	    send(found->fd[job.to], job.malformed, job.malformed_len, MSG_NOSIGNAL) < 0)
		_exit(1);
	if (job.silent) {
		char bytes[64];

		while (recv(found->fd[job.to], bytes, sizeof(bytes), 0) > 0)
			;
		_exit(1);
	}
}

static void supervise(struct bspj_parts *ps, const struct bspj_found *found)
{
	int mine = found->mine, left = EACH, status = 0;
	struct pollfd fds[BSPJ_PARTS_FDS];
	bool over = false, failed = false, done = false;

	while (!over && !failed) {
		struct bspj_news news;

		poll(fds, (nfds_t)bspj_parts_poll(ps, fds), LOOK_MS);
		news = bspj_parts_see_to(ps, fds);
		got->node[mine].warned |= news.warn;
		got->node[mine].moved |= news.moved;
		failed = news.failed;
		status = news.status;
		while (left && waitpid(-1, NULL, WNOHANG) > 0)
			left--;
		if (mine == job.victim && !done && (job.dies == LATER || job.fails == LATER) &&
		    atomic_load(&got->at_work) >= job.nprocs) {
			done = true;
			be_a_victim(ps, found, LATER);
			failed = job.fails == LATER;
			status = 7;
		}
		if (!left && !done) {
			done = true;
			got->node[mine].notes = notes;
			if (mine == 0)
				bspj_parts_send_warning(ps);
			if (mine == found->nparts - 1)
				bspj_parts_send_moved(ps);
			bspj_parts_send_over(ps, mine);
		}
		over = bspj_parts_are_over(ps, failed ? &(int){ 0 } : &status);
	}
	got->node[mine].over = over;
	got->node[mine].failed = failed;
	got->node[mine].status = status;
}

static _Noreturn void run_nodes(int before)
{
	static struct bspj_found found;
	struct bspj_post *post;
	struct bspj_parts *ps;

	if (bspj_start_nodes(job.nprocs, job.nodes, &found) < 0)
		_exit(1);
	got->node[found.mine].opened = open_files() - before;
	for (int i = 0; i < found.nparts; i++)
		got->node[found.mine].connections += found.fd[i] >= 0;
	if (found.mine == job.victim)
		be_a_victim(NULL, &found, AT_START);
	post = bspj_post_create(job.nprocs, found.part[found.mine].first,
				found.part[found.mine].last);
	ps = bspj_parts_open(&found, post, 0);
	if (!post || !ps)
		_exit(1);
	notes = 0;
	fork_processes(ps, post, &found.part[found.mine]);
	atomic_fetch_add(&got->running, 1);
	supervise(ps, &found);
	bspj_parts_flush(ps);
	atomic_fetch_add(&got->ends, 1);
	for (int k = 1; k < found.nparts && found.mine == 0; k++)
		waitpid(found.supervisor[k], NULL, 0);
	_exit(0);
}

/* All of it ends; what supervisors have reported is in @said, as many lines as it returns. */
static int run(char *said, size_t len)
{
	FILE *report = tmpfile();
	size_t n;
	int lines = 0, before;

	memset(got, 0, sizeof(*got));
	divide(0, job.nodes);
	fflush(NULL);
	before = open_files();
	if (fork() == 0) {
		dup2(fileno(report), STDERR_FILENO);
		run_nodes(before);
	}
	while (waitpid(-1, NULL, 0) > 0)
		;
	rewind(report);
	n = fread(said, 1, len - 1, report);
	said[n] = '\0';
	fclose(report);
	for (size_t i = 0; i < n; i++)
		lines += said[i] == '\n';
	return lines;
}

/* ---- The claims --------------------------------------------------------------------- */

static void notes_are_as_few_as_can_be(int nodes)
{
	int wrong_notes = 0, wrong_connections = 0, wrong_ends = 0, connections = 0, deepest = 0;
	int few_nodes = (nodes + 1) / 2, sum = 0, most = 0;
	char said[1000];

	memset(&job, 0, sizeof(job));
	job.nodes = nodes;
	job.nprocs = EACH * nodes;
	job.few = EACH * few_nodes - 1;		/* and not all of the last of these nodes */
	job.victim = -1;
	is_int(0, run(said, sizeof(said)), "%d nodes report nothing", nodes);
	is_int(0, got->wrong, "%d nodes: all get what all have given", nodes);
	is_int(nodes, got->ends, "%d nodes: all end", nodes);
	for (int i = 0; i < nodes; i++) {
		int links = (i > 0) + children_among(i, nodes);
		int few_links = i >= few_nodes || few_nodes == 1 ? 0 :
				(i > 0) + children_among(i, few_nodes);

		wrong_notes += got->node[i].notes != ROUNDS * links + FEW_ROUNDS * few_links;
		wrong_connections += got->node[i].connections != links ||
				     got->node[i].opened != links;
		wrong_ends += !got->node[i].over || got->node[i].status != 1 ||
			      got->node[i].warned != (i > 0) || got->node[i].moved != (i == 0);
		connections += got->node[i].connections;
		sum += got->node[i].notes;
		most = links > most ? links : most;
		deepest = depth_of[i] > deepest ? depth_of[i] : deepest;
	}
	is_int(0, wrong_notes, "%d nodes: a round is a note up and one to each child", nodes);
	is_int(2 * (nodes - 1) * ROUNDS + 2 * (few_nodes - 1) * FEW_ROUNDS, sum,
	       "%d nodes: in all 2 (nodes that take part - 1)", nodes);
	is_int(0, wrong_connections, "%d nodes: each has its own connections alone", nodes);
	is_int(2 * (nodes - 1), connections, "%d nodes: nodes - 1 in all", nodes);
	ok(most <= 5 && deepest <= (int)ceil(log(nodes) / log(4) - 1e-9),
	   "%d nodes: at most 5 of a node, and at most log n / log 4 on top of each other", nodes);
	is_int(0, wrong_ends, "%d nodes: progress, warnings and the status go to all", nodes);
}

/* Nodes 0, 1 and 2 have these places in a tree of 13. */
static const char *const place[] = { "root", "inner node", "leaf" };

static void end_of_one_ends_all(int victim, enum when when)
{
	const char *moment = when == AT_START ? "at the start" : "later";
	int nodes = 13, wrong = 0, lines;
	char said[1000];

	memset(&job, 0, sizeof(job));
	job.nodes = nodes;
	job.nprocs = job.few = EACH * nodes;
	job.victim = victim;
	job.dies = when;
	lines = run(said, sizeof(said));
	is_int(victim > 0, lines, "the %s dies %s: one line", place[victim], moment);
	if (victim > 0)
		ok(strstr(said, "is lost: its supervisor has ended") != NULL, "which says so");
	for (int i = 0; i < nodes; i++)
		wrong += i != victim && (!got->node[i].failed ||
					 got->node[i].status != EXIT_FAILURE);
	if (victim > 0)		/* else the kernel has killed them */
		is_int(0, wrong, "the %s dies %s: all others end with status 1", place[victim],
		       moment);
}

static void failure_of_one_ends_all(int victim)
{
	int wrong = 0;
	char said[1000];

	memset(&job, 0, sizeof(job));
	job.nodes = 13;
	job.nprocs = job.few = EACH * job.nodes;
	job.victim = victim;
	job.fails = LATER;
	is_int(0, run(said, sizeof(said)), "a process of the %s fails: its supervisor reports it",
	       place[victim]);
	for (int i = 0; i < job.nodes; i++)
		wrong += !got->node[i].failed || got->node[i].status != 7;
	is_int(0, wrong, "a process of the %s fails: all end with its status", place[victim]);
}

/* Node 4 is a child of the root, and the pairs to those below it are not to be had. */
static void supervisors_end_if_one_cannot_start(void)
{
	char said[1000];

	memset(&job, 0, sizeof(job));
	job.nodes = 13;
	job.nprocs = job.few = EACH * job.nodes;
	job.victim = -1;
	job.pairs_most = 6;
	if (!is_int(0, run(said, sizeof(said)), "no supervisor reports that others cannot start"))
		diag("%s", said);
	is_int(3, got->running, "three have run");
}

/* A head and a run, as discover_link.c has them; 6 nodes are 0 (1 (2), 3, 4, 5). */
static void malformed_notes_end_the_job(void)
{
	static const struct {
		const char *what;
		int32_t word[8];
		int words, from, to;
	} wrong_notes[] = {
		{ "of an unknown kind", { 99, 0, 0, 0 }, 4, 2, 1 },
		{ "that is too long", { 0, 12, 1, 1 << 30 }, 4, 2, 1 },
		{ "of more processes than there are", { 0, 13, 1, 12, 4, 5, 0 }, 7, 2, 1 },
		{ "of fewer than its sender", { 0, 4, 1, 12, 4, 5, 0 }, 7, 2, 1 },
		{ "of a later round", { 0, 12, 2, 12, 4, 5, 0 }, 7, 2, 1 },
		{ "of processes of others", { 0, 12, 1, 12, 2, 5, 0 }, 7, 2, 1 },
		{ "of too many processes", { 0, 12, 1, 12, 4, 6, 0 }, 7, 2, 1 },
		{ "of too few processes", { 0, 12, 1, 12, 4, 4, 0 }, 7, 2, 1 },
		{ "without all its data", { 0, 12, 1, 12, 4, 5, 4 }, 7, 2, 1 },
		{ "with more than its data", { 0, 12, 1, 16, 4, 5, 0, 7 }, 8, 2, 1 },
		{ "with too many bytes of each", { 0, 12, 1, 12, 4, 5, 1 << 20 }, 7, 2, 1 },
		{ "with a negative length", { 0, 12, 1, 12, 4, 5, -1 }, 7, 2, 1 },
		{ "that was not asked for", { 0, 12, 1, 12, 0, 3, 0 }, 7, 1, 2 },
		{ "that fails process -1", { 1, -1, 1, 0 }, 4, 2, 1 },
		{ "of another exchange", { 0, 7, 1, 12, 4, 5, 0 }, 7, 2, 1 },
	};
	char said[1000];

	for (size_t i = 0; i < sizeof(wrong_notes) / sizeof(wrong_notes[0]); i++) {
		int wrong = 0;

		memset(&job, 0, sizeof(job));
		job.nodes = 6;
		job.nprocs = job.few = EACH * job.nodes;
		job.victim = wrong_notes[i].from;
		job.to = wrong_notes[i].to;
		job.malformed = wrong_notes[i].word;
		job.malformed_len = sizeof(int32_t) * (size_t)wrong_notes[i].words;
		/* After the last one a note that is right would make no sense either. */
		job.silent = i + 1 == sizeof(wrong_notes) / sizeof(wrong_notes[0]);
		is_int(1, run(said, sizeof(said)), "a note %s: one line", wrong_notes[i].what);
		ok(strstr(said, "it has said what makes no sense") != NULL, "which says so: %s",
		   said);
		for (int k = 0; k < job.nodes; k++)
			wrong += !got->node[k].failed && !(job.silent && k == job.victim);
		is_int(0, wrong, "a note %s: all end", wrong_notes[i].what);
	}
}

int main(void)
{
	static const int nodes[] = { 2, 3, 4, 5, 6, 8, 21, 22, 64 };

	prctl(PR_SET_CHILD_SUBREAPER, 1ul, 0ul, 0ul, 0ul);
	got = mmap(NULL, sizeof(*got), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (got == MAP_FAILED)
		bail("no memory");
	for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++)
		notes_are_as_few_as_can_be(nodes[i]);
	for (int victim = 0; victim < 3; victim++) {
		end_of_one_ends_all(victim, AT_START);
		end_of_one_ends_all(victim, LATER);
		failure_of_one_ends_all(victim);
	}
	supervisors_end_if_one_cannot_start();
	malformed_notes_end_the_job();
	return done_testing();
}
