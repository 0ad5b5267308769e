// SPDX-License-Identifier: GPL-2.0-only
/* esp_cookie.c - numbers by which a listener knows a SYN again of which it has kept nothing. */

#include "esp.h"

#include <linux/etherdevice.h>
#include <linux/random.h>
#include <linux/siphash.h>

/* A cookie is good for this long at least, and for twice this at most. */
#define COOKIE_LIFE (16 * HZ)

static siphash_key_t esp_cookie_key __read_mostly;

void esp_cookie_init(void)
{
	get_random_bytes(&esp_cookie_key, sizeof(esp_cookie_key));
}

static u32 esp_cookie_at(const struct esp_syn *syn, u32 life)
{
	u64 ports = (u64)(__force u16)syn->h->sport << 16 | (__force u16)syn->h->dport;

	u32 cookie = (u32)siphash_4u64(ether_addr_to_u64(syn->from),
				       ports << 32 | (u32)syn->ifindex,
				       (u64)syn->tag << 32 | be32_to_cpu(syn->h->seq), life,
				       &esp_cookie_key);

	return cookie ?: 1;		/* 0 is in the first SYN */
}

u32 esp_cookie_for(const struct esp_syn *syn)
{
	return esp_cookie_at(syn, (u32)(jiffies / COOKIE_LIFE));
}

bool esp_cookie_is_good(const struct esp_syn *syn)
{
	u32 cookie = be32_to_cpu(syn->h->tag), life = (u32)(jiffies / COOKIE_LIFE);

	return cookie == esp_cookie_at(syn, life) || cookie == esp_cookie_at(syn, life - 1);
}
