/* SPDX-License-Identifier: BSD-3-Clause */
/* Gamma is from 0 to 1; where its bounds are too close, or exchanges take more, it is marked. */
#include "../../tools/measure/measure_gamma.c"
#include "../../tools/measure/measure_stats.c"
#include "../../tools/measure/sample.c"
#include "../lib/tap.h"

/* Four processes over shm on two processors that did something else, too: os is about g. */
static const struct bspi_plogp busy_shm = {
	.L = 3311.26, .nsizes = 7,
	.size = { 1, 1024, 4096, 16384, 65536, 262144, 1048576 },
	.os = { 81.788, 16.692, 76.781, 323.815, 5868.735, 21607.16, 72746.61 },
	.or_ = { 23.368, 30.045, 96.811, 353.86, 5760.24, 15312.792, 57467.202 },
	.g = { 93.806, 134.2, 218.993, 1178.421, 3328.621, 15315.129, 77936.001 },
};

/* A network whose bounds are apart: os + or is 20 us, g + or is 30 us at each size. */
static const struct bspi_plogp apart = {
	.L = 5000, .nsizes = 2, .size = { 1, 1048576 },
	.os = { 10000, 10000 }, .or_ = { 10000, 10000 }, .g = { 20000, 20000 },
};

static struct measure_exchange exchange(const struct bspi_plogp *p, uint64_t bytes, double took)
{
	struct measure_exchange x = { .bytes = bytes, .took = took };

	measure_exchange_bounds(p, 4, &x);
	return x;
}

/* The quotient of this one was 9306, between bounds of 3.45 and 3.80 us. */
static void busy_machine(void)
{
	struct measure_exchange x = exchange(&busy_shm, 1024, 3284248.32);
	struct measure_value v = measure_gamma_of(&x, 1);

	is_near(3451.47, x.lower, 0.01, "the lower bound");
	is_near(3803.995, x.upper, 0.01, "the upper one, as close as noise");
	is_near(3709.137, x.linear, 0.01, "L + g(1), and 4096 bytes at the pace of 1 MiB");
	ok((x.took - x.lower) / (x.upper - x.lower) > 9000, "whose quotient is thousands");
	ok(isnan(x.gamma), "so this size tells nothing");
	ok(v.flagged && v.median == 0, "and gamma is marked and 0");
	is_str("cannot be measured: g(m) is about os(m)", v.why, "and says why");
}

/* (3 (20) + 5) is 65 us, (3 (30) + 5) is 95; without contention it is 3 (20) + 5. */
static void bounds_that_are_apart(void)
{
	struct measure_exchange x[3] = {
		exchange(&apart, 1024, 80000), exchange(&apart, 4096, 87500),
		exchange(&apart, 16384, 66000),
	};
	struct measure_value v = measure_gamma_of(x, 3);

	is_near(65000, x[0].lower, 1e-6, "3 (os + or) + L");
	is_near(95000, x[0].upper, 1e-6, "3 (g + or) + L");
	is_near(65000, x[0].calm, 1e-6, "3 g + L is as much as the lower one here");
	is_near(25000, x[0].linear, 1e-6, "Clement's: L + g(1), as no byte takes time here");
	is_near(0.5, x[0].gamma, 1e-9, "a time in the middle");
	is_near(0.75, x[1].gamma, 1e-9, "at three quarters");
	is_near(0, x[2].gamma, 0, "and one as without contention");
	ok(!v.flagged, "none of that is marked");
	is_near(0.5, v.median, 1e-9, "gamma is the median");
}

static void above_the_upper_bound(void)
{
	struct measure_exchange x[3] = {
		exchange(&apart, 1024, 96000), exchange(&apart, 4096, 200000),
		exchange(&apart, 16384, 300000),
	};
	struct measure_value v = measure_gamma_of(x, 3);

	ok(v.flagged && v.median == 1, "times of more than the upper bound mark it");
	is_str("cannot be measured: exchanges take more than the upper bound", v.why, "and why");
	v = measure_gamma_of(x, 1);
	ok(!v.flagged && v.median == 1, "one that is at the bound, but for noise, is 1");
	v = measure_gamma_of(x, 0);
	ok(v.flagged, "no exchange at all tells nothing");
}

int main(void)
{
	busy_machine();
	bounds_that_are_apart();
	above_the_upper_bound();
	return done_testing();
}
