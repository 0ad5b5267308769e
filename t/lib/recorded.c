/* SPDX-License-Identifier: BSD-3-Clause */
/* recorded.c - makes a recording out of a description, for tests of what is read out of one. */

/*
 * usage: recorded RECORDING <DESCRIPTION
 *
 *	run NAME NPROCS TRANSPORT [L=NS] [o=NS] [g=NS] [G=NS] [emulate=NETWORK] [virtual=1]
 *	    [version=2]				as it was before there were neighbours
 *	    [version=3]				as it was before there was cpu=
 *	    [version=4]				as it was before there were sections
 *	    [version=5]				as it was before there were callers
 *	    [version=6]				as it was before there were nodes
 *	    [version=7]				as it was before there was library=
 *	process PID [began=NS] [steps=N] [summed=N] [full=N]
 *	node NUMBER NAME				that it is on, and its machine
 *	put|get|message PID AREA CALLS BYTES		of the superstep that the next line ends
 *	neighbors PID...				of a "neighbored" from here on
 *	barrier|relaxed|neighbored|end SITE BEGIN FINISH [credit=NS] [alike=1] [met=1]
 *	read SITE AREA N BEGIN FINISH
 *	expect SITE N BEGIN FINISH
 *	serve SITE AREA N
 *	collective SITE NAME BYTES BEGIN FINISH
 *	schedule SITE NAME BEGIN FINISH
 *	direct_get SITE BEGIN FINISH
 *	offloaded SITE NAME BEGIN FINISH
 *	section SITE NAME AT				and section_end, between calls
 *	operation NAME PEER BYTES BEGIN FINISH		of the kernel's schedule; PEER -1: none
 *	sum KIND SITE NAME CALLS COMPUTED WAITED SENT BYTES
 *				calls that do not fit; KIND as above, NAME - for its own
 *	called_by SITE CALLER...		words with blanks between; without: not known
 *	raw BYTE...					as they are
 *	note TEXT					how the job ended
 *
 * A call may have cpu=NS, the processor time of what was computed before it, if that is less; and
 * library=NS, how much of that was in puts, gets and messages.
 *
 * Words are separated by single blanks; # begins a comment. Times are nanoseconds since bsp_begin
 * of the process, whose lines follow its own. Parts are written as common/recording.h has them, and
 * joined by recording_join() as those of a run are.
 */

#include "common/recording.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 20, RECORD_MOST = 1000, SITES = 100, TRANSFERS = 200, WORDS = 16 };

static struct recording_head run, head;	/* of all parts; of this one */
static unsigned char stream[ROOM], *at;	/* at is NULL before the first process */
static char *sites[SITES];
static uint64_t transfers[TRANSFERS][5];
static uint32_t nsites, ntransfers, ntraffic;
static uint64_t last;			/* the end of the call before */
static char *words[WORDS], note[512];
static int nwords, line;

__attribute__((noreturn, format(printf, 1, 2)))
static void fail(const char *format, ...)
{
	va_list list;

	fprintf(stderr, "recorded: line %d: ", line);
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fputs("\n", stderr);
	exit(2);
}

/* ---- Words of a line --------------------------------------------------------------------- */

static const char *word(int i)
{
	if (i >= nwords)
		fail("%s has no word %d", words[0], i);
	return words[i];
}

static uint64_t number_in(const char *text)
{
	char *end;
	uint64_t n = strtoull(text, &end, 0);

	if (end == text || *end)
		fail("%s is no number", text);
	return n;
}

static uint64_t number(int i)
{
	return number_in(word(i));
}

/* The text behind NAME=, or NULL. */
static const char *option(const char *name)
{
	size_t len = strlen(name);

	for (int i = 1; i < nwords; i++)
		if (strncmp(words[i], name, len) == 0 && words[i][len] == '=')
			return words[i] + len + 1;
	return NULL;
}

static uint64_t number_option(const char *name)
{
	return option(name) ? number_in(option(name)) : 0;
}

static double real_option(const char *name)
{
	return option(name) ? strtod(option(name), NULL) : 0;
}

/* ---- Records ----------------------------------------------------------------------------- */

static void put(uint64_t n)
{
	at = recording_put(at, n);
}

static uint32_t site(int i)
{
	const char *name = word(i);
	size_t len = strlen(name);

	for (uint32_t k = 0; k < nsites; k++)
		if (strcmp(sites[k], name) == 0)
			return k;
	if (nsites == SITES)
		fail("there are more than %d call sites", SITES);
	put(RECORDING_SITE);
	put(len);
	memcpy(at, name, len);
	at += len;
	sites[nsites] = strdup(name);
	return nsites++;
}

/* cpu=NS, library=NS: before the record that they are of */
static void processor(void)
{
	if (option("cpu")) {
		put(RECORDING_PROCESSOR);
		put(number_option("cpu"));
	}
	if (option("library")) {
		put(RECORDING_LIBRARY);
		put(number_option("library"));
	}
}

static void times(int i)
{
	uint64_t begin = number(i), finish = number(i + 1);

	if (begin < last || finish < begin)
		fail("%s begins before the end of the line before, or ends first", words[0]);
	put(begin - last);
	put(finish - begin);
	last = finish;
}

static void take_transfer(enum recording_what what)
{
	uint64_t *t = transfers[ntransfers];

	if (ntransfers++ == TRANSFERS)
		fail("there are more than %d transfers", TRANSFERS);
	t[0] = what;
	t[1] = strcmp(word(1), "unknown") == 0 ? RECORDING_NO_PROCESS : number(1);
	for (int i = 2; i < 5; i++)
		t[i] = number(i);
}

static uint32_t traffic(void)
{
	put(RECORDING_TRAFFIC);
	put(ntransfers);
	for (uint32_t k = 0; k < ntransfers; k++)
		for (int i = 0; i < 5; i++)
			put(transfers[k][i]);
	ntransfers = 0;
	return ntraffic++;
}

static void write_sync(enum recording_end end)
{
	uint32_t number_of_site = site(1), number_of_traffic = traffic();

	processor();
	put(RECORDING_SYNC);
	put(end + (number_option("alike") ? RECORDING_ALIKE : 0) +
	    (number_option("met") ? RECORDING_MET : 0));
	put(number_of_site);
	times(2);
	put(number_option("credit"));
	put(number_of_traffic);
	head.steps++;
	head.ended = end == RECORDING_LAST;
}

static void write_neighbors(void)
{
	put(RECORDING_NEIGHBORS_ARE);
	put((uint64_t)nwords - 1);
	for (int i = 1; i < nwords; i++)
		put(number(i));
}

/* A record of a kind with a site and @n numbers behind it, and times if @timed. */
static void write_call(enum recording_kind kind, int n, bool timed)
{
	uint32_t number_of_site = site(1);

	processor();
	put(kind);
	put(number_of_site);
	for (int i = 0; i < n; i++)
		put(number(2 + i));
	if (timed)
		times(2 + n);
}

static void write_named(enum recording_kind kind)
{
	uint32_t number_of_site = site(1), name = site(2);

	processor();
	put(kind);
	put(number_of_site);
	put(name);
	if (kind == RECORDING_COLLECTIVE) {
		put(number(3));
		times(4);
	} else if (kind == RECORDING_SCHEDULE) {
		times(3);
	} else {
		put(number(3));
		put(number(4) - number(3));
	}
}

/* section SITE NAME AT, section_end SITE NAME AT */
static void write_section(enum recording_kind kind)
{
	uint32_t number_of_site = site(1), name = site(2);

	if (number(3) < last)
		fail("%s is before the end of the line before", words[0]);
	put(kind);
	put(number_of_site);
	put(name);
	put(number(3) - last);
}

/* operation NAME PEER BYTES BEGIN FINISH, of no peer: -1 */
static void write_operation(void)
{
	uint32_t name = site(1);

	put(RECORDING_OPERATION);
	put(name);
	put(strcmp(word(2), "-1") == 0 ? 0 : number(2) + 1);
	put(number(3));
	put(number(4));
	put(number(5) - number(4));
}

static uint32_t kind_of(const char *name)
{
	static const char *const names[RECORDING_KINDS] = {
		[RECORDING_SYNC] = "barrier", [RECORDING_READ] = "read",
		[RECORDING_EXPECT] = "expect", [RECORDING_SERVE] = "serve",
		[RECORDING_COLLECTIVE] = "collective", [RECORDING_SCHEDULE] = "schedule",
		[RECORDING_DIRECT_GET] = "direct_get", [RECORDING_OTHERS] = "others",
	};

	for (uint32_t k = 0; k < RECORDING_KINDS; k++)
		if (names[k] && strcmp(names[k], name) == 0)
			return k;
	fail("%s is no kind of a sum", name);
}

static void take_sum(void)
{
	if (head.nsums == RECORDING_SUMS)
		fail("there are more than %d sums", RECORDING_SUMS);
	head.sums[head.nsums++] = (struct recording_sum){
		.kind = kind_of(word(1)), .site = site(2),
		.name = strcmp(word(3), "-") == 0 ? RECORDING_NO_NAME : site(3),
		.calls = number(4), .computed = number(5), .waited = number(6),
		.sent = number(7), .bytes = number(8),
	};
}

/* called_by SITE CALLER... */
static void write_caller(void)
{
	uint32_t of = site(1), caller = 0;
	char text[400];

	if (nwords > 2) {
		int len = snprintf(text, sizeof(text), "%s", words[2]);

		for (int i = 3; i < nwords; i++)
			len += snprintf(text + len, sizeof(text) - (size_t)len, " %s", words[i]);
		words[2] = text;
		caller = site(2) + 1;
	}
	put(RECORDING_CALLED_BY);
	put(of);
	put(caller);
}

/* node NUMBER NAME */
static void write_node(void)
{
	size_t len = strlen(word(2));

	put(RECORDING_NODE);
	put(number(1));
	put(len);
	memcpy(at, word(2), len);
	at += len;
}

static void write_raw(void)
{
	for (int i = 1; i < nwords; i++)
		*at++ = (unsigned char)number(i);
}

/* ---- Parts ------------------------------------------------------------------------------- */

static void take_run(void)
{
	run = (struct recording_head){
		.magic = RECORDING_MAGIC, .order = RECORDING_ORDER, .head_bytes = sizeof(run),
		.job = 4711, .nprocs = (uint32_t)number(2), .chunk = 8192,
		.virtual_clock = number_option("virtual"), .L = real_option("L"),
		.o = real_option("o"), .g = real_option("g"), .G = real_option("G"),
	};
	snprintf(run.program, sizeof(run.program), "%s", word(1));
	snprintf(run.transport, sizeof(run.transport), "%s", word(3));
	if (number_option("version") == 2)
		memcpy(run.magic, RECORDING_MAGIC_2, sizeof(run.magic));
	if (number_option("version") == 3)
		memcpy(run.magic, RECORDING_MAGIC_3, sizeof(run.magic));
	if (number_option("version") == 4)
		memcpy(run.magic, RECORDING_MAGIC_4, sizeof(run.magic));
	if (number_option("version") == 5)
		memcpy(run.magic, RECORDING_MAGIC_5, sizeof(run.magic));
	if (number_option("version") == 6)
		memcpy(run.magic, RECORDING_MAGIC_6, sizeof(run.magic));
	if (number_option("version") == 7)
		memcpy(run.magic, RECORDING_MAGIC_7, sizeof(run.magic));
	if (option("emulate"))
		snprintf(run.emulate, sizeof(run.emulate), "%s", option("emulate"));
}

static void begin_part(void)
{
	head = run;
	head.me = (uint32_t)number(1);
	head.began_ns = 1000000000000 + number_option("began");
	head.steps = number_option("steps");
	head.summed = number_option("summed");
	head.full = number_option("full");
	nsites = ntransfers = ntraffic = 0;
	last = 0;
	at = stream;
}

static void end_part(const char *record)
{
	char name[RECORDING_PART_NAME];
	FILE *out;

	if (!at)
		return;
	head.used = (uint64_t)(at - stream);
	if (!recording_part_name(name, sizeof(name), record, head.job, (int)head.me))
		fail("the name %s is too long", record);
	out = fopen(name, "w");
	if (!out || fwrite(&head, sizeof(head), 1, out) != 1 ||
	    fwrite(stream, 1, head.used, out) != head.used || fclose(out))
		fail("cannot write %s", name);
}

/* ---- Lines ------------------------------------------------------------------------------- */

static bool is(const char *name)
{
	return strcmp(words[0], name) == 0;
}

static void take_record(void)
{
	if (!at || at + RECORD_MOST > stream + ROOM)
		fail("%s is of no process, or there is no room", words[0]);
	if (is("put"))
		take_transfer(RECORDING_PUT);
	else if (is("get"))
		take_transfer(RECORDING_GET);
	else if (is("message"))
		take_transfer(RECORDING_MESSAGE);
	else if (is("barrier"))
		write_sync(RECORDING_BARRIER);
	else if (is("relaxed"))
		write_sync(RECORDING_RELAXED);
	else if (is("neighbored"))
		write_sync(RECORDING_NEIGHBORS);
	else if (is("neighbors"))
		write_neighbors();
	else if (is("end"))
		write_sync(RECORDING_LAST);
	else if (is("read"))
		write_call(RECORDING_READ, 2, true);
	else if (is("expect"))
		write_call(RECORDING_EXPECT, 1, true);
	else if (is("serve"))
		write_call(RECORDING_SERVE, 2, false);
	else if (is("collective"))
		write_named(RECORDING_COLLECTIVE);
	else if (is("schedule"))
		write_named(RECORDING_SCHEDULE);
	else if (is("direct_get"))
		write_call(RECORDING_DIRECT_GET, 0, true);
	else if (is("sum"))
		take_sum();
	else if (is("offloaded"))
		write_named(RECORDING_OFFLOADED);
	else if (is("operation"))
		write_operation();
	else if (is("section"))
		write_section(RECORDING_SECTION);
	else if (is("section_end"))
		write_section(RECORDING_SECTION_END);
	else if (is("called_by"))
		write_caller();
	else if (is("node"))
		write_node();
	else if (is("raw"))
		write_raw();
	else
		fail("%s is no kind of line", words[0]);
}

static void take_line(char *text, const char *record)
{
	text[strcspn(text, "#\n")] = '\0';
	if (strncmp(text, "note ", 5) == 0) {
		snprintf(note, sizeof(note), "%.500s", text + 5);
		return;
	}
	nwords = 0;
	for (char *w = strtok(text, " \t"); w && nwords < WORDS; w = strtok(NULL, " \t"))
		words[nwords++] = w;
	if (!nwords)
		return;
	if (is("run")) {
		take_run();
	} else if (is("process")) {
		end_part(record);
		begin_part();
	} else {
		take_record();
	}
}

int main(int argc, char **argv)
{
	char text[1000];
	int found, err;

	if (argc != 2) {
		fprintf(stderr, "usage: recorded RECORDING <DESCRIPTION\n");
		return 2;
	}
	for (line = 1; fgets(text, sizeof(text), stdin); line++)
		take_line(text, argv[1]);
	end_part(argv[1]);
	err = recording_join(argv[1], (int)run.nprocs, run.job, note[0] ? note : NULL, &found);
	if (err || !found)
		fail("%s: %s", argv[1], err ? strerror(err) : "there is no process");
	return 0;
}
