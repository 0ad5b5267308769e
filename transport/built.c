// SPDX-License-Identifier: BSD-3-Clause
/* built.c - of which version this is: a part of the library and of each plugin. */

#include "built.h"

#include "config.h"
#include "transport.h"

const struct bspt_built bspt_built = {
	PACKAGE_VERSION,
	{
		sizeof(struct bspt_ops), sizeof(struct bspt), sizeof(struct bspt_plan),
		sizeof(struct bspt_wire),
	},
};
