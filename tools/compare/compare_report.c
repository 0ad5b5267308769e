// SPDX-License-Identifier: BSD-3-Clause
/* compare_report.c - read what a run says of itself, and make figures of it. */

#include "compare.h"

#include "common/complain.h"
#include "common/json.h"
#include "common/setting.h"
#include "common/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- The file -------------------------------------------------------------- */

static char *report_read_all(FILE *in, size_t *len)
{
	char *text = NULL;
	size_t room = 0, n;

	*len = 0;
	do {
		if (room - *len < BUFSIZ) {
			char *larger = realloc(text, room = 2 * room + BUFSIZ);

			if (!larger) {
				free(text);
				return NULL;
			}
			text = larger;
		}
		n = fread(text + *len, 1, room - *len, in);
		*len += n;
	} while (n > 0);
	return text;
}

char *compare_file_read(const char *file, size_t *len)
{
	FILE *in = fopen(file, "r");
	char *text;
	int error;

	if (!in)
		return NULL;
	text = report_read_all(in, len);
	error = errno;
	if (text && ferror(in)) {
		free(text);
		text = NULL;
	}
	fclose(in);
	errno = error;
	return text;
}

/* ---- The members ----------------------------------------------------------- */

/* One process of the report. */
struct row {
	double compute, sync, read, collective, schedule;
	double puts, gets, messages, bytes_out, bytes_in;
};

static const struct json_field row_fields[] = {
	{ "compute_s", offsetof(struct row, compute), .whole = false },
	{ "sync_s", offsetof(struct row, sync), .whole = false },
	{ "read_s", offsetof(struct row, read), .whole = false },
	{ "collective_s", offsetof(struct row, collective), .optional = true },
	{ "schedule_s", offsetof(struct row, schedule), .optional = true },
	{ "puts", offsetof(struct row, puts), .whole = true },
	{ "gets", offsetof(struct row, gets), .whole = true },
	{ "messages", offsetof(struct row, messages), .whole = true },
	{ "bytes_out", offsetof(struct row, bytes_out), .whole = true },
	{ "bytes_in", offsetof(struct row, bytes_in), .whole = true },
};

enum { NROWFIELDS = sizeof(row_fields) / sizeof(row_fields[0]) };

static void divide(struct compare_figures *f, double nprocs)
{
	f->communication /= nprocs;
	f->sync /= nprocs;
	f->read /= nprocs;
	f->collective /= nprocs;
	f->compute /= nprocs;
}

/* Sums for now; the means come at the end. */
static double read_rows(struct json *json, struct compare_figures *f)
{
	double n = 0;
	struct row row = { 0 };

	bspi_json_open(json, '[');
	while (bspi_json_more(json, ']')) {
		double communication;

		bspi_json_fields(json, row_fields, NROWFIELDS, &row);
		communication = row.sync + row.read + row.collective + row.schedule;
		f->communication += communication;
		if (communication > f->largest)
			f->largest = communication;
		f->sync += row.sync;
		f->read += row.read;
		f->collective += row.collective + row.schedule;
		f->compute += row.compute;
		f->puts += row.puts;
		f->gets += row.gets;
		f->messages += row.messages;
		f->bytes += row.bytes_out;
		n++;
	}
	return n;
}

static double read_positive(struct json *json, bool whole)
{
	double value = bspi_json_number(json);

	if (value < 0)
		bspi_json_refuse(json, "a negative number");
	if (whole && (value > 0x1p53 || value != (long long)value))
		bspi_json_refuse(json, "not a count");
	return value;
}

/* Does the section that is to count occur? Without one, any list will do. */
static void read_sections(struct json *json, struct compare_report *r)
{
	const char *only = bspi_setting_nonempty("BSP_ONLY");
	const char *chosen = only ? only : bspi_setting_nonempty("BSP_WITHOUT");
	char name[COMPARE_TEXT];

	bspi_json_open(json, '[');
	while (bspi_json_more(json, ']')) {
		size_t len = strlen(r->sections);

		bspi_json_string(json, name, sizeof(name));
		r->has_section |= chosen && strcmp(chosen, name) == 0;
		text_make_printable(name);
		snprintf(r->sections + len, sizeof(r->sections) - len, "%s\"%s\"",
			 len ? ", " : "", name);
	}
	if (chosen)
		snprintf(r->section, sizeof(r->section), "%s", chosen);
}

enum member {
	TRANSPORT, SYNC, EMULATE, NPROCS, SUPERSTEPS, DURATION, PROCESSES, SECTIONS, MEMBERS,
};

static const char *const members[MEMBERS] = {
	[TRANSPORT] = "transport", [SYNC] = "sync", [EMULATE] = "emulate", [NPROCS] = "nprocs",
	[SUPERSTEPS] = "supersteps", [DURATION] = "seconds", [PROCESSES] = "processes",
	[SECTIONS] = "sections",
};

static void report_read_member(struct json *json, enum member member, struct compare_report *r,
			       double *nrows)
{
	switch (member) {
	case TRANSPORT:
		bspi_json_string(json, r->transport, sizeof(r->transport));
		break;
	case SYNC:
		bspi_json_string(json, r->sync, sizeof(r->sync));
		break;
	case EMULATE:
		bspi_json_string(json, r->network, sizeof(r->network));
		break;
	case NPROCS:
		r->nprocs = read_positive(json, true);
		break;
	case SUPERSTEPS:
		r->figures.supersteps = read_positive(json, true);
		break;
	case DURATION:
		r->figures.total = read_positive(json, false);
		break;
	case PROCESSES:
		*nrows = read_rows(json, &r->figures);
		break;
	case SECTIONS:
		read_sections(json, r);
		break;
	case MEMBERS:
		bspi_json_skip(json);
		break;
	}
}

static void report_read_report(struct json *json, struct compare_report *r)
{
	double most = bspi_setting_find("BSP_NPROCS")->most;
	bool seen[MEMBERS + 1] = { false };
	double nrows = 0;
	char key[64];

	bspi_json_open(json, '{');
	while (bspi_json_more(json, '}')) {
		enum member m = 0;

		bspi_json_key(json, key, sizeof(key));
		while (m < MEMBERS && strcmp(key, members[m]) != 0)
			m++;
		if (m < MEMBERS && seen[m])
			bspi_json_refuse(json, "a member that was there before");
		seen[m] = true;
		report_read_member(json, m, r, &nrows);
	}
	bspi_json_end(json);
	for (int m = 0; m < MEMBERS; m++)
		if (!seen[m] && m != SECTIONS)
			bspi_json_refuse(json, "a member is missing");
	if (r->nprocs < 1 || r->nprocs > most || nrows != r->nprocs)
		bspi_json_refuse(json, "nprocs is not the number of processes");
	if (strcmp(r->sync, "classic") != 0 && strcmp(r->sync, "relaxed") != 0 &&
	    strcmp(r->sync, "neighbors") != 0)
		bspi_json_refuse(json, "sync is neither classic, nor relaxed, nor neighbors");
}

/* Is it a report of what was asked for? */
static int check_way(const struct compare_way *way, const struct compare_report *r)
{
	if (r->section[0] && !r->has_section) {
		complain("the program has no section \"%s\"%s%s", r->section,
			 r->sections[0] ? "; there are: " : ", as it has none", r->sections);
		return 1;
	}
	if (strcmp(r->sync, way->reports) == 0)
		return 0;
	if (strcmp(way->reports, "neighbors") == 0)
		complain("there is nothing to compare: "
			 "no superstep ends among neighbours of bsp_set_neighbors");
	else if (strcmp(way->reports, "relaxed") == 0)
		complain("there is nothing to compare: "
			 "the program never calls bsp_set_sync(BSP_RELAXED)");
	else
		complain("the run with %s reports that it was %s: "
			 "is the program linked with this library?", way->setting,
			 strcmp(r->sync, "relaxed") == 0 ? "relaxed" : "one among neighbours");
	return 1;
}

int compare_report_read(const char *file, const struct compare_way *way,
			struct compare_report *report)
{
	size_t len;
	char *text = compare_file_read(file, &len);
	struct json json;

	*report = (struct compare_report){ .nprocs = 0 };
	if (!text) {
		complain("the report of the program: %s", strerror(errno));
		return 1;
	}
	bspi_json_begin(&json, text, len);
	if (len > 0)
		report_read_report(&json, report);
	free(text);
	if (len == 0) {
		complain("the program ended without a report: does it reach bsp_end, "
			 "and is it linked with this library?");
		return 1;
	}
	if (json.wrong) {
		complain("the report of the program is malformed, byte %td of %zu: %s",
			 json.at - json.text, len, json.wrong);
		return 1;
	}
	divide(&report->figures, report->nprocs);
	return check_way(way, report);
}
