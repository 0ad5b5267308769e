// SPDX-License-Identifier: GPL-2.0-only
/* enet_memory.c - what frames of sockets hold, and the limits of it. */

/*
 * As with TCP and UDP, a frame is charged to the socket in whose queue it is: to that of the sender
 * until it is acknowledged or the device has sent it, to that of the receiver until it is read. All
 * sockets of the family share net.enet.mem, three numbers of pages, and each one's pages count for
 * the memory cgroup of the process that has made it.
 *
 * sk_forward_alloc has its own lock here: frames are charged and freed in any context, also while a
 * call holds the socket, for as long as a page of its buffer takes to come. A user could change it
 * under lock_sock() by SO_RESERVE_MEM. The kernel refuses that where reserved memory would cause
 * pressure, so the kernel's limit of pressure is below all amounts; enet_memory_enter_pressure()
 * compares with the real one. All is scheduled as received, since for streams that send the kernel
 * makes exceptions by an account of TCP's, which is empty here.
 *
 * A cgroup is charged beyond its limit in softirq and under a spinlock, where nothing can be
 * reclaimed. ENET_EXCESS_MOST bounds that: calls reclaim what they can, and what is beyond is
 * refused.
 */

#include "enet_sock.h"

#include <linux/memcontrol.h>
#include <linux/swap.h>
#include <linux/sysctl.h>
#include <linux/vmalloc.h>

enum {
	ENET_EXCESS_MOST = (1 << 20) / PAGE_SIZE,	/* pages */
	ENET_RECLAIM_PAGES = 65,	/* one more than a processor has in reserve for a cgroup */
};

atomic_long_t enet_memory_allocated;
DEFINE_PER_CPU(int, enet_memory_reserve);
struct percpu_counter enet_sockets_allocated;
unsigned long enet_memory_pressure;
int enet_memory_least = 4096;
long enet_memory_limits[3] = { 0, -1, 0 };

static long enet_mem[3];		/* net.enet.mem */

static struct ctl_table enet_memory_table[] = {
	{
		.procname     = "mem",
		.data	      = enet_mem,
		.maxlen	      = sizeof(enet_mem),
		.mode	      = 0644,
		.proc_handler = proc_doulongvec_minmax,
	},
	COMPAT_CTL_TABLE_END
};

static struct ctl_table_header *enet_memory_header;

/* ---- Limits ----------------------------------------------------------------------------- */

void enet_memory_enter_pressure(struct sock *sk)
{
	if (atomic_long_read(&enet_memory_allocated) > READ_ONCE(enet_mem[1]))
		WRITE_ONCE(enet_memory_pressure, 1);
}

static void enet_memory_read_limit(int i)
{
	if (enet_memory_limits[i] != READ_ONCE(enet_mem[i]))
		WRITE_ONCE(enet_memory_limits[i], READ_ONCE(enet_mem[i]));
}

/* Pages by which a cgroup of the socket exceeds its limit. */
static long enet_memory_excess(const struct sock *sk)
{
	long most = 0;
#ifdef CONFIG_MEMCG
	struct mem_cgroup *memcg = READ_ONCE(sk->sk_memcg);

	for (; memcg; memcg = parent_mem_cgroup(memcg))
		most = max(most, (long)page_counter_read(&memcg->memory) -
				 (long)READ_ONCE(memcg->memory.max));
#endif
	return most;
}

/* Without killing a process of the cgroup: what cannot be reclaimed is refused. */
void enet_memory_reclaim(const struct sock *sk)
{
	/* the kernel's own socket may send in softirq */
	if (gfpflags_allow_blocking(sk->sk_allocation) && enet_memory_excess(sk) > 0)
		vfree(__vmalloc(ENET_RECLAIM_PAGES * PAGE_SIZE,
				GFP_KERNEL_ACCOUNT | __GFP_NORETRY | __GFP_NOWARN));
}

/* ---- Charging ------------------------------------------------------------------------------ */

bool enet_memory_charge(struct sock *sk, int bytes)
{
	bool may = true;
	int more;

	spin_lock_bh(&enet_sk(sk)->memory_lock);
	more = bytes - sk->sk_forward_alloc;
	if (more > 0) {
		enet_memory_read_limit(0);
		enet_memory_read_limit(2);
		may = enet_memory_excess(sk) <= ENET_EXCESS_MOST &&
		      __sk_mem_schedule(sk, more, SK_MEM_RECV);
	}
	if (may)
		sk_mem_charge(sk, bytes);
	spin_unlock_bh(&enet_sk(sk)->memory_lock);
	return may;
}

void enet_memory_uncharge(struct sock *sk, int bytes)
{
	spin_lock_bh(&enet_sk(sk)->memory_lock);
	sk_mem_uncharge(sk, bytes);
	spin_unlock_bh(&enet_sk(sk)->memory_lock);
}

static void enet_memory_free_waiting(struct sk_buff *skb)
{
	enet_memory_uncharge(skb->sk, skb->truesize);
}

static void enet_memory_free_received(struct sk_buff *skb)
{
	atomic_sub(skb->truesize, &skb->sk->sk_rmem_alloc);
	enet_memory_uncharge(skb->sk, skb->truesize);
}

static void enet_memory_free_sent(struct sk_buff *skb)
{
	enet_memory_uncharge(skb->sk, skb->truesize);
	sock_wfree(skb);
}

bool enet_memory_own_waiting(struct sock *sk, struct sk_buff *skb)
{
	skb_orphan(skb);
	if (!enet_memory_charge(sk, skb->truesize))
		return false;
	skb->sk = sk;
	skb->destructor = enet_memory_free_waiting;
	return true;
}

bool enet_memory_own_received(struct sock *sk, struct sk_buff *skb)
{
	if (!enet_memory_own_waiting(sk, skb))
		return false;
	skb->destructor = enet_memory_free_received;
	atomic_add(skb->truesize, &sk->sk_rmem_alloc);
	return true;
}

bool enet_memory_own_sent(struct sk_buff *skb)
{
	if (!enet_memory_charge(skb->sk, skb->truesize))
		return false;
	skb->destructor = enet_memory_free_sent;
	return true;
}

/* ---- Begin and end ------------------------------------------------------------------------- */

void enet_memory_open(struct sock *sk)
{
	spin_lock_init(&enet_sk(sk)->memory_lock);
	sk_sockets_allocated_inc(sk);
}

void enet_memory_close(struct sock *sk)
{
	sk_mem_reclaim_final(sk);
	WARN_ON_ONCE(sk->sk_forward_alloc || atomic_read(&sk->sk_rmem_alloc));
	sk_sockets_allocated_dec(sk);
}

/* As UDP has them: three quarters, the whole and one and a half of an eighth of the memory. */
static void enet_memory_set_limits(void)
{
	unsigned long pages = max(nr_free_buffer_pages() / 8, 128ul);

	enet_mem[0] = pages / 4 * 3;
	enet_mem[1] = pages;
	enet_mem[2] = enet_mem[0] * 2;
}

int enet_memory_init(void)
{
	int err = percpu_counter_init(&enet_sockets_allocated, 0, GFP_KERNEL);

	if (err)
		return err;
	enet_memory_set_limits();
	enet_memory_header = register_net_sysctl(&init_net, "net/enet", enet_memory_table);
	if (enet_memory_header)
		return 0;
	percpu_counter_destroy(&enet_sockets_allocated);
	return -ENOMEM;
}

void enet_memory_exit(void)
{
	unregister_net_sysctl_table(enet_memory_header);
	percpu_counter_destroy(&enet_sockets_allocated);
}
