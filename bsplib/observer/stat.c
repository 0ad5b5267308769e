// SPDX-License-Identifier: BSD-3-Clause
/* stat.c - what a run did: counted on each process, reported by process 0 in bsp_end. */

#include "bsplib/observer/stat.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/observe.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/out.h"
#include "bsplib/engine/record.h"

#include "common/json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One row for each process; filled on process 0 only. */
struct row {
	struct bspi_stat stat;
	double seconds;
};

static struct row *rows;

/* The program may change its folder before the report is written. */
static void make_absolute(char *path, size_t room)
{
	char *here = path[0] == '/' ? NULL : getcwd(NULL, 0);
	size_t len = here ? strlen(here) + 1 : 0;

	if (here && len + strlen(path) < room) {
		memmove(path + len, path, strlen(path) + 1);
		memcpy(path, here, len - 1);
		path[len - 1] = '/';
	}
	free(here);
}

void bspi_stat_choose(void)
{
	if (!bspi.env.report[0])
		return;
	bspi.env.stat |= BSPI_REPORT_FILE;
	make_absolute(bspi.env.report, sizeof(bspi.env.report));
}

/* ---- Times ----------------------------------------------------------------------- */

/* When bsp_sync began, or bsp_read or bsp_expect. */
static uint64_t began;

static void sync_begins(const char *site, bool ending)
{
	(void)site;
	(void)ending;
	began = bspi_now();
}

static void sync_ends(void)
{
	uint64_t ns = bspi_now() - began;

	bspi.stat.sync_ns += ns;
	if (ns > bspi.stat.longest_ns)
		bspi.stat.longest_ns = ns;
}

static void read_begins(const char *site, uint32_t slot, int n)
{
	(void)site;
	(void)slot;
	(void)n;
	began = bspi_now();
}

static void expect_begins(const char *site, int wanted, size_t *n)
{
	(void)site;
	(void)wanted;
	(void)n;
	began = bspi_now();
}

static void read_ends(void)
{
	bspi.stat.read_ns += bspi_now() - began;
}

/* ---- Rows ------------------------------------------------------------------------ */

static struct row own_row(void)
{
	return (struct row){ bspi.stat, bspi_time() };
}

/* Each process hands its row to process 0 with its last superstep. */
static void send_row(void)
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

static const char *stat_on_row(int from, const char *at, const char *end)
{
	if (rows)
		rows[from] = *(const struct row *)((const struct bspi_rec *)at + 1);
	return bspi_after(from, at, end);
}

/* Seconds that were not spent in bsp_sync, bsp_read or bsp_expect. */
static double stat_computed(const struct row *r)
{
	return r->seconds - (r->stat.sync_ns + r->stat.read_ns) * 1e-9;
}

static void print_row(int p)
{
	const struct row *r = &rows[p];
	const struct bspi_stat *s = &r->stat;

	fprintf(stderr, "%7d %10llu %10llu %10llu %14llu %14llu %10.4f %10.4f %10.4f %10.3f\n", p,
		(unsigned long long)s->puts, (unsigned long long)s->gets,
		(unsigned long long)s->msgs, (unsigned long long)s->bytes_out,
		(unsigned long long)s->bytes_in, stat_computed(r), s->sync_ns * 1e-9,
		s->read_ns * 1e-9, s->longest_ns * 1e-6);
}

/* The most that a process computed, over the mean: 1 is perfect balance. */
static double imbalance(int *worst)
{
	double most = 0, sum = 0;

	*worst = 0;
	for (int p = 0; p < bspi.nprocs; p++) {
		double w = stat_computed(&rows[p]);

		sum += w;
		if (w > most) {
			most = w;
			*worst = p;
		}
	}
	return sum > 0 ? most * bspi.nprocs / sum : 1;
}

static const char *transport_name(void)
{
	return bspi.net ? bspi.net->ops->name : "self";
}

/* All processes run the same ones beside them. */
static void print_runs(void)
{
	const struct bspi_stat *s = &rows[0].stat;

	if (bspi.env.offload[0] != '0')
		fprintf(stderr,
			"bsp: process 0 started schedules %llu times: %llu in the kernel, %llu "
			"in the process\n",
			(unsigned long long)(s->runs + s->offloaded),
			(unsigned long long)s->offloaded,
			(unsigned long long)s->runs);
}

static void stat_print_table(void)
{
	int worst;
	double ratio = imbalance(&worst);

	fprintf(stderr, "bsp: %d processes, %u supersteps, %.4f s, transport %s\n", bspi.nprocs,
		bspi.step, rows[0].seconds, transport_name());
	fprintf(stderr, "%7s %10s %10s %10s %14s %14s %10s %10s %10s %10s\n", "process", "puts",
		"gets", "messages", "bytes sent", "bytes got", "compute s", "sync s", "read s",
		"longest ms");
	for (int p = 0; p < bspi.nprocs; p++)
		print_row(p);
	fprintf(stderr, "bsp: largest imbalance %.2f: process %d computed %.2f times the mean\n",
		ratio, worst, ratio);
	print_runs();
}

/* ---- As JSON ---------------------------------------------------------------- */

static void write_process(FILE *f, const struct row *r)
{
	const struct bspi_stat *s = &r->stat;

	fprintf(f, "{\"compute_s\": %.9f, \"sync_s\": %.9f, \"read_s\": %.9f, ", stat_computed(r),
		s->sync_ns * 1e-9, s->read_ns * 1e-9);
	fprintf(f,
		"\"puts\": %llu, \"gets\": %llu, \"messages\": %llu, \"bytes_out\": %llu, "
		"\"bytes_in\": %llu, ",
		(unsigned long long)s->puts, (unsigned long long)s->gets,
		(unsigned long long)s->msgs, (unsigned long long)s->bytes_out,
		(unsigned long long)s->bytes_in);
	fprintf(f, "\"flights\": %llu, \"offloaded\": %llu}", (unsigned long long)s->runs,
		(unsigned long long)s->offloaded);
}

static void write_object(FILE *f)
{
	fprintf(f, "{\"program\": ");
	bspi_json_write(f, program_invocation_short_name);
	fprintf(f, ", \"nprocs\": %d, \"transport\": \"%s\", \"sync\": \"%s\", \"emulate\": ",
		bspi.nprocs, transport_name(), bspi.was_relaxed ? "relaxed" : "classic");
	bspi_json_write(f, bspi.env.emulate);
	fprintf(f, ", \"supersteps\": %u, \"seconds\": %.9f,\n \"processes\": [", bspi.step,
		rows[0].seconds);
	for (int p = 0; p < bspi.nprocs; p++) {
		fputs(p ? ",\n  " : "\n  ", f);
		write_process(f, &rows[p]);
	}
	fputs("]}\n", f);
}

static void write_report(const char *site)
{
	FILE *f = fopen(bspi.env.report, "w");

	if (!f)
		bspi_fail("bsp_end", site, "cannot write the report %s (BSP_REPORT): %s",
			  bspi.env.report, strerror(errno));
	write_object(f);
	if (ferror(f) | fclose(f))
		bspi_fail("bsp_end", site, "cannot write the report %s (BSP_REPORT): %s",
			  bspi.env.report, strerror(errno));
}

static void stat_report(const char *site)
{
	if (!rows)
		return;
	if (bspi.env.stat & BSPI_PRINT)
		stat_print_table();
	if (bspi.env.stat & BSPI_REPORT_FILE)
		write_report(site);
	free(rows);
	rows = NULL;
}

void bspi_stat_open(void)
{
	static struct bspi_observer statistics = {
		.sync_begins = sync_begins,
		.sync_ends = sync_ends,
		.read_begins = read_begins,
		.expect_begins = expect_begins,
		.read_ends = read_ends,
		.job_ends = send_row,
		.report = stat_report,
	};

	if (!bspi.env.stat)
		return;
	bspi_record_handle(BSPI_STAT, BSPI_AT_END, stat_on_row);
	bspi_observe(&statistics);
}
