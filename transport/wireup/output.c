// SPDX-License-Identifier: BSD-3-Clause
/* output.c - tagged output: lines of the processes, each with the number of its process. */

#include "wireup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MOST = 65536 };

static void write_all(int fd, const char *buf, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, buf, len);

		if (n < 0 && errno != EINTR)
			return;
		if (n > 0) {
			buf += n;
			len -= n;
		}
	}
}

/* One line with its tag, in one write so that lines stay whole. */
static void emit(const struct bspt_stream *s, const char *line, size_t len)
{
	static char tagged[LINE_MOST + 32];
	int tag = snprintf(tagged, 32, "[%d] ", s->process);

	memcpy(tagged + tag, line, len);
	if (len == 0 || line[len - 1] != '\n')
		tagged[tag + len++] = '\n';
	write_all(s->to, tagged, tag + len);
}

static void emit_lines(struct bspt_stream *s)
{
	char *at = s->line, *end = s->line + s->len, *newline;

	while ((newline = memchr(at, '\n', end - at))) {
		emit(s, at, newline + 1 - at);
		at = newline + 1;
	}
	if (at == s->line && s->len == LINE_MOST) {
		emit(s, at, s->len);
		at = end;
	}
	s->len = end - at;
	memmove(s->line, at, s->len);
}

/* Read what there is. False when nothing more comes. */
static bool relay(struct bspt_stream *s)
{
	ssize_t n = read(s->from, s->line + s->len, LINE_MOST - s->len);

	if (n < 0)
		return errno == EINTR;
	if (n == 0)
		return false;
	s->len += n;
	emit_lines(s);
	return true;
}

static void close_stream(struct bspt_stream *s)
{
	if (s->len)
		emit(s, s->line, s->len);
	close(s->from);
	s->from = -1;
	s->len = 0;
}

void bspt_stream_relay(struct bspt_stream *s)
{
	if (!relay(s))
		close_stream(s);
}

static bool open_stream(struct bspt_stream *s, int from, int to, int process)
{
	fcntl(from, F_SETFL, O_NONBLOCK);
	*s = (struct bspt_stream){ .from = from, .to = to, .process = process,
				   .line = malloc(LINE_MOST) };
	return s->line;
}

struct bspt_stream *bspt_streams_open(const struct bspt_crew *crew)
{
	struct bspt_stream *streams = calloc(2 * crew->nprocs, sizeof(*streams));

	for (int p = 0; streams && p < crew->nprocs; p++)
		if (!open_stream(&streams[2 * p], crew->children[p].out, STDOUT_FILENO, crew->first + p) ||
		    !open_stream(&streams[2 * p + 1], crew->children[p].err, STDERR_FILENO, crew->first + p))
			return NULL;	/* the job ends, and the memory with it */
	return streams;
}

void bspt_streams_drain(struct bspt_stream *streams, int nprocs)
{
	for (int i = 0; i < 2 * nprocs; i++) {
		if (streams[i].from < 0)
			continue;
		while (relay(&streams[i]))
			;
		close_stream(&streams[i]);
	}
}
