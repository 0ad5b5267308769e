// SPDX-License-Identifier: BSD-3-Clause
/* leave.c - jobs in the kernel some of whose processes leave, are not there, or cannot be
 * reached. */

/*
 * usage, after segment() of testlib, in which host h1 is rank 0, and so on:
 *
 *	leave broken NPROCS	over two networks, eth0 and eth1, until eth1 of h2 goes down
 *	leave lost NPROCS	over eth0, until that of h2 goes down with a message on its way
 *	leave silent NPROCS	over two networks, until h2 leaves whose eth1 is down
 *	leave late NPROCS	over eth0, where nothing of h1 arrives before it has long ended
 *	leave several NPROCS	h1 ends with several jobs, of all of which nothing arrives
 *	leave absent NPROCS	until h2 leaves, which has sent nothing; and until the link of h2
 *				is down, from which others only receive
 *	leave killed NPROCS	until h2 is killed, for which others do not wait when they leave
 *	leave unneeded NPROCS	over two networks; eth1 of h2 is down, and nothing is sent there
 *	leave acknowledged NPROCS	the same, but eth1 of h2 goes down when all has arrived
 *	leave delayed NPROCS	until h2 ends; the job is occupied as the timeout expires
 *	leave twice NPROCS	over two networks; h2 leaves whose eth1 is down, then h1 does
 *	leave alone NPROCS	until all but h1 have left, which receives from any process
 */

#include "goal_job.h"
#include "slow_page.h"

#include "goal/gen/goal_gen.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

/* ---- Links that break ---------------------------------------------------------------------- */

/* The timeout of a peer, for jobs that must time out; testlib knows how slow the kernel is. */
static unsigned int short_timeout_ms(void)
{
	const char *ms = getenv("SHORT_TIMEOUT_MS");

	return ms ? (unsigned int)atoi(ms) : 1500;
}

static void goes_down(const char *interface)
{
	char command[60];

	sprintf(command, "/sbin/ip -n h2 link set %s down", interface);
	if (system(command))
		fail("ip");
}

/* Every process gets a report in the end: by itself of the silence, or of another. */
static void until_it_breaks(void)
{
	struct goal_task task = task_of(GOAL_BARRIER, "dissemination", 0);
	char why[160];
	size_t len;
	void *block;
	uint32_t id;

	task.networks = 2;
	block = goal_generate(&task, nprocs, rank, &len, why, sizeof(why));
	id = load_block(block, len);

	for (int i = 0; i < 1000; i++) {
		if (i == 10 && rank == 0)
			goes_down("eth1");
		errno = run_once(device, id, NULL, NULL);
		if (errno == 0)
			continue;
		shared->finished += errno == ETIMEDOUT;
		if (i < 10 || (errno != ETIMEDOUT && errno != ECONNRESET))
			fail("not as it should end");
		return;
	}
	fail("it did not end");
}

static int with_a_link_that_breaks(void)
{
	networks = 2;
	timeout_ms = short_timeout_ms();
	job(until_it_breaks,
	    "a job ends when the link of one network is down for as long as it was told to wait");
	ok(shared->finished > 0, "with ETIMEDOUT");
	return done_testing();
}

/* A word from one process to another, over each network. */
static void add_words(struct goal_graph *g, int data, int from, int to, uint32_t tag)
{
	for (unsigned int network = 0; network < networks; network++) {
		struct goal_place place = GOAL_AT(data, network * sizeof(int));

		if (rank == from)
			goal_place_on(g, goal_send(g, sizeof(int), place, to, tag + network), 0,
				      network);
		else if (rank == to)
			goal_place_on(g, goal_recv(g, sizeof(int), place, from, tag + network), 0,
				      network);
	}
}

static uint32_t load_words(int from, int to, uint32_t tag)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int data = goal_buffer(g);

	goal_buffer_at_least(g, data, 2 * sizeof(int));
	add_words(g, data, from, to, tag);
	return load_graph(g);
}

/* One process speaks to the other, which makes their connection. */
static void all_is_well_at_first(int from, int to)
{
	uint32_t id = load_words(from, to, 5);
	int data[2];

	if (rank < 2 && run_once(device, id, data, NULL))
		fail("while all was well");
}

/*
 * 0 waits for 2, whose link is good; its message to 1 has been given to the connection, which ends
 * its operation.
 */
static void until_a_message_is_lost(void)
{
	uint32_t second = load_words(0, 1, 15), never = load_words(2, 0, 25);
	int data[2];

	all_is_well_at_first(0, 1);
	if (rank)
		return await_step(rank);
	goes_down("eth0");
	if (run_once(device, second, data, NULL))
		fail("the connection took no message");
	shared->step[1] = 1;
	if (run_once(device, never, data, NULL) != ETIMEDOUT)
		fail("not as it should end");
	shared->step[2] = 1;
}

/* 0 only receives, so nothing of its own is lost. */
static void until_one_leaves_unheard(void)
{
	uint32_t never = load_words(1, 0, 15);
	int data[2];

	all_is_well_at_first(1, 0);
	shared->step[rank] = 1;
	if (rank == 1) {
		await_step(0);
		goes_down("eth1");
	}
	if (rank == 0 && run_once(device, never, data, NULL) != ETIMEDOUT)
		fail("not as it should end");
}

static int with_a_message_that_is_lost(void)
{
	timeout_ms = short_timeout_ms();
	job(until_a_message_is_lost,
	    "a job ends with ETIMEDOUT when a message is lost whose operation has ended");
	return done_testing();
}

static int with_one_who_leaves_unheard(void)
{
	networks = 2;
	timeout_ms = short_timeout_ms();
	job(until_one_leaves_unheard,
	    "and when the end of one connection has come, and of the other nothing for so long");
	return done_testing();
}

/* A message from @from to the other one over eth0, though connections are made over both. */
static uint32_t load_word_over_eth0(int from, uint32_t tag)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int data = goal_buffer(g);

	goal_buffer_at_least(g, data, sizeof(int));
	if (rank == from)
		goal_place_on(g, goal_send(g, sizeof(int), GOAL_AT(data, 0), 1 - from, tag), 0, 0);
	else if (rank == 1 - from)
		goal_place_on(g, goal_recv(g, sizeof(int), GOAL_AT(data, 0), from, tag), 0, 0);
	return load_graph(g);
}

/* 1 does not wait for the second message until it comes, so it sends no probes. */
static void while_a_network_is_not_needed(void)
{
	uint32_t first = load_word_over_eth0(0, 5), second = load_word_over_eth0(0, 15);
	int data[1];

	if (rank == 1) {
		goes_down("eth1");
		shared->step[1] = 1;
	}
	await_step(1);
	if (rank < 2 && run_once(device, first, data, NULL))
		fail("while all was well");
	if (rank == 0) {
		usleep(timeout_ms * 1000 + 500000);
		shared->step[0] = 1;
	}
	await_step(0);
	if (rank < 2 && run_once(device, second, data, NULL))
		fail("the job has ended");
}

/*
 * 0 waits so long for a word over eth0 that it sends probes over eth1, too, which meet no process
 * there; but when they are given up it has that word.
 */
static void while_a_network_is_needed_no_more(void)
{
	uint32_t second = load_word_over_eth0(1, 15), third = load_word_over_eth0(0, 25);
	int data[2];

	all_is_well_at_first(0, 1);
	if (rank == 1) {
		usleep(300000);		/* until acknowledgements that are delayed have been sent */
		goes_down("eth1");
		usleep(timeout_ms * 1500);
	}
	if (rank < 2 && run_once(device, second, data, NULL))
		fail("the job has ended while probes were under way");
	if (rank == 0) {
		usleep(timeout_ms * 2000);
		shared->step[0] = 1;
	}
	await_step(0);
	if (rank < 2 && run_once(device, third, data, NULL))
		fail("the job has ended");
}

static int with_a_network_that_has_done_its_work(void)
{
	networks = 2;
	timeout_ms = short_timeout_ms();
	job(while_a_network_is_needed_no_more,
	    "a connection all of whose data have arrived ends no job when it is lost");
	return done_testing();
}

static int with_a_network_that_is_not_needed(void)
{
	networks = 2;
	timeout_ms = short_timeout_ms();
	job(while_a_network_is_not_needed,
	    "a connection that cannot be made ends no job that needs nothing of that peer");
	return done_testing();
}

/* ---- Leaving, and never having been there -------------------------------------------------- */

static void nothing_arrives_from(const char *host, bool now)
{
	char command[80];

	sprintf(command, "/sbin/tc -n %s qdisc %s dev eth0 root %s", host, now ? "add" : "del",
		now ? "netem loss 100%" : "");
	if (system(command))
		fail("tc");
}

/* From rank 0 to all: with one tag, so they go as copies, which end before they have left. */
static uint32_t load_copies(void)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int data = goal_buffer(g);

	for (int n = 0; n < 2; n++) {
		struct goal_place place = GOAL_AT(data, n * sizeof(int));

		if (rank == 0)
			goal_multicast(g, sizeof(int), place, 5);
		else
			goal_recv(g, sizeof(int), place, 0, 5);
	}
	goal_buffer_at_least(g, data, 2 * sizeof(int));
	return load_graph(g);
}

/* A few seconds are longer than a process waits before it sends SYN again. */
static void until_it_is_received(void)
{
	int data[2] = { rank ? 0 : 17, rank ? 0 : 18 };
	uint32_t id = load_copies();

	if (rank == 1) {
		await_step(0);
		sleep(3);
		nothing_arrives_from("h1", false);
	}
	if (run_once(device, id, data, NULL) || data[0] != 17 || data[1] != 18)
		fail("it has not come");
	shared->step[rank] = 1;
}

static int leaving_late(void)
{
	nothing_arrives_from("h1", true);
	job(until_it_is_received,
	    "what a process has sent arrives though it ends before anything has left");
	return done_testing();
}

/* Each waits for what it has sent, as long as its timeout. */
static void end_with_jobs(int n)
{
	int data[2] = { 17, 18 };

	for (int i = 0; i < n; i++, port += 50) {
		join_as(0);
		if (run_once(device, load_copies(), data, NULL))
			fail("run");
	}
	_exit(0);
}

/* All that is waited for on exit is 10 s, EG_EXIT_MS of the module; a job would wait for 30. */
static int leaving_several(void)
{
	struct timespec began, ended;
	int status;
	pid_t pid;

	nothing_arrives_from("h1", true);
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		end_with_jobs(3);
	clock_gettime(CLOCK_MONOTONIC, &began);
	waitpid(pid, &status, 0);
	clock_gettime(CLOCK_MONOTONIC, &ended);
	is(status, 0, "a process ends with three jobs");
	ok(ended.tv_sec - began.tv_sec < 25, "and does not wait for one after the other");
	printf("# %ld s\n", (long)(ended.tv_sec - began.tv_sec));
	nothing_arrives_from("h1", false);
	return done_testing();
}

static void until_one_is_missed(void)
{
	int data[2];

	if (rank == 0 && run_once(device, load_words(1, 0, 5), data, NULL) != ECONNREFUSED)
		fail("not as it should end");
}

/* Its way to 1 is there, and nothing goes over it. */
static void until_one_is_cut_off(void)
{
	uint32_t never = load_words(1, 0, 15);
	int data[2];

	all_is_well_at_first(0, 1);
	shared->step[rank] = 1;
	if (rank != 0)
		return await_step(nprocs);
	await_step(1);
	goes_down("eth0");
	if (run_once(device, never, data, NULL) != ETIMEDOUT)
		fail("not as it should end");
	shared->step[nprocs] = 1;
}

/* Longer than a process would wait for an answer: it gets keepalive probes meanwhile. */
static void until_one_has_computed(void)
{
	uint32_t late = load_words(1, 0, 5);
	int data[2] = { 0 };

	if (rank == 1) {
		usleep(timeout_ms * 3000);
		data[0] = 17;
	}
	if (rank < 2 && (run_once(device, late, data, NULL) || data[0] != 17))
		fail("not the word that was waited for");
}

static int with_one_who_is_absent(void)
{
	timeout_ms = short_timeout_ms();
	job(until_one_has_computed,
	    "who waits for a process that computes for long goes on waiting");
	job(until_one_is_missed,
	    "who waits for a process that has left without ever having sent anything is told");
	job(until_one_is_cut_off, "and who waits for one whose link is down");
	return done_testing();
}

static uint32_t load_frame(void)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int data = goal_buffer(g);

	if (rank == 0)
		goal_multicast(g, sizeof(int), GOAL_AT(data, 0), 7);
	goal_buffer_at_least(g, data, sizeof(int));
	return load_graph(g);
}

/* 1 has received from 0, and never sent anything. */
static void until_one_is_killed(void)
{
	uint32_t second = load_frame();
	int data[2];

	all_is_well_at_first(0, 1);
	if (rank == 1)
		raise(SIGKILL);
	sleep(1);
	if (rank == 0 && run_once(device, second, data, NULL))
		fail("it has not left");
}

static void until_it_is_killed(void)
{
	int data[2] = { 0 };

	if (rank == 0 && run_once(device, load_copies(), data, NULL))
		fail("it has not been taken");
	if (rank == 0)
		raise(SIGKILL);
}

static int with_one_who_is_killed(void)
{
	time_t begin = time(NULL);

	job(until_one_is_killed, "who leaves waits for no process who has been killed");
	nothing_arrives_from("h1", true);
	job(until_it_is_killed, "nor does who is killed himself wait");
	nothing_arrives_from("h1", false);
	ok((time(NULL) - begin) * 1000 < (time_t)timeout_ms, "for as long as he might have");
	return done_testing();
}

/* 0 has received the end of 1 over eth0 alone, and multicasts once more. */
static void until_the_end_of_one_is_received(void)
{
	uint32_t word = load_word_over_eth0(1, 5), frame = load_frame();
	time_t begin;
	int data[2];

	if (rank == 1)
		goes_down("eth1");
	if (rank < 2 && run_once(device, word, data, NULL))
		fail("while all was well");
	if (rank == 2)
		return await_step(0);
	if (rank == 1) {
		close(device);
		shared->step[1] = 1;
		_exit(0);
	}
	await_step(1);
	if (run_once(device, frame, data, NULL))
		fail("it needs nothing of who has left");
	begin = time(NULL);
	close(device);
	shared->finished = time(NULL) - begin;
	shared->step[0] = 1;
	_exit(0);
}

static int with_one_whose_end_is_received(void)
{
	networks = 2;
	job(until_the_end_of_one_is_received, "one network reports that a peer has left");
	printf("# %d s\n", shared->finished);
	ok(shared->finished * 1000 < (int)timeout_ms / 2, "does not wait for it when he leaves");
	return done_testing();
}

static uint32_t load_receive_from_any(void)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int data = goal_buffer(g);

	goal_buffer_at_least(g, data, sizeof(int));
	if (rank == 0)
		goal_recv(g, sizeof(int), GOAL_AT(data, 0), GOAL_ANY, 99);
	return load_graph(g);
}

/* Each process has sent something to 0, which so knows of it. */
static uint32_t all_are_received(void)
{
	uint32_t words[MOST], any = 0;
	int data[2];

	for (int from = 1; from < nprocs; from++)
		words[from] = load_words(from, 0, 5);
	any = load_receive_from_any();
	for (int from = 1; from < nprocs; from++)
		if ((rank == 0 || rank == from) && run_once(device, words[from], data, NULL))
			fail("while all was well");
	return any;
}

/* Would it wait for ever? */
static void expect_reset(uint32_t id)
{
	int data[1];
	uint64_t buffers[1] = { (uintptr_t)data };
	struct espgoal_start s = { .id = id, .buffers = (uintptr_t)buffers };
	struct espgoal_finish f = { 0 };
	struct pollfd p = { .fd = device };
	int err = ioctl(device, ESPGOAL_START, &s);

	shared->step[0] = 1;
	if (!err && poll(&p, 1, (int)timeout_ms) != 1)
		fail("no process has told it");
	f.slot = s.slot;
	if ((!err && !ioctl(device, ESPGOAL_FINISH, &f)) || errno != ECONNRESET)
		fail("not as it should end");
}

static void until_all_have_been_killed(void)
{
	uint32_t any = all_are_received();

	if (rank == 0)
		return expect_reset(any);
	await_step(0);
	raise(SIGKILL);
}

static void after_all_have_left(void)
{
	uint32_t any = all_are_received();

	if (rank) {
		close(device);
		shared->step[rank] = 1;
		_exit(0);
	}
	for (int from = 1; from < nprocs; from++)
		await_step(from);
	expect_reset(any);
}

static int with_one_who_stays_alone(void)
{
	job(until_all_have_been_killed,
	    "who waits for a message of any process is told when all others have ended");
	job(after_all_have_left, "and if he begins to wait after that");
	return done_testing();
}

/* ---- The timer, while a call has the job ------------------------------------------------- */

static struct slow_page slow;
static uint32_t other_run;

static void *start_slowly(void *unused)
{
	struct espgoal_start s = { .id = other_run, .buffers = (uintptr_t)slow.at };

	(void)unused;
	if (ioctl(device, ESPGOAL_START, &s))
		fail("start");
	return NULL;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void sleep_until(double when)
{
	while (now() < when)
		usleep(1000);
}

/* The work of the timer, queued when the first run started, waits while the second one starts. */
static void until_one_leaves_early(void)
{
	double timeout = timeout_ms / 1000., begin, left;
	uint32_t first = load_words(1, 0, 15);
	uint64_t data[2], buffers[1] = { (uintptr_t)data };
	struct espgoal_start s = { .id = first, .buffers = (uintptr_t)buffers };
	struct espgoal_finish f = { 0 };
	pthread_t thread;

	other_run = load_words(2, 0, 25);
	slow = slow_page_create();
	all_is_well_at_first(0, 1);
	if (rank == 2)
		return await_step(nprocs);
	if (rank == 1)
		return await_step(0);
	begin = now();
	if (ioctl(device, ESPGOAL_START, &s))
		fail("start");
	sleep_until(begin + timeout / 2);
	shared->step[0] = 1;
	left = now();
	sleep_until(begin + timeout * 0.85);
	pthread_create(&thread, NULL, start_slowly, NULL);
	slow_page_await(&slow);
	sleep_until(begin + timeout * 1.05);
	slow_page_fill(&slow, buffers, sizeof(buffers));
	pthread_join(thread, NULL);
	f.slot = s.slot;
	if (!ioctl(device, ESPGOAL_FINISH, &f) || errno != ETIMEDOUT)
		fail("not as it should end");
	printf("# the job has ended %.2f s after the peer, timeout %.2f s\n", now() - left,
	       timeout);
	fflush(stdout);
	shared->finished = now() - left > timeout * 1.3;
	shared->step[nprocs] = 1;
}

static int with_a_timer_that_is_delayed(void)
{
	const char *claim = "a job ends that waits for a peer that has left";

	if (!slow_page_is_possible(claim))
		return done_testing();
	timeout_ms = 2000;
	job(until_one_leaves_early, claim);
	is(shared->finished, 0, "in time, though the job was occupied when the timer ran");
	return done_testing();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*test)(void);
	} modes[] = {
		{ "broken", with_a_link_that_breaks },
		{ "lost", with_a_message_that_is_lost },
		{ "silent", with_one_who_leaves_unheard },
		{ "late", leaving_late },
		{ "several", leaving_several },
		{ "absent", with_one_who_is_absent },
		{ "killed", with_one_who_is_killed },
		{ "unneeded", with_a_network_that_is_not_needed },
		{ "acknowledged", with_a_network_that_has_done_its_work },
		{ "delayed", with_a_timer_that_is_delayed },
		{ "twice", with_one_whose_end_is_received },
		{ "alone", with_one_who_stays_alone },
	};

	begin_test(argc == 3 ? atoi(argv[2]) : 0);
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
		if (strcmp(argv[1], modes[i].name) == 0)
			return modes[i].test();
	bail("no such mode");
}
