/* SPDX-License-Identifier: BSD-3-Clause */
/* 302 - probe says why not, and neither it nor a prepare that fails leaves anything. */
#include "transports.h"

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

	ok(ops->probe(1000000, why, sizeof why) < 0, "%s: not with a million processes", ops->name);
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

	/* What the C library and checkers of memory keep they keep the first time. */
	for (int i = 0; i < 2; i++) {
		holdings(before, sizeof before);
		ops->probe(1, why, sizeof why);
		ops->probe(3, why, sizeof why);
		ops->probe(1000000, why, sizeof why);
		holdings(after, sizeof after);
	}
	is_str(before, after, "%s: probe leaves nothing behind", ops->name);
}

static void no_memory(const struct bspt_ops *ops)
{
	struct rlimit old, tight;
	struct bspt_plan plan = { .nprocs = 1, .reserve_bytes = (size_t)64 << 20,
				  .network = network_for(ops), .shared = &plan };
	char before[100], after[100];
	int err;

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
		skip("%s: prepare needs no memory", ops->name);
		return;
	}
	is_int(-ENOMEM, err, "%s: prepare without memory says so", ops->name);
	ok(plan.shared == &plan, "%s: the plan is as it was", ops->name);
	is_str(before, after, "%s: nothing is left", ops->name);
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
		no_memory(ops);
	}
	return done_testing();
}
