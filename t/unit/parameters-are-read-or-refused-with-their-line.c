/* SPDX-License-Identifier: BSD-3-Clause */
/* A file of parameters gives the entry that fits best; a broken one is refused with its line,
 * whatever is wrong. */
#include "bsplib/model/model.h"
#include "bsplib/model/params.h"
#include "../lib/random.h"
#include "../lib/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char good[] =
	"{ \"written-by\": \"hand\", \"version\": 1, \"entries\": [\n"
	"  { \"host\": \"a\", \"transport\": \"shm\", \"network\": \"\", \"nprocs\": 4,\n"
	"    \"L\": 100, \"gamma\": 0.5, \"combine\": 0.25, \"copy\": 0.125, \"later\": { \"x\": "
	"[1, 2] },\n"
	"    \"s\": 1000, \"l\": 3000, \"g\": 2, \"nhalf\": 70,\n"
	"    \"sizes\": [ { \"bytes\": 1, \"os\": 10, \"or\": 20, \"g\": 30 },\n"
	"      { \"bytes\": 1024, \"os\": 11, \"or\": 21, \"g\": 31, \"g_low\": -1 } ], "
	"\"inside\": { \"L\": 5, \"L_low\": 4, \"sizes\": [ { \"bytes\": 1, \"os\": 1, \"or\": 2, "
	"\"g\": 3 } ] } },\n"
	"  { \"host\": \"a\", \"transport\": \"shm\", \"network\": \"\", \"nprocs\": 16,\n"
	"    \"L\": 200, \"gamma\": 1, \"combine\": 0, \"copy\": 0,\n"
	"    \"s\": 1000, \"l\": 3000, \"g\": 2, \"nhalf\": 70,\n"
	"    \"sizes\": [ { \"bytes\": 1, \"os\": 0, \"or\": 0, \"g\": 30 } ] },\n"
	"  { \"host\": \"b\", \"transport\": \"mpi\", \"network\": \"\", \"nprocs\": 4,\n"
	"    \"L\": 300, \"gamma\": 1, \"combine\": 0, \"copy\": 0,\n"
	"    \"s\": 1000, \"l\": 3000, \"g\": 2, \"nhalf\": 70,\n"
	"    \"sizes\": [ { \"bytes\": 1, \"os\": 0, \"or\": 0, \"g\": 30, \"alone\": 400, "
	"\"cross\": 500, \"fold\": 7, \"copy\": 0 } ] }\n"
	"] }\n";

static char path[] = "params-XXXXXX", why[1400];

static void put(const char *text, size_t len)
{
	FILE *out = fopen(path, "w");

	if (!out || fwrite(text, 1, len, out) != len || fclose(out))
		bail("cannot write %s", path);
}

static int find(const char *transport, int nprocs, bool any_host, struct bspi_params_entry *e)
{
	struct bspi_params_key key = { .host = "a", .nprocs = nprocs };

	snprintf(key.transport, sizeof(key.transport), "%s", transport);
	why[0] = '\0';
	return bspi_params_find(path, &key, any_host, e, why, sizeof(why));
}

static void reads(void)
{
	struct bspi_params_entry e;

	put(good, strlen(good));
	is_int(1, find("shm", 4, false, &e), "the entry of this machine is found");
	is_int(2, e.plogp.nsizes, "it has two sizes");
	is_near(31, bspi_model_gap(&e.plogp, 1024), 1e-9, "with the gap of the second");
	is_near(131, bspi_model_hop(&e.plogp, 1024), 1e-9,
		"without the time of a message alone it is L + g");
	is_near(256, bspi_model_fold(&e.plogp, 1024), 1e-9,
		"without folds by size each byte costs as much");
	is_near(0.5, e.plogp.gamma, 1e-9, "and its gamma");
	is_int(70, e.slg.nhalf, "and n_half");
	is_near(8, bspi_model_hop(&e.inside, 1), 1e-9, "inside a node a message takes less");
	is_near(256, bspi_model_fold(&e.inside, 1024), 1e-9, "and a fold as much");
	is_int(1, find("shm", 9, false, &e), "of other numbers of processes");
	is_int(16, e.key.nprocs, "the nearest, as a quotient");
	is_int(0, e.inside.nsizes, "which has nothing of the inside of nodes");
	is_int(1, find("shm", 7, false, &e), "on both sides");
	is_int(4, e.key.nprocs, "the nearest");
	is_int(0, find("mpi", 4, false, &e), "an entry of another host is not ours");
	is_int(1, find("mpi", 4, true, &e), "unless the user has named the file");
	is_near(400, bspi_model_hop(&e.plogp, 1024), 1e-9, "the time of a message alone");
	is_near(500, bspi_model_cross(&e.plogp, 1024), 1e-9, "and of two that cross");
	is_near(7, bspi_model_fold(&e.plogp, 1024), 1e-9, "of a fold");
	is_near(0, bspi_model_copy(&e.plogp, 1024), 1e-9, "and of a copy, which may be 0");
	is_int(0, find("ofi", 4, true, &e), "one of another transport never is");
}

/* The first entry, of 4 processes, is one of the kernel; of 16 there is another one. */
static void kernel_apart(void)
{
	static const char member[] = "\"offload\": \"1\", \"nprocs\": 4";
	const char *at = strstr(good, "\"nprocs\": 4");
	struct bspi_params_key key = { .host = "a", .transport = "shm", .nprocs = 16,
				       .offload = true };
	struct bspi_params_entry e;
	char text[2 * sizeof(good)];
	int n = snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - good), good, member,
			 at + strlen("\"nprocs\": 4"));

	put(text, (size_t)n);
	is_int(1, bspi_params_find(path, &key, false, &e, why, sizeof(why)), "with offload");
	is_int(4, e.key.nprocs, "an entry of schedules in the kernel is found");
	key.offload = false;
	key.nprocs = 4;
	is_int(1, bspi_params_find(path, &key, false, &e, why, sizeof(why)), "without");
	is_int(16, e.key.nprocs, "one of the process");
	put(good, strlen(good));
	key.offload = true;
	is_int(1, bspi_params_find(path, &key, false, &e, why, sizeof(why)), "in an old file");
	is_int(4, e.key.nprocs, "one serves for both");
}

/* A replacement in the good text that makes it a bad one. */
static const struct {
	const char *from, *to, *wanted;
} faults[] = {
	{ "\"version\": 1", "\"version\": 2", ":1: a version that is not understood" },
	{ "\"version\": 1", "\"versio\": 1", ":1: expected the version before the entries" },
	{ "\"entries\"", "\"exits\"", ":15: expected entries" },
	{ "\"L\": 100", "\"L\": -100", ":3: a number that cannot be" },
	{ "\"L\": 100", "\"L\": 1e400", ":3: expected a number" },
	{ "\"L\": 100", "\"L\": nan", ":3: expected a number" },
	{ "\"L\": 100,", "", ":6: a member is missing in the entry before" },
	{ "\"L\": 100,", "\"L\": 100, \"L\": 100,", ":3: a member that was there before" },
	{ "\"nprocs\": 4", "\"nprocs\": 0", ":2: a number that cannot be" },
	{ "\"nprocs\": 4", "\"nprocs\": 1e30", ":2: a number that cannot be" },
	{ "\"s\": 1000", "\"s\": 0", ":4: a number that cannot be" },
	{ "\"bytes\": 1024", "\"bytes\": 1", ":6: sizes that do not grow from 1 on" },
	{ "\"bytes\": 1,", "\"bytes\": 0,", ":5: sizes that do not grow from 1 on" },
	{ "\"bytes\": 1024", "\"bytes\": 1.5", ":6: not a count" },
	{ "\"g\": 31", "\"g\": 0", ":6: a time that cannot be" },
	{ "\"g\": 31", "\"g\": 1e99", ":6: a time that cannot be" },
	{ "\"os\": 11", "\"os\": -1", ":6: a negative number" },
	{ "\"os\": 11", "\"os\": 11, \"alone\": 1e99", ":6: a time that cannot be" },
	{ "\"os\": 11", "\"os\": 11, \"cross\": 50", ":6: alone or cross at some sizes only" },
	{ "\"os\": 10", "\"os\": 10, \"alone\": 50", ":6: alone or cross at some sizes only" },
	{ "\"os\": 11", "\"os\": 11, \"copy\": 1e99", ":6: a time that cannot be" },
	{ "\"os\": 11", "\"os\": 11, \"fold\": 5", ":6: fold or copy at some sizes only" },
	{ "\"os\": 10", "\"os\": 10, \"fold\": 5, \"copy\": 5",
	  ":6: fold or copy at some sizes only" },
	{ "\"L\": 5,", "", ":6: no L or no sizes of the inside of nodes" },
	{ "\"L\": 5,", "\"L\": -5,", ":6: a number that cannot be" },
	{ "\"os\": 1,", "\"os\": -1,", ":6: a negative number" },
	{ "{ \"L\": 5,", "[ \"L\": 5,", ":6: expected an object" },
	{ "\"host\": \"a\"", "\"host\": 7", ":2: expected a string" },
	{ "] }\n", "] ", ":15: expected a comma" },
};

enum { FAULTS = sizeof(faults) / sizeof(faults[0]) };

static void refuses(int i)
{
	const char *at = i == FAULTS - 1 ? good + strlen(good) - 4 : strstr(good, faults[i].from);
	struct bspi_params_entry e;
	char text[2 * sizeof(good)];
	int n = snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - good), good, faults[i].to,
			 at + strlen(faults[i].from));

	put(text, (size_t)n);
	is_int(-1, find("shm", 4, false, &e), "'%s' for '%s' is refused", faults[i].to,
	       faults[i].from);
	ok(strstr(why, faults[i].wanted), "with its line: %s", why);
}

static void cut_short(void)
{
	struct bspi_params_entry e;
	bool all = true;

	for (size_t len = 0; len < strlen(good) - 1; len++) {
		put(good, len);
		all &= find("shm", 4, false, &e) == -1;
	}
	ok(all, "every prefix is refused");
}

/* No byte is read beyond the end, whatever the result: a sanitizer would report it. */
static void damaged(void)
{
	struct bspi_params_entry e;
	char text[sizeof(good)];
	uint64_t state = 1;
	int n = 0;

	for (int i = 0; i < 3000; i++) {
		memcpy(text, good, sizeof(good));
		for (int k = 0; k < 2; k++)
			text[random_below(&state, sizeof(good) - 1)] = (char)random_next(&state);
		put(text, sizeof(good) - 1);
		n += find("shm", 4, true, &e) >= -1;
	}
	is_int(3000, n, "damaged files do no harm");
}

/* Opening a pipe that no process writes to would wait for ever. */
static void no_file(void)
{
	struct bspi_params_entry e;

	if (unlink(path) < 0 || mkfifo(path, 0600) < 0)
		bail("no pipe");
	is_int(-1, find("shm", 4, false, &e), "a pipe is refused: %s", why);
}

int main(void)
{
	struct bspi_params_entry e;
	int fd = mkstemp(path);

	if (fd < 0)
		bail("no temporary file");
	close(fd);
	reads();
	kernel_apart();
	for (int i = 0; i < FAULTS; i++)
		refuses(i);
	cut_short();
	damaged();
	no_file();
	unlink(path);
	is_int(-1, find("shm", 4, false, &e), "a file that is not there is said to be so");
	ok(strstr(why, "No such file"), "%s", why);
	return done_testing();
}
