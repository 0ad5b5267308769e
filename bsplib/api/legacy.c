// SPDX-License-Identifier: BSD-3-Clause
/* legacy.c - the interface before BSPlib: bspstart, bspstore and their like. */

/*
 * bspstore() and bspfetch() name data by its address, which must be static: the
 * writable data of the program are registered as one area in bspstart(), so that
 * an address is an offset, and the bounds are checked as in any transfer.
 */

#include "bsp.h"
#include "bsplib/api/spmd.h"
#include "bsplib/core/error.h"
#include "bsplib/core/phase.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/clock.h"
#include "bsplib/sync/superstep.h"
#include "bsplib/transfer/address.h"
#include "bsplib/transfer/drma.h"
#include "bsplib/transfer/region.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The writable segment of the program itself. */
static struct {
	char *base;
	size_t nbytes;
} statics;

/* Nothing of ours is among them. */
void bsp_fix_argv(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
}

double bspi_dtime(void)
{
	uint64_t now = bspi_now(), last = bspi.dtime_ns;

	bspi_require_running("bsp_dtime", NULL);
	bspi.dtime_ns = now;
	return (now - last) * 1e-9;
}

double bspi_cputime(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return used.tv_sec + used.tv_nsec * 1e-9;
}

/* The program comes first; the rest are libraries. */
static int note_statics(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (segment->p_type == PT_LOAD && (segment->p_flags & PF_W)) {
			statics.base = (char *)(info->dlpi_addr + segment->p_vaddr);
			statics.nbytes = segment->p_memsz;
		}
	}
	return 1;
}

void bspstart(int argc, char **argv, int maxprocs, int *nprocs, int *pid)
{
	(void)argc;
	(void)argv;
	bspi_begin(NULL, maxprocs ? maxprocs : bspi_nprocs());
	dl_iterate_phdr(note_statics, NULL);
	bspi_enter();
	bspi_region_push(NULL, statics.base, statics.nbytes);
	bspi_superstep(NULL, false);
	bspi_leave();
	*nprocs = bspi.nprocs;
	*pid = bspi.me;
}

void bspfinish(void)
{
	bspi_end(NULL);
	statics.base = NULL;
}

void bspsstep(int label)
{
	(void)label;
}

void bspsstep_end(int label)
{
	(void)label;
	bspi_require_running("bspsstep_end", NULL);
	bspi_enter();
	bspi_superstep(NULL, false);
	bspi_leave();
}

/* A transfer to or from static data at @address; ends the job if they are not static. */
static struct bspi_transfer legacy_transfer_of(const char *call, int pid, const void *local,
					const void *address, int nbytes)
{
	size_t offset = (uintptr_t)address - (uintptr_t)statics.base;

	bspi_require_running(call, NULL);
	if (!statics.base)
		bspi_fail(call, NULL, "called without bspstart");
	if (nbytes > 0 && (offset >= statics.nbytes || statics.nbytes - offset < (size_t)nbytes))
		bspi_fail(call, NULL,
			  "the address %s is not that of %d byte%s of the program's static data",
			  bspi_address_text(address), nbytes, bspi_plural(nbytes));
	return (struct bspi_transfer){
		call, NULL, pid, local, statics.base, nbytes > 0 ? offset : 0, nbytes,
	};
}

void bspstore(int pid, const void *src, void *dst, int nbytes)
{
	struct bspi_transfer t = legacy_transfer_of("bspstore", pid, src, dst, nbytes);

	bspi_put_checked(&t);
}

void bspfetch(int pid, const void *src, void *dst, int nbytes)
{
	struct bspi_transfer t = legacy_transfer_of("bspfetch", pid, dst, src, nbytes);

	bspi_get_checked(&t);
}

double bsptime(void)
{
	bspi_require_running("bsptime", NULL);
	return bspi_time();
}

double bspdtime(void)
{
	return bspi_dtime();
}

/* @nbytes from every process, in order, in memory that the caller frees. */
static char *legacy_collect(const char *call, const void *src, size_t nbytes)
{
	char *all = calloc(bspi.nprocs, nbytes + 1);

	if (!all)
		bspi_fail_memory(call, NULL);
	bspi_enter();
	bspi_region_push(NULL, all, bspi.nprocs * nbytes);
	bspi_superstep(NULL, false);
	for (int q = 0; q < bspi.nprocs; q++)
		bspi_put(NULL, q, src, all, bspi.me * nbytes, nbytes);
	bspi_region_pop(NULL, all);
	bspi_superstep(NULL, false);
	bspi_leave();
	return all;
}

static void check_collective(const char *call, int nbytes)
{
	bspi_require_running(call, NULL);
	if (nbytes < 0)
		bspi_fail(call, NULL, "size %d is negative", nbytes);
}

/* Folds from the left; @op gets a result that is neither of its arguments. */
void bspreduce(void (*op)(void *, void *, void *, int), const void *src, void *dst, int nbytes)
{
	char *all, *sum, *next;

	check_collective("bspreduce", nbytes);
	all = legacy_collect("bspreduce", src, nbytes);
	sum = malloc(2 * (size_t)nbytes + 1);
	if (!sum)
		bspi_fail_memory("bspreduce", NULL);
	next = sum + nbytes;
	memcpy(sum, all, nbytes);
	for (int q = 1; q < bspi.nprocs; q++) {
		op(next, sum, all + (size_t)q * nbytes, nbytes);
		memcpy(sum, next, nbytes);
	}
	memcpy(dst, sum, nbytes);
	free(sum);
	free(all);
}

void bspbroadcast(int pid, const void *src, void *dst, int nbytes)
{
	check_collective("bspbroadcast", nbytes);
	if (pid < 0 || pid >= bspi.nprocs)
		bspi_fail_pid("bspbroadcast", NULL, pid);
	if (!dst && nbytes)
		bspi_fail("bspbroadcast", NULL, "the destination is NULL");
	bspi_enter();
	bspi_region_push(NULL, dst, nbytes);
	bspi_superstep(NULL, false);
	for (int q = 0; q < bspi.nprocs && bspi.me == pid; q++)
		bspi_put(NULL, q, src, dst, 0, nbytes);
	bspi_region_pop(NULL, dst);
	bspi_superstep(NULL, false);
	bspi_leave();
}
