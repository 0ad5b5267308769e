#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh - make figures of the papers again, and the page of all that were made.

# run.sh [PAPER [FIGURE]]: a folder here, and a figure of it: 3, 4b or table-1; by default all.
# BUILD is the build folder, by default the current one. FORM is full, by default, or short.
# SHARED is a folder for what figures share, which stays; by default there is one for this run.
# README.md says what a figure is.

build=$(cd "${BUILD:-.}" && pwd) || exit 1
here=$(cd "${0%/*}" && pwd) || exit 1
made=$build/papers
form=${FORM:-full}

fail()
{
	echo "papers: $*" >&2
	exit 1
}

# wanted: PAPER/FIGURE of each line of figures that the arguments name
wanted()
{
	case ${2:-} in
	'') pattern="^${1:-[^/]*}/" ;;
	[0-9]*) pattern="^$1/figure-$2\$" ;;
	*) pattern="^$1/$2\$" ;;
	esac
	sed 's/[ #].*//' "$here/figures" | grep "$pattern"
}

# conditions NAME: comments of the CSV
conditions()
{
	echo "# date: $(date -u '+%Y-%m-%d %H:%M:%S UTC')"
	commit=$(git -C "$here" describe --always --dirty --abbrev=12 2>/dev/null)
	echo "# commit: ${commit:-unknown}"
	processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
	echo "# processor: ${processor:-$(uname -m)}, $(nproc) of them"
	echo "# kernel: $(uname -sr)"
	echo "# load: $(cut -d ' ' -f 1-3 /proc/loadavg)"
	figure=${1#*/}
	echo "# command: make papers PAPER=${1%/*} FIGURE=${figure#figure-}"
	echo "# form: $form"
}

# make_figure NAME: its CSV, or why it was skipped
make_figure()
{
	out=$made/$1
	rm -f "$out.csv" "$out.skipped" "$out.svg"
	rm -rf "$out.scratch"
	mkdir -p "$out.scratch" "$out.kept" || return 1
	conditions "$1" >"$out.part"
	(
		cd "$out.scratch" || exit 1
		BUILD=$build SOURCE=${here%/bench/papers} FORM=$form KEEP=$out.kept SHARED=$shared \
			BSP_PLUGINS=${BSP_PLUGINS:-$build/.libs} sh "$here/$1.sh" 2>"$out.log"
	) >>"$out.part"
	status=$?
	# a command that failed at the head of a pipeline, whose status is not seen, has left this
	test ! -e "$out.scratch/failed" || status=1
	rm -rf "$out.scratch"
	rmdir "$out.kept" 2>/dev/null
	if test $status -eq 77; then
		tail -n 1 "$out.log" >"$out.skipped"
		rm "$out.part"
		echo "$1: skipped: $(cat "$out.skipped")"
	elif test $status -ne 0; then
		tail -n 20 "$out.log" >&2
		rm "$out.part"
		echo "failed, see $1.log" >"$out.skipped"
		return 1
	else
		mv "$out.part" "$out.csv"
		echo "$1: $(grep -vc -e '^#' -e '^series,' "$out.csv") values"
	fi
}

case $form in
full | short) ;;
*) fail "FORM=$form: expected full or short" ;;
esac
test -x "$build/bench/paperpage" || fail "no $build/bench/paperpage: make"
names=$(wanted "$@")
test "$names" || fail "no figure ${2:-} of ${1:-any paper} in $here/figures"
shared=${SHARED:-}
test "$shared" || {
	shared=$(mktemp -d) || exit 1
	trap 'rm -rf "$shared"' EXIT
	trap 'exit 1' HUP INT TERM
}
result=0
for name in $names; do
	test -e "$here/$name.sh" || continue
	make_figure "$name" || {
		echo "papers: $name failed" >&2
		result=1
	}
done
"$build/bench/paperpage" "$here" "$made" || result=1
echo "papers: $made/index.html"
exit $result
