// SPDX-License-Identifier: BSD-3-Clause
/* ofi_sync.c - waiting, and detecting peers that are gone. */

/*
 * A wait polls the completion queue, which is also what makes most providers progress; then
 * yields; then sleeps: until the queue's file descriptor is readable, if the provider has one,
 * but only for a short time, as only polling makes connections. Without an endpoint there are none,
 * and a thousand such processes of one machine that each look every millisecond would keep it busy:
 * they sleep for a part of the time that they have waited.
 *
 * A peer that is not there. When a connection breaks, messages fail with an error. The peer may
 * have ended well: then its OFI_SHUTDOWN has arrived, or arrives soon; so lost() is called
 * when a failure is older than GRACE.
 *
 * A peer that was never reached, or whose provider keeps retrying, gives no error: it may be
 * computing. If the provider is made on TCP, a connection of our own decides: the system accepts
 * it for a process that listens, even if that does not poll. If it is refused, or gets no answer:
 * lost(). It is made when a message has waited for DOUBT_FIRST, then at growing intervals; the
 * peer finds it closed and drops it. A process that waits for long sends a message (OFI_PING) to
 * peers with injected messages in flight, as these report no failure.
 *
 * Lack of memory. A provider that gets no memory for a message or a connection says no more than
 * for a peer that computes (-FI_EAGAIN, libfabric 1.17), and tries again in each poll. But the
 * allocation that failed inside has left ENOMEM in errno. If polls find that for STARVED_MOST and
 * nothing completes, lost() is called.
 */

#include "ofi.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { LOOKS = 32 };

#define SLEEP_LEAST 50000ull
#define SLEEP_MOST 1000000ull
#define UNOPENED_PART 32
#define GRACE 200000000ull
#define DOUBT_FIRST 1000000000ull
#define ANSWER_MOST 10000000000ull
#define STARVED_MOST 2000000000ull
/* Failed allocations that far apart are not one lack of memory. */
#define STARVED_GAP 1000000000ull

/* ---- Doubt --------------------------------------------------------------- */

static const struct sockaddr *ofi_address_of(const struct ofi_peer *p, socklen_t *len)
{
	const struct sockaddr *a = (const void *)p->name;

	*len = a->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
	return a;
}

void bspt_ofi_doubt_end(struct bspt_ofi *s)
{
	if (s->doubted >= 0)
		close(s->doubt_fd);
	s->doubted = -1;
}

static void answered(struct bspt_ofi *s, int err)
{
	int peer = s->doubted;

	bspt_ofi_doubt_end(s);
	if (err)
		bspt_ofi_fail(s, peer, "connecting to it", err, strerror(err));
}

static void look_for_answer(struct bspt_ofi *s, uint64_t now)
{
	struct pollfd p = { .fd = s->doubt_fd, .events = POLLOUT };
	int err = 0;
	socklen_t len = sizeof(err);

	if (poll(&p, 1, 0) > 0 && getsockopt(s->doubt_fd, SOL_SOCKET, SO_ERROR, &err, &len) == 0)
		answered(s, err);
	else if (now > s->doubt_until)
		answered(s, ETIMEDOUT);
}

/* One that waits is looked at; the others wait in turn, see bspt_ofi_start_queued(). */
static void doubt(struct bspt_ofi *s, uint64_t now)
{
	struct ofi_peer *p = s->waiting;
	const struct sockaddr *address;
	socklen_t len;
	int fd;

	if (!p || !p->stuck_since || now - p->stuck_since < DOUBT_FIRST || now < p->doubt_at)
		return;
	p->doubt_at = now + (now - p->stuck_since);
	address = ofi_address_of(p, &len);
	fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	s->doubted = p->number;
	s->doubt_fd = fd;
	s->doubt_until = now + ANSWER_MOST;
	if (connect(fd, address, len) == 0)
		answered(s, 0);
	else if (errno != EINPROGRESS)
		answered(s, errno);
}

/* Injected messages would not report a failure. */
static void ping(struct bspt_ofi *s, uint64_t now)
{
	if (!s->waiting_since || now - s->waiting_since < DOUBT_FIRST ||
	    now - s->pinged_at < DOUBT_FIRST)
		return;
	s->pinged_at = now;
	for (const struct ofi_peer *p = s->made; p; p = p->made_before)
		if (p->blind && !p->in_flight)
			bspt_ofi_last_note(s, p->number, OFI_PING);
}

/* ---- Memory -------------------------------------------------------------- */

static bool ofi_look_for_a_while(struct bspt_ofi *s, int looks)
{
	uint64_t before = s->events;

	for (int i = 0; i < looks; i++) {
		if (s->arrived || s->events != before)
			return true;
		bspt_ofi_progress(s);
	}
	return s->arrived || s->events != before;
}

/* The same, and *@starved: an allocation failed in it. The program's errno stays. */
static bool look_and_note_memory(struct bspt_ofi *s, int looks, bool *starved)
{
	int before = errno;
	bool came;

	errno = 0;
	came = ofi_look_for_a_while(s, looks);
	*starved = errno == ENOMEM;
	errno = before;
	return came;
}

static void note_starvation(struct bspt_ofi *s, uint64_t now)
{
	if (s->events != s->starved_events || now - s->starved_at > STARVED_GAP)
		s->starved_since = now;
	s->starved_events = s->events;
	s->starved_at = now;
	if (now - s->starved_since > STARVED_MOST)
		bspt_ofi_lost(s, -1, "sending or connecting", FI_ENOMEM);
}

/* ---- Waiting ------------------------------------------------------------- */

static uint64_t longest_sleep(const struct bspt_ofi *s, uint64_t waited)
{
	uint64_t part = waited / UNOPENED_PART;

	if (s->ep || part < SLEEP_MOST)
		return SLEEP_MOST;
	return part < s->unopened_sleep_most ? part : s->unopened_sleep_most;
}

static void ofi_sleep(struct bspt_ofi *s, uint64_t waited)
{
	struct pollfd p[] = { { .fd = s->wait_fd, .events = POLLIN },
			      { .fd = s->datagram_fd, .events = POLLIN } };
	struct timespec limit = { .tv_nsec = (long)s->sleep_ns };
	struct fid *fid = s->cq ? &s->cq->fid : NULL;
	uint64_t most = longest_sleep(s, waited);

	s->base.stats.sleeps++;
	if (s->wait_fd < 0 || fi_trywait(s->fabric, &fid, 1) == 0)
		ppoll(p, 2, &limit, NULL);
	else
		sched_yield(); /* there is something, but perhaps nothing that looking takes away */
	if (p[1].revents)
		bspt_ofi_datagram_receive(s);
	s->sleep_ns = 2 * s->sleep_ns < most ? 2 * s->sleep_ns : most;
}

/* Chunks that have not left yet leave only while this process polls, so sleeps stay short. */
void bspt_ofi_wait(struct bspt *t, unsigned int idle)
{
	struct bspt_ofi *s = bspt_ofi_of(t);
	uint64_t now, waited;
	bool starved;

	if (idle == 0)
		s->waiting_since = 0;
	if (look_and_note_memory(s, s->wait_policy.spin_ns ? LOOKS : 1, &starved))
		return;
	now = bspt_now_ns();
	if (s->failed_peer >= 0 && now - s->failed_at > GRACE)
		s->lost(s->failed_peer, s->failure);
	ping(s, now);
	if (s->connects && s->doubted >= 0)
		look_for_answer(s, now);
	else if (s->connects)
		doubt(s, now);
	if (starved)
		note_starvation(s, now);
	if (!s->waiting_since) {
		s->waiting_since = now;
		s->sleep_ns = SLEEP_LEAST;
	}
	waited = now - s->waiting_since;
	if (!bspt_wait_step(t, &s->wait_policy, waited, idle == 0))
		return;
	if (t->unsent)
		s->sleep_ns = SLEEP_LEAST;
	ofi_sleep(s, waited);
}
