// SPDX-License-Identifier: BSD-3-Clause
/* memberships.c - multicast groups of interfaces that are no Ethernet, that move, and that are made
 * again. */

/* usage: memberships [tunnel], after cable() of testlib, with a namespace c, and the modules tun
 * and, with a tunnel, ip6_tunnel. */

#include "guest.h"

#include <linux/if_tun.h>
#include <net/if.h>
#include <sys/ioctl.h>

static const char group[] = "03:00:00:00:00:05", group_hex[] = "030000000005";

/* How many members of the group @interface of host a has. */
static int users(const char *interface)
{
	char line[200], name[32];
	int n = 0, sum = 0;
	FILE *f;

	enter("a");
	f = fopen("/proc/net/dev_mcast", "r");
	if (!f)
		bail("/proc/net/dev_mcast");
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%*d %31s %d", name, &n) == 2 && !strcmp(name, interface) &&
		    strstr(line, group_hex))
			sum += n;
	fclose(f);
	return sum;
}

static int set_group(int fd, int option, unsigned int ifindex)
{
	struct sockaddr_en en = address(0, ifindex, group);

	return setsockopt(fd, SOL_ENET, option, &en, sizeof(en));
}

/* On an interface of host a. */
static int joined(const char *interface)
{
	int fd = socket_in("a", SOCK_DGRAM);

	if (set_group(fd, EDP_SO_JOIN, if_nametoindex(interface)))
		bail("EDP_SO_JOIN");
	return fd;
}

static unsigned int index_of(const char *interface)
{
	enter("a");
	return if_nametoindex(interface);
}

static void groups_are_left_and_closed(void)
{
	int fd = joined("a0"), other = joined("a0");

	is(users("a0"), 2, "an interface counts who has joined a group");
	is(set_group(fd, EDP_SO_LEAVE, index_of("a0")), 0, "one leaves");
	is(users("a0"), 1, "and the other stays");
	close(fd);
	is(users("a0"), 1, "also when the first one closes");
	close(other);
	is(users("a0"), 0, "the last one leaves nothing");
}

/* ---- Addresses of other lengths ------------------------------------------------------- */

static void is_refused(const char *interface, const char *what)
{
	int fd = socket_in("a", SOCK_DGRAM), result, err;
	unsigned int ifindex = if_nametoindex(interface);

	if (!ifindex)
		bail(interface);
	result = set_group(fd, EDP_SO_JOIN, ifindex);
	err = errno;
	if (!ok(result == -1 && (err == EINVAL || err == ENODEV), what))
		printf("# returned %d, %s\n", result, result ? strerror(err) : "");
	is(users(interface), 0, "and nothing is in the list of the interface");
	close(fd);
	is(users(interface), 0, "nor after close()");
}

static int open_tun(void)
{
	struct ifreq ifr = { .ifr_name = "tun0", .ifr_flags = IFF_TUN };
	int fd;

	enter("a");
	fd = open("/dev/net/tun", O_RDWR);
	if (fd < 0 || ioctl(fd, TUNSETIFF, &ifr))
		bail("tun");
	return fd;
}

static void groups_are_of_ethernet(bool tunnel)
{
	int tun = open_tun();

	if (tunnel)
		is_refused("ip6tnl0", "an interface with addresses of 16 bytes has no groups");
	is_refused("tun0", "nor has one without addresses");
	close(tun);
}

/* ---- Interfaces that go and return --------------------------------------------------------- */

static const char move[] = "/sbin/ip -n a link set a0 netns c && "
			   "/sbin/ip -n c link set a0 netns a && /sbin/ip -n a link set a0 up";

/* With the number that it had. */
static void run(const char *command)
{
	unsigned int ifindex = index_of("a0");

	if (system(command) || index_of("a0") != ifindex)
		bail(command);
}

static void memberships_end(const char *command, const char *what)
{
	int fd = joined("a0"), other;
	char text[120];

	run(command);
	snprintf(text, sizeof(text), "an interface that %s has no members", what);
	is(users("a0"), 0, text);
	is(set_group(fd, EDP_SO_JOIN, index_of("a0")), 0, "a socket joins again");
	is(users("a0"), 1, "which counts");
	other = joined("a0");
	close(fd);
	is(users("a0"), 1, "when it closes, another socket stays in the group");
	close(other);
	is(users("a0"), 0, "until it closes as well");
}

static void others_stay(const char *command, const char *what)
{
	int fd = joined("a0"), third = joined("a0"), other;
	char text[120];

	run(command);
	other = joined("a0");
	set_group(fd, EDP_SO_LEAVE, index_of("a0"));
	snprintf(text, sizeof(text), "a member from before the interface %s leaves alone", what);
	is(users("a0"), 1, text);
	close(fd);
	close(third);
	is(users("a0"), 1, "or closes");
	close(other);
	is(users("a0"), 0, "nothing is left");
}

int main(int argc, char **argv)
{
	bool tunnel = argc > 1 && strcmp(argv[1], "tunnel") == 0;
	char again[300];

	snprintf(again, sizeof(again),
		 "/sbin/ip -n a link del a0 && /sbin/ip link add a0 index %u netns a address %s "
		 "type veth peer name b0 address %s netns b && /sbin/ip -n a link set a0 up",
		 index_of("a0"), MAC_A, MAC_B);
	groups_are_left_and_closed();
	groups_are_of_ethernet(tunnel);
	memberships_end(move, "was moved");
	others_stay(move, "was moved");
	memberships_end(again, "was made again");
	others_stay(again, "was made again");
	return done_testing();
}
