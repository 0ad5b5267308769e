// SPDX-License-Identifier: BSD-3-Clause
/* goalc_option.c - what goalc says, and numbers and networks on its command line. */

#include "goalc.h"

#include <ctype.h>
#include <getopt.h>
#include <stdarg.h>
#include <stddef.h>

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

/* Those of LogGOPSim. */
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

static uint64_t *parameter(struct goal_net *net, int letter)
{
	switch (letter) {
	case 'L':
		return &net->L;
	case 'o':
		return &net->o;
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

int goalc_net_option(struct goal_net *net, int letter, const char *value)
{
	if (goalc_number(value, NET_MOST, parameter(net, letter)))
		return GOALC_GOOD;
	return goalc_misuse("-%c %s: expected a whole number of at most %llu", letter, value,
			    (unsigned long long)NET_MOST);
}

int goalc_bad_option(int complaint, char **argv)
{
	const char *option = argv[optind - 1];

	if (optopt && complaint == ':')
		return goalc_misuse("%s: -%c: expected a value", argv[0], optopt);
	if (complaint == ':')
		return goalc_misuse("%s: %s: expected a value", argv[0], option);
	if (optopt)
		return goalc_misuse("%s: -%c: no such option; goalc --help lists them", argv[0],
				    optopt);
	return goalc_misuse("%s: %s: no such option; goalc --help lists them", argv[0], option);
}
