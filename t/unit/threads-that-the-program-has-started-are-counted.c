/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of an emulator, which the C library knows nothing of, are not those of the program. */
#include "job/internal.h"
#include "job/launch/threads.h"
#include "../lib/tap.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum { STACK_BYTES = 64 << 10 };

static int wait_for_ever(void *unused)
{
	(void)unused;
	while (pause() < 0)
		;
	return 0;
}

static void *wait_in_a_thread(void *unused)
{
	wait_for_ever(unused);
	return NULL;
}

/* As an emulator starts its own, which a program in it sees in /proc. */
static void start_unknown_thread(void)
{
	char *stack = malloc(STACK_BYTES);

	if (!stack || clone(wait_for_ever, stack + STACK_BYTES,
			    CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
			    CLONE_SYSVSEM, NULL) < 0)
		bail("no thread");
}

int main(void)
{
	pthread_t thread;

#ifndef __GLIBC__
	skip_all("not applicable: this C library does not say whether there are threads");
#endif
	if (SANITIZED)
		skip_all("not applicable: a sanitizer has threads of its own");
	start_unknown_thread();
	is_int(0, bspj_threads_besides(), "one that was not started by the C library");
	if (pthread_create(&thread, NULL, wait_in_a_thread, NULL))
		bail("no thread");
	ok(bspj_threads_besides() >= 1, "one that was");
	return done_testing();
}
