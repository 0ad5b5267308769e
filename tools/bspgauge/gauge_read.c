// SPDX-License-Identifier: BSD-3-Clause
/* gauge_read.c - read a report that is JSON; whatever else it is gets refused with its line. */

#include "gauge.h"

#include "common/json.h"
#include "bsplib/model/params.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { KEY = 32, VERSION = 1, SAMPLES_MOST = MEASURE_SAMPLES };

/* A text of an object, by the name of its member. */
struct text {
	const char *key;
	char *at;
	size_t len;
};

/* Is it one of these? Then it has been read. */
static bool take_text(struct json *json, const char *key, const struct text *texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(texts[i].key, key) == 0) {
			bspi_json_string(json, texts[i].at, texts[i].len);
			return true;
		}
	return false;
}

static bool take_number(struct json *json, const char *key, const char *wanted, double *x)
{
	if (strcmp(key, wanted) != 0)
		return false;
	*x = bspi_json_number(json);
	return true;
}

/* Samples in a row; more than there can be are a mistake. */
static void read_raw(struct json *json, struct gauge_point *p)
{
	double all[SAMPLES_MOST];
	int n = 0;

	bspi_json_open(json, '[');
	while (bspi_json_more(json, ']')) {
		if (n == SAMPLES_MOST) {
			bspi_json_refuse(json, "too many samples");
			return;
		}
		all[n++] = bspi_json_number(json);
	}
	if (json->wrong || n == 0 || p->raw)
		return;
	p->raw = gauge_memory(NULL, (size_t)n * sizeof(*p->raw));
	memcpy(p->raw, all, (size_t)n * sizeof(*p->raw));
	p->nraw = n;
}

/* A count that is kept as an int. */
static int count_of(struct json *json, double x)
{
	if (x >= 0 && x <= 1e9)
		return (int)x;
	bspi_json_refuse(json, "expected a count");
	return 0;
}

/* Why a value is flagged, in a text that stays. */
static const char *keep(const char *text)
{
	static char **all;
	static size_t n;

	for (size_t i = 0; i < n; i++)
		if (strcmp(all[i], text) == 0)
			return all[i];
	all = gauge_memory(all, (n + 1) * sizeof(*all));
	all[n] = gauge_memory(NULL, strlen(text) + 1);
	return strcpy(all[n++], text);
}

static void read_point(struct json *json, struct gauge_point *p)
{
	char key[KEY], flag[GAUGE_TEXT] = "";
	double samples = 0, outliers = 0, lost = 0;
	const struct text text = { "flag", flag, sizeof(flag) };

	bspi_json_open(json, '{');
	while (bspi_json_more(json, '}')) {
		bspi_json_key(json, key, sizeof(key));
		if (take_text(json, key, &text, 1) || take_number(json, key, "x", &p->x) ||
		    take_number(json, key, "median", &p->v.median) ||
		    take_number(json, key, "low", &p->v.low) ||
		    take_number(json, key, "high", &p->v.high) ||
		    take_number(json, key, "samples", &samples) ||
		    take_number(json, key, "outliers", &outliers) ||
		    take_number(json, key, "lost", &lost))
			continue;
		if (strcmp(key, "raw") == 0)
			read_raw(json, p);
		else
			bspi_json_skip(json);
	}
	p->v.n = count_of(json, samples);
	p->v.outliers = count_of(json, outliers);
	p->v.lost = count_of(json, lost);
	p->v.flagged = flag[0];
	p->v.why = keep(flag);
}

static void read_series(struct json *json, struct gauge_result *r)
{
	struct gauge_series *s = gauge_series(r, "", "", "%s", "");
	const struct text texts[] = { { "name", s->name, sizeof(s->name) },
				      { "plot", s->plot, sizeof(s->plot) },
				      { "unit", s->unit, sizeof(s->unit) },
				      { "skipped", s->skipped, sizeof(s->skipped) } };
	static const struct measure_value nothing = { .n = 0 };
	char key[KEY];

	bspi_json_open(json, '{');
	while (bspi_json_more(json, '}')) {
		bspi_json_key(json, key, sizeof(key));
		if (take_text(json, key, texts, sizeof(texts) / sizeof(texts[0])))
			continue;
		if (strcmp(key, "points") != 0) {
			bspi_json_skip(json);
			continue;
		}
		bspi_json_open(json, '[');
		while (bspi_json_more(json, ']')) {
			gauge_add(s, 0, &nothing);
			read_point(json, &s->at[s->n - 1]);
		}
	}
}

static void read_result(struct json *json, struct gauge_report *report)
{
	struct gauge_result *r = gauge_report_add(report);
	const struct text texts[] = {
		{ "module", r->module, sizeof(r->module) },
		{ "pattern", r->pattern, sizeof(r->pattern) },
		{ "transport", r->transport, sizeof(r->transport) },
		{ "network", r->network, sizeof(r->network) },
		{ "skipped", r->skipped, sizeof(r->skipped) },
	};
	double nprocs = 0;
	char key[KEY];

	bspi_json_open(json, '{');
	while (bspi_json_more(json, '}')) {
		bspi_json_key(json, key, sizeof(key));
		if (take_text(json, key, texts, sizeof(texts) / sizeof(texts[0])) ||
		    take_number(json, key, "nprocs", &nprocs) ||
		    take_number(json, key, "seconds", &r->seconds) ||
		    take_number(json, key, "taken", &r->taken))
			continue;
		if (strcmp(key, "series") != 0) {
			bspi_json_skip(json);
			continue;
		}
		bspi_json_open(json, '[');
		while (bspi_json_more(json, ']'))
			read_series(json, r);
	}
	r->nprocs = count_of(json, nprocs);
}

static void read_report(struct json *json, struct gauge_report *r)
{
	const struct text texts[] = {
		{ "host", r->host, sizeof(r->host) },
		{ "processor", r->processor, sizeof(r->processor) },
		{ "kernel", r->kernel, sizeof(r->kernel) },
		{ "clock", r->clock, sizeof(r->clock) },
		{ "date", r->date, sizeof(r->date) },
		{ "version", r->version, sizeof(r->version) },
		{ "command", r->command, sizeof(r->command) },
	};
	double version = 0;
	char key[KEY];

	bspi_json_open(json, '{');
	while (bspi_json_more(json, '}')) {
		bspi_json_key(json, key, sizeof(key));
		if (take_text(json, key, texts, sizeof(texts) / sizeof(texts[0])) ||
		    take_number(json, key, "bspgauge", &version))
			continue;
		if (strcmp(key, "results") != 0) {
			bspi_json_skip(json);
			continue;
		}
		bspi_json_open(json, '[');
		while (bspi_json_more(json, ']'))
			read_result(json, r);
	}
	bspi_json_end(json);
	if (version != VERSION)
		bspi_json_refuse(json, "not a report of bspgauge, or of another version");
}

bool gauge_read(struct gauge_reports *all, const char *path)
{
	struct gauge_report *r;
	struct json json;
	size_t len;
	char *text = bspi_params_text(path, &len);
	bool good;

	if (!text) {
		gauge_complain("%s: %s", path, strerror(errno));
		return false;
	}
	all->at = gauge_memory(all->at, (all->n + 1) * sizeof(*all->at));
	r = &all->at[all->n++];
	*r = (struct gauge_report){ .n = 0 };
	snprintf(r->file, sizeof(r->file), "%s", path);
	bspi_json_begin(&json, text, len);
	read_report(&json, r);
	good = !json.wrong;
	if (!good)
		gauge_complain("%s, line %d: %s", path, bspi_params_line(&json), json.wrong);
	free(text);
	return good;
}
