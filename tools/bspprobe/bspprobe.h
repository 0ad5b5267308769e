/* SPDX-License-Identifier: BSD-3-Clause */
/* bspprobe.h - what the files of bspprobe share: the command line and results. */
#ifndef BSP_BSPPROBE_H
#define BSP_BSPPROBE_H

#include "bsplib/model/params.h"
#include "tools/measure/measure.h"

#include <stdio.h>

enum { PROBE_GOOD = 0, PROBE_FAILED = 1, PROBE_TEXT = 256 };

enum probe_format { PROBE_TABLE, PROBE_CSV, PROBE_JSON };

struct probe_request {
	enum probe_format format;
	double seconds;
	uint64_t bytes_most;
	bool save, verify, estimate;
	bool chosen;			/* verify only what is predicted to be the fastest */
	const char *save_to;		/* BSP_PARAMS, or NULL: the user's own file */
	const char *svg;		/* FILE of --svg, or NULL */
	const char *only;		/* operations of --only, or NULL */
};

/* One algorithm at one size, predicted and measured. Times in ns. */
struct probe_row {
	struct goal_task task;
	int nprocs;
	double predicted;
	double by_gap;			/* predicted by L + g(m), without alone(m) and cross(m) */
	double by_messages;		/* with these, without fold(m) and copy(m) */
	/* a message of the same size: as the parameters have it, and beside this point */
	double alone, alone_now;
	struct measure_value took;
};

struct probe_rows {
	struct probe_row *at;
	size_t n, room;
};

/* The result, on process 0. */
struct probe_result {
	struct bspi_params_key key;
	char date[32];
	char command[2 * PROBE_TEXT];	/* that measured it */
	struct measure_machine machine;
	struct bspi_plogp plogp;
	struct bspi_plogp inside;	/* plogp names it, if there are nodes */
	struct probe_rows rows;
};

/* bspprobe_write.c */
void probe_write_machine(FILE *out, const struct probe_result *r, enum probe_format format);
/* As an entry of the file of parameters. */
void probe_write_entry(FILE *out, const struct probe_result *r);

/*
 * bspprobe_bound.c: each value becomes the nearest that readers of the file take, and is marked;
 * messages of it on @warnings, unless that is NULL.
 */
void probe_bound(struct measure_machine *k, FILE *warnings);

/* bspprobe_rows.c */
void probe_rows_add(struct probe_rows *rows, const struct probe_row *row);
void probe_write_rows(FILE *out, const struct probe_result *r, enum probe_format format);

/* bspprobe_svg.c: 0 or -1 and errno. */
int probe_write_svg(const char *path, const struct probe_result *r);

/*
 * bspprobe_save.c: add it to the file, in the place of the entry of the same machine. 0, or -1
 * and why in @why. The others stay as they are, and so does the file if anything goes wrong.
 */
int probe_save(const char *path, const struct probe_result *r, char *why, size_t len);

/* bspprobe_verify.c: in the SPMD part. */
void probe_verify(struct measure *m, const struct probe_request *request, struct probe_result *r);

#endif
