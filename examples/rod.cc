/* SPDX-License-Identifier: BSD-3-Clause */
/* rod.cc - heat in a rod, in C++: areas that register themselves; relaxed barriers. */

/*
 *	bspcxx -O2 -o rod rod.cc
 *	bsprun -n 4 ./rod
 *
 * Each process has a part of the rod, and in each step one number from each neighbour.
 */
#include <bsp/area.hpp>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

static const int each = 1000, steps = 2000;

static void step(std::vector<double> &now, const bsp::area<double> &left,
		 const bsp::area<double> &right)
{
	const int me = bsp::pid(), last = bsp::nprocs() - 1;
	std::vector<double> next(each);

	if (me > 0)
		right.put(me - 1, now.front());
	if (me < last)
		left.put(me + 1, now.back());
	bsp::sync();
	left.read(me > 0);
	right.read(me < last);
	for (int i = 0; i < each; i++)
		next[i] = ((i > 0 ? now[i - 1] : left[0]) +
			   (i < each - 1 ? now[i + 1] : right[0])) / 2;
	now.swap(next);
}

static void rod()
{
	std::vector<double> now(each);
	/* The numbers of the neighbours, or the ends of the rod. */
	bsp::area<double> left(1, 1.0), right(1);
	double heat = 0;

	bsp_set_sync(BSP_RELAXED);
	bsp::sync();
	for (int i = 0; i < steps; i++)
		step(now, left, right);
	for (double x : now)
		heat += x;
	heat = bsp::allreduce(BSP_SUM, heat);
	if (std::fabs(heat - 35.186942) > 1e-5)
		throw std::runtime_error("the rod has another heat than it must have");
	if (bsp::pid() == 0)
		std::printf("heat in the rod: %.4f\n", heat);
}

int main()
{
	bsp::spmd(rod);
	return 0;
}
