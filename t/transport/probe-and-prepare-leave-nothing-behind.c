/* SPDX-License-Identifier: BSD-3-Clause */
/* Probe says why not, and neither it nor a prepare that fails leaves anything. */
#include "../lib/transports.h"

#include <sys/resource.h>

/* Address space in use, pages. */
static long pages(void)
{
	FILE *statm = fopen("/proc/self/statm", "re");
	long all;

	if (!statm || fscanf(statm, "%ld", &all) != 1)
		bail("no /proc/self/statm");
	fclose(statm);
	return all;
}

/* Address space in use and files open, as one text. */
static void holdings(char *text, size_t len)
{
	int files = 0;

	for (int fd = 0; fd < 64; fd++)
		files += dup2(fd, fd) == fd;
	snprintf(text, len, "%ld pages, %d files", pages(), files);
}

static void too_many(const struct bspt_ops *ops)
{
	char why[200] = "";

	if (ops->probe(1000000, why, sizeof why) == 0) {
		not_applicable("%s: no number of processes is too large", ops->name);
		return;
	}
	ok(*why && !strchr(why, '\n'), "%s: the reason is a line", ops->name);
	diag("%s: %s", ops->name, why);
	memset(why, 'x', sizeof why);
	ops->probe(1000000, why, 8);
	is_int(7, (long)strnlen(why, sizeof why), "%s: a reason that does not fit is cut",
	       ops->name);
	is_int('x', why[8], "%s: and nothing is written behind it", ops->name);
}

static void nothing_left(const struct bspt_ops *ops)
{
	char why[200], before[100], after[100];

	/* The C library and checkers of memory may keep something, the first time only. */
	for (int i = 0; i < 2; i++) {
		holdings(before, sizeof before);
		ops->probe(1, why, sizeof why);
		ops->probe(3, why, sizeof why);
		ops->probe(1000000, why, sizeof why);
		holdings(after, sizeof after);
	}
	is_str(before, after, "%s: probe leaves nothing behind", ops->name);
}

/* As a job, since a transport may have processes of its own, which have to go with it. */
static void without_memory(void)
{
	const struct bspt_ops *ops = job.ops;
	struct bspt_plan plan = { .nprocs = 1, .reserve_bytes = (size_t)64 << 20, .shared = &plan };
	struct rlimit old, tight;
	char before[100], after[100];
	int err;

	plan = completed(plan, ops);
	plan.wire = local_wire(1, 0);
	holdings(before, sizeof before);
	getrlimit(RLIMIT_AS, &old);
	tight = old;
	tight.rlim_cur = (rlim_t)pages() * 4096 + ((rlim_t)4 << 20);
	setrlimit(RLIMIT_AS, &tight);
	err = ops->prepare(&plan);
	setrlimit(RLIMIT_AS, &old);
	holdings(after, sizeof after);
	if (err == 0) {
		keep_prepared(plan.shared);
		not_applicable("%s: prepare needs no memory", ops->name);
		return;
	}
	/* A process that a transport starts may fail for want of it in ways of its own. */
	ok(ops->caps & BSPT_ONE_NODE ? err == -ENOMEM : err < 0,
	   "%s: prepare without memory says so (%s)", ops->name, strerror(-err));
	ok(plan.shared == &plan, "%s: the plan is as it was", ops->name);
	is_str(before, after, "%s: nothing is left", ops->name);
}

/* Prepared in a job that then opens nothing, and ends. */
static void prepare_only(void)
{
	prepare_transport();
}

static void no_use(const struct bspt_ops *ops, int nprocs)
{
	char why[500];

	if (probe_transport(ops, nprocs, why, sizeof why) < 0) {
		cannot_run(ops->name, nprocs > 1 ? "some prepare" : "one prepares", why);
		return;
	}
	job.plan = completed((struct bspt_plan){ .nprocs = nprocs }, ops);
	job.node_size = node_size_for(ops, nprocs);
	lives_ok(prepare_only, 0, "%s: what was prepared for %d and not opened goes with the job",
		 ops->name, nprocs);
}

static void no_memory(const struct bspt_ops *ops)
{
	char why[500];

	if (probe_transport(ops, 1, why, sizeof why) < 0)
		cannot_run(ops->name, "memory", why);
	else
		job_run(without_memory, 0);
}

int main(void)
{
	const struct bspt_ops *ops;
	char text[100];

	holdings(text, sizeof text);	/* what the C library keeps is kept now */
	for (unsigned int i = 0; (ops = bspt_at(i)); i++) {
		if (!is_wanted(ops))
			continue;
		too_many(ops);
		nothing_left(ops);
		job.ops = ops;
		no_memory(ops);
		no_use(ops, 1);
		no_use(ops, 3);
	}
	return done_testing();
}
