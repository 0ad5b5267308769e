// SPDX-License-Identifier: BSD-3-Clause
/* loggp.c - lines through gaps by least squares, and LogGP out of them. */

#include "bsplib/model/loggp.h"

#include <math.h>

enum { LEAST_GAPS = 4 };	/* of a line */

/* Better than this one line is good enough; and two must be so many times better than one. */
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
	double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
	struct bspi_line line = { 0, 0, 0 };

	for (int i = 0; i < n; i++) {
		double x = gaps[i].bytes, y = gaps[i].ns;
		double weight = 1 / (gaps[i].scale * gaps[i].scale);

		w += weight;
		wx += weight * x;
		wy += weight * y;
		wxx += weight * x * x;
		wxy += weight * x * y;
	}
	if (w * wxx - wx * wx > 0)
		line.G = (w * wxy - wx * wy) / (w * wxx - wx * wx);
	line.g = (wy - line.G * wx) / w;
	line.off = line_distance(&line, gaps, n);
	return line;
}

/* Where to cut so that two lines fit best; 0: nowhere. */
static int best_cut(const struct bspi_gap *gaps, int n)
{
	struct bspi_line whole = bspi_line_fit(gaps, n);
	double best = whole.off / MUCH_BETTER;
	int cut = 0;

	for (int i = LEAST_GAPS; i + LEAST_GAPS <= n && whole.off > GOOD_FIT; i++) {
		struct bspi_line a = bspi_line_fit(gaps, i), b = bspi_line_fit(gaps + i, n - i);
		double off = sqrt((a.off * a.off * i + b.off * b.off * (n - i)) / n);

		if (off < best) {
			best = off;
			cut = i;
		}
	}
	return cut;
}

/* The same for gaps @from up to @to, behind @rows rows that there are and before @more. */
static int cut_rows(const struct bspi_gap *gaps, int from, int to, int *ends, int rows, int more)
{
	int cut = rows + more + 1 < BSPI_LINES_MOST ? best_cut(gaps + from, to - from) : 0;

	if (!cut) {
		ends[rows] = to;
		return rows + 1;
	}
	rows = cut_rows(gaps, from, from + cut, ends, rows, more + 1);
	return cut_rows(gaps, from + cut, to, ends, rows, more);
}

int bspi_line_cut(const struct bspi_gap *gaps, int n, int *ends)
{
	return cut_rows(gaps, 0, n, ends, 0, 0);
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
