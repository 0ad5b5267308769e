/* SPDX-License-Identifier: BSD-3-Clause */
/* BSP_INTERFACE allows addresses by the name of their interface, or by a subnet of either kind. */
#include "transport/interface.h"
#include "../lib/tap.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

static bool allows(const char *list, const char *name, const char *address)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };

	if (inet_pton(AF_INET, address, &v4.sin_addr) == 1)
		return bspt_interface_allows(list, name, (struct sockaddr *)&v4);
	if (inet_pton(AF_INET6, address, &v6.sin6_addr) != 1)
		bail("no address: %s", address);
	return bspt_interface_allows(list, name, (struct sockaddr *)&v6);
}

int main(void)
{
	static const char *const wrong[] = {
		"10.1.2.3", "10.1.0.0/", "10.1.0.0/33", "10.1.0.0/-1", "10.1.0.0/16x", "10.1/16",
		"/16", ",", "fd00::/8",
		"a-name-that-is-longer-than-an-interface-or-a-subnet-can-be-in-a-list/16",
	};

	ok(allows("", "eth0", "10.1.2.3") && allows(NULL, "eth0", "10.1.2.3"), "no list, all");
	ok(allows("eth0", "eth0", "10.1.2.3"), "a name");
	ok(!allows("eth0", "eth01", "10.1.2.3"), "and not a longer one");
	ok(!allows("eth01", "eth0", "10.1.2.3"), "nor a shorter one");
	ok(allows("ib0,eth0", "eth0", "fd00::1"), "the second of a list");
	ok(allows("10.1.0.0/16", "eth0", "10.1.2.3"), "a subnet");
	ok(!allows("10.1.0.0/16", "eth0", "10.2.2.3"), "and no other");
	ok(allows("10.1.2.2/31", "eth0", "10.1.2.3"), "bits that end inside of a byte");
	ok(!allows("10.1.2.2/31", "eth0", "10.1.2.4"), "and no more");
	ok(allows("0.0.0.0/0", "eth0", "10.1.2.3"), "all of IPv4");
	ok(!allows("0.0.0.0/0", "eth0", "fd00::1"), "is none of IPv6");
	ok(allows("fd00::/8", "eth0", "fd12::1"), "a subnet of IPv6");
	ok(!allows("fd00::/8", "eth0", "fe80::1"), "and no other");
	ok(allows("fd00::1/128", "eth0", "fd00::1"), "one address");
	ok(!bspt_interface_allows("10.1.0.0/16", "eth0", NULL), "no address is in a subnet");
	ok(bspt_interface_allows("eth0", "eth0", NULL), "but has a name");
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		ok(!allows(wrong[i], "eth0", "10.1.2.3"), "not \"%s\"", wrong[i]);
	return done_testing();
}
