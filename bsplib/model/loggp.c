// SPDX-License-Identifier: BSD-3-Clause
/* loggp.c - lines through gaps by least squares, and LogGP out of them. */

#include "bsplib/model/loggp.h"

#include <math.h>

enum { LEAST_GAPS = 4 };	/* of a line */

/* Lines that fit better than this are enough; and more of them must fit so many times better. */
static const double GOOD_FIT = 0.05, MUCH_BETTER = 2;

/* A g that is not so many times the overhead is the overhead. */
static const double IS_OVERHEAD = 1.05;

static double line_distance(const struct bspi_line *line, const struct bspi_gap *gaps, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += pow((line->g + line->G * gaps[i].bytes - gaps[i].ns) / gaps[i].scale, 2);
	return sqrt(sum / n);
}

struct bspi_line bspi_line_fit(const struct bspi_gap *gaps, int n)
{
	double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0, from = gaps[0].bytes;
	struct bspi_line line = { 0, 0, 0 };

	/* Counted from the first one, gaps of one size give 0 below, and not what was rounded. */
	for (int i = 0; i < n; i++) {
		double x = gaps[i].bytes - from, y = gaps[i].ns;
		double weight = 1 / (gaps[i].scale * gaps[i].scale);

		w += weight;
		wx += weight * x;
		wy += weight * y;
		wxx += weight * x * x;
		wxy += weight * x * y;
	}
	if (w * wxx - wx * wx > 0)
		line.G = (w * wxy - wx * wy) / (w * wxx - wx * wx);
	line.g = (wy - line.G * wx) / w - line.G * from;
	line.off = line_distance(&line, gaps, n);
	return line;
}

/*
 * The best rows of the first gaps, by how many rows and gaps they are: the sum of the squares of
 * their relative distances, and where the last of them begins.
 */
struct best_rows {
	double squares[BSPI_LINES_MOST + 1][BSPI_GAPS_MOST + 1];
	int last[BSPI_LINES_MOST + 1][BSPI_GAPS_MOST + 1];
};

/* Bellman (1961): the best rows of some gaps are the best of fewer gaps and a last one. */
static void find_rows(struct best_rows *best, const struct bspi_gap *gaps, int n)
{
	for (int rows = 0; rows <= BSPI_LINES_MOST; rows++)
		for (int end = 0; end <= n; end++)
			best->squares[rows][end] = INFINITY;
	best->squares[0][0] = 0;
	for (int from = 0; from < n; from++) {
		/* the only row there is may be shorter */
		for (int end = from + (n < LEAST_GAPS ? n : LEAST_GAPS); end <= n; end++) {
			double off = bspi_line_fit(gaps + from, end - from).off;

			for (int rows = 1; rows <= BSPI_LINES_MOST; rows++) {
				double sum = best->squares[rows - 1][from] +
					     off * off * (end - from);

				if (sum >= best->squares[rows][end])
					continue;
				best->squares[rows][end] = sum;
				best->last[rows][end] = from;
			}
		}
	}
}

int bspi_line_cut(const struct bspi_gap *gaps, int n, int *ends)
{
	struct best_rows best;
	int rows = 1;

	find_rows(&best, gaps, n);
	/* two jumps may hide each other: three rows fit much better where two do not */
	for (int more = 2; more <= BSPI_LINES_MOST; more++) {
		double off = sqrt(best.squares[rows][n] / n);

		if (off > GOOD_FIT && sqrt(best.squares[more][n] / n) < off / MUCH_BETTER)
			rows = more;
	}
	for (int row = rows, end = n; row > 0; end = best.last[row--][end])
		ends[row - 1] = end;
	return rows;
}

double bspi_loggp_latency(const struct bspi_byte *byte, double body, double G)
{
	return byte->one_way - byte->os - byte->or_ - body * fmax(G, 0);
}

void bspi_loggp_of(struct bspi_loggp *net, const struct bspi_line *lines, int n,
		   const struct bspi_byte *byte, double L)
{
	double o = (byte->os + byte->or_) / 2;
	int interface = n > 1 && lines[0].g <= IS_OVERHEAD * o;

	net->L = fmax(L, 0);
	net->o = L <= 0 && byte->one_way > 0 ? fmin(o, byte->one_way / 2) : o;
	net->g = fmax(lines[interface].g, 0);
	net->G = fmax(lines[n - 1].G, 0);
}
