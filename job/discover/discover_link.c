// SPDX-License-Identifier: BSD-3-Clause
/* discover_link.c - messages between supervisors: exchanges, deaths, progress and the end. */

/*
 * On a connection there are notes: a head and its bytes. No supervisor blocks on a connection:
 * bytes that the kernel does not accept are queued.
 *
 * Connections are a tree (job/tree.h), and what concerns all is passed on along it. In a round of
 * an exchange (discover_post.c) a part sends its parent the data of its subtree when its processes
 * have said theirs and its children have sent theirs; then it waits for those of all others. The
 * hub has all then, and sends each child what is not of its subtree; so does each part that gets
 * that from its parent. Only the parts that have processes in the exchange take part: the first
 * ones, which are a tree as well. A part is never a round ahead of its parent: it goes on when it
 * has been sent the data of the others, after which the parent is through with that round itself.
 * A failure goes to all neighbours but the one that it came from; the end of parts goes up when a
 * subtree is over, and comes down when all are.
 *
 * A part is lost if its connection ends before the job is over. The kernels at both ends send
 * keepalive probes when data are not acknowledged, and each end sends a note now and then, so a
 * host that is down or cut off is lost after lifeline of BSP_WAIT. Kernels answer also for a
 * supervisor that is stopped or in a debugger. Neighbours of the lost part pass that on, so all end
 * at once, also those that are connected by it alone.
 */

#include "discover.h"
#include "discover_bytes.h"

#include "enet.h"
#include "job/launch/start.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind {
	DATA,			/* of a round of an exchange of so many processes */
	FAILED,			/* a process, with this status; the text says how */
	OVER,			/* a part and all below, with this status */
	END,			/* from the hub: all are over, the job with this status */
	ALIVE,
	MOVED,			/* to the hub */
	STUCK,			/* from the hub */
	WARN,			/* from the hub */
	KINDS
};

enum { FLUSH_MS = 2000, SIGNS = 3, WHAT_MOST = 200, PIECE = 64 << 10 };

struct head {
	uint32_t kind;
	int32_t process;	/* or how many */
	uint32_t number;	/* round or status */
	uint32_t len;		/* bytes that follow */
};

/* In DATA: successive processes with as many bytes each, which follow. */
struct run {
	int32_t first, last;
	uint32_t len;
};

/* A part and, if it is a child of ours, those below it. */
struct link {
	int fd;			/* -1: no neighbour, or it is over */
	bool over;		/* all of its processes are */
	int status;
	uint32_t gathered;	/* a child: the last round of which its data are here, */
	int n;			/* of so many processes */
	struct bspj_bytes out;	/* what has not left */
	struct head head;	/* of the note that is coming, */
	struct bspj_bytes in;	/* and what is there of its bytes */
	size_t head_len;	/* so much is there of the head */
};

struct bspj_parts {
	int nparts, mine, arity;
	struct bspj_tree_place place;	/* of ours */
	bool simulated;
	pid_t supervisor[BSPJ_PARTS_MOST];	/* as struct bspj_found has it */
	_Atomic int *fault;
	struct bspj_part part[BSPJ_PARTS_MOST];
	struct link link[BSPJ_PARTS_MOST];
	int *part_of;		/* of each process */
	struct bspj_post *post;
	uint32_t round;		/* of exchanges, the next that is to end here */
	uint32_t sent_round;	/* the last that was sent to the parent */
	double lifeline_s;
	uint64_t sent_ns;	/* when we have last sent a sign of life */
	bool failed;		/* the job, and that is known */
	bool ended;		/* the hub has said so */
	int status;
};

static bool link_is_hub(const struct bspj_parts *ps)
{
	return ps->mine == 0;
}

static int link_end(const struct bspj_parts *ps, int i)
{
	return bspj_tree_place(ps->nparts, ps->arity, i).end;
}

/* The first process behind those of part @i and of the parts below it, of the first @n. */
static int link_processes_end(const struct bspj_parts *ps, int i, int n)
{
	int end = ps->part[link_end(ps, i) - 1].last + 1;

	return end < n ? end : n;
}

/* ---- Opening ------------------------------------------------------------------------ */

struct bspj_parts *bspj_parts_open(const struct bspj_found *found, struct bspj_post *post,
				   double lifeline_s)
{
	struct bspj_parts *ps = calloc(1, sizeof(*ps));
	int *part_of = calloc(found->part[0].nprocs, sizeof(*part_of));

	if (!ps || !part_of) {
		free(ps);
		free(part_of);
		return NULL;
	}
	ps->nparts = found->nparts;
	ps->mine = found->mine;
	ps->arity = found->arity;
	ps->place = bspj_tree_place(ps->nparts, ps->arity, ps->mine);
	ps->round = 1;
	ps->simulated = found->simulated;
	memcpy(ps->supervisor, found->supervisor, sizeof(ps->supervisor));
	ps->fault = found->fault;
	ps->part_of = part_of;
	ps->post = post;
	ps->lifeline_s = lifeline_s;
	for (int i = 0; i < found->nparts; i++) {
		unsigned int ms = (unsigned int)(ps->lifeline_s * 1000);

		ps->part[i] = found->part[i];
		ps->link[i].fd = found->fd[i];
		for (int p = found->part[i].first; p <= found->part[i].last; p++)
			ps->part_of[p] = i;
		if (found->fd[i] >= 0 && !found->simulated)
			setsockopt(found->fd[i], SOL_ENET, ESP_SO_TIMEOUT, &ms, sizeof(ms));
	}
	return ps;
}

void bspj_parts_close(struct bspj_parts *ps)
{
	for (int i = 0; i < ps->nparts; i++) {
		if (ps->link[i].fd >= 0)
			close(ps->link[i].fd);
		free(ps->link[i].out.at);
		free(ps->link[i].in.at);
	}
	free(ps->part_of);
	free(ps);
}

int bspj_parts_first(const struct bspj_parts *ps)
{
	return ps->part[ps->mine].first;
}

const int *bspj_parts_of_processes(const struct bspj_parts *ps, int *mine, int *nprocs)
{
	*mine = ps->mine;
	*nprocs = ps->part[0].nprocs;
	return ps->part_of;
}

const char *bspj_parts_host(const struct bspj_parts *ps)
{
	return ps->part[ps->mine].host;
}

/* ---- Simulated nodes ---------------------------------------------------------------- */

bool bspj_parts_claim_fault(const struct bspj_parts *ps, int p)
{
	return !ps->fault || bspj_claim_once(ps->fault, p);
}

/*
 * May this supervisor report that the part of process @p is lost? All its neighbours see that, and
 * of simulated nodes, which write to one terminal, the first reports it; unless @p has itself.
 */
static bool link_claim_loss(const struct bspj_parts *ps, int p)
{
	int none = 0;

	return !ps->fault || atomic_compare_exchange_strong(ps->fault, &none, p + 1);
}

void bspj_parts_on_exit(struct bspj_parts *ps, pid_t pid)
{
	for (int i = 0; i < ps->nparts; i++)
		if (ps->supervisor[i] == pid)
			ps->supervisor[i] = 0;
}

bool bspj_parts_have_supervisors(const struct bspj_parts *ps)
{
	for (int i = 0; i < ps->nparts; i++)
		if (ps->supervisor[i])
			return true;
	return false;
}

void bspj_parts_signal(const struct bspj_parts *ps, int signo)
{
	for (int i = 0; i < ps->nparts; i++)
		if (ps->supervisor[i])
			kill(ps->supervisor[i], signo);
}

enum { RANGE = 32 };

/* The processes of a part: "2-3", or "2". */
static const char *link_range(const struct bspj_part *part, char text[RANGE])
{
	int n = snprintf(text, RANGE, "%d", part->first);

	if (part->last > part->first)
		snprintf(text + n, RANGE - n, "-%d", part->last);
	return text;
}

void bspj_parts_kill(const struct bspj_parts *ps)
{
	char range[RANGE];

	for (int i = 0; i < ps->nparts; i++) {
		const struct bspj_part *part = &ps->part[i];

		/* Parts below it have no word of the end: its line is theirs as well. */
		if (ps->supervisor[i] &&
		    !ps->supervisor[bspj_tree_place(ps->nparts, ps->arity, i).parent])
			bspj_say("bsp: part %s on %.64s has not ended, perhaps stopped by a "
				 "signal; its supervisor is killed\n",
				 link_range(part, range), part->host);
	}
	bspj_parts_signal(ps, SIGKILL);
}

/* ---- Sending ------------------------------------------------------------------------ */

static void push(struct link *l)
{
	size_t done = 0;
	ssize_t n = 1;

	while (done < l->out.len && n > 0) {
		n = send(l->fd, l->out.at + done, l->out.len - done, MSG_DONTWAIT | MSG_NOSIGNAL);
		done += n > 0 ? (size_t)n : 0;
	}
	l->out.len -= done;
	if (l->out.len && done)
		memmove(l->out.at, l->out.at + done, l->out.len);
	/* One that is broken is seen to by reading it, as it may have said why. */
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		l->out.len = 0;
}

/* Without memory for the bytes the connection breaks, since the rest would make no sense. */
static void link_send(struct link *l, const struct head *head, const void *bytes)
{
	if (l->fd < 0)
		return;
	if (!bspj_bytes_reserve(&l->out, sizeof(*head) + head->len)) {
		shutdown(l->fd, SHUT_RDWR);
		return;
	}
	memcpy(l->out.at + l->out.len, head, sizeof(*head));
	l->out.len += sizeof(*head);
	if (head->len)
		memcpy(l->out.at + l->out.len, bytes, head->len);
	l->out.len += head->len;
	push(l);
}

/* To all neighbours but @except: -1 for none. */
static void link_send_to_all(struct bspj_parts *ps, const struct head *head, const void *bytes,
			     int except)
{
	for (int i = 0; i < ps->nparts; i++)
		if (i != except)
			link_send(&ps->link[i], head, bytes);
}

static void link_send_up(struct bspj_parts *ps, const struct head *head)
{
	if (!link_is_hub(ps))
		link_send(&ps->link[ps->place.parent], head, "");
}

void bspj_parts_send_failure(struct bspj_parts *ps, int p, int status, const char *what)
{
	struct head head = { .kind = FAILED, .process = p, .number = (uint32_t)status };
	size_t len = strlen(what);

	if (ps->failed)
		return;
	ps->failed = true;
	head.len = (uint32_t)(len < WHAT_MOST ? len : WHAT_MOST);
	link_send_to_all(ps, &head, what, -1);
}

void bspj_parts_send_moved(struct bspj_parts *ps)
{
	link_send_up(ps, &(struct head){ .kind = MOVED });
}

void bspj_parts_send_stuck(struct bspj_parts *ps)
{
	link_send_to_all(ps, &(struct head){ .kind = STUCK }, "", -1);
}

void bspj_parts_send_warning(struct bspj_parts *ps)
{
	link_send_to_all(ps, &(struct head){ .kind = WARN }, "", -1);
}

/* This part and those below may be over: then their status goes up, or comes down as the job's. */
static void link_pass_on_over(struct bspj_parts *ps)
{
	struct head head = { .kind = link_is_hub(ps) ? END : OVER };
	int status = ps->link[ps->mine].status;

	if (!ps->link[ps->mine].over)
		return;
	/* The status of the part with process 0, else the first that is not 0. */
	for (int i = ps->mine + 1; i < ps->place.end; i = link_end(ps, i)) {
		if (!ps->link[i].over)
			return;
		status = status ? status : ps->link[i].status;
	}
	head.number = (uint32_t)status;
	if (!link_is_hub(ps)) {
		link_send(&ps->link[ps->place.parent], &head, "");
		return;
	}
	ps->status = status;
	ps->ended = true;
	link_send_to_all(ps, &head, "", -1);
}

void bspj_parts_send_over(struct bspj_parts *ps, int status)
{
	if (ps->link[ps->mine].over)
		return;
	ps->link[ps->mine].over = true;
	ps->link[ps->mine].status = status;
	link_pass_on_over(ps);
}

bool bspj_parts_are_over(const struct bspj_parts *ps, int *status)
{
	*status = ps->status;
	return ps->ended;
}

/* ---- Receiving ---------------------------------------------------------------------- */

static struct bspj_news link_fail(struct bspj_parts *ps, int status)
{
	ps->failed = true;
	return (struct bspj_news){ .failed = true, .status = status };
}

/*
 * Part @i is connected no more, for the reason @err, or has said what makes no sense (EPROTO); 0:
 * it has ended, perhaps without having read all, which resets the connection.
 */
static struct bspj_news link_lost_peer(struct bspj_parts *ps, int i, int err)
{
	const struct bspj_part *part = &ps->part[i];
	struct head head = { .kind = FAILED, .process = part->first, .number = EXIT_FAILURE };
	char range[RANGE], what[WHAT_MOST];
	int fd = ps->link[i].fd;

	ps->link[i].fd = -1;
	if (ps->failed || ps->ended) {
		close(fd);
		return (struct bspj_news){ .failed = false };
	}
	if (err == ETIMEDOUT)
		snprintf(what, sizeof(what),
			 "is lost: no sign of life for %s s; is the link up, is that host alive?",
			 bspj_seconds(ps->lifeline_s).text);
	else
		snprintf(what, sizeof(what), "is lost: %s",
			 err == EPROTO ? "it has said what makes no sense" :
			 err	       ? strerror(err) :
			 ps->simulated ? "its supervisor has ended" :
					 "its bsprun has ended");
	/* The supervisors of simulated nodes are killed with the hub. */
	if (!(ps->simulated && i == 0) && link_claim_loss(ps, part->first))
		bspj_say("bsp: part %s on %.64s %s\n", link_range(part, range), part->host,
			 what);
	/* Not before it is claimed: the other end reports a loss as well. */
	close(fd);
	head.len = (uint32_t)strlen(what);
	link_send_to_all(ps, &head, what, -1);
	return link_fail(ps, EXIT_FAILURE);
}

static struct bspj_news link_on_failure(struct bspj_parts *ps, int i, const struct link *l)
{
	struct head head = l->head;
	int p = head.process;

	if (ps->failed)
		return (struct bspj_news){ .failed = false };
	if (p < 0 || p >= ps->part[0].nprocs)
		return link_lost_peer(ps, i, EPROTO);
	if (!ps->simulated)
		bspj_say("bsp: the job has ended: process %d on %.64s %.*s\n", p,
			 ps->part[ps->part_of[p]].host, (int)head.len,
			 head.len ? l->in.at : "");
	link_send_to_all(ps, &head, l->in.at, i);
	return link_fail(ps,
			 head.number >= 1 && head.number <= 255 ? (int)head.number : EXIT_FAILURE);
}

/* ---- Exchanges ---------------------------------------------------------------------- */

/* Append the runs of the processes from @first, before @end. */
static bool data_append(const struct bspj_parts *ps, struct bspj_bytes *note, int first, int end)
{
	for (int p = first, q; p < end; p = q) {
		struct run run = { .first = p };
		uint32_t len;

		bspj_post_data(ps->post, p, ps->round, &run.len);
		for (q = p + 1; q < end; q++) {
			bspj_post_data(ps->post, q, ps->round, &len);
			if (len != run.len)
				break;
		}
		run.last = q - 1;
		if (!bspj_bytes_reserve(note, sizeof(run) + (size_t)(q - p) * run.len))
			return false;
		memcpy(note->at + note->len, &run, sizeof(run));
		note->len += sizeof(run);
		for (int r = p; r < q; r++) {
			memcpy(note->at + note->len, bspj_post_data(ps->post, r, ps->round, &len),
			       run.len);
			note->len += run.len;
		}
	}
	return true;
}

/*
 * To part @i, in an exchange of @n: the data of the processes from @first to @without and from @end
 * on.
 */
static void data_send(struct bspj_parts *ps, int i, int n, int first, int without, int end)
{
	struct head head = { .kind = DATA, .process = n, .number = ps->round };
	struct bspj_bytes note = { .at = NULL };

	if (data_append(ps, &note, first, without) && data_append(ps, &note, end, n)) {
		head.len = (uint32_t)note.len;
		link_send(&ps->link[i], &head, note.at);
	} else {
		shutdown(ps->link[i].fd, SHUT_RDWR);
	}
	free(note.at);
}

/* All data of the round are here: pass them on, before a process of this part goes on. */
static void data_release(struct bspj_parts *ps, int n)
{
	for (int i = ps->mine + 1; i < ps->place.end && ps->part[i].first < n; i = link_end(ps, i))
		data_send(ps, i, n, 0, ps->part[i].first, link_processes_end(ps, i, n));
	bspj_post_publish(ps->post, n, ps->round);
	ps->round++;
}

/*
 * Have the processes of this part and of those below said theirs? Then @*n is of how many the
 * exchange is. One of this part alone needs no supervisor, and there is no larger one after it.
 */
static bool data_are_gathered(const struct bspj_parts *ps, int *n)
{
	const struct bspj_part *mine = &ps->part[ps->mine];

	if (!bspj_post_has_said(ps->post, mine->first, ps->round))
		return false;
	*n = bspj_post_nprocs(ps->post, ps->round);
	if (*n <= ps->part[0].last + 1)
		return false;
	for (int p = mine->first; p <= mine->last && p < *n; p++)
		if (!bspj_post_has_said(ps->post, p, ps->round))
			return false;
	for (int i = ps->mine + 1; i < ps->place.end && ps->part[i].first < *n;
	     i = link_end(ps, i))
		if (ps->link[i].gathered != ps->round || ps->link[i].n != *n)
			return false;
	return true;
}

/* A child whose data are of an exchange of more or fewer processes than ours; 0: none. */
static int data_mismatch(const struct bspj_parts *ps)
{
	if (!bspj_post_has_said(ps->post, ps->part[ps->mine].first, ps->round))
		return 0;
	for (int i = ps->mine + 1; i < ps->place.end; i = link_end(ps, i))
		if (ps->link[i].gathered == ps->round &&
		    ps->link[i].n != bspj_post_nprocs(ps->post, ps->round))
			return i;
	return 0;
}

static void data_gather(struct bspj_parts *ps)
{
	int n;

	while (data_are_gathered(ps, &n) && ps->sent_round != ps->round) {
		if (link_is_hub(ps)) {
			data_release(ps, n);
			continue;
		}
		ps->sent_round = ps->round;
		data_send(ps, ps->place.parent, n, ps->part[ps->mine].first,
			  link_processes_end(ps, ps->mine, n), n);
	}
}

/* Write what a note says, which is to be of the processes that data_send() describes. */
static bool data_write(struct bspj_parts *ps, const struct bspj_bytes *note, int n, int first,
		       int without, int end)
{
	struct run run;
	size_t at = 0;

	for (int p = first;;) {
		if (p == without)
			p = end;
		if (p == n)
			return at == note->len;
		if (note->len - at < sizeof(run))
			return false;
		memcpy(&run, note->at + at, sizeof(run));
		at += sizeof(run);
		if (run.first != p || run.last < p || run.last >= (p < without ? without : n) ||
		    run.len > BSPJ_POST_MOST ||
		    (size_t)(run.last - p + 1) * run.len > note->len - at)
			return false;
		for (; p <= run.last; p++, at += run.len)
			bspj_post_write(ps->post, p, ps->round, note->at + at, run.len);
	}
}

/* The data of a subtree, or those of all others. False: it makes no sense. */
static bool data_receive(struct bspj_parts *ps, int i)
{
	struct link *l = &ps->link[i];
	int n = l->head.process;

	if (l->head.number != ps->round || n <= ps->part[i].first || n > ps->part[0].nprocs)
		return false;
	if (i == ps->place.parent) {
		if (ps->sent_round != ps->round || n != bspj_post_nprocs(ps->post, ps->round) ||
		    !data_write(ps, &l->in, n, 0, ps->part[ps->mine].first,
				link_processes_end(ps, ps->mine, n)))
			return false;
		data_release(ps, n);
		return true;
	}
	if (l->gathered == ps->round ||
	    !data_write(ps, &l->in, n, ps->part[i].first, link_processes_end(ps, i, n), n))
		return false;
	l->gathered = ps->round;
	l->n = n;
	return true;
}

/* ---- Notes -------------------------------------------------------------------------- */

static struct bspj_news link_on_note(struct bspj_parts *ps, int i)
{
	struct link *l = &ps->link[i];
	struct bspj_news news = { .failed = false };

	switch ((enum kind)l->head.kind) {
	case DATA:
		if (!data_receive(ps, i))
			return link_lost_peer(ps, i, EPROTO);
		data_gather(ps);
		break;
	case FAILED:
		return link_on_failure(ps, i, l);
	case OVER:
		l->over = true;
		l->status = (int)l->head.number;
		link_pass_on_over(ps);
		break;
	case END:
		if (i != ps->place.parent)
			break;
		ps->ended = true;
		ps->status = (int)l->head.number;
		link_send_to_all(ps, &(struct head){ .kind = END, .number = (uint32_t)ps->status },
				 "", i);
		break;
	case MOVED:
		news.moved = link_is_hub(ps);
		link_send_up(ps, &(struct head){ .kind = MOVED });
		break;
	case WARN:
		news.warn = true;
		link_send_to_all(ps, &(struct head){ .kind = WARN }, "", i);
		break;
	case STUCK:
		news.stuck = true;
		link_send_to_all(ps, &(struct head){ .kind = STUCK }, "", i);
		break;
	case ALIVE:
	case KINDS:
		break;
	}
	return news;
}

/*
 * The next bytes of the note that is coming: 1 when it is there, 0: more has to come, or a
 * negative errno. DATA have @most bytes.
 */
static int read_note(struct link *l, size_t most)
{
	bool in_head = l->head_len < sizeof(l->head);
	size_t rest = in_head ? sizeof(l->head) - l->head_len : l->head.len - l->in.len;
	char *to = (char *)&l->head + l->head_len;
	ssize_t n;

	rest = rest < PIECE ? rest : PIECE;
	if (!in_head) {
		if (!bspj_bytes_reserve(&l->in, rest))
			return -ENOMEM;
		to = l->in.at + l->in.len;
	}
	n = rest ? recv(l->fd, to, rest, MSG_DONTWAIT) : 0;
	if (rest && n <= 0)
		return n == 0 ? -EPIPE : -errno;
	*(in_head ? &l->head_len : &l->in.len) += (size_t)n;
	if (l->head_len < sizeof(l->head))
		return 0;
	if (l->head.kind >= KINDS || l->head.len > (l->head.kind == DATA ? most : WHAT_MOST))
		return -EPROTO;
	return l->in.len == l->head.len;
}

static void link_add(struct bspj_news *all, struct bspj_news more)
{
	all->moved |= more.moved;
	all->stuck |= more.stuck;
	all->warn |= more.warn;
	if (more.failed && !all->failed) {
		all->failed = true;
		all->status = more.status;
	}
}

static struct bspj_news link_receive(struct bspj_parts *ps, int i)
{
	struct bspj_news news = { .failed = false };
	struct link *l = &ps->link[i];
	size_t most = (size_t)ps->part[0].nprocs * (sizeof(struct run) + BSPJ_POST_MOST);
	int got = 0;

	while (l->fd >= 0 && (got = read_note(l, most)) >= 0) {
		if (!got)
			continue;
		link_add(&news, link_on_note(ps, i));
		l->head_len = l->in.len = 0;
	}
	if (l->fd >= 0 && got != -EAGAIN && got != -EINTR)
		link_add(&news, link_lost_peer(ps, i, got == -EPIPE || got == -ECONNRESET ?
						      0 : -got));
	return news;
}

/* ---- The supervisor's turn ---------------------------------------------------------- */

int bspj_parts_poll(const struct bspj_parts *ps, struct pollfd *fds)
{
	for (int i = 0; i < ps->nparts; i++)
		fds[i] = (struct pollfd){ .fd = ps->link[i].fd,
					  .events =
						  ps->link[i].out.len ? POLLIN | POLLOUT : POLLIN };
	fds[ps->nparts] = (struct pollfd){ .fd = bspj_post_event_fd(ps->post), .events = POLLIN };
	return ps->nparts + 1;
}

/* -1: there is no hurry. */
int bspj_parts_timeout_ms(const struct bspj_parts *ps)
{
	double ms = ps->lifeline_s * 1000 / SIGNS;

	return ms <= 0 ? -1 : ms < 10 ? 10 : ms > 10000 ? 10000 : (int)ms;
}

struct bspj_news bspj_parts_see_to(struct bspj_parts *ps, const struct pollfd *fds)
{
	struct bspj_news news = { .failed = false };
	int ms = bspj_parts_timeout_ms(ps), mismatch;

	if (fds[ps->nparts].revents) {
		bspj_post_clear_event(ps->post);
		data_gather(ps);
	}
	for (int i = 0; i < ps->nparts; i++) {
		if (ps->link[i].fd < 0 || !fds[i].revents)
			continue;
		push(&ps->link[i]);
		link_add(&news, link_receive(ps, i));
	}
	mismatch = data_mismatch(ps);
	if (mismatch && ps->link[mismatch].fd >= 0)
		link_add(&news, link_lost_peer(ps, mismatch, EPROTO));
	/* A sign of life, if it is time. */
	if (ms >= 0 && bspt_now_ns() - ps->sent_ns >= (uint64_t)ms * 900000) {
		ps->sent_ns = bspt_now_ns();
		link_send_to_all(ps, &(struct head){ .kind = ALIVE }, "", -1);
	}
	return news;
}

/* Whether there is nothing more to come. */
static bool has_closed(struct link *l)
{
	char bytes[4096];
	ssize_t n;

	while ((n = recv(l->fd, bytes, sizeof(bytes), MSG_DONTWAIT)) > 0)
		;
	return n == 0 || (errno != EAGAIN && errno != EINTR);
}

/*
 * A connection that is closed with something unread is reset, and takes along what the other
 * end has still to read.
 */
void bspj_parts_flush(struct bspj_parts *ps)
{
	uint64_t end = bspt_now_ns() + (uint64_t)FLUSH_MS * 1000000;
	struct pollfd fds[BSPJ_PARTS_FDS];
	int open = ps->nparts;

	while (open && bspt_now_ns() < end) {
		open = 0;
		for (int i = 0; i < ps->nparts; i++) {
			struct link *l = &ps->link[i];

			if (l->fd < 0)
				continue;
			/* All has been said: the other end may read it and close. */
			push(l);
			if (!l->out.len)
				shutdown(l->fd, SHUT_WR);
			if (has_closed(l)) {
				close(l->fd);
				l->fd = -1;
			}
			open += l->fd >= 0;
		}
		bspj_parts_poll(ps, fds);
		if (open)
			poll(fds, (nfds_t)ps->nparts, FLUSH_MS / 20);
	}
}
