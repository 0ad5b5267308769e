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
 * All processes make the same calls in the same order, with the same root, size, type and
 * operator; addresses may differ. A call returns when its part on this process is done, which may
 * be before other processes are done: none is a barrier, none ends a superstep, and no area has to
 * be registered. Collective operations are independent of supersteps, with barriers or relaxed: an
 * earlier bsp_put() takes effect in the next bsp_sync(), not in a collective call. Do not wait in
 * one superstep for an operation that another process starts in a later one.
 * bsprun --check compares the calls of all processes.
 *
 * In place. Bytes from a process to itself are copied from source to destination, unless these are
 * the same memory: the source may be the part of the destination in which its bytes arrive, and the
 * destination the part of the source from which its bytes come. Otherwise source and destination
 * must not overlap.
 *
 * Sizes. In both interfaces a process is an int and a size is a size_t, in bytes unless said
 * otherwise. With 0 bytes or elements a call does nothing, and addresses are not read.
 *
 * Folds are in the order of the process numbers, (x0 op x1) op ..., so an operator has to be
 * associative, but not commutative. How operands are grouped depends on the algorithm and, where
 * several processes share a node, on the nodes: each folds its own first. So sums of floating-point
 * numbers are the same on all processes, and in each run with the same number of processes, the
 * same nodes and the same algorithm, but may differ with others.
 *
 * Cost is that of the cheapest algorithm by the model of the network (BSP_PARAMS, bspprobe(1)), or
 * of the algorithm that BSP_COLL names. Below, n is the size in bytes and p the number of
 * processes; the terms are those of a good algorithm.
 *
 * Errors end the job with one message, as in bsp.h. Each call aborts outside the SPMD part; in an
 * operator of bsp_fold() or bsp_scan(); on a negative size, or more than 2^40 bytes in all; on a
 * root that does not exist; on NULL where there are bytes; if source and destination overlap but
 * are not in place; and when it is noticed that processes have made different calls, with a message
 * that has both. Further cases are listed with each call.
 *
 * Source: names and arguments of the first part are those of the Oxford BSP toolset (Hill et al.,
 * 1998); the algorithms are of Barchet-Estefanel and Mounie, Performance Characterisation of
 * Intra-Cluster Collective Communications, 2004, and of Bruck et al., 1997.
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

/* Operators. Integers wrap around; maximum and minimum of a number and a NaN are the number. */
#define BSP_SUM 0x203
#define BSP_PROD 0x205
#define BSP_MAX 0x207
#define BSP_MIN 0x208
#define BSP_AND 0x209		/* bitwise, as the next two: for integers only */
#define BSP_OR 0x20a
#define BSP_XOR 0x20b

/*
 * An operator of the program: *result = left op right, each of *nbytes bytes; result overlaps
 * neither. Any call of the library may call it while an operation is in progress; with
 * BSP_PROGRESS=thread another thread may, one at a time. It must not call the library.
 */
typedef void bsp_op(void *result, void *left, void *right, int *nbytes);

/* A nonblocking operation, see bsp_wait(). */
typedef unsigned long bsp_request;

#define BSP_NO_REQUEST 0ul	/* no operation; bsp_test() says that it has completed */

BSP_BEGIN
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- Data ----------------------------------------------------------------------- */

/**
 * bsp_bcast - copy data of one process to all
 * @pid:    the root
 * @src:    on the root, the data; ignored elsewhere
 * @dst:    destination, on all processes; on the root it may be @src
 * @nbytes: size of the data
 *
 * Cost: g n log p + l, or about g n (1 + log p / segments) in segments.
 */
void bsp_bcast(int pid, const void *src, void *dst, size_t nbytes);

/**
 * bsp_gather - collect data of all at one process
 * @pid:    the root
 * @src:    data of this process; on the root it may be @dst + @pid * @nbytes
 * @dst:    on the root, p blocks of @nbytes, in the order of the processes; ignored elsewhere
 * @nbytes: bytes from each process
 *
 * Cost: g n (p - 1) + l.
 */
void bsp_gather(int pid, const void *src, void *dst, size_t nbytes);

/**
 * bsp_scatter - distribute data of one process
 * @pid:    the root
 * @src:    on the root, a block for each process, in their order; ignored elsewhere
 * @dst:    destination of the block for this process; on the root it may be @src + @pid * @nbytes
 * @nbytes: bytes in a block
 *
 * Cost: g n (p - 1) + l.
 */
void bsp_scatter(int pid, const void *src, void *dst, size_t nbytes);

/**
 * bsp_allgather - collect data of all processes on all processes
 * @src:    data of this process; may be @dst + bsp_pid() * @nbytes
 * @dst:    p blocks of @nbytes, in the order of the processes
 * @nbytes: bytes from each process
 *
 * Cost: g n (p - 1) + l.
 */
void bsp_allgather(const void *src, void *dst, size_t nbytes);

/**
 * bsp_exchange - total exchange (all-to-all): a block from each process to each
 * @src:    a block for each process, in their order; may be @dst
 * @dst:    a block from each process, in their order
 * @nbytes: bytes in a block
 *
 * In place it allocates memory for p blocks.
 *
 * Cost: g n (p - 1) + l; for small blocks g n (p / 2) log p + l log p.
 *
 * Aborts if: there is not enough memory.
 */
void bsp_exchange(const void *src, void *dst, size_t nbytes);

/* ---- Data of a length for each process ------------------------------------------------ */

/*
 * Blocks as above, but each of a length of its own. Sizes and offsets are arrays of p elements, in
 * bytes, in the order of the processes: block q of an area is the @sizes[q] bytes at @offsets[q]
 * from its beginning. If the offsets are NULL the blocks lie one after the other, without gaps.
 * Bytes between blocks are neither read nor written. Blocks of a source may overlap, blocks of a
 * destination must not. An area without bytes may be NULL; the offset of an empty block is ignored.
 * The arrays are read in the call, also by the calls with an i, and may be changed after it.
 *
 * In place as above; otherwise source and destination must not overlap, from the first byte of
 * their blocks to the last, gaps included.
 *
 * Lengths are no part of what all processes have to know: a message goes to each process for which
 * there is a block, even an empty one, so that its length is always compared. The schedule is
 * cached for all lengths. The kernel does not run it, whatever BSP_OFFLOAD says.
 *
 * Each of these calls aborts if: an array of sizes is NULL where there is an area; a size is
 * negative, or all of an area together are more than 2^40 bytes; a block ends more than 2^40 bytes
 * from the beginning of its area; blocks of a destination overlap; the length of a block is not the
 * one that its receiver expects: the message has both. Otherwise as the calls above.
 */

/**
 * bsp_gatherv - bsp_gather() with a length for each process
 * @pid:     the root
 * @src:     data of this process; on the root it may be its block of @dst
 * @nbytes:  size of the data
 * @dst:     on the root, a block from each process; ignored elsewhere, as are the next two
 * @sizes:   bytes from each process
 * @offsets: where in @dst; NULL: one after the other
 *
 * Cost: g (sum of all sizes) + l, the root's receives.
 *
 * Aborts if: @nbytes of a process is not what the root has for it in @sizes.
 */
void bsp_gatherv(int pid, const void *src, size_t nbytes, void *dst, const size_t *sizes,
		 const size_t *offsets);

/**
 * bsp_scatterv - bsp_scatter() with a length for each process
 * @pid:     the root
 * @src:     on the root, a block for each process; ignored elsewhere, as are the next two
 * @sizes:   bytes for each process
 * @offsets: where in @src; NULL: one after the other
 * @dst:     destination of the block for this process; on the root it may be its block of @src
 * @nbytes:  size of that block
 *
 * Cost: g (sum of all sizes) + l, the root's sends.
 *
 * Aborts if: @nbytes of a process is not what the root has for it in @sizes.
 */
void bsp_scatterv(int pid, const void *src, const size_t *sizes, const size_t *offsets, void *dst,
		  size_t nbytes);

/**
 * bsp_allgatherv - bsp_allgather() with a length for each process
 * @src:     data of this process; may be its block of @dst
 * @nbytes:  size of the data, @sizes[bsp_pid()]
 * @dst:     a block from each process
 * @sizes:   bytes from each process; the same on all
 * @offsets: where in @dst; NULL: one after the other. May differ between processes
 *
 * Cost: g (sum of all sizes) + l.
 *
 * Aborts if: @nbytes is not @sizes[bsp_pid()]; @sizes are not the same on all processes.
 */
void bsp_allgatherv(const void *src, size_t nbytes, void *dst, const size_t *sizes,
		    const size_t *offsets);

/**
 * bsp_exchangev - bsp_exchange() with a length for each pair of processes
 * @src:      a block for each process; may be @dst, and is then copied first
 * @ssizes:   bytes for each process
 * @soffsets: where in @src; NULL: one after the other
 * @dst:      a block from each process
 * @rsizes:   bytes from each process
 * @roffsets: where in @dst; NULL: one after the other
 *
 * Cost: g h + l, where h is the larger of the bytes sent and received by a process. A
 * process sends p - 1 messages, however many of its blocks are empty.
 *
 * Aborts if: what a process has in @ssizes for another one is not what that one has in @rsizes for
 * it; @src is @dst and there is not enough memory.
 */
void bsp_exchangev(const void *src, const size_t *ssizes, const size_t *soffsets, void *dst,
		   const size_t *rsizes, const size_t *roffsets);

/* ---- Neighbours ------------------------------------------------------------------------ */

/**
 * bsp_neighbor_exchange - exchange blocks with the neighbours in a sparse graph
 * @n:      number of neighbours of this process; may differ between processes, may be 0
 * @pids:   the neighbours; read in the call. NULL if there are none
 * @src:    @n blocks, the k-th for process @pids[k]
 * @dst:    @n blocks, the k-th from process @pids[k]; does not overlap @src
 * @nbytes: bytes of a block, the same on all processes
 *
 * All processes make the call; nothing is exchanged with other processes than neighbours.
 * Neighbours are mutual: a process names another one as often as that one names it. It may name
 * itself. The k-th block that a process sends to another one is the k-th that this one receives
 * from it (MPI_Neighbor_alltoall): on a periodic ring of two, block 0 of @dst is not what the left
 * neighbour has sent to its right, see bsp_neighbor_exchange(3). The schedules of the last 64
 * lists are cached, for any @nbytes. The kernel does not run them.
 *
 * Cost: g @nbytes d + l, where d is the largest @n.
 *
 * Aborts if: @n is negative; a neighbour does not exist; @pids is NULL, unless @n is 0; @src and
 * @dst overlap; it is noticed that neighbours are not mutual: the message has both processes.
 */
void bsp_neighbor_exchange(int n, const int *pids, const void *src, void *dst, size_t nbytes);

/* ---- Folds ----------------------------------------------------------------------- */

/**
 * bsp_reduce - fold elements of all processes, at one of them
 * @pid:  the root
 * @op:   BSP_SUM, ...
 * @type: of an element: BSP_INT, BSP_DOUBLE, ...
 * @src:  elements of this process, aligned for their type
 * @dst:  on the root, the result, element by element; may be @src; ignored elsewhere
 * @n:    number of elements
 *
 * Cost: g n log p + l, and n log p operations.
 *
 * Aborts if: @op or @type does not exist; @op is not defined for @type; an address is not aligned.
 */
void bsp_reduce(int pid, int op, int type, const void *src, void *dst, size_t n);

/** bsp_allreduce - bsp_reduce() with the result on all processes */
void bsp_allreduce(int op, int type, const void *src, void *dst, size_t n);

/** bsp_prefix - bsp_reduce(), but process i gets the fold of processes 0 to i (MPI: scan) */
void bsp_prefix(int op, int type, const void *src, void *dst, size_t n);

/**
 * bsp_reduce_scatter - fold elements of all processes, and distribute the result
 * @op:     BSP_SUM, ...
 * @type:   of an element: BSP_INT, BSP_DOUBLE, ...
 * @src:    elements of this process, a block for each process, in their order and without gaps;
 *	    aligned for their type
 * @dst:    the fold of the blocks for this process; may be the block for this process in @src
 * @counts: elements in the block for each process; the same on all
 *
 * As bsp_reduce() of all elements and bsp_scatterv() of its result. It allocates memory for a block
 * of this process from each other one, or for twice the elements of @src; in two levels, on a node
 * of s processes, for up to 2 + log2 s times those, and in its first one besides for the blocks of
 * the node from each other node, or for twice those of @src; and in place for those of @src once
 * more. @counts is read in the call. The kernel does not run it.
 *
 * Cost: with n bytes in all, g n (p - 1) / p + l, and n (p - 1) / p operations; a message to each
 * process, or log p of them if p is a power of two and the order of operands makes no difference.
 *
 * Aborts if: as bsp_reduce(); @counts is NULL; @counts are not the same on all processes, with two
 * lengths that differ; there is not enough memory.
 */
void bsp_reduce_scatter(int op, int type, const void *src, void *dst, const size_t *counts);

/**
 * bsp_fold - fold data of all processes by an operator of the program; the result is on all
 * @op:     see bsp_op; associative, need not be commutative
 * @src:    the operand of this process, aligned as @op needs it; may be @dst
 * @dst:    the result, aligned likewise
 * @nbytes: bytes of an operand, at most INT_MAX
 *
 * @op gets addresses that are aligned for each type, or @src and @dst.
 *
 * Cost: g n log p + l, and log p to 2 log p calls of @op.
 *
 * Aborts if: @op is NULL; @nbytes is above INT_MAX.
 */
void bsp_fold(bsp_op *op, const void *src, void *dst, size_t nbytes);

/** bsp_scan - as bsp_fold(), but process i gets the fold of processes 0 to i */
void bsp_scan(bsp_op *op, const void *src, void *dst, size_t nbytes);

/* ---- Numbers: Oxford's short forms ------------------------------------------------- */

/* On all processes: is @x non-zero on all, on any; is it the same on all? */
int bsp_all(int x);
int bsp_any(int x);
int bsp_constantI(int x);

/* Sum, product, maximum and minimum over all processes, on all. */
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

/* The same over processes 0 to this one. */
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

/* ---- Oxford's sorts: one value of each process ----------------------------------------- */

/**
 * bsp_sort - sort values of all processes: process 0 gets the least, the last one the greatest
 * @less:   is *left less than *right, each of *nbytes bytes? An order: not both a < b and b < a
 * @src:    the value of this process
 * @dst:    of the sorted values, that at the number of this process; may be @src
 * @nbytes: bytes of a value, at most INT_MAX
 *
 * By regular sampling; equal values keep the order of their processes. @less gets addresses that
 * are as well aligned as @nbytes allows.
 *
 * Cost: g n (p - 1) + l, and p log p calls of @less.
 *
 * Aborts if: @less is NULL; @nbytes is above INT_MAX.
 */
void bsp_sort(int (*less)(void *left, void *right, int *nbytes), const void *src, void *dst,
	      size_t nbytes);

/* The same for numbers and characters; a NaN comes last. */
int bsp_sortI(int x);
float bsp_sortR(float x);
double bsp_sortD(double x);
char bsp_sortC(char x);

/* ---- Nonblocking operations ------------------------------------------------------------ */

/*
 * The call starts the operation and returns at once. Until bsp_wait() returns, or bsp_test()
 * returns 1, the source must not be changed and the destination neither read nor changed. Up to
 * 65535 operations of any kinds may be in progress; they are started in the same order on all
 * processes, and may be waited for in any order. They progress in each call of the library, and
 * with BSP_PROGRESS=thread also between calls.
 *
 * Schedules of the last 64 different operations are cached; a call that needs a 65th waits until
 * the operation that was started longest ago has completed.
 */

/* Arguments, errors and cost as those without the i. */
bsp_request bsp_ibcast(int pid, const void *src, void *dst, size_t nbytes);
bsp_request bsp_igather(int pid, const void *src, void *dst, size_t nbytes);
bsp_request bsp_iscatter(int pid, const void *src, void *dst, size_t nbytes);
bsp_request bsp_iallgather(const void *src, void *dst, size_t nbytes);
bsp_request bsp_iexchange(const void *src, void *dst, size_t nbytes);
bsp_request bsp_igatherv(int pid, const void *src, size_t nbytes, void *dst, const size_t *sizes,
			 const size_t *offsets);
bsp_request bsp_iscatterv(int pid, const void *src, const size_t *sizes, const size_t *offsets,
			  void *dst, size_t nbytes);
bsp_request bsp_iallgatherv(const void *src, size_t nbytes, void *dst, const size_t *sizes,
			    const size_t *offsets);
bsp_request bsp_iexchangev(const void *src, const size_t *ssizes, const size_t *soffsets, void *dst,
			   const size_t *rsizes, const size_t *roffsets);
bsp_request bsp_ireduce_scatter(int op, int type, const void *src, void *dst,
				const size_t *counts);
bsp_request bsp_ineighbor_exchange(int n, const int *pids, const void *src, void *dst,
				   size_t nbytes);
bsp_request bsp_ireduce(int pid, int op, int type, const void *src, void *dst, size_t n);
bsp_request bsp_iallreduce(int op, int type, const void *src, void *dst, size_t n);
bsp_request bsp_iprefix(int op, int type, const void *src, void *dst, size_t n);
bsp_request bsp_ifold(bsp_op *op, const void *src, void *dst, size_t nbytes);
bsp_request bsp_iscan(bsp_op *op, const void *src, void *dst, size_t nbytes);

/**
 * bsp_test - has an operation completed on this process?
 * @r: the request; becomes BSP_NO_REQUEST if the operation has completed
 *
 * Makes progress and never waits. Returns 1 if the operation has completed, or @r is
 * BSP_NO_REQUEST, else 0.
 *
 * Aborts if: @r is NULL; *@r is no request, or a copy of one that has been waited for.
 */
int bsp_test(bsp_request *r);

/** bsp_wait - wait until an operation has completed on this process; otherwise as bsp_test() */
void bsp_wait(bsp_request *r);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
BSP_END

#include <bsp_coll_names.h>

#endif
