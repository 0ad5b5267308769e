/* SPDX-License-Identifier: BSD-3-Clause */
/* BSP_COLL forces algorithms, segments and arities; what it cannot mean ends the program. */
#include "bsplib/model/model.h"
#include "bsp.h"
#include "../lib/tap.h"

#include <stdlib.h>

static const char *setting;

static void begin(void)
{
	setenv("BSP_COLL", setting, 1);
	bsp_begin(bsp_nprocs());
	tap_process(bsp_pid());
}

static void forced_arity(void)
{
	struct goal_task t = { .kind = GOAL_BARRIER, .call = -1, .networks = 1 };
	uint64_t number;

	setting = "barrier:linear,barrier:knomial:5,allgather:ring+nodes";
	begin();
	is_str("knomial", bspi_coll_forced(GOAL_BARRIER, &number)->name,
	       "the last of an operation counts");
	is_int(5, (int)number, "with its number");
	ok(!bspi_coll_forced(GOAL_BCAST, &number), "others are free");
	is_str("ring", bspi_coll_forced(GOAL_ALLGATHER, &number)->name, "an algorithm of nodes");
	ok(bspi_coll_forced_nodes(GOAL_ALLGATHER) && !bspi_coll_forced_nodes(GOAL_BARRIER),
	   "is one of two levels, and others are not");
	ok(bspi_model_choose(&bspi_params()->plogp, &t, 16) > 0, "it is chosen");
	is_str("knomial", t.algorithm->name, "though others may cost less");
	is_int(5, t.arity, "with its arity");
	bsp_end();
}

static void wrong(void)
{
	begin();
	bsp_end();
}

static void refuses(const char *value, const char *prefix)
{
	setting = value;
	dies_ok(wrong, 2, prefix, "BSP_COLL=%s", value);
}

int main(void)
{
	lives_ok(forced_arity, 2, "a forced arity");
	refuses("barrier", "bsp_begin: BSP_COLL: \"barrier\" is not operation:algorithm");
	refuses("fence:linear",
		"bsp_begin: BSP_COLL: there is no operation \"fence\"; there are barrier, bcast, ");
	refuses("barrier:square",
		"bsp_begin: BSP_COLL: barrier has no algorithm \"square\"; there are "
		"dissemination, ");
	refuses("gather:chain+nodes",
		"bsp_begin: BSP_COLL: gather:chain cannot be done in two levels, inside nodes and "
		"between them; leave out \"+nodes\"");
	refuses("bcast:multicast+nodes",
		"bsp_begin: BSP_COLL: bcast:multicast cannot be done in two levels, ");
	refuses("barrier:linear:2",
		"bsp_begin: BSP_COLL: barrier:linear takes no number, but \"2\" follows");
	refuses("barrier:knomial:0",
		"bsp_begin: BSP_COLL: barrier:knomial takes an arity from 1 to 65536, not \"0\"");
	refuses("barrier:knomial:2k",
		"bsp_begin: BSP_COLL: barrier:knomial takes an arity from 1 to 65536, not \"2k\"");
	refuses("barrier:knomial:-3",
		"bsp_begin: BSP_COLL: barrier:knomial takes an arity from 1 to 65536, not \"-3\"");
	refuses("barrier:knomial:99999999999999999999",
		"bsp_begin: BSP_COLL: barrier:knomial takes an arity");
	return done_testing();
}
