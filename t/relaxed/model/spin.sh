# SPDX-License-Identifier: BSD-3-Clause
# spin.sh - searches of the models with spin, as checks that speak TAP; relaxed-barrier-model-*.t
# and neighbours-model-*.t read it.
# shellcheck shell=sh disable=SC2154

command -v spin >/dev/null || skip_all "no spin here"
test -z "$BSP_SANITIZE" ||
	skip_all "not applicable: a model is not compiled with the library's sanitizers"
test -z "${BSP_EMULATE-}" ||
	skip_all "not applicable: a model sends nothing over the emulated network"

# search FLAGS SETTING...: spin's report in $seen; $tap_dir/pan and a trail are left.
# FLAGS are for the compiler, SETTINGs those of $model (relaxed.pml). Spin's code has warnings.
# shellcheck disable=SC2086
search()
{
	flags=$1
	shift
	rm -f "$tap_dir"/*.trail
	seen=$(
		cd "$tap_dir" &&
		spin -P"$CC -E -x c" -a "$@" \
			"$top_srcdir/t/relaxed/model/${model:-relaxed.pml}" 2>&1 &&
		$CC -w $flags -DSAFETY -DCOLLAPSE -DVECTORSZ=4096 -DMEMLIM=1500 \
			-o pan pan.c 2>&1 &&
		./pan -m5000 2>&1
	)
}

# holds DESCRIPTION SETTING...: all of these runs were searched and none has a fault
holds()
{
	description=$1
	shift
	search -O1 "$@"
	printf '%s\n' "$seen" | grep -q 'errors: 0$' &&
		! printf '%s\n' "$seen" | grep -qiE 'not completed|too small|out of memory|aborted'
	ok $? "$description" || diag "$seen"
	diag "$(printf '%s\n' "$seen" | $SED -n \
		-e 's/^ *\([0-9.e+]*\) states, stored.*/\1 states/p' -e \
		's/^pan: elapsed time/in/p')"
}

# finds DESCRIPTION PATTERN SETTING...: a run is found with the fault of that name
finds()
{
	description=$1 pattern=$2
	shift 2
	search "-O0 -DNOREDUCE" "$@"
	like "^pan:1: .*$pattern" "$seen" "$description"
}

# trail: what that run printed
trail()
{
	(cd "$tap_dir" && ./pan -r relaxed.pml.trail 2>&1)
}
