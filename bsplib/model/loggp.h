/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp.h - the four numbers of LogGP out of measured gaps and overheads. */

/*
 * Alexandrov, Ionescu, Schauser and Scheiman (1995): a message of w bytes on the way occupies an
 * interface for g + (w - 1) G and each processor for o, and its first byte is under way for L.
 * The gaps are fitted by straight lines as Hoefler, Lichei and Rehm do in "Low-Overhead LogGP
 * Parameter Assessment for Modern Interconnection Networks" (2007): by least squares, here of
 * relative distances, as gaps are spread over orders of magnitude. Where a network changes its
 * protocol there are several lines: gaps are cut into rows so that a line for each fits best, and
 * into more rows if these fit much better. Times are in nanoseconds.
 */
#ifndef BSPI_LOGGP_H
#define BSPI_LOGGP_H

enum { BSPI_LINES_MOST = 4, BSPI_GAPS_MOST = 64 };

/* A gap between messages. */
struct bspi_gap {
	double bytes;		/* that are on the way for one message, but for the first */
	double ns;
	double scale;		/* distances from the line are relative to this */
};

struct bspi_line {
	double g, G;
	double off;		/* root of the mean square of the relative distances */
};

struct bspi_loggp {
	double L, o, g, G;
};

/* The line through @n gaps, at least one. */
struct bspi_line bspi_line_fit(const struct bspi_gap *gaps, int n);

/*
 * Cut @n gaps, at least one and at most BSPI_GAPS_MOST, ordered by bytes, into rows with a line
 * each: row i ends before gap @ends[i]. Returns how many rows there are, at most BSPI_LINES_MOST.
 * Takes the square of @n times as long as a line.
 */
int bspi_line_cut(const struct bspi_gap *gaps, int n, int *ends);

/* Times measured with messages of a single byte. */
struct bspi_byte {
	double os, or_;
	double one_way;		/* until it is there: half of a round trip; 0: not known */
};

/*
 * L of a byte that is @body more bytes on the way: one_way is os + L + body G + or. It is negative
 * if the overheads are more than all, as where they fall into the time that a message travels.
 */
double bspi_loggp_latency(const struct bspi_byte *byte, double body, double G);

/*
 * One network out of @n lines, the first of small messages, and a byte with its @L. o is the mean
 * of both overheads, so that L + 2 o is what it was; where L is not positive it is 0, and o no more
 * than half of the way. G is that of the last line: the bandwidth of long messages. g is that of
 * the first line, but of the second where the first is the overhead: as a gap is the greater one
 * of o and g + (w - 1) G, small messages then say nothing of g.
 */
void bspi_loggp_of(struct bspi_loggp *net, const struct bspi_line *lines, int n,
		   const struct bspi_byte *byte, double L);

#endif
