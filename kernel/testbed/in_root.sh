#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# in_root.sh - runs a command in a system that was unpacked into a folder.

# usage: in_root.sh ROOT FOLDER COMMAND [ARGUMENT]...
#
# FOLDER is /mnt there. Needs no privileges where a user may make namespaces.

# shellcheck disable=SC2016
exec unshare --map-root-user --mount sh -c '
root=$1 folder=$2
shift 2
for part in /dev /proc; do
	mount --rbind $part "$root$part" || exit
done
mount --bind "$folder" "$root/mnt" &&
	exec chroot "$root" /usr/bin/env -i PATH=/usr/bin:/usr/sbin LC_ALL=C "$@"
' in_root "$@"
