/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h - run a program that measures rows. */
#ifndef BENCH_JOB_H
#define BENCH_JOB_H

#include "table.h"

#include <stddef.h>

/* Takes a line of its output, which may be changed. */
typedef void job_line(void *context, char *line);

/* Run @argv, give every line to @take. 0, its exit status, or a negative errno. */
int job_lines(char **argv, job_line *take, void *context);

/*
 * The end of a program, for which one of these returned @failed, that is not 0: "ended with
 * status 1".
 */
void job_failure(int failed, char *text, size_t len);

/* Takes a row that the job has printed. */
typedef void job_row(void *context, const char *name, const struct sample *sample);

/* The same with every row. */
int job_run(char **argv, job_row *take, void *context);

#endif
