// SPDX-License-Identifier: BSD-3-Clause
/* measure.c - measure a machine: the order of things. */

#include "measure.h"

/* m->answer_ns stays that of the network. */
static void measure_inside(struct measure *m, struct measure_machine *machine, double part)
{
	static struct measure_machine inside;
	struct measure near = *m;

	inside = (struct measure_machine){ .npoints = 0 };
	near.peer = m->near;
	measure_plogp(&near, &inside, part);
	machine->inside = &inside;
}

void measure_machine(struct measure *m, struct measure_machine *machine)
{
	*machine = (struct measure_machine){ .virtual_time = m->virtual_time };
	m->carrier = &measure_schedules;
	measure_processor(m, machine, 0.1);
	measure_supersteps(m, machine, 0.3);
	measure_plogp(m, machine, m->near > 0 ? 0.6 : 0.9);
	if (m->near > 0)
		measure_inside(m, machine, 0.9);
	measure_gamma(m, machine, 1);
	machine->seconds = measure_elapsed(m);
}
