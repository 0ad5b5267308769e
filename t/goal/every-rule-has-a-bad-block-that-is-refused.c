/* SPDX-License-Identifier: BSD-3-Clause */
/* For every rule of the format there is a bad block, refused for it and where it is. */

/*
 * A bad block is a good one and one change, by name. The blocks are kept as
 * t/goal/data/bad-ERROR-NAME.bin, too, so that any other reader of schedules can be tried on them:
 *
 *	t/goal/every-rule-has-a-bad-block-that-is-refused.t --write DIRECTORY
 */
#include "../lib/schedules.h"

#include <stdio.h>
#include <sys/mman.h>

/* The good block: offsets of what is in it. */
static struct goal_header *header;
static struct goal_buffer *buffer;	/* 3; the last is not used */
static struct goal_op *send, *recv, *call, *stamp, *fold, *calc, *copy, *multicast;
static unsigned char *block;
static size_t len;

static struct goal_part *part(struct goal_op *op, int i)
{
	return (struct goal_part *)(op + 1) + i;
}

static uint32_t *list(struct goal_op *op)
{
	return (uint32_t *)part(op, (int)op->nparts);
}

static void *make_good(void)
{
	struct goal_graph *g = goal_graph_create(4, 1);
	int a = goal_buffer(g), b = goal_buffer(g), op[8], i;
	struct goal_piece piece[2] = { { GOAL_AT(a, 0), 8 }, { GOAL_AT(b, 0), 8 } };
	void *made;

	goal_buffer_at_least(g, goal_buffer(g), 8);
	goal_scratch(g, 16);
	op[0] = goal_send(g, 8, GOAL_AT(a, 8), 2, 5);
	op[1] = goal_recv(g, 8, GOAL_AT(b, 8), 0, 5);
	op[2] = goal_call(g, 2, piece, 2, 1);
	op[3] = goal_local(g, GOAL_TIMESTAMP, GOAL_U64, 8, GOAL_AT(GOAL_SCRATCHPAD, 0),
			   GOAL_NOWHERE);
	op[4] = goal_local(g, GOAL_ADD, GOAL_I32, 8, GOAL_AT(a, 16), GOAL_AT(GOAL_SCRATCHPAD, 8));
	op[5] = goal_calc(g, 7);
	op[6] = goal_local(g, GOAL_COPY, GOAL_NONE, 3, GOAL_AT(a, 0), GOAL_AT(b, 1));
	op[7] = goal_multicast(g, 4, GOAL_NOWHERE, 9);
	for (i = 2; i < 8; i++)
		goal_requires(g, op[i], op[i - 1]);
	goal_irequires(g, op[3], op[0]);
	goal_requires(g, op[4], op[1]);
	made = compiled(g, &len);
	goal_graph_destroy(g);
	return made;
}

static void point(void)
{
	struct goal_op **ops[] = { &send, &recv, &call, &stamp, &fold, &calc, &copy, &multicast };
	size_t i;

	header = (void *)block;
	buffer = (void *)(header + 1);
	*ops[0] = (void *)(block + header->ops_at);
	for (i = 1; i < sizeof ops / sizeof *ops; i++)
		*ops[i] = (void *)(block +
				   ((const unsigned char *)goal_op_next(*ops[i - 1]) - block));
}

/* Each changes the block, and returns the address that the check must name. */
static const void *empty(void) { len = 0; return block; }
static const void *half_a_header(void) { len = 32; return block + 32; }
static const void *cut(void) { len -= 8; return &header->bytes; }
static const void *longer(void) { len += 8; return &header->bytes; }
static const void *op_beyond_the_end(void) { header->nops++; return block + len; }
static const void *parts_beyond_the_end(void) { send->nparts = 0x10000000; return send; }
static const void *lists_beyond_the_end(void) { send->ndependents = UINT32_MAX; return send; }
static const void *both_lists_too_long(void)
{
	send->nfollowers = send->ndependents = UINT32_MAX;
	return send;
}
static const void *surplus_op(void) { header->nops--; return multicast; }
static const void *magic(void) { header->magic++; return &header->magic; }
static const void *newer(void) { header->last_compatible = 2; return &header->last_compatible; }
static const void *no_compatible(void)
{
	header->last_compatible = 0;
	return &header->last_compatible;
}
static const void *version_below(void) { header->version = 0; return &header->version; }
static const void *odd_length(void) { len -= 3; return block + len; }
static const void *no_process(void) { header->nprocs = 0; return &header->nprocs; }
static const void *many_processes(void)
{
	header->nprocs = GOAL_PROCESSES_MOST + 1;
	return &header->nprocs;
}
static const void *many_ops(void) { header->nops = GOAL_OPS_MOST + 1; return &header->nops; }
static const void *many_independent(void) { header->nindep = 9; return &header->nindep; }
static const void *many_buffers(void) { header->nbuffers = 1025; return &header->nbuffers; }
static const void *buffers_beyond_the_end(void)
{
	header->nbuffers = 1024;
	return &header->nbuffers;
}
static const void *large_scratchpad(void)
{
	header->scratch_bytes = GOAL_SCRATCH_MOST + 1;
	return &header->scratch_bytes;
}
static const void *ops_elsewhere(void) { header->ops_at += 8; return &header->ops_at; }
static const void *calls_too_few(void) { header->ncalls = 2; return &call->tag; }
static const void *calls_too_many(void) { header->ncalls = 4; return &header->ncalls; }
static const void *host_without_calls(void)
{
	header->ncalls = 5;
	call->tag = 4;
	return &call->tag;
}
static const void *rank(void) { header->rank = 4; return &header->rank; }
static const void *send_to_no_process(void) { send->peer = 4; return &send->peer; }
static const void *send_to_any(void) { send->peer = GOAL_ANY; return &send->peer; }
static const void *send_to_itself(void) { send->peer = 1; return &send->peer; }
static const void *recv_from_itself(void) { recv->peer = 1; return &recv->peer; }
static const void *recv_from_no_process(void) { recv->peer = 4; return &recv->peer; }
static const void *multicast_to_one(void) { multicast->peer = 0; return &multicast->peer; }
static const void *send_any_tag(void) { send->tag = GOAL_ANY; return &send->tag; }
static const void *multicast_any_tag(void) { multicast->tag = GOAL_ANY; return &multicast->tag; }
static const void *large_buffer(void)
{
	buffer[0].bytes = GOAL_BYTES_MOST + 1;
	return &buffer[0].bytes;
}
static const void *access_missing(void) { buffer[0].access = GOAL_READ; return &buffer[0].access; }
static const void *access_surplus(void) { buffer[2].access = GOAL_READ; return &buffer[2].access; }
static const void *access_unknown(void) { buffer[0].access |= 4; return &buffer[0].access; }
static const void *align_too_little(void) { buffer[0].align = 2; return &buffer[0].align; }
static const void *align_too_much(void) { buffer[1].align = 2; return &buffer[1].align; }
static const void *align_none(void) { buffer[2].align = 0; return &buffer[2].align; }
static const void *type_0(void) { send->type = 0; return send; }
static const void *type_7(void) { send->type = 7; return send; }
static const void *function_0(void) { fold->function = 0; return &fold->function; }
static const void *function_12(void) { fold->function = 12; return &fold->function; }
static const void *function_of_a_send(void) { send->function = 1; return &send->function; }
static const void *datatype_0(void) { fold->datatype = 0; return &fold->function; }
static const void *datatype_11(void) { fold->datatype = 11; return &fold->function; }
static const void *datatype_of_a_copy(void) { copy->datatype = 1; return &copy->function; }
static const void *datatype_of_a_send(void) { send->datatype = 1; return &send->function; }
static const void *datatype_of_a_timestamp(void)
{
	stamp->datatype = GOAL_I64;
	return &stamp->function;
}
static const void *bits_of_a_float(void)
{
	fold->function = GOAL_XOR;
	fold->datatype = GOAL_F32;
	return &fold->function;
}
static const void *sum_reversed(void) { fold->flags = GOAL_REVERSED; return &fold->flags; }
static const void *unknown_flag(void)
{
	fold->function = GOAL_SUB;
	fold->flags = 2;
	return &fold->flags;
}
static const void *flag_of_a_calc(void) { calc->flags = 1; return &calc->function; }
static const void *part_beyond_its_buffer(void)
{
	part(send, 0)->offset += 1;
	buffer[0].bytes = 16;
	return &part(send, 0)->offset;
}
static const void *offset_overflows(void)
{
	part(send, 0)->offset = UINT64_MAX - 3;
	return &part(send, 0)->offset;
}
static const void *part_overflows(void)
{
	part(send, 0)->bytes = UINT64_MAX;
	return &part(send, 0)->offset;
}
static const void *part_beyond_the_scratchpad(void)
{
	part(fold, 1)->offset = 12;
	return &part(fold, 1)->offset;
}
static const void *no_such_buffer(void)
{
	part(send, 0)->buffer = 3;
	return &part(send, 0)->buffer;
}
static const void *buffer_between(void)
{
	part(send, 0)->buffer = 0x10000;
	return &part(send, 0)->buffer;
}
static const void *part_of_0(void) { part(send, 0)->bytes = 0; return &part(send, 0)->bytes; }
static const void *half_an_element(void) { part(fold, 0)->bytes = 6; return &part(fold, 0)->bytes; }
static const void *element_askew(void)
{
	part(fold, 0)->offset = 10;
	return &part(fold, 0)->offset;
}
static const void *send_of_more(void) { send->bytes++; return &send->bytes; }
static const void *recv_of_less(void) { recv->bytes--; return &recv->bytes; }
static const void *fold_of_more(void) { fold->bytes += 4; return &fold->bytes; }
static const void *sides_differ(void) { part(fold, 0)->bytes = 4; return &fold->bytes; }
static const void *call_of_more(void) { call->bytes++; return &call->bytes; }
static const void *long_timestamp(void)
{
	part(stamp, 0)->bytes = stamp->bytes = 16;
	return &stamp->bytes;
}
static const void *send_writes(void) { send->ndst = 1; return &send->ndst; }
static const void *recv_reads(void) { recv->ndst = 0; return &recv->ndst; }
static const void *fold_writes_all(void) { fold->ndst = 2; return &fold->bytes; }
static const void *call_writes_more(void) { call->ndst = 3; return &call->ndst; }
static const void *calc_has_parts(void)
{
	/* its list becomes the beginning of a part; the next operations the rest */
	calc->nparts = 1;
	calc->ndependents = 0;
	return &calc->nparts;
}
static const void *huge_message(void)
{
	multicast->bytes = GOAL_BYTES_MOST + 1;
	return &multicast->bytes;
}
static const void *index_out_of_turn(void) { recv->index = 0; return &recv->index; }
static const void *independent_waits(void) { recv->dependencies = 1; return &recv->dependencies; }
static const void *dependent_waits_for_none(void)
{
	fold->dependencies = 0;
	return &fold->dependencies;
}
static const void *fewer_independent(void) { header->nindep = 1; return &recv->dependencies; }
static const void *edge_to_itself(void)
{
	list(calc)[0] = (uint32_t)((unsigned char *)calc - block);
	return list(calc);
}
static const void *edge_back(void) { list(copy)[0] = header->ops_at; return list(copy); }
static const void *edge_to_0(void) { list(copy)[0] = 0; return list(copy); }
static const void *edge_beyond_the_end(void) { list(send)[0] = (uint32_t)len; return list(send); }
static const void *edge_far_beyond(void) { list(send)[0] = UINT32_MAX - 7; return list(send); }
static const void *edge_into_an_operation(void) { list(send)[0] += 8; return list(send); }
static const void *edge_askew(void) { list(send)[0] += 1; return list(send); }
static const void *edge_twice(void) { list(recv)[1] = list(recv)[0]; return list(recv) + 1; }
static const void *edges_descend(void)
{
	uint32_t first = list(recv)[0];

	list(recv)[0] = list(recv)[1];
	list(recv)[1] = first;
	return list(recv) + 1;
}
static const void *waits_for_too_many(void) { fold->dependencies++; return &fold->dependencies; }
static const void *waits_for_too_few(void) { fold->dependencies--; return &fold->dependencies; }
static const void *header_not_0(void) { header->zero[1] = 1; return header->zero; }
static const void *op_not_0(void) { send->zero = 1; return &send->zero; }
static const void *part_not_0(void) { part(send, 0)->zero = 1; return &part(send, 0)->zero; }
static const void *list_not_0(void) { list(send)[1] = 1; return list(send) + 1; }
static const void *cpu_of_a_fold(void) { fold->cpu = 1; return &fold->cpu; }
static const void *nic_of_a_call(void) { call->nic = 1; return &call->cpu; }
static const void *peer_of_a_copy(void) { copy->peer = 1; return &copy->peer; }
static const void *tag_of_a_calc(void) { calc->tag = 1; return &calc->tag; }

static const struct {
	enum goal_error error;
	const char *name;		/* of the file: bad-ERROR-NAME.bin */
	const void *(*change)(void);
} bad[] = {
	{ GOAL_ETRUNCATED, "empty", empty },
	{ GOAL_ETRUNCATED, "half-a-header", half_a_header },
	{ GOAL_ETRUNCATED, "cut", cut },
	{ GOAL_ETRUNCATED, "longer-than-it-says", longer },
	{ GOAL_ETRUNCATED, "operation-beyond-the-end", op_beyond_the_end },
	{ GOAL_ETRUNCATED, "parts-beyond-the-end", parts_beyond_the_end },
	{ GOAL_ETRUNCATED, "lists-beyond-the-end", lists_beyond_the_end },
	{ GOAL_ETRUNCATED, "both-lists-too-long", both_lists_too_long },
	{ GOAL_ETRUNCATED, "surplus-operation", surplus_op },
	{ GOAL_EMAGIC, "magic", magic },
	{ GOAL_EVERSION, "newer", newer },
	{ GOAL_EVERSION, "compatible-with-nothing", no_compatible },
	{ GOAL_EVERSION, "version-below-compatible", version_below },
	{ GOAL_EALIGN, "odd-length", odd_length },
	{ GOAL_EHEADER, "no-process", no_process },
	{ GOAL_EHEADER, "many-processes", many_processes },
	{ GOAL_EHEADER, "many-operations", many_ops },
	{ GOAL_EHEADER, "more-independent-than-all", many_independent },
	{ GOAL_EHEADER, "many-buffers", many_buffers },
	{ GOAL_EHEADER, "buffers-beyond-the-end", buffers_beyond_the_end },
	{ GOAL_EHEADER, "large-scratchpad", large_scratchpad },
	{ GOAL_EHEADER, "operations-elsewhere", ops_elsewhere },
	{ GOAL_EHEADER, "calls-too-many", calls_too_many },
	{ GOAL_ERANK, "rank", rank },
	{ GOAL_ERANK, "send-to-no-process", send_to_no_process },
	{ GOAL_ERANK, "send-to-any", send_to_any },
	{ GOAL_ERANK, "send-to-itself", send_to_itself },
	{ GOAL_ERANK, "receive-from-itself", recv_from_itself },
	{ GOAL_ERANK, "receive-from-no-process", recv_from_no_process },
	{ GOAL_ERANK, "multicast-to-one", multicast_to_one },
	{ GOAL_ERANK, "send-with-any-tag", send_any_tag },
	{ GOAL_ERANK, "multicast-with-any-tag", multicast_any_tag },
	{ GOAL_EBUFFER, "large-buffer", large_buffer },
	{ GOAL_EBUFFER, "access-missing", access_missing },
	{ GOAL_EBUFFER, "access-surplus", access_surplus },
	{ GOAL_EBUFFER, "access-unknown", access_unknown },
	{ GOAL_EBUFFER, "align-too-little", align_too_little },
	{ GOAL_EBUFFER, "align-too-much", align_too_much },
	{ GOAL_EBUFFER, "align-none", align_none },
	{ GOAL_ETYPE, "type-0", type_0 },
	{ GOAL_ETYPE, "type-7", type_7 },
	{ GOAL_ETYPE, "function-0", function_0 },
	{ GOAL_ETYPE, "function-12", function_12 },
	{ GOAL_ETYPE, "function-of-a-send", function_of_a_send },
	{ GOAL_ETYPE, "datatype-0", datatype_0 },
	{ GOAL_ETYPE, "datatype-11", datatype_11 },
	{ GOAL_ETYPE, "datatype-of-a-copy", datatype_of_a_copy },
	{ GOAL_ETYPE, "datatype-of-a-send", datatype_of_a_send },
	{ GOAL_ETYPE, "datatype-of-a-timestamp", datatype_of_a_timestamp },
	{ GOAL_ETYPE, "bits-of-a-float", bits_of_a_float },
	{ GOAL_ETYPE, "sum-reversed", sum_reversed },
	{ GOAL_ETYPE, "unknown-flag", unknown_flag },
	{ GOAL_ETYPE, "flag-of-a-calc", flag_of_a_calc },
	{ GOAL_ERANGE, "part-beyond-its-buffer", part_beyond_its_buffer },
	{ GOAL_ERANGE, "offset-overflows", offset_overflows },
	{ GOAL_ERANGE, "part-overflows", part_overflows },
	{ GOAL_ERANGE, "part-beyond-the-scratchpad", part_beyond_the_scratchpad },
	{ GOAL_ERANGE, "no-such-buffer", no_such_buffer },
	{ GOAL_ERANGE, "buffer-between", buffer_between },
	{ GOAL_ELENGTH, "part-of-0", part_of_0 },
	{ GOAL_ELENGTH, "half-an-element", half_an_element },
	{ GOAL_ELENGTH, "element-askew", element_askew },
	{ GOAL_ELENGTH, "send-of-more", send_of_more },
	{ GOAL_ELENGTH, "receive-of-less", recv_of_less },
	{ GOAL_ELENGTH, "fold-of-more", fold_of_more },
	{ GOAL_ELENGTH, "sides-differ", sides_differ },
	{ GOAL_ELENGTH, "call-of-more", call_of_more },
	{ GOAL_ELENGTH, "long-timestamp", long_timestamp },
	{ GOAL_ELENGTH, "send-writes", send_writes },
	{ GOAL_ELENGTH, "receive-reads", recv_reads },
	{ GOAL_ELENGTH, "fold-writes-all", fold_writes_all },
	{ GOAL_ELENGTH, "call-writes-more", call_writes_more },
	{ GOAL_ELENGTH, "calc-has-parts", calc_has_parts },
	{ GOAL_ELENGTH, "huge-message", huge_message },
	{ GOAL_EORDER, "index-out-of-turn", index_out_of_turn },
	{ GOAL_EORDER, "independent-waits", independent_waits },
	{ GOAL_EORDER, "dependent-waits-for-none", dependent_waits_for_none },
	{ GOAL_EORDER, "fewer-independent", fewer_independent },
	{ GOAL_EEDGE, "to-itself", edge_to_itself },
	{ GOAL_EEDGE, "back", edge_back },
	{ GOAL_EEDGE, "to-0", edge_to_0 },
	{ GOAL_EEDGE, "beyond-the-end", edge_beyond_the_end },
	{ GOAL_EEDGE, "far-beyond-the-end", edge_far_beyond },
	{ GOAL_EEDGE, "into-an-operation", edge_into_an_operation },
	{ GOAL_EEDGE, "askew", edge_askew },
	{ GOAL_EEDGE, "twice", edge_twice },
	{ GOAL_EEDGE, "descending", edges_descend },
	{ GOAL_ECOUNT, "waits-for-too-many", waits_for_too_many },
	{ GOAL_ECOUNT, "waits-for-too-few", waits_for_too_few },
	{ GOAL_EPADDING, "header", header_not_0 },
	{ GOAL_EPADDING, "operation", op_not_0 },
	{ GOAL_EPADDING, "part", part_not_0 },
	{ GOAL_EPADDING, "list", list_not_0 },
	{ GOAL_EPADDING, "cpu-of-a-fold", cpu_of_a_fold },
	{ GOAL_EPADDING, "nic-of-a-call", nic_of_a_call },
	{ GOAL_EPADDING, "peer-of-a-copy", peer_of_a_copy },
	{ GOAL_EPADDING, "tag-of-a-calc", tag_of_a_calc },
	{ GOAL_ECALL, "not-announced", calls_too_few },
	{ GOAL_ECALL, "not-of-this-host", host_without_calls },
};

enum { BAD = sizeof bad / sizeof *bad, HOST_CALLS = 4 };

static const char *error_name(enum goal_error error)
{
	static const char *const name[GOAL_ERRORS] = {
		"OK",
		"ETRUNCATED",
		"EMAGIC",
		"EVERSION",
		"EALIGN",
		"EHEADER",
		"ERANK",
		"EBUFFER",
		"ETYPE",
		"ERANGE",
		"ELENGTH",
		"EORDER",
		"EEDGE",
		"ECOUNT",
		"EPADDING",
		"EMEMORY",
		"ECALL",
	};

	return name[error];
}

/* The i-th bad block in @block; where it is wrong. */
static size_t make_bad(const void *good_block, size_t good_len, int i)
{
	memset(block, 0, good_len + 8);
	memcpy(block, good_block, good_len);
	len = good_len;
	point();
	return (size_t)((const unsigned char *)bad[i].change() - block);
}

static FILE *bad_file(const char *folder, int i, const char *mode)
{
	char name[400];
	FILE *file;

	snprintf(name, sizeof name, "%s/bad-%s-%s.bin", folder, error_name(bad[i].error),
		 bad[i].name);
	file = fopen(name, mode);
	if (!file)
		bail("cannot open %s", name);
	return file;
}

static void refused(const void *good_block, size_t good_len, int i)
{
	size_t wanted = make_bad(good_block, good_len, i), at;
	int error = check_block(block, len, HOST_CALLS, &at);

	is_str(error_name(bad[i].error), error_name((enum goal_error)(-error)),
	       "%s is refused for it", bad[i].name);
	is_int(wanted, at, "%s is found where it is", bad[i].name);
}

static void kept(const void *good_block, size_t good_len, int i)
{
	unsigned char *bytes = some(good_len + 16);
	size_t n;
	FILE *in;

	in = bad_file(SOURCES "/t/goal/data", i, "rb");
	make_bad(good_block, good_len, i);
	n = fread(bytes, 1, good_len + 16, in);
	fclose(in);
	ok(n == len && memcmp(bytes, block, n) == 0, "it is in t/goal/data as bad-%s-%s.bin",
	   error_name(bad[i].error), bad[i].name);
	free(bytes);
}

static int write_all(const void *good_block, size_t good_len, const char *folder)
{
	FILE *out;
	int i;

	for (i = 0; i < BAD; i++) {
		make_bad(good_block, good_len, i);
		out = bad_file(folder, i, "wb");
		fwrite(block, 1, len, out);
		if (fclose(out))
			return 1;
	}
	return 0;
}

/* Errors that no file can show: wrong memory for the block or the work space. */
static void of_the_memory(void *good_block, size_t good_len)
{
	size_t at, bytes = goal_check_bytes(good_len);
	unsigned char *work = some(bytes + 8), *moved = some(good_len + 8);
	struct goal_prog prog = { NULL };

	memcpy(moved + 4, good_block, good_len);
	is_int(-GOAL_EALIGN, goal_check(moved + 4, good_len, HOST_CALLS, work, bytes, &prog, &at),
	       "memory not on a multiple of 8 is refused");
	is_int(-GOAL_EMEMORY,
	       goal_check(good_block, good_len, HOST_CALLS, work, bytes - 1, &prog, &at),
	       "a work space too small is refused");
	is_int(-GOAL_EMEMORY,
	       goal_check(good_block, good_len, HOST_CALLS, work + 4, bytes, &prog, &at),
	       "a work space not on a multiple of 8 is refused");
	ok(!prog.header, "the program is not touched");
	is_int(0, goal_check(good_block, good_len, HOST_CALLS, work, bytes, &prog, &at),
	       "the good one is good");
	free(work);
	free(moved);
}

/* The test and the check touch only the first page of the block. */
static void too_large_for_a_file(void)
{
	size_t bytes = GOAL_BLOCK_MOST + 8ul, at = 0;
	struct goal_header *large = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
					 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct goal_prog prog;

	if (large == MAP_FAILED) {
		skip("no gibibyte of addresses");
		return;
	}
	*large = (struct goal_header){
		.magic = GOAL_MAGIC, .version = 1, .last_compatible = 1, .bytes = (uint32_t)bytes,
	};
	is_int(-GOAL_EHEADER, goal_check(large, bytes, 0, NULL, 0, &prog, &at),
	       "a block of more than 1 GiB");
	is_int(offsetof(struct goal_header, bytes), at, "is refused for what it says");
	large->bytes = 8;
	is_int(-GOAL_ETRUNCATED, goal_check(large, (1ull << 32) + 8, 0, NULL, 0, &prog, &at),
	       "lengths are compared in all their bits");
	munmap(large, bytes);
}

static void in_words(void)
{
	int i, j;

	for (i = 0; i < GOAL_ERRORS; i++) {
		ok(goal_strerror(-i) == goal_strerror(i), "%s is the same with either sign",
		   error_name(i));
		for (j = 0; j < i && strcmp(goal_strerror(i), goal_strerror(j)) != 0; j++)
			;
		is_int(i, j, "%s has words of its own: %s", error_name(i), goal_strerror(i));
	}
	is_str("unknown error", goal_strerror(-GOAL_ERRORS), "others are unknown");
	is_str("unknown error", goal_strerror(INT32_MIN), "even the least");
}

int main(int argc, char **argv)
{
	void *good_block = make_good();
	size_t good_len = len;
	bool seen[GOAL_ERRORS] = { [GOAL_OK] = true, [GOAL_EMEMORY] = true };
	int i, n = 0;

	block = some(good_len + 8);
	if (argc == 3 && strcmp(argv[1], "--write") == 0)
		return write_all(good_block, good_len, argv[2]);
	of_the_memory(good_block, good_len);
	too_large_for_a_file();
	for (i = 0; i < BAD; i++) {
		refused(good_block, good_len, i);
		kept(good_block, good_len, i);
		seen[bad[i].error] = true;
	}
	for (i = 0; i < GOAL_ERRORS; i++)
		n += seen[i];
	is_int(GOAL_ERRORS, n, "every error has its bad block");
	in_words();
	free(block);
	free(good_block);
	return done_testing();
}
