#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Hosts, launchers and counts that cannot be are named, with what to do, before anything starts.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

mkdir bin empty
for tool in sh env unshare; do
	ln -s "$(command -v $tool)" bin/$tool
done
# launcher NAME VERSION
launcher()
{
	printf '#!/bin/sh\ncase $1 in --version|--mpi=list) echo "%s";; *) echo started;; esac\n' \
		"$2" >"bin/$1"
	chmod +x "bin/$1"
}
launcher mpirun "mpirun (Open MPI) 4.1.4"
unset SLURM_JOB_ID OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
unset PRTE_ALLOW_RUN_AS_ROOT PRTE_ALLOW_RUN_AS_ROOT_CONFIRM

# refuses STATUS PATTERN ARGUMENT...: one line on standard error, and nothing starts
refuses()
{
	status=$1 pattern=$2
	shift 2
	seen=$(PATH=$PWD/bin $as_root "$bindir/bsprun" "$@" 2>errors)
	is "$status:" "$?:$seen" "bsprun $*: status $status, nothing starts"
	like "^bsprun: $pattern" "$(cat errors)" "bsprun $*: says why"
	is 1 "$(wc -l <errors | tr -d ' ')" "bsprun $*: in one line"
}

refuses 2 "-H: its argument is missing" -H
refuses 2 "-H: the list of hosts is empty" -H '' ./prog
refuses 2 "-H: the list of hosts is empty" --hosts= ./prog
for entry in '' a: a:0 a:-1 a:x a:65536 a:1:1 'a b' -oProxyCommand=x ';ls' :2; do
	refuses 2 "-H: '$entry': expected HOST or HOST:N, with N from 1 to 65535" -H "b,$entry" \
		./prog
done
refuses 2 "these hosts have more than 65535 slots" -H a:65535,b ./prog
refuses 2 "--hostfile nowhere: No such file" --hostfile nowhere ./prog
refuses 2 "--hostfile .: Is a directory" --hostfile . ./prog
refuses 2 "/dev/zero:1: the line has a byte of value 0, or more than 4094" --hostfile /dev/zero \
	./prog
mkfifo pipe
refuses 2 "--hostfile pipe: no process writes to that pipe" --hostfile pipe ./prog
(exec >pipe && printf 'a slots=x\n') &
refuses 2 "pipe:1: 'slots=x': expected HOST, HOST:N or HOST slots=N" --hostfile pipe ./prog
wait $!
printf '# nobody\n\n' >hosts
refuses 2 "--hostfile hosts: it names no host" --hostfile hosts ./prog
for line in 'a slots=0' 'a slots=x' 'a slots=1 slots=2' 'a:2 slots=2' 'a 4' 'a max=3' '-x'; do
	printf 'first\n%s\n' "$line" >hosts
	refuses 2 "hosts:2: '.*': expected HOST, HOST:N or HOST slots=N" --hostfile hosts ./prog
done
refuses 2 "-H and --hostfile: one of them is enough" -H a --hostfile hosts ./prog
refuses 2 "-n 4: hosts a:1,b:2 have 3 slots; .*--oversubscribe" -n 4 -H a,b:2 ./prog
refuses 2 "--launcher pigeon: expected one of mpirun\|srun\|prterun\|local" --launcher pigeon ./prog
refuses 127 "prterun is not on the search path" --launcher prterun ./prog
refuses 127 "srun is not on the search path" --launcher srun ./prog
refuses 2 "-H names hosts" --local -H a ./prog
refuses 2 "--hostfile names hosts" --launcher local --hostfile hosts ./prog
refuses 2 "--oversubscribe is for launchers" --oversubscribe ./prog
refuses 2 "--emulate sp2: .*one machine" --emulate sp2 -H a ./prog
refuses 2 "--compare runs on one machine" --compare -H a ./prog
refuses 2 "an argument ':' would be mpirun's" -H a ./prog : x
refuses 127 "the name of the program is empty" -H a ''
refuses 2 "--discover j: -n says how many" --discover j --part 0-1 ./prog
refuses 2 "--discover j: --part says which" --discover j -n 4 ./prog
refuses 2 "--part goes with --discover" -n 4 --part 0-1 ./prog
for part in 4 0-4 2-1 -1 a 0- 0-1x 1,2 99999999999; do
	refuses 2 "--part $part: expected FIRST-LAST, processes from 0 to 3" --discover j -n 4 \
		--part="$part" ./prog
done
refuses 2 "--discover starts processes on this host alone; leave out the hosts" --discover j -n 4 \
	--part 0 -H a ./prog
refuses 2 "--discover starts processes on this host alone; leave out --launcher" --discover j -n \
	4 --part 0 --launcher mpirun ./prog
refuses 2 "--compare runs all of a job" --discover j -n 4 --part 0 --compare ./prog
refuses 2 "--emulate sp2: .*leave out --discover" --discover j -n 4 --part 0 --emulate sp2 ./prog
refuses 2 "--discover .*: expected" --discover \
	1234567890123456789012345678901234567890123456789012345678901234 -n 4 --part 0 ./prog
refuses 2 "--bind node: expected" --bind node -H a ./prog
as_root=
test "$(id -u)" -eq 0 || as_root="unshare --map-root-user"
if $as_root true 2>/dev/null; then
	refuses 2 \
		"mpirun starts no programs as root; .*OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1" \
		-H a ./prog
else
	skip "no user namespaces here"
fi
as_root=

# without the part for MPICH, PMI-2 is of no use
BSP_PLUGINS=$PWD/none
export BSP_PLUGINS
launcher srun "MPI plugin types are... none pmi2"
refuses 2 "srun cannot give its processes PMIx .*--launcher mpirun" --launcher srun ./prog
launcher mpirun "HYDRA build details:"
refuses 2 "the mpirun on the search path is not Open MPI's, .*openmpi-bin" -H a ./prog
refuses 2 "the mpirun on the search path is not Open MPI's" --launcher mpirun -H a ./prog
rm bin/mpirun
refuses 127 "nothing can start processes on other hosts: .*openmpi-bin" -H a ./prog
SLURM_JOB_ID=7
export SLURM_JOB_ID
refuses 127 "nothing can start processes on the nodes of this Slurm job: .*--local" ./prog

done_testing
