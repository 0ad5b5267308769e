/* SPDX-License-Identifier: BSD-3-Clause */
/* build.h - which build of a program or a library it is, as a number. */
#ifndef BUILD_H
#define BUILD_H

#include <stddef.h>
#include <stdint.h>

/*
 * The first 8 bytes of the build id that the linker has written among notes, as readelf -n shows
 * it; 0: there is none. Notes begin at multiples of @align bytes.
 */
uint64_t build_id_of_notes(const void *notes, size_t nbytes, size_t align);

/*
 * The same of the file @path, or if it has no build id a number made of its size and the time at
 * which it was written last. 0: it is no file, or cannot be read.
 */
uint64_t build_id_of_file(const char *path);

#endif
