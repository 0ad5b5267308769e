/* SPDX-License-Identifier: BSD-3-Clause */
/* params.h - files of measured parameters: what is in them, and how the fitting entry is found. */

/*
 * A file is JSON:
 *
 *	{ "version": 1, "entries": [
 *	  { "host": "node1", "transport": "mpi", "network": "", "nprocs": 4,
 *	    "L": 1200.5, "gamma": 0.9, "combine": 0.2, "copy": 0.1,
 *	    "s": 1500, "l": 12000, "g": 3.2, "nhalf": 700,
 *	    "sizes": [ { "bytes": 1, "os": 310, "or": 280, "g": 400,
 *	                 "alone": 1600, "cross": 1900, "fold": 20, "copy": 15 }, ... ],
 *	    "inside": { "L": 80, "sizes": [ ... ] } }, ... ] }
 *
 * Times are in nanoseconds, s, l, g and nhalf in the units of bsp_s(3); network is what
 * BSP_EMULATE says. "offload": "1" is in entries that were measured with schedules in the kernel
 * (BSP_OFFLOAD=1); where there is none of these, one without serves. "alone" and "cross" are at all
 * sizes, or at none, as in files of earlier versions: then L + g is taken; likewise "fold" and
 * "copy", without which combine and copy of a byte are taken. "inside" is in entries of jobs with
 * several processes on a node: between two of them; without it the transport's estimate serves,
 * with the folds and copies of the entry. A gamma that could not be measured
 * ("gamma_flag" is there, or it is more than 1) is read as 0. Members that are not named here are
 * passed over, so that a file can hold more than this library understands.
 */
#ifndef BSPI_PARAMS_H
#define BSPI_PARAMS_H

#include "common/json.h"
#include "bsplib/model/model.h"

enum {
	BSPI_PARAMS_VERSION = 1,
	BSPI_PARAMS_BYTES_MOST = 1 << 24,	/* of a file */
	BSPI_HOST_MOST = 256,
	BSPI_NETWORK_MOST = 256,
	BSPI_TRANSPORT_MOST = 32,
};

/* The machine, transport and network that an entry was measured on. */
struct bspi_params_key {
	char host[BSPI_HOST_MOST], transport[BSPI_TRANSPORT_MOST], network[BSPI_NETWORK_MOST];
	int nprocs;
	bool offload;			/* schedules ran in the kernel */
};

struct bspi_params_entry {
	struct bspi_params_key key;
	struct bspi_plogp plogp;
	struct bspi_plogp inside;	/* of a node; no sizes: not measured */
	struct bspi_slg slg;
};

/* The next entry of the array; json->wrong if there is something wrong with it. */
void bspi_params_entry_read(struct json *json, struct bspi_params_entry *e);

/* The least and the greatest number under @key, as "gamma", of an entry; false: no such key. */
bool bspi_params_range(const char *key, double *least, double *most);

/* Up to the array of entries, and what follows its last. */
void bspi_params_file_begin(struct json *json);
void bspi_params_file_end(struct json *json);

/* In which line of the text the mistake is. */
int bspi_params_line(const struct json *json);

/* All of a file, free() it; NULL and errno. */
char *bspi_params_text(const char *path, size_t *len);

/*
 * The entry of a file for @key: transport and network are the same, and the host, unless
 * @any_host and there is none of this one; offload, unless that is asked for and there is none; of
 * these the one of the nearest number of processes.
 * 1, or 0: there is none; or -1 and why in @why.
 */
int bspi_params_find(const char *path, const struct bspi_params_key *key, bool any_host,
		     struct bspi_params_entry *out, char *why, size_t len);

/* Where the user's own file is; false if the environment names no folder. */
bool bspi_params_path(char *path, size_t len);

/* The name of this host. */
void bspi_params_host(char *host, size_t len);

/* ---- For the runtime: params.c --------------------------------------------------- */

/* The key of this run, when the transport is open. */
void bspi_params_key(struct bspi_params_key *key);
/* In bsp_begin: before the processes exist, or in each that a launcher has started. */
void bspi_params_read(const char *site, const char *transport, int nprocs);
/* When the transport is open: take its estimate, if nothing was measured. */
void bspi_params_open(void);

#endif
