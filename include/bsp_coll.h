/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_coll.h - collective operations: all processes exchange, gather or fold data in one call. */

/*
 *	#include <bsp_coll.h>
 *
 *	double mine = dot(x, y, n), sum;
 *	bsp_request r = bsp_iallreduce(BSP_SUM, BSP_DOUBLE, &mine, &sum, 1);
 *	... compute ...
 *	bsp_wait(&r);				(sum is the same on all)
 *
 * Every process makes the same calls of these in the same order, with the same root, size, type and operator;
 * addresses may differ. A call returns when its part on this process is done, not when all are: none is a
 * barrier, none ends a superstep, and nothing needs to be registered. Collective operations and
 * supersteps do not mind each other, with barriers or relaxed: what was put before is written by the
 * next bsp_sync() and not sooner. A call that another process makes after a bsp_sync() is not to be
 * waited for before that bsp_sync(). bsprun --check compares the calls of all processes.
 *
 * In place. Bytes that a process would give itself are copied from source to destination, unless they are where
 * they belong already: the source may be just that part of the destination (or the destination that
 * of the source). Otherwise source and destination must not overlap.
 *
 * Sizes. In both interfaces a process is an int and a size a size_t; a negative int is refused. With
 * 0 bytes or elements a call does nothing, and addresses are not looked at.
 *
 * Folds are in the order of the process numbers, (x0 op x1) op ..., so an operator must be associative and no
 * more; where and in which groups it is applied depends on the algorithm, so that sums of floating-point numbers
 * are the same on all processes and in every run with as many, but not with another number of them.
 *
 * Cost is that of the algorithm which costs least by the model of the network (BSP_PARAMS, bspprobe(1)), or that
 * BSP_COLL names. Below, n is the size in bytes, p the number of processes; the terms are those of a good one.
 *
 * Errors end the job with one message, as in bsp.h. Every call aborts outside the SPMD part, in an operator of
 * bsp_fold() or bsp_scan(), on a negative size or one beyond 2^40 bytes in all, on a root that does not exist, on
 * NULL where there are bytes, and when source and destination overlap but are not in place; when it shows that
 * processes have made different calls, with both of them. Further cases are told below.
 *
 * Source: the names of the first part and their arguments are those of the Oxford BSP toolset (Hill et al., 1998); the
 * algorithms are of Barchet-Estefanel and Mounie, Performance Characterisation of Intra-Cluster Collective
 * Communications, 2004, and of Bruck et al., 1997.
 */
#ifndef BSP_COLL_H
#define BSP_COLL_H

#include <bsp.h>

/* Elements. */
#define BSP_INT8 0x101
#define BSP_INT16 0x102
#define BSP_INT32 0x103
#define BSP_INT64 0x104
#define BSP_UINT8 0x105
#define BSP_UINT16 0x106
#define BSP_UINT32 0x107
#define BSP_UINT64 0x108
#define BSP_FLOAT 0x109
#define BSP_DOUBLE 0x10a
/* The types of C, by their size. */
#define BSP_SHORT BSP_INT16
#define BSP_UNSIGNED_SHORT BSP_UINT16
#define BSP_INT BSP_INT32
#define BSP_UNSIGNED BSP_UINT32
#define BSP_LONG (sizeof(long) == 8 ? BSP_INT64 : BSP_INT32)
#define BSP_UNSIGNED_LONG (sizeof(long) == 8 ? BSP_UINT64 : BSP_UINT32)
#define BSP_SIZE (sizeof(size_t) == 8 ? BSP_UINT64 : BSP_UINT32)

/* Operators. Integers wrap around; of floating-point numbers the greater and lesser is one that is a number. */
#define BSP_SUM 0x203
#define BSP_PROD 0x205
#define BSP_MAX 0x207
#define BSP_MIN 0x208
#define BSP_AND 0x209		/* bit by bit, as the next two: of integers only */
#define BSP_OR 0x20a
#define BSP_XOR 0x20b

/*
 * An operator of the program: *result = left op right, each of *nbytes bytes; result overlaps neither. Called
 * in any call of the library while an operation is under way (with BSP_PROGRESS=thread also by another thread, one at a
 * time); it must not call the library.
 */
typedef void bsp_op(void *result, void *left, void *right, int *nbytes);

/* An operation that was started, see bsp_wait(). */
typedef unsigned long bsp_request;

#define BSP_NO_REQUEST 0ul	/* that of none, over when asked */

BSP_BEGIN
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- Data ----------------------------------------------------------------------- */

/**
 * bsp_bcast - copy data of one process to all
 * @pid:    the root, whose data they are
 * @src:    on the root, the data; else not looked at
 * @dst:    where to, on all; on the root it may be @src
 * @nbytes: how much
 *
 * Cost: g n log p + l, or about g n (1 + log p / segments) in segments.
 */
void bsp_bcast(int pid, const void *src, void *dst, size_t nbytes);

/**
 * bsp_gather - collect data of all at one process
 * @pid:    the root, who gets them
 * @src:    data of this process; on the root it may be @dst + @pid * @nbytes
 * @dst:    on the root, room for those of all, in the order of the processes; else not looked at
 * @nbytes: of each process
 *
 * Cost: g n (p - 1) + l.
 */
void bsp_gather(int pid, const void *src, void *dst, size_t nbytes);

/**
 * bsp_scatter - deal out data of one process
 * @pid:    the root, whose data they are
 * @src:    on the root, a block for each process, in their order; else not looked at
 * @dst:    where the block for this process goes; on the root it may be @src + @pid * @nbytes
 * @nbytes: of a block
 *
 * Cost: g n (p - 1) + l.
 */
void bsp_scatter(int pid, const void *src, void *dst, size_t nbytes);

/**
 * bsp_allgather - collect data of all at all
 * @src:    data of this process; may be @dst + bsp_pid() * @nbytes
 * @dst:    room for those of all, in the order of the processes
 * @nbytes: of each process
 *
 * Cost: g n (p - 1) + l.
 */
void bsp_allgather(const void *src, void *dst, size_t nbytes);

/**
 * bsp_exchange - total exchange: data of every process for every process
 * @src:    a block for each process, in their order; may be @dst
 * @dst:    room for a block of each process, in their order
 * @nbytes: of a block
 *
 * In place it needs memory for p blocks. Cost: g n (p - 1) + l; for small blocks g n (p / 2) log p + l log p.
 *
 * Aborts if: memory has run out.
 */
void bsp_exchange(const void *src, void *dst, size_t nbytes);

/* ---- Folds ----------------------------------------------------------------------- */

/**
 * bsp_reduce - fold elements of all processes, at one of them
 * @pid:  the root, who gets the result
 * @op:   BSP_SUM, ...
 * @type: of an element: BSP_INT, BSP_DOUBLE, ...
 * @src:  elements of this process, aligned for their type
 * @dst:  on the root, their fold, element by element; may be @src; else not looked at
 * @n:    elements
 *
 * Cost: g n log p + l, and n log p operations.
 *
 * Aborts if: there is no such operator or type, or that operator is not for that type; an address is not aligned.
 */
void bsp_reduce(int pid, int op, int type, const void *src, void *dst, size_t n);

/** bsp_allreduce - bsp_reduce() with the result on all processes */
void bsp_allreduce(int op, int type, const void *src, void *dst, size_t n);

/** bsp_prefix - process i gets the fold of processes 0 to i */
void bsp_prefix(int op, int type, const void *src, void *dst, size_t n);

/**
 * bsp_fold - fold data of all processes by an operator of the program; the result on all
 * @op:     see there; associative, need not be commutative
 * @src:    of this process, one operand of @nbytes, aligned as @op wants it; may be @dst
 * @dst:    the result, likewise
 * @nbytes: of an operand, not more than an int can say
 *
 * Operands are given to @op on addresses that suit every type, or those of @src and @dst.
 * Cost: g n log p + l, and log p to 2 log p calls of @op.
 *
 * Aborts if: @op is NULL; @nbytes is more than an int can say.
 */
void bsp_fold(bsp_op *op, const void *src, void *dst, size_t nbytes);

/** bsp_scan - as bsp_fold(), but process i gets the fold of processes 0 to i */
void bsp_scan(bsp_op *op, const void *src, void *dst, size_t nbytes);

/* ---- Numbers: Oxford's short forms ------------------------------------------------- */

/* On all processes: is it true on all, on any; is it the same on all? */
int bsp_all(int x);
int bsp_any(int x);
int bsp_constantI(int x);

/* Sum, product, greatest and least of the numbers of all processes, on all. */
int bsp_sumI(int x);
float bsp_sumR(float x);
double bsp_sumD(double x);
int bsp_productI(int x);
float bsp_productR(float x);
double bsp_productD(double x);
int bsp_maxI(int x);
float bsp_maxR(float x);
double bsp_maxD(double x);
int bsp_minI(int x);
float bsp_minR(float x);
double bsp_minD(double x);

/* The same of processes 0 to this one. */
int bsp_sumI_prefix(int x);
float bsp_sumR_prefix(float x);
double bsp_sumD_prefix(double x);
int bsp_productI_prefix(int x);
float bsp_productR_prefix(float x);
double bsp_productD_prefix(double x);
int bsp_maxI_prefix(int x);
float bsp_maxR_prefix(float x);
double bsp_maxD_prefix(double x);
int bsp_minI_prefix(int x);
float bsp_minR_prefix(float x);
double bsp_minD_prefix(double x);

/* ---- Sorting: Oxford's, one value of each process ------------------------------------ */

/**
 * bsp_sort - sort values of all processes: process 0 gets the least, the last one the greatest
 * @less:   is *left less than *right, each of *nbytes bytes? An order: not both a < b and b < a
 * @src:    the value of this process
 * @dst:    the value of the same place in the sorted order; may be @src
 * @nbytes: of a value, not more than an int can say
 *
 * By regular sampling; values of which none is less keep the order of their processes. @less gets addresses that
 * are as well aligned as @nbytes allows.
 * Cost: g n (p - 1) + l, and p log p calls of @less.
 *
 * Aborts if: @less is NULL; @nbytes is more than an int can say.
 */
void bsp_sort(int (*less)(void *left, void *right, int *nbytes), const void *src, void *dst,
	      size_t nbytes);

/* The same of numbers and characters; what is no number comes last. */
int bsp_sortI(int x);
float bsp_sortR(float x);
double bsp_sortD(double x);
char bsp_sortC(char x);

/* ---- In flight ---------------------------------------------------------------------- */

/*
 * Each operation above can be started, and waited for later. The call returns at once. Until bsp_wait(), or
 * bsp_test() that says 1, the source must not be changed and the destination neither read nor changed. Up to
 * 65535 may be under way, in any mixture; they are started in the same order on all processes, and may be
 * waited for in any. They get on in every call of the library, and with BSP_PROGRESS=thread also
 * between calls.
 *
 * Schedules are kept for the last 64 different operations; a call that needs a 65th waits until that which
 * was started longest ago is over.
 */

/* As those without the i. */
bsp_request bsp_ibcast(int pid, const void *src, void *dst, size_t nbytes);
bsp_request bsp_igather(int pid, const void *src, void *dst, size_t nbytes);
bsp_request bsp_iscatter(int pid, const void *src, void *dst, size_t nbytes);
bsp_request bsp_iallgather(const void *src, void *dst, size_t nbytes);
bsp_request bsp_iexchange(const void *src, void *dst, size_t nbytes);
bsp_request bsp_ireduce(int pid, int op, int type, const void *src, void *dst, size_t n);
bsp_request bsp_iallreduce(int op, int type, const void *src, void *dst, size_t n);
bsp_request bsp_iprefix(int op, int type, const void *src, void *dst, size_t n);
bsp_request bsp_ifold(bsp_op *op, const void *src, void *dst, size_t nbytes);
bsp_request bsp_iscan(bsp_op *op, const void *src, void *dst, size_t nbytes);

/**
 * bsp_test - is an operation over on this process?
 * @r: of the call that started it; becomes BSP_NO_REQUEST when it is over
 *
 * Makes progress and never waits. Returns 1 if it is over, or was, else 0.
 *
 * Aborts if: @r is NULL; *@r was not returned by such a call, or has been waited for already (a copy of it was).
 */
int bsp_test(bsp_request *r);

/** bsp_wait - wait until an operation is over on this process; otherwise as bsp_test() */
void bsp_wait(bsp_request *r);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
BSP_END

#include <bsp_coll_names.h>

#endif
