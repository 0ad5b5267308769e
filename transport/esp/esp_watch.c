// SPDX-License-Identifier: BSD-3-Clause
/* esp_watch.c - the descriptors that the epoll object of a process watches. */

#include "esp.h"

#include <errno.h>
#include <sys/epoll.h>

/* A run that is over stays so until the program asks: the event is edge-triggered. */
int bspt_esp_watch(struct bspt_esp *s, int fd, uint32_t what, bool room_too)
{
	uint32_t more = room_too ? EPOLLOUT : what == BSPT_ESP_GOAL ? EPOLLET : 0;
	struct epoll_event e = { .events = EPOLLIN | more, .data.u32 = what };

	return epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &e) < 0 ? -errno : 0;
}

void bspt_esp_want_room(struct bspt_esp *s, int peer, bool on)
{
	struct bspt_esp_peer *p = &s->peer[peer];
	struct epoll_event e = { .events = on ? EPOLLIN | EPOLLOUT : EPOLLIN,
				 .data.u32 = (uint32_t)peer };

	if (p->wants_room == on)
		return;
	p->wants_room = on;
	epoll_ctl(s->epoll, EPOLL_CTL_MOD, p->fd, &e);
}

void bspt_esp_rename(struct bspt_esp *s, int fd, int peer)
{
	struct epoll_event e = { .events = EPOLLIN, .data.u32 = (uint32_t)peer };

	epoll_ctl(s->epoll, EPOLL_CTL_MOD, fd, &e);
}
