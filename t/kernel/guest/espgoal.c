// SPDX-License-Identifier: BSD-3-Clause
/* espgoal.c - schedules that the kernel runs, between hosts of a guest: what they compute, and that
 * none need help. */

/* usage: espgoal NPROCS: host h1 is rank 0, and so on (see segment() in testlib). */

#include "guest.h"

#include "goal.h"
#include "goal_task.h"

#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { MOST = 8, PORT = 900 + 1024, BIG = 1 << 20 };

/* The memory that all processes of the test share. */
struct shared {
	_Atomic int step[MOST];
	_Atomic int failures;
};

static struct shared *shared;
static int nprocs, rank;
static int device = -1;
static const volatile struct espgoal_page *page;

static void fail(const char *what)
{
	printf("# rank %d: %s: %s\n", rank, what, strerror(errno));
	fflush(stdout);
	shared->failures++;
	_exit(1);
}

/* ---- One process of a job ------------------------------------------------------------- */

static void join_as(int me, uint64_t key)
{
	struct sockaddr_en peers[MOST];
	struct espgoal_join join = { .version = ESPGOAL_VERSION, .nprocs = nprocs, .rank = me,
				     .networks = 1, .key = key, .peers = (uintptr_t)peers };
	char name[16], mac[32];
	unsigned int index;

	rank = me;
	snprintf(name, sizeof(name), "h%d", me + 1);
	enter(name);
	index = if_nametoindex("eth0");
	for (int i = 0; i < nprocs; i++) {
		snprintf(mac, sizeof(mac), "02:00:00:00:01:%02x", i + 1);
		peers[i] = address(PORT, index, mac);
	}
	device = open("/dev/espgoal", O_RDWR | O_CLOEXEC);
	if (device < 0 || ioctl(device, ESPGOAL_JOIN, &join))
		fail("join");
	page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, device, 0);
	if (page == MAP_FAILED)
		fail("mmap");
}

static uint32_t load_block(void *block, size_t len)
{
	struct espgoal_load load = { .block = (uintptr_t)block, .bytes = len };

	if (ioctl(device, ESPGOAL_LOAD, &load)) {
		printf("# error %d at %llu\n", load.error, (unsigned long long)load.at);
		fail("load");
	}
	free(block);
	return load.id;
}

static uint32_t load(struct goal_task *task)
{
	char why[160];
	size_t len;
	void *block = goal_generate(task, nprocs, rank, &len, why, sizeof(why));

	if (!block) {
		printf("# %s\n", why);
		fail("goal_generate");
	}
	return load_block(block, len);
}

static uint32_t load_graph(struct goal_graph *g)
{
	size_t len;
	void *block = goal_compile(g, &len);

	if (!block)
		fail("goal_compile");
	goal_graph_destroy(g);
	return load_block(block, len);
}

static void unload(uint32_t id)
{
	if (ioctl(device, ESPGOAL_UNLOAD, &id))
		fail("unload");
}

static uint32_t start(uint32_t id, void *source, void *target)
{
	uint64_t buffers[2] = { (uintptr_t)source, (uintptr_t)target };
	struct espgoal_start s = { .id = id, .buffers = (uintptr_t)buffers };

	if (ioctl(device, ESPGOAL_START, &s))
		fail("start");
	return s.slot;
}

static void finish(uint32_t slot)
{
	struct espgoal_finish f = { .slot = slot };

	if (ioctl(device, ESPGOAL_FINISH, &f))
		fail("finish");
}

/*
 * No system call while it waits. Pairs with the release in eg_run_show(): what the schedule wrote
 * is there.
 */
static void look(uint32_t slot)
{
	while (page->state[slot] == ESPGOAL_RUNNING)
		;
	if (page->state[slot] != ESPGOAL_OVER) {
		errno = page->error;
		fail("run");
	}
	atomic_thread_fence(memory_order_acquire);
}

/* ---- Jobs: one for each claim --------------------------------------------------------------- */

static void barriers_wait_for_all(void)
{
	struct goal_task task = task_of(GOAL_BARRIER, "dissemination", 0);
	uint32_t id = load(&task);

	for (int i = 1; i <= 50; i++) {
		uint32_t slot;

		shared->step[rank] = i;
		slot = start(id, NULL, NULL);
		if (i % 2)
			look(slot);
		finish(slot);
		for (int q = 0; q < nprocs; q++)
			if (shared->step[q] < i)
				fail("left before all had entered");
	}
}

static void folds_add_up(void)
{
	struct goal_task task =
		task_of(GOAL_ALLREDUCE, "recursive-doubling", 1000 * sizeof(double));
	double in[1000], out[1000];
	uint32_t id;

	id = load(&task);
	for (int turn = 0; turn < 5; turn++) {
		for (int i = 0; i < 1000; i++)
			in[i] = (rank + 1) * (i + turn);
		finish(start(id, in, out));
		for (int i = 0; i < 1000; i++)
			if (out[i] != nprocs * (nprocs + 1) / 2 * (i + turn))
				fail("wrong sum");
	}
}

static void large_messages_arrive(void)
{
	struct goal_task task = task_of(GOAL_BCAST, "binomial", BIG);
	unsigned char *data = malloc(2 * BIG);
	uint32_t id;

	task.root = 1;
	task.source = task.target = 0;
	id = load(&task);
	for (int i = 0; i < BIG; i++)
		data[i] = rank == 1 ? (unsigned char)(i * 31 >> 3) : 0;
	finish(start(id, data, NULL));
	for (int i = 0; i < BIG; i++)
		if (data[i] != (unsigned char)(i * 31 >> 3))
			fail("wrong byte");
	free(data);
}

static void several_run_at_once(void)
{
	struct goal_task task = task_of(GOAL_EXCHANGE, "direct-rotated", 64);
	unsigned char in[16][MOST][64], out[16][MOST][64];
	uint32_t id = load(&task), slot[16];

	for (int k = 0; k < 16; k++) {
		for (int q = 0; q < nprocs; q++)
			memset(in[k][q], k * 16 + rank * nprocs + q, 64);
		slot[k] = start(id, in[k], out[k]);
	}
	for (int k = 15; k >= 0; k--)
		finish(slot[k]);
	for (int k = 0; k < 16; k++)
		for (int q = 0; q < nprocs; q++)
			if (out[k][q][63] != (unsigned char)(k * 16 + q * nprocs + rank))
				fail("wrong block");
}

/* From rank 0 to rank 1, @messages of 8 bytes out of one buffer, of which it takes the last. */
static uint32_t load_letters(int messages)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int buffer = goal_buffer(g);

	for (int i = 0; i < messages && rank == 0; i++)
		goal_send(g, 8, GOAL_AT(buffer, 8 * i), 1, i);
	if (rank == 1)
		goal_recv(g, 8, GOAL_AT(buffer, 0), 0, messages - 1);
	return load_graph(g);
}

/* A message that none takes does not reach the next schedule of that id, or fill the memory. */
static void unwanted_messages_go(void)
{
	uint64_t letter[3] = { 1, 2, 3 }, word = 4;
	uint32_t id;

	for (int i = 0; i < 3; i++) {
		id = load_letters(3);
		finish(start(id, letter, NULL));
		if (rank == 1 && letter[0] != 3)
			fail("the last letter");
		unload(id);
		id = load_letters(1);
		word = rank == 0 ? 4 : 0;
		finish(start(id, &word, NULL));
		if (rank <= 1 && word != 4)
			fail("the letter of another schedule");
		unload(id);
	}
}

/*
 * Rank 1 takes 4 MiB with a receive that has no place, and is for 8 bytes; its 50 MiB in all are
 * more than may wait.
 */
static void receives_without_place_take_all(void)
{
	unsigned char *data = calloc(4, BIG);
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int buffer = goal_buffer(g);
	uint32_t id;

	if (rank == 0)
		goal_send(g, 4 * BIG, GOAL_AT(buffer, 0), 1, 0);
	if (rank == 1)
		goal_recv(g, 8, GOAL_NOWHERE, 0, 0);
	id = load_graph(g);
	for (int i = 0; i < 12; i++)
		finish(start(id, data, NULL));
	free(data);
}

/*
 * Rank 0 is ahead with more than may wait for a receive, and what rank 1 waits for comes behind
 * that.
 */
static void processes_ahead_hold_up_none(void)
{
	unsigned char *data = calloc(12, BIG);
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int buffer = goal_buffer(g);
	uint32_t late, early, slot;
	uint64_t word = 7 * (rank == 0);

	if (rank == 0)
		goal_send(g, 12 * BIG, GOAL_AT(buffer, 0), 1, 0);
	if (rank == 1)
		goal_recv(g, 12 * BIG, GOAL_AT(buffer, 0), 0, 0);
	late = load_graph(g);
	early = load_letters(1);
	if (rank == 0)
		data[12 * BIG - 1] = 9;
	slot = rank == 0 ? start(late, data, NULL) : 0;
	finish(start(early, &word, NULL));
	if (rank <= 1 && word != 7)
		fail("the letter that came behind");
	if (rank != 0)
		slot = start(late, data, NULL);
	finish(slot);
	if (rank <= 1 && data[12 * BIG - 1] != 9)
		fail("what came before its receive");
	free(data);
}

static void length_mismatches_are_reported(void)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int buffer = goal_buffer(g);
	uint64_t data[2] = { 0 };
	uint32_t slot;

	if (rank == 0)
		goal_send(g, 16, GOAL_AT(buffer, 0), 1, 5);
	if (rank == 1)
		goal_recv(g, 8, GOAL_AT(buffer, 0), 0, 5);
	slot = start(load_graph(g), data, NULL);
	if (rank != 1) {
		finish(slot);
		while (!shared->step[1])
			;		/* it would lose us, else */
		return;
	}
	while (page->state[slot] == ESPGOAL_RUNNING)
		;
	if (page->state[slot] != ESPGOAL_FAILED || page->error != EMSGSIZE || page->slot != slot ||
	    page->operation != 0 || page->from != 0 || page->bytes != 16)
		fail("what the page tells");
	shared->step[1] = 1;
}

/* Rank 0 begins a chain and all others only look: their kernels pass it on. */
static void none_need_help(void)
{
	struct goal_task task = task_of(GOAL_BCAST, "chain", 64);
	char data[64] = "";
	uint32_t id, slot;

	task.source = task.target = 0;
	id = load(&task);
	if (rank == 0)
		strcpy(data, "passed on");
	slot = start(id, data, NULL);
	look(slot);
	if (strcmp(data, "passed on"))
		fail("what was passed on");
	finish(slot);
}

static void wrong_calls_are_refused(void)
{
	struct espgoal_load bad = {
		.block = (uintptr_t) "no schedule at all, but 48 bytes of text ........",
		.bytes = 48
	};
	struct espgoal_start s = { .id = 999 };
	struct espgoal_finish f = { .slot = 77 };
	struct espgoal_join join = { .version = 7 };

	if (ioctl(device, ESPGOAL_LOAD, &bad) != -1 || errno != EBADMSG || !bad.error)
		fail("a bad block must be refused");
	if (ioctl(device, ESPGOAL_START, &s) != -1 || errno != EINVAL)
		fail("no such schedule");
	if (ioctl(device, ESPGOAL_FINISH, &f) != -1 || errno != EINVAL)
		fail("no such run");
	if (ioctl(device, ESPGOAL_JOIN, &join) != -1 || errno != EISCONN)
		fail("joined twice");
	if (ioctl(device, 0x1234, NULL) != -1 || errno != ENOTTY)
		fail("no such call");
	if (mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, device, 0) != MAP_FAILED ||
	    errno != EPERM)
		fail("the page is to look at only");
}

/* No process has memory at 8, so what is read of a block there fails. */
static void large_blocks_are_charged_first(void)
{
	struct espgoal_load large = { .block = 8, .bytes = 40 << 20 };
	struct espgoal_load more = { .block = 8, .bytes = (256 << 20) + 8 };
	int fd;

	if (rank)
		return;
	fd = open("/dev/espgoal", O_RDWR | O_CLOEXEC);
	if (ioctl(fd, ESPGOAL_LOAD, &large) != -1 || errno != ENOTCONN)
		fail("a file that has not joined loads nothing");
	close(fd);
	if (ioctl(device, ESPGOAL_LOAD, &more) != -1 || errno != ENOSPC)
		fail("a block larger than what a file may use");
	for (int i = 0; i < 7; i++)
		if (ioctl(device, ESPGOAL_LOAD, &large) != -1 || errno != EFAULT)
			fail("a block that cannot be read must not stay charged");
}

static bool is_not_permitted(unsigned long number, void *argument)
{
	return ioctl(device, number, argument) == -1 && errno == EPERM;
}

/* It has the file, and a copy of the memory. */
static void children_are_refused(void)
{
	struct goal_task task = task_of(GOAL_BARRIER, "dissemination", 0);
	size_t len;
	char why[160];
	void *block = goal_generate(&task, nprocs, rank, &len, why, sizeof(why));
	struct espgoal_load l = { .block = (uintptr_t)block, .bytes = len };
	uint32_t used = load(&task), unused = load(&task);
	struct espgoal_start s = { .id = used };
	struct espgoal_finish f = { .slot = start(used, NULL, NULL) };
	int status;

	look(f.slot);
	if (fork() == 0)
		_exit(!(is_not_permitted(ESPGOAL_LOAD, &l) &&
			is_not_permitted(ESPGOAL_START, &s) &&
			is_not_permitted(ESPGOAL_FINISH, &f) &&
			is_not_permitted(ESPGOAL_UNLOAD, &unused)));
	if (wait(&status), status)
		fail("a child may not call");
	finish(f.slot);
	unload(unused);
	free(block);
}

static void wait_for_ever(void)
{
	struct goal_task task = task_of(GOAL_BCAST, "linear", BIG);
	unsigned char *data =
		mmap(NULL, BIG, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t id;

	task.source = task.target = 0;
	id = load(&task);
	if (rank != 0) {
		start(id, data, NULL);
		munmap(data, BIG);	/* its pages stay until the run ends */
	}
	shared->step[rank] = 1;
	if (rank == 1)
		raise(SIGKILL);
	_exit(0);
}

/*
 * ---- The test ----------------------------------------------------------------------------------
 */

static void job(void (*body)(void), const char *claim)
{
	static uint64_t key = 1;
	int status, failed;

	shared->failures = 0;
	for (int i = 0; i < MOST; i++)
		shared->step[i] = 0;
	key++;
	fflush(stdout);
	for (int i = 0; i < nprocs; i++)
		if (fork() == 0) {
			join_as(i, key);
			body();
			_exit(0);
		}
	while (wait(&status) > 0)
		;
	failed = shared->failures;
	ok(failed == 0, claim);
}

int main(int argc, char **argv)
{
	nprocs = argc > 1 ? atoi(argv[1]) : 2;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED || nprocs < 2 || nprocs > MOST)
		bail("espgoal");
	job(barriers_wait_for_all, "a barrier waits for all, fifty times");
	job(folds_add_up, "sums of doubles are right");
	job(large_messages_arrive, "a megabyte arrives everywhere");
	job(several_run_at_once, "sixteen runs run at once and end in any order");
	job(unwanted_messages_go, "messages that no process takes go with their runs");
	job(receives_without_place_take_all,
	    "a receive without a place takes a message of any length");
	job(processes_ahead_hold_up_none, "processes that are ahead hold up no other");
	job(length_mismatches_are_reported, "a wrong length is reported with its sender");
	job(none_need_help, "messages are passed on without the processes");
	job(wrong_calls_are_refused, "wrong calls are refused");
	job(large_blocks_are_charged_first, "blocks are charged before they are read");
	job(children_are_refused, "a child can neither load, start, finish nor unload");
	job(wait_for_ever, "processes end in the middle of runs");
	return done_testing();
}
