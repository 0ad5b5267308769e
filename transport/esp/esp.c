// SPDX-License-Identifier: BSD-3-Clause
/* esp.c - the transport on plain Ethernet: where it can run, how it begins and ends. */

#include "esp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum {
	/*
	 * As many as the module espgoal runs schedules for; and each process has tables of all,
	 * kilobytes with these
	 */
	PROCESSES_MOST = ESPGOAL_NPROCS_MOST,
	MAX_CHUNK = (1 << 30) - sizeof(struct bspt_buffer),
	GOOD_CHUNK = (32 << 10) - sizeof(struct bspt_buffer),
	CLOSE_MOST_MS = 30000,
	CLOSE_LOOK_MS = 100,
};

/* ---- Can it run ---------------------------------------------------------------- */

static int esp_probe(int nprocs, char *why, size_t len)
{
	int fd, err;

	if (nprocs > PROCESSES_MOST) {
		snprintf(why, len,
			 "it is for up to %d processes, as many as module espgoal takes, not %d",
			 PROCESSES_MOST, nprocs);
		return -EINVAL;
	}
	fd = socket(AF_ENET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	err = errno;
	if (fd >= 0) {
		close(fd);
		return 0;
	}
	if (err == EAFNOSUPPORT)
		snprintf(why, len, "module enet is not loaded (modprobe enet)");
	else
		snprintf(why, len, "no socket of ESP: %s", strerror(err));
	return -err;
}

static int esp_prepare(struct bspt_plan *plan)
{
	plan->shared = NULL;
	return 0;
}

/* ---- Begin --------------------------------------------------------------------- */

static void esp_destroy(struct bspt_esp *s)
{
	if (s->peer && s->unauth) {
		for (int q = 0; q < s->base.nprocs; q++) {
			if (s->peer[q].fd >= 0)
				close(s->peer[q].fd);
			if (s->unauth[q].fd >= 0)
				close(s->unauth[q].fd);
		}
		bspt_esp_goal_leave(s);
		if (s->listener >= 0)
			close(s->listener);
		if (s->epoll >= 0)
			close(s->epoll);
	}
	bspt_pool_free(&s->pool);
	free(s->unauth);
	free(s->peer);
	free(s);
}

/* As over TCP, where a message is two system calls as well; not measured on Ethernet. */
static const struct bspt_cost cost = { .L = 1400, .o = 4400, .g = 4400, .G = 0.1 };

static void esp_set_limits(struct bspt_esp *s, const struct bspt_plan *plan, int me)
{
	s->base.me = me;
	s->base.nprocs = plan->nprocs;
	s->base.max_chunk = MAX_CHUNK;
	s->base.good_chunk = GOOD_CHUNK;
	s->base.min_direct = SIZE_MAX;
	s->base.min_bulk = SIZE_MAX;
	s->base.cost = cost;
	s->wait_policy = plan->wait_policy;
	s->lost = plan->lost;
	s->length_mismatch = plan->length_mismatch;
}

static struct bspt_esp *esp_create_object(const struct bspt_plan *plan, int me)
{
	struct bspt_esp *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	esp_set_limits(s, plan, me);
	bspt_pool_init(&s->pool, BSPT_ESP_IDLE_MOST);
	s->listener = s->epoll = s->goal = -1;
	s->peer = calloc(plan->nprocs, sizeof(*s->peer));
	s->unauth = calloc(plan->nprocs, sizeof(*s->unauth));
	if (!s->peer || !s->unauth) {
		esp_destroy(s);
		return NULL;
	}
	for (int q = 0; q < plan->nprocs; q++)
		s->peer[q].fd = s->unauth[q].fd = -1;
	return s;
}

static int esp_open(const struct bspt_plan *plan, int me, struct bspt **out)
{
	struct bspt_esp *s;
	int err = 0;

	if (me >= plan->nprocs)
		return -ECANCELED;
	s = esp_create_object(plan, me);
	if (!s)
		return -ENOMEM;
	s->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (s->epoll < 0)
		err = -errno;
	else if (plan->wire && plan->nprocs > 1)
		err = bspt_esp_connect(s, plan);
	if (err) {
		esp_destroy(s);
		return err;
	}
	*out = &s->base;
	return 0;
}

/* ---- End ----------------------------------------------------------------------- */

/* Have all others said that nothing more comes, and has all that we said left? */
static bool is_quiet(const struct bspt_esp *s)
{
	for (int q = 0; q < s->base.nprocs; q++) {
		const struct bspt_esp_peer *p = &s->peer[q];

		if (q != s->base.me && !p->over && !(p->has_shut_down && !p->out.first))
			return false;
	}
	return true;
}

/*
 * Bytes are read until no more come: a connection that is closed with something unread
 * is reset, which may take what has been sent by us from the other end. So all wait for the
 * last one, but not for ever.
 */
static void esp_close_object(struct bspt *t)
{
	struct bspt_esp *s = bspt_esp_of(t);
	uint64_t end = bspt_now_ns() + (uint64_t)CLOSE_MOST_MS * 1000000;

	s->closing = true;
	for (int q = 0; q < t->nprocs && s->listener >= 0; q++)
		if (q != t->me && !s->peer[q].over)
			bspt_esp_send_shutdown(s, q);
	while (s->listener >= 0 && !is_quiet(s) && bspt_now_ns() < end) {
		bspt_esp_drop_ready(s);
		bspt_esp_look(s, CLOSE_LOOK_MS);
	}
	esp_destroy(s);
}

const struct bspt_ops bspt_esp_ops = {
	.name = "esp",
	.summary = "one Ethernet segment, without IP: module enet",
	.caps = BSPT_CAP_SCHEDULE | BSPT_FAR,
	.accepts = bspt_accepts_none,
	.probe = esp_probe,
	.prepare = esp_prepare,
	.open = esp_open,
	.close = esp_close_object,
	.via = bspt_via_itself,
	.chunk = bspt_esp_chunk,
	.send = bspt_esp_send,
	.discard = bspt_esp_release,
	.poll = bspt_esp_poll,
	.release = bspt_esp_release,
	.trim = bspt_esp_trim,
	.wait = bspt_esp_wait,
	.schedule_load = bspt_esp_schedule_load,
	.schedule_start = bspt_esp_schedule_start,
	.schedule_over = bspt_esp_schedule_over,
	.schedule_finish = bspt_esp_schedule_finish,
	.schedule_unload = bspt_esp_schedule_unload,
};
