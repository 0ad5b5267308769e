# SPDX-License-Identifier: BSD-3-Clause
# figure-2.sh - Segmented chain broadcast, predicted and measured over processes and bytes.
# shellcheck shell=sh disable=SC1091,SC2154

. "$SOURCE/bench/papers/plogp/probe.sh"

surface bcast segmented-chain
