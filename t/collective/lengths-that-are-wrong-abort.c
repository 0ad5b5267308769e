/* SPDX-License-Identifier: BSD-3-Clause */
/* Lengths, offsets and areas that are wrong end the job, and lengths that do not agree are both
 * named. */
#include "../lib/collective.h"

static char x[256], y[256];
static int which;

static const size_t huge[] = { SIZE_MAX / 2 - 7 };

/* ---- Mistakes that a process can see alone ---------------------------------------------- */

static void alone(void)
{
	size_t one[] = { 8 }, minus[] = { (size_t)-8 }, far[] = { SIZE_MAX - 3 }, wide[] = { 1 };
	size_t beyond[] = { (size_t)1 << 40 };

	enter();
	expect_process(0);
	switch (which) {
	case 0: expect_site(), bsp_gatherv(0, x, 8, y, NULL, NULL); break;
	case 1: expect_site(), bsp_scatterv(0, x, NULL, NULL, y, 8); break;
	case 2: expect_site(), bsp_allgatherv(x, 8, y, minus, NULL); break;
	case 3: expect_site(), bsp_gatherv(0, x, SIZE_MAX, y, one, NULL); break;
	case 4: expect_site(), bsp_exchangev(x, huge, NULL, y, one, NULL); break;
	case 5: expect_site(), bsp_exchangev(x, one, NULL, y, huge, NULL); break;
	case 6: expect_site(), bsp_gatherv(0, x, 8, y, one, far); break;
	case 7: expect_site(), bsp_scatterv(0, x, one, beyond, y, 8); break;
	case 8: expect_site(), bsp_allgatherv(x, 4, y, one, NULL); break;
	case 9: expect_site(), bsp_scatterv(0, NULL, one, NULL, y, 8); break;
	case 10: expect_site(), bsp_allgatherv(x, 8, NULL, one, NULL); break;
	case 11: expect_site(), bsp_gatherv(0, x, 8, x + 4, one, NULL); break;
	case 12: expect_site(), bsp_exchangev(x, one, NULL, x + 4, one, NULL); break;
	case 13: expect_site(), bsp_reduce_scatter(BSP_SUM, BSP_INT, x, y, NULL); break;
	case 14: expect_site(), bsp_reduce_scatter(BSP_SUM, BSP_DOUBLE, x + 1, y, wide); break;
	case 15: expect_site(), bsp_reduce_scatter(BSP_XOR, BSP_DOUBLE, x, y, wide); break;
	case 16: expect_site(), bsp_reduce_scatter(BSP_SUM, BSP_INT64, x, y, huge); break;
	case 17: expect_site(), bsp_gatherv(1, x, 8, y, one, NULL); break;
	default: expect_site(), (void)bsp_iallgatherv(NULL, 8, y, one, NULL); break;
	}
	bsp_end();
}

static const char *const wrong_alone[] = {
	"bsp_gatherv: the array of sizes is NULL",
	"bsp_scatterv: the array of sizes is NULL",
	"bsp_allgatherv: size -8 for process 0 is negative",
	"bsp_gatherv: size -1 for process 0 is negative",
	"bsp_exchangev: 9223372036854775800 times 1 bytes for process 0 are more than 2^40 bytes",
	"bsp_exchangev: 9223372036854775800 times 1 bytes for process 0 are more than 2^40 bytes",
	"bsp_gatherv: the block of process 0 in the destination, 8 bytes at offset "
	"18446744073709551612, ends beyond 2^40 bytes",
	"bsp_scatterv: the block of process 0 in the source, 8 bytes at offset 1099511627776, ends "
	"beyond 2^40 bytes",
	"bsp_allgatherv: process 0 gives itself 4 bytes and expects 8",
	"bsp_scatterv: the source is NULL",
	"bsp_allgatherv: the destination is NULL",
	"bsp_gatherv: the source (8 bytes at 0x",
	"bsp_exchangev: the source (8 bytes at 0x",
	"bsp_reduce_scatter: the array of counts is NULL",
	"bsp_reduce_scatter: the source 0x",
	"bsp_reduce_scatter: BSP_XOR is for integers, not for BSP_DOUBLE",
	"bsp_reduce_scatter: 9223372036854775800 times 8 bytes for process 0 are more than 2^40 "
	"bytes",
	"bsp_gatherv: process 1 does not exist, there is 1",
	"bsp_iallgatherv: the source is NULL",
	NULL,
};

/* ---- Several blocks -------------------------------------------------------------------------- */

static void several(void)
{
	static const size_t half[] = { (size_t)1 << 39, (size_t)1 << 39, 1 };
	static const size_t sizes[] = { 8, 8, 8 }, crossing[] = { 16, 0, 7 };
	static const size_t touching[] = { 16, 0, 8 };

	enter();
	bsp_allgatherv(x, 8, y, sizes, touching);
	if (which)
		expect_site(), bsp_allgatherv(x, 8, y, sizes, crossing);
	else
		expect_site(), bsp_allgatherv(x, half[me()], y, half, NULL);
	bsp_end();
}

/* ---- Lengths that do not agree: process 1 has another one ------------------------------------ */

/* Process 1 and another one have these for each other. */
static size_t either(size_t one, size_t other)
{
	return me() == 1 ? one : other;
}

static void disagree(void)
{
	size_t eights[] = { 8, 8, 8 }, odd[] = { 8, 8, 8 }, swapped[] = { 8, 8, 8 };

	enter();
	bsp_allgatherv(x, 8, y, eights, NULL);	/* all have loaded a few */
	odd[2] = either(5, 8);
	if (me() == 0)
		swapped[1] = 0;
	switch (which) {
	case 0: bsp_gatherv(0, x, either(5, 8), y, eights, NULL); break;
	case 1: bsp_gatherv(0, x, 8, y, swapped, NULL); break;
	case 2: bsp_scatterv(0, x, eights, NULL, y, either(0, 8)); break;
	case 3: bsp_scatterv(2, x, eights, NULL, y, either(SIZE_MAX >> 24, 8)); break;
	case 4: bsp_allgatherv(x, 8, y, odd, NULL); break;
	case 5: bsp_exchangev(x, swapped, NULL, y, eights, NULL); break;
	case 6: bsp_exchangev(x, eights, NULL, y, swapped, NULL); break;
	case 7: bsp_reduce_scatter(BSP_SUM, BSP_INT8, x, y, odd); break;
	default: bsp_gatherv(me() == 1, x, 8, y, eights, NULL); break;
	}
	bsp_sync();
	bsp_end();
}

static bool both_are_named(void)
{
	static const char *const pairs[][2] = {
		{ "sends 5 bytes", "expects 8" }, { "sends 8 bytes", "expects 0" },
		{ "sends 8 bytes", "expects 0" }, { "sends 8 bytes", "expects 1099511627775" },
		{ "", "" }, { "sends 0 bytes", "expects 8" }, { "sends 8 bytes", "expects 0" },
		{ "", "" }, { "root 0", "root 1" },
	};
	const char *err = job_err();

	return (strstr(err, pairs[which][0]) && strstr(err, pairs[which][1])) ||
	       (strstr(err, "this is") && strstr(err, "but process"));
}

int main(void)
{
	const char *transport = getenv("BSP_TRANSPORT");

	for (which = 0; wrong_alone[which]; which++)
		dies_ok(alone, 1, wrong_alone[which], "%s", wrong_alone[which]);
	which = 0;
	dies_ok(several, 3, "bsp_allgatherv: the blocks of the destination have more than 2^40 "
		"bytes together", "too many bytes together");
	which = 1;
	dies_ok(several, 3, "bsp_allgatherv: the blocks of processes 1 (8 bytes at offset 0) and 2 "
		"(8 bytes at offset 7) of the destination overlap", "blocks that overlap");
	/* on an emulated network no process reports that it waits: only --check compares there */
	for (int check = transport && !strcmp(transport, "emu"); check < 2; check++) {
		setenv("BSP_CHECK", check ? "1" : "0", 1);
		for (which = 0; which < 9; which++) {
			dies_ok(disagree, 3, "bsp_", "case %d of lengths that do not agree%s",
				which, check ? ", with --check" : "");
			if (job_max_nprocs() >= 3 && !ok(both_are_named(), "both are named"))
				diag("%s", job_err());
		}
	}
	return done_testing();
}
