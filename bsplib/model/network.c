// SPDX-License-Identifier: BSD-3-Clause
/* network.c - a file of measurements as the text of a network to emulate. */

#include "bsplib/model/measurements.h"

#include "bsplib/core/base.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/model/params.h"
#include "common/input.h"
#include "common/json.h"
#include "common/plain.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_MOST = 64, NUMBER_MOST = 32 };

/* In ns: what the emulator takes, in whole picoseconds. */
static const double TIME_MOST = BSPI_EMULATED_TIME_MOST, BYTE_MOST = 1e6,
		    BYTE_LEAST = BSPI_EMULATED_BYTE_LEAST;

/* The programs that write files which can be read here. */
static const char makers[] = "bspgauge --json and bspprobe --json write files for this";

/* ---- Out of bspprobe's file ------------------------------------------------------ */

double bspi_network_wire_bytes(uint64_t bytes)
{
	return (double)(sizeof(struct bspi_head) + sizeof(struct bspi_rec) + bspi_align(bytes));
}

_Static_assert((int)BSPI_SIZES_MOST <= (int)BSPI_GAPS_MOST, "each size has a gap");

/*
 * L(pLogP) is PRTT(1, 1) / 2 less g(1). So the numbers are those that bspgauge finds in the same
 * measurement.
 */
static void network_of_plogp(const struct bspi_plogp *p, struct bspi_loggp *net)
{
	struct bspi_gap gaps[BSPI_SIZES_MOST];
	struct bspi_line lines[BSPI_LINES_MOST];
	struct bspi_byte byte = { p->os[0], p->or_[0], p->L + p->g[0] };
	int ends[BSPI_LINES_MOST], n, from = 0;

	for (int i = 0; i < p->nsizes; i++)
		gaps[i] = (struct bspi_gap){ bspi_network_wire_bytes(p->size[i]) - 1, p->g[i],
					     p->g[i] };
	n = bspi_line_cut(gaps, p->nsizes, ends);
	for (int i = 0; i < n; from = ends[i++])
		lines[i] = bspi_line_fit(gaps + from, ends[i] - from);
	bspi_loggp_of(net, lines, n, &byte,
		      bspi_loggp_latency(&byte, gaps[0].bytes, lines[0].G));
}

double bspi_network_byte_of(const struct bspi_plogp *p)
{
	struct bspi_loggp net;

	network_of_plogp(p, &net);
	return net.G;
}

static void network_read_probe(struct json *json, struct bspi_measurements *all)
{
	bspi_params_file_begin(json);
	while (bspi_json_more(json, ']')) {
		struct bspi_params_entry e;
		struct bspi_measured m;

		bspi_params_entry_read(json, &e);
		if (json->wrong)
			return;
		snprintf(m.module, sizeof(m.module), "%s%s%.40s on %.40s", e.key.transport,
			 e.key.network[0] ? " " : "", e.key.network, e.key.host);
		m.nprocs = e.key.nprocs;
		network_of_plogp(&e.plogp, &m.net);
		bspi_measurements_add(all, &m);
	}
	bspi_params_file_end(json);
}

/* ---- One measurement of a file ---------------------------------------------------- */

/* Bspgauge's report or bspprobe's file: the first member that only one of them has says so. */
static void network_read(struct json *json, struct bspi_measurements *all)
{
	const char *text = json->text;
	size_t len = (size_t)(json->end - text);
	bool is_gauge = false, is_probe = false;
	char key[KEY_MOST];

	bspi_json_open(json, '{');
	while (!is_gauge && !is_probe && bspi_json_more(json, '}')) {
		bspi_json_key(json, key, sizeof(key));
		is_gauge = strcmp(key, "bspgauge") == 0;
		is_probe = strcmp(key, "entries") == 0;
		bspi_json_skip(json);
	}
	if (json->wrong)
		return;
	bspi_json_begin(json, text, len);
	if (is_gauge)
		bspi_network_read_gauge(json, all);
	else if (is_probe)
		network_read_probe(json, all);
	else
		bspi_json_refuse(json, "neither a report of bspgauge nor parameters of bspprobe");
}

/* Write why; -1. */
__attribute__((format(printf, 3, 4)))
static int network_refuse(char *why, size_t len, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, len, format, args);
	va_end(args);
	return -1;
}

/* Is the one that was chosen the right one, and may it be? */
static int network_check(const char *path, const struct bspi_measurements *all, char *why,
			 size_t len)
{
	const char *more = strlen(all->list) + 1 == sizeof(all->list) ? "..." : "";
	const struct bspi_loggp *net = &all->chosen.net;

	if (all->n == 0)
		return network_refuse(why, len, "%s has no measurement of pattern loggp; measure "
				      "with bspgauge --pattern loggp --json",
				      path);
	if (all->entry > all->n)
		return network_refuse(why, len, "%s has no entry %d, but these: %s%s", path,
				      all->entry, all->list, more);
	if (all->entry == 0 && all->n > 1)
		return network_refuse(why, len, "%s has %d entries; choose one by @FILE,entry=N: "
				      "%s%s",
				      path, all->n, all->list, more);
	if (net->L > TIME_MOST || net->o > TIME_MOST || net->g > TIME_MOST || net->G > BYTE_MOST)
		return network_refuse(why, len, "%s: L, o or g of entry %d (%s) is more than "
				      "1000 s, or G more than 1 ms",
				      path, all->entry ? all->entry : 1, all->chosen.module);
	if (net->G < BYTE_LEAST)
		return network_refuse(why, len, "%s: by entry %d (%s) more bytes take no more "
				      "time; measure longer messages (bspgauge --sizes, bspprobe "
				      "--bytes)",
				      path, all->entry ? all->entry : 1, all->chosen.module);
	return 0;
}

int bspi_network_measured(const char *path, int entry, struct bspi_measured *out, char *why,
			  size_t len)
{
	struct bspi_measurements all = { .entry = entry };
	struct json json;
	size_t bytes;
	char *text = bspi_params_text(path, &bytes);
	int err;

	if (!text)
		return network_refuse(why, len, "%s: %s; %s", path,
				      input_reason(errno), makers);
	bspi_json_begin(&json, text, bytes);
	network_read(&json, &all);
	if (json.wrong)
		err = network_refuse(why, len, "%s:%d: %s%s%s; %s", path, bspi_params_line(&json),
				     all.member, all.member[0] ? ": " : "", json.wrong, makers);
	else
		err = network_check(path, &all, why, len);
	free(text);
	if (err == 0)
		*out = all.chosen;
	return err;
}

/* ---- As a text ---------------------------------------------------------------------- */

/* The text behind the name of the file. */
struct rest {
	int entry;
	char pairs[BSPI_EMULATE_MOST];	/* each with a comma before it */
};

/* The number of entry=N; 0: it is none. */
static int read_entry(const char *piece, size_t len)
{
	static const char name[] = "entry=";
	size_t name_len = sizeof(name) - 1;
	long entry = 0;

	if (len <= name_len || len > name_len + 6 || memcmp(piece, name, name_len) != 0)
		return 0;
	for (size_t i = name_len; i < len; i++) {
		if (piece[i] < '0' || piece[i] > '9')
			return 0;
		entry = 10 * entry + (piece[i] - '0');
	}
	return (int)entry;
}

/* @text begins with a comma, or there is nothing. */
static int read_rest(const char *text, struct rest *rest, char *why, size_t len)
{
	size_t used = 0;

	*rest = (struct rest){ .entry = 0 };
	for (size_t n; *text; text += 1 + n) {
		n = strcspn(text + 1, ",");
		if (strncmp(text + 1, "entry=", 6) != 0) {
			memcpy(rest->pairs + used, text, 1 + n);
			used += 1 + n;
			continue;
		}
		if (rest->entry)
			return network_refuse(why, len, "'%.*s' gives entry a second time",
					      n > 40 ? 40 : (int)n, text + 1);
		rest->entry = read_entry(text + 1, n);
		if (!rest->entry)
			return network_refuse(why, len, "'%.*s' needs a number from 1 to 999999 "
					      "after the =",
					      n > 40 ? 40 : (int)n, text + 1);
	}
	return 0;
}

/* Append a parameter, unless the rest gives it, in whole picoseconds. */
static void append_time(char *text, size_t len, const char *name, double ns,
			const struct rest *rest)
{
	size_t used = strlen(text), n;
	char number[NUMBER_MOST], pair[8];
	bool is_us = ns >= 1000;

	snprintf(pair, sizeof(pair), ",%s=", name);
	if (strstr(rest->pairs, pair))
		return;
	/* of -0, too, the text begins with a digit */
	plain_snprintf(number, sizeof(number), "%.*f", is_us ? 6 : 3, fabs(is_us ? ns / 1000 : ns));
	n = strlen(number);
	while (number[n - 1] == '0')
		n--;
	if (number[n - 1] == '.')
		n--;
	snprintf(text + used, len - used, "%s%s=%.*s%s", used ? "," : "", name, (int)n, number,
		 is_us ? "us" : "ns");
}

int bspi_network_text(const char *given, char *text, size_t len, char *why, size_t why_len)
{
	char path[BSPI_EMULATE_MOST] = "", out[2 * BSPI_EMULATE_MOST] = "";
	size_t given_len = strlen(given), path_len = strcspn(given, ",");
	struct bspi_measured m;
	struct rest rest;

	if (given_len >= BSPI_EMULATE_MOST || given_len >= len)
		return network_refuse(why, why_len, "it is longer than %d bytes",
				      BSPI_EMULATE_MOST - 1);
	if (given[0] != '@') {
		memmove(text, given, given_len + 1);
		return 0;
	}
	if (path_len == 1)
		return network_refuse(why, why_len, "the name of a file is missing after the @");
	memcpy(path, given + 1, path_len - 1);
	if (read_rest(given + path_len, &rest, why, why_len) < 0 ||
	    bspi_network_measured(path, rest.entry, &m, why, why_len) < 0)
		return -1;
	append_time(out, sizeof(out), "L", m.net.L, &rest);
	append_time(out, sizeof(out), "o", m.net.o, &rest);
	append_time(out, sizeof(out), "g", m.net.g, &rest);
	append_time(out, sizeof(out), "G", m.net.G, &rest);
	snprintf(out + strlen(out), sizeof(out) - strlen(out), "%s", rest.pairs + (out[0] == '\0'));
	snprintf(text, len, "%s", out);
	return 0;
}
