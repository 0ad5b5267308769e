// SPDX-License-Identifier: GPL-2.0-only
/* msg_zerocopy_devmem.c - compiles if a notice may also be about memory of a device. */

#include <linux/skbuff.h>

struct ubuf_info *notice_probe(struct sock *sk);

struct ubuf_info *notice_probe(struct sock *sk)
{
	return msg_zerocopy_realloc(sk, 1, NULL, false);
}
