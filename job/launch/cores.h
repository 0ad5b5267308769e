/* SPDX-License-Identifier: BSD-3-Clause */
/* cores.h - the cores of this machine, and which of them each process gets. */
#ifndef BSPJ_CORES_H
#define BSPJ_CORES_H

#include "job/job.h"

#include <sched.h>
#include <stdbool.h>

/* A set has room for so many processors; CPU_SETSIZE of musl is 128, the same room in bytes. */
enum { BSPJ_CPUS_MOST = 8 * sizeof(cpu_set_t) };

/* Numbers of what a core belongs to: two cores of one cache, NUMA node or socket have the same. */
struct bspj_core {
	cpu_set_t cpus;		/* its processors, those that this process may use */
	int cache, numa, socket;
};

/*
 * The cores of which this process may use a processor, neighbours next to each other: in the order
 * of sockets, in them of NUMA nodes, in these of shared caches. @most or fewer; how many, 0: it is
 * not known.
 *
 * By hwloc, in bind_hwloc.c, and only there if that file is linked in: it is in the shared library
 * and in the tools that measure, and not in programs linked statically, because hwloc needs
 * libraries that are rarely there as static ones. Nor is it built where there is no hwloc.
 */
__attribute__((weak)) int bspj_cores_by_hwloc(struct bspj_core *cores, int most);
/* The same as the kernel shows it in the folder @sys, which is /sys; of the processors @allowed. */
int bspj_cores_by_kernel(const char *sys, const cpu_set_t *allowed, struct bspj_core *cores,
			 int most);

/*
 * The processors of each of @nprocs processes, in @sets, out of @n cores. BSPJ_BIND_CORE: process i
 * has the i-th; BSPJ_BIND_SHARE: @each neighbouring ones, where as few processes as possible have
 * parts of two sockets, then of two NUMA nodes, then of two caches; the others: all of the cache,
 * NUMA node or socket of core i * n / nprocs. False: too few cores, or no memory.
 */
bool bspj_cores_deal(const struct bspj_core *cores, int n, enum bspj_bind how, int each, int nprocs,
		     cpu_set_t *sets);

/*
 * How many cores each process gets as its share: n / nprocs, or fewer if a limit of @processors for
 * all of them would not let all be used; at least one.
 */
int bspj_cores_each(const struct bspj_core *cores, int n, int nprocs, int processors);

/* A list of the kernel's, as "0-3,8": false, if @text is none, or has one that no set holds. */
bool bspj_cpus_read(const char *text, cpu_set_t *set);
/* And back, as much of it as there is room for; the end of a longer one is "...". */
void bspj_cpus_write(const cpu_set_t *set, char *text, size_t len);

#endif
