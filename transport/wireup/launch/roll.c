// SPDX-License-Identifier: BSD-3-Clause
/* roll.c - all launched processes exchange their identities, and check that they fit together. */

#include "roll.h"

#include "config.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const uint64_t mark = 0x6c6c6f7270736201;	/* another when its bytes are reversed */

enum { COURTESY_S = 5 };

/* ---- Which program it is --------------------------------------------------- */

struct print {
	uint64_t hash;		/* FNV-1a */
	uint64_t base;
};

static void roll_mix(struct print *print, const void *data, size_t len)
{
	const unsigned char *byte = data;

	for (size_t i = 0; i < len; i++)
		print->hash = (print->hash ^ byte[i]) * 0x100000001b3;
}

/* Where its parts lie; and its notes, among which is the build-id if the linker has made one. */
static int look_at_program(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct print *print = arg;

	(void)size;
	print->base = info->dlpi_addr;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		roll_mix(print, segment, sizeof(*segment));
		if (segment->p_type == PT_NOTE)
			roll_mix(print, (const void *)(info->dlpi_addr + segment->p_vaddr),
				 segment->p_memsz);
	}
	return 1;		/* the program comes first; the rest are libraries */
}

static struct print print_of_program(void)
{
	struct print print = { .hash = 0xcbf29ce484222325 };
	struct stat file;

	dl_iterate_phdr(look_at_program, &print);
	if (stat("/proc/self/exe", &file) == 0)
		roll_mix(&print, &file.st_size, sizeof(file.st_size));
	return print;
}

/* ---- The roll call --------------------------------------------------------- */

static bool roll_introduce(struct bspt_member *m, const struct bspt_start *how)
{
	struct print print = print_of_program();

	*m = (struct bspt_member){
		.mark = mark, .version = PACKAGE_VERSION, .protocol = BSPT_PROTOCOL,
		.nprocs = how->nprocs, .follows = how->follows,
		.program = print.hash, .base = print.base, .pid = getpid(),
	};
	gethostname(m->host, sizeof(m->host) - 1);
	return getrandom(m->token, sizeof(m->token), 0) == sizeof(m->token) &&
	       getrandom(&m->number, sizeof(m->number), 0) == sizeof(m->number);
}

static int refuse_version(const struct bspt_roll *roll, int p, char *why, size_t len)
{
	const struct bspt_member *m = roll->members;

	snprintf(why, len,
		 "process %d on %.63s uses bsp %.23s (protocol %u), process 0 on %.63s uses %.23s "
		 "(%u); install the same everywhere",
		 p, m[p].host, m[p].version, m[p].protocol, m[0].host, m[0].version, m[0].protocol);
	return -EPROTO;
}

static int roll_refuse_nprocs(const struct bspt_roll *roll, int p, char *why, size_t len)
{
	const struct bspt_member *m = roll->members;

	snprintf(why, len,
		 "process %d on %.63s asks for %u processes, process 0 on %.63s for %u; give all "
		 "the same bsp_begin and BSP_NPROCS",
		 p, m[p].host, m[p].nprocs, m[0].host, m[0].nprocs);
	return -EINVAL;
}

static int refuse_program(const struct bspt_roll *roll, int p, char *why, size_t len)
{
	const struct bspt_member *m = roll->members;

	snprintf(why, len,
		 "process %d on %.63s runs another program than process 0 on %.63s; start the same "
		 "everywhere",
		 p, m[p].host, m[0].host);
	return -EPROTO;
}

static int roll_compare(const struct bspt_roll *roll, bool one_program, char *why, size_t len)
{
	for (int p = 0; p < roll->n; p++) {
		const struct bspt_member *m = &roll->members[p];

		if (m->mark != mark) {
			snprintf(why, len,
				 "process %d is on a host with another order of bytes, or has "
				 "another bsp; use hosts of one kind, with the same bsp",
				 p);
			return -EPROTO;
		}
		if (m->protocol != roll->members[0].protocol ||
		    memcmp(m->version, roll->members[0].version, sizeof(m->version)) != 0)
			return refuse_version(roll, p, why, len);
		if (!m->follows && m->nprocs != roll->members[0].nprocs)
			return roll_refuse_nprocs(roll, p, why, len);
		if (one_program && m->program != roll->members[0].program)
			return refuse_program(roll, p, why, len);
	}
	return 0;
}

static bool all_run_one_program(const struct bspt_roll *roll, int nprocs)
{
	for (int p = 1; p < nprocs; p++)
		if (roll->members[p].program != roll->members[0].program)
			return false;
	return true;
}

int bspt_roll_agree(const struct bspt_job *job, int err)
{
	struct timespec courtesy = { .tv_sec = COURTESY_S };

	if (job->me != 0)
		nanosleep(&courtesy, NULL);	/* the launcher ends us meanwhile */
	return err;
}

static struct bspt_roll *make_roll(int n)
{
	struct bspt_roll *roll = calloc(1, sizeof(*roll) +
					   n * (sizeof(roll->members[0]) + sizeof(int)));

	if (roll) {
		roll->n = n;
		roll->node = (int *)&roll->members[n];
	}
	return roll;
}

/*
 * A process that does not come was not started by the launcher, but with its variables; or is
 * late.
 */
static int refuse_to_wait(double timeout_s, char *why, size_t len)
{
	snprintf(why, len,
		 "the other processes that the launcher has started have not come to bsp_begin for "
		 "%s s; if it has not started this one, use bsprun --local, and if it takes "
		 "longer, BSP_JOIN_WAIT",
		 bspt_seconds(timeout_s).text);
	return -ETIMEDOUT;
}

/*
 * Process 0 may take its time between bsp_init and bsp_begin, for its user perhaps; but not to
 * bsp_init.
 */
static int roll_exchange(const struct bspt_job *job, const struct bspt_start *how,
			 struct bspt_roll *roll, const struct bspt_member *mine)
{
	const struct bspt_launch *launch = job->launch;
	int err = how->follows && launch->await_first ? launch->await_first(how->timeout_s) : 0;

	if (err)
		return err;
	return launch->exchange(mine, sizeof(*mine), roll->members, roll->n,
				how->follows ? 0 : how->timeout_s);
}

uint64_t bspt_job_number(const struct bspt_job *job)
{
	return job->roll->members[0].number;
}

static int roll_gather(const struct bspt_job *job, const struct bspt_start *how,
		       struct bspt_roll *roll, const struct bspt_member *mine, char *why,
		       size_t len)
{
	int err = roll_exchange(job, how, roll, mine);

	if (err == -ETIMEDOUT)
		return refuse_to_wait(how->timeout_s, why, len);
	if (err) {
		snprintf(why, len,
			 err == -EPROTO ? "another process of the job has another bsp; install the "
					  "same everywhere" :
					  "the launcher's daemons cannot bring the processes "
					  "together (%s); is one of its hosts lost?",
			 strerror(-err));
		return err;
	}
	err = roll_compare(roll, job->launch->one_program, why, len);
	if (err)
		return bspt_roll_agree(job, err);
	err = job->launch->nodes(roll->node, roll->n);
	if (err)
		snprintf(why, len, "the launcher does not tell which processes share a node (%s)",
			 strerror(-err));
	return err;
}

int bspt_roll_call(struct bspt_job *job, const struct bspt_start *how, char *why, size_t len)
{
	struct bspt_roll *roll = make_roll(job->nprocs);
	struct bspt_member mine;
	int err;

	if (!roll || !roll_introduce(&mine, how)) {
		snprintf(why, len,
			 "out of memory, or of random numbers, for the roll call of %d processes",
			 job->nprocs);
		free(roll);
		return -ENOMEM;
	}
	err = roll_gather(job, how, roll, &mine, why, len);
	if (err) {
		free(roll);
		return err;
	}
	job->roll = roll;
	job->nprocs = roll->members[0].nprocs;
	job->same_program = all_run_one_program(roll, job->nprocs);
	return 0;
}
