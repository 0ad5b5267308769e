/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that names another one as a neighbour more often than that one names it ends the job,
 * with a message that names both; so does a list that is wrong. */
#include "../lib/collective.h"

static char x[256], y[256];
static int which;

static const int seven[] = { 7 }, minus[] = { -1 }, self[] = { 0, 0, 0 };

static void alone(void)
{
	enter();
	expect_process(0);
	switch (which) {
	case 0: expect_site(), bsp_neighbor_exchange(-1, self, x, y, 1); break;
	case 1: expect_site(), bsp_neighbor_exchange(1, NULL, x, y, 1); break;
	case 2: expect_site(), bsp_neighbor_exchange(1, seven, x, y, 1); break;
	case 3: expect_site(), bsp_neighbor_exchange(1, minus, x, y, 1); break;
	case 4: expect_site(), bsp_neighbor_exchange(3, self, x, y, SIZE_MAX); break;
	case 5: expect_site(), bsp_neighbor_exchange(3, self, x, y, (size_t)1 << 39); break;
	case 6: expect_site(), bsp_neighbor_exchange(3, self, NULL, y, 8); break;
	case 7: expect_site(), bsp_neighbor_exchange(3, self, x, NULL, 8); break;
	case 8: expect_site(), bsp_neighbor_exchange(3, self, x, x + 16, 8); break;
	default: expect_site(), (void)bsp_ineighbor_exchange(-3, self, x, y, 1); break;
	}
	bsp_end();
}

static const char *const wrong_alone[] = {
	"bsp_neighbor_exchange: the number of neighbours -1 is negative",
	"bsp_neighbor_exchange: the list of neighbours is NULL",
	"bsp_neighbor_exchange: process 7 does not exist, there is 1",
	"bsp_neighbor_exchange: process -1 does not exist, there is 1",
	"bsp_neighbor_exchange: size -1 is negative",
	"bsp_neighbor_exchange: 549755813888 bytes for each of 3 neighbours are more than 2^40 "
	"bytes",
	"bsp_neighbor_exchange: the source is NULL",
	"bsp_neighbor_exchange: the destination is NULL",
	"bsp_neighbor_exchange: the source (24 bytes at 0x",
	"bsp_ineighbor_exchange: the number of neighbours -3 is negative",
	NULL,
};

/* Processes 0 and 1 name each other, process 2 by case; how often process 1 does varies. */
static void not_mutual(void)
{
	static const int zeros[] = { 0, 0, 0 }, ones[] = { 1, 1 }, both[] = { 1, 2 };

	enter();
	switch (which) {
	case 0:		/* 0 names 1, which names no process */
		bsp_neighbor_exchange(me() == 0, ones, x, y, 8);
		break;
	case 1:		/* once, but twice the other way */
		bsp_neighbor_exchange(me() == 0 ? 1 : me() == 1 ? 2 : 0, me() ? zeros : ones, x, y,
				      8);
		break;
	default:	/* 2 is named by 0, and has gone on to the end of the superstep */
		bsp_neighbor_exchange(me() == 0 ? 2 : me() == 1, me() ? zeros : both, x, y, 8);
		break;
	}
	bsp_sync();
	bsp_end();
}

static bool both_are_named(void)
{
	static const char *const forward[] = {
		"process 0 names process 1 as a neighbour 1 times, and process 1 names process 0 0",
		"process 0 names process 1 as a neighbour 1 times, and process 1 names process 0 2",
		"process 0 names process 2 as a neighbour 1 times, and process 2 names process 0 0",
	};
	static const char *const backward[] = {
		"process 1 names process 0 as a neighbour 0 times, and process 0 names process 1 1",
		"process 1 names process 0 as a neighbour 2 times, and process 0 names process 1 1",
		"process 2 names process 0 as a neighbour 0 times, and process 0 names process 2 1",
	};

	return strstr(job_err(), forward[which]) || strstr(job_err(), backward[which]);
}

int main(void)
{
	const char *transport = getenv("BSP_TRANSPORT");

	for (which = 0; wrong_alone[which]; which++)
		dies_ok(alone, 1, wrong_alone[which], "%s", wrong_alone[which]);
	for (int check = transport && !strcmp(transport, "emu"); check < 2; check++) {
		setenv("BSP_CHECK", check ? "1" : "0", 1);
		for (which = 0; which < 3; which++) {
			dies_ok(not_mutual, 3, "bsp_neighbor_exchange: process ", "case %d%s",
				which, check ? ", with --check" : "");
			if (job_max_nprocs() >= 3 && !ok(both_are_named(), "both are named"))
				diag("%s", job_err());
		}
	}
	return done_testing();
}
