/* SPDX-License-Identifier: BSD-3-Clause */
/* random-numbers.c - prints COUNT random numbers below 2^32 for a SEED, one a line, for scripts. */

#include "random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t number(const char *text)
{
	char *end;
	uint64_t n = strtoull(text, &end, 10);

	if (end == text || *end) {
		fprintf(stderr, "random-numbers: %s is no number\n", text);
		exit(2);
	}
	return n;
}

int main(int argc, char **argv)
{
	uint64_t state, count;

	if (argc != 3) {
		fprintf(stderr, "usage: random-numbers SEED COUNT\n");
		return 2;
	}
	state = number(argv[1]);
	for (count = number(argv[2]); count > 0; count--)
		printf("%" PRIu64 "\n", random_next(&state) >> 32);
	return 0;
}
