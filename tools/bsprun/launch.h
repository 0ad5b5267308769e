/* SPDX-License-Identifier: BSD-3-Clause */
/* launch.h - bsprun on many hosts: which launcher starts the processes, and with what command. */

/*
 * launch.c chooses the launcher and writes its command line, launch_hosts.c reads lists of
 * hosts, launch_run.c runs it and sees to it that it ends. An error ends bsprun with a
 * message.
 */
#ifndef BSP_LAUNCH_H
#define BSP_LAUNCH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* The options as given; NULL: not given. */
struct launch_request {
	const char *hosts, *hostfile;
	const char *launcher;
	bool local, oversubscribe, tag_output;
	char **extra;			/* names of variables that the program is to have */
	size_t nextra;
	char **program;			/* and its arguments, NULL after the last */
};

/* launch_hosts.c */
struct launch_host {
	char *name;
	int slots;			/* processes it takes */
};

struct launch_hosts {
	struct launch_host *at;
	size_t n;
	int slots;			/* of all */
};

/* Reads @text, "host,host:slots", or if it is NULL the file @hostfile. */
void launch_hosts_read(struct launch_hosts *h, const char *text, const char *hostfile);
/* "host:slots,..." of all, to be freed. */
char *launch_hosts_text(const struct launch_hosts *h);
void launch_hosts_free(struct launch_hosts *h);

/* launch.c: how a job is to be started. */
struct launch {
	char **word;			/* the command, NULL after the last; NULL: no launcher */
	size_t nwords;
	const char *program;		/* which the launcher starts: one of @word */
	char *hosts;			/* as launch_hosts_text() writes them, or NULL */
	const char *root_variable;	/* that root has to set, or NULL */
	char *long_name;		/* of a host, for which mpirun may abort; or NULL */
};

/*
 * The command that starts the program, out of the options and the settings in the environment.
 * Without a launcher: what @r->local asks for is done to the environment.
 */
void launch_prepare(struct launch *l, const struct launch_request *r);
void launch_free(struct launch *l);

/* Will the launcher start it for this user? A refusal is better reported with what to do. */
void launch_check(const struct launch *l);

/* After so many seconds without an answer a process gives a node up, by BSP_WAIT; 0: never. */
double launch_lifeline(void);

enum { LAUNCH_PORTS = 64 };

/*
 * launch_ports.c: some ports of @range (BSP_PORTS) for mpirun and its daemons, as lists with
 * commas, for IPv4 and for IPv6; the second may be empty.
 */
void launch_ports_choose(const char *range, char lists[2][LAUNCH_PORTS]);

/*
 * launch_path.c: the file @name in the first folder of the search path @dir, which need not be
 * there, into @path; the rest of the search path, or NULL.
 */
const char *launch_candidate(const char *dir, const char *name, char path[PATH_MAX]);
/*
 * The absolute name of the file that @name, without a slash, means on the search path of this
 * process; false if none can be run, and @path has been written to. Daemons of launchers on other
 * hosts have the path of a new login there, so a name that was found here has to go to them as
 * this.
 */
bool launch_on_path(const char *name, char path[PATH_MAX]);
/* launch_run.c: run it, wait for its end, and return its status as a shell tells it. */
int launch_run(const struct launch *l);
/* The program itself, as a child that gets the signals that bsprun gets: its status. */
int launch_program(char **word, const char *path);

#endif
