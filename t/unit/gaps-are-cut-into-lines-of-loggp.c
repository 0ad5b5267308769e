/* SPDX-License-Identifier: BSD-3-Clause */
/* Gaps between messages give the lines, and these the LogGP, of the network they are of. */
#include "bsplib/model/loggp.h"
#include "../lib/random.h"
#include "../lib/tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64, GUARD = 4711 };

static struct bspi_gap gaps[MOST];
static int ngaps;
static double factor = 2, scale;	/* 0: of each its own */

/* @n more gaps on g + G w, each of so many times the bytes of the one before. */
static void add(int n, double g, double G)
{
	for (int i = 0; i < n; i++, ngaps++) {
		double bytes = ngaps ? factor * gaps[ngaps - 1].bytes : 1, ns = g + G * bytes;

		gaps[ngaps] = (struct bspi_gap){ bytes, ns, scale > 0 ? scale : ns };
	}
}

static bool equals(double a, double b)
{
	return fabs(a - b) <= 1e-6 * fabs(b) + 1e-9;
}

/* ---- One line ----------------------------------------------------------------------------- */

static void fits(void)
{
	struct bspi_gap three[] = { { 0, 10, 1 }, { 1, 13, 1 }, { 2, 10, 1 } };
	struct bspi_gap heavy[] = { { 0, 10, 1 }, { 1, 13, 1e6 }, { 2, 10, 1 } };
	struct bspi_gap same[] = { { 5, 10, 10 }, { 5, 20, 10 } };
	struct bspi_line line;

	ngaps = 0;
	add(10, 500, 3);
	line = bspi_line_fit(gaps, 10);
	ok(equals(line.g, 500) && equals(line.G, 3) && line.off < 1e-9, "a line is found again");
	line = bspi_line_fit(gaps, 1);
	ok(equals(line.g, 503) && line.G == 0, "one gap is g alone");
	/* the mean is 11; its distances are 1, 2 and 1: their mean square is 2 */
	line = bspi_line_fit(three, 3);
	ok(equals(line.g, 11) && fabs(line.G) < 1e-12 && equals(line.off, sqrt(2)),
	   "least squares: %g + %g w, off by %g", line.g, line.G, line.off);
	line = bspi_line_fit(heavy, 3);
	ok(equals(line.g, 10) && fabs(line.G) < 1e-12, "distances are relative to the scale");
	line = bspi_line_fit(same, 2);
	ok(equals(line.g, 15) && line.G == 0, "gaps of one size have no G");
}

/* Also where products and sums are rounded once, as on arm64. */
static void fits_one_size(void)
{
	uint64_t state = 1;
	int sloped = 0;

	for (int round = 0; round < 1000; round++) {
		double bytes = (double)random_below(&state, 100000);
		int n = 1 + (int)random_below(&state, 8);

		for (int i = 0; i < n; i++) {
			double ns = 1 + (double)random_below(&state, 100000);

			gaps[i] = (struct bspi_gap){ bytes, ns, ns };
		}
		sloped += bspi_line_fit(gaps, n).G != 0;
	}
	ok(sloped == 0, "%d of 1000 times gaps of one size have a G", sloped);
}

/* ---- Several ------------------------------------------------------------------------------ */

/* "4 8" for rows that end there. */
static const char *rows(void)
{
	static char text[100];
	int ends[BSPI_LINES_MOST + 4], n;
	size_t used = 0;

	for (int i = 0; i < BSPI_LINES_MOST + 4; i++)
		ends[i] = GUARD;
	n = bspi_line_cut(gaps, ngaps, ends);
	text[0] = '\0';
	for (int i = 0; i < n; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%d", i ? " " : "",
					 ends[i]);
	if (n > BSPI_LINES_MOST || ends[BSPI_LINES_MOST] != GUARD)
		snprintf(text, sizeof text, "%d rows, more than there is room for", n);
	return text;
}

static void cuts(void)
{
	ngaps = 0;
	add(12, 1000, 2);
	is_str("12", rows(), "one protocol");
	ngaps = 0;
	add(6, 1000, 0);
	add(6, 90000, 1);
	is_str("6 12", rows(), "two");
	ngaps = 0;
	add(5, 1000, 0);
	add(5, 2000, 0);
	add(5, 200000, 0);
	is_str("5 10 15", rows(), "three");
	ngaps = 0;
	add(6, 1000, 0);
	add(6, 3000, 0);
	add(6, 1000, 0);
	is_str("6 12 18", rows(), "two jumps that hide each other");
	ngaps = 0;
	add(3, 1000, 0);
	add(9, 90000, 0);
	is_str("4 12", rows(), "a row has four gaps at least");
	ngaps = 0;
	add(7, 1000, 0);
	gaps[3].ns = 1030;
	is_str("7", rows(), "what is off by 3 %% is noise");
}

/* More than there is room for: found by a search. */
static void five(void)
{
	ngaps = 0;
	factor = 1.3;
	add(7, 489.8, 0);
	add(7, 891.3, 0);
	add(4, 668.6, 1.55);
	add(5, 524.8, 0);
	add(5, 15130, 1.28);
	factor = 2;
	ok(!strstr(rows(), "room"), "a network of five protocols: %s", rows());
}

/* Distances are absolute, so that the largest levels are cut off first, from either end. */
static void many(void)
{
	uint64_t state = 1;
	int wrong = 0, as_many = 0;

	scale = 1;
	ngaps = 0;
	for (int i = 0; i < 8; i++)
		add(4, pow(30, i), 0);
	is_str("20 24 28 32", rows(), "eight protocols that grow: the last three, and the rest");
	ngaps = 0;
	for (int i = 0; i < 8; i++)
		add(4, pow(30, 8 - i), 0);
	is_str("4 8 12 32", rows(), "eight that shrink: the first three, and the rest");
	for (int round = 0; round < 2000; round++) {
		const char *text;
		int blanks = 0;

		ngaps = 0;
		while (ngaps + 8 <= MOST / 2)
			add(4 + (int)random_below(&state, 5),
			    pow(10, (double)random_below(&state, 9)), 0);
		text = rows();
		wrong += strstr(text, "room") != NULL;
		for (; *text; text++)
			blanks += *text == ' ';
		as_many += blanks + 1 == BSPI_LINES_MOST;
	}
	scale = 0;
	is_int(0, wrong, "2000 random ones have no more than there is room for");
	ok(as_many > 100, "and %d have as many", as_many);
}

/* ---- LogGP -------------------------------------------------------------------------------- */

static void parameters(void)
{
	const struct bspi_byte byte = { .os = 400, .or_ = 600, .one_way = 3000 };
	const struct bspi_line two[] = { { 510, 0, 0 }, { 2000, 5, 0 } };
	const struct bspi_line plain[] = { { 800, 3, 0 }, { 2000, 5, 0 } };
	const struct bspi_line below[] = { { -5, -1, 0 } };
	struct bspi_loggp net;

	ok(bspi_loggp_latency(&byte, 10, 7) == 1930, "L is 3000 less 400, 600 and 10 times 7");
	ok(bspi_loggp_latency(&byte, 10, -7) == 2000, "a G below 0 is none");
	bspi_loggp_of(&net, plain, 2, &byte, 2000);
	ok(net.L == 2000 && net.o == 500 && net.g == 800 && net.G == 5,
	   "o is the mean of both, g that of the first line, G of the last");
	bspi_loggp_of(&net, two, 2, &byte, 2000);
	ok(net.g == 2000, "g of the second line where the first is the overhead");
	bspi_loggp_of(&net, two, 1, &byte, 2000);
	ok(net.g == 510 && net.G == 0, "with one line there is no other");
	bspi_loggp_of(&net, below, 1, &byte, -1);
	ok(net.L == 0 && net.g == 0 && net.G == 0 && net.o == 500, "nothing is below 0");
	bspi_loggp_of(&net, plain, 2, &(struct bspi_byte){ 400, 600, 700 }, -300);
	ok(net.o == 350, "without L, o is at most half of the way");
}

int main(void)
{
	fits();
	fits_one_size();
	cuts();
	five();
	many();
	parameters();
	return done_testing();
}
