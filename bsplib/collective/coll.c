// SPDX-License-Identifier: BSD-3-Clause
/* coll.c - a collective call: its arguments, the bytes a process gives itself, start and wait. */

/*
 * A call is checked, noted for comparison with those of the others (coll_agree.c), and becomes a
 * run of the schedule that is kept for its like (coll_cache.c). A process alone, or a call for
 * nothing, has no run.
 *
 * In place. The schedule that is run must not depend on where one process has its bytes: the
 * others would load another one than it does. So broadcasts, prefixes and folds for all always
 * work in the destination, after a copy of the source; all else always between two places, and a
 * source that is the destination is copied first.
 */

#include "bsplib/collective/coll.h"

#include "bsplib/core/observe.h"
#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/phase.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/in.h"
#include "bsplib/schedule/schedule.h"
#include "bsplib/transfer/address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* after a wait of this time: have all made the same call? */
enum { DOUBT_NS = 50 * 1000 * 1000 };

/* ---- Start --- */

/* In which one buffer serves for source and target, see bind(). */
static bool is_in_place(enum goal_kind kind)
{
	return kind == GOAL_BCAST || kind == GOAL_ALLREDUCE || kind == GOAL_SCAN;
}

static struct goal_task coll_task(const struct bspi_coll *c)
{
	return (struct goal_task){
		.kind = c->kind, .root = c->root, .networks = 1,
		.bytes = c->apart ? bspi_lengths_typical(c) : c->bytes,
		.function = c->typed ? c->op - BSPI_OPS : 0,
		.datatype = c->typed ? c->type - BSPI_TYPES : GOAL_NONE,
		.call = c->by_user ? 0 : -1, .element = c->by_user ? c->bytes : 0,
		.source = 0, .target = !is_in_place(c->kind), .apart = c->apart,
	};
}

static void coll_describe_task(FILE *to, const struct goal_task *t)
{
	const struct goal_algorithm *a = t->algorithm;

	fprintf(to, "%s:%s%s", goal_kind_name(t->kind), a->name, t->nodes ? "+nodes" : "");
	if (a->has_segment && t->segment > 0 && t->segment < t->bytes)
		fprintf(to, ":%llu", (unsigned long long)t->segment);
	if (a->has_arity)
		fprintf(to, ":%d", t->arity);
}

void bspi_coll_describe(FILE *to, size_t bytes)
{
	for (int kind = GOAL_BCAST; kind < GOAL_KINDS; kind++) {
		struct bspi_coll c = {
			.kind = (enum goal_kind)kind, .bytes = bytes, .op = BSP_SUM,
			.type = BSP_INT64, .typed = goal_kind_folds((enum goal_kind)kind),
		};
		struct goal_task task = coll_task(&c);

		bspi_kept_choose(&c, &task);
		fputs(kind > GOAL_BCAST ? "," : "", to);
		coll_describe_task(to, &task);
	}
}

static void coll_copy_own(const struct bspi_coll *c)
{
	if (bspi_coll_own_source(c) != bspi_coll_own_target(c))
		memcpy(bspi_coll_own_target(c), bspi_coll_own_source(c), c->bytes);
}

/* Memory that is freed with the request. */
static void *coll_copy(const struct bspi_coll *c, struct bspi_request *r, size_t bytes)
{
	r->copy = malloc(bytes);
	if (!r->copy)
		bspi_fail_memory(c->call, c->site);
	return r->copy;
}

/* Between two places, though the program has only one. */
static void coll_part_places(const struct bspi_coll *c, struct bspi_request *r, void **buffers)
{
	size_t src_bytes = bspi_coll_source_bytes(c);
	size_t dst_bytes = bspi_coll_target_bytes(c);

	if (!src_bytes || !dst_bytes || bspi_coll_own_source(c) != bspi_coll_own_target(c))
		return;
	/* what it gives itself is there, and the copy of that is of no use */
	if (dst_bytes < src_bytes)
		buffers[1] = coll_copy(c, r, dst_bytes);
	else
		buffers[0] = memcpy(coll_copy(c, r, src_bytes), c->src, src_bytes);
}

static void coll_bind(const struct bspi_coll *c, struct bspi_request *r, void **buffers)
{
	buffers[0] = (void *)(uintptr_t)c->src;
	buffers[1] = c->dst;
	if (!is_in_place(c->kind)) {
		coll_part_places(c, r, buffers);
		return;
	}
	if (bspi_coll_source_bytes(c))
		coll_copy_own(c);
	buffers[0] = c->dst;
}

static void coll_run(const struct bspi_coll *c, struct bspi_request *r)
{
	struct goal_task task;
	struct bspi_kept *k;
	void *buffers[2];

	if (c->neighbor) {
		bspi_neighbor_run(c, r);
		return;
	}
	task = coll_task(c);
	k = bspi_kept_find(c, &task);
	if (c->apart) {
		bspi_lengths_run(c, r, k);
	} else {
		coll_bind(c, r, buffers);
		r->run = bspi_run_start(k->schedule, buffers, r, c->site);
	}
	bspi_kept_use(k, r);
}

/* Bytes, for statistics. */
static uint64_t coll_given(const struct bspi_coll *c)
{
	if (c->neighbor)
		return c->bytes * (uint64_t)c->npids;
	return c->apart ? bspi_lengths_given() : c->bytes;
}

static void coll_start(struct bspi_coll *c, struct bspi_request *r)
{
	*r = (struct bspi_request){
		.call = c->call, .site = c->site, .user = c->user, .operand = c->bytes,
		.apart = c->apart,
	};
	BSPI_EVENT(collective, (c->call, c->site, coll_given(c)));
	r->turn = bspi_coll_agree_note(c);
	if (c->bytes == 0 && (!c->apart || c->neighbor))
		return;
	if (bspi.nprocs > 1)
		coll_run(c, r);
	else if (c->neighbor)
		bspi_neighbor_copy_own(c);
	else if (c->apart)
		bspi_lengths_copy_own(c);
	else
		coll_copy_own(c);
}

/* ---- Wait --- */

static bool is_in_doubt(uint64_t *began)
{
	uint64_t now = bspi.clock ? DOUBT_NS + 1 : bspi_now();

	if (!*began)
		*began = bspi.clock ? 1 : now;
	return now - *began >= DOUBT_NS;
}

/*
 * The other processes may have made another call: after a while this one is sent to them. Only
 * then may a wait be one that sleeps.
 */
static void wait_for_run(struct bspi_request *r, const char *call, const char *site)
{
	unsigned int idle = 0;
	uint64_t began = 0;
	bool asked = false;
	char what[160];

	bspi_show_awaited(BSPI_WAIT_RUN, 0, 0);
	while (!bspi_run_test(r->run)) {
		if (!asked && is_in_doubt(&began)) {
			bspi_coll_agree_ask(r->turn);
			snprintf(what, sizeof(what),
				 "messages of other processes for the %s of %.100s", r->call,
				 bspi_site_text(r->site));
			bspi_show_waiting(call, site, what);
			asked = true;
		}
		bspi_pump(asked ? &idle : &(unsigned int){ 0 });
	}
	bspi_show_computing();
}

static void coll_wait(struct bspi_request *r, const char *call, const char *site)
{
	if (!r->run)
		return;
	wait_for_run(r, call, site);
	bspi_kept_leave(r);
}

/* ---- Calls --- */

/* Before anything is started. */
static void coll_check(struct bspi_coll *c)
{
	if (!c->neighbor) {
		bspi_coll_check(c);
		return;
	}
	bspi_require_running(c->call, c->site);
	bspi_require_no_operator(c->call, c->site);
	bspi_neighbor_check(c);
}

static void coll_begins(const char *call, const char *site)
{
	bspi_computing(false);
	BSPI_EVENT(call_begins, (BSPI_COLLECTIVES, call, site));
}

static void coll_ends(void)
{
	BSPI_EVENT(call_ends, ());
	bspi_computing(true);
}

void bspi_coll_start(struct bspi_coll *c, struct bspi_request *r)
{
	coll_check(c);
	coll_begins(c->call, c->site);
	coll_start(c, r);
	coll_ends();
}

bool bspi_coll_test(struct bspi_request *r, const char *call, const char *site)
{
	bool over;

	coll_begins(call, site);
	over = !r->run || bspi_run_test(r->run);
	if (over && r->run)
		bspi_kept_leave(r);
	coll_ends();
	return over;
}

void bspi_coll_wait(struct bspi_request *r, const char *call, const char *site)
{
	coll_begins(call, site);
	coll_wait(r, call, site);
	coll_ends();
}

/* One call of the program is one for observers too, so it is not the two above. */
void bspi_coll_do(struct bspi_coll *c)
{
	struct bspi_request r;

	coll_check(c);
	coll_begins(c->call, c->site);
	coll_start(c, &r);
	coll_wait(&r, c->call, c->site);
	coll_ends();
}
