/* SPDX-License-Identifier: GPL-2.0-only */
/* compat.h - interfaces of the kernel that differ between versions. */

/*
 * The sources use the newest interface; here is what earlier kernels lack of it. have.h is made
 * while the modules are built: it defines HAVE_NAME if NAME.c of this folder compiles. A version
 * number would say less, since distributions add newer interfaces to older kernels.
 */
#ifndef ENET_COMPAT_H
#define ENET_COMPAT_H

#include "have.h"

#include <linux/mm.h>
#include <linux/net.h>
#include <linux/skbuff.h>
#include <linux/timer.h>
#include <linux/memcontrol.h>
#include <net/net_namespace.h>
#include <net/sock.h>

/* 6.3: vm_flags is constant, and functions change it. */
#ifndef HAVE_vm_flags_clear
static inline void vm_flags_clear(struct vm_area_struct *vma, vm_flags_t flags)
{
	vma->vm_flags &= ~flags;
}
#endif

/* 6.5: sendfile() sends pages by sendmsg(), where it did so with one flag, or by sendpage(). */
#ifndef MSG_SPLICE_PAGES
#define MSG_SPLICE_PAGES 0
#endif
#ifndef MSG_SENDPAGE_NOTLAST
#define MSG_SENDPAGE_NOTLAST 0
#endif

/* 6.6: the length of a table of settings is counted; before, an empty entry ends it. */
#ifdef register_net_sysctl
#define COMPAT_CTL_TABLE_END
#else
#define COMPAT_CTL_TABLE_END { }
#endif

/* Without cgroups of memory a socket has none. */
static inline struct mem_cgroup *compat_sk_memcg(const struct sock *sk)
{
#ifdef CONFIG_MEMCG
	return sk->sk_memcg;
#else
	return NULL;
#endif
}

/* Charge @sk, which has not been charged yet, to the cgroup of another socket. */
static inline void compat_sk_inherit_memcg(struct sock *sk, const struct sock *from)
{
#ifdef CONFIG_MEMCG
	if (sk->sk_memcg || !from->sk_memcg)
		return;
	css_get(&from->sk_memcg->css);
	sk->sk_memcg = from->sk_memcg;
#endif
}

/* 6.10: the arguments of accept() in a structure. COMPAT_ACCEPT() goes into a table of calls. */
#ifdef HAVE_proto_accept_arg
#define COMPAT_DEFINE_ACCEPT(call)
#define COMPAT_ACCEPT(call) call
#else
struct proto_accept_arg {
	int flags;
	bool kern;
};
#define COMPAT_DEFINE_ACCEPT(call)                                                             \
	static int call##_compat(struct socket *sock, struct socket *newsock, int flags,       \
				 bool kern)                                                    \
	{                                                                                      \
		struct proto_accept_arg arg = { .flags = flags, .kern = kern };                \
											       \
		return call(sock, newsock, &arg);                                              \
	}
#define COMPAT_ACCEPT(call) call##_compat
#endif

/* 6.16: one more argument. */
static inline struct ubuf_info *compat_msg_zerocopy_alloc(struct sock *sk, size_t size)
{
#ifdef HAVE_msg_zerocopy_devmem
	return msg_zerocopy_realloc(sk, size, NULL, false);
#else
	return msg_zerocopy_realloc(sk, size, NULL);
#endif
}

/* 6.16: the name of from_timer(). */
#ifndef HAVE_timer_container_of
#define timer_container_of from_timer
#endif

/* 6.19: the type of addresses whose length is another argument. */
#ifndef HAVE_sockaddr_unsized
#define sockaddr_unsized sockaddr
#endif

#endif
