/* SPDX-License-Identifier: BSD-3-Clause */
/* env.h - the settings of this process, as common/env.def defines them. */
#ifndef BSPI_ENV_H
#define BSPI_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By the names of the settings without BSP_, in lower case. */
struct bspi_env {
	int64_t nprocs, stat, tag_output, shuffle, verbose;
	int64_t check, record_operations, report_bindings;
	uint64_t share, shm_reserve;
	double watchdog, join_wait, lifeline, watchdog_warn;	/* of BSP_WAIT all but the first */
	int64_t node_size, neighbors, nodes;
	int64_t spin, yield;	/* us, of BSP_WAIT; -1: auto */
	int64_t eager, credit, record_limit;	/* bytes; -1: auto */
	char only[128], without[128];
	char transport[32], far[32], provider[64], interface[32], networks[128];
	char discover[64], part[16], ports[16];
	char bind[256], sync[8], unread[8], barrier[32], offload[8], progress[8];
	char emulate[1024], coll[1024];
	char report[4096], record[4096], replay[4096], plugins[4096], params[4096];
};

/*
 * Read all settings from the environment, into which those in files come first (common/conf.h);
 * a bad one ends the program. Names of files are as seen
 * from the folder in which the program was started.
 */
void bspi_env_read(struct bspi_env *env);
/*
 * Settings by which processes agree on what they do together, as text; and those of process 0 in
 * their place, if they differ: then @env is read again, and it returns true.
 */
void bspi_env_write_common(char *text, size_t room);
bool bspi_env_take_common(struct bspi_env *env, const char *text);
/* Print a notice for each setting that is set, but not read in a privileged program. */
void bspi_env_announce_unread(void);
/* Print a notice for each variable that is nearly a setting (common/near.h). */
void bspi_env_announce_near(void);
/* Print a notice for each setting that has a new name, or whose value has; one such notice. */
void bspi_env_announce_renamed(void);
void bspi_env_warn_renamed(const char *variable, const char *old, const char *current);

#endif
