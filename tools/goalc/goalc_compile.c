// SPDX-License-Identifier: BSD-3-Clause
/* goalc_compile.c - goalc compile, dump and list. */

#include "goalc.h"

#include <getopt.h>
#include <string.h>

static const struct option options[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "rank", required_argument, NULL, 'r' },
	{ NULL, 0, NULL, 0 },
};

struct arguments {
	const char *in, *out;
	uint64_t rank;
	bool one_rank;
};

/* Of one file, "-" if none is named; @letters: those options that are had. */
static int goalc_compile_read_arguments(int argc, char **argv, const char *letters,
					struct arguments *args)
{
	int c;

	*args = (struct arguments){ .in = "-" };
	opterr = 0;
	while ((c = getopt_long(argc, argv, letters, options, NULL)) != -1) {
		if (c == '?' || c == ':' || !strchr(letters, c))
			return goalc_bad_option(c, argv);
		if (c == 'o')
			args->out = optarg;
		args->one_rank |= c == 'r';
		if (c == 'r' && !goalc_number(optarg, GOAL_PROCESSES_MOST, &args->rank))
			return goalc_misuse("%s: --rank %s: expected a number", argv[0], optarg);
	}
	if (argc - optind > 1)
		return goalc_misuse("%s: %s: expected one file", argv[0], argv[optind + 1]);
	if (optind < argc)
		args->in = argv[optind];
	return GOALC_GOOD;
}

/* Read, then write with @write. */
static int goalc_compile_convert(const struct arguments *args,
				 int (*write)(const struct goal_set *, FILE *))
{
	struct goal_set set;
	int status = goalc_load(args->in, &set);
	FILE *out;

	if (status)
		return status;
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
	int status = goalc_compile_read_arguments(argc, argv, ":o:", &args);

	return status ? status : goalc_compile_convert(&args, goal_set_write);
}

int goalc_dump(int argc, char **argv)
{
	struct arguments args;
	int status = goalc_compile_read_arguments(argc, argv, ":o:", &args);

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
	int status = goalc_compile_read_arguments(argc, argv, ":r:", &args);

	if (!status)
		status = goalc_load(args.in, &set);
	if (status)
		return status;
	status = list(&set, &args);
	goal_set_free(&set);
	return status;
}
