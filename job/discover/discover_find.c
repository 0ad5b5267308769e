// SPDX-License-Identifier: BSD-3-Clause
/* discover_find.c - find the part with process 0, the hub, and introduce this part. */

/*
 *	part			hub
 *	  | -- SEEK, broadcast ->|	EDP, port 1998, by each part until it is answered
 *	  | <- REPORTED, to the part |	EDP: the port of ESP at which the hub listens
 *	  | -- ESP connection -->|
 *	  | -- introduction ---->|	struct bspj_part
 *	  | <- answer: added --- |	at once; a part that does not get it seeks again
 *	  | <- answer ---------- |	when all are there, or at once with what is wrong
 *	  | <- list of all ------|
 *
 * The hub seeks as well, and so finds another hub of the same job; both end. Everything is sent
 * over each interface that the job may use, and over the loopback interface, for parts on one
 * host. Any host can send: a frame that is not exactly one of ours is dropped, and a connection
 * without an introduction is closed when its slot is needed. When the hub refuses a part it goes
 * on waiting: the part can be started again.
 */

#include "discover.h"

#include "enet.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <unistd.h>

enum { SEEK = 1, REPORTED = 2 };
enum { ADDED = -1 };

enum {
	UNAUTH_MOST = 32,
	SEEK_MS = 200,
	CONNECT_MS = 3000,	/* then it is sought again, and tried for twice as long */
	ADDED_MS = 5000,	/* the hub says at once that it has a part; else as above */
	TRIES_LONGER = 6,	/* so often is the time doubled, to a few minutes */
	LATE_MS = 10000,	/* the hub has given up before, and says why: as busy as it is */
	ANSWER_MOST = 480,
};

static const uint64_t call_mark = 0x6c6c61637370620a;

/* A datagram. Its size is that of no other. */
struct call {
	uint64_t mark;
	uint64_t key;			/* of the part that says it */
	uint32_t kind;
	int32_t first, last;
	uint16_t port;			/* REPORTED: of ESP, in network order */
	uint16_t spare;
	char job[BSPJ_JOB_NAME];
	char host[BSPT_HOSTNAME];
};

struct answer {
	uint64_t mark;
	int32_t nparts;			/* which follow; 0: refused; ADDED: it has the part */
	char why[ANSWER_MOST];
};

struct unauth {
	int fd;				/* -1: free */
	size_t len;
	struct bspj_part part;		/* of which so many bytes are there */
};

struct search {
	const struct bspj_part *mine;
	struct bspj_found *found;
	uint64_t key;
	uint64_t end;			/* of the timeout */
	uint64_t sought;		/* last */
	int failed;			/* so many tries to introduce this part to a hub */
	int edp, listener;
	uint16_t port;			/* of the listener, in network order */
	struct bspj_interfaces interfaces;
	struct unauth unauth[UNAUTH_MOST];
	int turn;
	char *why;
	size_t len;
};

/* From now on; a time of 0 is for ever. */
static uint64_t find_end(double timeout_s)
{
	return timeout_s > 0 ? bspt_now_ns() + (uint64_t)(timeout_s * 1e9) : UINT64_MAX;
}

/*
 * The end of a try that takes @ms the first time: on a slow machine or network one has to be long
 * enough. Only the first @ms of it may go on after the timeout.
 */
static uint64_t find_end_of_try(const struct search *s, int ms)
{
	int doubled = s->failed < TRIES_LONGER ? s->failed : TRIES_LONGER;
	uint64_t now = bspt_now_ns(), least = now + (uint64_t)ms * 1000000;
	uint64_t end = now + ((uint64_t)ms << doubled) * 1000000;

	return end < s->end ? end : least < s->end ? s->end : least;
}

static void find_write_range(const struct bspj_part *part, char *text, size_t len)
{
	if (part->first == part->last)
		snprintf(text, len, "%d", part->first);
	else
		snprintf(text, len, "%d-%d", part->first, part->last);
}

/* ---- Sockets --------------------------------------------------------------------------- */

static bool find_is_hub(const struct search *s)
{
	return s->mine->first == 0;
}

static int refuse_socket(struct search *s, int err)
{
	if (err == EAFNOSUPPORT)
		snprintf(s->why, s->len, "module enet is not loaded (modprobe enet)");
	else
		snprintf(s->why, s->len, "the other parts cannot be sought: %s", strerror(err));
	return -err;
}

static int find_open_edp(struct search *s)
{
	struct sockaddr_en here = { .sen_family = AF_ENET };
	int on = 1;

	here.sen_port = find_is_hub(s) ? htons(BSPJ_DISCOVER_PORT) : 0;
	s->edp = socket(AF_ENET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (s->edp < 0 || setsockopt(s->edp, SOL_SOCKET, SO_BROADCAST, &on, sizeof(on)) < 0 ||
	    setsockopt(s->edp, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) < 0 ||
	    bind(s->edp, (struct sockaddr *)&here, sizeof(here)) < 0)
		return refuse_socket(s, errno);
	return 0;
}

static int open_listener(struct search *s)
{
	struct sockaddr_en here = { .sen_family = AF_ENET };
	socklen_t len = sizeof(here);

	s->listener = socket(AF_ENET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (s->listener < 0 || bind(s->listener, (struct sockaddr *)&here, sizeof(here)) < 0 ||
	    listen(s->listener, BSPJ_PARTS_MOST) < 0 ||
	    getsockname(s->listener, (struct sockaddr *)&here, &len) < 0)
		return refuse_socket(s, errno);
	s->port = here.sen_port;
	return 0;
}

/* ---- Calls -------------------------------------------------------------------------------- */

static struct call find_make_call(const struct search *s, uint32_t kind)
{
	struct call call = {
		.mark = call_mark, .key = s->key, .kind = kind, .port = s->port,
		.first = s->mine->first, .last = s->mine->last,
	};

	memcpy(call.job, s->mine->job, sizeof(call.job));
	memcpy(call.host, s->mine->host, sizeof(call.host));
	return call;
}

/* To all, over all interfaces; one that is down for a moment is tried again the next time. */
static void seek(struct search *s)
{
	struct call call = find_make_call(s, SEEK);

	if (s->sought && bspt_now_ns() - s->sought < (uint64_t)SEEK_MS * 1000000)
		return;
	s->sought = bspt_now_ns();
	for (int i = 0; i < s->interfaces.n; i++) {
		struct sockaddr_en all = {
			.sen_family = AF_ENET, .sen_port = htons(BSPJ_DISCOVER_PORT),
			.sen_ifindex = s->interfaces.index[i], .sen_addrlen = ENET_ADDR_BYTES,
			.sen_addr = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff },
		};

		if (sendto(s->edp, &call, sizeof(call), 0, (struct sockaddr *)&all,
			   sizeof(all)) < 0)
			continue;
	}
}

/* The next call of another part of this job; false: there is none. */
static bool find_receive_call(struct search *s, struct call *call, struct sockaddr_en *from)
{
	char frame[sizeof(*call) + 1];
	ssize_t n;

	for (;;) {
		socklen_t len = sizeof(*from);

		n = recvfrom(s->edp, frame, sizeof(frame), 0, (struct sockaddr *)from, &len);
		if (n < 0)
			return false;
		memcpy(call, frame, sizeof(*call));
		call->host[sizeof(call->host) - 1] = '\0';
		if (n == sizeof(*call) && call->mark == call_mark && call->key != s->key &&
		    memcmp(call->job, s->mine->job, sizeof(call->job)) == 0)
			return true;
	}
}

/* ---- The hub --------------------------------------------------------------------------------- */

static void answer_no(const struct search *s, int fd, const char *why)
{
	struct answer no = { .mark = s->mine->mark };

	snprintf(no.why, sizeof(no.why), "%s", why);
	if (send(fd, &no, sizeof(no), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		return;			/* it will see that we are gone */
}

/* Is a place in the table, or all: a part that overlaps @part, or -1. */
static int find_overlap(const struct bspj_found *f, const struct bspj_part *part)
{
	for (int i = 0; i < f->nparts; i++)
		if (part->first <= f->part[i].last && part->last >= f->part[i].first)
			return i;
	return -1;
}

/* Is something wrong with a part that has come? In @why what it is. */
static bool find_is_wrong(const struct search *s, const struct bspj_part *part, char *why,
			  size_t len)
{
	const struct bspj_part *mine = s->mine;
	int i = find_overlap(s->found, part);
	char theirs[32], other[32];

	find_write_range(part, theirs, sizeof(theirs));
	if (part->protocol != mine->protocol ||
	    memcmp(part->version, mine->version, sizeof(part->version)) != 0) {
		snprintf(why, len,
			 "part %s on %.64s uses bsp %.23s (protocol %u), process 0 on %.64s uses "
			 "%.23s (%u); install the same everywhere",
			 theirs, part->host, part->version, part->protocol, mine->host,
			 mine->version, mine->protocol);
	} else if (part->nprocs != mine->nprocs) {
		snprintf(why, len,
			 "part %s on %.64s is of %d processes, process 0 on %.64s of %d; give all "
			 "the same -n",
			 theirs, part->host, part->nprocs, mine->host, mine->nprocs);
	} else if (i >= 0) {
		find_write_range(&s->found->part[i], other, sizeof(other));
		snprintf(why, len,
			 "part %s on %.64s and part %s on %.64s have the same processes; give each "
			 "another --part",
			 theirs, part->host, other, s->found->part[i].host);
	} else if (s->found->nparts == BSPJ_PARTS_MOST) {
		snprintf(why, len, "a job has at most %d parts; start more processes with each",
			 BSPJ_PARTS_MOST);
	} else {
		return false;
	}
	return true;
}

static bool is_sane(const struct bspj_part *part)
{
	return part->first >= 0 && part->first <= part->last && part->last < part->nprocs &&
	       memchr(part->host, 0, sizeof(part->host)) &&
	       memchr(part->version, 0, sizeof(part->version)) &&
	       memchr(part->machine, 0, sizeof(part->machine));
}

static void remove_part(struct bspj_found *f, int i)
{
	close(f->fd[i]);
	f->nparts--;
	f->part[i] = f->part[f->nparts];
	f->fd[i] = f->fd[f->nparts];
}

/* A part that has come says nothing more: with something to read it has gone. */
static void remove_parts_that_left(struct bspj_found *f)
{
	char byte;

	for (int i = f->nparts - 1; i > 0; i--)
		if (recv(f->fd[i], &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 || errno != EAGAIN)
			remove_part(f, i);
}

/*
 * All of its introduction is there. It may have come before, and given that connection up. A part
 * that does not get the answer asks again.
 */
static void find_judge(struct search *s, struct unauth *u)
{
	struct answer added = { .mark = s->mine->mark, .nparts = ADDED };
	struct bspj_found *f = s->found;
	char why[ANSWER_MOST];
	int fd = u->fd;

	u->fd = -1;
	remove_parts_that_left(f);
	if (u->part.mark != s->mine->mark ||
	    memcmp(u->part.job, s->mine->job, sizeof(u->part.job)) != 0 ||
	    !is_sane(&u->part)) {
		close(fd);
		return;
	}
	if (find_is_wrong(s, &u->part, why, sizeof(why))) {
		bspj_say("bsp: a part of job %s was refused: %s\n", s->mine->job, why);
		answer_no(s, fd, why);
		close(fd);
		return;
	}
	f->part[f->nparts] = u->part;
	f->fd[f->nparts++] = fd;
	if (send(fd, &added, sizeof(added), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		return;
}

static void unauth_receive(struct search *s, struct unauth *u)
{
	ssize_t n = recv(u->fd, (char *)&u->part + u->len, sizeof(u->part) - u->len,
			 MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	u->len += n > 0 ? (size_t)n : 0;
	if (n <= 0) {
		close(u->fd);
		u->fd = -1;
	} else if (u->len == sizeof(u->part)) {
		find_judge(s, u);
	}
}

/* If all slots are taken the next in turn is closed. */
static void unauth_accept(struct search *s)
{
	int fd = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), i = 0;

	if (fd < 0)
		return;
	while (i < UNAUTH_MOST && s->unauth[i].fd >= 0)
		i++;
	if (i == UNAUTH_MOST) {
		i = s->turn++ % UNAUTH_MOST;
		close(s->unauth[i].fd);
	}
	s->unauth[i] = (struct unauth){ .fd = fd };
}

static int refuse_second_hub(struct search *s, const struct call *call)
{
	struct bspj_part other = { .first = call->first, .last = call->last };
	char mine[32], theirs[32];

	find_write_range(s->mine, mine, sizeof(mine));
	find_write_range(&other, theirs, sizeof(theirs));
	snprintf(s->why, s->len,
		 "part %s on %.64s and part %s on %.64s of job %s have the same processes; give "
		 "each another --part",
		 mine, s->mine->host, theirs, call->host, s->mine->job);
	return -EEXIST;
}

static int find_receive_calls(struct search *s)
{
	struct sockaddr_en from;
	struct call call, here = find_make_call(s, REPORTED);

	while (find_receive_call(s, &call, &from)) {
		if (call.kind == REPORTED)
			return refuse_second_hub(s, &call);
		if (call.kind != SEEK)
			continue;
		if (sendto(s->edp, &here, sizeof(here), 0, (struct sockaddr *)&from,
			   sizeof(from)) < 0)
			continue;	/* it asks again */
		if (call.first == 0)
			return refuse_second_hub(s, &call);
	}
	return 0;
}

static int nprocs_found(const struct bspj_found *f)
{
	int n = 0;

	for (int i = 0; i < f->nparts; i++)
		n += f->part[i].last - f->part[i].first + 1;
	return n;
}

/* "2-3, 6", in @text */
static void list_missing(const struct bspj_found *f, int nprocs, char *text, size_t len)
{
	size_t at = 0;

	text[0] = '\0';
	for (int p = 0; p < nprocs && at < len; p++) {
		struct bspj_part one = { .first = p, .last = p };

		while (one.last < nprocs &&
		       find_overlap(f, &(struct bspj_part){ .first = one.last, .last = one.last }) <
			       0)
			one.last++;
		if (one.last == p)
			continue;
		p = one.last--;
		at += (size_t)snprintf(text + at, len - at, "%s%d", at ? ", " : "", one.first);
		if (one.last > one.first && at < len)
			at += (size_t)snprintf(text + at, len - at, "-%d", one.last);
	}
}

static int refuse_missing(struct search *s, double timeout_s)
{
	struct bspj_found *f = s->found;
	char missing[200];

	list_missing(f, s->mine->nprocs, missing, sizeof(missing));
	snprintf(s->why, s->len,
		 "processes %s of job %s have not come to %.64s within %s s; start their part on "
		 "this segment with the same --discover and -n, or wait longer "
		 "(join of BSP_WAIT)%s",
		 missing, s->mine->job, s->mine->host, bspj_seconds(timeout_s).text,
		 s->interfaces.n < 2 ? "; no Ethernet interface is up here" : "");
	for (int i = 1; i < f->nparts; i++)
		answer_no(s, f->fd[i], s->why);
	return -ETIMEDOUT;
}

static int compare_parts(const void *a, const void *b)
{
	const struct bspj_part *const *x = a, *const *y = b;

	return (*x)->first - (*y)->first;
}

/* In the order of their processes, with their connections. */
static void sort_parts(struct bspj_found *f)
{
	const struct bspj_part *order[BSPJ_PARTS_MOST];
	struct bspj_found sorted = { .nparts = f->nparts, .arity = f->arity };

	for (int i = 0; i < f->nparts; i++)
		order[i] = &f->part[i];
	qsort(order, (size_t)f->nparts, sizeof(order[0]), compare_parts);
	for (int i = 0; i < f->nparts; i++) {
		sorted.part[i] = *order[i];
		sorted.fd[i] = f->fd[order[i] - f->part];
	}
	*f = sorted;
}

static int set_blocking(int fd, bool on)
{
	int off = !on;

	return ioctl(fd, FIONBIO, &off);
}

static bool send_whole(int fd, const void *data, size_t len)
{
	return set_blocking(fd, true) == 0 && send(fd, data, len, MSG_NOSIGNAL) == (ssize_t)len &&
	       set_blocking(fd, false) == 0;
}

/* A part that has ended meanwhile is lost when the job begins. */
static void find_answer_all(const struct search *s)
{
	const struct bspj_found *f = s->found;
	struct answer yes = { .mark = s->mine->mark, .nparts = f->nparts };

	for (int i = 1; i < f->nparts; i++)
		if (!send_whole(f->fd[i], &yes, sizeof(yes)) ||
		    !send_whole(f->fd[i], f->part, (size_t)f->nparts * sizeof(f->part[0])))
			shutdown(f->fd[i], SHUT_RDWR);
}

/* EDP, the listener, unauthenticated connections, and parts from the second on. */
enum {
	FD_EDP,
	FD_LISTENER,
	FD_UNAUTH,
	FD_PARTS = FD_UNAUTH + UNAUTH_MOST,
	FD_MOST = FD_PARTS + BSPJ_PARTS_MOST
};

static void list_fds(const struct search *s, struct pollfd *fds)
{
	fds[FD_EDP] = (struct pollfd){ .fd = s->edp, .events = POLLIN };
	fds[FD_LISTENER] = (struct pollfd){ .fd = s->listener, .events = POLLIN };
	for (int i = 0; i < UNAUTH_MOST; i++)
		fds[FD_UNAUTH + i] =
			(struct pollfd){ .fd = s->unauth[i].fd, .events = POLLIN };
	for (int i = 0; i < BSPJ_PARTS_MOST; i++)
		fds[FD_PARTS + i] =
			(struct pollfd){ .fd = i < s->found->nparts ? s->found->fd[i] : -1,
					 .events = POLLIN };
}

static int find_handle(struct search *s, const struct pollfd *fds)
{
	int err = 0;

	remove_parts_that_left(s->found);
	for (int i = 0; i < UNAUTH_MOST; i++)
		if (fds[FD_UNAUTH + i].revents)
			unauth_receive(s, &s->unauth[i]);
	if (fds[FD_LISTENER].revents)
		unauth_accept(s);
	if (fds[FD_EDP].revents)
		err = find_receive_calls(s);
	return err;
}

static int find_gather(struct search *s, double timeout_s)
{
	struct pollfd fds[FD_MOST];
	int err = 0;

	s->found->part[0] = *s->mine;
	s->found->fd[0] = -1;
	s->found->nparts = 1;
	while (!err && nprocs_found(s->found) < s->mine->nprocs && bspj_ms_until(s->end)) {
		seek(s);
		list_fds(s, fds);
		if (poll(fds, FD_MOST, SEEK_MS) > 0)
			err = find_handle(s, fds);
	}
	if (!err && nprocs_found(s->found) < s->mine->nprocs)
		err = refuse_missing(s, timeout_s);
	for (int i = 0; i < UNAUTH_MOST; i++)
		if (s->unauth[i].fd >= 0)
			close(s->unauth[i].fd);
	if (err)
		return err;
	sort_parts(s->found);
	find_answer_all(s);
	return 0;
}

/* ---- The others ---------------------------------------- */

static bool find_await(int fd, short events, uint64_t end)
{
	struct pollfd p = { .fd = fd, .events = events };
	int left;

	while ((left = bspj_ms_until(end)) > 0)
		if (poll(&p, 1, left) > 0)
			return true;
	return false;
}

/* Connected to the hub that has said where it is; -1: not. */
static int find_connect_to(const struct sockaddr_en *from, uint16_t port, uint64_t end)
{
	struct sockaddr_en to = *from;
	int fd = socket(AF_ENET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), err = 0;
	socklen_t len = sizeof(err);

	to.sen_port = port;
	if (fd < 0)
		return -1;
	if (connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0)
		return fd;
	if (errno == EINPROGRESS && find_await(fd, POLLOUT, end) &&
	    getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len) == 0 && !err)
		return fd;
	close(fd);
	return -1;
}

static bool receive_whole(int fd, void *to, size_t len, uint64_t end)
{
	size_t done = 0;

	while (done < len && find_await(fd, POLLIN, end)) {
		ssize_t n = recv(fd, (char *)to + done, len - done, MSG_DONTWAIT);

		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return done == len;
}

static bool is_list(const struct search *s)
{
	const struct bspj_found *f = s->found;
	int next = 0;

	for (int i = 0; i < f->nparts; i++) {
		if (!is_sane(&f->part[i]) || f->part[i].first != next ||
		    f->part[i].nprocs != s->mine->nprocs)
			return false;
		next = f->part[i].last + 1;
	}
	return next == s->mine->nprocs;
}

static int find_mine(struct search *s)
{
	struct bspj_found *f = s->found;

	for (int i = 0; i < f->nparts; i++)
		if (f->part[i].first == s->mine->first)
			f->mine = i;
	return f->mine;
}

static bool receive_answer(const struct search *s, int fd, struct answer *answer, uint64_t end)
{
	return receive_whole(fd, answer, sizeof(*answer), end) && answer->mark == s->mine->mark &&
	       answer->nparts <= BSPJ_PARTS_MOST;
}

/*
 * Wait for the answer of the hub, which may have begun when this part had waited for long, and
 * waits for others as long as this one does. A connection of which the hub knows nothing is not
 * waited for. 0: all are there; -EAGAIN: it has gone, or was no hub; another negative errno:
 * refused.
 */
static int find_await_answer(struct search *s, int fd, double timeout_s)
{
	uint64_t end = timeout_s > 0 ? find_end(timeout_s + LATE_MS * 1e-3) : find_end(0);
	struct answer answer;

	if (!send_whole(fd, s->mine, sizeof(*s->mine)) ||
	    !receive_answer(s, fd, &answer, find_end_of_try(s, ADDED_MS)) ||
	    (answer.nparts == ADDED && !receive_answer(s, fd, &answer, end)) ||
	    answer.nparts < 0)
		return -EAGAIN;
	if (answer.nparts == 0) {
		snprintf(s->why, s->len, "%.*s", ANSWER_MOST - 1, answer.why);
		return -EPROTO;
	}
	s->found->nparts = answer.nparts;
	for (int i = 0; i < BSPJ_PARTS_MOST; i++)
		s->found->fd[i] = -1;
	if (!receive_whole(fd, s->found->part, (size_t)answer.nparts * sizeof(s->found->part[0]),
			   end) ||
	    !is_list(s) || !find_mine(s))
		return -EAGAIN;
	s->found->fd[0] = fd;
	return 0;
}

/* Try the first hub of this job that answers; drop other answers. */
static int try_hub(struct search *s, double timeout_s)
{
	struct sockaddr_en from;
	struct call call;
	int fd, err;

	while (find_receive_call(s, &call, &from)) {
		if (call.kind != REPORTED)
			continue;
		fd = find_connect_to(&from, call.port, find_end_of_try(s, CONNECT_MS));
		err = fd < 0 ? -EAGAIN : find_await_answer(s, fd, timeout_s);
		if (err && fd >= 0)
			close(fd);
		if (err != -EAGAIN)
			return err;
		s->failed++;
	}
	return -EAGAIN;
}

static int look_for_hub(struct search *s, double timeout_s)
{
	struct pollfd p = { .fd = s->edp, .events = POLLIN };
	int err = -EAGAIN;

	while (err == -EAGAIN && bspj_ms_until(s->end)) {
		seek(s);
		if (poll(&p, 1, SEEK_MS) > 0)
			err = try_hub(s, timeout_s);
	}
	if (err == -EAGAIN) {
		snprintf(s->why, s->len,
			 "process 0 of job %s has not been found from %.64s within %s s; start its "
			 "part on this segment with the same --discover, or wait longer "
			 "(join of BSP_WAIT)%s",
			 s->mine->job, s->mine->host, bspj_seconds(timeout_s).text,
			 s->interfaces.n < 2 ? "; no Ethernet interface is up here" : "");
		err = -ETIMEDOUT;
	}
	return err;
}

/* ---- All of it ---------------------------------------- */

int bspj_find_parts(const struct bspj_part *mine, const char *interfaces, double timeout_s,
		    struct bspj_found *found, char *why, size_t len)
{
	struct search s = {
		.mine = mine, .found = found, .edp = -1, .listener = -1, .why = why, .len = len,
		.end = find_end(timeout_s),
	};
	int err;

	*found = (struct bspj_found){ .arity = BSPJ_PARTS_MOST };
	for (int i = 0; i < UNAUTH_MOST; i++)
		s.unauth[i].fd = -1;
	if (getrandom(&s.key, sizeof(s.key), 0) != sizeof(s.key))
		return refuse_socket(&s, errno);
	err = find_open_edp(&s);
	if (!err)
		err = bspj_choose_interfaces(s.edp, interfaces, &s.interfaces, why, len);
	if (!err && find_is_hub(&s))
		err = open_listener(&s);
	if (!err)
		err = find_is_hub(&s) ? find_gather(&s, timeout_s) : look_for_hub(&s, timeout_s);
	if (err) {
		for (int i = 0; i < found->nparts; i++)
			if (found->fd[i] >= 0)
				close(found->fd[i]);
		found->nparts = 0;
	}
	if (s.edp >= 0)
		close(s.edp);
	if (s.listener >= 0)
		close(s.listener);
	return err;
}
