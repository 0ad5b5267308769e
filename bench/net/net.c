/* SPDX-License-Identifier: BSD-3-Clause */
/* net.c - measure supersteps and the layer below in turn: the frame of netmpi and netofi. */

/*
 * Process 0 holds the clock and decides how many steps a batch has; the others receive it by a put.
 * A batch begins when all have come to it (a barrier of the side itself), and its time ends
 * with the last step of process 0, which has then what its neighbour sent in it.
 *
 * With a core for each process no process leaves it in so short a wait; so one that was without
 * it for a part of a batch was disturbed by another program, and the round does not count for
 * that row.
 *
 * Before a row is measured each side does one step, and what has arrived is looked at.
 */
#include "net.h"

#include "bench/rows/bench.h"
#include "tools/measure/clock.h"
#include "tools/measure/batch.h"

#include <bsp.h>

#include <fnmatch.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

struct options {
	int rounds;
	double batch_ns;
	const char *csv;
	int nnames;
	char **names;		/* or parts, or patterns; none: all that fit the processes */
};

/* A row while it is measured. */
struct task {
	const struct net_row *row;
	struct net_result *result;
	struct net_transfer *transfers;
	int ntransfers;
	long steps[NET_SIDES];
};

struct frame {
	struct options options;
	int me, nprocs;
	bool pinned;		/* a core for each */
	bool sockets;		/* there is that side */
	struct net_memory memory[NET_SIDES];
	int ntasks;
	struct task *tasks;
	long steps;		/* what process 0 has decided; registered */
};

static const char usage_text[] =
	"usage: %s [--rounds N] [--batch MICROSECONDS] [--csv FILE] [ROW...]\n"
	"Measures supersteps and what lies below them in turn; bspbench --transport runs it.\n"
	"rows:";

static const struct net_layer *const layers[NET_SIDES] = {
	[NET_RAW] = &net_raw,
	[NET_SOCKETS] = &net_sockets,
};

/* ---- Steps -------------------------------------------------------------------- */

static void raw_step(const struct task *task, const struct net_layer *layer)
{
	if (task->ntransfers > 0)
		layer->move(task->transfers, task->ntransfers);
	if (task->row->barrier)
		layer->barrier();
}

/* In relaxed supersteps, or such with neighbours, between two barriers: ns of @n steps. */
static double bsp_batch(const struct net_row *row, long n)
{
	int pids[NET_BESIDE];
	uint64_t start;
	double took;

	bsp_sync();
	if (row->relaxed)
		bsp_set_sync(BSP_RELAXED);
	if (row->halo) {
		net_beside(pids);
		bsp_set_neighbors(NET_BESIDE, pids);
	}
	if (row->relaxed || row->halo)
		bsp_sync();
	start = clock_now_ns();
	for (long i = 0; i < n; i++)
		row->step(row);
	took = (double)(clock_now_ns() - start);
	if (row->relaxed)
		bsp_set_sync(BSP_CLASSIC);
	if (row->halo)
		bsp_set_neighbors(BSP_ALL, NULL);
	bsp_sync();
	return took;
}

static double raw_batch(const struct task *task, const struct net_layer *layer, long n)
{
	uint64_t start;
	double took;

	layer->barrier();
	start = clock_now_ns();
	for (long i = 0; i < n; i++)
		raw_step(task, layer);
	took = (double)(clock_now_ns() - start);
	layer->barrier();
	return took;
}

/* The transfers of the raw layers are in the memory of the side whose turn it is. */
static void aim(const struct frame *f, const struct task *task, enum net_side side)
{
	const struct net_memory *memory = &f->memory[side];
	const struct net_row *row = task->row;

	for (int i = 0; i < task->ntransfers; i++) {
		struct net_transfer *t = &task->transfers[i];
		size_t n = row->nbytes;

		t->src = memory->src + (row->items > 0 ? (size_t)i : (size_t)t->to) * n;
		t->dst = memory->dst + (row->items > 0 ? (size_t)i : (size_t)t->from) * n;
	}
}

static double net_batch(const struct frame *f, const struct task *task, enum net_side side, long n)
{
	double took;

	if (side == NET_BSP)
		return bsp_batch(task->row, n);
	aim(f, task, side);
	bsp_sync();
	took = raw_batch(task, layers[side], n);
	bsp_sync();
	return took;
}

/* ---- What a row moves ---------------------------------------------------------- */

/* The byte that process @pid sends. */
static char mark(int pid)
{
	return (char)(pid + 1);
}

static bool has_arrived(const struct net_transfer *t)
{
	return t->dst[0] == mark(t->from) && t->dst[t->nbytes - 1] == mark(t->from);
}

/* A figure of what does not work is none. */
static void net_check(const struct frame *f, const struct task *task, enum net_side side)
{
	const struct net_memory *memory = &f->memory[side];

	memset(memory->src, mark(f->me), memory->nbytes);
	memset(memory->dst, 0, memory->nbytes);
	bsp_sync();
	net_batch(f, task, side, 1);
	aim(f, task, side);
	for (int i = 0; i < task->ntransfers; i++)
		if (!has_arrived(&task->transfers[i]))
			bsp_abort("%s: %s: what process %d sent is not here\n", task->row->name,
				  side == NET_BSP ? "BSP" : layers[side]->name,
				  task->transfers[i].from);
	bsp_sync();
}

static void fill_transfers(struct task *task)
{
	int me = bsp_pid(), nprocs = bsp_nprocs();
	const struct net_row *row = task->row;
	int pids[NET_BESIDE];

	net_beside(pids);
	for (int i = 0; i < task->ntransfers; i++) {
		struct net_transfer *t = &task->transfers[i];
		int far = row->items > 0 ? 1 : i + 1;

		t->to = row->halo ? pids[i] : (me + far) % nprocs;
		t->from = row->halo ? pids[i ^ 1] : (me + nprocs - far) % nprocs;
		t->nbytes = row->nbytes;
	}
}

static void *allocate(size_t n, size_t size)
{
	void *p = calloc(n > 0 ? n : 1, size);

	if (p == NULL)
		bsp_abort("no memory for %zu times %zu bytes\n", n, size);
	return p;
}

static void open_task(struct task *task)
{
	const struct net_row *row = task->row;

	task->ntransfers = row->nbytes == 0 ? 0 : row->items > 0 ? row->items : bsp_nprocs() - 1;
	task->transfers = allocate((size_t)task->ntransfers, sizeof *task->transfers);
	fill_transfers(task);
}

/* ---- Rounds -------------------------------------------------------------------- */

/* The number of process 0, on all. */
static long net_agree(struct frame *f, long steps)
{
	f->steps = steps;
	for (int pid = 1; f->me == 0 && pid < f->nprocs; pid++)
		bsp_put(pid, &f->steps, &f->steps, 0, sizeof f->steps);
	bsp_sync();
	return f->steps;
}

/* Few steps become more until a batch is long enough; warms up by the way. */
static long count_steps(struct frame *f, const struct task *task, enum net_side side)
{
	long n = 1;

	for (;;) {
		double took = net_batch(f, task, side, n);
		long next = net_agree(f, batch_grow(n, took, f->options.batch_ns, 0));

		if (next == 0)
			return n;
		n = next;
	}
}

static void prepare_task(struct frame *f, struct task *task)
{
	for (int side = 0; side < NET_SIDES; side++) {
		if (side == NET_SOCKETS && !f->sockets)
			continue;
		net_check(f, task, (enum net_side)side);
		task->steps[side] = count_steps(f, task, (enum net_side)side);
	}
}

/* The time of its steps; what is around them can be disturbed, too. */
static double watched_batch(struct frame *f, struct task *task, enum net_side side, int round)
{
	struct batch batch;
	bool disturbed;
	double steps;

	batch_begin(&batch);
	steps = net_batch(f, task, side, task->steps[side]);
	batch_end(&batch, &disturbed);
	if (f->pinned && disturbed)
		task->result->disturbed[round] = 1;
	return steps;
}

/* The layer that is first in one round is second in the next. */
static void net_measure_round(struct frame *f, struct task *task, int round)
{
	for (int turn = 0; turn < NET_SIDES; turn++) {
		int side = (turn + round) % NET_SIDES;
		double took;

		if (task->steps[side] == 0)
			continue;
		took = watched_batch(f, task, (enum net_side)side, round);
		task->result->time[side][round] = took / (double)task->steps[side];
		task->result->has[side] = true;
	}
}

/* Process 0 learns who was disturbed: @all has the rounds of every process. */
static void tell_disturbed(const struct frame *f, const struct task *task, unsigned char *all)
{
	bsp_put(0, task->result->disturbed, all, (bsp_size_t)(f->me * NET_MOST_ROUNDS),
		NET_MOST_ROUNDS);
	bsp_sync();
	for (int i = 0; i < f->nprocs * NET_MOST_ROUNDS; i++)
		task->result->disturbed[i % NET_MOST_ROUNDS] |= all[i];
}

/* A round that does not count is left out, unless none would be left. */
static void leave_out(struct net_result *r, int rounds)
{
	int n = 0;

	for (int round = 0; round < rounds; round++) {
		if (r->disturbed[round])
			continue;
		for (int side = 0; side < NET_SIDES; side++)
			r->time[side][n] = r->time[side][round];
		n++;
	}
	r->stable = n > 0;
	r->nrounds = n > 0 ? n : rounds;
}

static void choose_rounds(struct frame *f)
{
	size_t size = (size_t)f->nprocs * NET_MOST_ROUNDS;
	unsigned char *all = allocate(1, size);

	bsp_push_reg(all, (bsp_size_t)size);
	bsp_sync();
	for (int i = 0; i < f->ntasks; i++) {
		tell_disturbed(f, &f->tasks[i], all);
		leave_out(f->tasks[i].result, f->options.rounds);
	}
	bsp_pop_reg(all);
	bsp_sync();
	free(all);
}

static void net_measure(struct frame *f)
{
	for (int i = 0; i < f->ntasks; i++)
		prepare_task(f, &f->tasks[i]);
	for (int round = 0; round < f->options.rounds; round++)
		for (int i = 0; i < f->ntasks; i++)
			net_measure_round(f, &f->tasks[i], round);
}

/* ---- The job ------------------------------------------------------------------- */

static bool matches(const struct net_row *row, const char *name)
{
	return strstr(row->name, name) != NULL || fnmatch(name, row->name, 0) == 0;
}

static bool net_is_wanted(const struct frame *f, const struct net_row *row)
{
	if (f->options.nnames == 0)
		return row->any_number || f->nprocs == 2;
	for (int i = 0; i < f->options.nnames; i++)
		if (matches(row, f->options.names[i]))
			return true;
	return false;
}

static int net_count_rows(void)
{
	int n = 0;

	while (net_rows[n].name != NULL)
		n++;
	return n;
}

static void choose_tasks(struct frame *f, struct net_result *result)
{
	f->tasks = allocate((size_t)net_count_rows(), sizeof *f->tasks);
	for (int i = 0; net_rows[i].name != NULL; i++) {
		struct task *task = &f->tasks[f->ntasks];

		if (!net_is_wanted(f, &net_rows[i]))
			continue;
		task->row = &net_rows[i];
		task->result = &result[i];
		open_task(task);
		f->ntasks++;
	}
}

static size_t memory_needed(const struct frame *f)
{
	size_t most = 1;

	for (int i = 0; i < f->ntasks; i++) {
		const struct net_row *row = f->tasks[i].row;
		size_t blocks = row->items > 0 ? (size_t)row->items : (size_t)f->nprocs;

		if (row->nbytes * blocks > most)
			most = row->nbytes * blocks;
	}
	return most;
}

static void open_sides(struct frame *f)
{
	size_t nbytes = memory_needed(f);

	for (int side = 0; side < NET_SIDES; side++) {
		struct net_memory *m = &f->memory[side];

		*m = (struct net_memory){ allocate(1, nbytes), allocate(1, nbytes), nbytes };
	}
	net_rows_open(&f->memory[NET_BSP]);
	if (net_raw.open(f->me, f->nprocs, &f->memory[NET_RAW]) != 0)
		bsp_abort("%s cannot be used beside BSP\n", net_raw.name);
	f->sockets = net_sockets.open(f->me, f->nprocs, &f->memory[NET_SOCKETS]) == 0;
}

static void close_sides(struct frame *f)
{
	if (f->sockets)
		net_sockets.close();
	if (net_raw.close != NULL)
		net_raw.close();
	net_rows_close();
	for (int side = 0; side < NET_SIDES; side++) {
		free(f->memory[side].src);
		free(f->memory[side].dst);
	}
	for (int i = 0; i < f->ntasks; i++)
		free(f->tasks[i].transfers);
	free(f->tasks);
}

static const char *setting(const char *name)
{
	const char *value = getenv(name);

	return value != NULL && value[0] != '\0' ? value : NULL;
}

/* Processes 0 and 1 say where they are bound. */
static void net_find_cpus(const struct frame *f, struct net_table *table)
{
	bsp_push_reg(table->cpu, sizeof table->cpu);
	bsp_sync();
	int cpu = bench_cpu();

	if (f->me < 2)
		bsp_put(0, &cpu, table->cpu, (bsp_size_t)((size_t)f->me * sizeof cpu), sizeof cpu);
	bsp_sync();
	bsp_pop_reg(table->cpu);
	bsp_sync();
}

static void net_report(const struct frame *f, struct net_table *table)
{
	const char *transport = setting("BSP_TRANSPORT");
	FILE *csv;

	snprintf(table->transport, sizeof table->transport, "%s",
		 transport != NULL ? transport : "auto");
	net_raw.describe(table->below, sizeof table->below);
	table->tcp = strstr(table->below, "tcp") != NULL;
	net_table_markdown(table, stdout);
	fflush(stdout);
	if (f->options.csv == NULL)
		return;
	csv = fopen(f->options.csv, "ae");
	if (csv == NULL)
		bsp_abort("%s cannot be written\n", f->options.csv);
	net_table_csv(table, csv);
	fclose(csv);
}

static void net_run(struct frame *f)
{
	struct net_result *result = allocate((size_t)net_count_rows(), sizeof *result);
	struct net_table table = { .nprocs = f->nprocs,
				   .nrounds = f->options.rounds,
				   .cpu = { -1, -1 },
				   .result = result };

	f->pinned = f->nprocs <= bench_cores() || bench_cpu() >= 0;
	bsp_push_reg(&f->steps, sizeof f->steps);
	bsp_sync();
	choose_tasks(f, result);
	open_sides(f);
	net_find_cpus(f, &table);
	net_measure(f);
	choose_rounds(f);
	if (f->me == 0)
		net_report(f, &table);
	close_sides(f);
	bsp_pop_reg(&f->steps);
	bsp_sync();
	free(result);
}

static int net_usage(const char *program)
{
	fprintf(stderr, usage_text, program);
	for (const struct net_row *row = net_rows; row->name != NULL; row++)
		fprintf(stderr, " %s", row->name);
	fprintf(stderr, "\n");
	return 2;
}

static bool is_row(const char *name)
{
	for (const struct net_row *row = net_rows; row->name != NULL; row++)
		if (matches(row, name))
			return true;
	return false;
}

/* 0, or the arguments are wrong. */
static int net_parse_options(int argc, char **argv, struct options *o)
{
	static const struct option known[] = { { "rounds", required_argument, NULL, 'r' },
					       { "batch", required_argument, NULL, 'b' },
					       { "csv", required_argument, NULL, 'c' },
					       { NULL, 0, NULL, 0 } };
	int option;

	*o = (struct options){ .rounds = 51, .batch_ns = 2e6 };
	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (option) {
		case 'r': o->rounds = atoi(optarg); break;
		case 'b': o->batch_ns = 1e3 * atof(optarg); break;
		case 'c': o->csv = optarg; break;
		default: return -1;
		}
	}
	o->names = argv + optind;
	o->nnames = argc - optind;
	for (int i = 0; i < o->nnames; i++)
		if (!is_row(o->names[i]))
			return -1;
	return o->rounds >= 1 && o->rounds <= NET_MOST_ROUNDS && o->batch_ns > 0 ? 0 : -1;
}

int main(int argc, char **argv)
{
	static struct frame f;
	int status = 0;

	if (net_raw.start != NULL && net_raw.start(&argc, &argv) != 0)
		return 1;
	if (net_parse_options(argc, argv, &f.options) != 0) {
		status = net_usage(argv[0]);
	} else {
		bsp_begin(bsp_nprocs());
		f.me = bsp_pid();
		f.nprocs = bsp_nprocs();
		if (f.nprocs < 2 || f.nprocs > NET_MOST_PROCS)
			bsp_abort("%s needs 2 to %d processes\n", argv[0], NET_MOST_PROCS);
		net_run(&f);
		bsp_end();
	}
	if (net_raw.finish != NULL)
		net_raw.finish();
	return status;
}
