/* SPDX-License-Identifier: BSD-3-Clause */
/* spmd.h - for bodies of tests of bsp.h: to begin, neighbours, and patterns of bytes. */
#ifndef SPMD_H
#define SPMD_H

#include "tap.h"

#include <bsp.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Begin the SPMD part on all processes of the job. */
static inline void enter(void)
{
	bsp_begin(bsp_nprocs());
	tap_process((int)bsp_pid());
}

/* Register an area; the registration is in effect on return. */
static inline void publish(const void *area, size_t nbytes)
{
	bsp_push_reg(area, (bsp_size_t)nbytes);
	bsp_sync();
}

static inline bsp_pid_t right(void)
{
	return (bsp_pid_t)((bsp_pid() + 1) % bsp_nprocs());
}

static inline bsp_pid_t left(void)
{
	return (bsp_pid_t)((bsp_pid() + bsp_nprocs() - 1) % bsp_nprocs());
}

/* The peak of memory of this process. */
static inline long peak_kib(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[200];
	long kib = 0;

	while (file && !kib && fgets(line, sizeof line, file))
		sscanf(line, "VmHWM: %ld", &kib);
	if (file)
		fclose(file);
	return kib;
}

/* Byte @i of a pattern that differs for every @seed and does not repeat in pages. */
static inline unsigned char pattern(uint32_t seed, size_t i)
{
	uint32_t x = (uint32_t)i * 2654435761u + (seed + 1) * 2246822519u;

	return (unsigned char)(x >> 24 ^ x >> 11);
}

static inline void fill(void *area, size_t nbytes, uint32_t seed)
{
	unsigned char *bytes = area;

	for (size_t i = 0; i < nbytes; i++)
		bytes[i] = pattern(seed, i);
}

/* The number of bytes of @area that differ from the pattern, which begins at its byte @from. */
static inline long wrong_from(const void *area, size_t nbytes, uint32_t seed, size_t from)
{
	const unsigned char *bytes = area;
	long wrong = 0;

	for (size_t i = 0; i < nbytes; i++)
		wrong += bytes[i] != pattern(seed, from + i);
	return wrong;
}

static inline long wrong(const void *area, size_t nbytes, uint32_t seed)
{
	return wrong_from(area, nbytes, seed, 0);
}

#endif
