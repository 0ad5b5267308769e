/* SPDX-License-Identifier: BSD-3-Clause */
/* lu_exchange.c - faces of the LU example: packed, put to the neighbours, read and unpacked. */

/*
 * A face has for each of its points 15 numbers: the carry of the sweep (lu_sweep.c) and U on the
 * two layers next to the neighbour, the nearer first, which the neighbour's L(U)
 * needs in the next lower sweep. So one put for each neighbour and superstep is all
 * that travels. The faces of a sweep come from two sides into one area:
 *
 *	along i, at 0	   for each plane, for each j: 5 + 5 + 5 numbers
 *	along j, at face   for each plane: 5 + 5 + 5 rows of own length
 *
 * In the lower sweep faces come from (r-1,c) and (r,c-1) and go to (r+1,c) and (r,c+1),
 * in the upper sweep the other way.
 */
#include "lu.h"
#include <bsp.h>
#include <string.h>

static int has_source(enum lu_direction way, int place, int places)
{
	return way == LOWER ? place > 0 : place < places - 1;
}

static int has_target(enum lu_direction way, int place, int places)
{
	return has_source(way == LOWER ? UPPER : LOWER, place, places);
}

/* Where layer @l of U lies that is received (outside) or sent (inside), of @count own points. */
static int outside(enum lu_direction way, int l, int count)
{
	return way == LOWER ? -1 - l : count + l;
}

static int inside(enum lu_direction way, int l, int count)
{
	return way == LOWER ? count - 1 - l : l;
}

/* ---- Along i: points ------------------------------------------------------- */

static void unpack_i(struct lu *lu, enum lu_direction way, int first, int nplanes)
{
	const double *face = lu->in[way];

	for (int p = 0; p < nplanes; p++)
		for (int j = 0; j < lu->mj; j++, face += LU_FACE)
			for (int l = 0; l < 2; l++) {
				double *u = lu_row(lu, lu->u, j, first + p) +
					    outside(way, l, lu->mi);

				for (int m = 0; m < 5; m++)
					u[m * lu->stride] = face[5 + 5 * l + m];
				u[INV * lu->stride] = 1 / u[0];
			}
}

static void pack_i(struct lu *lu, enum lu_direction way, int first, int nplanes)
{
	double *face = lu->out;

	for (int p = 0; p < nplanes; p++)
		for (int j = 0; j < lu->mj; j++, face += LU_FACE)
			for (int l = 0; l < 2; l++) {
				const double *u = lu_row(lu, lu->u, j, first + p) +
						  inside(way, l, lu->mi);

				for (int m = 0; m < 5; m++)
					face[5 + 5 * l + m] = u[m * lu->stride];
			}
}

/* ---- Along j: rows ----------------------------------------------------------- */

static void unpack_j(struct lu *lu, enum lu_direction way, int first, int nplanes)
{
	const double *face = lu->in[way] + lu->face;
	size_t bytes = (size_t)lu->mi * sizeof *face;

	for (int p = 0; p < nplanes; p++) {
		face += 5 * lu->mi;
		for (int l = 0; l < 2; l++) {
			double *u = lu_row(lu, lu->u, outside(way, l, lu->mj), first + p);

			for (int m = 0; m < 5; m++, face += lu->mi)
				memcpy(u + m * lu->stride, face, bytes);
			for (int i = 0; i < lu->mi; i++)
				u[INV * lu->stride + i] = 1 / u[i];
		}
	}
}

static void pack_j(struct lu *lu, enum lu_direction way, int first, int nplanes)
{
	double *face = lu->out + lu->face;
	size_t bytes = (size_t)lu->mi * sizeof *face;

	for (int p = 0; p < nplanes; p++) {
		face += 5 * lu->mi;
		for (int l = 0; l < 2; l++) {
			const double *u = lu_row(lu, lu->u, inside(way, l, lu->mj), first + p);

			for (int m = 0; m < 5; m++, face += lu->mi)
				memcpy(face, u + m * lu->stride, bytes);
		}
	}
}

/* ---- Both -------------------------------------------------------------------- */

static void put(struct lu *lu, enum lu_direction way, int target, int start, int numbers)
{
	bsp_put((bsp_pid_t)target, lu->out + start, lu->in[way],
		(bsp_size_t)((size_t)start * sizeof(double)),
		(bsp_size_t)((size_t)numbers * sizeof(double)));
}

/* Waits for the faces of planes @first and on, which were put in the superstep before. */
void lu_receive(struct lu *lu, enum lu_direction way, int first, int nplanes)
{
	int along_i = has_source(way, lu->r, lu->px), along_j = has_source(way, lu->c, lu->py);

	if (along_i + along_j > 0)
		bsp_read(lu->in[way], along_i + along_j);
	if (along_i)
		unpack_i(lu, way, first, nplanes);
	if (along_j)
		unpack_j(lu, way, first, nplanes);
}

/* Puts the faces of these planes, in which lu_sweep() has left the carries. */
void lu_send(struct lu *lu, enum lu_direction way, int first, int nplanes)
{
	int pid = (int)bsp_pid(), step = way == LOWER ? 1 : -1;

	if (has_target(way, lu->r, lu->px)) {
		pack_i(lu, way, first, nplanes);
		put(lu, way, pid + step, 0, LU_FACE * nplanes * lu->mj);
	}
	if (has_target(way, lu->c, lu->py)) {
		pack_j(lu, way, first, nplanes);
		put(lu, way, pid + step * lu->px, lu->face, LU_FACE * nplanes * lu->mi);
	}
}
