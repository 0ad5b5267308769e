// SPDX-License-Identifier: BSD-3-Clause
/* late.c - a stream is read long after its sender has closed it, and does not wait any more. */

/* usage: late, after cable() of testlib. */

#include "guest.h"

#include <net/if.h>

enum { PORT = 2000, WAIT_S = 70 };	/* a closed connection waits 60 s */

int main(void)
{
	struct sockaddr_en here = address(PORT, 0, NULL), there;
	int a, b, at = socket_in("b", SOCK_STREAM);
	char in[8];

	if (bind(at, generic(&here), sizeof(here)) || listen(at, 1))
		bail("listen");
	a = socket_in("a", SOCK_STREAM);
	there = address(PORT, if_nametoindex("a0"), MAC_B);
	if (connect(a, generic(&there), sizeof(there)) || (b = accept(at, NULL, NULL)) < 0)
		bail("connection");
	is(send(a, "stream", 6, 0), 6, "a stream is sent");
	close(a);
	sleep(WAIT_S);
	is(recv(b, in, sizeof(in), 0), 6, "and read after a minute");
	is(recv(b, in, sizeof(in), 0), 0, "to its end");
	is(recv(b, in, sizeof(in), 0), 0, "again");
	close(b);
	return done_testing();
}
