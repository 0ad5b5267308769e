/* SPDX-License-Identifier: BSD-3-Clause */
/* netrows.c - what netmpi and netofi measure, as supersteps. */

#include "net.h"

#include <bsp.h>

static const struct net_memory *memory;

int net_next(void)
{
	return (bsp_pid() + 1) % bsp_nprocs();
}

int net_previous(void)
{
	return (bsp_pid() + bsp_nprocs() - 1) % bsp_nprocs();
}

void net_beside(int pids[NET_BESIDE])
{
	int me = bsp_pid(), nprocs = bsp_nprocs(), wide = 1;

	for (int w = 1; w * w <= nprocs; w++)
		if (nprocs % w == 0)
			wide = w;
	int row = me / wide * wide;

	pids[0] = (me + nprocs - wide) % nprocs;
	pids[1] = (me + wide) % nprocs;
	pids[2] = row + (me + wide - 1) % wide;
	pids[3] = row + (me + 1) % wide;
}

void net_rows_open(const struct net_memory *m)
{
	memory = m;
	bsp_push_reg(memory->src, (bsp_size_t)memory->nbytes);
	bsp_push_reg(memory->dst, (bsp_size_t)memory->nbytes);
	bsp_sync();
}

void net_rows_close(void)
{
	bsp_pop_reg(memory->src);
	bsp_pop_reg(memory->dst);
	bsp_sync();
}

static void step_sync(const struct net_row *row)
{
	(void)row;
	bsp_sync();
}

static void step_put(const struct net_row *row)
{
	bsp_put(net_next(), memory->src, memory->dst, 0, (bsp_size_t)row->nbytes);
	bsp_sync();
}

static void step_get(const struct net_row *row)
{
	bsp_get(net_previous(), memory->src, 0, memory->dst, (bsp_size_t)row->nbytes);
	bsp_sync();
}

static void step_relaxed(const struct net_row *row)
{
	step_put(row);
	bsp_read(memory->dst, 1);
}

static void step_puts(const struct net_row *row)
{
	int next = net_next();

	for (int i = 0; i < row->items; i++) {
		size_t at = (size_t)i * row->nbytes;

		bsp_put(next, memory->src + at, memory->dst, (bsp_size_t)at,
			(bsp_size_t)row->nbytes);
	}
	bsp_sync();
}

static void step_messages(const struct net_row *row)
{
	int next = net_next();

	for (int i = 0; i < row->items; i++)
		bsp_send(next, NULL, memory->src + (size_t)i * row->nbytes,
			 (bsp_size_t)row->nbytes);
	bsp_sync();
	for (int i = 0; i < row->items; i++)
		bsp_move(memory->dst + (size_t)i * row->nbytes, (bsp_size_t)row->nbytes);
}

/* Begins with the next process, so that not all go to the same one at first. */
static void step_exchange(const struct net_row *row)
{
	int me = bsp_pid(), nprocs = bsp_nprocs();
	size_t n = row->nbytes;

	for (int k = 1; k < nprocs; k++) {
		int pid = (me + k) % nprocs;

		bsp_put(pid, memory->src + (size_t)pid * n, memory->dst,
			(bsp_size_t)((size_t)me * n), (bsp_size_t)n);
	}
	bsp_sync();
}

static void step_hpexchange(const struct net_row *row)
{
	int me = bsp_pid(), nprocs = bsp_nprocs();
	size_t n = row->nbytes;

	for (int k = 1; k < nprocs; k++) {
		int pid = (me + k) % nprocs;

		bsp_hpput(pid, memory->src + (size_t)pid * n, memory->dst,
			  (bsp_size_t)((size_t)me * n), (bsp_size_t)n);
	}
	bsp_sync();
}

/* Block i goes to neighbour i, which is at the opposite side of it. */
static void step_halo(const struct net_row *row)
{
	int pids[NET_BESIDE];

	net_beside(pids);
	for (int i = 0; i < NET_BESIDE; i++)
		bsp_put(pids[i], memory->src + (size_t)i * row->nbytes, memory->dst,
			(bsp_size_t)((size_t)i * row->nbytes), (bsp_size_t)row->nbytes);
	bsp_sync();
}

/*
 * Targets over TCP are times on a machine where plain MPI takes mpi_us for the same; so here they
 * are ratios, too. Small items it sends one by one: there its exchange of 8 bytes is the measure.
 */
#define BANDWIDTH(part) (1 / (part))

#define BY_PUT(n) .step = step_exchange, .below = "exchange", .nbytes = (n)
#define BY_HPPUT(n) .step = step_hpexchange, .below = "exchange", .nbytes = (n)

const struct net_row net_rows[] = {
	{ .name = "relaxed-8", .text = "relaxed: 8 bytes to the neighbour and read",
	  .below = "exchange", .step = step_relaxed, .nbytes = 8, .items = 1, .relaxed = true,
	  .any_number = true, .target = { .ratio = 1.15 } },
	{ .name = "sync", .text = "empty bsp_sync", .below = "barrier", .step = step_sync,
	  .barrier = true, .any_number = true, .target = { .ratio = 1.2 } },
	{ .name = "put-8", .text = "superstep with one 8-byte put",
	  .below = "exchange and barrier", .step = step_put, .nbytes = 8, .items = 1,
	  .barrier = true, .target = { .us = 12, .mpi_us = 18 } },
	{ .name = "get-8", .text = "the same with get", .below = "exchange and barrier",
	  .step = step_get, .nbytes = 8, .items = 1, .barrier = true },
	{ .name = "puts-1000", .text = "1000 8-byte puts", .below = "1000 sends",
	  .step = step_puts, .nbytes = 8, .items = NET_ITEMS, .target = { .us = 40 } },
	{ .name = "messages-1000", .text = "1000 8-byte messages, sent and moved",
	  .below = "1000 sends", .step = step_messages, .nbytes = 8, .items = NET_ITEMS,
	  .target = { .us = 50 } },
	{ .name = "put-64K", .text = "total exchange by put, 64 KiB", BY_PUT(64 << 10),
	  .target = { .us = 45, .mpi_us = 49 } },
	{ .name = "put-1M", .text = "total exchange by put, 1 MiB", BY_PUT(1 << 20),
	  .target = { .ratio = BANDWIDTH(0.9) } },
	{ .name = "put-8M", .text = "total exchange by put, 8 MiB", BY_PUT(8 << 20),
	  .target = { .us = 2500, .mpi_us = 3180 } },
	{ .name = "hpput-64K", .text = "total exchange by hpput, 64 KiB", BY_HPPUT(64 << 10),
	  .target = { .us = 45, .mpi_us = 49 } },
	{ .name = "hpput-1M", .text = "total exchange by hpput, 1 MiB", BY_HPPUT(1 << 20),
	  .target = { .ratio = BANDWIDTH(0.9) } },
	{ .name = "hpput-8M", .text = "total exchange by hpput, 8 MiB", BY_HPPUT(8 << 20),
	  .target = { .us = 2500, .mpi_us = 3180 } },
	{ .name = "halo-8", .text = "8 bytes to each of 4 neighbours", .below = "exchange",
	  .step = step_halo, .nbytes = 8, .items = NET_BESIDE, .halo = true,
	  .target = { .ratio = 1.2 } },
	{ .name = "halo-1K", .text = "1 KiB to each of 4 neighbours", .below = "exchange",
	  .step = step_halo, .nbytes = 1 << 10, .items = NET_BESIDE, .halo = true,
	  .target = { .ratio = 1.2 } },
	{ .name = NULL }
};
