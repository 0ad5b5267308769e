// SPDX-License-Identifier: BSD-3-Clause
/* esp_goal.c - schedules that the kernel runs, by the device of module espgoal. */

/*
 * Either all processes of a job join the device or none uses it, since kernels then exchange the
 * messages of schedules. A failure after that ends the job.
 *
 * The state of runs is in a page of memory. The device also wakes epoll_wait(), once for each
 * change; as poll() may receive that event, and not only wait(), it is noted (goal_news), and the
 * next wait() returns at once.
 */

#include "esp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
	PAGE = 4096,			/* that the device maps */
	/* of EDP, shared by the kernel's sockets of all jobs of a host */
	GROUP_PORT = ENET_PORT_FIRST_KERNEL + 1,
};

static const char device[] = "/dev/espgoal";
static const char near_file[] = "/sys/module/espgoal/parameters/near";

/* ---- To join ---------------------------------------------------------------- */

uint16_t bspt_esp_goal_port(struct bspt_esp *s)
{
	uint16_t port = 0;

	s->goal = open(device, O_RDWR | O_CLOEXEC);
	return s->goal < 0 || ioctl(s->goal, ESPGOAL_PORT, &port) < 0 ? 0 : port;
}

bool bspt_esp_goal_is_near(void)
{
	char text[8];

	return bspt_system_file(near_file, text, sizeof(text)) && text[0] == 'Y';
}

void bspt_esp_goal_leave(struct bspt_esp *s)
{
	if (s->page)
		munmap((void *)(uintptr_t)s->page, PAGE);
	if (s->goal >= 0)
		close(s->goal);
	s->page = NULL;
	s->goal = -1;
}

/*
 * Locally administered, and of the job; jobs that come to the same one are kept apart by their
 * keys. All hosts of the segment see it.
 */
static struct sockaddr_en group_of(uint64_t group_number, unsigned int ifindex)
{
	struct sockaddr_en group = {
		.sen_family = AF_ENET, .sen_addrlen = ENET_ADDR_BYTES,
		.sen_port = htons(GROUP_PORT), .sen_ifindex = ifindex,
		.sen_addr = { 0x03 },
	};

	for (int i = 1; i < ENET_ADDR_BYTES; i++)
		group.sen_addr[i] = (unsigned char)(group_number >> (8 * i));
	return group;
}

/* Are so many more bytes within RLIMIT_MEMLOCK, or is that no limit for this process? */
static bool may_lock(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	bool may;

	if (at == MAP_FAILED)
		return false;
	may = mlock2(at, bytes, MLOCK_ONFAULT) == 0;
	munmap(at, bytes);
	return may;
}

/*
 * The bytes that the device may pin for this process: less than are left where the process has
 * locked memory itself.
 */
static size_t pinnable(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes;
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit) < 0)
		return 0;
	if (limit.rlim_cur >= SIZE_MAX - page)
		return SIZE_MAX;
	bytes = limit.rlim_cur / page * page;
	if (may_lock(bytes + page))
		return SIZE_MAX;
	while (bytes && !may_lock(bytes))
		bytes = bytes / 2 / page * page;
	return bytes;
}

int bspt_esp_goal_join(struct bspt_esp *s, struct sockaddr_en *peers, uint32_t networks,
		       uint64_t key, uint64_t group_number, unsigned int group_ifindex)
{
	struct espgoal_join join = {
		.version = ESPGOAL_VERSION,
		.nprocs = (uint32_t)s->base.nprocs,
		.rank = (uint32_t)s->base.me,
		.networks = networks,
		.key = key,
		.peers = (uintptr_t)peers,
		.group = group_of(group_number, group_ifindex),
	};
	void *page;

	if (ioctl(s->goal, ESPGOAL_JOIN, &join) < 0)
		return -errno;
	page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, s->goal, 0);
	if (page == MAP_FAILED)
		return -errno;
	s->page = page;
	s->base.pinnable = pinnable();
	return bspt_esp_watch(s, s->goal, BSPT_ESP_GOAL, false);
}

/* ---- What goes wrong ----------------------------------------------------------- */

static void esp_fail(struct bspt_esp *s, const char *what, int err)
{
	char why[BSPT_ESP_WHY];

	snprintf(why, sizeof(why), "%s: %s: %s", device, what, strerror(err));
	if (!s->closing)
		s->lost(-1, why);
}

/* The job has ended in the kernel, and the page says why. */
static void fail_by_page(struct bspt_esp *s)
{
	int err = (int)s->page->error;

	/* Pairs with the release of the kernel: what else the page says is there. */
	atomic_thread_fence(memory_order_acquire);
	if (err == EMSGSIZE && !s->closing)
		s->length_mismatch(s->page->slot, s->page->operation, (int)s->page->from,
				   s->page->bytes);
	esp_fail(s, "a schedule has failed", err);
}

/*
 * The device's calls may be interrupted while they wait for one another, and have done nothing
 * then. 0 or a negative errno.
 */
static int esp_call(struct bspt_esp *s, unsigned long request, void *argument)
{
	while (ioctl(s->goal, request, argument) < 0) {
		if (errno == EINTR)
			continue;
		if (!s->page->error)
			return -errno;
		fail_by_page(s);
		return -ESHUTDOWN;
	}
	return 0;
}

void bspt_esp_goal_receive(struct bspt_esp *s)
{
	s->goal_news = true;
	if (s->page->error)
		fail_by_page(s);
}

/* ---- Schedules ------------------------------------------------------------------- */

int bspt_esp_schedule_load(struct bspt *t, const void *block, size_t len, uint32_t *schedule)
{
	struct espgoal_load load = { .block = (uintptr_t)block, .bytes = len };
	int err = esp_call(bspt_esp_of(t), ESPGOAL_LOAD, &load);

	*schedule = load.id;
	return err;
}

int bspt_esp_schedule_start(struct bspt *t, uint32_t schedule, void *const *buffers,
			    const struct bspt_run_memory *memory, uint32_t *run)
{
	struct espgoal_start start = {
		.id = schedule, .buffers = (uintptr_t)buffers,
		.scratch = (uintptr_t)memory->scratch, .scratch_bytes = memory->scratch_bytes,
		.copy = (uintptr_t)memory->copy, .copy_bytes = memory->copy_bytes,
	};
	int err = esp_call(bspt_esp_of(t), ESPGOAL_START, &start);

	*run = start.slot;
	return err;
}

bool bspt_esp_schedule_over(struct bspt *t, uint32_t run)
{
	uint32_t state = bspt_esp_of(t)->page->state[run];

	if (state == ESPGOAL_RUNNING)
		return false;
	/* Pairs with the release of the kernel: what the schedule wrote is there. */
	atomic_thread_fence(memory_order_acquire);
	if (state == ESPGOAL_FAILED)
		fail_by_page(bspt_esp_of(t));
	return true;
}

uint64_t bspt_esp_schedule_finish(struct bspt *t, uint32_t run,
				  const struct bspt_run_memory *memory)
{
	struct espgoal_finish finish = {
		.slot = run,
		.scratch = (uintptr_t)memory->scratch, .scratch_bytes = memory->scratch_bytes,
		.copy = (uintptr_t)memory->copy, .copy_bytes = memory->copy_bytes,
	};
	uint64_t over_ns = bspt_esp_of(t)->page->over_ns[run];
	int err = esp_call(bspt_esp_of(t), ESPGOAL_FINISH, &finish);

	if (err)
		esp_fail(bspt_esp_of(t), "a run cannot be ended", -err);
	return over_ns;
}

void bspt_esp_schedule_unload(struct bspt *t, uint32_t schedule)
{
	int err = esp_call(bspt_esp_of(t), ESPGOAL_UNLOAD, &schedule);

	if (err)
		esp_fail(bspt_esp_of(t), "a schedule cannot be unloaded", -err);
}
