// SPDX-License-Identifier: BSD-3-Clause
/* offload_kernel.c - schedules run by the kernel: /dev/espgoal, in softirq or by its worker. */

#include "offload.h"

#include "espgoal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { PORT = 2000 };

static int device = -1;
static uint32_t id[OFFLOAD_OPERATIONS], slot[OFFLOAD_OPERATIONS];

static struct sockaddr_en address_of(int rank, unsigned int ifindex)
{
	return (struct sockaddr_en){ .sen_family = AF_ENET,
				     .sen_port = htons(PORT),
				     .sen_ifindex = ifindex,
				     .sen_addrlen = ENET_ADDR_BYTES,
				     .sen_addr = { 2, 0, 0, 0, 1, (unsigned char)(rank + 1) } };
}

static void open_kernel(const struct offload_job *job, void (*meet)(void))
{
	struct sockaddr_en peers[OFFLOAD_PROCESSES];
	struct espgoal_join join = { .version = ESPGOAL_VERSION, .nprocs = (uint32_t)job->nprocs,
				     .rank = (uint32_t)job->rank, .networks = 1, .key = job->key,
				     .peers = (uintptr_t)peers };
	unsigned int ifindex = if_nametoindex("eth0");

	for (int i = 0; i < job->nprocs; i++)
		peers[i] = address_of(i, ifindex);
	device = open("/dev/espgoal", O_RDWR | O_CLOEXEC);
	if (device < 0 || ioctl(device, ESPGOAL_JOIN, &join))
		offload_fail("/dev/espgoal");
	meet();
}

static void load_kernel(int operation, const void *block, size_t len)
{
	struct espgoal_load load = { .block = (uintptr_t)block, .bytes = len };

	if (ioctl(device, ESPGOAL_LOAD, &load))
		offload_fail("ESPGOAL_LOAD");
	id[operation] = load.id;
}

static void start_kernel(int operation, void *source, void *target)
{
	uint64_t buffers[2] = { (uintptr_t)source, (uintptr_t)target };
	struct espgoal_start start = { .id = id[operation], .buffers = (uintptr_t)buffers };

	if (ioctl(device, ESPGOAL_START, &start))
		offload_fail("ESPGOAL_START");
	slot[operation] = start.slot;
}

static void finish_copying(int operation, void *scratch, size_t bytes)
{
	struct espgoal_finish finish = { .slot = slot[operation], .scratch = (uintptr_t)scratch,
					 .scratch_bytes = bytes };

	while (ioctl(device, ESPGOAL_FINISH, &finish))
		if (errno != EINTR)
			offload_fail("ESPGOAL_FINISH");
}

static void finish_kernel(int operation)
{
	finish_copying(operation, NULL, 0);
}

void offload_run_timed(int operation, void *source, void *target, void *out, size_t bytes)
{
	start_kernel(operation, source, target);
	finish_copying(operation, out, bytes);
}

static void set_parameter(const char *path, char value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, &value, 1) != 1)
		offload_fail(path);
	close(fd);
}

void offload_set_softirq(char value)
{
	set_parameter("/sys/module/espgoal/parameters/softirq", value);
}

void offload_set_near(char value)
{
	set_parameter("/sys/module/espgoal/parameters/near", value);
}

/* The same job and schedules, by another parameter. */
static void open_again(const struct offload_job *job, void (*meet)(void))
{
	(void)job;
	(void)meet;
}

static void load_again(int operation, const void *block, size_t len)
{
	(void)operation;
	(void)block;
	(void)len;
}

const struct offload_way offload_softirq = {
	.name = "softirq", .softirq = 'Y',
	.open = open_kernel, .load = load_kernel, .start = start_kernel, .finish = finish_kernel,
};

const struct offload_way offload_worker = {
	.name = "worker", .softirq = 'N',
	.open = open_again, .load = load_again, .start = start_kernel, .finish = finish_kernel,
};
