// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_fpu.c - floating point in the kernel: the registers are saved around it. */

#include "espgoal_job.h"

#include <asm/fpu/api.h>

void goal_float_fenced(enum goal_function function, enum goal_datatype datatype, bool reversed,
		       void *dst, const void *src, size_t n);

bool eg_fpu_usable(void)
{
	return irq_fpu_usable();
}

/* kernel_fpu_begin() disables preemption: bound the elements of one section. */
enum { EG_FPU_ELEMENTS = 2048 };

void goal_float(enum goal_function function, enum goal_datatype datatype, bool reversed, void *dst,
		const void *src, size_t n)
{
	size_t bytes = datatype == GOAL_F32 ? sizeof(u32) : sizeof(u64);

	while (n) {
		size_t some = n < EG_FPU_ELEMENTS ? n : EG_FPU_ELEMENTS;

		kernel_fpu_begin();
		goal_float_fenced(function, datatype, reversed, dst, src, some);
		kernel_fpu_end();
		dst += some * bytes;
		src += some * bytes;
		n -= some;
	}
}
