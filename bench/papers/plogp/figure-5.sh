# SPDX-License-Identifier: BSD-3-Clause
# figure-5.sh - broadcast among 16 processes by three algorithms: models and measurements.
# shellcheck shell=sh disable=SC1091

. "$SOURCE/bench/papers/plogp/probe.sh"

probe_rows rows 16 bcast --emulate gigabit,cpu=0 || exit 1
cp rows "$KEEP/rows.csv"
echo "# emulated network gigabit, 16 processes, virtual time in which computing takes none; medians"
echo "series,x,value,low,high,unit"
probe_series rows 16 segmented-chain "chain;"
probe_series rows 16 binomial "binomial;"
probe_series rows 16 linear "flat;"
