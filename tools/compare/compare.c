// SPDX-License-Identifier: BSD-3-Clause
/* compare.c - bsprun --compare: run a program in two or more ways in turn, print a table. */

#include "compare.h"

#include "common/complain.h"
#include "common/page/machine.h"
#include "common/setting.h"
#include "tools/measure/clock.h"
#include "tools/measure/sample.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	ROUNDS = 5,		/* if they are not too long */
	LONG_S = 60,		/* what all rounds may take, if the user does not say how many */
};

/* Measurements so far, and which is next. */
struct rounds {
	const struct compare_request *request;
	char file[COMPARE_FOLDER + 16];		/* the report of a run */
	char record[COMPARE_FOLDER + 16];	/* all runs replay it, on an emulated network */
	bool replays;			/* so times are the same in every round */
	int n;				/* there are to be */
	int done;
	int mode;		/* the way of the run that is made, by its place in choice */
	double began, shown;		/* it, and the last sign of progress */
	double taken[COMPARE_WAYS_MOST];	/* by the runs that are done */
	bool progress;			/* standard error is a terminal */
	struct compare_report reports[COMPARE_ROUNDS_MOST][COMPARE_WAYS_MOST];
};

static const char *way_name(const struct rounds *r, int mode)
{
	return r->request->choice.way[mode]->name;
}

/* ---- Progress -------------------------------------------------------------- */

/* The time of a run in that way, by those that are done; 0: not known. */
static double time_of(const struct rounds *r, int mode)
{
	int runs = r->done + (mode < r->mode);

	if (runs == 0)
		return r->mode == 0 ? 0 : r->taken[0];
	return r->taken[mode] / runs;
}

/* Seconds to the end of all, at @t. */
static double time_left(const struct rounds *r, double t)
{
	double left = 0;

	for (int mode = 0; mode < r->request->choice.n; mode++)
		left += time_of(r, mode) * (r->n - r->done - (mode < r->mode));
	return left - fmin(t - r->began, time_of(r, r->mode));
}

static void compare_show_progress(void *arg)
{
	struct rounds *r = arg;
	double t = clock_now_s();

	if (!r->progress || t - r->shown < 0.5)
		return;
	r->shown = t;
	fprintf(stderr, "\rround %d of %d, %s: ", r->done + 1, r->n, way_name(r, r->mode));
	if (time_of(r, r->mode) > 0)
		fprintf(stderr, "about %.0f s left\033[K", ceil(time_left(r, t)));
	else
		fprintf(stderr, "%.0f s so far\033[K", t - r->began);
}

static void clear_progress(void *arg)
{
	struct rounds *r = arg;

	if (r->progress && r->shown > 0)
		fputs("\r\033[K", stderr);
	r->shown = 0;
}

/* ---- Running --------------------------------------------------------------- */

/* @record: file for a recording of it, or NULL. */
static int compare_run_once(struct rounds *r, const struct compare_way *way, const char *record,
			    int *sig)
{
	struct compare_child child = {
		.path = r->request->path, .program = r->request->program,
		.way = way, .report = r->file, .record = record,
		.verbose = r->request->verbose,
		.tick = compare_show_progress, .clear = clear_progress, .arg = r,
	};
	int status;

	if (truncate(r->file, 0)) {
		complain("%s: %s", r->file, strerror(errno));
		return 1;
	}
	r->began = clock_now_s();
	status = compare_child_run(&child, sig);
	r->taken[r->mode] += clock_now_s() - r->began;
	if (status && !*sig)
		complain("%s ended with status %d, in the %s run of round %d", r->request->path,
			 status, way->name, r->done + 1);
	return status;
}

/* Is it the same machine as that of the first run? */
static int check_same(const struct compare_report *a, const struct compare_report *b)
{
	if (a->nprocs != b->nprocs) {
		complain("runs cannot be compared: %.0f processes, then %.0f", a->nprocs,
			 b->nprocs);
		return 1;
	}
	if (strcmp(a->transport, b->transport) == 0 && strcmp(a->network, b->network) == 0)
		return 0;
	complain("runs cannot be compared: one used transport %s and network '%s', one %s and '%s'",
		 a->transport, a->network, b->transport, b->network);
	return 1;
}

static int run_round(struct rounds *r, int *sig)
{
	struct compare_report *reports = r->reports[r->done];
	int status;

	for (r->mode = 0; r->mode < r->request->choice.n; r->mode++) {
		const struct compare_way *way = r->request->choice.way[r->mode];

		status = compare_run_once(r, way, NULL, sig);
		if (status)
			return status;
		clear_progress(r);
		status = compare_report_read(r->file, way, &reports[r->mode]);
		if (status == 0)
			status = check_same(&r->reports[0][0], &reports[r->mode]);
		if (status)
			return status;
	}
	r->mode = 0;
	r->done++;
	return 0;
}

/*
 * On an emulated network: a classic run whose computing all others take over, so that all
 * columns have the same, and another comparison of that recording has the same figures.
 */
static int record_computing(struct rounds *r, int *sig)
{
	int status;

	r->replays = bspi_setting_nonempty("BSP_EMULATE");
	if (!r->replays || bspi_setting_nonempty("BSP_REPLAY"))
		return 0;
	status = compare_run_once(r, compare_way_named("classic", strlen("classic")), r->record,
				  sig);
	clear_progress(r);
	r->taken[0] = 0;
	if (status == 0 && setenv("BSP_REPLAY", r->record, 1))
		status = 1;
	return status;
}

/* How many rounds, if the user does not say; those of one recording are alike. */
static int usual_rounds(const struct rounds *r)
{
	return r->replays ? 1 : ROUNDS;
}

/* Seconds, in the rounds that are done. */
static double time_of_round(const struct rounds *r)
{
	double taken = 0;

	for (int mode = 0; mode < r->request->choice.n; mode++)
		taken += r->taken[mode];
	return taken / r->done;
}

/* After the first round it is known what the others would take. */
static int rounds_to_do(const struct rounds *r)
{
	double each = time_of_round(r);

	if (r->request->rounds)
		return r->request->rounds;
	if (each * usual_rounds(r) <= LONG_S)
		return usual_rounds(r);
	return each * 2 <= LONG_S ? (int)(LONG_S / each) : 1;
}

static int run_all(struct rounds *r, int *sig)
{
	int status;

	r->n = 1;
	status = record_computing(r, sig);
	r->n = r->request->rounds ? r->request->rounds : usual_rounds(r);
	while (status == 0 && r->done < r->n) {
		status = run_round(r, sig);
		if (r->done == 1)
			r->n = rounds_to_do(r);
	}
	clear_progress(r);
	return status;
}

/* A folder for the reports and recordings, one for each SPMD part. */
static int make_files(struct rounds *r)
{
	char folder[COMPARE_FOLDER];
	FILE *out;

	if (compare_folder_make(folder))
		return 1;
	snprintf(r->file, sizeof(r->file), "%s/report", folder);
	snprintf(r->record, sizeof(r->record), "%s/recording", folder);
	out = fopen(r->file, "we");
	if (out && fclose(out) == 0)
		return 0;
	complain("%s: %s", r->file, strerror(errno));
	return 1;
}

/* ---- Arithmetic ------------------------------------------------------------ */

/* Sorts @values. */
static struct compare_spread compare_spread_of(double *values, int n)
{
	double median = sample_median(values, n);

	return (struct compare_spread){
		.median = median, .least = values[0], .most = values[n - 1],
	};
}

static void find_runs(const struct rounds *r, int mode, struct comparison *c)
{
	static double values[COMPARE_ROUNDS_MOST];
	const struct compare_figures *best = NULL;

	for (int i = 0; i < r->done; i++)
		values[i] = r->reports[i][mode].figures.communication;
	c->spread[mode] = compare_spread_of(values, r->done);
	/* the run with the median communication time, of an even number the faster of two */
	for (int i = 0; i < r->done; i++) {
		const struct compare_figures *f = &r->reports[i][mode].figures;

		if (f->communication <= c->spread[mode].median &&
		    (!best || f->communication > best->communication))
			best = f;
	}
	c->runs[mode] = *best;
}

/* The figure at @offset. */
static double figure(const struct compare_figures *f, size_t offset)
{
	return *(const double *)((const char *)f + offset);
}

/* The part of the time at @offset of the first way that is saved. */
static struct compare_spread find_saved(const struct rounds *r, int mode, size_t offset)
{
	static double values[COMPARE_ROUNDS_MOST];

	for (int i = 0; i < r->done; i++) {
		double first = figure(&r->reports[i][0].figures, offset);
		double other = figure(&r->reports[i][mode].figures, offset);

		values[i] = first > 0 ? 1 - other / first : 0;
	}
	return compare_spread_of(values, r->done);
}

static void evaluate(const struct rounds *r, struct comparison *c)
{
	const struct compare_report *first = &r->reports[0][0];
	struct page_machine machine;

	*c = (struct comparison){
		.nprocs = first->nprocs, .rounds = r->done, .choice = r->request->choice,
	};
	if (r->request->ways)
		snprintf(c->ways, sizeof(c->ways), "%s", r->request->ways);
	page_machine(&machine);
	snprintf(c->host, sizeof(c->host), "%s", machine.host);
	snprintf(c->processor, sizeof(c->processor), "%s", machine.processor);
	compare_command_text(c->command, sizeof(c->command), r->request->program);
	memcpy(c->transport, first->transport, sizeof(c->transport));
	memcpy(c->network, first->network, sizeof(c->network));
	for (int mode = 0; mode < c->choice.n; mode++) {
		find_runs(r, mode, c);
		c->saved[mode] = find_saved(r, mode, offsetof(struct compare_figures,
							      communication));
		c->saved_total[mode] = find_saved(r, mode, offsetof(struct compare_figures,
								    total));
	}
}

/* ---- The table ------------------------------------------------------------- */

/* One row of the table; those with no other way are counts. */
struct row {
	const char *name;
	size_t offset;		/* in the figures */
	enum { A_TIME, A_COUNT, SOME_BYTES } kind;
};

#define ROW(name, member, kind) { name, offsetof(struct compare_figures, member), kind }
static const struct row rows[] = {
	ROW("communication, mean", communication, A_TIME),
	ROW("  in bsp_sync", sync, A_TIME),
	ROW("  in bsp_read", read, A_TIME),	/* also bsp_expect */
	ROW("  in collectives", collective, A_TIME),	/* also schedules */
	ROW("communication, largest", largest, A_TIME),
	ROW("computation, mean", compute, A_TIME),
	ROW("total", total, A_TIME),
	ROW("supersteps", supersteps, A_COUNT),
	ROW("puts", puts, A_COUNT),
	ROW("gets", gets, A_COUNT),
	ROW("messages", messages, A_COUNT),
	ROW("sent", bytes, SOME_BYTES),
};
#undef ROW

enum {
	NROWS = sizeof(rows) / sizeof(rows[0]),
	NCOMMUNICATION = 5,	/* the first ones */
	CELL_TEXT = 40,
};

/* Savings against the first column: beside two columns, below more of them. */
static void print_saved_of(const struct comparison *c, const struct compare_spread *saved)
{
	char text[CELL_TEXT];

	if (c->choice.n > 2) {
		printf("\n  saved against %-8s%14s", c->choice.way[0]->name, "");
		for (int mode = 1; mode < c->choice.n; mode++) {
			compare_part_text(text, sizeof(text), saved[mode].median);
			printf("%14s", compare_is_seen(&saved[mode]) ? text : "none seen");
		}
		return;
	}
	compare_part_text(text, sizeof(text), saved[1].median);
	if (compare_is_seen(&saved[1]))
		printf("%12s", text);
	else
		printf("  no difference to be seen");
	if (c->rounds > 1) {
		compare_part_text(text, sizeof(text), saved[1].least);
		printf("  (%s to ", text);
		compare_part_text(text, sizeof(text), saved[1].most);
		printf("%s)", text);
	}
}

static void compare_print_row(const struct comparison *c, const struct row *row)
{
	/* communication and its parts are given in the same unit */
	size_t offset = row < &rows[NCOMMUNICATION] ? rows[0].offset : row->offset;
	struct compare_unit unit;
	double most = 0;
	char text[CELL_TEXT];

	for (int mode = 0; mode < c->choice.n; mode++)
		most = fmax(most, figure(&c->runs[mode], offset));
	unit = compare_unit_of(most);
	printf("%-24s", row->name);
	for (int mode = 0; mode < c->choice.n; mode++) {
		double value = figure(&c->runs[mode], row->offset);

		if (row->kind == A_TIME)
			compare_time_text(text, sizeof(text), value, unit);
		else if (row->kind == SOME_BYTES)
			compare_bytes_text(text, sizeof(text), value);
		else
			snprintf(text, sizeof(text), "%.0f", value);
		printf("%14s", text);
	}
	if (row->offset == offsetof(struct compare_figures, communication))
		print_saved_of(c, c->saved);
	if (row->offset == offsetof(struct compare_figures, total))
		print_saved_of(c, c->saved_total);
	putchar('\n');
}

static void print_heading(const struct rounds *r, const struct comparison *c)
{
	char network[2 * COMPARE_TEXT], processes[CELL_TEXT], rounds[CELL_TEXT];

	compare_network_text(network, sizeof(network), c);
	compare_count_text(processes, sizeof(processes), c->nprocs, "process", "processes");
	compare_count_text(rounds, sizeof(rounds), c->rounds, "round", "rounds");
	printf("%s: %s, %s, %s", c->command, processes, network, rounds);
	if (!r->request->rounds && r->done < usual_rounds(r))
		printf(" instead of %d because each takes %.0f s", usual_rounds(r),
		       time_of_round(r));
	if (r->reports[0][0].section[0])
		printf(", %s section %s", bspi_setting_nonempty("BSP_ONLY") ? "only" : "all but",
		       r->reports[0][0].section);
	printf("\n\n%-24s", "");
	for (int mode = 0; mode < c->choice.n; mode++)
		printf("%14s", way_name(r, mode));
	if (c->choice.n == 2)
		printf("%12s", "saved");
	putchar('\n');
}

static int compare_print_table(const struct rounds *r, const struct comparison *c)
{
	print_heading(r, c);
	for (int i = 0; i < NROWS; i++)
		compare_print_row(c, &rows[i]);
	puts("\nTimes are those of a process, counts those of all.");
	if (r->replays)
		puts("Computation is that of one recorded run, the same in all.");
	if (c->rounds > 1)
		puts("A column shows one run of its way: that with the median communication time.");
	if (c->rounds > 1 && c->choice.n == 2)
		puts("Each round has a saving. Shown are the median of all rounds, and the least\n"
		     "to the most; if 0 lies between these, no difference is to be seen.");
	else if (c->rounds > 1)
		puts("Each round has a saving. Shown is the median of all rounds; none is seen if\n"
		     "0 lies between the least and the most.");
	for (int mode = 0; c->ways[0] && mode < c->choice.n; mode++)
		printf("%s (%s): %s.\n", c->choice.way[mode]->name, c->choice.way[mode]->setting,
		       c->choice.way[mode]->about);
	if (fflush(stdout) == 0)
		return 0;
	complain("standard output: %s", strerror(errno));
	return 1;
}

int compare(const struct compare_request *request)
{
	struct comparison c;
	struct rounds *r;
	int status, sig = 0;

	if (request->page && compare_page_check(request->page))
		return 2;
	r = calloc(1, sizeof(*r));
	if (!r) {
		complain("no memory");
		return 1;
	}
	r->request = request;
	r->progress = isatty(STDERR_FILENO) && !request->verbose;
	status = compare_child_begin();
	if (status == 0)
		status = make_files(r);
	if (status == 0)
		status = run_all(r, &sig);
	compare_folder_remove();
	compare_child_end(sig);
	if (status == 0) {
		evaluate(r, &c);
		status = compare_print_table(r, &c);
	}
	free(r);
	if (status == 0 && request->page)
		status = compare_page_add(request->page, &c);
	return status;
}
