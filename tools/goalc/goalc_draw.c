// SPDX-License-Identifier: BSD-3-Clause
/* goalc_draw.c - goalc dot and svg: a schedule as a graph, and as time goes by. */

#include "goalc.h"

/* -o is a parameter of the network, so where to write is said in full. */
#define OUTPUT_OPTIONS \
	{ "--output", .argument = true, .letter = 'f' }, \
	{ "--multicast", .letter = 'm' }

static const struct option_row dot_rows[] = { OUTPUT_OPTIONS, { .name = NULL } };
static const struct option_row svg_rows[] = {
	OUTPUT_OPTIONS, GOALC_NET_OPTIONS, { "--node", .argument = true, .letter = 'n' },
	{ .name = NULL },
};

struct arguments {
	const char *in, *out;
	struct goal_net net;
};

static int goalc_draw_take(void *into, int letter, const char *argument)
{
	struct arguments *args = into;

	if (letter == 'n')
		return goalc_small("node", argument, 1, GOAL_PROCESSES_MOST, &args->net.node);
	if (letter == 'f')
		args->out = argument;
	else if (letter == 'm')
		args->net.multicast = true;
	else
		return goalc_net_option(&args->net, letter, argument);
	return GOALC_GOOD;
}

static int goalc_draw_read_arguments(int argc, char **argv, const struct option_row *rows,
				     struct arguments *args)
{
	int status;

	*args = (struct arguments){ .net = goalc_net_default };
	status = goalc_options(&argc, argv, rows, goalc_draw_take, args);
	if (!status)
		status = goalc_net_ready(&args->net, argv[0]);
	return status ? status : goalc_one_file(argc, argv, &args->in);
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
	int status = goalc_draw_read_arguments(argc, argv, dot_rows, &args);

	return status ? status : draw(&args, draw_dot);
}

int goalc_svg(int argc, char **argv)
{
	struct arguments args;
	int status = goalc_draw_read_arguments(argc, argv, svg_rows, &args);

	return status ? status : draw(&args, goal_draw_svg);
}
