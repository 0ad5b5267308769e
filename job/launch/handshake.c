// SPDX-License-Identifier: BSD-3-Clause
/* handshake.c - launched processes exchange their identities, and check that these fit. */

#include "handshake.h"

#include "config.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const uint64_t mark = 0x6c6c6f7270736201;	/* another when its bytes are reversed */

enum { REPORT_GRACE_S = 5, SEGMENT_MOST = 1 << 20, FOLDER_MOST = 512 };

/* ---- Which program it is --------------------------------------------------- */

struct print {
	uint64_t hash;		/* FNV-1a */
	uint64_t base;
	bool has_build_id;
	char build_id[17];	/* its beginning, as file(1) shows it; "": it has none */
};

static void print_mix(struct print *print, const void *data, size_t len)
{
	const unsigned char *byte = data;

	for (size_t i = 0; i < len; i++)
		print->hash = (print->hash ^ byte[i]) * 0x100000001b3;
}

/* A copy without symbols has the same, and so has one in which a debugger has set breakpoints. */
static void print_take_build_id(struct print *print, const unsigned char *id, size_t len)
{
	print->has_build_id = true;
	print_mix(print, id, len);
	for (size_t i = 0; i < len && 2 * i + 2 < sizeof(print->build_id); i++)
		sprintf(print->build_id + 2 * i, "%02x", id[i]);
}

static size_t print_padded(size_t len)
{
	return (len + 3) / 4 * 4;
}

/* The notes of a segment; those with a larger alignment hold no build-id. */
static void print_read_notes(struct print *print, const unsigned char *at, size_t len)
{
	ElfW(Nhdr) note;

	while (len >= sizeof(note)) {
		const unsigned char *name = at + sizeof(note);
		size_t all;

		memcpy(&note, at, sizeof(note));
		all = sizeof(note) + print_padded(note.n_namesz) + print_padded(note.n_descsz);
		if (all > len)
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof("GNU") &&
		    memcmp(name, "GNU", sizeof("GNU")) == 0)
			print_take_build_id(print, name + print_padded(note.n_namesz),
					    note.n_descsz);
		at += all;
		len -= all;
	}
}

/*
 * The linker has made no build-id: what the file has of a segment that is not written to. Not as
 * it is in memory, where a debugger writes.
 */
static void print_mix_segment(struct print *print, int fd, const ElfW(Phdr) *segment)
{
	size_t len = segment->p_filesz < SEGMENT_MOST ? segment->p_filesz : SEGMENT_MOST;
	unsigned char page[4096];

	print_mix(print, segment, sizeof(*segment));
	if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W))
		return;
	for (size_t done = 0; done < len;) {
		size_t rest = len - done < sizeof(page) ? len - done : sizeof(page);
		ssize_t n = pread(fd, page, rest, segment->p_offset + done);

		if (n <= 0)
			return;
		print_mix(print, page, n);
		done += n;
	}
}

static int look_at_program(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct print *print = arg;
	int fd;

	(void)size;
	print->base = info->dlpi_addr;
	for (int i = 0; i < info->dlpi_phnum && !print->has_build_id; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (segment->p_type == PT_NOTE && segment->p_align <= 4)
			print_read_notes(print, (const void *)(info->dlpi_addr + segment->p_vaddr),
					segment->p_memsz);
	}
	if (!print->has_build_id) {
		fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
		for (int i = 0; i < info->dlpi_phnum; i++)
			print_mix_segment(print, fd, &info->dlpi_phdr[i]);
		if (fd >= 0)
			close(fd);
	}
	return 1;		/* the program comes first; the rest are libraries */
}

static struct print print_of_program(void)
{
	struct print print = { .hash = 0xcbf29ce484222325 };

	dl_iterate_phdr(look_at_program, &print);
	return print;
}

/* ---- Where it runs ---------------------------------------------------------- */

/* The folder in which Open MPI has started this process; "": not known. */
static const char *handshake_folder(void)
{
	const char *folder = getenv("OMPI_MCA_initial_wdir");

	return folder ? folder : "";
}

static bool handshake_is_in_home(void)
{
	const char *home = getenv("HOME");

	return home && strcmp(home, handshake_folder()) == 0;
}

static uint64_t handshake_hash(const char *text)
{
	struct print print = { .hash = 0xcbf29ce484222325 };

	print_mix(&print, text, strlen(text));
	return print.hash;
}

/* Where a host has not the folder of the job, Open MPI silently takes the home folder. */
static bool handshake_may_lack_folder(const struct bspj_member *m, const struct bspj_member *first)
{
	return m->in_home && m->folder != first->folder;
}

/*
 * All learn the folder of process 0 if one of them is to look for it. If its user has asked for the
 * home folder, that of process 0 is there.
 */
static int handshake_exchange_folder(const struct bspj_job *job, const struct bspj_members *members,
				char *why, size_t len)
{
	const struct bspj_member *m = &members->member[job->me];
	char mine[FOLDER_MOST] = "", *all;
	struct stat st;
	int err, p = 0;

	while (p < members->n && !handshake_may_lack_folder(&members->member[p], members->member))
		p++;
	if (p == members->n)
		return 0;
	all = calloc(members->n, sizeof(mine));
	if (!all)
		return -ENOMEM;
	snprintf(mine, sizeof(mine), "%s", handshake_folder());
	err = job->launch->exchange(mine, sizeof(mine), all, members->n, 0);
	if (!err && handshake_may_lack_folder(m, members->member) && *all &&
	    stat(all, &st) && (errno == ENOENT || errno == ENOTDIR)) {
		err = -ENOENT;
		snprintf(why, len,
			 "process %d on %.64s runs in the home folder, as folder %.200s is missing "
			 "there; make it on all hosts, or give mpirun another (--wdir)",
			 job->me, m->host, all);
	}
	free(all);
	return err;
}

/* ---- The handshake --------------------------------------------------------- */

static bool handshake_introduce(struct bspj_member *m, const struct bspj_start *how)
{
	struct print print = print_of_program();

	*m = (struct bspj_member){
		.mark = mark, .version = PACKAGE_VERSION, .protocol = BSPJ_PROTOCOL,
		.nprocs = how->nprocs, .follows = how->follows,
		.program = print.hash, .base = print.base, .pid = getpid(),
		.folder = handshake_hash(handshake_folder()), .in_home = handshake_is_in_home(),
	};
	bspt_hostname(m->host);
	snprintf(m->name, sizeof(m->name), "%s", program_invocation_short_name);
	memcpy(m->build_id, print.build_id, sizeof(m->build_id));
	return getrandom(m->token, sizeof(m->token), 0) == sizeof(m->token) &&
	       getrandom(&m->number, sizeof(m->number), 0) == sizeof(m->number);
}

static int refuse_version(const struct bspj_members *members, int p, char *why, size_t len)
{
	const struct bspj_member *m = members->member;

	snprintf(why, len,
		 "process %d on %.64s uses bsp %.23s (protocol %u), process 0 on %.64s uses %.23s "
		 "(%u); install the same everywhere",
		 p, m[p].host, m[p].version, m[p].protocol, m[0].host, m[0].version, m[0].protocol);
	return -EPROTO;
}

static int handshake_refuse_nprocs(const struct bspj_members *members, int p, const char *begin,
				   char *why, size_t len)
{
	const struct bspj_member *m = members->member;

	snprintf(why, len,
		 "process %d on %.64s asks for %u processes, process 0 on %.64s for %u; give all "
		 "the same %s and BSP_NPROCS",
		 p, m[p].host, m[p].nprocs, m[0].host, m[0].nprocs, begin);
	return -EINVAL;
}

static int refuse_program(const struct bspj_members *members, int p, char *why, size_t len)
{
	const struct bspj_member *m = members->member;

	snprintf(why, len,
		 "process %d on %.64s runs another program than process 0 on %.64s: %.63s "
		 "(build-id %.16s), not %.63s (%.16s); copy the same program to all hosts",
		 p, m[p].host, m[0].host, m[p].name, m[p].build_id[0] ? m[p].build_id : "none",
		 m[0].name, m[0].build_id[0] ? m[0].build_id : "none");
	return -EPROTO;
}

static int handshake_compare(const struct bspj_members *members, const char *begin, char *why,
			     size_t len)
{
	for (int p = 0; p < members->n; p++) {
		const struct bspj_member *m = &members->member[p];

		if (m->mark != mark) {
			snprintf(why, len,
				 "process %d is on a host with another order of bytes, or has "
				 "another bsp; use hosts of one kind, with the same bsp",
				 p);
			return -EPROTO;
		}
		if (m->protocol != members->member[0].protocol ||
		    memcmp(m->version, members->member[0].version, sizeof(m->version)) != 0)
			return refuse_version(members, p, why, len);
		if (!m->follows && m->nprocs != members->member[0].nprocs)
			return handshake_refuse_nprocs(members, p, begin, why, len);
		if (m->program != members->member[0].program)
			return refuse_program(members, p, why, len);
	}
	return 0;
}

int bspj_handshake_fail(const struct bspj_job *job, int err)
{
	struct timespec grace = { .tv_sec = REPORT_GRACE_S };

	if (job->me != 0)
		nanosleep(&grace, NULL);	/* the launcher ends us meanwhile */
	return err;
}

/*
 * A process that does not come was not started by the launcher, but with its variables; or is
 * late.
 */
static int refuse_to_wait(const struct bspj_start *how, char *why, size_t len)
{
	snprintf(why, len,
		 "the other processes that the launcher has started have not come to %s for "
		 "%s s; if it has not started this one, use bsprun --local, and if it takes "
		 "longer, set join of BSP_WAIT",
		 how->words->begin, bspj_seconds(how->timeout_s).text);
	return -ETIMEDOUT;
}

/*
 * Process 0 may take its time from the first call of the library to the start of the job, for its
 * user perhaps; but not to that first call.
 */
static int handshake_exchange(const struct bspj_job *job, const struct bspj_start *how,
			 struct bspj_members *members, const struct bspj_member *mine)
{
	const struct bspj_launch *launch = job->launch;
	int err = how->follows && launch->await_first ? launch->await_first(how->timeout_s) : 0;

	if (err)
		return err;
	return launch->exchange(mine, sizeof(*mine), members->member, members->n,
				how->follows ? 0 : how->timeout_s);
}

uint64_t bspj_job_number(const struct bspj_job *job)
{
	return job->members->member[0].number;
}

static int handshake_gather(const struct bspj_job *job, const struct bspj_start *how,
		       struct bspj_members *members, const struct bspj_member *mine, char *why,
		       size_t len)
{
	int err = handshake_exchange(job, how, members, mine);

	if (err == -ETIMEDOUT)
		return refuse_to_wait(how, why, len);
	if (err) {
		snprintf(why, len,
			 err == -EPROTO ? "another process of the job has another bsp; install the "
					  "same everywhere" :
					  "the launcher's daemons cannot bring the processes "
					  "together (%s); is one of its hosts lost?",
			 strerror(-err));
		return err;
	}
	err = handshake_compare(members, how->words->begin, why, len);
	if (err)
		return bspj_handshake_fail(job, err);
	snprintf(why, len, "the processes cannot compare their folders");
	err = handshake_exchange_folder(job, members, why, len);
	if (err)
		return err;
	err = job->launch->nodes(members->node, members->n);
	if (err)
		snprintf(why, len, "the launcher does not tell which processes share a node (%s)",
			 strerror(-err));
	return err;
}

int bspj_handshake(struct bspj_job *job, const struct bspj_start *how, char *why, size_t len)
{
	int n = job->nprocs, err;
	struct bspj_members *members = calloc(1, sizeof(*members) +
						 n * (sizeof(members->member[0]) + sizeof(int)));
	struct bspj_member mine;

	if (!members || !handshake_introduce(&mine, how)) {
		snprintf(why, len,
			 "out of memory, or of random numbers, for the roll call of %d processes",
			 n);
		free(members);
		return -ENOMEM;
	}
	members->n = n;
	members->node = (int *)&members->member[n];
	err = handshake_gather(job, how, members, &mine, why, len);
	if (err) {
		free(members);
		return err;
	}
	job->members = members;
	job->nprocs = members->member[0].nprocs;
	return 0;
}
