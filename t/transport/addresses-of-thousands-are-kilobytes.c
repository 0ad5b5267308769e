/* SPDX-License-Identifier: BSD-3-Clause */
/* A process without an endpoint of ofi has kilobytes of 16384 others. */

/*
 * A process of a job whose others are not there: its wire gives it, in an exchange, what it gave
 * itself, or for the first process of each node what a first process would give.
 */
#include "../lib/transports.h"
#include "../lib/written.h"

#include "transport/card.h"

static int node[MANY];
static struct bspt_wire wire;
static struct bspt_card cards[NODE];

/* The bytes that the first process of a node gives in an exchange: in memory of all. */
static char *first_gave;

static int exchange(struct bspt_wire *w, const void *mine, size_t len, bspt_take_fn *take,
		    void *arg)
{
	if (w->me == 0)
		memcpy(first_gave, mine, len);
	for (int p = 0; p < w->nprocs; p++)
		take(arg, p, p % NODE && w->me ? mine : first_gave);
	return 0;
}

static struct bspt_plan plan_of(int nprocs, int me)
{
	wire = (struct bspt_wire){ .nprocs = nprocs, .me = me, .one_machine = true, .node = node,
				   .nnodes = nprocs / NODE, .exchange = exchange };
	return (struct bspt_plan){ .nprocs = nprocs, .wire = &wire, .lost = lost, .late = true,
				   .cards = cards, .network = "" };
}

static struct bspt *open_of(int nprocs, int me)
{
	struct bspt_plan plan = plan_of(nprocs, me);
	struct bspt *t;

	if (bspt_open(job.ops, &plan, me, &t))
		bail("%s does not open", job.ops->name);
	return t;
}

static long ofi_kib(int nprocs)
{
	long before = written_kib();

	open_of(nprocs, ME);
	return written_kib() - before;
}

static long first_opens(int nprocs)
{
	open_of(nprocs, 0);
	return 0;
}

int main(void)
{
	char why[500];

	job.ops = bspt_find("ofi");
	if (!is_wanted(job.ops))
		skip_all("not applicable: this is about ofi");
	if (SANITIZED)
		skip_all("not applicable: a sanitizer has memory of its own for each byte");
	if (written_kib() < 0)
		skip_all("no smaps_rollup in /proc here");
	for (int p = 0; p < MANY; p++)
		node[p] = p / NODE;
	if (job.ops->probe(2, why, sizeof why) < 0) {
		cannot_run("ofi", "its tables", why);
		return done_testing();
	}
	first_gave = mmap(NULL, BSPT_EXCHANGE_MOST, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (first_gave == MAP_FAILED)
		bail("no shared memory");
	measured(first_opens, FEW);
	/* of each process a word of a table, and the port of its datagrams */
	is_small("ofi", ofi_kib, 2, 12);
	return done_testing();
}
