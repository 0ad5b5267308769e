/* SPDX-License-Identifier: BSD-3-Clause */
/* plot.h - curves over two axes, linear or logarithmic, with a legend that hides and shows them. */

/*
 * Tell the axes, with plot_reach() all points, then with plot_place() where in the picture it is;
 * that makes round ends. Then plot_axes(), and curves, ranges and points in any order. Curves are
 * numbered from 0: the number is the colour, and what the legend hides.
 */
#ifndef PAGE_PLOT_H
#define PAGE_PLOT_H

#include "markup.h"

struct plot_axis {
	const char *label;
	bool is_log;
	bool is_binary;		/* marks are powers of 2, as of bytes */
	/* private: */
	double low, high;
	double from, length;	/* on the picture; up is negative */
};

struct plot {
	struct plot_axis x, y;
};

struct plot plot_begin(struct plot_axis x, struct plot_axis y);

/* There is such a point. */
void plot_reach(struct plot *p, double x, double y);

/* The frame of the curves in the picture, without marks and labels. */
void plot_place(struct plot *p, double left, double top, double width, double height);

/* The width that the marks of y need at the left, once it has been placed. */
double plot_marks_width(const struct plot *p);

/* Lines and marks; marks of y are left out if another plot beside it has them. */
void plot_axes(struct markup *m, const struct plot *p, bool y_marks);

/* The labels of both axes: below the marks, and along the left of the picture. */
void plot_labels(struct markup *m, const struct plot *p);

/* Can it be shown? On a logarithmic axis what is not above 0 cannot. */
bool plot_shows(const struct plot *p, double x, double y);
double plot_x(const struct plot *p, double x);
double plot_y(const struct plot *p, double y);

/* A curve through all points that can be shown: plot_curve(), plot_curve_to(), plot_curve_end(). */
struct plot_pen {
	struct markup *m;
	const struct plot *p;
	char command;
};
struct plot_pen plot_curve(struct markup *m, const struct plot *p, int number);
void plot_curve_to(struct plot_pen *pen, double x, double y);
void plot_curve_end(struct plot_pen *pen);

/* A dot, and a range of y behind it; a dot stays open for svg_tip(), until markup_close(). */
void plot_spread(struct markup *m, const struct plot *p, int number, double x, double low,
		 double high);
void plot_dot(struct markup *m, const struct plot *p, int number, bool hollow, double x, double y);

/*
 * The legend of @n curves, numbered as they are: a check box each. A curve is called by up to
 * PLOT_PARTS words, of which some may be ""; words that all of them have are said once, above.
 */
enum { PLOT_PARTS = 4 };
struct plot_name {
	const char *part[PLOT_PARTS];
};
void plot_legend(struct markup *m, const struct plot_name *names, int n);

#endif
