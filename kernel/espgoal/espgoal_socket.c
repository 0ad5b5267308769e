// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_socket.c - sockets of the job: made, attached to it, released. */

#include "espgoal_job.h"

#include <net/sock.h>

void eg_socket_attach(struct eg_job *job, struct socket *sock, void (*tell)(struct sock *sk), void *whom)
{
	struct sock *sk = sock->sk;

	write_lock_bh(&sk->sk_callback_lock);
	job->callbacks = (struct eg_callbacks){ sk->sk_data_ready, sk->sk_write_space,
					    sk->sk_state_change, sk->sk_error_report };
	sk->sk_user_data = whom;
	sk->sk_data_ready = tell;
	sk->sk_state_change = tell;
	sk->sk_error_report = tell;
	write_unlock_bh(&sk->sk_callback_lock);
}

/*
 * After this no callback reaches the job: those under way hold the lock that is taken here. Nor does any reach this
 * module, which the connection may outlive until all it has to send has arrived.
 */
void eg_socket_release(struct eg_job *job, struct socket *sock)
{
	struct sock *sk;

	if (!sock)
		return;
	sk = sock->sk;
	write_lock_bh(&sk->sk_callback_lock);
	sk->sk_user_data = NULL;
	sk->sk_data_ready = job->callbacks.data_ready;
	sk->sk_write_space = job->callbacks.write_space;
	sk->sk_state_change = job->callbacks.state_change;
	sk->sk_error_report = job->callbacks.error_report;
	write_unlock_bh(&sk->sk_callback_lock);
	sock_release(sock);
}

/* Those that are accepted have it from their listener. */
static int eg_socket_set_timeout(const struct eg_job *job, struct socket *sock)
{
	unsigned int ms = job->timeout_ms;

	return ms ? sock->ops->setsockopt(sock, SOL_ENET, ESP_SO_TIMEOUT, KERNEL_SOCKPTR(&ms), sizeof(ms)) : 0;
}

int eg_socket_create(struct eg_job *job, void (*tell)(struct sock *sk), struct socket **sock)
{
	int err = sock_create_kern(job->net, enet_family, SOCK_STREAM, 0, sock);

	if (err)
		return err;
	eg_socket_attach(job, *sock, tell, job);
	err = eg_socket_set_timeout(job, *sock);
	if (err)
		eg_socket_release(job, *sock);
	return err;
}
