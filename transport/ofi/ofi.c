// SPDX-License-Identifier: BSD-3-Clause
/* ofi.c - the transport on libfabric: reliable-datagram endpoints of any provider. */

#include "ofi.h"

#include "transport/duplicate.h"
#include "transport/ports.h"

#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

/* The default of lost(). */
static void lost_silently(int peer, const char *why)
{
	(void)peer;
	(void)why;
	abort();
}

/* ---- Before -------------------------------------------------------------- */

static enum ofi_reach ofi_reach_of(const struct bspt_wire *w)
{
	return !w || w->one_machine || w->nnodes == 1 ? OFI_ONE_MACHINE : OFI_MANY;
}

/* The caller has no plan yet. */
static int ofi_probe(int nprocs, char *why, size_t len)
{
	struct ofi_request request;
	struct fi_info *info;
	int err;

	if (nprocs > 1 << 24) {
		snprintf(why, len, "it is for up to %d processes", 1 << 24);
		return -EINVAL;
	}
	request = (struct ofi_request){
		.provider = getenv("BSP_OFI_PROVIDER"), .nprocs = nprocs, .reach = OFI_ONE_MACHINE,
	};
	err = bspt_ofi_choose(&request, &info, why, len);
	if (!err)
		fi_freeinfo(info);
	return err;
}

/* The size @name in /proc/meminfo; UINT64_MAX if it has none. */
static uint64_t memory_bytes(const char *name)
{
	FILE *file = fopen("/proc/meminfo", "re");
	uint64_t kib = UINT64_MAX / 1024, n;
	char line[100], of[32];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%31[^:]: %" SCNu64, of, &n) == 2 && strcmp(of, name) == 0)
			kib = n;
	if (file)
		fclose(file);
	return kib * 1024;
}

/* The least memory that an endpoint takes, as the README says. */
static uint64_t endpoint_bytes(const struct bspt_plan *plan)
{
	const char *provider = plan->provider ? plan->provider : "";
	bool is_small = strcmp(provider, "net") == 0 || strcmp(provider, "sockets") == 0;

	return (uint64_t)(is_small ? 4 : 16) << 20;
}

/*
 * Does the machine have the least memory that endpoints take? More processes would not fail, but
 * bring down the machine. Processes that each look for themselves see what others have taken
 * meanwhile, so for them all memory counts, free or not. If endpoints are late, only those of first
 * processes count, which are opened in any case; another process looks again when it opens its own.
 */
static bool endpoints_fit(const struct bspt_plan *plan)
{
	return (uint64_t)(plan->late ? plan->wire->nnodes : plan->nprocs) <=
	       memory_bytes(plan->wire->inherits ? "MemAvailable" : "MemTotal") /
		       endpoint_bytes(plan);
}

static struct ofi_request ofi_request_of(const struct bspt_plan *plan)
{
	return (struct ofi_request){
		.provider = plan->provider, .networks = plan->networks,
		.nprocs = plan->nprocs, .reach = ofi_reach_of(plan->wire),
	};
}

/*
 * libfabric loads its providers when it is first asked for them; what is loaded before processes
 * are forked is loaded once. An error is found again in open(), which reports it.
 */
static int ofi_prepare(struct bspt_plan *plan)
{
	struct ofi_request request = ofi_request_of(plan);
	struct fi_info *info;
	char why[OFI_WHY];

	plan->shared = NULL;
	if (plan->wire && plan->wire->one_machine && !endpoints_fit(plan))
		return -ENOMEM;
	if (plan->wire && plan->wire->inherits &&
	    bspt_ofi_choose(&request, &info, why, sizeof(why)) == 0)
		fi_freeinfo(info);
	return 0;
}

/* ---- Opening ------------------------------------------------------------- */

enum {
	PROVIDER_MOST = 64,
	DESCRIPTORS = 16,		/* of an endpoint, at most */
};

/* Exchanged by all processes in open(). */
struct hello {
	char magic[8];
	uint32_t version, order;	/* ORDER as this machine writes it */
	uint32_t format, name_len;	/* of the address */
	uint64_t room, piece, rma, by_data;
	uint64_t secret;			/* all of them together are that of the job */
	uint64_t datagram_port;			/* 0: none */
	char provider[PROVIDER_MOST];
	char name[OFI_NAME_MOST];
};

_Static_assert(sizeof(struct hello) <= BSPT_EXCHANGE_MOST, "it goes into one exchange");

#define MAGIC "bsp-ofi"
#define ORDER 0x01020304u

/* The address of the endpoint: its length; 0: it has none. */
static size_t own_name(struct bspt_ofi *s, char name[OFI_NAME_MOST])
{
	size_t len = OFI_NAME_MOST;

	return fi_getname(&s->ep->fid, name, &len) == 0 && len <= OFI_NAME_MOST ? len : 0;
}

/* Without an endpoint there is no address. */
static struct hello make_hello(struct bspt_ofi *s)
{
	struct hello h = {
		.magic = MAGIC, .version = OFI_VERSION, .order = ORDER,
		.format = s->info->addr_format,
		.room = OFI_ROOM, .piece = s->piece, .rma = s->rma, .by_data = s->by_data,
		.secret = s->secret,
	};

	strncpy(h.provider, s->info->fabric_attr->prov_name, PROVIDER_MOST - 1);
	h.name_len = s->ep ? (uint32_t)own_name(s, h.name) : 0;
	h.datagram_port = bspt_ofi_datagram_open(s);
	return h;
}

static void check_hello(struct bspt_ofi *s, int peer, const struct hello *mine,
			const struct hello *its)
{
	char what[OFI_TEXT];

	if (memcmp(its->magic, MAGIC, sizeof(MAGIC)) || its->version != mine->version ||
	    its->order != mine->order || its->room != mine->room)
		snprintf(what, sizeof(what),
			 "it runs another version of the library, or a machine of another byte "
			 "order");
	else if (strncmp(its->provider, mine->provider, PROVIDER_MOST))
		snprintf(what, sizeof(what),
			 "it has chosen provider '%.63s', process %d '%s'; set BSP_OFI_PROVIDER to "
			 "one that all nodes have",
			 its->provider, s->base.me, mine->provider);
	else if (its->format != mine->format || its->name_len > OFI_NAME_MOST ||
		 (its->name_len ? its->name_len != s->name_len : bspt_ofi_leads(s, peer)) ||
		 (its->name_len && mine->name_len && its->name_len != mine->name_len) ||
		 its->rma != mine->rma || its->by_data != mine->by_data ||
		 its->piece != mine->piece)
		snprintf(what, sizeof(what),
			 "its provider %s has another kind of address or other abilities than that "
			 "of process %d; are the versions of libfabric the same?",
			 mine->provider, s->base.me);
	else
		return;
	s->lost(peer, what);
}

struct hellos {
	struct bspt_ofi *s;
	struct hello mine;
};

static void take_hello(void *arg, int q, const void *its)
{
	const struct hellos *hellos = arg;
	struct bspt_ofi *s = hellos->s;
	struct hello h;

	memcpy(&h, its, sizeof(h));
	if (q == 0)
		s->name_len = h.name_len;	/* it is the first of its node */
	check_hello(s, q, &hellos->mine, &h);
	if (q == 0)
		bspt_ofi_late_expect(s);
	s->secret ^= h.secret;
	if (s->late)
		s->datagram_ports[q] = (uint16_t)h.datagram_port;
	bspt_ofi_late_note_name(s, q, h.name);
}

/* Until then s->secret is the share of this process. */
static void learn_addresses(struct bspt_ofi *s, struct bspt_wire *w)
{
	struct hellos hellos = { s, make_hello(s) };
	int err = 0;

	if (s->ep && !hellos.mine.name_len)
		bspt_ofi_lost(s, -1, "asking for our own address", FI_EOTHER);
	s->secret = 0;
	if (w)
		err = w->exchange(w, &hellos.mine, sizeof(hellos.mine), take_hello, &hellos);
	else
		take_hello(&hellos, 0, &hellos.mine);
	if (err)
		bspt_ofi_lost(s, -1, "exchanging addresses", -err);
}

/* Without a descriptor we sleep for short times. */
static int open_queue(struct bspt_ofi *s)
{
	struct fi_cq_attr attr = {
		.format = FI_CQ_FORMAT_DATA, .wait_obj = FI_WAIT_FD,
		.size = s->info->tx_attr->size + s->info->rx_attr->size,
	};

	s->wait_fd = -1;
	if (fi_cq_open(s->domain, &attr, &s->cq, NULL) == 0) {
		if (fi_control(&s->cq->fid, FI_GETWAIT, &s->wait_fd) != 0)
			s->wait_fd = -1;
		return 0;
	}
	attr.wait_obj = FI_WAIT_NONE;
	return fi_cq_open(s->domain, &attr, &s->cq, NULL);
}

static int open_objects(struct bspt_ofi *s)
{
	struct fi_av_attr av = { .type = FI_AV_TABLE, .count = (size_t)s->base.nprocs };
	int err;

	err = fi_fabric(s->info->fabric_attr, &s->fabric, NULL);
	if (!err)
		err = fi_domain(s->fabric, s->info, &s->domain, NULL);
	if (!err)
		err = fi_av_open(s->domain, &av, &s->av, NULL);
	if (!err)
		err = open_queue(s);
	if (!err)
		err = fi_endpoint(s->domain, s->info, &s->ep, NULL);
	if (!err)
		err = fi_ep_bind(s->ep, &s->av->fid, 0);
	if (!err)
		err = fi_ep_bind(s->ep, &s->cq->fid, FI_TRANSMIT | FI_RECV);
	return err ? err : fi_enable(s->ep);
}

static void close_objects(struct bspt_ofi *s)
{
	struct fid *const of[] = {
		s->ep ? &s->ep->fid : NULL, s->cq ? &s->cq->fid : NULL,
		s->av ? &s->av->fid : NULL, s->domain ? &s->domain->fid : NULL,
		s->fabric ? &s->fabric->fid : NULL,
	};

	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++)
		if (of[i])
			fi_close(of[i]);
	s->ep = NULL;
	s->cq = NULL;
	s->av = NULL;
	s->domain = NULL;
	s->fabric = NULL;
}

/*
 * With ports of the user's own (BSP_PORTS) the address has one that was free a moment ago. Ranges
 * that libfabric reads from its environment are of tcp and net alone, and of the same order in all
 * processes, of which the second then fails.
 */
static int open_objects_at(struct bspt_ofi *s)
{
	int type = bspt_ofi_socket_type(s->info), n = type ? bspt_ports_count(s->ports) : 0;
	struct sockaddr_in *at = s->info->src_addr;
	int err = n ? -EADDRINUSE : open_objects(s);

	for (int i = 0; i < n && err == -EADDRINUSE; i++) {
		uint16_t port = bspt_ports_at(s->ports, s->base.me, i);

		err = bspt_ports_try(port, type, (struct sockaddr *)at, s->info->src_addrlen);
		if (err)
			continue;
		at->sin_port = htons(port);	/* in an address of IPv6 it is at the same place */
		err = open_objects(s);
		if (err == -EADDRINUSE)
			close_objects(s);
	}
	return err;
}

/* Where descriptors run out libfabric returns this error or another, and closes those it had. */
static bool lacks_descriptors(void)
{
	struct rlimit limit;
	int fd = eventfd(0, EFD_CLOEXEC);

	if (fd < 0)
		return errno == EMFILE;
	close(fd);
	return getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
	       (rlim_t)fd + DESCRIPTORS >= limit.rlim_cur;
}

static void open_endpoint(struct bspt_ofi *s)
{
	int err = open_objects_at(s);
	char why[BSPT_PORTS_WHY];

	if (err == -EADDRINUSE && bspt_ports_count(s->ports)) {
		bspt_ports_explain(s->ports, why);
		s->lost(-1, why);
	}
	if (err)
		bspt_ofi_lost(s, -1, "opening an endpoint",
			      lacks_descriptors() ? EMFILE : -err);
	bspt_ofi_post_all(s);
}

static void ofi_open_late(struct bspt_ofi *s)
{
	uint64_t free_bytes = memory_bytes("MemAvailable");
	char name[OFI_NAME_MOST] = { 0 }, why[OFI_WHY];
	size_t len;

	if (free_bytes < s->endpoint_bytes) {
		snprintf(why, sizeof(why),
			 "an endpoint, which a process opens when it first communicates with "
			 "another node, takes %" PRIu64 " MiB, and its machine has %" PRIu64
			 " left; use fewer processes on a machine",
			 s->endpoint_bytes >> 20, free_bytes >> 20);
		s->lost(-1, why);
	}
	open_endpoint(s);
	len = own_name(s, name);
	if (len != s->name_len)
		bspt_ofi_lost(s, -1, "asking for our own address", FI_EOTHER);
	bspt_ofi_late_learn_own(s, name);
	bspt_ofi_insert_known(s);
	bspt_card_show(&s->cards[s->own_place], name, (uint32_t)len);
}

/*
 * ofi_rxd retransmits lost injected messages, but only while a process polls; and with very many
 * messages in flight both ends stop (libfabric 1.17). The provider sockets, too, sends injected
 * messages at the next poll; so a process without further waits must know that messages are left.
 * The other providers on TCP write them to the connection at once.
 */
static void set_flow(struct bspt_ofi *s)
{
	bool rxd = s->info->ep_attr->protocol == FI_PROTO_RXD;
	bool later = rxd || s->info->ep_attr->protocol == FI_PROTO_SOCK_TCP;
	size_t most = s->info->tx_attr->inject_size;

	s->inject_most = later ? 0 : most < OFI_BLIND_BYTES ? most : OFI_BLIND_BYTES;
	s->open_most = rxd ? 1 : OFI_OPEN_MOST;
	s->in_flight_most = rxd ? 4 : UINT32_MAX;
}

/* Queues are memory: what a provider does not take waits with us. */
static void shorten_queues(struct fi_info *info)
{
	if (info->tx_attr->size > OFI_QUEUE_MOST)
		info->tx_attr->size = OFI_QUEUE_MOST;
	if (info->rx_attr->size > OFI_QUEUE_MOST)
		info->rx_attr->size = OFI_QUEUE_MOST;
}

/* Measured as that of shm, over TCP on one machine, where a message is two system calls. */
static const struct bspt_cost cost = { .L = 1400, .o = 4400, .g = 4400, .G = 0.1 };

/* A token travels as a tag, or as data of a completion. */
static uint64_t token_mask(const struct bspt_ofi *s)
{
	size_t bytes = s->info->domain_attr->cq_data_size;
	uint64_t all = s->info->ep_attr->mem_tag_format;

	if (s->rma)
		all = bytes < sizeof(all) ? (UINT64_C(1) << 8 * bytes) - 1 : UINT64_MAX;
	return (all ? all : UINT32_MAX) & ~OFI_TOKEN_INDEX;
}

static void ofi_set_limits(struct bspt_ofi *s, const struct bspt_plan *plan)
{
	size_t most = s->info->ep_attr->max_msg_size;

	s->wait_policy = plan->wait_policy;
	s->unopened_sleep_most = OFI_UNOPENED_SLEEP;
	if (plan->wire && plan->wire->one_machine &&
	    (uint64_t)plan->nprocs * OFI_UNOPENED_EACH > OFI_UNOPENED_SLEEP)
		s->unopened_sleep_most = (uint64_t)plan->nprocs * OFI_UNOPENED_EACH;
	s->rma = bspt_ofi_has_rma(s->info);
	s->by_data = bspt_ofi_has_data(s->info);
	s->token_mask = token_mask(s);
	s->connects = bspt_ofi_over_tcp(s->info);
	set_flow(s);
	s->piece = most < OFI_PIECE ? most : OFI_PIECE;
	s->paced = s->rma && s->connects;
	s->next_key = 1;
	s->doubted = -1;
	s->failed_peer = -1;
	s->arrived_last = &s->arrived;
	s->waiting_last = &s->waiting;
	s->unopened.last = &s->unopened.first;
	s->base.max_chunk = OFI_MAX_CHUNK;
	s->base.good_chunk = OFI_ROOM;
	s->base.min_direct = SIZE_MAX;
	s->base.min_bulk = OFI_MIN_BULK;
	s->base.cost = cost;
}

static struct bspt_ofi *ofi_make(const struct bspt_plan *plan, int me)
{
	struct bspt_ofi *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->base.me = me;
	s->base.nprocs = plan->nprocs;
	s->lost = plan->lost ? plan->lost : lost_silently;
	s->wait_fd = -1;
	s->datagram_fd = -1;
	s->open_late = ofi_open_late;
	s->endpoint_bytes = endpoint_bytes(plan);
	s->ports = bspt_ports_read(plan->ports);
	if (bspt_ofi_late_init(s, plan) == 0)
		return s;
	bspt_ofi_late_free(s);
	free(s);
	return NULL;
}

static int ofi_open_object(const struct bspt_plan *plan, int me, struct bspt **out)
{
	struct ofi_request request = ofi_request_of(plan);
	struct bspt_ofi *s;
	uint32_t duplicates[BSPT_DUPLICATES_MOST];
	char why[OFI_WHY];
	int err;

	if (me >= plan->nprocs)
		return -ECANCELED;
	if (!plan->wire && plan->nprocs > 1)
		return -EINVAL;
	s = ofi_make(plan, me);
	if (!s)
		return -ENOMEM;
	if (request.reach == OFI_MANY) {
		err = bspt_duplicate_find(plan->wire, duplicates);
		if (err)
			bspt_ofi_lost(s, -1, "exchanging the addresses of machines", -err);
		request.duplicates = duplicates;
	}
	err = bspt_ofi_choose(&request, &s->info, why, sizeof(why));
	if (err)
		s->lost(-1, why);
	bspt_ofi_put_choice(&request, s->info, s->choice, sizeof(s->choice));
	s->base.choice = s->choice;
	shorten_queues(s->info);
	ofi_set_limits(s, plan);
	bspt_ofi_pools_init(s);
	if (!s->late || bspt_ofi_leads(s, me))
		open_endpoint(s);
	if (getrandom(&s->secret, sizeof(s->secret), 0) != sizeof(s->secret) ||
	    getrandom(&s->key_secret, sizeof(s->key_secret), 0) != sizeof(s->key_secret))
		bspt_ofi_lost(s, -1, "drawing random numbers", errno);
	learn_addresses(s, plan->wire);
	if (s->ep)
		bspt_ofi_insert_known(s);
	*out = &s->base;
	return 0;
}

/* ---- Closing ------------------------------------------------------------- */

static bool is_leaving(const struct bspt_ofi *s)
{
	for (const struct ofi_peer *p = s->made; p; p = p->made_before)
		if (p->in_flight)
			return true;
	return false;
}

/* So that peers know that we have not died, and what was injected gets out before it. */
static void ofi_shut_down(struct bspt_ofi *s)
{
	uint64_t until;

	for (const struct ofi_peer *p = s->made; p; p = p->made_before)
		if (p->number != s->base.me && p->known && (p->sent || p->expected) &&
		    !p->has_shut_down && !p->failed)
			bspt_ofi_last_note(s, p->number, OFI_SHUTDOWN);
	/* Wait a moment for chunks that the provider has, not for those it has not taken. */
	until = bspt_now_ns() + OFI_LINGER_NS;
	while (is_leaving(s) && bspt_now_ns() < until)
		bspt_ofi_progress(s);
}

static void close_endpoint(struct bspt_ofi *s)
{
	fi_close(&s->ep->fid);
	s->ep = NULL;
	fi_close(&s->cq->fid);
	s->cq = NULL;
	bspt_ofi_transfers_free(s);
	bspt_ofi_pools_free(s);
	close_objects(s);
}

static void ofi_close_object(struct bspt *t)
{
	struct bspt_ofi *s = bspt_ofi_of(t);

	s->closing = true;
	if (s->ep) {
		ofi_shut_down(s);
		bspt_ofi_doubt_end(s);
		close_endpoint(s);
	}
	if (s->datagram_fd >= 0)
		close(s->datagram_fd);
	bspt_ofi_late_free(s);
	fi_freeinfo(s->info);
	free(s);
}

__attribute__((visibility("default"))) extern const struct bspt_ops bspt_ofi_ops;

const struct bspt_ops bspt_ofi_ops = {
	.name = "ofi",
	.summary = "any network that libfabric knows",
	.caps = BSPT_CAP_BULK | BSPT_FAR | BSPT_LATE,
	.accepts = bspt_accepts_none,
	.probe = ofi_probe,
	.prepare = ofi_prepare,
	.open = ofi_open_object,
	.close = ofi_close_object,
	.via = bspt_via_itself,
	.chunk = bspt_ofi_chunk,
	.send = bspt_ofi_send,
	.discard = bspt_ofi_release,
	.poll = bspt_ofi_poll,
	.release = bspt_ofi_release,
	.trim = bspt_ofi_trim,
	.wait = bspt_ofi_wait,
	.bulk_send = bspt_ofi_bulk_send,
	.bulk_recv = bspt_ofi_bulk_recv,
};
