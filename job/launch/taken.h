/* SPDX-License-Identifier: BSD-3-Clause */
/* taken.h - the processors to which other jobs on this machine have bound processes. */
#ifndef BSPJ_TAKEN_H
#define BSPJ_TAKEN_H

#include <sched.h>

/*
 * A job marks its processors by locks on bytes of a file that all can read, one byte for each
 * processor: the kernel drops them when the last process of the job has ended, however that ends,
 * and no name is left. All copies of the descriptor are of one job; its own locks are not seen.
 */
#define BSPJ_TAKEN_FILE "/sys/devices/system/cpu/possible"

/* The descriptor, or -1: then no job is seen. */
int bspj_taken_open(const char *path);
/* The processors that other jobs have marked; how many. */
int bspj_taken_by_others(int fd, cpu_set_t *set);
/* This job has these, and those that it has marked before. */
void bspj_taken_mark(int fd, const cpu_set_t *set);
/* This job has none. */
void bspj_taken_unmark(int fd);

#endif
