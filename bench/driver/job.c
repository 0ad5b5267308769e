/* SPDX-License-Identifier: BSD-3-Clause */
/* job.c - run a program in a process of its own and read its lines. */

#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	SILENCE_MS = 300000, /* a job that says nothing for so long hangs */
	LINE = 1024,
};

/* Lines of a pipe, with a timeout. */
struct reader {
	int fd;
	size_t used;
	char text[LINE];
};

static int read_more(struct reader *r)
{
	struct pollfd p = { .fd = r->fd, .events = POLLIN };
	int ready;

	do {
		ready = poll(&p, 1, SILENCE_MS);
	} while (ready < 0 && errno == EINTR);
	if (ready <= 0)
		return ready < 0 ? -errno : -ETIMEDOUT;
	ssize_t n = read(r->fd, r->text + r->used, sizeof r->text - r->used);

	if (n < 0)
		return errno == EINTR ? 1 : -errno;
	r->used += (size_t)n;
	return n > 0;
}

/* 1: a line without its end, 0: no more, negative: errno. */
static int next_line(struct reader *r, char *line)
{
	for (;;) {
		char *end = memchr(r->text, '\n', r->used);

		if (end != NULL) {
			size_t len = (size_t)(end - r->text);

			memcpy(line, r->text, len);
			line[len] = '\0';
			r->used -= len + 1;
			memmove(r->text, end + 1, r->used);
			return 1;
		}
		if (r->used == sizeof r->text)
			return -EMSGSIZE;
		int more = read_more(r);

		if (more <= 0)
			return more;
	}
}

/* Other output of the job is none of ours. */
static bool job_parse(char *line, char *name, size_t len, struct sample *s)
{
	char *word[4 + 2 + BENCH_BATCHES];
	size_t n = 0;

	for (char *w = strtok(line, " "); w != NULL && n < sizeof word / sizeof word[0];
	     w = strtok(NULL, " "))
		word[n++] = w;
	if (n < 7 || strcmp(word[0], "row") != 0)
		return false;
	snprintf(name, len, "%s", word[1]);
	*s = (struct sample){ .valid = true,
			      .stable = atoi(word[2]) != 0,
			      .flag = atof(word[3]),
			      .limit = atof(word[4]) };
	s->n = atoi(word[5]);
	if (s->n < 1 || s->n > BENCH_BATCHES || (size_t)s->n + 6 != n)
		return false;
	for (int i = 0; i < s->n; i++)
		s->time[i] = atof(word[6 + i]);
	return true;
}

static void become(char **argv, int out)
{
	int in = open("/dev/null", O_RDONLY);

	if (in >= 0)
		dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	execvp(argv[0], argv);
	fprintf(stderr, "bspbench: %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static int take_lines(int fd, job_line *take, void *context)
{
	struct reader reader = { .fd = fd };
	char line[LINE];
	int more;

	while ((more = next_line(&reader, line)) > 0)
		take(context, line);
	return more;
}

int job_lines(char **argv, job_line *take, void *context)
{
	int fd[2], status = 0;

	if (pipe2(fd, O_CLOEXEC) < 0)
		return -errno;
	fflush(NULL);
	pid_t pid = fork();

	if (pid == 0)
		become(argv, fd[1]);
	close(fd[1]);
	if (pid < 0) {
		close(fd[0]);
		return -EAGAIN;
	}
	int failed = take_lines(fd[0], take, context);

	close(fd[0]);
	if (failed)
		kill(pid, SIGTERM);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (failed)
		return failed;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void job_failure(int failed, char *text, size_t len)
{
	if (failed == -ETIMEDOUT)
		snprintf(text, len, "said nothing for %d s and was ended; is the machine busy?",
			 SILENCE_MS / 1000);
	else if (failed < 0)
		snprintf(text, len, "cannot be run: %s", strerror(-failed));
	else
		snprintf(text, len, "ended with status %d", failed);
}

/* The function that takes the rows of a job. */
struct rows {
	job_row *take;
	void *context;
};

static void take_row(void *context, char *line)
{
	const struct rows *rows = context;
	struct sample sample;
	char name[64];

	if (job_parse(line, name, sizeof name, &sample))
		rows->take(rows->context, name, &sample);
}

int job_run(char **argv, job_row *take, void *context)
{
	struct rows rows = { take, context };

	return job_lines(argv, take_row, &rows);
}
