// SPDX-License-Identifier: BSD-3-Clause
/* goalc_draw.c - goalc dot and svg: a schedule as a graph, and as time goes by. */

#include "goalc.h"

#include <getopt.h>

/* -o is a parameter of the network, so where to write is said in full. */
static const struct option options[] = {
	{ "output", required_argument, NULL, 'f' },
	{ "multicast", no_argument, NULL, 'm' },
	{ NULL, 0, NULL, 0 },
};

struct arguments {
	const char *in, *out;
	struct goal_net net;
};

static int goalc_draw_read_arguments(int argc, char **argv, const char *letters,
				     struct arguments *args)
{
	int c, status = GOALC_GOOD;

	*args = (struct arguments){ .in = "-", .net = goalc_net_default };
	opterr = 0;
	while (!status && (c = getopt_long(argc, argv, letters, options, NULL)) != -1) {
		if (c == '?' || c == ':')
			status = goalc_bad_option(c, argv);
		else if (c == 'f')
			args->out = optarg;
		else if (c == 'm')
			args->net.multicast = true;
		else
			status = goalc_net_option(&args->net, c, optarg);
	}
	if (status)
		return status;
	if (argc - optind > 1)
		return goalc_misuse("%s: %s: expected one file", argv[0], argv[optind + 1]);
	if (optind < argc)
		args->in = argv[optind];
	return GOALC_GOOD;
}

/* Draw with @draw, which says why it cannot. */
static int draw(const struct arguments *args,
		int (*draw_set)(const struct goal_set *, const struct goal_net *, FILE *, char *,
				size_t))
{
	struct goal_set set;
	char why[200] = "";
	int status = goalc_load(args->in, &set);
	FILE *out;

	if (status)
		return status;
	out = goalc_create(args->out);
	if (!out) {
		status = GOALC_WRONG;
	} else if (draw_set(&set, &args->net, out, why, sizeof(why))) {
		status = goalc_fail("%s: %s", args->in, why);
		goalc_discard(out, args->out);
	} else {
		status = goalc_close(out, args->out);
	}
	goal_set_free(&set);
	return status;
}

static int draw_dot(const struct goal_set *set, const struct goal_net *net, FILE *out, char *why,
		    size_t len)
{
	(void)net;
	if (goal_draw_dot(set, out) == 0 || ferror(out))
		return 0;
	snprintf(why, len, "not enough memory");
	return -1;
}

int goalc_dot(int argc, char **argv)
{
	struct arguments args;
	int status = goalc_draw_read_arguments(argc, argv, ":", &args);

	return status ? status : draw(&args, draw_dot);
}

int goalc_svg(int argc, char **argv)
{
	struct arguments args;
	int status = goalc_draw_read_arguments(argc, argv, ":" GOALC_NET, &args);

	return status ? status : draw(&args, goal_draw_svg);
}
