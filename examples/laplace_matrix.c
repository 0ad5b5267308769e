/* SPDX-License-Identifier: BSD-3-Clause */
/* laplace_matrix.c - writes the five-point Laplacian on a square grid as a Matrix Market file. */

/*
 * Makes input for spmv. It is an ordinary sequential program.
 *
 *	bspcc -O2 -o laplace_matrix laplace_matrix.c -lm
 *	./laplace_matrix K > laplace.mtx	K * K rows, K at most 46340
 *
 * Grid point (i, j) has number i K + j; 4 stands on the diagonal and -1 for each
 * of the up to four neighbours. The matrix is symmetric: its lower half is written.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static int write_laplacian(FILE *file, long k)
{
	long n = k * k, announced = n + 2 * k * (k - 1), written = 0;

	fprintf(file, "%%%%MatrixMarket matrix coordinate real symmetric\n");
	fprintf(file, "%% five-point Laplacian on a grid of %ld x %ld points\n", k, k);
	fprintf(file, "%ld %ld %ld\n", n, n, announced);
	for (long row = 0; row < n; row++) {
		fprintf(file, "%ld %ld 4\n", row + 1, row + 1);
		written++;
		if (row % k > 0)
			written += fprintf(file, "%ld %ld -1\n", row + 1, row) > 0;
		if (row >= k)
			written += fprintf(file, "%ld %ld -1\n", row + 1, row + 1 - k) > 0;
	}
	return fflush(file) == 0 && !ferror(file) && written == announced;
}

int main(int argc, char **argv)
{
	char *end = NULL;
	long k = argc == 2 && isdigit((unsigned char)argv[1][0]) ? strtol(argv[1], &end, 10) : 0;

	if (k < 1 || k > 46340 || *end) {
		fprintf(stderr, "usage: laplace_matrix K\nwrites the Laplacian on a grid of "
				"K x K points (K from 1 to 46340) to standard output\n");
		return 2;
	}
	if (!write_laplacian(stdout, k)) {
		perror("laplace_matrix: cannot write");
		return 1;
	}
	return 0;
}
