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
 * All learn the folder of process 0 where one of them is to look for it. If its user has asked for
 * the home folder, that of process 0 is there.
 */
static int handshake_exchange_folder(const struct bspj_job *job, const struct bspj_members *members,
				     const struct bspj_member *m, char *why, size_t len)
{
	char mine[FOLDER_MOST] = "", first[FOLDER_MOST] = "";
	struct bspt_one of_first = { 0, sizeof(first), first };
	struct stat st;
	int err;

	snprintf(mine, sizeof(mine), "%s", handshake_folder());
	err = job->launch->exchange(mine, sizeof(mine), bspt_take_one, &of_first, members->n, 0);
	if (!err && handshake_may_lack_folder(m, members->member) && *first &&
	    stat(first, &st) && (errno == ENOENT || errno == ENOTDIR)) {
		err = -ENOENT;
		snprintf(why, len,
			 "process %d on %.64s runs in the home folder, as folder %.200s is missing "
			 "there; make it on all hosts, or give mpirun another (--wdir)",
			 job->me, m->host, first);
	}
	return err;
}

/* ---- What is to be the same on all ------------------------------------------- */

_Static_assert(BSPJ_COMMON % BSPT_EXCHANGE_MOST == 0, "exchanged in pieces of one length");

/* All learn that of process 0, where one of them has another. */
static int handshake_exchange_common(const struct bspj_job *job, const struct bspj_start *how,
				     int n)
{
	char mine[BSPJ_COMMON] = "", of_first[BSPJ_COMMON] = "";
	int err = 0;

	if (how->common)
		snprintf(mine, sizeof(mine), "%s", how->common);
	for (size_t at = 0; at < sizeof(mine) && !err; at += BSPT_EXCHANGE_MOST) {
		struct bspt_one piece = { 0, BSPT_EXCHANGE_MOST, of_first + at };

		err = job->launch->exchange(mine + at, piece.len, bspt_take_one, &piece, n, 0);
	}
	of_first[BSPJ_COMMON - 1] = '\0';
	if (!err && how->common)
		memcpy(how->common, of_first, sizeof(of_first));
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
		.node_size = (uint16_t)how->node_size,
		.common = (uint32_t)handshake_hash(how->common ? how->common : ""),
	};
	bspt_hostname(m->host);
	snprintf(m->name, sizeof(m->name), "%s", program_invocation_short_name);
	memcpy(m->build_id, print.build_id, sizeof(m->build_id));
	return getrandom(m->token, sizeof(m->token), 0) == sizeof(m->token) &&
	       getrandom(&m->number, sizeof(m->number), 0) == sizeof(m->number);
}

static int refuse_version(const struct bspj_member *m, int p, const struct bspj_member *first,
			  char *why, size_t len)
{
	snprintf(why, len,
		 "process %d on %.64s uses bsp %.23s (protocol %u), process 0 on %.64s uses %.23s "
		 "(%u); install the same everywhere",
		 p, m->host, m->version, m->protocol, first->host, first->version,
		 first->protocol);
	return -EPROTO;
}

static int handshake_refuse_nprocs(const struct bspj_member *m, int p,
				   const struct bspj_member *first, const char *begin, char *why,
				   size_t len)
{
	snprintf(why, len,
		 "process %d on %.64s asks for %u processes, process 0 on %.64s for %u; give all "
		 "the same %s and BSP_NPROCS",
		 p, m->host, m->nprocs, first->host, first->nprocs, begin);
	return -EINVAL;
}

/* With other nodes than the others have it would wait for memory that none of them shares. */
static int handshake_refuse_nodes(const struct bspj_member *m, int p,
				  const struct bspj_member *first, char *why, size_t len)
{
	snprintf(why, len,
		 "process %d on %.64s has nodes of BSP_NODE_SIZE=%u processes, process 0 on %.64s "
		 "of %u; give all the same",
		 p, m->host, m->node_size, first->host, first->node_size);
	return -EINVAL;
}

static int refuse_program(const struct bspj_member *m, int p, const struct bspj_member *first,
			  char *why, size_t len)
{
	snprintf(why, len,
		 "process %d on %.64s runs another program than process 0 on %.64s: %.63s "
		 "(build-id %.16s), not %.63s (%.16s); copy the same program to all hosts",
		 p, m->host, first->host, m->name, m->build_id[0] ? m->build_id : "none",
		 first->name, first->build_id[0] ? first->build_id : "none");
	return -EPROTO;
}

/* Process @p with process 0. */
static int handshake_compare(const struct bspj_member *m, int p, const struct bspj_member *first,
			     const char *begin, char *why, size_t len)
{
	if (m->mark != mark) {
		snprintf(why, len,
			 "process %d is on a host with another order of bytes, or has another bsp; "
			 "use hosts of one kind, with the same bsp",
			 p);
		return -EPROTO;
	}
	if (m->protocol != first->protocol ||
	    memcmp(m->version, first->version, sizeof(m->version)) != 0)
		return refuse_version(m, p, first, why, len);
	if (!m->follows && m->nprocs != first->nprocs)
		return handshake_refuse_nprocs(m, p, first, begin, why, len);
	if (first->nprocs && m->node_size != first->node_size)
		return handshake_refuse_nodes(m, p, first, why, len);
	if (m->program != first->program)
		return refuse_program(m, p, first, why, len);
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

/* The members, as one after the other is taken. */
struct introductions {
	struct bspj_members *members;
	bool keeps_all;			/* else process 0 alone */
	bool asks_for_folder;		/* one is to look for that of process 0 */
	bool differs;			/* one has another text than process 0 */
	const char *begin;
	int err;			/* the first that does not fit is described in @why */
	char *why;
	size_t len;
};

static void handshake_take(void *arg, int p, const void *its)
{
	struct introductions *in = arg;
	const struct bspj_member *first = in->members->member;
	struct bspj_member m;

	memcpy(&m, its, sizeof(m));
	if (p == 0 || in->keeps_all)
		in->members->member[p] = m;
	if (!in->err)
		in->err = handshake_compare(&m, p, first, in->begin, in->why, in->len);
	in->asks_for_folder |= handshake_may_lack_folder(&m, first);
	/* without a job process 0 has none, and no nodes */
	in->differs |= first->nprocs && m.common != first->common;
}

/*
 * Process 0 may take its time from the first call of the library to the start of the job, for its
 * user perhaps; but not to that first call.
 */
static int handshake_exchange(const struct bspj_job *job, const struct bspj_start *how,
			      const struct bspj_member *mine, struct introductions *in)
{
	const struct bspj_launch *launch = job->launch;
	int err = how->follows && launch->await_first ? launch->await_first(how->timeout_s) : 0;

	if (err)
		return err;
	return launch->exchange(mine, sizeof(*mine), handshake_take, in, in->members->n,
				how->follows ? 0 : how->timeout_s);
}

uint64_t bspj_job_number(const struct bspj_job *job)
{
	return job->members->member[0].number;
}

void bspj_explain_exchange(int err, char *why, size_t len)
{
	snprintf(why, len,
		 err == -EPROTO ? "another process of the job has another bsp; install the same "
				  "everywhere" :
				  "the launcher's daemons cannot bring the processes together "
				  "(%s); is one of its hosts lost?",
		 strerror(-err));
}

static int handshake_gather(const struct bspj_job *job, const struct bspj_start *how,
		       struct bspj_members *members, const struct bspj_member *mine, char *why,
		       size_t len)
{
	struct introductions in = {
		.members = members, .keeps_all = !job->launch->supervises,
		.begin = how->words->begin, .why = why, .len = len,
	};
	int err = handshake_exchange(job, how, mine, &in);

	if (err == -ETIMEDOUT)
		return refuse_to_wait(how, why, len);
	if (err) {
		bspj_explain_exchange(err, why, len);
		return err;
	}
	if (in.err)
		return bspj_handshake_fail(job, in.err);
	snprintf(why, len, "the processes cannot compare their folders");
	if (in.asks_for_folder)
		err = handshake_exchange_folder(job, members, mine, why, len);
	if (!err && in.differs) {
		snprintf(why, len, "the processes cannot exchange their settings");
		err = handshake_exchange_common(job, how, members->n);
	}
	if (err)
		return err;
	err = job->launch->nodes(members->node, members->n);
	if (err)
		snprintf(why, len, "the launcher does not tell which processes share a node (%s)",
			 strerror(-err));
	return err;
}

void bspj_members_free(struct bspj_members *members)
{
	if (!members)
		return;
	free(members->node);
	free(members->at);
	free(members->member);
	free(members);
}

static struct bspj_members *members_create(int n, bool all)
{
	struct bspj_members *members = calloc(1, sizeof(*members));

	if (!members)
		return NULL;
	members->n = n;
	members->node = calloc(n, sizeof(*members->node));
	members->at = all ? calloc(n, sizeof(*members->at)) : NULL;
	members->member = calloc(all ? n : 1, sizeof(*members->member));
	for (int p = 0; members->at && p < n; p++)
		members->at[p] = p;
	if (members->node && members->member && (members->at || !all))
		return members;
	bspj_members_free(members);
	return NULL;
}

/*
 * Places ascend, so a process that is kept is the next one to move. The table of all, which was
 * needed until nodes were known, is so large where it matters that its pages go back at once.
 */
int bspj_members_keep(struct bspj_members *members, const int *node, int me)
{
	int *first = calloc(members->n, sizeof(*first)), kept = 0, k = 0;
	struct bspj_member *member;

	for (int p = 0; first && members->at && p < members->n; p++) {
		int *of = &first[node[p]];	/* its place, and 1 */

		members->at[p] = *of && node[p] != node[me] ? *of - 1 : kept++;
		*of = *of ? *of : kept;
	}
	member = kept ? calloc(kept, sizeof(*member)) : NULL;
	for (int p = 0; member && p < members->n; p++)
		if (members->at[p] == k)
			member[k++] = members->member[p];
	if (member) {
		free(members->member);
		members->member = member;
	}
	free(first);
	return first && (member || !kept) ? 0 : -ENOMEM;
}

int bspj_handshake(struct bspj_job *job, const struct bspj_start *how, char *why, size_t len)
{
	struct bspj_members *members = members_create(job->nprocs, !job->launch->supervises);
	struct bspj_member mine;
	int err;

	if (!members || !handshake_introduce(&mine, how)) {
		snprintf(why, len,
			 "out of memory, or of random numbers, for the roll call of %d processes",
			 job->nprocs);
		bspj_members_free(members);
		return -ENOMEM;
	}
	members->pid = mine.pid;
	err = handshake_gather(job, how, members, &mine, why, len);
	if (err) {
		bspj_members_free(members);
		return err;
	}
	job->members = members;
	job->nprocs = members->member[0].nprocs;
	return 0;
}
