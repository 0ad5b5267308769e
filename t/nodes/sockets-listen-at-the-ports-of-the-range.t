#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# BSP_PORTS: every socket that waits for other nodes, of the job and of mpirun, is in the range.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/nodes.sh"
. "$top_srcdir/t/lib/installed.sh"

need_launcher
has_transport ofi || skip_all "no libfabric here"
strace -o /dev/null true 2>/dev/null || skip_all "no strace here"
make_nodes 2
write_ring ring.c
bspcc -o ring ring.c || bail "ring does not compile"
four="0 after 3, size 4
1 after 0, size 4
2 after 1, size 4
3 after 2, size 4"

# traced OPTION...: ring over both nodes, and every socket of mpirun, its daemons and the processes
traced()
{
	rm -f trace.*
	on_node node1 timeout -k 5 "$(limit)" strace -ff -o trace --seccomp-bpf \
		-e trace=socket,bind,listen bsprun -H node1:2,node2:2 "$@" ./ring >output 2>errors
}

# stays_inside TRANSPORT LEAST OPTION...: LEAST sockets or more
stays_inside()
{
	transport=$1 least=$2
	shift 2
	traced -x BSP_PORTS=20000-20100 --transport "$transport" "$@"
	is "0 $four" "$? $(sort output)" "$transport $*: the job runs" || diag "$(cat errors)"
	none "$(outside 20000 20100)" "$transport $*: no socket is outside of the range"
	n=$(ports | wc -l)
	test "$n" -ge "$least"
	ok $? "$transport $*: mpirun, its daemon, the lifeline and each process have one ($n)"
}

traced --transport ofi -x BSP_OFI_PROVIDER=tcp
test "$(outside 20000 20100 | wc -l)" -ge 7
ok $? "without BSP_PORTS they are anywhere" || diag "$(ports)"
stays_inside ofi 7 -x BSP_OFI_PROVIDER=tcp
stays_inside ofi 7 -x BSP_OFI_PROVIDER=udp
if has_transport mpi; then
	stays_inside mpi 7
else
	skip "no bsp-$(plugin_of mpi).so here"
fi

# Other jobs have some of the ports: two jobs run at once, and one whose range has none left.
build_endless
run_endless 4 bsprun -H node1:2,node2:2 --transport ofi -x BSP_PORTS=20000-20039
on_node node1 timeout -k 5 "$(limit)" bsprun -H node1:2,node2:2 --transport ofi \
	-x BSP_PORTS=20000-20039 ./ring >output 2>errors
is "0 $four" "$? $(sort output)" "two jobs have one range at the same time" ||
	diag "$(cat errors)"
kill -KILL "$(cat running.0)"
ends "the first one ends"

bspcc -o hold -x c - <<'END' || bail "hold does not compile"
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* Listens at all ports from the first argument to the second, until its input ends. */
int main(int argc, char **argv)
{
	for (int port = argc > 2 ? atoi(argv[1]) : 1; argc > 2 && port <= atoi(argv[2]); port++) {
		struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(port) };
		int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;

		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
		if (bind(fd, (struct sockaddr *)&at, sizeof(at)) || listen(fd, 1)) {
			perror("listen");
			return 1;
		}
	}
	puts("ready");
	fclose(stdout);
	return read(0, &argc, 1) < 0;
}
END

# hold NODE LOW HIGH: another program listens there, until release
hold()
{
	mkfifo held ready
	on_node "$@" <held >ready &
	holder=$!
	exec 9>held
	read -r state <ready
	test "$state" = ready || bail "no port to hold"
}

release()
{
	exec 9>&-
	wait "$holder"
	rm held ready
}

# refused DESCRIPTION OPTION...: a job that finds no port says so, and what to do
refused()
{
	description=$1
	shift
	on_node node1 timeout -k 5 "$(limit)" bsprun "$@" ./ring >output 2>errors
	status=$?
	test $status -ne 0 && test $status -ne 124
	ok $? "$description: the job ends by itself, with an error" || diag "status $status"
	like "all 2 ports of BSP_PORTS=20200-20201 are in use on its host; name more" \
		"$(cat errors)" "$description: and its message says why"
}

full="-x BSP_PORTS=20200-20201"
hold node1 ./hold 20200 20201
# shellcheck disable=SC2086
{
	refused "mpirun" -H node1,node2 $full
	refused "ofi on one machine" -n 2 --nodes 2 $full
	# The daemons have ports of their own, the rest has none.
	OMPI_MCA_oob_tcp_dynamic_ipv4_ports=21000-21099
	OMPI_MCA_oob_tcp_dynamic_ipv6_ports=21100-21199
	export OMPI_MCA_oob_tcp_dynamic_ipv4_ports OMPI_MCA_oob_tcp_dynamic_ipv6_ports
	refused "the lifeline" -H node1,node2 $full
	like "^bsp_begin: process 0 on node1 cannot listen for the others: " "$(cat errors)" \
		"the lifeline: it is named"
	refused "ofi" -H node1,node2 --transport ofi -x BSP_WAIT=lifeline:0 $full
	if has_transport mpi; then
		refused "mpi" -H node1,node2 --transport mpi -x BSP_WAIT=lifeline:0 $full
	else
		skip "no bsp-$(plugin_of mpi).so here"
	fi
}
release

# A wrong range is refused before anything starts.
for wrong in 40000 20100-20000 80-90 20000-65536 20000-20100x -; do
	bsprun -x BSP_PORTS=$wrong -H node1,node2 ./ring >output 2>errors
	is 2 $? "BSP_PORTS=$wrong: status 2"
	like "BSP_PORTS=$wrong: expected LOW-HIGH, two numbers from 1024 to 65535" "$(cat errors)" \
		"BSP_PORTS=$wrong: the message says what it may be"
done
done_testing
