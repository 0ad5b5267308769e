// SPDX-License-Identifier: BSD-3-Clause
/* launch_env.c - what launchers leave in the environment of the processes that they start. */

/*
 * One program may start another, with a launcher or without. So there are up to four groups of
 * variables in an environment, of which each was set by the innermost launcher of its kind:
 *
 *   pmix		mpirun, prterun, srun --mpi=pmix, and ours for MPI (transport/mpi)
 *   pmi		Hydra of MPICH and Intel MPI, srun --mpi=pmi2
 *   slurm	srun
 *   part		bsprun --discover, or these variables set by hand
 *
 * A group names one process of one job, by variables that are different for every other (its
 * identity). A process that joins that job writes the identities of all groups into
 * BSP_LAUNCH_USED. A program that finds the identity of a group there has inherited the group
 * from its parent, or from the program before exec.
 */

#include "launch_env.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

extern char **environ;

enum { NAME_MOST = 256, IDENTITY_MOST = 400, MARK_MOST = 2000 };

static const char mark[] = "BSP_LAUNCH_USED";

/* ---- Signs of a launcher --------------------------------------------------- */

static int number_in(const char *variable)
{
	const char *value = getenv(variable);

	return value && atoi(value) > 0 ? atoi(value) : 0;
}

/* In a batch script there are tasks to come, but only srun makes steps. */
static int tasks_of_step(void)
{
	if (!getenv("SLURM_STEP_ID") || !getenv("SLURM_PROCID"))
		return 0;
	return number_in(getenv("SLURM_STEP_NUM_TASKS") ? "SLURM_STEP_NUM_TASKS" : "SLURM_NTASKS");
}

/*
 * Hydra says that processes are to connect to a port (mpiexec -pmi-port), and then not how many
 * there are, but how many on this node.
 */
static bool hydra_has_port(void)
{
	return getenv("PMI_PORT") && getenv("PMI_ID") && getenv("MPI_LOCALNRANKS");
}

/* The variables about a node, which srun does not set. In its steps Hydra starts processes, too. */
static int processes_of_hydra(void)
{
	int here = number_in("MPI_LOCALNRANKS");

	if (tasks_of_step() && !here)
		return 0;
	if (hydra_has_port() && !getenv("PMI_SIZE"))
		return here > 2 ? here : 2;
	return number_in("PMI_SIZE");
}

/* srun --mpi=pmi2; a variable that a process has inherited names no socket. */
static bool step_has_pmi(void)
{
	const char *fd = getenv("PMI_FD");
	struct stat st;

	return fd && getenv("PMI_RANK") && number_in("PMI_SIZE") == tasks_of_step() &&
	       fstat(atoi(fd), &st) == 0 && S_ISSOCK(st.st_mode);
}

bool bspt_sign_is_pmix(void)
{
	return getenv("PMIX_NAMESPACE") && getenv("PMIX_RANK");
}

static const char by_pmi2[] = "start it with srun --mpi=pmix, or build bsp with MPICH (configure "
			      "--with-mpich) for srun --mpi=pmi2";

struct bspt_sign bspt_sign_find(void)
{
	int open_mpi = number_in("OMPI_COMM_WORLD_SIZE"), hydra = processes_of_hydra();
	bool pmi = tasks_of_step() && step_has_pmi();

	if (open_mpi)
		return (struct bspt_sign){ open_mpi, "mpirun of Open MPI",
					   "start it with the mpirun that belongs to this PMIx, or "
					   "on this machine alone with bsprun --local",
					   false, true };
	if (hydra)
		return (struct bspt_sign){ hydra, "mpiexec of MPICH",
					   "start it with mpirun of Open MPI, or configure bsp "
					   "with this MPICH (--with-mpich), or use bsprun --local",
					   true, !hydra_has_port() };
	return (struct bspt_sign){
		tasks_of_step(), pmi ? "srun --mpi=pmi2" : "srun",
		pmi ? by_pmi2 :
		"start it with srun --mpi=pmix (srun --mpi=list tells whether this Slurm has it), "
		"or with mpirun of Open MPI inside the allocation",
		pmi, true
	};
}

int bspt_sign_process(void)
{
	if (bspt_sign_is_pmix())
		return number_in("PMIX_RANK");
	if (number_in("OMPI_COMM_WORLD_SIZE"))
		return number_in("OMPI_COMM_WORLD_RANK");
	if (processes_of_hydra())
		return number_in(hydra_has_port() ? "PMI_ID" : "PMI_RANK");
	return tasks_of_step() ? number_in("SLURM_PROCID") : 0;
}

/* ---- Groups ---------------------------------------------------------------- */

/* Each writes the identity of its group, or nothing if it is not there. */
static void identify_pmix(char *text, size_t len)
{
	if (bspt_sign_is_pmix())
		snprintf(text, len, "%s.%s", getenv("PMIX_NAMESPACE"), getenv("PMIX_RANK"));
}

/*
 * Numbers of jobs are none of PMI's; but each process has a socket of its own, on a port or
 * inherited.
 */
static void identify_pmi(char *text, size_t len)
{
	const char *fd = getenv("PMI_FD"), *port = getenv("PMI_PORT");
	const char *rank = getenv(hydra_has_port() ? "PMI_ID" : "PMI_RANK");
	struct stat st = { .st_ino = 0 };

	if (!rank)
		return;
	if (fd && fstat(atoi(fd), &st) < 0)
		st.st_ino = 0;
	snprintf(text, len, "%s.%s.%s.%llu", rank, port ? port : "", fd ? fd : "",
		 (unsigned long long)st.st_ino);
}

static void identify_slurm(char *text, size_t len)
{
	const char *job = getenv("SLURM_JOB_ID");

	if (tasks_of_step())
		snprintf(text, len, "%s.%s.%s", job ? job : "", getenv("SLURM_STEP_ID"),
			 getenv("SLURM_PROCID"));
}

static void identify_part(char *text, size_t len)
{
	const char *name = getenv("BSP_DISCOVER"), *part = getenv("BSP_PART");

	if (name && *name)
		snprintf(text, len, "%s.%s", name, part ? part : "");
}

enum { BEGINNINGS_MOST = 32 };

static const struct group {
	const char *name;
	void (*identify)(char *text, size_t len);
	/* of its variables, with the "=" where it is all of the name */
	const char *beginnings[BEGINNINGS_MOST];
} groups[] = {
	{ "pmix",
	  identify_pmix,
	  {
		  "PMIX_",
		  "OMPI_APP_CTX_NUM_PROCS=",
		  "OMPI_ARGV=",
		  "OMPI_COMMAND=",
		  "OMPI_COMM_WORLD_",
		  "OMPI_FILE_LOCATION=",
		  "OMPI_FIRST_RANKS=",
		  "OMPI_MCA_ess=",
		  "OMPI_MCA_ess_base_",
		  "OMPI_MCA_initial_wdir=",
		  "OMPI_MCA_mpi_oversubscribe=",
		  "OMPI_MCA_orte_",
		  "OMPI_MCA_pmix=",
		  "OMPI_MCA_schizo=",
		  "OMPI_NUM_APP_CTX=",
		  "OMPI_UNIVERSE_SIZE=",
		  "PRTE_",
	  } },
	{ "pmi", identify_pmi, { "PMI_", "HYDI_", "MPI_LOCAL" } },
	{ "slurm",
	  identify_slurm,
	  {
		  "SLURM_PROCID=",
		  "SLURM_LOCALID=",
		  "SLURM_NTASKS=",
		  "SLURM_NPROCS=",
		  "SLURM_STEP",
	  } },
	{ "part", identify_part, { "BSP_DISCOVER=", "BSP_PART=" } },
};

enum { NGROUPS = sizeof(groups) / sizeof(groups[0]), PART = NGROUPS - 1 };

/* A variable that users set, though it looks like those of launchers. */
static bool is_of_user(const char *variable)
{
	return strncmp(variable, "PMIX_MCA_", strlen("PMIX_MCA_")) == 0 ||
	       strncmp(variable, "PRTE_ALLOW_RUN_AS_ROOT", strlen("PRTE_ALLOW_RUN_AS_ROOT")) == 0;
}

static bool is_of_group(const char *variable, const struct group *g)
{
	for (int i = 0; i < BEGINNINGS_MOST && g->beginnings[i]; i++)
		if (strncmp(variable, g->beginnings[i], strlen(g->beginnings[i])) == 0)
			return !is_of_user(variable);
	return false;
}

static bool unset(const char *variable)
{
	char name[NAME_MOST];
	size_t len = strcspn(variable, "=");

	if (len == 0 || len >= NAME_MOST)
		return false;
	memcpy(name, variable, len);
	name[len] = '\0';
	return unsetenv(name) == 0;
}

static void forget_group(const struct group *g)
{
	size_t i = 0;

	while (environ && environ[i])
		if (!is_of_group(environ[i], g) || !unset(environ[i]))
			i++;
}

/* ---- Which of them have been used -------------------------------------------- */

/* "pmix=12345.0;", or "" if the group is not there. */
static void write_entry(const struct group *g, char entry[IDENTITY_MOST])
{
	char identity[IDENTITY_MOST - 16] = "";

	g->identify(identity, sizeof(identity));
	entry[0] = '\0';
	if (identity[0])
		snprintf(entry, IDENTITY_MOST, "%s=%s;", g->name, identity);
}

int bspt_launch_mark(void)
{
	char text[MARK_MOST] = "", entry[IDENTITY_MOST];

	for (int i = 0; i < NGROUPS; i++) {
		write_entry(&groups[i], entry);
		strcat(text, entry);
	}
	return setenv(mark, text, true) == 0 ? 0 : -errno;
}

void bspt_launch_forget_used(void)
{
	const char *used = getenv(mark);
	char entry[IDENTITY_MOST];

	for (int i = 0; used && i < NGROUPS; i++) {
		write_entry(&groups[i], entry);
		if (entry[0] && strstr(used, entry))
			forget_group(&groups[i]);
	}
}

void bspt_launch_forget(void)
{
	for (int i = 0; i < PART; i++)
		forget_group(&groups[i]);
}
