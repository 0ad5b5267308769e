/* SPDX-License-Identifier: BSD-3-Clause */
/* A job marks its processors, and others see that until its last process has ended. */
#include "job/launch/taken.h"
#include "job/launch/cores.h"
#include "../lib/tap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char name[] = "marks-XXXXXX";

static void mark(int fd, const char *list)
{
	cpu_set_t set;

	bspj_cpus_read(list, &set);
	bspj_taken_mark(fd, &set);
}

static void sees(int fd, const char *wanted, const char *what)
{
	cpu_set_t set;
	char list[100];
	int n = bspj_taken_by_others(fd, &set);

	bspj_cpus_write(&set, list, sizeof list);
	if (!ok(strcmp(wanted, list) == 0 && n == CPU_COUNT(&set), "%s", what))
		diag("%s and not %s", list, wanted);
}

/* A job of two processes: that which has opened the marks, and a copy, which outlives it. */
static void ends_with_its_last_process(int fd)
{
	int there[2];
	cpu_set_t set;
	pid_t first;
	char byte;

	if (pipe(there) < 0)
		bail("no pipe");
	first = fork();
	if (first == 0) {
		int own = bspj_taken_open(name);

		mark(own, "5-6");
		if (fork())
			_exit(0);
		close(there[1]);
		/* until the test has looked */
		_exit(read(there[0], &byte, 1) < 0);
	}
	waitpid(first, NULL, 0);
	sees(fd, "5-6", "a process that ends leaves the marks to its copies");
	close(there[1]);
	while (bspj_taken_by_others(fd, &set))
		usleep(1000);
	sees(fd, "", "the end of the last one ends them");
	close(there[0]);
}

int main(void)
{
	int a, b, fd = mkstemp(name);

	if (fd < 0)
		bail("no file");
	close(fd);
	a = bspj_taken_open(name);
	b = bspj_taken_open(name);
	sees(a, "", "no job, no marks");
	mark(a, "0-1,1023");
	sees(a, "", "its own are not seen");
	sees(b, "0-1,1023", "those of another job are");
	mark(b, "1,3");
	sees(a, "1,3", "two jobs see each other's");
	bspj_taken_unmark(b);
	sees(a, "", "until they are taken back");
	close(a);
	sees(b, "", "or the file is closed");
	ends_with_its_last_process(b);
	sees(-1, "", "where there is no file nothing is seen");
	mark(-1, "1");
	a = bspj_taken_open(BSPJ_TAKEN_FILE);
	ok(a >= 0, "%s can be opened", BSPJ_TAKEN_FILE);
	unlink(name);
	return done_testing();
}
