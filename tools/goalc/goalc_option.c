// SPDX-License-Identifier: BSD-3-Clause
/* goalc_option.c - messages of goalc; options, numbers and networks on its command line. */

#include "goalc.h"

#include <ctype.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- Messages ---------------------------------------------------------------- */

static void goalc_option_say(const char *format, va_list args)
{
	fflush(stdout);
	fputs("goalc: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

int goalc_fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	goalc_option_say(format, args);
	va_end(args);
	return GOALC_WRONG;
}

int goalc_misuse(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	goalc_option_say(format, args);
	va_end(args);
	return GOALC_MISUSED;
}

/* ---- Options ----------------------------------------------------------------- */

static int refuse_word(enum option_found found, const char *command, const char *word)
{
	if (found == OPTION_NO_ARGUMENT)
		return goalc_misuse("%s: %s: expected a value", command, word);
	return goalc_misuse("%s: %s: no such option; goalc --help lists them", command, word);
}

int goalc_options(int *argc, char **argv, const struct option_row *rows, goalc_take *take,
		  void *args)
{
	const struct option_table table = { "goalc", NULL, rows, OPTION_LETTERS, NULL };
	int noperands = 0, status = GOALC_GOOD;
	enum option_found found;
	struct option_scan s;

	if (*argc > 1 && strcmp(argv[1], "--list-options") == 0) {
		option_print_list(&table);
		exit(fflush(stdout) ? GOALC_WRONG : GOALC_GOOD);
	}
	option_scan(&s, &table, *argc, argv, 1);
	while (!status && (found = option_next(&s)) != OPTION_END) {
		if (found == OPTION_ROW)
			status = take(args, s.row->letter, s.argument);
		else if (found == OPTION_OPERAND)
			argv[++noperands] = s.argv[s.at - 1];
		else
			status = refuse_word(found, argv[0], s.word);
	}
	*argc = noperands + 1;
	return status;
}

int goalc_one_file(int argc, char **argv, const char **file)
{
	*file = argc > 1 ? argv[1] : "-";
	if (argc <= 2)
		return GOALC_GOOD;
	return goalc_misuse("%s: %s: expected one file", argv[0], argv[2]);
}

/* ---- Values ------------------------------------------------------------------ */

/* The defaults of LogGOPSim. */
const struct goal_net goalc_net_default = {
	.L = 2500, .o = 1500, .g = 1000, .G = 6, .O = 0, .S = 65535,
};

/* Times of this size do not overflow, whatever is added up of them in a run that ends. */
static const uint64_t NET_MOST = 1000000000000;

bool goalc_number(const char *text, uint64_t most, uint64_t *value)
{
	uint64_t sum = 0;

	if (!*text)
		return false;
	for (; *text; text++) {
		if (!isdigit((unsigned char)*text) || sum > (UINT64_MAX - (*text - '0')) / 10)
			return false;
		sum = sum * 10 + (*text - '0');
	}
	*value = sum;
	return sum <= most;
}

int goalc_whole(const char *option, const char *value, uint64_t least, uint64_t most,
		uint64_t *number)
{
	if (goalc_number(value, most, number) && *number >= least)
		return GOALC_GOOD;
	return goalc_misuse("--%s %s: expected a whole number from %llu to %llu", option, value,
			    (unsigned long long)least, (unsigned long long)most);
}

int goalc_small(const char *option, const char *value, uint64_t least, uint64_t most, int *number)
{
	uint64_t n = 0;
	int status = goalc_whole(option, value, least, most, &n);

	if (status == GOALC_GOOD)
		*number = (int)n;
	return status;
}

static uint64_t *parameter(struct goal_net *net, int letter)
{
	switch (letter) {
	case 'L':
		return &net->L;
	case 'o':
		return &net->o;
	case 'r':
		return &net->r;
	case 'g':
		return &net->g;
	case 'G':
		return &net->G;
	case 'O':
		return &net->O;
	default:
		return &net->S;
	}
}

/* A network of its own, for messages inside a node: "L=180,o=30". */
static int net_inside(struct goal_net *net, const char *value)
{
	static struct goal_net inside;
	char text[200], *at = text, *item;
	bool good = strlen(value) < sizeof(text);
	int status = GOALC_GOOD;

	inside = goalc_net_default;
	net->inside = &inside;
	snprintf(text, sizeof(text), "%s", value);
	while (good && !status && (item = strsep(&at, ","))) {
		good = *item && strchr("LorgGOS", *item) && item[1] == '=';
		if (good)
			status = goalc_net_option(&inside, *item, item + 2);
	}
	return good ? status : goalc_misuse("--inside %s: expected parameters of the network, "
					    "like L=180,o=30,g=50,G=0", value);
}

/* Cores of one machine or, @of_node, of each node; goalc_net_ready() knows its processes. */
static int net_cores(struct goal_net *net, const char *option, bool of_node, const char *value)
{
	if (net->cores && of_node != (net->machine > 0))
		return goalc_misuse("--%s %s: expected either --cores or --node-cores", option,
				    value);
	net->machine = of_node;
	return goalc_small(option, value, 1, GOAL_PROCESSES_MOST, &net->cores);
}

int goalc_net_option(struct goal_net *net, int letter, const char *value)
{
	if (letter == 'i')
		return net_inside(net, value);
	if (letter == 'c' || letter == 'C')
		return net_cores(net, letter == 'c' ? "cores" : "node-cores", letter == 'C', value);
	if (letter == 't')
		return goalc_whole("turn", value, 0, NET_MOST, &net->turn);
	net->has_r = net->has_r || letter == 'r';
	if (goalc_number(value, NET_MOST, parameter(net, letter)))
		return GOALC_GOOD;
	return goalc_misuse("-%c %s: expected a whole number of at most %llu", letter, value,
			    (unsigned long long)NET_MOST);
}

int goalc_net_ready(struct goal_net *net, const char *command)
{
	if (net->node <= 0 && (net->inside || net->machine))
		return goalc_misuse("%s: %s: expected --node and the processes of a node", command,
				    net->inside ? "--inside" : "--node-cores");
	if (net->turn && !net->cores)
		return goalc_misuse("%s: --turn: expected --cores or --node-cores", command);
	if (net->machine)
		net->machine = net->node;
	return GOALC_GOOD;
}
