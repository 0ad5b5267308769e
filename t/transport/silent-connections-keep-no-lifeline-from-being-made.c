/* SPDX-License-Identifier: BSD-3-Clause */
/* Connections of others that send nothing, or no greeting, keep the first process of a node
 * from none of its own. */
#include "../lib/tap.h"
#include "job/lifeline/lifeline_connect.c"

enum { UNAUTH = 200 };	/* more than there are places for */

static struct bspj_members *members;
static struct bspj_member member[2];
static int node[2], places[2] = { 0, 1 };
static struct bspj_job job = { .me = 0, .nprocs = 2 };
static struct bspj_line line;
static struct bspj_lifeline l;

static void prepare(void)
{
	members = calloc(1, sizeof(*members));
	if (!members)
		bail("no memory");
	members->n = 2;
	members->node = node;
	members->at = places;
	members->member = member;
	for (int p = 0; p < 2; p++) {
		snprintf(members->member[p].host, sizeof(members->member[p].host), "here");
		memset(members->member[p].token, 17 * (p + 1), BSPJ_TOKEN);
		snprintf((char *)members->member[p].token, BSPJ_TOKEN, "%d", (int)getpid());
	}
	job.members = members;
	line = (struct bspj_line){ .fd = -1, .peer = 1 };
	l = (struct bspj_lifeline){
		.job = &job, .parent = -1, .nlines = 1, .lines = &line, .silence_s = tap_limit(10)
	};
}

static int connect_here(void)
{
	struct sockaddr_un name;
	socklen_t len = connect_name_of(&l, 0, &name);
	int fd = new_socket(AF_UNIX);

	if (fd < 0 || connect(fd, (struct sockaddr *)&name, len) < 0)
		bail("no connection to the listener");
	return fd;
}

static void say(int fd, const void *bytes, size_t len)
{
	if (send(fd, bytes, len, MSG_NOSIGNAL) != (ssize_t)len)
		bail("nothing can be said");
}

/* The child comes after @before unauthenticated connections and before @after more. */
static void try_with(int before, int after, const char *malformed, size_t len, const char *what)
{
	struct listeners at = { -1, -1 };
	struct greeting hello = { .from = 1 };
	int others[UNAUTH], n = 0, child;
	unsigned char answer[BSPJ_TOKEN];
	char why[400] = "";

	prepare();
	at.near = listen_near(&l);
	while (n < before)
		others[n++] = connect_here();
	child = connect_here();
	memcpy(hello.token, members->member[0].token, BSPJ_TOKEN);
	say(child, &hello, sizeof(hello));
	while (n < before + after)
		others[n++] = connect_here();
	for (int i = 0; i < n && len; i++)
		say(others[i], malformed, len);
	is_int(0, accept_children(&l, &at, bspt_now_ns(), why, sizeof(why)),
	       "%s: the child is accepted%s", what, why);
	ok(line.fd >= 0 && recv(child, answer, sizeof(answer), 0) == BSPJ_TOKEN, "and answered");
	for (int i = 0; i < n; i++)
		close(others[i]);
	close(child);
	close_if_open(line.fd);
	close(at.near);
	free(members);
}

int main(void)
{
	static const char zeros[3 * sizeof(struct greeting)];

	try_with(0, 0, zeros, 0, "alone");
	try_with(UNAUTH, 0, zeros, 0, "behind silent ones");
	try_with(0, UNAUTH, zeros, 0, "before silent ones");
	try_with(UNAUTH / 2, UNAUTH / 2, zeros, 5, "among some that say too little");
	try_with(UNAUTH / 2, UNAUTH / 2, zeros, sizeof(struct greeting),
		 "among some with another token");
	try_with(UNAUTH / 2, UNAUTH / 2, zeros, sizeof(zeros),
		 "among some that say too much");
	return done_testing();
}
