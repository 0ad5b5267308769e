// SPDX-License-Identifier: BSD-3-Clause
/* goalc_compile.c - goalc compile, dump and list. */

#include "goalc.h"

static const struct option_row output_rows[] = {
	{ "-o", .argument = true, .letter = 'o' },
	{ "--output", .argument = true, .letter = 'o' },
	{ .name = NULL },
};

static const struct option_row compile_rows[] = {
	{ "-o", .argument = true, .letter = 'o' },
	{ "--output", .argument = true, .letter = 'o' },
	{ "-O", .letter = 'O' },
	{ "--optimize", .letter = 'O' },
	{ .name = NULL },
};

static const struct option_row rank_rows[] = {
	{ "-r", .argument = true, .letter = 'r' },
	{ "--rank", .argument = true, .letter = 'r' },
	{ .name = NULL },
};

struct arguments {
	const char *command, *in, *out;
	uint64_t rank;
	bool one_rank, optimise;
};

static int goalc_compile_take(void *into, int letter, const char *argument)
{
	struct arguments *args = into;

	if (letter == 'o') {
		args->out = argument;
		return GOALC_GOOD;
	}
	if (letter == 'O') {
		args->optimise = true;
		return GOALC_GOOD;
	}
	args->one_rank = true;
	if (goalc_number(argument, GOAL_PROCESSES_MOST, &args->rank))
		return GOALC_GOOD;
	return goalc_misuse("%s: --rank %s: expected a number", args->command, argument);
}

static int goalc_compile_read_arguments(int argc, char **argv, const struct option_row *rows,
					struct arguments *args)
{
	int status;

	*args = (struct arguments){ .command = argv[0] };
	status = goalc_options(&argc, argv, rows, goalc_compile_take, args);
	return status ? status : goalc_one_file(argc, argv, &args->in);
}

/* Read, optimise if that is wanted, then write with @write. */
static int goalc_compile_convert(const struct arguments *args,
				 int (*write)(const struct goal_set *, FILE *))
{
	struct goal_set set;
	int status = goalc_load(args->in, &set);
	FILE *out;

	if (status)
		return status;
	if (args->optimise && goalc_optimize(args->in, &set)) {
		goal_set_free(&set);
		return GOALC_WRONG;
	}
	out = goalc_create(args->out);
	if (!out) {
		status = GOALC_WRONG;
	} else if (write(&set, out) && !ferror(out)) {
		status = goalc_fail("%s: not enough memory to write it", args->in);
		goalc_discard(out, args->out);
	} else {
		status = goalc_close(out, args->out);
	}
	goal_set_free(&set);
	return status;
}

int goalc_compile(int argc, char **argv)
{
	struct arguments args;
	int status = goalc_compile_read_arguments(argc, argv, compile_rows, &args);

	return status ? status : goalc_compile_convert(&args, goal_set_write);
}

int goalc_dump(int argc, char **argv)
{
	struct arguments args;
	int status = goalc_compile_read_arguments(argc, argv, output_rows, &args);

	return status ? status : goalc_compile_convert(&args, goal_dump);
}

static int list(const struct goal_set *set, const struct arguments *args)
{
	int first = args->one_rank ? (int)args->rank : 0;
	int end = args->one_rank ? first + 1 : set->nprocs;

	if (end > set->nprocs)
		return goalc_fail("%s: no rank %d: there are %d processes", args->in, first,
				  set->nprocs);
	for (int i = first; i < end; i++) {
		struct goal_prog prog = { .header = set->block[i] };

		if (goal_list_block(&prog, stdout))
			break;
	}
	return goalc_close(stdout, NULL);
}

int goalc_list(int argc, char **argv)
{
	struct arguments args;
	struct goal_set set;
	int status = goalc_compile_read_arguments(argc, argv, rank_rows, &args);

	if (!status)
		status = goalc_load(args.in, &set);
	if (status)
		return status;
	status = list(&set, &args);
	goal_set_free(&set);
	return status;
}
