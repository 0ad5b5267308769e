/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that introduces itself to others over ofi with any bytes is refused in words. */
#include "../lib/transports.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

/*
 * A process alone, in a child of the test. Its wire gives it, of each process, what it has given
 * itself, and of process @odd that with one thing changed.
 */
enum {
	PROCS = 3, ME = 1, REFUSED = 3,
	LENGTH_AT = 20, BEFORE_NAME = 136,	/* of struct hello in ofi.c: name_len, name */
	MEMORY = 1 << 30,
};

static int node[PROCS] = { 0, 1, 2 };
static char *reason;			/* for which it was refused; of the child, shared */

static struct {
	int odd;
	size_t at;			/* of the word that is another, or of the byte */
	bool is_byte;
	uint32_t value;			/* of the word, or what is flipped in the byte */
} change;

static int exchange(struct bspt_wire *w, const void *mine, size_t len, bspt_take_fn *take,
		    void *arg)
{
	char its[BSPT_EXCHANGE_MOST];

	for (int p = 0; p < w->nprocs; p++) {
		memcpy(its, mine, len);
		if (p == change.odd && change.is_byte)
			its[change.at] = (char)(its[change.at] ^ (char)change.value);
		else if (p == change.odd)
			memcpy(its + change.at, &change.value, sizeof change.value);
		take(arg, p, its);
	}
	return 0;
}

_Noreturn static void refused(int peer, const char *why)
{
	snprintf(reason, BSPT_EXCHANGE_MOST, "process %d: %s", peer, why);
	_exit(REFUSED);
}

/* So that no length that is out of all bounds finds memory. */
static void limit_memory(void)
{
	struct rlimit limit = { MEMORY, MEMORY };

	if (!SANITIZED)
		setrlimit(RLIMIT_AS, &limit);
}

/* How opening it ends. */
static int opened(void)
{
	struct bspt_wire wire = { .nprocs = PROCS, .me = ME, .one_machine = true, .node = node,
				  .nnodes = PROCS, .exchange = exchange };
	struct bspt_plan plan = { .nprocs = PROCS, .wire = &wire, .lost = refused, .network = "",
				  .provider = "tcp" };
	struct bspt *t;
	pid_t child;
	int status;

	reason[0] = '\0';
	child = fork();
	if (child == 0) {
		limit_memory();
		_exit(bspt_open(job.ops, &plan, ME, &t) ? 1 : 0);
	}
	if (waitpid(child, &status, 0) != child)
		bail("no child");
	return status;
}

static void length_is_refused(int odd, uint32_t value)
{
	int status;
	char process[20];

	change.odd = odd;
	change.at = LENGTH_AT;
	change.is_byte = false;
	change.value = value;
	status = opened();
	snprintf(process, sizeof process, "process %d: ", odd);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == REFUSED &&
	   strstr(reason, "another kind of address") && strstr(reason, process),
	   "process %d says that its address has %u bytes: it is refused for that", odd, value);
	diag("%#x %s", (unsigned int)status, reason);
}

/* A bit of any byte before the name: most are refused, and none does harm. */
static void bits_do_no_harm(int odd)
{
	int refusals = 0, harmed = 0;

	change.odd = odd;
	change.is_byte = true;
	for (change.at = 0; change.at < BEFORE_NAME; change.at += tap_is_long() ? 1 : 3) {
		int status;

		change.value = 1u << change.at % 8;
		status = opened();
		harmed += !WIFEXITED(status) ||
			  (WEXITSTATUS(status) && WEXITSTATUS(status) != REFUSED);
		refusals += WIFEXITED(status) && WEXITSTATUS(status) == REFUSED;
	}
	is_int(0, harmed, "a bit of process %d is another: it is taken or refused", odd);
	ok(refusals >= 10, "some are refused");
	diag("%d of them", refusals);
}

int main(void)
{
	static const uint32_t lengths[] = { 0, 1, 17, 10000, 0x7fffffff, 0xffffffff };
	char why[500];

	job.ops = bspt_find("ofi");
	if (!is_wanted(job.ops))
		skip_all("not applicable: this is about ofi");
	setenv("BSP_OFI_PROVIDER", "tcp", 1);
	reason = mmap(NULL, BSPT_EXCHANGE_MOST, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (reason == MAP_FAILED)
		bail("no shared memory");
	if (job.ops->probe(PROCS, why, sizeof why) < 0) {
		cannot_run("ofi", "its introductions", why);
		return done_testing();
	}
	change.odd = -1;
	is_int(0, opened(), "with its own bytes alone it opens");
	for (int odd = 0; odd < PROCS; odd += 2)
		for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
			length_is_refused(odd, lengths[i]);
	bits_do_no_harm(0);
	bits_do_no_harm(2);
	return done_testing();
}
