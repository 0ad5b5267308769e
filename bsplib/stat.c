// SPDX-License-Identifier: BSD-3-Clause
/* stat.c - what a run did: counted on each process, printed by process 0 in bsp_end. */

#include "bspi.h"

#include <stdio.h>
#include <stdlib.h>

/* One row for each process; filled on process 0 only. */
struct row {
	struct bspi_stat stat;
	double seconds;
};

static struct row *rows;

void bspi_stat_sync(uint64_t ns)
{
	bspi.stat.sync_ns += ns;
	if (ns > bspi.stat.longest_ns)
		bspi.stat.longest_ns = ns;
}

static struct row own_row(void)
{
	return (struct row){ bspi.stat, bspi_time() };
}

/* Each process hands its row to process 0 with its last superstep. */
void bspi_stat_send(void)
{
	struct bspi_rec *rec;

	if (bspi.me == 0) {
		rows = calloc(bspi.nprocs, sizeof(*rows));
		if (!rows)
			bspi_fail_memory("bsp_end", NULL);
		rows[0] = own_row();
		return;
	}
	rec = bspi_out_room(0, bspi_align(sizeof(*rec) + sizeof(struct row)));
	*rec = (struct bspi_rec){ .what = bspi_what(BSPI_STAT, 0), .nbytes = sizeof(struct row) };
	*(struct row *)(rec + 1) = own_row();
}

void bspi_stat_hear(int from, const struct bspi_rec *rec)
{
	if (rows)
		rows[from] = *(const struct row *)(rec + 1);
}

static void print_row(int p)
{
	const struct row *r = &rows[p];
	const struct bspi_stat *s = &r->stat;

	fprintf(stderr, "%7d %10llu %10llu %10llu %14llu %14llu %10.4f %10.4f %10.3f\n", p,
		(unsigned long long)s->puts, (unsigned long long)s->gets,
		(unsigned long long)s->msgs, (unsigned long long)s->bytes_out,
		(unsigned long long)s->bytes_in, r->seconds - s->sync_ns * 1e-9,
		s->sync_ns * 1e-9, s->longest_ns * 1e-6);
}

/* The most that a process computed, over the mean: 1 is perfect balance. */
static double imbalance(int *worst)
{
	double most = 0, sum = 0;

	*worst = 0;
	for (int p = 0; p < bspi.nprocs; p++) {
		double w = rows[p].seconds - rows[p].stat.sync_ns * 1e-9;

		sum += w;
		if (w > most) {
			most = w;
			*worst = p;
		}
	}
	return sum > 0 ? most * bspi.nprocs / sum : 1;
}

void bspi_stat_print(void)
{
	int worst;
	double ratio;

	if (!rows)
		return;
	ratio = imbalance(&worst);
	fprintf(stderr, "bsp: %d processes, %u supersteps, %.4f s, transport %s\n", bspi.nprocs,
		bspi.step, rows[0].seconds, bspi.net ? bspi.net->ops->name : "self");
	fprintf(stderr, "%7s %10s %10s %10s %14s %14s %10s %10s %10s\n", "process", "puts", "gets",
		"messages", "bytes sent", "bytes got", "compute s", "sync s", "longest ms");
	for (int p = 0; p < bspi.nprocs; p++)
		print_row(p);
	fprintf(stderr, "bsp: largest imbalance %.2f: process %d computed %.2f times the mean\n",
		ratio, worst, ratio);
	free(rows);
	rows = NULL;
}
