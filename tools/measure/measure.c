// SPDX-License-Identifier: BSD-3-Clause
/* measure.c - measure a machine: the order of things. */

#include "measure.h"

void measure_machine(struct measure *m, struct measure_machine *machine)
{
	*machine = (struct measure_machine){ .virtual_time = m->virtual_time };
	m->carrier = &measure_schedules;
	measure_processor(m, machine, 0.1);
	measure_supersteps(m, machine, 0.3);
	measure_plogp(m, machine, 0.9);
	measure_gamma(m, machine, 1);
	machine->seconds = measure_elapsed(m);
}
