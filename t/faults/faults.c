/* SPDX-License-Identifier: BSD-3-Clause */
/* faults.c - a program in which one process comes to harm at a chosen moment. */

/*
 * usage: faults FAULT MOMENT PROCESS [CALLS]
 *
 *	FAULT	kill, segv, term, abrt, stop	the process gets that signal
 *		abort				it calls abort()
 *		_exit, exit			it calls _exit(3), exit(0)
 *		close, closeall			it closes descriptors from 3, from 0
 *		nofile				RLIMIT_NOFILE is 0 from here on
 *		as, data			it has no more address space, data
 *		full				/dev/shm and TMPDIR have no room for another byte
 *		super				the process whose number is in the file "super"
 *						gets SIGKILL
 *		none				nothing happens
 *	MOMENT	before, after			bsp_begin and bsp_end
 *		begin, sync, read, collective, end	inside of that call
 *		compute				between two calls
 *	CALLS	begin: after so many calls into the system, of those that are counted here; with
 *		0, and where
 *		bsp_begin makes fewer, when it has returned
 *
 * All but the moments before, after, begin and compute need another thread: process PROCESS enters
 * the call and waits in it for the others, who wait for the fault: the file "fault" is empty before
 * it. A process that goes on after its fault, and all others then, exchange small and large data,
 * check them, and say "ended".
 *
 * Nothing here is more than the standard and POSIX allow to a program. Functions of the C library
 * that the library calls are counted by functions of the same name here, which the dynamic linker
 * takes first.
 */

#include <bsp.h>
#include <bsp_coll.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	STEPS = 12,
	STEP = 4,		/* of the fault */
	LARGE = 300000,
	MANY = 4000000,		/* what takes memory, after limits have changed */
	CALL_MS = 30,		/* for a process to come to wait in the call */
	FAULT_MS = 20000,
};

static const char *fault, *moment;
static int victim, me, launched;

/* ---- Faults ---------------------------------------------------------------- */

static void wait_ms(int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&t, NULL);
}

static int is(const char *word, const char *text)
{
	return strcmp(word, text) == 0;
}

static void close_from(int first)
{
	for (int fd = first; fd < 1024; fd++)
		close(fd);
}

static void limit(int resource, rlim_t most)
{
	struct rlimit l = { most, most };

	if (setrlimit(resource, &l) < 0)
		perror("faults: setrlimit");
}

/* The size of this process now: of its address space or of its data. */
static rlim_t used(int data)
{
	unsigned long size = 0, private = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	if (!file || fscanf(file, "%lu %*u %*u %*u %*u %lu", &size, &private) != 2)
		perror("faults: /proc/self/statm");
	if (file)
		fclose(file);
	return (rlim_t)(data ? private : size) * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void fill(const char *folder)
{
	static char block[65536];
	char name[512];
	int fd;

	snprintf(name, sizeof(name), "%s/fill.%d", folder, me);
	fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	while (fd >= 0 && write(fd, block, sizeof(block)) > 0)
		continue;
	while (fd >= 0 && write(fd, block, 1) > 0)
		continue;
	if (fd >= 0)
		close(fd);
}

static void kill_super(void)
{
	FILE *file = fopen("super", "r");
	int pid = 0;

	if (file && fscanf(file, "%d", &pid) == 1 && pid > 1)
		kill(pid, SIGKILL);
	else
		perror("faults: super");
	if (file)
		fclose(file);
}

static void do_fault(void)
{
	static const struct {
		const char *name;
		int number;
	} signals[] = {
		{ "kill", SIGKILL }, { "segv", SIGSEGV }, { "term", SIGTERM }, { "abrt", SIGABRT },
		{ "stop", SIGSTOP },
	};

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (is(fault, signals[i].name))
			kill(getpid(), signals[i].number);
	if (is(fault, "abort"))
		abort();
	if (is(fault, "_exit"))
		_exit(3);
	if (is(fault, "exit"))
		exit(0);
	if (is(fault, "close"))
		close_from(3);
	if (is(fault, "closeall"))
		close_from(0);
	if (is(fault, "nofile"))
		limit(RLIMIT_NOFILE, 0);
	if (is(fault, "as"))
		limit(RLIMIT_AS, used(0));
	if (is(fault, "data"))
		limit(RLIMIT_DATA, used(1));
	if (is(fault, "super"))
		kill_super();
	if (is(fault, "full")) {
		fill("/dev/shm");
		if (getenv("TMPDIR"))
			fill(getenv("TMPDIR"));
	}
}

/* The others get the message first: a process that has ended cannot send it. */
static void announce_and_do_fault(void)
{
	int fd = open("fault", O_WRONLY | O_CREAT, 0600);

	if (fd < 0 || write(fd, "!", 1) != 1)
		perror("faults: fault");
	if (fd >= 0)
		close(fd);
	do_fault();
}

/* In all but the one that has it. */
static void await_fault(void)
{
	for (int ms = 0; ms < FAULT_MS; ms++) {
		char byte;
		int fd = open("fault", O_RDONLY);
		int is_there = fd >= 0 && read(fd, &byte, 1) == 1;

		if (fd >= 0)
			close(fd);
		if (is_there)
			return;
		wait_ms(1);
	}
}

/* ---- In bsp_begin ----------------------------------------------------------- */

static int fault_at_call;		/* 0: no fault in bsp_begin */
static int is_counting, calls;
static int forks; /* that this process has made; a child has the number from before its own */

static void count_call(void)
{
	if (__atomic_load_n(&is_counting, __ATOMIC_RELAXED) &&
	    __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) == fault_at_call)
		announce_and_do_fault();
}

static void count_fork(void)
{
	forks++;
}

/* The first FORKS_BEFORE forks, before that of process 0, make no process of the job. */
static int process_of_fork(void)
{
	const char *before = getenv("FORKS_BEFORE");

	return forks - (before ? atoi(before) : 0);
}

/* A process that was forked asks for a signal at the end of its supervisor, before all else. */
int prctl(int option, ...)
{
	unsigned long arg[4];
	va_list list;

	va_start(list, option);
	for (int i = 0; i < 4; i++)
		arg[i] = va_arg(list, unsigned long);
	va_end(list);
	if (option == PR_SET_PDEATHSIG && moment && is(moment, "begin") &&
	    process_of_fork() == victim)
		is_counting = 1;
	count_call();
	return (int)syscall(SYS_prctl, option, arg[0], arg[1], arg[2], arg[3]);
}

void *mmap(void *at, size_t len, int prot, int flags, int fd, off_t offset)
{
	count_call();
	return (void *)syscall(SYS_mmap, at, len, prot, flags, fd, offset);
}

int mprotect(void *at, size_t len, int prot)
{
	count_call();
	return (int)syscall(SYS_mprotect, at, len, prot);
}

int socket(int domain, int type, int protocol)
{
	count_call();
	return (int)syscall(SYS_socket, domain, type, protocol);
}

int bind(int fd, const struct sockaddr *at, socklen_t len)
{
	count_call();
	return (int)syscall(SYS_bind, fd, at, len);
}

/* Counted when it has been made: the other side then waits for what is said on it. */
int connect(int fd, const struct sockaddr *at, socklen_t len)
{
	int status = (int)syscall(SYS_connect, fd, at, len), err = errno;

	count_call();
	errno = err;
	return status;
}

int accept4(int fd, struct sockaddr *at, socklen_t *len, int flags)
{
	int status = (int)syscall(SYS_accept4, fd, at, len, flags), err = errno;

	count_call();
	errno = err;
	return status;
}

/* ---- In other calls --------------------------------------------------------- */

static int is_in_call;

static void *fault_beside(void *unused)
{
	while (!__atomic_load_n(&is_in_call, __ATOMIC_ACQUIRE))
		wait_ms(1);
	wait_ms(CALL_MS);
	announce_and_do_fault();
	return unused;
}

/* Before a call at which a process may wait for all others. */
static void meet_fault(const char *call)
{
	pthread_t thread;

	if (!is(moment, call))
		return;
	if (me != victim) {
		await_fault();
		return;
	}
	if (pthread_create(&thread, NULL, fault_beside, NULL)) {
		fprintf(stderr, "faults: no thread\n");
		exit(2);
	}
	__atomic_store_n(&is_in_call, 1, __ATOMIC_RELEASE);
}

/* ---- The program ------------------------------------------------------------- */

static unsigned char area[LARGE], mine[LARGE];
static int counter, n;

static int left_of(int p)
{
	return (p + n - 1) % n;
}

static void check(const char *call, int step, size_t nbytes)
{
	for (size_t i = 0; i < nbytes; i++) {
		unsigned char wanted = (unsigned char)(left_of(me) * 31 + step * 7 + (int)i % 251);

		if (area[i] != wanted)
			bsp_abort("faults: byte %lu after %s of step %d is %d, not %d\n",
				  (unsigned long)i, call, step, area[i], wanted);
	}
}

static void exchange(int step, size_t nbytes)
{
	for (size_t i = 0; i < nbytes; i++)
		mine[i] = (unsigned char)(me * 31 + step * 7 + (int)i % 251);
	bsp_put((me + 1) % n, mine, area, 0, (int)nbytes);
	if (step == STEP)
		meet_fault("sync");
	bsp_sync();
	check("bsp_sync", step, nbytes);
}

/* A superstep that no process waits in, and a wait for the left neighbour's put. */
static void exchange_relaxed(int step)
{
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();				/* with a barrier, as the mode changes */
	if (step == STEP && is(moment, "read") && me != victim)
		await_fault();
	bsp_put((me + 1) % n, &step, &counter, 0, sizeof(step));
	bsp_sync();
	if (step == STEP && me == victim)
		meet_fault("read");
	bsp_read(&counter, 1);
	if (counter != step)
		bsp_abort("faults: counter is %d in step %d\n", counter, step);
	bsp_set_sync(BSP_CLASSIC);
	bsp_sync();
}

static void collect(int step)
{
	int sum = 0, all = 0;

	if (step == STEP)
		meet_fault("collective");
	bsp_allreduce(BSP_SUM, BSP_INT, &step, &sum, 1);
	for (int p = 0; p < n; p++)
		all += step;
	if (sum != all)
		bsp_abort("faults: sum is %d, not %d\n", sum, all);
}

/* More of them than transports keep at hand. */
static void send_much(void)
{
	static unsigned char *much;

	if (!much)
		much = calloc(1, MANY);
	for (int p = 0; much && p < n; p++)
		for (int at = 0; at < MANY; at += MANY / 4)
			bsp_send(p, NULL, much + at, MANY / 4);
	bsp_sync();
}

static void run(void)
{
	for (int step = 0; step < STEPS; step++) {
		if (step == STEP && me == victim && is(moment, "compute"))
			announce_and_do_fault();
		exchange(step, step % 2 ? LARGE : 8);
		exchange_relaxed(step);
		collect(step);
		if (step > STEP && (is(fault, "as") || is(fault, "data")))
			send_much();
	}
}

/* The number that a launcher gave this process, or -1. */
static int number_from_launcher(void)
{
	static const char *const names[] = { "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (getenv(names[i]))
			return atoi(getenv(names[i]));
	return -1;
}

static void prepare(int argc, char **argv)
{
	if (argc < 4) {
		fprintf(stderr, "usage: faults FAULT MOMENT PROCESS [CALLS]\n");
		exit(2);
	}
	fault = argv[1];
	moment = argv[2];
	victim = atoi(argv[3]);
	fault_at_call = is(moment, "begin") ? 1 + (argc > 4 ? atoi(argv[4]) : 0) : 0;
	launched = number_from_launcher() >= 0;
	me = launched ? number_from_launcher() : 0;
	pthread_atfork(NULL, count_fork, NULL);
	limit(RLIMIT_CORE, 0);
}

int main(int argc, char **argv)
{
	prepare(argc, argv);
	if (is(moment, "before") && me == victim)
		announce_and_do_fault();
	if (is(moment, "begin") && launched && me == victim)
		is_counting = 1;
	bsp_begin(bsp_nprocs());
	if (is_counting && calls < fault_at_call)
		announce_and_do_fault();
	if (is(fault, "none") && is_counting)
		fprintf(stderr, "calls %d\n", calls);
	is_counting = 0;
	n = (int)bsp_nprocs();
	me = (int)bsp_pid();
	bsp_push_reg(area, sizeof(area));
	bsp_push_reg(&counter, sizeof(counter));
	bsp_sync();
	run();
	meet_fault("end");
	bsp_end();
	if (is(moment, "after") && me == victim)
		announce_and_do_fault();
	printf("ended\n");
	return 0;
}
