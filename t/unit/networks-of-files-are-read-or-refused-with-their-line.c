/* SPDX-License-Identifier: BSD-3-Clause */
/* A file of bspgauge or bspprobe gives the network to emulate; whatever else it is, is refused with
 * its line. */
#include "bsplib/model/network.h"
#include "../lib/random.h"
#include "../lib/tap.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define POINT(x) "\"points\": [\n{\"x\": 0, \"median\": " x ", \"low\": -1, \"flag\": \"\"}]}"
#define US(name, x) "{\"name\": \"" name "\", \"plot\": \"\", \"unit\": \"us\", " POINT(x)
#define NS(name, x) "{\"name\": \"" name "\", \"plot\": \"\", \"unit\": \"ns/byte\", " POINT(x)
#define BEGIN "{\"bspgauge\": 1, \"host\": \"vm\", \"version\": \"0.1.0\", \"results\": [\n"
#define TCP "{\"module\": \"tcp\", \"pattern\": \"loggp\", \"skipped\": \"\", \"nprocs\": 2, " \
	"\"series\": [\n"
#define MPI "{\"module\": \"mpi\", \"pattern\": \"loggp\", \"skipped\": \"\", \"nprocs\": 4, " \
	"\"series\": [\n"
#define UDP "{\"module\": \"udp\", \"pattern\": \"loggp\", \"skipped\": \"it loses messages\", " \
	"\"nprocs\": 2, \"series\": [\n]},\n"
#define OTHER "{\"module\": \"tcp\", \"pattern\": \"plogp\", \"nprocs\": 2, \"series\": [\n" \
	US("L", "7") "]},\n"
#define END "]}\n"

/* A network without and one with a change of the protocol. */
static const char one[] = BEGIN OTHER UDP TCP US("os", "4.5") ",\n" US("or", "5.5") ",\n"
	US("g", "8") ",\n" NS("G", "9.25") ",\n" US("L", "20.125") "]}" END;
static const char two[] = BEGIN TCP US("os", "4") ",\n" US("or", "6") ",\n" US("g", "8") ",\n"
	NS("G", "9") ",\n" US("L", "20") "]},\n" MPI US("os", "1") ",\n" US("or", "1") ",\n"
	US("g", "1.01") ",\n" NS("G", "0") ",\n" US("g_2", "0.5") ",\n" NS("G_2", "0.25") ",\n"
	US("L", "3") "]}" END;

/* With times that were none. */
static const char zero[] = BEGIN TCP US("os", "-0") ",\n" US("or", "0") ",\n" US("g", "8") ",\n"
	NS("G", "9") ",\n" US("L", "-0") "]}" END;

/* The overheads are more than what a byte takes. */
static const char short_way[] = BEGIN TCP US("os", "2") ",\n" US("or", "2") ",\n" US("g", "8")
	",\n" NS("G", "9") ",\n" US("L", "0") ",\n" US("one_way", "3") "]}" END;

static const char probe[] =
	"{ \"version\": 1, \"entries\": [\n"
	"  { \"host\": \"a\", \"transport\": \"shm\", \"network\": \"\", \"nprocs\": 2,\n"
	"    \"date\": \"2026-11-23\", \"version\": \"0.1.0\",\n"
	"    \"L\": 22000, \"gamma\": 0, \"combine\": 0, \"copy\": 0, \"s\": 1000, \"l\": 1,\n"
	"    \"g\": 1, \"nhalf\": 1, \"sizes\": [\n"
	/* g = 8 us, G = 10 ns for all bytes but the first; a header has 32 */
	"      { \"bytes\": 1, \"os\": 5000, \"or\": 5000, \"g\": 8390 },\n"
	"      { \"bytes\": 1024, \"os\": 5000, \"or\": 5000, \"g\": 18550 },\n"
	"      { \"bytes\": 65536, \"os\": 5000, \"or\": 5000, \"g\": 663670 } ] } ] }\n";

static char path[] = "network-XXXXXX", text[BSPI_EMULATE_MOST], why[BSPI_NETWORK_WHY];

static void put(const char *contents, size_t len)
{
	FILE *out = fopen(path, "w");

	if (!out || fwrite(contents, 1, len, out) != len || fclose(out))
		bail("cannot write %s", path);
}

/* The text for @path with @rest behind it. */
static int give(const char *rest)
{
	char given[BSPI_EMULATE_MOST];

	snprintf(given, sizeof(given), "@%s%s", path, rest);
	why[0] = text[0] = '\0';
	return bspi_network_text(given, text, sizeof(text), why, sizeof(why));
}

static void gives(const char *contents, const char *rest, const char *wanted)
{
	put(contents, strlen(contents));
	is_int(0, give(rest), "@FILE%s is read %s", rest, why);
	is_str(wanted, text, "as %s", wanted);
}

static void is_refused(const char *rest, const char *wanted)
{
	is_int(-1, give(rest), "@FILE%s is refused", rest);
	ok(strstr(why, wanted), "for this: %s", wanted);
	if (!strstr(why, wanted))
		diag("%s", why);
}

static void reads(void)
{
	struct bspi_measured m;

	gives(one, "", "L=20.125us,o=5us,g=8us,G=9.25ns");
	gives(one, ",cpu=80", "L=20.125us,o=5us,g=8us,G=9.25ns,cpu=80");
	gives(one, ",entry=1,L=1ms,seed=7", "o=5us,g=8us,G=9.25ns,L=1ms,seed=7");
	gives(one, ",G=1ns,g=1us,o=0,L=0", "G=1ns,g=1us,o=0,L=0");
	gives(zero, "", "L=0ns,o=0ns,g=8us,G=9ns");
	gives(short_way, "", "L=0ns,o=1.5us,g=8us,G=9ns");
	gives(two, ",entry=1", "L=20us,o=5us,g=8us,G=9ns");
	gives(two, ",cpu=0,entry=2", "L=3us,o=1us,g=500ns,G=0.25ns,cpu=0");
	gives(probe, "", "L=20us,o=5us,g=8us,G=10ns");
	put(two, strlen(two));
	is_int(0, bspi_network_measured(path, 2, &m, why, sizeof(why)), "the second one");
	is_str("mpi", m.module, "its module");
	is_int(4, m.nprocs, "its processes");
	is_near(3000, m.net.L, 1e-9, "and L in ns");
}

/* Text that does not begin with @ is copied as it is, also onto itself. */
static void leaves_others(void)
{
	char here[BSPI_EMULATE_MOST] = "sp2,cpu=1", more[2 * BSPI_EMULATE_MOST];

	is_int(0, bspi_network_text(here, here, sizeof(here), why, sizeof(why)), "a name");
	is_str("sp2,cpu=1", here, "stays");
	is_int(0, bspi_network_text("", here, sizeof(here), why, sizeof(why)), "nothing");
	is_str("", here, "stays nothing");
	memset(more, 'x', sizeof(more) - 1);
	more[sizeof(more) - 1] = '\0';
	is_int(-1, bspi_network_text(more, text, sizeof(text), why, sizeof(why)), "a long text: %s",
	       why);
}

/* A replacement in a good file, and what is said of it. */
static const struct {
	const char *good, *from, *to, *wanted;
} faults[] = {
	{ one, "\"bspgauge\": 1", "\"bspgauge\": 2", ":1: a version that is not understood" },
	{ one, "\"bspgauge\"", "\"gauge\"", ": neither a report of bspgauge nor" },
	{ one, "{", "[", ":1: expected an object" },
	{ one, "4.5", "-4.5", ":9: os: a negative number" },
	{ one, "4.5", "nan", ":9: os: expected a number" },
	{ one, "4.5", "1e999", ":9: os: expected a number" },
	{ one, "4.5", "\"4.5\"", ":9: os: expected a number" },
	{ one, "4.5", "2e9", "more than 1000 s" },
	{ one, "9.25", "1e7", "G more than 1 ms" },
	{ one, "9.25", "0.0001", "more bytes take no more time; measure longer messages" },
	{ one, "\"median\": 4.5", "\"mean\": 4.5", ":9: os: a member is missing" },
	{ one, "4.5, \"low\": -1, \"flag\": \"\"}", "1}, {\"median\": 2}",
	  ":9: os: more than one" },
	{ one, "\"or\", \"plot\": \"\", \"unit\": \"us\"", "\"or\", \"unit\": \"ms\"",
	  ":10: or: expected us, and for G ns/byte" },
	{ one, "\"name\": \"or\"", "\"name\": \"os\"", ":10: os: a value that was there before" },
	{ one, "\"name\": \"or\"", "\"name\": \"oo\"", ": or: is missing in the result before" },
	{ one, "\"name\": \"G\"", "\"name\": \"GG\"", ": G: is missing in the result before" },
	{ one, "\"module\": \"tcp\", \"pattern\": \"loggp\"", "\"pattern\": \"loggp\"",
	  "no module or nprocs in the result before" },
	{ two, "\"nprocs\": 2", "\"nprocs\": -2", "number of processes that cannot be" },
	{ two, "\"bspgauge\"", "\"bspgauge\"", "has 2 entries; choose one by @FILE,entry=N: "
	  "1 tcp, 2 processes; 2 mpi, 4 processes" },
	{ probe, "\"L\": 22000", "\"L\": -1", ":4: a number that cannot be" },
	{ probe, "\"L\": 22000", "\"L\": 1e14", "more than 1000 s" },
	{ probe, "\"version\": 1", "\"version\": 3", ":1: a version that is not understood" },
	{ probe, "\"os\": 5000", "\"os\": -5000", ":6: a negative number" },
	{ probe, "1, \"entries\"", "1, \"exits\"", ": neither a report of bspgauge nor" },
};

enum { FAULTS = sizeof(faults) / sizeof(faults[0]) };

static void refuses(int i)
{
	const char *good = faults[i].good, *at = strstr(good, faults[i].from);
	char bad[2 * sizeof(two)];

	snprintf(bad, sizeof(bad), "%.*s%s%s", (int)(at - good), good, faults[i].to,
		 at + strlen(faults[i].from));
	put(bad, strlen(bad));
	is_refused("", faults[i].wanted);
}

static void refuses_choices(void)
{
	put(two, strlen(two));
	is_refused(",entry=3", "has no entry 3, but these: 1 tcp, 2 processes; 2 mpi, 4 processes");
	is_refused(",entry=0", "'entry=0' needs a number from 1");
	is_refused(",entry=", "'entry=' needs a number from 1");
	is_refused(",entry=-1", "'entry=-1' needs a number from 1");
	is_refused(",entry=1x", "'entry=1x' needs a number from 1");
	is_refused(",entry=12345678", "needs a number from 1");
	is_refused(",entry=1,entry=2", "'entry=2' gives entry a second time");
	put(BEGIN END "x", strlen(BEGIN END) + 1);
	is_refused("", ":3: expected nothing more");
	put(BEGIN END, strlen(BEGIN END));
	is_refused("", "has no measurement of pattern loggp; measure with bspgauge");
	is_int(-1, bspi_network_text("@,cpu=1", text, sizeof(text), why, sizeof(why)), "no name");
	ok(strstr(why, "name of a file is missing"), "and that is said: %s", why);
}

static void cut_short(void)
{
	static const char *const good[] = { one, two, probe };
	bool all = true;

	for (int i = 0; i < 3; i++)
		for (size_t len = 0; len < strlen(good[i]) - 1; len++) {
			put(good[i], len);
			all &= give(i == 1 ? ",entry=1" : "") == -1;
		}
	ok(all, "every prefix is refused");
}

/* No byte is read beyond the end, whatever the result: a sanitizer would report it. */
static void damaged(void)
{
	char bad[sizeof(one)];
	uint64_t state = 1;
	int n = 0;

	for (int i = 0; i < 3000; i++) {
		memcpy(bad, one, sizeof(one));
		for (int k = 0; k < 2; k++)
			bad[random_below(&state, sizeof(one) - 1)] = (char)random_next(&state);
		put(bad, sizeof(one) - 1);
		n += give("") >= -1;
	}
	is_int(3000, n, "damaged files do no harm");
}

/* Opening a pipe that no process writes to would wait for ever. */
static void no_file(void)
{
	if (unlink(path) < 0 || mkfifo(path, 0600) < 0)
		bail("no pipe");
	is_refused("", ": it is no file; bspgauge --json and bspprobe --json write");
	unlink(path);
	is_refused("", ": No such file or directory; bspgauge");
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		bail("no temporary file");
	close(fd);
	reads();
	leaves_others();
	for (int i = 0; i < FAULTS; i++)
		refuses(i);
	refuses_choices();
	cut_short();
	damaged();
	no_file();
	return done_testing();
}
