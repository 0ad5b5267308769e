/* SPDX-License-Identifier: BSD-3-Clause */
/* mtx.h - reads sparse matrices in the Matrix Market format. */
#ifndef MTX_H
#define MTX_H

#include <stddef.h>
#include <stdio.h>

struct mtx_entry {
	int row, col;			/* from 0 */
	double value;
};

struct mtx {
	int nrows, ncols;
	size_t nentries;
	struct mtx_entry *entries;	/* in any order; equal places add up */
};

struct mtx_error {
	long line;			/* of the file, from 1 */
	char reason[120];
};

/**
 * mtx_read - read a matrix
 * @file: open for reading
 * @matrix: out: the matrix, with both halves of a symmetric one; mtx_free() it
 * @error: out: what is wrong with the file, and where
 *
 * Reads "matrix coordinate" with real, integer or pattern values (a pattern has
 * the value 1), general, symmetric or skew-symmetric. Comments and empty lines
 * are skipped, lines may end in CR LF, and nothing else may follow the entries.
 *
 * Returns 0, or -1 with only @error set.
 */
int mtx_read(FILE *file, struct mtx *matrix, struct mtx_error *error);

void mtx_free(struct mtx *matrix);

#endif
