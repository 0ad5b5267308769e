/* SPDX-License-Identifier: BSD-3-Clause */
/* job.c - runs a body as a parallel job in a child of the test, and reports how it went. */

/*
 * The test and all processes of its job share struct results, made before the job.
 * Processes append notes: a process claims a slot by an atomic count, fills it, and
 * marks it complete with release. The test reads when all processes have ended, and
 * skips slots whose writer died halfway.
 *
 * The job is a process group of its own, and the test is the reaper of all its
 * descendants: when waitpid() finds no child any more, none is left alive.
 */

#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	NOTES = 8192,
	PLACES = 1024,
	PROCESSES = 4096,
	LINES = 4096,
	USUAL_NPROCS = 4,	/* of a job with nprocs 0 */
	NETWORKED = 16,		/* most processes over a network, where they connect slowly */
	LAUNCHED = 6,		/* most processes that a launcher starts */
	SHOWN = 8,		/* processes shown for one failed check, lines of output */
	OUTPUT = 65536,		/* bytes kept of what a job writes */
};

struct record {
	struct tap_note note;	/* its file is a pointer of another process: see file */
	char file[120];
	int process;		/* -1: not known */
	unsigned int turn;	/* the process has made this check that often */
	bool printed;		/* written by the test */
	atomic_bool complete;
};

struct results {
	atomic_uint notes;
	atomic_int joined;	/* processes that a launcher started */
	atomic_bool bailed;
	char reason[400];
	atomic_uint places;
	char place[PLACES][200];
	atomic_bool expected_process[PROCESSES];
	atomic_int superstep;	/* expected; -1: any */
	atomic_bool seen[PROCESSES];
	struct record record[NOTES];
};

/* State of the test: the job that runs, or the last one. */
static struct results *results;
static volatile pid_t group;	/* 0: none */
static int err_fd = -1, out_fd = -1;
static int status_of_job;
static bool is_reaper;		/* false in qemu's user mode */
static char out_text[OUTPUT], err_text[OUTPUT];

/* State of a process of a job. */
static bool inside;
static int this_process = -1;
static unsigned int turns[LINES];

/*
 * With BSP_TEST_LAUNCHER="mpirun -n" a job is started by that command, followed by the number of
 * processes and this program. Each process of the job runs main() again, without output, up to the
 * call of job_run() that started it, and there becomes a process of the job. BSP_TEST_JOB is the
 * number of that call, from 1 on. The results are then in a file, BSP_TEST_RESULTS.
 */
static struct {
	bool is_process;	/* this process was started by a launcher */
	long job, jobs;		/* its job; the jobs that main() has reached */
	int out, err;		/* duplicates of standard output and error */
	char results[300];
} launched;

static const char *launcher(void)
{
	const char *command = getenv("BSP_TEST_LAUNCHER");

	return command && *command ? command : NULL;
}

bool job_inside(void)
{
	return inside;
}

long available_mib(void)
{
	FILE *file = fopen("/proc/meminfo", "r");
	char line[100];
	long kib = 0;

	while (file && !kib && fgets(line, sizeof line, file))
		sscanf(line, "MemAvailable: %ld", &kib);
	if (file)
		fclose(file);
	return kib / 1024;
}

int job_status(void)
{
	return WIFSIGNALED(status_of_job) ? 128 + WTERMSIG(status_of_job) :
					    WEXITSTATUS(status_of_job);
}

const char *job_out(void)
{
	return out_text;
}

const char *job_err(void)
{
	return err_text;
}

int job_max_nprocs(void)
{
	const char *transport = getenv("BSP_TRANSPORT");

	if (job_launched())
		return LAUNCHED;
	if (!transport || !strcmp(transport, "auto") || !strcmp(transport, "shm"))
		return PROCESSES;
	if (!strcmp(transport, "self"))
		return 1;
	return NETWORKED;
}

bool job_launched(void)
{
	return launcher() || launched.is_process;
}

bool job_networked(void)
{
	return job_max_nprocs() == NETWORKED;
}

static int usual_nprocs(void)
{
	return job_max_nprocs() < USUAL_NPROCS ? job_max_nprocs() : USUAL_NPROCS;
}

/* ---- In the job ---------------------------------------------------------- */

void job_note(const struct tap_note *note)
{
	unsigned int i = atomic_fetch_add(&results->notes, 1);
	struct record *r = &results->record[i];

	if (i >= NOTES)
		job_bail("a job made more checks than can be kept");
	r->note = *note;
	snprintf(r->file, sizeof r->file, "%s", note->file ? note->file : "");
	r->process = this_process;
	r->turn = turns[note->line % LINES]++;
	/* pairs with the acquire in readable() */
	atomic_store_explicit(&r->complete, true, memory_order_release);
}

void job_bail(const char *reason)
{
	if (!atomic_exchange(&results->bailed, true))
		snprintf(results->reason, sizeof results->reason, "%s", reason);
	_exit(EXIT_FAILURE);
}

void tap_end_with_parent(pid_t parent)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
		_exit(EXIT_FAILURE);
}

void tap_process(int pid)
{
	if (pid < 0 || pid >= PROCESSES)
		bail("process number %d", pid);
	if (!inside)
		bail("tap_process() outside a job");
	this_process = pid;
	atomic_store(&results->seen[pid], true);
}

void tap_expect_site(const char *file, int line)
{
	char text[200];
	unsigned int i;

	snprintf(text, sizeof text, "%s:%d)", file, line);
	for (i = 0; i < atomic_load(&results->places) && i < PLACES; i++)
		if (!strcmp(results->place[i], text))
			return;
	i = atomic_fetch_add(&results->places, 1);
	if (i >= PLACES)
		job_bail("a job expects more places than can be kept");
	memcpy(results->place[i], text, sizeof text);
}

void expect_process(int pid)
{
	if (pid < 0 || pid >= PROCESSES)
		bail("process number %d", pid);
	atomic_store(&results->expected_process[pid], true);
}

void expect_superstep(int superstep)
{
	atomic_store(&results->superstep, superstep);
}

/* ---- Jobs that a launcher starts ------------------------------------------ */

static void map_results(int fd)
{
	void *p = mmap(NULL, sizeof *results, PROT_READ | PROT_WRITE,
		       fd < 0 ? MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		bail("no shared memory: %s", strerror(errno));
	results = p;
}

__attribute__((constructor))
static void silence_launched(void)
{
	const char *job = getenv("BSP_TEST_JOB");
	int nowhere;

	if (!job)
		return;
	launched.is_process = true;
	launched.job = atol(job);
	launched.out = dup(STDOUT_FILENO);
	launched.err = dup(STDERR_FILENO);
	nowhere = open("/dev/null", O_WRONLY);
	dup2(nowhere, STDOUT_FILENO);
	dup2(nowhere, STDERR_FILENO);
	close(nowhere);
}

/* In a process that a launcher started: join this job if it is its own, and do not return. */
static void join_own_job(void (*body)(void))
{
	int fd;

	if (!results)
		map_results(-1);
	if (++launched.jobs < launched.job)
		return;
	fflush(NULL);
	dup2(launched.out, STDOUT_FILENO);
	dup2(launched.err, STDERR_FILENO);
	close(launched.out);
	close(launched.err);
	fd = open(getenv("BSP_TEST_RESULTS"), O_RDWR);
	if (fd < 0) {
		perror(getenv("BSP_TEST_RESULTS"));
		exit(EXIT_FAILURE);
	}
	map_results(fd);
	close(fd);
	unsetenv("BSP_TEST_JOB");
	unsetenv("BSP_TEST_RESULTS");
	unsetenv("BSP_TEST_LAUNCHER");
	alarm(0);
	signal(SIGALRM, SIG_DFL);
	atomic_fetch_add(&results->joined, 1);
	inside = true;
	body();
	exit(EXIT_SUCCESS);
}

__attribute__((noreturn))
static void exec_launcher(int nprocs)
{
	enum { WORDS = 40 };
	static char command[1000], number[16], program[500], job[16];
	char *words[WORDS + 3], *rest = command;
	int n = 0;

	snprintf(command, sizeof command, "%s", launcher());
	snprintf(number, sizeof number, "%d", nprocs);
	snprintf(job, sizeof job, "%ld", launched.jobs);
	if (readlink("/proc/self/exe", program, sizeof program - 1) < 0)
		job_bail("no /proc/self/exe");
	while (n < WORDS && (words[n] = strsep(&rest, " ")))
		n += *words[n] != '\0';
	words[n++] = number;
	words[n++] = program;
	words[n] = NULL;
	setenv("BSP_TEST_JOB", job, 1);
	setenv("BSP_TEST_RESULTS", launched.results, 1);
	unsetenv("BSP_NPROCS");
	execvp(words[0], words);
	job_bail("the launcher cannot be run");
}

static void remove_results(void)
{
	if (!inside)
		unlink(launched.results);
}

static int open_results(void)
{
	const char *folder = getenv("TMPDIR");
	int fd;

	snprintf(launched.results, sizeof launched.results, "%s/results-XXXXXX",
		 folder && *folder ? folder : "/tmp");
	fd = mkstemp(launched.results);
	if (fd < 0 || ftruncate(fd, sizeof *results))
		bail("%s: %s", launched.results, strerror(errno));
	atexit(remove_results);
	return fd;
}

/* Remove from @text the line that contains @at. */
static void remove_line(char *text, char *at)
{
	char *end = strchr(at, '\n');

	while (at > text && at[-1] != '\n')
		at--;
	memmove(at, end ? end + 1 : "", end ? strlen(end + 1) + 1 : 1);
}

/* Keep messages of the library: a launcher adds its own, and each process may report an error. */
static void keep_library_messages(char *text)
{
	char *line = text;

	while (*line) {
		char *next = strchr(line, '\n');

		if ((!strncmp(line, "bsp", 3) || !strncmp(line, "goal", 4)) && next)
			line = next + 1;
		else
			remove_line(text, line);
	}
}

/* In the job's first process: drop what belongs to the test, then run the body. */
__attribute__((noreturn))
static void become_job(pid_t test, void (*body)(void), int nprocs)
{
	char text[16];

	setpgid(0, 0);
	tap_end_with_parent(test);
	signal(SIGALRM, SIG_DFL);
	dup2(out_fd, STDOUT_FILENO);
	dup2(err_fd, STDERR_FILENO);
	close(out_fd);
	close(err_fd);
	snprintf(text, sizeof text, "%d", nprocs);
	setenv("BSP_NPROCS", text, 1);
	if (launcher())
		exec_launcher(nprocs);
	inside = true;
	body();
	exit(EXIT_SUCCESS);
}

/* ---- In the test --------------------------------------------------------- */

static void make_results(void)
{
	int fd = launcher() ? open_results() : -1;

	map_results(fd);
	if (fd >= 0)
		close(fd);
}

/* Clear the part in use: most pages are never touched. */
static void clear_results(void)
{
	unsigned int used = atomic_load(&results->notes);

	if (used > NOTES)
		used = NOTES;
	memset(results, 0, offsetof(struct results, record) + used * sizeof(struct record));
	atomic_store(&results->superstep, -1);
}

static int open_output(int old, const char *name)
{
	int fd = memfd_create(name, 0);

	if (fd < 0)
		bail("memfd_create: %s", strerror(errno));
	/* Several processes write: the place of a memfd is not theirs one at a time, its end is. */
	if (fcntl(fd, F_SETFL, O_APPEND) < 0)
		bail("fcntl: %s", strerror(errno));
	if (old >= 0)
		close(old);
	return fd;
}

static void read_output(int fd, char *text)
{
	ssize_t n = pread(fd, text, OUTPUT - 1, 0);

	text[n < 0 ? 0 : n] = '\0';
}

void job_kill(void)
{
	char text[2048];
	off_t at = 0;
	ssize_t n;

	if (group)
		kill(-group, SIGKILL);
	while (err_fd >= 0 && (n = pread(err_fd, text, sizeof text, at)) > 0) {
		if (write(STDERR_FILENO, text, (size_t)n) < 0)
			return;
		at += n;
	}
}

/*
 * Wait for the job and for its orphans, which are children of the test now; in an emulator that has
 * no such inheritance they are still of its group.
 */
static void reap(pid_t first)
{
	pid_t child;
	int status;

	while ((child = waitpid(-1, &status, 0)) > 0 || errno == EINTR)
		if (child == first)
			status_of_job = status;
	while (!is_reaper && kill(-first, 0) == 0)
		usleep(1000);
	group = 0;
}

static bool readable(struct record *r)
{
	/* pairs with the release in job_note() */
	return !r->printed && atomic_load_explicit(&r->complete, memory_order_acquire);
}

static bool same_check(const struct record *a, const struct record *b)
{
	if (a->note.kind == TAP_DIAG || b->note.kind == TAP_DIAG)
		return a == b;
	return a->note.kind == b->note.kind && a->note.line == b->note.line &&
	       a->turn == b->turn && !strcmp(a->file, b->file) &&
	       !strcmp(a->note.what, b->note.what);
}

static void print_failure(const struct record *r)
{
	const struct tap_note *n = &r->note;

	if (r->process < 0)
		diag("%s:%d: %s", r->file, n->line, n->saw);
	else
		diag("process %d, %s:%d: %s", r->process, r->file, n->line, n->saw);
}

/* Print one line for all records of the check of record @first. */
static void print_check(const struct record *first, unsigned int end)
{
	struct tap_note sum = first->note;
	unsigned int i, failed = 0;

	sum.file = first->file;

	for (i = 0; i < end; i++)
		if (readable(&results->record[i]) && same_check(&results->record[i], first))
			sum.passed &= results->record[i].note.passed;
	tap_print(&sum);
	for (i = 0; i < end; i++) {
		struct record *r = &results->record[i];

		if (!readable(r) || !same_check(r, first))
			continue;
		r->printed = true;
		if (!r->note.passed && ++failed <= SHOWN)
			print_failure(r);
	}
	if (failed > SHOWN)
		diag("and so on %u other processes", failed - SHOWN);
}

/* Checks of process 0, and those before tap_process(), come first, in their order. */
static void print_checks(void)
{
	unsigned int end = atomic_load(&results->notes), i;

	for (i = 0; i < end; i++)
		if (results->record[i].process <= 0 && readable(&results->record[i]))
			print_check(&results->record[i], end);
	for (i = 0; i < end; i++)
		if (readable(&results->record[i]))
			print_check(&results->record[i], end);
}

/*
 * Remove messages that others write: a sanitizer, if a process is killed while the sanitizer
 * looks for leaks in it; Open MPI, if a process ends while a peer reads its memory
 * (process_vm_readv).
 */
static void remove_foreign_messages(char *text)
{
	static const char *const words[] = { "==Unable to get registers from thread",
					     "] Read -1, expected " };
	char *at;

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		while ((at = strstr(text, words[i])))
			remove_line(text, at);
}

void job_run(void (*body)(void), int nprocs)
{
	pid_t child, test;

	if (inside)
		bail("a job in a job");
	if (launched.is_process) {
		join_own_job(body);
		return;
	}
	launched.jobs++;
	tap_progress();
	if (!results)
		make_results();
	clear_results();
	out_fd = open_output(out_fd, "job-stdout");
	err_fd = open_output(err_fd, "job-stderr");
	is_reaper = prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
	if (!is_reaper && errno != EINVAL)
		bail("prctl: %s", strerror(errno));
	fflush(NULL);
	test = getpid();
	child = fork();
	if (child < 0)
		bail("fork: %s", strerror(errno));
	if (!child)
		become_job(test, body, nprocs ? nprocs : usual_nprocs());
	setpgid(child, child);	/* here and in the child: whichever is first */
	group = child;
	reap(child);
	read_output(out_fd, out_text);
	read_output(err_fd, err_text);
	remove_foreign_messages(err_text);
	if (launcher())
		keep_library_messages(err_text);
	print_checks();
	if (atomic_load(&results->bailed))
		bail("%s", results->reason);
}

/* ---- What jobs are expected to do ----------------------------------------- */

/* Print the first lines of the job's standard error as comments. */
static void diag_stderr(void)
{
	const char *line = err_text;
	int shown;

	diag("exit status %d, standard error:%s", job_status(), *line ? "" : " nothing");
	for (shown = 0; *line && shown < SHOWN; shown++) {
		size_t len = strcspn(line, "\n");

		diag("  %.*s", (int)len, line);
		line += len + (line[len] == '\n');
	}
}

/* Print the check for a job: passed if @complaint is NULL. */
__attribute__((format(printf, 4, 0)))
static bool judge(const char *file, int line, const char *complaint,
		  const char *format, va_list args)
{
	struct tap_note note = { .passed = !complaint };

	vsnprintf(note.what, sizeof note.what, format, args);
	tap_print(&note);
	if (complaint) {
		diag("%s:%d: %s", file, line, complaint);
		diag_stderr();
	}
	return !complaint;
}

/* Can this transport have a job of @nprocs? */
__attribute__((format(printf, 2, 0)))
static bool possible(int nprocs, const char *format, va_list args)
{
	char text[160];

	if (nprocs <= job_max_nprocs())
		return true;
	vsnprintf(text, sizeof text, format, args);
	not_applicable("%d processes over this transport: %s", nprocs, text);
	return false;
}

/* NULL, or which processes did not call tap_process(), or how many did in excess. */
static const char *miscounted(int nprocs)
{
	static char text[100];
	int i, all = 0;

	for (i = 0; i < PROCESSES; i++)
		all += atomic_load(&results->seen[i]);
	i = atomic_load(&results->joined);
	if (launcher() && i != (nprocs ? nprocs : usual_nprocs())) {
		snprintf(text, sizeof text, "the launcher started %d processes", i);
		return text;
	}
	for (i = 0; all && i < nprocs; i++) {
		if (atomic_load(&results->seen[i]))
			continue;
		snprintf(text, sizeof text, "process %d of %d was never seen", i, nprocs);
		return text;
	}
	if (!nprocs || all <= nprocs)
		return NULL;
	snprintf(text, sizeof text, "%d processes, wanted %d", all, nprocs);
	return text;
}

static const char *not_alive(int nprocs)
{
	if (WIFSIGNALED(status_of_job))
		return "killed by a signal";
	if (job_status())
		return "the exit status is not 0";
	return miscounted(nprocs);
}

bool tap_lives_ok(const char *file, int line, void (*body)(void), int nprocs,
		  const char *format, ...)
{
	va_list args;
	bool passed = true;

	va_start(args, format);
	if (possible(nprocs, format, args)) {
		va_end(args);
		job_run(body, nprocs);
		va_start(args, format);
		passed = judge(file, line, not_alive(nprocs), format, args);
	}
	va_end(args);
	return passed;
}

static bool names_site(void)
{
	unsigned int n = atomic_load(&results->places), i;

	for (i = 0; i < n && i < PLACES; i++)
		if (results->place[i][0] && strstr(err_text, results->place[i]))
			return true;
	return n == 0;
}

/* Does the list in brackets at the end of the message contain "@word @number"? */
static bool names_number(const char *word, int number)
{
	const char *list = strrchr(err_text, '(');
	char text[40];

	snprintf(text, sizeof text, "%s %d,", word, number);
	if (list && strstr(list, text))
		return true;
	snprintf(text, sizeof text, "%s %d)", word, number);
	return list && strstr(list, text);
}

static bool names_process(void)
{
	bool any = true;
	int i;

	for (i = 0; i < PROCESSES; i++) {
		if (!atomic_load(&results->expected_process[i]))
			continue;
		if (names_number("process", i))
			return true;
		any = false;
	}
	return any;
}

static const char *not_dead(const char *prefix)
{
	const char *end = strchr(err_text, '\n');
	int superstep = atomic_load(&results->superstep);

	if (WIFSIGNALED(status_of_job))
		return "killed by a signal";
	if (!job_status())
		return "the exit status is 0";
	if (!end || (end[1] && !job_launched()))	/* on several nodes one on each may speak */
		return "standard error is not exactly one line";
	if (strncmp(err_text, prefix, strlen(prefix)))
		return "the message does not begin as it should";
	if (!names_site())
		return "the message does not name the source line";
	if (!names_process())
		return "the message does not name the process";
	if (superstep >= 0 && !names_number("superstep", superstep))
		return "the message does not name the superstep";
	return NULL;
}

bool tap_dies_ok(const char *file, int line, void (*body)(void), int nprocs,
		 const char *prefix, const char *format, ...)
{
	va_list args;
	bool passed = true;

	va_start(args, format);
	if (possible(nprocs, format, args)) {
		const char *complaint;

		va_end(args);
		job_run(body, nprocs);
		va_start(args, format);
		complaint = not_dead(prefix);
		passed = judge(file, line, complaint, format, args);
		if (complaint)
			diag("wanted: %s", prefix);
	}
	va_end(args);
	return passed;
}

/* ---- Jobs that are forked here -------------------------------------------- */

static void (*procs_body)(int me, int nprocs);
static int procs_count;

/* The body of such a job: ends when all have ended, and all of them when one fails. */
static void fork_procs(void)
{
	pid_t parent = getpid();
	int i, status;

	for (i = 0; i < procs_count; i++) {
		pid_t child = fork();

		if (child < 0)
			bail("fork: %s", strerror(errno));
		if (child)
			continue;
		tap_end_with_parent(parent);
		tap_process(i);
		procs_body(i, procs_count);
		exit(EXIT_SUCCESS);
	}
	while (wait(&status) > 0) {
		if (!status)
			continue;
		fprintf(stderr, "a process ended with wait status 0x%x\n", (unsigned int)status);
		exit(EXIT_FAILURE);
	}
}

bool tap_procs_ok(const char *file, int line, void (*body)(int me, int nprocs),
		  int nprocs, const char *format, ...)
{
	va_list args;
	bool passed;

	procs_body = body;
	procs_count = nprocs;
	job_run(fork_procs, nprocs);
	va_start(args, format);
	passed = judge(file, line, not_alive(nprocs), format, args);
	va_end(args);
	return passed;
}
