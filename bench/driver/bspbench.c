/* SPDX-License-Identifier: BSD-3-Clause */
/* bspbench.c - benchmark of the BSP library on one machine, beside the machine's limits and MPI. */

/*
 * In rounds: limits, then for each number of processes the start-up, the rows in
 * BSP, the rows in MPI, and the limits again. All that is compared is from the
 * same round; summary.c knows which rounds count.
 */
#include "job.h"
#include "network.h"
#include "table.h"

#include "tools/measure/clock.h"
#include "tools/measure/sample.h"

#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
	FULL_ROUNDS = 5, /* at least */
	FULL_SECONDS = 60,
	FULL_TRIES = 4,
	FULL_STARTS = 5,
	MANY = 64, /* processes of the row startup-64 */
	MOST_WORDS = 2 * TABLE_FIGURES + 16,
};

/* The part of the processors that other programs may have while a job runs that shares them. */
#define MOST_FOR_OTHERS 0.1

struct options {
	int nprocs[TABLE_PARTS];
	int nparts;
	bool quick;
	bool without_mpi;
	double seconds;
	const char *only;
	const char *csv;
	const char *markdown;
	const char *transports;	/* then those and what lies below them, not the machine's limits */
};

struct bench {
	struct options options;
	struct run *run;
	struct bench_area *area;
	char area_name[64];
	char directory[PATH_MAX];
	char rows[PATH_MAX + 16];
	char mpi[PATH_MAX + 16];
	double batch_us;
	int tries;
	int starts;
	int ncores;
	uint64_t deadline;	/* then nothing is repeated any more */
};

/* A program of the benchmark on so many processes. */
struct program {
	char *word[MOST_WORDS];
	int nwords;
};

/* Where the rows of a job go. */
struct place {
	const struct bench *bench;
	struct part *part;
	int side; /* of BSP, or the first of MPI's */
	int round;
	const struct bench_limits *machine;
};

static const char usage_text[] =
	"usage: bspbench [options]\n"
	"Measures the BSP library on this machine, beside the limits of the machine and MPI.\n"
	"\n"
	"  -n LIST          numbers of processes, as 2,4,8 (BSP_NPROCS, or one for each core)\n"
	"  --quick          one short round\n"
	"  --seconds N      time to spend, about (60); 5 rounds, unless they take twice as long\n"
	"  --only PATTERN   only rows whose name contains the text or matches the pattern\n"
	"  --csv FILE       write the table as CSV\n"
	"  --markdown FILE  write the table as Markdown, with a description of the machine\n"
	"  --no-mpi         leave out MPI\n"
	"  --transport LIST transports beside what lies below them: all, or of shm, mpi:tcp,\n"
	"                   mpi:sm, ofi:PROVIDER; 2, 4 and 8 processes unless -n says otherwise\n"
	"  --list           print the names of the rows\n"
	"  --help           print this\n";

/* ---- The machine ----------------------------------------------------------- */

static void bench_measure_limits(struct bench *bench, struct bench_limits *out)
{
	if (bench_limits_measure(bench->area, bench->run->cpu, out) == 0)
		return;
	fprintf(stderr, "bspbench: the limits of the machine cannot be measured\n");
	exit(1);
}

/* ---- Programs --------------------------------------------------------------- */

static void add_word(struct program *program, const char *word)
{
	if (program->nwords < MOST_WORDS - 1)
		program->word[program->nwords++] = (char *)word;
	program->word[program->nwords] = NULL;
}

static int tries_now(const struct bench *bench)
{
	return clock_now_ns() < bench->deadline ? bench->tries : 1;
}

/* The arguments of every job; the text lives until the next call. */
static void add_settings(struct bench *bench, struct program *program)
{
	static char batch[32], tries[16], cores[16];

	snprintf(batch, sizeof batch, "%.0f", bench->batch_us);
	snprintf(tries, sizeof tries, "%d", tries_now(bench));
	snprintf(cores, sizeof cores, "%d", bench->ncores);
	add_word(program, bench->area_name);
	add_word(program, batch);
	add_word(program, tries);
	add_word(program, cores);
}

static struct program bsp_program(struct bench *bench, int nprocs)
{
	struct program program = { .nwords = 0 };
	char number[16];

	snprintf(number, sizeof number, "%d", nprocs);
	setenv("BSP_NPROCS", number, 1);
	add_word(&program, bench->rows);
	add_settings(bench, &program);
	return program;
}

static struct program mpi_program(struct bench *bench, int nprocs)
{
	static char number[16];
	struct program program = { .nwords = 0 };
	bool crowded = nprocs > bench->ncores;

	snprintf(number, sizeof number, "%d", nprocs);
	add_word(&program, BENCH_MPIRUN);
	if (crowded)
		add_word(&program, "--oversubscribe");
	add_word(&program, "--bind-to");
	add_word(&program, crowded ? "none" : "core");
	add_word(&program, "-n");
	add_word(&program, number);
	add_word(&program, bench->mpi);
	add_settings(bench, &program);
	return program;
}

static bool bench_is_wanted(const struct bench *bench, const struct figure *figure)
{
	const char *name = figure->row != NULL ? figure->row : figure->mpi[0];
	const char *only = bench->options.only;

	return only == NULL || strstr(name, only) != NULL || fnmatch(only, name, 0) == 0;
}

static bool is_measured(const struct bench *bench, const struct part *part,
			const struct figure *figure)
{
	return bench_is_wanted(bench, figure) && (figure->in_crowd || !table_is_crowded(part));
}

/* The area outlives a job that died in the middle of a flag barrier. */
static void clear_area(struct bench_area *area)
{
	memset(area, 0, offsetof(struct bench_area, data));
}

static void keep_row(void *context, const char *name, const struct sample *sample)
{
	const struct place *to = context;

	for (int f = 0; table_figures[f].text != NULL; f++) {
		const struct figure *figure = &table_figures[f];

		if (!is_measured(to->bench, to->part, figure))
			continue;
		for (int side = 0; side < TABLE_SIDES; side++) {
			const char *row = side == 0 ? figure->row : figure->mpi[side - 1];

			if ((side == 0) != (to->side == 0) || row == NULL || strcmp(row, name) != 0)
				continue;
			struct sample *s = &to->part->sample[f][side][to->round];

			*s = *sample;
			s->machine = *to->machine;
		}
	}
}

static void stop_for_failure(const char *what, int failed)
{
	char text[128];

	job_failure(failed, text, sizeof(text));
	fprintf(stderr, "bspbench: %s %s\n", what, text);
	exit(1);
}

static int run_job(struct bench *bench, struct program *program, job_row *take, void *context)
{
	clear_area(bench->area);
	return job_run(program->word, take, context);
}

/* Without MPI the benchmark goes on. */
static void run_or_give_up(struct bench *bench, struct program *program, struct place *to)
{
	int failed = run_job(bench, program, keep_row, to);

	if (failed && to->side == 0)
		stop_for_failure("bsprows", failed);
	if (failed)
		bench->run->mpi_note = "mpirun failed";
}

/* ---- Rows -------------------------------------------------------------------- */

/* Start-up and memory need a job of their own. */
static bool is_special(const char *row)
{
	return strncmp(row, "startup", 7) == 0 || strcmp(row, "memory") == 0;
}

static bool has(const struct program *program, const char *word)
{
	for (int i = 0; i < program->nwords; i++)
		if (strcmp(program->word[i], word) == 0)
			return true;
	return false;
}

static int add_rows(const struct bench *bench, const struct part *part, bool mpi,
		    struct program *program)
{
	int first = program->nwords;

	for (int f = 0; table_figures[f].text != NULL; f++) {
		const struct figure *figure = &table_figures[f];

		if (!is_measured(bench, part, figure))
			continue;
		for (int side = mpi ? 1 : 0; side < (mpi ? TABLE_SIDES : 1); side++) {
			const char *row = side == 0 ? figure->row : figure->mpi[side - 1];

			if (row != NULL && !is_special(row) && !has(program, row))
				add_word(program, row);
		}
	}
	return program->nwords - first;
}

static int find_figure(const char *row)
{
	int f = 0;

	while (table_figures[f].row == NULL || strcmp(table_figures[f].row, row) != 0)
		f++;
	return f;
}

static bool wants(const struct bench *bench, const char *row)
{
	return bench_is_wanted(bench, &table_figures[find_figure(row)]);
}

static struct program program_of(struct bench *bench, const struct place *at, int nprocs)
{
	return at->side == 0 ? bsp_program(bench, nprocs) : mpi_program(bench, nprocs);
}

static bool flag_changed(const struct bench_limits *a, const struct bench_limits *b)
{
	return fabs(a->flag - b->flag) > BENCH_FLAG_CHANGE * fmin(a->flag, b->flag);
}

static struct bench_limits mean(const struct bench_limits *a, const struct bench_limits *b)
{
	struct bench_limits m = { .flag = (a->flag + b->flag) / 2,
				  .turn = (a->turn + b->turn) / 2 };

	for (int i = 0; i < BENCH_SIZES; i++) {
		m.copy[i] = (a->copy[i] + b->copy[i]) / 2;
		m.memcpy[i] = (a->memcpy[i] + b->memcpy[i]) / 2;
	}
	return m;
}

/* Processes without a core each cannot measure F themselves: it is that around the job. */
static void set_flags(const struct place *at, bool stable)
{
	for (int f = 0; table_figures[f].text != NULL; f++)
		for (int side = 0; side < TABLE_SIDES; side++) {
			struct sample *s = &at->part->sample[f][side][at->round];

			if (!s->valid || (side == 0) != (at->side == 0))
				continue;
			s->machine = *at->machine;
			if (s->flag > 0)
				continue;
			s->flag = at->machine->flag;
			s->stable = stable;
		}
}

static double bench_seconds(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static double jobs_time(void)
{
	struct rusage used;

	getrusage(RUSAGE_CHILDREN, &used);
	return bench_seconds(used.ru_utime) + bench_seconds(used.ru_stime);
}

/* Did other programs take a part of the processors while the job ran? */
static bool run_disturbed(struct bench *bench, struct program *program, struct place *at)
{
	double busy = clock_machine_s(), own = jobs_time();
	uint64_t start = clock_now_ns();

	run_or_give_up(bench, program, at);
	double all = 1e-9 * (double)(clock_now_ns() - start) * bench->ncores;
	double others = clock_machine_s() - busy - (jobs_time() - own);

	return others > MOST_FOR_OTHERS * all;
}

static void measure_rows(struct bench *bench, struct place *at)
{
	struct program program = program_of(bench, at, at->part->nprocs);
	const struct bench_limits *of_round = at->machine;
	struct bench_limits before = *of_round, after = before, around;
	bool repeats = at->part->nprocs > bench->ncores || at->part->nprocs == 1;
	int left = repeats ? tries_now(bench) : 1;
	bool stable;

	if (add_rows(bench, at->part, at->side != 0, &program) == 0)
		return;
	do {
		if (repeats)
			bench_measure_limits(bench, &before);
		stable = !run_disturbed(bench, &program, at);
		if (repeats)
			bench_measure_limits(bench, &after);
		stable = stable && !flag_changed(&before, &after);
	} while (!stable && --left > 0 && clock_now_ns() < bench->deadline);
	around = mean(&before, &after);
	at->machine = &around;
	set_flags(at, stable);
	at->machine = of_round;
}

static double time_job(struct bench *bench, struct place *at, int nprocs, const char *what)
{
	struct program program = program_of(bench, at, nprocs);

	add_word(&program, what);
	uint64_t start = clock_now_ns();

	run_or_give_up(bench, &program, at);
	return (double)(clock_now_ns() - start);
}

/* Beside the start of a job, that of the same program which ends before bsp_begin(). */
static void measure_startup(struct bench *bench, struct place *at, const char *row, int nprocs)
{
	struct sample *s = &at->part->sample[find_figure(row)][at->side][at->round];
	double alone[BENCH_BATCHES];
	struct sample found = { .valid = true, .stable = true, .machine = *at->machine };

	found.flag = at->machine->flag;
	found.n = at->side == 0 ? bench->starts : 1;
	for (int i = 0; i < found.n; i++) {
		if (at->side == 0)
			alone[i] = time_job(bench, at, nprocs, "exit");
		found.time[i] = time_job(bench, at, nprocs, "none");
	}
	if (at->side == 0)
		found.limit = sample_median(alone, found.n);
	if (at->side == 0 || bench->run->mpi_note == NULL)
		*s = found;
}

static void measure_memory(struct bench *bench, struct place *at)
{
	struct program program = program_of(bench, at, at->part->nprocs);

	add_word(&program, "memory");
	run_or_give_up(bench, &program, at);
}

/* In MPI start-up and memory take long: once is enough. */
static void measure_side(struct bench *bench, struct part *part, int side, int round)
{
	struct place at = {
		.bench = bench,
		.part = part,
		.side = side,
		.round = round,
		.machine = &bench->run->limits[round],
	};

	if (side != 0 && bench->run->mpi_note != NULL)
		return;
	if (wants(bench, "startup") && (side == 0 || round == 0))
		measure_startup(bench, &at, "startup", part->nprocs);
	if (wants(bench, "startup-64") && side == 0 && part == bench->run->part)
		measure_startup(bench, &at, "startup-64", MANY);
	if (wants(bench, "memory") && (side == 0 || round == 0))
		measure_memory(bench, &at);
	measure_rows(bench, &at);
}

static void bench_measure_round(struct bench *bench, int round)
{
	struct run *run = bench->run;

	bench_measure_limits(bench, &run->limits[round]);
	for (int i = 0; i < run->nparts; i++) {
		if (isatty(STDERR_FILENO))
			fprintf(stderr, "\rround %d, %d processes   ", round + 1,
				run->part[i].nprocs);
		measure_side(bench, &run->part[i], 0, round);
		measure_side(bench, &run->part[i], 1, round);
	}
	run->nrounds = round + 1;
}

/* ---- Preparation ------------------------------------------------------------- */

static void find_programs(struct bench *bench)
{
	ssize_t n = readlink("/proc/self/exe", bench->directory, sizeof bench->directory - 1);

	if (n < 0)
		stop_for_failure("/proc/self/exe", -errno);
	bench->directory[n] = '\0';
	*strrchr(bench->directory, '/') = '\0';
	snprintf(bench->rows, sizeof bench->rows, "%s/bsprows", bench->directory);
	snprintf(bench->mpi, sizeof bench->mpi, "%s/mpibench", bench->directory);
}

/* Open MPI refuses to run as root and on too few processors unless settings allow it. */
static void allow_mpi(void)
{
	setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
	setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
}

static void prepare_mpi(struct bench *bench)
{
	struct run *run = bench->run;

	if (bench->options.without_mpi)
		run->mpi_note = "not wanted";
	else if (access(bench->mpi, X_OK) != 0)
		run->mpi_note = "mpibench was not built";
	else if (access(BENCH_MPIRUN, X_OK) != 0)
		run->mpi_note = "there is no mpirun";
	allow_mpi();
}

static void keep_cpus(void *context, const char *name, const struct sample *sample)
{
	struct run *run = context;

	if (strcmp(name, "where") != 0 || sample->n != 2)
		return;
	run->cpu[0] = (int)sample->time[0];
	run->cpu[1] = (int)sample->time[1];
}

/* The library binds its processes; the pair that measures limits goes to the same places. */
static void bench_find_cpus(struct bench *bench)
{
	struct program program = bsp_program(bench, bench->ncores > 1 ? 2 : 1);

	add_word(&program, "where");
	bench->run->cpu[0] = bench->run->cpu[1] = -1;
	int failed = run_job(bench, &program, keep_cpus, bench->run);

	if (failed)
		stop_for_failure(bench->rows, failed);
}

static int bench_count_rows(const struct bench *bench)
{
	int n = 0;

	for (int i = 0; i < bench->run->nparts; i++)
		for (int f = 0; table_figures[f].text != NULL; f++)
			n += is_measured(bench, &bench->run->part[i], &table_figures[f]);
	return n > 0 ? n : 1;
}

/* Beside its batches a row takes warming up, limits, repetitions and MPI: six times as long. */
static void choose_effort(struct bench *bench)
{
	double row_us = 1e6 * bench->options.seconds / FULL_ROUNDS / bench_count_rows(bench) / 6;

	bench->batch_us = fmin(fmax(row_us / BENCH_BATCHES, 200), 5000);
	bench->tries = FULL_TRIES;
	bench->starts = FULL_STARTS;
	if (!bench->options.quick)
		return;
	bench->batch_us = 300;
	bench->tries = 1;
	bench->starts = 1;
}

static void bench_prepare(struct bench *bench)
{
	static struct run run;

	bench->run = &run;
	bench->ncores = bench_cores();
	run.nparts = bench->options.nparts;
	for (int i = 0; i < run.nparts; i++) {
		run.part[i].ncores = bench->ncores;
		run.part[i].nprocs =
			bench->options.nprocs[i] > 0 ? bench->options.nprocs[i] : bench->ncores;
	}
	bench->area = bench_area_create(bench->area_name, sizeof bench->area_name);
	if (bench->area == NULL)
		stop_for_failure("shared memory", -errno);
	find_programs(bench);
	prepare_mpi(bench);
	choose_effort(bench);
	bench_find_cpus(bench);
}

/* On a busy machine rounds take longer: fewer than FULL_ROUNDS when the time is up twice over. */
static bool goes_on(int round, double used, double allowed)
{
	if (round == TABLE_ROUNDS)
		return false;
	if (round < FULL_ROUNDS)
		return used < 2 * allowed;
	return used * (round + 1) / round < allowed;
}

static void bench_measure_all(struct bench *bench)
{
	uint64_t start = clock_now_ns();
	double allowed = 1e9 * bench->options.seconds;
	double used;
	int round = 0;

	bench->deadline = start + (uint64_t)allowed;
	do {
		bench_measure_round(bench, round++);
		used = (double)(clock_now_ns() - start);
	} while (!bench->options.quick && goes_on(round, used, allowed));
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r%40s\r", "");
}

/* ---- Command line ------------------------------------------------------------- */

static int bad_usage(const char *what, const char *value)
{
	fprintf(stderr, "bspbench: %s \"%s\"; try bspbench --help\n", what, value);
	return 2;
}

static int parse_nprocs(const char *text, struct options *options)
{
	const char *at = text;

	options->nparts = 0;
	do {
		char *end;
		long n = strtol(at, &end, 10);

		if (end == at || n < 1 || n > BENCH_MOST_PROCS || (*end != ',' && *end != '\0') ||
		    options->nparts == TABLE_PARTS)
			return bad_usage("not a list of up to 8 numbers of processes:", text);
		options->nprocs[options->nparts++] = (int)n;
		at = end + 1;
		if (*end == '\0')
			return 0;
	} while (true);
}

static int parse_seconds(const char *text, struct options *options)
{
	char *end;

	options->seconds = strtod(text, &end);
	if (end == text || *end != '\0' || !(options->seconds > 0 && options->seconds <= 86400))
		return bad_usage("not a number of seconds:", text);
	return 0;
}

static int list_rows(void)
{
	for (int f = 0; table_figures[f].text != NULL; f++)
		printf("%-20s %s\n",
		       table_figures[f].row != NULL ? table_figures[f].row :
						      table_figures[f].mpi[0],
		       table_figures[f].text);
	return 0;
}

enum {
	OPT_QUICK = 256,
	OPT_SECONDS,
	OPT_ONLY,
	OPT_CSV,
	OPT_MARKDOWN,
	OPT_NO_MPI,
	OPT_LIST,
	OPT_TRANSPORT,
};

static const struct option long_options[] = { { "quick", no_argument, NULL, OPT_QUICK },
					      { "seconds", required_argument, NULL, OPT_SECONDS },
					      { "only", required_argument, NULL, OPT_ONLY },
					      { "csv", required_argument, NULL, OPT_CSV },
					      { "markdown", required_argument, NULL, OPT_MARKDOWN },
					      { "no-mpi", no_argument, NULL, OPT_NO_MPI },
					      { "list", no_argument, NULL, OPT_LIST },
					      { "transport", required_argument, NULL,
						OPT_TRANSPORT },
					      { "help", no_argument, NULL, 'h' },
					      { NULL, 0, NULL, 0 } };

/* 0 or an exit status; -1: all is done, end well. */
static int parse_option(int option, struct options *options)
{
	switch (option) {
	case 'n': return parse_nprocs(optarg, options);
	case OPT_QUICK: options->quick = true; return 0;
	case OPT_SECONDS: return parse_seconds(optarg, options);
	case OPT_ONLY: options->only = optarg; return 0;
	case OPT_CSV: options->csv = optarg; return 0;
	case OPT_MARKDOWN: options->markdown = optarg; return 0;
	case OPT_NO_MPI: options->without_mpi = true; return 0;
	case OPT_LIST: list_rows(); return -1;
	case OPT_TRANSPORT: options->transports = optarg; return 0;
	case 'h': fputs(usage_text, stdout); return -1;
	default: return 2;
	}
}

static int bench_parse_options(int argc, char **argv, struct options *options)
{
	const char *nprocs = getenv("BSP_NPROCS");
	int option, status;

	options->nparts = 1;
	options->seconds = FULL_SECONDS;
	if (nprocs != NULL && parse_nprocs(nprocs, options) != 0)
		return 2;
	while ((option = getopt_long(argc, argv, "n:h", long_options, NULL)) != -1) {
		status = parse_option(option, options);
		if (status != 0)
			return status;
	}
	return optind < argc ? bad_usage("no argument expected:", argv[optind]) : 0;
}

static void join(char *text, size_t len, int argc, char **argv)
{
	size_t used = 0;

	text[0] = '\0';
	for (int i = 0; i < argc && used < len; i++) {
		const char *slash = i == 0 ? strrchr(argv[i], '/') : NULL;

		used += (size_t)snprintf(text + used, len - used, "%s%s", i > 0 ? " " : "",
					 slash != NULL ? slash + 1 : argv[i]);
	}
}

static int write_to(const char *name, const struct run *run,
		    void (*report)(const struct run *, FILE *))
{
	if (name == NULL)
		return 0;
	FILE *file = fopen(name, "we");

	if (file != NULL) {
		report(run, file);
		if (fclose(file) == 0)
			return 0;
	}
	fprintf(stderr, "bspbench: %s: %s\n", name, strerror(errno));
	return 1;
}

static int measure_network(struct bench *bench, const char *command)
{
	const struct options *o = &bench->options;
	struct network network = {
		.transports = o->transports,
		.command = command,
		.only = o->only,
		.csv = o->csv,
		.markdown = o->markdown,
		.quick = o->quick,
		.without_mpi = o->without_mpi || access(BENCH_MPIRUN, X_OK) != 0,
		.seconds = o->seconds,
		.ncores = bench_cores(),
		.nprocs = { 0 },
	};

	unsetenv("BSP_NPROCS");
	for (int i = 0; i < o->nparts; i++)
		network.nprocs[i] = o->nprocs[i];
	find_programs(bench);
	network.directory = bench->directory;
	allow_mpi();
	return network_measure(&network);
}

int main(int argc, char **argv)
{
	static struct bench bench;
	static char command[512];
	int status;

	join(command, sizeof command, argc, argv);
	status = bench_parse_options(argc, argv, &bench.options);
	if (status != 0)
		return status < 0 ? 0 : status;
	if (bench.options.transports != NULL)
		return measure_network(&bench, command);
	bench_prepare(&bench);
	bench.run->command = command;
	unsetenv("BSP_NPROCS");
	bench_measure_all(&bench);
	unsetenv("BSP_NPROCS");
	report_text(bench.run, stdout);
	status |= write_to(bench.options.csv, bench.run, report_csv);
	status |= write_to(bench.options.markdown, bench.run, report_markdown);
	return status;
}
