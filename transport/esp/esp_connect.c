// SPDX-License-Identifier: BSD-3-Clause
/* esp_connect.c - addresses of processes, and connections that come to be. */

/*
 * Each process listens on a port of all interfaces, and publishes the port, the address of its
 * interface and a key. Processes of one node use the loopback interface, as no Ethernet interface
 * sends a frame to its own address; others use the chosen interface, the first if there are two:
 * the second is for schedules in the kernel. The process with the lower number connects, so that
 * there is one connection between two, and sends its hello; the other answers with its own. Any
 * host on the segment can connect, or accept in the place of a process: a connection whose hello
 * does not prove that it is of the job (esp_auth.c) is closed. If it is one that we have asked for,
 * the peer is lost. Until the answer is there what is sent to the peer is queued.
 */

#include "esp.h"

#include <errno.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <unistd.h>

/* Published by each process. */
struct card {
	uint64_t key;				/* a share in those with each other process */
	/* of process 0: for the kernels of the job, and of their multicast group, which all see */
	uint64_t goal_key, goal_group;
	uint16_t port;				/* in network order */
	uint16_t goal_port;			/* of its kernel's schedules; 0: it runs none */
	unsigned char address[ESPGOAL_NETWORKS][ENET_ADDR_BYTES];
	/* number of interfaces it uses to processes of other nodes */
	uint32_t networks;
	bool near;		/* its kernel needs no frames to others of its node */
};

/* ---- Interfaces ---------------------------------------------------------------- */

static bool flags_of(int fd, const char *name, short *flags)
{
	struct ifreq r = { 0 };

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", name);
	if (ioctl(fd, SIOCGIFFLAGS, &r) < 0)
		return false;
	*flags = r.ifr_flags;
	return true;
}

static bool esp_address_of(int fd, const char *name, unsigned char *address)
{
	struct ifreq r = { 0 };

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", name);
	if (ioctl(fd, SIOCGIFHWADDR, &r) < 0 || r.ifr_hwaddr.sa_family != ARPHRD_ETHER)
		return false;
	memcpy(address, r.ifr_hwaddr.sa_data, ENET_ADDR_BYTES);
	return true;
}

/* One more, whose address goes on our card. 0, or -1 and why. */
static int use_one(int fd, const char *name, unsigned int *index, struct card *mine, char *why)
{
	unsigned int found = if_nametoindex(name);
	uint32_t n = mine->networks;
	short flags;

	if (n == ESPGOAL_NETWORKS)
		snprintf(why, BSPT_ESP_WHY,
			 "interface %s is one too many, at most 2 are used (BSP_ESP_INTERFACE)",
			 name);
	else if (n && found == index[0])
		snprintf(why, BSPT_ESP_WHY, "interface %s is named twice (BSP_ESP_INTERFACE)",
			 name);
	else if (!found || !flags_of(fd, name, &flags))
		snprintf(why, BSPT_ESP_WHY, "there is no interface %s (BSP_ESP_INTERFACE)", name);
	else if (!esp_address_of(fd, name, mine->address[n]))
		snprintf(why, BSPT_ESP_WHY, "interface %s is no Ethernet (BSP_ESP_INTERFACE)",
			 name);
	else if (!(flags & IFF_UP))
		snprintf(why, BSPT_ESP_WHY, "interface %s is down (ip link set %s up)", name, name);
	else
		index[mine->networks++] = found;
	return mine->networks > n ? 0 : -1;
}

/* One, or two with a comma between them. */
static int esp_use_named(int fd, const char *names, unsigned int *index, struct card *mine,
			 char *why)
{
	char text[8 * IFNAMSIZ], *rest, *name;
	int err = 0;

	snprintf(text, sizeof(text), "%s", names);
	for (name = strtok_r(text, ",", &rest); name && !err; name = strtok_r(NULL, ",", &rest))
		err = use_one(fd, name, index, mine, why);
	return err || mine->networks ? err : use_one(fd, names, index, mine, why);
}

static int use_first(int fd, unsigned int *index, struct card *mine, char *why)
{
	struct if_nameindex *all = if_nameindex();
	short flags;

	for (struct if_nameindex *i = all; i && i->if_index && !mine->networks; i++)
		if (flags_of(fd, i->if_name, &flags) && (flags & IFF_UP) &&
		    esp_address_of(fd, i->if_name, mine->address[0]))
			index[mine->networks++] = i->if_index;
	if (all)
		if_freenameindex(all);
	if (!mine->networks)
		snprintf(why, BSPT_ESP_WHY, "no Ethernet interface is up");
	return mine->networks ? 0 : -1;
}

static bool esp_is_named(const struct bspt_plan *plan)
{
	return plan->interface && plan->interface[0];
}

/*
 * Forked processes are on one machine, even if BSP_NODE_SIZE divides it into nodes, unless the
 * user set an interface.
 */
static bool esp_is_near(const struct bspt_plan *plan, int me, int peer)
{
	const struct bspt_wire *w = plan->wire;

	return w->node[me] == w->node[peer] || (w->inherits && !esp_is_named(plan));
}

static bool is_near_to_all(const struct bspt_plan *plan, int me)
{
	for (int q = 0; q < plan->nprocs; q++)
		if (!esp_is_near(plan, me, q))
			return false;
	return true;
}

/*
 * The interfaces to processes of other nodes: their @index, and their addresses for our card. 0,
 * or -1 and why.
 */
static int esp_choose_interfaces(struct bspt_esp *s, const struct bspt_plan *plan,
				 unsigned int *index, struct card *mine, char *why)
{
	short flags = 0;

	if (is_near_to_all(plan, s->base.me)) {
		if (flags_of(s->listener, "lo", &flags) && (flags & IFF_UP))
			return 0;
		snprintf(why, BSPT_ESP_WHY, "the loopback interface is down (ip link set lo up)");
		return -1;
	}
	return esp_is_named(plan) ? esp_use_named(s->listener, plan->interface, index, mine, why) :
				use_first(s->listener, index, mine, why);
}

/* ---- To connect ---------------------------------------------------------------------- */

static int begin_listening(struct bspt_esp *s, uint16_t *port)
{
	struct sockaddr_en at = { .sen_family = AF_ENET };
	socklen_t len = sizeof(at);

	s->listener = socket(AF_ENET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (s->listener < 0 || bind(s->listener, (struct sockaddr *)&at, sizeof(at)) < 0 ||
	    listen(s->listener, s->base.nprocs) < 0 ||
	    getsockname(s->listener, (struct sockaddr *)&at, &len) < 0)
		return -errno;
	*port = at.sen_port;
	return bspt_esp_watch(s, s->listener, BSPT_ESP_LISTENER, false);
}

static int esp_connect_to(struct bspt_esp *s, int peer, const struct card *card,
			  unsigned int ifindex)
{
	struct sockaddr_en to = { .sen_family = AF_ENET, .sen_port = card->port,
				  .sen_ifindex = ifindex, .sen_addrlen = ENET_ADDR_BYTES };
	struct bspt_esp_peer *p = &s->peer[peer];

	p->fd = socket(AF_ENET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (p->fd < 0)
		return -errno;
	memcpy(to.sen_addr, card->address[0], sizeof(to.sen_addr));
	if (connect(p->fd, (struct sockaddr *)&to, sizeof(to)) < 0 && errno != EINPROGRESS)
		return -errno;
	p->wants_room = true;
	return bspt_esp_watch(s, p->fd, (uint32_t)peer, true);
}

/* To those of higher number; a failure is the loss of the peer. */
static int connect_to_all(struct bspt_esp *s, const struct bspt_plan *plan, const struct card *all,
			  unsigned int ifindex)
{
	unsigned int loopback = if_nametoindex("lo");
	struct card card;
	int err;

	for (int q = s->base.me + 1; q < s->base.nprocs; q++) {
		bool near = esp_is_near(plan, s->base.me, q);

		card = all[q];
		if (near)
			memset(card.address[0], 0, sizeof(card.address[0]));
		err = esp_connect_to(s, q, &card, near ? loopback : ifindex);
		if (err) {
			plan->lost(q, strerror(-err));
			return err;
		}
	}
	return 0;
}

void bspt_esp_finish_connect(struct bspt_esp *s, int peer)
{
	struct bspt_esp_peer *p = &s->peer[peer];
	int err = 0;
	socklen_t len = sizeof(err);

	if (getsockopt(p->fd, SOL_SOCKET, SO_ERROR, &err, &len) < 0)
		err = errno;
	if (!err && !bspt_esp_send_hello(s, p->fd, peer))
		err = errno;
	if (err) {
		bspt_esp_ended(s, peer, err);
		return;
	}
	p->greeted = true;
	bspt_esp_want_room(s, peer, false);
}

/* Chunks may follow the hello. */
void bspt_esp_receive_answer(struct bspt_esp *s, int peer)
{
	struct bspt_esp_peer *p = &s->peer[peer];
	struct bspt_esp_hello hello;
	ssize_t n = recv(p->fd, p->stage + p->staged, sizeof(hello) - p->staged, 0);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		bspt_esp_ended(s, peer, n < 0 ? errno : 0);
		return;
	}
	p->staged += n;
	if (p->staged < sizeof(hello))
		return;
	memcpy(&hello, p->stage, sizeof(hello));
	p->staged = 0;
	if (hello.rank != (uint32_t)peer || !bspt_esp_is_authentic(s, p->fd, &hello)) {
		bspt_esp_ended(s, peer, EKEYREJECTED);
		return;
	}
	p->up = true;
	bspt_esp_flush(s, peer);
}

/* ---- Schedules in the kernel ----------------------------------------------------- */

/* Where processes are, as their kernels reach each other. */
enum places { TOGETHER, APART, MIXED };

/* On one node, on one each, or several on some of several. The same on all. */
static enum places places_of(const struct bspt_esp *s, const struct bspt_plan *plan)
{
	bool near = false, far = false;

	for (int q = 0; q < s->base.nprocs; q++)
		for (int p = 0; p < q; p++)
			*(esp_is_near(plan, p, q) ? &near : &far) = true;
	return near && far ? MIXED : far ? APART : TOGETHER;
}

static bool can_offload(const struct bspt_esp *s, const struct card *all)
{
	for (int q = 0; q < s->base.nprocs; q++)
		if (!all[q].goal_port)
			return false;
	return s->base.nprocs > 1;
}

/*
 * Messages are spread over as many networks as all have. Between processes of a node each network
 * is a queue in their kernel, or loopback, of which there is only one.
 */
static uint32_t networks_of(const struct bspt_esp *s, enum places places, const struct card *all)
{
	uint32_t n = places == TOGETHER ? 1 : ESPGOAL_NETWORKS;

	for (int q = 0; q < s->base.nprocs; q++) {
		if (all[q].networks < n)
			n = all[q].networks;
		if (places == MIXED && !all[q].near)
			n = 1;
	}
	return n ? n : 1;
}

/* Where a process is reached, by interface @ifindex; 0: listen on all. */
static struct sockaddr_en goal_address(const struct card *card, const unsigned char *address,
				       unsigned int ifindex)
{
	struct sockaddr_en at = {
		.sen_family = AF_ENET, .sen_port = card->goal_port, .sen_ifindex = ifindex,
		.sen_addrlen = ENET_ADDR_BYTES,
	};

	if (address)		/* else that of loopback */
		memcpy(at.sen_addr, address, sizeof(at.sen_addr));
	return at;
}

/* Facts of the job that its kernels are to know. */
struct kernels {
	const struct bspt_plan *plan;
	const struct card *all;
	const unsigned int *index;	/* of the interfaces to other nodes */
	enum places places;
	uint32_t networks;
};

static struct sockaddr_en find_kernel(const struct kernels *k, int me, int q, uint32_t network)
{
	const struct card *card = &k->all[q];

	if (q == me && k->places == MIXED && k->networks == 1)
		return goal_address(card, NULL, 0);
	if (q == me ? k->places == TOGETHER : esp_is_near(k->plan, me, q))
		return goal_address(card, NULL, if_nametoindex("lo"));
	return goal_address(card, card->address[network], k->index[network]);
}

static int join_kernels(struct bspt_esp *s, const struct kernels *k)
{
	uint32_t n = k->networks, nprocs = (uint32_t)s->base.nprocs;
	struct sockaddr_en *peers = calloc((size_t)nprocs * n, sizeof(*peers));
	/* one interface reaches the group: that to other nodes, if there are any */
	unsigned int group = k->places == TOGETHER ? if_nametoindex("lo") : k->index[0];
	int err = -ENOMEM;

	for (uint32_t i = 0; peers && i < nprocs * n; i++)
		peers[i] = find_kernel(k, s->base.me, (int)(i % nprocs), i / nprocs);
	if (peers)
		err = bspt_esp_goal_join(s, peers, n, k->all[0].goal_key, k->all[0].goal_group,
					 group);
	free(peers);
	return err;
}

/* All of them, or none. */
static int offload(struct bspt_esp *s, const struct bspt_plan *plan, const struct card *all,
		   const unsigned int *index)
{
	struct kernels k = { plan, all, index, places_of(s, plan), 1 };
	char mine, *good = NULL;
	int err, n = 0;

	k.networks = networks_of(s, k.places, all);
	if (can_offload(s, all)) {
		good = calloc(s->base.nprocs, 1);
		if (!good)
			return -ENOMEM;
		mine = join_kernels(s, &k) == 0;
		err = bspt_exchange_all(plan->wire, &mine, 1, good);
		for (int q = 0; !err && q < s->base.nprocs; q++)
			n += good[q];
		free(good);
		if (err)
			return err;
	}
	s->base.runs_schedules = n == s->base.nprocs;
	s->base.multicasts = s->base.runs_schedules;
	s->base.networks = s->base.runs_schedules ? (int)k.networks : 1;
	if (!s->base.runs_schedules)
		bspt_esp_goal_leave(s);
	return 0;
}

static int make_keys(struct card *c)
{
	uint64_t number[3];

	if (getrandom(number, sizeof(number), 0) != sizeof(number))
		return -1;
	c->key = number[0];
	c->goal_key = number[1];
	c->goal_group = number[2];
	return 0;
}

int bspt_esp_connect(struct bspt_esp *s, const struct bspt_plan *plan)
{
	struct card mine = { 0 }, *all = calloc(s->base.nprocs, sizeof(*all));
	char why[BSPT_ESP_WHY];
	int err = all ? begin_listening(s, &mine.port) : -ENOMEM;
	unsigned int index[ESPGOAL_NETWORKS] = { 0 };

	if (err) {
		free(all);
		return err;
	}
	if (esp_choose_interfaces(s, plan, index, &mine, why) < 0) {
		plan->lost(-1, why);
		err = -ENODEV;
	} else if (make_keys(&mine) < 0) {
		err = -errno;
	}
	mine.goal_port = plan->offload ? bspt_esp_goal_port(s) : 0;
	mine.near = mine.goal_port && bspt_esp_goal_is_near();
	if (!err)
		err = bspt_exchange_all(plan->wire, &mine, sizeof(mine), all);
	for (int q = 0; !err && q < s->base.nprocs; q++)
		bspt_esp_share_key(s, q, all[s->base.me].key, all[q].key);
	if (!err)
		err = offload(s, plan, all, index);
	if (!err)
		err = connect_to_all(s, plan, all, index[0]);
	free(all);
	return err;
}

/* ---- To be connected to ----------------------------------------------------------------- */

static void close_unauth(struct bspt_esp_unauth *c)
{
	if (c->fd >= 0)
		close(c->fd);
	*c = (struct bspt_esp_unauth){ .fd = -1 };
}

/*
 * A free place for an unauthenticated connection; if there is none, the next one in turn is
 * closed.
 */
static int esp_unauth_slot(struct bspt_esp *s)
{
	for (int i = 0; i < s->base.nprocs; i++)
		if (s->unauth[i].fd < 0)
			return i;
	s->turn = (s->turn + 1) % s->base.nprocs;
	close_unauth(&s->unauth[s->turn]);
	return s->turn;
}

void bspt_esp_accept(struct bspt_esp *s)
{
	int fd = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), i;

	if (fd < 0)
		return;
	i = esp_unauth_slot(s);
	s->unauth[i].fd = fd;
	if (bspt_esp_watch(s, fd, BSPT_ESP_UNAUTH | (uint32_t)i, false) < 0)
		close_unauth(&s->unauth[i]);
}

static bool is_expected(const struct bspt_esp *s, const struct bspt_esp_unauth *c)
{
	uint32_t rank = c->hello.rank;

	return bspt_esp_is_authentic(s, c->fd, &c->hello) && rank < (uint32_t)s->base.me &&
	       s->peer[rank].fd < 0 && !s->peer[rank].over;
}

/* An expected connection becomes that of a peer, and what has been queued for it leaves. */
void bspt_esp_receive_hello(struct bspt_esp *s, int i)
{
	struct bspt_esp_unauth *c = &s->unauth[i];
	struct bspt_esp_peer *p;
	ssize_t n;
	int peer;

	if (c->fd < 0)
		return;
	n = recv(c->fd, (char *)&c->hello + c->len, sizeof(c->hello) - c->len, 0);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	c->len += n > 0 ? (size_t)n : 0;
	if (n > 0 && c->len < sizeof(c->hello))
		return;
	peer = (int)c->hello.rank;
	if (n <= 0 || !is_expected(s, c) || !bspt_esp_send_hello(s, c->fd, peer)) {
		close_unauth(c);
		return;
	}
	p = &s->peer[peer];
	p->fd = c->fd;
	p->greeted = p->up = true;
	*c = (struct bspt_esp_unauth){ .fd = -1 };
	bspt_esp_rename(s, p->fd, peer);
	bspt_esp_flush(s, peer);
}
