// SPDX-License-Identifier: BSD-3-Clause
/* launcher.c - which launcher on the search path starts processes on several hosts. */

/*
 * Launchers that will do give their processes PMIx, by which the library finds the others: srun if
 * it has that plugin, Open MPI's mpirun, prterun. srun without PMIx will do if it has PMI-2 and
 * the library its part for MPICH, and comes last. MPICH's mpiexec has no PMIx, so it is recognised
 * and refused.
 */

#include "launcher.h"

#include "common/complain.h"
#include "transport/transport.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* Launchers that can be started, and their names for --launcher. In order of preference. */
static const struct {
	const char *name;
	const char *command;
} commands[] = {
	{ "mpirun", "mpirun" },
	{ "mpirun", "mpirun.openmpi" },
	{ "prterun", "prterun" },
};

enum { NCOMMANDS = sizeof(commands) / sizeof(commands[0]) };

enum { ANSWER_MOST = 4096 };

/* ---- What is there ---------------------------------------------------------- */

/* The output of @command, which comes from here; false if there is no such command. */
static bool ask(const char *command, char *answer)
{
	FILE *from = popen(command, "r");
	size_t len;
	int status;

	if (!from)
		fail(1, "%s: %s", command, strerror(errno));
	len = fread(answer, 1, ANSWER_MOST - 1, from);
	while (fgetc(from) != EOF)
		;
	answer[len] = '\0';
	status = pclose(from);
	return !(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NOT_FOUND);
}

static bool ask_version(const char *command, char *answer)
{
	char line[64];

	snprintf(line, sizeof(line), "%s --version 2>&1 </dev/null", command);
	return ask(line, answer);
}

/* Out of what it says of its version. Open MPI is PRRTE inside from 5 on. */
static int kind_of(const char *version)
{
	const char *number;

	if (strstr(version, "PRRTE") || strstr(version, "prterun"))
		return LAUNCHER_PRRTE;
	if (!strstr(version, "Open MPI") && !strstr(version, "OpenRTE"))
		return LAUNCHER_NONE;
	number = strstr(version, ") ");
	return number && atoi(number + 2) >= 5 ? LAUNCHER_PRRTE : LAUNCHER_OPEN_MPI;
}

static void keep_version(struct launcher *l, char *answer)
{
	answer[strcspn(answer, "\n")] = '\0';
	snprintf(l->version, sizeof(l->version), "%.*s", LAUNCHER_VERSION - 1, answer);
}

bool launcher_slurm(char *text, size_t len)
{
	char answer[ANSWER_MOST];
	bool there = ask_version("srun", answer);

	answer[strcspn(answer, "\n")] = '\0';
	snprintf(text, len, "%s", there ? answer : "srun is not on the search path");
	return there && strncmp(answer, "slurm", 5) == 0;
}

/* Is srun there? If it will do, with a protocol. */
static bool find_srun(struct launcher *l)
{
	char answer[ANSWER_MOST];
	bool there = ask("srun --mpi=list 2>&1 </dev/null", answer);

	*l = (struct launcher){ LAUNCHER_SLURM, "srun", NULL, "" };
	if (there && strstr(answer, "pmix"))
		l->protocol = "pmix";
	else if (there && strstr(answer, "pmi2") && bspt_plugin_is_installed("mpi-mpich"))
		l->protocol = "pmi2";
	return there;
}

bool launcher_is_allocated(void)
{
	const char *step = getenv("SLURM_STEP_ID");

	/* the last numbers stand for the script or shell of the job itself */
	return getenv("SLURM_JOB_ID") && !getenv("PMIX_RANK") && !getenv("OMPI_COMM_WORLD_RANK") &&
	       !getenv("PMI_RANK") && !(step && strtoul(step, NULL, 10) < 0xfffffff0);
}

/* ---- Choosing --------------------------------------------------------------- */

/* The first of @name, or of any, that is there and will do; else the first that will not. */
static bool find_command(const char *name, struct launcher *l, const char **refused)
{
	char answer[ANSWER_MOST];

	*refused = NULL;
	for (int i = 0; i < NCOMMANDS; i++) {
		if ((name && strcmp(name, commands[i].name) != 0) ||
		    !ask_version(commands[i].command, answer))
			continue;
		*l = (struct launcher){ kind_of(answer), commands[i].command, NULL, "" };
		if (l->kind != LAUNCHER_NONE) {
			keep_version(l, answer);
			return true;
		}
		*refused = *refused ? *refused : commands[i].command;
	}
	return false;
}

static int launcher_refuse(const char *refused, char *why, size_t len)
{
	snprintf(why, len,
		 "the %s on the search path is not Open MPI's, and gives its processes no "
		 "PMIx by which to find each other; on Debian: apt-get install openmpi-bin",
		 refused);
	return EXIT_USAGE;
}

int launcher_force(const char *name, struct launcher *l, char *why, size_t len)
{
	const char *refused;

	if (strcmp(name, "srun") != 0) {
		if (find_command(name, l, &refused))
			return 0;
		if (refused)
			return launcher_refuse(refused, why, len);
		snprintf(why, len, "%s is not on the search path", name);
		return EXIT_NOT_FOUND;
	}
	if (!find_srun(l)) {
		snprintf(why, len, "srun is not on the search path");
		return EXIT_NOT_FOUND;
	}
	if (l->protocol)
		return 0;
	snprintf(why, len, "srun cannot give its processes PMIx (srun --mpi=list says what it "
			   "can); try --launcher mpirun");
	return EXIT_USAGE;
}

int launcher_choose(bool allocated, struct launcher *l, char *why, size_t len)
{
	struct launcher other;
	const char *refused;

	*l = (struct launcher){ LAUNCHER_NONE, NULL, NULL, "" };
	if (allocated && find_srun(l) && l->protocol && strcmp(l->protocol, "pmix") == 0)
		return 0;
	if (find_command(NULL, &other, &refused)) {
		*l = other;
		return 0;
	}
	if (l->protocol)
		return 0;
	if (refused)
		return launcher_refuse(refused, why, len);
	if (allocated)
		snprintf(why, len,
			 "nothing can start processes on the nodes of this Slurm job: srun has no "
			 "PMIx (srun --mpi=list), and there is neither Open MPI's mpirun nor "
			 "prterun; --local uses only this machine");
	else
		snprintf(why, len,
			 "nothing can start processes on other hosts: neither Open MPI's mpirun "
			 "nor prterun is on the search path; on Debian: apt-get install "
			 "openmpi-bin");
	return EXIT_NOT_FOUND;
}
