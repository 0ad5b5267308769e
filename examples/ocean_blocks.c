/* SPDX-License-Identifier: BSD-3-Clause */
/* ocean_blocks.c - cuts the basin of ocean into blocks, and does all of its communication. */

/*
 * Blocks are cut along points of the seam, on every level above it: a coarse point and the
 * two by two fine points that it stands for are always on the same process, and a ring of one
 * is enough for everything.
 *
 * Rows and columns arrive in registered areas of their own, with a slot for each sender, and are
 * copied from there after bsp_read(). One such area is enough for any number of supersteps: a put
 * of superstep s is written when the reader has ended its superstep s, and by then it has copied
 * what superstep s - 1 brought.
 */
#include "ocean.h"

#include <bsp.h>
#include <stdlib.h>

/* Places from ... to in both directions, both included. */
struct rectangle {
	int i, i_end, j, j_end;
};

double *ocean_allocate(size_t n)
{
	double *mem = calloc(n + 1, sizeof *mem);

	if (!mem)
		bsp_abort("ocean: no memory for %zu numbers", n);
	return mem;
}

/* ---- Who has what ------------------------------------------------------------ */

/* Part @part of @nparts begins after this many of the points of level @l. */
static int start_of(const struct ocean_blocks *b, int part, int nparts, int l)
{
	return (int)(((long)part << b->seam) / nparts) << (l - b->seam);
}

static int longest_part(const struct ocean_blocks *b, int nparts, int l)
{
	int longest = 0;

	for (int part = 0; part < nparts; part++) {
		int length = start_of(b, part + 1, nparts, l) - start_of(b, part, nparts, l);

		longest = length > longest ? length : longest;
	}
	return longest;
}

/* As square as can be, with rows longer than columns. */
static void choose_grid(struct ocean_blocks *b)
{
	b->cols = 1;
	for (int cols = 2; cols * cols <= b->nprocs; cols++)
		if (b->nprocs % cols == 0)
			b->cols = cols;
	b->rows = b->nprocs / b->cols;
}

/*
 * The coarsest level with a point for every row of processes; if these are not a power of two,
 * up to two levels finer, so that blocks differ less in size.
 */
static void choose_seam(struct ocean_blocks *b)
{
	int even = !(b->rows & (b->rows - 1)) && !(b->cols & (b->cols - 1));

	b->seam = 1;
	while (1 << b->seam < b->rows)
		b->seam++;
	if (b->seam >= b->finest)
		bsp_abort("ocean: %d processes stand in a grid of %d x %d, and %d x %d inner "
			  "points do not give each two rows; -n %d or more would do", b->nprocs,
			  b->rows, b->cols, 1 << b->finest, 1 << b->finest, (2 << b->seam) + 2);
	for (int more = 0; !even && more < 2 && b->seam < b->finest - 1; more++)
		b->seam++;
}

static void find_neighbours(struct ocean_blocks *b)
{
	for (int d = 0; d < OCEAN_DIRECTIONS; d++) {
		int row = b->row + d / 3 - 1, col = b->col + d % 3 - 1;

		b->neighbour[d] = -1;
		if (row < 0 || row >= b->rows || col < 0 || col >= b->cols ||
		    (row == b->row && col == b->col))
			continue;
		b->neighbour[d] = row * b->cols + col;
		b->count[RING]++;
		b->count[SIDES] += d % 2;
	}
}

void ocean_blocks_divide(struct ocean_blocks *b, int finest, int nprocs, int me)
{
	int rows, cols;

	*b = (struct ocean_blocks){ .nprocs = nprocs, .me = me, .finest = finest };
	choose_grid(b);
	choose_seam(b);
	b->row = me / b->cols;
	b->col = me % b->cols;
	find_neighbours(b);
	rows = longest_part(b, b->rows, finest);
	cols = longest_part(b, b->cols, finest);
	b->edge = OCEAN_FIELDS * (rows > cols ? rows : cols);
	b->strip = 1 + longest_part(b, b->rows, b->seam) * (1 << b->seam);
}

void ocean_blocks_place(const struct ocean_blocks *b, int l, struct ocean_level *level)
{
	level->whole = l <= b->seam;
	level->rows = level->cols = level->points;
	if (level->whole)
		return;
	level->row0 = start_of(b, b->row, b->rows, l);
	level->col0 = start_of(b, b->col, b->cols, l);
	level->rows = start_of(b, b->row + 1, b->rows, l) - level->row0;
	level->cols = start_of(b, b->col + 1, b->cols, l) - level->col0;
}

/* Memory for what arrives, known to the others after the next bsp_sync(). */
static double *open_area(int slots, int slot)
{
	double *area = ocean_allocate((size_t)slots * (size_t)slot);

	bsp_push_reg(area, (bsp_size_t)((size_t)slots * (size_t)slot * sizeof *area));
	return area;
}

void ocean_blocks_open(struct ocean_blocks *b)
{
	b->edges = open_area(OCEAN_DIRECTIONS, b->edge);
	b->strips[0] = open_area(b->rows, b->strip);
	b->strips[1] = open_area(b->cols, b->strip);
	b->buffer = ocean_allocate((size_t)(b->edge > b->strip ? b->edge : b->strip));
}

void ocean_blocks_close(struct ocean_blocks *b)
{
	bsp_pop_reg(b->edges);
	bsp_pop_reg(b->strips[0]);
	bsp_pop_reg(b->strips[1]);
	bsp_sync();
	free(b->edges);
	free(b->strips[0]);
	free(b->strips[1]);
	free(b->buffer);
}

/* ---- Packing ------------------------------------------------------------------ */

/* Returns where the packed numbers end. */
static double *pack(double *to, const struct ocean_level *level, const double *field,
		    struct rectangle r, int colour)
{
	int step = colour == BOTH ? 1 : 2;

	for (int i = r.i; i <= r.i_end; i++)
		for (int j = colour == BOTH ? r.j : ocean_first(level, i, r.j, colour);
		     j <= r.j_end; j += step)
			*to++ = field[ocean_at(level, i, j)];
	return to;
}

static const double *unpack(const double *from, const struct ocean_level *level, double *field,
			    struct rectangle r, int colour)
{
	int step = colour == BOTH ? 1 : 2;

	for (int i = r.i; i <= r.i_end; i++)
		for (int j = colour == BOTH ? r.j : ocean_first(level, i, r.j, colour);
		     j <= r.j_end; j += step)
			field[ocean_at(level, i, j)] = *from++;
	return from;
}

static void put(struct ocean_blocks *b, int pid, double *area, int place, const double *end)
{
	bsp_put((bsp_pid_t)pid, b->buffer, area, (bsp_size_t)((size_t)place * sizeof *area),
		(bsp_size_t)((size_t)(end - b->buffer) * sizeof *area));
}

static void end_superstep(struct ocean_blocks *b)
{
	bsp_sync();
	b->supersteps++;
}

/* ---- With the neighbours -------------------------------------------------------- */

/* Own points (@out is 0) or points of the ring (1) towards direction @d. */
static struct rectangle edge_of(const struct ocean_level *level, int d, int out)
{
	int di = d / 3 - 1, dj = d % 3 - 1;
	struct rectangle r = { 1, level->rows, 1, level->cols };

	if (di)
		r.i = r.i_end = di < 0 ? 1 - out : level->rows + out;
	if (dj)
		r.j = r.j_end = dj < 0 ? 1 - out : level->cols + out;
	return r;
}

/* Blocks above the seam are at least two points wide: no edge is without points of a colour. */
static void put_edges(struct ocean_blocks *b, const struct ocean_level *level,
		      double *const fields[], int nfields, int colour, int part)
{
	for (int d = part == SIDES; d < OCEAN_DIRECTIONS; d += part == SIDES ? 2 : 1) {
		double *end = b->buffer;

		if (b->neighbour[d] < 0)
			continue;
		for (int f = 0; f < nfields; f++)
			end = pack(end, level, fields[f], edge_of(level, d, 0), colour);
		put(b, b->neighbour[d], b->edges, (OCEAN_DIRECTIONS - 1 - d) * b->edge, end);
	}
}

static void take_edges(const struct ocean_blocks *b, const struct ocean_level *level,
		       double *const fields[], int nfields, int colour, int part)
{
	for (int d = part == SIDES; d < OCEAN_DIRECTIONS; d += part == SIDES ? 2 : 1) {
		const double *from = &b->edges[d * b->edge];

		if (b->neighbour[d] < 0)
			continue;
		for (int f = 0; f < nfields; f++)
			from = unpack(from, level, fields[f], edge_of(level, d, 1), colour);
	}
}

void ocean_exchange(struct ocean_blocks *b, const struct ocean_level *level,
		    double *const fields[], int nfields, int colour, int part)
{
	if (b->nprocs == 1 || level->whole)
		return;
	put_edges(b, level, fields, nfields, colour, part);
	end_superstep(b);
	bsp_read(b->edges, b->count[part]);
	take_edges(b, level, fields, nfields, colour, part);
}

/* ---- With the processes of my row, or of my column ------------------------------- */

/* The points of part @part before the exchange: own rows in a row, all columns in a column. */
static struct rectangle strip_of(const struct ocean_blocks *b, int part, int along_row)
{
	int row = along_row ? b->row : part, l = b->seam;
	struct rectangle r = { start_of(b, row, b->rows, l) + 1, start_of(b, row + 1, b->rows, l),
			       1, 1 << l };

	if (along_row) {
		r.j = start_of(b, part, b->cols, l) + 1;
		r.j_end = start_of(b, part + 1, b->cols, l);
	}
	return r;
}

/* One superstep: the strip and number of each process to all others. */
static double share_strips(struct ocean_blocks *b, const struct ocean_level *seam, double *field,
			   double number, int along_row)
{
	int nparts = along_row ? b->cols : b->rows, mine = along_row ? b->col : b->row;
	double *area = b->strips[along_row], *end;

	if (nparts == 1)
		return number;
	b->buffer[0] = number;
	end = pack(b->buffer + 1, seam, field, strip_of(b, mine, along_row), BOTH);
	for (int part = 0; part < nparts; part++)
		if (part != mine)
			put(b, along_row ? b->row * b->cols + part : part * b->cols + b->col, area,
			    mine * b->strip, end);
	end_superstep(b);
	bsp_read(area, nparts - 1);
	for (int part = 0; part < nparts; part++) {
		const double *from = &area[part * b->strip];

		if (part == mine)
			continue;
		number = *from > number ? *from : number;
		unpack(from + 1, seam, field, strip_of(b, part, along_row), BOTH);
	}
	return number;
}

double ocean_gather(struct ocean_blocks *b, const struct ocean_level *seam, double *field,
		    double number)
{
	number = share_strips(b, seam, field, number, 1);
	return share_strips(b, seam, field, number, 0);
}

/* ---- To process 0 ------------------------------------------------------------------ */

/* Own points, and the boundary of the basin if it is next to them. */
static struct rectangle block_of(const struct ocean_level *level)
{
	return (struct rectangle){
		.i = level->row0 > 0,
		.i_end = level->rows + (level->row0 + level->rows == level->points),
		.j = level->col0 > 0,
		.j_end = level->cols + (level->col0 + level->cols == level->points),
	};
}

void ocean_collect(struct ocean_blocks *b, const struct ocean_level *level, const double *field,
		   double *whole)
{
	struct rectangle r = block_of(level);
	size_t n = (size_t)level->points + 2, nbytes = (size_t)(r.j_end - r.j + 1) * sizeof *field;

	bsp_push_reg(whole, (bsp_size_t)(b->me ? 0 : n * n * sizeof *whole));
	bsp_sync();
	for (int i = r.i; i <= r.i_end; i++) {
		size_t at = (size_t)(level->row0 + i) * n + (size_t)(level->col0 + r.j);

		bsp_put(0, &field[ocean_at(level, i, r.j)], whole,
			(bsp_size_t)(at * sizeof *whole), (bsp_size_t)nbytes);
	}
	bsp_pop_reg(whole);
	bsp_sync();
}
