// SPDX-License-Identifier: BSD-3-Clause
/* measure_params.c - a measured machine as the models of collective operations want it. */

#include "measure.h"

#include <math.h>

/* The points, and the local operations of @machine. */
static void params_fill_plogp(const struct measure_machine *points,
			      const struct measure_machine *machine, struct bspi_plogp *p)
{
	p->L = points->L.median;
	p->combine = machine->combine.median;
	p->copy = machine->copy.median;
	p->nsizes = points->npoints;
	for (int i = 0; i < points->npoints; i++) {
		p->size[i] = points->point[i].bytes;
		p->os[i] = points->point[i].os.median;
		p->or_[i] = points->point[i].or_.median;
		p->g[i] = points->point[i].g.median;
		p->alone[i] = points->point[i].alone.median;
		p->cross[i] = points->point[i].cross.median;
		p->fold[i] = points->point[i].fold.median;
		p->move[i] = points->point[i].copy.median;
	}
	p->has_local = points->npoints > 0 && points->point[0].copy.n > 0;
}

static void params_fill(const struct measure_machine *machine, struct bspi_params *p)
{
	double per_flop = 1e3 / machine->s.median;	/* ns */

	*p = (struct bspi_params){ .measured = true };
	params_fill_plogp(machine, machine, &p->plogp);
	p->plogp.gamma = machine->gamma.flagged ? 0 : machine->gamma.median;
	if (machine->inside)
		params_fill_plogp(machine->inside, machine, &p->inside);
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
