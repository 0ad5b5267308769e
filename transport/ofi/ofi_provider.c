// SPDX-License-Identifier: BSD-3-Clause
/* ofi_provider.c - which provider of libfabric, and which of the addresses of this machine. */

/*
 * libfabric lists every pair of provider and address. The rule, the first that decides:
 *   1. a provider that BSP_OFI_PROVIDER names, by its whole name or by what precedes the first
 *	semicolon ("tcp" for "tcp;ofi_rxm"); without a name, any;
 *   2. none that reaches only this machine (shm, loopback addresses), if others are in the job,
 *	and no address that BSP_INTERFACE does not allow, or that another machine of the job has as
 *	well (transport/duplicate.h);
 *   3. fabrics with hardware of their own before tcp, tcp before net, net before udp, udp before
 *	sockets, and shm last: it leaves files behind when a process is killed;
 *   4. a provider itself before one with a layer above it, ofi_rxm before ofi_rxd;
 *   5. loopback if all processes are on this machine, so that no other machine can connect to them,
 *	unless a setting of libfabric names an interface (FI_TCP_IFACE);
 *	then an IPv4 address of the interface of the default route, then any IPv4 address,
 *	then IPv6; never a link-local address, which needs an interface to be of use elsewhere;
 *   6. the order of libfabric.
 * Beside loopback libfabric lists only the interfaces that its own settings allow, so these win.
 */

#include "ofi.h"

#include "transport/duplicate.h"
#include "transport/interface.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEVER = 1000, LIST_MOST = 160, UNIVERSE_LEAST = 16, UNIVERSE_MOST = 256 };

/* ---- Providers ----------------------------------------------------------- */

/* The length of the name before its layers. */
static size_t core_len(const char *name)
{
	return strcspn(name, ";");
}

static bool core_is(const struct fi_info *info, const char *core)
{
	const char *name = info->fabric_attr->prov_name;

	return core_len(name) == strlen(core) && !strncmp(name, core, strlen(core));
}

static bool ofi_is_named(const struct fi_info *info, const char *want)
{
	return !*want || !strcmp(info->fabric_attr->prov_name, want) || core_is(info, want);
}

static int rank_of_provider(const struct fi_info *info)
{
	static const char *const known[] = { "tcp", "net", "udp", "sockets", "shm" };
	const char *name = info->fabric_attr->prov_name;
	int layers = strstr(name, "ofi_rxd") ? 2 : strchr(name, ';') ? 1 : 0;

	for (int i = 0; i < (int)(sizeof(known) / sizeof(known[0])); i++)
		if (core_is(info, known[i]))
			return (i + 1) * 10 + layers;
	return layers;
}

bool bspt_ofi_over_tcp(const struct fi_info *info)
{
	return core_is(info, "tcp") || core_is(info, "net") || core_is(info, "sockets");
}

bool bspt_ofi_has_rma(const struct fi_info *info)
{
	return (info->caps & FI_RMA) && info->domain_attr->cq_data_size >= sizeof(uint32_t);
}

bool bspt_ofi_has_data(const struct fi_info *info)
{
	return info->domain_attr->cq_data_size >= sizeof(uint64_t);
}

/* ---- Addresses ----------------------------------------------------------- */

static bool same_address(const struct sockaddr *a, const struct sockaddr *b)
{
	const struct sockaddr_in *a4 = (const void *)a, *b4 = (const void *)b;
	const struct sockaddr_in6 *a6 = (const void *)a, *b6 = (const void *)b;

	if (!b || a->sa_family != b->sa_family)
		return false;
	if (a->sa_family == AF_INET)
		return a4->sin_addr.s_addr == b4->sin_addr.s_addr;
	return !memcmp(&a6->sin6_addr, &b6->sin6_addr, sizeof(a6->sin6_addr));
}

static bool belongs_to(const struct ifaddrs *all, const struct sockaddr *address,
		       const char *interface)
{
	for (const struct ifaddrs *at = all; at; at = at->ifa_next)
		if (!strcmp(at->ifa_name, interface) && same_address(address, at->ifa_addr))
			return true;
	return false;
}

/* Has the user set a parameter of this provider, as IFACE of tcp by FI_TCP_IFACE? */
static bool parameter_is_set(const struct fi_info *info, const char *parameter)
{
	const char *core = info->fabric_attr->prov_name, *value;
	char name[80];
	int n = snprintf(name, sizeof(name), "FI_%.*s_%s", (int)core_len(core), core, parameter);

	for (int i = 0; i < n && i < (int)sizeof(name); i++)
		if (name[i] >= 'a' && name[i] <= 'z')	/* in any locale */
			name[i] = (char)(name[i] - 'a' + 'A');
	value = getenv(name);
	return value && *value;
}

/* The kind of address of IP that it has, AF_INET or AF_INET6; AF_UNSPEC: none. */
static int ip_family(const struct fi_info *info)
{
	const struct sockaddr *a = info->src_addr;

	if (!a || (info->addr_format != FI_SOCKADDR_IN && info->addr_format != FI_SOCKADDR_IN6 &&
		   info->addr_format != FI_SOCKADDR))
		return AF_UNSPEC;
	return a->sa_family == AF_INET || a->sa_family == AF_INET6 ? a->sa_family : AF_UNSPEC;
}

int bspt_ofi_socket_type(const struct fi_info *info)
{
	if (ip_family(info) == AF_UNSPEC || parameter_is_set(info, "PORT_LOW_RANGE") ||
	    parameter_is_set(info, "PORT_HIGH_RANGE"))
		return 0;
	return bspt_ofi_over_tcp(info) ? SOCK_STREAM : core_is(info, "udp") ? SOCK_DGRAM : 0;
}

/* @best: the interface of the default route, one of @all */
static int rank_of_address(const struct fi_info *info, enum ofi_reach reach,
			   const struct ifaddrs *all, const char *best)
{
	const struct sockaddr_in *a4 = info->src_addr;
	const struct sockaddr_in6 *a6 = info->src_addr;
	bool later = ip_family(info) == AF_INET6;	/* each rank is after that of IPv4 */
	int named = parameter_is_set(info, "IFACE") ? 8 : 0;
	bool loopback;

	if (core_is(info, "shm"))
		return reach == OFI_MANY ? NEVER : 0;
	if (ip_family(info) == AF_UNSPEC)
		return 0;
	if (later && IN6_IS_ADDR_LINKLOCAL(&a6->sin6_addr))
		return NEVER;
	loopback = later ? IN6_IS_ADDR_LOOPBACK(&a6->sin6_addr) :
			   ntohl(a4->sin_addr.s_addr) >> 24 == 127;
	if (loopback)
		return reach == OFI_MANY ? NEVER : named + later;
	return (belongs_to(all, info->src_addr, best) ? 2 : 3) + 2 * later;
}

/* ---- Choosing ------------------------------------------------------------ */

/* Modes that this transport supports: the provider says which of them it needs. */
static struct fi_info *make_hints(uint64_t caps)
{
	struct fi_info *hints = fi_allocinfo();

	if (!hints)
		return NULL;
	hints->ep_attr->type = FI_EP_RDM;
	hints->caps = caps;
	hints->mode = FI_CONTEXT | FI_CONTEXT2;
	hints->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED |
				      FI_MR_PROV_KEY | FI_MR_ENDPOINT;
	hints->domain_attr->threading = FI_THREAD_DOMAIN;
	hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
	hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
	return hints;
}

/* NULL: there is nothing. Callers free it. */
static struct fi_info *list_with(uint64_t caps)
{
	struct fi_info *hints = make_hints(caps), *list = NULL;

	if (!hints)
		return NULL;
	if (fi_getinfo(FI_VERSION(1, 11), NULL, NULL, 0, hints, &list) != 0)
		list = NULL;
	fi_freeinfo(hints);
	return list;
}

/*
 * Between nodes: an address on an interface that the user allows and of this machine alone, or none
 * of IP.
 */
static bool is_allowed(const struct fi_info *info, const struct ofi_request *r,
		       const struct ifaddrs *all)
{
	const struct sockaddr *address = info->src_addr;

	if (r->reach != OFI_MANY || ip_family(info) == AF_UNSPEC)
		return true;
	if (bspt_duplicate_has(r->duplicates, address))
		return false;
	if (!r->networks || !*r->networks || !all)
		return true;
	for (const struct ifaddrs *at = all; at; at = at->ifa_next)
		if (same_address(address, at->ifa_addr) &&
		    bspt_interface_allows(r->networks, at->ifa_name, address))
			return true;
	return false;
}

static const struct fi_info *best_of(const struct fi_info *list, const char *want,
				     const struct ofi_request *r, const struct ifaddrs *all)
{
	const struct fi_info *best = NULL;
	char interface[IF_NAMESIZE];
	int least = NEVER * NEVER;

	bspt_interface_default(interface);
	for (const struct fi_info *at = list; at; at = at->next) {
		int address = rank_of_address(at, r->reach, all, interface);
		int rank = rank_of_provider(at) * NEVER + address;

		if (!ofi_is_named(at, want) || address >= NEVER || rank >= least)
			continue;
		if (!is_allowed(at, r, all))
			continue;
		if ((at->caps & FI_RMA) && !bspt_ofi_has_rma(at))
			continue;
		best = at;
		least = rank;
	}
	return best;
}

static bool is_listed(const struct fi_info *list, const char *want)
{
	for (const struct fi_info *at = list; at; at = at->next)
		if (ofi_is_named(at, want))
			return true;
	return false;
}

/* The names of the providers that would do, for messages. */
static void put_names(const struct fi_info *list, enum ofi_reach reach, char *names)
{
	size_t used = 0;

	names[0] = '\0';
	for (const struct fi_info *at = list; at; at = at->next) {
		const char *name = at->fabric_attr->prov_name;
		char quoted[64];

		snprintf(quoted, sizeof(quoted), "'%.60s'", name);
		if (strstr(names, quoted) || rank_of_address(at, reach, NULL, "") >= NEVER)
			continue;
		if (used + strlen(quoted) + 3 > LIST_MOST)
			return;
		used += (size_t)snprintf(names + used, LIST_MOST - used, "%s%s", used ? ", " : "",
					 quoted);
	}
	if (!used)
		snprintf(names, LIST_MOST, "none; fi_info -l lists what libfabric knows");
}

/* Why none of @list is to be had: it is not there, cannot do it, or does not get far enough. */
static void ofi_explain(const struct fi_info *list, const char *want, const struct ofi_request *r,
			char *why, size_t len)
{
	struct fi_info *all = NULL;
	char names[LIST_MOST], duplicates[LIST_MOST];

	put_names(list, r->reach, names);
	bspt_duplicate_list(r->duplicates, "", duplicates, sizeof(duplicates));
	if (fi_getinfo(FI_VERSION(1, 11), NULL, NULL, 0, NULL, &all) != 0)
		all = NULL;
	if (is_listed(list, want))
		snprintf(why, len,
			 "%s%s%s reaches only this machine, and the job has processes on others; "
			 "is an interface up that BSP_INTERFACE, FI_TCP_IFACE and the like "
			 "allow%s%s%s? There are: %s",
			 *want ? "provider '" : "every provider of libfabric", want,
			 *want ? "'" : "",
			 *duplicates ? " and at which no other host of the job is (several are at "
				     : "",
			 duplicates, *duplicates ? ")" : "", names);
	else if (!*want)
		snprintf(why, len,
			 "libfabric has no provider with reliable-datagram endpoints here "
			 "(FI_PROVIDER may exclude them; see fi_info -t FI_EP_RDM)");
	else if (is_listed(all, want))
		snprintf(why, len,
			 "provider '%s' lacks reliable-datagram endpoints (FI_EP_RDM) with FI_MSG "
			 "and FI_RMA or FI_TAGGED; set BSP_OFI_PROVIDER to one of: %s",
			 want, names);
	else
		snprintf(why, len,
			 "libfabric has no provider '%s' here; set BSP_OFI_PROVIDER to one of: %s",
			 want, names);
	fi_freeinfo(all);
}

/*
 * The queue of completions of ofi_rxm over tcp is a ring with room for those of FI_UNIVERSE_SIZE
 * processes, 48 kB for each; in time it uses all of it. By default that is 256 processes, 12 MB.
 * Completions that find the ring full are kept beside it, so more than those 256 need not be said.
 */
static void set_size(int nprocs)
{
	int known = nprocs < UNIVERSE_LEAST ? UNIVERSE_LEAST
					    : nprocs < UNIVERSE_MOST ? nprocs : UNIVERSE_MOST;
	char text[16];

	snprintf(text, sizeof(text), "%d", known);
	setenv("FI_UNIVERSE_SIZE", text, 0);
}

/*
 * A cache of registrations cannot know of all the ways in which memory comes and goes, and
 * returns data of pages that are no longer there; we register for each transfer, and buffers once.
 * The queues of ofi_rxm's connections are 50 MB by default; these lose nothing that we measured.
 * libfabric reads all this when it is first asked for something, and not again.
 */
static void set_environment(int nprocs)
{
	setenv("FI_MR_CACHE_MONITOR", "disabled", 1);
	setenv("FI_OFI_RXM_MSG_TX_SIZE", "128", 0);
	setenv("FI_OFI_RXM_MSG_RX_SIZE", "128", 0);
	set_size(nprocs);
}

int bspt_ofi_choose(const struct ofi_request *r, struct fi_info **out, char *why, size_t len)
{
	static const uint64_t caps[] = { FI_MSG | FI_RMA, FI_MSG | FI_TAGGED };
	const char *want = r->provider ? r->provider : "";
	struct fi_info *list = NULL;
	const struct fi_info *best = NULL;
	struct ifaddrs *all = NULL;	/* asked for once: libfabric may list many addresses */

	if (getifaddrs(&all) < 0)
		all = NULL;
	set_environment(r->nprocs);
	for (int i = 0; i < 2 && !best; i++) {
		fi_freeinfo(list);
		list = list_with(caps[i]);
		best = best_of(list, want, r, all);
	}
	if (all)
		freeifaddrs(all);
	*out = best ? fi_dupinfo(best) : NULL;
	if (!best)
		ofi_explain(list, want, r, why, len);
	fi_freeinfo(list);
	if (!best)
		return -ENODEV;
	return *out ? 0 : -ENOMEM;
}

/* ---- The choice in words --------------------------------------------------- */

/* The name of the interface that has @address. */
static void put_interface(const struct sockaddr *address, char name[IF_NAMESIZE])
{
	struct ifaddrs *all;

	snprintf(name, IF_NAMESIZE, "?");
	if (getifaddrs(&all) < 0)
		return;
	for (const struct ifaddrs *at = all; at; at = at->ifa_next)
		if (same_address(address, at->ifa_addr))
			snprintf(name, IF_NAMESIZE, "%.*s", IF_NAMESIZE - 1, at->ifa_name);
	freeifaddrs(all);
}

static const char *why_interface(const struct ofi_request *r, const struct fi_info *info,
				 const char *interface)
{
	char best[IF_NAMESIZE];

	if (parameter_is_set(info, "IFACE"))
		return "a setting of libfabric names it";
	if (r->reach == OFI_ONE_MACHINE)
		return "all processes are on this machine";
	if (r->networks && *r->networks)
		return "BSP_INTERFACE allows it";
	bspt_interface_default(best);
	return strcmp(best, interface) == 0 ? "it has the default route" :
					      "the first that other hosts reach";
}

void bspt_ofi_put_choice(const struct ofi_request *r, const struct fi_info *info, char *text,
			 size_t len)
{
	char interface[IF_NAMESIZE], address[INET6_ADDRSTRLEN] = "?";
	int n = snprintf(text, len, "provider %s (%s)", info->fabric_attr->prov_name,
			 r->provider && *r->provider ? "BSP_OFI_PROVIDER" : "the best there is");
	const struct sockaddr_in *a4 = info->src_addr;
	const struct sockaddr_in6 *a6 = info->src_addr;

	if (ip_family(info) == AF_UNSPEC || n >= (int)len)
		return;
	put_interface(info->src_addr, interface);
	if (a4->sin_family == AF_INET)
		inet_ntop(AF_INET, &a4->sin_addr, address, sizeof(address));
	else
		inet_ntop(AF_INET6, &a6->sin6_addr, address, sizeof(address));
	snprintf(text + n, len - (size_t)n, ", address %s of %s (%s)", address, interface,
		 why_interface(r, info, interface));
}
