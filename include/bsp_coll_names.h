/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_coll_names.h - how the names of bsp_coll.h reach the library; nothing here is to be read by users. */

/*
 * Every call carries its place, "file:line", for messages. The macros take arguments, so that &bsp_bcast and
 * (bsp_bcast)(...) name the plain functions, which do the same and do not know their place.
 */
#ifndef BSP_COLL_NAMES_H
#define BSP_COLL_NAMES_H

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

void bsp_bcast_at(const char *place, int pid, const void *src, void *dst, size_t nbytes);
void bsp_gather_at(const char *place, int pid, const void *src, void *dst, size_t nbytes);
void bsp_scatter_at(const char *place, int pid, const void *src, void *dst, size_t nbytes);
void bsp_allgather_at(const char *place, const void *src, void *dst, size_t nbytes);
void bsp_exchange_at(const char *place, const void *src, void *dst, size_t nbytes);
void bsp_reduce_at(const char *place, int pid, int op, int type, const void *src, void *dst,
	size_t n);
void bsp_allreduce_at(const char *place, int op, int type, const void *src, void *dst, size_t n);
void bsp_prefix_at(const char *place, int op, int type, const void *src, void *dst, size_t n);
void bsp_fold_at(const char *place, bsp_op *op, const void *src, void *dst, size_t nbytes);
void bsp_scan_at(const char *place, bsp_op *op, const void *src, void *dst, size_t nbytes);
bsp_request bsp_ibcast_at(const char *place, int pid, const void *src, void *dst, size_t nbytes);
bsp_request bsp_igather_at(const char *place, int pid, const void *src, void *dst, size_t nbytes);
bsp_request bsp_iscatter_at(const char *place, int pid, const void *src, void *dst, size_t nbytes);
bsp_request bsp_iallgather_at(const char *place, const void *src, void *dst, size_t nbytes);
bsp_request bsp_iexchange_at(const char *place, const void *src, void *dst, size_t nbytes);
bsp_request bsp_ireduce_at(const char *place, int pid, int op, int type, const void *src,
	void *dst, size_t n);
bsp_request bsp_iallreduce_at(const char *place, int op, int type, const void *src, void *dst,
	size_t n);
bsp_request bsp_iprefix_at(const char *place, int op, int type, const void *src, void *dst,
	size_t n);
bsp_request bsp_ifold_at(const char *place, bsp_op *op, const void *src, void *dst, size_t nbytes);
bsp_request bsp_iscan_at(const char *place, bsp_op *op, const void *src, void *dst, size_t nbytes);
int bsp_test_at(const char *place, bsp_request *r);
void bsp_wait_at(const char *place, bsp_request *r);
int bsp_all_at(const char *place, int x);
int bsp_any_at(const char *place, int x);
int bsp_constantI_at(const char *place, int x);
/* Of the fold of one number on all processes, or of those up to this one, for @call. */
int bsp_numberI_at(const char *place, const char *call, int op, int x);
int bsp_numberI_prefix_at(const char *place, const char *call, int op, int x);
float bsp_numberR_at(const char *place, const char *call, int op, float x);
float bsp_numberR_prefix_at(const char *place, const char *call, int op, float x);
double bsp_numberD_at(const char *place, const char *call, int op, double x);
double bsp_numberD_prefix_at(const char *place, const char *call, int op, double x);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#define bsp_bcast(a, b, c, d) bsp_bcast_at(BSP_PLACE, a, b, c, d)
#define bsp_gather(a, b, c, d) bsp_gather_at(BSP_PLACE, a, b, c, d)
#define bsp_scatter(a, b, c, d) bsp_scatter_at(BSP_PLACE, a, b, c, d)
#define bsp_allgather(a, b, c) bsp_allgather_at(BSP_PLACE, a, b, c)
#define bsp_exchange(a, b, c) bsp_exchange_at(BSP_PLACE, a, b, c)
#define bsp_reduce(a, b, c, d, e, f) bsp_reduce_at(BSP_PLACE, a, b, c, d, e, f)
#define bsp_allreduce(a, b, c, d, e) bsp_allreduce_at(BSP_PLACE, a, b, c, d, e)
#define bsp_prefix(a, b, c, d, e) bsp_prefix_at(BSP_PLACE, a, b, c, d, e)
#define bsp_fold(a, b, c, d) bsp_fold_at(BSP_PLACE, a, b, c, d)
#define bsp_scan(a, b, c, d) bsp_scan_at(BSP_PLACE, a, b, c, d)
#define bsp_ibcast(a, b, c, d) bsp_ibcast_at(BSP_PLACE, a, b, c, d)
#define bsp_igather(a, b, c, d) bsp_igather_at(BSP_PLACE, a, b, c, d)
#define bsp_iscatter(a, b, c, d) bsp_iscatter_at(BSP_PLACE, a, b, c, d)
#define bsp_iallgather(a, b, c) bsp_iallgather_at(BSP_PLACE, a, b, c)
#define bsp_iexchange(a, b, c) bsp_iexchange_at(BSP_PLACE, a, b, c)
#define bsp_ireduce(a, b, c, d, e, f) bsp_ireduce_at(BSP_PLACE, a, b, c, d, e, f)
#define bsp_iallreduce(a, b, c, d, e) bsp_iallreduce_at(BSP_PLACE, a, b, c, d, e)
#define bsp_iprefix(a, b, c, d, e) bsp_iprefix_at(BSP_PLACE, a, b, c, d, e)
#define bsp_ifold(a, b, c, d) bsp_ifold_at(BSP_PLACE, a, b, c, d)
#define bsp_iscan(a, b, c, d) bsp_iscan_at(BSP_PLACE, a, b, c, d)
#define bsp_test(a) bsp_test_at(BSP_PLACE, a)
#define bsp_wait(a) bsp_wait_at(BSP_PLACE, a)
#define bsp_all(a) bsp_all_at(BSP_PLACE, a)
#define bsp_any(a) bsp_any_at(BSP_PLACE, a)
#define bsp_constantI(a) bsp_constantI_at(BSP_PLACE, a)

#define bsp_sumI(a) bsp_numberI_at(BSP_PLACE, "bsp_sumI", BSP_SUM, a)
#define bsp_sumR(a) bsp_numberR_at(BSP_PLACE, "bsp_sumR", BSP_SUM, a)
#define bsp_sumD(a) bsp_numberD_at(BSP_PLACE, "bsp_sumD", BSP_SUM, a)
#define bsp_productI(a) bsp_numberI_at(BSP_PLACE, "bsp_productI", BSP_PROD, a)
#define bsp_productR(a) bsp_numberR_at(BSP_PLACE, "bsp_productR", BSP_PROD, a)
#define bsp_productD(a) bsp_numberD_at(BSP_PLACE, "bsp_productD", BSP_PROD, a)
#define bsp_maxI(a) bsp_numberI_at(BSP_PLACE, "bsp_maxI", BSP_MAX, a)
#define bsp_maxR(a) bsp_numberR_at(BSP_PLACE, "bsp_maxR", BSP_MAX, a)
#define bsp_maxD(a) bsp_numberD_at(BSP_PLACE, "bsp_maxD", BSP_MAX, a)
#define bsp_minI(a) bsp_numberI_at(BSP_PLACE, "bsp_minI", BSP_MIN, a)
#define bsp_minR(a) bsp_numberR_at(BSP_PLACE, "bsp_minR", BSP_MIN, a)
#define bsp_minD(a) bsp_numberD_at(BSP_PLACE, "bsp_minD", BSP_MIN, a)
#define bsp_sumI_prefix(a) bsp_numberI_prefix_at(BSP_PLACE, "bsp_sumI_prefix", BSP_SUM, a)
#define bsp_sumR_prefix(a) bsp_numberR_prefix_at(BSP_PLACE, "bsp_sumR_prefix", BSP_SUM, a)
#define bsp_sumD_prefix(a) bsp_numberD_prefix_at(BSP_PLACE, "bsp_sumD_prefix", BSP_SUM, a)
#define bsp_productI_prefix(a) bsp_numberI_prefix_at(BSP_PLACE, "bsp_productI_prefix", BSP_PROD, a)
#define bsp_productR_prefix(a) bsp_numberR_prefix_at(BSP_PLACE, "bsp_productR_prefix", BSP_PROD, a)
#define bsp_productD_prefix(a) bsp_numberD_prefix_at(BSP_PLACE, "bsp_productD_prefix", BSP_PROD, a)
#define bsp_maxI_prefix(a) bsp_numberI_prefix_at(BSP_PLACE, "bsp_maxI_prefix", BSP_MAX, a)
#define bsp_maxR_prefix(a) bsp_numberR_prefix_at(BSP_PLACE, "bsp_maxR_prefix", BSP_MAX, a)
#define bsp_maxD_prefix(a) bsp_numberD_prefix_at(BSP_PLACE, "bsp_maxD_prefix", BSP_MAX, a)
#define bsp_minI_prefix(a) bsp_numberI_prefix_at(BSP_PLACE, "bsp_minI_prefix", BSP_MIN, a)
#define bsp_minR_prefix(a) bsp_numberR_prefix_at(BSP_PLACE, "bsp_minR_prefix", BSP_MIN, a)
#define bsp_minD_prefix(a) bsp_numberD_prefix_at(BSP_PLACE, "bsp_minD_prefix", BSP_MIN, a)

#endif
