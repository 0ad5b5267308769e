// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_socket.c - creates the sockets of a job, attaches them to it, releases them. */

#include "espgoal_job.h"

#include <net/sock.h>

void eg_socket_attach(struct eg_job *job, struct socket *sock, void (*callback)(struct sock *sk),
		      void *owner)
{
	struct sock *sk = sock->sk;

	write_lock_bh(&sk->sk_callback_lock);
	job->callbacks = (struct eg_callbacks){ sk->sk_data_ready, sk->sk_write_space,
					    sk->sk_state_change, sk->sk_error_report };
	sk->sk_user_data = owner;
	sk->sk_data_ready = callback;
	sk->sk_state_change = callback;
	sk->sk_error_report = callback;
	write_unlock_bh(&sk->sk_callback_lock);
}

/*
 * After this no callback reaches the job: callbacks hold the lock that is taken here. Nor does one
 * reach this module, which a connection may outlive until its data are delivered. Frames that
 * arrive meanwhile wait until the socket is unlocked: those call back with its lock held, and read
 * which function without the other one.
 */
void eg_socket_release(struct eg_job *job, struct socket *sock)
{
	struct sock *sk;

	if (!sock)
		return;
	sk = sock->sk;
	lock_sock(sk);
	write_lock_bh(&sk->sk_callback_lock);
	sk->sk_user_data = NULL;
	sk->sk_data_ready = job->callbacks.data_ready;
	sk->sk_write_space = job->callbacks.write_space;
	sk->sk_state_change = job->callbacks.state_change;
	sk->sk_error_report = job->callbacks.error_report;
	write_unlock_bh(&sk->sk_callback_lock);
	release_sock(sk);
	sock_release(sock);
}

int eg_socket_create(struct eg_job *job, void (*callback)(struct sock *sk), void *owner,
		     struct socket **sock)
{
	unsigned int ms = job->timeout_ms;
	int err = sock_create_kern(job->net, enet_family, SOCK_STREAM, 0, sock);

	if (err)
		return err;
	/* The worker is of no cgroup; listeners have been made in a call of the process. */
	if (job->listener[0])
		compat_sk_inherit_memcg((*sock)->sk, job->listener[0]->sk);
	eg_socket_attach(job, *sock, callback, owner);
	if (ms)			/* accepted connections inherit it from their listener */
		err = (*sock)->ops->setsockopt(*sock, SOL_ENET, ESP_SO_TIMEOUT,
					       KERNEL_SOCKPTR(&ms), sizeof(ms));
	if (err)
		eg_socket_release(job, *sock);
	return err;
}
