/* SPDX-License-Identifier: BSD-3-Clause */
/* network.c - run netmpi and netofi over every transport, and see how long jobs take to start. */

/*
 * A wire is a transport and what it goes over. For each wire netmpi or netofi measures
 * supersteps and the raw layer in turn and prints its table, which is handed on; so
 * all there is to do here is to choose the settings that make both use the same wire.
 */
#include "network.h"

#include "job.h"

#include "tools/measure/clock.h"
#include "tools/measure/sample.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	MOST_WORDS = 24,
	MOST_SETTINGS = 6,
	STARTED = 64,		/* processes whose start is timed */
	STARTED_QUICK = 8,
	STARTS = 3,
	FULL_ROUNDS = 51,	/* in FULL_SECONDS */
	FULL_SECONDS = 60,
	LEAST_ROUNDS = 5,
	MOST_ROUNDS = 301,
	NAME = 32,
};

struct setting {
	const char *name, *value;
};

struct wire {
	const char *name;
	const char *transport;	/* as bspinfo calls it */
	const char *program;
	bool launched;		/* by mpirun: the program uses MPI itself */
	struct setting settings[MOST_SETTINGS];
};

/* The layers below Open MPI: else it would take the best for processes of one machine. */
#define MPI_TCP { "OMPI_MCA_pml", "ob1" }, { "OMPI_MCA_btl", "tcp,self" }, \
	{ "OMPI_MCA_btl_tcp_if_include", "lo" }
#define MPI_SHARED { "OMPI_MCA_pml", "ob1" }, { "OMPI_MCA_btl", "vader,self" }

/* Providers that use sockets: the same interface for both sides. */
#define OFI(provider) { "BSP_OFI_PROVIDER", (provider) }, { "FI_TCP_IFACE", "lo" }, \
	{ "FI_UDP_IFACE", "lo" }, { "FI_NET_IFACE", "lo" }, { "FI_SOCKETS_IFACE", "lo" }

static const struct wire all_wires[] = {
	{ "shm", "shm", "netmpi", true, { MPI_SHARED } },
	{ "mpi:tcp", "mpi", "netmpi", true, { MPI_TCP } },
	{ "ofi:tcp", "ofi", "netofi", false, { OFI("tcp") } },
	{ .name = NULL }
};

static const struct wire mpi_sm = { "mpi:sm", "mpi", "netmpi", true, { MPI_SHARED } };

/* The run of the driver. */
struct session {
	const struct network *network;
	FILE *markdown;
	int status;
};

struct command {
	char path[PATH_MAX];
	char *word[MOST_WORDS];
	int nwords;
};

/* ---- Output -------------------------------------------------------------------------- */

static void network_say(struct session *s, const char *line)
{
	puts(line);
	fflush(stdout);
	if (s->markdown != NULL)
		fprintf(s->markdown, "%s\n", line);
}

static void take_line(void *context, char *line)
{
	network_say(context, line);
}

static void take_nothing(void *context, char *line)
{
	(void)context;
	(void)line;
}

static void say_failure(struct session *s, const char *what, int failed)
{
	char line[256], text[128];

	job_failure(failed, text, sizeof text);
	snprintf(line, sizeof line, "%s %s", what, text);
	network_say(s, line);
	network_say(s, "");
	s->status = 1;
}

/* ---- Commands and settings ------------------------------------------------------------ */

static void network_add(struct command *c, const char *word)
{
	if (c->nwords < MOST_WORDS - 1)
		c->word[c->nwords++] = (char *)word;
	c->word[c->nwords] = NULL;
}

static void add_program(const struct network *n, struct command *c, const char *program)
{
	snprintf(c->path, sizeof c->path, "%s/%s", n->directory, program);
	network_add(c, c->path);
}

/* The text lives until the next call. */
static const char *text_of(int n)
{
	static char text[16];

	snprintf(text, sizeof text, "%d", n);
	return text;
}

static void add_mpirun(const struct network *n, struct command *c, int nprocs)
{
	bool crowded = nprocs > n->ncores;

	network_add(c, BENCH_MPIRUN);
	if (crowded)
		network_add(c, "--oversubscribe");
	network_add(c, "--bind-to");
	network_add(c, crowded ? "none" : "core");
	network_add(c, "-n");
	network_add(c, text_of(nprocs));
}

static void apply(const struct wire *wire)
{
	setenv("BSP_TRANSPORT", wire->transport, 1);
	for (int i = 0; i < MOST_SETTINGS && wire->settings[i].name != NULL; i++)
		setenv(wire->settings[i].name, wire->settings[i].value, 1);
}

static void withdraw(const struct wire *wire)
{
	unsetenv("BSP_TRANSPORT");
	unsetenv("BSP_NPROCS");
	for (int i = 0; i < MOST_SETTINGS && wire->settings[i].name != NULL; i++)
		unsetenv(wire->settings[i].name);
}

/* A process that mpirun starts knows from it how many there are. */
static void set_nprocs(bool launched, int nprocs)
{
	if (launched)
		unsetenv("BSP_NPROCS");
	else
		setenv("BSP_NPROCS", text_of(nprocs), 1);
}

/* ---- What can run ----------------------------------------------------------------------- */

/* The word of bspinfo on one transport. */
struct finding {
	const char *transport;
	bool here;		/* lines are about it */
	bool usable;
	char reason[200];
};

/* The value of a member of JSON, without quotes. */
static bool member(const char *line, const char *name, char *value, size_t len)
{
	const char *at = strstr(line, name);
	size_t n;

	if (at == NULL)
		return false;
	at += strlen(name);
	at += strspn(at, "\": ");
	n = strcspn(at, "\",");
	snprintf(value, len, "%.*s", (int)n, at);
	return true;
}

static void take_finding(void *context, char *line)
{
	struct finding *f = context;
	char value[200];

	if (member(line, "\"name\"", value, sizeof value))
		f->here = strcmp(value, f->transport) == 0;
	if (!f->here)
		return;
	if (member(line, "\"usable\"", value, sizeof value))
		f->usable = strcmp(value, "true") == 0;
	if (member(line, "\"reason\"", value, sizeof value))
		snprintf(f->reason, sizeof f->reason, "%s", value);
}

static bool network_can_run(const struct network *n, const struct wire *wire, char *why, size_t len)
{
	struct finding f = { .transport = wire->transport, .reason = "bspinfo does not know it" };
	struct command c = { .nwords = 0 };

	add_program(n, &c, "../tools/bspinfo/bspinfo");
	network_add(&c, "--json");
	network_add(&c, "-n");
	network_add(&c, "2");
	if (job_lines(c.word, take_finding, &f) != 0)
		snprintf(f.reason, sizeof f.reason, "bspinfo failed");
	snprintf(why, len, "%s", f.reason);
	return f.usable;
}

static bool has_program(const struct network *n, const struct wire *wire, char *why, size_t len)
{
	char path[PATH_MAX];

	snprintf(path, sizeof path, "%s/%s", n->directory, wire->program);
	if (access(path, X_OK) != 0)
		snprintf(why, len, "%s was not built", wire->program);
	else if (wire->launched && n->without_mpi)
		snprintf(why, len, "there is no mpirun, or no MPI is wanted");
	else
		return true;
	return false;
}

/* ---- Tables ----------------------------------------------------------------------------- */

static int network_rounds_of(const struct network *n)
{
	if (n->quick)
		return 3;
	return (int)fmin(fmax(FULL_ROUNDS * n->seconds / FULL_SECONDS, LEAST_ROUNDS), MOST_ROUNDS);
}

static void measure_wire(struct session *s, const struct wire *wire, int nprocs)
{
	const struct network *n = s->network;
	struct command c = { .nwords = 0 };
	char rounds[16];
	int failed;

	snprintf(rounds, sizeof rounds, "%d", network_rounds_of(n));
	set_nprocs(wire->launched, nprocs);
	if (wire->launched)
		add_mpirun(n, &c, nprocs);
	add_program(n, &c, wire->program);
	network_add(&c, "--rounds");
	network_add(&c, rounds);
	network_add(&c, "--batch");
	network_add(&c, n->quick ? "300" : "2000");
	if (n->csv != NULL) {
		network_add(&c, "--csv");
		network_add(&c, n->csv);
	}
	if (n->only != NULL)
		network_add(&c, n->only);
	failed = job_lines(c.word, take_line, s);
	if (failed)
		say_failure(s, wire->name, failed);
}

/* ---- Start-up --------------------------------------------------------------------------- */

/* Seconds, the median; negative: it cannot be done. */
static double time_start(const struct network *n, const char *program, bool launched, int nprocs)
{
	double seconds[STARTS];
	int starts = n->quick ? 1 : STARTS;

	set_nprocs(launched, nprocs);
	for (int i = 0; i < starts; i++) {
		struct command c = { .nwords = 0 };
		uint64_t start = clock_now_ns();

		if (launched)
			add_mpirun(n, &c, nprocs);
		add_program(n, &c, program);
		network_add(&c, "-");
		network_add(&c, "1");
		network_add(&c, "1");
		network_add(&c, "1");
		network_add(&c, "none");
		if (job_lines(c.word, take_nothing, NULL) != 0)
			return -1;
		seconds[i] = 1e-9 * (double)(clock_now_ns() - start);
	}
	return sample_median(seconds, starts);
}

static void start_cell(char *cell, size_t len, double seconds)
{
	if (seconds < 0)
		snprintf(cell, len, "failed");
	else
		snprintf(cell, len, "%.3f", seconds);
}

static void start_line(struct session *s, const struct wire *wire, int nprocs)
{
	const struct network *n = s->network;
	char own[16], launched[16] = "-", plain[16] = "-", line[256];
	double seconds = time_start(n, "bsprows", false, nprocs);

	start_cell(own, sizeof own, seconds);
	if (seconds < 0)
		s->status = 1;
	if (!n->without_mpi) {
		start_cell(launched, sizeof launched, time_start(n, "bsprows", true, nprocs));
		if (wire->launched)
			start_cell(plain, sizeof plain, time_start(n, "mpibench", true, nprocs));
	}
	snprintf(line, sizeof line, "| %-12s | %10s | %10s | %10s |", wire->name, own, launched,
		 plain);
	network_say(s, line);
}

/* ---- All of it -------------------------------------------------------------------------- */

/* The wires to measure. */
struct choice {
	struct wire wire[8];
	char name[8][NAME];
	int n;
};

static bool find_wire(const char *name, struct wire *out)
{
	for (const struct wire *w = all_wires; w->name != NULL; w++)
		if (strcmp(w->name, name) == 0) {
			*out = *w;
			return true;
		}
	if (strcmp(name, mpi_sm.name) == 0) {
		*out = mpi_sm;
		return true;
	}
	if (strncmp(name, "ofi:", 4) != 0 || name[4] == '\0')
		return false;
	*out = (struct wire){ name, "ofi", "netofi", false, { OFI(name + 4) } };
	return true;
}

/* "all": those that can run here; else each must. */
static void network_choose(struct session *s, const char *name, bool must, struct choice *c)
{
	const struct network *n = s->network;
	char why[256] = "", line[320];
	struct wire wire;

	if (c->n == 8)
		return;
	snprintf(c->name[c->n], NAME, "%s", name);
	if (!find_wire(c->name[c->n], &wire)) {
		snprintf(why, sizeof why, "there is no such transport");
	} else if (has_program(n, &wire, why, sizeof why) &&
		   network_can_run(n, &wire, why, sizeof why)) {
		c->wire[c->n++] = wire;
		return;
	}
	snprintf(line, sizeof line, "%.32s is not measured: %.250s", name, why);
	network_say(s, line);
	network_say(s, "");
	s->status |= must;
}

static void choose_all(struct session *s, struct choice *c)
{
	char names[256], *rest = NULL;

	if (strcmp(s->network->transports, "all") == 0) {
		for (const struct wire *w = all_wires; w->name != NULL; w++)
			network_choose(s, w->name, false, c);
		return;
	}
	snprintf(names, sizeof names, "%s", s->network->transports);
	for (char *name = strtok_r(names, ",", &rest); name != NULL;
	     name = strtok_r(NULL, ",", &rest))
		network_choose(s, name, true, c);
}

static void measure_all(struct session *s, const struct choice *c)
{
	static const int usual[] = { 2, 4, 8, 0 };
	static const int quick[] = { 2, 0 };
	const struct network *n = s->network;
	const int *nprocs = n->nprocs[0] > 0 ? n->nprocs : n->quick ? quick : usual;

	for (int i = 0; i < c->n; i++) {
		apply(&c->wire[i]);
		for (int k = 0; k < TABLE_PARTS && nprocs[k] > 0; k++)
			measure_wire(s, &c->wire[i], nprocs[k]);
		withdraw(&c->wire[i]);
	}
}

static void measure_starts(struct session *s, const struct choice *c)
{
	int nprocs = s->network->quick ? STARTED_QUICK : STARTED;
	char line[256];

	snprintf(line, sizeof line, "### Start and end of a job of %d processes, in seconds",
		 nprocs);
	network_say(s, line);
	network_say(s, "");
	snprintf(line, sizeof line, "| %-12s | %10s | %10s | %10s |", "transport", "bsp_begin",
		 "mpirun", "only MPI");
	network_say(s, line);
	network_say(s, "|---|---|---|---|");
	for (int i = 0; i < c->n; i++) {
		apply(&c->wire[i]);
		start_line(s, &c->wire[i], nprocs);
		withdraw(&c->wire[i]);
	}
}

/* Plugins are loaded from there, as long as the library is not installed. */
static void find_plugins(const struct network *n)
{
	char path[PATH_MAX];

	snprintf(path, sizeof path, "%s/../.libs", n->directory);
	setenv("BSP_PLUGINS", path, 0);
}

static int open_files(struct session *s)
{
	const struct network *n = s->network;

	if (n->csv != NULL)
		unlink(n->csv);
	if (n->markdown == NULL)
		return 0;
	s->markdown = fopen(n->markdown, "we");
	if (s->markdown != NULL)
		return 0;
	perror(n->markdown);
	return 1;
}

static int close_files(struct session *s)
{
	if (s->markdown == NULL || fclose(s->markdown) == 0)
		return 0;
	perror(s->network->markdown);
	return 1;
}

int network_measure(const struct network *network)
{
	struct session s = { .network = network };
	struct choice choice = { .n = 0 };
	char line[640];

	if (open_files(&s) != 0)
		return 1;
	find_plugins(network);
	snprintf(line, sizeof line, "`%s`, %d cores, %d rounds", network->command, network->ncores,
		 network_rounds_of(network));
	network_say(&s, line);
	network_say(&s, "");
	choose_all(&s, &choice);
	measure_all(&s, &choice);
	if (network->only == NULL && choice.n > 0)
		measure_starts(&s, &choice);
	return s.status | close_files(&s);
}
