/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_env.h - what the other files need of C library or kernel; only this one knows which. */
#ifndef GOAL_ENV_H
#define GOAL_ENV_H

/*
 * goal_check.c, goal_run.c, goal_arith.c and goal_float.c are compiled twice: into the library and
 * into a kernel module. They include this and goal_format.h and goal_run.h, and nothing else.
 */
#ifdef __KERNEL__
#include <linux/build_bug.h>
#include <linux/limits.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#endif

/*
 * Called for each entry of a list, by its number: a long one lets others run. Callers that must not
 * sleep have no operation with so many.
 */
enum { GOAL_PAUSE_AFTER = 4096 };

#ifdef __KERNEL__
#define goal_pause(n)                                       \
	do {                                                \
		if (!(((n) + 1) % GOAL_PAUSE_AFTER))        \
			cond_resched();                     \
	} while (0)
#else
#define goal_pause(n) ((void)(n))
#endif

#if defined(__KERNEL__) || defined(__cplusplus)
#define goal_static_assert(condition, text) static_assert(condition, text)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define goal_static_assert(condition, text) _Static_assert(condition, text)
#else
#define goal_static_assert(condition, text) extern char goal_asserted[(condition) ? 1 : -1]
#endif

/* Schedules are little-endian, and run where the processor is. */
#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "schedules are run on little-endian processors"
#endif

#endif
