#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspinfo names version, build, transports with what is against them, and settings.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

bspinfo >info
ok $? "bspinfo runs"
like "^version +$(bspcc -showme:version | sed 's/.*bsp \([^ ]*\) .*/\1/')\$" "$(cat info)" \
	"the version"
like "^prefix +/" "$(cat info)" "the prefix"
like "^compiler +$(echo "$CC" | sed 's/[.+]/\\&/g')" "$(cat info)" "the compiler"
like "^flags +" "$(cat info)" "its flags"
like "^processors +[1-9][0-9]*\$" "$(cat info)" "the processors"
is "$(nproc --all >/dev/null 2>&1 && nproc)" "$(sed -n 's/^processors *//p' info)" \
	"as many as nproc says"
like "^  none\$" "$(cat info)" "no settings"

for name in $(sed -n 's/^TRANSPORT(\(.*\))/\1/p' "$top_srcdir/transport/transports.def"); do
	like "^  $name +[a-z]" "$(cat info)" "transport $name is listed"
done
like "^ +can run here, but not with 3 processes: it is for one process, not 3\$" \
	"$(bspinfo -n 3)" "a transport that is for another number of processes"
is "self
shm
" "$(for n in 1 3; do
	BSP_TRANSPORT=auto bspinfo -n $n |
		awk '/^  [a-z]/ { name = $1 } /; programs take it$/ { print name }'
done)
$(BSP_TRANSPORT=emu BSP_EMULATE=sp2 bspinfo | grep 'programs take it')" \
	"the one that programs take, if none is named"
built=$(grep -c '^TRANSPORT(' "$top_srcdir/transport/transports.def")
# mix is there, but may find nothing to go between nodes
test "$(bspinfo -n 1 | grep -cE 'can run here with 1 process(;|$)')" -ge $((built - 1))
ok $? "all that are built in can with one process"
for name in $(sed -n 's/^PLUGIN(\([a-z]*\),.*/\1/p' "$top_srcdir/transport/transports.def"); do
	like "^  $name +[a-z]" "$(cat info)" "transport $name is listed, built or not"
done
without=$(BSP_PLUGINS=/nowhere bspinfo -n 2)
for name in $(sed -n 's/^PLUGIN(\([a-z]*\),.*/\1/p' "$top_srcdir/transport/transports.def"); do
	told=$(echo "$without" | sed -n "/^  $name /,/^  [a-z]/p" | sed '1d;/^  [a-z]/d')
	like "bsp-$name(-openmpi)?.so is not installed" "$told" "transport $name: its part is missing"
	none "$(echo "$told" | grep 'beyond the core')" "and its abilities are not listed"
done
like "between nodes: ofi: .*; mpi: .* names another folder\)" "$without" \
	"a reason made of several is printed to its end"
like "can run here with 5 processes; " "$(BSP_NPROCS=5 bspinfo)" "BSP_NPROCS says for how many"

like "^  BSP_NPROCS=5\$" "$(BSP_NPROCS=5 bspinfo)" "a setting is shown"
like "^  BSP_CREDIT=much is wrong: expected auto, or a number" "$(BSP_CREDIT=much bspinfo)" \
	"a wrong one is named"
like "L 24 us, o 10 us, g 7 us, G 29.2 ns; computation 80 times that here" \
	"$(BSP_EMULATE=sp2,g=7us bspinfo)" "a network has its parameters"
like "no network: 'sp3' is no network known" "$(BSP_EMULATE=sp3 bspinfo)" \
	"one that is none does not"
like "^  BSP_BARRER=flat is no setting; is it BSP_BARRIER\?\$" "$(BSP_BARRER=flat bspinfo)" \
	"so is one that is mistyped"
like "^  BSP_MY_OWN_THING= is no setting\$" "$(BSP_MY_OWN_THING='' bspinfo)" \
	"and one that is like no other"

# Libraries of plugins, and Slurm.
# version LABEL PLUGIN PATTERN: there is one if the plugin is there, else the reason
version()
{
	if has_plugin "$2"; then
		like "^$1 +$3" "$(cat info)" "the version of $1"
	else
		like "^$1 +none: bsp-$2\.so is not installed" "$(cat info)" "there is no $1"
	fi
	like "^$1 +none: bsp-$2\.so is not installed" "$without" "none without its plugin"
}
version libfabric ofi "[0-9]+\.[0-9]+\$"
version "Open MPI" mpi-openmpi "Open MPI v[0-9]"
version MPICH mpi-mpich "MPICH Version: [0-9]"
version PMIx pmix "[^n].*[0-9]\.[0-9]"

# Launchers that only say what real ones say. launcher FOLDER NAME VERSION LIST
launcher()
{
	mkdir -p "$1"
	printf '%s\n' '#!/bin/sh' 'case $1 in' "--mpi=list) echo '$4' ;;" "*) echo '$3' ;;" esac >"$1/$2"
	chmod +x "$1/$2"
}
launcher pmix srun "slurm-wlm 22.05.8" "none pmix"
launcher pmix mpirun "mpirun (Open MPI) 4.1.4"
launcher none srun "srun: fatal: Could not establish a configuration source" "none"
launcher none mpirun "HYDRA build details:"
launcher none mpirun.openmpi "HYDRA build details:"
launcher none prterun "neither"
unset SLURM_JOB_ID SLURM_STEP_ID PMIX_RANK PMI_RANK OMPI_COMM_WORLD_RANK
like "^Slurm +slurm-wlm 22\.05\.8\$" "$(PATH=$PWD/pmix:$PATH bspinfo)" "the version of Slurm"
like "^Slurm +none: srun: fatal: Could not" "$(PATH=$PWD/none:$PATH bspinfo)" \
	"one that is not set up"
like "^launcher +mpirun: mpirun \(Open MPI\) 4\.1\.4, for hosts that are named \(bsprun -H\)\$" \
	"$(PATH=$PWD/pmix:$PATH bspinfo)" "the launcher"
like "^launcher +srun --mpi=pmix: slurm-wlm 22\.05\.8, for the nodes of this Slurm job\$" \
	"$(SLURM_JOB_ID=7 PATH=$PWD/pmix:$PATH bspinfo)" "the launcher in a job of Slurm"
like "^launcher +none: the mpirun on the search path is not Open MPI's" \
	"$(PATH=$PWD/none:$PATH bspinfo)" "one that will not do"

if command -v python3 >/dev/null; then
	BSP_TRANSPORT='a"b\c' BSP_BARRER=flat SLURM_JOB_ID=7 PATH=$PWD/pmix:$PATH \
		bspinfo -n 3 --json >json
	python3 - >seen 2>&1 <<'END'
import json
info = json.load(open('json'))
assert set(info) == {'version', 'prefix', 'compiler', 'flags', 'processors', 'libraries', 'launcher',
                     'transports', 'settings', 'unknown'}, info
assert set(info['libraries']) == {'libfabric', 'Open MPI', 'MPICH', 'PMIx', 'Slurm'}, info
assert info['libraries']['Slurm'] == 'slurm-wlm 22.05.8', info
assert info['launcher'] == 'srun --mpi=pmix: slurm-wlm 22.05.8', info
by_name = {t['name']: t for t in info['transports']}
assert by_name['self']['usable'] is False and 'one process' in by_name['self']['reason'], by_name
assert by_name['self']['nprocs'] == 3
assert all(t['usable'] == (t['reason'] is None) for t in info['transports'])
assert all(isinstance(t['capabilities'], list) for t in info['transports'])
assert info['settings'] == {'BSP_TRANSPORT': 'a"b\\c'}, info['settings']
assert info['unknown'] == {'BSP_BARRER': 'flat'}, info['unknown']
assert info['processors'] >= 1
END
	ok $? "--json is JSON and says the same" || diag "$(cat seen)"
else
	skip "--json: no python3 here"
fi

for arguments in "-n 0" "-n 16385" "-n x" "-n" "--nonsense" "more"; do
	# shellcheck disable=SC2086
	seen=$(bspinfo $arguments 2>&1)
	is 2 $? "bspinfo $arguments: status 2"
	like "^bspinfo: " "$seen" "bspinfo $arguments: says why"
done
like "^usage: bspinfo " "$(bspinfo --help)" "--help"
like "^bspinfo .*[0-9]\.[0-9]" "$(bspinfo --version)" "--version"
bspinfo >/dev/full 2>/dev/null
ok $((! $?)) "a full disk is an error"

done_testing
