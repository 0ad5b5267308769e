// SPDX-License-Identifier: BSD-3-Clause
/* bspf_coll.c - collective operations as module bsp_coll calls them. */

#include "fortran/bspf.h"

#include <bsp_coll.h>

/* ---- Blocking ------------------------------------------------------------ */

static void coll_bcast(const char *site, int pid, const CFI_cdesc_t *src,
		       const CFI_cdesc_t *dst, size_t nbytes)
{
	bsp_bcast_at(site, pid, bspf_area(site, "bsp_bcast", "src", src),
		     bspf_area(site, "bsp_bcast", "dst", dst), nbytes);
}

void bspf_bcast(int pid, const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int nbytes)
{
	coll_bcast(SITE, pid, src, dst, nbytes);
}

void bspf_bcast8(int pid, const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int64_t nbytes)
{
	coll_bcast(SITE, pid, src, dst, nbytes);
}

static void coll_gather(const char *site, int pid, const CFI_cdesc_t *src,
			const CFI_cdesc_t *dst, size_t nbytes)
{
	bsp_gather_at(site, pid, bspf_area(site, "bsp_gather", "src", src),
		      bspf_area(site, "bsp_gather", "dst", dst), nbytes);
}

void bspf_gather(int pid, const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int nbytes)
{
	coll_gather(SITE, pid, src, dst, nbytes);
}

void bspf_gather8(int pid, const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int64_t nbytes)
{
	coll_gather(SITE, pid, src, dst, nbytes);
}

static void coll_scatter(const char *site, int pid, const CFI_cdesc_t *src,
			 const CFI_cdesc_t *dst, size_t nbytes)
{
	bsp_scatter_at(site, pid, bspf_area(site, "bsp_scatter", "src", src),
		       bspf_area(site, "bsp_scatter", "dst", dst), nbytes);
}

void bspf_scatter(int pid, const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int nbytes)
{
	coll_scatter(SITE, pid, src, dst, nbytes);
}

void bspf_scatter8(int pid, const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int64_t nbytes)
{
	coll_scatter(SITE, pid, src, dst, nbytes);
}

static void coll_allgather(const char *site, const CFI_cdesc_t *src, const CFI_cdesc_t *dst,
			   size_t nbytes)
{
	bsp_allgather_at(site, bspf_area(site, "bsp_allgather", "src", src),
			 bspf_area(site, "bsp_allgather", "dst", dst), nbytes);
}

void bspf_allgather(const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int nbytes)
{
	coll_allgather(SITE, src, dst, nbytes);
}

void bspf_allgather8(const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int64_t nbytes)
{
	coll_allgather(SITE, src, dst, nbytes);
}

static void coll_exchange(const char *site, const CFI_cdesc_t *src, const CFI_cdesc_t *dst,
			  size_t nbytes)
{
	bsp_exchange_at(site, bspf_area(site, "bsp_exchange", "src", src),
			bspf_area(site, "bsp_exchange", "dst", dst), nbytes);
}

void bspf_exchange(const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int nbytes)
{
	coll_exchange(SITE, src, dst, nbytes);
}

void bspf_exchange8(const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int64_t nbytes)
{
	coll_exchange(SITE, src, dst, nbytes);
}

static void coll_reduce(const char *site, int pid, int op, int type, const CFI_cdesc_t *src,
			const CFI_cdesc_t *dst, size_t n)
{
	bsp_reduce_at(site, pid, op, type, bspf_area(site, "bsp_reduce", "src", src),
		      bspf_area(site, "bsp_reduce", "dst", dst), n);
}

void bspf_reduce(int pid, int op, int type, const CFI_cdesc_t *src, const CFI_cdesc_t *dst,
		 int n)
{
	coll_reduce(SITE, pid, op, type, src, dst, n);
}

void bspf_reduce8(int pid, int op, int type, const CFI_cdesc_t *src, const CFI_cdesc_t *dst,
		  int64_t n)
{
	coll_reduce(SITE, pid, op, type, src, dst, n);
}

static void coll_allreduce(const char *site, int op, int type, const CFI_cdesc_t *src,
			   const CFI_cdesc_t *dst, size_t n)
{
	bsp_allreduce_at(site, op, type, bspf_area(site, "bsp_allreduce", "src", src),
			 bspf_area(site, "bsp_allreduce", "dst", dst), n);
}

void bspf_allreduce(int op, int type, const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int n)
{
	coll_allreduce(SITE, op, type, src, dst, n);
}

void bspf_allreduce8(int op, int type, const CFI_cdesc_t *src, const CFI_cdesc_t *dst,
		     int64_t n)
{
	coll_allreduce(SITE, op, type, src, dst, n);
}

static void coll_prefix(const char *site, int op, int type, const CFI_cdesc_t *src,
			const CFI_cdesc_t *dst, size_t n)
{
	bsp_prefix_at(site, op, type, bspf_area(site, "bsp_prefix", "src", src),
		      bspf_area(site, "bsp_prefix", "dst", dst), n);
}

void bspf_prefix(int op, int type, const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int n)
{
	coll_prefix(SITE, op, type, src, dst, n);
}

void bspf_prefix8(int op, int type, const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int64_t n)
{
	coll_prefix(SITE, op, type, src, dst, n);
}

void bspf_gatherv(int pid, const CFI_cdesc_t *src, size_t nbytes, const CFI_cdesc_t *dst,
		  const size_t *sizes, const size_t *offsets)
{
	bsp_gatherv_at(SITE, pid, bspf_area(SITE, "bsp_gatherv", "src", src), nbytes,
		       bspf_area(SITE, "bsp_gatherv", "dst", dst), sizes, offsets);
}

void bspf_scatterv(int pid, const CFI_cdesc_t *src, const size_t *sizes, const size_t *offsets,
		   const CFI_cdesc_t *dst, size_t nbytes)
{
	bsp_scatterv_at(SITE, pid, bspf_area(SITE, "bsp_scatterv", "src", src), sizes, offsets,
			bspf_area(SITE, "bsp_scatterv", "dst", dst), nbytes);
}

void bspf_allgatherv(const CFI_cdesc_t *src, size_t nbytes, const CFI_cdesc_t *dst,
		     const size_t *sizes, const size_t *offsets)
{
	bsp_allgatherv_at(SITE, bspf_area(SITE, "bsp_allgatherv", "src", src), nbytes,
			  bspf_area(SITE, "bsp_allgatherv", "dst", dst), sizes, offsets);
}

void bspf_exchangev(const CFI_cdesc_t *src, const size_t *ssizes, const size_t *soffsets,
		    const CFI_cdesc_t *dst, const size_t *rsizes, const size_t *roffsets)
{
	bsp_exchangev_at(SITE, bspf_area(SITE, "bsp_exchangev", "src", src), ssizes, soffsets,
			 bspf_area(SITE, "bsp_exchangev", "dst", dst), rsizes, roffsets);
}

void bspf_reduce_scatter(int op, int type, const CFI_cdesc_t *src, const CFI_cdesc_t *dst,
			 const size_t *counts)
{
	bsp_reduce_scatter_at(SITE, op, type, bspf_area(SITE, "bsp_reduce_scatter", "src", src),
			      bspf_area(SITE, "bsp_reduce_scatter", "dst", dst), counts);
}

static void coll_neighbor_exchange(const char *site, int n, const int *pids,
				   const CFI_cdesc_t *src, const CFI_cdesc_t *dst,
				   size_t nbytes)
{
	bsp_neighbor_exchange_at(site, n, pids,
				 bspf_area(site, "bsp_neighbor_exchange", "src", src),
				 bspf_area(site, "bsp_neighbor_exchange", "dst", dst), nbytes);
}

void bspf_neighbor_exchange(int n, const int *pids, const CFI_cdesc_t *src,
			    const CFI_cdesc_t *dst, int nbytes)
{
	coll_neighbor_exchange(SITE, n, pids, src, dst, nbytes);
}

void bspf_neighbor_exchange8(int n, const int *pids, const CFI_cdesc_t *src,
			     const CFI_cdesc_t *dst, int64_t nbytes)
{
	coll_neighbor_exchange(SITE, n, pids, src, dst, nbytes);
}

/* ---- Nonblocking ------------------------------------------------------------ */

static bsp_request coll_ibcast(const char *site, int pid, const CFI_cdesc_t *src,
			       const CFI_cdesc_t *dst, size_t nbytes)
{
	return bsp_ibcast_at(site, pid, bspf_area(site, "bsp_ibcast", "src", src),
			     bspf_area(site, "bsp_ibcast", "dst", dst), nbytes);
}

bsp_request bspf_ibcast(int pid, const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int nbytes)
{
	return coll_ibcast(SITE, pid, src, dst, nbytes);
}

bsp_request bspf_ibcast8(int pid, const CFI_cdesc_t *src, const CFI_cdesc_t *dst,
			 int64_t nbytes)
{
	return coll_ibcast(SITE, pid, src, dst, nbytes);
}

static bsp_request coll_igather(const char *site, int pid, const CFI_cdesc_t *src,
				const CFI_cdesc_t *dst, size_t nbytes)
{
	return bsp_igather_at(site, pid, bspf_area(site, "bsp_igather", "src", src),
			      bspf_area(site, "bsp_igather", "dst", dst), nbytes);
}

bsp_request bspf_igather(int pid, const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int nbytes)
{
	return coll_igather(SITE, pid, src, dst, nbytes);
}

bsp_request bspf_igather8(int pid, const CFI_cdesc_t *src, const CFI_cdesc_t *dst,
			  int64_t nbytes)
{
	return coll_igather(SITE, pid, src, dst, nbytes);
}

static bsp_request coll_iscatter(const char *site, int pid, const CFI_cdesc_t *src,
				 const CFI_cdesc_t *dst, size_t nbytes)
{
	return bsp_iscatter_at(site, pid, bspf_area(site, "bsp_iscatter", "src", src),
			       bspf_area(site, "bsp_iscatter", "dst", dst), nbytes);
}

bsp_request bspf_iscatter(int pid, const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int nbytes)
{
	return coll_iscatter(SITE, pid, src, dst, nbytes);
}

bsp_request bspf_iscatter8(int pid, const CFI_cdesc_t *src, const CFI_cdesc_t *dst,
			   int64_t nbytes)
{
	return coll_iscatter(SITE, pid, src, dst, nbytes);
}

static bsp_request coll_iallgather(const char *site, const CFI_cdesc_t *src,
				   const CFI_cdesc_t *dst, size_t nbytes)
{
	return bsp_iallgather_at(site, bspf_area(site, "bsp_iallgather", "src", src),
				 bspf_area(site, "bsp_iallgather", "dst", dst), nbytes);
}

bsp_request bspf_iallgather(const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int nbytes)
{
	return coll_iallgather(SITE, src, dst, nbytes);
}

bsp_request bspf_iallgather8(const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int64_t nbytes)
{
	return coll_iallgather(SITE, src, dst, nbytes);
}

static bsp_request coll_iexchange(const char *site, const CFI_cdesc_t *src,
				  const CFI_cdesc_t *dst, size_t nbytes)
{
	return bsp_iexchange_at(site, bspf_area(site, "bsp_iexchange", "src", src),
				bspf_area(site, "bsp_iexchange", "dst", dst), nbytes);
}

bsp_request bspf_iexchange(const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int nbytes)
{
	return coll_iexchange(SITE, src, dst, nbytes);
}

bsp_request bspf_iexchange8(const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int64_t nbytes)
{
	return coll_iexchange(SITE, src, dst, nbytes);
}

static bsp_request coll_ireduce(const char *site, int pid, int op, int type,
				const CFI_cdesc_t *src, const CFI_cdesc_t *dst, size_t n)
{
	return bsp_ireduce_at(site, pid, op, type, bspf_area(site, "bsp_ireduce", "src", src),
			      bspf_area(site, "bsp_ireduce", "dst", dst), n);
}

bsp_request bspf_ireduce(int pid, int op, int type, const CFI_cdesc_t *src,
			 const CFI_cdesc_t *dst, int n)
{
	return coll_ireduce(SITE, pid, op, type, src, dst, n);
}

bsp_request bspf_ireduce8(int pid, int op, int type, const CFI_cdesc_t *src,
			  const CFI_cdesc_t *dst, int64_t n)
{
	return coll_ireduce(SITE, pid, op, type, src, dst, n);
}

static bsp_request coll_iallreduce(const char *site, int op, int type, const CFI_cdesc_t *src,
				   const CFI_cdesc_t *dst, size_t n)
{
	return bsp_iallreduce_at(site, op, type, bspf_area(site, "bsp_iallreduce", "src", src),
				 bspf_area(site, "bsp_iallreduce", "dst", dst), n);
}

bsp_request bspf_iallreduce(int op, int type, const CFI_cdesc_t *src, const CFI_cdesc_t *dst,
			    int n)
{
	return coll_iallreduce(SITE, op, type, src, dst, n);
}

bsp_request bspf_iallreduce8(int op, int type, const CFI_cdesc_t *src, const CFI_cdesc_t *dst,
			     int64_t n)
{
	return coll_iallreduce(SITE, op, type, src, dst, n);
}

static bsp_request coll_iprefix(const char *site, int op, int type, const CFI_cdesc_t *src,
				const CFI_cdesc_t *dst, size_t n)
{
	return bsp_iprefix_at(site, op, type, bspf_area(site, "bsp_iprefix", "src", src),
			      bspf_area(site, "bsp_iprefix", "dst", dst), n);
}

bsp_request bspf_iprefix(int op, int type, const CFI_cdesc_t *src, const CFI_cdesc_t *dst,
			 int n)
{
	return coll_iprefix(SITE, op, type, src, dst, n);
}

bsp_request bspf_iprefix8(int op, int type, const CFI_cdesc_t *src, const CFI_cdesc_t *dst,
			  int64_t n)
{
	return coll_iprefix(SITE, op, type, src, dst, n);
}

bsp_request bspf_igatherv(int pid, const CFI_cdesc_t *src, size_t nbytes,
			  const CFI_cdesc_t *dst, const size_t *sizes, const size_t *offsets)
{
	return bsp_igatherv_at(SITE, pid, bspf_area(SITE, "bsp_igatherv", "src", src), nbytes,
			       bspf_area(SITE, "bsp_igatherv", "dst", dst), sizes, offsets);
}

bsp_request bspf_iscatterv(int pid, const CFI_cdesc_t *src, const size_t *sizes,
			   const size_t *offsets, const CFI_cdesc_t *dst, size_t nbytes)
{
	return bsp_iscatterv_at(SITE, pid, bspf_area(SITE, "bsp_iscatterv", "src", src), sizes,
				offsets, bspf_area(SITE, "bsp_iscatterv", "dst", dst), nbytes);
}

bsp_request bspf_iallgatherv(const CFI_cdesc_t *src, size_t nbytes, const CFI_cdesc_t *dst,
			     const size_t *sizes, const size_t *offsets)
{
	return bsp_iallgatherv_at(SITE, bspf_area(SITE, "bsp_iallgatherv", "src", src), nbytes,
				  bspf_area(SITE, "bsp_iallgatherv", "dst", dst), sizes,
				  offsets);
}

bsp_request bspf_iexchangev(const CFI_cdesc_t *src, const size_t *ssizes,
			    const size_t *soffsets, const CFI_cdesc_t *dst,
			    const size_t *rsizes, const size_t *roffsets)
{
	return bsp_iexchangev_at(SITE, bspf_area(SITE, "bsp_iexchangev", "src", src), ssizes,
				 soffsets, bspf_area(SITE, "bsp_iexchangev", "dst", dst),
				 rsizes, roffsets);
}

bsp_request bspf_ireduce_scatter(int op, int type, const CFI_cdesc_t *src,
				 const CFI_cdesc_t *dst, const size_t *counts)
{
	return bsp_ireduce_scatter_at(SITE, op, type,
				      bspf_area(SITE, "bsp_ireduce_scatter", "src", src),
				      bspf_area(SITE, "bsp_ireduce_scatter", "dst", dst),
				      counts);
}

static bsp_request coll_ineighbor_exchange(const char *site, int n, const int *pids,
					   const CFI_cdesc_t *src, const CFI_cdesc_t *dst,
					   size_t nbytes)
{
	return bsp_ineighbor_exchange_at(site, n, pids,
					 bspf_area(site, "bsp_ineighbor_exchange", "src", src),
					 bspf_area(site, "bsp_ineighbor_exchange", "dst", dst),
					 nbytes);
}

bsp_request bspf_ineighbor_exchange(int n, const int *pids, const CFI_cdesc_t *src,
				    const CFI_cdesc_t *dst, int nbytes)
{
	return coll_ineighbor_exchange(SITE, n, pids, src, dst, nbytes);
}

bsp_request bspf_ineighbor_exchange8(int n, const int *pids, const CFI_cdesc_t *src,
				     const CFI_cdesc_t *dst, int64_t nbytes)
{
	return coll_ineighbor_exchange(SITE, n, pids, src, dst, nbytes);
}

/* ---- One number of each process ----------------------------------------------------- */

int bspf_all(int x)
{
	return bsp_all_at(SITE, x);
}

int bspf_any(int x)
{
	return bsp_any_at(SITE, x);
}

int bspf_sumI(int x)
{
	return bsp_numberI_at(SITE, "bsp_sumI", BSP_SUM, x);
}

float bspf_sumR(float x)
{
	return bsp_numberR_at(SITE, "bsp_sumR", BSP_SUM, x);
}

double bspf_sumD(double x)
{
	return bsp_numberD_at(SITE, "bsp_sumD", BSP_SUM, x);
}

int bspf_sumI_prefix(int x)
{
	return bsp_numberI_prefix_at(SITE, "bsp_sumI_prefix", BSP_SUM, x);
}

float bspf_sumR_prefix(float x)
{
	return bsp_numberR_prefix_at(SITE, "bsp_sumR_prefix", BSP_SUM, x);
}

double bspf_sumD_prefix(double x)
{
	return bsp_numberD_prefix_at(SITE, "bsp_sumD_prefix", BSP_SUM, x);
}

int bspf_productI(int x)
{
	return bsp_numberI_at(SITE, "bsp_productI", BSP_PROD, x);
}

float bspf_productR(float x)
{
	return bsp_numberR_at(SITE, "bsp_productR", BSP_PROD, x);
}

double bspf_productD(double x)
{
	return bsp_numberD_at(SITE, "bsp_productD", BSP_PROD, x);
}

int bspf_productI_prefix(int x)
{
	return bsp_numberI_prefix_at(SITE, "bsp_productI_prefix", BSP_PROD, x);
}

float bspf_productR_prefix(float x)
{
	return bsp_numberR_prefix_at(SITE, "bsp_productR_prefix", BSP_PROD, x);
}

double bspf_productD_prefix(double x)
{
	return bsp_numberD_prefix_at(SITE, "bsp_productD_prefix", BSP_PROD, x);
}

int bspf_minI(int x)
{
	return bsp_numberI_at(SITE, "bsp_minI", BSP_MIN, x);
}

float bspf_minR(float x)
{
	return bsp_numberR_at(SITE, "bsp_minR", BSP_MIN, x);
}

double bspf_minD(double x)
{
	return bsp_numberD_at(SITE, "bsp_minD", BSP_MIN, x);
}

int bspf_minI_prefix(int x)
{
	return bsp_numberI_prefix_at(SITE, "bsp_minI_prefix", BSP_MIN, x);
}

float bspf_minR_prefix(float x)
{
	return bsp_numberR_prefix_at(SITE, "bsp_minR_prefix", BSP_MIN, x);
}

double bspf_minD_prefix(double x)
{
	return bsp_numberD_prefix_at(SITE, "bsp_minD_prefix", BSP_MIN, x);
}

int bspf_maxI(int x)
{
	return bsp_numberI_at(SITE, "bsp_maxI", BSP_MAX, x);
}

float bspf_maxR(float x)
{
	return bsp_numberR_at(SITE, "bsp_maxR", BSP_MAX, x);
}

double bspf_maxD(double x)
{
	return bsp_numberD_at(SITE, "bsp_maxD", BSP_MAX, x);
}

int bspf_maxI_prefix(int x)
{
	return bsp_numberI_prefix_at(SITE, "bsp_maxI_prefix", BSP_MAX, x);
}

float bspf_maxR_prefix(float x)
{
	return bsp_numberR_prefix_at(SITE, "bsp_maxR_prefix", BSP_MAX, x);
}

double bspf_maxD_prefix(double x)
{
	return bsp_numberD_prefix_at(SITE, "bsp_maxD_prefix", BSP_MAX, x);
}

int bspf_constantI(int x)
{
	return bsp_constantI_at(SITE, x);
}

int bspf_sortI(int x)
{
	return bsp_sortI_at(SITE, x);
}

float bspf_sortR(float x)
{
	return bsp_sortR_at(SITE, x);
}

double bspf_sortD(double x)
{
	return bsp_sortD_at(SITE, x);
}

/* gfortran 12 hands over a character that is computed, by value, as something else. */
char bspf_sortC(const char *x)
{
	return bsp_sortC_at(SITE, *x);
}

/* ---- Operators of the program; requests ----------------------------------------------- */

/* Their names are those that gfortran gives to procedures that are not bind(C). */

void bspfold_(bsp_op *op, const void *src, void *dst, const int *nbytes)
{
	bsp_fold_at(SITE, op, src, dst, *nbytes);
}

void bspscan_(bsp_op *op, const void *src, void *dst, const int *nbytes)
{
	bsp_scan_at(SITE, op, src, dst, *nbytes);
}

void bspsort_(int (*less)(void *, void *, int *), const void *src, void *dst, const int *nbytes)
{
	bsp_sort_at(SITE, less, src, dst, *nbytes);
}

bsp_request bspf_ifold(bsp_op *op, const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int nbytes)
{
	return bsp_ifold_at(SITE, op, bspf_area(SITE, "bsp_ifold", "src", src),
			    bspf_area(SITE, "bsp_ifold", "dst", dst), nbytes);
}

bsp_request bspf_iscan(bsp_op *op, const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int nbytes)
{
	return bsp_iscan_at(SITE, op, bspf_area(SITE, "bsp_iscan", "src", src),
			    bspf_area(SITE, "bsp_iscan", "dst", dst), nbytes);
}

void bspf_wait(bsp_request *request)
{
	bsp_wait_at(SITE, request);
}

/* As a default logical. */
int bspf_test(bsp_request *request)
{
	return bsp_test_at(SITE, request);
}
