// SPDX-License-Identifier: BSD-3-Clause
/* gauge_mod_library.c - the transports of the library as modules. */

#include "tools/bspgauge/gauge.h"

#include "bsplib/core/base.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/model/network.h"
#include "transport/transport.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	HEADER = sizeof(struct bspi_head) + sizeof(struct bspi_rec),
	CAN = GAUGE_NONBLOCKING | GAUGE_RELIABLE | GAUGE_LIBRARY | GAUGE_CHANNEL,
};

static int library_probe(const char *name, char *why, size_t len)
{
	const struct bspt_ops *ops = bspt_find(name);
	const char *given = getenv("BSP_EMULATE");
	char network[BSPI_EMULATE_MOST] = "";

	if (!ops) {
		snprintf(why, len, "there is no transport %s here", name);
		return -1;
	}
	if (strcmp(name, "emu") == 0 &&
	    bspi_network_text(given && *given ? given : "gigabit", network, sizeof(network), why,
			      len) < 0)
		return -1;
	return ops->accepts(network, why, len) || ops->probe(2, why, len) ? -1 : 0;
}

static int probe_shm(char *why, size_t len)
{
	return library_probe("shm", why, len);
}

static int probe_emu(char *why, size_t len)
{
	return library_probe("emu", why, len);
}

static int probe_mix(char *why, size_t len)
{
	return library_probe("mix", why, len);
}

static int probe_ofi(char *why, size_t len)
{
	return library_probe("ofi", why, len);
}

static int probe_bsp_esp(char *why, size_t len)
{
	return library_probe("esp", why, len);
}

static int probe_bsp_esp_kernel(char *why, size_t len)
{
	if (probe_bsp_esp(why, len))
		return -1;
	if (access("/dev/espgoal", R_OK | W_OK) == 0)
		return 0;
	snprintf(why, len, "/dev/espgoal: %s (modprobe espgoal; espgoal(4) says who may open it)",
		 strerror(errno));
	return -1;
}

static int probe_mpi(char *why, size_t len)
{
	return library_probe("mpi", why, len);
}

const struct gauge_module gauge_mod_shm = {
	.name = "shm",
	.summary = "transport shm: memory that the processes share",
	.can = CAN,
	.transport = "shm",
	.header_bytes = HEADER,
	.align_bytes = BSPI_ALIGN,
	.probe = probe_shm,
};

const struct gauge_module gauge_mod_emu = {
	.name = "emu",
	.summary = "transport emu: an emulated network, in virtual time",
	.can = CAN,
	.transport = "emu",
	.header_bytes = HEADER,
	.align_bytes = BSPI_ALIGN,
	.probe = probe_emu,
};

const struct gauge_module gauge_mod_mix = {
	.name = "mix",
	.summary = "transport mix: shared memory inside a node, a network between nodes",
	.can = CAN,
	.transport = "mix",
	.header_bytes = HEADER,
	.align_bytes = BSPI_ALIGN,
	.probe = probe_mix,
};

const struct gauge_module gauge_mod_ofi = {
	.name = "ofi",
	.summary = "transport ofi: any network that libfabric knows",
	.can = CAN,
	.transport = "ofi",
	.header_bytes = HEADER,
	.align_bytes = BSPI_ALIGN,
	.probe = probe_ofi,
};

const struct gauge_module gauge_mod_mpi = {
	.name = "mpi",
	.summary = "transport mpi: any network that MPI knows",
	.can = CAN,
	.transport = "mpi",
	.header_bytes = HEADER,
	.align_bytes = BSPI_ALIGN,
	.probe = probe_mpi,
};

const struct gauge_module gauge_mod_bsp_esp = {
	.name = "bsp-esp",
	.summary = "transport esp: plain Ethernet, schedules run by the processes",
	.can = CAN,
	.transport = "esp",
	.offload = "0",
	.header_bytes = HEADER,
	.align_bytes = BSPI_ALIGN,
	.probe = probe_bsp_esp,
};

const struct gauge_module gauge_mod_bsp_esp_kernel = {
	.name = "bsp-esp-kernel",
	.summary = "the same, schedules run by the kernel module espgoal",
	.can = CAN,
	.transport = "esp",
	.offload = "1",
	.header_bytes = HEADER,
	.align_bytes = BSPI_ALIGN,
	.probe = probe_bsp_esp_kernel,
};
