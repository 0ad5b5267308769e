// SPDX-License-Identifier: BSD-3-Clause
/* esp_connect.c - addresses of processes, and connections that come to be. */

/*
 * Each process listens at a port of any interface and tells the others which, with the address of its
 * interface and a key. Those of one node talk over the loopback interface, as a frame to its own address leaves no
 * Ethernet interface; others over the interface that is chosen. The lower number connects, so that there is one connection
 * between two, and says who it is and the key of whom it connects to. A segment is open to strangers: whoever does not
 * say that is dropped.
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

enum { MAGIC = 0x45535048 };

/* What each process tells the others. */
struct card {
	uint64_t key;
	uint16_t port;				/* in network order */
	uint16_t goal_port;			/* of its kernel's schedules; 0: it runs none */
	unsigned char address[ENET_ADDR_BYTES];
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

static bool address_of(int fd, const char *name, unsigned char *address)
{
	struct ifreq r = { 0 };

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", name);
	if (ioctl(fd, SIOCGIFHWADDR, &r) < 0 || r.ifr_hwaddr.sa_family != ARPHRD_ETHER)
		return false;
	memcpy(address, r.ifr_hwaddr.sa_data, ENET_ADDR_BYTES);
	return true;
}

static bool is_usable(int fd, const char *name, unsigned char *address)
{
	short flags;

	return flags_of(fd, name, &flags) && (flags & IFF_UP) && address_of(fd, name, address);
}

static int use_named(int fd, const char *name, unsigned char *address, char *why)
{
	short flags;

	if (!flags_of(fd, name, &flags))
		snprintf(why, BSPT_ESP_WHY, "there is no interface %s (BSP_ESP_INTERFACE)", name);
	else if (!address_of(fd, name, address))
		snprintf(why, BSPT_ESP_WHY, "interface %s is no Ethernet (BSP_ESP_INTERFACE)", name);
	else if (!(flags & IFF_UP))
		snprintf(why, BSPT_ESP_WHY, "interface %s is down (ip link set %s up)", name, name);
	else
		return (int)if_nametoindex(name);
	return -1;
}

static int use_first(int fd, unsigned char *address, char *why)
{
	struct if_nameindex *all = if_nameindex();
	int index = -1;

	for (struct if_nameindex *i = all; i && i->if_index && index < 0; i++)
		if (is_usable(fd, i->if_name, address))
			index = (int)i->if_index;
	if (all)
		if_freenameindex(all);
	if (index < 0)
		snprintf(why, BSPT_ESP_WHY, "no Ethernet interface is up");
	return index;
}

static bool is_named(const struct bspt_plan *plan)
{
	return plan->interface && plan->interface[0];
}

/* Processes that are forked are on one machine, whatever is taken as a node, unless the user says otherwise. */
static bool is_near(const struct bspt_plan *plan, int me, int peer)
{
	const struct bspt_wire *w = plan->wire;

	return w->node[me] == w->node[peer] || (w->inherits && !is_named(plan));
}

static bool is_near_to_all(const struct bspt_plan *plan, int me)
{
	for (int q = 0; q < plan->nprocs; q++)
		if (!is_near(plan, me, q))
			return false;
	return true;
}

/* The interface to those who are not near, or 0 if there are none; -1 and why. */
static int choose_interface(struct bspt_esp *s, const struct bspt_plan *plan, unsigned char *address, char *why)
{
	short flags = 0;

	if (is_near_to_all(plan, s->base.me)) {
		if (flags_of(s->listener, "lo", &flags) && (flags & IFF_UP))
			return 0;
		snprintf(why, BSPT_ESP_WHY, "the loopback interface is down (ip link set lo up)");
		return -1;
	}
	return is_named(plan) ? use_named(s->listener, plan->interface, address, why) :
				use_first(s->listener, address, why);
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

bool bspt_esp_greet(struct bspt_esp *s, int peer)
{
	struct bspt_esp_hello hello = { .magic = MAGIC, .rank = (uint32_t)s->base.me, .key = s->peer[peer].key };

	/* The first bytes of a connection always have room. */
	return send(s->peer[peer].fd, &hello, sizeof(hello), MSG_NOSIGNAL) == (ssize_t)sizeof(hello);
}

static int connect_to(struct bspt_esp *s, int peer, const struct card *card, int ifindex)
{
	struct sockaddr_en to = { .sen_family = AF_ENET, .sen_port = card->port,
				  .sen_ifindex = (unsigned int)ifindex, .sen_addrlen = ENET_ADDR_BYTES };
	struct bspt_esp_peer *p = &s->peer[peer];

	p->key = card->key;
	p->fd = socket(AF_ENET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (p->fd < 0)
		return -errno;
	memcpy(to.sen_addr, card->address, sizeof(to.sen_addr));
	if (connect(p->fd, (struct sockaddr *)&to, sizeof(to)) < 0 && errno != EINPROGRESS)
		return -errno;
	p->wants_room = true;
	return bspt_esp_watch(s, p->fd, (uint32_t)peer, true);
}

/* To those of higher number; a failure is the loss of the peer. */
static int connect_to_all(struct bspt_esp *s, const struct bspt_plan *plan, const struct card *all, int ifindex)
{
	int loopback = (int)if_nametoindex("lo"), err;
	struct card card;

	for (int q = s->base.me + 1; q < s->base.nprocs; q++) {
		bool near = is_near(plan, s->base.me, q);

		card = all[q];
		if (near)
			memset(card.address, 0, sizeof(card.address));
		err = connect_to(s, q, &card, near ? loopback : ifindex);
		if (err) {
			plan->lost(q, strerror(-err));
			return err;
		}
	}
	return 0;
}

/* ---- Schedules in the kernel ----------------------------------------------------- */

/*
 * Each process listens at one address there, so all are near each other, or each is on a node of its own. The same
 * answer on all.
 */
static bool can_offload(const struct bspt_esp *s, const struct bspt_plan *plan, const struct card *all)
{
	bool near = true, far = true;

	for (int q = 0; q < plan->nprocs; q++) {
		if (!all[q].goal_port)
			return false;
		for (int p = 0; p < q; p++)
			*(is_near(plan, p, q) ? &far : &near) = false;
	}
	return s->base.nprocs > 1 && (near || far);
}

static int join_kernels(struct bspt_esp *s, const struct card *all, int ifindex)
{
	struct sockaddr_en *peers = calloc(s->base.nprocs, sizeof(*peers));
	int err = -ENOMEM;

	for (int q = 0; peers && q < s->base.nprocs; q++) {
		peers[q] = (struct sockaddr_en){
			.sen_family = AF_ENET, .sen_port = all[q].goal_port,
			.sen_ifindex = ifindex ? (unsigned int)ifindex : if_nametoindex("lo"),
			.sen_addrlen = ENET_ADDR_BYTES,
		};
		memcpy(peers[q].sen_addr, all[q].address, sizeof(all[q].address));
	}
	if (peers)
		err = bspt_esp_goal_join(s, peers, all[0].key);
	free(peers);
	return err;
}

/* All of them, or none. */
static int offload(struct bspt_esp *s, const struct bspt_plan *plan, const struct card *all, int ifindex)
{
	char mine, *good = NULL;
	int err, n = 0;

	if (can_offload(s, plan, all)) {
		good = calloc(s->base.nprocs, 1);
		if (!good)
			return -ENOMEM;
		mine = join_kernels(s, all, ifindex) == 0;
		err = plan->wire->exchange(plan->wire, &mine, 1, good);
		for (int q = 0; !err && q < s->base.nprocs; q++)
			n += good[q];
		free(good);
		if (err)
			return err;
	}
	s->base.runs_schedules = n == s->base.nprocs;
	if (!s->base.runs_schedules)
		bspt_esp_goal_leave(s);
	return 0;
}

int bspt_esp_connect(struct bspt_esp *s, const struct bspt_plan *plan)
{
	struct card mine = { 0 }, *all = calloc(s->base.nprocs, sizeof(*all));
	char why[BSPT_ESP_WHY];
	int err = all ? begin_listening(s, &mine.port) : -ENOMEM, ifindex, hold = -1;

	if (err) {
		free(all);
		return err;
	}
	ifindex = choose_interface(s, plan, mine.address, why);
	if (ifindex < 0) {
		plan->lost(-1, why);
		err = -ENODEV;
	} else if (getrandom(&s->key, sizeof(s->key), 0) != sizeof(s->key)) {
		err = -errno;
	}
	mine.key = s->key;
	mine.goal_port = plan->offload ? bspt_esp_goal_port(s, &hold) : 0;
	if (!err)
		err = plan->wire->exchange(plan->wire, &mine, sizeof(mine), all);
	if (hold >= 0)
		close(hold);
	if (!err)
		err = offload(s, plan, all, ifindex);
	if (!err)
		err = connect_to_all(s, plan, all, ifindex);
	free(all);
	return err;
}

/* ---- To be connected to ----------------------------------------------------------------- */

static void dismiss(struct bspt_esp_stranger *who)
{
	if (who->fd >= 0)
		close(who->fd);
	*who = (struct bspt_esp_stranger){ .fd = -1 };
}

/* A place for one more; if there is none, the next one in turn has been silent for long enough. */
static int place_for_stranger(struct bspt_esp *s)
{
	for (int i = 0; i < s->base.nprocs; i++)
		if (s->stranger[i].fd < 0)
			return i;
	s->turn = (s->turn + 1) % s->base.nprocs;
	dismiss(&s->stranger[s->turn]);
	return s->turn;
}

void bspt_esp_accept(struct bspt_esp *s)
{
	int fd = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), i;

	if (fd < 0)
		return;
	i = place_for_stranger(s);
	s->stranger[i].fd = fd;
	if (bspt_esp_watch(s, fd, BSPT_ESP_STRANGER | (uint32_t)i, false) < 0)
		dismiss(&s->stranger[i]);
}

static bool is_expected(const struct bspt_esp *s, const struct bspt_esp_hello *hello)
{
	return hello->magic == MAGIC && hello->key == s->key && hello->rank < (uint32_t)s->base.me &&
	       s->peer[hello->rank].fd < 0 && !s->peer[hello->rank].over;
}

/* Its connection becomes that of a peer, and what has been queued for it leaves. */
static void introduce(struct bspt_esp *s, struct bspt_esp_stranger *who)
{
	int peer = (int)who->hello.rank;
	struct bspt_esp_peer *p = &s->peer[peer];

	p->fd = who->fd;
	p->up = true;
	*who = (struct bspt_esp_stranger){ .fd = -1 };
	bspt_esp_rename(s, p->fd, peer);
	bspt_esp_flush(s, peer);
}

void bspt_esp_hear(struct bspt_esp *s, int i)
{
	struct bspt_esp_stranger *who = &s->stranger[i];
	ssize_t n;

	if (who->fd < 0)
		return;
	n = recv(who->fd, (char *)&who->hello + who->len, sizeof(who->hello) - who->len, 0);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	who->len += n > 0 ? (size_t)n : 0;
	if (n > 0 && who->len < sizeof(who->hello))
		return;
	if (n > 0 && is_expected(s, &who->hello))
		introduce(s, who);
	else
		dismiss(who);
}
