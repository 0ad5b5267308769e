// SPDX-License-Identifier: BSD-3-Clause
/* measure_params.c - a measured machine as the models of collective operations want it. */

#include "measure.h"

#include <math.h>

static void params_fill(const struct measure_machine *machine, struct bspi_params *p)
{
	double per_flop = 1e3 / machine->s.median;	/* ns */

	*p = (struct bspi_params){ .measured = true };
	p->plogp.L = machine->L.median;
	p->plogp.gamma = machine->gamma.flagged ? 0 : machine->gamma.median;
	p->plogp.combine = machine->combine.median;
	p->plogp.copy = machine->copy.median;
	p->plogp.nsizes = machine->npoints;
	for (int i = 0; i < machine->npoints; i++) {
		p->plogp.size[i] = machine->point[i].bytes;
		p->plogp.os[i] = machine->point[i].os.median;
		p->plogp.or_[i] = machine->point[i].or_.median;
		p->plogp.g[i] = machine->point[i].g.median;
		p->plogp.alone[i] = machine->point[i].alone.median;
		p->plogp.cross[i] = machine->point[i].cross.median;
		p->plogp.fold[i] = machine->point[i].fold.median;
		p->plogp.move[i] = machine->point[i].copy.median;
	}
	p->plogp.has_local = machine->npoints > 0 && machine->point[0].copy.n > 0;
	p->slg.s = machine->s.median;
	p->slg.l = machine->l_ns.median / per_flop;
	p->slg.g = machine->g_ns.median / per_flop;
	p->slg.nhalf = (int)fmin(machine->nhalf.median, 1e9);
}

void measure_tell(struct measure *m, const struct measure_machine *machine,
		  struct bspi_params *params)
{
	if (m->me == 0)
		params_fill(machine, params);
	measure_agree(m, params, sizeof(*params));
}
