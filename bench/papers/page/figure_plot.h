/* SPDX-License-Identifier: BSD-3-Clause */
/* figure_plot.h - the plots of a figure, one for each panel, in a page or in a file. */
#ifndef PAPERS_FIGURE_PLOT_H
#define PAPERS_FIGURE_PLOT_H

#include "figure.h"
#include "common/page/markup.h"

/* In a page: figures with legends, beside each other. */
void figure_plots(struct markup *m, const struct figure *f);

/* As a picture that is a file, panels below each other. */
void figure_picture(FILE *out, const struct figure *f);

#endif
