/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h - how the processes of a job start, find each other, and are supervised. */

/*
 * On one machine: the process that calls bspj_start() becomes the supervisor. It forks the
 * processes of the job, waits for them, and ends with their status; it never returns. The call
 * returns in the processes. So the processes are children of the supervisor alone, and wait() in
 * a program finds only children of the program.
 *
 * When a process dies, the supervisor notices at once, reports it and ends the others; if it dies
 * itself, the kernel kills them all (launch/start.c: bspj_follow). All state is in shared memory
 * without a name and is freed with the last of them.
 *
 * Or a launcher has started the processes (mpirun, srun, prterun), on one machine or on many.
 * Then each exists before it calls bspj_join(), only the launcher supervises them, and they watch
 * each other by the lifeline: a process that loses it ends.
 */
#ifndef BSPJ_JOB_H
#define BSPJ_JOB_H

#include "transport/transport.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * A call site, as programs hand it over (include/bsp_site.h): the address of a text
 * "file:line"; or, with its top bit set, of a struct bspj_source in the program, or of the name
 * of a file, with its line in bits 48 to 62, or, odd and without a line, of the instruction that
 * calls. All of these lie in the program, so that a site is equally far from them in processes that
 * run the same one.
 *
 * Or, from languages whose lines are at no address of the program, a number made of the name of the
 * file and the line, 2 in its top three bits: it is the same in all processes, wherever they have
 * the name, and none of them is to take it for an address.
 */
struct bspj_source {
	const char *file, *function;
	unsigned int line, column;
};

enum {
	BSPJ_SITE_LINE_SHIFT = 48, BSPJ_SITE_LINE_MOST = 0x7fff,
	BSPJ_SITE_NUMBER_SHIFT = 61, BSPJ_SITE_IS_NUMBER = 2,
};

static inline bool bspj_site_is_number(const char *site)
{
	return (uintptr_t)site >> BSPJ_SITE_NUMBER_SHIFT == BSPJ_SITE_IS_NUMBER;
}

static inline bool bspj_site_is_text(const char *site)
{
	return (intptr_t)site >= 0 && !bspj_site_is_number(site);
}

static inline const void *bspj_site_address(const char *site)
{
	return (const void *)((uintptr_t)site & (((uintptr_t)1 << BSPJ_SITE_LINE_SHIFT) - 1));
}

/* 0: it is in a struct bspj_source, or that of an instruction. */
static inline unsigned int bspj_site_line(const char *site)
{
	return (uintptr_t)site >> BSPJ_SITE_LINE_SHIFT & BSPJ_SITE_LINE_MOST;
}

static inline bool bspj_site_is_code(const char *site)
{
	return (intptr_t)site < 0 && !bspj_site_line(site) && (uintptr_t)site & 1;
}

/* Finds the line of an instruction; 1 if it is known. */
typedef int bspj_source_finder(const void *code, const char **file, unsigned int *line);
void bspj_find_sources_by(bspj_source_finder *finder);

/* The line of an instruction, or the object that it is in, with its place there and no line. */
struct bspj_source bspj_source_of_code(const void *code);

/* Names of files are cut to this where other processes read them. */
enum { BSPJ_FILES = 48, BSPJ_FILE_NAME = 240 };

/* A file of sites that are numbers. The process that has claimed the row writes it, once. */
struct bspj_file {
	_Atomic uint64_t claimed;	/* the number of the file; 0: free */
	_Atomic bool written;		/* the name may be read */
	char name[BSPJ_FILE_NAME];
};

struct bspj_status_table;

/*
 * The number of a line; the name of the file is copied. NULL, an unknown site, without memory.
 * By one thread of a process.
 */
const char *bspj_site_of_line(const char *file, unsigned int line);
/*
 * The line that a number stands for. False: neither has this process named the file, nor one of
 * those of @table (NULL: that of bspj_share_files()).
 */
bool bspj_source_of_number(const struct bspj_status_table *table, const char *site,
			   struct bspj_source *source);
/* Others find the names of this process in @table from now on. */
void bspj_share_files(struct bspj_status_table *table);

enum bspj_state {
	BSPJ_STARTING,
	BSPJ_COMPUTING,
	BSPJ_SYNCING,		/* in the call at status.site, which ends a step */
	BSPJ_READING,		/* waiting for what status.waits_for says */
	BSPJ_ENDING,		/* in the call at status.site, which ends all */
	BSPJ_ENDED,		/* has left that */
	BSPJ_STATES
};

/*
 * The number of a wait of a process that is not reading, which has two numbers of its own. The
 * library numbers its waits and has words for them; two have a meaning here.
 */
enum {
	BSPJ_AWAITS_NOTHING,
	BSPJ_AWAITS_BARRIER,	/* that a counting barrier ends, by no chunk: deadlock.c */
	BSPJ_AWAITS_SHIFT = 8,
};

/*
 * The library's words, for messages: this layer knows neither its calls nor what a step is. All
 * are static.
 */
struct bspj_words {
	const char *begin, *end;	/* the calls between which a process is one of the job */
	const char *step;		/* what status.step counts, a noun */
	const char *doing[BSPJ_STATES];	/* "in such a call" */
	/* of each wait, with formats for two numbers; some take one, some none; NULL: none */
	const char *const *waits;
	size_t nwaits;
};

/*
 * A finding: something that processes find wrong while the job goes on. It is printed once, with
 * the processes that it happened on, however the job ends (findings.c). When it ends well process
 * 0 prints it and clears the table; a supervisor prints what is still in the table when all its
 * processes have ended.
 */
enum {
	BSPJ_FINDINGS = 100, BSPJ_FINDING_WORDS = (BSPJ_FINDINGS + 63) / 64,
	BSPJ_FINDING_TEXT = 1700, BSPJ_FINDING_SITE = 304,
	BSPJ_FINDING_LINE = BSPJ_FINDING_TEXT + BSPJ_FINDING_SITE + 400,
};

/* As one process found it. */
struct bspj_finding {
	int32_t process;		/* it happened on, which another may have found */
	uint32_t step;
	char text[BSPJ_FINDING_TEXT];	/* "CALL: what is wrong" */
	char site[BSPJ_FINDING_SITE];	/* of the call; "": not known */
};

struct bspj_finding_row {
	_Atomic uint64_t key;		/* of the same finding on all processes; 0: free */
	_Atomic uint64_t first;		/* the least step and process of those found; 0: none */
	_Atomic uint64_t times;
	_Atomic bool written;		/* what follows may be read */
	struct bspj_finding found;
};

/*
 * Where a process is. Written by it, read by the supervisor for its messages;
 * relaxed, because a message may be a moment late. The places are call sites in what all
 * have inherited, or NULL.
 */
struct bspj_status {
	_Alignas(64) _Atomic uint32_t step;
	_Atomic uint32_t state;		/* enum bspj_state, and above that a wait */
	const char *_Atomic site;	/* of the call that ended the last step, or ends this one */
	/* in its program; 0: the program lies where it does in all processes */
	_Atomic uintptr_t site_base;
	_Atomic uint32_t awaited[2];	/* the numbers of what it awaits */
	_Atomic int32_t pid;		/* of a process of a later SPMD part; for the supervisor */
	_Atomic int os_pid;		/* for bspj_peek(); 0: not known */
	_Atomic uint32_t areas_turn;	/* odd while what is at @areas changes */
	_Atomic uintptr_t areas;	/* in its memory: what is registered */
	/*
	 * lifeline/deadlock.h. Odd: it waits for chunks and has found none; in this epoch (twice
	 * its number, and BSPJ_OUTSIDE_SYNC), after so many sent and received
	 */
	_Atomic uint32_t turn, epoch;
	_Atomic uint64_t sent, received;
	char waits_for[256];		/* with BSPJ_READING, in words; may be torn */
	_Atomic uint64_t found[BSPJ_FINDING_WORDS];	/* a bit for each finding: on it */
};

static inline enum bspj_state bspj_state_of(const struct bspj_status *status)
{
	return atomic_load(&status->state) & ((1 << BSPJ_AWAITS_SHIFT) - 1);
}

/* Let the processes of this node read the memory of this one. */
void bspj_peek_allow(struct bspj_status *own);
/*
 * Read @n bytes at @remote in the process of the status, which is of this node. 0 or a negative
 * errno.
 */
int bspj_peek(const struct bspj_status *status, const void *remote, void *local, size_t n);

enum { BSPJ_OUTSIDE_SYNC = 1 };

enum { BSPJ_MESSAGE_MOST = 2048 };

/* Has the failed_rank left its message to others? */
enum bspj_unsaid { BSPJ_SAID, BSPJ_UNSAID, BSPJ_SAID_BY_ANOTHER };

enum bspj_listing { BSPJ_NOT_LISTED, BSPJ_IS_LISTED, BSPJ_LISTED };

/* The table that processes of a node share with each other, and with their supervisor. */
struct bspj_status_table {
	_Atomic int failed_rank;		/* process that reported an error + 1; 0: none */
	/*
	 * of a later SPMD part: 1: the supervisor knows its processes; a negative errno: it
	 * failed
	 */
	_Atomic int go;
	_Atomic int unsaid;		/* enum bspj_unsaid */
	/*
	 * Launched, of this node, at each look: all progress, for how long it has been the same,
	 * and when that look was; 0: not yet.
	 */
	_Atomic uint64_t progress, still_ns, looked_ns;
	_Atomic int listing;		/* enum bspj_listing */
	char message[BSPJ_MESSAGE_MOST];/* of the failed_rank, if it could not write it */
	struct bspj_file file[BSPJ_FILES];	/* named in call sites of processes: line.c */
	struct bspj_finding_row finding[BSPJ_FINDINGS];
	struct bspj_status rank[];
};

enum bspj_bind {
	BSPJ_BIND_NOT,
	BSPJ_BIND_CORE,		/* each process to a core, if there are enough */
	BSPJ_BIND_SHARE,	/* to as many as there are for each, neighbours */
	BSPJ_BIND_CACHE,	/* to the cores of a shared cache, of a NUMA node, of a socket */
	BSPJ_BIND_NUMA,
	BSPJ_BIND_SOCKET,
};

struct bspj_binding;

enum { BSPJ_COMMON = 2048 };	/* bytes, with the 0 at its end */

struct bspj_start {
	const struct bspj_words *words;
	int nprocs;
	/* launched: as many as process 0 asks for, instead of nprocs */
	bool follows;
	enum bspj_bind bind;
	/* bind is no wish of the user: leave out what other jobs have, and what a launcher does */
	bool bind_auto;
	int threads;			/* that each process is to have a processor for, or 0 */
	bool tag_output;
	bool supervise;			/* also a single process */
	/* the first process that did not end well, and how; called by the supervisor; or NULL */
	void (*on_failure)(int process, const char *what);
	double watchdog_s;		/* 0: none */
	double warn_s;			/* without progress: a warning, again after twice as long */
	/* launched: a node that is silent for so long is lost; 0: no lifeline, and no watchdog */
	double lifeline_s;
	int node_size;			/* take so many processes as a node; 0: as it is */
	int nodes;			/* make so many nodes of this machine; 0 or 1: do not */
	/*
	 * with nodes: load what every process would load for itself. Called once, by the process
	 * of which all others are copies, with the number of processes; or NULL
	 */
	void (*load)(int nprocs);
	struct bspj_binding *binding;	/* with nodes: where all processes run; NULL: anywhere */
	/* name of the job whose parts are to find each other; "": this is all of it */
	const char *discover;
	const char *part;		/* then the processes of this part, "0-3" or "2" */
	const char *interfaces;		/* where they look, with commas; "": everywhere */
	const char *networks;		/* launched: of the lifeline, as in transport/interface.h */
	const char *ports;		/* the same, as in transport/ports.h */
	/* and for how long; launched: how long they wait for each other, 0 for ever */
	double timeout_s;
	struct bspj_parts *parts;	/* the others, once they are found; NULL: none */
	/*
	 * launched: a text in BSPJ_COMMON bytes that is to be the same on all. After bspj_connect()
	 * it is that of process 0; NULL: there is none
	 */
	char *common;
};

/* The socket by which process 0 asks the supervisor, and a proof that it is still that socket. */
struct bspj_control {
	int fd;			/* -1: none */
	dev_t dev;
	ino_t ino;
};

/* The job of a process. */
struct bspj_job {
	const struct bspj_words *words;	/* after bspj_join() */
	const char *ports;		/* of struct bspj_start, for launch->join() */
	int me;
	int nprocs;
	bool supervised;		/* by our own supervisor */
	bool launched;			/* by a launcher */
	double leave_s;			/* for launch->leave() */
	struct bspj_status_table *table;
	/* launched as a single process, it may still start others itself */
	bool may_fork;
	struct bspt_wire *wire;
	const struct bspj_launch *launch;	/* if launched */
	const struct bspj_members *members;	/* if launched, after bspj_connect() */
	struct bspj_lifeline *lifeline;		/* NULL: none */
	struct bspj_control control;		/* of process 0, if supervised */
};

/*
 * Services of a launcher for the processes that it has started. Found in a plugin
 * (transport/plugin.c), as the library is not to depend on all there are: pmix.c, and transport/mpi
 * for those that only an MPI can talk to, or a program that has initialised MPI itself.
 */
struct bspj_launch {
	const char *name;
	/* it watches over the processes itself, so that they need no lifeline */
	bool supervises;
	/* all its processes are on this machine, however many nodes it says there are */
	bool one_machine;

	/*
	 * 0: this process is *@me of *@nprocs. A negative errno and the reason, with what the
	 * user can do, in @why. Sockets that wait for other nodes are at @ports.
	 */
	int (*join)(const struct bspj_words *words, const char *ports, int *me, int *nprocs,
		    char *why, size_t len);

	/* Has process 0 joined? Waits for it as exchange() does. NULL: all have when one has. */
	int (*await_first)(double timeout_s);

	/*
	 * The number of the node of each process, 0 and up in the order of their first
	 * processes.
	 */
	int (*nodes)(int *node, int nprocs);

	/*
	 * By processes 0 to @n - 1, each with @len bytes, at most BSPT_EXCHANGE_MOST; @take as
	 * struct bspt_wire has it. Returns when all have called, or with -ETIMEDOUT if they have
	 * not after @timeout_s seconds and this launcher can give up; 0: never. 0 or a negative
	 * errno.
	 */
	int (*exchange)(const void *mine, size_t len, bspt_take_fn *take, void *arg, int n,
			double timeout_s);

	/*
	 * The same by processes 0 to @nprocs - 1, of which those @of alone, @n of them, give
	 * something: each @mine, with as many bytes as @len has at its place. They are given what
	 * all of them have by @take. The others have NULL for @mine. NULL: this launcher has only
	 * exchange().
	 */
	int (*exchange_pieces)(const int *of, const size_t *len, int n, const void *mine,
			       bspt_take_fn *take, void *arg, int nprocs, double timeout_s);

	/*
	 * By processes 0 to @n - 1. Returns when all have called, and calls meanwhile(@arg)
	 * again and again until then. NULL: this launcher has only exchange().
	 */
	int (*meet)(int n, void (*meanwhile)(void *arg), void *arg);

	/*
	 * A loss of the launcher itself is to be reported only if @may_report() says so, which is
	 * called by any thread, once. NULL: this launcher reports no loss.
	 */
	void (*watch)(bool (*may_report)(void));

	/* May this process report an error, one for all nodes? NULL: one for each. */
	bool (*claim_fault)(int me);

	/*
	 * This process needs the launcher no more; others may. It waits for them for at most
	 * @timeout_s if this launcher can give up; 0: for ever.
	 */
	void (*leave)(double timeout_s);

	/* End the job, all of it, with @status. */
	__attribute__((noreturn)) void (*abort)(int status);
};

/* Processors with which the program was started, or whose time its container may use. */
int bspj_processors(void);
/* The same without a look at the container. */
int bspj_processors_counted(void);
/* The same for all processes of this node, if a launcher may have bound this one to a part. */
int bspj_processors_of_node(void);
/*
 * If @list begins with a digit it is a list of processors, as "0-3,8": the program may use these
 * and no others from now on. 0, or -EINVAL: it may not use some of them, or there cannot be such
 * processors, as @why says.
 */
int bspj_processors_restrict(const char *list, char *why, size_t len);

/*
 * Start the processes. Returns 0 in each of them, with @job filled in but for its wire; in the
 * original process only on failure: a negative errno, and nothing is left.
 *
 * Process 0 may call it again when its part is over, with the same @job: it stays process 0, and
 * the others are new, copies of it.
 */
int bspj_start(const struct bspj_start *how, struct bspj_job *job);

/* ---- Started by a launcher: launched.c ------------------------------------ */

/*
 * Has a launcher started this process? 1: it has, and @job has our number and how many there are;
 * 0: it has not, and bspj_start() will start them; a negative errno: it has, but the others
 * cannot be found, for the reason in @why, with what the user can do. A launched process never
 * takes itself for the only one.
 */
int bspj_join(const struct bspj_start *how, struct bspj_job *job, char *why, size_t len);

/*
 * How many processes a launcher has started, according to the environment. 0: that does not say so
 * for certain, or there is no launcher; bspj_join() finds out. No process is joined: one that has
 * only asked may end in any way, of which a launcher sees no more than of another program.
 */
int bspj_count_launched(const struct bspj_start *how);

/* Is this process the first of those that a launcher has started, and has not joined them yet? */
bool bspj_is_first_launched(void);

/*
 * Can @nprocs processes be @nodes nodes of as many each, where the last may have fewer? False: the
 * reason is in @why.
 */
bool bspj_nodes_fit(int nprocs, int nodes, char *why, size_t len);

/* Is @text a part of a job of @nprocs processes? */
bool bspj_part_read(const char *text, int nprocs, int *first, int *last);

/*
 * The first how->nprocs of the processes become the job: with a table, a wire, and the lifeline.
 * Called by all that were launched; the rest gets a wire, too, for open(), and
 * job->me >= job->nprocs. 0, or a negative errno and the reason in @why.
 */
int bspj_connect(const struct bspj_start *how, struct bspj_job *job, char *why, size_t len);

/*
 * The number of a job that was launched, after bspj_connect(): its processes have it in common, no
 * other job has it, and others cannot guess it.
 */
uint64_t bspj_job_number(const struct bspj_job *job);

/* When all is over: this process goes its own way. For a job of any kind. */
void bspj_leave(struct bspj_job *job);

/* The same for one that the job has no use for, and that is about to end here. */
void bspj_leave_unused(struct bspj_job *job);

/*
 * End all processes, if a launcher has started them; else return. In bounded time, from any
 * thread.
 */
void bspj_abort(const struct bspj_job *job, int status);

/* wire.c: the wire of processes that inherit; its me is to be set in each. NULL: no memory. */
struct bspt_wire *bspj_wire_local(int nprocs, int node_size);
void bspj_wire_local_free(struct bspt_wire *w);
/*
 * May this process report an error? True once in a job: only one message is to appear. Before
 * there is a job that its processes share, all may, but process 0 first.
 */
bool bspj_claim_fault(struct bspj_job *job);

/*
 * report.c: the message of the process that has claimed the fault. False: it has no standard
 * error any more, and a process that sees it end reports it, by bspj_report_unsaid().
 */
__attribute__((format(printf, 2, 3)))
bool bspj_report(struct bspj_status_table *table, const char *format, ...);

/*
 * findings.c. This process has found it: its number in the table, or -1 if that is full. *@is_new:
 * no process of this node had found it before.
 */
int bspj_findings_add(struct bspj_status_table *table, uint64_t key,
		      const struct bspj_finding *found, bool *is_new);
/* Number @i was found @times times more on @process. */
void bspj_findings_count(struct bspj_status_table *table, int i, int process, uint64_t times);
/* Is @found the earliest of number @i on this node, by step and process? */
bool bspj_findings_is_first(const struct bspj_status_table *table, int i,
			    const struct bspj_finding *found);
/* Forget the findings of this node, which are printed elsewhere; the job has @nprocs processes. */
void bspj_findings_clear(struct bspj_status_table *table, int nprocs);
/*
 * The line of what was found @times times, by those of @nprocs processes that are @in (NULL: by
 * one): "CALL: TEXT (process 0, STEP 1, SITE; 9 times, on processes 0 to 3 and 7)".
 */
size_t bspj_findings_line(char line[BSPJ_FINDING_LINE], const struct bspj_finding *found,
			  const char *step, uint64_t times, const bool *in, int nprocs);
/* "process 2", "processes 1 and 3", "processes 0, 2 to 5 and 7"; the length, as of snprintf. */
size_t bspj_list_processes(char *text, size_t len, const bool *in, int nprocs);

/*
 * stdfds.c: before anything is opened: descriptors 0 to 2 that are closed are opened on
 * /dev/null.
 */
void bspj_keep_stdfds(void);

/* bind.c: where processes run */
/* A process that a launcher has started: bind it as @how says, if the launcher has not. */
void bspj_binding_join(const struct bspj_start *how, const struct bspt_wire *w);
/* The @processors of this process as a list, and why these; is it bound to them? */
bool bspj_binding_describe(char *processors, size_t len, const char **why);
/* When the job is over: where it was before, unless it has moved itself since. */
void bspj_binding_undo(void);
/* Threads with a processor each where this process was bound; 0: it was not. */
int bspj_binding_threads(void);

/* threads.c: threads of the program */
/* Has the program a runtime of OpenMP? */
bool bspj_threads_are_of_openmp(void);
/*
 * Threads that the program or its user has asked OpenMP for. 0: the @usual number, or none; -1: its
 * number can neither be read nor set.
 */
int bspj_threads_wanted(int usual);
/* End OpenMP's threads; a region makes new ones. Not 0: not possible, or inside a region. */
int bspj_threads_end_openmp(void);
/* Regions have @most threads from now on; false: they had no more, and @before is 0. */
bool bspj_threads_limit(int most, int *before);
/* They have @n; 0 or less: no change. */
void bspj_threads_set(int n);
/* Threads of this process other than the calling one. */
int bspj_threads_besides(void);

#endif
