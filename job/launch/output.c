// SPDX-License-Identifier: BSD-3-Clause
/* output.c - tagged output: lines of the processes, each with the number of its process. */

/*
 * Output of the processes comes through pipes and goes on to a sink: our standard output or
 * standard error. A reader that does not read must not stop the supervisor, so no write to a sink
 * blocks. Output that a sink has not accepted stays here, one line at most; until it is written
 * no more is read for that sink, and the processes block in their own writes, as they would
 * without the supervisor. So memory is bounded and nothing is lost.
 *
 * A line is shown when it is whole, so that lines of processes do not mix. A part of one that is as
 * long as the buffer, or of process 0, which has the standard input, and followed by silence, as a
 * prompt is, is shown without its end.
 * The rest of the line follows it without a tag, unless another process has written in between:
 * its line begins on a new one, and the rest gets the tag "[p]+ ".
 *
 * A write that fails for good, as on a full disk, is reported once for each sink; the job goes on,
 * and does not end with 0.
 *
 * The open file description of our standard output is shared with other programs, which may not
 * expect it to be non-blocking. So pipes and terminals are opened once more for that; a socket
 * takes a flag in each call. Where neither works, poll() says whether PIPE_BUF bytes can be
 * written.
 */

#include "job/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_MOST = 65536, TAG_MOST = 32, SILENCE_MS = 250, SAY_MOST = 2560, SAY_MS = 1000 };

enum sink_kind { SINK_FILE, SINK_NONBLOCKING, SINK_SOCKET, SINK_POLLED };

struct sink {
	int fd;
	enum sink_kind kind;
	const char *name;
	bool closed;			/* no reader: output is dropped */
	bool failed;			/* by a write: what the processes wrote is lost */
	int unfinished;			/* the pipe whose line was shown last, in part; -1: none */
	size_t at, len;			/* of @line, what has not left */
	char line[LINE_MOST + TAG_MOST];
};

struct stream {
	int from;			/* -1: closed */
	int process;
	bool ended;			/* nothing more comes; the last line has its newline */
	bool begun;			/* a part of the line has been shown */
	int64_t read_ms;		/* when something came last */
	struct sink *to;
	size_t len;
	/* what came since the last newline, or is held back by the sink */
	char *line;
};

struct bspj_output {
	struct sink sink[2];
	int nstreams;
	int turn;			/* the stream that is first next time */
	int err;			/* the sink of standard errors */
	struct stream *stream;
};

/* ---- Sinks ----------------------------------------------------------------- */

static void open_sink(struct sink *s, int fd, const char *stream)
{
	char name[32];
	struct stat st;

	s->fd = fd;
	s->name = stream;
	s->unfinished = -1;
	s->kind = SINK_FILE;
	s->closed = fstat(fd, &st) < 0;
	if (s->closed || S_ISREG(st.st_mode))
		return;
	s->kind = S_ISSOCK(st.st_mode) ? SINK_SOCKET : SINK_POLLED;
	if (!S_ISFIFO(st.st_mode) && !S_ISCHR(st.st_mode))
		return;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	fd = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return;
	s->fd = fd;
	s->kind = SINK_NONBLOCKING;
}

static bool is_busy(const struct sink *s)
{
	return s->at < s->len;
}

/* As much as it takes now. */
static void flush(struct sink *s)
{
	struct pollfd room = { .fd = s->fd, .events = POLLOUT };

	while (s->at < s->len) {
		const char *from = s->line + s->at;
		size_t len = s->len - s->at;
		ssize_t n;

		if (s->kind == SINK_POLLED && poll(&room, 1, 0) == 0)
			return;
		if (s->kind == SINK_POLLED && len > PIPE_BUF)
			len = PIPE_BUF;
		n = s->kind == SINK_SOCKET ? send(s->fd, from, len, MSG_DONTWAIT) :
					     write(s->fd, from, len);
		if (n > 0)
			s->at += (size_t)n;
		if (n >= 0 || errno == EINTR)
			continue;
		if (errno == EAGAIN)
			return;
		s->closed = s->failed = true;
		s->len = 0;
		bspj_say("bsp: cannot write what the processes print to %s (--tag-output): %s; "
			 "the rest of it is lost\n", s->name, strerror(errno));
	}
	s->at = s->len = 0;
}

/* ---- Lines -------------------------------------------------------------------- */

/* Write what comes before the next bytes of @s, its tag, to @at. Returns the length. */
static size_t output_tag(const struct stream *s, char *at)
{
	const char *end = s->to->unfinished >= 0 ? "\n" : "";

	if (s->to->unfinished == s->from)
		return 0;
	return (size_t)snprintf(at, TAG_MOST, "%s[%d]%s ", end, s->process, s->begun ? "+" : "");
}

/* Milliseconds until what there is of a line is shown; 0: it is time, -1: there is no such time. */
static int output_silence_left_ms(const struct stream *s)
{
	int64_t left = s->read_ms + SILENCE_MS - (int64_t)(bspt_now_ns() / 1000000);

	if (!s->len || s->process != 0)
		return -1;
	return left > 0 ? (int)left : 0;
}

/* Each line, or part of one, in one write so that lines stay whole. */
static void emit_lines(struct stream *s)
{
	struct sink *to = s->to;
	size_t at = 0;

	while (!is_busy(to) && at < s->len) {
		size_t n = s->len - at;
		const char *newline = memchr(s->line + at, '\n', n);

		if (newline)
			n = (size_t)(newline + 1 - (s->line + at));
		else if (n < LINE_MOST && output_silence_left_ms(s) != 0)
			break;
		if (!to->closed) {
			to->len = output_tag(s, to->line);
			memcpy(to->line + to->len, s->line + at, n);
			to->len += n;
			s->begun = s->line[at + n - 1] != '\n';
			to->unfinished = s->begun ? s->from : -1;
			flush(to);
		}
		at += n;
	}
	s->len -= at;
	memmove(s->line, s->line + at, s->len);
	if (s->ended && s->len == 0 && s->from >= 0) {
		close(s->from);
		s->from = -1;
	}
}

/* The last line may lack its newline. */
static void output_end(struct stream *s)
{
	bool lacks = s->len ? s->line[s->len - 1] != '\n' : s->to->unfinished == s->from;

	if (!s->ended && lacks)
		s->line[s->len++] = '\n';
	s->ended = true;
}

/* False: there is nothing to read now. */
static bool output_read(struct stream *s)
{
	ssize_t n = read(s->from, s->line + s->len, LINE_MOST - s->len);

	if (n < 0)
		return errno == EINTR;
	if (n == 0)
		output_end(s);
	s->read_ms = bspt_now_ns() / 1000000;
	s->len += (size_t)n;
	return n > 0;
}

/* Nothing of it waits for its sink, so what comes can be read. */
static bool output_may_read(const struct stream *s)
{
	return s->from >= 0 && !s->ended && !is_busy(s->to);
}

/* ---- All streams ----------------------------------------------------------------- */

/* One that has come to its end gives its place to another. */
static struct stream *output_find_room(struct bspj_output *o)
{
	struct stream *more;

	for (int i = 0; i < o->nstreams; i++)
		if (o->stream[i].from < 0) {
			free(o->stream[i].line);
			return &o->stream[i];
		}
	more = realloc(o->stream, ((size_t)o->nstreams + 1) * sizeof(*more));
	if (!more)
		return NULL;
	o->stream = more;
	return &o->stream[o->nstreams++];
}

static bool open_stream(struct bspj_output *o, int from, struct sink *to, int process)
{
	struct stream *s = output_find_room(o);

	if (!s)
		return false;
	fcntl(from, F_SETFL, O_NONBLOCK);
	*s = (struct stream){
		.from = from, .to = to, .process = process, .line = malloc(LINE_MOST + 1),
	};
	return s->line;
}

/* Two names of the same pipe are one sink, so that no line gets into the middle of another. */
static bool are_same(int a, int b)
{
	struct stat x, y;

	return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

bool bspj_output_add(struct bspj_output *o, const struct bspj_child *child, int process)
{
	return open_stream(o, child->out, &o->sink[0], process) &&
	       open_stream(o, child->err, &o->sink[o->err], process);
}

struct bspj_output *bspj_output_open(const struct bspj_children *children)
{
	struct bspj_output *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->err = are_same(STDOUT_FILENO, STDERR_FILENO) ? 0 : 1;
	open_sink(&o->sink[0], STDOUT_FILENO, "standard output");
	open_sink(&o->sink[1], STDERR_FILENO, "standard error");
	for (int p = 0; p < children->nprocs; p++)
		if (!bspj_output_add(o, &children->child[p], children->first + p))
			return NULL;	/* the job ends, and the memory with it */
	return o;
}

int bspj_output_fds(const struct bspj_output *o)
{
	return BSPJ_OUTPUT_FDS + o->nstreams;
}

int bspj_output_poll(const struct bspj_output *o, struct pollfd *fds)
{
	for (int i = 0; i < 2; i++)
		fds[i] = (struct pollfd){ .fd = is_busy(&o->sink[i]) ? o->sink[i].fd : -1,
					  .events = POLLOUT };
	for (int i = 0; i < o->nstreams; i++)
		fds[2 + i] =
			(struct pollfd){ .fd = output_may_read(&o->stream[i]) ? o->stream[i].from :
										-1,
					 .events = POLLIN };
	return 2 + o->nstreams;
}

int bspj_output_timeout_ms(const struct bspj_output *o)
{
	int ms = -1;

	for (int i = 0; i < o->nstreams; i++) {
		const struct stream *s = &o->stream[i];
		int left = output_may_read(s) ? output_silence_left_ms(s) : -1;

		if (left >= 0 && (ms < 0 || left < ms))
			ms = left;
	}
	return ms;
}

void bspj_output_see_to(struct bspj_output *o, const struct pollfd *fds)
{
	int first = o->turn;

	flush(&o->sink[0]);
	flush(&o->sink[1]);
	for (int i = 0; i < o->nstreams; i++) {
		int next = (first + i) % o->nstreams;
		struct stream *s = &o->stream[next];

		/* The rest may have come while we did not run: read before a part is shown. */
		if (output_may_read(s) &&
		    (fds[2 + next].revents || output_silence_left_ms(s) == 0))
			output_read(s);
		if (s->len || s->ended)
			emit_lines(s);
		if (!is_busy(s->to))
			o->turn = (next + 1) % o->nstreams;
	}
}

bool bspj_output_failed(const struct bspj_output *o)
{
	return o->sink[0].failed || o->sink[1].failed;
}

bool bspj_output_finish(struct bspj_output *o)
{
	bool left = false;

	flush(&o->sink[0]);
	flush(&o->sink[1]);
	for (int i = 0; i < o->nstreams; i++) {
		struct stream *s = &o->stream[i];

		while (output_may_read(s) && output_read(s))
			emit_lines(s);
		if (s->from >= 0 && !is_busy(s->to)) {
			output_end(s);
			emit_lines(s);
		}
		left |= s->from >= 0;
	}
	return left || is_busy(&o->sink[0]) || is_busy(&o->sink[1]);
}

/* ---- Our own messages ---------------------------------------------------------------- */

void bspj_say(const char *format, ...)
{
	static int timeout_ms = SAY_MS;
	struct pollfd room = { .fd = STDERR_FILENO, .events = POLLOUT };
	char text[SAY_MOST];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (poll(&room, 1, timeout_ms) == 0) {
		timeout_ms = 0;
		return;
	}
	if (len > 0 && write(STDERR_FILENO, text, len < SAY_MOST ? (size_t)len : SAY_MOST - 1) < 0)
		return;			/* there is no reader */
}
