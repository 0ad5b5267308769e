// SPDX-License-Identifier: BSD-3-Clause
/* goalc_gen.c - goalc gen: schedules of barriers and collective operations, by algorithm. */

#include "goalc_task.h"

#include <stdlib.h>

enum { OPTION_BINARY = GOALC_OWN, OPTION_LIST, OPTION_RANK };

static const struct option_row rows[] = {
	GOALC_TASK_OPTIONS,
	{ "--binary", .letter = OPTION_BINARY },
	{ "--list", .letter = OPTION_LIST },
	{ "-o", .argument = true, .letter = 'o' },
	{ "--output", .argument = true, .letter = 'o' },
	{ "--rank", .argument = true, .letter = OPTION_RANK },
	{ .name = NULL },
};

struct arguments {
	struct goalc_task task;
	const char *out;
	bool binary, list;
	bool one;
	uint64_t rank;
};

static int goalc_gen_take(void *into, int letter, const char *argument)
{
	struct arguments *args = into;

	switch (letter) {
	case 'o':
		args->out = argument;
		return GOALC_GOOD;
	case OPTION_BINARY:
		args->binary = true;
		return GOALC_GOOD;
	case OPTION_LIST:
		args->list = true;
		return GOALC_GOOD;
	case OPTION_RANK:
		args->one = true;
		if (goalc_number(argument, GOAL_PROCESSES_MOST - 1, &args->rank))
			return GOALC_GOOD;
		return goalc_misuse("--rank %s: expected the number of a process", argument);
	default:
		return goalc_task_option(&args->task, letter, argument);
	}
}

static int goalc_gen_read_arguments(int argc, char **argv, struct arguments *args)
{
	int status;

	*args = (struct arguments){ .out = NULL };
	goalc_task_init(&args->task);
	status = goalc_options(&argc, argv, rows, goalc_gen_take, args);
	if (status || args->list)
		return status;
	if (argc != 2)
		return goalc_misuse(
			"gen: expected one operation, like 'barrier'; gen --list has all");
	status = goalc_task_of(&args->task, argv[1]);
	if (!status && args->one && args->rank >= (uint64_t)args->task.nprocs)
		return goalc_misuse("--rank %llu: there are %d processes",
				    (unsigned long long)args->rank, args->task.nprocs);
	return status;
}

static int list_all(void)
{
	const struct goal_algorithm *a;

	for (int kind = 0; kind < GOAL_KINDS; kind++)
		for (unsigned int i = 0; (a = goal_algorithm(kind, i)); i++)
			printf("%-14s %-24s %s\n", goal_kind_name(kind), a->name, a->summary);
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

/*
 * The blocks of all processes may be more than fits memory, so there is one of them at a time.
 * A failure to write is found, and reported, by goalc_close().
 */

static int write_text(const struct arguments *args, FILE *out)
{
	int error = goal_dump_front(args->task.nprocs, out);

	for (int rank = 0; rank < args->task.nprocs && !error; rank++) {
		size_t bytes;
		void *block = goalc_task_generate_one(&args->task, rank, &bytes);
		struct goal_prog prog = { .header = block };

		if (!block)
			return GOALC_WRONG;
		error = goal_dump_block(&prog, out);
		free(block);
	}
	return error && !ferror(out) ? goalc_fail("not enough memory for the text") : GOALC_GOOD;
}

/* Generated for their lengths alone, which precede them in the file. */
static int goalc_gen_measure(const struct arguments *args, size_t *len)
{
	for (int rank = 0; rank < args->task.nprocs; rank++) {
		void *block = goalc_task_generate_one(&args->task, rank, &len[rank]);

		if (!block)
			return GOALC_WRONG;
		free(block);
	}
	return GOALC_GOOD;
}

static int write_blocks(const struct arguments *args, const struct goal_set *lengths, FILE *out)
{
	bool written = goal_set_write_front(lengths, out) == 0;

	for (int rank = 0; rank < args->task.nprocs && written; rank++) {
		size_t bytes;
		void *block = goalc_task_generate_one(&args->task, rank, &bytes);

		if (!block)
			return GOALC_WRONG;
		written = fwrite(block, bytes, 1, out) == 1;
		free(block);
	}
	return GOALC_GOOD;
}

static int write_binary(const struct arguments *args, FILE *out)
{
	struct goal_set lengths = { .nprocs = args->task.nprocs };
	int status;

	lengths.len = calloc(args->task.nprocs, sizeof(*lengths.len));
	if (!lengths.len)
		return goalc_fail("not enough memory for %d processes", args->task.nprocs);
	status = goalc_gen_measure(args, lengths.len);
	if (!status)
		status = write_blocks(args, &lengths, out);
	free(lengths.len);
	return status;
}

int goalc_gen(int argc, char **argv)
{
	struct arguments args;
	int status = goalc_gen_read_arguments(argc, argv, &args);
	FILE *out;

	if (status)
		return status;
	if (args.list)
		return list_all();
	out = goalc_create(args.out);
	if (!out)
		return GOALC_WRONG;
	if (args.one)
		status = write_one(&args, out);
	else
		status = args.binary ? write_binary(&args, out) : write_text(&args, out);
	if (!status)
		return goalc_close(out, args.out);
	goalc_discard(out, args.out);
	return status;
}
