/* SPDX-License-Identifier: BSD-3-Clause */
/* places.h - the processors on which processes run. */
#ifndef BSPI_PLACES_H
#define BSPI_PLACES_H

#include "job/job.h"
#include "transport/transport.h"

/*
 * Processes on this node, processors for them, and for how long a wait polls without a pause and
 * then yields.
 */
struct bspi_node {
	int processes, processors;
	long long spin_us, yield_us;
};

/* A value of BSP_BIND; a list of processors: shares of these. */
enum bspj_bind bspi_binding_of(const char *bind);
/* If @bind is a list, no other processors are used from now on; a bad one ends the program. */
void bspi_places_restrict(const char *call, const char *site, const char *bind);
/*
 * Before processes are bound; @spin and @yield are those of BSP_WAIT in us, -1: auto, which depends
 * on the transport.
 */
struct bspi_node bspi_places_of_node(const struct bspt_ops *ops, int64_t spin, int64_t yield);
/* Has a node of the job more processes than @ops takes? Then the reason is in @why. */
bool bspi_places_are_crowded(const struct bspt_ops *ops, char *why, size_t len);
/* Does @ops reach all nodes? If not, the reason is in @why. */
bool bspi_places_are_reached(const struct bspt_ops *ops, char *why, size_t len);
/* With BSP_REPORT_BINDINGS=1: where this process runs. */
void bspi_places_report(void);

#endif
