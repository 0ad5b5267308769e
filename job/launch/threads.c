// SPDX-License-Identifier: BSD-3-Clause
/* threads.c - threads of the program: those that are not copied, and OpenMP's number of them. */

/*
 * A process that is copied loses all threads but the one that copies it. Threads of OpenMP,
 * whose runtime would wait for them for ever, are ended before, and are made anew by the next
 * region; those of others are the program's affair.
 *
 * The names of OpenMP are weak: a program without it has none, and one that is linked statically
 * only those that it uses. Both runtimes that compilers here have, libgomp and libomp, have them
 * all.
 */

#include "threads.h"

#include "job/internal.h"

#include "cores.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Functions of the header omp.h, which not every compiler has. */
__attribute__((weak)) int omp_get_max_threads(void);
__attribute__((weak)) void omp_set_num_threads(int n);
__attribute__((weak)) int omp_get_num_places(void);
__attribute__((weak)) int omp_get_place_num_procs(int place);
__attribute__((weak)) void omp_get_place_proc_ids(int place, int *ids);
__attribute__((weak)) int omp_pause_resource_all(int kind);
/* Functions that the compilers call where a region begins. */
__attribute__((weak)) void GOMP_parallel(void);
__attribute__((weak)) void __kmpc_fork_call(void);
/* The thread sanitizer's. */
__attribute__((weak)) void __tsan_init(void);
/* In glibc, from 2.32 on: not 0 as long as the program has started no thread. */
extern char __libc_single_threaded __attribute__((weak));

enum { OMP_PAUSE_HARD = 2 };	/* of libomp a soft pause ends no threads */

/* ---- OpenMP ---------------------------------------------------------------- */

bool bspj_threads_are_of_openmp(void)
{
	return omp_set_num_threads || GOMP_parallel || __kmpc_fork_call;
}

static bool threads_have_places(void)
{
	/* Without these there are none, and the question alone makes libomp bind. */
	return omp_get_num_places && omp_get_place_num_procs && omp_get_place_proc_ids &&
	       (getenv("OMP_PROC_BIND") || getenv("OMP_PLACES") || getenv("GOMP_CPU_AFFINITY"));
}

int bspj_threads_add_places(cpu_set_t *set)
{
	int n = threads_have_places() ? omp_get_num_places() : 0;

	for (int place = 0; place < n; place++) {
		int nids = omp_get_place_num_procs(place);
		int *ids = nids > 0 ? malloc(nids * sizeof(*ids)) : NULL;

		if (!ids)
			continue;
		omp_get_place_proc_ids(place, ids);
		for (int i = 0; i < nids; i++)
			if (ids[i] >= 0 && ids[i] < BSPJ_CPUS_MOST)
				CPU_SET(ids[i], set);
		free(ids);
	}
	return n;
}

int bspj_threads_wanted(int usual)
{
	int n;

	if (!omp_get_max_threads || !omp_set_num_threads)
		return -bspj_threads_are_of_openmp();
	n = omp_get_max_threads();
	return getenv("OMP_NUM_THREADS") || n != usual ? n : 0;
}

bool bspj_threads_limit(int most, int *before)
{
	*before = 0;
	if (!omp_get_max_threads || !omp_set_num_threads || omp_get_max_threads() <= most)
		return false;
	*before = omp_get_max_threads();
	omp_set_num_threads(most);
	return true;
}

void bspj_threads_set(int n)
{
	if (n > 0 && omp_set_num_threads)
		omp_set_num_threads(n);
}

int bspj_threads_end_openmp(void)
{
	return omp_pause_resource_all ? omp_pause_resource_all(OMP_PAUSE_HARD) : -1;
}

/* ---- All of them ------------------------------------------------------------- */

/* A thread that was joined is listed until the kernel has ended it. */
static bool thread_is_ending(const char *tid)
{
	enum { PF_EXITING = 4 };	/* include/linux/sched.h */
	char path[300], text[512];
	unsigned int flags = PF_EXITING;
	const char *rest;

	snprintf(path, sizeof(path), "/proc/self/task/%s/stat", tid);
	rest = bspt_task_stat(path, text, sizeof(text));
	if (rest)
		sscanf(rest, " %*c %*d %*d %*d %*d %*d %u", &flags);
	return flags & PF_EXITING;
}

/* An emulator of another processor has threads, too, which are not the program's. */
static bool has_started_no_thread(void)
{
	return &__libc_single_threaded && __libc_single_threaded;
}

int bspj_threads_besides(void)
{
	DIR *folder = has_started_no_thread() ? NULL : opendir("/proc/self/task");
	struct dirent *entry;
	int n = 0;

	if (!folder)
		return 0;
	while ((entry = readdir(folder)))
		n += entry->d_name[0] != '.' && atoi(entry->d_name) != gettid() &&
		     !thread_is_ending(entry->d_name);
	closedir(folder);
	/* It has a thread of its own, which it starts again in a copy. */
	return n > 0 && __tsan_init ? n - 1 : n;
}
