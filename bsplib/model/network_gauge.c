// SPDX-License-Identifier: BSD-3-Clause
/* network_gauge.c - the parameters of LogGP out of a report of bspgauge, which may be broken. */

/*
 * The form is that of tools/bspgauge/output/gauge_out_json.c. Results of pattern loggp count; each
 * value is a series of one point, of which the median is taken.
 */

#include "bsplib/model/measurements.h"

#include "common/json.h"

#include <stdio.h>
#include <string.h>

enum { KEY_MOST = 64, GAUGE_VERSION = 1 };

static const double US = 1e3;			/* ns */

/* The values of pattern loggp, with the numbers that they have in a set. */
enum value {
	OS, OR, LATENCY, ONE_WAY,
	GAP, BYTE = GAP + BSPI_LINES_MOST, VALUES = BYTE + BSPI_LINES_MOST,
};

static const char *const value_names[VALUES] = {
	[OS] = "os", [OR] = "or", [LATENCY] = "L", [ONE_WAY] = "one_way",
	[GAP] = "g", "g_2", "g_3", "g_4",
	[BYTE] = "G", "G_2", "G_3", "G_4",
};

/* A result under way. */
struct result {
	char pattern[KEY_MOST], module[KEY_MOST], network[256], skipped[256];
	double nprocs;
	unsigned int seen;		/* a bit for each value */
	double value[VALUES];		/* ns */
};

/* ---- Series ----------------------------------------------------------------------- */

/* The medians of the points; there is one. */
static double read_median(struct json *json)
{
	static const struct json_field fields[] = { { "median", 0, .whole = false } };
	double median = 0;
	int n = 0;

	bspi_json_open(json, '[');
	while (bspi_json_more(json, ']')) {
		if (n++)
			bspi_json_refuse(json, "more than one point");
		bspi_json_fields(json, fields, 1, &median);
	}
	if (n == 0)
		bspi_json_refuse(json, "no point");
	return median;
}

static int value_named(const char *name)
{
	for (int i = 0; i < VALUES; i++)
		if (strcmp(value_names[i], name) == 0)
			return i;
	return VALUES;
}

/* The value that the series is of; VALUES: it is of none. Reads up to its points. */
static int read_series_name(struct json *json, bool *is_us)
{
	char key[KEY_MOST], name[KEY_MOST] = "", unit[KEY_MOST] = "";

	bspi_json_open(json, '{');
	while (bspi_json_more(json, '}')) {
		bspi_json_key(json, key, sizeof(key));
		if (strcmp(key, "name") == 0)
			bspi_json_string(json, name, sizeof(name));
		else if (strcmp(key, "unit") == 0)
			bspi_json_string(json, unit, sizeof(unit));
		else if (strcmp(key, "points") == 0)
			break;
		else
			bspi_json_skip(json);
	}
	if (json->wrong)
		return VALUES;
	*is_us = strcmp(unit, "us") == 0;
	if (strcmp(key, "points") != 0)
		bspi_json_refuse(json, "expected points");
	return value_named(name);
}

static void read_loggp_series(struct json *json, struct result *r, struct bspi_measurements *all)
{
	bool is_us = false;
	int value = read_series_name(json, &is_us);

	if (json->wrong)
		return;
	if (value == VALUES) {
		bspi_json_skip(json);
	} else {
		snprintf(all->member, sizeof(all->member), "%s", value_names[value]);
		if (is_us != (value < BYTE))
			bspi_json_refuse(json, "expected us, and for G ns/byte");
		if (r->seen & 1u << value)
			bspi_json_refuse(json, "a value that was there before");
		r->seen |= 1u << value;
		r->value[value] = read_median(json) * (value < BYTE ? US : 1);
	}
	while (bspi_json_more(json, '}')) {
		char key[KEY_MOST];

		bspi_json_key(json, key, sizeof(key));
		bspi_json_skip(json);
	}
	if (!json->wrong)
		all->member[0] = '\0';
}

/* ---- Results ---------------------------------------------------------------------- */

static void read_result_member(struct json *json, struct result *r, const char *key,
			       struct bspi_measurements *all)
{
	if (strcmp(key, "module") == 0) {
		bspi_json_string(json, r->module, sizeof(r->module));
	} else if (strcmp(key, "pattern") == 0) {
		bspi_json_string(json, r->pattern, sizeof(r->pattern));
	} else if (strcmp(key, "network") == 0) {
		bspi_json_string(json, r->network, sizeof(r->network));
	} else if (strcmp(key, "skipped") == 0) {
		bspi_json_string(json, r->skipped, sizeof(r->skipped));
	} else if (strcmp(key, "nprocs") == 0) {
		r->nprocs = bspi_json_number(json);
		if (!(r->nprocs >= 1 && r->nprocs <= 1e6))
			bspi_json_refuse(json, "a number of processes that cannot be");
	} else if (strcmp(key, "series") == 0 && strcmp(r->pattern, "loggp") == 0) {
		bspi_json_open(json, '[');
		while (bspi_json_more(json, ']'))
			read_loggp_series(json, r, all);
	} else {
		bspi_json_skip(json);
	}
}

/* The values that there are as a network. */
static void add_result(struct json *json, const struct result *r, struct bspi_measurements *all)
{
	struct bspi_line lines[BSPI_LINES_MOST];
	struct bspi_measured m = { .nprocs = (int)r->nprocs };
	struct bspi_byte byte;
	int n = 0;

	if (!r->module[0] || r->nprocs == 0)
		bspi_json_refuse(json, "no module or nprocs in the result before");
	for (int i = 0; i < VALUES; i++) {
		bool is_needed = (i <= GAP && i != ONE_WAY) || i == BYTE;

		if (!is_needed || r->seen & 1u << i || json->wrong)
			continue;
		snprintf(all->member, sizeof(all->member), "%s", value_names[i]);
		bspi_json_refuse(json, "is missing in the result before");
	}
	for (; n < BSPI_LINES_MOST && r->seen & 1u << (GAP + n) && r->seen & 1u << (BYTE + n); n++)
		lines[n] = (struct bspi_line){ r->value[GAP + n], r->value[BYTE + n], 0 };
	if (json->wrong)
		return;
	snprintf(m.module, sizeof(m.module), "%s%s%.40s", r->module, r->network[0] ? " " : "",
		 r->network);
	byte = (struct bspi_byte){ r->value[OS], r->value[OR], r->value[ONE_WAY] };
	bspi_loggp_of(&m.net, lines, n, &byte, r->value[LATENCY]);
	bspi_measurements_add(all, &m);
}

static void read_gauge_result(struct json *json, struct bspi_measurements *all)
{
	struct result r = { .seen = 0 };
	char key[KEY_MOST];

	bspi_json_open(json, '{');
	while (bspi_json_more(json, '}')) {
		bspi_json_key(json, key, sizeof(key));
		read_result_member(json, &r, key, all);
	}
	if (!json->wrong && strcmp(r.pattern, "loggp") == 0 && !r.skipped[0])
		add_result(json, &r, all);
}

void bspi_network_read_gauge(struct json *json, struct bspi_measurements *all)
{
	char key[KEY_MOST];

	bspi_json_open(json, '{');
	while (bspi_json_more(json, '}')) {
		bspi_json_key(json, key, sizeof(key));
		if (strcmp(key, "bspgauge") == 0) {
			if (bspi_json_number(json) != GAUGE_VERSION)
				bspi_json_refuse(json, "a version that is not understood");
		} else if (strcmp(key, "results") == 0) {
			bspi_json_open(json, '[');
			while (bspi_json_more(json, ']'))
				read_gauge_result(json, all);
		} else {
			bspi_json_skip(json);
		}
	}
	bspi_json_end(json);
}
