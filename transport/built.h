/* SPDX-License-Identifier: BSD-3-Clause */
/* built.h - of which version the library is, and each plugin. */
#ifndef BSPT_BUILT_H
#define BSPT_BUILT_H

#include <stdint.h>

/*
 * Library and plugins share structures, so they go together only if they are of one version. The
 * form of this is the same in all versions; the sizes tell apart builds between two versions.
 */
struct bspt_built {
	char version[24];
	uint32_t sizes[4];		/* of what transport.h has */
};

/* In the library, and with the same name in each plugin. */
__attribute__((visibility("default"))) extern const struct bspt_built bspt_built;

#endif
