// SPDX-License-Identifier: BSD-3-Clause
/* offload.c - measure schedules in the kernel, in a guest that offload.sh boots. */

/*
 *	offload collectives PROCESSES ROUNDS LINK	barriers, total exchanges of h1, h2, ...
 *	offload answers ROUNDS				a frame to h2 by user, softirq, worker
 *	offload barriers PROCESSES ROUNDS LINK		barriers with multicast, over two networks
 *	offload nodes PROCESSES TIMES LINK VARIANT	the same, as each process sees them
 *	offload overheads LINK				of messages and multicasts
 *	offload near PROCESSES ROUNDS			barriers of processes of one host
 *	offload reductions ROUNDS			vectors folded in the kernel and outside
 *	offload esp|tcp SENDERS ROUNDS BYTES LINK	all send to h1, whose link is congested
 *
 * Prints one row a line: row TABLE WHAT WAY PROCESSES LINK MEDIAN QUARTILES CONFIDENCE VALUES, or
 * of nodes: row node VARIANT WAY PROCESSES LINK RANK LEAST MEAN MOST FRAMES,
 * which offload.sh and barriers.sh make tables of. Hosts are namespaces, as segment() in testlib
 * makes them.
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
	if (argc == 5 && strcmp(argv[1], "barriers") == 0) {
		offload_barriers(offload_number(argv[2], 2, OFFLOAD_HOSTS),
				 offload_number(argv[3], 1, 1000), argv[4]);
		return 0;
	}
	if (argc == 6 && strcmp(argv[1], "nodes") == 0) {
		offload_nodes(offload_number(argv[2], 2, OFFLOAD_HOSTS),
			      offload_number(argv[3], 1, 100000), argv[4], argv[5]);
		return 0;
	}
	if (argc == 6 && (strcmp(argv[1], "esp") == 0 || strcmp(argv[1], "tcp") == 0)) {
		offload_incast(argv[1][0] == 'e', offload_number(argv[2], 1, OFFLOAD_HOSTS - 1),
			       offload_number(argv[3], 1, 1000),
			       offload_number(argv[4], 1, 1 << 30), argv[5]);
		return 0;
	}
	if (argc == 3 && strcmp(argv[1], "overheads") == 0) {
		offload_overheads(argv[2]);
		return 0;
	}
	if (argc == 4 && strcmp(argv[1], "near") == 0) {
		offload_near(offload_number(argv[2], 2, OFFLOAD_HOSTS),
			     offload_number(argv[3], 1, 1000));
		return 0;
	}
	if (argc == 3 && strcmp(argv[1], "reductions") == 0) {
		offload_reductions(offload_number(argv[2], 1, 1000));
		return 0;
	}
	if (argc == 3 && strcmp(argv[1], "answers") == 0) {
		offload_answers(offload_number(argv[2], 1, 100000));
		return 0;
	}
	fprintf(stderr, "usage: offload collectives PROCESSES ROUNDS LINK | answers ROUNDS |\n"
			"       barriers PROCESSES ROUNDS LINK | overheads LINK |\n"
			"       nodes PROCESSES TIMES LINK VARIANT|all |\n"
			"       near PROCESSES ROUNDS | reductions ROUNDS |\n"
			"       esp|tcp SENDERS ROUNDS BYTES LINK\n");
	return 2;
}
