// SPDX-License-Identifier: BSD-3-Clause
/* coll.c - a collective call: its arguments, the bytes a process gives itself, start and wait. */

/*
 * A call is checked, noted for comparison with those of the others (coll_agree.c), and becomes a flight of the
 * schedule that is kept for its like (coll_cache.c). A process alone, or a call for nothing, has no flight.
 *
 * In place. Which schedule is run must not depend on where one process has its bytes: the others would load another one
 * than it does. So broadcasts, prefixes and folds for all always work in the destination, after a copy of the source;
 * all else always between two places, and a source that is the destination is copied first.
 */

#include "bsplib/collective/coll.h"

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

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOUBT_NS = 50 * 1000 * 1000 };	/* who waits so long asks whether all made the same call */

/* ---- What a call reads and writes ------------------------------------------------------ */

struct side {
	bool rooted;		/* only the root has it */
	bool blocks;		/* one for each process, not one */
};

struct shape {
	struct side src, dst;
	bool rooted;		/* the call has a root */
};

static const struct shape shapes[GOAL_KINDS] = {
	[GOAL_BCAST] = { .src = { .rooted = true }, .rooted = true },
	[GOAL_SCATTER] = { .src = { .rooted = true, .blocks = true }, .rooted = true },
	[GOAL_GATHER] = { .dst = { .rooted = true, .blocks = true }, .rooted = true },
	[GOAL_ALLGATHER] = { .dst = { .blocks = true } },
	[GOAL_EXCHANGE] = { .src = { .blocks = true }, .dst = { .blocks = true } },
	[GOAL_REDUCE] = { .dst = { .rooted = true }, .rooted = true },
};

bool bspi_coll_is_rooted(enum goal_kind kind)
{
	return shapes[kind].rooted;
}

static size_t bytes_of(const struct bspi_coll *c, const struct side *s)
{
	if (s->rooted && c->root != bspi.me)
		return 0;
	return s->blocks ? c->bytes * bspi.nprocs : c->bytes;
}

/* What a process gives itself: where it is, and where it goes. */
static const char *own_source(const struct bspi_coll *c)
{
	return (const char *)c->src + (shapes[c->kind].src.blocks ? bspi.me * c->bytes : 0);
}

static char *own_target(const struct bspi_coll *c)
{
	return (char *)c->dst + (shapes[c->kind].dst.blocks ? bspi.me * c->bytes : 0);
}

/* ---- Checks ------------------------------------------------------------------------------ */

static const char *name_of_op(int op)
{
	static const char *const names[GOAL_FUNCTIONS] = {
		[GOAL_ADD] = "BSP_SUM", [GOAL_MUL] = "BSP_PROD", [GOAL_MAX] = "BSP_MAX",
		[GOAL_MIN] = "BSP_MIN", [GOAL_AND] = "BSP_AND", [GOAL_OR] = "BSP_OR",
		[GOAL_XOR] = "BSP_XOR",
	};
	unsigned int i = (unsigned int)op - BSPI_OPS;

	return i < GOAL_FUNCTIONS ? names[i] : NULL;
}

static size_t bytes_of_type(int type)
{
	unsigned int i = (unsigned int)type - BSPI_TYPES;

	return i < GOAL_DATATYPES ? goal_datatype_bytes(i) : 0;
}

static const char *name_of_type(int type)
{
	static const char *const names[GOAL_DATATYPES] = {
		[GOAL_I8] = "BSP_INT8", [GOAL_I16] = "BSP_INT16", [GOAL_I32] = "BSP_INT32",
		[GOAL_I64] = "BSP_INT64", [GOAL_U8] = "BSP_UINT8", [GOAL_U16] = "BSP_UINT16",
		[GOAL_U32] = "BSP_UINT32", [GOAL_U64] = "BSP_UINT64", [GOAL_F32] = "BSP_FLOAT",
		[GOAL_F64] = "BSP_DOUBLE",
	};

	return bytes_of_type(type) ? names[type - BSPI_TYPES] : "no type";
}

const char *bspi_coll_names(int op, int type, const char **type_name)
{
	*type_name = name_of_type(type);
	return name_of_op(op);
}

static void check_types(const struct bspi_coll *c)
{
	bool bits = c->op >= BSP_AND, floats = c->type >= BSP_FLOAT;

	if (!name_of_op(c->op))
		bspi_fail(c->call, c->place, "there is no operator %d; use BSP_SUM, BSP_PROD, BSP_MAX, BSP_MIN, BSP_AND, BSP_OR or BSP_XOR",
			  c->op);
	if (!bytes_of_type(c->type))
		bspi_fail(c->call, c->place, "there is no type %d; use BSP_INT, BSP_DOUBLE or another one of bsp_coll.h",
			  c->type);
	if (bits && floats)
		bspi_fail(c->call, c->place, "%s is for integers, not for %s", name_of_op(c->op),
			  name_of_type(c->type));
}

/* And how many bytes these are. */
static void check_size(struct bspi_coll *c)
{
	const struct shape *shape = &shapes[c->kind];
	size_t element = c->typed ? bytes_of_type(c->type) : 1;
	size_t blocks = shape->src.blocks || shape->dst.blocks ? bspi.nprocs : 1;

	if (bspi_negative(c->count))
		bspi_fail(c->call, c->place, "size %zd is negative", (ssize_t)c->count);
	if (c->count > GOAL_BYTES_MOST / element / blocks)
		bspi_fail(c->call, c->place, "%zu times %zu bytes for %zu processes are more than 2^40 bytes",
			  c->count, element, blocks);
	if (c->by_user && c->count > INT_MAX)
		bspi_fail(c->call, c->place, "an operand of %zu bytes is longer than an int can say",
			  c->count);
	c->bytes = c->count * element;
}

static void check_address(const struct bspi_coll *c, const void *at, const char *name)
{
	size_t align = c->typed ? bytes_of_type(c->type) : 1;

	if (!at)
		bspi_fail(c->call, c->place, "the %s is NULL", name);
	if ((uintptr_t)at % align)
		bspi_fail(c->call, c->place, "the %s %s is not on a multiple of %zu bytes, as %s has to be",
			  name, bspi_address_text(at), align, name_of_type(c->type));
}

static void check_overlap(const struct bspi_coll *c, size_t src_bytes, size_t dst_bytes)
{
	const char *src = c->src, *dst = c->dst;

	if (own_source(c) == own_target(c) || src >= dst + dst_bytes || dst >= src + src_bytes)
		return;
	bspi_fail(c->call, c->place, "the source (%zu byte%s at %s) and the destination (%zu byte%s at %s) overlap, and are not in place",
		  src_bytes, bspi_plural(src_bytes), bspi_address_text(c->src), dst_bytes,
		  bspi_plural(dst_bytes), bspi_address_text(c->dst));
}

static void check_memory(const struct bspi_coll *c)
{
	size_t src_bytes = bytes_of(c, &shapes[c->kind].src);
	size_t dst_bytes = bytes_of(c, &shapes[c->kind].dst);

	if (src_bytes)
		check_address(c, c->src, "source");
	if (dst_bytes)
		check_address(c, c->dst, "destination");
	if (src_bytes && dst_bytes)
		check_overlap(c, src_bytes, dst_bytes);
}

void bspi_coll_check(struct bspi_coll *c)
{
	bspi_require_running(c->call, c->place);
	bspi_require_no_operator(c->call, c->place);
	if (shapes[c->kind].rooted && (c->root < 0 || c->root >= bspi.nprocs))
		bspi_fail_pid(c->call, c->place, c->root);
	if (c->typed)
		check_types(c);
	if (c->by_user && !c->user)
		bspi_fail(c->call, c->place, "the operator is NULL");
	check_size(c);
	check_memory(c);
}

/* ---- The operator of the program ------------------------------------------------------------ */

static void fold(void *owner, const struct goal_op *op, void *const *at)
{
	const struct bspi_request *r = owner;
	int nbytes = r->operand;

	(void)op;
	bspi.operator_of = r->call;
	r->user(at[0], at[1], at[2], &nbytes);
	bspi.operator_of = NULL;
}

bspi_goal_call *const bspi_coll_calls[] = { fold };

void bspi_coll_misfit(const void *owner, int from, uint64_t sent, uint64_t expected)
{
	const struct bspi_request *r = owner;

	bspi_fail(r->call, r->place, "process %d sends %llu byte%s where this call expects %llu; all processes make the same collective calls with the same sizes",
		  from, (unsigned long long)sent, bspi_plural(sent), (unsigned long long)expected);
}

/* ---- Start ------------------------------------------------------------------------------------ */

/* In which one buffer serves for source and target, see bind(). */
static bool is_in_place(enum goal_kind kind)
{
	return kind == GOAL_BCAST || kind == GOAL_ALLREDUCE || kind == GOAL_SCAN;
}

static struct goal_task task_of(const struct bspi_coll *c)
{
	return (struct goal_task){
		.kind = c->kind, .root = c->root, .bytes = c->bytes, .networks = 1,
		.function = c->typed ? c->op - BSPI_OPS : 0,
		.datatype = c->typed ? c->type - BSPI_TYPES : GOAL_NONE,
		.call = c->by_user ? 0 : -1, .element = c->by_user ? c->bytes : 0,
		.source = 0, .target = !is_in_place(c->kind),
	};
}

static void give_oneself(const struct bspi_coll *c)
{
	if (own_source(c) != own_target(c))
		memcpy(own_target(c), own_source(c), c->bytes);
}

/* Memory that goes with the request. */
static void *spare(const struct bspi_coll *c, struct bspi_request *r, size_t bytes)
{
	r->copy = malloc(bytes);
	if (!r->copy)
		bspi_fail_memory(c->call, c->place);
	return r->copy;
}

/* Between two places, though the program has only one. */
static void part_places(const struct bspi_coll *c, struct bspi_request *r, void **buffers)
{
	size_t src_bytes = bytes_of(c, &shapes[c->kind].src);
	size_t dst_bytes = bytes_of(c, &shapes[c->kind].dst);

	if (!src_bytes || !dst_bytes || own_source(c) != own_target(c))
		return;
	if (dst_bytes < src_bytes)	/* what it gives itself is there, and the copy of that is of no use */
		buffers[1] = spare(c, r, dst_bytes);
	else
		buffers[0] = memcpy(spare(c, r, src_bytes), c->src, src_bytes);
}

static void bind(const struct bspi_coll *c, struct bspi_request *r, void **buffers)
{
	buffers[0] = (void *)(uintptr_t)c->src;
	buffers[1] = c->dst;
	if (!is_in_place(c->kind)) {
		part_places(c, r, buffers);
		return;
	}
	if (bytes_of(c, &shapes[c->kind].src))
		give_oneself(c);
	buffers[0] = c->dst;
}

static void fly(const struct bspi_coll *c, struct bspi_request *r)
{
	struct goal_task task = task_of(c);
	struct bspi_kept *k = bspi_kept_find(c, &task);
	void *buffers[2];

	bind(c, r, buffers);
	r->flight = bspi_flight_start(k->schedule, buffers, r, c->place);
	bspi_kept_use(k, r);
}

void bspi_coll_start(struct bspi_coll *c, struct bspi_request *r)
{
	*r = (struct bspi_request){
		.call = c->call, .place = c->place, .user = c->user, .operand = c->bytes,
	};
	r->turn = bspi_agree_note(c);
	if (c->bytes == 0)
		return;
	if (bspi.nprocs == 1) {
		give_oneself(c);
		return;
	}
	bspi_computing(false);
	fly(c, r);
	bspi_computing(true);
}

/* ---- Wait -------------------------------------------------------------------------------------- */

void bspi_coll_finish(struct bspi_request *r)
{
	bspi_flight_end(r->flight);
	r->flight = NULL;
	bspi_kept_leave(r);
	free(r->copy);
	r->copy = NULL;
}

bool bspi_coll_test(struct bspi_request *r)
{
	bool over;

	if (!r->flight)
		return true;
	bspi_computing(false);
	over = bspi_flight_test(r->flight);
	if (over)
		bspi_coll_finish(r);
	bspi_computing(true);
	return over;
}

static bool is_in_doubt(uint64_t *began)
{
	uint64_t now = bspi.clock ? DOUBT_NS + 1 : bspi_now();

	if (!*began)
		*began = bspi.clock ? 1 : now;
	return now - *began >= DOUBT_NS;
}

static void show_waiting(const struct bspi_request *r, const char *call, const char *place)
{
	char what[160];

	snprintf(what, sizeof(what), "messages of other processes for the %s of %.100s", r->call,
		 bspi_place_text(r->place));
	bspi_show_waiting(call, place, what);
}

/*
 * What is wrong may be that others have made another call: after a while they are asked. Only then may a
 * wait be one that sleeps.
 */
static void wait_for_flight(struct bspi_request *r, const char *call, const char *place)
{
	unsigned int idle = 0;
	uint64_t began = 0;
	bool asked = false;

	bspi_show_awaited(BSPT_AWAITS_FLIGHT, 0, 0);
	while (!bspi_flight_test(r->flight)) {
		if (!asked && is_in_doubt(&began)) {
			bspi_agree_ask(r->turn);
			show_waiting(r, call, place);
			asked = true;
		}
		bspi_pump(asked ? &idle : &(unsigned int){ 0 });
	}
	bspi_show_computing();
}

void bspi_coll_wait(struct bspi_request *r, const char *call, const char *place)
{
	if (!r->flight)
		return;
	bspi_computing(false);
	wait_for_flight(r, call, place);
	bspi_coll_finish(r);
	bspi_computing(true);
}

void bspi_coll_do(struct bspi_coll *c)
{
	struct bspi_request r;

	bspi_coll_check(c);
	bspi_coll_start(c, &r);
	bspi_coll_wait(&r, c->call, c->place);
}

/* ---- The end -------------------------------------------------------------------------------------- */

void bspi_coll_end(const char *place)
{
	bspi_require_no_operator("bsp_end", place);
	bspi_requests_require_none(place);
}

void bspi_coll_close(void)
{
	bspi_kept_close();
	bspi_requests_close();
	bspi_agree_close();
}
