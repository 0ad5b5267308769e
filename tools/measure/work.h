/* SPDX-License-Identifier: BSD-3-Clause */
/* work.h - computing for its own sake, and how much of it takes how long. */
#ifndef MEASURE_WORK_H
#define MEASURE_WORK_H

/* So many turns of a chain of operations, each of which needs the one before; no memory. */
void work_do(long turns);

/* The shortest time in ns of @rounds times @turns: that in which nothing else ran. */
double work_least_ns(long turns, int rounds);

#endif
