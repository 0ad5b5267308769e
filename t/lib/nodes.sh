# SPDX-License-Identifier: BSD-3-Clause
# nodes.sh - a cluster on one machine, for shell tests; read after env.sh and before all else.
# shellcheck shell=sh disable=SC2154

# The test runs once more, inside namespaces of its own. When that run ends, even by a signal, the
# kernel kills all that it has started and removes all interfaces; the files are removed last.
# Inside, a node is again a set of namespaces: its own network, host name and shared
# memory. With the others it shares only files, as the nodes of a cluster do.
#
#	  node1 10.199.0.1        node2 10.199.0.2        node3 10.199.0.3
#	     eth0                    eth0                    eth0
#	      | veth                  | veth                  | veth
#	  port1 ------------------- port2 ------------------- port3     bridge, where the test is
#
# agent HOST COMMAND... stands for ssh: a shell on that node runs COMMAND in a new
# environment. So launchers start their real daemons on every node, and what these and
# the program say to each other crosses the bridge.
#
# Root can make nodes, and others can where users may have namespaces.

# In a shell that is not the first of its process namespace this does not return.
if test "$$" -ne 1 || test -z "$BSP_TEST_NODES"; then
	as_root=
	test "$(id -u)" -eq 0 || as_root=--map-root-user
	own="unshare $as_root --net --mount --pid --mount-proc --kill-child --fork"
	command -v ip >/dev/null || skip_all "no ip here"
	$own ip link add bridge0 type bridge 2>"$tap_dir/why" ||
		skip_all "no namespaces and bridges here: $(head -n 1 "$tap_dir/why")"
	BSP_TEST_NODES=1 TMPDIR=$tap_dir setpriv --pdeathsig KILL \
		env --default-signal=INT,QUIT $own "${SHELL:-/bin/sh}" "$0" "$@" &
	outside=$!
	trap 'kill -KILL $outside 2>/dev/null; wait $outside 2>/dev/null; rm -rf "$tap_dir"' EXIT
	wait $outside
	exit $?
fi
unset BSP_TEST_NODES
# as build-aux/without-symbols.sh does, in the new /proc
mount --bind /dev/null /proc/kallsyms 2>/dev/null

nodes=$tap_dir/nodes
agent=$nodes/agent
address=10.199.0

# Settings of a launcher under which the test may run.
for variable in $(env |
	sed -n 's/^\(\(OMPI\|PMIX\|PMI\|PRTE\|SLURM\)_[A-Z0-9_]*\)=.*/\1/p'); do
	unset "$variable"
done
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_plm_rsh_agent=$agent
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_plm_rsh_agent

# make_node K: node K, with its cable
make_node()
{
	node=$nodes/node$1
	mkdir -p "$node/tmp"
	mkfifo "$node/state"
	unshare --net --uts --ipc --mount sh -c '
		hostname "node$1" && mount -t tmpfs tmpfs /dev/shm &&
		mount --bind "$2" /etc/hosts && ip link set lo up &&
		echo ready >"$3" && exec sleep infinity
		echo failed >"$3"' node "$1" "$nodes/hosts" "$node/state" >"$node/log" 2>&1 \
			</dev/null &
	echo $! >"$node/pid"
	read -r state <"$node/state"
	test "$state" = ready &&
		ip link add "port$1" type veth peer name eth0 netns $! &&
		ip link set "port$1" master bridge0 up &&
		on_node "node$1" ip address add "$address.$1/24" dev eth0 &&
		on_node "node$1" ip link set eth0 up
}

# make_nodes N: node1 to nodeN, and the agent
make_nodes()
{
	mkdir "$nodes"
	echo "127.0.0.1 localhost" >"$nodes/hosts"
	for k in $(seq "$1"); do
		echo "$address.$k node$k" >>"$nodes/hosts"
	done
	cat >"$agent" <<END
#!/bin/sh
host=\$1
for pid in "$nodes/\$1/pid" "$nodes/node\${1#$address.}/pid"; do
	test ! -e "\$pid" || break
done
shift
test -e "\$pid" || { echo "agent: cannot reach \$host" >&2; exit 255; }
exec nsenter -t "\$(cat "\$pid")" -n -u -i -m env -i \\
	HOME="\$HOME" PATH=/usr/bin:/bin:/usr/sbin:/sbin TMPDIR="\${pid%/pid}/tmp" sh -c "cd; \$*"
END
	chmod +x "$agent"
	ip link set lo up && ip link add bridge0 type bridge && ip link set bridge0 up ||
		bail "the bridge cannot be made"
	for k in $(seq "$1"); do
		make_node "$k" || bail "node$k cannot be made: $(cat "$nodes/node$k/log")"
	done
}

# on_node NODE COMMAND...: runs it there, in the same directory and environment
on_node()
{
	node=$nodes/$1
	shift
	nsenter -t "$(cat "$node/pid")" -n -u -i -m env TMPDIR="$node/tmp" \
		sh -c 'cd "$0" && exec "$@"' "$PWD" "$@"
}

# cut_link K, mend_link K: the bridge no longer carries anything from or to node K; no process is
# notified
cut_link()
{
	ip link set "port$1" nomaster
}

mend_link()
{
	ip link set "port$1" master bridge0
}

# bytes_of NODE: the bytes that have crossed its cable, in both directions
bytes_of()
{
	on_node "$1" awk '$1 == "eth0:" { print $2 + $10 }' /proc/self/net/dev
}

# left_on NODE: the processes there, a line for each; a zombie has no command any more
left_on()
{
	keeper=$(cat "$nodes/$1/pid")
	for process in /proc/[0-9]*; do
		test "$(readlink "$process/ns/net" 2>/dev/null)" = \
			"$(readlink "/proc/$keeper/ns/net")" || continue
		test "${process#/proc/}" -ne "$keeper" || continue
		command=$(tr '\0' ' ' 2>/dev/null <"$process/cmdline")
		test -z "$command" || echo "$1: ${process#/proc/} $command"
	done
}

# build_endless: ./endless is a program that exchanges with every process for ever; process K
# writes its number to the file running.K when it does
build_endless()
{
	bspcc -O2 -o endless -x c - <<'END' || bail "the endless program does not compile"
#include <bsp.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	int to[64] = { 0 }, me, q, s;
	char name[32];
	FILE *file;

	bsp_begin(bsp_nprocs());
	me = bsp_pid();
	bsp_push_reg(to, sizeof to);
	for (s = 0;; s++) {
		bsp_sync();
		for (q = 0; q < bsp_nprocs(); q++)
			bsp_put(q, &s, to, me * (int)sizeof s, sizeof s);
		if (s != 3)
			continue;
		sprintf(name, "running.%d", me);
		file = fopen(name, "w");
		fprintf(file, "%d\n", (int)getpid());
		fclose(file);
	}
	return 0;
}
END
}

# run_endless N COMMAND...: on node1, in the background, until its N processes run; $job is its
# process
run_endless()
{
	n=$1
	shift
	rm -f running.*
	on_node node1 timeout -k 5 "$(limit 120)" "$@" ./endless >output 2>errors &
	job=$!
	for k in $(seq 0 $((n - 1))); do
		until test -s "running.$k"; do
			kill -0 $job 2>/dev/null || bail "the program did not start: $(cat errors)"
			sleep 0.1
		done
	done
}

# none_remains: no process of the job does on any node; $remains are those that do
none_remains()
{
	remains=$(for node in "$nodes"/node*; do left_on "${node##*/}"; done)
	test -z "$remains"
}

# ends DESCRIPTION: the job and all its processes do; $status is what it ended with
ends()
{
	began=$(date +%s)
	until_true none_remains
	none "$remains" "$* ($(($(date +%s) - began)) s)"
	test -z "$remains" || end_all "$remains"
	wait $job
	status=$?
}

# end_all LINES: of left_on(), so that the next check finds none of them
end_all()
{
	echo "$1" | while read -r _ pid _; do
		kill -KILL "$pid" 2>/dev/null
	done
}

# files_left: in shared memory and in the folders of the nodes for temporary files
files_left()
{
	for node in "$nodes"/node*; do
		find "$node/tmp" -mindepth 1
		on_node "${node##*/}" find /dev/shm -mindepth 1
	done
}

# ports: in the files trace.*, which strace -ff has written: those of the sockets of IP, but for
# those of loopback, that listen or are bound for datagrams
ports()
{
	"$AWK" -F '[(,]' '
		FNR == 1 { split("", port); split("", datagrams) }
		/^socket\(AF_INET/ { split($0, part, " = "); datagrams[part[2]] = /SOCK_DGRAM/ }
		/^bind\(/ && / = 0$/ {
			port[$2] = ""
			if (!/sa_family=AF_INET/ || /"127\./ || /"::1"/)
				next
			match($0, /port=htons\([0-9]+/)
			port[$2] = substr($0, RSTART + 11, RLENGTH - 11)
			if (datagrams[$2])
				print port[$2]
		}
		/^listen\(/ && / = 0$/ && port[$2] != "" { print port[$2] }' trace.*
}

# outside LOW HIGH: those that are not in the range. The ranges of tests are below 32768, where
# those begin that the system chooses.
outside()
{
	ports | "$AWK" -v low="$1" -v high="$2" '$1 < low || $1 > high'
}

# need_launcher: there is one that starts processes on other nodes
need_launcher()
{
	test "$MPIRUN" && "$MPIRUN" --version 2>/dev/null | grep -q 'Open MPI\|OpenRTE\|PRRTE' ||
		skip_all "no mpirun of Open MPI here"
	has_plugin pmix || skip_all "no libpmix here"
	plugins=$libdir/bsp
}
