// SPDX-License-Identifier: BSD-3-Clause
/* esp_auth.c - proofs that the process at the other end of a connection is of the job. */

/*
 * Two processes have a key of 128 bits: the random numbers that both have published in the wire-up,
 * that of the lower rank first. It is not sent again. The hello of a process has a proof of it:
 * SipHash-2-4 over its rank, that of the other, and the tags that both ends have chosen for this
 * connection (ESP_SO_TAGS), its own first. So a recorded hello is worth nothing on another
 * connection, and that of a process is worth nothing if it is sent back to it.
 *
 * A process without the key guesses a proof with a probability of 2^-64. Chunks have no proofs of
 * their own: a host that sees the frames of a connection can insert bytes.
 */

#include "esp.h"

enum { MAGIC = 0x45535048 };

void bspt_esp_share_key(struct bspt_esp *s, int peer, uint64_t mine, uint64_t theirs)
{
	bool first = s->base.me < peer;

	s->peer[peer].key = (struct siphash_key){ { first ? mine : theirs,
						    first ? theirs : mine } };
}

static uint64_t prove(const struct siphash_key *key, uint32_t from, uint32_t to, uint32_t tag_from,
		      uint32_t tag_to)
{
	const uint32_t proved[] = { MAGIC, from, to, tag_from, tag_to };

	return siphash(proved, sizeof(proved), key);
}

/* The tags of a connection that is up. */
static bool get_tags(int fd, struct esp_tags *tags)
{
	socklen_t len = sizeof(*tags);

	return getsockopt(fd, SOL_ENET, ESP_SO_TAGS, tags, &len) == 0;
}

bool bspt_esp_send_hello(const struct bspt_esp *s, int fd, int peer)
{
	struct bspt_esp_hello hello = { .magic = MAGIC, .rank = (uint32_t)s->base.me };
	struct esp_tags tags;

	if (!get_tags(fd, &tags))
		return false;
	hello.proof = prove(&s->peer[peer].key, hello.rank, (uint32_t)peer, tags.here, tags.there);
	/* The first bytes of a connection always have room. */
	return send(fd, &hello, sizeof(hello), MSG_NOSIGNAL) == (ssize_t)sizeof(hello);
}

/* One comparison of words, which takes as long wherever they differ. */
bool bspt_esp_is_authentic(const struct bspt_esp *s, int fd, const struct bspt_esp_hello *hello)
{
	struct esp_tags tags;

	return hello->magic == MAGIC && hello->rank < (uint32_t)s->base.nprocs &&
	       hello->rank != (uint32_t)s->base.me && get_tags(fd, &tags) &&
	       hello->proof == prove(&s->peer[hello->rank].key, hello->rank, (uint32_t)s->base.me,
				     tags.there, tags.here);
}
