// SPDX-License-Identifier: BSD-3-Clause
/* goalc_gen.c - goalc gen: schedules of barriers and collective operations, by algorithm. */

#include "tools/goalc_task.h"

#include <stdlib.h>

enum { OPTION_BINARY = GOALC_OWN, OPTION_LIST, OPTION_RANK };

static const struct option options[] = {
	GOALC_TASK_OPTIONS,
	{ "binary", no_argument, NULL, OPTION_BINARY },
	{ "list", no_argument, NULL, OPTION_LIST },
	{ "output", required_argument, NULL, 'o' },
	{ "rank", required_argument, NULL, OPTION_RANK },
	{ NULL, 0, NULL, 0 },
};

struct arguments {
	struct goalc_task task;
	const char *out;
	bool binary, list;
	bool one;
	uint64_t rank;
};

static int read_option(struct arguments *args, int letter, char **argv)
{
	switch (letter) {
	case 'o':
		args->out = optarg;
		return GOALC_GOOD;
	case OPTION_BINARY:
		args->binary = true;
		return GOALC_GOOD;
	case OPTION_LIST:
		args->list = true;
		return GOALC_GOOD;
	case OPTION_RANK:
		args->one = true;
		if (goalc_number(optarg, GOAL_PROCESSES_MOST - 1, &args->rank))
			return GOALC_GOOD;
		return goalc_misuse("--rank %s: expected the number of a process", optarg);
	case '?':
	case ':':
		return goalc_bad_option(letter, argv);
	default:
		return goalc_task_option(&args->task, letter, optarg);
	}
}

static int read_arguments(int argc, char **argv, struct arguments *args)
{
	int status = GOALC_GOOD;
	int letter;

	*args = (struct arguments){ .out = NULL };
	goalc_task_init(&args->task);
	opterr = 0;
	while (!status && (letter = getopt_long(argc, argv, ":o:P:", options, NULL)) != -1)
		status = read_option(args, letter, argv);
	if (status || args->list)
		return status;
	if (argc - optind != 1)
		return goalc_misuse("gen: expected one operation, like 'barrier'; gen --list has all");
	status = goalc_task_of(&args->task, argv[optind]);
	if (!status && args->one && args->rank >= (uint64_t)args->task.nprocs)
		return goalc_misuse("--rank %llu: there are %d processes",
				    (unsigned long long)args->rank, args->task.nprocs);
	return status;
}

static void list_kind(enum goal_kind kind)
{
	const struct goal_algorithm *a;

	for (unsigned int i = 0; (a = goal_algorithm(kind, i)); i++)
		printf("%-10s %-22s %s\n", goal_kind_name(kind), a->name, a->summary);
}

static int list_all(void)
{
	for (int kind = 0; kind < GOAL_KINDS; kind++)
		list_kind(kind);
	return goalc_close(stdout, NULL);
}

/* The block of one process: as it is loaded, or listed for people. */
static int write_one(const struct arguments *args, FILE *out)
{
	size_t bytes;
	void *block = goalc_task_generate_one(&args->task, (int)args->rank, &bytes);
	struct goal_prog prog = { .header = block };
	bool written;

	if (!block)
		return GOALC_WRONG;
	if (args->binary)
		written = fwrite(block, 1, bytes, out) == bytes;
	else
		written = goal_list_block(&prog, out) == 0;
	free(block);
	return written ? GOALC_GOOD : goalc_fail("the schedule cannot be written");
}

static int write_all(const struct arguments *args, FILE *out)
{
	struct goal_set set;
	int status = goalc_task_generate(&args->task, &set);
	int error;

	if (status)
		return status;
	error = args->binary ? goal_set_write(&set, out) : goal_dump(&set, out);
	goal_set_free(&set);
	return error ? goalc_fail("the schedules cannot be written") : GOALC_GOOD;
}

int goalc_gen(int argc, char **argv)
{
	struct arguments args;
	int status = read_arguments(argc, argv, &args);
	FILE *out;

	if (status)
		return status;
	if (args.list)
		return list_all();
	out = goalc_create(args.out);
	if (!out)
		return GOALC_WRONG;
	status = args.one ? write_one(&args, out) : write_all(&args, out);
	return goalc_close(out, args.out) || status ? GOALC_WRONG : GOALC_GOOD;
}
