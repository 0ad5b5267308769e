/* SPDX-License-Identifier: BSD-3-Clause */
/* 256 processes have a network; what it needs comes with open and goes with close. */
#include "../lib/emulated.h"

#include <sys/resource.h>

/* Pieces of memory that this process shares with others, each of which may be mapped in parts. */
static int shared_pieces(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned long inode, seen[64];
	char line[400], access[8];
	int n = 0, i;

	if (!maps)
		bail("no /proc/self/maps");
	while (n < 64 && fgets(line, sizeof line, maps)) {
		if (sscanf(line, "%*s %7s %*s %*s %lu", access, &inode) != 2 || access[3] != 's')
			continue;
		for (i = 0; i < n && seen[i] != inode; i++)
			continue;
		if (i == n)
			seen[n++] = inode;
	}
	fclose(maps);
	return n;
}

static int open_files(void)
{
	int n = 0;

	for (int fd = 0; fd < 64; fd++)
		n += dup2(fd, fd) == fd;
	return n;
}

/* Around the ring once, then every process in two counting barriers. */
static void body(struct bspt *t)
{
	uint64_t k = 16 + 2 * (uint64_t)t->nprocs;
	uint64_t step = 5000 + (k - 1) * 10 + 50000 + 5000, end;

	send_bytes(t, next_of(t), 100);
	is_int(100, (long long)wait_for(t, prev_of(t)), "a chunk from the previous process");
	is_int(5000 + 990 + 50000 + 5000, (long long)now(t), "its time");
	end = now(t) + 2 * (uint64_t)steps_of(t->nprocs) * step;
	count_round(t, 0);
	is_int(t->nprocs, (long long)count_round(t, (uint32_t)t->nprocs).any, "a counting barrier");
	is_int((long long)end, (long long)now(t), "its time");
	meet(t);
}

static void nothing(struct bspt *t)
{
	meet_silently(t);
}

/* As enter_transport(), and looks at what is left. */
static void open_and_close(int me, int nprocs)
{
	int files = open_files(), pieces = shared_pieces();
	struct bspt *t;

	job.plan.wire->me = me;
	if (bspt_open(job.ops, &job.plan, me, &t))
		bail("open");
	is_int(nprocs, t->nprocs, "open for all");
	nothing(t);
	t->ops->close(t);
	is_int(pieces - 2, shared_pieces(),
	       "close gives back the memory of the clocks and of what carries");
	is_int(files, open_files(), "no file is left open");
}

static void look_at_what_is_left(void)
{
	job.ops = emulator();
	job.plan = plan_for("sp2", 4);
	make_common();
	prepare_transport();
	procs_ok(open_and_close, 4, "open and close");
	keep_prepared(job.plan.shared);
}

/* Address space of this process, pages. */
static long pages(void)
{
	FILE *statm = fopen("/proc/self/statm", "re");
	long all;

	if (!statm || fscanf(statm, "%ld", &all) != 1)
		bail("no /proc/self/statm");
	fclose(statm);
	return all;
}

/* Prepare with room for the clocks, but not for the inner transport. */
static int prepare_in_vain(struct bspt_plan *plan)
{
	struct rlimit old, tight;
	int err;

	getrlimit(RLIMIT_AS, &old);
	tight = old;
	tight.rlim_cur = (rlim_t)pages() * 4096 + ((rlim_t)4 << 20);
	setrlimit(RLIMIT_AS, &tight);
	err = emulator()->prepare(plan);
	setrlimit(RLIMIT_AS, &old);
	return err;
}

/* Once before it counts: the C library and checkers of memory keep something. */
static void prepare_without_memory(void)
{
	struct bspt_plan plan = plan_for("sp2", 256);
	long before;

	plan.wire = local_wire(256, 0);
	ok(prepare_in_vain(&plan) < 0, "prepare without memory says so");
	before = pages();
	ok(prepare_in_vain(&plan) < 0, "again");
	is_int(before, pages(), "nothing is left");
	ok(!plan.shared, "the plan is as it was");
}

int main(void)
{
	pages();
	if (SANITIZED)
		not_applicable("a sanitizer needs address space without limit");
	else
		prepare_without_memory();
	look_at_what_is_left();
	on_network("L=50us,o=5us,g=5us,G=10ns,cpu=0", SANITIZED ? 100 : 256, body,
		   SANITIZED ? "100 processes" : "256 processes");
	return done_testing();
}
