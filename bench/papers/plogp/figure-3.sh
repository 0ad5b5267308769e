# SPDX-License-Identifier: BSD-3-Clause
# figure-3.sh - Binomial broadcast, predicted and measured over processes and bytes.
# shellcheck shell=sh disable=SC1091,SC2154

. "$SOURCE/bench/papers/plogp/probe.sh"

surface bcast binomial
