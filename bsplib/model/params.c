// SPDX-License-Identifier: BSD-3-Clause
/* params.c - the parameters of this run, measured or estimated. */

#include "bsplib/model/params.h"

#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/model/model.h"
#include "bsplib/schedule/schedule.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	WHY_MOST = 1400,
	WRONG_MOST = 1000,
	WORD = 4,		/* bytes: Oxford's word */
	H_LARGE = 1 << 20,	/* bytes that are "many" */
};

/* Parameters of a network of which nothing is known, in ns; and of a processor, in Mflop/s. */
static const struct bspt_cost unknown_network = { .L = 2000, .o = 500, .g = 500, .G = 0.3 };
static const double UNKNOWN_S = 1000;
/* A fold and a copy in memory, in ns for a byte, where nothing was measured and time is real. */
static const double UNKNOWN_COMBINE = 0.04, UNKNOWN_COPY = 0.02;

static struct bspi_params params;
static struct bspi_params_key own;	/* of this run */

const struct bspi_params *bspi_params(void)
{
	return &params;
}

void bspi_params_key(struct bspi_params_key *key)
{
	*key = own;
	key->offload = bspi_offload_is_on(BSPI_OFFLOAD_ALL);
}

/* ---- Measured ---------------------------------------------------------------------- */

static void params_take(const struct bspi_params_entry *e, const char *path)
{
	params.plogp = e->plogp;
	params.inside = e->inside;
	params.slg = e->slg;
	params.nprocs = e->key.nprocs;
	params.measured = true;
	snprintf(params.from, sizeof(params.from), "%s", path);
}

/* The result of process 0, which is sent to all before anything else. */
struct finding {
	bool measured;
	/* with the file that the user has named; "" if nothing is */
	char wrong[WRONG_MOST];
};

_Static_assert(sizeof(struct finding) <= BSPT_EXCHANGE_MOST, "sent by one exchange");

/* The file that the user has named: a mistake in it ends the program. */
static void params_read_named(const struct bspi_params_key *key, char *wrong, size_t len)
{
	struct bspi_params_entry e;
	int found = bspi_params_find(bspi.env.params, key, true, &e, wrong, len);

	if (found > 0)
		params_take(&e, bspi.env.params);
	else if (found == 0)
		bspi_warn("bsp_begin",
			  "BSP_PARAMS: %s has no entry for transport %s; bspprobe --save makes one",
			  bspi.env.params, key->transport);
}

/*
 * The one of the configuration folder, which need not be there: a mistake in it is no more than a
 * warning.
 */
static void params_read_own(const struct bspi_params_key *key)
{
	struct bspi_params_entry e;
	char path[WHY_MOST / 2], why[WHY_MOST];
	int found;

	if (!bspi_params_path(path, sizeof(path)) || access(path, F_OK) != 0)
		return;
	found = bspi_params_find(path, key, false, &e, why, sizeof(why));
	if (found < 0)
		bspi_warn("bsp_begin", "measured parameters are not used: %s; mend or remove the "
			  "file, bspprobe --save makes a new one",
			  why);
	if (found > 0)
		params_take(&e, path);
}

static void params_look_up(struct finding *f)
{
	if (strcmp(bspi.env.params, "none") == 0)
		return;
	if (bspi.env.params[0])
		params_read_named(&own, f->wrong, sizeof(f->wrong));
	else
		params_read_own(&own);
	f->measured = params.measured;
}

/* Send what process 0 has to all. False: the launcher cannot. */
static bool params_bcast(struct bspt_wire *w, void *what, size_t bytes)
{
	char bytes_of_0[BSPT_EXCHANGE_MOST];
	struct bspt_one piece = { .of = 0, .into = bytes_of_0 };

	for (size_t at = 0; at < bytes; at += piece.len) {
		piece.len = bytes - at < BSPT_EXCHANGE_MOST ? bytes - at : BSPT_EXCHANGE_MOST;
		if (w->exchange(w, (char *)what + at, piece.len, bspt_take_one, &piece))
			return false;
		memcpy((char *)what + at, bytes_of_0, piece.len);
	}
	return true;
}

/*
 * An exchange is a fence, so most often there is one only. A mistake is known to all, which fail
 * together: some launchers cannot end a job in which others wait in a fence. Processes that the
 * job has no use for take no part.
 */
static void params_share(const char *site, struct finding *f)
{
	struct bspt_wire *w = bspi.job.wire;

	if (!params_bcast(w, f, sizeof(*f)) ||
	    (f->measured && !params_bcast(w, &params, sizeof(params))))
		bspi_fail("bsp_begin", site, "the measured parameters cannot be sent to all "
			  "processes; has one of them ended, or closed descriptors that it did not "
			  "open?");
}

void bspi_params_read(const char *site, const char *transport, int nprocs)
{
	struct finding f = { .measured = false };

	own = (struct bspi_params_key){
		.nprocs = nprocs, .offload = strcmp(bspi.env.offload, "1") == 0
	};
	params = (struct bspi_params){ .measured = false };
	snprintf(own.transport, sizeof(own.transport), "%s", transport);
	snprintf(own.network, sizeof(own.network), "%.*s", BSPI_NETWORK_MOST - 1,
		 bspi.env.emulate);
	bspi_params_host(own.host, sizeof(own.host));
	if (!bspi.job.launched || bspi.job.me == 0)
		params_look_up(&f);
	if (bspi.job.launched && bspi.job.me < nprocs)
		params_share(site, &f);
	if (f.wrong[0])
		bspi_fail("bsp_begin", site, "BSP_PARAMS: %s", f.wrong);
}

/* ---- Estimated ----------------------------------------------------------------------- */

/*
 * The rate is that of large messages: a word costs what the gap grows by; half of the rate is
 * reached where a message costs twice what its bytes do. The barrier is the cheapest that there is.
 */
static void estimate_slg(struct bspi_slg *slg, const struct bspi_plogp *p, int nprocs)
{
	struct goal_task barrier = { .kind = GOAL_BARRIER, .call = -1, .networks = 1 };
	double byte = (bspi_model_gap(p, 2 * H_LARGE) - bspi_model_gap(p, H_LARGE)) / H_LARGE;
	double per_flop = 1e3 / UNKNOWN_S;	/* ns */

	slg->s = UNKNOWN_S;
	slg->l = nprocs > 1 ? bspi_model_choose(p, &barrier, nprocs) / per_flop : 0;
	slg->g = WORD * byte / per_flop;
	slg->nhalf = byte > 0 ? (int)fmin(bspi_model_gap(p, 1) / byte / WORD, 1e9) : 0;
}

/* In virtual time computing costs what the emulated processor makes of it, which may be nothing. */
static void estimate_plogp(struct bspi_plogp *p, const struct bspt_cost *c)
{
	bspi_plogp_of(p, c->L, c->o, c->g, c->G);
	if (bspi.net && bspi.net->ops->caps & BSPT_CAP_CLOCK)
		return;
	p->combine = UNKNOWN_COMBINE;
	p->copy = UNKNOWN_COPY;
}

void bspi_params_open(void)
{
	const struct bspt_cost *c = bspi.net ? &bspi.net->cost : &unknown_network;
	const struct bspt_cost *near = bspi.net ? &bspi.net->inside : NULL;

	if (c->L <= 0 && c->G <= 0)
		c = &unknown_network;
	if (!params.measured)
		estimate_plogp(&params.plogp, c);
	if (params.inside.nsizes == 0 && near && near->L > 0) {
		bspi_plogp_of(&params.inside, near->L, near->o, near->g, near->G);
		bspi_plogp_take_local(&params.inside, &params.plogp);
	}
	params.plogp.inside = params.inside.nsizes > 0 ? &params.inside : NULL;
	if (params.measured)
		return;
	estimate_slg(&params.slg, &params.plogp, bspi.nprocs);
	snprintf(params.from, sizeof(params.from), "estimate of transport %s",
		 bspi.net ? bspi.net->ops->name : "self");
}
