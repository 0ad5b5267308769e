# SPDX-License-Identifier: BSD-3-Clause
# compare.sh - bsprun --compare with a program that hands in prepared reports; read after env.sh.
# shellcheck shell=sh disable=SC2034,SC2154

forget_settings
unset SOURCE_DATE_EPOCH

# A report is written here, and must not stay.
TMPDIR=$tap_dir/tmp
PATH=$top_builddir/tools/bsprun:$PATH
export TMPDIR PATH
mkdir "$TMPDIR" "$tap_dir/work"
cd "$tap_dir/work" || bail "no $tap_dir/work"

# The program: its n-th run hands in the file report.n, or the last one there is.
cat >fake <<'END'
#!/bin/sh
n=$(($(cat runs 2>/dev/null || echo 0) + 1))
echo $n >runs
echo "$BSP_SYNC" >>modes
while test ! -e "report.$n" && test "$n" -gt 1; do
	n=$((n - 1))
done
cat "report.$n" >"$BSP_REPORT"
END
chmod +x fake

# afresh: remove runs and reports
afresh()
{
	rm -f runs modes report.*
}

# report FILE classic|relaxed TOTAL "COMPUTE SYNC READ"...: a valid report, with a process for
# each triple
report()
{
	file=$1 sync=$2 total=$3 separator=
	shift 3
	{
		printf '{"program":"fake","nprocs":%d,"transport":"shm","sync":"%s",' $# "$sync"
		printf '"emulate":"%s",' "$network"
		printf '"supersteps":12,"seconds":%s,\n"processes":[' "$total"
		for process do
			# shellcheck disable=SC2086
			printf '%s{"compute_s":%s,"sync_s":%s,"read_s":%s,' "$separator" $process
			printf '"puts":3,"gets":1,"messages":2,"bytes_out":1500,"bytes_in":7}'
			separator=','
		done
		echo ']}'
	} >"$file"
}
network=

# nothing_left DESCRIPTION: no report is in the directory for temporary files
nothing_left()
{
	none "$(ls -A "$TMPDIR")" "$@"
}
