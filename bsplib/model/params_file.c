// SPDX-License-Identifier: BSD-3-Clause
/* params_file.c - read measured parameters out of a file, which may be broken in any way. */

#include "bsplib/model/model.h"
#include "bsplib/model/params.h"

#include "common/home.h"
#include "common/input.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY_MOST = 64 };

static const double TIME_MOST = 1e15;	/* ns: eleven days */

/* ---- Where ------------------------------------------------------------------------ */

bool bspi_params_path(char *path, size_t len)
{
	return bspi_home_file("params.json", path, len);
}

void bspi_params_host(char *host, size_t len)
{
	if (gethostname(host, len) != 0)
		host[0] = '\0';
	host[len - 1] = '\0';
}

static char *read_all(FILE *in, size_t size, size_t *len)
{
	char *text = malloc(size + 1);

	if (!text)
		return NULL;
	*len = fread(text, 1, size, in);
	if (ferror(in)) {
		free(text);
		return NULL;
	}
	return text;
}

char *bspi_params_text(const char *path, size_t *len)
{
	FILE *in = input_open(path);
	struct stat st;
	char *text = NULL;
	int err;

	if (!in)
		return NULL;
	errno = EFBIG;
	if (fstat(fileno(in), &st) == 0 && st.st_size <= BSPI_PARAMS_BYTES_MOST)
		text = read_all(in, st.st_size, len);
	err = errno;
	fclose(in);
	errno = err;
	return text;
}

int bspi_params_line(const struct json *json)
{
	int line = 1;

	for (const char *at = json->text; at < json->at; at++)
		line += *at == '\n';
	return line;
}

/* ---- One entry ---------------------------------------------------------------------- */

enum { ABSENT = -1 };

/* A size with what was measured at it. */
struct row {
	double bytes, os, or_, g, alone, cross;
	double fold, copy;		/* ABSENT: in files of earlier versions */
};

static void params_read_rows(struct json *json, struct bspi_plogp *p)
{
	static const struct json_field fields[] = {
		{ "bytes", offsetof(struct row, bytes), .whole = true },
		{ "os", offsetof(struct row, os), .whole = false },
		{ "or", offsetof(struct row, or_), .whole = false },
		{ "g", offsetof(struct row, g), .whole = false },
		{ "alone", offsetof(struct row, alone), .optional = true },
		{ "cross", offsetof(struct row, cross), .optional = true },
		{ "fold", offsetof(struct row, fold), .optional = true },
		{ "copy", offsetof(struct row, copy), .optional = true },
	};
	struct row row;

	bspi_json_open(json, '[');
	while (bspi_json_more(json, ']')) {
		int i = p->nsizes;

		row = (struct row){ .fold = ABSENT, .copy = ABSENT };
		bspi_json_fields(json, fields, 8, &row);
		if (i == BSPI_SIZES_MOST)
			bspi_json_refuse(json, "too many sizes");
		else if (row.bytes < 1 || (i > 0 && row.bytes <= (double)p->size[i - 1]))
			bspi_json_refuse(json, "sizes that do not grow from 1 on");
		else if (!(row.g > 0) || row.g > TIME_MOST || row.os > TIME_MOST ||
			 row.or_ > TIME_MOST || row.alone > TIME_MOST || row.cross > TIME_MOST ||
			 row.fold > TIME_MOST || row.copy > TIME_MOST)
			bspi_json_refuse(json, "a time that cannot be");
		else if (i > 0 && ((row.alone > 0) != (p->alone[0] > 0) ||
				   (row.cross > 0) != (p->cross[0] > 0)))
			bspi_json_refuse(json, "alone or cross at some sizes only");
		else if ((row.fold == ABSENT) != (row.copy == ABSENT) ||
			 (i > 0 && (row.fold != ABSENT) != p->has_local))
			bspi_json_refuse(json, "fold or copy at some sizes only");
		if (json->wrong)
			return;
		p->size[i] = (uint64_t)row.bytes;
		p->os[i] = row.os;
		p->or_[i] = row.or_;
		p->g[i] = row.g;
		p->alone[i] = row.alone;
		p->cross[i] = row.cross;
		p->has_local = row.fold != ABSENT;
		p->fold[i] = row.fold;
		p->move[i] = row.copy;
		p->nsizes++;
	}
}

/* "inside": of the network in a node. */
static void params_read_inside(struct json *json, struct bspi_plogp *p)
{
	bool has_latency = false;
	char key[KEY_MOST];

	*p = (struct bspi_plogp){ .nsizes = 0 };
	bspi_json_open(json, '{');
	while (bspi_json_more(json, '}')) {
		bspi_json_key(json, key, sizeof(key));
		if (strcmp(key, "sizes") == 0) {
			p->nsizes = 0;
			params_read_rows(json, p);
		} else if (strcmp(key, "L") == 0) {
			p->L = bspi_json_number(json);
			has_latency = true;
			if (!(p->L >= 0 && p->L <= TIME_MOST))
				bspi_json_refuse(json, "a number that cannot be");
		} else {
			bspi_json_skip(json);
		}
	}
	if (!has_latency || p->nsizes == 0)
		bspi_json_refuse(json, "no L or no sizes of the inside of nodes");
}

/* A member that is one number, and where it goes. */
struct member {
	const char *key;
	/* of a double in struct bspi_params_entry; whole numbers are in struct whole */
	size_t offset;
	double least, most;
};

struct whole {
	double nprocs, nhalf;
	bool gamma_marked;		/* "gamma_flag" is there: gamma could not be measured */
};

#define AT(member) offsetof(struct bspi_params_entry, member)

static const struct member params_members[] = {
	{ "L", AT(plogp.L), 0, 1e15 },
	{ "gamma", AT(plogp.gamma), 0, 1e3 },
	{ "combine", AT(plogp.combine), 0, 1e6 },
	{ "copy", AT(plogp.copy), 0, 1e6 },
	{ "s", AT(slg.s), 1e-6, 1e12 },
	{ "l", AT(slg.l), 0, 1e18 },
	{ "g", AT(slg.g), 0, 1e12 },
};

static const struct member wholes[] = {
	{ "nprocs", offsetof(struct whole, nprocs), 1, 1 << 24 },
	{ "nhalf", offsetof(struct whole, nhalf), 0, 0x7fffffff },
};

enum { NMEMBERS = sizeof(params_members) / sizeof(params_members[0]),
       NWHOLES = sizeof(wholes) / sizeof(wholes[0]) };

/* Parts of an entry that were read: bits of members, of wholes behind them, then four others. */
enum { HOST = 1 << (NMEMBERS + NWHOLES), TRANSPORT = HOST << 1, NETWORK = HOST << 2,
       SIZES = HOST << 3,
       ALL = (HOST << 4) - 1 };

bool bspi_params_range(const char *key, double *least, double *most)
{
	for (int i = 0; i < NMEMBERS; i++) {
		if (strcmp(key, params_members[i].key) != 0)
			continue;
		*least = params_members[i].least;
		*most = params_members[i].most;
		return true;
	}
	return false;
}

/* The number of @key, if it is one of these; its bit, or 0. */
static unsigned int read_member(struct json *json, const char *key, const struct member *list,
				int n,
				void *into)
{
	for (int i = 0; i < n; i++) {
		double value;

		if (strcmp(key, list[i].key) != 0)
			continue;
		value = bspi_json_number(json);
		if (!(value >= list[i].least && value <= list[i].most))
			bspi_json_refuse(json, "a number that cannot be");
		*(double *)((char *)into + list[i].offset) = value;
		return 1u << i;
	}
	return 0;
}

static unsigned int read_text(struct json *json, const char *key, struct bspi_params_key *k)
{
	if (strcmp(key, "host") == 0) {
		bspi_json_string(json, k->host, sizeof(k->host));
		return HOST;
	}
	if (strcmp(key, "transport") == 0) {
		bspi_json_string(json, k->transport, sizeof(k->transport));
		return TRANSPORT;
	}
	if (strcmp(key, "network") == 0) {
		bspi_json_string(json, k->network, sizeof(k->network));
		return NETWORK;
	}
	return 0;
}

/* One member of an entry, of interest or not; its bit. */
static unsigned int read_any(struct json *json, const char *key, struct bspi_params_entry *e,
			     struct whole *w)
{
	unsigned int bit = read_text(json, key, &e->key);
	char offload[8] = "";

	if (!bit)
		bit = read_member(json, key, params_members, NMEMBERS, e);
	if (!bit)
		bit = read_member(json, key, wholes, NWHOLES, w) << NMEMBERS;
	if (!bit && strcmp(key, "sizes") == 0) {
		e->plogp.nsizes = 0;
		params_read_rows(json, &e->plogp);
		return SIZES;
	}
	if (!bit && strcmp(key, "inside") == 0) {
		params_read_inside(json, &e->inside);
		return 0;
	}
	if (!bit && strcmp(key, "offload") == 0) {
		bspi_json_string(json, offload, sizeof(offload));
		e->key.offload = strcmp(offload, "1") == 0;
		return 0;
	}
	w->gamma_marked |= strcmp(key, "gamma_flag") == 0;
	if (!bit)
		bspi_json_skip(json);
	return bit;
}

void bspi_params_entry_read(struct json *json, struct bspi_params_entry *e)
{
	struct whole w = { .nprocs = 0 };
	unsigned int seen = 0, bit;
	char key[KEY_MOST];

	*e = (struct bspi_params_entry){ .plogp.nsizes = 0 };
	bspi_json_open(json, '{');
	while (bspi_json_more(json, '}')) {
		bspi_json_key(json, key, sizeof(key));
		bit = read_any(json, key, e, &w);
		if (seen & bit)
			bspi_json_refuse(json, "a member that was there before");
		seen |= bit;
	}
	if (seen != ALL)
		bspi_json_refuse(json, "a member is missing in the entry before");
	if (e->plogp.nsizes == 0)
		bspi_json_refuse(json, "no sizes in the entry before");
	if (json->wrong)
		return;
	e->inside.combine = e->plogp.combine;
	e->inside.copy = e->plogp.copy;
	e->key.nprocs = (int)w.nprocs;
	e->slg.nhalf = (int)w.nhalf;
	if (w.gamma_marked || e->plogp.gamma > 1)
		e->plogp.gamma = 0;
}

/* ---- The file ------------------------------------------------------------------------- */

void bspi_params_file_begin(struct json *json)
{
	char key[KEY_MOST];
	bool known = false;

	bspi_json_open(json, '{');
	while (bspi_json_more(json, '}')) {
		bspi_json_key(json, key, sizeof(key));
		if (strcmp(key, "entries") == 0) {
			if (!known)
				bspi_json_refuse(json, "expected the version before the entries");
			bspi_json_open(json, '[');
			return;
		}
		if (strcmp(key, "version") != 0) {
			bspi_json_skip(json);
			continue;
		}
		known = bspi_json_number(json) == BSPI_PARAMS_VERSION;
		if (!known)
			bspi_json_refuse(json, "a version that is not understood");
	}
	bspi_json_refuse(json, "expected entries");
}

void bspi_params_file_end(struct json *json)
{
	char key[KEY_MOST];

	while (bspi_json_more(json, '}')) {
		bspi_json_key(json, key, sizeof(key));
		bspi_json_skip(json);
	}
	bspi_json_end(json);
}

/* Each is more than all those before it, and than any quotient. */
static const double OTHER_OFFLOAD = 1e10, OTHER_HOST = 1e11;

/*
 * How far an entry is from what is wanted: the quotient of the numbers of processes, more for
 * another host or without offload; < 0: it is of something else.
 */
static double params_distance(const struct bspi_params_key *e, const struct bspi_params_key *wanted,
			      bool any_host)
{
	bool same_host = strcmp(e->host, wanted->host) == 0;
	double quotient = (double)e->nprocs / wanted->nprocs;

	if (strcmp(e->transport, wanted->transport) != 0 ||
	    strcmp(e->network, wanted->network) != 0)
		return -1;
	if ((!same_host && !any_host) || (e->offload && !wanted->offload))
		return -1;
	return (quotient < 1 ? 1 / quotient : quotient) + (same_host ? 0 : OTHER_HOST) +
	       (e->offload == wanted->offload ? 0 : OTHER_OFFLOAD);
}

static int params_find(struct json *json, const struct bspi_params_key *key, bool any_host,
		       struct bspi_params_entry *out)
{
	struct bspi_params_entry e;
	double best = HUGE_VAL;

	bspi_params_file_begin(json);
	while (bspi_json_more(json, ']')) {
		double far;

		bspi_params_entry_read(json, &e);
		far = json->wrong ? -1 : params_distance(&e.key, key, any_host);
		if (far < 0 || far >= best)
			continue;
		best = far;
		*out = e;
	}
	bspi_params_file_end(json);
	return best < HUGE_VAL;
}

int bspi_params_find(const char *path, const struct bspi_params_key *key, bool any_host,
		     struct bspi_params_entry *out, char *why, size_t len)
{
	size_t bytes;
	char *text = bspi_params_text(path, &bytes);
	struct json json;
	int found;

	if (!text) {
		snprintf(why, len, "%s: %s", path, input_reason(errno));
		return -1;
	}
	bspi_json_begin(&json, text, bytes);
	found = params_find(&json, key, any_host, out);
	if (json.wrong) {
		snprintf(why, len, "%s:%d: %s", path, bspi_params_line(&json), json.wrong);
		found = -1;
	}
	free(text);
	return found;
}
