/* SPDX-License-Identifier: BSD-3-Clause */
/* quota.h - what a container may use, of processors' time, processes and memory. */
#ifndef BSPJ_QUOTA_H
#define BSPJ_QUOTA_H

/*
 * Processors' time that the process whose groups are listed in the file @groups, such as
 * /proc/self/cgroup, may use; @root is where groups are mounted. HUGE_VAL: no limit.
 */
double bspj_quota(const char *groups, const char *root);

/* The same of processes that may be started besides those there are. */
double bspj_quota_pids(const char *groups, const char *root);

/* The same of bytes that they may have, with the swap of a machine that has @swap_bytes free. */
double bspj_quota_memory(const char *groups, const char *root, double swap_bytes);

/*
 * How many of @processors can always run: a fraction is not counted, because processes that wait
 * for each other all wait while one of them has to wait for the next period.
 */
int bspj_quota_limits(int processors, double quota);

#endif
