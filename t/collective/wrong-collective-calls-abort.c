/* SPDX-License-Identifier: BSD-3-Clause */
/* A collective call with an argument that is wrong ends the job, and the message says which and
 * where. */
#include "../lib/collective.h"

static int x[64], y[64];
static double d[8], e[8];
static int wrong_case;

static void nothing(void *result, void *left, void *right, int *nbytes)
{
	(void)left, (void)right;
	memset(result, 0, (size_t)*nbytes);
}

static void calls_back(void *result, void *left, void *right, int *nbytes)
{
	nothing(result, left, right, nbytes);
	bsp_allgather(x, y, 4);
}

static void data(void)
{
	char *odd = (char *)x + 1;

	enter();
	expect_process(0);
	switch (wrong_case) {
	case 0: expect_site(), bsp_bcast(procs(), x, y, 4); break;
	case 1: expect_site(), bsp_gather(-1, x, y, 4); break;
	case 2: expect_site(), bsp_scatter(0, x, y, (size_t)-4); break;
	case 3: expect_site(), bsp_allgather(NULL, y, 4); break;
	case 4: expect_site(), bsp_exchange(x, NULL, 4); break;
	case 5: expect_site(), bsp_allgather(x, y, ((size_t)1 << 40) + 1); break;
	case 6: expect_site(), bsp_bcast(0, NULL, y, 4); break;
	case 7: expect_site(), bsp_bcast(0, x, odd, 8); break;
	case 8: expect_site(), bsp_exchange(x, x + 1, 8); break;
	default: expect_site(), bsp_allgather(x + 1, x, 8); break;
	}
	bsp_end();
}

static void folds(void)
{
	char *odd = (char *)e + 1;

	enter();
	expect_process(0);
	switch (wrong_case) {
	case 0: expect_site(), bsp_allreduce(99, BSP_INT, x, y, 1); break;
	case 1: expect_site(), bsp_allreduce(BSP_SUM, 99, x, y, 1); break;
	case 2: expect_site(), bsp_allreduce(BSP_INT, BSP_SUM, x, y, 1); break;
	case 3: expect_site(), bsp_prefix(BSP_AND, BSP_DOUBLE, d, e, 1); break;
	case 4: expect_site(), bsp_reduce(0, BSP_XOR, BSP_FLOAT, d, e, 1); break;
	case 5: expect_site(), bsp_allreduce(BSP_SUM, BSP_DOUBLE, odd, d, 1); break;
	case 6: expect_site(), bsp_reduce(0, BSP_SUM, BSP_DOUBLE, d, odd, 1); break;
	case 7: expect_site(), bsp_fold(NULL, x, y, 4); break;
	case 8: expect_site(), bsp_scan(nothing, x, y, (size_t)1 << 31); break;
	case 9: expect_site(), bsp_allreduce(BSP_SUM, BSP_INT, x, y, (size_t)1 << 39); break;
	case 10: expect_site(), bsp_reduce(7, BSP_SUM, BSP_INT, x, y, 1); break;
	case 11: expect_site(), bsp_allreduce(BSP_SUM, BSP_INT, x, x + 1, 2); break;
	default: expect_site(), bsp_ifold(NULL, x, y, 4); break;
	}
	bsp_end();
}

static void requests(void)
{
	bsp_request r = BSP_NO_REQUEST, copy;

	enter();
	switch (wrong_case) {
	case 0: expect_site(), bsp_wait(NULL); break;
	case 1: r = 4711; expect_site(), bsp_wait(&r); break;
	case 2: r = 65536; expect_site(), (void)bsp_test(&r); break;
	case 3:
		copy = r = bsp_iallgather(x, y, 4);
		bsp_wait(&r);
		expect_site(), bsp_wait(&copy);
		break;
	case 4:
		copy = r = bsp_iallgather(x, y, 4);
		bsp_wait(&r);
		r = bsp_iallgather(x, y, 4);	/* takes the same place */
		expect_site(), (void)bsp_test(&copy);
		break;
	default:
		(void)bsp_iallgather(x, y, 4);
		(void)bsp_ibcast(0, x, y, 0);
		expect_site(), bsp_end();
	}
	bsp_end();
}

static void operator_calls_back(void)
{
	enter();
	bsp_fold(calls_back, x, y, 4);
	bsp_end();
}

static void outside(void)
{
	expect_site(), bsp_bcast(0, x, y, 4);
}

static void wait_outside(void)
{
	bsp_request r = BSP_NO_REQUEST;

	expect_site(), bsp_wait(&r);
}

static void number_after(void)
{
	enter();
	bsp_end();
	expect_site(), (void)bsp_sumI(3);
}

static void each(void (*body)(void), const char *const *prefixes, int nprocs)
{
	for (wrong_case = 0; prefixes[wrong_case]; wrong_case++)
		dies_ok(body, nprocs, prefixes[wrong_case], "%s", prefixes[wrong_case]);
}

static const char *const wrong_data[] = {
	"bsp_bcast: process 1 does not exist, there is 1",
	"bsp_gather: process -1 does not exist, there is 1",
	"bsp_scatter: size -4 is negative",
	"bsp_allgather: the source is NULL",
	"bsp_exchange: the destination is NULL",
	"bsp_allgather: 1099511627777 times 1 bytes for 1 processes are more than 2^40 bytes",
	"bsp_bcast: the source is NULL",
	"bsp_bcast: the source (8 bytes at 0x",
	"bsp_exchange: the source (8 bytes at 0x",
	"bsp_allgather: the source (8 bytes at 0x",
	NULL,
};

static const char *const wrong_folds[] = {
	"bsp_allreduce: there is no operator 99; use BSP_SUM, ",
	"bsp_allreduce: there is no type 99; use BSP_INT, ",
	"bsp_allreduce: there is no operator 259; use BSP_SUM, ",
	"bsp_prefix: BSP_AND is for integers, not for BSP_DOUBLE",
	"bsp_reduce: BSP_XOR is for integers, not for BSP_FLOAT",
	"bsp_allreduce: the source 0x",
	"bsp_reduce: the destination 0x",
	"bsp_fold: the operator is NULL",
	"bsp_scan: an operand of 2147483648 bytes is longer than an int can say",
	"bsp_allreduce: 549755813888 times 4 bytes for 1 processes are more than 2^40 bytes",
	"bsp_reduce: process 7 does not exist, there is 1",
	"bsp_allreduce: the source (8 bytes at 0x",
	"bsp_ifold: the operator is NULL",
	NULL,
};

static const char *const wrong_requests[] = {
	"bsp_wait: the address of the request is NULL",
	"bsp_wait: there is no request 4711; use what bsp_ibcast and its kin returned",
	"bsp_test: there is no request 65536; use ",
	"bsp_wait: request 65537 has been waited for already",
	"bsp_test: request 65537 has been waited for already",
	"bsp_end: 2 collective operations have not been waited for, the first of bsp_iallgather "
	"at ",
	NULL,
};

int main(void)
{
	each(data, wrong_data, 1);
	each(folds, wrong_folds, 1);
	each(requests, wrong_requests, 1);
	each(requests, wrong_requests, 2);
	dies_ok(operator_calls_back, 2,
		"bsp_allgather: called by an operator of bsp_fold; an operator must not call the "
		"library",
		"an operator that calls the library");
	dies_ok(outside, 1, "bsp_bcast: called before bsp_begin", "before bsp_begin");
	dies_ok(wait_outside, 1, "bsp_wait: called before bsp_begin", "bsp_wait before bsp_begin");
	dies_ok(number_after, 1, "bsp_sumI: called after bsp_end", "after bsp_end");
	return done_testing();
}
