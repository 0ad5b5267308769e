#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bsprun --show prints the launcher's command line, and a shell that reads it does the same.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

# Launchers that only print how they were called. Their versions are printed as by real ones.
# launcher NAME VERSION
launcher()
{
	cat >"bin/$1" <<END
#!/bin/sh
case \$1 in
--version|--mpi=list) echo "$2"; exit ;;
esac
echo "$1"
for word do echo "[\$word]"; done
env | grep -E '^(BSP_(NPROCS|STAT|TAG_OUTPUT|BIND|WAIT)|EXTRA)=' | sort
END
	chmod +x "bin/$1"
}
mkdir bin
# Only these are to be found.
for tool in sh env grep sort cat sed chmod rm; do
	ln -s "$(command -v $tool)" bin/$tool
done
bsprun=$bindir/bsprun
PATH=$PWD/bin
unset SLURM_JOB_ID SLURM_STEP_ID PMIX_RANK PMI_RANK OMPI_COMM_WORLD_RANK
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
PRTE_ALLOW_RUN_AS_ROOT=1
PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
export PRTE_ALLOW_RUN_AS_ROOT PRTE_ALLOW_RUN_AS_ROOT_CONFIRM

# shows WANTED DESCRIPTION ARGUMENT...: as printed, and run from what was printed as run at once
shows()
{
	wanted=$1 description=$2
	shift 2
	"$bsprun" --show "$@" >shown 2>&1
	is "$wanted" "$(cat shown)" "$description"
	case $wanted in
	*./prog*|bsprun:*) ;;
	*) return ;;
	esac
	is "$("$bsprun" "$@" 2>&1)" "$(sh ./shown 2>&1)" "a shell does the same with it"
}

keep="--mca oob_tcp_keepalive_time 1 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 8"
prkeep=$(echo "$keep" | sed 's/--mca/--prtemca/g')

launcher mpirun "mpirun (Open MPI) 4.1.4"
shows "mpirun --host a:1,b:2 -np 3 --map-by slot $keep ./prog" \
	"Open MPI 4: by default as many as there are slots" \
	-H a,b:2 ./prog
shows \
	"BSP_NPROCS=2 BSP_STAT=1 mpirun --host a:3 -np 2 --map-by slot $keep -x BSP_NPROCS -x BSP_STAT ./prog 'a b' '' 'it'\\''s'" \
	"settings go along, arguments stay as they are" --hosts a,a:2 -n 2 --stat ./prog 'a b' '' \
	"it's"
shows \
	"BSP_NPROCS=4 mpirun --host a:2 -np 4 --map-by slot:OVERSUBSCRIBE $keep -x BSP_NPROCS ./prog" "--oversubscribe" \
	-n 4 -H a:2 --oversubscribe ./prog
shows "mpirun --host a:2 -np 2 --map-by slot --tag-output $keep ./prog" \
	"--tag-output is the launcher's business" \
	--tag-output -H a:2 ./prog
shows \
	"BSP_BIND=core mpirun --host a:2 -np 2 --map-by slot --bind-to core $keep -x BSP_BIND ./prog" "--bind core" \
	--bind core -H a:2 ./prog
shows \
	"BSP_BIND=none mpirun --host a:2 -np 2 --map-by slot --bind-to none $keep -x BSP_BIND ./prog" "--bind none" \
	--bind none -H a:2 ./prog
shows \
	"BSP_BIND=share mpirun --host a:2 -np 2 --map-by slot --bind-to none $keep -x BSP_BIND ./prog" \
	"--bind share: the processes do it" --bind share -H a:2 ./prog
shows "EXTRA='x  y' mpirun --host a:2 -np 2 --map-by slot $keep -x EXTRA ./prog" "-x" -x \
	'EXTRA=x  y' -H a:2 ./prog
shows "BSP_WAIT=lifeline:0 mpirun --host a:2 -np 2 --map-by slot -x BSP_WAIT ./prog" \
	"a launcher that is to wait for ever" \
	-x BSP_WAIT=lifeline:0 -H a:2 ./prog
OMPI_MCA_oob_tcp_keepalive_time=9 "$bsprun" --show -H a ./prog >shown
is "mpirun --host a:1 -np 1 --map-by slot ${keep#--mca oob_tcp_keepalive_time 1 } ./prog" \
	"$(cat shown)" "what the user has set stays"
cat >hosts <<'END'
# the first of them
n01 slots=4

10.0.0.7:2	# an address
n-2.example
END
shows "mpirun --host n01:4,10.0.0.7:2,n-2.example:1 -np 7 --map-by slot $keep ./prog" \
	"--hostfile" --hostfile hosts ./prog
shows "BSP_NPROCS=2 mpirun -np 2 --map-by slot $keep -x BSP_NPROCS ./prog" \
	"--launcher without hosts" --launcher mpirun -n 2 ./prog

for version in "mpirun (Open MPI) 5.0.3" "prterun (PRRTE) 3.0.5"; do
	rm bin/*run
	launcher "${version%% *}" "$version"
	shows \
		"BSP_NPROCS=2 ${version%% *} --host a:2 -np 2 --map-by slot --output tag $prkeep -x BSP_NPROCS ./prog" "$version" \
		-H a:2 -n 2 --tag-output ./prog
done
is 127 "$("$bsprun" --launcher mpirun -H a ./prog 2>/dev/null; echo $?)" \
	"prterun is not what --launcher mpirun means"

# A name on the search path, which the other hosts have another of. A folder is no program.
printf '#!/bin/sh\n' >bin/found
chmod +x bin/found
mkdir bin/folder
is "prterun --host a:1 -np 1 --map-by slot $prkeep $PWD/bin/found found" \
	"$("$bsprun" --show -H a found found)" "a program on the search path goes with its folder"
is "prterun --host a:1 -np 1 --map-by slot $prkeep $PWD/bin/found" \
	"$(PATH=bin:$PATH "$bsprun" --show -H a found)" "also if that is named from here"
is "prterun --host a:1 -np 1 --map-by slot $prkeep folder" \
	"$("$bsprun" --show -H a folder)" "what cannot be run here goes as it is"

# In a job of Slurm.
SLURM_JOB_ID=7
export SLURM_JOB_ID
launcher mpirun "mpirun (Open MPI) 4.1.4"
shows "mpirun --map-by slot $keep ./prog" "Slurm without srun: mpirun, on what the job has" ./prog
launcher srun "MPI plugin types are... none pmi2"
shows "mpirun --map-by slot $keep ./prog" "an srun without PMIx is the last choice" ./prog
if test "$MPICH_EXEC"; then
	for mpirun in none "HYDRA build details:"; do
		rm -f bin/mpirun bin/prterun
		test "$mpirun" = none || launcher mpirun "$mpirun"
		shows "srun --mpi pmi2 -K1 --export ALL ./prog" "srun with PMI-2, mpirun: $mpirun" ./prog
	done
	shows "srun --mpi pmi2 -K1 --export ALL ./prog" "--launcher srun" --launcher srun ./prog
	launcher mpirun "mpirun (Open MPI) 4.1.4"
fi
launcher srun "MPI plugin types are... none pmix"
shows "srun --mpi pmix -K1 --export ALL ./prog" "srun" ./prog
shows \
	"BSP_NPROCS=5 BSP_BIND=core srun --mpi pmix -n 5 --cpu-bind cores --label -K1 --export ALL ./prog" "srun with options" \
	-n 5 --bind core --tag-output ./prog
shows "srun --mpi pmix -n 3 --distribution arbitrary --nodelist a,b,b -K1 --export ALL ./prog" \
	"srun on some hosts" \
	-H a,b:2 ./prog
shows \
	"BSP_NPROCS=3 srun --mpi pmix -n 3 --distribution arbitrary --nodelist a,b,a --overcommit -K1 --export ALL ./prog" \
	"srun on some hosts, more than they take" -n 3 -H a,b --oversubscribe ./prog
shows "mpirun --map-by slot $keep ./prog" "--launcher overrides the choice" --launcher mpirun ./prog

# Without a launcher.
printf '#!/bin/sh\nenv | grep -E "^(SLURM|PMI|OMPI_COMM|OMPI_MCA_ess|PRTE_RANK)" | sort\n' >prog
chmod +x prog
shows "./prog" "--local in a job of Slurm" --local ./prog
shows "./prog" "--launcher local, too" --launcher local ./prog
SLURM_STEP_ID=0
SLURM_PROCID=1
SLURM_NTASKS=2
PMIX_RANK=1
PMI_RANK=1
OMPI_COMM_WORLD_SIZE=2
OMPI_MCA_ess=pmi
export SLURM_STEP_ID SLURM_PROCID SLURM_NTASKS PMIX_RANK PMI_RANK OMPI_COMM_WORLD_SIZE OMPI_MCA_ess
is "./prog" "$("$bsprun" --show ./prog)" "a process that was launched launches nothing"
like OMPI_COMM_WORLD_SIZE=2 "$("$bsprun" ./prog)" "and the program joins the others"
is "SLURM_JOB_ID=7" "$("$bsprun" --local ./prog)" \
	"unless it is to be --local: then it knows nothing of them"
unset SLURM_PROCID SLURM_NTASKS PMIX_RANK PMI_RANK OMPI_COMM_WORLD_SIZE OMPI_MCA_ess
SLURM_STEP_ID=4294967290
is "srun --mpi pmix -K1 --export ALL ./prog" "$("$bsprun" --show ./prog)" \
	"the shell of a job is no step of it"

PATH=$bindir:/usr/bin:/bin
done_testing
