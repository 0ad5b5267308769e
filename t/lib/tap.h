/* SPDX-License-Identifier: BSD-3-Clause */
/* tap.h - checks that speak TAP, and parallel jobs as things to be checked. */

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
 * processes of its own. Only the test itself prints. A check in a job is written
 * down in memory that the test shares with it, made before the job; when the
 * job is over the test prints one line for every check, however many processes
 * made it: ok if it passed on each of them, else not ok and which process saw what.
 * (A check in a loop, or with a different description on each process, gives a line
 * for each turn and each description.)
 *
 * While a job runs the test has no other children. Everything a job leaves
 * behind is inherited by the test, so that nothing can stay alive unseen.
 * A test that makes no progress for TAP_TIMEOUT seconds (60) bails out.
 */
#ifndef TAP_H
#define TAP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Memory and address space under sanitizers are not ours to measure. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The frame of a test ------------------------------------------------- */

/* Optional: @n lines are to come. Without it done_testing() prints the plan. */
void plan(int n);

/*
 * Nothing can be tested here, because of the reason given: prints that and exits. It begins with
 * "not applicable: " if that is as it should be.
 */
__attribute__((noreturn, format(printf, 1, 2)))
void skip_all(const char *format, ...);

/* Going on makes no sense: prints "Bail out!" and exits; also in a job. */
__attribute__((noreturn, format(printf, 1, 2)))
void bail(const char *format, ...);

/* A line for the human reader; that of a job appears when the job is over. */
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
 * A check that means nothing here, as one of many processes over a transport that has one: a
 * comment, and no check. A test that has made no other ends with the plan "1..0 # SKIP not
 * applicable: " and the first such text, and counts for nothing in check.sh.
 */
__attribute__((format(printf, 1, 2)))
void not_applicable(const char *format, ...);

/*
 * One line "ok # SKIP description" for a check that cannot be made here. For want of a program
 * or of a library the text ends with "no NAME here".
 */
#define skip(...) tap_skip(__FILE__, __LINE__, __VA_ARGS__)

/* ---- Jobs ---------------------------------------------------------------- */

/*
 * @nprocs: BSP_NPROCS of the job. A positive number is meant exactly: the line is
 * missing if the transport in BSP_TRANSPORT cannot have so many. 0: as many as it
 * can, at most four; the body asks bsp_nprocs().
 * Returning from the body is returning 0 from main().
 */

/* The job ends with status 0, each of its processes has been seen, nothing stays alive. */
#define lives_ok(body, nprocs, ...) \
	tap_lives_ok(__FILE__, __LINE__, body, nprocs, __VA_ARGS__)

/*
 * The job exits with a status that is not 0 (a signal is no exit), has written
 * exactly one line to standard error, which starts with @prefix and has what
 * the body asked for by expect_...(); nothing stays alive.
 */
#define dies_ok(body, nprocs, prefix, ...) \
	tap_dies_ok(__FILE__, __LINE__, body, nprocs, prefix, __VA_ARGS__)

/* No line of its own: runs the job, prints its checks, and leaves the rest to job_...(). */
void job_run(void (*body)(void), int nprocs);

/*
 * For tests below bsp_begin(): a job of @nprocs processes that are forked and
 * call body(me, nprocs); the rest is as in lives_ok().
 */
#define procs_ok(body, nprocs, ...) \
	tap_procs_ok(__FILE__, __LINE__, body, nprocs, __VA_ARGS__)

/* Of the last job: what a shell would call $?, and what it wrote. */
int job_status(void);
const char *job_out(void);
const char *job_err(void);

/* How many processes a job can have over this transport: 1, or many. */
int job_max_nprocs(void);

/* Do the libraries of others carry what is sent, so that not all that happens is ours? */
bool job_networked(void);

/*
 * Does a launcher start the processes of jobs (BSP_TEST_LAUNCHER)? Then they are no forks of the
 * test.
 */
bool job_launched(void);

/* Memory that is to be had, in MiB. */
long available_mib(void);

/* ---- In a body ----------------------------------------------------------- */

/* This is process @pid: from here on its checks say so. Right after bsp_begin(). */
void tap_process(int pid);

/*
 * First in a process that @parent forked: ends with it, also if @parent has ended already.
 * Without the second half a child that gets the processor late would be left for ever.
 */
void tap_end_with_parent(pid_t parent);

/*
 * What the message of dies_ok() has to name. Several processes may ask for
 * different things: then one of them will do.
 * expect_site() is this line: expect_site(), bsp_put(...);
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
