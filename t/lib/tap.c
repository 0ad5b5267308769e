/* SPDX-License-Identifier: BSD-3-Clause */
/* tap.c - checks and their lines of TAP. */

#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* State of the test itself; processes of a job have a copy that they do not use. */
static struct {
	pid_t self;		/* the one process that may print; 0 before the first call */
	time_t progress;	/* second of the last progress */
	int planned;		/* -1: no plan yet */
	int made;
	int failed;
	char inapplicable[200];	/* text of the first not_applicable(); "": there was none */
} frame = { .planned = -1 };

/* ---- Limits --------------------------------------------------------------- */

enum { USUAL_TIMEOUT = 60, SCALED_MOST = 20 };

static int timeout_setting(void)
{
	const char *text = getenv("TAP_TIMEOUT");
	int seconds = text ? atoi(text) : 0;

	return seconds > 0 ? seconds : USUAL_TIMEOUT;
}

bool tap_is_long(void)
{
	const char *text = getenv("TAP_LONG");

	return text && *text;
}

/* The load of the last minute, without its fraction. Context: also a signal handler. */
static long load(void)
{
	const char *name = getenv("TAP_LOADAVG");
	int fd = open(name ? name : "/proc/loadavg", O_RDONLY | O_CLOEXEC);
	char text[16] = "";
	long tasks = 0;

	if (fd < 0)
		return 0;
	if (read(fd, text, sizeof text - 1) > 0)
		for (const char *digit = text; *digit >= '0' && *digit <= '9'; digit++)
			tasks = 10 * tasks + *digit - '0';
	close(fd);
	return tasks;
}

/* The tasks for each processor, plus one. */
static long times_as_long(void)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	return 1 + load() / (processors < 1 ? 1 : processors);
}

int tap_limit(int seconds)
{
	long set = (long)seconds * timeout_setting() / USUAL_TIMEOUT;

	return (int)(set > 0 ? set : 1) * (int)times_as_long();
}

int tap_scaled(int seconds)
{
	long times = times_as_long();

	return seconds * (int)(times < SCALED_MOST ? times : SCALED_MOST);
}

void tap_set_limit(const char *name, int seconds)
{
	char text[16];

	snprintf(text, sizeof text, "%d", tap_limit(seconds));
	setenv(name, text, 1);
}

static time_t now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/*
 * The load may have grown since the limit was set: then the test has more time.
 * Context: signal handler. Only system calls from here on.
 */
static void hang(int signal_number)
{
	static const char text[] = "Bail out! no progress within the limit (TAP_TIMEOUT)\n";
	int saved = errno;
	time_t left = tap_limit(USUAL_TIMEOUT) - (now_seconds() - frame.progress);
	ssize_t written;

	(void)signal_number;
	if (left > 0) {
		alarm((unsigned int)left);
		errno = saved;
		return;
	}
	job_kill();
	written = write(STDOUT_FILENO, text, sizeof text - 1);
	_exit(written < 0 ? 2 : 1);
}

void tap_progress(void)
{
	if (!frame.self) {
		struct sigaction action = { .sa_handler = hang, .sa_flags = SA_RESTART };

		frame.self = getpid();
		setvbuf(stdout, NULL, _IOLBF, 0);
		sigaction(SIGALRM, &action, NULL);
	}
	if (frame.self != getpid())
		bail("a check in a process that is neither the test nor of a job");
	frame.progress = now_seconds();
	alarm((unsigned int)tap_limit(USUAL_TIMEOUT));
}

/* ---- Checks --------------------------------------------------------------- */

void plan(int n)
{
	tap_progress();
	frame.planned = n;
	printf("1..%d\n", n);
}

void skip_all(const char *format, ...)
{
	va_list args;

	tap_progress();
	printf("1..0 # SKIP ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	exit(EXIT_SUCCESS);
}

void bail(const char *format, ...)
{
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (job_inside())
		job_bail(text);
	printf("Bail out! %s\n", text);
	fflush(stdout);
	_exit(EXIT_FAILURE);
}

void not_applicable(const char *format, ...)
{
	char text[sizeof frame.inapplicable];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	diag("not applicable: %s", text);
	if (!*frame.inapplicable)
		memcpy(frame.inapplicable, text, sizeof text);
}

int done_testing(void)
{
	tap_progress();
	if (frame.planned < 0 && !frame.made && *frame.inapplicable)
		skip_all("not applicable: %s", frame.inapplicable);
	if (frame.planned < 0) {
		frame.planned = frame.made;
		printf("1..%d\n", frame.planned);
	}
	if (frame.planned != frame.made)
		diag("planned %d checks, made %d", frame.planned, frame.made);
	if (frame.failed)
		diag("%d of %d checks failed", frame.failed, frame.made);
	return frame.failed || frame.planned != frame.made || !frame.made;
}

/* A description is one line, and has no '#', which would begin a directive. */
static void print_plain(const char *text)
{
	for (; *text; text++)
		putchar(*text == '\n' ? ' ' : *text == '#' ? '.' : *text);
}

void tap_print(const struct tap_note *note)
{
	tap_progress();
	if (note->kind == TAP_DIAG) {
		printf("# %s\n", note->what);
		return;
	}
	frame.made++;
	frame.failed += !note->passed;
	printf("%sok %d %s ", note->passed ? "" : "not ", frame.made,
	       note->kind == TAP_SKIPPED ? "# SKIP" : "-");
	print_plain(note->what);
	printf("\n");
}

void diag(const char *format, ...)
{
	struct tap_note note = { .kind = TAP_DIAG, .passed = true };
	va_list args;

	va_start(args, format);
	vsnprintf(note.what, sizeof note.what, format, args);
	va_end(args);
	if (job_inside())
		job_note(&note);
	else
		tap_print(&note);
}

/* Complete @note with its description; print it, or record it in a job. */
__attribute__((format(printf, 2, 0)))
static bool conclude(struct tap_note *note, const char *format, va_list args)
{
	vsnprintf(note->what, sizeof note->what, format, args);
	if (job_inside()) {
		job_note(note);
		return note->passed;
	}
	tap_print(note);
	if (!note->passed)
		diag("%s:%d: %s", note->file, note->line, note->saw);
	return note->passed;
}

bool tap_ok(const char *file, int line, bool passed, const char *condition,
	    const char *format, ...)
{
	struct tap_note note = { .file = file, .line = line, .passed = passed };
	va_list args;

	snprintf(note.saw, sizeof note.saw, "not true: %s", condition);
	va_start(args, format);
	conclude(&note, format, args);
	va_end(args);
	return passed;
}

bool tap_is_int(const char *file, int line, long long wanted, long long seen,
		const char *format, ...)
{
	struct tap_note note = { .file = file, .line = line, .passed = wanted == seen };
	va_list args;

	snprintf(note.saw, sizeof note.saw, "wanted %lld, seen %lld", wanted, seen);
	va_start(args, format);
	conclude(&note, format, args);
	va_end(args);
	return note.passed;
}

bool tap_is_str(const char *file, int line, const char *wanted, const char *seen,
		const char *format, ...)
{
	struct tap_note note = { .file = file, .line = line };
	va_list args;

	note.passed = wanted && seen ? !strcmp(wanted, seen) : wanted == seen;
	snprintf(note.saw, sizeof note.saw, "wanted \"%.100s\", seen \"%.100s\"",
		 wanted ? wanted : "(NULL)", seen ? seen : "(NULL)");
	va_start(args, format);
	conclude(&note, format, args);
	va_end(args);
	return note.passed;
}

bool tap_is_blob(const char *file, int line, const void *wanted, const void *seen,
		 size_t len, const char *format, ...)
{
	struct tap_note note = { .file = file, .line = line };
	const unsigned char *a = wanted, *b = seen;
	va_list args;
	size_t i;

	for (i = 0; i < len && a[i] == b[i]; i++)
		continue;
	note.passed = i == len;
	if (!note.passed)
		snprintf(note.saw, sizeof note.saw,
			 "first difference at byte %zu of %zu: wanted 0x%02x, seen 0x%02x",
			 i, len, a[i], b[i]);
	va_start(args, format);
	conclude(&note, format, args);
	va_end(args);
	return note.passed;
}

bool tap_is_near(const char *file, int line, double wanted, double seen,
		 double tolerance, const char *format, ...)
{
	struct tap_note note = { .file = file, .line = line };
	va_list args;

	note.passed = fabs(wanted - seen) <= tolerance;	/* false for a NaN */
	snprintf(note.saw, sizeof note.saw, "wanted %.17g within %g, seen %.17g",
		 wanted, tolerance, seen);
	va_start(args, format);
	conclude(&note, format, args);
	va_end(args);
	return note.passed;
}

void tap_skip(const char *file, int line, const char *format, ...)
{
	struct tap_note note = { .kind = TAP_SKIPPED, .passed = true };
	va_list args;

	note.file = file;
	note.line = line;
	va_start(args, format);
	conclude(&note, format, args);
	va_end(args);
}

/*
 * LeakSanitizer calls this, if it is linked: memory that libraries of networks do not free.
 */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libfabric.so\nleak:libpsm\nleak:libinfinipath\n"
	       "leak:libpmix.so\nleak:libmpi.so\nleak:libopen-";
}
