// SPDX-License-Identifier: BSD-3-Clause
/* goal_api.c - the calls of bsp_goal.h: what they check, and the runs that the program has. */

#include "bsplib/core/error.h"
#include "bsplib/core/observe.h"
#include "bsplib/core/phase.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/clock.h"
#include "bsplib/schedule/run.h"
#include "bsplib/schedule/schedule.h"
#include "bsplib/transfer/address.h"

#include "bsp_goal.h"

#include <stddef.h>

static struct goal_request *program_runs;	/* started by the program, and not waited for */

/* ---- Loading ------------------------------------------------------------------------ */

static __attribute__((cold)) _Noreturn void refuse_block(const char *site, const void *block,
							 size_t len,
							 int err, size_t at)
{
	const struct goal_header *h = block;

	if (err == -GOAL_ERANK && at == offsetof(struct goal_header, nprocs) && len >= sizeof(*h))
		bspi_fail("goal_load", site, "the schedule is the part of process %u of %u; "
			  "compile one for process %d of %d",
			  h->rank, h->nprocs, bspi.me, bspi.nprocs);
	bspi_fail("goal_load", site, "the block is no good schedule: %s (at byte %zu of %zu)",
		  goal_strerror(-err), at, len);
}

struct goal_schedule *goal_load_at(const char *site, const void *block, size_t len)
{
	struct goal_schedule *s;
	size_t at;
	int err;

	bspi_require_running("goal_load", site);
	if (!block)
		bspi_fail("goal_load", site, "the block is NULL; goal_graph_error() says what "
			  "goal_compile() did not like");
	bspi_enter();
	bspi_computing(false);
	BSPI_EVENT(call_begins, (BSPI_SCHEDULES, "goal_load", site));
	err = bspi_schedule_load(block, len, NULL, &s, &at);
	if (err < 0)
		refuse_block(site, block, len, err, at);
	if (bspi_offload_is_on(BSPI_OFFLOAD_ALL))
		bspi_schedule_offer(s, "goal_load", site);
	BSPI_EVENT(call_ends, ());
	bspi_computing(true);
	bspi_leave();
	return s;
}

static _Noreturn __attribute__((cold)) void refuse_null(const char *call, const char *site,
							const char *what)
{
	bspi_fail(call, site, "the %s is NULL", what);
}

static void check_schedule(const char *call, const char *site, const struct goal_schedule *s)
{
	if (!s)
		refuse_null(call, site, "schedule");
	if (!bspi_schedule_header(s))
		bspi_fail(call, site,
			  "the schedule was unloaded before; load it again with goal_load");
}

static const struct goal_request *run_of(const struct goal_schedule *s)
{
	const struct goal_request *r = program_runs;

	while (r && r->s != s)
		r = r->next_user;
	return r;
}

void goal_unload_at(const char *site, struct goal_schedule *s)
{
	const struct goal_request *r;

	bspi_require_running("goal_unload", site);
	check_schedule("goal_unload", site, s);
	r = run_of(s);
	if (r)
		bspi_fail("goal_unload", site, "start %u of the schedule, at %s, was not waited "
			  "for; call goal_wait first",
			  r->number, bspi_site_text(r->site));
	bspi_enter();
	bspi_schedule_unload(s);
	bspi_leave();
}

/* ---- Starting ----------------------------------------------------------------------- */

static void check_buffers(const char *site, const struct goal_schedule *s, void *const *buffers)
{
	uint32_t n = s->prog.header->nbuffers;

	if (n && !buffers)
		bspi_fail("goal_start", site,
			  "the schedule has %u buffer%s and no addresses are given", n,
			  bspi_plural(n));
	for (uint32_t i = 0; i < n; i++) {
		const struct goal_buffer *b = &goal_buffers(&s->prog)[i];

		if (!buffers[i] && b->bytes)
			bspi_fail("goal_start", site,
				  "the address of buffer %u, of %llu byte%s, is NULL", i,
				  (unsigned long long)b->bytes, bspi_plural(b->bytes));
		if ((uintptr_t)buffers[i] % b->align)
			bspi_fail("goal_start", site, "buffer %u is at %s, which is no multiple "
				  "of %u: the schedule computes with elements of that size in it",
				  i, bspi_address_text(buffers[i]), b->align);
	}
}

static void note_run(struct goal_request *r)
{
	r->next_user = program_runs;
	r->this_user = &program_runs;
	if (program_runs)
		program_runs->this_user = &r->next_user;
	program_runs = r;
}

struct goal_request *goal_start_at(const char *site, struct goal_schedule *s, void *const *buffers)
{
	struct goal_request *r;

	bspi_require_running("goal_start", site);
	check_schedule("goal_start", site, s);
	check_buffers(site, s, buffers);
	bspi_enter();
	bspi_computing(false);
	BSPI_EVENT(call_begins, (BSPI_SCHEDULES, "goal_start", site));
	r = bspi_run_start(s, buffers, NULL, site);
	note_run(r);
	BSPI_EVENT(call_ends, ());
	bspi_computing(true);
	bspi_leave();
	return r;
}

/* ---- Waiting ------------------------------------------------------------------------- */

static void end_run(struct goal_request *r)
{
	*r->this_user = r->next_user;
	if (r->next_user)
		r->next_user->this_user = r->this_user;
	bspi_run_end(r);
}

/* Without a look for chunks, unlike other calls: these look themselves. */
static void check_run(const char *call, const char *site, const struct goal_request *r)
{
	if (bspi.phase != BSPI_RUNNING)
		bspi_fail_phase(call, site);
	if (!r)
		refuse_null(call, site, "run");
	if (r->ended)
		bspi_fail(call, site, "the run was waited for before");
}

int goal_test_at(const char *site, struct goal_request **r)
{
	bool over;

	bspi_require_running("goal_test", site);
	if (!r)
		refuse_null("goal_test", site, "address of the run");
	if (!*r)
		return 1;
	check_run("goal_test", site, *r);
	bspi_enter();
	bspi_computing(false);
	BSPI_EVENT(call_begins, (BSPI_SCHEDULES, "goal_test", site));
	over = bspi_run_test(*r);
	if (over) {
		end_run(*r);
		*r = NULL;
	}
	BSPI_EVENT(call_ends, ());
	bspi_computing(true);
	bspi_leave();
	return over;
}

void goal_wait_at(const char *site, struct goal_request *r)
{
	check_run("goal_wait", site, r);
	bspi_enter();
	bspi_require_no_operator("goal_wait", site);
	bspi_computing(false);
	BSPI_EVENT(call_begins, (BSPI_SCHEDULES, "goal_wait", site));
	bspi_run_wait(r);
	end_run(r);
	BSPI_EVENT(call_ends, ());
	bspi_computing(true);
	bspi_leave();
}

void bspi_goal_end(const char *site)
{
	if (program_runs)
		bspi_fail("bsp_end", site, "a run was not waited for: that of goal_start at "
			  "%s; call goal_wait first",
			  bspi_site_text(program_runs->site));
}

/* ---- The same without call sites -------------------------------------------------------- */

struct goal_schedule *(goal_load)(const void *block, size_t len)
{
	return goal_load_at(NULL, block, len);
}

void (goal_unload)(struct goal_schedule *s)
{
	goal_unload_at(NULL, s);
}

struct goal_request *(goal_start)(struct goal_schedule *s, void *const *buffers)
{
	return goal_start_at(NULL, s, buffers);
}

int (goal_test)(struct goal_request **r)
{
	return goal_test_at(NULL, r);
}

void (goal_wait)(struct goal_request *r)
{
	goal_wait_at(NULL, r);
}
