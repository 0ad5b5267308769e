/* SPDX-License-Identifier: BSD-3-Clause */
/* tap.h - checks that print TAP, and checks of whole parallel jobs. */

/*
 * A test is a program:
 *
 *	static void body(void)
 *	{
 *		bsp_begin(bsp_nprocs());
 *		tap_process(bsp_pid());
 *		is_int(3, bsp_nprocs(), "asked for three, got three");
 *		bsp_end();
 *	}
 *
 *	static void outsider(void)
 *	{
 *		int x = 0;
 *
 *		bsp_begin(bsp_nprocs());
 *		expect_site(), bsp_put(7, &x, &x, 0, sizeof x);
 *		bsp_end();
 *	}
 *
 *	int main(void)
 *	{
 *		lives_ok(body, 3, "a job of three ends well");
 *		dies_ok(outsider, 2, "bsp_put: process 7 does not exist",
 *			"a put to a missing process ends the job");
 *		return done_testing();
 *	}
 *
 * bsp_begin() never returns to the process that calls it first, so a program
 * under test is a body that runs as a job: in a child of the test, with
 * processes of its own. Only the test itself prints. A process of a job records
 * its checks in memory that the test maps before it starts the job. When the job
 * is over the test prints one line for each check, however many processes made
 * it: ok if it passed on each of them, else not ok and the value that each process saw.
 * (A check in a loop, or with a different description on each process, gives a line
 * for each iteration and each description.)
 *
 * While a job runs the test has no other children. The test is the reaper of all
 * that a job leaves behind, so no process of a job outlives it unnoticed.
 * A test that makes no progress for tap_limit(60) seconds bails out.
 */
#ifndef TAP_H
#define TAP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* With a sanitizer, memory and address space in use are not the library's: do not check them. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The frame of a test ------------------------------------------------- */

/* Optional: the test makes @n checks. Without it done_testing() prints the plan. */
void plan(int n);

/*
 * Nothing can be tested here: prints the reason and exits. The reason begins with
 * "not applicable: " if the test makes no sense here, and is "no NAME here" if NAME is missing.
 */
__attribute__((noreturn, format(printf, 1, 2)))
void skip_all(const char *format, ...);

/* The test cannot go on: prints "Bail out!" and exits; also in a job. */
__attribute__((noreturn, format(printf, 1, 2)))
void bail(const char *format, ...);

/* Prints a comment; one of a job appears when the job is over. */
__attribute__((format(printf, 1, 2)))
void diag(const char *format, ...);

/* The last statement: return done_testing(); 0 if all that was planned passed. */
int done_testing(void);

/* ---- Checks: each is one line of TAP, the description is a printf format --- */

#define ok(condition, ...) \
	tap_ok(__FILE__, __LINE__, !!(condition), #condition, __VA_ARGS__)
#define is_int(wanted, seen, ...) \
	tap_is_int(__FILE__, __LINE__, wanted, seen, __VA_ARGS__)
#define is_str(wanted, seen, ...) \
	tap_is_str(__FILE__, __LINE__, wanted, seen, __VA_ARGS__)
#define is_blob(wanted, seen, len, ...) \
	tap_is_blob(__FILE__, __LINE__, wanted, seen, len, __VA_ARGS__)
#define is_near(wanted, seen, tolerance, ...) \
	tap_is_near(__FILE__, __LINE__, wanted, seen, tolerance, __VA_ARGS__)

/*
 * For a check that makes no sense here, such as one of many processes over a transport that has
 * one: prints a comment and counts no check. A test without any other check ends with the plan
 * "1..0 # SKIP not applicable: " and the first such text, and check.sh does not count it.
 */
__attribute__((format(printf, 1, 2)))
void not_applicable(const char *format, ...);

/*
 * One line "ok # SKIP description" for a check that cannot be made here. Where a program or a
 * library is missing the text ends with "no NAME here".
 */
#define skip(...) tap_skip(__FILE__, __LINE__, __VA_ARGS__)

/* ---- Jobs ---------------------------------------------------------------- */

/*
 * @nprocs: BSP_NPROCS of the job. A positive number is exact: the check is not made
 * if the transport in BSP_TRANSPORT cannot have that many. 0: as many as it
 * can, at most four; the body calls bsp_nprocs().
 * A return from the body is a return of 0 from main().
 */

/* The job ends with status 0, each process has called tap_process(), none stays alive. */
#define lives_ok(body, nprocs, ...) \
	tap_lives_ok(__FILE__, __LINE__, body, nprocs, __VA_ARGS__)

/*
 * The job exits with a status that is not 0 (a signal is no exit), has written
 * exactly one line to standard error, which starts with @prefix and contains what
 * the body requires by expect_...(); no process stays alive.
 */
#define dies_ok(body, nprocs, prefix, ...) \
	tap_dies_ok(__FILE__, __LINE__, body, nprocs, prefix, __VA_ARGS__)

/* Runs the job and prints its checks; the test checks how it ended with job_...(). */
void job_run(void (*body)(void), int nprocs);

/*
 * For tests below bsp_begin(): a job of @nprocs processes that are forked and
 * call body(me, nprocs); the rest is as in lives_ok().
 */
#define procs_ok(body, nprocs, ...) \
	tap_procs_ok(__FILE__, __LINE__, body, nprocs, __VA_ARGS__)

/* The status of the last job, as $? of a shell, and its standard output and error. */
int job_status(void);
const char *job_out(void);
const char *job_err(void);

/* The largest number of processes of a job over this transport: 1, or many. */
int job_max_nprocs(void);

/* Does another project's library carry the messages, such as libfabric or MPI? */
bool job_networked(void);

/*
 * Does a launcher start the processes of jobs (BSP_TEST_LAUNCHER)? Then they are no children of
 * the test.
 */
bool job_launched(void);

/*
 * A limit that only catches what hangs: no claim of a test may depend on it. @seconds, ten times
 * what it takes on a quiet machine or more, times TAP_TIMEOUT / 60 (60 if it is not set), times
 * the number of tasks for each processor in the last minute (/proc/loadavg), plus one.
 */
int tap_limit(int seconds);

/*
 * @seconds times the tasks for each processor in the last minute, plus one: for a setting of the
 * library after which a test expects a message, such as BSP_WATCHDOG; as scaled() of tap.sh. Such a
 * time is waited for, so it is 20 times as long at most.
 */
int tap_scaled(int seconds);

/* Set the environment variable @name, such as BSP_WATCHDOG, to tap_limit(@seconds). */
void tap_set_limit(const char *name, int seconds);

/* Is this the long form of all tests (TAP_LONG)? Then more sizes, rounds and programs are tried. */
bool tap_is_long(void);

/* Memory that the system has available, in MiB. */
long available_mib(void);

/* ---- In a body ----------------------------------------------------------- */

/* This is process @pid; its checks are recorded with that number. Right after bsp_begin(). */
void tap_process(int pid);

/*
 * The first call in a process that @parent forked: the process is killed when @parent ends, and
 * exits if @parent has ended already, of which the kernel would not notify it.
 */
void tap_end_with_parent(pid_t parent);

/*
 * The message of dies_ok() has to name these. Where several processes expect
 * different things the message has to name one of them.
 * expect_site() expects the call site of its own line: expect_site(), bsp_put(...);
 */
#define expect_site() tap_expect_site(__FILE__, __LINE__)
void expect_process(int pid);
void expect_superstep(int superstep);

/* ---- What the macros call ------------------------------------------------ */

__attribute__((format(printf, 5, 6)))
bool tap_ok(const char *file, int line, bool passed, const char *condition,
	    const char *format, ...);
__attribute__((format(printf, 5, 6)))
bool tap_is_int(const char *file, int line, long long wanted, long long seen,
		const char *format, ...);
__attribute__((format(printf, 5, 6)))
bool tap_is_str(const char *file, int line, const char *wanted, const char *seen,
		const char *format, ...);
__attribute__((format(printf, 6, 7)))
bool tap_is_blob(const char *file, int line, const void *wanted, const void *seen,
		 size_t len, const char *format, ...);
__attribute__((format(printf, 6, 7)))
bool tap_is_near(const char *file, int line, double wanted, double seen,
		 double tolerance, const char *format, ...);
__attribute__((format(printf, 3, 4)))
void tap_skip(const char *file, int line, const char *format, ...);
__attribute__((format(printf, 5, 6)))
bool tap_lives_ok(const char *file, int line, void (*body)(void), int nprocs,
		  const char *format, ...);
__attribute__((format(printf, 6, 7)))
bool tap_dies_ok(const char *file, int line, void (*body)(void), int nprocs,
		 const char *prefix, const char *format, ...);
__attribute__((format(printf, 5, 6)))
bool tap_procs_ok(const char *file, int line, void (*body)(int me, int nprocs),
		  int nprocs, const char *format, ...);
void tap_expect_site(const char *file, int line);

#ifdef __cplusplus
}
#endif

#endif
