// SPDX-License-Identifier: BSD-3-Clause
/* bspprobe.c - measure what this machine costs, and how well the models predict it: the command. */

/*
 * bspprobe is a BSP program of its own: -n and its like become settings before bsp_begin, so it
 * runs wherever other programs run, also when a launcher or bsprun has started it. Measured
 * parameters of earlier times play no part in measuring, and a file of them that is broken must
 * not keep us from making a new one.
 */

#include "config.h"

#include "bspprobe.h"

#include "bsp.h"
#include "common/option.h"
#include "common/page/machine.h"
#include "common/replace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
	"usage: bspprobe [option]...\n"
	"Measure what messages, supersteps and computing cost here, by the models pLogP and BSP.\n"
	"\n"
	"  -n N                number of processes, by default one for each processor\n"
	"  --transport T       what moves the data; bspinfo lists the transports\n"
	"  --emulate NETWORK   measure an emulated network: its name, or L=, o=, g=, G= and cpu=\n"
	"  --seconds S         spend about so much time, by default 20\n"
	"  --bytes N           largest message, by default 1M\n"
	"  --json, --csv       print it as JSON or CSV instead of a table\n"
	"  --save              store it for programs that run here: in the file of BSP_PARAMS, or\n"
	"                      bsp/params.json in the user's configuration folder\n"
	"  --verify            then run each collective operation by each algorithm, and print\n"
	"                      what the models predicted beside what was measured; with\n"
	"    --only LIST       of these operations only: bcast,scatter, ...\n"
	"    --chosen          by the algorithm alone that the models choose\n"
	"    --svg FILE        also as a picture\n"
	"    --estimate        predicted by what the transport says of itself: by what programs\n"
	"                      go where nothing was measured\n"
	"  --quiet             do not say what is going on\n"
	"  --version, --help\n";

static struct {
	struct probe_request request;
	struct probe_result result;
	bool quiet;
	bool first;		/* this is process 0 */
} probe = { .request = { .seconds = 20, .bytes_most = 1 << 20 } };

/* ---- The SPMD part ----------------------------------------------------------------------- */

static void note_where(struct probe_result *r)
{
	time_t now = time(NULL);
	struct tm utc;

	bspi_params_key(&r->key);
	gmtime_r(&now, &utc);
	strftime(r->date, sizeof(r->date), "%Y-%m-%dT%H:%M:%SZ", &utc);
}

static void probe_spmd(void)
{
	struct probe_result *r = &probe.result;
	bool progress = !probe.quiet && isatty(STDERR_FILENO);
	double seconds = probe.request.seconds;
	struct bspi_params params;
	struct measure m;

	bsp_begin(bsp_nprocs());
	if (bsp_nprocs() < 2)
		bsp_abort("bspprobe: one process sends no messages; ask for more with -n");
	measure_open(&m, probe.request.verify ? seconds / 2 : seconds, probe.request.bytes_most,
		     progress);
	probe.first = m.me == 0;
	note_where(r);
	if (probe.request.estimate) {
		params = *bspi_params();
	} else {
		measure_machine(&m, &r->machine);
		if (m.me == 0)
			probe_bound(&r->machine, stderr);
		measure_tell(&m, &r->machine, &params);
	}
	r->plogp = params.plogp;
	r->inside = params.inside;
	r->plogp.inside = r->inside.nsizes > 0 ? &r->inside : NULL;
	if (probe.request.verify) {
		m.seconds = seconds;
		probe_verify(&m, &probe.request, r);
	}
	measure_close(&m);
	bsp_end();
}

/* ---- Options ------------------------------------------------------------------------------- */

static bool probe_read_seconds(const char *text)
{
	return option_seconds(text, &probe.request.seconds);
}

static bool read_bytes(const char *text)
{
	const char *end;
	uint64_t n = option_bytes(text, &end);

	probe.request.bytes_most = n;
	return n > 0 && !*end;
}

static bool is_operation(const char *name)
{
	return goal_kind_of(name) >= 0;
}

static bool read_only(const char *text)
{
	probe.request.only = text;
	return option_list(text, is_operation);
}

static bool read_svg(const char *text)
{
	probe.request.svg = text;
	return *text;
}

static bool probe_read_nprocs(const char *text)
{
	return option_setting("BSP_NPROCS", text) && atoi(text) > 1;
}

static int as_json(void)
{
	probe.request.format = PROBE_JSON;
	return -1;
}

static int as_csv(void)
{
	probe.request.format = PROBE_CSV;
	return -1;
}

static const struct option_row rows[] = {
	{ "-n", .read = probe_read_nprocs, .expected = "a number from 2 to 16384" },
	{ "-np", .read = probe_read_nprocs, .expected = "a number from 2 to 16384" },
	{ "--transport", .variable = "BSP_TRANSPORT", .expected = "one that bspinfo lists" },
	{ "--emulate", .variable = "BSP_EMULATE",
	  .expected = "a network, as in bsprun --emulate" },
	{ "--seconds", .read = probe_read_seconds,
	  .expected = "a number above 0, at most 1000000" },
	{ "--bytes", .read = read_bytes, .expected = "a number from 1 to 1024M, with k or M" },
	{ "--only", .read = read_only, .expected = "names of operations, as bcast,barrier" },
	{ "--svg", .read = read_svg, .expected = "a file" },
	{ "--json", .act = as_json },
	{ "--csv", .act = as_csv },
	{ "--save", .flag = &probe.request.save },
	{ "--verify", .flag = &probe.request.verify },
	{ "--estimate", .flag = &probe.request.estimate },
	{ "--chosen", .flag = &probe.request.chosen },
	{ "--quiet", .flag = &probe.quiet },
	{ .name = NULL },
};

static const struct option_table options = { "bspprobe", usage, rows, OPTION_WORDS, NULL };

/* Negative: go on; else the exit status. */
static int read_options(int argc, char **argv)
{
	const struct probe_request *r = &probe.request;
	int status = option_read_all(&options, argc, argv);

	if (status >= 0)
		return status;
	if ((r->svg || r->only || r->estimate || r->chosen) && !r->verify)
		return option_misuse(&options, "only with --verify:",
				     r->svg    ? "--svg" :
				     r->only   ? "--only" :
				     r->chosen ? "--chosen" :
						 "--estimate");
	if (r->estimate && r->save)
		return option_misuse(&options, "not with --save:", "--estimate");
	return -1;
}

/* ---- The command -------------------------------------------------------------------------- */

/* Where it is stored, in a buffer of this function; NULL: nowhere. */
static const char *where_to_save(void)
{
	static char path[4096];

	if (probe.request.save_to)
		return probe.request.save_to;
	return bspi_params_path(path, sizeof(path)) ? path : NULL;
}

static int fail_picture(int err)
{
	fprintf(stderr, "bspprobe: cannot write %s: %s\n", probe.request.svg, strerror(err));
	return PROBE_FAILED;
}

/*
 * Can what is measured be written? Better known before. Not of launched processes: the first one
 * writes, and the others may have no such folder.
 */
static int check_files(void)
{
	int err;

	if (getenv("PMIX_RANK") || getenv("PMI_RANK"))
		return PROBE_GOOD;
	err = probe.request.svg ? replace_try(probe.request.svg) : 0;
	if (err)
		return fail_picture(err);
	if (!probe.request.save || where_to_save())
		return PROBE_GOOD;
	fputs("bspprobe: not saved: neither XDG_CONFIG_HOME nor HOME names a folder; "
	      "set BSP_PARAMS to a file\n", stderr);
	return PROBE_FAILED;
}

static int save(void)
{
	const char *path = where_to_save();
	char why[PROBE_TEXT * 20];

	if (!path)
		return PROBE_FAILED;
	if (probe_save(path, &probe.result, why, sizeof(why)) < 0) {
		fprintf(stderr, "bspprobe: not saved: %s\n", why);
		return PROBE_FAILED;
	}
	fprintf(stderr, "bspprobe: saved in %s\n", path);
	return PROBE_GOOD;
}

static int probe_report(void)
{
	int status = PROBE_GOOD;

	if (probe.request.verify)
		probe_write_rows(stdout, &probe.result, probe.request.format);
	else
		probe_write_machine(stdout, &probe.result, probe.request.format);
	if (fflush(stdout) || ferror(stdout))
		status = PROBE_FAILED;
	if (probe.request.svg && probe_write_svg(probe.request.svg, &probe.result) < 0)
		status = fail_picture(errno);
	if (probe.request.save && save() != PROBE_GOOD)
		status = PROBE_FAILED;
	return status;
}

/* The file in BSP_PARAMS, which the library is not to see. */
static const char *take_file(void)
{
	const char *file = getenv("BSP_PARAMS");
	char *copy = file && *file ? strdup(file) : NULL;

	setenv("BSP_PARAMS", "none", 1);
	return copy;
}

int main(int argc, char **argv)
{
	int status = read_options(argc, argv);

	if (status >= 0)
		return status;
	probe.request.save_to = take_file();
	status = check_files();
	if (status != PROBE_GOOD)
		return status;
	page_command(probe.result.command, sizeof(probe.result.command), "bspprobe", argc, argv);
	bsp_init(probe_spmd, argc, argv);
	probe_spmd();
	return probe.first ? probe_report() : PROBE_GOOD;
}
