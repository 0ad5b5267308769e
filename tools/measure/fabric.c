// SPDX-License-Identifier: BSD-3-Clause
/* fabric.c - find a provider of libfabric, open an endpoint, read its events. */

#include "fabric.h"

#include <rdma/fi_errno.h>

#include <stdlib.h>
#include <string.h>

int fabric_find(uint64_t caps, enum fi_progress progress, struct fi_info **info)
{
	const char *provider = getenv("BSP_OFI_PROVIDER");
	struct fi_info *hints = fi_allocinfo();
	int error;

	*info = NULL;
	if (!hints)
		return -FI_ENOMEM;
	hints->ep_attr->type = FI_EP_RDM;
	hints->caps = caps;
	hints->mode = FI_CONTEXT | FI_CONTEXT2;
	hints->domain_attr->mr_mode =
		FI_MR_LOCAL | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_VIRT_ADDR;
	hints->domain_attr->threading = FI_THREAD_DOMAIN;
	hints->domain_attr->data_progress = progress;
	hints->tx_attr->msg_order = FI_ORDER_SAS;
	hints->rx_attr->msg_order = FI_ORDER_SAS;
	if (provider && *provider)
		hints->fabric_attr->prov_name = strdup(provider);
	error = fi_getinfo(FI_VERSION(1, 11), NULL, NULL, 0, hints, info);
	fi_freeinfo(hints);
	if (error)
		*info = NULL;
	return error;
}

/* ---- Open and close -------------------------------------------------------------------------- */

static int fabric_open_queue(const struct fabric *f, size_t size, struct fid_cq **queue)
{
	struct fi_cq_attr cq = { .format = FI_CQ_FORMAT_CONTEXT, .wait_obj = FI_WAIT_NONE,
				 .size = size };

	return fi_cq_open(f->domain, &cq, queue, NULL);
}

static int fabric_open_queues(struct fabric *f, bool two)
{
	size_t sends = f->info->tx_attr->size, receives = f->info->rx_attr->size;
	int error = fabric_open_queue(f, two ? sends : sends + receives, &f->sent);

	if (!two)
		f->received = f->sent;
	else if (!error)
		error = fabric_open_queue(f, receives, &f->received);
	return error;
}

static int fabric_bind(const struct fabric *f)
{
	int error = fi_ep_bind(f->endpoint, &f->book->fid, 0);

	if (!error && f->sent == f->received)
		return fi_ep_bind(f->endpoint, &f->sent->fid, FI_TRANSMIT | FI_RECV);
	if (!error)
		error = fi_ep_bind(f->endpoint, &f->sent->fid, FI_TRANSMIT);
	if (!error)
		error = fi_ep_bind(f->endpoint, &f->received->fid, FI_RECV);
	return error;
}

int fabric_open(struct fabric *f, bool two_queues, const char **call)
{
	struct fi_av_attr av = { .type = FI_AV_MAP };
	int error;

	*call = "fi_fabric";
	error = fi_fabric(f->info->fabric_attr, &f->fabric, NULL);
	if (error)
		return error;
	*call = "fi_domain";
	error = fi_domain(f->fabric, f->info, &f->domain, NULL);
	if (error)
		return error;
	*call = "fi_cq_open";
	error = fabric_open_queues(f, two_queues);
	if (error)
		return error;
	*call = "fi_av_open";
	error = fi_av_open(f->domain, &av, &f->book, NULL);
	if (error)
		return error;
	*call = "fi_endpoint";
	error = fi_endpoint(f->domain, f->info, &f->endpoint, NULL);
	if (error)
		return error;
	*call = "fi_ep_bind";
	error = fabric_bind(f);
	if (error)
		return error;
	*call = "fi_enable";
	return fi_enable(f->endpoint);
}

int fabric_register(struct fabric *f, void *at, size_t bytes, uint64_t access, uint64_t key,
		    struct fid_mr **region)
{
	int error = fi_mr_reg(f->domain, at, bytes, access, 0, key, 0, region, NULL);

	if (!error)
		f->region[f->nregions++] = *region;
	return error;
}

void fabric_close(struct fabric *f)
{
	if (f->endpoint)
		fi_close(&f->endpoint->fid);
	for (int i = 0; i < f->nregions; i++)
		fi_close(&f->region[i]->fid);
	if (f->book)
		fi_close(&f->book->fid);
	if (f->received && f->received != f->sent)
		fi_close(&f->received->fid);
	if (f->sent)
		fi_close(&f->sent->fid);
	if (f->domain)
		fi_close(&f->domain->fid);
	if (f->fabric)
		fi_close(&f->fabric->fid);
	if (f->info)
		fi_freeinfo(f->info);
	*f = (struct fabric){ .info = NULL };
}

ssize_t fabric_poll(struct fid_cq *queue, struct fi_cq_entry events[FABRIC_EVENTS])
{
	struct fi_cq_err_entry error = { 0 };
	ssize_t n = fi_cq_read(queue, events, FABRIC_EVENTS);

	if (n == -FI_EAGAIN)
		return 0;
	if (n != -FI_EAVAIL)
		return n;
	fi_cq_readerr(queue, &error, 0);
	return -error.err;
}
