/* SPDX-License-Identifier: BSD-3-Clause */
/* prof_archive.h - a recording as an archive in the Open Trace Format 2: what the plugin does. */

/*
 * The plugin, bsp-otf2.so, knows the library of that format and nothing of supersteps.
 * prof_archive.c walks through a recording and has it write the events of each process, in order;
 * then the definitions of what these named by number. Times are ns, and never go back on a process.
 */
#ifndef PROF_ARCHIVE_H
#define PROF_ARCHIVE_H

#include "common/recording.h"

enum archive_role {
	ARCHIVE_RUN,			/* the SPMD part; it has all others in it */
	ARCHIVE_COMPUTING,
	ARCHIVE_SECTION,		/* of bsp_section */
	ARCHIVE_SYNC,			/* bsp_sync and bsp_end */
	ARCHIVE_READ,			/* bsp_read, bsp_expect, bsp_direct_get */
	ARCHIVE_COLLECTIVE,
	ARCHIVE_SCHEDULE,
	ARCHIVE_OTHER,
	ARCHIVE_ROLES
};

/* A region: what a process enters and leaves. */
struct archive_region {
	enum archive_role role;
	char *name;			/* "bsp_sync heat.c:76" */
	char *call;			/* "bsp_sync" */
	char *file;			/* "heat.c", or "" */
	uint32_t line;			/* 0: not known */
};

/* Collective operations of all processes, of which none is the root. */
enum archive_op {
	ARCHIVE_BARRIER,
	ARCHIVE_ALLGATHER,
	ARCHIVE_ALLGATHERV,
	ARCHIVE_ALLREDUCE,
	ARCHIVE_ALLTOALL,
	ARCHIVE_ALLTOALLV,
	ARCHIVE_REDUCE_SCATTER,
	ARCHIVE_SCAN,
	ARCHIVE_OPS,
	ARCHIVE_NO_OP = ARCHIVE_OPS
};

/* A call has them, as in a timeline; for an event without any NULL is given. */
struct archive_figures {
	uint32_t step;
	uint64_t n, bytes;
};

/* All that one process has for another in a superstep: @calls puts to, or gets from, an area. */
struct archive_message {
	bool is_received;
	enum recording_what what;
	int peer;			/* where it goes to, or comes from */
	uint32_t area;
	uint64_t calls, bytes;
};

/* "ladon", or "ladon, node 3" if there are several on that machine. */
enum { ARCHIVE_NODE_NAME = RECORDING_MACHINE + 20 };

struct archive_run {
	const char *program;
	const char *about;		/* how the run ended, or what is damaged; "" */
	int nprocs;
	uint64_t length;
	const struct archive_region *regions;
	size_t nregions;
	const int32_t *nodes;		/* of each process; -1: not known */
	const char (*node_names)[ARCHIVE_NODE_NAME];
};

struct archive;

struct archive_ops {
	/* In @folder, which is there and empty. NULL: @why says what is wrong. */
	struct archive *(*open)(const char *folder, int nprocs, char *why, size_t len);

	/* Events of a process stand between these two; each process has its turn once. */
	void (*begin)(struct archive *a, int pid);
	void (*end)(struct archive *a, int pid);

	void (*enter)(struct archive *a, int pid, uint64_t at, uint32_t region,
		      const struct archive_figures *figures);
	void (*leave)(struct archive *a, int pid, uint64_t at, uint32_t region);
	void (*message)(struct archive *a, int pid, uint64_t at, const struct archive_message *m);
	void (*op_begins)(struct archive *a, int pid, uint64_t at);
	void (*op_ends)(struct archive *a, int pid, uint64_t at, enum archive_op op,
			uint64_t bytes);

	/* NULL, or what went wrong since open(); then nothing more needs to be written. */
	const char *(*wrong)(const struct archive *a);
	/* Write the definitions of @run, unless it is NULL, and free @a; 0, or -1 and @why. */
	int (*close)(struct archive *a, const struct archive_run *run, char *why, size_t len);
};

/* The only symbol of the plugin. */
extern const struct archive_ops prof_otf2_ops;

/* ---- The folder (prof_folder.c) ----------------------------------------------------------- */

enum { ARCHIVE_NAME = 4096 };

/* An archive is a folder, with traces.otf2 in it, which viewers open. It appears whole or not. */
struct archive_folder {
	char path[ARCHIVE_NAME], temporary[ARCHIVE_NAME];
};

/* 0, or -1 and in @why the reason: @path is there, and is no folder with nothing but an archive. */
int prof_folder_try(const char *path, char *why, size_t len);
/* 0, or -1 and @why; then there is nothing to end. Written is into f->temporary. */
int prof_folder_begin(struct archive_folder *f, const char *path, char *why, size_t len);
/* If @keep, what was written is @path, in place of what was there; else nothing is left of it. */
int prof_folder_end(struct archive_folder *f, bool keep, char *why, size_t len);

#endif
