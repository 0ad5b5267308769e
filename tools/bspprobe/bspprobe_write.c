// SPDX-License-Identifier: BSD-3-Clause
/* bspprobe_write.c - a measured machine as a table, as CSV and as parameters. */

#include "config.h"

#include "bspprobe.h"
#include "common/json.h"

#include <math.h>
#include <string.h>

/* ---- Numbers of a machine ---------------------------------------------------------------- */

/* One that has a name; the value times @factor is in its unit. */
struct number {
	const char *name;
	struct measure_value value;
	double factor;
	const char *unit, *words;
};

enum { NUMBERS = 10 };

static void collect(const struct measure_machine *k, struct number *n)
{
	double flops = k->s.median / 1e3;	/* per ns */
	struct number all[NUMBERS] = {
		{ "s", k->s, 1, "Mflop/s", "a process, by a dot product" },
		{ "l", k->l_ns, flops, "flops", "a superstep without messages" },
		{ "g", k->g_ns, flops, "flops/word", "a word of 4 bytes, by total exchange" },
		{ "g_shift", k->g_shift_ns, flops, "flops/word", "the same, by cyclic shift" },
		{ "nhalf", k->nhalf, 1, "words", "message at which a word costs 2 g" },
		{ "L", k->L, 1e-3, "us", "latency: a message is there after L + g(m)" },
		{ "gamma", k->gamma, 1, "", "contention of total exchange" },
		{ "combine", k->combine, 1, "ns/byte", "a local fold" },
		{ "copy", k->copy, 1, "ns/byte", "a local copy" },
		{ "l_us", k->l_ns, 1e-3, "us", "a superstep without messages" },
	};

	memcpy(n, all, sizeof(all));
}

/* ---- A table ------------------------------------------------------------------------------- */

static void probe_write_print_number(FILE *out, const struct number *n)
{
	const struct measure_value *v = &n->value;

	fprintf(out, "%-8s %10.4g %-11s", n->name, v->median * n->factor, n->unit);
	if (v->n > 1)
		fprintf(out, "%10.4g .. %-10.4g", v->low * n->factor, v->high * n->factor);
	else
		fprintf(out, "%24s", "");
	fprintf(out, "  %s%s%s\n", n->words, v->flagged ? "; " : "", v->flagged ? v->why : "");
}

/* The bounds of total exchange: Fig. 10 of Barchet-Estefanel and Mounie, as numbers. */
static void print_exchanges(FILE *out, const struct measure_machine *k)
{
	if (k->nexchanges == 0)
		return;
	fprintf(out, "\ntotal exchange, in us\n%10s %12s%12s%12s%12s%12s%9s\n", "bytes", "lower ",
		"calm ", "measured ", "upper ", "linear ", "gamma");
	for (int i = 0; i < k->nexchanges; i++) {
		const struct measure_exchange *x = &k->exchange[i];

		fprintf(out, "%10llu %11.3f %11.3f %11.3f %11.3f %11.3f ",
			(unsigned long long)x->bytes, x->lower * 1e-3, x->calm * 1e-3,
			x->took * 1e-3, x->upper * 1e-3, x->linear * 1e-3);
		if (isnan(x->gamma))
			fputs("       -\n", out);
		else
			fprintf(out, "%8.3f\n", x->gamma);
	}
}

/* Microseconds, and a mark if it is not what can be. */
static void print_time(FILE *out, const struct measure_value *v)
{
	fprintf(out, "%11.3f%c", v->median * 1e-3, v->flagged ? '*' : ' ');
}

static void probe_write_print_table(FILE *out, const struct probe_result *r)
{
	const struct measure_machine *k = &r->machine;
	struct number n[NUMBERS];
	bool flagged = false;

	collect(k, n);
	fprintf(out, "%s, transport %s%s%s, %d processes%s\n\n", r->key.host, r->key.transport,
		*r->key.network ? ", network " : "", r->key.network, r->key.nprocs,
		k->virtual_time ? ", virtual time" : "");
	fprintf(out, "%-8s %10s %-11s%24s\n", "", "median", "", "95 % confidence    ");
	for (int i = 0; i < NUMBERS; i++)
		probe_write_print_number(out, &n[i]);
	fprintf(out, "\n%10s %12s%12s%12s%24s%11s %12s%12s%12s%12s\n", "bytes", "os(m) us ",
		"or(m) us ", "g(m) us ", "95 % confidence    ", "MB/s", "alone us ", "cross us ",
		"fold us ", "copy us ");
	for (int i = 0; i < k->npoints; i++) {
		const struct measure_point *p = &k->point[i];

		fprintf(out, "%10llu ", (unsigned long long)p->bytes);
		print_time(out, &p->os);
		print_time(out, &p->or_);
		print_time(out, &p->g);
		fprintf(out, "%11.3f ..%10.3f%11.1f ", p->g.low * 1e-3, p->g.high * 1e-3,
			(double)p->bytes / p->g.median * 1e3);
		print_time(out, &p->alone);
		print_time(out, &p->cross);
		print_time(out, &p->fold);
		print_time(out, &p->copy);
		fprintf(out, "%s\n", p->changes ? " another protocol" : "");
		flagged |= p->os.flagged || p->or_.flagged || p->g.flagged ||
			   p->alone.flagged || p->cross.flagged || p->fold.flagged ||
			   p->copy.flagged;
	}
	if (flagged)
		fputs("\n* was negative or too small to tell, and is taken as the least that "
		      "can be\n",
		      out);
	print_exchanges(out, k);
	fprintf(out, "\nmeasured in %.1f s\n", k->seconds);
}

/* ---- CSV ---------------------------------------------------------------------------- */

static void print_csv_row(FILE *out, const char *name, uint64_t bytes,
			  const struct measure_value *v, double factor, const char *unit)
{
	fprintf(out, "%s,%llu,%.9g,%.9g,%.9g,%s,%d,%s\n", name, (unsigned long long)bytes,
		v->median * factor, v->low * factor, v->high * factor, unit, v->n,
		v->flagged ? v->why : "");
}

static void print_csv_exchange(FILE *out, const char *name, uint64_t bytes, double ns)
{
	fprintf(out, "%s,%llu,%.9g,,,us,1,\n", name, (unsigned long long)bytes, ns * 1e-3);
}

static void probe_write_print_csv(FILE *out, const struct probe_result *r)
{
	const struct measure_machine *k = &r->machine;
	struct number n[NUMBERS];

	collect(k, n);
	fputs("name,bytes,median,low,high,unit,samples,flag\n", out);
	for (int i = 0; i < NUMBERS; i++)
		print_csv_row(out, n[i].name, 0, &n[i].value, n[i].factor, n[i].unit);
	for (int i = 0; i < k->npoints; i++) {
		const struct measure_point *p = &k->point[i];

		print_csv_row(out, "os", p->bytes, &p->os, 1e-3, "us");
		print_csv_row(out, "or", p->bytes, &p->or_, 1e-3, "us");
		print_csv_row(out, "g", p->bytes, &p->g, 1e-3, "us");
		print_csv_row(out, "prtt", p->bytes, &p->one, 1e-3, "us");
		print_csv_row(out, "alone", p->bytes, &p->alone, 1e-3, "us");
		print_csv_row(out, "cross", p->bytes, &p->cross, 1e-3, "us");
		print_csv_row(out, "fold", p->bytes, &p->fold, 1e-3, "us");
		print_csv_row(out, "copy", p->bytes, &p->copy, 1e-3, "us");
	}
	for (int i = 0; i < k->nexchanges; i++) {
		const struct measure_exchange *x = &k->exchange[i];

		print_csv_exchange(out, "exchange_lower", x->bytes, x->lower);
		print_csv_exchange(out, "exchange_calm", x->bytes, x->calm);
		print_csv_exchange(out, "exchange", x->bytes, x->took);
		print_csv_exchange(out, "exchange_upper", x->bytes, x->upper);
		print_csv_exchange(out, "exchange_linear", x->bytes, x->linear);
	}
}

/* ---- JSON --------------------------------------------------------------------------- */

/*
 * A value, and beside it what confidence there is: readers that do not know these pass them
 * over.
 */
static void probe_write_print_value(FILE *out, const char *name, const struct measure_value *v,
				    double factor)
{
	fprintf(out, "\"%s\": %.9g, \"%s_low\": %.9g, \"%s_high\": %.9g", name, v->median * factor,
		name, v->low * factor, name, v->high * factor);
	if (v->flagged) {
		fprintf(out, ", \"%s_flag\": ", name);
		bspi_json_write(out, v->why);
	}
}

static void probe_write_print_point(FILE *out, const struct measure_point *p)
{
	fprintf(out, "      { \"bytes\": %llu, ", (unsigned long long)p->bytes);
	probe_write_print_value(out, "os", &p->os, 1);
	fputs(", ", out);
	probe_write_print_value(out, "or", &p->or_, 1);
	fputs(", ", out);
	probe_write_print_value(out, "g", &p->g, 1);
	fputs(", ", out);
	probe_write_print_value(out, "prtt", &p->one, 1);
	fputs(", ", out);
	probe_write_print_value(out, "alone", &p->alone, 1);
	fputs(", ", out);
	probe_write_print_value(out, "cross", &p->cross, 1);
	if (p->copy.n > 0) {
		fputs(", ", out);
		probe_write_print_value(out, "fold", &p->fold, 1);
		fputs(", ", out);
		probe_write_print_value(out, "copy", &p->copy, 1);
	}
	fputs(" }", out);
}

static void probe_write_sizes(FILE *out, const struct measure_machine *k)
{
	fputs("\"sizes\": [\n", out);
	for (int i = 0; i < k->npoints; i++) {
		probe_write_print_point(out, &k->point[i]);
		fputs(i + 1 < k->npoints ? ",\n" : "\n", out);
	}
	fputs("    ]", out);
}

void probe_write_entry(FILE *out, const struct probe_result *r)
{
	const struct measure_machine *k = &r->machine;
	double flops = k->s.median / 1e3;
	const struct number n[] = {
		{ "L", k->L, 1, "", "" },
		{ "gamma", k->gamma, 1, "", "" },
		{ "combine", k->combine, 1, "", "" },
		{ "copy", k->copy, 1, "", "" },
		{ "s", k->s, 1, "", "" },
		{ "l", k->l_ns, flops, "", "" },
		{ "g", k->g_ns, flops, "", "" },
	};

	fputs("{ \"host\": ", out);
	bspi_json_write(out, r->key.host);
	fputs(", \"transport\": ", out);
	bspi_json_write(out, r->key.transport);
	fputs(", \"network\": ", out);
	bspi_json_write(out, r->key.network);
	fprintf(out, ", \"nprocs\": %d,%s\n    \"date\": \"%s\", \"version\": \"%s\",\n",
		r->key.nprocs, r->key.offload ? " \"offload\": \"1\"," : "", r->date,
		PACKAGE_VERSION);
	for (size_t i = 0; i < sizeof(n) / sizeof(n[0]); i++) {
		fputs("    ", out);
		probe_write_print_value(out, n[i].name, &n[i].value, n[i].factor);
		fputs(",\n", out);
	}
	fprintf(out, "    \"nhalf\": %.0f,\n    ", fmin(k->nhalf.median, 1e9));
	probe_write_sizes(out, k);
	if (k->inside) {
		fputs(",\n    \"inside\": { ", out);
		probe_write_print_value(out, "L", &k->inside->L, 1);
		fputs(",\n    ", out);
		probe_write_sizes(out, k->inside);
		fputs(" }", out);
	}
	fputs(",\n    \"exchanges\": [\n", out);
	for (int i = 0; i < k->nexchanges; i++) {
		const struct measure_exchange *x = &k->exchange[i];

		fprintf(out,
			"      { \"bytes\": %llu, \"lower\": %.9g, \"calm\": %.9g, "
			"\"measured\": %.9g, \"upper\": %.9g, \"linear\": %.9g }%s\n",
			(unsigned long long)x->bytes, x->lower, x->calm, x->took, x->upper,
			x->linear, i + 1 < k->nexchanges ? "," : "");
	}
	fputs("    ] }", out);
}

void probe_write_machine(FILE *out, const struct probe_result *r, enum probe_format format)
{
	if (format == PROBE_JSON) {
		fprintf(out, "{ \"version\": %d, \"entries\": [\n  ", BSPI_PARAMS_VERSION);
		probe_write_entry(out, r);
		fputs("\n] }\n", out);
	} else if (format == PROBE_CSV) {
		probe_write_print_csv(out, r);
	} else {
		probe_write_print_table(out, r);
	}
}
