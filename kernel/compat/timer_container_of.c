// SPDX-License-Identifier: GPL-2.0-only
/* timer_container_of.c - compiles if that is the name of what was from_timer(). */

#include <linux/timer.h>

struct probe {
	struct timer_list timer;
};

struct probe *timer_probe(struct timer_list *t);

struct probe *timer_probe(struct timer_list *t)
{
	struct probe *p = timer_container_of(p, t, timer);

	return p;
}
