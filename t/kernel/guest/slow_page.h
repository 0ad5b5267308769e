/* SPDX-License-Identifier: BSD-3-Clause */
/* slow_page.h - test programs in a guest: memory that a call waits for, as for a page of FUSE. */
#ifndef GUEST_SLOW_PAGE_H
#define GUEST_SLOW_PAGE_H

#include "guest.h"

#include <linux/userfaultfd.h>
#include <poll.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* A page that is missing: a thread that touches it waits for slow_page_fill(). */
struct slow_page {
	int fd;
	unsigned char *at;
	size_t bytes;
};

/* If the kernel has no userfaultfd, @claim is skipped. */
static inline bool slow_page_is_possible(const char *claim)
{
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	bool possible = fd >= 0 || errno != ENOSYS;
	char text[200];

	if (fd >= 0)
		close(fd);
	snprintf(text, sizeof(text), "%s # SKIP no userfaultfd in this kernel", claim);
	return possible || !ok(true, text);
}

static inline struct slow_page slow_page_create(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct slow_page p = { .bytes = (size_t)sysconf(_SC_PAGESIZE) };
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	p.fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	p.at = mmap(NULL, p.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	area.range.start = (uintptr_t)p.at;
	area.range.len = p.bytes;
	if (p.fd < 0 || p.at == MAP_FAILED || ioctl(p.fd, UFFDIO_API, &api) ||
	    ioctl(p.fd, UFFDIO_REGISTER, &area))
		bail("userfaultfd");
	return p;
}

/* Until a thread waits for the page. */
static inline void slow_page_await(const struct slow_page *p)
{
	struct pollfd poll_fd = { .fd = p->fd, .events = POLLIN };
	struct uffd_msg message;

	if (poll(&poll_fd, 1, 10000) != 1 ||
	    read(p->fd, &message, sizeof(message)) != sizeof(message))
		bail("no access to the page");
}

/* @bytes at its beginning, and zeros; the thread goes on. */
static inline void slow_page_fill(const struct slow_page *p, const void *data, size_t bytes)
{
	static unsigned char content[65536] __attribute__((aligned(65536)));
	struct uffdio_copy copy = { .dst = (uintptr_t)p->at, .src = (uintptr_t)content,
				    .len = p->bytes };

	memset(content, 0, sizeof(content));
	memcpy(content, data, bytes);
	if (ioctl(p->fd, UFFDIO_COPY, &copy))
		bail("UFFDIO_COPY");
}

static inline void slow_page_destroy(const struct slow_page *p)
{
	munmap(p->at, p->bytes);
	close(p->fd);
}

#endif
