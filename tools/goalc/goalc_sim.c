// SPDX-License-Identifier: BSD-3-Clause
/* goalc_sim.c - goalc sim: how long a schedule takes on a network of LogGPS. */

#include "goalc_task.h"

#include "common/progress.h"

#include <stdlib.h>
#include <unistd.h>

enum { OPTION_ALL = GOALC_OWN, OPTION_MULTICAST };

/* So many processes are listed one by one, as LogGOPSim does. */
enum { LISTED_MOST = 16 };

static const struct option_row rows[] = {
	GOALC_TASK_OPTIONS,
	GOALC_NET_OPTIONS,
	{ "--all", .letter = OPTION_ALL },
	{ "-b", .letter = 'b' },
	{ "--batchmode", .letter = 'b' },
	{ "--multicast", .letter = OPTION_MULTICAST },
	{ .name = NULL },
};

struct arguments {
	struct goalc_task task;
	struct goal_net net;
	const char *what;	/* a file, or an operation */
	bool generated;
	bool all, latest_only;
};

static int goalc_sim_take(void *into, int letter, const char *argument)
{
	struct arguments *args = into;

	switch (letter) {
	case OPTION_ALL:
		args->all = true;
		return GOALC_GOOD;
	case OPTION_MULTICAST:
		args->net.multicast = true;
		return GOALC_GOOD;
	case 'b':
		args->latest_only = true;
		return GOALC_GOOD;
	default:
		break;
	}
	if (!goalc_is_task_option(letter))
		return goalc_net_option(&args->net, letter, argument);
	args->generated = true;
	return goalc_task_option(&args->task, letter, argument);
}

static int goalc_sim_read_arguments(int argc, char **argv, struct arguments *args)
{
	int status;

	*args = (struct arguments){ .net = goalc_net_default, .what = "-" };
	goalc_task_init(&args->task);
	status = goalc_options(&argc, argv, rows, goalc_sim_take, args);
	if (status)
		return status;
	if (argc > 2)
		return goalc_misuse("sim: %s: expected one file or operation", argv[2]);
	if (argc > 1)
		args->what = argv[1];
	/* with --node alone it may be a file, and the nodes are those of the network */
	if (args->task.given == 1u << (GOALC_NODE - GOALC_ALGORITHM) && !args->task.nprocs &&
	    goal_kind_of(args->what) < 0)
		args->generated = false;
	if (args->generated)
		status = goalc_task_of(&args->task, args->what);
	if (!status) {
		args->net.node = args->task.node;
		status = goalc_net_ready(&args->net, "sim");
	}
	return status;
}

/* ---- The run -------------------------------------------------------------------- */

/* As LogGOPSim prints it. */
static int print_times(const struct arguments *args, const uint64_t *times, int nprocs)
{
	int last = 0;

	for (int rank = 1; rank < nprocs; rank++)
		if (times[rank] > times[last])
			last = rank;
	if (args->latest_only) {
		printf("%llu\n", (unsigned long long)times[last]);
	} else if (args->all || nprocs <= LISTED_MOST) {
		puts("Times:");
		for (int rank = 0; rank < nprocs; rank++)
			printf("Host %d: %llu\n", rank, (unsigned long long)times[rank]);
	} else {
		printf("Maximum finishing time at host %d: %llu\n", last,
		       (unsigned long long)times[last]);
	}
	return goalc_close(stdout, NULL);
}

static int simulate(const struct arguments *args, struct goal_source *source)
{
	struct progress progress;
	struct goal_sim_watch watch = {
		.owner = &progress,
		.progress = isatty(STDERR_FILENO) ? progress_show : NULL,
	};
	uint64_t *times = source ? calloc(source->nprocs, sizeof(*times)) : NULL;
	char why[300];
	int status;

	if (!times)
		return goalc_fail("sim: not enough memory");
	progress_begin(&progress);
	if (goal_sim(source, &args->net, &watch, times, why, sizeof(why)))
		status = goalc_fail("%s: %s", args->what, why);
	else
		status = print_times(args, times, source->nprocs);
	free(times);
	return status;
}

static int simulate_set(const struct arguments *args)
{
	struct goal_set set;
	struct goal_source *source;
	int status;

	if (args->generated)
		status = goalc_task_generate(&args->task, &set);
	else
		status = goalc_load(args->what, &set);
	if (status)
		return status;
	source = goal_source_of(&set);
	status = simulate(args, source);
	free(source);
	goal_set_free(&set);
	return status;
}

int goalc_sim(int argc, char **argv)
{
	const struct goal_task *task;
	struct goal_source *source = NULL;
	struct arguments args;
	int status = goalc_sim_read_arguments(argc, argv, &args);

	if (status)
		return status;
	task = &args.task.task;
	/* operations of barriers are made up while it runs, as there may be many */
	if (args.generated && task->kind == GOAL_BARRIER && !task->counts)
		source = goal_source_barrier(task, args.task.nprocs);
	if (!source)
		return simulate_set(&args);
	status = simulate(&args, source);
	free(source);
	return status;
}
