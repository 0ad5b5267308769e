/* SPDX-License-Identifier: BSD-3-Clause */
/* While peers write directly to an area, and after it, system calls do what they always do. */

/*
 * Over transports with windows the pages of such an area are shared. Where a call would show that
 * in another way, the area is not shared at all, or bsp(7) says what is different.
 */
#include "../lib/spmd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 1 << 20, HALF = SIZE / 2, PAGE = 4096, PREFERRED = 1, BY_ADDRESS = 2 };

static unsigned char source[SIZE];

static unsigned char *map_area(int fd)
{
	void *area = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);

	if (area == MAP_FAILED)
		bail("no memory for an area");
	return area;
}

/* All of it by the left neighbour, in more supersteps than it takes to share the pages. */
static void write_directly(unsigned char *area)
{
	publish(area, SIZE);
	for (int i = 0; i < 3; i++) {
		fill(source, SIZE, 20 + (uint32_t)bsp_pid() + 10 * (uint32_t)i);
		bsp_hpput(right(), source, area, 0, SIZE);
		bsp_sync();
	}
}

static long wrong_now(const unsigned char *area)
{
	return wrong(area, SIZE, 40 + (uint32_t)left());
}

static unsigned char *written_directly(void)
{
	unsigned char *area;

	enter();
	area = map_area(-1);
	write_directly(area);
	is_int(0, wrong_now(area), "the puts have arrived");
	return area;
}

/* Does /proc/self/maps say so of this address? */
static bool is_shared(const void *at)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512], mode[5] = "";
	unsigned long from, to;

	while (maps && fgets(line, sizeof line, maps))
		if (sscanf(line, "%lx-%lx %4s", &from, &to, mode) == 3 &&
		    from <= (uintptr_t)at && (uintptr_t)at < to)
			break;
	if (maps)
		fclose(maps);
	return mode[3] == 's';
}

static void popped(unsigned char *area)
{
	bsp_pop_reg(area);
	ok(!is_shared(area + HALF), "private after the pop");
	bsp_sync();
}

/* ---- fork --------------------------------------------------------------------- */

/* In the child: the area as it was, while its parent has gone on. */
static void be_child(unsigned char *area, uint32_t seed, int parent_wrote)
{
	char none;
	bool good;

	good = read(parent_wrote, &none, 1) == 1 && wrong(area, SIZE, seed) == 0;
	memset(area, 9, SIZE);
	_exit(good ? 0 : 1);
}

static void forked(void)
{
	unsigned char *area = written_directly();
	uint32_t seed = 40 + (uint32_t)left();
	int ends[2], status = -1;
	pid_t child;

	if (pipe(ends))
		bail("no pipe");
	child = fork();
	if (child == 0)
		be_child(area, seed, ends[0]);
	fill(area, SIZE, 1);
	if (write(ends[1], "w", 1) != 1)
		bail("the pipe is closed");
	waitpid(child, &status, 0);
	is_int(0, status, "a child has the area as it was when it was forked");
	is_int(0, wrong(area, SIZE, 1), "what the child writes is not seen here");
	bsp_sync();
	bsp_hpput(right(), source, area, 0, SIZE);
	bsp_sync();
	is_int(0, wrong_now(area), "peers write to the area after the fork");
	popped(area);
	bsp_end();
}

/* ---- Protection, moves, removal -------------------------------------------------- */

static void protected_in_part(void)
{
	unsigned char *area = written_directly();

	mprotect(area + HALF, PAGE, PROT_READ);
	popped(area);
	is_int(0, wrong_now(area), "mprotect of a page: the contents stay");
	is_int(-1, (long)read(open("/dev/zero", O_RDONLY), area + HALF, 1),
	       "mprotect of a page: so does the protection");
	is_int(1, (long)read(open("/dev/zero", O_RDONLY), area + HALF + PAGE, 1),
	       "mprotect of a page: behind it the area can be written");
	bsp_end();
}

static void protected_as_a_whole(void)
{
	unsigned char *area = written_directly();

	mprotect(area, SIZE, PROT_READ);
	popped(area);
	is_int(0, wrong_now(area), "mprotect: the contents stay");
	is_int(-1, (long)read(open("/dev/zero", O_RDONLY), area + HALF, 1),
	       "mprotect: so does the protection");
	bsp_end();
}

static void moved(void)
{
	unsigned char *area = written_directly(), *other = map_area(-1);

	if (mremap(area + PAGE, SIZE - 2 * PAGE, SIZE - 2 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
		   other + PAGE) == MAP_FAILED)
		bail("an area cannot be moved");
	bsp_pop_reg(area);
	ok(!is_shared(other + HALF), "mremap: private after the pop, at its new addresses");
	bsp_sync();
	is_int(0, wrong_from(other + PAGE, SIZE - 2 * PAGE, 40 + (uint32_t)left(), PAGE),
	       "mremap: the contents stay");
	bsp_end();
}

/* It would show memory of the library behind the area. */
static void grown(void)
{
	unsigned char *area = written_directly();
	void *at = mremap(area, SIZE, 2 * SIZE, MREMAP_MAYMOVE);

	ok(at == MAP_FAILED || !is_shared((char *)at + SIZE + HALF),
	   "mremap to another size fails, or the new part is private");
	bsp_end();
}

static void removed(void)
{
	unsigned char *area = written_directly(), *half;

	munmap(area, SIZE);
	half = mmap(area, HALF, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	fill(half, HALF, 3);
	bsp_pop_reg(area);
	bsp_sync();
	is_int(0, wrong(half, HALF, 3), "munmap: what came to the addresses stays");
	bsp_end();
}

/* ---- Reading by way of the kernel -------------------------------------------------- */

static unsigned char copy[SIZE];

static void read_by_the_kernel(void)
{
	unsigned char *area = written_directly();
	struct iovec here = { copy, SIZE }, there = { area, SIZE };
	int mem = open("/proc/self/mem", O_RDONLY), file = memfd_create("file", 0);

	is_int(SIZE, (long)pread(mem, copy, SIZE, (off_t)(uintptr_t)area), "/proc/self/mem");
	is_int(0, wrong_now(copy), "/proc/self/mem reads the area");
	memset(copy, 0, SIZE);
	if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) == SIZE)
		is_int(0, wrong_now(copy), "process_vm_readv reads the area");
	is_int(SIZE, (long)write(file, area, SIZE), "write");
	memset(area, 0, SIZE);
	is_int(SIZE, (long)pread(file, area, SIZE, 0), "read");
	is_int(0, wrong_now(area), "write and read of the area");
	close(mem), close(file);
	popped(area);
	bsp_end();
}

/* ---- Memory of other kinds ------------------------------------------------------------ */

static void locked(void)
{
	unsigned char *area;

	enter();
	area = map_area(-1);
	if (mlock(area, SIZE) == 0) {
		write_directly(area);
		is_int(0, wrong_now(area), "locked memory is written to");
		ok(msync(area, SIZE, MS_INVALIDATE) < 0 && errno == EBUSY,
		   "locked memory stays locked");
		popped(area);
		ok(msync(area, SIZE, MS_INVALIDATE) < 0 && errno == EBUSY,
		   "and after the pop");
	} else {
		skip("mlock is not allowed");
	}
	bsp_end();
}

static int policy_of(void *at)
{
	int mode = -1;

	if (syscall(SYS_get_mempolicy, &mode, NULL, 0, at, BY_ADDRESS) < 0)
		return -1;
	return mode;
}

static void with_a_policy(void)
{
	unsigned char *area;
	unsigned long node = 1;

	enter();
	area = map_area(-1);
	if (syscall(SYS_mbind, area, (unsigned long)SIZE, PREFERRED, &node, 8 * sizeof node, 0) ==
	    0) {
		write_directly(area);
		is_int(0, wrong_now(area), "memory with a policy is written to");
		is_int(PREFERRED, policy_of(area + HALF), "the policy stays");
		popped(area);
		is_int(PREFERRED, policy_of(area + HALF), "and after the pop");
	} else {
		skip("mbind is not allowed");
	}
	bsp_end();
}

/* MADV_DONTNEED shows the file again. */
static void of_a_file(void)
{
	unsigned char *area;
	int file = memfd_create("file", 0);

	enter();
	fill(source, SIZE, 4);
	if (write(file, source, SIZE) != SIZE)
		bail("the file cannot be written");
	area = map_area(file);
	write_directly(area);
	is_int(0, wrong_now(area), "a private mapping of a file is written to");
	madvise(area, SIZE, MADV_DONTNEED);
	is_int(0, wrong(area, SIZE, 4), "MADV_DONTNEED shows the file again");
	popped(area);
	bsp_end();
}

/* ---- Limits ------------------------------------------------------------------------------ */

static rlim_t address_space(void)
{
	FILE *statm = fopen("/proc/self/statm", "r");
	unsigned long pages;

	if (!statm || fscanf(statm, "%lu", &pages) != 1)
		bail("no /proc/self/statm");
	fclose(statm);
	return (rlim_t)pages * PAGE;
}

/* There is no room for a second copy. */
static void without_address_space(void)
{
	unsigned char *area = written_directly();
	struct rlimit before, none;

	getrlimit(RLIMIT_AS, &before);
	none = before;
	none.rlim_cur = address_space();
	setrlimit(RLIMIT_AS, &none);
	bsp_pop_reg(area);
	setrlimit(RLIMIT_AS, &before);
	ok(!is_shared(area + HALF), "a limit on address space: private after the pop");
	is_int(0, wrong_now(area), "a limit on address space: the contents stay");
	bsp_sync();
	bsp_end();
}

int main(void)
{
	lives_ok(forked, 0, "fork");
	lives_ok(protected_in_part, 0, "mprotect of a page");
	lives_ok(protected_as_a_whole, 0, "mprotect");
	lives_ok(moved, 0, "mremap to other addresses");
	lives_ok(grown, 0, "mremap to another size");
	lives_ok(removed, 0, "munmap");
	lives_ok(read_by_the_kernel, 0, "reads by the kernel");
	lives_ok(with_a_policy, 0, "mbind");
	lives_ok(of_a_file, 0, "a mapping of a file");
	if (SANITIZED)
		not_applicable("a sanitizer takes address space of its own, and locks nothing");
	if (!SANITIZED) {
		lives_ok(locked, 0, "mlock");
		lives_ok(without_address_space, 0, "a limit on address space");
	}
	return done_testing();
}
