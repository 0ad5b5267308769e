/* SPDX-License-Identifier: BSD-3-Clause */
/* figures.c - the table: what is measured, against what, and with which target. */

#include "table.h"

/* Times the limit; nanoseconds where F is TARGET_FLAG. */
#define LIMITS(n) { .by = BY_LIMIT, .value = (n) }
#define AT_F(ns) { .by = BY_FLAG, .value = (ns) }

#define NO_MORE_THAN_MPI { .by = BY_MPI }
#define LOSES(percent) { .by = BY_PERCENT, .value = (percent) }
#define MEMORY(kib) { .by = BY_PROCESSES, .value = (kib) }

const struct figure table_figures[] = {
	{ .row = "sync", .text = "empty bsp_sync", .mpi = { "barrier" }, .limit = LIMIT_FLAG,
	  .alone = { BY_LIMIT, 1.9, true }, .shared = { BY_FLAG, 4000, true },
	  .crowd = NO_MORE_THAN_MPI, .in_crowd = true },
	{ .row = "put-8", .text = "superstep with one 8-byte put",
	  .mpi = { "isend-barrier-8", "put-fence-8" }, .limit = LIMIT_FLAG,
	  .alone = LIMITS(3.2), .shared = AT_F(5000), .in_crowd = true },
	{ .row = "hpput-8", .text = "the same with hpput", .mpi = { "put-fence-8" },
	  .limit = LIMIT_FLAG, .alone = LIMITS(3.2) },
	{ .row = "get-8", .text = "the same with get", .mpi = { "get-fence-8" },
	  .limit = LIMIT_FLAG, .alone = LIMITS(5.8) },
	{ .row = "puts-1000", .text = "8-byte put of 1000",
	  .mpi = { "puts-fence-1000", "isends-1000" }, .unit = UNIT_NS_EACH,
	  .limit = LIMIT_COPY, .nbytes = 8 * BENCH_ITEMS, .alone = AT_F(7e3),
	  .shared = AT_F(25e3), .in_crowd = true },
	{ .row = "gets-1000", .text = "8-byte get of 1000", .mpi = { "gets-fence-1000" },
	  .unit = UNIT_NS_EACH, .limit = LIMIT_COPY, .nbytes = 8 * BENCH_ITEMS,
	  .alone = AT_F(12e3) },
	{ .row = "messages-1000", .text = "8-byte message of 1000 sent and moved",
	  .mpi = { "isends-1000" }, .unit = UNIT_NS_EACH, .limit = LIMIT_COPY,
	  .nbytes = 8 * BENCH_ITEMS, .alone = AT_F(10e3), .shared = AT_F(40e3),
	  .in_crowd = true },
	{ .row = "push-pop", .text = "push_reg + sync + pop_reg + sync", .limit = LIMIT_FLAG,
	  .alone = LIMITS(5.1) },
	{ .row = "exchange-put-64", .text = "total exchange by put 64 B",
	  .mpi = { "alltoall-64", "put-fence-64" }, .limit = LIMIT_FLAG, .alone = LIMITS(3.6) },
	{ .row = "exchange-put-1K", .text = "total exchange by put 1 KiB",
	  .mpi = { "alltoall-1K", "put-fence-1K" }, .limit = LIMIT_FLAG, .alone = LIMITS(4.5) },
	{ .row = "exchange-put-64K", .text = "total exchange by put 64 KiB",
	  .mpi = { "alltoall-64K", "put-fence-64K" }, .limit = LIMIT_TOTAL, .nbytes = 64 << 10,
	  .alone = LIMITS(2.1), .shared = AT_F(30e3), .in_crowd = true },
	{ .row = "exchange-put-1M", .text = "total exchange by put 1 MiB",
	  .mpi = { "alltoall-1M", "put-fence-1M" }, .limit = LIMIT_TOTAL, .nbytes = 1 << 20,
	  .alone = LIMITS(2.0), .shared = AT_F(500e3), .in_crowd = true },
	{ .row = "exchange-put-8M", .text = "total exchange by put 8 MiB",
	  .mpi = { "alltoall-8M", "put-fence-8M" }, .limit = LIMIT_TOTAL, .nbytes = 8 << 20,
	  .alone = LIMITS(4.3) },
	{ .row = "exchange-hpput-64", .text = "total exchange by hpput 64 B",
	  .mpi = { "put-fence-64" }, .limit = LIMIT_FLAG },
	{ .row = "exchange-hpput-1K", .text = "total exchange by hpput 1 KiB",
	  .mpi = { "put-fence-1K" }, .limit = LIMIT_FLAG },
	{ .row = "exchange-hpput-64K", .text = "total exchange by hpput 64 KiB",
	  .mpi = { "put-fence-64K" }, .limit = LIMIT_TOTAL, .nbytes = 64 << 10,
	  .alone = LIMITS(1.8) },
	{ .row = "exchange-hpput-1M", .text = "total exchange by hpput 1 MiB",
	  .mpi = { "put-fence-1M" }, .limit = LIMIT_TOTAL, .nbytes = 1 << 20,
	  .alone = LIMITS(1.1) },
	{ .row = "exchange-hpput-8M", .text = "total exchange by hpput 8 MiB",
	  .mpi = { "put-fence-8M" }, .limit = LIMIT_TOTAL, .nbytes = 8 << 20,
	  .alone = LIMITS(1.5) },
	{ .row = "exchange-get-64", .text = "total exchange by get 64 B",
	  .mpi = { "get-fence-64" }, .limit = LIMIT_FLAG },
	{ .row = "exchange-get-1K", .text = "total exchange by get 1 KiB",
	  .mpi = { "get-fence-1K" }, .limit = LIMIT_FLAG },
	{ .row = "exchange-get-64K", .text = "total exchange by get 64 KiB",
	  .mpi = { "get-fence-64K" }, .limit = LIMIT_TOTAL, .nbytes = 64 << 10 },
	{ .row = "exchange-get-1M", .text = "total exchange by get 1 MiB",
	  .mpi = { "get-fence-1M" }, .limit = LIMIT_TOTAL, .nbytes = 1 << 20,
	  .alone = LIMITS(2.0) },
	{ .row = "exchange-get-8M", .text = "total exchange by get 8 MiB",
	  .mpi = { "get-fence-8M" }, .limit = LIMIT_TOTAL, .nbytes = 8 << 20 },
	{ .row = NULL, .text = "8 bytes each way without barrier", .mpi = { "isend-8" },
	  .limit = LIMIT_FLAG },
	{ .row = "compute", .text = "lost of 1 ms computing per superstep", .mpi = { "compute" },
	  .unit = UNIT_PERCENT, .limit = LIMIT_OWN, .alone = LOSES(10), .shared = LOSES(10),
	  .crowd = LOSES(10), .in_crowd = true },
	{ .row = "dot", .text = "dot product of 1024 doubles", .limit = LIMIT_NONE,
	  .in_crowd = true },
	{ .row = "startup", .text = "start and end of a job", .mpi = { "startup" },
	  .unit = UNIT_MS, .limit = LIMIT_OWN, .in_crowd = true },
	{ .row = "memory", .text = "memory of the library per process", .mpi = { "memory" },
	  .unit = UNIT_KIB, .limit = LIMIT_NONE, .alone = MEMORY(1024), .shared = MEMORY(1024),
	  .crowd = MEMORY(1024), .in_crowd = true },
	{ .text = NULL }
};

_Static_assert(sizeof table_figures / sizeof table_figures[0] <= TABLE_FIGURES,
	       "room for the samples of every figure");
