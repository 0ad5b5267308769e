// SPDX-License-Identifier: BSD-3-Clause
/* measure_network.c - read a network as bsprun --emulate takes it. */

#include "measure_network.h"

#include "common/emulated.h"

static const double PS = 1e-3;		/* ns */

bool measure_network_read(const char *given, struct measure_network *out, char *why, size_t len)
{
	struct emulated e;

	if (bspi_network_text(given, out->text, sizeof(out->text), why, len) < 0 ||
	    emulated_parse(out->text, &e, why, len) < 0)
		return false;
	out->net = (struct bspi_loggp){
		.L = (double)e.L * PS,
		.o = (double)e.o * PS,
		.g = (double)e.g * PS,
		.G = (double)e.G * PS,
	};
	out->cpu = e.cpu;
	return true;
}
