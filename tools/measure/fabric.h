/* SPDX-License-Identifier: BSD-3-Clause */
/* fabric.h - an endpoint of libfabric, as networks are measured with it. */

/*
 * Errors are those of libfabric, negative, and *@call is the function that failed. Nothing here
 * prints: netofi and the plugin of bspgauge end a job in different ways.
 */
#ifndef MEASURE_FABRIC_H
#define MEASURE_FABRIC_H

#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FABRIC_EVENTS = 16, FABRIC_REGIONS = 4 };

struct fabric {
	struct fi_info *info;
	struct fid_fabric *fabric;
	struct fid_domain *domain;
	struct fid_cq *sent, *received;		/* may be the same queue */
	struct fid_av *book;
	struct fid_ep *endpoint;
	struct fid_mr *region[FABRIC_REGIONS];
	int nregions;
};

/* The provider that BSP_OFI_PROVIDER names, or else the best, with @caps. */
int fabric_find(uint64_t caps, enum fi_progress progress, struct fi_info **info);
/* An endpoint of f->info, with a queue for both directions or one for each. */
int fabric_open(struct fabric *f, bool two_queues, const char **call);
/* Memory for operations with @access. The region is closed by fabric_close(). */
int fabric_register(struct fabric *f, void *at, size_t bytes, uint64_t access, uint64_t key,
		    struct fid_mr **region);
/* Closes what is open, and frees f->info. */
void fabric_close(struct fabric *f);

/* Events of @queue; 0 if there are none, or an error. */
ssize_t fabric_poll(struct fid_cq *queue, struct fi_cq_entry events[FABRIC_EVENTS]);

#endif
