/* SPDX-License-Identifier: BSD-3-Clause */
/* launcher.h - which launcher on the search path starts processes on several hosts. */
#ifndef BSPRUN_LAUNCHER_H
#define BSPRUN_LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>

enum { LAUNCHER_VERSION = 80, LAUNCHER_WHY = 320 };

struct launcher {
	enum { LAUNCHER_NONE, LAUNCHER_OPEN_MPI, LAUNCHER_PRRTE, LAUNCHER_SLURM } kind;
	const char *command;
	const char *protocol;		/* of srun: by what processes find each other */
	char version[LAUNCHER_VERSION];	/* in its own words; "": of srun, see launcher_slurm() */
};

/* Is this in a job of Slurm, and not itself a process that a launcher has started? */
bool launcher_is_allocated(void);

/* The version of Slurm here, in @text; false: there is none, for the reason in @text. */
bool launcher_slurm(char *text, size_t len);

/*
 * The one that bsprun takes, in a job of Slurm if @allocated, by itself. 0, or the exit status of a
 * command that needs one, and what is missing in @why.
 */
int launcher_choose(bool allocated, struct launcher *l, char *why, size_t len);
/* As launcher_choose(), of the launchers that have this name: mpirun, srun, prterun. */
int launcher_force(const char *name, struct launcher *l, char *why, size_t len);

#endif
