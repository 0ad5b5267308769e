/* SPDX-License-Identifier: BSD-3-Clause */
/* sample.h - what samples say: medians, quantiles and how sure a median is. */
#ifndef MEASURE_SAMPLE_H
#define MEASURE_SAMPLE_H

/* All sort @v. Without samples they are 0. */
void sample_sort(double *v, int n);
double sample_median(double *v, int n);
/* @part 0.25 is the first quartile; between two samples linearly. */
double sample_quantile(double *v, int n, double part);

/*
 * The sorted samples, from 0, between which the median of all lies with 95 %, without any
 * assumption about how samples are distributed. With less than six no interval has 95 %, and it
 * is all of them.
 */
void sample_interval(int n, int *low, int *high);

#endif
