// SPDX-License-Identifier: BSD-3-Clause
/* launch.c - with what command a launcher starts the processes of a job. */

/*
 * A launcher is wanted if the user names hosts or a launcher, or has an allocation of
 * Slurm. launcher.c says which will do.
 *
 * A launcher that has lost a node notices by TCP's keepalive, after hours or minutes unless it
 * is configured otherwise. It has to notice earlier than the processes do (BSP_WAIT): then it
 * ends the job everywhere, while processes that end first leave it with something to say to a
 * node that does not answer. launch_run.c sees to that case.
 */

#include "launch.h"

#include "common/complain.h"
#include "common/setting.h"
#include "transport/hostname.h"
#include "transport/launch_env.h"
#include "transport/ports.h"
#include "launcher.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HOSTNAME_LEFT = 32 };

/* ---- The command ------------------------------------------------------------ */

static void launch_say(struct launch *l, const char *word)
{
	char **grown = realloc(l->word, (l->nwords + 2) * sizeof(*grown));

	if (!grown || !(grown[l->nwords] = strdup(word)))
		fail(1, "no memory");
	l->word = grown;
	grown[++l->nwords] = NULL;
}

static void say_two(struct launch *l, const char *option, const char *value)
{
	launch_say(l, option);
	launch_say(l, value);
}

static void say_number(struct launch *l, const char *option, int value)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", value);
	say_two(l, option, text);
}

double launch_lifeline(void)
{
	const char *list = getenv("BSP_WAIT");

	return bspi_setting_time(bspi_setting_find("BSP_WAIT"), list ? list : "", "lifeline");
}

/* A parameter of the launcher, unless the user has set it. */
static void say_parameter(struct launch *l, bool prrte, const char *name, const char *value)
{
	char variable[64];

	snprintf(variable, sizeof(variable), "%s_MCA_%s", prrte ? "PRTE" : "OMPI", name);
	if (getenv(variable))
		return;
	launch_say(l, prrte ? "--prtemca" : "--mca");
	say_two(l, name, value);
}

static void say_parameter_number(struct launch *l, bool prrte, const char *name, int value)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", value);
	say_parameter(l, prrte, name, text);
}

/*
 * The ports of the daemons; and of Open MPI itself, which a program may begin before transport mpi
 * does.
 */
static void say_ports(struct launch *l, bool prrte)
{
	const char *range = getenv("BSP_PORTS");
	struct bspt_ports ports = bspt_ports_read(range);
	int n = bspt_ports_count(ports);
	char lists[2][LAUNCH_PORTS];

	if (!n)
		return;
	if (!getenv(prrte ? "PRTE_MCA_oob_tcp_dynamic_ipv4_ports" :
			    "OMPI_MCA_oob_tcp_dynamic_ipv4_ports")) {
		launch_ports_choose(range, lists);
		say_parameter(l, prrte, "oob_tcp_dynamic_ipv4_ports", lists[0]);
		if (lists[1][0])
			say_parameter(l, prrte, "oob_tcp_dynamic_ipv6_ports", lists[1]);
	}
	if (prrte)
		return;
	say_parameter_number(l, false, "btl_tcp_port_min_v4", ports.low);
	say_parameter_number(l, false, "btl_tcp_port_range_v4", n);
	say_parameter_number(l, false, "btl_tcp_port_min_v6", ports.low);
	say_parameter_number(l, false, "btl_tcp_port_range_v6", n);
}

/*
 * In all nine tenths of the time after which the processes would end by themselves, in whole
 * seconds. The kernel gives a connection up when as many probes as this have no answer, so an
 * outage does no harm that is shorter than all but one of them: eight tenths less a second.
 */
static void say_keepalive(struct launch *l, bool prrte)
{
	double silence = launch_lifeline();
	int interval = silence < 20 ? 1 : silence * 0.1, idle = interval;
	int probes = (silence * 0.9 - idle) / interval + 0.5;

	if (silence <= 0)
		return;
	say_parameter_number(l, prrte, "oob_tcp_keepalive_time", idle);
	say_parameter_number(l, prrte, "oob_tcp_keepalive_intvl", interval);
	say_parameter_number(l, prrte, "oob_tcp_keepalive_probes", probes < 1 ? 1 : probes);
}

/*
 * Open MPI 4 writes past the end of its memory for the name of this host if that is too long, and
 * dies. It can leave out the beginning of a name.
 */
static void say_hostname(struct launch *l)
{
	char name[BSPT_HOSTNAME];

	bspt_hostname(name);
	if (!bspt_hostname_is_too_long(name) || getenv("OMPI_MCA_orte_strip_prefix"))
		return;
	name[strlen(name) - HOSTNAME_LEFT] = '\0';
	launch_say(l, "--mca");
	say_two(l, "orte_strip_prefix", name);
}

/* The first of the hosts that has such a name, if the launcher does not survive that; or NULL. */
static char *too_long_among(const struct launch_hosts *h)
{
	char own[BSPT_HOSTNAME];

	bspt_hostname(own);
	for (size_t i = 0; i < h->n; i++)
		if (strcmp(h->at[i].name, own) != 0 && bspt_hostname_is_too_long(h->at[i].name))
			return strdup(h->at[i].name);
	return NULL;
}

/* Every variable that the program is to see, by name; the value is in our environment. */
static void say_variables(struct launch *l, const struct launch_request *r)
{
	const struct bspi_setting *s;

	for (unsigned int i = 0; (s = bspi_setting_at(i)); i++)
		if (getenv(s->variable))
			say_two(l, "-x", s->variable);
	for (size_t i = 0; i < r->nextra; i++)
		if (!bspi_setting_find(r->extra[i]))
			say_two(l, "-x", r->extra[i]);
}

/* As many as the user says, else as the hosts take; 0: as the allocation has. */
static int processes_of(const struct launch_hosts *h)
{
	return getenv("BSP_NPROCS") ? atoi(getenv("BSP_NPROCS")) : h->slots;
}

/* auto is what the launcher thinks best. It binds to cores; all else the processes do. */
static void say_binding(struct launch *l, const char *option, const char *core)
{
	const char *bind = getenv("BSP_BIND");

	if (bind && strcmp(bind, "auto") != 0)
		say_two(l, option, strcmp(bind, "core") == 0 ? core : "none");
}

static void write_mpirun(struct launch *l, const struct launch_request *r,
			 const struct launch_hosts *h, bool prrte)
{
	int nprocs = processes_of(h);

	if (l->hosts)
		say_two(l, "--host", l->hosts);
	if (nprocs)
		say_number(l, "-np", nprocs);
	say_two(l, "--map-by", r->oversubscribe ? "slot:OVERSUBSCRIBE" : "slot");
	say_binding(l, "--bind-to", "core");
	if (r->tag_output && prrte)
		say_two(l, "--output", "tag");
	else if (r->tag_output)
		launch_say(l, "--tag-output");
	say_keepalive(l, prrte);
	say_ports(l, prrte);
	if (!prrte)
		say_hostname(l);
	say_variables(l, r);
}

/* With "arbitrary" each name in the list is a process, in this order. */
static char *srun_list(const struct launch_hosts *h, int nprocs)
{
	char *text = NULL;
	size_t len;
	FILE *into = open_memstream(&text, &len);
	int p = 0;

	if (!into)
		fail(1, "no memory");
	while (p < nprocs)
		for (size_t i = 0; i < h->n; i++)
			for (int k = 0; k < h->at[i].slots && p < nprocs; k++)
				fprintf(into, "%s%s", p++ ? "," : "", h->at[i].name);
	if (fclose(into) || !text)
		fail(1, "no memory");
	return text;
}

static void write_srun(struct launch *l, const struct launch_request *r,
		       const struct launch_hosts *h, const char *protocol)
{
	int nprocs = processes_of(h);
	char *list;

	say_two(l, "--mpi", protocol);
	if (nprocs)
		say_number(l, "-n", nprocs);
	if (h->n) {
		list = srun_list(h, nprocs);
		say_two(l, "--distribution", "arbitrary");
		say_two(l, "--nodelist", list);
		free(list);
	}
	if (r->oversubscribe)
		launch_say(l, "--overcommit");
	say_binding(l, "--cpu-bind", "cores");
	if (r->tag_output)
		launch_say(l, "--label");
	launch_say(l, "-K1");			/* one that ends badly ends all */
	say_two(l, "--export", "ALL");
}

/* ---- What goes together ----------------------------------------------------- */

static void check_request(const struct launch_request *r)
{
	static const char *const names[] = { "mpirun", "srun", "prterun", "local" };
	bool known = !r->launcher;

	for (size_t i = 0; !known && i < sizeof(names) / sizeof(names[0]); i++)
		known = strcmp(r->launcher, names[i]) == 0;
	if (!known)
		fail(EXIT_USAGE, "--launcher %s: expected one of mpirun|srun|prterun|local",
		     r->launcher);
	if (r->hosts && r->hostfile)
		fail(EXIT_USAGE, "-H and --hostfile: one of them is enough");
}

static void check_slots(const struct launch_request *r, const struct launch *l,
			const struct launch_hosts *h)
{
	int nprocs = getenv("BSP_NPROCS") ? atoi(getenv("BSP_NPROCS")) : 0;

	if (h->n && nprocs > h->slots && !r->oversubscribe)
		fail(EXIT_USAGE,
		     "-n %d: hosts %s have %d slots; HOST:N gives a host more, --oversubscribe "
		     "starts more than there are",
		     nprocs, l->hosts, h->slots);
}

/* A word that a launcher takes for its own, wherever it stands. */
static void check_program(const struct launch_request *r, int kind)
{
	if (!r->program[0][0])
		fail(EXIT_NOT_FOUND, "the name of the program is empty");
	for (char **word = r->program; kind != LAUNCHER_SLURM && *word; word++)
		if (strcmp(*word, ":") == 0)
			fail(EXIT_USAGE,
			     "an argument ':' would be mpirun's: it separates programs there");
}

static void check_what_stays_here(void)
{
	const char *network = getenv("BSP_EMULATE");

	if (network && *network)
		fail(EXIT_USAGE,
		     "--emulate %s: networks are emulated on one machine; leave out the hosts, "
		     "or use --local",
		     network);
}

/* ---- Without a launcher ----------------------------------------------------- */

static void launch_stay_here(const struct launch_request *r)
{
	if (r->hosts || r->hostfile)
		fail(EXIT_USAGE, "%s names hosts, and without a launcher there is only this one",
		     r->hosts ? "-H" : "--hostfile");
	if (r->oversubscribe)
		fail(EXIT_USAGE, "--oversubscribe is for launchers; here -n may be any number");
	if (r->local || r->launcher)
		bspt_launch_forget();
}

/* ---- All of it -------------------------------------------------------------- */

static void launch_write_command(struct launch *l, const struct launch_request *r,
				 const struct launcher *choice, const struct launch_hosts *h)
{
	char path[PATH_MAX];
	bool found;

	unsetenv("BSP_TAG_OUTPUT");	/* the launcher does it */
	launch_say(l, choice->command);
	if (choice->kind == LAUNCHER_SLURM) {
		write_srun(l, r, h, choice->protocol);
	} else {
		write_mpirun(l, r, h, choice->kind == LAUNCHER_PRRTE);
		l->root_variable = strcmp(choice->command, "prterun") == 0 ?
			"PRTE_ALLOW_RUN_AS_ROOT" : "OMPI_ALLOW_RUN_AS_ROOT";
	}
	/* a program that is on the search path here is so nowhere else: it goes with its folder */
	found = !strchr(r->program[0], '/') && launch_on_path(r->program[0], path);
	launch_say(l, found ? path : r->program[0]);
	l->program = l->word[l->nwords - 1];
	for (char **word = r->program + 1; *word; word++)
		launch_say(l, *word);
}

void launch_prepare(struct launch *l, const struct launch_request *r)
{
	bool allocated = launcher_is_allocated();
	struct launch_hosts h = { .n = 0 };
	struct launcher choice;
	char why[LAUNCHER_WHY];
	int status;

	*l = (struct launch){ .nwords = 0 };
	check_request(r);
	if (r->local || (r->launcher && strcmp(r->launcher, "local") == 0) ||
	    (!r->launcher && !r->hosts && !r->hostfile && !allocated)) {
		launch_stay_here(r);
		return;
	}
	check_what_stays_here();
	if (r->hosts || r->hostfile) {
		launch_hosts_read(&h, r->hosts, r->hostfile);
		l->hosts = launch_hosts_text(&h);
	}
	check_slots(r, l, &h);
	status = r->launcher ? launcher_force(r->launcher, &choice, why, sizeof(why)) :
			       launcher_choose(allocated, &choice, why, sizeof(why));
	if (status)
		fail(status, "%s", why);
	check_program(r, choice.kind);
	launch_write_command(l, r, &choice, &h);
	if (choice.kind == LAUNCHER_OPEN_MPI)
		l->long_name = too_long_among(&h);
	launch_hosts_free(&h);
}

void launch_check(const struct launch *l)
{
	char confirm[64];

	if (!l->root_variable || geteuid() != 0)
		return;
	snprintf(confirm, sizeof(confirm), "%s_CONFIRM", l->root_variable);
	if (!getenv(l->root_variable) || !getenv(confirm))
		fail(EXIT_USAGE,
		     "%s starts no programs as root; be another user, or set %s=1 and %s=1",
		     l->word[0], l->root_variable, confirm);
}

void launch_free(struct launch *l)
{
	for (size_t i = 0; i < l->nwords; i++)
		free(l->word[i]);
	free(l->word);
	free(l->hosts);
	free(l->long_name);
}
