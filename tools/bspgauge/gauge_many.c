// SPDX-License-Identifier: BSD-3-Clause
/* gauge_many.c - several modules: one job after the other, and one report. */

/*
 * A program begins and ends once, and transports are chosen when it begins; so each job is this
 * program again, with one module and its share of the time, whose report is read back. The share is
 * that of what is left: time that a module does not spend is for those after it, and time that it
 * takes beyond its share is theirs. A module that cannot run is in the report with its reason; a
 * job that fails, too, and the others go on. If bspgauge is killed, the kernel ends the job
 * (PR_SET_PDEATHSIG).
 */

#include "gauge.h"
#include "common/option.h"
#include "transport/transport.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 32 + 2 * GAUGE_OPTIONS, NUMBER = 64 };

/* The command of a job. */
struct command {
	const char *word[WORDS];
	int n;
	bool emulated;		/* of module emu, of which --emulate says the network */
};

static bool many_is_emulated(const struct gauge_module *m)
{
	return m->transport && strcmp(m->transport, "emu") == 0;
}

static void many_add(struct command *c, const char *option, const char *value)
{
	if (!value)
		return;
	c->word[c->n++] = option;
	c->word[c->n++] = value;
}

static void many_write_command(struct command *c, const struct gauge_module *module, double seconds,
			       const char *path)
{
	static char share[NUMBER], sizes[NUMBER], seed[NUMBER], samples[NUMBER];
	const struct gauge_request *r = &gauge_request;
	unsigned long long from = r->size[0], to = r->size[r->nsizes - 1];

	*c = (struct command){ .word = { "bspgauge" }, .n = 1,
				.emulated = many_is_emulated(module) };
	snprintf(share, sizeof(share), "%.3f", seconds);
	snprintf(sizes, sizeof(sizes), "%llu:%llu:%llu", from, to,
		 r->nsizes > 1 ? (unsigned long long)r->size[1] / from : 2);
	snprintf(seed, sizeof(seed), "%lu", (unsigned long)r->seed);
	snprintf(samples, sizeof(samples), "%d", r->samples);
	many_add(c, "--module", module->name);
	many_add(c, "--seed", seed);
	many_add(c, "--samples", r->samples ? samples : NULL);
	many_add(c, "--pattern", r->patterns);
	many_add(c, "--seconds", share);
	many_add(c, "--sizes", sizes);
	many_add(c, "-n", r->nprocs);
	many_add(c, "--interface", r->interface);
	for (int i = 0; i < r->noptions; i++)
		if (gauge_option_is_of(module, r->option[i]))
			many_add(c, "--option", r->option[i]);
	many_add(c, "--json", path);
	if (r->raw)
		c->word[c->n++] = "--raw";
	if (r->quiet)
		c->word[c->n++] = "--quiet";
}

/* Its table is not wanted; what it says on standard error is. */
static _Noreturn void many_become(const struct command *c, pid_t parent)
{
	int null = open("/dev/null", O_WRONLY);

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
		_exit(127);
	dup2(null, STDOUT_FILENO);
	if (gauge_request.emulates && !c->emulated)
		unsetenv("BSP_EMULATE");	/* which --emulate has set */
	execv("/proc/self/exe", (char *const *)(const void *)c->word);
	_exit(127);
}

static int many_run(const struct command *c)
{
	pid_t parent = getpid(), child = fork();
	int status = -1;

	if (child == 0)
		many_become(c, parent);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void note_skipped(struct gauge_report *report, const struct gauge_module *module,
			 const char *why)
{
	struct gauge_result *r = gauge_report_add(report);

	snprintf(r->module, sizeof(r->module), "%s", module->name);
	snprintf(r->pattern, sizeof(r->pattern), "all");
	snprintf(r->skipped, sizeof(r->skipped), "%s", why);
}

/* Results change hands. */
static void merge(struct gauge_report *report, struct gauge_report *part)
{
	snprintf(report->clock, sizeof(report->clock), "%s", part->clock);
	for (size_t i = 0; i < part->n; i++)
		*gauge_report_add(report) = part->result[i];
	free(part->result);
}

/* The job writes its report into memory of this process, so no end of either leaves a file. */
static void run_module(struct gauge_report *report, const struct gauge_module *module,
		       double seconds)
{
	struct gauge_reports read = { NULL, 0 };
	int fd = memfd_create("bspgauge", MFD_CLOEXEC);
	struct command c;
	char path[NUMBER];

	if (fd < 0) {
		note_skipped(report, module, strerror(errno));
		return;
	}
	snprintf(path, sizeof(path), "/proc/%ld/fd/%d", (long)getpid(), fd);
	many_write_command(&c, module, seconds, path);
	if (many_run(&c) != 0)
		note_skipped(report, module, "its job failed");
	else if (gauge_read(&read, path))
		merge(report, &read.at[0]);
	free(read.at);
	close(fd);
}

/* Is it one of all? An emulated network only if one was named: it says nothing of this machine. */
static bool many_is_wanted(const struct gauge_module *m)
{
	if (!gauge_request.modules && many_is_emulated(m))
		return gauge_request.emulates;
	return gauge_is_in(gauge_request.modules, m->name);
}

static bool many_can_run(const struct gauge_module *m, char *why, size_t len)
{
	return !m->probe || !m->probe(why, len);
}

/* The seconds of one of @modules; 0 is no number of seconds. */
static double module_share(double seconds_left, int modules)
{
	return fmax(seconds_left / (modules > 0 ? modules : 1), 0.001);
}

int gauge_run_many(struct gauge_report *report)
{
	uint64_t began_ns = bspt_now_ns();
	const struct gauge_module *m;
	char why[GAUGE_TEXT] = "";
	int left = 0;

	if (getenv("PMIX_RANK") || getenv("PMI_RANK")) {
		gauge_complain(
			"a launcher has started this, and a job has one module: name it with "
			"--module");
		return OPTION_MISUSED;
	}
	for (unsigned int i = 0; (m = gauge_module_at(i)); i++)
		left += many_is_wanted(m) && many_can_run(m, why, sizeof(why));
	for (unsigned int i = 0; (m = gauge_module_at(i)); i++) {
		if (!many_is_wanted(m))
			continue;
		if (!gauge_request.quiet && isatty(STDERR_FILENO))
			fprintf(stderr, "\rmodule %s, %d more\033[K\n", m->name,
				left > 0 ? left - 1 : 0);
		if (!many_can_run(m, why, sizeof(why))) {
			note_skipped(report, m, why);
			continue;
		}
		run_module(report, m, module_share(gauge_request.seconds -
					       (double)(bspt_now_ns() - began_ns) * 1e-9, left));
		left--;
	}
	return GAUGE_GOOD;
}
