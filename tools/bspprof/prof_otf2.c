// SPDX-License-Identifier: BSD-3-Clause
/* prof_otf2.c - the plugin that writes archives in the Open Trace Format 2, by its library. */

/*
 * Each process is a location, the main thread of a location group of its own. Where the recording
 * says on which node a process ran the system tree is that of measurements of MPI programs: a
 * machine, which has the nodes, which have the processes; else all are below one node of the tree.
 * OTF2 knows paradigms by name, and BSP is none of them. Calls of the library are of the paradigm
 * MPI, and so is the communicator: of others viewers draw no messages, and Scalasca counts their
 * time as the program's own. The names of regions say which call it is.
 *
 * An error stays: what is written after it is lost, and close() says so. The library prints its
 * errors, unless it is given a function that takes them.
 */

#include "prof_archive.h"

#include <otf2/otf2.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Strings, before those of regions and locations. */
enum {
	TEXT_EMPTY, TEXT_TREE, TEXT_TREE_CLASS, TEXT_NODE_CLASS, TEXT_MPI, TEXT_WORLD, TEXT_STEP,
	TEXT_STEP_IS, TEXT_N, TEXT_N_IS, TEXT_BYTES, TEXT_BYTES_IS, TEXT_CALLS, TEXT_CALLS_IS,
	TEXT_AREA, TEXT_AREA_IS,
	TEXTS
};

enum { OF_STEP, OF_N, OF_BYTES, OF_CALLS, OF_AREA, ATTRIBUTES };

enum {
	TREE = 0, COMMUNICATOR = 0,
	GROUP_ALL = 0, GROUP_WORLD = 1,
	NS_PER_S = 1000000000,
	LOCATIONS_OF_CHUNK = 100000,	/* more have a larger chunk of definitions */
	OTF2_WHY = 400,
};

struct archive {
	OTF2_Archive *to;
	OTF2_EvtWriter **writers;	/* of each process, while it is open */
	uint64_t *events;		/* of each process, when it is closed */
	OTF2_AttributeList *attributes;
	OTF2_GlobalDefWriter *defs;
	int nprocs;
	uint32_t text;			/* number of the next string */
	char wrong[OTF2_WHY];
};

/* ---- Errors ------------------------------------------------------------------------------- */

static void otf2_refuse(struct archive *a, const char *why)
{
	if (!a->wrong[0])
		snprintf(a->wrong, sizeof(a->wrong), "%s", why);
}

__attribute__((format(printf, 6, 0)))
static OTF2_ErrorCode otf2_error(void *arg, const char *file, uint64_t line, const char *function,
				 OTF2_ErrorCode code, const char *format, va_list list)
{
	struct archive *a = arg;
	char what[OTF2_WHY / 2] = "";

	(void)file, (void)line, (void)function;
	if (code == OTF2_SUCCESS || code == OTF2_WARNING)
		return code;
	if (format)
		vsnprintf(what, sizeof(what), format, list);
	if (!a->wrong[0])
		snprintf(a->wrong, sizeof(a->wrong), "%.150s%s%s", OTF2_Error_GetDescription(code),
			 what[0] ? ": " : "", what);
	return code;
}

static void otf2_do(struct archive *a, OTF2_ErrorCode code)
{
	if (code != OTF2_SUCCESS)
		otf2_refuse(a, OTF2_Error_GetDescription(code));
}

static const char *otf2_wrong(const struct archive *a)
{
	return a->wrong[0] ? a->wrong : NULL;
}

/* ---- Opening ------------------------------------------------------------------------------ */

/* A full buffer is written; that takes no time of the program. */
static OTF2_FlushType otf2_flush(void *arg, OTF2_FileType type, OTF2_LocationRef location,
				 void *caller, bool final)
{
	(void)arg, (void)type, (void)location, (void)caller, (void)final;
	return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks otf2_flushes = { .otf2_pre_flush = otf2_flush };

/*
 * Left to itself the library keeps 128 MiB of events of each process before it writes. So a buffer
 * of events has one chunk, and if there is no other the library writes it, frees all, and asks
 * again. Definitions have as many as they need.
 */
struct otf2_chunk {
	struct otf2_chunk *next;
	_Alignas(max_align_t) unsigned char bytes[];
};

static void *otf2_allocate(void *arg, OTF2_FileType type, OTF2_LocationRef location,
			   void **of_buffer, uint64_t size)
{
	struct otf2_chunk *c;

	(void)arg, (void)location;
	if (type == OTF2_FILETYPE_EVENTS && *of_buffer)
		return NULL;
	c = malloc(sizeof(*c) + size);
	if (!c)
		return NULL;
	c->next = *of_buffer;
	*of_buffer = c;
	return c->bytes;
}

static void otf2_free_all(void *arg, OTF2_FileType type, OTF2_LocationRef location,
			  void **of_buffer, bool final)
{
	struct otf2_chunk *next;

	(void)arg, (void)type, (void)location, (void)final;
	for (struct otf2_chunk *c = *of_buffer; c; c = next) {
		next = c->next;
		free(c);
	}
	*of_buffer = NULL;
}

static const OTF2_MemoryCallbacks otf2_memory = {
	.otf2_allocate = otf2_allocate, .otf2_free_all = otf2_free_all,
};

static struct archive *otf2_free(struct archive *a)
{
	OTF2_Error_RegisterCallback(NULL, NULL);
	if (a->attributes)
		OTF2_AttributeList_Delete(a->attributes);
	free(a->writers);
	free(a->events);
	free(a);
	return NULL;
}

static struct archive *otf2_open(const char *folder, int nprocs, char *why, size_t len)
{
	struct archive *a = calloc(1, sizeof(*a));

	if (!a) {
		snprintf(why, len, "there is no memory for it");
		return NULL;
	}
	a->nprocs = nprocs;
	a->writers = calloc((size_t)nprocs, sizeof(*a->writers));
	a->events = calloc((size_t)nprocs, sizeof(*a->events));
	a->attributes = OTF2_AttributeList_New();
	OTF2_Error_RegisterCallback(otf2_error, a);
	a->to = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_MIN,
				  nprocs > LOCATIONS_OF_CHUNK ? OTF2_CHUNK_SIZE_MAX :
				  OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT,
				  OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!a->writers || !a->events || !a->attributes)
		otf2_refuse(a, "there is no memory for it");
	if (a->to) {
		otf2_do(a, OTF2_Archive_SetFlushCallbacks(a->to, &otf2_flushes, NULL));
		otf2_do(a, OTF2_Archive_SetMemoryCallbacks(a->to, &otf2_memory, NULL));
		otf2_do(a, OTF2_Archive_SetSerialCollectiveCallbacks(a->to));
		otf2_do(a, OTF2_Archive_SetCreator(a->to, "bspprof"));
		otf2_do(a, OTF2_Archive_OpenEvtFiles(a->to));
	}
	if (a->to && !a->wrong[0])
		return a;
	snprintf(why, len, "%s", a->wrong[0] ? a->wrong : "the library cannot open it");
	if (a->to)
		OTF2_Archive_Close(a->to);
	return otf2_free(a);
}

/* ---- Events ------------------------------------------------------------------------------- */

static void otf2_begin(struct archive *a, int pid)
{
	a->writers[pid] = OTF2_Archive_GetEvtWriter(a->to, (OTF2_LocationRef)pid);
	if (!a->writers[pid])
		otf2_refuse(a, "the library opens no file for a process");
}

static void otf2_end(struct archive *a, int pid)
{
	OTF2_EvtWriter *w = a->writers[pid];

	if (!w)
		return;
	otf2_do(a, OTF2_EvtWriter_GetNumberOfEvents(w, &a->events[pid]));
	otf2_do(a, OTF2_Archive_CloseEvtWriter(a->to, w));
	a->writers[pid] = NULL;
}

static void otf2_attribute(struct archive *a, OTF2_AttributeRef which, uint64_t value)
{
	otf2_do(a, OTF2_AttributeList_AddUint64(a->attributes, which, value));
}

/* Else its attributes would be those of the next event, too. */
static void otf2_wrote(struct archive *a, OTF2_ErrorCode code)
{
	otf2_do(a, code);
	otf2_do(a, OTF2_AttributeList_RemoveAllAttributes(a->attributes));
}

static void otf2_enter(struct archive *a, int pid, uint64_t at, uint32_t region,
		       const struct archive_figures *figures)
{
	if (a->wrong[0])
		return;
	if (figures) {
		otf2_attribute(a, OF_STEP, figures->step);
		otf2_attribute(a, OF_N, figures->n);
		otf2_attribute(a, OF_BYTES, figures->bytes);
	}
	otf2_wrote(a, OTF2_EvtWriter_Enter(a->writers[pid], a->attributes, at, region));
}

static void otf2_leave(struct archive *a, int pid, uint64_t at, uint32_t region)
{
	if (!a->wrong[0])
		otf2_do(a, OTF2_EvtWriter_Leave(a->writers[pid], NULL, at, region));
}

/* The tag says what it is. */
static void otf2_message(struct archive *a, int pid, uint64_t at, const struct archive_message *m)
{
	OTF2_EvtWriter *w = a->writers[pid];

	if (a->wrong[0])
		return;
	otf2_attribute(a, OF_CALLS, m->calls);
	if (m->what != RECORDING_MESSAGE)
		otf2_attribute(a, OF_AREA, m->area);
	otf2_wrote(a, m->is_received ?
		   OTF2_EvtWriter_MpiRecv(w, a->attributes, at, (uint32_t)m->peer, COMMUNICATOR,
					  m->what, m->bytes) :
		   OTF2_EvtWriter_MpiSend(w, a->attributes, at, (uint32_t)m->peer, COMMUNICATOR,
					  m->what, m->bytes));
}

static void otf2_op_begins(struct archive *a, int pid, uint64_t at)
{
	if (!a->wrong[0])
		otf2_do(a, OTF2_EvtWriter_MpiCollectiveBegin(a->writers[pid], NULL, at));
}

static void otf2_op_ends(struct archive *a, int pid, uint64_t at, enum archive_op op,
			 uint64_t bytes)
{
	static const OTF2_CollectiveOp ops[ARCHIVE_OPS] = {
		[ARCHIVE_BARRIER] = OTF2_COLLECTIVE_OP_BARRIER,
		[ARCHIVE_ALLGATHER] = OTF2_COLLECTIVE_OP_ALLGATHER,
		[ARCHIVE_ALLGATHERV] = OTF2_COLLECTIVE_OP_ALLGATHERV,
		[ARCHIVE_ALLREDUCE] = OTF2_COLLECTIVE_OP_ALLREDUCE,
		[ARCHIVE_ALLTOALL] = OTF2_COLLECTIVE_OP_ALLTOALL,
		[ARCHIVE_ALLTOALLV] = OTF2_COLLECTIVE_OP_ALLTOALLV,
		[ARCHIVE_REDUCE_SCATTER] = OTF2_COLLECTIVE_OP_REDUCE_SCATTER,
		[ARCHIVE_SCAN] = OTF2_COLLECTIVE_OP_SCAN,
	};

	if (!a->wrong[0])
		otf2_do(a, OTF2_EvtWriter_MpiCollectiveEnd(a->writers[pid], NULL, at, ops[op],
							   COMMUNICATOR, OTF2_COLLECTIVE_ROOT_NONE,
							   bytes, bytes));
}

/* ---- Definitions -------------------------------------------------------------------------- */

static void otf2_text(struct archive *a, OTF2_StringRef number, const char *text)
{
	otf2_do(a, OTF2_GlobalDefWriter_WriteString(a->defs, number, text));
}

static OTF2_StringRef otf2_new_text(struct archive *a, const char *text)
{
	if (!text[0])
		return TEXT_EMPTY;
	otf2_text(a, a->text, text);
	return a->text++;
}

static void otf2_define_attributes(struct archive *a)
{
	static const struct {
		OTF2_StringRef name, is;
		const char *word, *words;
	} all[ATTRIBUTES] = {
		[OF_STEP] = { TEXT_STEP, TEXT_STEP_IS, "superstep", "of the call" },
		[OF_N] = { TEXT_N, TEXT_N_IS, "n", "transfers that a bsp_sync sends; "
			   "n of a bsp_read, messages of a bsp_expect" },
		[OF_BYTES] = { TEXT_BYTES, TEXT_BYTES_IS, "bytes", "of these transfers, or of a "
			       "collective operation" },
		[OF_CALLS] = { TEXT_CALLS, TEXT_CALLS_IS, "calls", "puts, gets or messages that "
			       "this message stands for" },
		[OF_AREA] = { TEXT_AREA, TEXT_AREA_IS, "area", "slot of the registered area" },
	};

	for (uint32_t i = 0; i < ATTRIBUTES; i++) {
		otf2_text(a, all[i].name, all[i].word);
		otf2_text(a, all[i].is, all[i].words);
		otf2_do(a, OTF2_GlobalDefWriter_WriteAttribute(a->defs, i, all[i].name, all[i].is,
							       OTF2_TYPE_UINT64));
	}
}

static void otf2_define_region(struct archive *a, uint32_t number, const struct archive_region *g)
{
	static const struct { OTF2_RegionRole role; OTF2_Paradigm paradigm; } is[ARCHIVE_ROLES] = {
		[ARCHIVE_RUN] = { OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER },
		[ARCHIVE_COMPUTING] = { OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER },
		[ARCHIVE_SECTION] = { OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER },
		[ARCHIVE_SYNC] = { OTF2_REGION_ROLE_BARRIER, OTF2_PARADIGM_MPI },
		[ARCHIVE_READ] = { OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI },
		[ARCHIVE_COLLECTIVE] = { OTF2_REGION_ROLE_COLL_OTHER, OTF2_PARADIGM_MPI },
		[ARCHIVE_SCHEDULE] = { OTF2_REGION_ROLE_COLL_OTHER, OTF2_PARADIGM_MPI },
		[ARCHIVE_OTHER] = { OTF2_REGION_ROLE_WRAPPER, OTF2_PARADIGM_MPI },
	};
	OTF2_StringRef name = otf2_new_text(a, g->name), call = otf2_new_text(a, g->call);
	OTF2_StringRef file = otf2_new_text(a, g->file);

	otf2_do(a, OTF2_GlobalDefWriter_WriteRegion(a->defs, number, name, call, TEXT_EMPTY,
						    is[g->role].role, is[g->role].paradigm,
						    OTF2_REGION_FLAG_NONE, file, g->line,
						    g->line));
}

static bool otf2_knows_nodes(const struct archive *a, const struct archive_run *run)
{
	for (int q = 0; q < a->nprocs; q++)
		if (run->nodes[q] >= 0)
			return true;
	return false;
}

/* Node n is TREE + 1 + n, if a process is on it. */
static void otf2_define_tree(struct archive *a, const struct archive_run *run)
{
	bool *is_defined = calloc((size_t)a->nprocs, sizeof(*is_defined));
	bool has_nodes = otf2_knows_nodes(a, run);

	otf2_text(a, TEXT_TREE, has_nodes ? "Linux" : run->program);
	otf2_text(a, TEXT_TREE_CLASS, has_nodes ? "machine" : "job");
	otf2_text(a, TEXT_NODE_CLASS, "node");
	otf2_do(a, OTF2_GlobalDefWriter_WriteSystemTreeNode(a->defs, TREE, TEXT_TREE,
			TEXT_TREE_CLASS, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	if (has_nodes)
		otf2_do(a, OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(a->defs, TREE,
				OTF2_SYSTEM_TREE_DOMAIN_MACHINE));
	if (!is_defined)
		otf2_refuse(a, "there is no memory for it");
	for (int q = 0; q < a->nprocs && is_defined; q++) {
		int32_t node = run->nodes[q];

		if (node < 0 || is_defined[node])
			continue;
		is_defined[node] = true;
		otf2_do(a, OTF2_GlobalDefWriter_WriteSystemTreeNode(a->defs,
				TREE + 1 + (uint32_t)node, otf2_new_text(a, run->node_names[node]),
				TEXT_NODE_CLASS, TREE));
		otf2_do(a, OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(a->defs,
				TREE + 1 + (uint32_t)node, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY));
	}
	free(is_defined);
}

/* A process whose node is not known, -1, is below the root. */
static void otf2_define_processes(struct archive *a, const struct archive_run *run)
{
	uint64_t *members = calloc((size_t)a->nprocs, sizeof(*members));
	char name[32];

	if (!members) {
		otf2_refuse(a, "there is no memory for it");
		return;
	}
	for (int q = 0; q < a->nprocs; q++) {
		OTF2_StringRef text;

		members[q] = (uint64_t)q;
		snprintf(name, sizeof(name), "process %d", q);
		text = otf2_new_text(a, name);
		otf2_do(a, OTF2_GlobalDefWriter_WriteLocationGroup(a->defs, (uint32_t)q, text,
				OTF2_LOCATION_GROUP_TYPE_PROCESS,
				TREE + 1 + (uint32_t)run->nodes[q],
				OTF2_UNDEFINED_LOCATION_GROUP));
		otf2_do(a, OTF2_GlobalDefWriter_WriteLocation(a->defs, members[q], text,
				OTF2_LOCATION_TYPE_CPU_THREAD, a->events[q], (uint32_t)q));
	}
	otf2_do(a, OTF2_GlobalDefWriter_WriteGroup(a->defs, GROUP_ALL, TEXT_EMPTY,
			OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
			(uint32_t)a->nprocs, members));
	otf2_do(a, OTF2_GlobalDefWriter_WriteGroup(a->defs, GROUP_WORLD, TEXT_EMPTY,
			OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
			(uint32_t)a->nprocs, members));
	otf2_do(a, OTF2_GlobalDefWriter_WriteComm(a->defs, COMMUNICATOR, TEXT_WORLD, GROUP_WORLD,
			OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
	free(members);
}

/* Definitions of each process are empty, but some readers look for the files. */
static void otf2_define_locally(struct archive *a)
{
	otf2_do(a, OTF2_Archive_OpenDefFiles(a->to));
	for (int q = 0; q < a->nprocs && !a->wrong[0]; q++) {
		OTF2_DefWriter *w = OTF2_Archive_GetDefWriter(a->to, (OTF2_LocationRef)q);

		if (w)
			otf2_do(a, OTF2_Archive_CloseDefWriter(a->to, w));
		else
			otf2_refuse(a, "the library opens no file for definitions");
	}
	otf2_do(a, OTF2_Archive_CloseDefFiles(a->to));
}

static void otf2_define(struct archive *a, const struct archive_run *run)
{
	a->defs = OTF2_Archive_GetGlobalDefWriter(a->to);
	if (!a->defs) {
		otf2_refuse(a, "the library opens no file for definitions");
		return;
	}
	otf2_do(a, OTF2_GlobalDefWriter_WriteClockProperties(a->defs, NS_PER_S, 0, run->length,
							     OTF2_UNDEFINED_TIMESTAMP));
	a->text = TEXTS;
	otf2_text(a, TEXT_EMPTY, "");
	otf2_text(a, TEXT_MPI, "MPI");
	otf2_do(a, OTF2_GlobalDefWriter_WriteParadigm(a->defs, OTF2_PARADIGM_MPI, TEXT_MPI,
						      OTF2_PARADIGM_CLASS_PROCESS));
	otf2_text(a, TEXT_WORLD, "all processes");
	otf2_define_attributes(a);
	for (size_t i = 0; i < run->nregions; i++)
		otf2_define_region(a, (uint32_t)i, &run->regions[i]);
	otf2_define_tree(a, run);
	otf2_define_processes(a, run);
	if (run->about[0])
		otf2_do(a, OTF2_Archive_SetDescription(a->to, run->about));
}

static int otf2_close(struct archive *a, const struct archive_run *run, char *why, size_t len)
{
	bool good;

	for (int q = 0; q < a->nprocs; q++)
		otf2_end(a, q);
	otf2_do(a, OTF2_Archive_CloseEvtFiles(a->to));
	if (run && !a->wrong[0])
		otf2_define_locally(a);
	if (run && !a->wrong[0])
		otf2_define(a, run);
	otf2_do(a, OTF2_Archive_Close(a->to));
	good = !a->wrong[0];
	if (!good)
		snprintf(why, len, "%s", a->wrong);
	otf2_free(a);
	return good ? 0 : -1;
}

__attribute__((visibility("default"))) const struct archive_ops prof_otf2_ops = {
	.open = otf2_open,
	.begin = otf2_begin,
	.end = otf2_end,
	.enter = otf2_enter,
	.leave = otf2_leave,
	.message = otf2_message,
	.op_begins = otf2_op_begins,
	.op_ends = otf2_op_ends,
	.wrong = otf2_wrong,
	.close = otf2_close,
};
