/* SPDX-License-Identifier: BSD-3-Clause */
/* soak.c - arguments, the supersteps, and the report of a failure. */

#include "soak.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

extern char **environ;

struct soak soak = { .seed = 1, .steps = 2000, .spoil = NONE, .most = 200000 };

static int nargs;
static char **args;

/* ---- Failures ------------------------------------------------------------ */

/* The number of processes is printed besides, and forced algorithms are an argument. */
static bool is_told(const char *setting)
{
	return !strncmp(setting, "BSP_", 4) && strncmp(setting, "BSP_NPROCS=", 11) &&
	       strncmp(setting, "BSP_COLL=", 9);
}

/* The settings of this run, its program and arguments; @steps: but no more supersteps. */
static void print_command(int steps)
{
	fprintf(stderr, "soak: repeat:");
	for (char **setting = environ; *setting; setting++)
		if (is_told(*setting))
			fprintf(stderr, " %s", *setting);
	fprintf(stderr, " BSP_NPROCS=%d %s", soak.nprocs, args[0]);
	for (int i = 1; i < nargs; i++)
		if (strncmp(args[i], "steps=", 6))
			fprintf(stderr, " %s", args[i]);
	fprintf(stderr, " steps=%d\n", steps);
}

void soak_fail(const char *format, ...)
{
	char text[400];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	fprintf(stderr, "soak: seed %llu, superstep %d of %d (%s, %s), process %d of %d: %s\n",
		(unsigned long long)soak.seed, soak.step, soak.steps, soak.phase->name,
		soak.relaxed ? "relaxed" : "classic", soak.me, soak.nprocs, text);
	print_command(soak.step < soak.steps ? soak.step + 1 : soak.steps);
	bsp_abort("%s", text);
}

/* ---- Arguments ----------------------------------------------------------- */

__attribute__((noreturn))
static void refuse(const char *arg)
{
	fprintf(stderr, "soak: %s: the arguments are those of t/soak/soak.h\n", arg);
	exit(2);
}

static const char *const kinds[OP_KINDS] = {
	"write", "put", "get", "send", "read", "push", "pop", "tagsize", "nothing", "collective",
	"schedule",
};

static void leave_out(const char *arg, const char *list)
{
	static const char *const others[] = { "hp", "relaxed" };
	bool *const flags[] = { &soak.without_hp, &soak.without_relaxed };
	size_t n = 0, commas = 0;

	for (int k = 0; k < OP_KINDS; k++)
		n += soak.without[k] = soak_lists(list, kinds[k]);
	for (int i = 0; i < 2; i++)
		n += *flags[i] = soak_lists(list, others[i]);
	for (const char *c = list; *c; c++)
		commas += *c == ',';
	if (n != commas + 1)
		refuse(arg);
}

static void choose_phases(const char *arg, const char *list)
{
	char name[40];

	for (const char *at = list; at; at = strchr(at, ',')) {
		at += *at == ',';
		snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
		if (!soak_phase_exists(name))
			refuse(arg);
	}
	soak.phases = list;
}

static bool is_for_name(const char *arg, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(arg, name, len) && arg[len] == '=';
}

static unsigned long long number_of(const char *arg)
{
	const char *value = strchr(arg, '=') + 1;
	char *end;
	unsigned long long n = strtoull(value, &end, 0);

	if (end == value || *end)
		refuse(arg);
	return n;
}

static void take_argument(const char *arg)
{
	if (is_for_name(arg, "seed"))
		soak.seed = number_of(arg);
	else if (is_for_name(arg, "own"))
		soak.own = number_of(arg);
	else if (is_for_name(arg, "steps"))
		soak.steps = (int)number_of(arg);
	else if (is_for_name(arg, "spoil"))
		soak.spoil = (int)number_of(arg);
	else if (is_for_name(arg, "most"))
		soak.most = number_of(arg);
	else if (is_for_name(arg, "coll"))
		soak.coll = (unsigned int)number_of(arg);
	else if (is_for_name(arg, "without"))
		leave_out(arg, strchr(arg, '=') + 1);
	else if (is_for_name(arg, "phases"))
		choose_phases(arg, strchr(arg, '=') + 1);
	else
		refuse(arg);
	if (soak.steps < 1 || soak.most < 1)
		refuse(arg);
}

/* ---- The run ------------------------------------------------------------- */

static void begin(void)
{
	const char *sync = getenv("BSP_SYNC");

	if (soak.coll)
		force_algorithms((int)soak.coll - 1);
	bsp_begin(bsp_nprocs());
	soak.nprocs = (int)bsp_nprocs();
	soak.me = (int)bsp_pid();
	if (soak.nprocs > PROCS)
		bsp_abort("soak: at most %d processes", PROCS);
	soak.forced = sync && !strcmp(sync, "classic");
	soak_model_open();
	memcpy(soak_arena(), soak_memory(soak.me), ARENA);
}

static void print_what_was_done(void)
{
	printf("soak: seed %llu, %d processes, %d supersteps, %ld relaxed (%ld with a barrier);",
	       (unsigned long long)soak.seed, soak.nprocs, soak.steps, soak.relaxed_steps,
	       soak.barriers);
	for (int k = 0; k < OP_KINDS; k++)
		printf(" %ld %s", soak.done[k], kinds[k]);
	printf("; %ld unbuffered, %ld of 32 KiB or more: as in the model\n", soak.hp_done,
	       soak.large);
}

int main(int argc, char **argv)
{
	nargs = argc;
	args = argv;
	for (int i = 1; i < argc; i++)
		take_argument(argv[i]);
	setenv("BSP_UNREAD", "ignore", 0);	/* the plan leaves out reads at random */
	begin();
	for (soak.step = 0; soak.step < soak.steps; soak.step++) {
		soak_plan();
		soak_make();
		soak_run();
	}
	bsp_end();
	soak.nops = 0;
	soak_check_memory();
	if (soak.me == 0)
		print_what_was_done();
	soak_model_close();
	return 0;
}
