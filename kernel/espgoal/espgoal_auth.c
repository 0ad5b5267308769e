// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_auth.c - proofs that a connection or a frame is of a process that has the job's key. */

/*
 * The key itself is never sent. Proofs are SipHash-2-4 (Aumasson and Bernstein, 2012) with the
 * job's key, of 64 bits:
 *
 *	EG_HELLO	over both ranks, the network, and the tags that the two ends have chosen for
 *			this connection: a recorded one is worth nothing on another.
 *	a multicast	over all of its frame. A recorded one has a number that has been seen.
 *
 * A host that cannot compute a proof guesses it with a probability of 2^-64. Messages on a
 * connection have no proofs of their own: a host that can record its frames can insert bytes.
 */

#include "espgoal_job.h"

#include <linux/siphash.h>

void eg_auth_init(struct eg_job *job, u64 key)
{
	/* The second half says what the key is used for. */
	job->key = (siphash_key_t){ { key, 0x657370676f616c31ull } };
}

u64 eg_auth_hello(const struct eg_job *job, const struct eg_hello_id *id)
{
	return siphash_4u64((u64)id->from << 32 | id->to, (u64)id->network << 32 | id->grouped,
			    id->tag_from, id->tag_to, &job->key);
}

/* The proof of the data stands for them in that of the head. */
u64 eg_auth_frame(const struct eg_job *job, const struct eg_mcast_frame *frame, const void *data,
		  size_t bytes)
{
	struct eg_mcast_frame proved = *frame;

	proved.proof = cpu_to_le64(siphash(data, bytes, &job->key));
	return siphash(&proved, sizeof(proved), &job->key);
}
