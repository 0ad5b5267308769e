/* SPDX-License-Identifier: BSD-3-Clause */
/* After bsp_end process 0 may begin another SPMD part, any number of times, with other numbers of
 * processes. */
#include "../lib/spmd.h"

#include <bsp_coll.h>

#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PARTS = 40, AREA = 1 << 17, PIECE = 8192 };

static struct {
	atomic_int begun, ended, second;
} *runs;

static int wanted, part;
static char area[AREA];
static pid_t first;

static bool over(const char *name)
{
	const char *transport = getenv("BSP_TRANSPORT");

	return transport && strcmp(transport, name) == 0;
}

/* Puts, large ones without buffers so that areas are exposed, messages, a collective operation. */
static void exercise(void)
{
	char piece[PIECE];
	int p = (int)bsp_nprocs(), me = (int)bsp_pid(), value = -1, sum = 0;
	bsp_nprocs_t n;

	bsp_push_reg(area, sizeof area);
	bsp_push_reg(&value, sizeof value);
	bsp_sync();
	memset(piece, me + 1, sizeof piece);
	for (int step = 0; step < 4; step++) {
		/* one half and the other: what is looked at is not written meanwhile */
		int half = step % 2 * AREA / 2;

		bsp_put(right(), &me, &value, 0, sizeof value);
		bsp_hpput(right(), piece, area, half + me * PIECE, sizeof piece);
		bsp_send(0, NULL, &me, sizeof me);
		bsp_sync();
		is_int((me + p - 1) % p, value, "the put of the left neighbour");
		is_int((me + p - 1) % p + 1, area[half + (me + p - 1) % p * PIECE + 7],
		       "and what was written without buffers");
	}
	bsp_qsize(&n, NULL);
	is_int(me == 0 ? p : 0, (long)n, "messages");
	bsp_allreduce(BSP_SUM, BSP_INT, &me, &sum, 1);
	is_int(p * (p - 1) / 2, sum, "a sum");
}

static void spmd(void)
{
	bsp_begin((bsp_nprocs_t)wanted);
	is_int(wanted, (long)bsp_nprocs(), "as many as were asked for");
	is_int(0, area[AREA - 1], "what others wrote into their copies is not seen");
	is_int(part, runs->begun, "what process 0 knew before is known");
	exercise();
	ok(bsp_time() < tap_limit(60), "time begins again");
	if (bsp_pid() > 0)
		memset(area, 77, sizeof area);
	bsp_sync();
	bsp_end();
}

static void next_part(int nprocs)
{
	wanted = nprocs;
	part = ++runs->begun;
	spmd();
	runs->ended++;
}

static int count_in(const char *folder)
{
	DIR *dir = opendir(folder);
	int n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

static int count_mappings(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	int c, n = 0;

	while (maps && (c = getc(maps)) != EOF)
		n += c == '\n';
	if (maps)
		fclose(maps);
	return n;
}

/* Memory and descriptors kept between parts are those of one part, whatever their number. */
static void many_parts(void)
{
	int descriptors = 0, mappings = 0;

	bsp_init(spmd, 0, NULL);
	for (int i = 0; i < PARTS; i++) {
		next_part(1 + (i * 7 + 2) % 4);
		if (i == 0)
			first = getpid();
		if (i == 10) {
			descriptors = count_in("/proc/self/fd");
			mappings = count_mappings();
		}
	}
	is_int(first, getpid(), "process 0 is the same process in all parts");
	is_int(descriptors, count_in("/proc/self/fd"), "no descriptors are left by parts");
	ok(count_mappings() < mappings + PARTS / 2, "nor is memory");
}

/* Without bsp_init all go on; the next part needs process 0 alone, and the others end there. */
static void all_go_on(void)
{
	int variable = 3;

	bsp_begin(3);
	tap_process((int)bsp_pid());
	variable += (int)bsp_pid();
	bsp_end();
	atomic_fetch_add(&runs->begun, 1);
	bsp_begin(2);
	is_int(3, variable, "the others are copies of process 0");
	bsp_end();
	atomic_fetch_add(&runs->ended, 1);
}

static void between(void)
{
	bsp_begin(1);
	is_int(1, (long)bsp_nprocs(), "one process");
	bsp_end();
	is_int(3, (long)bsp_nprocs(), "between parts bsp_nprocs says how many there can be");
	bsp_begin(bsp_nprocs());
	is_int(3, (long)bsp_nprocs(), "and they come");
	bsp_end();
}

static void other(void)
{
	bsp_begin(2);
	atomic_fetch_add(&runs->second, 1);
	bsp_end();
}

static void two_functions(void)
{
	bsp_init(spmd, 0, NULL);
	next_part(3);
	bsp_init(other, 0, NULL);
	other();
	atomic_fetch_add(&runs->ended, 1);
}

static void init_inside(void)
{
	bsp_begin(2);
	expect_site(), bsp_init(spmd, 0, NULL);
	bsp_end();
}

static void init_inside_again(void)
{
	bsp_begin(2);
	bsp_end();
	init_inside();
}

static void killed_later(void)
{
	bsp_begin(3);
	bsp_end();
	bsp_begin(3);
	bsp_sync();
	if (bsp_pid() == 2)
		raise(SIGKILL);
	bsp_sync();
	bsp_end();
}

static void wrong_later(void)
{
	bsp_begin(3);
	bsp_end();
	bsp_begin(2);
	bsp_sync();
	if (bsp_pid() == 1) {
		expect_process(1);
		expect_superstep(1);
		expect_site(), bsp_put(2, area, area, 0, 1);
	}
	bsp_sync();
	bsp_end();
}

static void never_ended(void)
{
	bsp_begin(1);
	bsp_end();
	bsp_begin(2);
}

static void fails_after(void)
{
	bsp_begin(3);
	bool is_last = bsp_pid() == 2;

	bsp_end();
	if (is_last)
		exit(7);
	bsp_begin(2);
	bsp_end();
}

/* Process 1 of the first part is still at it when the second has begun, and has its say. */
static void lingers(void)
{
	bsp_begin(2);
	bool lingering = bsp_pid() == 1;

	bsp_end();
	while (lingering && runs->second == 0)
		sched_yield();
	if (lingering)
		exit(5);
	bsp_begin(2);
	runs->second = 1;
	bsp_end();
}

static void lingers_and_fails(void)
{
	bsp_begin(2);
	bool lingering = bsp_pid() == 1;

	bsp_end();
	while (lingering && runs->second == 0)
		sched_yield();
	if (lingering)
		expect_site(), bsp_sync();
	bsp_begin(2);
	runs->second = 1;
	for (;;)
		bsp_sync();
}

static void closes_descriptors(void)
{
	bsp_begin(2);
	bsp_end();
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	expect_site(), bsp_begin(2);
}

static void reset(void)
{
	memset(runs, 0, sizeof *runs);
}

static void over_mpi(void)
{
	bsp_begin(2);
	bsp_end();
	expect_site(), bsp_begin(2);
}

static void check_ends(void)
{
	job_run(killed_later, 3);
	is_int(128 + SIGKILL, job_status(), "the death of a process of a later part ends the job");
	ok(strstr(job_err(), "killed by signal 9") && strstr(job_err(), "process 2, superstep 1"),
	   "and is named") ||
		(diag("%s", job_err()), 0);
	dies_ok(wrong_later, 3, "bsp_put: process 2 does not exist", "a mistake in a later part");
	dies_ok(never_ended, 2, "bsp_end: was not called", "a later part that does not end");
	job_run(fails_after, 3);
	is_int(7, job_status(),
	       "a status of a process of the first part that is not 0 is that of the job");
	reset();
	job_run(lingers, 2);
	is_int(5, job_status(), "also if it ends when the next part has begun");
	is_str("", job_err(), "without a word");
	reset();
	dies_ok(lingers_and_fails, 2, "bsp_sync: called after bsp_end",
		"such a process that makes a mistake");
	dies_ok(closes_descriptors, 2, "bsp_begin: the program has closed descriptors",
		"descriptors that are needed");
}

int main(void)
{
	runs = mmap(NULL, sizeof *runs, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (job_max_nprocs() < 4) {
		not_applicable("several SPMD parts of several processes");
		return done_testing();
	}
	if (over("mpi")) {
		dies_ok(over_mpi, 2,
			"bsp_begin: transport mpi cannot be used: MPI serves one SPMD part",
			"over MPI");
		return done_testing();
	}
	lives_ok(many_parts, 4, "%d parts", PARTS);
	is_int(PARTS, runs->ended, "process 0 alone comes out of each");
	reset();
	if (lives_ok(all_go_on, 3, "without bsp_init"))
		is_int(3, runs->begun, "all go on after the first part");
	is_int(2, runs->ended, "and after the second the two of that one");
	lives_ok(between, 3, "more processes than before");
	reset();
	lives_ok(two_functions, 3, "a function for each part");
	is_int(2, runs->second, "the second has two processes");
	is_int(2, runs->ended, "process 0 alone goes on");
	dies_ok(init_inside, 2, "bsp_init: called inside the SPMD part", "bsp_init inside");
	dies_ok(init_inside_again, 2, "bsp_init: called inside the SPMD part",
		"bsp_init inside the second");
	check_ends();
	return done_testing();
}
