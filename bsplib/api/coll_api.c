// SPDX-License-Identifier: BSD-3-Clause
/* coll_api.c - the calls of bsp_coll.h as functions; what they mean is in coll.c. */

/*
 * As in api.c each call exists twice: bsp_bcast_at() with its call site, which the macros of
 * bsp_coll_names.h supply, and bsp_bcast() without. And again as one that starts and one that
 * waits as well.
 */

#include "bsplib/collective/coll.h"
#include "bsplib/core/state.h"

static void coll_do(struct bspi_coll c)
{
	bspi_enter();
	bspi_coll_do(&c);
	bspi_leave();
}

static bsp_request coll_begin(struct bspi_coll c)
{
	bsp_request r;

	bspi_enter();
	r = bspi_request_start(&c);
	bspi_leave();
	return r;
}

/* ---- What a call asks for ------------------------------------------------------------- */

static struct bspi_coll coll_data(enum goal_kind kind, const char *site, int root, const void *src,
				  void *dst, size_t nbytes)
{
	return (struct bspi_coll){
		.site = site, .kind = kind, .root = root, .src = src, .dst = dst, .count = nbytes,
	};
}

static struct bspi_coll coll_typed(enum goal_kind kind, const char *site, int root, int op,
				   int type, const void *src, void *dst, size_t n)
{
	return (struct bspi_coll){
		.site = site, .kind = kind, .root = root, .typed = true, .op = op, .type = type,
		.src = src, .dst = dst, .count = n,
	};
}

static struct bspi_coll coll_folded(enum goal_kind kind, const char *site, bsp_op *op,
				    const void *src, void *dst, size_t nbytes)
{
	return (struct bspi_coll){
		.site = site, .kind = kind, .by_user = true, .user = op, .src = src, .dst = dst,
		.count = nbytes,
	};
}

/* Not an argument of the others: that copies more, and bsp_bcast() takes 40 ns longer. */
static struct bspi_coll coll_named(const char *call, struct bspi_coll c)
{
	c.call = call;
	return c;
}

/* ---- Data ------------------------------------------------------------------------------ */

void bsp_bcast_at(const char *site, int pid, const void *src, void *dst, size_t nbytes)
{
	coll_do(coll_named("bsp_bcast", coll_data(GOAL_BCAST, site, pid, src, dst, nbytes)));
}

void (bsp_bcast)(int pid, const void *src, void *dst, size_t nbytes)
{
	bsp_bcast_at(NULL, pid, src, dst, nbytes);
}

bsp_request bsp_ibcast_at(const char *site, int pid, const void *src, void *dst, size_t nbytes)
{
	return coll_begin(coll_named("bsp_ibcast",
				     coll_data(GOAL_BCAST, site, pid, src, dst, nbytes)));
}

bsp_request (bsp_ibcast)(int pid, const void *src, void *dst, size_t nbytes)
{
	return bsp_ibcast_at(NULL, pid, src, dst, nbytes);
}

void bsp_gather_at(const char *site, int pid, const void *src, void *dst, size_t nbytes)
{
	coll_do(coll_named("bsp_gather", coll_data(GOAL_GATHER, site, pid, src, dst, nbytes)));
}

void (bsp_gather)(int pid, const void *src, void *dst, size_t nbytes)
{
	bsp_gather_at(NULL, pid, src, dst, nbytes);
}

bsp_request bsp_igather_at(const char *site, int pid, const void *src, void *dst, size_t nbytes)
{
	return coll_begin(coll_named("bsp_igather",
				     coll_data(GOAL_GATHER, site, pid, src, dst, nbytes)));
}

bsp_request (bsp_igather)(int pid, const void *src, void *dst, size_t nbytes)
{
	return bsp_igather_at(NULL, pid, src, dst, nbytes);
}

void bsp_scatter_at(const char *site, int pid, const void *src, void *dst, size_t nbytes)
{
	coll_do(coll_named("bsp_scatter", coll_data(GOAL_SCATTER, site, pid, src, dst, nbytes)));
}

void (bsp_scatter)(int pid, const void *src, void *dst, size_t nbytes)
{
	bsp_scatter_at(NULL, pid, src, dst, nbytes);
}

bsp_request bsp_iscatter_at(const char *site, int pid, const void *src, void *dst, size_t nbytes)
{
	return coll_begin(coll_named("bsp_iscatter",
				     coll_data(GOAL_SCATTER, site, pid, src, dst, nbytes)));
}

bsp_request (bsp_iscatter)(int pid, const void *src, void *dst, size_t nbytes)
{
	return bsp_iscatter_at(NULL, pid, src, dst, nbytes);
}

void bsp_allgather_at(const char *site, const void *src, void *dst, size_t nbytes)
{
	coll_do(coll_named("bsp_allgather", coll_data(GOAL_ALLGATHER, site, 0, src, dst, nbytes)));
}

void (bsp_allgather)(const void *src, void *dst, size_t nbytes)
{
	bsp_allgather_at(NULL, src, dst, nbytes);
}

bsp_request bsp_iallgather_at(const char *site, const void *src, void *dst, size_t nbytes)
{
	return coll_begin(coll_named("bsp_iallgather",
				     coll_data(GOAL_ALLGATHER, site, 0, src, dst, nbytes)));
}

bsp_request (bsp_iallgather)(const void *src, void *dst, size_t nbytes)
{
	return bsp_iallgather_at(NULL, src, dst, nbytes);
}

void bsp_exchange_at(const char *site, const void *src, void *dst, size_t nbytes)
{
	coll_do(coll_named("bsp_exchange", coll_data(GOAL_EXCHANGE, site, 0, src, dst, nbytes)));
}

void (bsp_exchange)(const void *src, void *dst, size_t nbytes)
{
	bsp_exchange_at(NULL, src, dst, nbytes);
}

bsp_request bsp_iexchange_at(const char *site, const void *src, void *dst, size_t nbytes)
{
	return coll_begin(coll_named("bsp_iexchange",
				     coll_data(GOAL_EXCHANGE, site, 0, src, dst, nbytes)));
}

bsp_request (bsp_iexchange)(const void *src, void *dst, size_t nbytes)
{
	return bsp_iexchange_at(NULL, src, dst, nbytes);
}

/* ---- Folds ----------------------------------------------------------------------------- */

void bsp_reduce_at(const char *site, int pid, int op, int type, const void *src, void *dst,
		   size_t n)
{
	coll_do(coll_named("bsp_reduce",
			   coll_typed(GOAL_REDUCE, site, pid, op, type, src, dst, n)));
}

void (bsp_reduce)(int pid, int op, int type, const void *src, void *dst, size_t n)
{
	bsp_reduce_at(NULL, pid, op, type, src, dst, n);
}

bsp_request bsp_ireduce_at(const char *site, int pid, int op, int type, const void *src,
			   void *dst, size_t n)
{
	return coll_begin(coll_named("bsp_ireduce",
				     coll_typed(GOAL_REDUCE, site, pid, op, type, src, dst, n)));
}

bsp_request (bsp_ireduce)(int pid, int op, int type, const void *src, void *dst, size_t n)
{
	return bsp_ireduce_at(NULL, pid, op, type, src, dst, n);
}

void bsp_allreduce_at(const char *site, int op, int type, const void *src, void *dst, size_t n)
{
	coll_do(coll_named("bsp_allreduce",
			   coll_typed(GOAL_ALLREDUCE, site, 0, op, type, src, dst, n)));
}

void (bsp_allreduce)(int op, int type, const void *src, void *dst, size_t n)
{
	bsp_allreduce_at(NULL, op, type, src, dst, n);
}

bsp_request bsp_iallreduce_at(const char *site, int op, int type, const void *src, void *dst,
			      size_t n)
{
	return coll_begin(coll_named("bsp_iallreduce",
		coll_typed(GOAL_ALLREDUCE, site, 0, op, type, src, dst, n)));
}

bsp_request (bsp_iallreduce)(int op, int type, const void *src, void *dst, size_t n)
{
	return bsp_iallreduce_at(NULL, op, type, src, dst, n);
}

void bsp_prefix_at(const char *site, int op, int type, const void *src, void *dst, size_t n)
{
	coll_do(coll_named("bsp_prefix", coll_typed(GOAL_SCAN, site, 0, op, type, src, dst, n)));
}

void (bsp_prefix)(int op, int type, const void *src, void *dst, size_t n)
{
	bsp_prefix_at(NULL, op, type, src, dst, n);
}

bsp_request bsp_iprefix_at(const char *site, int op, int type, const void *src, void *dst,
			   size_t n)
{
	return coll_begin(coll_named("bsp_iprefix",
				     coll_typed(GOAL_SCAN, site, 0, op, type, src, dst, n)));
}

bsp_request (bsp_iprefix)(int op, int type, const void *src, void *dst, size_t n)
{
	return bsp_iprefix_at(NULL, op, type, src, dst, n);
}

void bsp_fold_at(const char *site, bsp_op *op, const void *src, void *dst, size_t nbytes)
{
	coll_do(coll_named("bsp_fold", coll_folded(GOAL_ALLREDUCE, site, op, src, dst, nbytes)));
}

void (bsp_fold)(bsp_op *op, const void *src, void *dst, size_t nbytes)
{
	bsp_fold_at(NULL, op, src, dst, nbytes);
}

bsp_request bsp_ifold_at(const char *site, bsp_op *op, const void *src, void *dst, size_t nbytes)
{
	return coll_begin(coll_named("bsp_ifold",
				     coll_folded(GOAL_ALLREDUCE, site, op, src, dst, nbytes)));
}

bsp_request (bsp_ifold)(bsp_op *op, const void *src, void *dst, size_t nbytes)
{
	return bsp_ifold_at(NULL, op, src, dst, nbytes);
}

void bsp_scan_at(const char *site, bsp_op *op, const void *src, void *dst, size_t nbytes)
{
	coll_do(coll_named("bsp_scan", coll_folded(GOAL_SCAN, site, op, src, dst, nbytes)));
}

void (bsp_scan)(bsp_op *op, const void *src, void *dst, size_t nbytes)
{
	bsp_scan_at(NULL, op, src, dst, nbytes);
}

bsp_request bsp_iscan_at(const char *site, bsp_op *op, const void *src, void *dst, size_t nbytes)
{
	return coll_begin(coll_named("bsp_iscan",
				     coll_folded(GOAL_SCAN, site, op, src, dst, nbytes)));
}

bsp_request (bsp_iscan)(bsp_op *op, const void *src, void *dst, size_t nbytes)
{
	return bsp_iscan_at(NULL, op, src, dst, nbytes);
}

/* ---- Under way ------------------------------------------------------------------------- */

int bsp_test_at(const char *site, bsp_request *r)
{
	bool over;

	bspi_enter();
	over = bspi_request_test(site, r);
	bspi_leave();
	return over;
}

int (bsp_test)(bsp_request *r)
{
	return bsp_test_at(NULL, r);
}

void bsp_wait_at(const char *site, bsp_request *r)
{
	bspi_enter();
	bspi_request_wait(site, r);
	bspi_leave();
}

void (bsp_wait)(bsp_request *r)
{
	bsp_wait_at(NULL, r);
}
