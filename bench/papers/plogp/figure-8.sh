# SPDX-License-Identifier: BSD-3-Clause
# figure-8.sh - Flat scatter, predicted and measured over processes and bytes.
# shellcheck shell=sh disable=SC1091,SC2154

. "$SOURCE/bench/papers/plogp/probe.sh"

surface scatter linear
