/* SPDX-License-Identifier: BSD-3-Clause */
/* allgather.c - every process gets all nonzeros of a sparse vector. */

/*
 * Shows messages. No process knows beforehand how many nonzeros there are, so there
 * is no array to put them into: each is sent as a message, whose tag says where
 * in the vector it belongs. The order in which messages arrive means nothing.
 *
 *	bspcc -O2 -o allgather allgather.c -lm
 *	bsprun -n 4 ./allgather
 */
#include <bsp.h>
#include <stdio.h>

enum { EACH = 1000 };		/* components of the vector on each process */

static double component(int i)
{
	return i % 7 == 3 ? 1.0 + 0.5 * i : 0.0;
}

static void send_nonzeros(int first)
{
	for (int i = first; i < first + EACH; i++) {
		double x = component(i);

		for (bsp_pid_t q = 0; x != 0.0 && q < bsp_nprocs(); q++)
			bsp_send(q, &i, &x, sizeof x);
	}
}

int main(void)
{
	bsp_size_t tag_size = sizeof(int), length;
	bsp_nprocs_t count;
	double sum = 0, expected = 0, x;
	int i, n;

	bsp_begin(bsp_nprocs());

	bsp_set_tagsize(&tag_size);
	bsp_sync();		/* tags have the new size from here on */
	send_nonzeros(EACH * (int)bsp_pid());
	bsp_sync();

	bsp_qsize(&count, NULL);
	for (bsp_nprocs_t k = 0; k < count; k++) {
		bsp_get_tag(&length, &i);
		bsp_move(&x, sizeof x);
		if (length != sizeof x || x != component(i))
			bsp_abort("component %d is not %g", i, x);
		sum += x * (i + 1.0);
	}

	n = EACH * (int)bsp_nprocs();
	for (i = 0; i < n; i++)
		expected += component(i) * (i + 1.0);
	if (sum != expected)
		bsp_abort("not every nonzero came once: %g, not %g", sum, expected);
	if (bsp_pid() == 0)
		printf("every process has the %d nonzeros of %d components\n", (int)count, n);

	bsp_end();
	return 0;
}
