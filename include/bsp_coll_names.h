/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_coll_names.h - the names of bsp_coll.h with their call sites; not for users. */

/* Included by bsp_coll.h after its prototypes, as bsp_names.h by bsp.h. */
#ifndef BSP_COLL_NAMES_H
#define BSP_COLL_NAMES_H

BSP_BEGIN
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

void bsp_bcast_at(const char *site, int pid, const void *src, void *dst, size_t nbytes);
void bsp_gather_at(const char *site, int pid, const void *src, void *dst, size_t nbytes);
void bsp_scatter_at(const char *site, int pid, const void *src, void *dst, size_t nbytes);
void bsp_allgather_at(const char *site, const void *src, void *dst, size_t nbytes);
void bsp_exchange_at(const char *site, const void *src, void *dst, size_t nbytes);
void bsp_gatherv_at(const char *site, int pid, const void *src, size_t nbytes, void *dst,
	const size_t *sizes, const size_t *offsets);
void bsp_scatterv_at(const char *site, int pid, const void *src, const size_t *sizes, const
	size_t *offsets, void *dst, size_t nbytes);
void bsp_allgatherv_at(const char *site, const void *src, size_t nbytes, void *dst, const
	size_t *sizes, const size_t *offsets);
void bsp_exchangev_at(const char *site, const void *src, const size_t *ssizes, const size_t
	*soffsets, void *dst, const size_t *rsizes, const size_t *roffsets);
void bsp_reduce_scatter_at(const char *site, int op, int type, const void *src, void *dst,
	const size_t *counts);
void bsp_neighbor_exchange_at(const char *site, int n, const int *pids, const void *src, void *dst,
	size_t nbytes);
void bsp_reduce_at(const char *site, int pid, int op, int type, const void *src, void *dst,
	size_t n);
void bsp_allreduce_at(const char *site, int op, int type, const void *src, void *dst, size_t n);
void bsp_prefix_at(const char *site, int op, int type, const void *src, void *dst, size_t n);
void bsp_fold_at(const char *site, bsp_op *op, const void *src, void *dst, size_t nbytes);
void bsp_scan_at(const char *site, bsp_op *op, const void *src, void *dst, size_t nbytes);
bsp_request bsp_ibcast_at(const char *site, int pid, const void *src, void *dst, size_t nbytes);
bsp_request bsp_igather_at(const char *site, int pid, const void *src, void *dst, size_t nbytes);
bsp_request bsp_iscatter_at(const char *site, int pid, const void *src, void *dst, size_t nbytes);
bsp_request bsp_iallgather_at(const char *site, const void *src, void *dst, size_t nbytes);
bsp_request bsp_iexchange_at(const char *site, const void *src, void *dst, size_t nbytes);
bsp_request bsp_igatherv_at(const char *site, int pid, const void *src, size_t nbytes, void
	*dst, const size_t *sizes, const size_t *offsets);
bsp_request bsp_iscatterv_at(const char *site, int pid, const void *src, const size_t
	*sizes, const size_t *offsets, void *dst, size_t nbytes);
bsp_request bsp_iallgatherv_at(const char *site, const void *src, size_t nbytes, void *dst,
	const size_t *sizes, const size_t *offsets);
bsp_request bsp_iexchangev_at(const char *site, const void *src, const size_t *ssizes, const
	size_t *soffsets, void *dst, const size_t *rsizes, const size_t *roffsets);
bsp_request bsp_ireduce_scatter_at(const char *site, int op, int type, const void *src, void
	*dst, const size_t *counts);
bsp_request bsp_ineighbor_exchange_at(const char *site, int n, const int *pids, const void *src,
	void *dst, size_t nbytes);
bsp_request bsp_ireduce_at(const char *site, int pid, int op, int type, const void *src,
	void *dst, size_t n);
bsp_request bsp_iallreduce_at(const char *site, int op, int type, const void *src, void *dst,
	size_t n);
bsp_request bsp_iprefix_at(const char *site, int op, int type, const void *src, void *dst,
	size_t n);
bsp_request bsp_ifold_at(const char *site, bsp_op *op, const void *src, void *dst, size_t nbytes);
bsp_request bsp_iscan_at(const char *site, bsp_op *op, const void *src, void *dst, size_t nbytes);
int bsp_test_at(const char *site, bsp_request *r);
void bsp_wait_at(const char *site, bsp_request *r);
int bsp_all_at(const char *site, int x);
int bsp_any_at(const char *site, int x);
int bsp_constantI_at(const char *site, int x);
/* The fold of one number on all processes, or on those up to this one, for @call. */
int bsp_numberI_at(const char *site, const char *call, int op, int x);
int bsp_numberI_prefix_at(const char *site, const char *call, int op, int x);
float bsp_numberR_at(const char *site, const char *call, int op, float x);
float bsp_numberR_prefix_at(const char *site, const char *call, int op, float x);
double bsp_numberD_at(const char *site, const char *call, int op, double x);
double bsp_numberD_prefix_at(const char *site, const char *call, int op, double x);
void bsp_sort_at(const char *site, int (*less)(void *, void *, int *), const void *src, void *dst,
	size_t nbytes);
int bsp_sortI_at(const char *site, int x);
float bsp_sortR_at(const char *site, float x);
double bsp_sortD_at(const char *site, double x);
char bsp_sortC_at(const char *site, char x);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
BSP_END

#ifdef BSP_NO_CALL_SITES

#elif !defined(__cplusplus)

#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wvariadic-macros"	/* C89 has none, compilers for it have */
#endif
#define bsp_bcast(...) BSP_RETURNS(bsp_bcast_at(BSP_SITE, __VA_ARGS__))
#define bsp_gather(...) BSP_RETURNS(bsp_gather_at(BSP_SITE, __VA_ARGS__))
#define bsp_scatter(...) BSP_RETURNS(bsp_scatter_at(BSP_SITE, __VA_ARGS__))
#define bsp_allgather(...) BSP_RETURNS(bsp_allgather_at(BSP_SITE, __VA_ARGS__))
#define bsp_exchange(...) BSP_RETURNS(bsp_exchange_at(BSP_SITE, __VA_ARGS__))
#define bsp_gatherv(...) BSP_RETURNS(bsp_gatherv_at(BSP_SITE, __VA_ARGS__))
#define bsp_scatterv(...) BSP_RETURNS(bsp_scatterv_at(BSP_SITE, __VA_ARGS__))
#define bsp_allgatherv(...) BSP_RETURNS(bsp_allgatherv_at(BSP_SITE, __VA_ARGS__))
#define bsp_exchangev(...) BSP_RETURNS(bsp_exchangev_at(BSP_SITE, __VA_ARGS__))
#define bsp_reduce_scatter(...) BSP_RETURNS(bsp_reduce_scatter_at(BSP_SITE, __VA_ARGS__))
#define bsp_neighbor_exchange(...) BSP_RETURNS(bsp_neighbor_exchange_at(BSP_SITE, __VA_ARGS__))
#define bsp_reduce(...) BSP_RETURNS(bsp_reduce_at(BSP_SITE, __VA_ARGS__))
#define bsp_allreduce(...) BSP_RETURNS(bsp_allreduce_at(BSP_SITE, __VA_ARGS__))
#define bsp_prefix(...) BSP_RETURNS(bsp_prefix_at(BSP_SITE, __VA_ARGS__))
#define bsp_fold(...) BSP_RETURNS(bsp_fold_at(BSP_SITE, __VA_ARGS__))
#define bsp_scan(...) BSP_RETURNS(bsp_scan_at(BSP_SITE, __VA_ARGS__))
#define bsp_ibcast(...) bsp_returned_request(bsp_ibcast_at(BSP_SITE, __VA_ARGS__))
#define bsp_igather(...) bsp_returned_request(bsp_igather_at(BSP_SITE, __VA_ARGS__))
#define bsp_iscatter(...) bsp_returned_request(bsp_iscatter_at(BSP_SITE, __VA_ARGS__))
#define bsp_iallgather(...) bsp_returned_request(bsp_iallgather_at(BSP_SITE, __VA_ARGS__))
#define bsp_iexchange(...) bsp_returned_request(bsp_iexchange_at(BSP_SITE, __VA_ARGS__))
#define bsp_igatherv(...) bsp_returned_request(bsp_igatherv_at(BSP_SITE, __VA_ARGS__))
#define bsp_iscatterv(...) bsp_returned_request(bsp_iscatterv_at(BSP_SITE, __VA_ARGS__))
#define bsp_iallgatherv(...) bsp_returned_request(bsp_iallgatherv_at(BSP_SITE, __VA_ARGS__))
#define bsp_iexchangev(...) bsp_returned_request(bsp_iexchangev_at(BSP_SITE, __VA_ARGS__))
#define bsp_ireduce_scatter(...) bsp_returned_request(bsp_ireduce_scatter_at(BSP_SITE, __VA_ARGS__))
#define bsp_ineighbor_exchange(...) \
	bsp_returned_request(bsp_ineighbor_exchange_at(BSP_SITE, __VA_ARGS__))
#define bsp_ireduce(...) bsp_returned_request(bsp_ireduce_at(BSP_SITE, __VA_ARGS__))
#define bsp_iallreduce(...) bsp_returned_request(bsp_iallreduce_at(BSP_SITE, __VA_ARGS__))
#define bsp_iprefix(...) bsp_returned_request(bsp_iprefix_at(BSP_SITE, __VA_ARGS__))
#define bsp_ifold(...) bsp_returned_request(bsp_ifold_at(BSP_SITE, __VA_ARGS__))
#define bsp_iscan(...) bsp_returned_request(bsp_iscan_at(BSP_SITE, __VA_ARGS__))
#define bsp_test(...) bsp_returned_int(bsp_test_at(BSP_SITE, __VA_ARGS__))
#define bsp_wait(...) BSP_RETURNS(bsp_wait_at(BSP_SITE, __VA_ARGS__))
#define bsp_all(...) bsp_returned_int(bsp_all_at(BSP_SITE, __VA_ARGS__))
#define bsp_any(...) bsp_returned_int(bsp_any_at(BSP_SITE, __VA_ARGS__))
#define bsp_constantI(...) bsp_returned_int(bsp_constantI_at(BSP_SITE, __VA_ARGS__))
#define bsp_sumI(...) bsp_returned_int(bsp_numberI_at(BSP_SITE, "bsp_sumI", BSP_SUM, __VA_ARGS__))
#define bsp_sumR(...) bsp_returned_float(bsp_numberR_at(BSP_SITE, "bsp_sumR", BSP_SUM, __VA_ARGS__))
#define bsp_sumD(...) \
	bsp_returned_double(bsp_numberD_at(BSP_SITE, "bsp_sumD", BSP_SUM, __VA_ARGS__))
#define bsp_productI(...) \
	bsp_returned_int(bsp_numberI_at(BSP_SITE, "bsp_productI", BSP_PROD, __VA_ARGS__))
#define bsp_productR(...) \
	bsp_returned_float(bsp_numberR_at(BSP_SITE, "bsp_productR", BSP_PROD, __VA_ARGS__))
#define bsp_productD(...) \
	bsp_returned_double(bsp_numberD_at(BSP_SITE, "bsp_productD", BSP_PROD, __VA_ARGS__))
#define bsp_maxI(...) bsp_returned_int(bsp_numberI_at(BSP_SITE, "bsp_maxI", BSP_MAX, __VA_ARGS__))
#define bsp_maxR(...) bsp_returned_float(bsp_numberR_at(BSP_SITE, "bsp_maxR", BSP_MAX, __VA_ARGS__))
#define bsp_maxD(...) \
	bsp_returned_double(bsp_numberD_at(BSP_SITE, "bsp_maxD", BSP_MAX, __VA_ARGS__))
#define bsp_minI(...) bsp_returned_int(bsp_numberI_at(BSP_SITE, "bsp_minI", BSP_MIN, __VA_ARGS__))
#define bsp_minR(...) bsp_returned_float(bsp_numberR_at(BSP_SITE, "bsp_minR", BSP_MIN, __VA_ARGS__))
#define bsp_minD(...) \
	bsp_returned_double(bsp_numberD_at(BSP_SITE, "bsp_minD", BSP_MIN, __VA_ARGS__))
#define bsp_sumI_prefix(...) \
	bsp_returned_int(bsp_numberI_prefix_at(BSP_SITE, "bsp_sumI_prefix", BSP_SUM, __VA_ARGS__))
#define bsp_sumR_prefix(...) \
	bsp_returned_float(bsp_numberR_prefix_at(BSP_SITE, "bsp_sumR_prefix", BSP_SUM, __VA_ARGS__))
#define bsp_sumD_prefix(...) \
	bsp_returned_double( \
		bsp_numberD_prefix_at(BSP_SITE, "bsp_sumD_prefix", BSP_SUM, __VA_ARGS__))
#define bsp_productI_prefix(...) \
	bsp_returned_int( \
		bsp_numberI_prefix_at(BSP_SITE, "bsp_productI_prefix", BSP_PROD, __VA_ARGS__))
#define bsp_productR_prefix(...) \
	bsp_returned_float( \
		bsp_numberR_prefix_at(BSP_SITE, "bsp_productR_prefix", BSP_PROD, __VA_ARGS__))
#define bsp_productD_prefix(...) \
	bsp_returned_double( \
		bsp_numberD_prefix_at(BSP_SITE, "bsp_productD_prefix", BSP_PROD, __VA_ARGS__))
#define bsp_maxI_prefix(...) \
	bsp_returned_int(bsp_numberI_prefix_at(BSP_SITE, "bsp_maxI_prefix", BSP_MAX, __VA_ARGS__))
#define bsp_maxR_prefix(...) \
	bsp_returned_float(bsp_numberR_prefix_at(BSP_SITE, "bsp_maxR_prefix", BSP_MAX, __VA_ARGS__))
#define bsp_maxD_prefix(...) \
	bsp_returned_double( \
		bsp_numberD_prefix_at(BSP_SITE, "bsp_maxD_prefix", BSP_MAX, __VA_ARGS__))
#define bsp_minI_prefix(...) \
	bsp_returned_int(bsp_numberI_prefix_at(BSP_SITE, "bsp_minI_prefix", BSP_MIN, __VA_ARGS__))
#define bsp_minR_prefix(...) \
	bsp_returned_float(bsp_numberR_prefix_at(BSP_SITE, "bsp_minR_prefix", BSP_MIN, __VA_ARGS__))
#define bsp_minD_prefix(...) \
	bsp_returned_double( \
		bsp_numberD_prefix_at(BSP_SITE, "bsp_minD_prefix", BSP_MIN, __VA_ARGS__))
#define bsp_sort(...) BSP_RETURNS(bsp_sort_at(BSP_SITE, __VA_ARGS__))
#define bsp_sortI(...) bsp_returned_int(bsp_sortI_at(BSP_SITE, __VA_ARGS__))
#define bsp_sortR(...) bsp_returned_float(bsp_sortR_at(BSP_SITE, __VA_ARGS__))
#define bsp_sortD(...) bsp_returned_double(bsp_sortD_at(BSP_SITE, __VA_ARGS__))
#define bsp_sortC(...) bsp_returned_char(bsp_sortC_at(BSP_SITE, __VA_ARGS__))
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

#else

extern "C++" {
BSP_CALL(bsp_bcast, bsp_bcast_at);
BSP_CALL(bsp_gather, bsp_gather_at);
BSP_CALL(bsp_scatter, bsp_scatter_at);
BSP_CALL(bsp_allgather, bsp_allgather_at);
BSP_CALL(bsp_exchange, bsp_exchange_at);
BSP_CALL(bsp_gatherv, bsp_gatherv_at);
BSP_CALL(bsp_scatterv, bsp_scatterv_at);
BSP_CALL(bsp_allgatherv, bsp_allgatherv_at);
BSP_CALL(bsp_exchangev, bsp_exchangev_at);
BSP_CALL(bsp_reduce_scatter, bsp_reduce_scatter_at);
BSP_CALL(bsp_neighbor_exchange, bsp_neighbor_exchange_at);
BSP_CALL(bsp_reduce, bsp_reduce_at);
BSP_CALL(bsp_allreduce, bsp_allreduce_at);
BSP_CALL(bsp_prefix, bsp_prefix_at);
BSP_CALL(bsp_fold, bsp_fold_at);
BSP_CALL(bsp_scan, bsp_scan_at);
BSP_CALL(bsp_ibcast, bsp_ibcast_at);
BSP_CALL(bsp_igather, bsp_igather_at);
BSP_CALL(bsp_iscatter, bsp_iscatter_at);
BSP_CALL(bsp_iallgather, bsp_iallgather_at);
BSP_CALL(bsp_iexchange, bsp_iexchange_at);
BSP_CALL(bsp_igatherv, bsp_igatherv_at);
BSP_CALL(bsp_iscatterv, bsp_iscatterv_at);
BSP_CALL(bsp_iallgatherv, bsp_iallgatherv_at);
BSP_CALL(bsp_iexchangev, bsp_iexchangev_at);
BSP_CALL(bsp_ireduce_scatter, bsp_ireduce_scatter_at);
BSP_CALL(bsp_ineighbor_exchange, bsp_ineighbor_exchange_at);
BSP_CALL(bsp_ireduce, bsp_ireduce_at);
BSP_CALL(bsp_iallreduce, bsp_iallreduce_at);
BSP_CALL(bsp_iprefix, bsp_iprefix_at);
BSP_CALL(bsp_ifold, bsp_ifold_at);
BSP_CALL(bsp_iscan, bsp_iscan_at);
BSP_CALL(bsp_test, bsp_test_at);
BSP_CALL(bsp_wait, bsp_wait_at);
BSP_CALL(bsp_all, bsp_all_at);
BSP_CALL(bsp_any, bsp_any_at);
BSP_CALL(bsp_constantI, bsp_constantI_at);
BSP_NUMBER_CALL(int, bsp_sumI, bsp_numberI_at, BSP_SUM);
BSP_NUMBER_CALL(float, bsp_sumR, bsp_numberR_at, BSP_SUM);
BSP_NUMBER_CALL(double, bsp_sumD, bsp_numberD_at, BSP_SUM);
BSP_NUMBER_CALL(int, bsp_productI, bsp_numberI_at, BSP_PROD);
BSP_NUMBER_CALL(float, bsp_productR, bsp_numberR_at, BSP_PROD);
BSP_NUMBER_CALL(double, bsp_productD, bsp_numberD_at, BSP_PROD);
BSP_NUMBER_CALL(int, bsp_maxI, bsp_numberI_at, BSP_MAX);
BSP_NUMBER_CALL(float, bsp_maxR, bsp_numberR_at, BSP_MAX);
BSP_NUMBER_CALL(double, bsp_maxD, bsp_numberD_at, BSP_MAX);
BSP_NUMBER_CALL(int, bsp_minI, bsp_numberI_at, BSP_MIN);
BSP_NUMBER_CALL(float, bsp_minR, bsp_numberR_at, BSP_MIN);
BSP_NUMBER_CALL(double, bsp_minD, bsp_numberD_at, BSP_MIN);
BSP_NUMBER_CALL(int, bsp_sumI_prefix, bsp_numberI_prefix_at, BSP_SUM);
BSP_NUMBER_CALL(float, bsp_sumR_prefix, bsp_numberR_prefix_at, BSP_SUM);
BSP_NUMBER_CALL(double, bsp_sumD_prefix, bsp_numberD_prefix_at, BSP_SUM);
BSP_NUMBER_CALL(int, bsp_productI_prefix, bsp_numberI_prefix_at, BSP_PROD);
BSP_NUMBER_CALL(float, bsp_productR_prefix, bsp_numberR_prefix_at, BSP_PROD);
BSP_NUMBER_CALL(double, bsp_productD_prefix, bsp_numberD_prefix_at, BSP_PROD);
BSP_NUMBER_CALL(int, bsp_maxI_prefix, bsp_numberI_prefix_at, BSP_MAX);
BSP_NUMBER_CALL(float, bsp_maxR_prefix, bsp_numberR_prefix_at, BSP_MAX);
BSP_NUMBER_CALL(double, bsp_maxD_prefix, bsp_numberD_prefix_at, BSP_MAX);
BSP_NUMBER_CALL(int, bsp_minI_prefix, bsp_numberI_prefix_at, BSP_MIN);
BSP_NUMBER_CALL(float, bsp_minR_prefix, bsp_numberR_prefix_at, BSP_MIN);
BSP_NUMBER_CALL(double, bsp_minD_prefix, bsp_numberD_prefix_at, BSP_MIN);
BSP_CALL(bsp_sort, bsp_sort_at);
BSP_CALL(bsp_sortI, bsp_sortI_at);
BSP_CALL(bsp_sortR, bsp_sortR_at);
BSP_CALL(bsp_sortD, bsp_sortD_at);
BSP_CALL(bsp_sortC, bsp_sortC_at);
}

#endif

#endif
