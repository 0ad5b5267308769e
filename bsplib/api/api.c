// SPDX-License-Identifier: BSD-3-Clause
/* api.c - the calls of bsp.h as functions; compiled once for each of the two interfaces. */

/*
 * Each call exists twice: bsp_put_at() with the call site, which the macros
 * of bsp_names.h supply, and bsp_put() without; the parentheses around that name keep
 * its macro away. Here types are widened: a process number to int64_t, a size to
 * size_t. A negative int becomes a size with its top bit set, which the runtime refuses.
 *
 * bspi_enter() and bspi_leave() keep a thread that moves schedules on away. Calls that only look at
 * what is the caller's alone do without: the queue, time, numbers of processes (progress.c).
 */

#define BSP_NAMED(argument)	/* for callers: here, the argument is handed on */
#include "bsp.h"
#include "bsplib/api/spmd.h"
#include "bsplib/core/error.h"
#include "bsplib/core/phase.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/clock.h"
#include "bsplib/observer/section.h"
#include "bsplib/schedule/immediate.h"
#include "bsplib/sync/neighbors.h"
#include "bsplib/sync/relaxed.h"
#include "bsplib/sync/superstep.h"
#include "bsplib/transfer/bsmp.h"
#include "bsplib/transfer/drma.h"
#include "bsplib/transfer/region.h"

#include <limits.h>

#ifdef BSP_MCBSP
static const size_t COUNT_MOST = UINT_MAX, SIZE_MOST = SIZE_MAX;
#else
static const size_t COUNT_MOST = INT_MAX, SIZE_MOST = INT_MAX;
#endif

/* The length of a message in the type of the interface; -1 for none. */
static bsp_size_t length(const char *call, const char *site, int64_t nbytes)
{
	if (nbytes >= 0 && (size_t)nbytes > SIZE_MOST)
		bspi_fail(call, site,
			  "a message of %lld bytes is longer than the type can say; use bspcc "
			  "--mcbsp",
			  (long long)nbytes);
	return (bsp_size_t)nbytes;
}

/* ---- Starting and ending ---------------------------------------------------- */

void bsp_init_at(const char *site, void (*spmd)(void), int argc, char **argv)
{
	(void)argc;
	(void)argv;
	bspi_init(site, spmd);
}

void (bsp_init)(void (*spmd)(void), int argc, char **argv)
{
	bsp_init_at(NULL, spmd, argc, argv);
}

bsp_nprocs_t (bsp_nprocs)(void)
{
	return bspi_nprocs();
}

void bsp_begin_at(const char *site, bsp_nprocs_t maxprocs)
{
	bspi_begin(site, maxprocs);
}

void (bsp_begin)(bsp_nprocs_t maxprocs)
{
	bsp_begin_at(NULL, maxprocs);
}

void bsp_end_at(const char *site)
{
	bspi_end(site);
}

void (bsp_end)(void)
{
	bsp_end_at(NULL);
}

void bsp_sync_at(const char *site)
{
	bspi_require_running("bsp_sync", site);
	bspi_enter();
	bspi_superstep(site, false);
	bspi_leave();
}

void (bsp_sync)(void)
{
	bsp_sync_at(NULL);
}

bsp_pid_t bsp_pid_at(const char *site)
{
	bspi_require_part("bsp_pid", site);
	return bspi.me;
}

bsp_pid_t (bsp_pid)(void)
{
	return bsp_pid_at(NULL);
}

double bsp_time_at(const char *site)
{
	bspi_require_part("bsp_time", site);
	return bspi_time();
}

double (bsp_time)(void)
{
	return bsp_time_at(NULL);
}

/* ---- Registration, transfers -------------------------------------------------- */

void bsp_push_reg_at(const char *site, const void *area, bsp_size_t nbytes)
{
	bspi_enter();
	bspi_region_push(site, area, nbytes);
	bspi_leave();
}

void (bsp_push_reg)(const void *area, bsp_size_t nbytes)
{
	bsp_push_reg_at(NULL, area, nbytes);
}

void bsp_pop_reg_at(const char *site, const void *area)
{
	bspi_enter();
	bspi_region_pop(site, area);
	bspi_leave();
}

void (bsp_pop_reg)(const void *area)
{
	bsp_pop_reg_at(NULL, area);
}

void bsp_put_at(const char *site, bsp_pid_t pid, const void *src, void *dst,
		bsp_size_t offset, bsp_size_t nbytes)
{
	bspi_put(site, pid, src, dst, offset, nbytes);
}

void (bsp_put)(bsp_pid_t pid, const void *src, void *dst, bsp_size_t offset, bsp_size_t nbytes)
{
	bsp_put_at(NULL, pid, src, dst, offset, nbytes);
}

void bsp_hpput_at(const char *site, bsp_pid_t pid, const void *src, void *dst,
		  bsp_size_t offset, bsp_size_t nbytes)
{
	bspi_enter();
	bspi_hpput(site, pid, src, dst, offset, nbytes);
	bspi_leave();
}

void (bsp_hpput)(bsp_pid_t pid, const void *src, void *dst, bsp_size_t offset, bsp_size_t nbytes)
{
	bsp_hpput_at(NULL, pid, src, dst, offset, nbytes);
}

void bsp_get_at(const char *site, bsp_pid_t pid, const void *src, bsp_size_t offset,
		void *dst, bsp_size_t nbytes)
{
	bspi_get(site, pid, src, offset, dst, nbytes);
}

void (bsp_get)(bsp_pid_t pid, const void *src, bsp_size_t offset, void *dst, bsp_size_t nbytes)
{
	bsp_get_at(NULL, pid, src, offset, dst, nbytes);
}

void bsp_hpget_at(const char *site, bsp_pid_t pid, const void *src, bsp_size_t offset,
		  void *dst, bsp_size_t nbytes)
{
	bspi_enter();
	bspi_hpget(site, pid, src, offset, dst, nbytes);
	bspi_leave();
}

void (bsp_hpget)(bsp_pid_t pid, const void *src, bsp_size_t offset, void *dst, bsp_size_t nbytes)
{
	bsp_hpget_at(NULL, pid, src, offset, dst, nbytes);
}

void bsp_direct_get_at(const char *site, bsp_pid_t pid, const void *src, bsp_size_t offset,
		       void *dst, bsp_size_t nbytes)
{
	bspi_enter();
	bspi_immediate_get(site, pid, src, offset, dst, nbytes);
	bspi_leave();
}

void (bsp_direct_get)(bsp_pid_t pid, const void *src, bsp_size_t offset, void *dst,
		      bsp_size_t nbytes)
{
	bsp_direct_get_at(NULL, pid, src, offset, dst, nbytes);
}

/* ---- Messages ------------------------------------------------------------------ */

void bsp_set_tagsize_at(const char *site, bsp_size_t *nbytes)
{
	size_t size = nbytes ? *nbytes : 0;

	bspi_enter();
	bspi_set_tagsize(site, nbytes ? &size : NULL);
	bspi_leave();
	*nbytes = size;
}

void (bsp_set_tagsize)(bsp_size_t *nbytes)
{
	bsp_set_tagsize_at(NULL, nbytes);
}

void bsp_send_at(const char *site, bsp_pid_t pid, const void *tag, const void *payload,
		 bsp_size_t nbytes)
{
	bspi_enter();
	bspi_send("bsp_send", site, pid, tag, payload, nbytes);
	bspi_leave();
}

void (bsp_send)(bsp_pid_t pid, const void *tag, const void *payload, bsp_size_t nbytes)
{
	bsp_send_at(NULL, pid, tag, payload, nbytes);
}

void bsp_hpsend_at(const char *site, bsp_pid_t pid, const void *tag,
		   const void *payload, bsp_size_t nbytes)
{
	bspi_enter();
	bspi_send("bsp_hpsend", site, pid, tag, payload, nbytes);
	bspi_leave();
}

void (bsp_hpsend)(bsp_pid_t pid, const void *tag, const void *payload, bsp_size_t nbytes)
{
	bsp_hpsend_at(NULL, pid, tag, payload, nbytes);
}

void bsp_qsize_at(const char *site, bsp_nprocs_t *nmessages, bsp_size_t *nbytes)
{
	size_t count = 0, sum;

	bspi_qsize(site, nmessages ? &count : NULL, &sum);
	if (count > COUNT_MOST)
		bspi_fail("bsp_qsize", site,
			  "%zu messages are more than the type can say; use bspcc --mcbsp",
			  count);
	if (nbytes && sum > SIZE_MOST)
		bspi_fail("bsp_qsize", site,
			  "%zu bytes are more than the type can say; use bspcc --mcbsp",
			  sum);
	*nmessages = count;
	if (nbytes)
		*nbytes = sum;
}

void (bsp_qsize)(bsp_nprocs_t *nmessages, bsp_size_t *nbytes)
{
	bsp_qsize_at(NULL, nmessages, nbytes);
}

void bsp_get_tag_at(const char *site, bsp_size_t *status, void *tag)
{
	*status = length("bsp_get_tag", site, bspi_get_tag(site, status, tag));
}

void (bsp_get_tag)(bsp_size_t *status, void *tag)
{
	bsp_get_tag_at(NULL, status, tag);
}

void bsp_move_at(const char *site, void *payload, bsp_size_t nbytes)
{
	bspi_move(site, payload, nbytes);
}

void (bsp_move)(void *payload, bsp_size_t nbytes)
{
	bsp_move_at(NULL, payload, nbytes);
}

bsp_size_t bsp_hpmove_at(const char *site, void **tag, void **payload)
{
	return length("bsp_hpmove", site, bspi_hpmove(site, tag, payload));
}

bsp_size_t (bsp_hpmove)(void **tag, void **payload)
{
	return bsp_hpmove_at(NULL, tag, payload);
}

/* ---- Names of the Oxford toolset -------------------------------------------- */

void (bsp_pushregister)(const void *area, bsp_size_t nbytes)
{
	bsp_push_reg_at(NULL, area, nbytes);
}

void (bsp_popregister)(const void *area)
{
	bsp_pop_reg_at(NULL, area);
}

void (bsp_set_tag_size)(bsp_size_t *nbytes)
{
	bsp_set_tagsize_at(NULL, nbytes);
}

void (bsp_bsmp_info)(bsp_nprocs_t *nmessages, bsp_size_t *nbytes)
{
	bsp_qsize_at(NULL, nmessages, nbytes);
}

void (bsp_sync_end)(void)
{
	bsp_sync_at(NULL);
}

double (bsp_dtime)(void)
{
	return bspi_dtime();
}

double (bsp_cputime)(void)
{
	return bspi_cputime();
}

/* ---- Relaxed barriers: the same in both interfaces ----------------------------- */

#ifndef BSP_MCBSP

int bsp_set_sync_at(const char *site, int mode)
{
	int last;

	bspi_enter();
	last = bspi_set_sync(site, mode);
	bspi_leave();
	return last;
}

int (bsp_set_sync)(int mode)
{
	return bsp_set_sync_at(NULL, mode);
}

void bsp_read_at(const char *site, const void *area, int n)
{
	bspi_enter();
	bspi_read(site, area, n);
	bspi_leave();
}

void (bsp_read)(const void *area, int n)
{
	bsp_read_at(NULL, area, n);
}

int bsp_read_test_at(const char *site, const void *area, int n)
{
	bool there;

	bspi_enter();
	there = bspi_read_test(site, area, n);
	bspi_leave();
	return there;
}

int (bsp_read_test)(const void *area, int n)
{
	return bsp_read_test_at(NULL, area, n);
}

void bsp_serve_at(const char *site, const void *area, int n)
{
	bspi_enter();
	bspi_serve(site, area, n);
	bspi_leave();
}

void (bsp_serve)(const void *area, int n)
{
	bsp_serve_at(NULL, area, n);
}

void bsp_expect_at(const char *site, int n)
{
	bspi_enter();
	bspi_expect(site, n);
	bspi_leave();
}

void (bsp_expect)(int n)
{
	bsp_expect_at(NULL, n);
}

/* ---- Neighbours: the same in both interfaces ------------------------------------- */

void bsp_set_neighbors_at(const char *site, int n, const int *pids)
{
	bspi_enter();
	bspi_set_neighbors(site, n, pids);
	bspi_leave();
}

void (bsp_set_neighbors)(int n, const int *pids)
{
	bsp_set_neighbors_at(NULL, n, pids);
}

void bsp_section_at(const char *site, const char *name)
{
	bspi_enter();
	bspi_section(site, name);
	bspi_leave();
}

void (bsp_section)(const char *name)
{
	bsp_section_at(NULL, name);
}

void bsp_section_end_at(const char *site, const char *name)
{
	bspi_enter();
	bspi_section_end(site, name);
	bspi_leave();
}

void (bsp_section_end)(const char *name)
{
	bsp_section_end_at(NULL, name);
}

#endif
