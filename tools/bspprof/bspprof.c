// SPDX-License-Identifier: BSD-3-Clause
/* bspprof.c - show a recording of bsprun --record: as a table, a page, a timeline. */

#include "prof.h"

#include "common/option.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
	"usage: bspprof [table|html|trace|predict|goal|join] [-o FILE] RECORDING\n"
	"shows a recording that bsprun --record made\n"
	"\n"
	"  table       call sites, supersteps that repeat, critical path (default)\n"
	"  html        the same as a page\n"
	"  trace       a timeline for Perfetto, as JSON; if FILE ends in .otf2, an archive\n"
	"              in the Open Trace Format 2 for Vampir and Scalasca\n"
	"  predict     how long it would take, with other barriers, by simulation\n"
	"  goal        the graph that is simulated, as text for goalc and LogGOPSim\n"
	"  join        RECORDING from the parts that a run left which was cut off\n"
	"  -o FILE     write to FILE; by default to standard output\n"
	"  --on LIST   with predict: also on these networks, as bsprun --emulate names them\n"
	"  --only NAME, --without NAME\n"
	"              only what is done in sections of this name, or all but it\n"
	"  --steps FIRST:LAST\n"
	"              with html: the picture of time is of these supersteps\n"
	"  --note TEXT with join: how the run ended\n"
	"  --help, --version\n";

static const char *output, *note;

static const struct option_row rows[] = {
	{ "-o", .text = &output },
	{ "--note", .text = &note },
	{ "--on", .text = &prof_networks },
	{ "--only", .text = &prof_choice.only },
	{ "--without", .text = &prof_choice.without },
	{ "--steps", .read = prof_steps_read, .expected = "FIRST:LAST, two supersteps" },
	{ .name = NULL },
};

static const char *const forms[] = { "table", "html", "trace", "predict", "goal", "join", NULL };

static const struct option_table options = {
	.command = "bspprof", .usage = usage, .rows = rows, .style = OPTION_LETTERS,
	.words = forms,
};

static int complain(const char *file, const char *why)
{
	fprintf(stderr, "bspprof: %s: %s\n", file, why);
	return OPTION_FAILED;
}

static int write_form(const char *form, const char *recording)
{
	char why[PROF_WHY];

	if (prof_write(form, recording, output, why, sizeof(why)) == 0)
		return 0;
	fprintf(stderr, "bspprof: %s\n", why);
	return OPTION_FAILED;
}

static int join(const char *recording)
{
	int found, err = recording_join(recording, 0, 0, note, &found);

	if (err)
		return complain(recording, strerror(err));
	return found ? 0 : complain(recording, "it has no parts");
}

/* ---- The command line --------------------------------------------------------------------- */

static bool is_form(const char *word)
{
	for (const char *const *form = forms; *form; form++)
		if (strcmp(word, *form) == 0)
			return true;
	return false;
}

int main(int argc, char **argv)
{
	const char *form = "table", *recording = NULL;
	bool formed = false;
	struct option_scan scan;
	enum option_found found;

	option_scan(&scan, &options, argc, argv, 1);
	while ((found = option_next(&scan)) != OPTION_END) {
		if (found == OPTION_OPERAND && !formed && is_form(scan.word)) {
			form = scan.word;
			formed = true;
		} else if (found == OPTION_OPERAND && !recording) {
			recording = scan.word;
		} else if (found == OPTION_OPERAND) {
			return option_misuse(&options, "one recording is expected, not also",
					     scan.word);
		} else {
			int status = option_apply(&scan, found);

			if (status >= 0)
				return status;
		}
	}
	if (prof_choice.only && prof_choice.without)
		return option_misuse(&options, "one of --only and --without, not both", "");
	if (prof_steps.last < UINT64_MAX && strcmp(form, "html") != 0)
		return option_misuse(&options, "--steps is for html, not for", form);
	if (!recording)
		return option_misuse(&options, "which recording is to be shown?", "");
	return strcmp(form, "join") == 0 ? join(recording) : write_form(form, recording);
}
