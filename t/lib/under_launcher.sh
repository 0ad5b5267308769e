# SPDX-License-Identifier: BSD-3-Clause
# under_launcher.sh - API tests whose jobs a launcher starts; read after env.sh.
# shellcheck shell=sh disable=SC2154

forget_settings
BSP_PLUGINS=$top_builddir/.libs
export BSP_PLUGINS

# passes NAME COMMAND TEST...: each check of these tests passes, and none is skipped. COMMAND N
# PROGRAM starts N processes of PROGRAM. $where, if set, is a command that runs the test elsewhere.
where=
passes()
{
	name=$1 command=$2
	shift 2
	for test do
		$where env BSP_TEST_LAUNCHER="$command" TAP_TIMEOUT="${TAP_TIMEOUT:-60}" \
			"$top_builddir/t/$test.t" >"$tap_dir/said" 2>&1
		test $? -eq 0 && grep -q '^ok' "$tap_dir/said" &&
			! grep -q '^1\.\.0' "$tap_dir/said"
		ok $? "$name: $test, $(grep -c '^ok' "$tap_dir/said") checks" ||
			diag "$(grep -v '^ok' "$tap_dir/said" | head -n 20)"
	done
}
