/* SPDX-License-Identifier: BSD-3-Clause */
/* harness-sample.c - tests of known outcome, for harness.t to look at. */

#include "tap.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void good(void)
{
	ok(true, "one is %d", 1);
	is_int(2, 1 + 1, "two");
	is_str("three", "three", "three");
	is_blob("four", "four", 4, "four");
	is_near(5.0, 5.0001, 0.01, "five");
	skip("six is not here");
}

static void bad(void)
{
	ok(1 > 2, "truth");
	is_int(2, 3, "number");
	is_str("left", "right", "text");
	is_str("left", NULL, "no text");
	is_blob("abcd", "abxd", 4, "bytes");
	is_near(1.0, 2.0, 0.5, "distance");
}

static void planned(void)
{
	plan(3);
	ok(true, "only one");
}

/* Only process 1 of two fails. */
static void split(int me, int nprocs)
{
	ok(nprocs == 2, "there are two");
	is_int(0, me, "I am the first");
}

static void split_job(void)
{
	procs_ok(split, 2, "both end");
}

static void falls(int me, int nprocs)
{
	(void)nprocs;
	if (me == 1)
		abort();
	pause();
}

static void fallen_job(void)
{
	procs_ok(falls, 2, "one falls");
}

/* A process that gets the processor only when its parent has ended: exits, and never returns. */
static void late_job(void)
{
	pid_t parent;

	if (fork())
		return;
	parent = getpid();
	if (fork())
		_exit(EXIT_SUCCESS);
	while (getppid() == parent)
		usleep(1000);
	tap_end_with_parent(parent);
	pause();
}

static void late(void)
{
	lives_ok(late_job, 1, "one is late");
}

static void silent_death(void)
{
	exit(1);
}

static void last_words(const char *file, int line)
{
	fprintf(stderr, "call: reason (process 1, superstep 2, %s:%d)\n", file, line);
}

static void proper_death(void)
{
	/* all of one line, as a call of the library and its message are */
	expect_site(), last_words(__FILE__, __LINE__);
	expect_process(1);
	expect_superstep(2);
	exit(1);
}

static void other_site(void)
{
	expect_site();
	last_words(__FILE__, __LINE__);
	exit(1);
}

static void other_process(void)
{
	expect_process(2);
	fprintf(stderr, "call: reason (process 1, superstep 2, x.c:1)\n");
	exit(1);
}

static void talkative_death(void)
{
	fprintf(stderr, "call: reason\ncall: reason\n");
	exit(1);
}

static void crash(void)
{
	fprintf(stderr, "call: reason\n");
	raise(SIGKILL);
}

static void no_death(void)
{
	fprintf(stderr, "call: reason\n");
}

static void deaths(void)
{
	dies_ok(proper_death, 2, "call: reason", "as it should");
	dies_ok(proper_death, 2, "another: ", "other message");
	dies_ok(silent_death, 2, "call: ", "no message");
	dies_ok(talkative_death, 2, "call: ", "two messages");
	dies_ok(other_site, 2, "call: ", "other place");
	dies_ok(other_process, 2, "call: ", "other process");
	dies_ok(crash, 2, "call: ", "crash");
	dies_ok(no_death, 2, "call: ", "no death");
	lives_ok(silent_death, 2, "dead");
	lives_ok(no_death, 2, "alive");
}

/* The job ends, but for a process that sleeps until it is killed. */
static void leaves_one(void)
{
	if (!fork())
		for (;;)
			pause();
}

static void leftover(void)
{
	lives_ok(leaves_one, 1, "never said");
}

static void too_few(void)
{
	tap_process(0);
}

static void missing(void)
{
	lives_ok(too_few, 2, "one of two");
}

static void gives_up(void)
{
	bail("enough");
}

static void bails(void)
{
	lives_ok(gives_up, 1, "never said");
}

/* A job that says on standard output what it was given, and on standard error that. */
static void echo(void)
{
	printf("%s\n", getenv("BSP_NPROCS"));
	fprintf(stderr, "said\n");
	exit(3);
}

static void outputs(void)
{
	job_run(echo, 7);
	is_int(3, job_status(), "status");
	is_str("7\n", job_out(), "output");
	is_str("said\n", job_err(), "error");
}

static void needless(void)
{
	skip_all("nothing to test");
}

/* If there is one process, none is left to die. */
static void inapplicable(void)
{
	not_applicable("two processes");
	not_applicable("three processes");
}

/* The script compares the limits. */
static void limits(void)
{
	printf("%d %d %d\n", tap_limit(60), tap_limit(1), tap_limit(600));
	tap_set_limit("BSP_WATCHDOG", 120);
	printf("%s\n", getenv("BSP_WATCHDOG"));
	ok(true, "the limits are printed");
}

/* The alarm is that of a time when the machine was less busy. */
static void early_alarm(void)
{
	ok(true, "before");
	raise(SIGALRM);
	ok(true, "after");
}

static const struct {
	const char *name;
	void (*run)(void);
} samples[] = {
	{ "good", good },
	{ "bad", bad },
	{ "planned", planned },
	{ "split", split_job },
	{ "fallen", fallen_job },
	{ "late", late },
	{ "deaths", deaths },
	{ "leftover", leftover },
	{ "limits", limits },
	{ "early-alarm", early_alarm },
	{ "missing", missing },
	{ "bails", bails },
	{ "outputs", outputs },
	{ "needless", needless },
	{ "inapplicable", inapplicable },
	{ "nothing", NULL },
};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc == 2 && i < sizeof samples / sizeof samples[0]; i++) {
		if (strcmp(samples[i].name, argv[1]))
			continue;
		if (samples[i].run)
			samples[i].run();
		return done_testing();
	}
	fprintf(stderr, "usage: harness-sample NAME\n");
	return 2;
}
