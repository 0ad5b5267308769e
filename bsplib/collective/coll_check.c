// SPDX-License-Identifier: BSD-3-Clause
/* coll_check.c - what a collective call reads and writes, and whether its arguments are right. */

#include "bsplib/collective/coll.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/phase.h"
#include "bsplib/core/state.h"
#include "bsplib/transfer/address.h"

#include <limits.h>
#include <stdint.h>

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

static size_t side_bytes(const struct bspi_coll *c, const struct side *s)
{
	if (s->rooted && c->root != bspi.me)
		return 0;
	return s->blocks ? c->bytes * bspi.nprocs : c->bytes;
}

size_t bspi_coll_source_bytes(const struct bspi_coll *c)
{
	return side_bytes(c, &shapes[c->kind].src);
}

size_t bspi_coll_target_bytes(const struct bspi_coll *c)
{
	return side_bytes(c, &shapes[c->kind].dst);
}

const char *bspi_coll_own_source(const struct bspi_coll *c)
{
	return (const char *)c->src + (shapes[c->kind].src.blocks ? bspi.me * c->bytes : 0);
}

char *bspi_coll_own_target(const struct bspi_coll *c)
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
		bspi_fail(c->call, c->site, "there is no operator %d; use BSP_SUM, BSP_PROD, "
			  "BSP_MAX, BSP_MIN, BSP_AND, BSP_OR or BSP_XOR",
			  c->op);
	if (!bytes_of_type(c->type))
		bspi_fail(c->call, c->site, "there is no type %d; use BSP_INT, BSP_DOUBLE or "
			  "another one of bsp_coll.h",
			  c->type);
	if (bits && floats)
		bspi_fail(c->call, c->site, "%s is for integers, not for %s", name_of_op(c->op),
			  name_of_type(c->type));
}

/* And how many bytes these are. */
static void check_size(struct bspi_coll *c)
{
	const struct shape *shape = &shapes[c->kind];
	size_t element = c->typed ? bytes_of_type(c->type) : 1;
	size_t blocks = shape->src.blocks || shape->dst.blocks ? bspi.nprocs : 1;

	if (bspi_negative(c->count))
		bspi_fail(c->call, c->site, "size %zd is negative", (ssize_t)c->count);
	if (c->count > GOAL_BYTES_MOST / element / blocks)
		bspi_fail(c->call, c->site,
			  "%zu times %zu bytes for %zu processes are more than 2^40 bytes",
			  c->count, element, blocks);
	if (c->by_user && c->count > INT_MAX)
		bspi_fail(c->call, c->site,
			  "an operand of %zu bytes is longer than an int can say",
			  c->count);
	c->bytes = c->count * element;
}

static void check_address(const struct bspi_coll *c, const void *at, const char *name)
{
	size_t align = c->typed ? bytes_of_type(c->type) : 1;

	if (!at)
		bspi_fail(c->call, c->site, "the %s is NULL", name);
	if ((uintptr_t)at % align)
		bspi_fail(c->call, c->site,
			  "the %s %s is not on a multiple of %zu bytes, as %s has to be",
			  name, bspi_address_text(at), align, name_of_type(c->type));
}

static void check_overlap(const struct bspi_coll *c, size_t src_bytes, size_t dst_bytes)
{
	const char *src = c->src, *dst = c->dst;

	if (bspi_coll_own_source(c) == bspi_coll_own_target(c) || src >= dst + dst_bytes ||
	    dst >= src + src_bytes)
		return;
	bspi_fail(c->call, c->site, "the source (%zu byte%s at %s) and the destination (%zu "
		  "byte%s at %s) overlap, and are not in place",
		  src_bytes, bspi_plural(src_bytes), bspi_address_text(c->src), dst_bytes,
		  bspi_plural(dst_bytes), bspi_address_text(c->dst));
}

void bspi_coll_check(struct bspi_coll *c)
{
	size_t src_bytes, dst_bytes;

	bspi_require_running(c->call, c->site);
	bspi_require_no_operator(c->call, c->site);
	if (shapes[c->kind].rooted && (c->root < 0 || c->root >= bspi.nprocs))
		bspi_fail_pid(c->call, c->site, c->root);
	if (c->typed)
		check_types(c);
	if (c->by_user && !c->user)
		bspi_fail(c->call, c->site, "the operator is NULL");
	if (c->apart) {
		c->unit = c->typed ? bytes_of_type(c->type) : 1;
		c->type_name = name_of_type(c->type);
		bspi_lengths_check(c);
		return;
	}
	check_size(c);
	src_bytes = bspi_coll_source_bytes(c);
	dst_bytes = bspi_coll_target_bytes(c);
	if (src_bytes)
		check_address(c, c->src, "source");
	if (dst_bytes)
		check_address(c, c->dst, "destination");
	if (src_bytes && dst_bytes)
		check_overlap(c, src_bytes, dst_bytes);
}
