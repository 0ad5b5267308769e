// SPDX-License-Identifier: BSD-3-Clause
/* mcbsp_affinity.c - MulticoreBSP's calls about threads and cores: what is set is remembered. */

#include "mcbsp-affinity.h"

#include <stdint.h>
#include <unistd.h>

static struct {
	enum mcbsp_affinity_mode mode;
	enum mcbsp_thread_numbering numbering;
	size_t threads, cores;		/* 0: not set */
} affinity;

void mcbsp_set_affinity_mode(enum mcbsp_affinity_mode mode)
{
	affinity.mode = mode;
}

enum mcbsp_affinity_mode mcbsp_get_affinity_mode(void)
{
	return affinity.mode;
}

void mcbsp_set_thread_numbering(enum mcbsp_thread_numbering numbering)
{
	affinity.numbering = numbering;
}

enum mcbsp_thread_numbering mcbsp_get_thread_numbering(void)
{
	return affinity.numbering;
}

void mcbsp_set_maximum_threads(size_t max)
{
	affinity.threads = max;
}

size_t mcbsp_get_maximum_threads(void)
{
	return affinity.threads ? affinity.threads : SIZE_MAX;
}

void mcbsp_set_available_cores(size_t cores)
{
	affinity.cores = cores;
}

size_t mcbsp_get_available_cores(void)
{
	return affinity.cores ? affinity.cores : (size_t)sysconf(_SC_NPROCESSORS_ONLN);
}

void mcbsp_ignore(int unused, ...)
{
	(void)unused;
}
