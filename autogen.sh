#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# autogen.sh - make configure and the Makefile templates, which are not in git.

cd "$(dirname "$0")" && exec autoreconf --install --force "$@"
