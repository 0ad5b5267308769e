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
#include "bsplib/observer/processor.h"
#include "bsplib/observer/stat_section.h"
#include "bsplib/sync/neighbors.h"
#include "bsplib/sync/relaxed.h"

#include "common/emulated.h"
#include "common/json.h"
#include "common/plain.h"
#include "common/replace.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One row for each process; filled on process 0 only. */
struct row {
	struct bspi_stat stat;
	double seconds;
	uint64_t began_ns, ended_ns;	/* the clock of its node */
};

static struct row *rows;

void bspi_stat_choose(const char *site)
{
	if (bspi.env.only[0] && bspi.env.without[0])
		bspi_fail("bsp_begin", site, "BSP_ONLY and BSP_WITHOUT are both set; set one");
	if (bspi.env.report[0])
		bspi.env.stat |= BSPI_REPORT_FILE;
}

/* ---- Times ----------------------------------------------------------------------- */

static struct {
	enum bspi_activity what;	/* of now */
	uint64_t since;
	uint64_t processor;		/* their clock then */
	uint64_t sync_began;
} doing;

/* It costs a system call, so a report alone, by which ways are compared, goes without. */
static void stat_reads_processor(uint64_t now)
{
	uint64_t clock = bspi_processor_ns(), ns = clock - doing.processor;

	if (doing.what == BSPI_COMPUTES)
		bspi.stat.processor_ns += ns < now - doing.since ? ns : now - doing.since;
	doing.processor = clock;
}

static void stat_does(enum bspi_activity what)
{
	uint64_t now = bspi_now();

	if (bspi.env.stat & BSPI_PRINT)
		stat_reads_processor(now);
	bspi.stat.ns[doing.what] += now - doing.since;
	doing.what = what;
	doing.since = now;
}

static void sync_begins(const char *site, bool ending)
{
	(void)site;
	(void)ending;
	stat_does(BSPI_SYNCS);
	doing.sync_began = doing.since;
}

static void sync_ends(void)
{
	uint64_t ns;

	stat_does(BSPI_COMPUTES);
	ns = doing.since - doing.sync_began;
	if (ns > bspi.stat.longest_ns && bspi_stat_section_counts())
		bspi.stat.longest_ns = ns;
}

static void stat_call_begins(enum bspi_activity what, const char *call, const char *site)
{
	(void)call;
	(void)site;
	stat_does(what);
}

static void stat_call_ends(void)
{
	stat_does(BSPI_COMPUTES);
}

static void stat_credit_begins(void)
{
	stat_does(BSPI_AWAITS_CREDIT);
}

static void stat_credit_ends(void)
{
	stat_does(BSPI_SYNCS);
}

static void read_begins(const char *site, uint32_t slot, int n)
{
	(void)site;
	(void)slot;
	(void)n;
	stat_does(BSPI_READS);
}

static void expect_begins(const char *site, int wanted, size_t *n)
{
	(void)site;
	(void)wanted;
	(void)n;
	stat_does(BSPI_EXPECTS);
}

/* Up to here its time is that of the section before. */
static void stat_section_begins(const char *site, const char *name)
{
	(void)site;
	stat_does(doing.what);
	bspi_stat_section_turn(name, true, doing.since);
}

static void stat_section_ends(const char *site, const char *name)
{
	(void)site;
	stat_does(doing.what);
	bspi_stat_section_turn(name, false, doing.since);
}

static void stat_collective(const char *call, const char *site, uint64_t bytes)
{
	(void)call;
	(void)site;
	bspi.stat.collectives++;
	bspi.stat.collective_bytes += bytes;
}

/* ---- Rows ------------------------------------------------------------------------ */

static struct row own_row(void)
{
	struct row r = { .seconds = bspi_time(), .began_ns = bspi.began_ns };

	r.stat = bspi_stat_section_sum(&r.seconds);
	r.ended_ns = bspi_now();	/* not before the time that it reports */
	return r;
}

/* Each process hands its row to process 0 with its last superstep. */
static void send_row(void)
{
	struct row own = own_row();
	struct bspi_rec *rec;

	bspi_stat_section_send();
	if (bspi.me == 0) {
		rows = calloc(bspi.nprocs, sizeof(*rows));
		if (!rows)
			bspi_fail_memory("bsp_end", NULL);
		rows[0] = own;
		return;
	}
	rec = bspi_out_room(0, bspi_align(sizeof(*rec) + sizeof(struct row)));
	*rec = (struct bspi_rec){ .what = bspi_what(BSPI_STAT, 0), .nbytes = sizeof(struct row) };
	*(struct row *)(rec + 1) = own;
}

static const char *stat_on_row(int from, const char *at, const char *end)
{
	if (rows)
		rows[from] = *(const struct row *)((const struct bspi_rec *)at + 1);
	return bspi_after(from, at, end);
}

static double stat_seconds(const struct row *r, enum bspi_activity what)
{
	return r->stat.ns[what] * 1e-9;
}

static double stat_synced(const struct row *r)
{
	return stat_seconds(r, BSPI_SYNCS) + stat_seconds(r, BSPI_AWAITS_CREDIT);
}

static double stat_read(const struct row *r)
{
	return stat_seconds(r, BSPI_READS) + stat_seconds(r, BSPI_EXPECTS);
}

/* Seconds that were not spent in a call that communicates. */
static double stat_computed(const struct row *r)
{
	return r->seconds - stat_synced(r) - stat_read(r) - stat_seconds(r, BSPI_COLLECTIVES) -
	       stat_seconds(r, BSPI_SCHEDULES);
}

static void print_row(int p)
{
	const struct row *r = &rows[p];
	const struct bspi_stat *s = &r->stat;

	plain_fprintf(
		stderr, "%7d %10llu %10llu %10llu %14llu %14llu %10.4f %10.4f %10.4f %10.3f\n", p,
		(unsigned long long)s->puts, (unsigned long long)s->gets,
		(unsigned long long)s->msgs, (unsigned long long)s->bytes_out,
		(unsigned long long)s->bytes_in, stat_computed(r), stat_synced(r), stat_read(r),
		s->longest_ns * 1e-6);
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

/* From the first beginning to the last end of the processes of a node, or if @node < 0 of all. */
static double stat_total_of(int node)
{
	uint64_t began = UINT64_MAX, ended = 0;

	for (int p = 0; p < bspi.nprocs; p++) {
		if (node >= 0 && bspi.job.wire->node[p] != node)
			continue;
		began = rows[p].began_ns < began ? rows[p].began_ns : began;
		ended = rows[p].ended_ns > ended ? rows[p].ended_ns : ended;
	}
	return ended > began ? (ended - began) * 1e-9 : 0;
}

/*
 * How long the job took: no process has been in it longer. Clocks are compared only where they are
 * one: virtual ones, and those of a node; nodes begin and end together.
 */
static double stat_total_of_run(void)
{
	double most = 0;

	if (bspi.clock)
		return stat_total_of(-1);
	for (int node = 0; node < bspi.job.wire->nnodes; node++)
		most = fmax(most, stat_total_of(node));
	return most;
}

static double stat_total(void)
{
	return bspi_stat_section_total(stat_total_of_run());
}

static const char *transport_name(void)
{
	return bspi.net ? bspi.net->ops->name : "self";
}

/* From 0 to that which bsp_end ends, whose number bspi.step still is. */
static uint32_t stat_supersteps(void)
{
	return bspi.step + 1;
}

/*
 * A row for an activity, with the mean of the processes, the least and the most; none if it rounds
 * to nothing.
 */
static void print_activity(const char *name, enum bspi_activity what, const char *more)
{
	double least = INFINITY, most = 0, sum = 0;

	for (int p = 0; p < bspi.nprocs; p++) {
		double s = stat_seconds(&rows[p], what);

		least = fmin(least, s);
		most = fmax(most, s);
		sum += s;
	}
	if (most >= 0.00005)
		plain_fprintf(stderr, "bsp: %s: %.4f s a process (%.4f to %.4f)%s\n", name,
			sum / bspi.nprocs, least, most, more);
}

/* Activities that have no column of the table. */
static void print_activities(void)
{
	char calls[64];
	uint64_t n = 0, bytes = 0;

	for (int p = 0; p < bspi.nprocs; p++) {
		n += rows[p].stat.collectives;
		bytes += rows[p].stat.collective_bytes;
	}
	snprintf(calls, sizeof(calls), ", %llu calls with %llu bytes in all",
		 (unsigned long long)n, (unsigned long long)bytes);
	print_activity("collective operations", BSPI_COLLECTIVES, calls);
	print_activity("schedules", BSPI_SCHEDULES, "");
	print_activity("bsp_expect, a part of read", BSPI_EXPECTS, "");
	print_activity("credit and rendezvous, a part of sync", BSPI_AWAITS_CREDIT, "");
}

/* Computing without a processor says little of the program. */
static void print_processor(void)
{
	uint64_t computed = 0, had = 0;

	for (int p = 0; p < bspi.nprocs; p++) {
		computed += rows[p].stat.ns[BSPI_COMPUTES];
		had += rows[p].stat.processor_ns;
	}
	if (bspi_processor_is_short(had, computed))
		plain_fprintf(stderr,
			      "bsp: of %.4f s computed the processes had a processor for %.4f s: "
			      "other programs ran, or they slept\n", computed * 1e-9, had * 1e-9);
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
	char network[2 * sizeof(bspi.env.emulate)];
	int worst;
	double ratio = imbalance(&worst);

	plain_fprintf(stderr, "bsp: %d processes, %u supersteps, %.4f s, transport %s",
		      bspi.nprocs, stat_supersteps(), stat_total(), transport_name());
	emulated_describe(bspi.env.emulate, network, sizeof(network));
	if (*network)
		fprintf(stderr, ", network %s", network);
	bspi_stat_section_say(stderr);
	fputs("\n", stderr);
	fprintf(stderr, "%7s %10s %10s %10s %14s %14s %10s %10s %10s %10s\n", "process", "puts",
		"gets", "messages", "bytes sent", "bytes got", "compute s", "sync s", "read s",
		"longest ms");
	for (int p = 0; p < bspi.nprocs; p++)
		print_row(p);
	print_activities();
	plain_fprintf(stderr,
		      "bsp: largest imbalance %.2f: process %d computed %.2f times the mean\n",
		      ratio, worst, ratio);
	print_processor();
	print_runs();
}

/* ---- As JSON ---------------------------------------------------------------- */

static void write_process(FILE *f, const struct row *r)
{
	const struct bspi_stat *s = &r->stat;

	plain_fprintf(f, "{\"compute_s\": %.9f, \"sync_s\": %.9f, \"read_s\": %.9f, ",
		      stat_computed(r), stat_synced(r), stat_read(r));
	plain_fprintf(f, "\"collective_s\": %.9f, \"schedule_s\": %.9f, ",
		      stat_seconds(r, BSPI_COLLECTIVES), stat_seconds(r, BSPI_SCHEDULES));
	plain_fprintf(f, "\"expect_s\": %.9f, \"credit_s\": %.9f, ",
		      stat_seconds(r, BSPI_EXPECTS), stat_seconds(r, BSPI_AWAITS_CREDIT));
	fprintf(f, "\"collectives\": %llu, \"collective_bytes\": %llu, ",
		(unsigned long long)s->collectives, (unsigned long long)s->collective_bytes);
	fprintf(f,
		"\"puts\": %llu, \"gets\": %llu, \"messages\": %llu, \"bytes_out\": %llu, "
		"\"bytes_in\": %llu, ",
		(unsigned long long)s->puts, (unsigned long long)s->gets,
		(unsigned long long)s->msgs, (unsigned long long)s->bytes_out,
		(unsigned long long)s->bytes_in);
	fprintf(f, "\"runs\": %llu, \"offloaded\": %llu}", (unsigned long long)s->runs,
		(unsigned long long)s->offloaded);
}

static void write_object(FILE *f)
{
	fprintf(f, "{\"program\": ");
	bspi_json_write(f, program_invocation_short_name);
	fprintf(f, ", \"nprocs\": %d, \"transport\": \"%s\", \"sync\": \"%s\", \"emulate\": ",
		bspi.nprocs, transport_name(), bspi_was_relaxed() ? "relaxed" :
		bspi_was_among_neighbors() ? "neighbors" : "classic");
	bspi_json_write(f, bspi.env.emulate);
	bspi_stat_section_write(f);
	plain_fprintf(f, ", \"supersteps\": %u, \"seconds\": %.9f,\n \"processes\": [",
		      stat_supersteps(), stat_total());
	for (int p = 0; p < bspi.nprocs; p++) {
		fputs(p ? ",\n  " : "\n  ", f);
		write_process(f, &rows[p]);
	}
	fputs("]}\n", f);
}

/* Results are worth more than their report: the job goes on. */
static void write_report(void)
{
	struct replacement r;
	int err = replace_begin(&r, bspi.env.report);

	if (!err) {
		write_object(r.out);
		err = replace_end(&r, true);
	}
	if (err)
		bspi_warn("bsp_end", "cannot write the report %s (BSP_REPORT): %s",
			  bspi.env.report, strerror(err));
}

static void stat_report(const char *site)
{
	(void)site;
	if (!rows)
		return;
	if (bspi.env.stat & BSPI_PRINT)
		stat_print_table();
	if (bspi.env.stat & BSPI_REPORT_FILE)
		write_report();
	bspi_stat_section_close();
	free(rows);
	rows = NULL;
}

void bspi_stat_open(void)
{
	static struct bspi_observer statistics = {
		.collective = stat_collective,
		.call_begins = stat_call_begins,
		.call_ends = stat_call_ends,
		.credit_begins = stat_credit_begins,
		.credit_ends = stat_credit_ends,
		.sync_begins = sync_begins,
		.sync_ends = sync_ends,
		.read_begins = read_begins,
		.expect_begins = expect_begins,
		.read_ends = stat_call_ends,
		.section_begins = stat_section_begins,
		.section_ends = stat_section_ends,
		.job_ends = send_row,
		.report = stat_report,
	};

	if (!bspi.env.stat)
		return;
	doing.what = BSPI_COMPUTES;
	doing.since = bspi_now();
	doing.processor = bspi_processor_ns();
	bspi_stat_section_open();
	bspi_record_handle(BSPI_STAT, BSPI_AT_END, stat_on_row);
	bspi_observe(&statistics);
}
