#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each figure of the papers that is listed has a script, claims and published values, or a reason;
# in the short form each script writes CSV with every series of its claims, or says why not.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

papers=$top_srcdir/bench/papers
test -x "$top_builddir/bench/paperpage" || skip_all "bench/paperpage was not built"
cd "$tap_dir" || bail "no $tap_dir"

# ---- The list ---------------------------------------------------------------------------------

listed=$(sed '/^#/d; s/ .*//' "$papers/figures")
missing=
for file in "$papers"/*/figure-*.sh "$papers"/*/table-*.sh; do
	test -e "$file" || continue
	name=${file#"$papers/"}
	name=${name%.sh}
	printf '%s\n' "$listed" | grep -qx "$name" || missing="$missing $name"
	for end in claims published.csv; do
		test -e "${file%.sh}.$end" || missing="$missing $name.$end"
	done
done
none "$missing" "each script is listed and has its claims and published values"
none "$($AWK '!/^#/ && NF == 1 { print $1 }' "$papers/figures" | while read -r name; do
	test -e "$papers/$name.sh" || echo "$name"
done)" "each figure that is listed has a script, or the reason why not"
is "$(printf '%s\n' "$listed" | sort | uniq -d)" "" "no figure is listed twice"

# ---- The short form ---------------------------------------------------------------------------

# The made files go below the build folder, so the test has one of its own that points at it.
mkdir build
for file in "$top_builddir"/*; do
	case $file in
	*/papers) ;;
	*) ln -s "$file" build/ ;;
	esac
done
ln -s "$top_builddir/.libs" build/.libs
FORM=short BUILD=build sh "$papers/run.sh" >said 2>&1
is 0 $? "the short form of every figure is made" || diag "$(cat said build/papers/*/*.log)"

# lacks NAME: series of claims that its CSV does not have
lacks()
{
	sed -n 's/ : .*//; s/^claim//p' "$papers/$1.claims" |
		$AWK -F '"' '{ for (i = 2; i < NF; i += 2) print $i }' | sort -u |
		while read -r series; do
			cut -d , -f 1 "build/papers/$1.csv" |
				$AWK -v series="$series" '
					BEGIN {
						star = index(series, "*")
						begin = substr(series, 1, star - 1)
						end = substr(series, star + 1)
					}
					$0 == series || (star && index($0, begin) == 1 &&
						substr($0, index($0, "/")) == end) {
						found = 1
					}
					END { exit !found }' || echo "$1: $series"
		done
}

for script in "$papers"/*/*-*.sh; do
	name=${script#"$papers/"}
	name=${name%.sh}
	if test -s "build/papers/$name.skipped"; then
		ok 0 "$name says why it is skipped: $(cat "build/papers/$name.skipped")"
		continue
	fi
	none "$(lacks "$name")" "$name has each series of its claims"
	like "<h2>${name%/*}, ${name#*/}: " "$(cat build/papers/index.html)" \
		"the page has a card for $name"
	wanted=$(grep -c '^claim ' "$papers/$name.claims")
	is "$wanted" "$(grep -c "^| $name | .*not judged |\$" build/papers/summary.md)" \
		"and the summary each of its claims, not judged"
done

# ---- What fails ---------------------------------------------------------------------------------

# The failure is at the head of a pipeline, whose status is that of its end.
mkdir -p broken/tools/bspprobe broken/bench
printf '#!/bin/sh\nexit 3\n' >broken/tools/bspprobe/bspprobe
chmod +x broken/tools/bspprobe/bspprobe
ln -s "$top_builddir/tools/bspinfo" broken/tools/
ln -s "$top_builddir/bench/paperpage" broken/bench/
FORM=short BUILD=broken sh "$papers/run.sh" plogp 1 >said 2>&1
is 1 $? "a figure whose measurement fails ends with a failure"
test ! -e broken/papers/plogp/figure-1.csv
ok $? "and is not made of the rest"

done_testing
