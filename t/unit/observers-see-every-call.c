/* SPDX-License-Identifier: BSD-3-Clause */
/* An observer sees every put, get, message, collective call, read and superstep, and the end; calls
 * of transfers while the process does not compute. */

#include "bsplib/core/observe.h"

#include "bsp_coll.h"
#include "../lib/relaxed.h"

static struct {
	int puts, gets, messages, collectives, begins, ways, registrations, wholes, ends;
	int reads, expects, read_ends, serves, tests, job_ends, closes;
	int begun[BSPI_ACTIVITIES], under_way, nested, waits, asked, credits, credit_ends;
	size_t bytes;
	bool ending, barrier, computes;
	int meanwhile;		/* calls while it computes */
} seen;

static void on_computing(bool on)
{
	seen.computes = on;
}

static void on_put(const struct bspi_transfer *t, uint32_t slot)
{
	(void)t;
	(void)slot;
	seen.puts++;
	seen.meanwhile += seen.computes;
}

static void on_get(const struct bspi_transfer *t, uint32_t slot)
{
	(void)t;
	(void)slot;
	seen.gets++;
	seen.meanwhile += seen.computes;
}

static void on_message(const char *place, int pid, size_t tag_bytes, size_t nbytes)
{
	(void)place;
	(void)pid;
	seen.messages++;
	seen.meanwhile += seen.computes;
	seen.bytes += tag_bytes + nbytes;
}

static void on_collective(const char *call, const char *place, uint64_t bytes)
{
	(void)place;
	seen.collectives += strcmp(call, "bsp_allreduce") == 0 && bytes == sizeof(double);
}

static void on_call_begins(enum bspi_activity what, const char *call, const char *place)
{
	seen.nested += seen.under_way++ > 0;
	seen.begun[what]++;
	seen.meanwhile += seen.computes;
	seen.waits += strcmp(call, "bsp_wait") == 0 && place;
	seen.asked += strcmp(call, "bsp_test") == 0 && place;
}

static void on_call_ends(void)
{
	seen.under_way--;
}

static void on_credit_begins(void)
{
	seen.credits++;
}

static void on_credit_ends(void)
{
	seen.credit_ends++;
}

static void on_sync_begins(const char *place, bool ending)
{
	(void)place;
	seen.begins++;
	seen.ending = ending;
}

static void on_way_is_known(bool barrier)
{
	seen.ways++;
	seen.barrier = barrier;
}

static void on_registrations(void)
{
	seen.registrations++;
}

static void on_superstep_is_whole(void)
{
	seen.wholes++;
}

static void on_sync_ends(void)
{
	seen.ends++;
}

static void on_read_begins(const char *place, uint32_t slot, int n)
{
	(void)place;
	(void)slot;
	seen.reads += n == 1;
}

static void on_expect_begins(const char *place, int wanted, size_t *n)
{
	(void)place;
	seen.expects += wanted == 1 && *n == 1;
}

static void on_read_ends(void)
{
	seen.read_ends++;
}

static void on_serve(const char *place, uint32_t slot, int n)
{
	(void)place;
	(void)slot;
	seen.serves += n == 0;
}

static void on_read_test(const char *place, uint32_t slot, int n, bool *answer)
{
	(void)place;
	(void)slot;
	seen.tests += n == 0 && *answer;
}

static void on_job_ends(void)
{
	seen.job_ends++;
}

static void on_close(void)
{
	seen.closes++;
}

static struct bspi_observer observer = {
	.put = on_put, .get = on_get, .message = on_message, .computing = on_computing,
	.collective = on_collective,
	.call_begins = on_call_begins, .call_ends = on_call_ends,
	.credit_begins = on_credit_begins, .credit_ends = on_credit_ends,
	.sync_begins = on_sync_begins, .way_is_known = on_way_is_known,
	.registrations = on_registrations, .superstep_is_whole = on_superstep_is_whole,
	.sync_ends = on_sync_ends, .read_begins = on_read_begins,
	.expect_begins = on_expect_begins, .read_ends = on_read_ends, .serve = on_serve,
	.read_test = on_read_test, .job_ends = on_job_ends, .close = on_close,
};

static int x[2], y;

static void classic_part(void)
{
	double one = 1, sum;
	int got[3];

	bsp_push_reg(x, sizeof x);
	bsp_sync();
	bsp_put(right(), &y, x, 0, sizeof y);
	bsp_hpput(right(), &y, x, sizeof y, sizeof y);
	bsp_get(right(), x, 0, &got[0], sizeof y);
	bsp_hpget(right(), x, 0, &got[1], sizeof y);
	bsp_direct_get(right(), x, 0, &got[2], sizeof y);
	bsp_send(right(), NULL, &y, sizeof y);
	bsp_allreduce(BSP_SUM, BSP_DOUBLE, &one, &sum, 1);
	bsp_sync();
	is_int(2, seen.puts, "both puts");
	is_int(3, seen.gets, "and the three gets");
	is_int(1, seen.messages, "the message");
	is_int(sizeof y, seen.bytes, "with its bytes");
	is_int(1, seen.collectives, "the collective call, by its name");
	is_int(1, seen.begun[BSPI_COLLECTIVES], "as one call");
	is_int(1, seen.begun[BSPI_READS], "and bsp_direct_get");
	is_int(0, seen.under_way + seen.nested, "each of which ends before the next");
	is_int(0, seen.meanwhile, "the process does not compute in any of them");
	is_int(!bspi.clock, seen.computes, "but does after the last");
	is_int(1, seen.registrations, "the registration");
	is_int(2, seen.begins, "the calls of bsp_sync");
	is_int(2, seen.ends, "which return");
	is_int(2, seen.wholes, "and are barriers");
}

/* A start, its tests, and its wait are calls. */
static void started_part(void)
{
	int before = seen.begun[BSPI_COLLECTIVES], tests = 0;
	double one = 1, sum;
	bsp_request r;

	r = bsp_iallreduce(BSP_SUM, BSP_DOUBLE, &one, &sum, 1);
	bsp_wait(&r);
	r = bsp_iallreduce(BSP_SUM, BSP_DOUBLE, &one, &sum, 1);
	do
		tests++;
	while (!bsp_test(&r));
	bsp_wait(&r);
	is_int(1, seen.waits, "bsp_wait is a call, but not when nothing is under way");
	is_int(tests, seen.asked, "and each bsp_test");
	is_int(before + 3 + tests, seen.begun[BSPI_COLLECTIVES], "with both starts");
	is_int(0, seen.under_way + seen.nested, "and each ends before the next");
}

static void relaxed_part(void)
{
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	bsp_put(right(), &y, x, 0, sizeof y);
	bsp_send(right(), NULL, &y, sizeof y);
	bsp_serve(x, 0);
	bsp_sync();
	ok(!seen.barrier, "a relaxed superstep is known to end without a barrier");
	is_int(1, seen.credits, "in which peers may have to be waited for");
	is_int(1, seen.credit_ends, "until they have been");
	bsp_expect(1);
	bsp_read(x, 1);
	is_int(1, seen.reads, "bsp_read is seen, with its n");
	is_int(1, seen.expects, "and bsp_expect, with what it will take");
	is_int(2, seen.read_ends, "and that both return");
	is_int(1, seen.serves, "and bsp_serve");
	bsp_read_test(x, 0);
	is_int(1, seen.tests, "and bsp_read_test, with its answer");
}

static void body(void)
{
	bsp_begin(bsp_nprocs());
	memset(&seen, 0, sizeof seen);
	bspi.slow = bspi.metered = true;
	seen.computes = !bspi.clock;	/* in virtual time the transport is asked */
	bspi_observe(&observer);
	classic_part();
	started_part();
	relaxed_part();
	bsp_end();
	ok(seen.ending, "bsp_end is seen");
	is_int(1, seen.job_ends, "where records may still be sent");
	is_int(1, seen.closes, "and then the observer is done");
}

int main(void)
{
	setenv("BSP_SYNC", "program", 1);
	lives_ok(body, 2, "two processes");
	lives_ok(body, 1, "one process");
	return done_testing();
}
