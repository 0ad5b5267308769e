/* SPDX-License-Identifier: BSD-3-Clause */
/* goal_task.h - test programs in a guest: tasks to generate a schedule of, and one run of it. */
#ifndef GUEST_GOAL_TASK_H
#define GUEST_GOAL_TASK_H

#include "espgoal.h"
#include "goal/gen/goal_gen.h"

#include <errno.h>
#include <stdint.h>
#include <sys/ioctl.h>

/* From the first buffer to the second one, over one network, in trees of two; folds add doubles. */
static inline struct goal_task task_of(enum goal_kind kind, const char *algorithm, uint64_t bytes)
{
	struct goal_task task = { .kind = kind,
				  .algorithm = goal_algorithm_named(kind, algorithm),
				  .bytes = bytes,
				  .arity = 2,
				  .networks = 1,
				  .call = -1,
				  .source = 0,
				  .target = 1 };

	if (goal_kind_folds(kind)) {
		task.function = GOAL_ADD;
		task.datatype = GOAL_F64;
	}
	return task;
}

/* Without a scratchpad, until it has ended. 0, or how it ended as an errno. */
static inline int run_once(int device, uint32_t id, void *source, void *target)
{
	uint64_t buffers[2] = { (uintptr_t)source, (uintptr_t)target };
	struct espgoal_start s = { .id = id, .buffers = (uintptr_t)buffers };
	struct espgoal_finish f = { 0 };

	if (ioctl(device, ESPGOAL_START, &s))
		return errno;
	f.slot = s.slot;
	return ioctl(device, ESPGOAL_FINISH, &f) ? errno : 0;
}

#endif
