// SPDX-License-Identifier: BSD-3-Clause
/* coll_lengths_api.c - calls of bsp_coll.h with lengths or neighbours, as functions. */

/* As in coll_api.c: each with its call site and without, as one that waits and one that starts. */

#include "bsplib/collective/coll.h"
#include "bsplib/core/state.h"

static void apart_do(const char *call, const char *site, struct bspi_coll c)
{
	c.call = call;
	c.site = site;
	c.apart = true;
	bspi_enter();
	bspi_coll_do(&c);
	bspi_leave();
}

static bsp_request apart_begin(const char *call, const char *site, struct bspi_coll c)
{
	bsp_request r;

	c.call = call;
	c.site = site;
	c.apart = true;
	bspi_enter();
	r = bspi_request_start(&c);
	bspi_leave();
	return r;
}

/* ---- bsp_gatherv --------------------------------------------------------------- */

static struct bspi_coll apart_gatherv(int pid, const void *src, size_t nbytes, void *dst,
	const size_t *sizes, const size_t *offsets)
{
	return (struct bspi_coll){
		.kind = GOAL_GATHER, .root = pid, .src = src, .count = nbytes, .dst = dst,
		.dst_sizes = sizes, .dst_offsets = offsets,
	};
}

void bsp_gatherv_at(const char *site, int pid, const void *src, size_t nbytes, void *dst,
	const size_t *sizes, const size_t *offsets)
{
	apart_do("bsp_gatherv", site, apart_gatherv(pid, src, nbytes, dst, sizes, offsets));
}

void (bsp_gatherv)(int pid, const void *src, size_t nbytes, void *dst, const size_t *sizes,
	const size_t *offsets)
{
	bsp_gatherv_at(NULL, pid, src, nbytes, dst, sizes, offsets);
}

bsp_request bsp_igatherv_at(const char *site, int pid, const void *src, size_t nbytes, void *dst,
	const size_t *sizes, const size_t *offsets)
{
	return apart_begin("bsp_igatherv", site,
		apart_gatherv(pid, src, nbytes, dst, sizes, offsets));
}

bsp_request (bsp_igatherv)(int pid, const void *src, size_t nbytes, void *dst,
	const size_t *sizes, const size_t *offsets)
{
	return bsp_igatherv_at(NULL, pid, src, nbytes, dst, sizes, offsets);
}

/* ---- bsp_scatterv -------------------------------------------------------------- */

static struct bspi_coll apart_scatterv(int pid, const void *src, const size_t *sizes,
	const size_t *offsets, void *dst, size_t nbytes)
{
	return (struct bspi_coll){
		.kind = GOAL_SCATTER, .root = pid, .src = src, .src_sizes = sizes,
		.src_offsets = offsets, .dst = dst, .count = nbytes,
	};
}

void bsp_scatterv_at(const char *site, int pid, const void *src, const size_t *sizes,
	const size_t *offsets, void *dst, size_t nbytes)
{
	apart_do("bsp_scatterv", site, apart_scatterv(pid, src, sizes, offsets, dst, nbytes));
}

void (bsp_scatterv)(int pid, const void *src, const size_t *sizes, const size_t *offsets,
	void *dst, size_t nbytes)
{
	bsp_scatterv_at(NULL, pid, src, sizes, offsets, dst, nbytes);
}

bsp_request bsp_iscatterv_at(const char *site, int pid, const void *src, const size_t *sizes,
	const size_t *offsets, void *dst, size_t nbytes)
{
	return apart_begin("bsp_iscatterv", site,
		apart_scatterv(pid, src, sizes, offsets, dst, nbytes));
}

bsp_request (bsp_iscatterv)(int pid, const void *src, const size_t *sizes, const size_t *offsets,
	void *dst, size_t nbytes)
{
	return bsp_iscatterv_at(NULL, pid, src, sizes, offsets, dst, nbytes);
}

/* ---- bsp_allgatherv ------------------------------------------------------------ */

static struct bspi_coll apart_allgatherv(const void *src, size_t nbytes, void *dst,
	const size_t *sizes, const size_t *offsets)
{
	return (struct bspi_coll){
		.kind = GOAL_ALLGATHER, .src = src, .count = nbytes, .dst = dst, .dst_sizes = sizes,
		.dst_offsets = offsets,
	};
}

void bsp_allgatherv_at(const char *site, const void *src, size_t nbytes, void *dst,
	const size_t *sizes, const size_t *offsets)
{
	apart_do("bsp_allgatherv", site, apart_allgatherv(src, nbytes, dst, sizes, offsets));
}

void (bsp_allgatherv)(const void *src, size_t nbytes, void *dst, const size_t *sizes,
	const size_t *offsets)
{
	bsp_allgatherv_at(NULL, src, nbytes, dst, sizes, offsets);
}

bsp_request bsp_iallgatherv_at(const char *site, const void *src, size_t nbytes, void *dst,
	const size_t *sizes, const size_t *offsets)
{
	return apart_begin("bsp_iallgatherv", site,
		apart_allgatherv(src, nbytes, dst, sizes, offsets));
}

bsp_request (bsp_iallgatherv)(const void *src, size_t nbytes, void *dst, const size_t *sizes,
	const size_t *offsets)
{
	return bsp_iallgatherv_at(NULL, src, nbytes, dst, sizes, offsets);
}

/* ---- bsp_exchangev ------------------------------------------------------------- */

static struct bspi_coll apart_exchangev(const void *src, const size_t *ssizes,
	const size_t *soffsets, void *dst, const size_t *rsizes, const size_t *roffsets)
{
	return (struct bspi_coll){
		.kind = GOAL_EXCHANGE, .src = src, .src_sizes = ssizes,
		.src_offsets = soffsets, .dst = dst, .dst_sizes = rsizes, .dst_offsets = roffsets,
	};
}

void bsp_exchangev_at(const char *site, const void *src, const size_t *ssizes,
	const size_t *soffsets, void *dst, const size_t *rsizes, const size_t *roffsets)
{
	apart_do("bsp_exchangev", site,
		apart_exchangev(src, ssizes, soffsets, dst, rsizes, roffsets));
}

void (bsp_exchangev)(const void *src, const size_t *ssizes, const size_t *soffsets, void *dst,
	const size_t *rsizes, const size_t *roffsets)
{
	bsp_exchangev_at(NULL, src, ssizes, soffsets, dst, rsizes, roffsets);
}

bsp_request bsp_iexchangev_at(const char *site, const void *src, const size_t *ssizes,
	const size_t *soffsets, void *dst, const size_t *rsizes, const size_t *roffsets)
{
	return apart_begin("bsp_iexchangev", site,
		apart_exchangev(src, ssizes, soffsets, dst, rsizes, roffsets));
}

bsp_request (bsp_iexchangev)(const void *src, const size_t *ssizes, const size_t *soffsets,
	void *dst, const size_t *rsizes, const size_t *roffsets)
{
	return bsp_iexchangev_at(NULL, src, ssizes, soffsets, dst, rsizes, roffsets);
}

/* ---- bsp_reduce_scatter -------------------------------------------------------- */

static struct bspi_coll apart_reduce_scatter(int op, int type, const void *src, void *dst,
	const size_t *counts)
{
	return (struct bspi_coll){
		.kind = GOAL_REDUCE_SCATTER, .typed = true, .op = op, .type = type, .src = src,
		.dst = dst, .src_sizes = counts,
	};
}

void bsp_reduce_scatter_at(const char *site, int op, int type, const void *src, void *dst,
	const size_t *counts)
{
	apart_do("bsp_reduce_scatter", site, apart_reduce_scatter(op, type, src, dst, counts));
}

void (bsp_reduce_scatter)(int op, int type, const void *src, void *dst, const size_t *counts)
{
	bsp_reduce_scatter_at(NULL, op, type, src, dst, counts);
}

bsp_request bsp_ireduce_scatter_at(const char *site, int op, int type, const void *src, void *dst,
	const size_t *counts)
{
	return apart_begin("bsp_ireduce_scatter", site,
		apart_reduce_scatter(op, type, src, dst, counts));
}

bsp_request (bsp_ireduce_scatter)(int op, int type, const void *src, void *dst,
	const size_t *counts)
{
	return bsp_ireduce_scatter_at(NULL, op, type, src, dst, counts);
}

/* ---- bsp_neighbor_exchange ----------------------------------------------------- */

static struct bspi_coll apart_neighbor(int n, const int *pids, const void *src, void *dst,
	size_t nbytes)
{
	return (struct bspi_coll){
		.kind = GOAL_EXCHANGE, .neighbor = true, .npids = n, .pids = pids, .src = src,
		.dst = dst, .count = nbytes,
	};
}

void bsp_neighbor_exchange_at(const char *site, int n, const int *pids, const void *src, void *dst,
	size_t nbytes)
{
	apart_do("bsp_neighbor_exchange", site, apart_neighbor(n, pids, src, dst, nbytes));
}

void (bsp_neighbor_exchange)(int n, const int *pids, const void *src, void *dst, size_t nbytes)
{
	bsp_neighbor_exchange_at(NULL, n, pids, src, dst, nbytes);
}

bsp_request bsp_ineighbor_exchange_at(const char *site, int n, const int *pids, const void *src,
	void *dst, size_t nbytes)
{
	return apart_begin("bsp_ineighbor_exchange", site,
		apart_neighbor(n, pids, src, dst, nbytes));
}

bsp_request (bsp_ineighbor_exchange)(int n, const int *pids, const void *src, void *dst,
	size_t nbytes)
{
	return bsp_ineighbor_exchange_at(NULL, n, pids, src, dst, nbytes);
}
