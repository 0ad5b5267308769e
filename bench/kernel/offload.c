// SPDX-License-Identifier: BSD-3-Clause
/* offload.c - measure schedules in the kernel, in a guest that offload.sh boots. */

/*
 *	offload collectives PROCESSES ROUNDS LINK	barriers, total exchanges of h1, h2, ...
 *	offload answers ROUNDS				a frame to h2 by user, softirq, worker
 *
 * Prints one row a line: row TABLE WHAT WAY PROCESSES LINK MEDIAN QUARTILES CONFIDENCE VALUES,
 * which offload.sh makes tables of. Hosts are namespaces, as segment() in testlib makes them.
 */
#include "offload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int offload_number(const char *text, int least, int most)
{
	int n = atoi(text);

	if (n >= least && n <= most)
		return n;
	fprintf(stderr, "offload: %s is not in %d to %d\n", text, least, most);
	exit(2);
}

int main(int argc, char **argv)
{
	if (argc == 5 && strcmp(argv[1], "collectives") == 0) {
		offload_collectives(offload_number(argv[2], 2, OFFLOAD_PROCESSES),
				    offload_number(argv[3], 1, 1000), argv[4]);
		return 0;
	}
	if (argc == 3 && strcmp(argv[1], "answers") == 0) {
		offload_answers(offload_number(argv[2], 1, 100000));
		return 0;
	}
	fprintf(stderr, "usage: offload collectives PROCESSES ROUNDS LINK | answers ROUNDS\n");
	return 2;
}
